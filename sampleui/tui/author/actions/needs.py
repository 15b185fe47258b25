"""The registry of the author screen's commands, and what they need: why one cannot act where the cursor is."""

from __future__ import annotations

from collections.abc import Callable

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath
from sampleui.sample.model import Sample
from sampleui.sample.parse import integration_of
from sampleui.tui.author.nodes import part_node, place_in_list
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.commands import Registry, key_named
from sampleui.tui.drawing.items import Item

AUTHOR: Registry[AuthorScreen] = Registry()


def feasible(
    need: Callable[[AuthorScreen], str], work: Callable[[AuthorScreen], object]
) -> Callable[[AuthorScreen], str]:
    """Need what another need does, and then that work which changes nothing yet is not refused."""

    def told(screen: AuthorScreen) -> str:
        if why := need(screen):
            return why
        try:
            work(screen)
        except EditRefusedError as error:
            return str(error)
        return ""

    return told


def a_sample(screen: AuthorScreen) -> str:
    """Need a sample that is shown."""
    if screen.sample is not None:
        return ""
    if screen.filter.words:
        return f"the filter hides every sample; {key_named('sample.filter', '/')} changes it"
    return f"there is no sample; {key_named('sample.new', 'n')} adds one"


def an_own_sample(screen: AuthorScreen) -> str:
    """Need a sample, and not what is beside them."""
    is_beside = screen.sample is not None and screen.sample.index < 0
    return "this is what stands beside the samples, and none of them" if is_beside else a_sample(screen)


def several_samples(screen: AuthorScreen) -> str:
    """Need a second sample that is shown."""
    return a_sample(screen) or ("" if screen.samples.samples > 1 else "there is no other sample here")


def chosen_samples(screen: AuthorScreen) -> str:
    """Need marked samples, or a sample, and not what is beside them."""
    return "" if screen.marks.chosen_samples() else an_own_sample(screen)


def samples_above(screen: AuthorScreen) -> str:
    """Need marked samples, or a sample that can move up in the list."""
    return _movable_samples(screen) or (
        "" if screen.marks.samples or screen.samples.cursor > 0 else "this is the first sample"
    )


def samples_below(screen: AuthorScreen) -> str:
    """Need marked samples, or a sample that can move down in the list."""
    last = screen.samples.cursor >= screen.samples.samples - 1
    return _movable_samples(screen) or ("this is the last sample" if last and not screen.marks.samples else "")


def _movable_samples(screen: AuthorScreen) -> str:
    return chosen_samples(screen) or several_samples(screen)


def a_filter(screen: AuthorScreen) -> str:
    """Need a filter of the samples, or marks on them."""
    return (
        ""
        if screen.filter.words or screen.marks.samples
        else f"no filter is set; {key_named('sample.filter', '/')} sets one"
    )


a_mark = AUTHOR.need(lambda screen: screen.marks.any_here, "nothing is marked; space marks")


def an_item_or_sample(screen: AuthorScreen) -> str:
    """Need a sample in the list of samples, a turn or a field beside it."""
    return an_own_sample(screen) if screen.marks.in_list else an_item(screen)


def an_item(screen: AuthorScreen) -> str:
    """Need a turn or a field that the file has."""
    item = screen.conversation.current
    return a_sample(screen) or ("" if item is not None and item.path else "there is nothing here to act on")


def a_value(screen: AuthorScreen) -> str:
    """Need a value that can be edited."""
    item = screen.conversation.current
    if a_sample(screen) or item is None:
        return a_sample(screen) or f"there is nothing here to edit; {key_named('turn.add-below', 'o')} adds a turn"
    part = item.parts[screen.conversation.cursor[1]] if item.parts else None
    return "" if part is not None and part.path else "this is shown as it would be read; the file has no such value"


def a_turn(screen: AuthorScreen) -> str:
    """Need a turn that the file has as an item of a list."""
    item = screen.conversation.current
    if an_item(screen) or item is None:
        return an_item(screen)
    in_list = item.turn is not None and isinstance(item.path[-1], int)
    return "" if in_list else "this acts on turns; the cursor is on a field"


def a_turn_or_files(screen: AuthorScreen) -> str:
    """Need a turn to attach a file to, or a sample that lists its files."""
    sample = screen.sample
    if sample is None or screen.index < 0 or integration_of(sample).prompts().attaching(sample) is None:
        return a_turn(screen)
    return a_sample(screen)


def an_item_or_samples(screen: AuthorScreen) -> str:
    """Need samples in the list of samples, marked or with the cursor; beside it a turn or a field."""
    return chosen_samples(screen) if screen.marks.in_list else an_item(screen)


def chosen_turns(screen: AuthorScreen) -> str:
    """Need turns, marked or with the cursor, that the file has as items of a list."""
    chosen = screen.marks.chosen_turns()
    turns = {item.path for item in screen.conversation.items if item.turn is not None}
    if chosen and all(path in turns and isinstance(path[-1], int) for path in chosen):
        return ""
    return "this acts on turns; a marked one is a field" if screen.marks.turns else a_turn(screen)


def a_part(screen: AuthorScreen) -> str:
    """Need a part of a turn under the cursor: a segment of its content, a tool call, or a key."""
    return a_turn(screen) or (
        ""
        if part_node(the_item(screen), screen.conversation.part)
        else f"this turn has no segments to act on; {key_named('turn.delete', 'd')} deletes the turn"
    )


an_edit = AUTHOR.need(lambda screen: screen.editing.active, "no text is being edited; enter edits one")


def an_edited_turn(screen: AuthorScreen) -> str:
    """Need a turn that is being edited."""
    if an_edit(screen):
        return "no turn is being edited; enter edits one"
    return a_turn(screen)


a_step = AUTHOR.need(lambda screen: screen.session.history.done or screen.editing.active, "nothing to undo")
a_step_back = AUTHOR.need(lambda screen: screen.session.history.undone_last, "nothing to redo")
a_problem = AUTHOR.need(lambda screen: screen.problem_list.count(), "no problems")


def the_sample(screen: AuthorScreen) -> Sample:
    """Return the current sample."""
    assert screen.sample is not None
    return screen.sample


def the_item(screen: AuthorScreen) -> Item:
    """Return the turn or field."""
    item = screen.conversation.current
    assert item is not None
    return item


def the_turn(screen: AuthorScreen) -> tuple[DataPath, int]:
    """Return the path of the turn and its place in its list, from 0."""
    path = the_item(screen).path
    return path, place_in_list(path)[1]
