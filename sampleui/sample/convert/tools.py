"""The tools that a sample declares, spelled as the target's program reads them.

ShareGPT's `tools` are a JSON text of functions (LLaMA-Factory, `data/README.md`); those of OpenAI and gage-eval are
a list of `{type: function, function: {name, …}}`.
"""

from __future__ import annotations

import json

from sampleui.formats.data import Plain, Table
from sampleui.sample.dialects.dialect import Dialect

KEY = "tools"


def with_tools(rest: Table, source: Dialect, target: Dialect) -> tuple[Table, list[str]]:
    """Return fields with the tools among them as the target spells them, and a line where that cannot be done.

    Args:
        rest: the fields of a sample that are neither messages nor what is expected.
        source: the dialect that they are spelled in.
        target: the dialect to spell them in.
    """
    plain = source.conversion.plain_tools and not target.conversion.plain_tools
    if KEY not in rest or not plain or KEY not in target.known:
        return rest, []
    read = _read(rest[KEY])
    if read in ("", []):
        return {key: value for key, value in rest.items() if key != KEY}, [f"{KEY}: left out, for it names none"]
    listed = read if isinstance(read, list) else [read]
    tools = [tool for item in listed if (tool := _tool(item)) is not None]
    if len(tools) < len(listed):
        readable = "a JSON list of functions that have names"
        return rest, [f"{KEY}: kept as it is, which {target.title} does not read: it is not {readable}"]
    return {**rest, KEY: [*tools]}, []


def _read(value: Plain) -> Plain:
    """Return what a text says that is JSON, and any other value as it is."""
    if not isinstance(value, str) or not value.strip():
        return "" if isinstance(value, str) else value
    try:
        tools: Plain = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return tools


def _tool(value: Plain) -> Table | None:
    """Return a function as a tool, and a tool as it is; None for what is neither."""
    if not isinstance(value, dict):
        return None
    function = value.get("function")
    if isinstance(function, dict):
        return {"type": "function", **value} if isinstance(function.get("name"), str) else None
    inner = {key: item for key, item in value.items() if key != "type"}
    return {"type": "function", "function": inner} if isinstance(inner.get("name"), str) else None
