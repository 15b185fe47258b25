"""How a deck differs from another state of it: as a unified diff, as changed samples, as what an edit touched.

Only the changed pieces are compared, so that large decks are quick.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from sampleui.deck.model import DeckFiles, Region, Source, changed_regions, outer_region
from sampleui.errors import FormatError
from sampleui.formats.document import Document

CONTEXT = 3
"""The unchanged lines shown around a change."""

_Tag: TypeAlias = Literal["replace", "delete", "insert", "equal"]
_Opcode: TypeAlias = tuple[_Tag, int, int, int, int]


def diff(files: DeckFiles, olds: Sequence[Document] | None = None) -> str:
    """Return how the files differ from a base, as `diff -u` writes it; empty when they do not.

    The base is what is on disk, unless `olds` has other documents of the files. Lines end at LF as `git` counts
    them, and a CR before it is a part of its line.
    """
    return "".join(line for source, old in _compared(files, olds) for line in _file_diff(source, old))


def changed_samples(
    files: DeckFiles, olds: Sequence[Document] | None = None, moved: Container[str] = ()
) -> frozenset[int]:
    """Return the indexes of the samples that are not as in the base, new and moved ones included.

    A sample that merely stands beside one that came, went or moved is as it was. Of two that changed places it is
    the one that is among the `moved` (texts of pieces, and `Document.own_text`).
    """
    changed: set[int] = set()
    before = 0
    compared = {id(source): old for source, old in _compared(files, olds)}
    for source in files.sources:
        if (old := compared.get(id(source))) is not None:
            changed.update(before + index for index in counterparts(old, source.document, moved))
        before += len(source.document)
    return frozenset(changed)


def counterparts(old: Document, new: Document, moved: Container[str] = ()) -> dict[int, int | None]:
    """Return the samples that are not as they were in another state of their file, and which each was there.

    None is one that was not there.
    """
    left: list[int] = []
    partners: dict[int, int | None] = {}
    for region in changed_regions(old.pieces, new.pieces, moved):
        was, own = _samples_within(old, region.before), _samples_within(new, region.after)
        inner = changed_regions([*map(old.own_text, was)], [*map(new.own_text, own)], moved)
        for item in inner:
            gone, come = was[item.before.start : item.before.stop], own[item.after.start : item.after.stop]
            left += gone
            partners.update(zip(come, gone if len(gone) == len(come) else [None] * len(come), strict=True))
    for sign in (Document.own_text, _id):
        known = {name: index for index in left if (name := sign(old, index)) is not None}
        partners |= {index: known[name] for index in partners if (name := sign(new, index)) in known}
    return partners


def _samples_within(document: Document, pieces: range) -> list[int]:
    return [index for piece in pieces for index in document.samples_in(piece)]


def _id(document: Document, index: int) -> str | None:
    """Return what a sample is called by its key, or else by its `id`."""
    try:
        name = document.name(index) or document.read(index).get("id")
    except FormatError:
        return None
    return name if isinstance(name, str) else None


def _compared(files: DeckFiles, olds: Sequence[Document] | None) -> Iterator[tuple[Source, Document]]:
    """Yield the files that differ from a base, with what they are there."""
    if olds is None:
        yield from ((source, source.disk.saved) for source in files.sources if source.changed)
        return
    for source, old in zip(files.sources, olds, strict=True):
        if old.pieces != source.document.pieces and old.text != source.document.text:
            yield source, old


def _file_diff(source: Source, old: Document) -> Iterator[str]:
    new = source.document
    yield "--- /dev/null\n" if source.disk.stamp is None else f"--- {source.path}\n"
    yield f"+++ {source.path}\n"
    for group in _Grouped(_joined(_opcodes(old, new))).get_grouped_opcodes(CONTEXT):
        yield from _hunk(old, new, group)


def _hunk(old: Document, new: Document, group: Sequence[tuple[str, int, int, int, int]]) -> Iterator[str]:
    first, last = group[0], group[-1]
    yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
    for tag, i1, i2, j1, j2 in group:
        if tag == "equal":
            yield from (_shown(" ", line) for line in _lines(old, i1, i2))
        else:
            yield from (_shown("-", line) for line in _lines(old, i1, i2))
            yield from (_shown("+", line) for line in _lines(new, j1, j2))


class _Grouped(SequenceMatcher[str]):
    """difflib's grouping into hunks, over opcodes that are known already."""

    def __init__(self, opcodes: list[_Opcode]) -> None:
        super().__init__()
        self._opcodes = opcodes

    def get_opcodes(self) -> list[_Opcode]:
        return self._opcodes


