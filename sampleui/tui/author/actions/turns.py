"""Commands on the turns of a sample: on the text of one that is edited, on whole turns, and on parts of a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sampleui.deck import edit
from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table
from sampleui.formats.operations import Delete, Insert, Move, Operation, Set
from sampleui.integrations.integration import Attaching
from sampleui.sample.dialects.segments import merged, segment_for, text_segment
from sampleui.sample.parse import dialect_of, integration_of, place_of_pairs, value_at, whole_pair
from sampleui.sample.tool_calls import (
    answered_call,
    calls_in,
    moved_turns,
    new_call_id,
    results_of,
    unanswered,
    with_fresh_ids,
)
from sampleui.tui.author.actions.needs import (
    AUTHOR,
    a_part,
    a_sample,
    a_turn,
    a_turn_or_files,
    a_value,
    an_edit,
    an_item,
    chosen_turns,
    feasible,
    the_item,
    the_sample,
    the_turn,
)
from sampleui.tui.author.nodes import (
    is_there,
    item_around,
    left_by,
    next_to,
    part_node,
    place_for_new,
    place_in_list,
    set_or_place,
)
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.commands import EDITOR, LINE
from sampleui.tui.drawing.items import ARGUMENT, ItemPartKind
from sampleui.tui.screens import asking

_GROUP = "Turns"


@AUTHOR.command("turn.edit", "enter e", "Edit", group=_GROUP, scopes="turns", bar=1, needs=a_value)
async def open_turn(screen: AuthorScreen) -> None:
    """Edit the turn or field under the cursor in place."""
    await screen.editing.enter()


@AUTHOR.command("edit.leave", "escape", "Done", group=_GROUP, scopes="editor", bar=1, needs=an_edit)
def leave(screen: AuthorScreen) -> None:
    """Leave the text being edited and keep what was typed; pressed again, leave out what cannot be kept."""
    screen.editing.leave(insist=True)


@AUTHOR.command("edit.commit", "enter", "Done", group=_GROUP, scopes=LINE, bar=1, needs=an_edit)
def commit(screen: AuthorScreen) -> None:
    """Leave a text of one line, such as an id, a number or a path, and keep what was typed."""
    screen.editing.leave()


@AUTHOR.command("edit.next-value", "tab", "Next value", group=_GROUP, scopes=EDITOR, bar=2, needs=an_edit)
async def next_value(screen: AuthorScreen) -> None:
    """Keep what was typed and edit the next value, as in a form; in a block of code indent."""
    if screen.in_code:
        screen.conversation.editor.indent()
    else:
        await screen.editing.go_on(1)


@AUTHOR.command("edit.value-before", "shift+tab", "Value before", group=_GROUP, scopes=EDITOR, needs=an_edit)
async def value_before(screen: AuthorScreen) -> None:
    """Keep what was typed and edit the value before; in a block of code move lines out."""
    if screen.in_code:
        screen.conversation.editor.indent(out=True)
    else:
        await screen.editing.go_on(-1)


@AUTHOR.command("edit.discard", "ctrl+g", "Discard", group=_GROUP, scopes=EDITOR, bar=2, needs=an_edit)
def discard(screen: AuthorScreen) -> None:
    """Leave the text being edited and drop what was typed; redo brings it back."""
    screen.editing.discard()


@AUTHOR.command("edit.newline", "ctrl+j", "New line", group=_GROUP, scopes=EDITOR, needs=an_edit)
def newline(screen: AuthorScreen) -> None:
    """Start a new line in the text, even where Enter would end it."""
    screen.conversation.editor.put("\n")


@AUTHOR.command("edit.tab", "ctrl+b", "Tab character", group=_GROUP, scopes=EDITOR, needs=an_edit)
def tab(screen: AuthorScreen) -> None:
    """Type a tab character: the tab key goes to the next value."""
    screen.conversation.editor.put("\t")


@AUTHOR.command("edit.split", "ctrl+t", "Add", group=_GROUP, scopes=EDITOR, bar=3, needs=an_edit)
async def split(screen: AuthorScreen) -> None:
    """Keep what was typed and add the next turn or item; inside the text of a turn, split the turn there."""
    from sampleui.tui.author.actions.fields import add_item  # its commands come after these in the help

    before, after = screen.conversation.editor.split_at_cursor
    item = the_item(screen)
    part = item.parts[screen.conversation.cursor[1]]
    in_turn = item.turn is not None and part.kind is ItemPartKind.TEXT and not (part.key or part.tag == ARGUMENT)
    if not (in_turn and after.strip()):
        is_list = item.turn is None and part.kind is ItemPartKind.LINES  # each line is an item already
        around = item_around(item.path) if is_list else ()
        if screen.editing.leave():
            await (add_item(screen, next_to(around)) if around else add_below(screen))
        return
    path, turn = the_turn(screen)
    if not screen.editing.leave():
        return
    message, spelling = value_at(the_sample(screen).data, path), dialect_of(the_sample(screen)).turns.spelling
    content = message.get(spelling.content) if isinstance(message, dict) else None
    if not isinstance(message, dict):
        raise EditRefusedError("only the text of a turn can be split")
    kept: Plain = before.rstrip("\n")
    rest: Plain = after.lstrip("\n")
    if isinstance(content, list):
        split_segment = part.path[len(path) + 1]
        assert isinstance(split_segment, int)
        segment, key = content[split_segment], part.path[-1]
        assert isinstance(segment, dict)
        assert isinstance(key, str)
        rest = [{**segment, key: rest}, *content[split_segment + 1 :]]
        kept = [*content[:split_segment], {**segment, key: kept}]
    below: DataPath = (*path[:-1], turn + 1)
    named: Table = {"name": message["name"]} if "name" in message else {}
    calls = bool(calls_in(message))  # they stay in the turn that comes last, above their results
    new: Table = {spelling.role: message.get(spelling.role), **named, spelling.content: kept if calls else rest}
    stays = (*(below if calls else path), spelling.content)
    screen.perform(
        f"split turn {turn + 1}",
        Insert(path if calls else below, new),
        Set(stays, rest if calls else kept),
        after=below,
    )


@AUTHOR.command("turn.external", "ctrl+e", "Editor", group=_GROUP, scopes="turns", bar=15, needs=a_value)
async def external(screen: AuthorScreen) -> None:
    """Edit the text under the cursor in $EDITOR."""
    await screen.editing.outside()


ROLES = ("system", "user", "assistant", "tool")


@AUTHOR.command("turn.add-below", "o ctrl+t", "Add", group=_GROUP, scopes="turns", bar=2, needs=a_sample)
async def add_below(screen: AuthorScreen) -> None:
    """Add a turn below this one and write it; in a list, add an item below the cursor."""
    await _add(screen, below=True)


@AUTHOR.command("turn.add-above", "O", "Add above", group=_GROUP, scopes="turns", needs=a_sample)
async def add_above(screen: AuthorScreen) -> None:
    """Add a turn above this one and write it; in a list, add an item above the cursor."""
    await _add(screen, below=False)


@AUTHOR.command("turn.delete", "d", "Delete", group=_GROUP, scopes="turns", bar=4, needs=an_item)
def delete(screen: AuthorScreen) -> None:
    """Delete the turn or field, or all that are marked; undo brings them back."""
    delete_turns(screen, f"delete {turns_in_words(screen)}")


def delete_turns(screen: AuthorScreen, label: str) -> None:
    """Delete what is chosen in the sample, the last of it first, so that the places of the others stay."""
    items, chosen = screen.conversation.items, screen.marks.chosen_turns()
    paths = _whole(screen, chosen)
    index = next(position for position, item in enumerate(items) if item.path == chosen[0])
    after = paths[0]
    if paths == chosen[:1]:
        after = left_by(items, index)
    elif paths[0] != chosen[0]:
        after = (*paths[0], 0)
    screen.perform(label, *map(Delete, reversed(paths)), after=after)


@AUTHOR.command("turn.duplicate", "D", "Duplicate", group=_GROUP, scopes="turns", bar=12, needs=an_item)
async def duplicate(screen: AuthorScreen) -> None:
    """Put a copy of the turn or item below it, or of all marked; of a field, under another name."""
    chosen = screen.marks.chosen_turns()
    await duplicate_at(screen, _whole(screen, chosen), turns_in_words(screen), mark=len(chosen) > 1)


def _moved(screen: AuthorScreen, by: int) -> tuple[list[DataPath], DataPath, list[int]]:
    """Return what moves one place down, or with -1 up: the marked turns or items, or the one around the cursor.

    Returns:
        Their paths, the list that they are in, and the indexes of its items in the order that they have then.
    """
    paths = screen.marks.chosen_turns()
    if not screen.marks.turns:
        paths = [item_around(whole_pair(the_item(screen).path, dialect_of(the_sample(screen))))]
    if not paths[0]:
        raise EditRefusedError("the keys of a table have no order; what moves are turns and items of lists")
    paths = with_results(screen, paths)
    around = _one_list(paths, "moved")
    items = as_list(value_at(the_sample(screen).data, around))
    order = moved_turns(items, [index for *_, index in paths if isinstance(index, int)], by)
    if order is None:
        raise EditRefusedError(_AT_END[by])
    return paths, around, order


_AT_END = {1: "this is the last one", -1: "this is the first one"}


def _may_move(screen: AuthorScreen, by: int) -> None:
    if not screen.marks.turns:  # looking where thousands would go takes too long for each key
        _moved(screen, by)


an_item_below = feasible(an_item, partial(_may_move, by=1))
an_item_above = feasible(an_item, partial(_may_move, by=-1))


@AUTHOR.command("turn.move-down", "J", "Move down", group=_GROUP, scopes="turns", bar=13, needs=an_item_below)
def move_down(screen: AuthorScreen) -> None:
    """Move the turn or the item of a list, or all that are marked, one place down."""
    _move(screen, 1)


@AUTHOR.command("turn.move-up", "K", "Move up", group=_GROUP, scopes="turns", needs=an_item_above)
def move_up(screen: AuthorScreen) -> None:
    """Move the turn or the item of a list, or all that are marked, one place up."""
    _move(screen, -1)


@AUTHOR.command("turn.next-role", "r", "Role", group=_GROUP, scopes="turns", bar=3, needs=chosen_turns)
def next_role(screen: AuthorScreen) -> None:
    """Give the turn, or all that are marked, the next role: system, user, assistant, tool."""
    first = screen.marks.chosen_turns()[0]
    role = next(item.label for item in screen.conversation.items if item.path == first)
    _set_role(screen, ROLES[(ROLES.index(role) + 1) % len(ROLES)] if role in ROLES else ROLES[0])


@AUTHOR.command("turn.choose-role", "R", "Choose role", group=_GROUP, scopes="turns", needs=chosen_turns)
async def choose_role(screen: AuthorScreen) -> None:
    """Choose the role of the turn, or of all that are marked, from a list, or write any other."""
    used = dict.fromkeys((*ROLES, "developer", *(item.label for item in screen.conversation.items if item.path)))
    roles = {*ROLES, "developer", *(item.label for item in screen.conversation.items if item.turn is not None)}
    names = [name for name in used if name in roles]
    role = await asking.pick(screen, "Role", names, free=True)
    if role:
        _set_role(screen, role)


def _merged(screen: AuthorScreen) -> tuple[Table, Table]:
    """Return the turn, and what becomes of it and the next one."""
    path, turn = the_turn(screen)
    data = the_sample(screen).data
    item, other = value_at(data, path), value_at(data, (*path[:-1], turn + 1))
    if other is None:
        raise EditRefusedError("there is no next turn to merge with")
    if not isinstance(item, dict) or not isinstance(other, dict):
        raise EditRefusedError("one of these turns is not a message")
    return item, merged(item, other, dialect_of(the_sample(screen)))


@AUTHOR.command("turn.merge", "m", "Merge", group=_GROUP, scopes="turns", bar=14, needs=feasible(a_turn, _merged))
def merge(screen: AuthorScreen) -> None:
    """Join the next turn's text to this one's, with a blank line between."""
    path, turn = the_turn(screen)
    item, whole = _merged(screen)
    screen.perform(
        f"merge turns {turn + 1} and {turn + 2}",
        *(Set((*path, key), value) for key, value in whole.items() if key not in item or item[key] != value),
        Delete((*path[:-1], turn + 1)),
        after=path,
    )


async def duplicate_at(screen: AuthorScreen, paths: Sequence[DataPath], called: str, *, mark: bool = False) -> None:
    """Insert copies of items of a list after the last; that of a key's value goes under a name that is asked."""
    data, last = the_sample(screen).data, paths[-1][-1]
    values = [value_at(data, path) for path in paths]
    targets: list[DataPath]
    operations: list[Insert | Set]
    if len(paths) == 1 and not isinstance(last, int):
        name = await asking.ask(screen, f"Name of the copy of {last}", f"{last}_2")
        if not name:
            return
        targets = [(*paths[0][:-1], name)]
        if value_at(data, targets[0]) is not None:
            raise EditRefusedError(f"{name} is there already")
        operations = [Set(targets[0], values[0])]
    else:
        around, (_, last) = _one_list(paths, "duplicated"), place_in_list(paths[-1])
        listed = as_list(value_at(data, around))
        values = with_fresh_ids(values, listed)
        result = as_table(values[0])
        if len(values) == 1 and answered_call(result) and (calls := unanswered(listed, last + 1)):
            values = [{**result, "tool_call_id": calls[0].id}]
        targets = [(*around, last + 1 + more) for more in range(len(values))]
        operations = [*map(Insert, targets, values)]
    edits = [
        partial(edit.duplicate, index=screen.index, path=path, operation=operation)
        for path, operation in zip(paths, operations, strict=True)
    ]
    screen.perform(f"duplicate {called}", *edits, after=targets[0], marked=targets if mark else ())


