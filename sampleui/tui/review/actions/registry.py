"""The registry that the modules of the review screen fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.commands import Registry

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

REVIEW: Registry[ReviewScreen] = Registry()

PANES = "queue turns answer scores timeline detail"
"""The scopes of the panes of a review."""
