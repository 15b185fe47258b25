"""Long lines broken to a width in terminal cells, quickly enough to be done for each key typed."""

from __future__ import annotations

import re
from functools import lru_cache

from rich.cells import cell_len, chop_cells

TAB_STOP = 4

_WORD = re.compile(r"\s*\S+|\s+$")


def untabbed(line: str) -> str:
    """Return a line with its tabs shown as an arrow and spaces up to the next stop."""
    if "\t" not in line:
        return line
    parts = line.split("\t")
    out = parts[0]
    for part in parts[1:]:
        out += "→".ljust(TAB_STOP - cell_len(out) % TAB_STOP) + part
    return out


def wrap_line(line: str, width: int) -> list[str]:
    """Break one line at its spaces to at most `width` cells; words that are longer are cut. Never empty."""
    if line.isascii() and len(line) <= width:
        return [line]
    if width < 2 or cell_len(line) <= width:
        return [line]
    return _broken(line, width)


@lru_cache(maxsize=4096)
def _broken(line: str, width: int) -> list[str]:
    size = len if line.isascii() else cell_len
    lines: list[str] = []
    row, used = "", 0
    for word in _WORD.findall(line):
        cells = size(word)
        if used + cells <= width:
            row, used = row + word, used + cells
            continue
        if row:
            lines.append(row)
            word = word.lstrip()
            cells = size(word)
        if cells > width:
            *full, word = chop_cells(word, width)
            lines.extend(full)
            cells = size(word)
        row, used = word, cells
    if row or not lines:
        lines.append(row)
    return lines
