"""How each tool spells a result: rows in, entries of an index and whole records out.

An adapter is two functions. `parse_entry` is cheap and runs for every row of a file; `parse_record` runs for the
record that is shown. For most tools a table is enough (`tables.py`), and `bytable.py` reads the rows by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from sampleui.formats.data import Table
from sampleui.review.results.adapters import agentv, calibrate, gage, gage_run, inspectlog
from sampleui.review.results.adapters import table_adapter as bytable
from sampleui.review.results.adapters.dialect import ResultDialect
from sampleui.review.results.adapters.parsed import ParsedEntry, ParsedRecord
from sampleui.review.results.adapters.tables import TABLES


class Adapter(NamedTuple):
    """One tool's spelling. `claims` tells whether a row is written in it.

    Attributes:
        repeats: whether two rows of one sample and one target are two tries, and neither the rerun of the other.
    """

    name: str
    claims: Callable[[Table], bool]
    parse_entry: Callable[[Table], ParsedEntry | None]
    parse_record: Callable[[Table], ParsedRecord]
    repeats: bool = False


def adapter_by(dialect: ResultDialect) -> Adapter:
    """Return the adapter that reads by a table."""
    return Adapter(
        dialect.name,
        partial(bytable.claims, dialect),
        partial(bytable.parse_entry, dialect),
        partial(bytable.parse_record, dialect),
        repeats=dialect.repeats,
    )


ADAPTERS = (
    Adapter("inspect", inspectlog.claims, inspectlog.parse_entry, inspectlog.parse_record),
    *map(adapter_by, TABLES),
    Adapter("calibrate", calibrate.claims, calibrate.parse_entry, calibrate.parse_record),
    Adapter("gage run", gage_run.claims, gage_run.parse_entry, gage_run.parse_record),
    Adapter("gage", gage.claims, gage.parse_entry, gage.parse_record),
    Adapter("agentv", agentv.claims, agentv.parse_entry, agentv.parse_record),
)


_TELLING = frozenset(mark.has[0][0] for table in TABLES for mark in table.marks)
"""Keys of which a row has one that a table claims."""

_UNTABLED = tuple(one for one in ADAPTERS if one.name not in {table.name for table in TABLES})


def adapter_of(row: Table, own: Iterable[Adapter] = ()) -> Adapter | None:
    """Return the adapter of a row, None when no tool writes such rows.

    Args:
        row: the row.
        own: adapters that go before those that are shipped.
    """
    shipped = _UNTABLED if _TELLING.isdisjoint(row) else ADAPTERS  # quick for most of a large file
    return next((adapter for adapter in (*own, *shipped) if adapter.claims(row)), None)
