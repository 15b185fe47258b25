"""A test of promptfoo's as a row of a table, and back (0.123.1, `testCaseFromCsvRow`, `assertionFromString`)."""

from __future__ import annotations

import json

from sampleui.formats.data import Plain, Table
from sampleui.sample.assertion_text import spelled
from sampleui.sample.dialect import keys

VARIABLES = "vars"
_SAME = {"description": "__description", "threshold": "__threshold", "providerOutput": "__providerOutput"}
_OPTIONS = {"prefix": "__prefix", "suffix": "__suffix"}
_METADATA = "__metadata:"
_NO_COLUMN = "dropped, a table has no column for it"
_LISTED = keys("contains-all contains-any icontains-all icontains-any")
_WITH_TEXT = keys(
    """
    contains contains-json contains-sql contains-xml equals factuality icontains is-json javascript llm-rubric
    model-graded-closedqa python regex starts-with
    """
)
_ALONE = keys("contains-html contains-json contains-sql contains-xml is-html is-json is-refusal is-sql")
_READ = _LISTED | _WITH_TEXT | _ALONE
_OTHER_NAMES = {"fn": "javascript", "eval": "javascript", "grade": "llm-rubric"}


def to_row(test: Table, notes: list[str]) -> Table:
    """Return a test as a row: a column for each of its variables, assertions and values of metadata.

    Args:
        test: the test.
        notes: where a line is put for what changes.
    """
    row: Table = {}
    for key, value in test.items():
        if key == VARIABLES and isinstance(value, dict):
            row |= {name: _cell(f"{key}.{name}", one, notes) for name, one in value.items()}
        elif key == "assert" and isinstance(value, list):
            cells = [one for at, item in enumerate(value) if (one := _asserted(f"{key}[{at}]", item, notes))]
            row |= {"__expected" + str(at + 1) * (at > 0): one for at, one in enumerate(cells)}
        elif key == "metadata" and isinstance(value, dict):
            row |= dict(_kept(f"{key}.{name}", name, one, notes) for name, one in value.items())
        elif key == "options" and isinstance(value, dict):
            row |= {_OPTIONS[name]: one for name, one in value.items() if name in _OPTIONS and isinstance(one, str)}
            notes += (f"{key}.{name}: {_NO_COLUMN}" for name in value.keys() - _OPTIONS.keys())
        elif key in _SAME:
            row[_SAME[key]] = value if isinstance(value, str | int | float) else _cell(key, value, notes)
        elif VARIABLES in test or not isinstance(value, str):
            notes.append(f"{key}: {_NO_COLUMN}")
        else:
            row[key] = value
    return row


def from_row(row: Table, known: frozenset[str]) -> Table:
    """Return a row as a test; what is a test already, or has a column that says more, as it is.

    Args:
        row: the row.
        known: the keys that are no variables.
    """
    if row.keys() <= known - {key for key in known if key.startswith("__")} or "assert" in row or VARIABLES in row:
        return row
    if any(key.startswith(("__config", "__metric")) for key in row):
        return row
    variables: Table = {key: value for key, value in row.items() if key not in known and not key.startswith("__")}
    expected = [value for key, value in row.items() if key.startswith("__expected") and isinstance(value, str)]
    test: Table = {own: row[column] for own, column in _SAME.items() if column in row}
    test |= {key: value for key, value in row.items() if key in known and not key.startswith("__")}
    test[VARIABLES] = variables
    test |= {"assert": [*map(_assertion, expected)]} if expected else {}
    options: Table = {own: row[column] for own, column in _OPTIONS.items() if column in row}
    test |= {"options": options} if options else {}
    kept: Table = {
        key.removeprefix(_METADATA).removesuffix("[]"): _items(value) if key.endswith("[]") else value
        for key, value in row.items()
        if key.startswith(_METADATA)
    }
    return test | ({"metadata": kept} if kept else {})


def _cell(name: str, value: Plain, notes: list[str]) -> str:
    if isinstance(value, str):
        return value
    notes.append(f"{name}: written as JSON text, for a cell is a text")
    return json.dumps(value, ensure_ascii=False, default=str)


def _kept(name: str, key: str, value: Plain, notes: list[str]) -> tuple[str, str]:
    texts = [one for one in value if isinstance(one, str) and _is_plain(one)] if isinstance(value, list) else []
    if isinstance(value, list) and texts and len(texts) == len(value):
        return f"{_METADATA}{key}[]", ",".join(texts)
    return f"{_METADATA}{key}", _cell(name, value, notes)


def _asserted(name: str, item: Plain, notes: list[str]) -> str:
    """Return an assertion as a cell; nothing for one that no cell says."""
    text = _spelled(name, item, notes) if isinstance(item, dict) else ""
    if not text or not isinstance(item, dict):
        notes.append(f"{name}: dropped, no cell says this assertion")
        return ""
    notes += (f"{name}.{key}: dropped, a cell has no place for it" for key in item if key not in ("type", "value"))
    return text


def _spelled(name: str, item: Table, notes: list[str]) -> str:
    kind, value = item.get("type"), item.get("value")
    plain = kind.removeprefix("not-") if isinstance(kind, str) else ""
    if value is None:
        return str(kind) if plain in _ALONE else ""
    if isinstance(value, list) and plain in _LISTED:
        texts = [one for one in value if isinstance(one, str) and _is_plain(one)]
        return f"{kind}: {','.join(texts)}" if texts and len(texts) == len(value) else ""
    if plain not in _WITH_TEXT or not (isinstance(value, str) or plain == "equals"):
        return ""
    text = _cell(name, value, notes).strip()
    if text != value and isinstance(value, str):
        notes.append(f"{name}: written without the blanks around it")
    return f"{kind}: {text}" if text else ""


def _is_plain(text: str) -> bool:
    """Tell whether a text may stand between commas as it is."""
    return bool(text) and text.strip() == text and not {",", '"', "\\", "\n"} & {*text}


def _assertion(cell: str) -> Plain:
    text = cell.strip()
    name = text.partition(":")[0].partition("(")[0]
    found = spelled(_OTHER_NAMES.get(name, name) + text[len(name) :])
    if found is None or found.kind not in _READ or (found.value is None and found.kind not in _ALONE):
        return {"type": "equals", "value": text}
    made: Table = {"type": f"{found.negated}{found.kind}"}
    if found.value is not None:
        made["value"] = _items(found.value) if found.kind in _LISTED else found.value.strip()
    return made


def _items(value: Plain) -> Plain:
    return [item.strip() for item in value.split(",")] if isinstance(value, str) else value
