"""Which adapter reads the rows of a file: one of the user's, one of those shipped, or else a guessed one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Table
from sampleui.review.record import ParsedRow
from sampleui.review.results.adapters import Adapter, adapter_by, adapter_of
from sampleui.review.results.dialect import ResultDialect, user_result_dialect
from sampleui.review.results.failure_signs import doubted
from sampleui.review.results.guessing import guessed_records, guessed_rows, may_decide, written_rows
from sampleui.review.results.sources import FILE, ResultRow, ResultSource
from sampleui.sample.dialects.guessing import name_of as named
from sampleui.sample.message_shapes import is_chat
from sampleui.settings.options import PROJECT_FILE, load_settings
from sampleui.settings.vocabulary import CONVERSATION, SHIPPED_RESULTS, UserTable
from sampleui.text.limits import MAX_TOLD_BYTES

_OF_TALKS = frozenset({"messages", FILE})
LOOKED_AT = 50
"""Rows that are looked at to tell whether a table has to be guessed."""


class Guess(NamedTuple):
    """A table that was guessed for a file, what the dialect would be called, and the rows it was guessed from."""

    name: str
    table: UserTable
    rows: Sequence[Table] = ()

    @property
    def text(self) -> str:
        """The table as it is in a settings file, with the view that shows its rows."""
        return written_rows(self.name, self.table, self.rows)

    @property
    def remark(self) -> str:
        """What to say about it, in one line."""
        paths = ", ".join(f"{key} = {value}" for key, value in self.table.items() if isinstance(value, str))
        words = f"no tool is known that writes such rows; guessed: {paths}"
        return f"{words}; [results.{self.name}] in {PROJECT_FILE} says otherwise"


class FileAdapters(NamedTuple):
    """The adapters of a file besides the shipped ones.

    Attributes:
        user_adapters: the user's, and the guessed one behind them.
        guess: the table that was guessed, if one had to be.
        rows: the first rows, by which they were chosen; None if it was known whose they are.
    """

    user_adapters: tuple[Adapter, ...] = ()
    guess: Guess | None = None
    rows: Sequence[Table] | None = None

    def adapter_of(self, row: Table) -> Adapter | None:
        """Return the adapter of a row, None when nobody writes such rows."""
        return adapter_of(row, self.user_adapters)


def user_result_dialects(folder: Path) -> tuple[ResultDialect, ...]:
    """Return the result dialects that the settings add for files in a folder.

    Raises:
        SettingsError: when the settings cannot be used.
    """
    return tuple(user_result_dialect(name, table) for name, table in load_settings(folder).results.items())


def adapters_of_file(source: ResultSource, user_dialects: Sequence[ResultDialect], stem: str) -> FileAdapters:
    """Return the adapters that read the rows of a file.

    A table is guessed where a row is nobody's, or says nothing that is understood of how it came out; but not for a
    few such rows among those that bear the signs of a known tool.

    Args:
        source: the rows; the first few are looked at.
        user_dialects: the user's dialects.
        stem: the name of the file without its ending.
    """
    if source.known:
        return FileAdapters()
    rows = first_rows(source)
    talks = [row for row in rows if is_conversation(row)]
    if 0 < len(talks) < len(rows):
        apart = adapters_of_rows([row for row in rows if not is_conversation(row)], source, user_dialects, stem)
        table = guessed_records(talks) or {}
        talking = adapter_by(user_result_dialect(CONVERSATION, table))
        return apart._replace(user_adapters=(*apart.user_adapters, talking))
    return adapters_of_rows(rows, source, user_dialects, stem)


def adapters_of_rows(
    rows: Sequence[Table], source: ResultSource, user_dialects: Sequence[ResultDialect], stem: str
) -> FileAdapters:
    """Return the adapters that read rows of one kind, as `adapters_of_file` does."""
    adapters = tuple(map(adapter_by, user_dialects))
    signed = sum(_is_signed(row, adapters) for row in rows)
    if 2 * signed > len(rows) or all(_has_outcome(row, adapters) for row in rows):
        return FileAdapters(adapters, None, rows)
    records = rows[has_head(rows) :]
    table = guessed_rows(records, source.container)
    if table is None and not any(adapter_of(row, adapters) for row in records):
        table = guessed_records(records, source.container)
    if table is None:
        return FileAdapters(adapters, None, rows)
    guess = Guess(name_of(stem), table, records)
    guessing = _guessing(adapter_by(user_result_dialect(guess.name, table)), table)
    return FileAdapters((*adapters, guessing), guess, rows)


def has_head(rows: Sequence[Table]) -> bool:
    """Tell whether the first of some rows says something of all, and is no record: it has none of their keys."""
    return len(rows) > 1 and rows[0].keys().isdisjoint(key for row in rows[1:] for key in row)


def is_conversation(row: Table) -> bool:
    """Tell whether a row is a conversation and nothing else, as a file of messages among records is read."""
    return row.keys() == _OF_TALKS and is_chat(row["messages"])


def _guessing(adapter: Adapter, table: UserTable) -> Adapter:
    """Return an adapter that reads by a guessed table and doubts what it reads."""

    def parse(row: Table) -> ParsedRow:
        parsed = adapter.parse(row)
        if (facts := parsed.entry) is None:
            return parsed
        is_decided = facts.outcome is not None or may_decide(table, facts, row)
        return parsed._replace(entry=doubted(facts if is_decided else replace(facts, outcome_unclear=True), row))

    return adapter._replace(parse=parse)


def name_of(stem: str) -> str:
    """Return a name for the result dialect of a file."""
    return named(stem, SHIPPED_RESULTS, "rows")


def first_rows(source: ResultSource) -> Sequence[Table]:
    """Return some rows of a file, those that cannot be read left out."""
    rows: list[Table] = []
    for looked, row in enumerate(source.scan()):
        if looked >= LOOKED_AT or (looked and row.end > MAX_TOLD_BYTES and not source.whole):
            break
        if isinstance(row, ResultRow):
            rows.append(row.data)
    return rows


def is_signed(rows: Sequence[Table], user_dialects: Sequence[ResultDialect]) -> bool:
    """Tell whether most rows have a sign that only one tool's rows have, or are those of a table of the user's."""
    adapters = tuple(map(adapter_by, user_dialects))
    return 2 * sum(_is_signed(row, adapters) for row in rows) > len(rows)


def shipped_for(row: Table) -> str:
    """Return the name of the shipped adapter that understands a row, nothing if there is none."""
    adapter = adapter_of(row)
    return adapter.name if adapter is not None and _has_outcome(row, ()) else ""


def _has_outcome(row: Table, user_adapters: Sequence[Adapter]) -> bool:
    adapter = adapter_of(row, user_adapters)
    return adapter is not None and (adapter.signed(row) or adapter.has_outcome(row))


def _is_signed(row: Table, user_adapters: Sequence[Adapter]) -> bool:
    """Tell whether a row has a sign that only one tool's rows have."""
    adapter = adapter_of(row, user_adapters)
    return adapter is not None and adapter.signed(row)
