"""Which part of a very long text is drawn."""

from __future__ import annotations

import pytest

from sampleui.text.limits import MAX_STRETCH
from sampleui.text.stretches import differing, stretch

LINES = "".join(f"line {number}\n" for number in range(20_000))


def test_a_text_that_is_not_long_is_drawn_whole():
    assert stretch("a" * MAX_STRETCH).words == ""
    assert differing("a", "b")[0].text == "a"


def test_of_a_long_text_the_beginning_is_drawn_and_told():
    part = stretch(LINES)
    assert LINES.startswith(part.text)
    assert part.words == f"characters 1 to {MAX_STRETCH:,} of {len(LINES):,}"


@pytest.mark.parametrize("sought", ["line 19999", "LINE 19999", "line 3"])
def test_what_is_sought_is_in_the_part_that_is_drawn(sought):
    part = stretch(LINES, sought)
    assert sought.lower() in part.text.lower()
    assert LINES[part.start : part.start + len(part.text)] == part.text


def test_what_is_not_there_moves_nothing():
    assert stretch(LINES, "nowhere").start == 0


@pytest.mark.parametrize("place", [0, 1, 150_000, len(LINES) - 1])
def test_the_first_difference_is_in_both_parts(place):
    other = f"{LINES[:place]}#{LINES[place + 1 :]}"
    one, two = differing(LINES, other)
    assert one.start == two.start <= place < one.start + len(one.text)
    assert (one.text[place - one.start], two.text[place - two.start]) == (LINES[place], "#")


def test_of_a_text_and_its_beginning_what_is_more_is_in_the_part():
    one, two = differing(LINES, LINES[:180_000])
    assert len(one.text) > len(two.text)
    assert two.start + len(two.text) == 180_000