def _whole(screen: AuthorScreen, chosen: Sequence[DataPath]) -> list[DataPath]:
    """Return what is chosen in order: pairs of earlier turns and not one side, calls with their results."""
    kind = dialect_of(the_sample(screen))
    return with_results(screen, [*dict.fromkeys(whole_pair(path, kind) for path in chosen)])


def with_results(screen: AuthorScreen, paths: Sequence[DataPath]) -> list[DataPath]:
    """Return paths of turns in order, with the turns that answer their calls; what calls goes with its results."""
    data = the_sample(screen).data
    found = dict.fromkeys(paths)
    for path in paths:
        around, turn = value_at(data, path[:-1]), path[-1] if path else None
        if isinstance(around, list) and isinstance(turn, int):
            found |= dict.fromkeys((*path[:-1], index) for index in results_of(around, turn))
    return [*paths] if len(found) == len(paths) else sorted(found, key=lambda path: path[-1])


async def _add(screen: AuthorScreen, *, below: bool) -> None:
    from sampleui.tui.author.actions.fields import add_item, empty_list  # its commands come after these in the help

    sample, item = the_sample(screen), screen.conversation.current
    if (vacant := empty_list(screen)) is not None and screen.conversation.cursor[1]:
        await add_item(screen, (*vacant, 0))
        return
    pair = place_of_pairs(sample.data, item.path, dialect_of(sample), below=below) if item is not None else None
    if pair is not None:
        insert_items(screen, pair, [["", ""]], "add earlier turns", 0)
        return
    path = place_for_new(sample.data, sample.messages_path, item, below=below)
    if below and is_there(sample.data, path, dialect_of(sample).turns.spelling):
        screen.go_to(path)
        await screen.editing.open()
        return
    await add_item(screen, path)


