"""Texts that other people wrote: shown letter for letter and aligned, obeyed never, changed only where typed."""

from __future__ import annotations

import json
import unicodedata
from itertools import chain
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.widget import Widget

from sampleui import open_deck
from sampleui.settings.options import Settings
from sampleui.tui.drawing.rows import row_text

from .driver import Driver, drawn_lines, drawn_pieces, opened, shown_widgets

TEXTS = {
    "markup": "[red]red[/red] [/] [@click=app.quit]x[/] [INST] \\[b] [bold",
    "escape": "a\x1b[31mred\x1b[0m\x1b[2J",
    "title": "\x1b]0;stolen\x07\x9d0;stolen\x9c",
    "unterminated": "\x1b]52;c;AAAA",
    "tabs": "a\tb\n\tc\n漢\td",
    "wide": "漢字かな交じり文" * 12,
    "emoji": "😀👩‍👩‍👧‍👦🇩🇪👍🏽" * 8,
    "combining": "e\u0301a\u0300\u0301o\u0308" * 20,
    "bidi": "abc\u202edef\u202c \u2066x\u2069 שלום",
    "separators": "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg",
    "returns": "one\rtwo\r\nthree\nfour\r",
    "nul": "\x00\x01\x7f\x80\x9f",
    "zero": "a\u200bb\ufeffc\u2060d\xade",
    "private": "\ue000\ue001\uf8ff",
    "blank": "   ",
    "lines": "\n\n\n",
}
OBEYED = {"Cc", "Zl", "Zp", "Cs"}
TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def deck_with(path: Path, *texts: str) -> Path:
    """Write a deck whose sample says the texts in its turns, its id and its fields."""
    messages = [{"role": "user", "content": text} for text in (*texts, "last")]
    first = {
        "id": texts[0][:50],
        "messages": messages,
        "note": texts[0],
        texts[0][:40]: 1,
        "expected": {"x": texts[0]},
    }
    odd = {"id": "odd", "messages": [{"role": texts[0][:30], "name": texts[0][:30], "content": texts[0]}]}
    path.write_text("".join(json.dumps(one) + "\n" for one in (first, odd)))
    return path


def check_drawn(app: Driver, pane: Widget | None = None) -> None:
    for widget in shown_widgets(pane or app.app.screen):
        lines = drawn_pieces(widget)
        # A line as a whole may measure less: a joiner at the end of one piece would take in the first of the next.
        assert {sum(map(cell_len, pieces)) for pieces in lines} == {widget.outer_size.width}, widget
        for one in {*chain(*chain(*lines))}:
            assert unicodedata.category(one) not in OBEYED, (widget, one, lines)
            assert unicodedata.bidirectional(one) not in TURNS, (widget, one, lines)


@pytest.mark.painted
@pytest.mark.parametrize("name", TEXTS)
async def test_any_text_is_shown_in_every_place_and_obeyed_in_none(tmp_path, name):
    text = TEXTS[name]
    path = deck_with(tmp_path / "deck.jsonl", text)
    async with opened(path, size=(100, 24)) as app:
        check_drawn(app)
        for _ in app.screen.preview.tabs:
            await app.press("p")
            check_drawn(app, app.screen.preview)
        await app.press("]")
        check_drawn(app)
        await app.press("[", "enter")
        check_drawn(app)
        await app.press("home", "end", "up", "down", "escape")
        check_drawn(app)
        assert app.steps == 0 and app.text == path.read_text()
        await app.press("m", "u", "g", "ctrl+q")
        check_drawn(app)
        assert app.app._exception is None


async def test_typing_at_the_end_keeps_every_character_before_it(tmp_path):
    texts = {name: text for name, text in TEXTS.items() if name not in ("blank", "lines")}
    lines = [deck_with(tmp_path / "one.jsonl", text).read_bytes() for text in texts.values()]
    path = tmp_path / "deck.jsonl"
    path.write_bytes(b"".join(lines))
    async with opened(path) as app:
        for _ in texts:
            await app.press("home", "enter", "Z", "escape", "]", "]")
        await app.press("ctrl+s")
        await app.until(lambda: app.disk != b"".join(lines) or "✖" in app.bar)
    samples, after = open_deck(path).samples, path.read_bytes().split(b"\n")
    for index, (name, text) in enumerate(texts.items()):
        assert samples[2 * index].messages[0]["content"] == text + "Z", name
        # The first letter Z is the one typed; without it the lines are as they were.
        changed = b"".join(line + b"\n" for line in after[2 * index : 2 * index + 2])
        assert changed.replace(b"Z", b"", 1) == lines[index], name


async def test_letters_are_shown_as_they_are_written(tmp_path):
    path = deck_with(tmp_path / "deck.jsonl", TEXTS["markup"], TEXTS["escape"], TEXTS["tabs"], TEXTS["bidi"])
    async with opened(path, size=(200, 60)) as app:
        shown = "\n".join(app.cards)
        assert TEXTS["markup"] in shown
        assert "a␛[31mred␛[0m␛[2J" in shown
        assert "a→  b" in shown and "漢→ d" in shown
        assert "abc⟨202E⟩def⟨202C⟩" in shown
        drawn = "\n".join(drawn_lines(app.app.screen))
        assert TEXTS["markup"] in drawn and "␛[31mred" in drawn
        assert TEXTS["markup"] in app.preview


