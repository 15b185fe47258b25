"""Which messages a prompt has: those that are valid and not empty, and few-shot examples before them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sampleui.formats.data import DataPath
from sampleui.prompt.parts import Placed, Turn, placed
from sampleui.prompt.templates import shared, uses_prompts
from sampleui.sample.model import Sample
from sampleui.sample.parse import integration_of, place_of, unreadable
from sampleui.values import NamedTuple


class Example(NamedTuple):
    """What is shown to a model before the messages of a sample.

    Attributes:
        node: where it is in the data of the sample.
        sample: it as a sample.
        answer: its answer, as the assistant's message; empty if it has none.
    """

    node: DataPath
    sample: Sample
    answer: tuple[Placed, ...] = ()


def few_shot(sample: Sample) -> Iterator[Placed]:
    """Yield each example's messages, then its answer as an assistant message, with the places they are at."""
    for node, example, answer in integration_of(sample).prompts().examples(sample):
        for item in (*placed(example), *answer):
            yield item._replace(node=(*node, *item.node))


class Dropped(NamedTuple):
    """A message that the prompt leaves out: where it is in the sample's data, and why it is left out."""

    node: DataPath
    reason: str


class Selection(NamedTuple):
    """The messages kept, in order, and those left out."""

    kept: tuple[Turn, ...]
    dropped: tuple[Dropped, ...]


def leading(turns: Sequence[Turn]) -> int:
    """Return how many system messages the turns begin with."""
    return next((count for count, turn in enumerate(turns) if turn.role != "system"), len(turns))


def with_examples(turns: Sequence[Turn], examples: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the turns with examples put after the system messages they begin with, empty messages not counted."""
    filled = [index for index, turn in enumerate(turns) if not turn.empty]
    count = leading([turns[index] for index in filled])
    cut = filled[count - 1] + 1 if count else 0
    return (*turns[:cut], *examples, *turns[cut:])


def select(turns: Sequence[Turn]) -> Selection:
    """Return the messages that have something to say.

    Those that hold only guidelines are left out too, for guidelines are in the system message. Where no message
    has anything else, the ones after the leading system messages stay, so that the prompt still asks something.
    """
    kept = [turn for turn in turns if turn.visible]
    if not kept:
        filled = [turn for turn in turns if not turn.empty]
        kept = filled[leading(filled) :]
    nodes = {id(turn) for turn in kept}
    dropped = (Dropped(turn.node, _reason(turn)) for turn in turns if id(turn) not in nodes)
    return Selection(tuple(kept), tuple(dropped))


def _reason(turn: Turn) -> str:
    if not turn.empty:
        return "it holds only guidelines, which are in the system message"
    return "none of its files can be used" if turn.attachments else "it is empty"


def left_out(sample: Sample) -> Iterator[Dropped]:
    """Yield the messages of a sample, of its examples and of its file that are not messages a prompt could hold."""
    if suite := shared(sample):
        for index, reason in unreadable(suite):
            yield Dropped((), f"of message {index + 1} of the file's input, {reason}")
    if not uses_prompts(sample):
        for index, reason in unreadable(sample):
            yield Dropped(place_of(sample, index), reason)
    for node, example, _ in integration_of(sample).prompts().examples(sample):
        for index, reason in unreadable(example):
            yield Dropped((*node, *example.messages_path, index), reason)


def in_order(dropped: Iterable[Dropped]) -> tuple[Dropped, ...]:
    """Return messages in the order they are in a sample."""
    return tuple(sorted(dropped, key=lambda place: [(isinstance(step, str), step) for step in place.node]))
