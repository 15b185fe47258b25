"""What stands for a value of a sample, by which a row that repeats the value is joined with the sample."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.review.results.adapters.dialect import ResultDialect
from sampleui.sample.dialects.dialect import value_at

NARROWS = "&"
"""Before what stands for a value that does not tell a sample, but which of several."""

PARTS = "~"
"""Before what stands for the parts of a value to which a run may have added others."""

_BETWEEN = "\0"


def matters_of(dialect: ResultDialect, row: Table) -> Iterator[str]:
    """Yield what stands for the values of its sample that a row repeats."""
    for path, of in dialect.matters:
        value = value_at(row, path)
        if value is not None:
            yield matter_key(of, value)


def matter_key(path: DataPath, value: Plain) -> str:
    """Return what stands for a value of a sample: a row that repeats it is about that sample."""
    return f"{'.'.join(map(str, path))}:{_digest(value)}"


def parts_key(value: Table) -> str:
    """Return what stands for the parts of a value to which a run may have added others."""
    return PARTS + _BETWEEN.join(f"{name}:{part}" for name, part in parts_of(value).items())


def parts_of(value: Table) -> dict[str, str]:
    """Return what stands for each value of a table, by its key."""
    return {name: _of_text(part) if isinstance(part, str) else _digest(part) for name, part in value.items()}


def parts_in(matter: str) -> dict[str, str]:
    """Return the parts that a matter with `PARTS` before it stands for, in the order of the row."""
    listed = matter.removeprefix(PARTS).split(_BETWEEN)
    return {name: part for name, colon, part in (one.rpartition(":") for one in listed) if colon}


def _of_text(text: str) -> str:
    """Return what stands for a text in less time; nothing else has as few digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7).hexdigest()


def _digest(value: Plain) -> str:
    said = json.dumps(_whole_numbers(value), sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.blake2b(said.encode(), digest_size=8).hexdigest()


def _whole_numbers(value: Plain) -> Plain:
    """Return a value with 1.0 as 1, since JavaScript writes both alike."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    return [_whole_numbers(item) for item in value] if isinstance(value, list) else value
