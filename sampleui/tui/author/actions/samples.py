"""Commands on the samples of a deck, one or those that are marked, and free ids for new samples."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from functools import partial, reduce
from itertools import chain, count, islice
from pathlib import Path

from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.deck.model import DeckFiles
from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.data import DataPath, Plain, Table, shown
from sampleui.formats.operations import Delete, Insert, Operation, Set
from sampleui.formats.timestamps import read_typed
from sampleui.sample.dialects.dialect import Dialect, Older
from sampleui.sample.dialects.older import new_messages
from sampleui.sample.fields import first_sample, new_sample
from sampleui.sample.kinds import blank_like
from sampleui.sample.media import Medium
from sampleui.sample.model import Sample
from sampleui.sample.parse import messages_path, tag_path, tags, value_at
from sampleui.sample.pasting import Pasted
from sampleui.sample.value_names import path_of
from sampleui.text.confined import exists, real_path, typed_path
from sampleui.text.limits import MAX_SAMPLES_FOR_TAGS
from sampleui.text.visible import one_line
from sampleui.text.wording import counted, first_words
from sampleui.tui.actions import FIELDS, marking
from sampleui.tui.author.actions.needs import (
    AUTHOR,
    a_filter,
    a_mark,
    a_sample,
    an_item_or_sample,
    an_own_sample,
    chosen_samples,
    feasible,
    samples_above,
    samples_below,
    several_samples,
    the_sample,
)
from sampleui.tui.author.boxes import PasteView
from sampleui.tui.author.editing import NewName
from sampleui.tui.author.nodes import content_like, first_text, set_or_place
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.author.session import Edit, as_edit, changes_of, edits_in
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.items import ItemPartKind
from sampleui.tui.external_editor import Later, edit_outside
from sampleui.tui.screens import asking
from sampleui.workspace.deck import Deck, open_with
from sampleui.workspace.edit_requests import sample_renamed
from sampleui.workspace.older_records import brought_up_to_date, renamed_keys
from sampleui.workspace.sample_transfer import some, transferred
from sampleui.workspace.samples import as_its_file_spells

_NEW = "sample"
_WHOLE = re.compile(r"-?\d{1,15}", re.ASCII)


class Naming:
    """Gives new samples ids of their own, in a deck whose samples have ids.

    In a deck whose samples are named by their keys the id is the name, wherever the dialect has ids otherwise.

    Where a dialect has numbers for ids, and no sample has another, a new one gets the next free whole number.

    Attributes:
        key: the key of the ids, empty if the samples have none.
        numbered: whether ids are whole numbers.
    """

    def __init__(self, deck: Deck) -> None:
        self._taken = {name for sample in deck.samples if (name := deck.own_id(sample)) is not None}
        paths = deck.kind.id_paths
        named = bool(self._taken) or not len(deck.samples)
        self._usual = str(paths[0][0]) if named and paths and len(paths[0]) == 1 else ""
        keyed = any(source.document.keyed for source in deck.files.sources)
        self._in_keys = keyed
        self.key = "id" if keyed else self._usual
        field = deck.kind.fields.get(self.key)
        has_numbers = field is not None and field.type.split("|")[0] == "number"
        self.numbered = has_numbers and not keyed and all(map(_WHOLE.fullmatch, self._taken))

    def with_free_id(self, data: Table, stem: str) -> Table:
        """Return the data of a new sample under a free id like `stem`, which is taken from then on."""
        if not self.key:
            return data
        if self.numbered:
            return self._with_number(data)
        base = re.sub(r"-\d+$", "", stem).removeprefix("#")
        return self._with_id(data, self._numbered(base))

    def of_copy(self, sample: Sample) -> Table:
        """Return the data of a copy of a sample: under a free id where the sample has one, else as it is."""
        data = copy.deepcopy(dict(sample.data))
        return self.with_free_id(data, sample.id) if self._in_keys or self.key in data else data

    def with_id_of_words(self, data: Table, text: str = "") -> Table:
        """Return the data of a new sample under a free id of the first words of its text; `sample` without any."""
        if self.numbered:
            return self._with_number(data)
        return self._with_id(data, self.of_words(text)) if self.key else data

    def of_words(self, text: str, own: str = "") -> str:
        """Return a free id of the first words of a text, `sample` if it has none; `own` is free too."""
        name = first_words(text) or _NEW
        return name if name == own or name not in self._taken else self._numbered(name)

    def _numbered(self, base: str) -> str:
        return next(name for number in count(2) if (name := f"{base}-{number}") not in self._taken)

    def _with_id(self, data: Table, name: str | int) -> Table:
        self._taken.add(str(name))
        return {**data, self.key: name} if self.key in data else {self.key: name, **data}

    def _with_number(self, data: Table) -> Table:
        return self._with_id(data, max((int(name) for name in self._taken), default=0) + 1)

    def with_own_id(self, data: Table) -> Table:
        """Return the data of a sample from elsewhere under its own id where that is free, or else under another."""
        if self.key != self._usual in data and self.key not in data:
            data = {self.key if key == self._usual else key: value for key, value in data.items()}
        own_id = data.get(self.key)
        is_id = type(own_id) is int if self.numbered else isinstance(own_id, str) and own_id != ""
        if is_id and str(own_id) not in self._taken:
            self._taken.add(str(own_id))
            return data
        return self.with_free_id(data, str(own_id)) if is_id else self.with_id_of_words(data)


_GROUP = "Samples"
_TODAYS = "this is in today's form already"


@AUTHOR.command("sample.next", "]", "Next sample", group=_GROUP, bar=21, needs=several_samples)
def following(screen: AuthorScreen) -> None:
    """Go to the next sample."""
    if screen.sample_filter.near(1) is None or not screen.samples.step(1):
        screen.refuse("this is the last sample")


@AUTHOR.command("sample.previous", "[", "Previous sample", group=_GROUP, needs=several_samples)
def previous(screen: AuthorScreen) -> None:
    """Go to the previous sample."""
    if screen.sample_filter.near(-1) is None or not screen.samples.step(-1):
        screen.refuse("this is the first sample")


@AUTHOR.command("sample.open", "enter", "Open", group=_GROUP, scopes="samples", bar=1, needs=a_sample)
def open_sample(screen: AuthorScreen) -> None:
    """Go to the turns of the sample under the cursor."""
    screen.conversation.focus()


@AUTHOR.command("sample.new", "n", "New sample", group=_GROUP, bar=10, first="samples")
async def new(screen: AuthorScreen) -> None:
    """Add a sample after this one and write its first turn, which names it; a keyed deck asks the name."""
    target = screen.index + 1 if _near(screen) is not None else len(screen.session.deck.samples)
    begun, first = begun_sample(screen)
    deck = screen.session.deck
    naming, in_keys = Naming(deck), _near(screen) is not None and deck.is_keyed(screen.index)
    data = naming.with_id_of_words(begun)
    own_id, id_key = "" if in_keys or naming.numbered else str(data.get(naming.key, "")), naming.key
    spelled = as_its_file_spells(deck.files, deck.kind, target, data)
    if spelled is not data:  # a row
        data, first = spelled, (str(first[-1]),)
        id_key = next((key for key, value in data.items() if value == own_id), id_key)

    def named(text: str) -> NewName | None:
        if not own_id or not first_words(text):
            return None
        name = naming.of_words(text, own_id)
        return NewName(name, partial(edit.apply, index=target, operation=Set((id_key,), name)))

    if in_keys:
        name = await asking.ask(screen, "Name of the new sample", str(data.get("id", "")))
        if not name:
            return
        data = {**data, "id": name}
    change = partial(edit.insert_sample, index=target, data=data)
    label = f"add sample {target + 1}"
    await screen.editing.begin(label, first, change, sample=target, fresh=True, naming=named)


@AUTHOR.command("sample.duplicate", "D", "Duplicate", group=_GROUP, scopes="samples", bar=12, needs=chosen_samples)
def duplicate(screen: AuthorScreen) -> None:
    """Put a copy of the sample after it, under an id of its own; copies of marked ones after the last."""
    deck, chosen = screen.session.deck, screen.marks.chosen_samples()
    naming, there = Naming(deck), chosen[-1] + 1
    edits = [
        partial(edit.duplicate_sample, index=index, to=there + more, data=naming.of_copy(deck.samples[index]))
        for more, index in enumerate(chosen)
    ]
    label = f"duplicate {samples_in_words(chosen)}"
    marked = range(there, there + len(edits)) if len(edits) > 1 else ()
    screen.restructure(label, *edits, after=Focus(there), marked=marked)


@AUTHOR.command("sample.delete", "d", "Delete", group=_GROUP, scopes="samples", bar=6, needs=chosen_samples)
async def delete(screen: AuthorScreen) -> None:
    """Delete the sample, or all that are marked. You are asked about a heading that would be left alone."""
    await delete_samples(screen, f"delete {samples_in_words(screen.marks.chosen_samples())}")


async def delete_samples(screen: AuthorScreen, label: str) -> bool:
    """Delete the chosen samples and go to the nearest one that is shown and stays; tell whether that was done."""
    chosen = screen.marks.chosen_samples()
    gone = {*chosen}
    answer = "d"
    if headings := edit.headings_left(screen.session.deck.files, gone):
        answer = await _asked_of_headings(screen, headings, "Delete nothing")
        if not answer:
            return False
    freeing = await _freed_of_anchors(screen, chosen)
    if freeing is None:
        return False
    stay = [index for index in screen.sample_filter.shown if index >= 0 and index not in gone]
    near = next((index for index in stay if index >= screen.index), stay[-1] if stay else None)
    there = None if near is None else Focus(near - sum(index < near for index in chosen))
    edits: list[Edit] = []
    for index in reversed(chosen):
        edits += [freeing[index]] if index in freeing else []
        edits.append(partial(edit.delete_sample, index=index, heading=answer == "d"))
    screen.restructure(label, *edits, after=there)
    return True


async def _freed_of_anchors(screen: AuthorScreen, chosen: Sequence[int]) -> dict[int, Edit] | None:
    """Return edits that move the anchors of samples to the next ones that have them, once that is agreed to.

    They are by the index of their sample, none where nothing that is written there is shared; None for no answer.
    """
    files = screen.session.deck.files
    shared = {index: value for index in chosen if (value := edit.shared_at(files, index, ())) is not None}
    if not shared:
        return {}
    names = ", ".join(dict.fromkeys(f"&{value.name}" for value in shared.values()))
    others = len({user for value in shared.values() for user in value.users}) - len(shared)
    shares = "shares" if others == 1 else "share"
    question = f"{counted(others, 'other sample')} {shares} what is written here: {names}"
    if not await asking.confirm(screen, question, {"m": "Move it to the next that has it"}, "Change nothing"):
        return None
    return {index: partial(edit.own_copy, index=index, path=()) for index in shared}


async def _asked_of_headings(screen: AuthorScreen, headings: Sequence[str], nothing: str) -> str:
    """Ask what becomes of headings under which no sample is left: `d` deletes them, `l` leaves them."""
    lines = " · ".join(one_line(heading, 60) for heading in headings)
    named = "this heading" if len(headings) == 1 else f"{len(headings)} headings"
    return await asking.confirm(
        screen, f"No sample is left under {named}: {lines}", {"l": "Leave it", "d": "Delete it too"}, nothing
    )


@AUTHOR.command("sample.move-down", "J", "Move down", group=_GROUP, scopes="samples", bar=13, needs=samples_below)
async def move_down(screen: AuthorScreen) -> None:
    """Move the sample, or all that are marked, one place down. You are asked about a heading left alone."""
    await _move(screen, 1)


@AUTHOR.command("sample.move-up", "K", "Move up", group=_GROUP, scopes="samples", needs=samples_above)
async def move_up(screen: AuthorScreen) -> None:
    """Move the sample, or all that are marked, one place up. You are asked about a heading left alone."""
    await _move(screen, -1)


@AUTHOR.command("sample.rename", "N", "Rename", group=_GROUP, scopes="samples", bar=14, needs=an_own_sample)
async def rename(screen: AuthorScreen) -> None:
    """Give the sample another name, or another id, everywhere its file repeats it."""
    sample, deck, here = the_sample(screen), screen.session.deck, Focus(screen.index)
    old = sample.id if deck.own_id(sample) is not None else ""
    name = await asking.ask(screen, f"Name of the sample {old or sample.id}", old)
    if not name or name == old:
        return
    renamed = as_edit(sample_renamed(deck, screen.index, name))
    label = f"rename sample {screen.index + 1}"
    screen.restructure(label, renamed, after=here, marked=screen.marks.samples)


@AUTHOR.command("sample.source", "E", "Source", group=_GROUP, bar=19, needs=an_own_sample)
async def source(screen: AuthorScreen) -> None:
    """Edit the sample's own text in $EDITOR; it is proved, and offered again when refused.

    On a picture or another medium it is opened with the system's program; what is run is shown first.
    """
    part = screen.conversation.part
    if part is not None and part.kind is ItemPartKind.MEDIA:
        from sampleui.tui.drawing.pictures import media_in  # few decks have media
        from sampleui.tui.outside import open_medium

        media = [*media_in(part.text)] or [Medium(f"{part.tag}_url", part.text)]
        if not await open_medium(screen, media, screen.conversation.places, "the sample's own text, in $EDITOR"):
            return
    index, files = screen.index, screen.session.deck.files
    written = [edit.source_of(files, index)]
    name = f"sample{files.sources[files.locate(index)[0]].path.suffix}"

    def take(text: str) -> None:
        written.append(text)
        change = partial(edit.rewrite_sample, index=index, text=text)
        screen.change_sample(index, f"edit the source of sample {index + 1}", change)

    def cursor_position() -> object:
        files = screen.session.deck.files
        return edit.source_of(files, index) if index < len(screen.session.deck.samples) else None

    refused: EditRefusedError | None = None
    while True:
        tried = len(written)
        try:
            edit_outside(
                screen.app, screen.settings.editor, written[-1], name, take, later=Later(screen, cursor_position)
            )
        except EditRefusedError as error:
            if len(written) == 1:
                raise
            refused = error
        else:
            if refused is None or len(written) > tried:
                return
        again = {"e": "Edit again what you wrote"}
        if (
            await asking.confirm(screen, f"The text is refused: {refused}", again, "Leave the sample as it was")
            != "e"
        ):
            raise refused


@AUTHOR.command("sample.filter", "/", "Filter", group=_GROUP, bar=11, first="samples")
def filter_samples(screen: AuthorScreen) -> None:
    """Show only samples that hold words, or role:tool, tag:math, score<0, expected:none, problem, changed."""
    screen.sample_filter.open()


@AUTHOR.command("sample.show-all", "escape", "Clear", group=_GROUP, scopes="samples", bar=2, needs=a_filter)
def show_all(screen: AuthorScreen) -> None:
    """Remove the marks; if there are none, clear the filter and show every sample."""
    if screen.marks.samples:
        screen.marks.clear()
    else:
        screen.sample_filter.show_all()


AUTHOR.include(FIELDS)


def _not_rewritten(kind: Dialect, chosen: Sequence[Table]) -> str:
    today = kind.today
    if today is None:
        return f"no older form of {kind.title} samples is known here"
    if all(today.renamed.keys().isdisjoint(data) for data in chosen):
        return _TODAYS
    name = kind.name
    return (
        f"older spellings of {kind.title} stay as they are here; convert --from {name} --to {name} writes today's"
    )


def _updates(screen: AuthorScreen) -> tuple[Sequence[Edit], str]:
    """Return what renames older keys in the chosen samples, or else rewrites older records, and in words what."""
    chosen, deck = screen.marks.chosen_samples(), screen.session.deck
    if renames := renamed_keys(deck, chosen):
        return renames, f"renamed {counted(len(renames), 'older key')}"
    if deck.kind.older is Older.NONE:
        raise EditRefusedError(_not_rewritten(deck.kind, [deck.samples[index].data for index in chosen]))
    updates = brought_up_to_date(deck, chosen)
    if not updates.edits:
        raise EditRefusedError(_TODAYS)
    names = f"; kept as it was under metadata: {', '.join(updates.kept)}" if updates.kept else ""
    ids = f"; {counted(len(updates.ids), 'id')} made" if updates.ids else ""
    return updates.edits, f"brought up to date{names}{ids}"


@AUTHOR.command("sample.convert", "M", "Bring up to date", group=_GROUP, needs=feasible(chosen_samples, _updates))
def bring_up_to_date(screen: AuthorScreen) -> None:
    """Rename older keys; rewrite older records as today's samples, what has no place under metadata."""
    edits, words = _updates(screen)
    screen.change_samples(f"bring {samples_in_words(screen.marks.chosen_samples())} up to date", *edits)
    screen.say(words)


