"""One replacement in a text, and its inverse."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.values import NamedTuple


class TextEdit(NamedTuple):
    """Replace `text[start:end]` by `text`. Offsets count code points."""

    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        """Return the source with the span replaced."""
        return source[: self.start] + self.text + source[self.end :]

    def inverse(self, source: str) -> TextEdit:
        """Return the edit that undoes this one, given the text this one is applied to."""
        return TextEdit(self.start, self.start + len(self.text), source[self.start : self.end])

    def trimmed(self, source: str) -> TextEdit:
        """Return the same change with the characters both sides share at its ends left out."""
        old, new = source[self.start : self.end], self.text
        head = shared_start(old, new)
        tail = shared_end(old[head:], new[head:])
        return TextEdit(self.start + head, self.end - tail, new[head : len(new) - tail])


def shared_start(first: Sequence[str], other: Sequence[str]) -> int:
    """Return how many items two sequences, or characters two texts, have in common from the start.

    Slices are compared and not items: that is what Python does quickly.
    """
    low, high = 0, min(len(first), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def shared_end(first: Sequence[str], other: Sequence[str]) -> int:
    """Return how many items two sequences, or characters two texts, have in common at the end."""
    low, high = 0, min(len(first), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if first[len(first) - middle : len(first) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
