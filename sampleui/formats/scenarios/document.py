"""Documents with samples of their own and, after these, the ones that their `scenarios` make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice

from sampleui.errors import EditRefusedError
from sampleui.formats.beside import edited
from sampleui.formats.data import DataPath, Plain, Table, lookup, shown
from sampleui.formats.document import Document, Splice
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.scenarios.combining import (
    KEY,
    MOST_MADE,
    TOO_MANY,
    Apart,
    Combined,
    combinations,
    files_of,
    left_out,
    made_of,
    made_of_entry,
    shared_entry,
)
from sampleui.formats.scenarios.entry_edits import EntryEdits, Make
from sampleui.formats.whole import AS_ONE
from sampleui.formats.yaml.document import YamlDocument
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.position import Position, Span, position_at


class Combining(EntryEdits):
    """A document whose last samples are made of `scenarios`, which stand in its head or in its tail."""

    @property
    def apart(self) -> Document:
        """The same file with the samples alone that it lists."""
        raise NotImplementedError

    @property
    def refers(self) -> bool:
        """Whether samples are in other files."""
        return super().refers or any(True for _ in files_of(self.context))

    @cached_property
    def _made(self) -> tuple[Combined, ...]:
        return tuple(islice(combinations(self.context), MOST_MADE))

    @cached_property
    def _own(self) -> int:
        return super().__len__()

    def _combined(self, index: int) -> Combined | None:
        at = index - self._own
        return self._made[at] if 0 <= at < len(self._made) else None

    def __len__(self) -> int:
        """Return the number of samples."""
        return self._own + len(self._made)

    @cached_property
    def context(self) -> Table:
        """The values of the file beside the samples that it lists."""
        return self.apart.context

    @property
    def keyed(self) -> bool:
        """Whether the samples that the file lists are named by their keys."""
        return self._own > 0 and super().keyed

    # Where they are

    @cached_property
    def _holder(self) -> int:
        """The piece that the scenarios are in."""
        at = self._whole_span((KEY,)).start
        return 0 if at < len(self.pieces[0]) else len(self.pieces) - 1

    @cached_property
    def _whole(self) -> Document:
        return AS_ONE[self.format].parse(self.text)

    def _whole_span(self, path: DataPath, key: bool = False) -> Span:
        """Return where a value of the file is, or the key of it, counted from the beginning of the file."""
        whole = self._whole
        before = sum(map(len, whole.pieces[: whole.piece_of(0)]))
        found = whole.key_span(0, path) if key else whole.span(0, path)
        return Span(found.start + before, found.end + before)

    def piece_of(self, index: int) -> int:
        """Return the index of the piece that holds a sample: the head or the tail for one that is made."""
        return super().piece_of(index) if self._combined(index) is None else self._holder

    def samples_in(self, piece: int) -> range:
        """Return the indexes of the samples that a piece holds."""
        if self._made and piece == self._holder:
            return range(self._own, len(self))
        return super().samples_in(piece)

    def _inner(self, path: DataPath, key: bool = False) -> Span:
        found = self._whole_span(path, key)
        before = sum(map(len, self.pieces[: self._holder]))
        return Span(found.start - before, found.end - before)

    def span(self, index: int, path: DataPath) -> Span:
        """Return where a value is; for a sample that is made, as a whole, the entry of its test."""
        made = self._combined(index)
        if made is None:
            return self.apart.span(index, path)
        return self._inner(made.shown_at(path))

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is."""
        made = self._combined(index)
        if made is None:
            return self.apart.key_span(index, path)
        return self._inner(made.shown_at(path), key=bool(path))

    # What they say

    def read(self, index: int) -> Table:
        """Return a sample's value."""
        made = self._combined(index)
        return self.apart.read(index) if made is None else made.value

    def name(self, index: int) -> str | None:
        """Return the key of a named sample."""
        return super().name(index) if self._combined(index) is None else None

    def made_name(self, index: int) -> str | None:
        """Return what AgentV 5 calls a sample that is made; None for one that has an id, or is not made of two."""
        made = self._combined(index)
        if made is None or not made.second:
            return None
        tests = lookup(self.context, made.second[:-1])
        return made.name(alone=isinstance(tests, list) and len(tests) == 1)

    def findings(self, index: int) -> tuple[Finding, ...]:
        """Return what the format itself says about a sample."""
        return super().findings(index) if self._combined(index) is None else ()

    def tags(self, index: int) -> tuple[tuple[DataPath, str], ...]:
        """Return the tags of a sample's values."""
        return super().tags(index) if self._combined(index) is None else ()

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return what is to be said about the file: of its scenarios, what they make and which are not shown."""
        return (*super().notes(), *self._told())

    def _told(self) -> Iterator[tuple[Finding, Position]]:
        listed, counts = self.context.get(KEY), Counter(one.first[:2] for one in self._made)
        if len(self._made) == MOST_MADE:
            yield TOO_MANY, Position(1, 1)
        for number, scenario in enumerate(listed if isinstance(listed, list) else ()):
            path: DataPath = (KEY, number)
            count = counts[path]
            if why := left_out(scenario):
                found = Finding("samples-elsewhere", Severity.INFO, f"{shown(path)} is not shown: {why}", path)
            elif isinstance(scenario, dict) and (said := made_of(scenario, count)):
                found = Finding("samples-combined", Severity.INFO, f"{shown(path)} {said}", path)
            else:
                continue
            yield found, position_at(self.text, self._whole_span(path).start)

    def files_apart(self) -> Iterator[tuple[Apart, Position]]:
        """Yield the files that scenarios, or tests of scenarios, are kept in, and where each is named."""
        for one in files_of(self.context):
            yield one, position_at(self.text, self._whole_span(one.at).start)

    def sharing(self, index: int, path: DataPath) -> tuple[str, int]:
        """Return the entry that a value of a sample stands in, and how many samples are made of it."""
        made = self._combined(index)
        if made is None:
            return super().sharing(index, path)
        return shared_entry(made, path, self._made)

    # Edits: each is one of the entry that holds the value

    def _held(self, index: int, path: DataPath) -> tuple[int, DataPath]:
        made = self._combined(index)
        return (index, path) if made is None else (0, made.place(path))

    def _in_entry(self, at: int, place: DataPath, make: Make) -> Splice:
        return edited(self.apart, place, lambda one, _: make(one, at, place))

    def _edited(self, index: int, path: DataPath, make: Make, wanted: Callable[[Table], Plain]) -> Splice:
        if self._combined(index) is None:
            return make(self.apart, index, path)
        return super()._edited(index, path, make, wanted)

    def rename_sample(self, index: int, name: str) -> Splice:
        """Give a keyed sample another name."""
        self._refuse(index, "rename")
        return self.apart.rename_sample(index, name)

    def insert_sample(self, index: int, data: Table) -> Splice:
        """Insert a sample among those that the file lists."""
        self._refuse(index - 1, "insert a sample here")
        return self.apart.insert_sample(index, data)

    def delete_sample(self, index: int) -> Splice:
        """Delete a sample; of one that is made, the entry that no other sample is made of."""
        made = self._combined(index)
        if made is None:
            return self.apart.delete_sample(index)
        alone = [entry for entry in (made.second, made.first) if entry and made_of_entry(entry, self._made) == 1]
        if not alone:
            raise EditRefusedError(
                f"cannot delete it alone: other samples are made of {shown(made.first)} and of {shown(made.second)}"
            )
        splice = edited(self.apart, alone[0], lambda one, _: one.delete(0, alone[0]))
        if len(self.apply(splice)) != len(self) - 1:
            raise EditRefusedError("cannot delete it alone: other samples would change")
        return splice

    def move_sample(self, index: int, to: int) -> Splice:
        """Move a sample among those that the file lists."""
        self._refuse(index, "move")
        self._refuse(to, "move")
        return self.apart.move_sample(index, to)

    def _refuse(self, index: int, deed: str) -> None:
        if self._combined(index) is not None:
            raise EditRefusedError(f"cannot {deed}: the samples here are made of {KEY}; their entries are edited")


class YamlScenarios(Combining, YamlDocument):
    """A YAML file with such samples."""

    @cached_property
    def apart(self) -> Document:
        """The same file with the samples alone that it lists."""
        return YamlDocument(self.pieces)


class JsonScenarios(Combining, JsonDocument):
    """A JSON file with such samples."""

    @cached_property
    def apart(self) -> Document:
        """The same file with the samples alone that it lists."""
        return JsonDocument(self.pieces, self.style, self.holder, self.keyed_samples, self.closed, self.unusual)


COMBINING: dict[str, type[Document]] = {"yaml": YamlScenarios, "json": JsonScenarios}