def samples_in_words(chosen: Sequence[int]) -> str:
    """Return samples as labels of steps name them."""
    return f"sample {chosen[0] + 1}" if len(chosen) == 1 else f"{len(chosen)} samples"


def insert_samples(screen: AuthorScreen, index: int, added: Sequence[Table], label: str) -> None:
    """Insert samples at a place of the deck as one step, mark them where they are several, and go to the first."""
    deck = screen.session.deck
    spelled = [as_its_file_spells(deck.files, deck.kind, index, data) for data in added]
    edits = [partial(edit.insert_sample, index=index + more, data=data) for more, data in enumerate(spelled)]
    marked = range(index, index + len(added)) if len(added) > 1 else ()
    screen.restructure(label, *edits, after=Focus(index), marked=marked)


def _near(screen: AuthorScreen) -> Sample | None:
    """Return the sample with the cursor, None if there is none or on what is beside them."""
    return None if an_own_sample(screen) else screen.sample


async def _move(screen: AuthorScreen, by: int) -> None:
    chosen = screen.marks.chosen_samples()
    shown = [index for index in screen.sample_filter.shown if index >= 0]
    rows = [shown.index(index) for index in chosen]
    if not 0 <= min(rows) + by <= max(rows) + by < len(shown):
        raise EditRefusedError("this is the last sample" if by > 0 else "this is the first sample")
    moves = [(shown[row], shown[row + by]) for row in rows]
    moves.sort(reverse=by > 0)
    freeing = await _freed_of_anchors(screen, chosen)
    if freeing is None:
        return
    files = screen.session.deck.files
    order = [*range(len(files))]
    for index, to in moves:
        order.insert(to, order.pop(index))
    there = order.index(screen.index) if screen.index >= 0 else screen.index
    moving: list[Edit] = [partial(edit.move_sample, index=index, to=to) for index, to in moves]
    changes = changes_of(files, [*freeing.values(), *moving])
    edits = [*map(as_edit, changes)]
    if headings := edit.headings_passed(files, reduce(DeckFiles.apply, changes, files), {*chain(*moves)}):
        answer = await _asked_of_headings(screen, [heading for _, heading in headings], "Move nothing")
        if not answer:
            return
        if answer == "d":
            edits += [
                partial(edit.delete_heading, source=heading_source, heading=heading)
                for heading_source, heading in headings
            ]
    screen.restructure(
        f"move {samples_in_words(chosen)}",
        *edits,
        after=Focus(there),
        marked=[to for _, to in moves] if screen.marks.samples else (),
        moved=[to for _, to in moves],
    )


