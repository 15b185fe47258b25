"""What was sent against what the deck renders today, as rows, pure."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.asking import Asked, said
from sampleui.formats.data import Table
from sampleui.review.diffwords import diff_words
from sampleui.tui.review.kinds import folded, is_of_lines, line_rows
from sampleui.tui.review.words import word_rows
from sampleui.tui.rows import Row, text_rows


def asked_rows(asked: Asked, width: int) -> list[Row]:
    """Return what was sent, and where the deck renders something else today, both with what differs marked."""
    sent, today = _text(asked.sent), _text(asked.today)
    if not asked.sent:
        return text_rows("The run does not say what was sent.", "muted", width)
    if not asked.today:
        return text_rows(sent, "text", width)
    if not asked.differs:
        same = text_rows(f"✓ sent as the deck renders it today ({asked.style})", "added", width)
        return [*same, (("text", ""),), *text_rows(sent, "text", width)]
    name = f"the deck today ({asked.style})"
    if is_of_lines(today, sent):
        head: Row = (("removed", f"- {name}"), ("muted", "  "), ("added", "+ sent"))
        return [head, (("text", ""),), *folded(line_rows(today, sent, width))]
    head = (("removed", f"[-{name}-]"), ("muted", "  "), ("added", "{+sent+}"))
    return [head, (("text", ""),), *folded(word_rows(diff_words(today, sent), width))]


def _text(messages: Sequence[Table]) -> str:
    return "\n\n".join(f"{one.get('role')}:\n{said(one.get('content')).strip()}" for one in messages)
