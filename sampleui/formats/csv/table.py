"""Tables as text (RFC 4180, read as Python's csv module does): where rows and cells begin and end.

A cell in quotes may hold delimiters, line ends and doubled quotes. A quote inside a cell that does not begin with
one is a character like any other.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sampleui.formats.json.spans import error_at
from sampleui.text.limits import MAX_SAMPLES

DELIMITERS = ",;\t|"
NAMES = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
LINE_ENDS = "\r\n"

_LOOKED_AT = 50
_QUOTED = r'"[^"]*+(?:""[^"]*+)*+"'
_CLOSED = re.compile(_QUOTED)
_BLANK_LINES = re.compile(r"[\r\n]*+")


@lru_cache(maxsize=16)
def _row(delimiters: str) -> re.Pattern[str]:
    """Return what matches a row, its line end and blank lines after it. Any of the delimiters divides cells."""
    plain = f"[^{delimiters}\r\n]*+"
    cell = f'(?:{_QUOTED}{plain}|(?!"){plain})'
    return re.compile(rf"{cell}(?:[{delimiters}]{cell})*+(?:[\r\n]++|\Z)")


@lru_cache(maxsize=16)
def _cell(delimiters: str) -> re.Pattern[str]:
    return re.compile(rf"(?:\A|[{delimiters}])((?:{_QUOTED})?+[^{delimiters}]*+)")


def skip_blank_lines(text: str, start: int) -> int:
    """Return the offset of the first character that is not a line end."""
    blanks = _BLANK_LINES.match(text, start)
    assert blanks is not None
    return blanks.end()


def rows_of(text: str, start: int, delimiter: str) -> list[str]:
    """Return the rows of a text from an offset on, each with its line end and the blank lines after it.

    Raises:
        FormatError: when a quote is never closed, at that quote; when there are too many rows.
    """
    rows: list[str] = _row(delimiter).findall(text, start)
    if rows and not rows[-1]:
        rows.pop()
    if len(rows) > MAX_SAMPLES:
        raise error_at(text, start, f"more than {MAX_SAMPLES:,} rows")
    if sum(map(len, rows)) < len(text) - start:
        raise error_at(text, _unclosed(text, start, delimiter), "the quote that begins here is never closed")
    return rows


def whole_rows(text: str, start: int, delimiter: str) -> int:
    """Return where the last row ends that is whole in a text from an offset on, which is cut off anywhere."""
    row = _row(delimiter)
    while (match := row.match(text, start)) and match.end() < len(text):
        start = match.end()
    return start


def _unclosed(text: str, start: int, delimiter: str) -> int:
    """Return where the first cell begins, from an offset on, whose quotes have no end."""
    row = _row(delimiter)
    while match := row.match(text, start):
        start = match.end()
    cell = re.compile(rf"{_QUOTED}[^{delimiter}\r\n]*+|(?!\")[^{delimiter}\r\n]*+")
    while match := cell.match(text, start):
        start = match.end() + 1
    return start


def body_of(row: str) -> str:
    """Return a row without its line end and the blank lines after it."""
    return row.rstrip(LINE_ENDS)


def cells_of(body: str, delimiter: str) -> list[str]:
    """Return the cells of a row as they are written, quotes included."""
    return _cell(delimiter).findall(body) if '"' in body else body.split(delimiter)


@lru_cache(maxsize=16)
def header_cells(head: str, delimiter: str) -> tuple[str, ...]:
    """Return the names of the columns as they are written; none if there is no header."""
    body = body_of(head)[skip_blank_lines(head, int(head.startswith("\ufeff"))) :]
    return tuple(cells_of(body, delimiter)) if body else ()


def offset_of(cells: list[str], column: int) -> int:
    """Return where a cell begins in its row."""
    return sum(map(len, cells[:column])) + column


def closed(raw: str) -> bool:
    """Tell whether the quotes of a cell that begins with one end where the cell does."""
    return _CLOSED.fullmatch(raw) is not None


def text_of(raw: str) -> str:
    """Return what a cell says."""
    if not raw.startswith('"'):
        return raw
    return raw[1:-1].replace('""', '"') if '""' in raw else raw[1:-1]


def delimiter_of(text: str, start: int) -> str:
    """Return what divides the cells of a table whose header begins at an offset; a comma if nothing does.

    It is the only one of `DELIMITERS` that the header has outside quotes or, of several, the only one at which all
    of the first rows fall into as many cells as the header.

    Raises:
        FormatError: when several are left.
    """
    header = _row(DELIMITERS).match(text, start)
    if header is None:
        raise error_at(text, _unclosed(text, start, DELIMITERS), "the quote that begins here is never closed")
    dividers = _dividers(body_of(header[0]))
    fitting = [divider for divider in dividers if len(dividers) == 1 or _fits(text, start, divider)]
    if len(fitting) > 1 or (dividers and not fitting):
        choices = " or ".join(NAMES[item] for item in fitting or dividers)
        raise error_at(text, start, f"what divides the cells is not certain: {choices}; no row tells")
    return fitting[0] if fitting else ","


def _dividers(header: str) -> list[str]:
    """Return the delimiters that a header has outside quotes."""
    names = _cell(DELIMITERS).findall(header)
    ends = [offset_of(names, number) + len(name) for number, name in enumerate(names[:-1])]
    following = {header[end] for end in ends}
    return [item for item in DELIMITERS if item in following]


def _fits(text: str, start: int, delimiter: str) -> bool:
    """Tell whether all of the first rows of a table, of which there are some, are as wide as the header."""
    widths: list[int] = []
    while start < len(text) and len(widths) <= _LOOKED_AT:
        match = _row(delimiter).match(text, start)
        if match is None:
            return False
        widths.append(len(cells_of(body_of(match[0]), delimiter)))
        start = match.end()
    return len(widths) > 1 and len({*widths}) == 1
