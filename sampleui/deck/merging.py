"""What others wrote to the files of a deck while it was edited, turned into edits of that deck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sampleui.deck.model import Change, DeckFile, DeckFiles
from sampleui.deck.three_way import merged
from sampleui.errors import FormatError
from sampleui.formats.data import DataPath, same
from sampleui.formats.document import Document, Splice
from sampleui.text.aligning import changed_regions


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


def changes_on_disk(files: DeckFiles, disk: DeckFiles, id_paths: Sequence[DataPath] = ()) -> DiskChanges | None:
    """Return what the disk has changed since a deck was read or saved, sample by sample and value by value.

    None if it cannot be taken piece by piece: other files belong to the deck now, or the whole would not read.

    Args:
        files: the deck that is edited.
        disk: the deck as the disk has it now.
        id_paths: where the id of a sample may be.
    """
    if [source.path for source in files.sources] != [source.path for source in disk.sources]:
        return None
    changes: list[Change] = []
    both = 0
    for number, (mine, theirs) in enumerate(zip(files.sources, disk.sources, strict=True)):
        found = merged(mine.disk.saved, mine.document, theirs.document, id_paths)
        splices = [*_splices(mine.document.pieces, found.pieces)]
        if splices and not reads_after(mine, splices):
            return None
        both += found.clashes
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


def reads_after(source: DeckFile, splices: Sequence[Splice]) -> bool:
    """Tell whether a document reads as a whole after some splices, and each of its samples as it does by itself."""
    document = source.document
    for splice in splices:
        document = document.apply(splice)
    try:
        again = document.again(document.text)
    except FormatError:
        return False
    return len(again) == len(document) and all(
        again.chunk(index) == document.chunk(index) or same(again.reading(index), document.reading(index))
        for index in range(len(document))
    )


def _changes(documents: Sequence[Document], wanted: DeckFiles) -> Iterator[Change]:
    """Yield the changes that turn documents into those of wanted files, the last place of each file first."""
    for number, (document, source) in enumerate(zip(documents, wanted.sources, strict=True)):
        for splice in _splices(document.pieces, source.document.pieces):
            yield Change(number, splice)


def _splices(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[Splice]:
    """Yield the splices that make some pieces of others, the last place first."""
    for region in reversed(changed_regions(old, new)):
        removed = old[region.before.start : region.before.stop]
        yield Splice(region.before.start, removed, new[region.after.start : region.after.stop])
