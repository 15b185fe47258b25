"""Older records: what they are read as, how they are brought up to date, and how samples are spelled today."""

from __future__ import annotations

from collections.abc import Mapping

from sampleui.formats.data import DataPath, Table, same
from sampleui.formats.operations import Delete, Set
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.dialect import Dialect, Older, Updated


def updated(data: Table, dialect: Dialect) -> Updated | None:
    """Return an older record as its dialect spells samples today; None for any other sample."""
    return None if dialect.older is Older.NONE else of_dialect(dialect).dialects().updated(data)


def mapped(data: Table, dialect: Dialect) -> Table | None:
    """Return an older record as the sample that it is read as; None for any other."""
    update = updated(data, dialect) if dialect.older is Older.READ else None
    return update.data if update else None


def superseded(data: Table, dialect: Dialect) -> Mapping[str, str]:
    """Return the keys that a sample should no longer have, each with the key that took its place.

    Beside messages as they are spelled today, these are all the older keys.
    """
    today = dialect.today
    if today is None:
        return {}
    return {**today.renamed, **today.superseded} if today.messages[0] in data else today.superseded


def today_called(path: DataPath, data: Table, dialect: Dialect) -> str:
    """Return today's name of a key that a sample should no longer have; empty for any other value."""
    return superseded(data, dialect).get(str(path[0]), "") if len(path) == 1 else ""


def new_container(dialect: Dialect) -> tuple[str, ...]:
    """Return the keys that the samples of a new deck are under, as its program reads them today."""
    today = dialect.today
    return dialect.containers[0] if today is None else today.container


def new_messages(dialect: Dialect) -> DataPath:
    """Return where the first sample of a new deck has its messages, as its program reads them today."""
    today = dialect.today
    return dialect.message_paths[0] if today is None else today.messages


def todays(data: Table, dialect: Dialect) -> Table:
    """Return a sample with its keys called as its program calls them today, unless a name is another one's."""
    today = dialect.today
    renamed: Table = {}
    for key, value in data.items():
        name = today.renamed.get(key, key) if today else key
        free = name == key or name not in {*data, *renamed}
        renamed[name if free else key] = value
    return renamed


def fix(data: Table, dialect: Dialect) -> tuple[Set | Delete, ...]:
    """Return the edits that bring an older record up to date; none for any other sample.

    Applied in order: each path exists by then or is a missing last key.
    """
    update = updated(data, dialect)
    if update is None:
        return ()
    changed = ((key, value) for key, value in update.data.items() if key not in data or not same(data[key], value))
    sets = (Set((key,), value) for key, value in changed)
    return (*sets, *(Delete((key,)) for key in data if key not in update.data))


def update_report(update: Updated) -> tuple[str, ...]:
    """Return what a report says of a record that was brought up to date."""
    kept = (f"{key}: kept as it was under metadata" for key in update.kept)
    return (f"{', '.join(update.old)}: an older record, written as today's", *kept)
