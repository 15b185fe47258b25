"""Edits that the whole file is read to prove: of what is beside its samples, and of a sample's text as typed."""

from __future__ import annotations

import contextlib

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.data import Table, same
from sampleui.formats.document import Document, Splice
from sampleui.formats.made_samples import MadeSamples
from sampleui.formats.operations import Operation, applied, deed_of
from sampleui.formats.registry import BY_NAME, has_room
from sampleui.text.position import Position, position_at, shared_end, shared_start
from sampleui.text.wording import counted


def edited(document: Document, operation: Operation, *, of_all: bool = False) -> Splice:
    """Return the splice of an operation on what is beside the samples, made of the file as if it were one sample.

    The samples but the last one are left out for it, so that it costs what the head and the tail are long. With
    `of_all` samples that repeat the value may change with it.

    Raises:
        PathError: when the path does not exist.
        EditRefusedError: when the path is not beside the samples, or no text for the edit leaves them as they are.
    """
    path = operation.path
    if isinstance(document, MadeSamples):
        document = document.as_listed
    if not has_room(document):
        raise EditRefusedError("this file has no place for values beside its samples")
    if not path or path[:1] == document.container[:1]:
        raise EditRefusedError(f"{path[0]} holds the samples" if path else "this is the whole file")
    short = _shortened(document)
    sample = BY_NAME[document.format].whole(short.text)
    if of_all:
        return _edited_of_all(document, short, sample.changing_all(), operation)
    after = sample.apply(sample.edit(0, operation))
    try:
        again = document.again(after.text)
    except FormatError as error:
        raise EditRefusedError(f"the file would not be readable: {error.message}") from None
    if not _same_samples(short, again) or not same(
        _known(again.context, document), _known(after.read(0), document)
    ):
        raise EditRefusedError("the samples would read differently")
    splice = _splice(document, short, again)
    changed = document.apply(splice)
    if "&" in "".join(splice.removed) and not _same_samples(document, changed):
        raise EditRefusedError("samples repeat this value by its anchor, and would change")
    return splice


def _edited_of_all(document: Document, short: Document, sample: Document, operation: Operation) -> Splice:
    """Return the splice of an operation on what is beside the samples, whatever becomes of those that repeat it."""
    wanted = applied(operation, _known(document.context, document))
    number = sample.piece_of(0)
    for text in sample._texts(0, operation):
        pieces = (*sample.pieces[:number], text.apply(sample.pieces[number]), *sample.pieces[number + 1 :])
        with contextlib.suppress(FormatError):
            again = document.again("".join(pieces))
            if len(again) == len(short) and same(_known(again.context, document), wanted):
                return _splice(document, short, again)
    raise EditRefusedError(f"cannot {deed_of(operation)}: there is no way to write it where it is")


def _known(values: Table, document: Document) -> Table:
    """Return values without the samples, and the key that YAML decks keep anchors under: nobody's value."""
    return {key: value for key, value in values.items() if key not in ("_", *document.container[:1])}


def _shortened(document: Document) -> Document:
    """Return a file with its last sample alone, or the whole where something beside is among the samples."""
    if len(document.pieces) > 3:
        try:
            short = document.again("".join((document.pieces[0], *document.pieces[-2:])))
        except FormatError:
            return document
        same_ends = (short.pieces[0], *short.pieces[-2:]) == (document.pieces[0], *document.pieces[-2:])
        if len(short.pieces) == 3 and same_ends and same(short.context, document.context):
            return short
    return document


def _same_samples(before: Document, after: Document) -> bool:
    alike = (len(before), before.container, before.keyed) == (len(after), after.container, after.keyed)
    return alike and all(
        before.name(index) == after.name(index) and _reading(before, index) == _reading(after, index)
        for index in range(len(before))
    )


def _reading(document: Document, index: int) -> object:
    try:
        return repr(document.read(index))  # and not the value: 1 equals true
    except FormatError:
        return document.chunk(index)


def smallest_splice(before: Document, after: Document) -> Splice:
    """Return the smallest splice that makes one document the other."""
    return _splice(before, before, after)


def _splice(document: Document, short: Document, again: Document) -> Splice:
    """Return the smallest splice that gives a document the head, the last sample and the tail of another."""
    old, new = document.pieces, again.pieces
    if short is not document:
        new = (new[0], *old[1:-2], *new[1:])
    start = shared_start(old[:-1], new[:-1])
    stop = shared_end(old[start + 1 :], new[start + 1 :])
    return Splice(start, old[start : len(old) - stop], new[start : len(new) - stop])


def rewrite_sample(document: Document, index: int, text: str) -> Splice:
    """Return the splice that puts a text in the place of a sample's own.

    Raises:
        PathError: if there is no such sample.
        EditRefusedError: when the file does not read with it, or reads as more than that sample changed; with line
            and column in the text, if they are known.
    """
    number, span = document.piece_of(index), document.source_span(index)
    piece = document.pieces[number]
    if piece[span.start : span.end].endswith("\n") and not text.endswith("\n"):
        text += "\n"
    splice = Splice(number, (piece,), (piece[: span.start] + text + piece[span.end :],))
    pieces = (*document.pieces[:number], *splice.added, *document.pieces[number + 1 :])
    try:
        again = document.again("".join(pieces))
    except FormatError as error:
        raise _misread(error, document.position(index, span.start)) from None
    if len(again) != len(document):
        count, word = abs(len(again) - len(document)), "more" if len(again) > len(document) else "fewer"
        raise EditRefusedError(f"it holds {counted(count, 'sample')} {word} than before; one sample stays one")
    if again.pieces != pieces:
        raise EditRefusedError("the file would be divided differently: another sample would change")
    _prove(document, again, number, position_at(piece, span.start))
    return splice


def _prove(before: Document, after: Document, piece: int, start: Position) -> None:
    """Check that what was rewritten can be read, and that no other sample reads differently."""
    rewritten = after.samples_in(piece)
    for index in rewritten:
        try:
            after.read(index)
        except FormatError as error:
            raise _misread(error, start) from None
    if "&" in before.pieces[piece]:  # other samples may hold aliases of what was rewritten
        for index in range(len(after)):
            if index not in rewritten and not same(after.reading(index), before.reading(index)):
                raise EditRefusedError("another sample would read differently")


def _misread(error: FormatError, start: Position) -> EditRefusedError:
    """Return the refusal for an error in the file, its line and column counted from where the new text begins."""
    line = start.line if error.line is None else max(error.line, start.line)
    column = 0 if error.column is None else error.column
    if line == start.line:
        column -= start.column - 1
    location = f", column {column}" if column > 0 else ""
    return EditRefusedError(f"line {line - start.line + 1}{location}: {error.message}")
