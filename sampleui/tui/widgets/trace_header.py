"""The lines above a timeline: what the trace amounts to."""

from __future__ import annotations

from collections.abc import Iterator

from textual.strip import Strip

from sampleui.text.visible import one_line
from sampleui.trace.extract import Trace
from sampleui.trace.report import summary_lines
from sampleui.tui.cards import severity_mark
from sampleui.tui.rows import Row, fitted
from sampleui.tui.widgets.painted import Painted


class TraceHeader(Painted):
    """Counts, tokens, cost and duration, calls by tool, and that there are notes, a line each."""

    DEFAULT_CSS = """
    TraceHeader { height: 2; width: 1fr; }
    """

    _trace: Trace = Trace()

    def show(self, trace: Trace) -> None:
        """Show another trace."""
        self._trace = trace
        self.styles.height = len(list(header_rows(trace, 80)))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        width = self.size.width
        rows = list(header_rows(self._trace, width - 1))
        return self.drawn((("text", " "), *rows[y]) if y < len(rows) else (), width)


def header_rows(trace: Trace, width: int) -> Iterator[Row]:
    """Yield the header as rows: the summary with what went wrong marked, the tools, the first note."""
    first, *rest = summary_lines(trace)
    row: list[tuple[str, str]] = []
    for part in first.removeprefix("from ").split(", "):
        wrong = not part.startswith("0 ") and ("error" in part or "failed" in part)
        row += [("faint", " · ")] * bool(row)
        row.append(("error-bold", f"✖ {part}") if wrong else ("text" if row else "muted", part))
    yield tuple(row)
    yield from ((("muted", fitted(line, width)),) for line in rest)
    if trace.diagnostics:
        note = trace.diagnostics[0]
        more = len(trace.diagnostics) - 1
        words = f"{severity_mark(note.severity)} {one_line(note.message, 300)}" + f" (+{more} more)" * bool(more)
        yield ((f"{note.severity}-bold", fitted(words, width)),)
