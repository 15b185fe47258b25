"""What one sees as one character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.text.graphemes import as_letters, end_after, start_before

FLAG = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
ONE = [
    *[
        "a",
        "é",
        "e\u0301",
        "e\u0301\u0323",
        "〽\ufe0f",
        "👍🏽",
        "👨\u200d👩\u200d👧",
        "👩🏽\u200d💻",
        "❤\ufe0f\u200d🔥",
    ],
    *[
        "🇩🇪",
        "1\ufe0f\u20e3",
        FLAG,
        "각",
        "가\u11a8",
        "\u1100\u1161\u11a8",
        "นี้",
        "नि",
        "\r\n",
        "漢",
        "x\ufe0f",
        "☺\ufe0e",
    ],
]
PARTS = [*"a1é e\u0301\u200d\ufe0f👍🏽👩💻🇩🇪🇫각\u1100\u1161\u11a8\r\n\u200b"]
LETTERS = st.text(st.sampled_from(PARTS), max_size=10)


@pytest.mark.parametrize("letter", ONE)
def test_what_one_sees_as_one_character_is_one(letter: str) -> None:
    text = f"a{letter}b{letter}"
    assert end_after(text, 1) == 1 + len(letter)
    assert start_before(text, 1 + len(letter)) == 1
    assert start_before(text, len(text)) == len(text) - len(letter)


@pytest.mark.parametrize("text", ["ab", "🇩🇪🇫🇷", "👍👍", "a\u200b", "가가", "\n\n", "\r\r\n"])
def test_two_characters_are_two(text: str) -> None:
    middle = end_after(text, 0)
    assert 0 < middle < len(text)
    assert end_after(text, middle) == len(text)
    assert start_before(text, len(text)) == middle


def test_a_joiner_between_letters_joins_none_of_them() -> None:
    assert end_after("a\u200db", 0) == 2


@given(LETTERS)
def test_characters_are_found_the_same_from_both_ends(text: str) -> None:
    forward, backward = [0], [len(text)]
    while forward[-1] < len(text):
        forward.append(end_after(text, forward[-1]))
    while backward[-1]:
        backward.append(start_before(text, backward[-1]))
    assert forward == backward[::-1]
    assert len(as_letters(text)) == len(text)
    assert end_after(text, len(text)) == len(text)
    assert start_before(text, 0) == 0
