"""Tables of a report: texts of a run in cells of a terminal."""

from __future__ import annotations

from functools import partial

import pytest
from rich.cells import cell_len

from sampleui.page.tables import WritesTable, grid_within, plain_table, table_within


@pytest.mark.parametrize("table", [plain_table, partial(table_within, 60), partial(grid_within, 60)])
def test_a_name_with_what_is_not_seen_takes_one_line_and_the_cells_of_what_is_shown_for_it(
    table: WritesTable,
) -> None:
    lines = table(("name", "n"), [("a\u202eb\n\t", "1"), ("b\x1b[31m", "2")])
    assert [line.split()[0] for line in lines] == ["name", "a⟨202E⟩b␊␉", "b␛[31m"]
    assert len({*map(cell_len, lines)}) == 1, "figures end below each other"
