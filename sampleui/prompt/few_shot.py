"""The few-shot examples of a sample, shown before its own messages (gage-eval standardized sample, §1.3.4)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.prompt.parts import Placed, placed
from sampleui.sample.content import segments
from sampleui.sample.message import Message
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, read


def few_shot(sample: Sample) -> Iterator[Placed]:
    """Yield each example's messages, then its answer as an assistant message, with the places they are at."""
    for node, example in examples(sample):
        for found in placed(example):
            yield found._replace(node=(*node, *found.node))
        yield from _answer(example.data, node)


def examples(sample: Sample) -> Iterator[tuple[DataPath, Sample]]:
    """Yield the examples of a sample as samples, with the places they are at."""
    key = dialect_of(sample).few_shot
    held = read(sample).get(key) if key else None
    for index, example in enumerate(held if isinstance(held, list) else []):
        if isinstance(example, dict):
            yield (key, index), dataclasses.replace(sample, data=example, messages_path=("messages",))


def _answer(example: Table, node: DataPath) -> Iterator[Placed]:
    """Yield the first reference, or else the label, as the assistant's message."""
    references = example.get("references")
    first = references[0] if isinstance(references, list) and references else None
    answer: Plain = first.get("answer") if isinstance(first, dict) else first
    for content, place in ((answer, ("references", 0)), (example.get("label"), ("label",))):
        parts = segments(content)
        if parts:
            yield Placed(Message(0, "assistant", parts), (*node, *place), {})
            return
