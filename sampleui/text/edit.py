"""One replacement in a text, and its inverse."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextEdit:
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
        shortest = min(len(old), len(new))
        head = 0
        while head < shortest and old[head] == new[head]:
            head += 1
        tail = 0
        while tail < shortest - head and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        return TextEdit(self.start + head, self.end - tail, new[head : len(new) - tail])
