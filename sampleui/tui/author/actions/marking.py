"""Commands that mark samples, turns and fields, and commands on the marked ones or on the current one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sampleui.deck import edit
from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.data import DataPath, Plain, Table, shown
from sampleui.formats.timestamps import read_typed
from sampleui.sample.names import nested, path_of
from sampleui.sample.parse import tag_path, value_at
from sampleui.tui.actions import marking
from sampleui.tui.author.actions.needs import AUTHOR, a_mark, an_item_or_sample, chosen_samples
from sampleui.tui.author.actions.samples import told_samples

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen
    from sampleui.tui.author.session import Edit

_MARKING = "Marks"


AUTHOR.include(marking("samples turns", an_item_or_sample))


@AUTHOR.command("mark.clear", "escape", "Unmark", group=_MARKING, scopes="turns", bar=4, needs=a_mark)
def clear(screen: AuthorScreen) -> None:
    """Remove all marks in the pane."""
    screen.marks.clear()


_GROUP = "Samples"
_LOOKED_AT = 40


@AUTHOR.command("sample.tag", "#", "Tag", group=_GROUP, bar=17, needs=chosen_samples)
async def tag(screen: AuthorScreen) -> None:
    """Tag the sample, or all that are marked; -NAME removes a tag."""
    deck, chosen = screen.session.deck, screen.marks.chosen_samples()
    if not deck.kind.tag_paths:
        raise EditRefusedError(f"samples of {deck.kind.title} have no tags")
    name = await screen.pick_tag(f"Tag {told_samples(chosen)}; -name takes it away")
    if not name.removeprefix("-"):
        return
    edits: list[Edit] = []
    near = [deck.samples[near_index].data for near_index in range(min(len(deck.samples), _LOOKED_AT))]
    for index in chosen:
        data = deck.samples[index].data
        edits += tagging(data, index, tag_path(deck.kind, data, near), name)
    if not edits:
        raise EditRefusedError("nothing to take away" if name.startswith("-") else f"tagged {name} already")
    screen.change_samples(f"tag {told_samples(chosen)} {name}", *edits)
    screen.say(f"{len(edits)} of {len(chosen)} changed")


def tagging(data: Table, index: int, path: DataPath, tag: str) -> list[Edit]:
    """Return the edit that adds a tag to a sample, or with a `-` before it removes it; none if nothing changes."""
    tags, name, away = value_at(data, path), tag.removeprefix("-"), tag.startswith("-")
    if isinstance(tags, list):
        if (name in tags) is not away:
            return []
        if away:
            return [partial(edit.delete_value, index=index, path=(*path, tags.index(name)))]
        return [partial(edit.insert_value, index=index, path=(*path, len(tags)), value=name)]
    if away:
        return [partial(edit.delete_value, index=index, path=path)] if tags == name else []
    return [] if tags == name else [setting(data, index, path, [tags, name] if tags else [name])]


@AUTHOR.command("sample.set", "S", "Set a field", group=_GROUP, bar=18, needs=chosen_samples)
async def set_field(screen: AuthorScreen) -> None:
    """Set a field of the sample, or of all marked, as in metadata.source = web; no value deletes it."""
    deck, chosen = screen.session.deck, screen.marks.chosen_samples()
    answer = await screen.ask(f"Set in {told_samples(chosen)}: name = value")
    if not answer:
        return
    name, sign, text = answer.partition("=")
    if not sign:
        raise EditRefusedError(f"{answer}: a name, =, and a value are wanted, such as score = 3")
    path = path_of(name.strip())
    tables = [(index, deck.samples[index].data) for index in chosen]
    if text.strip():
        edits = [
            setting(data, index, path, read_typed(text.strip(), has_dates=screen.session.has_dates))
            for index, data in tables
        ]
    else:
        with_field = [index for index, data in tables if value_at(data, path) is not None]
        edits = [partial(edit.delete_value, index=index, path=path) for index in with_field]
    if not edits:
        raise PathError(f"there is no {shown(path)} to delete")
    screen.change_samples(f"set {shown(path)} of {told_samples(chosen)}", *edits)


def setting(data: Table, index: int, path: DataPath, value: Plain) -> Edit:
    """Return the edit that sets a value of a sample, with the tables on the way to it if they are missing."""
    try:
        where, whole, item = nested(data, path, value)
    except PathError:
        return partial(edit.set_value, index=index, path=path, value=value)
    return partial(edit.insert_value if item else edit.set_value, index=index, path=where, value=whole)
