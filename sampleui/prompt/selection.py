"""Which messages a prompt keeps (ChatPrompt specification, Empty Message Filtering)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sampleui.formats.data import DataPath
from sampleui.prompt.parts import Turn


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
