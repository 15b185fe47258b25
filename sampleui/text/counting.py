"""Numbers with what they count."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an `s` but for one: `1 sample`, `1,200 samples`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
