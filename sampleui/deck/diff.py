"""How a deck differs from another state of it: as a unified diff, as changed samples, as what an edit touched.

Only the changed pieces are compared, so that large decks are quick.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby, repeat

from sampleui.deck.model import DeckFile, DeckFiles
from sampleui.errors import FormatError
from sampleui.formats.document import Document
from sampleui.formats.made_samples import MadeSamples
from sampleui.text.aligning import Region, changed_regions, outer_region, shifted_range
from sampleui.text.wording import ELLIPSIS

CONTEXT = 3
"""The unchanged lines shown around a change."""

_LONG, _AROUND = 300, 60
"""Characters of a line that a diff in brief shows, and of what is the same on either side of what differs."""


def diff(files: DeckFiles, olds: Sequence[Document] | None = None) -> str:
    """Return how the files differ from a base, as `diff -u` writes it; empty when they do not.

    The base is what is on disk, unless `olds` has other documents of the files. Lines end at LF as `git` counts
    them, and a CR before it is a part of its line.
    """
    return "".join(line for source, old in _compared(files, olds) for line in _file_diff(source, old))


def in_brief(text: str) -> str:
    """Return a diff without the unchanged lines, and of long lines what differs alone, for a program to read."""
    rows = (row for row in text.split("\n") if not row.startswith(" "))
    blocks = [[""], *([*rows] for _, rows in groupby(rows, key=lambda row: row[:1])), [""]]
    brief: list[str] = []
    for before, block, after in zip(blocks, blocks[1:], blocks[2:], strict=False):
        beside = after if block[0].startswith("-") else before
        is_pair = {block[0][:1], beside[0][:1]} == {"-", "+"}
        brief += map(_brief, block, (*(beside if is_pair else ()), *repeat("", len(block))))
    return "\n".join(brief)


def _brief(row: str, other: str) -> str:
    """Return a line of a diff cut around what differs from another."""
    if len(row) <= _LONG:
        return row
    differs = outer_region(row[1:], other[1:]).before
    start, stop = max(differs.start - _AROUND, 0), min(differs.stop + _AROUND, differs.start + _LONG)
    shown = row[1 + start : 1 + stop]
    return f"{row[0]}{ELLIPSIS if start else ''}{shown}{ELLIPSIS if 1 + stop < len(row) else ''}"


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


def counterparts(old: Document, new: Document, moved: Container[str]) -> dict[int, int | None]:
    """Return the samples that differ from those of an older state of their file, and which of these each was.

    None stands for a sample that is new.
    """
    left: list[int] = []
    partners: dict[int, int | None] = {}
    for region in changed_regions(old.pieces, new.pieces, moved):
        was, now = _samples_within(old, region.before), _samples_within(new, region.after)
        inner = changed_regions([*map(old.own_text, was)], [*map(new.own_text, now)], moved)
        for item in inner:
            gone, come = was[item.before.start : item.before.stop], now[item.after.start : item.after.stop]
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


def _compared(files: DeckFiles, olds: Sequence[Document] | None) -> Iterator[tuple[DeckFile, Document]]:
    """Yield the files that differ from a base, each with its document there."""
    if olds is None:
        yield from ((source, source.disk.saved) for source in files.sources if source.changed)
        return
    for source, old in zip(files.sources, olds, strict=True):
        if old.pieces != source.document.pieces and old.text != source.document.text:
            yield source, old


def _file_diff(source: DeckFile, old: Document) -> Iterator[str]:
    yield "--- /dev/null\n" if source.disk.stamp is None else f"--- {source.path}\n"
    yield f"+++ {source.path}\n"
    before, after = _lines_of(old.text), _lines_of(source.document.text)
    regions = (
        _shifted(region, lines.before.start, lines.after.start)
        for lines in _whole_lines(old, source.document)
        for region in changed_regions(before[_slice(lines.before)], after[_slice(lines.after)])
    )
    for hunk in _hunks(regions):
        yield from _hunk_lines(before, after, hunk)


def _whole_lines(old: Document, new: Document) -> list[Region]:
    """Return the lines that changed pieces are on; several pieces may share a line."""
    stretches: list[Region] = []
    for pieces in changed_regions(old.pieces, new.pieces):
        ends = _begins_line(old.pieces, pieces.before.stop) and _begins_line(new.pieces, pieces.after.stop)
        shared = 0 if ends else 1
        before = range(old.breaks_before[pieces.before.start], old.breaks_before[pieces.before.stop] + shared)
        after = range(new.breaks_before[pieces.after.start], new.breaks_before[pieces.after.stop] + shared)
        if stretches and before.start < stretches[-1].before.stop:
            last = stretches.pop()
            before, after = range(last.before.start, before.stop), range(last.after.start, after.stop)
        stretches.append(Region(before, after))
    return stretches


def _begins_line(pieces: Sequence[str], index: int) -> bool:
    while index > 0 and not pieces[index - 1]:
        index -= 1
    return index == 0 or pieces[index - 1].endswith("\n")


def _slice(span: range) -> slice:
    return slice(span.start, span.stop)


def _shifted(region: Region, before: int, after: int) -> Region:
    """Return a region that is counted from lines further above."""
    return Region(shifted_range(region.before, before), shifted_range(region.after, after))


def _hunks(regions: Iterable[Region]) -> Iterator[list[Region]]:
    """Yield changed regions of lines, grouped where they share lines of context."""
    hunk: list[Region] = []
    for region in regions:
        if hunk and region.before.start - hunk[-1].before.stop > 2 * CONTEXT:
            yield hunk
            hunk = []
        hunk.append(region)
    if hunk:
        yield hunk


def _hunk_lines(before: Sequence[str], after: Sequence[str], hunk: Sequence[Region]) -> Iterator[str]:
    first, last = hunk[0], hunk[-1]
    above = min(CONTEXT, first.before.start)
    below = min(CONTEXT, len(before) - last.before.stop)
    at_line, stop = first.before.start - above, last.before.stop + below
    yield f"@@ -{_range(at_line, stop)} +{_range(first.after.start - above, last.after.stop + below)} @@\n"
    for region in hunk:
        yield from (_shown(" ", line) for line in before[at_line : region.before.start])
        yield from (_shown("-", line) for line in before[region.before.start : region.before.stop])
        yield from (_shown("+", line) for line in after[region.after.start : region.after.stop])
        at_line = region.before.stop
    yield from (_shown(" ", line) for line in before[at_line:stop])


def _lines_of(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


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
    if (
        len(old) != len(new)
        or len(old.pieces) != len(new.pieces)
        or isinstance(new, MadeSamples)
        or old.context != new.context
    ):
        return None
    pieces = [*_differing(old, new)]
    if any(not new.samples_in(piece) or old.referred_to(piece) or new.referred_to(piece) for piece in pieces):
        return None
    return frozenset(index for piece in pieces for index in new.samples_in(piece))


def _differing(old: Document, new: Document) -> Iterator[int]:
    return (index for index in outer_region(old.pieces, new.pieces).after if old.pieces[index] != new.pieces[index])
