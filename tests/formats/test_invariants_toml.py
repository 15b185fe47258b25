"""Every edit of every plain form of TOML deck keeps what it does not touch."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.formats.toml import TomlDocument

from .invariants import Form, check_deck

CONTENTS = (
    *(
        '"Hello."',
        '""',
        "'plain # text'",
        r'"tab\t and \"quotes\" and \u00e9"',
        '"""\nline one\nline two\n"""',
        '"""one"""',
    ),
    *(
        "'''\nraw \\n text\n'''",
        '"""\\\n    joined \\\n    text"""',
        '"""ends ""quoted"\\""""',
        '"[[samples]]"',
        "'''[a]\n# b'''",
    ),
)


class Numbered:
    """Numbers the comments of a deck, for each of them is to be found again."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.count = 0

    def comment(self, before: str = "", after: str = "") -> str:
        if not self.draw(st.booleans()):
            return ""
        self.count += 1
        return f'{before}#~c{self.count} [x] = "y{after}'

    def turn(self) -> str:
        role, content = self.draw(st.sampled_from(('"user"', "'tool'"))), self.draw(st.sampled_from(CONTENTS))
        return f"{{ role = {role}, content = {content} }}"

    def messages(self) -> str:
        turns = [self.turn() for _ in range(self.draw(st.integers(0, 3)))]
        if not self.draw(st.booleans()):
            comma = "," if turns and self.draw(st.booleans()) else ""
            return f"messages = [{', '.join(turns)}{comma}]" + self.comment("  ") + "\n"
        lines = []
        for at, turn in enumerate(turns):
            comma = "," if at + 1 < len(turns) or self.draw(st.booleans()) else ""
            lines += [self.comment("  ", "\n"), f"  {turn}{comma}", self.comment(" "), "\n"]
        return "messages = [\n" + "".join(lines) + "]\n"

    def pairs(self) -> str:
        extra = (
            "score = 3",
            'tags = ["a", "b"]',
            'expected = { score = 1, reason = "r" }',
            "meta.depth = 2\nmeta.b = 'x'",
        )
        chosen = self.draw(st.lists(st.sampled_from(extra), unique=True, max_size=2))
        return "".join(self.comment("", "\n") + pair + self.comment("  ") + "\n" for pair in chosen)

    def blocks(self, header: str) -> str:
        return "".join(
            f'{self.comment("", chr(10))}[[{header}.messages]]\nrole = "user"\n'
            f"content = {self.draw(st.sampled_from(CONTENTS))}{self.comment(' ')}\n\n"
            for _ in range(self.draw(st.integers(0, 3)))
        )


def _sample(deck: Numbered, form: str, at: int) -> str:
    name = deck.draw(st.sampled_from((f"name-{at}", f'"quoted name {at}"', f"'q.{at}'")))
    header = f"samples.{name}" if form == "keyed" else "samples"
    opening = f"[{header}]" if form == "keyed" else f'[[{header}]]\nid = "s{at}"'
    own = f"{deck.comment('', chr(10))}{opening}{deck.comment(' ')}\n{deck.pairs()}"
    sub = f'[{header}.notes]\nby = "me"\n\n' if deck.draw(st.booleans()) else ""
    if form == "inline" or (form == "keyed" and deck.draw(st.booleans())):
        return own + deck.messages() + "\n" + sub
    blocks = deck.blocks(header)
    if form == "keyed" and deck.draw(st.booleans()):
        return blocks + own + "\n" + sub
    return own + "\n" + blocks + sub


