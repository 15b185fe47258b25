"""Examples of a sample, shown to the model before its own messages (gage-eval standardized sample, §1.3.4)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.prompt.parts import Placed, placed
from sampleui.sample.model import Message, Sample
from sampleui.sample.parse import segments

KEY = "few_shot_examples"


def few_shot(sample: Sample) -> Iterator[Placed]:
    """Yield each example's messages, then its answer as an assistant message, with the places they stand at."""
    examples = sample.data.get(KEY) if sample.dialect == "gage" else None
    for index, example in enumerate(examples if isinstance(examples, list) else []):
        if isinstance(example, dict):
            node: DataPath = (KEY, index)
            item = dataclasses.replace(sample, data=example, messages_path=("messages",))
            for found in placed(item):
                yield found._replace(node=(*node, *found.node))
            yield from _answer(example, node)


def _answer(example: Table, node: DataPath) -> Iterator[Placed]:
    """Yield the first reference, else the label, as the assistant's message."""
    references = example.get("references")
    first = references[0] if isinstance(references, list) and references else None
    answer: Plain = first.get("answer") if isinstance(first, dict) else first
    for content, place in ((answer, ("references", 0)), (example.get("label"), ("label",))):
        parts = segments(content)
        if parts:
            yield Placed(Message(0, "assistant", parts), (*node, *place), {})
            return
