"""Tables of a report: texts of a run in cells of a terminal."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from sampleui.page.tables import ReportTable, text_lines


@pytest.mark.parametrize(("width", "of_signs"), [(0, False), (60, False), (60, True)])
def test_a_name_with_what_is_not_seen_takes_one_line_and_the_cells_of_what_is_shown_for_it(
    width: int, of_signs: bool
) -> None:
    rows = [("a\u202eb\n\t", "1"), ("b\x1b[31m", "2")]
    lines = text_lines([ReportTable(("name", "n"), rows, of_signs)], width)
    assert [line.split()[0] for line in lines] == ["name", "a⟨202E⟩b␊␉", "b␛[31m"]
    assert len({*map(cell_len, lines)}) == 1, "figures end below each other"
