"""The `sampleui` command."""

from __future__ import annotations

import gc
import os
import sys


def main() -> int:
    """Run the command line of this process and return its exit code.

    The garbage collector would look in vain through what imports make, so it waits: for the terminal app until the
    first screen is there, for a command until it runs.
    """
    if sys.platform == "win32":  # it holds files by descriptors of their folders, and has no such terminal
        sys.stderr.write("sampleui: Windows itself is not supported; use it in WSL (Windows Subsystem for Linux)\n")
        return 2
    # Whatever is started from here, in a folder that anyone may have made, takes no module of Python from there.
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        return _run(sys.argv[1:])
    except KeyboardInterrupt:  # before anything has begun that could be interrupted in a way of its own
        sys.stderr.write("sampleui: interrupted\n")
        return 130


def _run(args: list[str]) -> int:
    gc.disable()
    from sampleui.cli.app import usual_start

    start = usual_start(args)
    if start is not None:
        code = start()
        gc.enable()
        return code
    from sampleui.cli.main import run

    gc.enable()
    return run(args)


if __name__ == "__main__":
    sys.exit(main())
