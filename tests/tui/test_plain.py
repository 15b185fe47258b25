"""For a screen reader: one pane, words for signs, the terminal's cursor on the line that is chosen."""

from __future__ import annotations

import asyncio
import re

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.drawing.screen_reader import TerminalFrame, plain_row, updates
from sampleui.tui.opening import first_screen

from .driver import drawn_lines
from .pressing import press, rested
from .screens import FIRST, reviewed

PLAIN = Settings(plain=True)
SIGNS = re.compile("[\u2500-\u25ff✓✖≠⋯↩›⏎⇧]")
"""Lines, blocks and shapes, and the signs of the app."""


async def written(app: SampleUI, *keys: str) -> None:
    """Press keys and wait until what they changed is written."""
    await press(app, *keys)
    await rested(app)
    while not app.is_written:
        await asyncio.sleep(0.01)
        await rested(app)


STEPS = {
    "author": (["]", "j"], ["tab"], ["tab"], ["T"], ["escape", "d"], ["escape", "?"], ["escape", "f12"]),
    "review": (["n"], ["tab"], ["tab"], ["tab"], ["T"], ["escape", "?"]),
    "trace": (["j"], ["tab"], ["tab"], ["T"], ["escape", "?"]),
    "workspace": (["j"], ["ctrl+o"], ["escape", "?"]),
}


@pytest.mark.parametrize("name", FIRST)
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_nothing_is_drawn_but_words(hello, name, size):
    app = SampleUI(FIRST[name](hello, PLAIN), PLAIN)
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
        places = ((["]"], "system:"), (["j"], "user:"), (["shift+tab"], "algebra-tutor"), (["j"], "Lyon"))
        for keys, words in places:
            await written(app, *keys)
            line = drawn_lines(app.screen)[app.cursor_position.y]
            assert words in line and ">" not in line, (keys, line)


async def test_the_cells_of_a_matrix_are_words_below_their_targets():
    app = SampleUI(reviewed(PLAIN), PLAIN)
    async with app.run_test(size=(80, 24)):
        await rested(app)
        await press(app, "M")
        lines = drawn_lines(app.screen)
        head = next(line for line in lines if "atlas-2-mini" in line)
        row = next(line for line in lines if "capital-of-france" in line)
        assert row.index("failed") == head.index("atlas-2")
        assert row.index("passed") == head.index("atlas-2-mini")
        await press(app, "escape", "H")
        drawn = "\n".join(drawn_lines(app.screen))
        assert "median 0.69" in drawn and not re.search("[\u2800-\u28ff]", drawn), "the dots of a plot are not read"
        await press(app, "escape")
        covered = app.screen.verdict_bar.region.bottom
        await press(app, "f")
        assert app.screen.query_one(".box").region.y >= covered, "a box that closes would have what it covered read"


@pytest.mark.parametrize(
    ("before", "after", "read"),
    [
        (["a", "b", "c"], ["a", "b", "c"], ""),
        (["a", "long line", "other line", ""], ["a", "new", "long line", "other line"], "new"),
        (["a", "b1234", "c1234", "d1234"], ["a", "c1234", "d1234", "e"], "e"),
        (["a", "b"], ["a", ""], ""),
        (["  a  1"], ["  b  1"], "b  1"),
    ],
)
def test_lines_that_only_move_are_not_read_again(before, after, read):
    texts = [*updates(TerminalFrame(tuple(before)), TerminalFrame(tuple(after)))]
    assert "".join(re.sub("\x1b\\[[0-9;?]*[A-Za-z@]", "", text) for text in texts) == read


@given(
    st.lists(st.text("ab 漢", max_size=6), min_size=5, max_size=5),
    st.lists(st.text("ab 漢", max_size=6), min_size=5, max_size=5),
    st.integers(0, 5),
)
def test_what_is_written_makes_the_frame(before, after, fields):
    old, new = ([line.rstrip() for line in lines] for lines in (before, after))
    terminal = pyte.Screen(20, 5)
    stream = pyte.Stream(terminal)
    frames = TerminalFrame(tuple(old)), TerminalFrame(tuple(new), typed=range(fields), title=4)
    for text in (*updates(None, frames[0]), *updates(*frames)):
        stream.feed(text)
    assert [line.rstrip() for line in terminal.display] == new


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
        ((("role-tool", "→ "), ("text", "c"), ("match", "a"), ("text", "ll "), ("text", "ls")), "call ls"),
    ],
)
def test_signs_are_read_as_words(row, read):
    assert row_text(plain_row(row)) == read
