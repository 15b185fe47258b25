"""Commands on the parts of a turn: the segments of its content, its tool calls, its keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sampleui.deck import edit
from sampleui.formats.data import DataPath, Plain
from sampleui.sample.dialects.segments import segment_for, text_segment
from sampleui.sample.parse import dialect_of, value_at
from sampleui.tui.author.actions.needs import a_part, a_part_after, a_part_before, a_turn
from sampleui.tui.author.actions.registry import AUTHOR
from sampleui.tui.author.actions.turns import duplicate_at
from sampleui.tui.author.actions.under_cursor import the_item, the_sample, the_turn
from sampleui.tui.author.nodes import part_node

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen

_GROUP = "Parts of a turn"


@AUTHOR.command("turn.delete-part", "x", "Delete part", group=_GROUP, scopes="turns", needs=a_part)
def delete_part(screen: AuthorScreen) -> None:
    """Delete one part of a turn: the segment or tool call under the cursor, or a key such as name."""
    item, sample = the_item(screen), the_sample(screen)
    node = _node(screen)
    calls = node[:-1] == (*item.path, "tool_calls")
    if calls and value_at(sample.data, node[:-1]) == [value_at(sample.data, node)]:
        node = node[:-1]  # with its last call, the key goes
    made, last = partial(edit.delete_value, index=screen.index, path=node), node[-1]
    if isinstance(last, int) and last and a_part_after(screen):
        last -= 1  # the one before it has the cursor then
    screen.perform("delete part", made, after=(*node[:-1], last))


@AUTHOR.command("turn.duplicate-part", "X", "Duplicate part", group=_GROUP, scopes="turns", needs=a_part)
async def duplicate_part(screen: AuthorScreen) -> None:
    """Put a copy of the segment or tool call after it; of a key, under another name."""
    await duplicate_at(screen, _node(screen), "part")


@AUTHOR.command("turn.part-back", "<", "Move part back", group=_GROUP, scopes="turns", needs=a_part_before)
def move_back(screen: AuthorScreen) -> None:
    """Move the segment or tool call one place back."""
    _move(screen, -1)


@AUTHOR.command("turn.part-on", ">", "Move part on", group=_GROUP, scopes="turns", needs=a_part_after)
def move_on(screen: AuthorScreen) -> None:
    """Move the segment or tool call one place forward."""
    _move(screen, 1)


@AUTHOR.command("turn.attach", "a", "Attach", group=_GROUP, scopes="turns", bar=9, needs=a_turn)
async def attach(screen: AuthorScreen) -> None:
    """Attach a file of the project, or what is at a URL, to the turn, spelled as the dialect spells it."""
    path, turn = the_turn(screen)
    sample = the_sample(screen)
    name = await screen.pick_file(sample.path.parent)
    if not name:
        return
    target: DataPath = (*path, dialect_of(sample).spelling.content)
    content = value_at(sample.data, target)
    segment = segment_for(name, dialect_of(sample))
    if isinstance(content, list):
        made = partial(edit.insert_value, index=screen.index, path=(*target, len(content)), value=segment)
    else:
        text: list[Plain] = (
            [text_segment(content, dialect_of(sample))] if isinstance(content, str) and content else []
        )
        made = partial(edit.set_value, index=screen.index, path=target, value=[*text, segment])
    screen.perform(f"attach to turn {turn + 1}", made, after=target)


def _node(screen: AuthorScreen) -> DataPath:
    """Return the path of the segment, tool call or key under the cursor."""
    return part_node(the_item(screen), screen.conversation.part)


def _move(screen: AuthorScreen, by: int) -> None:
    node = _node(screen)
    at = node[-1]
    if isinstance(at, int):
        made = partial(edit.move_value, index=screen.index, path=node, to=at + by)
        screen.perform("move part", made, after=(*node[:-1], at + by))