@st.composite
def decks(draw: Any, form: str) -> str:
    deck = Numbered(draw)
    at_root = form == "root"
    heads = ("", "# a deck\n\n", '[meta]\nmodel = "m"\n\n', "title = '''\n[[samples]]\n'''\n\n")
    head = draw(st.sampled_from(heads[:2] if at_root else heads))
    parts = []
    for at in range(draw(st.integers(0, 3))):
        parts += [_sample(deck, "keyed" if at_root else form, at), deck.comment("", "\n\n")]
    if at_root:
        return re.sub(r"^(\[\[?)samples\.", r"\1", head + "".join(parts), flags=re.M).rstrip("\n") + "\n"
    tail = draw(st.sampled_from(("", "", "[after]\nx = 1\n")))
    holder = draw(st.sampled_from(("samples", "data.items")))
    return re.sub(r"^(\[\[?)samples", rf"\1{holder}", head + "".join(parts) + tail, flags=re.M).rstrip("\n") + "\n"


def parsed(text: str) -> TomlDocument:
    found = TomlDocument.under(text, ("data", "items"))
    return TomlDocument.parse(text) if found is None else found


def parsed_at_root(text: str) -> TomlDocument:
    found = TomlDocument.under(text, ())
    return TomlDocument.parse(text) if found is None else found


@pytest.mark.parametrize("form", ["inline", "blocks", "keyed", "root"])
def test_every_edit_keeps_what_it_does_not_touch(form: str) -> None:
    held = Form(parse=parsed_at_root if form == "root" else parsed, decks=decks(form), null=False)

    @settings(max_examples=settings().max_examples // 2, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def check(data: st.DataObject) -> None:
        check_deck(held, data)

    check()


TURN = '{role = "user", content = "x"}'
ODD = (
    '[[samples.a.messages]]\nrole = "user" #~one\n\n[samples.b]\nscore = 1\n\n[samples.a]\nscore = 2 #~two\n',
    f"[samples]\na.score = 1 #~one\na.messages = [{TURN}]\nb.expected.score = 2\n",
    'title = "x"\nsamples.a.score = 1\nsamples.b.messages = [ ] #~one\n[meta]\nx = 1\n',
    f'samples = [\n  {{ id = "a", messages = [ {TURN} ] }}, #~one\n  #~two\n  {{ id = "b" }}\n]\n',
    'samples = { a = { score = 1, messages = [] }, b = { "two words".deep = 2 } } #~one\n',
    '[samples]\na = { messages = [{role = "u", content = """x\ny"""}] }\n\n[samples.b]\nscore = 2\n',
    "samples = []\n",
    "[samples]\n",
    '[[samples]]\nmeta = { #~one\n  score = 1, #~two\n  reason = "r" #~three\n}\n[samples.notes.deep]\nx = 1\n',
    '\t[[samples]]\n\tid="a"\n\n\t\t[[samples.messages]] #~one\n\t\trole="user"\n\n#~two\n\n[x]\n\n\t[[samples]]\n',
    f"[[samples]]\nmessages = [ #~one\n\n  #~two\n\n  {TURN} #~three\n  ,{TURN},#~four\n#~five\n]\n",
)


ODD_AT_ROOT = (
    "a.score = 1 #~one\nb.messages = [ ]\nb.expected.score = 2\n",
    'a = { score = 1, messages = [] } #~one\nb = { "two words".deep = 2 }\n\n[c]\nscore = 2\n',
    '[[a.messages]]\nrole = "user" #~one\n\n[b]\nscore = 1\n\n[a]\nscore = 2 #~two\n',
    '"quoted name" = {}\n#~one\n[samples]\nmessages = []\n',
)


@pytest.mark.parametrize(("parse", "odd"), [(parsed, ODD), (parsed_at_root, ODD_AT_ROOT)])
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_odd_spellings_are_edited_whole_or_refused(
    parse: Callable[[str], TomlDocument], odd: tuple[str, ...], data: st.DataObject
) -> None:
    every: tuple[str, ...] = ("set", "set new", "set nested", "set messages")
    every += tuple(f"{verb} {noun}" for verb in ("insert", "delete", "move") for noun in ("turn", "sample"))
    check_deck(Form(parse, st.sampled_from(odd), null=False, tolerated=frozenset(every)), data)
