"""What is shown of a record: by a view of the settings, or else what was asked, the answer, and the rest."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.review.record import Record
from sampleui.review.results.adapters import Adapter
from sampleui.review.results.dialect import ResultDialect
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.views import Section, is_mail, section_of, sections_beside, sections_by
from sampleui.settings.views import Shape, View
from sampleui.settings.vocabulary import SHIPPED_RESULTS, steps


def record_sections(
    record: Record, asked: Sequence[Table], adapter: Adapter | None, view: View | None, *, in_full: bool = True
) -> tuple[Section, ...]:
    """Return what is shown of a record; what a view does not name is hidden until it is asked for.

    Args:
        record: the record.
        asked: the messages that were sent, as far as the run says.
        adapter: what reads its row; None where nobody does.
        view: which fields are shown; None for what is best shown of any record.
        in_full: whether the fields that no view names and that are hidden are among them.
    """
    if view is not None:
        named = [steps(field.path) for field in view]
        rest = sections_beside(record.data, named, hidden=True) if in_full else ()
        return (*sections_by(view, record.data), *rest)
    dialect = None if adapter is None else adapter.dialect
    shown = () if dialect is None else _read(dialect, record.data)
    told = [_asked(asked)] if asked else []
    mail = next((path for path in shown if path and _is_mail(record.data, path[:-1])), None)
    if asked and mail is not None and dialect is not None and mail in dialect.prompts:
        told = [section_of("Question", value_at(record.data, mail[:-1]))]
        shown = [*shown, mail[:-1]]
    if not record.unanswered:
        told.append(section_of("Answer", record.actual, whole=True))
    if record.expects:
        told.append(section_of("Expected", record.expects))
    is_own = dialect is not None and dialect.name not in SHIPPED_RESULTS
    return (*told, *(sections_beside(record.data, shown, hidden=not is_own) if is_own or in_full else ()))


def _is_mail(data: Table, path: DataPath) -> bool:
    table = value_at(data, path)
    return bool(path) and isinstance(table, dict) and is_mail(table)


def _asked(messages: Sequence[Table]) -> Section:
    content = messages[0].get("content")
    if len(messages) == 1 and messages[0].get("role") == "user" and isinstance(content, str):
        return section_of("Question", content)
    listed: list[Plain] = [*messages]
    return Section("Question", "", Shape.CHAT, listed)


def _read(dialect: ResultDialect, data: Table) -> list[DataPath]:
    """Return the paths of what is shown of a row by itself: the first that it has of each kind."""
    kinds = (dialect.ids, dialect.prompts, dialect.messages, dialect.actual, dialect.expected, dialect.steps)
    first = (next((path for path in paths if value_at(data, path) is not None), None) for paths in kinds)
    return [path for path in first if path is not None]
