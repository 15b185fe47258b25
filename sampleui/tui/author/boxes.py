"""The boxes over the author screen, and what may be added to a sample, which one of them offers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from functools import cached_property, partial

from rich.cells import cell_len
from textual.fuzzy import FuzzySearch

from sampleui.deck.model import DeckFile, DeckFiles
from sampleui.formats.data import DataPath, shown
from sampleui.sample.dialects.older import superseded
from sampleui.sample.fields import FieldType, message_fields, sample_shape, start_of
from sampleui.sample.kinds import kind_of
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, json_text, title, value_at
from sampleui.sample.pasting import Pasted
from sampleui.text.confined import read_whole
from sampleui.text.limits import MAX_DECK_BYTES
from sampleui.text.visible import one_line, visible
from sampleui.text.wording import without_middle
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.code import code_rows, diff_rows
from sampleui.tui.drawing.message_rows import message_rows
from sampleui.tui.drawing.rows import Row, filled, fitted, text_rows
from sampleui.tui.screens.dialogs import Pick, Scrolled
from sampleui.tui.widgets.bars import caption
from sampleui.tui.widgets.text_view import READING


@dataclass(frozen=True, slots=True)
class Offer:
    """A field that may be added: its name, its type, what it is for; whether it goes into a table of the sample."""

    name: str
    words: str
    help: str
    inner: bool = False


def offers(sample: Sample, here: DataPath) -> list[Offer]:
    """Return what may be added, the fields of the sample first, then those of the tables around the cursor."""
    if sample.index < 0:
        names = sorted(dialect_of(sample).signs_beside - sample.data.keys())
        return [Offer(name, "", "what the file says beside its samples") for name in names]
    shape = sample_shape(dialect_of(sample))
    taken = {
        *superseded(sample.data, dialect_of(sample)),
        *(name for name, value in sample.data.items() if value is not None),
        *(str(path[0]) for path in dialect_of(sample).message_paths if sample.messages),
    }
    new_fields = [Offer(name, item.words, item.help) for name, item in shape.fields().items() if name not in taken]
    return [*new_fields, *_inner(sample, shape, here)]


def table_around(sample: Sample, here: DataPath) -> str:
    """Return the name of the innermost table that the cursor is on or in; empty if that is the sample."""
    paths = (here[:depth] for depth in range(len(here), 0, -1))
    return next((shown(path) for path in paths if isinstance(value_at(sample.data, path), dict)), "")


def narrowed(offered: Sequence[Offer], typed: str, around: str = "", *, inside: bool = False) -> list[Offer]:
    """Return the fields that match a name being typed, the best first, and last the name as it is typed.

    Such a field may be one of the sample, or of the table around the cursor, if there is one.

    A known field of that very name comes first, then those that begin so, those of the tables around the cursor,
    and those that hold it. The name as typed comes before what merely holds it. Inside a table a key of that table
    comes first, unless what is typed begins the name of a known field, or is one and the table an item of a list.
    """
    if not typed:
        return list(offered)
    exact, begins, within, path, holds = (
        [item for item in offered if _match_of(item, typed.casefold()) == match] for match in range(5)
    )
    typed_name = [] if exact else [Offer(typed, "", "a field of this name")]
    if around and not any(typed.startswith(f"{around}{sign}") for sign in ".["):
        typed_name.append(Offer(f"{around}.{typed}", "", f"a key of {around}", inner=True))
    begins_field = any(not item.inner for item in (*exact, *begins))
    is_meant = not begins_field or (exact and not around.endswith("]"))
    first = [*within, *typed_name[-1:]] if inside and typed_name and typed_name[-1].inner and is_meant else []
    listed = {item.name: item for item in (*exact, *begins, *within, *path, *typed_name, *holds)}
    return [*({item.name: listed[item.name] for item in (*first, *listed.values())}).values()]


def _match_of(offer: Offer, typed: str) -> int | None:
    """Return how well a name typed in lower case matches a field, 0 for the very name; None if it does not."""
    name = offer.name.casefold()
    ways = (
        name == typed,
        not offer.inner and name.startswith(typed),
        offer.inner and name.rpartition(".")[2].startswith(typed),
        name.startswith(typed),
        typed in name,
    )
    return ways.index(True) if True in ways else None


def _inner(sample: Sample, shape: FieldType, here: DataPath) -> Iterator[Offer]:
    """Yield the fields of the tables around the cursor, the innermost table first."""
    shapes = [shape]
    for step in here:
        inner = shapes[-1].inside(step)
        if not inner.shapes:
            break
        shapes.append(inner)
    for depth in range(len(here), 0, -1):
        value = value_at(sample.data, here[:depth])
        if isinstance(value, dict):
            start = start_of(dialect_of(sample), sample.data, here[:depth])
            if start is not None:
                kind = start.value.get("type", here[depth - 1])
                yield from (
                    Offer(shown((*here[:depth], name)), str(kind_of(first)), f"of {kind}", inner=True)
                    for name, first in (start.value | start.more).items()
                    if name not in value
                )
            known: Mapping[str, FieldType] = {}
            if depth < len(shapes):
                known = shapes[depth].fields()
            elif "role" in value:
                known = message_fields()
            yield from (
                Offer(shown((*here[:depth], name)), item.words, item.help, inner=True)
                for name, item in known.items()
                if value.get(name) is None
            )


class DifferenceBox(Scrolled[bool]):
    """A diff from the disk to the edits."""

    hints = (*READING, Hint("escape", "Back"))

    def __init__(self, files: DeckFiles) -> None:
        text = "".join(map(_difference, files.sources))
        super().__init__(
            "from the file on disk to mine", partial(diff_rows, text), dict.fromkeys(("escape", "enter"), True)
        )


def _difference(source: DeckFile) -> str:
    try:
        disk = read_whole(source.path, MAX_DECK_BYTES).decode("utf-8", "replace")
    except OSError:
        disk = ""
    old, new = disk.splitlines(keepends=True), source.document.text.splitlines(keepends=True)
    return "".join(unified_diff(old, new, str(source.path), "mine"))


class FieldPick(Pick):
    """Fields to pick from by typing a part of a name; any other name may be the answer too."""

    def __init__(self, offered: Sequence[Offer], around: str, *, inside: bool) -> None:
        super().__init__("Add a field: a name, or a.b and a[0].b for what is inside", (), free=True, wide=True)
        self._offered = offered
        self._around = around
        self._inside = inside
        self._fitting: Mapping[str, Offer] = {}
        self._names = self.narrowed("")

    def narrowed(self, typed: str) -> Sequence[str]:
        """Return the names of the fields that match what was typed."""
        offers = narrowed(self._offered, typed.strip(), self._around, inside=self._inside)
        self._fitting = {item.name: item for item in offers}
        return list(self._fitting)

    def row(self, name: str, width: int) -> Row:
        """Return a field: its name, its type and a line of help."""
        item, offers = self._fitting[name], self._fitting.values()
        # As wide as the longest: two names may differ in their ends alone.
        wide = min(max(cell_len(visible(each.name)) for each in offers), width // 2)
        typed = min(max(cell_len(each.words) for each in offers), width // 3)
        return (
            ("text", f" {filled(visible(item.name), wide)}  "),
            ("accent", f"{filled(item.words, typed)}  "),
            ("muted", fitted(visible(item.help), max(width - wide - typed - 5, 0))),
        )


class KindPick(Pick):
    """The types of a new value, by their signs and words; whatever else is typed is the value itself."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__("Type of the new value, or the value itself", names, texts=True)

    def fits(self, name: str, typed: str) -> bool:
        """Tell whether what was typed begins the sign or the word of a type, and is no value."""
        return typed != "true" and any(word.startswith(typed) for word in name.split(maxsplit=1))


