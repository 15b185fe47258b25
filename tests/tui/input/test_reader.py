"""Bytes of a terminal, read as keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.message import Message

from sampleui.tui.input.reader import EscapedKey, KeyReader


def read(*reads: str, gap: float = 2.0, kitty: bool = False) -> list[str]:
    """Return the names of the keys in some texts that come apart, for an app that binds nothing to alt."""
    clock, reader = 0.0, KeyReader()
    reader.kitty = kitty
    messages: list[Message] = []
    for number, text in enumerate(reads, 1):
        messages += reader.feed(text.encode(), clock)
        clock += gap
        while reader.due is not None and (reader.due <= clock or number == len(reads)):
            messages += reader.flush(reader.due)
    return [name for message in messages for name in names(message)]


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
        ("\x1bé", "escape é"),
        ("\x1b]\r", "escape right_square_bracket enter"),
        ("\x1b]", "escape right_square_bracket"),
        ("\x1b[", "escape"),
        ("\x1b[[\r", "escape left_square_bracket left_square_bracket enter"),
        ("\x1bX\x1b[A", "escape X up"),
        ("\x1b[12\r", "enter"),
        ("\x1b\r", "escape enter"),
        ("\x1b\x13", "escape ctrl+s"),
        ("\x1b\x1b[B", "escape down"),
        ("\x1bf", "escape f"),
        ("\x1b[A\x1b[B\x1b[C\x1b[D\x1bOA", "up down right left up"),
        ("\x1bOP\x1b[[Ax", "f1 f1 x"),
        ("\x1b[15~\x1b[3~\x1b[1;5C\x1b[3$x", "f5 delete ctrl+right shift+delete x"),
        ("\x1b[27u\x1b[111;3u\x1b[97;1:1u\x1b[97;1:3ub", "escape alt+o a b"),
        ("\x1b[27;5;49~", "ctrl+1"),
        ("\x1b[0;;" + ":".join(["28450"] * 40) + "u", " ".join("漢" * 40)),
        ("\x1b[99999999999u\x1b[97;;99999999999u\x1b[49~", ""),
        ("\x1b[57441;2ua\x1b[57442;5u\x1b[57443;3ub\x1b[57444;9u\x1b[57447;2:1u\x1b[57454u", "a b"),
        ("\x1b[57358u\x1b[57359;65u\x1b[57360;129:3uc\x1b[57441;2:3u", "c"),
        ("\x1b[<0;10;5Mx\x1b[<0;10;5m", "MouseDown x MouseUp"),
        ("\x1b[M !!x\x1b[35;1;2Mx", "x x"),
        ("\x1b[?62;22c\x1b[?25u\x1b]11;rgb:0000/0000/0000\x07\x1bP>|xterm\x1b\\x", "x"),
        ("\x1b_Gi=31;OK\x1b\\\x1b^1 2\n3\x1b\\\x1bX45\x1b\\\x1b[24;80R\x1b[Ox", "x"),
        ("\x1b]52;c;MTIz\x1b[<35;1;2Mx", "MouseMove x"),
        ("\x1b]lexam 1 2 3\x1b\\x\x1b]Lexam 4\x07x", "x x"),
        ("\x1b]8" + "1" * 10_000 + "\x07x\x1b[" + "1" * 10_000 + "ux", "x x"),
        ("\x1b[200~a\x1b[Bb\x1b[201~c", "Paste c"),
        ("aé漢🙂", "a é 漢 slightly_smiling_face"),
    ],
)
def test_what_a_terminal_sends(text: str, keys: str) -> None:
    assert " ".join(read(text)) == keys


def test_escape_is_the_key_after_the_delay_and_at_once_in_kittys_protocol() -> None:
    reader = KeyReader(0.05)
    assert list(reader.feed(b"\x1b", 7.0)) == []
    assert reader.due == pytest.approx(7.05)
    assert [name for message in reader.flush(7.05) for name in names(message)] == ["escape"]
    assert [name for message in reader.feed(b"\x1b[?25u\x1b[27u", 9.0) for name in names(message)] == ["escape"]
    assert reader.kitty


@pytest.mark.parametrize(
    "rest", ["[", "]", "O", "P", "X", "^", "_", "[[", "]1", "]l2", "[12", "Xy", "[jb", "Oxy", "Aé"]
)
def test_keys_typed_after_the_delay_are_not_lost(rest: str) -> None:
    assert read("\x1b", rest, gap=0.06) == ["escape", *read(rest)]
    assert read("\x1b", *rest, gap=0.4) == ["escape", *read(rest)]


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[A", "\x1bOA", "\x1b[I", "\x1b[<35;12;5M", "\x1b[M !1", "\x1b[1;5C", "\x1b[200~1 2 3\x1b[201~",
        "\x1b]11;rgb:1/2/3\x07", "\x1bP1$r0m\x1b\\", "\x1b^1 2 3\x1b\\", "\x1b[[A", "\x1b[?62;4c",
        "\x1b]l1 2 3\x1b\\",
    ],
)  # fmt: skip
def test_what_an_escape_was_cut_off_from_is_dropped(sequence: str) -> None:
    assert read(sequence[0], sequence[1:], "3", gap=0.2) == ["escape", "3"]
    assert read(sequence[0], *sequence[1:], "3", gap=0.2) == ["escape", "3"]


def test_the_answer_about_kittys_protocol_counts_however_it_comes() -> None:
    assert read("\x1b", "[?", "2", "5u", "\x1b[27u", gap=0.2) == ["escape", "escape"]
    reader = KeyReader()
    list(reader.feed(b"\x1b[?0u", 0.0))
    assert not reader.kitty


def test_a_sequence_that_does_not_go_on_is_dropped() -> None:
    assert read("\x1b[<35;1", "2", gap=1.1) == ["2"]
    assert read("\x1b]11;rgb:1", "2", gap=1.1) == ["2"]


def test_a_paste_lasts_until_its_end_mark() -> None:
    reader = KeyReader()
    messages = [*reader.feed(b"\x1b[200~1\x1b[", 0.0), *reader.feed(b"B\x1b[20", 60.0), *reader.feed(b"1~2", 120.0)]
    assert isinstance(messages[0], events.Paste)
    assert messages[0].text == "1\x1b[B"
    assert [names(message) for message in messages[1:]] == [["2"]]


TYPED = ["\x1b", "a", "O", "J", "]", "/", "é", "\r", "\t", "\x7f", "\x1b[B", "\x1b[5~", "\x13"]


@given(st.lists(st.sampled_from(TYPED), max_size=12))
def test_keys_in_one_write_are_those_typed_apart(keys: list[str]) -> None:
    assert read("".join(keys)) == read(*keys)


@given(st.lists(st.binary(min_size=1, max_size=9), max_size=40))
def test_nothing_stops_the_reader(reads: list[bytes]) -> None:
    reader = KeyReader()
    for number, data in enumerate([*reads, b"\x1b[201~"]):
        list(reader.feed(data, float(number)))
    while reader.due is not None:
        list(reader.flush(reader.due))
    assert read("x") == ["x"]
