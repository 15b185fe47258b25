"""Starts the terminal app. Nothing else of the command line imports it, and this only when it is to run."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sampleui.review.options import ReviewOptions
    from sampleui.review.results.file import Scored
    from sampleui.runs.records import Run
    from sampleui.settings.options import Settings


def edit_deck(path: Path, settings: Settings, dialect: str | None) -> int:
    """Open a deck in the author screen and return the exit code of the app."""
    with _starting():
        from sampleui.tui.app import edit_deck

        return edit_deck(path, settings, dialect)


def list_decks(paths: Sequence[Path], settings: Settings) -> int:
    """List the decks of folders, globs and files and return the exit code of the app."""
    with _starting():
        from sampleui.tui.app import list_decks

        return list_decks(paths, settings)


def review(options: ReviewOptions, settings: Settings, opened: Scored) -> int:
    """Show results, which are open, in the review screen and return the exit code of the app."""
    with _starting():
        from sampleui.tui.app import review

        return review(options, settings, opened)


def show_trace(run: Run, settings: Settings, record_id: str | None) -> int:
    """Open records in the trace screen, from the one with an id on, and return the exit code of the app."""
    with _starting():
        from sampleui.tui.app import show_trace

        return show_trace(run, settings, record_id)


@contextmanager
def _starting() -> Iterator[None]:
    """Keep what is typed while the app starts, and do without what only delays its first screen.

    The garbage collector is on again once the app is ready.
    """
    gc.disable()
    from sampleui.tui import import_textual
    from sampleui.tui.terminal.modes import keys_kept

    with keys_kept():
        import_textual()
        yield
