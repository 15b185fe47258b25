"""What gage-eval shows a model besides messages: few-shot examples, and media that are files (§1.3.1)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from sampleui.formats.data import DataPath, Plain, Table, as_list
from sampleui.integrations.integration import Prompts
from sampleui.prompt.messages import Example
from sampleui.prompt.parts import Placed
from sampleui.sample.dialects.segments import is_url
from sampleui.sample.message import MediaSegment, Message, segment, segments
from sampleui.sample.model import Sample
from sampleui.sample.parse import read
from sampleui.text.confined import SCHEME

FEW_SHOT = "few_shot_examples"


def examples(sample: Sample) -> Iterator[Example]:
    """Yield the few-shot examples of a sample."""
    for index, example in enumerate(as_list(read(sample).get(FEW_SHOT))):
        if isinstance(example, dict):
            shown = dataclasses.replace(sample, data=example, messages_path=("messages",))
            yield Example((FEW_SHOT, index), shown, _answer(example))


def _answer(example: Table) -> tuple[Placed, ...]:
    """Return the first reference, or else the label, as the assistant's message."""
    references = example.get("references")
    first = references[0] if isinstance(references, list) and references else None
    answer: Plain = first.get("answer") if isinstance(first, dict) else first
    answers = ((("references", 0), segments(answer)), (("label",), segments(example.get("label"))))
    return next(((Placed(Message(0, "assistant", parts), path, {}),) for path, parts in answers if parts), ())


def media(sample: Sample) -> Iterator[tuple[DataPath, str]]:
    """Yield the media of a sample that are files, with their places."""
    return _media(read(sample), FEW_SHOT)


def _media(data: Table, few_shot: str) -> Iterator[tuple[DataPath, str]]:
    for content_path, content in _contents(data):
        for index, item in enumerate(as_list(content)):
            medium = segment(item)
            if isinstance(medium, MediaSegment) and (path := medium.url.removeprefix(SCHEME)) and not is_url(path):
                yield (*content_path, index), path
    for index, example in enumerate(as_list(data.get(few_shot))):
        if isinstance(example, dict):
            yield from (((few_shot, index, *node), path) for node, path in _media(example, ""))


def _contents(data: Table) -> Iterator[tuple[DataPath, Plain]]:
    """Yield the contents of the messages, the references and the trajectories of a sample, with their places."""
    lists: list[tuple[DataPath, Plain, str]] = [
        (("messages",), data.get("messages"), "content"),
        (("references",), data.get("references"), "answer"),
        *(
            (("golden_trajectories", index), trajectory, "content")
            for index, trajectory in enumerate(as_list(data.get("golden_trajectories")))
        ),
    ]
    for path, content, key in lists:
        for index, item in enumerate(as_list(content)):
            if isinstance(item, dict):
                yield (*path, index, key), item.get(key)


PROMPTS = Prompts(examples=examples, media=media)
