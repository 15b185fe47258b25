"""The `sampleui` command."""

from __future__ import annotations

import gc
import sys
from pathlib import Path


def main() -> int:
    """Run the command line of this process and return its exit code.

    The garbage collector would look in vain through what imports make, so it waits: for the terminal app until the
    first screen is there, for a command until it runs.
    """
    gc.disable()
    from sampleui.cli.author import author
    from sampleui.cli.commands import COMMANDS
    from sampleui.cli.output import guarded

    args = sys.argv[1:]
    if len(args) == 1 and not args[0].startswith("-") and args[0] not in COMMANDS:
        # The usual start waits for nothing it does not need: click alone would add a tenth to it.
        code = guarded(lambda: author(Path(args[0])))
        gc.enable()
        return code
    from sampleui.cli.main import run

    gc.enable()
    return run(args)


if __name__ == "__main__":
    sys.exit(main())
