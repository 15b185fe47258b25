"""All that commands print, and what becomes of their errors: words on standard error, and an exit code.

Where JSON is asked for, standard output has JSON whatever happens: what the command prints, or where that is
nothing an object `error` with a `rule` and the `message` that standard error has too.

Output for people, on a terminal or in a log, shows every control character of the data as a visible symbol: a deck
must not be able to command a terminal. Output for programs is exact: JSON escapes such characters, and text that
was asked for by `--as` is written as it is if the output is not a terminal.
"""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple, TextIO

from sampleui.errors import Interrupted, SampleUIError
from sampleui.formats.data import Plain, Table
from sampleui.integrations import index
from sampleui.text.visible import escaped, visible, visible_lines

_REDRAWN = 0.1
_WIDEST = 4_000
"""Characters of a changed line that a terminal shows; a tenth of them of one beside it."""


class _OutputState:
    """Whether a progress line is on the terminal, since when, and the lists that collect output, if any.

    `unheard` tells whether a complaint was lost, because standard error is closed or its disk full; `in_json`
    whether JSON was asked for, `answered` whether anything is on standard output, `complaints` what was complained
    of, and `remarks` what was said else since the last answer.
    """

    def __init__(self) -> None:
        self.begin(in_json=False)
        self.progress_shown = False
        self.progress_shown_at = 0.0
        self.records: list[list[Printed]] = []
        self.warnings: set[str] = set()
        self.unheard = False

    def begin(self, *, in_json: bool) -> None:
        """Begin a command, which prints JSON or words."""
        self.in_json, self.answered = in_json, False
        self.complaints: list[str] = []
        self.remarks: list[str] = []


class Printed(NamedTuple):
    """A text that was printed, on standard error or on standard output."""

    text: str
    is_error: bool


_STATE = _OutputState()


