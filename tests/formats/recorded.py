"""What a recorded case of this room is: the text of a file, and what is done with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sampleui.errors import FormatError, SampleUIError
from sampleui.formats import beside
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.formats.document import Document, Splice
from sampleui.formats.registry import parse_case, parse_document
from sampleui.formats.rewriting import rewritten
from sampleui.text.position import Span
from tests.formats.invariants import paths_in


def play(given: Table) -> Plain:
    """Read a file, and do with it what is asked.

    Args:
        given: the `text` and the name of its `file`; `case` if it is one sample as a whole, `under` with the keys
            that a user's table says the samples are under, `kinds` with its columns of JSON and of numbers; and one
            of `edit` (a method of `Document` and its arguments), `beside` (the same for what is beside the
            samples), `rewrite` (a sample's index and its new text) and `fit` (a sample that is to be held).

    Returns:
        The text `after` the edit, what it was `refused` with, what `fits`, or all that is read in the file.
    """
    try:
        document = _opened(given)
    except SampleUIError as error:
        return {"error": str(error)}
    if "fit" in given:
        data, lost = document.fitting(given["fit"])  # type: ignore[arg-type]
        return {"fits": data, "lost": [*lost]}
    try:
        splice = _edited(document, given)
        return _read(document) if splice is None else {"after": document.apply(splice).text}
    except SampleUIError as error:
        return {"refused": str(error)}


def _opened(given: dict[str, Any]) -> Document:
    text = given["text"]
    document = parse_case(text) if given.get("case") else parse_document(text, Path(given["file"]))
    if "under" in given:
        under = document.under(text, tuple(given["under"]))
        document = document if under is None else under
    if "kinds" in given:
        document = document.with_kinds(*map(frozenset, given["kinds"]))
    return document


def _edited(document: Document, given: dict[str, Any]) -> Splice | None:
    match given:
        case {"edit": [name, index, [*path], *more]}:
            return _made(document, name, index, tuple(path), *more)
        case {"edit": [name, *more]}:
            return _made(document, name, *more)
        case {"beside": [name, path, *more]}:
            at: DataPath = tuple(path)
            return beside.edited(document, at, lambda one, index: _made(one, name, index, at, *more))
        case {"rewrite": [index, text]}:
            return rewritten(document, index, text)
    return None


def _made(document: Document, name: str, *given: Any) -> Splice:
    made: Splice = getattr(document, name)(*given)
    return made


def _read(document: Document) -> Plain:
    return {
        "context": document.context,
        "keyed": document.keyed,
        "refers": document.refers,
        "anonymous": document.anonymous,
        "container": [*document.container],
        "columns": document.columns and [*document.columns],
        "combines": document.combines,
        "listed": len(document.apart),
        "notes": [f"{at.line}:{at.column} {found.rule}: {found.message}" for found, at in document.notes()],
        "samples": [_sample(document, index) for index in range(len(document))],
    }


def _sample(document: Document, index: int) -> Plain:
    try:
        value = document.read(index)
    except FormatError as error:
        return {"name": document.name(index), "error": str(error)}
    at = document.position(index)
    return {
        "name": document.name(index),
        "at": [at.line, at.column, document.start(index)],
        "value": value,
        "source": _ends(document.source_span(index)),
        "spans": [
            [*_ends(document.span(index, path)), *_ends(document.key_span(index, path))] for path in paths_in(value)
        ],
        "findings": [f"{found.rule} {[*found.node]}: {found.message}" for found in document.findings(index)],
        "tags": [[[*path], tag] for path, tag in document.tags(index)],
    }


def _ends(span: Span) -> list[int]:
    return [span.start, span.end]
