"""A test of promptfoo's as a row of a table, and back (0.123.1, `testCaseFromCsvRow`, `assertionFromString`)."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from sampleui.formats.data import Plain, Table
from sampleui.integrations.javascript import trim
from sampleui.integrations.promptfoo.assertion_text import AS_IT_STANDS, LISTED, THRESHOLDS, assertion
from sampleui.sample.message import iso

VARIABLES = "vars"
_SAME = {"description": "__description", "threshold": "__threshold", "providerOutput": "__providerOutput"}
_OPTIONS = {"prefix": "__prefix", "suffix": "__suffix"}
_EXPECTED = "__expected"
_METRIC = "__metric"
_METADATA = "__metadata:"
_NO_COLUMN = "dropped, a table has no column for it"
_AS_TEXT = "written as JSON text, for a cell is a text"
_NO_CELL = "dropped, a cell has no place for it"
_OF_ONE = re.compile(rf"__config:{_EXPECTED}([1-9]\d*)?:threshold")
_OF_ANY = "__config:"
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_PLAIN_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d{0,14})")
_COMMA = re.compile(r"(?<!\\),")
_AS_JSON = AS_IT_STANDS | {"equals"}


def to_row(test: Table, columns: Collection[str], notes: list[str]) -> Table:
    """Return a test as a row: a column for each of its variables, assertions and values of metadata.

    Args:
        test: the test.
        columns: those that its table has, whose spelling of the first assertion it takes.
        notes: where a line is put for what changes.
    """
    row: Table = {}
    for key, value in test.items():
        if key == VARIABLES and isinstance(value, dict):
            row |= {name: _cell(f"{key}.{name}", item, notes) for name, item in value.items()}
        elif key == "assert" and isinstance(value, list):
            asserted = _assertions(key, value, notes)
            first = f"{_EXPECTED}1" if f"{_EXPECTED}1" in columns else _EXPECTED
            row |= {first if name == _EXPECTED else name: cell for name, cell in asserted.items()}
        elif key == "metadata" and isinstance(value, dict):
            row |= dict(_metadata_cell(f"{key}.{name}", name, item, notes) for name, item in value.items())
        elif key == "options" and isinstance(value, dict):
            row |= {
                _OPTIONS[name]: item for name, item in value.items() if name in _OPTIONS and isinstance(item, str)
            }
            notes += (f"{key}.{name}: {_NO_COLUMN}" for name in value.keys() - _OPTIONS.keys())
        elif key in _SAME:
            row[_SAME[key]] = str(value) if isinstance(value, str | int | float) else _cell(key, value, notes)
        elif VARIABLES in test or not isinstance(value, str):
            notes.append(f"{key}: {_NO_COLUMN}")
        else:
            row[key] = value
    return row


def from_row(row: Table, known: frozenset[str]) -> Table:
    """Return a row as a test; what is a test already, or a row that promptfoo refuses, as it is.

    Args:
        row: the row.
        known: the keys that are no variables.
    """
    if row.keys() <= known - {key for key in known if key.startswith("__")} or "assert" in row or VARIABLES in row:
        return row
    thresholds = _thresholds(row)
    if thresholds is None:
        return row
    plain = [(key, value) for key, value in row.items() if not key.startswith("__")]
    test: Table = {key: value for key, value in plain if key in known}
    test |= {name: row[column] for name, column in _SAME.items() if row.get(column) not in (None, "")}
    if (threshold := as_number(test.pop("threshold", None))) is not None:
        test["threshold"] = threshold
    test[VARIABLES] = {key: value for key, value in plain if key not in known}
    metric: Table = {"metric": row[_METRIC]} if row.get(_METRIC) else {}
    cells = enumerate(expected_cells(row).values())
    asserts = [{**assertion(cell), **metric, **thresholds.get(index, {})} for index, cell in cells]
    test |= {"assert": [*asserts]} if asserts else {}
    options: Table = {name: row[column] for name, column in _OPTIONS.items() if column in row}
    test |= {"options": options} if options else {}
    metadata = _metadata(row)
    for position, item in thresholds.items():
        metadata |= item if position < len(asserts) else {}  # promptfoo has it there as well
    return test | ({"metadata": metadata} if metadata else {})


def _metadata(row: Table) -> Table:
    """Return the metadata of a row; a text of white space is none."""
    return {
        _kept_as(key): _items(value) if key.endswith("[]") else value
        for key, value in row.items()
        if key.startswith(_METADATA) and not (isinstance(value, str) and not trim(value))
    }


def columns(row: Table, test: Table) -> dict[str, str]:
    """Return the columns of a row by the paths of what they are in the test that it is.

    Args:
        row: the row.
        test: what `from_row` makes of it.
    """
    variables = test.get(VARIABLES)
    if test is row or not isinstance(variables, dict):
        return {}
    named = {f"assert[{index}]": key for index, key in enumerate(expected_cells(row))}
    thresholds = {
        f"assert[{int(item[1] or 1) - 1}].threshold": key for key in row if (item := _OF_ONE.fullmatch(key))
    }
    shared = {"assert[].metric": _METRIC, **_SAME}
    shared |= {f"options.{name}": column for name, column in _OPTIONS.items()}
    metadata_columns = {f"metadata.{_kept_as(key)}": key for key in row if key.startswith(_METADATA)}
    present = {name: column for name, column in shared.items() if column in row}
    return {
        **present,
        **{f"{VARIABLES}.{key}": key for key in variables},
        **named,
        **thresholds,
        **metadata_columns,
    }


def _kept_as(column: str) -> str:
    return column.removeprefix(_METADATA).removesuffix("[]")


def expected_cells(row: Table) -> dict[str, str]:
    """Return the texts of the columns that expect something, in their order."""
    cells = (
        (key, trim(value)) for key, value in row.items() if key.startswith(_EXPECTED) and isinstance(value, str)
    )
    return {key: text for key, text in cells if text}


def _thresholds(row: Table) -> dict[int, Table] | None:
    """Return the thresholds in columns of their own, by the number of the assertion; None if one is refused."""
    thresholds: dict[int, Table] = {}
    for key, value in row.items():
        if not key.startswith(_OF_ANY) or key.count(":") != 2:
            continue
        match, number = _OF_ONE.fullmatch(key), as_number(value)
        if match is None or number is None:
            return None
        thresholds[int(match[1] or 1) - 1] = {"threshold": number}
    return thresholds


def as_number(value: Plain) -> Plain:
    """Return a cell as a number; None for one that is none."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not _NUMBER.fullmatch(text):
        return None
    return int(text) if _PLAIN_NUMBER.fullmatch(text) else float(text)


