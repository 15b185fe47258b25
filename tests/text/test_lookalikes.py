"""Two texts that look the same and are not."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.text.lookalikes import differences, look_alike

CODES, PLACE = re.compile(r"U\+[0-9A-F]{4,}|→|nothing"), re.compile(r"line (\d+), character (\d+)")
LETTERS = st.sampled_from("ab é가ñ -'\n.\t\u00a0\u200b\u0301☃👍")


@pytest.mark.parametrize(
    ("text", "other", "told"),
    [
        ("yes", "yes ", "nothing → U+0020, 1:4"),
        ("yes", "\tyes", "nothing → U+0009, 1:1"),
        ("a\nb", "a\r\nb", "nothing → U+000D, 1:2"),
        ("a\n\nb", "a\n\u3000\nb", "nothing → U+3000, 2:1"),
        ("10 000", "10\u00a0000", "U+0020 → U+00A0, 1:3"),
        ("10 000", "10\u202f000", "U+0020 → U+202F, 1:3"),
        ("a b", "a  b", "nothing → U+0020, 1:3"),
        ("Paris", "P\u0430ris", "U+0061 → U+0430, 1:2"),
        ("A", "\u0391", "U+0041 → U+0391, 1:1"),
        ("A", "\uff21", "U+0041 → U+FF21, 1:1"),
        ("5 km", "5 \u212am", ""),
        ("5 Km", "5 \u212am", "U+004B → U+212A, 1:3"),
        ("fine", "\ufb01ne", "U+0066 U+0069 → U+FB01, 1:1"),
        ("don't", "don\u2019t", "U+0027 → U+2019, 1:4"),
        ("a-b", "a\u2011b", "U+002D → U+2011, 1:2"),
        ("ab", "a\u200bb", "nothing → U+200B, 1:2"),
        ("ab", "\ufeffab", "nothing → U+FEFF, 1:1"),
        ("ab", "a\u00adb", "nothing → U+00AD, 1:2"),
        ("👍", "👍\ufe0f", "nothing → U+FE0F, 1:2"),
        ("", "\u200b", "nothing → U+200B, 1:1"),
        ("a", "b", ""),
        ("a\nb", "a\n\nb", ""),
        ("ab", "a b", ""),
        ("é", "e", ""),
        ("x²", "x2", ""),
    ],
)  # fmt: skip
def test_texts_that_look_the_same_say_which_code_points_differ(text: str, other: str, told: str) -> None:
    found = [
        f"{' '.join(CODES.findall(line))}, {':'.join(*PLACE.findall(line))}" for line in look_alike(text, other)
    ]
    assert found == ([told] if told else [])
    assert bool(look_alike(other, text)) == bool(told)


@pytest.mark.parametrize("letter", ["é", "가", "각", "ё", "q\u0323\u0307"])
def test_a_letter_is_told_with_its_marks_however_it_is_composed(letter: str) -> None:
    composed, apart = f"x{letter}y", f"x{unicodedata.normalize('NFD', letter)}y"
    if composed == apart:
        apart = f"x{letter[0]}{letter[:0:-1]}y"
    (found,) = differences(composed, apart)
    assert (found.text, found.other) == (composed[1:-1], apart[1:-1])


def test_what_differs_often_is_told_once_and_of_many_ways_the_first() -> None:
    assert look_alike("a\n" * 1000, "a\r\n" * 1000) == (
        "nothing → U+000D CARRIAGE RETURN, 1,000 times, first in line 1, character 2",
    )
    others = "".join(f"{letter}{chr(0xFE00 + index)}" for index, letter in enumerate("abcdefgh"))
    assert look_alike("abcdefgh", others)[-1] == "and 3 more"
    named = "U+0061 LATIN SMALL LETTER A → U+0430 CYRILLIC SMALL LETTER A, in line 1, character 1"
    assert look_alike("a", "\u0430") == (named,)


@given(st.text(LETTERS, max_size=12), st.text(LETTERS, max_size=12))
def test_stretches_that_differ_make_one_text_of_the_other(text: str, other: str) -> None:
    pair = text, unicodedata.normalize("NFD", text).replace("\n", "\r\n").replace("a", "\u0430") + "\u200b"
    for one, two in ((text, other), pair):
        made, end = "", 0
        for found in differences(one, two):
            made += one[end : found.offset] + found.other
            end = found.offset + len(found.text)
            assert one[found.offset : end] == found.text != found.other
        assert made + one[end:] in (one, two)
    assert bool(differences(*pair)) == (pair[0] != pair[1])
