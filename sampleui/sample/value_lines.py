"""Tables on one line in words of their own: assertions, evaluators, options, tools, references and calls."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.sample.tool_calls import call_line, tools_of

_VALUES = ("value", "criteria", "prompt", "rubrics", "command", "fields", "assertions")
STATEMENTS = ("expectations", "assertions")
"""Keys of lists of what must be true of an answer, in words."""

STATING = ("text", "assertion", "description", "check", "criterion", "statement", "expectation")
"""Keys under which a table of such a list has the words."""

_LIMITS = ("threshold", "budget", "weight", "min_score")


def line_of(table: Table, right: Collection[str] = ()) -> str:
    """Return what a table of a list is on one line; empty for one that has no such words.

    Args:
        table: the table.
        right: the ids and texts that are expected, with which an option is marked.
    """
    kind = table.get("type")
    if "arguments" in table or isinstance(table.get("tool"), str) or "arguments" in as_table(table.get("function")):
        return call_line(table)
    if isinstance(kind, str) and kind != "function" and not {"role", kind} & table.keys():
        return " ".join(_assertion(kind, table))
    if defined := tools_of({"tools": [table]}):
        return _tool(table, defined)
    name, content = table.get("id"), table.get("content", table.get("text"))
    if isinstance(name, str) and isinstance(content, str):
        return f"{name}  {content}" + ("  ✓ label" if {name, content} & {*right} else "")
    return _answer(table.get("answer")) if table.keys() <= {"answer", "metadata", "id"} else ""


def statement_of(table: Table) -> str:
    """Return what a table of a list of statements says, behind its name; empty for one that a program checks."""
    said = next((table[key] for key in STATING if isinstance(table.get(key), str)), None)
    if not isinstance(said, str) or not said or not {*_VALUES, "expected", "mode"}.isdisjoint(table):
        return ""
    name = next((table[key] for key in ("name", "id") if isinstance(table.get(key), str | int)), None)
    return said if name is None else f"{name}: {said}"


def _tool(table: Table, defined: dict[str, Table]) -> str:
    (name, schema), *_ = defined.items()
    properties = schema.get("properties")
    function = table.get("function", table)
    description = function.get("description") if isinstance(function, dict) else None
    arguments = ", ".join(properties) if isinstance(properties, dict) else ""
    return f"{name}({arguments})" + (f"  {description}" if isinstance(description, str) and description else "")


def _assertion(kind: str, table: Table) -> Iterator[str]:
    if table.get("negate") is True:
        yield "not"
    calls = " → ".join(_called(table.get("expected")))
    mode = table.get("mode")
    yield f"{kind} {mode}" if isinstance(mode, str) else kind
    if calls:
        yield f"· {calls}"
    minimums = table.get("minimums")
    if isinstance(minimums, dict):
        yield ", ".join(f"{name} ≥ {least}" for name, least in minimums.items())
    for key in _VALUES:
        if table.get(key) not in (None, "", []):
            yield _value_text(table[key])
    limits = [key for key in table if key in _LIMITS or key.startswith("max_")]
    if limits:
        yield ", ".join(f"{key} {_value_text(table[key])}" for key in limits)


def _called(expected: Plain) -> Iterator[str]:
    for item in as_list(expected):
        tool = item.get("tool") if isinstance(item, dict) else item
        if isinstance(tool, str):
            yield tool


def _value_text(value: Plain) -> str:
    if isinstance(value, list):
        return ", ".join(map(_value_text, value))
    if isinstance(value, dict):
        return line_of(value) or " ".join(
            item if isinstance(item, str) else _value_text(item) for item in value.values()
        )
    return json.dumps(value, ensure_ascii=False, default=str)


def _answer(answer: Plain) -> str:
    if isinstance(answer, str):
        return answer
    segments = as_list(answer)
    texts = [segment.get("text", segment.get("value")) for segment in segments if isinstance(segment, dict)]
    return " ".join(text for text in texts if isinstance(text, str)) if len(texts) == len(segments) else ""