def begun_sample(screen: AuthorScreen, messages: Plain = None) -> tuple[Table, DataPath]:
    """Return a new sample with what its dialect requires, shaped as its neighbour, and the path to write first.

    Its messages are given, or begun as the dialect has them.
    """
    near, kind = _near(screen), screen.session.deck.kind
    data = first_sample(kind) if near is None else new_sample(kind)
    if not kind.modelled:
        path = messages_path(data, kind)
        if kind.turns.text_path and isinstance(value_at(data, kind.turns.text_path), str):
            path = kind.turns.text_path
        if near is not None and isinstance(value_at(data, path), str):
            return _asked_like(near, data, path)
        return data, path if isinstance(value_at(data, path), str) else (*path, 0, kind.turns.spelling.content)
    first: DataPath = (*messages_near(screen), 0, "content")
    turns: Plain = data.pop(str(kind.message_paths[0][0]))
    if messages is not None:
        turns = messages
    elif near is not None and isinstance(turns, list) and isinstance(turns[0], dict):
        turns = [{**turns[0], "content": content_like(near.messages)}]
    for key in reversed(messages_near(screen)):
        turns = {str(key): turns}
    assert isinstance(turns, dict)
    if near is None:
        return data | turns, first
    # What a new sample begins with, such as the version of its schema, is as its neighbour has it.
    data |= {key: near.data[key] for key, value in data.items() if value and key in near.data}
    data |= turns
    order = list(near.data)
    return dict(sorted(data.items(), key=lambda pair: order.index(pair[0]) if pair[0] in order else -1)), first


