"""Which commands each screen has: the one table that knows both.

Screens do not know their commands; the app looks them up here. A registry is imported when a screen first needs it.
"""

from __future__ import annotations

from typing import Any

from sampleui.tui.commands import Registry, ScreenKind


def registry_of(kind: ScreenKind) -> Registry[Any]:
    """Return the commands of a screen."""
    match kind:
        case ScreenKind.AUTHOR:
            from sampleui.tui.author.actions.all import AUTHOR

            return AUTHOR
        case ScreenKind.TRACE:
            from sampleui.tui.trace.actions.records import TRACE

            return TRACE
        case ScreenKind.REVIEW:
            from sampleui.tui.review.actions.records import REVIEW

            return REVIEW
        case ScreenKind.WORKSPACE:
            from sampleui.tui.workspace.actions.decks import WORKSPACE

            return WORKSPACE
        case ScreenKind.FOUND:
            from sampleui.tui.workspace.actions.found import FOUND

            return FOUND
