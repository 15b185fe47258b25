"""The messages of a test as AgentV's loader makes them (its `yaml-parser`, `shorthand-expansion`)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.model import Sample
from sampleui.sample.parse import skips_defaults, value_at
from sampleui.sample.variables import variables_of, with_environment, with_variables

ROLES = ("system", "user", "assistant", "tool")


@dataclass(frozen=True, slots=True)
class Asked:
    """One message: its role, its content with all variables filled, where it stands (nowhere: `()`)."""

    role: str
    content: Plain
    node: DataPath


@dataclass(frozen=True, slots=True)
class Test:
    """A sample as AgentV runs it.

    Attributes:
        messages: the file's shared `input`, then the test's own.
        expected: what is expected, variables filled; None if there is nothing of the kind.
        turns: what is asked turn by turn in `mode: conversation`, empty otherwise.
        window: how many of the last turns a provider is sent, None for all.
        refused: where messages stand that AgentV does not take for messages.
    """

    messages: tuple[Asked, ...]
    expected: Plain
    turns: tuple[Plain, ...] = ()
    window: int | None = None
    refused: tuple[DataPath, ...] = ()


def test_of(sample: Sample, environment: Mapping[str, str]) -> Test:
    """Return a sample as AgentV runs it. A file of JSON lines has no shared input and no variables there."""
    data = _table(with_environment(sample.data, environment))
    suite = _shared(sample, data, environment)
    variables = variables_of(dataclasses.replace(sample, data=data))
    files = data.get("input_files")
    files = with_variables(suite.get("input_files") if files is None else files, variables)
    path = _path(sample)
    own = _messages(with_variables(value_at(data, path), variables), path, files)
    shared = _messages(with_variables(suite.get("input"), variables), (), None)
    asked = tuple(message for message in (*shared, *own) if _is_message(message))
    refused = tuple(message.node for message in own if not _is_message(message))
    expected = next((data[key] for key in ("expected_output", "criteria", "expected_outcome") if key in data), None)
    return Test(asked, with_variables(expected, variables), *_turns(data, variables), refused)


def _path(sample: Sample) -> DataPath:
    """Return where the test's own input is: `input`, or the older name that the file still uses."""
    return ("input",) if "input" in sample.data else sample.messages_path


def _shared(sample: Sample, data: Table, environment: Mapping[str, str]) -> Table:
    if skips_defaults(data):
        return {}
    shared: Table = {key: sample.context[key] for key in ("input", "input_files") if sample.context.get(key)}
    return _table(with_environment(shared, environment))


def _messages(value: Plain, path: DataPath, files: Plain) -> list[Asked]:
    if files is not None:
        return _with_files(value, path, files)
    if isinstance(value, list):
        return [_asked(item, (*path, index) if path else ()) for index, item in enumerate(value)]
    if isinstance(value, dict) and "role" in value:
        return [_asked(value, path)]
    return [Asked("user", value, path)] if isinstance(value, str | dict) else []


def _with_files(value: Plain, path: DataPath, files: Plain) -> list[Asked]:
    """Return a text behind the files that are beside it: AgentV takes `input_files` with a text alone."""
    names = [name for name in files if isinstance(name, str)] if isinstance(files, list) else []
    if not names or not isinstance(value, str):
        return []
    attached: list[Plain] = [{"type": "file", "value": name} for name in names]
    return [Asked("user", [*attached, {"type": "text", "value": value}], path)]


def _asked(item: Plain, node: DataPath) -> Asked:
    table = _table(item)
    role = table.get("role")
    return Asked(role if isinstance(role, str) else "", table.get("content"), node)


def _is_message(message: Asked) -> bool:
    content = message.content
    listed = isinstance(content, list) and all(isinstance(item, str | dict) for item in content)
    return message.role in ROLES and (isinstance(content, str | dict) or listed)


def _turns(data: Table, variables: Table | None) -> tuple[tuple[Plain, ...], int | None]:
    turns = data.get("turns")
    if data.get("mode") != "conversation" or not isinstance(turns, list):
        return (), None
    asked = (turn.get("input") for turn in turns if isinstance(turn, dict))
    window = data.get("window_size")
    counts = isinstance(window, int | float) and not isinstance(window, bool) and window >= 1
    return tuple(with_variables(item, variables) for item in asked), int(window) if counts else None  # type: ignore[arg-type]


def _table(value: Plain) -> Table:
    return value if isinstance(value, dict) else {}