async def test_a_role_and_a_name_are_no_markup_either(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "[/]", "messages": [{"role": "[red]", "name": "[/b]", "content": "x"}]}\n')
    async with opened(path) as app:
        assert "○ [red]" in app.cards[0] and "[/b]" in app.cards[0]
        assert "[/]" in app.title
        await app.press("R")
        await app.dialog(*"[/", "enter")
        await app.until(lambda: app.roles == ["[/"])


async def test_the_name_of_a_file_is_no_markup_and_no_code(tmp_path):
    path = deck_with(tmp_path / "[red]\x1b[31m[@click=app.quit]x[.jsonl", "x")
    async with opened(path) as app:
        assert "[red]␛[31m[@click" in app.title
        await app.press("D", "ctrl+q")
        await app.dialog()
        check_drawn(app)
        assert "[red]␛[31m" in app.dialog_text


@pytest.mark.painted
async def test_what_is_pasted_is_never_obeyed(hello):
    from textual.events import Paste

    async with opened(hello) as app:
        await app.press("enter")
        for _ in range(2):
            app.app.post_message(Paste("\x1b]0;␛x\x07[/]\u202e\x85\u2060漢\rnext"))
            await app.settled()
            check_drawn(app)
        await app.press("escape")
        check_drawn(app)
        assert app.turns[0] == "What is 2+2?" + "\x1b]0;␛x\x07[/]\u202e\x85\u2060漢\nnext" * 2


@pytest.mark.painted
async def test_a_megabyte_in_a_turn_is_shown_and_edited_outside(tmp_path, monkeypatch):
    text = ("many words in a line, " * 40 + "\n") * 1200
    assert len(text) > 1_000_000
    path = deck_with(tmp_path / "deck.jsonl", text)
    script = tmp_path / "editor"
    script.write_text('#!/bin/sh\nprintf "more" >> "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    from contextlib import nullcontext

    async with opened(path) as app:
        monkeypatch.setattr(app.app, "suspend", nullcontext)
        check_drawn(app)
        await app.press("j", "k", "pagedown", "G", "home")
        check_drawn(app)
        await app.press("enter", "enter")
        await app.until(lambda: app.steps == 1)
        assert app.turns[0] == text + "more"
        assert not app.screen.conversation.editing


async def test_one_line_of_100_kilobytes_is_shown_and_edited_outside(tmp_path):
    path = deck_with(tmp_path / "deck.jsonl", "x" * 100_000, "漢" * 30_000)
    async with opened(path, size=(80, 24)) as app:
        check_drawn(app)
        monkey = "✖"
        await app.press("enter", "enter")
        await app.until(lambda: monkey in app.bar)
        assert not app.screen.conversation.editing
        await app.press("j")
        check_drawn(app)


@pytest.mark.painted
async def test_a_thousand_turns_and_fields_are_shown(tmp_path):
    path = tmp_path / "deck.jsonl"
    sample = {"id": "many", "messages": [{"role": "user", "content": f"turn {n}"} for n in range(1000)]}
    sample |= {f"field{n}": n for n in range(200)}
    path.write_text(json.dumps(sample) + "\n")
    async with opened(path) as app:
        await app.press("G", "k", "home", "enter", "x", "escape")
        assert app.turns[0] == "turn 0x"
        check_drawn(app)


async def test_a_value_nested_as_deeply_as_a_file_may_be_is_no_crash(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "deep", "messages": [], "x": ' + "[" * 90 + "]" * 90 + "}\n")
    async with opened(path) as app:
        await app.press("G", "enter", "escape", "p", "p", "p")
        check_drawn(app)
        assert app.steps == 0


async def test_without_colour_everything_can_still_be_told(hello, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(hello) as app:
        check_drawn(app)
        for widget in shown_widgets(app.app.screen):
            width, height = widget.outer_size
            from textual.geometry import Region

            for strip in widget.render_lines(Region(0, 0, width, height)):
                for segment in strip:
                    colors = [segment.style.color, segment.style.bgcolor] if segment.style else []
                    for color in colors:
                        triplet = color.triplet if color is not None else None
                        assert triplet is None or max(triplet) - min(triplet) <= 2
        shown = "\n".join(drawn_lines(app.app.screen))
        assert "● user" in shown and "▲ assistant" in shown and "[Chat]" in shown and "┃ ● user" in shown


@pytest.mark.parametrize("text", [TEXTS["tabs"], TEXTS["wide"], TEXTS["returns"]])
async def test_previews_and_cards_agree_on_what_a_text_looks_like(tmp_path, text):
    path = deck_with(tmp_path / "deck.jsonl", text)
    async with opened(path, settings=Settings(whole_preview=True)) as app:
        card = [row_text(row)[2:] for row in app.screen.preview.view.rows]
        shown = [line.strip() for line in app.cards]
        said = card[3:5]  # below the style of the prompt, a heading and the role
        assert [line for line in said if line.strip() in shown]