def insert_items(screen: AuthorScreen, path: DataPath, added: Sequence[Plain], label: str, *first: int) -> None:
    """Insert items into a list of the sample as one step, and go to the first, or into it; several are marked.

    Calls whose ids are taken there get ids of their own, and the results that follow them answer to these.
    """
    data, (around, index) = the_sample(screen).data, place_in_list(path)
    listed = value_at(data, around)
    if listed is None:
        screen.perform(label, set_or_place(data, around, [*added]), after=(*path, *first))
        return
    added = with_fresh_ids(added, as_list(listed))
    paths: list[DataPath] = [(*around, index + more) for more in range(len(added))]
    marked = paths if len(paths) > 1 and not first else ()
    screen.perform(label, *map(Insert, paths, added), after=(*path, *first), marked=marked)


def _move(screen: AuthorScreen, by: int) -> None:
    here, marked = the_item(screen).path, screen.marks.turns
    paths, around, order = _moved(screen, by)
    indexes = [index for *_, index in paths if isinstance(index, int)]
    what = turns_in_words(screen) if here in paths or marked else f"item {indexes[0] + 1}"
    screen.perform(
        f"move {what}",
        *(Move((*around, index), to) for index, to in _steps(order, by)),
        after=_followed(here, around, order),
        marked=[(*around, order.index(index)) for index in indexes] if marked else (),
    )


