"""The `sampleui` command: the only module that knows both faces, the command line and the terminal app."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sampleui.review.session import ReviewOptions
    from sampleui.runs.records import Run
    from sampleui.settings.options import Settings


def main() -> int:
    """Run the command line of this process and return its exit code.

    The garbage collector would look in vain through what imports make, so it waits: for the terminal app until the
    first screen is there, for a command until it runs.
    """
    gc.disable()
    from sampleui.cli.author import author
    from sampleui.cli.commands import COMMANDS
    from sampleui.cli.faces import Faces
    from sampleui.cli.guard import guarded

    args = sys.argv[1:]
    faces = Faces(author=_author, workspace=_workspace, review=_review, trace=_trace)
    if len(args) == 1 and not args[0].startswith("-") and args[0] not in COMMANDS:
        # The usual start waits for nothing it does not need: click alone would add a tenth to it.
        code = guarded(lambda: author(Path(args[0]), faces))
        gc.enable()
        return code
    from sampleui.cli.main import run

    gc.enable()
    return run(args, faces)


@contextmanager
def _starting() -> Iterator[None]:
    """Keep what is typed while the app starts, and do without what only delays its first screen.

    The garbage collector is on again once the app is ready. asyncio works without ssl, as no screen connects.
    """
    gc.disable()
    from sampleui.tui.terminal.modes import keys_kept

    with keys_kept():
        if "ssl" not in sys.modules:
            sys.modules["ssl"] = None  # type: ignore[assignment]
            import asyncio  # noqa: F401

            del sys.modules["ssl"]
        yield


@_starting()
def _author(path: Path, settings: Settings, dialect: str | None) -> int:
    from sampleui.tui.app import run

    return run(path, settings, dialect)


@_starting()
def _workspace(paths: Sequence[Path], settings: Settings) -> int:
    from sampleui.tui.app import run_workspace

    return run_workspace(paths, settings)


@_starting()
def _review(options: ReviewOptions, settings: Settings) -> int:
    from sampleui.tui.app import run_review

    return run_review(options, settings)


@_starting()
def _trace(run: Run, settings: Settings, record_id: str | None) -> int:
    from sampleui.tui.app import run_trace

    return run_trace(run, settings, record_id)


if __name__ == "__main__":
    sys.exit(main())
