"""What is shown of a record: by a view of the settings, or else what was asked, the answer, and the rest."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence

from sampleui.formats.data import Plain, Table
from sampleui.review.record import AnswerFile, Record
from sampleui.review.results.adapters import Adapter
from sampleui.review.results.usual_view import ShownPlaces, places_of
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.sections import Section, section_of, sections_beside, sections_by, shape_of, view_path
from sampleui.settings.views import Shape, View
from sampleui.settings.vocabulary import SHIPPED_RESULTS, steps

_DONE = "output_messages"
"""Where a record has what was done in messages, if its row has that elsewhere: the trace shows it."""


def record_sections(
    record: Record,
    asked: Section | None,
    adapter: Adapter | None,
    view: View | None,
    *,
    in_full: bool = True,
) -> tuple[Section, ...]:
    """Return what is shown of a record; what a view does not name is hidden until it is asked for.

    Args:
        record: the record.
        asked: what was said before the answer; None if that is shown elsewhere.
        adapter: what reads its row; None where nobody does.
        view: which fields are shown; None for what is best shown of any record.
        in_full: whether the fields that no view names and that are hidden are among them.
    """
    dialect = None if adapter is None else adapter.dialect
    trace = ((_DONE,),) if record.done else ()
    shown_in = ShownPlaces() if dialect is None else places_of(dialect, record.data)
    if view is not None:
        elsewhere = shown_in.asked if asked is None and not shown_in.is_mail else ()
        named = [steps(field.path) for field in view]
        fields = tuple(field for field in view if not elsewhere or steps(field.path) != elsewhere)
        rest = sections_beside(record.data, (*named, *trace), hidden=True) if in_full else ()
        answer, said = view_path(shown_in.actual), {view_path(path) for path in (shown_in.actual, shown_in.asked)}
        shown = (
            (_said(section) if field.kind is None and field.path in said else section)._replace(
                whole=field.path == answer
            )
            for field, section in sections_by(fields, record.data)
        )
        return (*shown, *rest)
    sections = [] if asked is None else [asked]
    if shown_in.is_mail:  # its headers are nowhere else
        sections = [section_of("Question", value_at(record.data, shown_in.asked))]
    if record.files:
        sections += file_sections(record.files)
    elif not record.unanswered:
        sections.append(_said(section_of("Answer", record.actual, whole=True)))
    if record.expects:
        sections.append(_said(section_of("Expected", record.expects)))
    is_own = dialect is not None and dialect.name not in SHIPPED_RESULTS
    if not (is_own or in_full):
        return tuple(sections)
    return (*sections, *sections_beside(record.data, (*shown_in.read, *trace), hidden=not is_own))


def file_sections(files: Iterable[AnswerFile]) -> list[Section]:
    """Return the files of an answer as they are read, those of which only the names are shown a line each below."""
    files = tuple(files)
    named = "\n".join(file.told for file in files if file.text is None)
    shown = [file_section(file) for file in files if file.text is not None]
    return [*shown, *([Section("By name", "", Shape.TEXT, named)] if named else [])]


def file_section(file: AnswerFile) -> Section:
    """Return a file as it is read: Markdown, a table or JSON by its name, or else as it looks."""
    text = file.text or ""
    if file.suffix in ("csv", "tsv") and (table := _table_in(text, "\t" if file.suffix == "tsv" else ",")):
        return Section(file.told, "", Shape.TABLE, table)
    by_suffix = {"md": Shape.MARKDOWN, "markdown": Shape.MARKDOWN, "json": Shape.JSON, "txt": Shape.TEXT}
    kind = by_suffix.get(file.suffix) or shape_of(text)
    return _said(Section(file.told, "", kind, text, whole=kind is not Shape.JSON))


def _table_in(text: str, delimiter: str) -> list[Plain]:
    """Return the rows of a text as tables; none if they are not all as long as a head of different names."""
    try:
        head, *rows = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    except (csv.Error, ValueError):
        return []
    if len(set(head)) != len(head) or any(len(row) != len(head) for row in rows):
        return []
    return [dict(zip(head, row, strict=True)) for row in rows]


def asked_section(messages: Sequence[Table] | None) -> Section | None:
    """Return what was said before an answer, a question by itself or a conversation; None where there is none."""
    if not messages:
        return None
    content = messages[0].get("content")
    if len(messages) == 1 and messages[0].get("role") == "user" and isinstance(content, str):
        return _said(section_of("Question", content))
    listed: list[Plain] = [*messages]
    return Section("Question", "", Shape.CHAT, listed)


def _said(section: Section) -> Section:
    """Return what was asked or answered below its heading, however short it is."""
    return section._replace(kind=Shape.TEXT) if section.kind is Shape.BADGE else section
