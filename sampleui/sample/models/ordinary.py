"""Values that are right at first sight, so that the models, which are slow to import, are not asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, TypeGuard

from sampleui.formats.data import Plain, Table
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.dialect import Dialect

Test: TypeAlias = Callable[[Plain], bool]


class Ordinary(NamedTuple):
    """Tests of values that need no model to be found right; a value that fails one may be right all the same.

    Attributes:
        sample: for keys of a sample a test of their values; none if every sample needs the model.
        beside: for keys beside the samples.
    """

    sample: Mapping[str, Test] = MappingProxyType({})
    beside: Mapping[str, Test] = MappingProxyType({})


def is_ordinary(dialect: Dialect, data: Table) -> bool:
    """Tell whether it is plain, as for most samples, that a model would find nothing that the rules do not."""
    ordinary = of_dialect(dialect).checks().ordinary
    if ordinary is None or not ordinary.sample:
        return False
    conversations = [path for path in dialect.message_paths if len(path) == 1 and path[0] in data]
    if len(conversations) > 1:  # of several the rules read one
        return False
    tests = ordinary.sample
    return all(tests[key](value) if key in tests else key not in dialect.known for key, value in data.items())


def is_ordinary_beside(dialect: Dialect, context: Table) -> bool:
    """Tell whether it is plain that a model would find nothing wrong with the values beside the samples."""
    ordinary = of_dialect(dialect).checks().ordinary
    tests = () if ordinary is None else ordinary.beside.items()
    return ordinary is not None and all(test(context[key]) for key, test in tests if key in context)


def is_text(value: Plain) -> bool:
    """Tell whether a value is a text."""
    return isinstance(value, str)


def is_name(value: Plain) -> bool:
    """Tell whether a value is a text that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def is_texts(value: Plain) -> bool:
    """Tell whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_table(value: Plain) -> bool:
    """Tell whether a value is a table."""
    return isinstance(value, dict)


def anything(_value: Plain) -> bool:
    """Take any value."""
    return True


def are_turns(value: Plain) -> TypeGuard[list[Table]]:
    """Tell whether a value is a list of plain messages; empty texts are for the rules."""
    return isinstance(value, list) and all(map(_turn, value))


def _turn(item: Plain) -> bool:
    """Tell whether an item is a message of a role and a text or plain segments; empty texts are for the rules."""
    if not isinstance(item, dict) or not is_name(item.get("role")):
        return False
    if item.keys() & {"tool_calls", "tool_call_id", "name"}:
        return False
    content = item.get("content")
    return isinstance(content, str) or (isinstance(content, list) and all(map(_segment, content)))


def _segment(item: Plain) -> bool:
    return isinstance(item, dict) and (
        (item.get("type") == "text" and "text" not in item and is_text(item.get("value")))
        or (item.get("type") == "file" and is_name(item.get("value")))
    )


def are_whole_turns(value: Plain) -> bool:
    """Tell whether a value is a list of plain messages with contents."""
    return isinstance(value, list) and all(
        _turn(item) and isinstance(item, dict) and item["content"] for item in value
    )


def are_variables(value: Plain) -> bool:
    """Tell whether a value is values for prompts, with a plain conversation among them, if any."""
    given = value.get("input", "x") if isinstance(value, dict) else None
    return is_name(given) or (are_whole_turns(given) and given != [])


def is_input(value: Plain) -> bool:
    """Tell whether a value is a text, or a list of plain messages."""
    return is_name(value) or are_turns(value)
