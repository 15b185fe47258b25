"""No edit of any kind loses a comment, wherever TOML and YAML allow one, unless what it stands in is deleted."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.errors import EditError, FormatError
from sampleui.formats import whole_file
from sampleui.formats.data import DataPath, Plain, lookup, same
from sampleui.formats.document import Document, Splice
from sampleui.formats.operations import Delete, Insert, Move, Operation, Rename, Set
from sampleui.formats.registry import BY_NAME

from .invariants import paths_in, samples_of

_ABOVE = re.compile(r"(?:(?:^|(?<=\n))[ \t]*(?:#[^\n]*)?\n)*[^\n]*\Z")
"""Lines without values above the line that ends a text, and that line."""

MARKER = re.compile(r"#~c\d+")

YAML = (
    "name: demo\ntests:\n  - id: a\n    messages:\n      - role: user\n        content: Hi there\n"
    "      - role: tool\n        content: |\n          one\n          two\n    tags: [x, 'y', {k: v}]\n"
    "  - id: b\n    meta: {a: 1, b: [2, 3]}\n    messages: []\n  - id: c\nafter:\n  z: 1\n",
    "- id: a\n  x:\n  - 1\n  - - 2\n    - 3\n  - k: v\n    l: >-\n      folded\n      text\n- id: b\n"
    '  y: "two\n    lines"\n',
    'samples: [{id: a, x: [1, 2, 3], "y": {p: q}}, {id: b, messages: [{role: user, content: "hi"}]}]\nz: [1]\n',
    "# ----\n---\nplain: a\n  b\n\nsamples:\n- id: a\n  x: {k: [1,\n    2]}\n...\n",
    "samples:\n  one:\n    messages:\n    - content: x\n      role: user\n    ? k\n    : v\n  two:\n    e:\n"
    "    f: &n 1\n    g: *n\n",
    "messages:\n- role: user\n  content: !!str 12\nexpected:\n  tags:\n  - a\n  - b\n  deep:\n    er:\n"
    "      l: 1\n      m: 2\n",
)
TOML = (
    '[[samples]]\nid = "a"\ntags = ["x", "y", [1, 2]]\nmeta = { a = 1, b = { c = 2 } }\n'
    '[[samples.messages]]\nrole = "user"\ncontent = """\none\ntwo\n"""\n\n[[samples.messages]]\n'
    'role = "tool"\ncontent = \'x\'\n\n[samples.expected]\nscore = 1\n\n[[samples]]\nid = "b"\n'
    'messages = [\n  { role = "user", content = "hi" },\n  { role = "tool", content = "ho" },\n]\n\n'
    "[after]\nx = 1\n",
    '[samples.one]\nscore = 1\nm.a = 2\nm.b = 3\nmessages = [{ role = "u", content = "c" }]\n\n'
    "[samples.two]\nl = [\n  1,\n  2\n]\n\n[samples.two.sub]\nk = 1\n",
    'samples = [\n  { id = "a", x = [1, 2] },\n  { id = "b", y = { z = 1 } }\n]\n[meta]\nx = 1\n',
    'messages = [{ role = "user", content = "hi" }]\ntags = [ "a", "b" ]\n[expected]\nscore = 3\n'
    "[[expected.list]]\nk = 1\n[[expected.list]]\nk = 2\n[other]\nx = 1\n",
)
VALUES: tuple[Plain, ...] = (
    "Hey",
    "two\nlines\n",
    "",
    "# none",
    "a: b",
    12,
    True,
    ["x", "y"],
    [],
    {"k": "v"},
    {},
    [{"k": [1]}],
)


class Deed(NamedTuple):
    """An edit, and which of the comments in the text before may go with what it deletes."""

    name: str
    make: Callable[[Document], Splice]
    may_go: frozenset[str] = frozenset()


def commented(text: str, parse: Callable[[str], Document], chance: random.Random) -> str:
    """Return a deck with comments at places where it means the same with them."""
    rows, context = samples_of(parse(text)), parse(text).context
    for number in range(chance.randint(1, 4)):
        at = chance.randint(0, len(text))
        line = chance.random() < 0.5
        if line:
            ends = [0, *(match.end() for match in re.finditer("\n", text))]
            at = chance.choice(ends)
        lead, pad = chance.choice(("", " ", "  ", "\t")), " " * chance.choice((0, 0, 2, 4, 6, 8, 10))
        comment = f"#~c{number}"
        choices = (f"{pad}{comment}\n", f"\n{pad}{comment}\n", f"{pad}{comment}\n\n") if line else (
            *(f"{lead}{comment}\n{pad}", f"\n{pad}{comment}\n{pad}"),
            *([f" {comment}"] * 2 if text[at : at + 1] == "\n" else []),
        )  # fmt: skip
        tried = text[:at] + chance.choice(choices) + text[at:]
        try:
            document = parse(tried)
            if all(map(same, samples_of(document), rows)) and same(document.context, context):
                text = tried if len(document) == len(rows) else text
        except FormatError:
            continue
    return text


def deeds(document: Document, chance: random.Random) -> Deed | None:
    """Return an edit of a deck."""
    count = len(document)
    beside = chance.random() < 0.1
    index = -1 if beside else chance.randrange(count)
    value: Plain = dict(document.context) if beside else document.read(index)
    new = chance.choice(VALUES)
    kinds = ("set", "rename", "move", "insert", "delete", "new", "insert sample", "delete sample", "move sample")
    kind = chance.choice(kinds[:6] if beside else kinds)

    def made(operation: Operation) -> Callable[[Document], Splice]:
        return lambda doc: whole_file.edited(doc, operation) if beside else doc.edit(index, operation)

    if kind == "insert sample":
        return Deed(kind, lambda doc: doc.insert_sample(chance.randint(0, count), {"id": "new", "messages": []}))
    if kind == "delete sample":
        piece = document.piece_of(index)
        above = _ABOVE.search(document.pieces[piece - 1])
        held = (above[0] if above else "") + document.pieces[piece]  # a heading goes with the one sample below it
        return Deed(f"{kind} {index}", lambda doc: doc.delete_sample(index), frozenset(MARKER.findall(held)))
    if kind == "move sample":
        to = chance.randrange(count)
        return Deed(f"{kind} {index} {to}", lambda doc: doc.move_sample(index, to))
    fit = {"insert": list, "move": list, "new": dict}.get(kind, object)
    paths = [path for path in paths_in(value) if isinstance(lookup(value, path), fit)]
    paths = [path for path in paths if path or kind == "new"]
    if not paths:
        return None
    path = chance.choice(paths)
    old = lookup(value, path)
    name = f"{kind} {index} {path}"
    if kind == "set":
        gone = _inside(document, index, path) if isinstance(old, list | dict) else frozenset()
        return Deed(f"{name} {new!r}", made(Set(path, new)), gone)
    if kind == "rename" and isinstance(path[-1], str):
        return Deed(name, made(Rename(path, "another")))
    if kind == "new" and isinstance(old, dict):
        return Deed(f"{name} {new!r}", made(Set((*path, "fresh"), new)))
    if kind == "insert" and isinstance(old, list):
        to = chance.randint(0, len(old))
        return Deed(f"{name} {to} {new!r}", made(Insert((*path, to), new)))
    if kind == "move" and isinstance(old, list) and len(old) > 1:
        at, to = chance.randrange(len(old)), chance.randrange(len(old))
        return Deed(f"{name} {at} {to}", made(Move((*path, at), to)))
    if kind == "delete":
        return Deed(name, made(Delete(path)), _around(document, index, path))
    return None


def _inside(document: Document, index: int, path: DataPath) -> frozenset[str]:
    """Return the comments in a list or table."""
    if index < 0:
        return frozenset(MARKER.findall(document.text))
    span = document.span(index, path)
    inside = document.chunk(index)[span.start : span.end]
    return frozenset(MARKER.findall(re.sub(r"\A(?:\s|#[^\n]*\n)*", "", inside)))


def _around(document: Document, index: int, path: DataPath) -> frozenset[str]:
    """Return the comments of a value: inside, on its last line, between the one before it and itself.

    And those behind it that stand before its comma, deeper than it, or above a blank line.
    """
    if index < 0:
        return frozenset(MARKER.findall(document.text))
    text, span = document.chunk(index), document.span(index, path)
    start = span.start if isinstance(path[-1], int) else min(span.start, document.key_span(index, path).start)
    above = _ABOVE.search(text[:start])
    begin = above.start() if above else start
    line = text[text.rfind("\n", 0, start) + 1 :]
    column = len(line) - len(line.lstrip(" "))
    deeper = rf"[^\n]*(?:\n(?: {{{column + 1},}}#[^\n]*|[ \t]*#[^\n]*(?=\n\s*\n)))*"
    behind = re.compile(rf"(?:\s*#[^\n]*)*\s*,[^\n]*|{deeper}").match(text, span.end)
    return frozenset(MARKER.findall(text[begin : behind.end() if behind else span.end]))


def lost(text: str, parse: Callable[[str], Document], chance: random.Random) -> str:
    """Comment a deck, edit it; return what comments were lost without need, and how."""
    deck = commented(text, parse, chance)
    document = parse(deck)
    deed = deeds(document, chance)
    if deed is None:
        return ""
    try:
        after = document.apply(deed.make(document)).text
    except EditError:
        return ""
    kept = set(MARKER.findall(after)) | deed.may_go
    for comment in MARKER.findall(deck):
        if comment not in kept:
            return f"{deed.name} lost {comment} of\n{deck}\n---- after\n{after}"
        if comment in after and _reads_as_text(parse(after), comment):
            return f"{deed.name} made {comment} a text of\n{deck}\n---- after\n{after}"
    return ""


def _reads_as_text(document: Document, comment: str) -> bool:
    return comment in repr((samples_of(document), document.context))


@pytest.mark.parametrize(("form", "texts"), [("yaml", YAML), ("toml", TOML)])
def test_no_edit_loses_a_comment(form: str, texts: tuple[str, ...]) -> None:
    @settings(max_examples=settings().max_examples * 10, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(texts), st.integers(0, 2**32))
    def run(text: str, seed: int) -> None:
        assert not lost(text, BY_NAME[form].parse, random.Random(seed))

    run()


def test_a_comment_before_the_comma_that_goes_stays() -> None:
    document = BY_NAME["yaml"].parse("- id: a\n  x: [1 # one\n    , 2]\n- id: b\n")
    after = document.apply(document.edit(0, Delete(("x", 1))))
    assert after.text == "- id: a\n  x: [1 # one\n    ]\n- id: b\n"


@pytest.mark.parametrize(
    ("array", "index", "left"),
    [
        ('["m", "n",  # both\n  "o", # alone\n]', 1, '["m",  # both\n  "o", # alone\n]'),
        ('["m", "n",  # both\n  "o", # alone\n]', 0, '["n",  # both\n  "o", # alone\n]'),
        ('["m", "n",  # both\n  "o", # alone\n]', 2, '["m", "n",  # both\n]'),
        ('[\n  "a", "b", "c", # all\n  "d",\n]', 2, '[\n  "a", "b", # all\n  "d",\n]'),
        ('[\n  "a", "b", "c", # all\n  "d",\n]', 1, '[\n  "a", "c", # all\n  "d",\n]'),
        ('["m", "n" # both\n]', 1, '["m" # both\n]'),
        ('["m", ["n",\n "x"], # both\n "o"]', 1, '["m", # both\n "o"]'),
        ('[\n  "a",\n  "b", # its own\n  "c",\n]', 1, '[\n  "a",\n  "c",\n]'),
    ],
)
def test_a_comment_stays_with_what_is_left_of_its_line_in_an_array(array: str, index: int, left: str) -> None:
    document = BY_NAME["toml"].parse(f'[[samples]]\nid = "a"\ntags = {array}\n')
    assert (
        document.apply(document.edit(0, Delete(("tags", index)))).text == f'[[samples]]\nid = "a"\ntags = {left}\n'
    )


@pytest.mark.parametrize(("index", "to"), [(0, 1), (0, 2), (1, 2), (2, 2), (2, 3), (0, 3)])
def test_a_copy_of_a_sample_keeps_the_comments_where_it_goes(index: int, to: int) -> None:
    text = "tests:\n" + "".join(f"  - id: s{n}\n    note: x  # n{n}\n" for n in range(2))
    text += "  # banner\n\n  - id: s2\n    note: y  # n2\n"
    document = BY_NAME["yaml"].parse(text)
    after = document.apply(document.duplicate_sample(index, to, {**document.read(index), "id": "new"}))
    assert [after.text.count(f"# {name}") for name in ("banner", f"n{index}")] == [1, 2]
    assert after.read(to)["id"] == "new"
