"""What others wrote to the files of a deck while it was edited, turned into edits of that deck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sampleui.deck.model import Change, DeckFiles, Source
from sampleui.errors import FormatError
from sampleui.formats.document import Document, Splice
from sampleui.formats.registry import parse_document
from sampleui.text.aligning import Region, changed_regions


class DiskChanges(NamedTuple):
    """A deck as it is on disk now, beside the one that is edited.

    Attributes:
        disk: its files as they were read again.
        changes: what is to be made of the edited files, in order, to take what the disk alone has changed.
        both: how many places both sides have changed; there the changes leave the edits as they are.
    """

    disk: DeckFiles
    changes: tuple[Change, ...]
    both: int


def changes_on_disk(files: DeckFiles, disk: DeckFiles) -> DiskChanges | None:
    """Return what the disk has changed since a deck was read or saved, sample by sample.

    None if it cannot be taken piece by piece: other files belong to the deck now, or the whole would not read.
    """
    if [source.path for source in files.sources] != [source.path for source in disk.sources]:
        return None
    changes: list[Change] = []
    both = 0
    for number, (mine, theirs) in enumerate(zip(files.sources, disk.sources, strict=True)):
        splices, clashes = _merged(mine, theirs.document)
        if splices and not reads_after(mine, splices):
            return None
        both += clashes
        changes += [Change(number, splice) for splice in splices]
    return DiskChanges(disk, tuple(changes), both)


def edits_of(files: DeckFiles) -> tuple[Change, ...]:
    """Return what is edited of a deck as changes of what is on disk."""
    return tuple(_changes([source.disk.saved for source in files.sources], files))


def changes_to(files: DeckFiles, wanted: DeckFiles) -> tuple[Change, ...]:
    """Return the changes that make files hold what others of the same deck do."""
    return tuple(_changes([source.document for source in files.sources], wanted))


def rebase(files: DeckFiles, disk: DeckFiles) -> None:
    """Note that the disk holds what was read again: from now on saves compare with that."""
    for source, read in zip(files.sources, disk.sources, strict=True):
        source.disk.saved, source.disk.stamp, source.disk.read = read.document, read.disk.stamp, read.disk.read


def _merged(mine: Source, theirs: Document) -> tuple[list[Splice], int]:
    """Return the splices that take what the disk alone has changed, the last place first, and how many clash."""
    base = mine.disk.saved.pieces
    own = [*by_piece(changed_regions(base, mine.document.pieces))]
    taken: list[Splice] = []
    clashes = 0
    for region in reversed([*by_piece(changed_regions(base, theirs.pieces))]):
        new = theirs.pieces[region.after.start : region.after.stop]
        near = [item for item in own if _touch(item.before, region.before)]
        if any(mine.document.pieces[each.after.start : each.after.stop] != new for each in near):
            clashes += 1
        elif not near:
            shift = sum(
                len(change.after) - len(change.before)
                for change in own
                if change.before.stop <= region.before.start
            )
            old = base[region.before.start : region.before.stop]
            taken.append(Splice(region.before.start + shift, old, new))
    return taken, clashes


def by_piece(regions: Sequence[Region]) -> Iterator[Region]:
    """Yield regions piece by piece where as many pieces came as went: each of these is a sample."""
    for region in regions:
        if len(region.before) == len(region.after) > 1:
            pairs = zip(region.before, region.after, strict=True)
            yield from (Region(range(old, old + 1), range(new, new + 1)) for old, new in pairs)
        else:
            yield region


def _touch(changed: range, other: range) -> bool:
    """Tell whether two stretches have a piece in common, or something comes in at the same place."""
    if not changed or not other:
        return changed.start <= other.stop and other.start <= changed.stop
    return changed.start < other.stop and other.start < changed.stop


def reads_after(source: Source, splices: Sequence[Splice]) -> bool:
    """Tell whether a document reads as a whole after some splices."""
    document = source.document
    for splice in splices:
        document = document.apply(splice)
    try:
        return len(parse_document(document.text, source.path)) == len(document)
    except FormatError:
        return False


def _changes(documents: Sequence[Document], wanted: DeckFiles) -> Iterator[Change]:
    """Yield the changes that turn documents into those of wanted files, the last place of each file first."""
    for number, (document, source) in enumerate(zip(documents, wanted.sources, strict=True)):
        old, new = document.pieces, source.document.pieces
        for region in reversed(changed_regions(old, new)):
            removed = old[region.before.start : region.before.stop]
            added = new[region.after.start : region.after.stop]
            yield Change(number, Splice(region.before.start, removed, added))
