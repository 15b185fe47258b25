"""Values that need no model, because their type alone shows that they are right.

Nothing here is judged wrong, only left open. Most samples are ordinary, so the app can start without pydantic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeGuard

from sampleui.formats.data import Plain, Table
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.parse import EXTRA_KEYS

_EXTRA = frozenset(EXTRA_KEYS)
_Test: TypeAlias = Callable[[Plain], bool]


def is_ordinary(dialect: Dialect, data: Table) -> bool:
    """Tell whether a model would say nothing that the rules do not, as is plain to see of most samples."""
    tests = _ORDINARY.get(dialect.models)
    known = dialect.known
    if tests is None or data.keys() >= {"input_messages", "input"}:  # of two conversations the rules read one
        return False
    return all(tests[key](value) if key in tests else key not in known for key, value in data.items())


def is_ordinary_beside(dialect: Dialect, context: Table) -> bool:
    """Tell whether a model would find nothing wrong with what stands beside the samples, as is plain to see."""
    tests = _BESIDE[dialect.models]
    return all(test(context[key]) for key, test in tests.items() if key in context)


def _text(value: Plain) -> bool:
    return isinstance(value, str)


def _name(value: Plain) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _number(value: Plain) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _texts(value: Plain) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _table(value: Plain) -> bool:
    return isinstance(value, dict)


def _anything(_value: Plain) -> bool:
    return True


def _turns(value: Plain) -> TypeGuard[list[Table]]:
    return isinstance(value, list) and all(map(_turn, value))


def _turn(item: Plain) -> bool:
    """Tell whether an item is a message of a role and a text or plain segments; empty texts are for the rules."""
    if (
        not isinstance(item, dict)
        or not _name(item.get("role"))
        or item.keys() & {"tool_calls", "tool_call_id", "name"}
    ):
        return False
    content = item.get("content")
    return isinstance(content, str) or (isinstance(content, list) and all(map(_segment, content)))


def _segment(item: Plain) -> bool:
    return isinstance(item, dict) and (
        (item.get("type") == "text" and "text" not in item and _text(item.get("value")))
        or (item.get("type") == "file" and _name(item.get("value")))
    )


def _whole_turns(value: Plain) -> bool:
    return isinstance(value, list) and all(
        _turn(item) and isinstance(item, dict) and item["content"] for item in value
    )


def _vars(value: Plain) -> bool:
    held = value.get("input", "x") if isinstance(value, dict) else None
    return _name(held) or (_whole_turns(held) and held != [])


def _input(value: Plain) -> bool:
    return _name(value) or _turns(value)


_ORDINARY: Mapping[str, Mapping[str, _Test]] = {
    "calibrate": {
        "id": _name,
        "messages": _turns,
        "expected": _anything,
        "score": _number,
        "description": _text,
        "tags": _texts,
    },
    "agentv": {
        "id": _name,
        "input_messages": _turns,
        "input": _input,
        "expected_messages": _whole_turns,
        "expected_output": _anything,
        "expected_outcome": _text,
        "criteria": _text,
        "outcome": _text,
        "description": _text,
        "conversation_id": _text,
        "metadata": _table,
        "execution": _table,
        "vars": _vars,
    },
}

_BESIDE: Mapping[str, Mapping[str, _Test]] = {
    "calibrate": {"meta": _table},
    "agentv": {"description": _text, "target": _text, "execution": _table},
    "gage": {},
}
