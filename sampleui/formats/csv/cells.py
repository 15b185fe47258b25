"""What a cell of a table says as a value, and how a value is written as a cell.

Cells are texts, with two exceptions. In a column that may hold tables or lists (`STRUCTURED`), a cell that is a
JSON list or table as a whole is read as such; in a column that holds numbers (`NUMBERS`), so is a JSON number. An
empty cell is not a value, and a cell of two quotes is an empty text, as in PostgreSQL's COPY.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.csv.table import DELIMITERS, text_of
from sampleui.formats.data import Plain, same
from sampleui.formats.json.spans import SPACE, decode, skip_blank, structure
from sampleui.formats.json.writing import PLAIN, Style, spelled, style_of
from sampleui.text.limits import MAX_CELL_NUMBER

_STRUCTURED = """
    messages input_messages input vars input_files expected expected_messages expected_output expected_outcome
    criteria outcome assert assertions evaluator evaluators rubrics execution metadata workspace depends_on turns
    aggregation provider prompts run tags options references few_shot_examples golden_trajectories sandbox data_tag
    checkpoint raw_assets tools tool_choice sampling_params generation_params eval_config unconditioned_input
    predict_result eval_result choices answer on_dependency_failure on_turn_failure ideal preferred_output
    non_preferred_output completion chosen rejected functions function_call conversations history reference images
    videos audios target files inputs outputs context retrieval_context tools_called expected_tools
    additional_metadata persona custom_column_key_values expectations expectedOutput gold providers providerOutput
    chosen_messages rejected_messages completions labels body reference_answer
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


def json_fault(column: str, raw: str, kinds: Kinds = USUAL) -> str:
    """Return why a cell that begins like JSON is not JSON; nothing for any other."""
    text = text_of(raw)
    if (
        column not in kinds.structured
        or not text.lstrip(SPACE).startswith(('[{"', "[{", '{"'))
        or structure(text) is not None
    ):
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


def written(text: str, delimiters: str, habit: Habit) -> str:
    """Return a text as a cell, in quotes where one of the delimiters or its own characters ask for them."""
    if habit.quoted or _needs_quotes(delimiters, habit.bare).search(text):
        return '"' + text.replace('"', '""') + '"'
    return text


def name_written(name: str, habit: Habit) -> str:
    """Return the name of a column as a cell of the header, from which no other delimiter may be taken."""
    return written(name, DELIMITERS, Habit(habit.quoted))


def cell_text(column: str, value: Plain, like: str, habit: Habit, kinds: Kinds = USUAL) -> str:
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
    if not same(value_of(column, written(text, "", Habit(quoted=True)), kinds), value):
        kind = "a number" if column in kinds.numbers else "JSON"
        raise EditRefusedError(f"{column}: in a table this text would be read as {kind}")
    return text


def _spelled(column: str, value: Plain, like: str, habit: Habit, kinds: Kinds) -> str:
    if isinstance(value, str):
        return value
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if (column in kinds.numbers and number) or (column in kinds.structured and isinstance(value, list | dict)):
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
        read = value_of(column, written(value, "", Habit(quoted=True)), kinds)
        return read, "" if isinstance(read, str) else f"the text will be read as {kind_of(read)}"
    try:
        cell_text(column, value, "", Habit(), kinds)
    except EditRefusedError:
        read, _ = fitted(column, json.dumps(value, ensure_ascii=False), kinds)
        return read, f"{kind_of(value)} is written as text" if isinstance(read, str) else ""
    return value, ""
