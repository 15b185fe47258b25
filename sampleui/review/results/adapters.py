"""How each tool spells a result: rows in, entries of an index and whole records out.

An adapter is two functions. `parse_entry` is cheap and runs for every row of a file; `parse_record` runs for the
record that is shown. For most tools a table is enough (`dialect.py`), and `table_adapter.py` reads the rows by it.
The adapters themselves are in `sampleui.integrations`, found by the keys of a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial

from sampleui.formats.data import Table
from sampleui.integrations import index
from sampleui.integrations.integration import Results
from sampleui.review.record import Entry, ParsedRecord
from sampleui.review.results import table_adapter
from sampleui.review.results.dialect import ResultDialect
from sampleui.values import NamedTuple


def always(_: Table) -> bool:
    """Say yes of any row."""
    return True


def _never(_: Table) -> bool:
    return False


class Adapter(NamedTuple):
    """One tool's spelling. `claims` tells whether a row is written in it.

    Attributes:
        repeats: whether two rows of one sample and one target are two tries, and neither the rerun of the other.
        dialect: the table that it reads by, if it does.
        self_evident: tells whether a row that it claims is a result, though it may repeat all of the sample.
        signed: tells whether a row that it claims has a sign that only the rows of its tool have.
        has_outcome: tells whether a row that it claims says how it came out in a way that it understands.
    """

    name: str
    claims: Callable[[Table], bool]
    parse_entry: Callable[[Table], Entry | None]
    parse_record: Callable[[Table], ParsedRecord]
    repeats: bool = False
    dialect: ResultDialect | None = None
    self_evident: Callable[[Table], bool] = _never
    signed: Callable[[Table], bool] = always
    has_outcome: Callable[[Table], bool] = always


def adapter_by(dialect: ResultDialect) -> Adapter:
    """Return the adapter that reads by a table."""
    return Adapter(
        dialect.name,
        partial(table_adapter.claims, dialect),
        partial(table_adapter.parse_entry, dialect),
        partial(table_adapter.parse_record, dialect),
        repeats=True,
        dialect=dialect,
        self_evident=always,
    )


def adapter_of(row: Table, user_adapters: Iterable[Adapter] = ()) -> Adapter | None:
    """Return the adapter of a row, None when no tool writes such rows.

    Args:
        row: the row.
        user_adapters: those that go before those that are shipped.
    """
    for adapter in (*user_adapters, *adapters_for(tuple(row))):  # a loop, because it runs for every row of a file
        if adapter.claims(row):
            return adapter
    return None


@lru_cache(maxsize=256)
def adapters_for(keys: tuple[str, ...]) -> tuple[Adapter, ...]:
    """Return the adapters that may read rows with some keys; the rows of a file have much the same."""
    return tuple(adapter for name in index.readers(keys) for adapter in index.integration(name).results().adapters)


def reader_of(row: Table) -> Results | None:
    """Return how the tool of a row is read, None when no tool writes such rows."""
    owners = (index.integration(name).results() for name in index.readers(row))
    return next((owner for owner in owners if any(adapter.claims(row) for adapter in owner.adapters)), None)


def tables_for(keys: Iterable[str]) -> Iterator[ResultDialect]:
    """Yield the shipped tables by which rows may be read that have some of these keys."""
    return (adapter.dialect for adapter in adapters_for(tuple(keys)) if adapter.dialect is not None)


def is_tabled(row: Table, user_dialects: Iterable[ResultDialect] = ()) -> bool:
    """Tell whether a row bears a mark of a table, one of the user's or one that is shipped."""
    return any(table_adapter.claims(dialect, row) for dialect in (*user_dialects, *tables_for(row)))
