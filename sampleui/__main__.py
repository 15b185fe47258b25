"""The `sampleui` command."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import partial


def main() -> int:
    """Run the command line of this process and return its exit code.

    The garbage collector would look in vain through what imports make, so it waits: for the terminal app until the
    first screen is there, for a command until it runs.
    """
    if sys.platform == "win32":  # it holds files by descriptors of their folders, and has no such terminal
        sys.stderr.write("sampleui: Windows itself is not supported; use it in WSL (Windows Subsystem for Linux)\n")
        return 2
    gc.disable()
    from sampleui.cli.app import author, review, trace
    from sampleui.cli.commands import COMMANDS
    from sampleui.cli.output import guarded, interactive
    from sampleui.text.confined import named

    args = sys.argv[1:]
    start: Callable[[], int] | None = None
    # A start without options waits for nothing it does not need: click alone would add a tenth to it.
    match args:
        case [path] if not path.startswith("-") and path not in COMMANDS:
            start = partial(author, [named(path)])
        case ["review", path] if not path.startswith("-"):
            start = partial(review, named(path))
        case ["trace", path] if not path.startswith("-") and interactive():  # else it is printed
            start = partial(trace, named(path))
    if start is not None:
        code = guarded(start)
        gc.enable()
        return code
    from sampleui.cli.main import run

    gc.enable()
    return run(args)


if __name__ == "__main__":
    sys.exit(main())
