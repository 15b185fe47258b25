"""Commands on the samples of the deck."""

from __future__ import annotations

import copy
import re
from functools import partial
from typing import TYPE_CHECKING

from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.parse import messages_path, value_at
from sampleui.tui.actions.author.needs import (
    a_filter,
    a_sample,
    an_own_sample,
    one_of_several,
    several_samples,
)
from sampleui.tui.actions.author.registry import AUTHOR
from sampleui.tui.actions.fields import FIELDS
from sampleui.tui.author.nodes import content_like, first_text

if TYPE_CHECKING:
    from sampleui.sample.model import Sample
    from sampleui.tui.screens.author import AuthorScreen

_GROUP = "Samples"


@AUTHOR.command("sample.next", "]", "Next sample", group=_GROUP, bar=21, needs=several_samples)
def following(screen: AuthorScreen) -> None:
    """Go to the next sample."""
    if screen.narrowing.near(1) is None or not screen.samples.step(1):
        screen.refuse("this is the last sample")


@AUTHOR.command("sample.previous", "[", "Previous sample", group=_GROUP, needs=several_samples)
def previous(screen: AuthorScreen) -> None:
    """Go to the previous sample."""
    if screen.narrowing.near(-1) is None or not screen.samples.step(-1):
        screen.refuse("this is the first sample")


@AUTHOR.command("sample.open", "enter", "Open", group=_GROUP, scopes="samples", bar=1, needs=a_sample)
def open_sample(screen: AuthorScreen) -> None:
    """Go to the turns of the sample under the cursor."""
    screen.conversation.focus()


@AUTHOR.command("sample.new", "n", "New sample", group=_GROUP, bar=10)
async def new(screen: AuthorScreen) -> None:
    """Add a sample after this one and write its first turn; a keyed deck asks for its name."""
    at = screen.index + 1 if _near(screen) is not None else len(screen.session.deck.samples)
    begun, first = _begun(screen)
    data = _with_id(screen, begun, "sample")
    if _keyed(screen):
        name = await screen.ask("Name of the new sample", str(data.get("id", "")))
        if not name:
            return
        data = {**data, "id": name}
    made = partial(edit.insert_sample, index=at, data=data)
    turn = first[:-1]
    first = first_text(value_at(data, turn), turn) if isinstance(value_at(data, turn), dict) else first
    await screen.editing.begin(f"add sample {at + 1}", first, made, sample=at)


@AUTHOR.command("sample.duplicate", "D", "Duplicate", group=_GROUP, scopes="samples", bar=12, needs=an_own_sample)
def duplicate(screen: AuthorScreen) -> None:
    """Put a copy of the sample after it, under an id of its own."""
    sample = _current(screen)
    data = _with_id(screen, copy.deepcopy(dict(sample.data)), sample.id)
    _insert(screen, screen.index + 1, data, f"duplicate sample {screen.index + 1}")


@AUTHOR.command("sample.delete", "d", "Delete", group=_GROUP, scopes="samples", bar=6, needs=an_own_sample)
def delete(screen: AuthorScreen) -> None:
    """Delete the sample; undo brings it back."""
    _current(screen)
    index, below, above = screen.index, screen.narrowing.near(1), screen.narrowing.near(-1)
    near = Focus(below - 1) if below is not None else Focus(above) if above is not None else None
    screen.restructure(f"delete sample {index + 1}", partial(edit.delete_sample, index=index), Focus(index), near)


@AUTHOR.command("sample.move-down", "J", "Move down", group=_GROUP, scopes="samples", bar=13, needs=one_of_several)
def move_down(screen: AuthorScreen) -> None:
    """Move the sample one place down."""
    _move(screen, 1)


@AUTHOR.command("sample.move-up", "K", "Move up", group=_GROUP, scopes="samples", needs=one_of_several)
def move_up(screen: AuthorScreen) -> None:
    """Move the sample one place up."""
    _move(screen, -1)


@AUTHOR.command("sample.rename", "N", "Rename", group=_GROUP, scopes="samples", bar=14, needs=an_own_sample)
async def rename(screen: AuthorScreen) -> None:
    """Give the sample another name, or another id, everywhere its file repeats it."""
    sample = _current(screen)
    keyed = _keyed(screen)
    old = sample.id if screen.session.deck.own_id(sample) is not None else ""
    name = await screen.ask(f"Name of the sample {old or sample.id}", old)
    if not name or name == old:
        return
    made = (
        partial(edit.rename_sample, index=screen.index, name=name)
        if keyed
        else partial(edit.set_value, index=screen.index, path=_id_path(screen), value=name)
    )
    screen.restructure(f"rename sample {screen.index + 1}", made, Focus(screen.index), Focus(screen.index))


@AUTHOR.command("sample.source", "E", "Source", group=_GROUP, bar=19, needs=an_own_sample)
async def source(screen: AuthorScreen) -> None:
    """Edit the sample's own text in $EDITOR; it is proved, and offered again when refused."""
    from sampleui.tui.outside import edit_outside

    _current(screen)
    index, files = screen.index, screen.session.deck.files
    written = [edit.source_of(files, index)]
    name = f"sample{files.sources[files.locate(index)[0]].path.suffix}"

    def take(text: str) -> None:
        written.append(text)
        made = partial(edit.rewrite_sample, index=index, text=text)
        screen.perform(f"edit the source of sample {index + 1}", made)

    refused: EditRefusedError | None = None
    while True:
        tried = len(written)
        try:
            edit_outside(screen.app, screen.settings.editor, written[-1], name, take)
        except EditRefusedError as error:
            if len(written) == 1:
                raise
            refused = error
        else:
            if refused is None or len(written) > tried:
                return
        again = {"e": "Edit again what you wrote"}
        if await screen.confirm(f"The text is refused: {refused}", again, "Leave the sample as it was") != "e":
            raise refused