def _asked_like(near: Sample, data: Table, path: DataPath) -> tuple[Table, DataPath]:
    """Return a new sample whose question at a path is spelled as its neighbour's, and the path to write first."""
    key = next((str(step) for step in near.messages_path[:1] if step in near.data), str(path[0]))
    asked = near.data.get(key)
    if key == path[0] and not isinstance(asked, dict):
        return data, path
    value = blank_like(asked)
    return {key: value, **{other: data[other] for other in data if other != path[0]}}, first_text(value, (key,))


def messages_near(screen: AuthorScreen) -> DataPath:
    """Return where the sample with the cursor has its messages, or where a new deck of its dialect has them."""
    sample = _near(screen)
    return sample.messages_path if sample is not None else new_messages(screen.session.deck.kind)


@AUTHOR.command("sample.export", "X", "Export", group="Samples", scopes="samples", bar=19, needs=chosen_samples)
async def export(screen: AuthorScreen) -> None:
    """Write the sample, or all marked, to another or a new deck, in its dialect; losses are shown first."""
    deck, chosen = screen.session.deck, screen.marks.chosen_samples()
    decks = screen.other_decks()
    name = await asking.pick(
        screen, f"Export {samples_in_words(chosen)} to a deck, or a new file", [*decks], texts=True
    )
    if not name:
        return
    path = decks[name] if name in decks else typed_path(name, deck.path.parent)
    if real_path(path) in {real_path(source.path) for source in deck.files.sources}:
        raise EditRefusedError(f"that is this deck; {key_named('sample.duplicate', 'D')} duplicates samples in it")
    target = await _target(screen, path)
    if target is None:
        return
    tables: list[Table] = []
    report: dict[str, list[str]] = {}
    naming = Naming(target)
    for index in chosen:
        item = transferred(deck, deck.samples[index], target)
        tables.append(naming.with_own_id(item.data))
        for line in item.report:
            report.setdefault(line, []).append(deck.samples[index].id)
    notes = tuple(f"{line} ({some(ids, len(chosen))})" for line, ids in report.items())
    leaving = Pasted(samples=tuple(tables), how=f"written as {target.kind.title}", notes=notes)
    title = f"Export {samples_in_words(chosen)} to {path.name}"
    if await screen.answer_to(PasteView(title, leaving, "Export")):
        _write(screen, target, tables)


