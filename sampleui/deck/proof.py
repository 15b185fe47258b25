"""The proof before a write: the new text, read from its first character, must say what the deck says."""

from __future__ import annotations

from sampleui.deck.model import Source
from sampleui.deck.regions import changed_regions
from sampleui.errors import FormatError, SaveRefusedError
from sampleui.formats.data import Table, same
from sampleui.formats.document import Document


def prove(source: Source) -> None:
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
        if not _alike(document, again, index):
            name = document.name(index) or f"#{index + 1}"
            raise _refusal(source, f"sample {name} would not read back as it was edited")


def _refusal(source: Source, reason: str) -> SaveRefusedError:
    return SaveRefusedError(f"{source.path} was not saved: {reason}")


def _doubtful(saved: Document, document: Document, again: Document) -> list[int]:
    if again.pieces != document.pieces:
        return list(range(len(document)))
    changed = (region.after for region in changed_regions(saved.pieces, document.pieces))
    return sorted({index for pieces in changed for piece in pieces for index in document.samples_in(piece)})


def _alike(document: Document, again: Document, index: int) -> bool:
    if document.name(index) != again.name(index):
        return False
    mine = _value(document, index)
    if mine is None:  # a sample that could not be read stays as it is: it is written back with its own text
        return document.chunk(index) == again.chunk(index)
    return same(mine, _value(again, index))


def _value(document: Document, index: int) -> Table | None:
    try:
        return document.read(index)
    except FormatError:
        return None
