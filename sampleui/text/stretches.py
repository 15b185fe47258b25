"""The part of a very long text that is drawn: its beginning, what is sought in it, or where it differs."""

from __future__ import annotations

from typing import NamedTuple

from sampleui.text.limits import MAX_COMPARED_STRETCH, MAX_STRETCH, STRETCH_BEFORE
from sampleui.text.position import shared_start


class Stretch(NamedTuple):
    """A part of a text: what it says, where it begins in the whole, and how long that is, in characters."""

    text: str
    start: int
    size: int

    @property
    def words(self) -> str:
        """Which part it is, in words; empty if it is the whole."""
        if len(self.text) == self.size:
            return ""
        return f"characters {self.start + 1:,} to {self.start + len(self.text):,} of {self.size:,}"


def stretch(text: str, sought: str = "") -> Stretch:
    """Return a text; of one longer than `MAX_STRETCH` its beginning, or the part with what is sought."""
    if len(text) <= MAX_STRETCH:
        return Stretch(text, 0, len(text))
    found = text.find(sought) if sought else 0
    if sought and found < 0:
        found = max(text.lower().find(sought.lower()), 0)  # letters that change their length are off by a few
    start = _line_at(text, found - STRETCH_BEFORE) if found > MAX_STRETCH - STRETCH_BEFORE else 0
    return Stretch(text[start : start + MAX_STRETCH], start, len(text))


def differing(text: str, other: str) -> tuple[Stretch, Stretch]:
    """Return two texts; if one is longer than `MAX_STRETCH`, from shortly before their first difference on."""
    if max(len(text), len(other)) <= MAX_STRETCH:
        return Stretch(text, 0, len(text)), Stretch(other, 0, len(other))
    start = _line_at(text, shared_start(text, other) - STRETCH_BEFORE)
    return (
        Stretch(text[start : start + MAX_COMPARED_STRETCH], start, len(text)),
        Stretch(other[start : start + MAX_COMPARED_STRETCH], start, len(other)),
    )


def _line_at(text: str, offset: int) -> int:
    """Return where the line at a place begins, if that is near; else the place, or the beginning of the text."""
    begun = text.rfind("\n", max(offset - STRETCH_BEFORE, 0), max(offset, 0)) + 1
    return begun or max(offset, 0)
