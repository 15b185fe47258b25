"""The view of the records of a review, edited with the current record beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from sampleui.review.record_sections import asked_section, record_sections
from sampleui.review.results.usual_view import usual_view
from sampleui.sample.sections import Section, sections_beside
from sampleui.settings.views import View, ViewField
from sampleui.settings.vocabulary import PATH, steps
from sampleui.settings.writing import keep_view
from sampleui.text.limits import MAX_VIEW_FIELDS
from sampleui.tui.review.rows.answer import RECORD
from sampleui.tui.review.rows.read import asked_of
from sampleui.tui.review.shown import Shown
from sampleui.tui.screens.view_editor import NO_FIELD, EditedView, ViewEditor

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen


async def view_edited(screen: ReviewScreen) -> None:
    """Have the view of the current record edited, and show all records of its kind by it from then on."""
    shown, folder = screen.shown, screen.review.results.base_dir
    assert shown.adapter is not None, "what the command needs"
    name = shown.adapter.name

    def sections(view: View) -> Sequence[Section]:
        assert shown.record is not None, "what the command needs"
        return record_sections(shown.record, asked_section(asked_of(shown)), shown.adapter, view, in_full=False)

    view, others = _fields(shown)
    if not (*view, *others):
        screen.refuse(NO_FIELD)
        return
    editor = ViewEditor(name, (*view, *others), others, sections, partial(keep_view, folder, name))
    edited: EditedView | None = await screen.app.push_screen_wait(editor)
    if edited is None:
        return
    screen.settings = edited.settings(screen.settings, name)
    screen.review.views = screen.settings.view
    screen.show_record()
    screen.answer.open(RECORD)
    screen.say(edited.words(name))


def _fields(shown: Shown) -> tuple[View, View]:
    """Return the fields of the view that shows a record, and the others that it has, hidden."""
    assert shown.record is not None, "what the command needs"
    assert shown.adapter is not None, "what the command needs"
    data, dialect = shown.record.data, shown.adapter.dialect
    view = shown.view
    if view is None:
        view = () if dialect is None else usual_view([data], dialect)
    beside = (
        section.heading for section in sections_beside(data, [steps(field.path) for field in view], hidden=True)
    )
    others = tuple(ViewField(path, hidden=True) for path in beside if PATH.fullmatch(path))
    return view, others[: max(MAX_VIEW_FIELDS - len(view), 0)]
