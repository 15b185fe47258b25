"""Which messages a prompt leaves out because they are not valid: without a role, or without readable content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sampleui.prompt.few_shot import examples
from sampleui.prompt.selection import Dropped
from sampleui.prompt.templates import shared, uses_prompts
from sampleui.sample.model import Sample
from sampleui.sample.parse import place_of, unreadable


def left_out(sample: Sample) -> Iterator[Dropped]:
    """Yield the messages of a sample, of its examples and of its file that are not messages a prompt could hold."""
    if suite := shared(sample):
        for index, reason in unreadable(suite):
            yield Dropped((), f"of message {index + 1} of the file's input, {reason}")
    if not uses_prompts(sample):
        for index, reason in unreadable(sample):
            yield Dropped(place_of(sample, index), reason)
    for node, example in examples(sample):
        for index, reason in unreadable(example):
            yield Dropped((*node, *example.messages_path, index), reason)


def in_order(dropped: Iterable[Dropped]) -> tuple[Dropped, ...]:
    """Return messages in the order they are in a sample."""
    return tuple(sorted(dropped, key=lambda one: [(isinstance(step, str), step) for step in one.node]))
