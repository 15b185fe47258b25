"""Older records brought up to date: as edits of the file, or as new samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sampleui.formats.data import DataPath, Plain, Table, same
from sampleui.sample.dialects.dialect import Dialect, Updated
from sampleui.sample.dialects.older import updated


@dataclass(frozen=True, slots=True)
class Edit:
    """One step of a fix: set the value at a path of the sample, or delete it."""

    op: Literal["set", "delete"]
    path: DataPath
    value: Plain = None


def fix(data: Table, dialect: Dialect) -> tuple[Edit, ...]:
    """Return the edits that bring an older record up to date; none for any other sample.

    Applied in order: each path exists by then or is a missing last key.
    """
    update = updated(data, dialect)
    if update is None:
        return ()
    changed = ((key, value) for key, value in update.data.items() if key not in data or not same(data[key], value))
    sets = (Edit("set", (key,), value) for key, value in changed)
    return (*sets, *(Edit("delete", (key,)) for key in data if key not in update.data))


def told(update: Updated) -> tuple[str, ...]:
    """Return what a report says of a record that was brought up to date."""
    kept = (f"{key}: kept as it was under metadata" for key in update.kept)
    return (f"{', '.join(update.old)}: an older record, written as today's", *kept)
