"""Texts of values that some form of deck may write wrongly, by chance."""

from __future__ import annotations

from random import Random

from tests.formats.strategies import FRAGMENTS

WORDS = (
    "hello",
    "two words",
    "it's",
    "a, b",
    "12",
    "yes",
    "é 你好",
    "x: y",
    "# no",
    "-",
    "[red]",
    "",
    " lead",
    "end ",
)


def text_of(chance: Random) -> str:
    """Return a text that some form may write wrongly."""
    kind = chance.random()
    if kind < 0.3:
        return chance.choice(WORDS)
    if kind < 0.6:
        return "".join(chance.choices(FRAGMENTS, k=chance.randint(0, 5)))
    lines = ("A plain line.", "", "  indented", "ends in space ", "- item", "# x", "k: v", "[[samples]]", "\ttab")
    return "\n".join(chance.choices(lines, k=chance.randint(1, 5)))