def _assertions(name: str, items: list[Plain], notes: list[str]) -> Table:
    """Return the columns of assertions, and that of their metric if they all have the same one."""
    listed = [(f"{name}[{index}]", item) for index, item in enumerate(items)]
    cells = [
        (key, item, text) for key, item in listed if isinstance(item, dict) and (text := _spelled(key, item, notes))
    ]
    metrics = {json.dumps(item.get("metric"), default=iso): item.get("metric") for _, item, _ in cells}
    metric = next(iter(metrics.values())) if len(metrics) == 1 else None
    written = {key for key, _, _ in cells}
    notes += (f"{key}: dropped, no cell says this assertion" for key, _ in listed if key not in written)
    shared = {"type", "value", *(["metric"] if isinstance(metric, str) else [])}
    for key, item, text in cells:
        columns_shared = (
            shared | {"threshold"} if "threshold" in assertion(text) and "threshold" in item else shared
        )
        notes += (f"{key}.{inner}: {_NO_CELL}" for inner in item if inner not in columns_shared)
    keys = (f"{_EXPECTED}{index}" if index > 1 else _EXPECTED for index in range(1, len(cells) + 1))
    row: Table = {key: text for key, (_, _, text) in zip(keys, cells, strict=True)}
    return row | ({_METRIC: metric} if isinstance(metric, str) else {})


def _cell(name: str, value: Plain, notes: list[str]) -> str:
    if isinstance(value, str):
        return value
    notes.append(f"{name}: {_AS_TEXT}")
    return json.dumps(value, ensure_ascii=False, default=iso)


def _metadata_cell(name: str, key: str, value: Plain, notes: list[str]) -> tuple[str, str]:
    """Return the column and the cell of a value of metadata: texts between commas where they read back."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        text = ",".join(str(item).replace(",", "\\,") for item in value)
        if text.strip() and _items(text) == value:
            return f"{_METADATA}{key}[]", text
    return f"{_METADATA}{key}", _cell(name, value, notes)


def _spelled(name: str, item: Table, notes: list[str]) -> str:
    """Return an assertion as a cell that reads back as it; nothing if there is none."""
    kind, value = item.get("type"), item.get("value")
    plain = kind.removeprefix("not-") if isinstance(kind, str) else ""
    parts = [] if value is None else [_value(plain, value)]
    threshold = item.get("threshold") if plain in THRESHOLDS else None
    digits = "" if threshold is None else str(threshold)
    if None in parts or (digits and not _DIGITS.fullmatch(digits)):
        return ""
    colon = ":" if plain in AS_IT_STANDS else ": "
    text = trim(f"{kind}{digits and f'({digits})'}{''.join(f'{colon}{item}' for item in parts)}")
    read = assertion(text)
    if read["type"] != kind or ("value" in read) is (value is None):
        return ""
    if value is not None and read["value"] != value:
        blanks = isinstance(value, str)
        notes.append(f"{name}: {'written without the blanks around it' if blanks else _AS_TEXT}")
    if "threshold" in read and threshold is None and plain != "starts-with":  # which makes nothing of it
        notes.append(f"{name}: written without a threshold, it has one of {read['threshold']} in a cell")
    return text


def _value(kind: str, value: Plain) -> str | None:
    """Return the value of an assertion as a cell has it, None if it has no such value."""
    if isinstance(value, str):
        return trim(value)
    if isinstance(value, list) and kind in LISTED:
        texts = [_quoted(item) for item in value if isinstance(item, str)]
        return ",".join(texts) if texts and len(texts) == len(value) else None
    return json.dumps(value, ensure_ascii=False, default=iso) if kind in _AS_JSON else None


def _quoted(text: str) -> str:
    """Return a text as it may stand between commas."""
    if text and trim(text) == text and not {",", '"', "\\", "\n"} & {*text}:
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _items(value: Plain) -> Plain:
    """Return the items of a cell of metadata."""
    if not isinstance(value, str):
        return value
    return [trim(part).replace("\\,", ",") for part in _COMMA.split(value)]