def _steps(order: Sequence[int], by: int) -> Iterator[tuple[int, int]]:
    """Yield the moves, each from a place to another, that put items of a list in an order: all down, or all up."""
    now = [*range(len(order))]
    for to in [position for position, index in enumerate(order) if position != index][::-by]:
        position = now.index(order[to])
        if (to - position) * by > 0:
            now.insert(to, now.pop(position))
            yield position, to


def _followed(here: DataPath, around: DataPath, order: Sequence[int]) -> DataPath:
    """Return where a path leads after the items of a list were put in another order."""
    depth = len(around)
    index = here[depth] if here[:depth] == around and len(here) > depth else None
    return (*around, order.index(index), *here[depth + 1 :]) if isinstance(index, int) else here


def _one_list(paths: Sequence[DataPath], done: str) -> DataPath:
    """Return the list that all of some paths lead into. Raises EditRefusedError if it is not one list."""
    around = {path[:-1] for path in paths}
    if len(around) > 1 or not all(isinstance(path[-1], int) for path in paths):
        raise EditRefusedError(f"what is {done} at once has to be in one list; unmark what is not")
    return around.pop()


def turns_in_words(screen: AuthorScreen) -> str:
    """Return what is chosen in a sample as labels of steps name it."""
    paths = screen.marks.chosen_turns()
    if len(paths) > 1:
        turns = {item.path for item in screen.conversation.items if item.turn is not None}
        return f"{len(paths)} {'turns' if turns >= {*paths} else 'values'}"
    item = next((shown for shown in screen.conversation.items if shown.path == paths[0]), the_item(screen))
    return item.label if item.turn is None else f"turn {item.turn + 1}"