async def _target(screen: AuthorScreen, path: Path) -> Deck | None:
    """Return the deck that samples go to, a new one in a dialect that is asked for; None for no answer."""
    session = screen.session_of(path, None)
    if session is not None:
        return session.deck
    if exists(path):
        return open_with(screen.settings, path)
    return await asking.begin_deck(screen, path, screen.session.deck.kind)


def _write(screen: AuthorScreen, target: Deck, tables: list[Table]) -> None:
    """Append samples to a deck: as one step of undo if the workspace can open it, else straight to the file."""
    there = len(target.samples)
    edits = [partial(edit.insert_sample, index=there + index, data=data) for index, data in enumerate(tables)]
    count = counted(len(tables), "sample")
    session = screen.session_of(target.path, target) if exists(target.path) else None
    if session is not None:
        session.perform(f"take {count} from {screen.session.deck.path.name}", *edits, after=Focus(there))
        screen.say(
            f"{count} in {target.path.name}, which is not saved yet; "
            f"{key_named('workspace.open', 'ctrl+o')} goes there"
        )
        return
    for item in edits:
        target = target.apply(item(target.files))
    lost = target.save()
    (screen.warn if lost else screen.say)("; ".join((f"wrote {count} to {target.path.name}", *lost)))


AUTHOR.include(marking("samples turns", an_item_or_sample))