class PasteView(Scrolled[bool]):
    """Turns, samples or fields to be pasted, or written elsewhere. Answers with whether they are."""

    DEFAULT_CSS = """
    PasteView > .box { height: auto; max-height: 90%; }
    PasteView TextView {
        height: auto; max-height: 100%; scrollbar-background: $surface; scrollbar-color: $text-edge;
    }
    """

    def __init__(self, title: str, pasted: Pasted, verb: str = "Paste", instead: str = "Cancel") -> None:
        hints = (Hint("enter", verb), *READING, Hint("escape", instead))
        super().__init__(title, self._pasted_rows, {"enter": True, "escape": False}, hints)
        caption(self.frame, pasted.how)
        self._pasted = pasted

    def on_resize(self) -> None:
        """Grow to the height of the text, as far as there is room."""
        self.view.styles.height = min(len(self.rows(max(self.size.width - 12, 20))), max(self.size.height - 8, 3))

    def _pasted_rows(self, width: int) -> list[Row]:
        rows: list[Row] = [row for note in self._pasted.notes for row in text_rows(f"▲ {note}", "warning", width)]
        rows += [(("text", ""),)] if rows else []
        for number, data in enumerate(self._pasted.samples, 1):
            rows.append((("accent-bold", f"{number}  {one_line(str(data.get('id', '')))}"),))
            rows += code_rows(json_text(data), "json", width)
        if self._pasted.turns:
            rows += message_rows([*self._pasted.turns], width, briefly=True)
        return rows + (code_rows(json_text(self._pasted.fields), "json", width) if self._pasted.fields else [])


class SamplePick(Pick):
    """Samples by their number, their id, or letters of it. Answers with the number, or with what was typed."""

    DEFAULT_CSS = """
    SamplePick > .box { width: 84; max-width: 96%; }
    """

    placeholder = "a number, an id, or letters of it"

    def __init__(self, samples: Sequence[Sample], index: int) -> None:
        numbers = [*map(str, range(1, len(samples) + 1))]
        super().__init__(f"Go to a sample: 1 to {len(samples)}, or an id", numbers, first=index, free=True)
        self._samples = samples

    def row(self, name: str, width: int) -> Row:
        """Return a sample: its number, its id and its first words."""
        sample = self._samples[int(name) - 1]
        shown = without_middle(one_line(sample.id, 200), width // 2)
        words = fitted(one_line(title(sample)), max(width - cell_len(shown) - 9, 0))
        return (("faint", f" {name:>4}  "), ("text", f"{shown}  "), ("muted", words))

    @cached_property
    def _ids(self) -> list[str]:
        return [sample.id for sample in self._samples]

    def narrowed(self, typed: str) -> Sequence[str]:
        """Return the numbers of those that match: by id, then by number, then by letters, the best first."""
        wanted = typed.strip()
        if not wanted:
            return self._names
        number = wanted.removeprefix("#")
        by_number = [int(number) - 1] if number.isdecimal() and 1 <= int(number) <= len(self._samples) else []
        found = dict.fromkeys([index for index, name in enumerate(self._ids) if name == wanted] + by_number)
        if number.isdecimal() and not wanted.isdecimal():
            return [str(index + 1) for index in found]
        folded = wanted.casefold()
        found |= dict.fromkeys(index for index, name in enumerate(self._ids) if folded in name.casefold())
        if not found:
            search = FuzzySearch()
            scored = ((search.match(wanted, name)[0], index) for index, name in enumerate(self._ids))
            found = dict.fromkeys(index for _, index in sorted(((-s, p) for s, p in scored if s > 0)))
        return [str(index + 1) for index in found]
