"""All that commands print, and what becomes of their errors: one line on standard error, and an exit code.

Output for people, on a terminal or in a log, shows every control character of the data as a visible symbol: a deck
must not be able to command a terminal. Output for programs is exact: JSON escapes such characters, and text that
was asked for by `--as` is written as it is if the output is not a terminal.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, TextIO

from sampleui.errors import SampleUIError
from sampleui.formats.data import Plain
from sampleui.integrations import index
from sampleui.text.visible import escaped, visible, visible_lines

_REDRAWN = 0.1
_WIDEST = 4_000
"""Characters of a changed line that a terminal shows; a tenth of them of one beside it."""


class _State:
    """Whether a progress line is on the terminal, since when, and the lists that collect output, if any."""

    def __init__(self) -> None:
        self.drawn = False
        self.drawn_at = 0.0
        self.records: list[list[Printed]] = []
        self.warnings: set[str] = set()


class Printed(NamedTuple):
    """A text that was printed, on standard error or on standard output."""

    text: str
    is_error: bool


_STATE = _State()


def prepare() -> None:
    """Make the standard streams UTF-8 and unable to fail on a character, whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    index.warn_by(warn)


def line(text: str = "") -> None:
    """Print one line for people."""
    _write(sys.stdout, visible(text) + "\n")


def complain(text: str) -> None:
    """Print one line about what went wrong, on standard error."""
    _write(sys.stderr, visible(text) + "\n")


def warn(text: str) -> None:
    """Print a warning about the program itself on standard error, each only once."""
    if text not in _STATE.warnings:
        _STATE.warnings.add(text)
        complain(f"sampleui: {text}")


def text_value(text: str) -> None:
    """Print a text that was asked for, ended by a line feed: exact to a program, made visible on a terminal."""
    shown = visible_lines(text) if sys.stdout.isatty() else text
    _write(sys.stdout, shown if shown.endswith("\n") else shown + "\n")


def diff_value(text: str) -> None:
    """Print a diff: exact to a program; visible on a terminal, lines that would fill it cut short."""
    text_value("\n".join(map(_cut, text.split("\n"))) if sys.stdout.isatty() else text)


def _cut(row: str) -> str:
    more = len(row) - (_WIDEST if row.startswith(("+", "-")) else _WIDEST // 10)
    return row if more <= 0 else f"{row[:-more]}… ({more:,} characters more)"


def exact_value(text: str) -> None:
    """Print a text that was asked for and nothing else; on a terminal, as `text_value` does."""
    if sys.stdout.isatty():
        text_value(text)
    else:
        _write(sys.stdout, text)


def json_value(value: Plain, *, compact: bool = False) -> None:
    """Print a value as JSON, on one line or indented by two."""
    dumped = json.dumps(value, ensure_ascii=False, indent=None if compact else 2, default=str)
    _write(sys.stdout, escaped(dumped) + "\n")


def flush() -> None:
    """Write out what was printed, so that a reader that went away is noticed here and not at exit."""
    sys.stdout.flush()


def abandon() -> None:
    """Give up on standard output: what is still unwritten goes nowhere, without a complaint at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def interactive() -> bool:
    """Tell whether there is a terminal to show an app on: it reads standard input and draws on standard error."""
    return all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def progress(text: str) -> None:
    """Show the progress on the last line of a terminal, a few times a second; elsewhere show nothing."""
    now = time.monotonic()
    if now - _STATE.drawn_at < _REDRAWN or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return
    _STATE.drawn_at, _STATE.drawn = now, True
    print(f"\r{visible(text)}\x1b[K", end="", file=sys.stderr, flush=True)


def end_progress() -> None:
    """Clear what `progress` drew."""
    if _STATE.drawn:
        _STATE.drawn = False
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
        _write(sys.stderr if printed.is_error else sys.stdout, printed.text)


def _write(stream: TextIO, text: str) -> None:
    if _STATE.records:
        _STATE.records[-1].append(Printed(text, stream is sys.stderr))
        return
    end_progress()
    print(text, end="", file=stream)


FAILED = 2
INTERRUPTED = 130
READER_GONE = 141


def guarded(call: Callable[[], int]) -> int:
    """Return what a command returns, or the exit code of how it failed."""
    prepare()
    try:
        code = call()
        flush()
    except BrokenPipeError:
        abandon()
        return READER_GONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (SampleUIError, OSError) as error:
        complain(f"sampleui: {error}")
        return FAILED
    return code
