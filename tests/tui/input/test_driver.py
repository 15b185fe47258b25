"""The terminal's size and what the app makes of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.torture.program import Program

from ..driver import DECKS

COLUMNS = [120, 80, 200, 40]


def test_of_two_sizes_at_once_the_last_one_is_drawn(tmp_path: Path) -> None:
    deck = DECKS / "hello.toml"
    program = Program(
        [sys.executable, "-m", "sampleui", str(deck)],
        tmp_path,
        {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"},
        (80, 24),
    )
    try:
        assert program.answered(b"\x1b[?25l", 0, 60) is not None
        for number in range(24):
            since = program.mark()
            # Each time more lines than ever: a line of an earlier size, which may be drawn late, answers nothing.
            columns, lines = COLUMNS[number % len(COLUMNS)], 26 + 2 * number
            program.resize((columns, lines))
            program.resize((columns, lines + 1))
            assert program.answered(b"\x1b[%d;" % (lines + 1), since, 20) is not None, number
    finally:
        program.end()
