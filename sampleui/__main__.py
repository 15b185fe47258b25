"""The `sampleui` command."""

from __future__ import annotations

import gc
import os
import signal
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
    is_usual = (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )  # else it is ignored, as in the background
    if is_usual:
        signal.signal(signal.SIGINT, _interrupted)
    gc.disable()
    from sampleui.cli.app import usual_start

    args = sys.argv[1:]
    start = usual_start(args)
    if start is not None:
        code = start()
        gc.enable()
        return code
    from sampleui.cli.main import run

    gc.enable()
    if is_usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return run(args)


def _interrupted(*_: object) -> None:
    """End at once, while there are only imports: an exception in the midst of one may become another."""
    os.write(2, b"sampleui: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
