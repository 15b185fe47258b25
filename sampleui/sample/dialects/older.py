"""Older records: what their integration rewrites them as, and which of them are read as that."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.dialect import Dialect, Older, Updated


def updated(data: Table, dialect: Dialect) -> Updated | None:
    """Return an older record as its dialect spells samples today; None for any other sample."""
    return None if dialect.older is Older.NONE else of_dialect(dialect).updated(data)


def mapped(data: Table, dialect: Dialect) -> Table | None:
    """Return an older record as the sample that it is read as; None for any other."""
    found = updated(data, dialect) if dialect.older is Older.READ else None
    return found.data if found else None
