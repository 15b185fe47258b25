"""From errors to exit codes: one line on standard error and never a traceback."""

from __future__ import annotations

from collections.abc import Callable

from sampleui.cli import output
from sampleui.errors import SampleUIError

FAILED = 2
INTERRUPTED = 130
READER_GONE = 141


def guarded(call: Callable[[], int]) -> int:
    """Return what a command returns, or the exit code of how it failed."""
    output.prepare()
    try:
        code = call()
        output.flush()
    except BrokenPipeError:
        output.abandon()
        return READER_GONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (SampleUIError, OSError) as error:
        output.complain(f"sampleui: {error}")
        return FAILED
    return code
