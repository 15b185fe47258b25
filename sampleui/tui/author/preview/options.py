"""The options of a choice question below its chat."""

from __future__ import annotations

from sampleui.prompt.options import offered, told
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of
from sampleui.text.visible import one_line
from sampleui.tui.drawing.rows import Row, text_rows


def option_rows(sample: Sample, width: int) -> list[Row]:
    """Return the options of a sample in their order, below a word on whether they are sent; none if it has none."""
    options = offered(sample)
    if not options:
        return []
    rows: list[Row] = [(("text", ""),), (("muted-bold", "Options"),)]
    rows += text_rows(told(options, dialect_of(sample).title), "muted", width)
    for option in options:
        mark = "✓" if option.named else "–"
        rows += text_rows(f"{mark} {one_line(option.id)}  {option.text}", "text", width)
    return rows
