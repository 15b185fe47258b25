"""Where rows have what is read of them first, and the view that shows them as they are shown without one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sampleui.formats.data import DataPath, Table
from sampleui.review.results.dialect import Paths, ResultDialect
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.sections import Section, is_mail, sections_beside, view_path
from sampleui.settings.views import Shape, View, ViewField
from sampleui.settings.vocabulary import PATH
from sampleui.text.limits import MAX_GUESSED_FIELDS


def usual_view(rows: Sequence[Table], dialect: ResultDialect) -> View:
    """Return the view that shows rows as they are shown without one: question and answer first, then the rest.

    Args:
        rows: rows of one kind; a field of any of them is in it, at most `MAX_GUESSED_FIELDS`.
        dialect: the table that they are read by.
    """
    fields, paths = dict[str, ViewField](), dict[str, list[Section]]()
    for row in rows:
        shown_in = places_of(dialect, row)
        for heading, path in (
            ("Question", shown_in.asked),
            ("Answer", shown_in.actual),
            ("Expected", shown_in.expected),
        ):
            if path:
                named = view_path(path)
                fields.setdefault(named, ViewField(named, heading=heading))
        for section in sections_beside(row, shown_in.read, hidden=False):
            paths.setdefault(section.heading, []).append(section)
    for name, sections in paths.items():
        kinds = {section.kind for section in sections}
        kind = next(iter(kinds)) if len(kinds) == 1 and not kinds & _BY_VALUE else None
        fields.setdefault(name, ViewField(name, kind))
    order = {heading: rank for rank, heading in enumerate(("Question", "Answer", "Expected"))}
    listed = sorted(fields.values(), key=lambda field: order.get(field.heading, len(order)))
    return tuple(field for field in listed if PATH.fullmatch(field.path))[:MAX_GUESSED_FIELDS]


_BY_VALUE = frozenset((Shape.BADGE, Shape.TEXT, Shape.MARKDOWN, Shape.JSON))
"""Shapes that values of one field may take by turns."""


class ShownPlaces(NamedTuple):
    """Where a row has what is shown of it by itself; empty where it has none.

    Attributes:
        asked: what was asked; of an e-mail all of it.
        is_mail: whether that is an e-mail.
        read: all places of which nothing is to be shown again.
    """

    asked: DataPath = ()
    actual: DataPath = ()
    expected: DataPath = ()
    is_mail: bool = False
    read: tuple[DataPath, ...] = ()


def places_of(dialect: ResultDialect, data: Table) -> ShownPlaces:
    """Return the first place that a row has of each kind."""

    def first(paths: Paths) -> DataPath:
        return next((path for path in paths if path and value_at(data, path) is not None), ())

    prompt, messages = first(dialect.prompts), first(dialect.messages)
    above = value_at(data, prompt[:-1]) if len(prompt) > 1 else None
    mailed = isinstance(above, dict) and is_mail(above)
    asked = prompt[:-1] if mailed else prompt or messages
    actual, expected = first(dialect.actual), first(dialect.expected)
    shown_elsewhere = (first(dialect.ids), first(dialect.steps), prompt, messages, actual, expected, asked)
    return ShownPlaces(asked, actual, expected, mailed, tuple(path for path in shown_elsewhere if path))