def _opcodes(old: Document, new: Document) -> Iterator[_Opcode]:
    """Yield what happened to every line: those outside the changed regions are equal without being looked at."""
    i = j = 0
    for region in _line_regions(old.pieces, new.pieces):
        i1, j1 = old.breaks_before[region.before.start], new.breaks_before[region.after.start]
        yield "equal", i, i1, j, j1
        before, after = _split(old.pieces, region.before), _split(new.pieces, region.after)
        for tag, a1, a2, b1, b2 in SequenceMatcher(None, before, after).get_opcodes():
            yield tag, i1 + a1, i1 + a2, j1 + b1, j1 + b2
        i, j = i1 + len(before), j1 + len(after)
    yield "equal", i, _count(old), j, _count(new)


def _joined(opcodes: Iterable[_Opcode]) -> list[_Opcode]:
    """Return opcodes with neighbours that are equal as one."""
    joined_codes: list[_Opcode] = []
    for code in opcodes:
        if joined_codes and code[0] == joined_codes[-1][0] == "equal":
            last = joined_codes.pop()
            code = ("equal", last[1], code[2], last[3], code[4])
        joined_codes.append(code)
    return joined_codes


def _line_regions(old: tuple[str, ...], new: tuple[str, ...]) -> list[Region]:
    """Return the changed regions, widened by unchanged pieces to whole lines; those that meet are one."""
    regions = changed_regions(old, new)
    limits = [*(region.before.start for region in regions[1:]), len(old)]
    wide: list[Region] = []
    for region, limit in zip(regions, limits, strict=True):
        floor = wide[-1].before.stop if wide else 0
        start, start_new = region.before.start, region.after.start
        while start > floor and not _begins_line(old, start):
            start, start_new = start - 1, start_new - 1
        stop, stop_new = region.before.stop, region.after.stop
        while stop < limit and not (_begins_line(old, stop) and _begins_line(new, stop_new)):
            stop, stop_new = stop + 1, stop_new + 1
        if wide and start == floor:
            last = wide.pop()
            start, start_new = last.before.start, last.after.start
        wide.append(Region(range(start, stop), range(start_new, stop_new)))
    return wide


def _begins_line(pieces: tuple[str, ...], index: int) -> bool:
    while index > 0 and not pieces[index - 1]:
        index -= 1
    return index == 0 or pieces[index - 1].endswith("\n")


def _split(pieces: tuple[str, ...], window: range) -> list[str]:
    return _lines_of("".join(pieces[window.start : window.stop]))


def _lines_of(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _lines(document: Document, first: int, end: int) -> list[str]:
    """Return the lines from one index to another, reading only the pieces that hold them."""
    before = document.breaks_before
    start = max(bisect_left(before, first) - 1, 0)
    stop = bisect_left(before, end)
    skipped = first - before[start]
    return _lines_of("".join(document.pieces[start:stop]))[skipped : skipped + end - first]


def _count(document: Document) -> int:
    last = next((piece for piece in reversed(document.pieces) if piece), "\n")
    breaks = sum(document.breaks)
    return breaks if last.endswith("\n") else breaks + 1


def _range(start: int, stop: int) -> str:
    if stop - start == 1:
        return str(start + 1)
    return f"{start if start == stop else start + 1},{stop - start}"


def _shown(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"


def touched_samples(old: DeckFiles, new: DeckFiles) -> frozenset[int] | None:
    """Return the samples whose text differs between two states of a deck's files; None if it may be any of them.

    It may be any where samples came or went, where something beside them changed, which holds for all, and where
    others are made of what changed or refer to it.
    """
    if len(old.sources) != len(new.sources):
        return None
    indexes: set[int] = set()
    before = 0
    for item, other in zip(old.sources, new.sources, strict=True):
        inner = _touched(item.document, other.document)
        if inner is None or item.path != other.path:
            return None
        indexes.update(before + index for index in inner)
        before += len(other.document)
    return frozenset(indexes)


def _touched(old: Document, new: Document) -> frozenset[int] | None:
    if old is new:
        return frozenset()
    if len(old) != len(new) or len(old.pieces) != len(new.pieces) or new.made_from or old.context != new.context:
        return None
    pieces = [*_differing(old, new)]
    if any(not new.samples_in(piece) or old.referred_to(piece) or new.referred_to(piece) for piece in pieces):
        return None
    return frozenset(index for piece in pieces for index in new.samples_in(piece))


def _differing(old: Document, new: Document) -> Iterator[int]:
    return (index for index in outer_region(old.pieces, new.pieces).after if old.pieces[index] != new.pieces[index])