@AUTHOR.command("mark.clear", "escape", "Unmark", group="Marks", scopes="turns", bar=4, needs=a_mark)
def clear(screen: AuthorScreen) -> None:
    """Remove all marks in the pane."""
    screen.marks.clear()


_LOOKED_AT = 40


@AUTHOR.command("sample.tag", "#", "Tag", group=_GROUP, bar=17, needs=chosen_samples)
async def tag(screen: AuthorScreen) -> None:
    """Tag the sample, or all that are marked; -NAME removes a tag."""
    deck, chosen = screen.session.deck, screen.marks.chosen_samples()
    if not deck.kind.tag_paths:
        raise EditRefusedError(f"samples of {deck.kind.title} have no tags")
    used = dict.fromkeys(name for item in islice(deck.samples, MAX_SAMPLES_FOR_TAGS) for name in tags(item))
    name = await asking.pick(screen, f"Tag {samples_in_words(chosen)}; -name takes it away", [*used], free=True)
    if not name.removeprefix("-"):
        return
    near = [sample.data for sample in deck.samples[:_LOOKED_AT]]
    tables = {index: deck.samples[index].data for index in chosen}
    tagged = {index: tagging(data, tag_path(deck.kind, data, near), name) for index, data in tables.items()}
    changes = {index: operation for index, operation in tagged.items() if operation is not None}
    if not changes:
        raise EditRefusedError("nothing to take away" if name.startswith("-") else f"tagged {name} already")
    screen.change_samples(f"tag {samples_in_words(chosen)} {name}", *edits_in(changes))
    screen.say(f"{len(changes)} of {len(chosen)} changed")


