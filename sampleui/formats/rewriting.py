"""A sample's text replaced by text that the author typed, proved by reading the whole file again."""

from __future__ import annotations

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.data import same
from sampleui.formats.document import Document, Splice
from sampleui.text.position import Position, position_at
from sampleui.text.wording import counted


def rewritten(document: Document, index: int, text: str) -> Splice:
    """Return the splice that puts a text in the place of a sample's own.

    Raises:
        PathError: if there is no such sample.
        EditRefusedError: when the file does not read with it, or reads as more than that sample changed; with line
            and column in the text, if they are known.
    """
    place, span = document.piece_of(index), document.source_span(index)
    piece = document.pieces[place]
    if piece[span.start : span.end].endswith("\n") and not text.endswith("\n"):
        text += "\n"
    splice = Splice(place, (piece,), (piece[: span.start] + text + piece[span.end :],))
    pieces = (*document.pieces[:place], *splice.added, *document.pieces[place + 1 :])
    try:
        again = document.again("".join(pieces))
    except FormatError as error:
        raise _misread(error, document.position(index, span.start)) from None
    if len(again) != len(document):
        raise EditRefusedError(f"it holds {_other(len(again) - len(document))} than before; one sample stays one")
    if again.pieces != pieces:
        raise EditRefusedError("with it the file falls apart differently: another sample would change")
    _prove(document, again, place, position_at(piece, span.start))
    return splice


def _prove(before: Document, after: Document, piece: int, start: Position) -> None:
    """Check that what was rewritten can be read, and that no other sample reads differently."""
    own = after.samples_in(piece)
    for index in own:
        try:
            after.read(index)
        except FormatError as error:
            raise _misread(error, start) from None
    if "&" in before.pieces[piece]:  # other samples may hold aliases of what was rewritten
        for index in range(len(after)):
            if index not in own and not same(after.reading(index), before.reading(index)):
                raise EditRefusedError("another sample would read differently")


def _misread(error: FormatError, start: Position) -> EditRefusedError:
    """Return the refusal for an error in the file, its line and column counted from where the new text begins."""
    line = max((error.line or start.line) - start.line + 1, 1)
    column = (error.column or 0) - (start.column - 1 if line == 1 else 0)
    place = f"line {line}" + (f", column {column}" if column > 0 else "")
    return EditRefusedError(f"{place}: {error.message}")


def _other(more: int) -> str:
    return f"{counted(abs(more), 'sample')} {'more' if more > 0 else 'fewer'}"
