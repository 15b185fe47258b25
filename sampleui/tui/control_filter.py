"""The last gate before the terminal: no drawn line has a control character, whichever widget drew it."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from sampleui.text.visible import visible


class ControlFilter(LineFilter):
    """Replaces what `visible` would. Widgets make their text visible themselves; this catches those that do not."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with their control characters replaced, one cell for each."""
        if all(text.isprintable() for text, _, control in segments if not control):
            return segments
        return [
            segment
            if segment.control or segment.text.isprintable()
            else Segment(visible(segment.text, _one_cell), segment.style)
            for segment in segments
        ]


_OF_EMOJI = "\u200d\ufe0e\ufe0f"  # a widget may have drawn the emoji in two pieces


def _one_cell(character: str) -> str:
    symbol = character if character in _OF_EMOJI else visible(character)
    return symbol if len(symbol) == 1 else "�"
