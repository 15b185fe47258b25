"""A deck beside what git has of its files, in its index or in the last commit, and its changes since, one by one.

No program that a repository's own configuration names is run: objects are only read, and none is fetched
(`repository.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sampleui.deck.merging import reads_after
from sampleui.deck.model import Base, Change, DeckFile, DeckFiles
from sampleui.deck.repository import NoBaseError, Repository, repository_of, words_of
from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.document import Document, Splice
from sampleui.formats.registry import form_named, parse_case, parse_document
from sampleui.formats.yaml.single_sample import CaseDocument
from sampleui.text.aligning import Region, by_piece, changed_regions, stretches
from sampleui.text.confined import real_path

_NOT_THERE = (
    "does not exist",
    "exists on disk, but not in",
    "invalid object name 'HEAD'",
    "Not a valid object name",
)


_SPELLED = {Base.INDEX: ":", Base.HEAD: "HEAD:"}


def documents_of(files: DeckFiles, base: Base) -> tuple[Document, ...] | None:
    """Return the files of a deck as a base has them, in their order; a file that the base lacks has no samples.

    None stands for the files on disk.

    Raises:
        NoBaseError: if there is nothing to compare with.
    """
    if base is Base.DISK:
        return None
    find = cache(repository_of)
    return tuple(_document(source, base, find) for source in files.sources)


def _document(source: DeckFile, base: Base, find: Callable[[Path], Repository]) -> Document:
    text = _text(source, base, find)
    try:
        if text is None:
            return form_named(source.path).vacant(("samples",))
        if "\r\n" in source.disk.saved.text and "\r" not in text:
            text = text.replace("\n", "\r\n")  # as git checks it out here
        case = isinstance(source.document, CaseDocument)
        return parse_case(text) if case else parse_document(text, source.path)
    except FormatError as error:
        raise NoBaseError(f"{source.path.name} in {base} cannot be read: {error.message}") from None


def _text(source: DeckFile, base: Base, find: Callable[[Path], Repository]) -> str | None:
    path = real_path(source.path)
    ran = find(path.parent).ran(path.parent, "cat-file", "blob", f"{_SPELLED[base]}./{path.name}")
    if ran.returncode == 0:
        try:
            return ran.stdout.decode("utf-8")
        except UnicodeDecodeError:
            raise NoBaseError(f"{path.name} in {base} is not UTF-8") from None
    if any(item in words_of(ran) for item in _NOT_THERE):
        return None
    raise NoBaseError(f"git has nothing to compare {path.name} with: {words_of(ran)}")


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

    def taken_back(self, files: DeckFiles) -> Change:
        """Return the change that takes it back.

        Raises:
            EditRefusedError: when the file would not read without it.
        """
        if not reads_after(files.sources[self.back.source], (self.back.splice,)):
            raise EditRefusedError(
                "the file would not be readable with this change alone undone; it goes with others"
            )
        return self.back


def hunks(files: DeckFiles, olds: Sequence[Document] | None = None) -> list[Hunk]:
    """Return what differs from a base, in the order of the files: from what is on disk if none is given."""
    bases = olds if olds is not None else [source.disk.saved for source in files.sources]
    changes: list[Hunk] = []
    before = 0
    for number, (source, old) in enumerate(zip(files.sources, bases, strict=True)):
        for region in by_piece(changed_regions(old.pieces, source.document.pieces)):
            changes += _in_region(number, source, old, region, before)
        before += len(source.document)
    return changes


def _in_region(number: int, source: DeckFile, old: Document, region: Region, before: int) -> Iterator[Hunk]:
    document = source.document
    gone = old.pieces[region.before.start : region.before.stop]
    come = document.pieces[region.after.start : region.after.stop]
    indexes = [index for piece in region.after for index in document.samples_in(piece)]
    samples = range(before + indexes[0], before + indexes[-1] + 1) if indexes else range(0)
    first = document.breaks_before[region.after.start] + 1
    if len(gone) != 1 or len(come) != 1:
        change = Change(number, Splice(region.after.start, come, gone))
        yield Hunk(change, first, "".join(gone), "".join(come), samples)
        return
    a, b = (text.splitlines(keepends=True) for text in (gone[0], come[0]))
    for equal, old_lines, new_lines in stretches(a, b):
        if not equal:
            was, now = "".join(a[old_lines.start : old_lines.stop]), "".join(b[new_lines.start : new_lines.stop])
            text = "".join((*b[: new_lines.start], was, *b[new_lines.stop :]))
            change = Change(number, Splice(region.after.start, come, (text,)))
            yield Hunk(change, first + new_lines.start, was, now, samples)
