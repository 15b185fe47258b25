"""The assertions that AgentV 4 takes from a test and from its suite (its `parseGraders` and `loadTests`)."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.formats.data import Plain, Table
from sampleui.sample.parse import skips_defaults

PASSES = 0.8
"""The score from which AgentV takes a test, and an assertion of several, for passed, if none is named."""


def asserted(data: Table, context: Table) -> Iterator[Table]:
    """Yield the assertions of a test, those of its suite after its own; a plain text is a rubric.

    Of the keys that may hold them the first one counts alone.

    Args:
        data: the test as the file gives it.
        context: the values of the file beside its tests.
    """
    yield from _first(data.get("assertions"), data.get("assert"), _of(data, "evaluators"), data.get("evaluators"))
    if not skips_defaults(data):
        shared = (_of(context, key) for key in ("assertions", "assert", "evaluators"))
        yield from _first(context.get("assertions"), context.get("assert"), *shared, context.get("evaluators"))


def kind_of(entry: Table) -> str:
    """Return the type of an assertion, with hyphens."""
    return str(entry.get("type")).lower().replace("_", "-")


def _first(*held: Plain) -> Iterator[Table]:
    listed = next((one for one in held if one is not None), None)
    for entry in listed if isinstance(listed, list) else []:
        if isinstance(entry, dict):
            yield entry
        elif isinstance(entry, str):
            yield {"type": "rubrics", "value": entry}


def _of(data: Table, key: str) -> Plain:
    execution = data.get("execution")
    return execution.get(key) if isinstance(execution, dict) else None
