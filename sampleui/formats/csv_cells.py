"""Tables as text, and what their cells say as values.

Rows and cells are those of RFC 4180, read as Python's csv module does: a cell in quotes may hold delimiters, line
ends and doubled quotes, and a quote inside a cell that does not begin with one is a character like any other.

Cells are texts, with two exceptions. In a column that may hold tables or lists (`STRUCTURED`), a cell that is a
JSON list or table as a whole is read as such; in a column that holds numbers (`NUMBERS`), so is a JSON number. An
empty cell is not a value, and a cell of two quotes is an empty text, as in PostgreSQL's COPY.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.data import Plain, is_number, same
from sampleui.formats.json.spans import SPACE, decode, skip_blank, structure
from sampleui.formats.json.writing import PLAIN, Style, spelled, style_of
from sampleui.text.limits import MAX_CELL_NUMBER, MAX_SAMPLES
from sampleui.text.position import error_at

DELIMITERS = ",;\t|"
NAMES = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
LINE_ENDS = "\r\n"

_LOOKED_AT = 50
_QUOTED = r'"[^"]*+(?:""[^"]*+|)*+"'
_CLOSED = re.compile(_QUOTED)
_BLANK_LINES = re.compile(r"[\r\n]*+")


@lru_cache(maxsize=16)
def _row(delimiters: str) -> re.Pattern[str]:
    """Return what matches a row, its line end and blank lines after it. Any of the delimiters divides cells."""
    plain = f"[^{delimiters}\r\n]*+"
    cell = f'(?:{_QUOTED}{plain}|(?!"){plain})'
    return re.compile(rf"{cell}(?:[{delimiters}]{cell}|)*+(?:[\r\n]++|\Z)")


@lru_cache(maxsize=16)
def _cell(delimiters: str) -> re.Pattern[str]:
    return re.compile(rf"(?:\A|[{delimiters}])((?:{_QUOTED}|)?+[^{delimiters}]*+)")


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


def offsets_of(cells: Sequence[str]) -> Iterator[int]:
    """Yield where each cell begins in its row."""
    start = 0
    for cell in cells:
        yield start
        start += len(cell) + 1


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
        raise error_at(text, start, f"the delimiter of the cells is not certain: {choices}; no row decides it")
    return fitting[0] if fitting else ","


def _dividers(header: str) -> list[str]:
    """Return the delimiters that a header has outside quotes."""
    names = _cell(DELIMITERS).findall(header)
    following = {header[start - 1] for start in islice(offsets_of(names), 1, None)}
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


_STRUCTURED = """
    messages input_messages input vars input_files expected expected_messages expected_output expected_outcome
    criteria outcome assert assertions evaluator evaluators rubrics execution metadata workspace depends_on turns
    aggregation provider prompts run tags options references few_shot_examples golden_trajectories sandbox data_tag
    checkpoint raw_assets tools tool_choice sampling_params generation_params eval_config unconditioned_input
    predict_result eval_result choices answer on_dependency_failure on_turn_failure ideal preferred_output
    non_preferred_output completion chosen rejected functions function_call conversations history reference images
    videos audios target files inputs outputs context retrieval_context tools_called expected_tools
    additional_metadata persona custom_column_key_values expectations expectedOutput gold providers providerOutput
    chosen_messages rejected_messages completions labels body reference_answer must_have must_not_have focus notes
    manual_review_expected
