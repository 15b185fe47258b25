"""Which commands each screen has, and whether the keys that the settings bind to them can be used.

Screens do not know their commands; the app looks them up here. A registry is imported when a screen first needs it.
"""

from __future__ import annotations

from typing import Any

from sampleui.settings.options import Settings
from sampleui.tui.commands import Registry, ScreenKind


def registry_of(kind: ScreenKind) -> Registry[Any]:
    """Return the commands of a screen."""
    match kind:
        case ScreenKind.AUTHOR:
            from sampleui.tui.author.actions import AUTHOR

            return AUTHOR
        case ScreenKind.TRACE:
            from sampleui.tui.trace.actions import TRACE

            return TRACE
        case ScreenKind.REVIEW:
            from sampleui.tui.review.actions import REVIEW

            return REVIEW
        case ScreenKind.WORKSPACE:
            from sampleui.tui.workspace.actions import WORKSPACE

            return WORKSPACE
        case ScreenKind.FOUND:
            from sampleui.tui.workspace.actions import FOUND

            return FOUND


def check_bound_keys(settings: Settings) -> None:
    """Raise SettingsError for keys of the settings that cannot be used."""
    if settings.keys:
        from sampleui.tui.bound_keys import check_keys

        check_keys(settings, [registry_of(kind) for kind in ScreenKind])
