"""The last gate before the terminal: no control character in a drawn line, whichever widget drew it."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from sampleui.text.visible import visible


class ControlFilter(LineFilter):
    """Replaces what `visible` would. Widgets make their text visible themselves; this catches those that do not."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with their control characters replaced, cell for cell."""
        if all(text.isprintable() for text, _, control in segments if not control):
            return segments
        return [
            segment
            if segment.control or segment.text.isprintable()
            else Segment(_narrow(segment.text), segment.style)
            for segment in segments
        ]


def _narrow(text: str) -> str:
    """Return the text with one cell for every character that cannot be shown."""
    shown = (visible(character) for character in text)
    return "".join(one if len(one) == 1 else "�" for one in shown)
