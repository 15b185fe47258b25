"""Write a deck back: proved first, then atomically, and never over somebody else's change."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sampleui.deck.load import stamp_of
from sampleui.deck.model import DeckFile, DeckFiles
from sampleui.errors import FormatError, SaveError, SaveRefusedError, StaleFileError
from sampleui.formats.data import same
from sampleui.formats.document import Document
from sampleui.text.aligning import changed_regions
from sampleui.text.confined import NotRegularError, is_folder, is_free, opened, passes_link, real_path, status_of
from sampleui.text.replacing import Draft, drafted, folders_held, put_in_place


class Saved(NamedTuple):
    """What a save did.

    Attributes:
        paths: the files it wrote.
        lost: what could not be kept of a file that was replaced, such as its owner, in words.
    """

    paths: tuple[Path, ...] = ()
    lost: tuple[str, ...] = ()


def save(files: DeckFiles, *, whole: bool = True, trusted: Path | None = None, exact: bool = False) -> Saved:
    """Write the files of a deck that changed; the states of the deck then count as saved.

    All files are checked, proved and written beside their targets before the first one is replaced, so one that
    cannot be written keeps the others from being half of a save. A file is replaced by renaming a new one over it:
    a reader sees the old text or the new, never a part. A symlink stays and its target is replaced; mode, access
    lists, extended attributes and, where the system allows, owner are kept. A file with several hard links leaves
    its other names with the old text. What is lost is in the result.

    Args:
        files: the files.
        whole: whether each text is proved by reading all of it again, also where reading what changed and its
            neighbours is proof enough (`proved_nearby`).
        trusted: the folder that a person named, below which the deck was found or is to lie; None if they named it.
        exact: whether a file that another program gave the very text that would be written has changed: of two that
            add the same, only one has then done so.

    Raises:
        StaleFileError: when a file changed on disk since it was read.
        SaveRefusedError: when the new text does not read back as the deck's values or is not valid Unicode.
        SaveError: when the system does not let a file be written. Its message names the files of a deck of several
            that were replaced before the system failed; their part is saved.
    """
    changed = [source for source in files.sources if source.changed]
    if not changed:
        return Saved()
    for source in changed:
        _refuse_link(files, source)
        if whole or not proved_nearby(source):
            prove(source)
    with contextlib.ExitStack() as stack:
        with _errors_in_words(changed[0].path):
            stack.enter_context(folders_held(source.path for source in files.sources))
        drafts = [_drafted(files, source, stack, trusted, exact=exact) for source in changed]
        for source, draft in zip(changed, drafts, strict=True):
            _refuse_stale(source, None if exact else draft.data)
        for number, (source, draft) in enumerate(zip(changed, drafts, strict=True)):
            with _errors_in_words(source.path, changed[:number]):
                put_in_place(draft)
            source.disk.stamp = stamp_of(draft.target, len(draft.data))
            source.disk.saved, source.disk.read = source.document, True
    lost = (
        f"{source.path.name}: {loss}" for source, draft in zip(changed, drafts, strict=True) for loss in draft.lost
    )
    return Saved(tuple(source.path for source in changed), tuple(lost))


def write_copy(source: DeckFile, path: Path) -> bool:
    """Write the text of a file, edits included, to another path, whole or not at all; tell whether it was free.

    What is there stays as it is, and the deck's own file counts as saved no more than before.

    Raises:
        SaveError: when the copy cannot be written.
    """
    data = _encoded(source)
    with _errors_in_words(path), folders_held([path]):
        if not is_free(path):
            return False
        with drafted(path, data) as draft:
            put_in_place(draft)
    return True


def is_stale(source: DeckFile) -> bool:
    """Tell whether a file seems to have been changed, deleted or created on disk since it was read.

    Cheap enough to ask often: the bytes are read only when size or time differ. `save` always reads them.

    Raises:
        SaveError: when the file cannot be read.
    """
    try:
        return _seems_stale(source)
    except OSError as error:
        raise SaveError(f"{source.path} cannot be read: {_words(error)}") from error


def _seems_stale(source: DeckFile) -> bool:
    stamp = source.disk.stamp
    status = status_of(source.path)
    if status and stamp and (status.st_size, status.st_mtime_ns) == (stamp.size, stamp.mtime_ns):
        return False
    return not _is_as_read(source)


def _encoded(source: DeckFile) -> bytes:
    try:
        return b"".join(source.document.encoded())
    except UnicodeEncodeError as error:
        code = ord(error.object[error.start])
        raise SaveRefusedError(
            f"{source.path} was not saved: half of a surrogate pair, U+{code:04X}, cannot be written as UTF-8"
        ) from None


def _is_as_read(source: DeckFile) -> bool:
    """Tell whether the disk holds what it held when a file was last read or written, or still nothing.

    The bytes decide and not the time stamp: two writes within one tick of the clock have the same time.
    """
    if source.disk.stamp is None:
        return not _exists(source.path)
    return _holds(source.path, source.disk.saved.encoded())


def _holds(path: Path, stretches: Iterable[bytes]) -> bool:
    """Tell whether a file has some bytes, and no others."""
    try:
        with opened(path) as file:
            return all(file.read(len(data)) == data for data in stretches) and not file.read(1)
    except (FileNotFoundError, NotRegularError):
        return False


def _exists(path: Path) -> bool:
    try:
        with opened(path):
            return True
    except FileNotFoundError:
        return False
    except NotRegularError:
        return True


def _refuse_stale(source: DeckFile, wanted: bytes | None) -> None:
    """Refuse a file that changed since it was read, unless it has just the bytes that are wanted of it."""
    path, stamp = source.path, source.disk.stamp
    with _errors_in_words(path):
        if _is_as_read(source):
            return
        if not _exists(path):
            raise StaleFileError(f"{path} was not saved: the file was deleted since it was read")
        if wanted is not None and _holds(path, [wanted]):
            return
    change = "changed on disk since it was read" if stamp else "was created after the deck was begun"
    raise StaleFileError(f"{path} was not saved: the file {change}")


def _is_named(files: DeckFiles, source: DeckFile) -> bool:
    """Tell whether a person named a file of a deck, so that it is written where it leads."""
    return files.named and source is files.sources[0]


def _refuse_link(files: DeckFiles, source: DeckFile) -> None:
    if not _is_named(files, source) and passes_link(source.path, files.path.parent):
        leads = "which nothing is written through unless it is named itself"
        raise SaveRefusedError(f"{source.path} was not saved: it is or goes through a link, {leads}")


def _drafted(
    files: DeckFiles, source: DeckFile, stack: contextlib.ExitStack, trusted: Path | None, *, exact: bool
) -> Draft:
    named = trusted is None and _is_named(files, source)
    data = _encoded(source)
    with _errors_in_words(source.path):
        if _seems_stale(source):  # the bytes are compared again, whatever the times say, before it is replaced
            _refuse_stale(source, None if exact else data)
        return stack.enter_context(
            drafted(
                source.path,
                data,
                through_link=named,
                trusted=None if named else trusted or files.path.parent,
            )
        )


@contextlib.contextmanager
def _errors_in_words(path: Path, before: Sequence[DeckFile] = ()) -> Iterator[None]:
    """Turn an error of the system into words about the file that could not be saved."""
    try:
        yield
    except OSError as error:
        done = f"; saved before that: {', '.join(str(source.path) for source in before)}" if before else ""
        raise SaveError(f"{path} was not saved: {_why(path, error)}{done}") from error


def _why(path: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and not is_folder(path.parent):
        return f"there is no folder {path.parent}"
    if isinstance(error, PermissionError) and error.filename is not None:
        if Path(error.filename) in (real_path(path), path.absolute()):
            return f"the file is read-only ({_words(error)})"
        return f"the folder {path.parent} does not allow it ({_words(error)})"
    return _words(error)


def _words(error: OSError) -> str:
    return error.strerror or str(error)


# The proof: the new text, read from its first character, must say what the deck says


def prove(source: DeckFile) -> None:
    """Check that a changed document reads back as its values and that all it did not change is as it was.

    The whole text is read again. It must have the same number of samples, and the values beside them that the deck
    has. Where it falls into the same pieces, a piece that did not change has its old text and therefore
    its old value, so the samples of the changed pieces are compared; else every sample is.

    Raises:
        SaveRefusedError: when it does not.
    """
    document, saved = source.document, source.disk.saved
    try:
        again = document.again(document.text)
    except FormatError as error:
        raise _refusal(source, f"line {error.line} would not be readable: {error.message}") from error
    if len(again) != len(document):
        raise _refusal(source, f"it would read as {len(again)} samples and not as {len(document)}")
    if not same(again.context, document.context):
        raise _refusal(source, "the values beside the samples would change")
    for index in _doubtful(saved, document, again):
        if not _alike(document, index, again, index):
            name = document.name(index) or f"#{index + 1}"
            raise _refusal(source, f"sample {name} would not read back as it was edited")


def proved_nearby(source: DeckFile) -> bool:
    """Tell whether a changed document is proved by reading the changed pieces, and not the whole text, again.

    The pieces that changed are read as one text with the head, the first sample, their neighbours, the last sample
    and the tail. It must fall into just these pieces, with the values that the deck has. That proves the whole text
    where the file's own reading is known to be whole, and the format says that no changed piece can reach others
    than its neighbours (`Document.are_apart`): a reader between two pieces is where it always is, between samples.

    Where this is False, nothing is known: `prove` decides.
    """
    document, saved = source.document, source.disk.saved
    pieces, last = document.pieces, len(document.pieces) - 1
    if not source.disk.read or len(document) != last - 1 or replace(saved, pieces=pieces) != document:
        return False
    regions = changed_regions(saved.pieces, pieces)
    before = [saved.pieces[index] for region in regions for index in region.before]
    after = [pieces[index] for region in regions for index in region.after]
    if last < 2 or pieces[0] != saved.pieces[0] or pieces[-1] != saved.pieces[-1]:
        return False
    around = (index for region in regions for index in range(region.after.start - 1, region.after.stop + 1))
    near = sorted({0, 1, last - 1, last, *around})
    texts = tuple(pieces[index] for index in near)
    try:
        again = document.again("".join(texts)) if document.are_apart(before, after) else None
    except FormatError:
        return False
    return (
        again is not None
        and again.pieces == texts
        and len(again) == len(texts) - 2
        and same(again.context, document.context)
        and all(_alike(document, index - 1, again, again_index) for again_index, index in enumerate(near[1:-1]))
    )


def _refusal(source: DeckFile, reason: str) -> SaveRefusedError:
    return SaveRefusedError(f"{source.path} was not saved: {reason}")


def _doubtful(saved: Document, document: Document, again: Document) -> list[int]:
    if again.pieces != document.pieces:
        return list(range(len(document)))
    changed = (region.after for region in changed_regions(saved.pieces, document.pieces))
    return sorted({index for pieces in changed for piece in pieces for index in document.samples_in(piece)})


def _alike(document: Document, index: int, again: Document, again_index: int) -> bool:
    if document.name(index) != again.name(again_index):
        return False
    mine = document.reading(index)
    if mine is None:  # a sample that could not be read stays as it is: it is written back with its own text
        return document.chunk(index) == again.chunk(again_index)
    return same(mine, again.reading(again_index))
