"""The only place that prints.

What goes to people, on a terminal or in a log, has every control character of the data as a visible symbol: a deck
must not be able to command a terminal. What goes to programs is exact: JSON escapes such characters, and text that
was asked for by `--as` is written as it is when the output is no terminal.
"""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TextIO

from sampleui.formats.data import Plain
from sampleui.text.visible import escaped, visible, visible_lines


def prepare() -> None:
    """Make the standard streams UTF-8 and unable to fail on a character, whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def line(text: str = "") -> None:
    """Print one line for people."""
    _write(sys.stdout, visible(text) + "\n")


def complain(text: str) -> None:
    """Print one line about what went wrong, on standard error."""
    _write(sys.stderr, visible(text) + "\n")


def text_value(text: str) -> None:
    """Print a text that was asked for, ended by a line feed: exact to a program, made visible on a terminal."""
    shown = visible_lines(text) if sys.stdout.isatty() else text
    _write(sys.stdout, shown if shown.endswith("\n") else shown + "\n")


def exact_value(text: str) -> None:
    """Print a text that was asked for with nothing added to it; on a terminal, as `text_value` does."""
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


def _write(stream: TextIO, text: str) -> None:
    print(text, end="", file=stream)