"""
STRUCTURED = frozenset(_STRUCTURED.split())
"""The columns in which a cell may be a JSON list or table: the keys of the dialects that may hold one."""

NUMBERS = frozenset({"score", "threshold", "window_size", "token_cost", "input_token_count", "output_token_count"})
"""The columns in which a cell may be a number."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """In which columns a cell may be something else than a text.

    Attributes:
        structured: those in which it may be a JSON list or table.
        numbers: those in which it may be a number.
    """

    structured: frozenset[str] = STRUCTURED
    numbers: frozenset[str] = NUMBERS


USUAL = Kinds()

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def value_of(column: str, raw: str, kinds: Kinds = USUAL) -> Plain:
    """Return what a cell says that is not empty."""
    text = text_of(raw)
    if column in kinds.structured:
        parsed = structure(text)
        return text if parsed is None else parsed
    if column in kinds.numbers and len(text) < MAX_CELL_NUMBER and _NUMBER.fullmatch(text):
        number: int | float = json.loads(text)
        return number
    return text


def json_fault(column: str, raw: str, kinds: Kinds) -> str:
    """Return why a cell that begins like JSON is not JSON; nothing for any other."""
    text = text_of(raw)
    begins_like_json = text.lstrip(SPACE).startswith(("[{", '{"'))
    if column not in kinds.structured or not begins_like_json or structure(text) is not None:
        return ""
    try:
        decode(text, skip_blank(text, 0))
    except FormatError as error:
        return f"{error.message} (line {error.line}, column {error.column} of the cell)"
    return "there is something behind it"


@dataclass(frozen=True, slots=True)
class Habit:
    """How cells are written.

    Attributes:
        quoted: in quotes even if that is not needed.
        bare: with quotes inside as they are, where the cell does not begin with one.
        style: how JSON in them is spaced.
    """

    quoted: bool = False
    bare: bool = False
    style: Style = PLAIN


def habit_of(cell: str, default: Habit) -> Habit:
    """Return how one cell is written; as the others where it is empty."""
    if not cell:
        return default
    quoted = cell.startswith('"')
    text = text_of(cell)
    style = style_of(text.strip(SPACE), default.style) if structure(text) is not None else default.style
    return Habit(quoted, not quoted and '"' in cell, style)


def habit_of_all(cells: list[str]) -> Habit | None:
    """Return how several cells are written: in quotes if all are; None if all are empty."""
    filled = [cell for cell in cells if cell]
    if not filled:
        return None
    first = next((text for text in map(text_of, filled) if structure(text)), "")
    return Habit(
        all(cell.startswith('"') for cell in filled),
        any('"' in cell and not cell.startswith('"') for cell in filled),
        style_of(first.strip(SPACE), PLAIN) if first else PLAIN,
    )


@lru_cache(maxsize=16)
def _needs_quotes(delimiters: str, bare: bool) -> re.Pattern[str]:
    quote = r'\A"' if bare else '"'
    return re.compile(rf"[{delimiters}\r\n]|{quote}|\A\s|\s\Z|\A\Z")


def quoted_where_needed(text: str, delimiters: str, habit: Habit) -> str:
    """Return a text as a cell, in quotes where one of the delimiters or its own characters ask for them."""
    if habit.quoted or _needs_quotes(delimiters, habit.bare).search(text):
        return '"' + text.replace('"', '""') + '"'
    return text


def name_written(name: str, habit: Habit) -> str:
    """Return the name of a column as a cell of the header that cannot be taken for several columns."""
    return quoted_where_needed(name, DELIMITERS, Habit(habit.quoted))


def cell_text(column: str, value: Plain, like: str, habit: Habit, kinds: Kinds) -> str:
    """Return what a cell is to say for a value to be read from it.

    Args:
        column: the column.
        value: the value.
        like: what the cell says now; its JSON is what a new one is laid out by.
        habit: how the cell is written.
        kinds: what cells may be.

    Raises:
        EditRefusedError: when the column cannot hold it, saying why.
    """
    text = _spelled(column, value, like, habit, kinds)
    if "\0" in text:
        raise EditRefusedError(f"{column}: a table cannot hold the character NUL")
    if not same(value_of(column, quoted_where_needed(text, "", Habit(quoted=True)), kinds), value):
        kind = "a number" if column in kinds.numbers else "JSON"
        raise EditRefusedError(f"{column}: in a table this text would be read as {kind}")
    return text


def _spelled(column: str, value: Plain, like: str, habit: Habit, kinds: Kinds) -> str:
    if isinstance(value, str):
        return value
    is_numeric = column in kinds.numbers and is_number(value)
    if is_numeric or (column in kinds.structured and isinstance(value, list | dict)):
        return spelled(value, like.strip(SPACE) if structure(like) is not None else "", None, habit.style)
    raise EditRefusedError(f"{column}: a cell of this column cannot hold {kind_of(value)}")


def kind_of(value: Plain) -> str:
    """Return what a value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, list):
        return "a list"
    return "a table" if isinstance(value, dict) else "a date or time"


def fitted(column: str, value: Plain, kinds: Kinds = USUAL) -> tuple[Plain, str]:
    """Return a value without dates as a cell of a column can hold it, None for none, and in words what is lost."""
    if value is None:
        return None, "null has no cell and is left out"
    if isinstance(value, str):
        read = value_of(column, quoted_where_needed(value, "", Habit(quoted=True)), kinds)
        return read, "" if isinstance(read, str) else f"the text will be read as {kind_of(read)}"
    try:
        cell_text(column, value, "", Habit(), kinds)
    except EditRefusedError:
        read, _ = fitted(column, json.dumps(value, ensure_ascii=False), kinds)
        return read, f"{kind_of(value)} is written as text" if isinstance(read, str) else ""
    return value, ""
