"""Sections as rows: whatever a value or a name holds, rows are as wide as there is room and hold nothing unseen."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from sampleui.sample.sections import Section, section_of
from sampleui.settings.views import Shape
from sampleui.text.visible import unsafe_in
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.drawing.sections import Area, section_rows

TEXTS = (
    "x" * 90,
    "漢字 " * 30,
    "a\x1b[31m\u202eb\0\tc\r\nd",
    "[red]x[/red] **bold " + "y" * 60 + "** `code " + "z" * 60 + "`",
    "# " + "t" * 90 + "\n\n- " + "i" * 90 + "\n\n> > > > > q\n\n|" + "c" * 90 + "|d|\n|-|-|\n|e|" + "f" * 90 + "|",
)
CHAT = [
    {"role": text, "content": text, "name": text, "tool_calls": [{"function": {"name": text}}]} for text in TEXTS
]
VALUES = (
    *TEXTS,
    *([{text: text, "n": 1}, {"n": None}] for text in TEXTS),
    *({text: [text]} for text in TEXTS),
    [],
    CHAT,
)


@pytest.mark.parametrize("kind", [None, *Shape])
@pytest.mark.parametrize("width", [20, 40, 78])
def test_rows_fit_and_hold_nothing_unseen(kind, width):
    for value in VALUES:
        for name in ("n", *TEXTS):
            section = section_of(name, value) if kind is None else Section(name, name, kind, value)
            for opened in (False, True):
                rows = [row_text(row) for row in section_rows([section, section], Area(width, opened=opened))]
                assert not [row for row in rows if cell_len(row) > width or unsafe_in(row) or "\n" in row]
