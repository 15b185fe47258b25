"""The lines above a timeline: what the trace amounts to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from textual.strip import Strip

from sampleui.text.visible import one_line
from sampleui.trace.reading.extract import Trace
from sampleui.trace.report import summary_lines
from sampleui.tui.drawing.cards import severity_mark
from sampleui.tui.drawing.rows import Row, fitted
from sampleui.tui.widgets.painted import Painted

_DOT = " · "
_FACTS = re.compile(r", (?!\S+ out\b)")
"""Where facts end: tokens read and written are one."""


class TraceHeader(Painted):
    """Counts, tokens, cost and duration, the calls by tool, and that there are notes."""

    DEFAULT_CSS = """
    TraceHeader { height: 2; width: 1fr; }
    """

    _trace: Trace = Trace()
    _rows: tuple[Row, ...] = ()

    def show(self, trace: Trace) -> None:
        """Show another trace."""
        self._trace = trace
        self._lay_out()

    def on_resize(self) -> None:
        """Take as many lines as the new width needs."""
        self._lay_out()

    def _lay_out(self) -> None:
        rows = tuple(header_rows(self._trace, self.size.width - 2)) if self.size.width else self._rows
        if rows != self._rows:
            self._rows = rows
            self.styles.height = len(rows)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        return self.drawn((("text", " "), *self._rows[y]) if y < len(self._rows) else (), self.size.width)


def header_rows(trace: Trace, width: int) -> Iterator[Row]:
    """Yield the header as rows: the summary with what went wrong marked, the tools, the first note."""
    first, *rest = summary_lines(trace)
    yield from _flowed((_fact(part) for part in _FACTS.split(first.removeprefix("from "))), width)
    yield from ((("muted", fitted(line, width)),) for line in rest)
    if trace.diagnostics:
        note = trace.diagnostics[0]
        more = len(trace.diagnostics) - 1
        words = f"{severity_mark(note.severity)} {one_line(note.message, 300)}" + f" (+{more} more)" * bool(more)
        yield ((f"{note.severity}-bold", fitted(words, width)),)


def _fact(words: str) -> tuple[str, str]:
    wrong = not words.startswith("0 ") and ("error" in words or "failed" in words)
    return ("error-bold", f"✖ {words}") if wrong else ("text", words)


def _flowed(facts: Iterable[tuple[str, str]], width: int) -> Iterator[Row]:
    """Yield facts beside each other, on as many lines as they take."""
    row: list[tuple[str, str]] = []
    room = width
    for style, words in facts:
        size = cell_len(words)
        if row and size + len(_DOT) > room:
            yield tuple(row)
            row, room = [], width
        if row:
            row.append(("faint", _DOT))
        row.append((style, fitted(words, width)))
        room -= size + len(_DOT) * (len(row) > 1)
    yield tuple(row)