def prepare() -> None:
    """Make the standard streams UTF-8 and unable to fail on a character, whatever the locale says.

    What is closed is put on the null device, so that no file that is opened later takes its place.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    index.warn_by(warn)


def interrupt(*_: object) -> None:
    """Take a signal for the interrupt of the user."""
    raise Interrupted


def line(text: str = "") -> None:
    """Print one line for people; where JSON was asked for, the next answer has it among its remarks."""
    if _STATE.in_json:
        _STATE.remarks.append(text)
    else:
        _write(visible(text) + "\n")


def complain(text: str) -> None:
    """Print one line about what went wrong, on standard error."""
    if _STATE.in_json:
        _STATE.complaints.append(text)
    _write(visible(text) + "\n", is_error=True)


def warn(text: str) -> None:
    """Print a warning about the program itself on standard error, each only once."""
    if text not in _STATE.warnings:
        _STATE.warnings.add(text)
        complain(f"sampleui: {text}")


def text_value(text: str) -> None:
    """Print a text that was asked for, ended by a line feed: exact to a program, made visible on a terminal."""
    shown = visible_lines(text) if _on_terminal(sys.stdout) else text
    _write(shown if shown.endswith("\n") else shown + "\n")


def diff_value(text: str) -> None:
    """Print a diff: exact to a program; visible on a terminal, lines that would fill it cut short.

    Where JSON was asked for, it is part of the answer.
    """
    if not _STATE.in_json:
        text_value("\n".join(map(_cut, text.split("\n"))) if _on_terminal(sys.stdout) else text)


def _cut(row: str) -> str:
    more = len(row) - (_WIDEST if row.startswith(("+", "-")) else _WIDEST // 10)
    return row if more <= 0 else f"{row[:-more]}… ({more:,} characters more)"


def exact_value(text: str) -> None:
    """Print a text that was asked for and nothing else; on a terminal, as `text_value` does."""
    if _on_terminal(sys.stdout):
        text_value(text)
    else:
        _write(text)


def json_value(value: Plain, *, compact: bool = False) -> None:
    """Print a value as JSON: on a terminal indented, unless it is to be `compact`; to a program on one line."""
    indent = 2 if _on_terminal(sys.stdout) and not compact else None
    dumped = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    _write(escaped(dumped) + "\n")


def in_json() -> bool:
    """Tell whether JSON was asked for."""
    return _STATE.in_json


def answer(*words: str, **data: Plain) -> None:
    """Print what was done: lines for people, or one of JSON, with what was said since the last one as `remarks`.

    A command whose data say it all gives `remarks` itself, or none.
    """
    if not _STATE.in_json:
        for text in words:
            line(text)
        return
    said: Table = {"remarks": [*_STATE.remarks]}
    json_value({**said, **data}, compact=True)
    _STATE.remarks.clear()


def flush() -> None:
    """Write out what was printed, so that a reader that went away is noticed here and not at exit."""
    if sys.stdout is not None:
        sys.stdout.flush()


def abandon() -> None:
    """Give up on standard output: what is still unwritten goes nowhere, without a complaint at exit."""
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def interactive() -> bool:
    """Tell whether there is a terminal to show an app on: it reads standard input and draws on standard error."""
    return all(map(_on_terminal, (sys.stdin, sys.stdout, sys.stderr)))


def _on_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def progress(text: str) -> None:
    """Show the progress on the last line of a terminal, a few times a second; elsewhere show nothing."""
    now = time.monotonic()
    if (
        now - _STATE.progress_shown_at < _REDRAWN
        or not _on_terminal(sys.stderr)
        or os.environ.get("TERM") == "dumb"
    ):
        return
    _STATE.progress_shown_at, _STATE.progress_shown = now, True
    print(f"\r{visible(text)}\x1b[K", end="", file=sys.stderr, flush=True)


def end_progress() -> None:
    """Clear what `progress` drew."""
    if _STATE.progress_shown:
        _STATE.progress_shown = False
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def recorded() -> Iterator[list[Printed]]:
    """Keep what is printed inside, to be printed by another process."""
    record: list[Printed] = []
    _STATE.records.append(record)
    try:
        yield record
    finally:
        _STATE.records.pop()


def replay(record: list[Printed]) -> None:
    """Print what was recorded."""
    for printed in record:
        _write(printed.text, is_error=printed.is_error)


def _write(text: str, *, is_error: bool = False) -> None:
    """Print a text. Raises OSError if standard output does not take it; of standard error that is noted."""
    if _STATE.records:
        _STATE.records[-1].append(Printed(text, is_error))
        return
    end_progress()
    stream = sys.stderr if is_error else sys.stdout
    _STATE.answered = _STATE.answered or not is_error
    try:
        if stream is None:
            raise OSError(errno.EBADF, "standard output is closed")
        print(text, end="", file=stream, flush=is_error)
    except OSError:
        if not is_error:
            raise
        _STATE.unheard = True


FAILED = 2
INTERRUPTED = 130
READER_GONE = 141


def guarded(call: Callable[[], int], *, in_json: bool = False) -> int:
    """Return what a command returns, or the exit code of how it failed; `in_json`: whether JSON was asked for."""
    _STATE.begin(in_json=in_json)
    prepare()
    if sys.stdout is None:
        complain("sampleui: standard output is closed; nothing was done")
        return FAILED
    try:
        code = call()
        if in_json and not _STATE.answered and (code or _STATE.complaints):
            message = "\n".join(_STATE.complaints)
            json_value({"error": {"rule": "refused" if code == FAILED else "nothing", "message": message}})
        flush()
    except BrokenPipeError:
        abandon()
        return READER_GONE
    except KeyboardInterrupt:
        complain("sampleui: interrupted")
        return INTERRUPTED
    except (SampleUIError, OSError) as error:
        code = failed(error, "sampleui: ")
        with suppress(OSError):
            flush()
            return code
        abandon()
        return code
    return FAILED if _STATE.unheard else code


def failed(error: SampleUIError | OSError, before: str = "", **beside: Plain) -> int:
    """Say why nothing was done: in words, and where it was asked for as JSON with what is `beside` the error."""
    data: Table = error.as_data() if isinstance(error, SampleUIError) else {"rule": "system", "message": str(error)}
    return refused(f"{before}{error}", data, **beside)


def refused(words: str, error: Table, **beside: Plain) -> int:
    """Say as `failed` does what no error of the program says."""
    complain(words)
    if _STATE.in_json:
        with suppress(OSError):
            json_value({**beside, "error": error})
    return FAILED
