"""What must hold of every edit of every form of deck, as machinery for hypothesis.

A form's test gives a `Form`: its `parse`, a strategy of deck texts (LF, with a final newline, no BOM) whose samples
have a list of `{role, content}` tables under `messages`, and what it may not be able to do. `check_deck` then reads
one drawn deck in one drawn variant, edits it several times over and takes every edit back:

    FORM = Form(parse=JsonDocument.parse, decks=decks())

    @given(st.data())
    def test_every_edit_keeps_the_rest(data):
        check_deck(FORM, data)

Comments that a deck text holds count as `#~` followed by word characters (`#~turn3`, `# #~banner`), each of them
once; they are looked for after every edit that may not lose one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import event
from hypothesis import strategies as st

from sampleui.errors import EditRefusedError
from sampleui.formats.data import (
    DataPath,
    Plain,
    Table,
    lookup,
    same,
    with_delete,
    with_insert,
    with_move,
    with_rename,
    with_set,
)
from sampleui.formats.document import Document, Splice
from sampleui.formats.operations import Delete, Insert, Move, Rename, Set
from sampleui.text.position import position_at

from .strategies import keys, new_samples, plain_values, texts, turns

BOM = "\ufeff"
NAME = "\0name"
MARKER = re.compile(r"#~\w+")


def _bare(text: str) -> str:
    return text.rstrip("\n")


VARIANTS: dict[str, Callable[[str], str]] = {
    "LF": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "BOM": lambda text: BOM + text,
    "no final newline": _bare,
    "CRLF, no final newline": lambda text: _bare(text).replace("\n", "\r\n"),
    "CRLF and BOM": lambda text: BOM + text.replace("\n", "\r\n"),
}


@dataclass(frozen=True)
class Form:
    """A form of deck to hold to the invariants.

    Attributes:
        parse: reads a whole file.
        decks: texts of decks with LF ends, a final newline and no BOM.
        null: whether the form has a null.
        tolerated: the deeds (`set`, `insert turn`, ...) that may be refused; of any other a refusal fails the test.
        line_ends_kept: whether the ends of lines of an edited text must be those of the file.
        final_newline_kept: tells, of the text before and after, whether a changed end of the file is in order.
        refuses: tells whether a deck of the form cannot hold what a deed is to make of it, and must refuse it.
        reach: the path of the value outside which nothing may change when the value at a path is set.
    """

    parse: Callable[[str], Document]
    decks: st.SearchStrategy[str]
    null: bool = True
    tolerated: frozenset[str] = field(default_factory=frozenset)
    variants: tuple[str, ...] = tuple(VARIANTS)
    line_ends_kept: bool = True
    final_newline_kept: Callable[[str, str], bool] = lambda before, after: (
        not before.strip(BOM) or not after.strip(BOM) or before.endswith("\n") == after.endswith("\n")
    )
    refuses: Callable[[Deed], bool] = lambda deed: False
    reach: Callable[[Document, int, DataPath], DataPath] = lambda document, index, path: path


@dataclass(frozen=True)
class Deed:
    """One edit: its name, how to make it, and the samples that the deck must read as afterwards."""

    name: str
    make: Callable[[Document], Splice]
    wanted: list[Plain]
    index: int = 0
    path: DataPath | None = None
    keeps_comments: bool = True


def samples_of(document: Document) -> list[Plain]:
    """Return every sample of a deck, a keyed one with its name under the key `NAME`."""
    return [{NAME: document.name(at), **document.read(at)} for at in range(len(document))]


def check_deck(form: Form, data: st.DataObject, edits: int = 3) -> None:
    """Draw a deck and some edits, and check every invariant of every one of them."""
    variant = data.draw(st.sampled_from(form.variants), label="variant")
    text = VARIANTS[variant](data.draw(form.decks, label="deck"))
    document = form.parse(text)
    check_untouched(document, text)
    history: list[tuple[Document, Splice]] = []
    for _ in range(edits):
        deed = data.draw(deeds(document, form), label="deed")
        try:
            splice = deed.make(document)
        except EditRefusedError:
            event(f"refused: {deed.name}")
            if deed.name not in form.tolerated and not form.refuses(deed):
                raise
            continue
        assert not form.refuses(deed), "what the form cannot hold was written"
        after = document.apply(splice)
        check_edit(form, document, deed, splice, after, _line_ends(text) or {"\n"})
        history.append((document, splice))
        document = after
    for before, splice in reversed(history):
        document = document.apply(splice.inverse())
        assert document.pieces == before.pieces, "undo does not restore the text"
    assert document.text == text


def check_untouched(document: Document, text: str) -> None:
    """Check that a text read and not edited is itself, and that what it holds can be found in it."""
    assert document.text == text == "".join(document.pieces)
    for index in range(len(document)):
        assert index in document.samples_in(document.piece_of(index))
        start = document.position(index)
        piece = document.piece_of(index)
        assert start == position_at(text, sum(map(len, document.pieces[:piece])))
        whole = document.span(index, ())
        assert document.start(index) == whole.start
        for path in paths_in(document.read(index)):
            span = document.span(index, path)
            assert 0 <= span.start <= span.end <= len(document.chunk(index)), path
            assert whole.start <= span.start or path == (), path
            document.key_span(index, path)


def paths_in(value: Plain, path: DataPath = ()) -> list[DataPath]:
    """Return the path of every value inside a value, itself included."""
    inner: list[tuple[str | int, Plain]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(deeper for step, child in inner for deeper in paths_in(child, (*path, step)))]


def check_edit(form: Form, before: Document, deed: Deed, splice: Splice, after: Document, usual: set[str]) -> None:
    """Check the invariants of one edit that was made, of a deck whose lines usually end so.

    Where no line end is left, a new one may be a usual or a plain one.
    """
    end = splice.start + len(splice.removed)
    assert before.pieces[splice.start : end] == splice.removed
    assert after.pieces[: splice.start] == before.pieces[: splice.start]
    assert after.pieces[splice.start + len(splice.added) :] == before.pieces[end:]
    assert after.text == "".join(after.pieces)
    again = form.parse(after.text)
    for document, how in ((after, "the edited deck"), (again, "the saved deck")):
        held = samples_of(document)
        assert len(held) == len(deed.wanted), how
        assert all(map(same, held, deed.wanted)), (how, held, deed.wanted)
    assert same(dict(again.context), dict(before.context))
    assert after.text.startswith(BOM) == before.text.startswith(BOM)
    assert form.final_newline_kept(before.text, after.text), "the end of the file changed"
    if form.line_ends_kept:
        assert _line_ends(after.text) <= (_line_ends(before.text) or {*usual, "\n"}), "the ends of lines changed"
    kept = MARKER.findall(before.text)
    if deed.name == "set" and deed.path is not None:
        span = before.span(deed.index, form.reach(before, deed.index, deed.path))
        piece = before.chunk(deed.index)
        changed = after.chunk(deed.index)
        assert len(changed) >= len(piece) - (span.end - span.start), "text outside the value changed"
        assert changed.startswith(piece[: span.start]), "text before the value changed"
        assert changed.endswith(piece[span.end :]), "text behind the value changed"
    if deed.keeps_comments:
        assert set(kept) <= set(MARKER.findall(after.text)), "a comment was lost"


def _line_ends(text: str) -> set[str]:
    return {match.group() for match in re.finditer(r"\r?\n", text)}


@st.composite
def deeds(draw: Any, document: Document, form: Form) -> Deed:
    """Return edits that make sense of a deck."""
    held = samples_of(document)
    names = ["insert sample"]
    if held:
        names += [
            "set",
            "set content",
            "set content",
            "set new",
            "insert turn",
            "insert turn",
            "delete turn",
            "move turn",
            "rename",
        ]
        names += ["delete sample", "move sample", *["rename sample"] * document.keyed]
    name = draw(st.sampled_from(names))
    if name.endswith("sample"):
        return _sample_deed(draw, document, name, held)
    index = draw(st.integers(0, len(held) - 1))
    return _value_deed(draw, document, form, name, held, index)


def _sample_deed(draw: Any, document: Document, name: str, held: list[Plain]) -> Deed:
    if name == "insert sample":
        at, sample = draw(st.integers(0, len(held))), draw(new_samples())
        taken = [row.get(key) for row in held if isinstance(row, dict) for key in (NAME, "id")]
        fresh = next(key for key in ("brand-new", "new two", "3", "fourth", "5th") if key not in taken)
        sample = {**sample, "id": fresh}
        rest = {key: value for key, value in sample.items() if key != "id"}
        row: Plain = {NAME: fresh, **rest} if document.keyed else {NAME: None, **sample}
        return Deed(name, lambda doc: doc.insert_sample(at, sample), [*held[:at], row, *held[at:]], at)
    index = draw(st.integers(0, len(held) - 1))
    if name == "rename sample":
        fresh = draw(keys().filter(lambda key: all(key != _name(row) for row in held)))
        renamed = [
            {**row, NAME: fresh} if at == index and isinstance(row, dict) else row for at, row in enumerate(held)
        ]
        return Deed(name, lambda doc: doc.rename_sample(index, fresh), renamed, index)
    if name == "delete sample":
        wanted = held[:index] + held[index + 1 :]
        return Deed(name, lambda doc: doc.delete_sample(index), wanted, index, keeps_comments=False)
    to = draw(st.integers(0, len(held) - 1))
    moved = with_move(held, (index,), to)
    assert isinstance(moved, list)
    return Deed(name, lambda doc: doc.move_sample(index, to), moved, index)


def _name(row: Plain) -> Plain:
    return row.get(NAME) if isinstance(row, dict) else None


def _value_deed(draw: Any, document: Document, form: Form, name: str, held: list[Plain], index: int) -> Deed:
    sample = document.read(index)
    messages = sample.get("messages")
    turns_held = messages if isinstance(messages, list) else []

    def deed(name: str, make: Callable[[Document], Splice], changed: Plain, **more: Any) -> Deed:
        assert isinstance(changed, dict)
        row = {NAME: document.name(index), **changed}
        return Deed(name, make, [*held[:index], row, *held[index + 1 :]], index, **more)

    def setting(name: str, path: DataPath, value: Plain, **more: Any) -> Deed:
        return deed(
            name, lambda doc: doc.edit(index, Set(path, value)), with_set(sample, path, value), path=path, **more
        )

    contents = [path for path in paths_in(turns_held, ("messages",)) if path[-1] == "content"]
    others = [path for path in paths_in(sample) if path]
    if name == "set content" and contents:
        return setting("set", draw(st.sampled_from(contents)), draw(texts()))
    if name == "set" and others:
        path = draw(st.sampled_from(others))
        old = lookup(sample, path)
        if not isinstance(old, dict | list):
            return setting("set", path, draw(st.one_of(texts(), texts(), st.integers(-9, 9), st.booleans())))
        return setting("set nested", path, draw(_in_place_of(path, form)), keeps_comments=False)
    named = [path for path in others if isinstance(path[-1], str) and path != ("messages",)]
    if name == "rename" and named:
        path, fresh = draw(st.sampled_from(named)), draw(keys())
        if fresh not in (lookup(sample, path[:-1]) or {}):  # type: ignore[operator]
            return deed(name, lambda doc: doc.edit(index, Rename(path, fresh)), with_rename(sample, path, fresh))
    if name.startswith(("set", "rename")):
        path = draw(_missing(sample))
        return setting("set new", path, draw(plain_values(form.null)))
    if not isinstance(messages, list):
        return setting("set messages", ("messages",), draw(st.lists(turns(), min_size=1, max_size=2)))
    if name == "insert turn" or not messages:
        path, turn = ("messages", draw(st.integers(0, len(messages)))), draw(turns())
        return deed("insert turn", lambda doc: doc.edit(index, Insert(path, turn)), with_insert(sample, path, turn))
    path = ("messages", draw(st.integers(0, len(messages) - 1)))
    if name == "delete turn":
        return deed(
            name, lambda doc: doc.edit(index, Delete(path)), with_delete(sample, path), keeps_comments=False
        )
    to = draw(st.integers(0, len(messages) - 1))
    return deed(name, lambda doc: doc.edit(index, Move(path, to)), with_move(sample, path, to))


def _in_place_of(path: DataPath, form: Form) -> st.SearchStrategy[Plain]:
    """Return values for a place that holds a list or a table; the messages stay messages."""
    if path == ("messages",):
        return st.lists(turns(), max_size=3).map(list)
    return turns() if path[0] == "messages" and len(path) == 2 else plain_values(form.null)


@st.composite
def _missing(draw: Any, sample: Table) -> DataPath:
    """Return a path whose last key a table of the sample does not have."""
    tables = [path for path in paths_in(sample) if isinstance(lookup(sample, path), dict)]
    table = draw(st.sampled_from(tables))
    holder = lookup(sample, table)
    assert isinstance(holder, dict)
    return (*table, draw(keys().filter(lambda key: key not in holder)))