@AUTHOR.command("sample.filter", "/", "Filter", group=_GROUP, bar=11)
def filter_samples(screen: AuthorScreen) -> None:
    """Show only the samples whose text holds some words; an empty filter shows all."""
    screen.narrowing.open()


@AUTHOR.command("sample.show-all", "escape", "Show all", group=_GROUP, scopes="samples", bar=2, needs=a_filter)
def show_all(screen: AuthorScreen) -> None:
    """End the filter and show every sample."""
    screen.narrowing.show_all()


AUTHOR.include(FIELDS)


@AUTHOR.command("sample.convert", "M", "Bring up to date", group=_GROUP, needs=an_own_sample)
def bring_up_to_date(screen: AuthorScreen) -> None:
    """Rewrite an older record as the sample it stands for; what has no place there goes to metadata."""
    from sampleui.sample.legacy import fix, kept_keys

    data = _current(screen).data
    edits, kept = fix(data), kept_keys(data)
    if not edits:
        raise EditRefusedError("this sample is in today's form already")
    made = [
        partial(edit.delete_value, index=screen.index, path=one.path)
        if one.op == "delete"
        else partial(edit.set_value, index=screen.index, path=one.path, value=one.value)
        for one in edits
    ]
    screen.perform("bring the sample up to date", *made)
    screen.say("brought up to date" + (f"; kept as it was under metadata: {', '.join(kept)}" if kept else ""))


def _near(screen: AuthorScreen) -> Sample | None:
    """Return the sample with the cursor, None where there is none or on what stands beside them."""
    return None if an_own_sample(screen) else screen.sample


def _current(screen: AuthorScreen) -> Sample:
    sample = _near(screen)
    if sample is None:
        raise EditRefusedError(an_own_sample(screen))
    return sample


def _move(screen: AuthorScreen, by: int) -> None:
    _current(screen)
    index, to = screen.index, screen.narrowing.near(by)
    if to is None:
        raise EditRefusedError("this is the last sample" if by > 0 else "this is the first sample")
    made = partial(edit.move_sample, index=index, to=to)
    screen.restructure(f"move sample {index + 1}", made, Focus(index), Focus(to))


def _insert(screen: AuthorScreen, at: int, data: Table, label: str) -> None:
    made = partial(edit.insert_sample, index=at, data=data)
    screen.restructure(label, made, Focus(screen.index), Focus(at))


def _keyed(screen: AuthorScreen) -> bool:
    """Tell whether the samples around the cursor are named by their keys."""
    if _near(screen) is None:
        return False
    files = screen.session.deck.files
    return files.sources[files.locate(screen.index)[0]].document.keyed


def _begun(screen: AuthorScreen) -> tuple[Table, DataPath]:
    """Return a new sample with what its dialect requires, as the one beside it has it, and what to write first."""
    from sampleui.sample.fields import new_sample

    near, kind = _near(screen), screen.session.deck.kind
    data = new_sample(kind)
    if kind.fields:
        path = messages_path(data, kind)
        return data, path if isinstance(value_at(data, path), str) else (*path, 0, kind.spelling.content)
    first: DataPath = (*_messages_path(screen), 0, "content")
    turns: Plain = data.pop(str(kind.message_paths[0][0]))
    if near is not None and isinstance(turns, list) and isinstance(turns[0], dict):
        turns = [{**turns[0], "content": content_like(near.messages)}]
    for key in reversed(_messages_path(screen)):
        turns = {str(key): turns}
    assert isinstance(turns, dict)
    data |= turns
    if near is None:
        return data, first
    data |= {key: near.data[key] for key in ("schema_version",) if key in data and key in near.data}
    order = list(near.data)
    return dict(sorted(data.items(), key=lambda pair: order.index(pair[0]) if pair[0] in order else -1)), first


def _messages_path(screen: AuthorScreen) -> DataPath:
    sample = _near(screen)
    return sample.messages_path if sample is not None else screen.session.deck.kind.message_paths[0]


def _with_id(screen: AuthorScreen, data: Table, stem: str) -> Table:
    """Return the data under an id that no other sample has, in a deck whose samples have ids."""
    deck = screen.session.deck
    ids = {name for sample in deck.samples if (name := deck.own_id(sample)) is not None}
    if (len(deck.samples) and not ids) or not deck.kind.id_paths:
        return data
    base = re.sub(r"-\d+$", "", stem).removeprefix("#")
    number = next(count for count in range(2, len(ids) + 3) if f"{base}-{count}" not in ids)
    name = base if base not in ids and base == "sample" else f"{base}-{number}"
    path = _id_path(screen)
    if len(path) > 1:
        return data
    key = str(path[0])
    return {**data, key: name} if key in data else {key: name, **data}


def _id_path(screen: AuthorScreen) -> DataPath:
    """Return where the id of the current sample stands, or would."""
    paths, sample = screen.session.deck.kind.id_paths, _near(screen)
    if not paths:
        raise EditRefusedError(f"samples of {screen.session.deck.kind.title} have no ids; they go by their number")
    held = (path for path in paths if sample is not None and value_at(sample.data, path) is not None)
    return next(held, paths[0])
