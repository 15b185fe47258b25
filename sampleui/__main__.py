"""The `sampleui` command: the only module that knows both faces, the command line and the terminal app."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.cli.author import author
from sampleui.cli.commands import COMMANDS
from sampleui.cli.faces import Faces
from sampleui.cli.guard import guarded
from sampleui.settings.options import Settings
from sampleui.tui.terminal.modes import keys_kept

if TYPE_CHECKING:
    from sampleui.review.options import ReviewOptions
    from sampleui.runs.records import Run


def main() -> int:
    """Run the command line of this process and return its exit code."""
    args = sys.argv[1:]
    faces = Faces(author=_author, workspace=_workspace, review=_review, trace=_trace)
    if len(args) == 1 and not args[0].startswith("-") and args[0] not in COMMANDS:
        # The usual start waits for nothing it does not need: click alone would add a tenth to it.
        return guarded(lambda: author(Path(args[0]), faces))
    from sampleui.cli.main import run

    return run(args, faces)


def _hasten() -> None:
    """Do without what only delays the first screen of the terminal app.

    The garbage collector looks in vain through what imports make; the app turns it on again once it is ready.
    asyncio works without ssl, and no screen opens a connection.
    """
    gc.disable()
    if "ssl" not in sys.modules:
        sys.modules["ssl"] = None  # type: ignore[assignment]
        import asyncio  # noqa: F401

        del sys.modules["ssl"]


@keys_kept()
def _author(path: Path, settings: Settings, dialect: str | None) -> int:
    _hasten()
    from sampleui.tui.app import run

    return run(path, settings, dialect)


@keys_kept()
def _workspace(paths: Sequence[Path], settings: Settings) -> int:
    _hasten()
    from sampleui.tui.app import run_workspace

    return run_workspace(paths, settings)


@keys_kept()
def _review(options: ReviewOptions, settings: Settings) -> int:
    _hasten()
    from sampleui.tui.app import run_review

    return run_review(options, settings)


@keys_kept()
def _trace(run: Run, settings: Settings, record_id: str | None) -> int:
    _hasten()
    from sampleui.tui.app import run_trace

    return run_trace(run, settings, record_id)


if __name__ == "__main__":
    sys.exit(main())