def _set_role(screen: AuthorScreen, role: str) -> None:
    paths, sample = screen.marks.chosen_turns(), the_sample(screen)
    if any(isinstance(value_at(sample.data, path), str) for path in paths):
        raise EditRefusedError("a turn that is a text by itself has no role; whose it is follows from its place")
    spelling = dialect_of(sample).turns.spelling
    changes = [Set((*path, spelling.role), spelling.role_named(role)) for path in paths]
    label = f"role of {turns_in_words(screen)}"
    screen.perform(label, *changes, after=screen.here.path, marked=screen.marks.turns)


_PARTS = "Parts of a turn"


@AUTHOR.command("turn.delete-part", "x", "Delete part", group=_PARTS, scopes="turns", bar=3, needs=a_part)
def delete_part(screen: AuthorScreen) -> None:
    """Delete one part of a turn: the segment, the tool call with its result, or a key such as name."""
    item, sample = the_item(screen), the_sample(screen)
    node = _node(screen)
    results: list[DataPath] = []
    if node[:-1] == (*item.path, "tool_calls"):
        call = value_at(sample.data, node)
        if value_at(sample.data, node[:-1]) == [call]:
            node = node[:-1]  # with its last call, the key goes
        messages = as_list(value_at(sample.data, item.path[:-1]))
        answers = [
            index
            for index in (results_of(messages, item.path[-1]) if isinstance(item.path[-1], int) else ())
            if answered_call(messages[index]) == str(value_at(call, ("id",)))
        ]
        results = [(*item.path[:-1], index) for index in reversed(answers)]
    last = node[-1]
    if isinstance(last, int):  # below the last one, the one before it has the cursor then
        last = min(last, max(len(as_list(value_at(sample.data, node[:-1]))) - 2, 0))
    screen.perform("delete part", *map(Delete, (*results, node)), after=(*node[:-1], last))


