"""For a screen reader: one pane, words for signs, the terminal's cursor on the line that is chosen."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.screen import Screen

from sampleui.review.options import ReviewOptions
from sampleui.runs.records import open_run
from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.drawing.plain import plain_row
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.opening import first_screen
from sampleui.tui.review.opening import review_screen
from sampleui.tui.trace.screen import TraceScreen
from sampleui.tui.workspace.screen import WorkspaceScreen
from sampleui.workspace.deck import open_deck

from .driver import DECKS, ROOT, drawn_lines
from .pressing import press, rested

RESULTS = ROOT / "examples" / "results"
PLAIN = Settings(plain=True)
SIGNS = re.compile("[\u2500-\u25ff✓✖≠⋯↩›⏎⇧]")
"""Lines, blocks and shapes, and the signs of the app."""


def reviewed() -> Callable[[], Screen[int]]:
    options = ReviewOptions(
        results=RESULTS / "hello.results.jsonl", reviewer="ada", decks=(DECKS / "hello.toml",), everything=True
    )
    return review_screen(options, PLAIN)


def traced() -> Screen[int]:
    return TraceScreen(open_run(RESULTS / "traces.jsonl", open_deck(DECKS / "agents.yaml")), PLAIN)


FIRST: dict[str, Callable[[Path], Callable[[], Screen[int]]]] = {
    "author": lambda deck: first_screen(deck, PLAIN, None),
    "review": lambda _: reviewed(),
    "trace": lambda _: traced,
    "workspace": lambda _: lambda: WorkspaceScreen([DECKS], PLAIN),
}

STEPS = {
    "author": (["]", "j"], ["tab"], ["tab"], ["T"], ["escape", "d"], ["escape", "?"], ["escape", "f12"]),
    "review": (["n"], ["tab"], ["tab"], ["tab"], ["T"], ["escape", "?"]),
    "trace": (["j"], ["tab"], ["tab"], ["T"], ["escape", "?"]),
    "workspace": (["j"], ["ctrl+o"], ["escape", "?"]),
}


@pytest.mark.parametrize("name", FIRST)
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_nothing_is_drawn_but_words(hello, name, size):
    app = SampleUI(FIRST[name](hello), PLAIN)
    async with app.run_test(size=size):
        await rested(app)
        for keys in STEPS[name]:
            await press(app, *keys)
            lines = drawn_lines(app.screen)
            assert [line for line in lines if SIGNS.search(line)] == [], keys
            panes = getattr(app.screen, "panes", list)()
            assert len([pane for pane in panes if pane.frame.display]) <= 1


async def test_the_terminals_cursor_is_on_the_line_that_has_the_cursor(hello):
    app = SampleUI(first_screen(hello, PLAIN, None), PLAIN)
    async with app.run_test(size=(100, 30)):
        await rested(app)
        for keys, begins in ((["]"], "> system:"), (["j"], "> user:"), (["shift+tab"], ">"), (["j"], ">")):
            await press(app, *keys)
            line = drawn_lines(app.screen)[app.cursor_position.y]
            assert line.strip().startswith(begins), (keys, line)


@pytest.mark.parametrize(
    ("row", "read"),
    [
        ((("role-user-bold", "● user"), ("text", " " * 40), ("error", "✖ "), ("faint", "2")), "user:  error: 2"),
        ((("error", "✖ "), ("text", "No role")), "error: No role"),
        ((("added", "✓"), ("muted", " passed")), " passed"),
        ((("error", "✖"), ("faint", "· "), ("text", "haiku")), "failed undecided haiku"),
        ((("edge", "──"), ("muted", " fields "), ("edge", "─────")), " fields "),
        ((("error-bold", "✖ FAILED"), ("muted", " a · b › c")), "FAILED a, b, c"),
        ((("text", "● ✖ › data stays"),), "● ✖ › data stays"),
        ((("role-tool", "→ fetch_log "), ("muted", '{"run": 1}')), 'call fetch_log {"run": 1}'),
        ((("accent", "━━━━"), ("edge", "────"), ("text-bold", " 0.5")), " 0.5"),
    ],
)
def test_signs_are_read_as_words(row, read):
    assert row_text(plain_row(row)) == read
