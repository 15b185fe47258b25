"""Rows, wrapping, cards, items and previews: pure functions from data to lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App

from sampleui import open_deck
from sampleui.sample.model import Sample
from sampleui.tui.author.preview import TABS, Subject, chat, tabs_of
from sampleui.tui.drawing.cards import (
    GLYPHS,
    Flags,
    field_rows,
    glyph,
    header_row,
    part_rows,
    role_style,
    severity_mark,
)
from sampleui.tui.drawing.code import diff_rows
from sampleui.tui.drawing.items import ItemPart, ItemPartKind, find, items_of
from sampleui.tui.drawing.rows import fitted, row_text, spread, strip_of, text_rows, untabbed, wrap_line
from sampleui.tui.themes import Paint
from sampleui.workspace.deck import Deck

from .driver import DECKS

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Letters one cell wide, two cells wide, none at all; spaces, tabs, controls.
LETTERS = [*"abc  \t漢字😀\u200b\u202e\x1b\x07\x85\u2028\r\nxyz[/]", "e\u0301"]
TEXTS = st.lists(st.sampled_from(LETTERS), max_size=80).map("".join)
WIDTHS = st.integers(2, 60)


# Wrapping


@CALM
@given(TEXTS.map(lambda text: text.replace("\n", "")), WIDTHS)
def test_a_wrapped_line_fits_and_loses_nothing_but_blanks(line, width):
    parts = wrap_line(line, width)
    assert parts
    assert all(cell_len(part) <= width for part in parts)
    assert "".join("".join(parts).split()) == "".join(line.split())


def test_lines_break_between_words_and_long_words_anywhere():
    assert [part.rstrip() for part in wrap_line("one two three", 8)] == ["one two", "three"]
    assert wrap_line("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert wrap_line("漢字漢字", 5) == ["漢字", "漢字"]
    assert wrap_line("", 5) == [""]
    assert wrap_line("漢 \u200b", 2) == ["漢", "\u200b"]


@pytest.mark.parametrize("width", range(8, 70, 3))
def test_a_text_without_blanks_never_breaks_inside_a_latin_word(width):
    line = "请根据这个会议的记录整理出总结并且补齐邮箱、主页、Scholar和GitHub的链接，最后保存为Markdown文件。"
    parts = wrap_line(line, width)
    assert "".join(parts) == line
    assert all(any(word in part for part in parts) for word in ("Scholar", "GitHub", "Markdown"))
    assert not any(part.startswith(("、", "，", "。")) for part in parts)


def test_tabs_are_shown_up_to_the_next_stop():
    assert untabbed("\tb") == "→   b"
    assert untabbed("abc\td") == "abc→d"
    assert untabbed("漢\td") == "漢→ d"


@CALM
@given(st.text(st.sampled_from("ab漢\t"), max_size=20))
def test_a_tab_ends_at_a_stop(line):
    for count, _ in enumerate(line.split("\t")[1:], 1):
        upto = untabbed("\t".join(line.split("\t")[:count]) + "\t")
        assert cell_len(upto) % 4 == 0


# Rows


@CALM
@given(TEXTS, WIDTHS)
def test_rows_of_a_text_fit_and_are_safe(text, width):
    rows = text_rows(text, "text", width)
    assert rows
    for row in rows:
        assert cell_len(row_text(row)) <= width
        assert all(character.isprintable() or character == "\u0301" for character in row_text(row))


@CALM
@given(TEXTS, st.integers(0, 30))
def test_a_fitted_line_is_as_it_was_or_ends_in_an_ellipsis(text, width):
    line = text.replace("\n", "").replace("\t", "").replace("\x1b", "")
    cut = fitted(line, width)
    assert cell_len(cut) <= width
    assert cut == line or cut.endswith("…") or width == 0


@pytest.mark.parametrize("length", [10, 10_000])
def test_every_row_of_a_line_of_a_diff_has_the_style_of_the_line_whatever_it_begins_with(length):
    words = {"-": "- old + ", "+": "+ new - ", " ": " @ same - + "}
    lines = [sign + (text * length)[:length] for sign, text in words.items()]
    rows = diff_rows("\n".join(lines), 20)
    assert [style for ((style, _),) in rows] == [
        style for style, line in zip(("removed", "added", "text"), lines, strict=True) for _ in wrap_line(line, 20)
    ]


@CALM
@given(st.text("ab漢", max_size=30), st.text("xy", max_size=10), st.integers(12, 50))
def test_spread_fills_the_width_and_keeps_the_right(left, right, width):
    row = spread([("text", left)], [("muted", right)], width)
    assert cell_len(row_text(row)) == width
    assert row_text(row).endswith(right)


@pytest.mark.parametrize("text", ["plain", "漢字", "a\u0301b", "😀", ""])
async def test_a_strip_is_exactly_as_wide_as_asked(text):
    paint = Paint(_variables())
    for width in (1, 2, 3, 10, 40):
        assert strip_of((("text", text), ("accent", text)), paint, width).cell_length == width


def _variables() -> dict[str, str]:
    from sampleui.tui.themes import load_theme, shipped

    theme = load_theme(shipped() / "sampleui-dark.toml")
    return {**App().theme_variables, **theme.to_color_system().generate(), **theme.variables}


# Cards


def test_roles_are_told_apart_by_shape_and_style():
    roles = ["system", "user", "assistant", "tool", "critic"]
    assert len({glyph(role) for role in roles}) == len({role_style(role) for role in roles}) == 5
    assert glyph("User") == GLYPHS["user"] and role_style("USER") == "role-user"
    assert len({severity_mark(one) for one in ("error", "warning", "info", "hint")}) == 4


def sample(data, dialect: str = "calibrate") -> Sample:
    return Sample("a", 0, data, dialect, ("messages",), Path("deck.toml"))


def test_the_header_names_the_role_the_number_and_what_is_wrong():
    (item,) = items_of(sample({"messages": [{"role": "tool", "content": "x", "tool_call_id": "call_1"}]}))
    assert row_text(header_row(item, 40, Flags())).split() == ["■", "tool", "call_1", "1"]
    shown = row_text(header_row(item, 60, Flags("error", "it is empty")))
    assert "✖ 1" in shown and "not sent: it is empty" in shown
    assert cell_len(row_text(header_row(item, 12, Flags("error", "a long reason")))) == 12


@pytest.mark.parametrize("width", [36, 44, 100])
def test_every_card_fits(width):
    for name in ("agentv.yaml", "gage.jsonl", "problems.toml", "attachments.toml", "problems.jsonl"):
        for one in open_deck(DECKS / name).samples:
            for item in items_of(one):
                rows = [header_row(item, width, Flags("error", "why"))] if item.turn is not None else []
                rows += [row for part in item.parts for row in part_rows(part, width)]
                rows += field_rows(item, width, Flags()) if item.turn is None else []
                assert rows
                assert max(cell_len(row_text(row)) for row in rows) <= width


def test_tool_calls_are_shown_by_name_and_arguments():
    calls = [{"id": "c", "function": {"name": "add", "arguments": '{"a": 1}'}}, {"tool": "sub", "input": {"b": 2}}]
    (item,) = items_of(sample({"messages": [{"role": "assistant", "tool_calls": calls}]}))
    text = "\n".join(row_text(row) for part in item.parts for row in part_rows(part, 60))
    assert "→ add(a=1)" in text and "→ sub(b=2)" in text


@pytest.mark.parametrize(("none", "shown"), [([], ["Hi", "[]"]), (None, ["Hi"])])
def test_an_empty_list_of_tool_calls_is_a_part_of_the_turn_and_null_is_none(none, shown):
    (item,) = items_of(sample({"messages": [{"role": "assistant", "content": "Hi", "tool_calls": none}]}))
    assert [part.text for part in item.parts] == shown
    assert row_text(part_rows(item.parts[-1], 40)[0]) == ("Hi" if none is None else "no calls")


# Items


def test_items_are_the_turns_and_then_the_other_fields():
    data = {
        "id": "a",
        "expected": {"score": 3, "reason": "why"},
        "messages": [{"role": "user", "content": "hi"}, {"content": 7}, "odd"],
    }
    items = items_of(sample(data))
    assert [(item.label, item.path, item.turn) for item in items] == [
        ("user", ("messages", 0), 0),
        ("no role", ("messages", 1), 1),
        ("not a message", ("messages", 2), 2),
        ("id", ("id",), None),
        ("expected", ("expected",), None),
        ("expected.score", ("expected", "score"), None),
        ("expected.reason", ("expected", "reason"), None),
    ]
    assert [part.kind for item in items for part in item.parts][:3] == [
        ItemPartKind.TEXT,
        ItemPartKind.JSON,
        ItemPartKind.JSON,
    ]


def test_segments_are_parts_with_the_paths_of_their_values():
    content = [
        {"type": "text", "text": "t"},
        {"type": "text", "value": "v"},
        {"type": "file", "value": "f.txt"},
        {"type": "image_url", "image_url": {"url": "u"}},
        {"type": "odd"},
    ]
    (item,) = items_of(sample({"messages": [{"role": "user", "content": content}]}))
    assert [(part.kind, part.path[3:], part.text) for part in item.parts[:4]] == [
        (ItemPartKind.TEXT, (0, "text"), "t"),
        (ItemPartKind.TEXT, (1, "value"), "v"),
        (ItemPartKind.FILE, (2, "value"), "f.txt"),
        (ItemPartKind.MEDIA, (3, "image_url", "url"), "u"),
    ]
    assert item.parts[4].kind is ItemPartKind.JSON


def test_find_leads_to_the_nearest_item_and_part():
    data = {"id": "a", "messages": [{"role": "user", "content": "x"}, {"role": "user", "content": ["y", "z"]}]}
    items = items_of(sample(data))
    assert find(items, ("messages", 1, "content", 1)) == (1, 1)
    assert find(items, ("messages", 1, "role")) == (1, 0)
    assert find(items, ("id",)) == (2, 0)
    assert find(items, ("gone", 4)) == (0, 0)
    assert find((), ("id",)) == (0, 0)


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda one: st.lists(one, max_size=3))


@CALM
@given(JSON)
def test_a_value_edited_as_json_and_left_alone_is_the_same_value(value):
    part = ItemPart(ItemPartKind.JSON, ("x",), value)
    assert part.parsed(part.text) == value


@CALM
@given(st.text())
def test_a_text_is_edited_as_it_is(value):
    part = ItemPart(ItemPartKind.TEXT, ("x",), value)
    assert part.parsed(part.text) == part.text == value


WILD = st.recursive(
    st.none() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda one: (
        st.lists(one, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "content", "type", "value", "text", "tool_calls", "x"]), one)
    ),
    max_leaves=12,
)


@CALM
@given(st.dictionaries(st.sampled_from(["messages", "id", "expected", "tags", "x"]), WILD))
def test_no_sample_is_too_odd_to_be_shown(data):
    items = items_of(sample(data))
    for item in items:
        for part in item.parts:
            assert part_rows(part, 30)
    assert all(item.path or item.turn is not None for item in items)


def test_what_is_shown_can_be_found_in_the_data():
    for name in ("agentv.yaml", "gage.jsonl", "hello.toml", "attachments.toml"):
        for one in open_deck(DECKS / name).samples:
            for item in items_of(one):
                for part in item.parts:
                    value = one.data
                    for key in part.path if part.value is not None or not part.path else ():
                        value = value[key]
                    assert not part.path or value == part.value or part.value == ""


# Previews


def subject(deck: Deck, index: int = 0) -> Subject:
    one = deck.samples[index]
    return Subject(deck, one, deck.render(one))


@pytest.mark.parametrize("tab", TABS)
@pytest.mark.parametrize("width", [24, 40, 90])
def test_every_preview_fits(tab, width):
    for name in ("attachments.toml", "problems.toml", "gage.jsonl", "agentv.yaml"):
        deck = open_deck(DECKS / name)
        for index in range(min(len(deck.samples), 6)):
            about = subject(deck, index)
            if tab not in tabs_of(about):
                continue
            rows = TABS[tab].rows(about, width)
            assert rows
            assert max(cell_len(row_text(row)) for row in rows) <= width


def shown(tab: str, about: Subject, width: int = 200) -> str:
    return "\n".join(row_text(row).rstrip() for row in TABS[tab].rows(about, width))


def test_the_previews_show_what_rendering_gives():
    deck = open_deck(DECKS / "attachments.toml")
    about = subject(deck)
    rendered = about.rendered
    assert shown("Question", about) == f"prompt style sampleui\n{rendered.question}"
    graded = shown("Grading", about, 10_000)
    assert json.JSONDecoder().raw_decode(graded, graded.index("{"))[0] == rendered.grading_context
    assert "security.instructions.md" in shown("Guidelines", about)
    for message in rendered.chat_prompt:
        assert str(message["content"]).split("\n")[0] in shown("Chat", about)
    assert "provider gemini" in shown("Request", about._replace(provider="gemini"))


def test_what_is_not_sent_is_said_with_its_reason():
    deck = open_deck(DECKS / "problems.toml")
    blank = next(one.index for one in deck.samples if one.id == "blank-message")
    text = shown("Chat", subject(deck, blank))
    assert text.index("Not sent") < text.index("messages[1]: it is empty") < text.index("Hello")


def test_the_source_is_the_text_of_the_sample_with_its_line_numbers():
    deck = open_deck(DECKS / "hello.toml")
    lines = (DECKS / "hello.toml").read_text().split("\n")
    for row in shown("Source", subject(deck, 1)).split("\n"):
        number, _, text = row.strip().partition(" ")
        assert lines[int(number) - 1].rstrip() == text.rstrip() or text == ""


@pytest.mark.parametrize(
    ("asked", "words", "marks"),
    [
        (
            "Which one is a mammal?",
            "not sent: the messages name none; what gage-eval itself adds is not known here",
            "––",
        ),
        ("Which is one, a shark or a dolphin?", "sent: the messages name them all", "✓✓"),
        ("Is a shark?", "the messages name 1 of 2; what gage-eval itself adds is not known here", "–✓"),
    ],
)
def test_the_options_of_a_choice_are_shown_in_their_order_with_a_word_on_whether_they_are_sent(
    tmp_path, asked, words, marks
):
    options = [{"id": "B", "content": "Dolphin"}, {"id": "A", "content": "Shark"}]
    path = tmp_path / "deck.jsonl"
    message = {"role": "user", "content": asked}
    path.write_text(json.dumps({"schema_version": "v1", "messages": [message], "options": options}) + "\n")
    deck = open_deck(path)
    shown = [row_text(row) for row in chat(Subject(deck, deck.samples[0], deck.render(deck.samples[0])), 100)]
    assert shown[-4:] == ["Options", words, f"{marks[0]} B  Dolphin", f"{marks[1]} A  Shark"]