@AUTHOR.command("turn.duplicate-part", "X", "Duplicate part", group=_PARTS, scopes="turns", needs=a_part)
async def duplicate_part(screen: AuthorScreen) -> None:
    """Put a copy of the segment or tool call after it; of a key, under another name."""
    path, data = _node(screen), the_sample(screen).data
    call, messages = value_at(data, path), value_at(data, the_item(screen).path[:-1])
    if path[-2] != "tool_calls" or not isinstance(call, dict) or not call.get("id"):
        await duplicate_at(screen, [path], "part")
        return
    named = {**call, "id": new_call_id(as_list(messages))}
    insert_items(screen, (*path[:-1], int(path[-1]) + 1), [named], "duplicate part")


def _part_moved(screen: AuthorScreen, by: int) -> Move:
    """Return the move of the segment or tool call under the cursor one place on, or back by -1."""
    node = _node(screen)
    index = node[-1]
    if not isinstance(index, int):
        raise EditRefusedError("the keys of a turn have no order; what moves is in a list")
    if not 0 <= index + by < len(as_list(value_at(the_sample(screen).data, node[:-1]))):
        raise EditRefusedError(_AT_END[by])
    return Move(node, index + by)


a_part_below = feasible(a_part, partial(_part_moved, by=1))
a_part_above = feasible(a_part, partial(_part_moved, by=-1))


@AUTHOR.command("turn.part-back", "<", "Move part back", group=_PARTS, scopes="turns", needs=a_part_above)
def move_back(screen: AuthorScreen) -> None:
    """Move the segment or tool call one place back."""
    _move_part(screen, -1)


@AUTHOR.command("turn.part-on", ">", "Move part on", group=_PARTS, scopes="turns", needs=a_part_below)
def move_on(screen: AuthorScreen) -> None:
    """Move the segment or tool call one place forward."""
    _move_part(screen, 1)


@AUTHOR.command("turn.attach", "a", "Attach", group=_PARTS, scopes="turns", bar=5, needs=a_turn_or_files)
async def attach(screen: AuthorScreen) -> None:
    """Attach a file of the project, or what is at a URL, to the turn, spelled as the dialect spells it."""
    sample = the_sample(screen)
    if (attaching := integration_of(sample).prompts().attaching(sample)) is not None:
        await _attach_to_sample(screen, attaching)
        return
    path, turn = the_turn(screen)
    name = await asking.pick_file(screen, sample.path.parent)
    if not name:
        return
    target: DataPath = (*path, dialect_of(sample).turns.spelling.content)
    content = value_at(sample.data, target)
    segment = segment_for(name, dialect_of(sample))
    change: Operation
    if isinstance(content, list):
        change = Insert((*target, len(content)), segment)
    elif isinstance(content, str) and content:
        change = Set(target, [text_segment(content, dialect_of(sample)), segment])
    else:
        change = Set(target, [segment])
    screen.perform(f"attach to turn {turn + 1}", change, after=target)


async def _attach_to_sample(screen: AuthorScreen, attaching: Attaching) -> None:
    """Put the path of a file of the project at the end of the list of files that a sample has."""
    name = await asking.pick_file(screen, attaching.folder)
    if not name:
        return
    files, path = value_at(the_sample(screen).data, attaching.path), attaching.path
    change = Insert((*path, len(files)), name) if isinstance(files, list) else Set(path, [name])
    screen.perform(f"attach {name}", change, after=change.path)


def _node(screen: AuthorScreen) -> DataPath:
    """Return the path of the segment, tool call or key under the cursor."""
    return part_node(the_item(screen), screen.conversation.part)


def _move_part(screen: AuthorScreen, by: int) -> None:
    move = _part_moved(screen, by)
    screen.perform("move part", move, after=(*move.path[:-1], move.to))
