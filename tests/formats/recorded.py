"""What a recorded case of this room is: the text of a file, and what is done with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from sampleui.errors import FormatError, SampleUIError
from sampleui.formats import beside
from sampleui.formats.crossing import scenarios_in, tests_in
from sampleui.formats.data import Plain, Table, shown
from sampleui.formats.document import Document, Splice
from sampleui.formats.referring import Referring
from sampleui.formats.registry import BY_NAME, parse_case, parse_document
from sampleui.formats.rewriting import rewritten
from sampleui.formats.scenarios.document import Combining
from sampleui.text.edit import shared_end, shared_start
from sampleui.text.position import Span
from tests.formats.invariants import paths_in


def play(given: Table) -> Plain:
    """Read a file, and do with it what is asked.

    Args:
        given: the `text` and the name of its `file`; `case` if it is one sample as a whole, `configs` if it is a
            file of scenarios (null), or of tests that go with these entries, `under` with the keys that a user's
            table says the samples are under, `kinds` with its columns of JSON and of numbers; and one of `edits`
            (methods of `Document` and their arguments, each done to what the last one left), `beside` (one such for
            what is beside the samples), `rewrite` (a sample's index and its new text), `into` (another text, which
            an edit might make of the file) and `fit` (a sample that is to be held). Or a `new` file's format, and
            the keys that its samples are to be `under`.

    Returns:
        The text after each edit, or what it was refused with, and where the samples are in the end; whether the
        other text passes the proof of an edit; what `fits`; or all that is read in the file.
    """
    try:
        document = _opened(given)
    except SampleUIError as error:
        return {"error": str(error)}
    if "fit" in given:
        data, lost = document.fitting(given["fit"])  # type: ignore[arg-type]
        return {"fits": data, "lost": [*lost]}
    if "into" in given:
        return _passes(document, given["into"])
    deeds = [*_deeds(given)]
    if not deeds:
        return _read(document)
    after: list[Plain] = []
    for deed in deeds:
        try:
            document = document.apply(deed(document))
            after.append(document.text)
        except SampleUIError as error:
            after.append({"refused": str(error)})
    return {"after": after, "samples": [_place(document, index) for index in range(len(document))]}


def _opened(given: dict[str, Any]) -> Document:
    if "new" in given:
        return BY_NAME[given["new"]].vacant(tuple(given["under"]))
    text = given["text"]
    path = Path(given["file"])
    if "configs" in given:
        configs = given["configs"]
        return (
            tests_in(text, path, [(tuple(at), value) for at, value in configs], whole=True)
            if configs
            else scenarios_in(text, path)
        )
    document = parse_case(text) if given.get("case") else parse_document(text, path)
    if "under" in given:
        under = document.under(text, tuple(given["under"]))
        document = document if under is None else under
    if "kinds" in given:
        document = document.with_kinds(*map(frozenset, given["kinds"]))
    return document


def _deeds(given: dict[str, Any]) -> Iterator[Callable[[Document], Splice]]:
    for name, *more in given.get("edits", ()):
        yield partial(_edited, name, more)
    if "beside" in given:
        yield _edited_beside(*given["beside"])
    if "rewrite" in given:
        yield lambda document: rewritten(document, *given["rewrite"])


def _edited(name: str, given: list[Any], document: Document) -> Splice:
    index, *more = given
    if more and isinstance(more[0], list):
        more[0] = tuple(more[0])
    splice: Splice = getattr(document, name)(index, *more)
    return splice


def _edited_beside(name: str, path: list[str | int], *more: Any) -> Callable[[Document], Splice]:
    return lambda document: beside.edited(
        document, tuple(path), lambda one, index: _edited(name, [index, path, *more], one)
    )


def _passes(document: Document, text: str) -> Plain:
    try:
        after = document.again(text)
        before, now = document.pieces, after.pieces
        head = shared_start(before, now)
        tail = shared_end(before[head:], now[head:])
        splice = Splice(head, before[head : len(before) - tail], now[head : len(now) - tail])
        return document._fits(splice, after)
    except SampleUIError as error:
        return {"error": str(error)}


def _place(document: Document, index: int) -> Plain:
    at = document.position(index)
    return [document.name(index), at.line, at.column, document.start(index)]


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
        "elsewhere": [*_elsewhere(document)],
        "held": [[*document.samples_in(piece)] for piece in range(len(document.pieces))],
        "notes": [f"{at.line}:{at.column} {found.rule}: {found.message}" for found, at in document.notes()],
        "samples": [_sample(document, index) for index in range(len(document))],
    }


def _elsewhere(document: Document) -> Iterator[Plain]:
    """Yield what the file says of other files: where samples, scenarios and tests of these are."""
    for named in document.references if isinstance(document, Referring) else ():
        yield [named.path, named.apart, named.position.line, named.position.column]
    for one, at in document.files_apart() if isinstance(document, Combining) else ():
        yield [shown(one.at), one.path, [[*path] for path, _ in one.configs or ()], at.line, at.column]


def _sample(document: Document, index: int) -> Plain:
    try:
        value = document.read(index)
    except FormatError as error:
        return {"name": document.name(index), "error": str(error)}
    return {
        "at": _place(document, index),
        "value": value,
        "source": _ends(document.source_span(index)),
        "spans": [
            [*_ends(document.span(index, path)), *_ends(document.key_span(index, path))] for path in paths_in(value)
        ],
        "findings": [f"{found.rule} {[*found.node]}: {found.message}" for found in document.findings(index)],
        "tags": [[[*path], tag] for path, tag in document.tags(index)],
        "shared": [[*document.sharing(index, path)] for path in (paths_in(value) if document.combines else ())],
    }


def _ends(span: Span) -> list[int]:
    return [span.start, span.end]
