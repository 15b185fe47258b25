"""The changes of a deck since a base, one by one, and the edits that take one of them back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from sampleui.deck.merging import by_piece, reads
from sampleui.deck.model import Change, DeckFiles, Source
from sampleui.deck.regions import Region, changed_regions
from sampleui.errors import EditRefusedError
from sampleui.formats.document import Document, Splice


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that differ.

    Attributes:
        back: the change that takes it back.
        line: where it begins in the file as it is, counted from 1.
        old, new: its lines before and now.
        samples: the indexes of the samples it is in, in the file as it is; none if they are deleted.
    """

    back: Change
    line: int
    old: str
    new: str
    samples: range


def hunks(files: DeckFiles, olds: Sequence[Document] | None = None) -> list[Hunk]:
    """Return what differs from a base, in the order of the files: from what is on disk if none is given."""
    bases = olds if olds is not None else [source.disk.saved for source in files.sources]
    found: list[Hunk] = []
    before = 0
    for number, (source, old) in enumerate(zip(files.sources, bases, strict=True)):
        for region in by_piece(changed_regions(old.pieces, source.document.pieces)):
            found += _in_region(number, source, old, region, before)
        before += len(source.document)
    return found


def taken_back(files: DeckFiles, hunk: Hunk) -> Change:
    """Return the change that takes a hunk back.

    Raises:
        EditRefusedError: when the file would not read without it.
    """
    if not reads(files.sources[hunk.back.source], (hunk.back.splice,)):
        raise EditRefusedError("the file would not be readable with this alone taken back; it goes with others")
    return hunk.back


def _in_region(at: int, source: Source, old: Document, region: Region, before: int) -> Iterator[Hunk]:
    document = source.document
    gone = old.pieces[region.before.start : region.before.stop]
    come = document.pieces[region.after.start : region.after.stop]
    indexes = [index for piece in region.after for index in document.samples_in(piece)]
    samples = range(before + indexes[0], before + indexes[-1] + 1) if indexes else range(0)
    first = document.breaks_before[region.after.start] + 1
    if len(gone) != 1 or len(come) != 1:
        change = Change(at, Splice(region.after.start, come, gone))
        yield Hunk(change, first, "".join(gone), "".join(come), samples)
        return
    a, b = (text.splitlines(keepends=True) for text in (gone[0], come[0]))
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            text = "".join((*b[:j1], *a[i1:i2], *b[j2:]))
            change = Change(at, Splice(region.after.start, come, (text,)))
            yield Hunk(change, first + j1, "".join(a[i1:i2]), "".join(b[j1:j2]), samples)
