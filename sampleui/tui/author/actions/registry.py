"""The registry that the modules beside this one fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.commands import Registry

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen

AUTHOR: Registry[AuthorScreen] = Registry()