def tagging(data: Table, path: DataPath, tag: str) -> Operation | None:
    """Return what adds a tag to a sample, or with a `-` before it removes it; None if nothing changes."""
    tags, name, away = value_at(data, path), tag.removeprefix("-"), tag.startswith("-")
    if (name in tags if isinstance(tags, list) else tags == name) is not away:
        return None
    if isinstance(tags, list):
        return Delete((*path, tags.index(name))) if away else Insert((*path, len(tags)), name)
    return Delete(path) if away else set_or_place(data, path, [tags, name] if tags else [name])


@AUTHOR.command("sample.set", "S", "Set a field", group=_GROUP, bar=18, needs=chosen_samples)
async def set_field(screen: AuthorScreen) -> None:
    """Set a field of the sample, or of all marked, as in metadata.source = web; no value deletes it."""
    deck, chosen = screen.session.deck, screen.marks.chosen_samples()
    answer = await asking.ask(screen, f"Set in {samples_in_words(chosen)}: name = value")
    if not answer:
        return
    name, sign, text = answer.partition("=")
    if not sign:
        raise EditRefusedError(f"{answer}: write a name, = and a value, such as score = 3")
    path = path_of(name.strip())
    tables = {index: deck.samples[index].data for index in chosen}
    changes: dict[int, Operation]
    if text.strip():
        value = read_typed(text.strip(), has_dates=screen.session.has_dates)
        changes = {index: set_or_place(data, path, value) for index, data in tables.items()}
    else:
        changes = {index: Delete(path) for index, data in tables.items() if value_at(data, path) is not None}
    if not changes:
        raise PathError(f"there is no {shown(path)} to delete")
    screen.change_samples(f"set {shown(path)} of {samples_in_words(chosen)}", *edits_in(changes))
