"""Bytes of a terminal, read as keys."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.message import Message

from sampleui.tui.input.reader import EscapedKey, KeyReader


def read(*reads: str) -> list[str]:
    """Return the names of the keys in some texts that come apart, for an app that binds nothing to alt."""
    reader = KeyReader()
    return [name for text in reads for one in (*reader.feed(text), *reader.flush()) for name in names(one)]


def names(message: Message) -> list[str]:
    if isinstance(message, EscapedKey):
        return [key.key for key in message.apart()]
    return [message.key if isinstance(message, events.Key) else type(message).__name__]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("\x1b", "escape"),
        ("\x1b\x1b", "escape escape"),
        ("\x1bo", "escape o"),
        ("\x1bOup", "escape O u p"),
        ("\x1bOPlease", "escape O P l e a s e"),
        ("\x1b]\r", "escape right_square_bracket enter"),
        ("\x1b[[\r", "escape left_square_bracket left_square_bracket enter"),
        ("\x1b[Oup", "escape left_square_bracket O u p"),
        ("\x1b[Jk", "escape left_square_bracket J k"),
        ("\x1b[/a", "escape left_square_bracket slash a"),
        ("\x1b\r", "escape enter"),
        ("\x1b\x13", "escape ctrl+s"),
        ("\x1b\x1b[B", "escape down"),
        ("\x1bf", "escape f"),
        ("\x1b[A\x1b[B\x1b[C\x1b[D", "up down right left"),
        ("jjOup\x1b[D", "j j O u p escape left_square_bracket D"),
        ("sample\x1b[D\x12", "s a m p l e escape left_square_bracket D ctrl+r"),
        ("word\x1b[D", "w o r d left"),
        ("a word\x1b[Dx", "a space w o r d left x"),
        ("\x1b[[D", "escape left_square_bracket left_square_bracket D"),
        ("\x1bOP", "f1"),
        ("\x1b[15~\x1b[3~\x1b[1;5C", "f5 delete ctrl+right"),
        ("\x1b[27u\x1b[111;3u", "escape alt+o"),
        ("\x1b[99999999999u", ""),
        ("\x1b[57441;2ua\x1b[57442;5u\x1b[57443;3ub\x1b[57444;9u\x1b[57447;2:1u\x1b[57454u", "a b"),
        ("\x1b[57358u\x1b[57359;65u\x1b[57360;129:3uc\x1b[57441;2:3u", "c"),
        ("\x1b[<0;10;5Mx\x1b[<0;10;5m", "MouseDown x MouseUp"),
        ("\x1b[?62;22c\x1b]11;rgb:0000/0000/0000\x07\x1bP>|xterm\x1b\\x", "x"),
        ("\x1b[200~a\x1b[Bb\x1b[201~c", "Paste c"),
        ("aé漢🙂", "a é 漢 slightly_smiling_face"),
    ],
)
def test_what_a_terminal_sends(text: str, keys: str) -> None:
    assert " ".join(read(text)) == keys


def test_the_linux_console_has_function_keys_of_its_own() -> None:
    reader = KeyReader(console=True)
    assert [key.key for key in reader.feed("\x1b[[Ax") if isinstance(key, events.Key)] == ["f1", "x"]


def test_escape_is_known_as_soon_as_nothing_follows() -> None:
    assert read("\x1b", "o") == ["escape", "o"]
    assert read("\x1b", "[", "D") == ["escape", "left_square_bracket", "D"]


def test_a_sequence_in_two_reads_close_together_is_one() -> None:
    reader = KeyReader()
    keys = [*reader.feed("\x1b[<0;1"), *reader.feed("0;5M"), *reader.feed("\x1b[20"), *reader.feed("0~ab\x1b[2")]
    assert reader.waiting is False
    keys += [*reader.flush(), *reader.feed("01~")]
    assert [type(key) for key in keys] == [events.MouseDown, events.Paste]
    assert isinstance(keys[1], events.Paste)
    assert keys[1].text == "ab"


TYPED = ["\x1b", "a", "O", "J", "]", "/", "é", "\r", "\t", "\x7f", "\x1b[B", "\x1b[5~", "\x13"]


@given(st.lists(st.sampled_from(TYPED), max_size=12))
def test_keys_in_one_write_are_those_typed_apart(keys: list[str]) -> None:
    assert read("".join(keys)) == read(*keys)


@given(st.text(alphabet="\x1b[]OP<?;:0129~mMuDRcty\x07\\ a\r", max_size=40))
def test_nothing_stops_the_reader(text: str) -> None:
    reader = KeyReader()
    for one, _ in [*pairwise(text), ("x", "")]:
        list(reader.feed(one))
    list(reader.flush())
    assert not reader.waiting
