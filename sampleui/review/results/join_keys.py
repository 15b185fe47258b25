"""Digests of a sample's values, by which a row that repeats them is joined with the sample."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.review.record import hashed
from sampleui.review.results.dialect import ResultDialect
from sampleui.sample.dialects.dialect import value_at


def matters_of(dialect: ResultDialect, row: Table) -> Iterator[str]:
    """Yield what stands for the values of its sample that a row repeats."""
    for path, of in dialect.matters:
        value = value_at(row, path)
        if value is not None:
            yield matter_key(of, value)


def matter_key(path: DataPath, value: Plain) -> str:
    """Return what stands for a value of a sample: a row that repeats it is about that sample."""
    return f"{'.'.join(map(str, path))}:{digest(value)}"


def digest(value: Plain) -> str:
    """Return what stands for a value wherever it is."""
    text = json.dumps(_whole_numbers(value), sort_keys=True, separators=(",", ":"), default=str)
    return hashed(text.encode())


def _whole_numbers(value: Plain) -> Plain:
    """Return a value with 1.0 as 1, since JavaScript writes both alike."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    return [_whole_numbers(item) for item in value] if isinstance(value, list) else value
