"""The sanitizer and the editor's stand-ins: nothing that a terminal obeys is shown, and no character is lost."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.segment import Segment
from textual.color import Color

from sampleui.text.visible import escaped, one_line, stand_ins, unsafe_in, visible, visible_lines
from sampleui.tui.app import ControlFilter
from sampleui.tui.widgets.turn_editor import exchanged

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
HOSTILE = "\x00\x07\x08\t\n\x0b\x0c\r\x1b\x1c\x1f\x7f\x80\x85\x9b\x9f\xad\u061c\u200b\u200e\u200f\u2028\u2029"
HOSTILE += "\u202a\u202e\u2060\u2066\u2069\ufeff\ud800\udfff\U000e0001"
TEXTS = st.text(st.sampled_from(HOSTILE) | st.characters(codec=None), max_size=60)
OBEYED = {"Cc", "Zl", "Zp", "Cs"}
TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def safe(text: str, but: str = "") -> bool:
    return all(
        one in but or (unicodedata.category(one) not in OBEYED and unicodedata.bidirectional(one) not in TURNS)
        for one in text
    )


@CALM
@given(TEXTS)
def test_one_line_of_text_is_safe(text):
    assert safe(visible(text))
    assert safe(one_line(text)) and len(one_line(text, 20)) <= 20 * 6


@CALM
@given(TEXTS)
def test_many_lines_of_text_are_safe_but_for_line_ends_and_tabs(text):
    assert safe(visible_lines(text), "\n\t")
    assert visible_lines(text).count("\n") == text.count("\n")


def test_every_control_and_direction_character_is_shown_as_something():
    for code in (*range(0x20), *range(0x7F, 0xA0), 0x061C, *range(0x200E, 0x2010), *range(0x2028, 0x202F)):
        assert safe(visible(chr(code))) and visible(chr(code)).strip()
    for code in range(0x2066, 0x206A):
        assert safe(visible(chr(code)))


@CALM
@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"])))
def test_plain_text_is_shown_as_it_is(text):
    assert visible(text) == text


@CALM
@given(TEXTS)
def test_stand_ins_give_the_text_again(text):
    chosen = stand_ins(text, unsafe_in(text))
    shown = exchanged(text, chosen)
    assert len(set(chosen.values())) == len(chosen)
    assert not set(chosen.values()) & set(text)
    assert safe(shown, "\n\t") and unsafe_in(shown) == ""
    assert len(shown) == len(text)
    assert exchanged(shown, {symbol: one for one, symbol in chosen.items()}) == text


@CALM
@given(st.lists(TEXTS, max_size=4))
def test_the_last_filter_lets_nothing_through_and_keeps_every_cell(texts):
    drawn = ControlFilter().apply([Segment(text) for text in texts], Color(0, 0, 0))
    assert all(safe(segment.text) for segment in drawn)
    assert [len(segment.text) for segment in drawn] == [len(text) for text in texts]


IGNORABLE = [0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0x200B, 0x2010)]
IGNORABLE += [*range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0]
IGNORABLE += [*range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)]
NONCHARACTERS = [
    *range(0xFDD0, 0xFDF0),
    *(plane + last for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)),
]
DRAWN_FORMAT = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}


def test_every_character_that_is_not_seen_is_shown_as_a_symbol():
    unseen = {code for code in range(0x110000) if unicodedata.category(chr(code)) in OBEYED | {"Cf"}}
    for code in (unseen | {*IGNORABLE, *NONCHARACTERS}) - DRAWN_FORMAT:
        symbol = visible(chr(code))
        assert symbol != chr(code) and symbol.isprintable() and symbol.strip(), hex(code)
        assert visible(f"a{chr(code)}b") == f"a{symbol}b", hex(code)
        assert json.loads(escaped(f'"{chr(code)}"'), strict=False) == chr(code)
        assert code in (9, 10) or chr(code) not in escaped(f'"{chr(code)}"')


def test_characters_that_are_seen_stay():
    for text in ("Größe", "漢字かな", "שלום عربي", "नमस्ते", "e\u0301", "\u0600\u06dd", "a\xa0b\u3000c", "\ue000"):
        assert visible(text) == text and escaped(text) == text


def test_joiners_and_selectors_stay_in_an_emoji_and_nowhere_else():
    for emoji in ("👩‍💻", "👩🏽‍⚕️", "❤️‍🔥", "🏳️‍🌈", "1️⃣", "☺︎", "👩‍👩‍👧‍👦"):
        assert visible(emoji) == emoji
    assert visible("a\u200db") == "a⟨200D⟩b"
    assert visible("👩\u200d") == "👩⟨200D⟩"
    assert visible("\u200d👩") == "⟨200D⟩👩"
    assert visible("a\ufe0fb1\ufe0f") == "a⟨FE0F⟩b1⟨FE0F⟩"
    assert visible("❤\ufe0f\ufe0f\ufe0e\ufe01") == "❤\ufe0f⟨FE0F⟩⟨FE0E⟩⟨FE01⟩"
    assert visible("葛\U000e0100") == "葛⟨E0100⟩"
