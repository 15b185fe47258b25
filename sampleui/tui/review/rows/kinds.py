"""How two texts are compared by what they are: JSON by structure, code by lines, prose by words. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Sequence

from sampleui.formats.data import Plain
from sampleui.tui.drawing.marking import ranges
from sampleui.tui.drawing.rows import Row
from sampleui.tui.review.rows.differences import differs

FENCED = re.compile(r"\A\s*```[\w-]*\n(.*?)\n?```\s*\Z", re.DOTALL)
LEAST_LINES = 4
LONG = 40
"""Lines from which a text is compared by lines whatever it is."""

MOST_PAIRS = 4_000_000
SHOWN_EQUAL = 2
LEAST_FOLDED = 6


def structure_of(text: str) -> Plain:
    """Return the JSON object or list that a text is, in a code fence or without; None when it is not JSON."""
    fenced = FENCED.match(text)
    try:
        found: Plain = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


def laid_out(value: Plain) -> str:
    """Return JSON so that equal values are equal texts: keys in order, an item a line."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)


def is_of_lines(one: str, other: str) -> bool:
    """Tell whether two texts are to be read line by line: code, or long texts. What would take too long is not."""
    lines, others = one.splitlines(), other.splitlines()
    if len(lines) * len(others) > MOST_PAIRS or min(len(lines), len(others)) < 2:
        return False
    if max(len(lines), len(others)) >= LONG:
        return True
    return any(_is_code(held) for held in (lines, others))


def folded(rows: Sequence[Row], sought: str = "") -> list[Row]:
    """Return rows with long stretches in which nothing differs folded to a line that says how long they are.

    Rows that show a text that is searched for are kept, with those beside them.
    """
    found: list[Row] = []
    at = 0
    for start, end in _equal_runs(rows, ranges(rows, sought)):
        found += rows[at:start]
        head = SHOWN_EQUAL if start else 0
        tail = SHOWN_EQUAL if end < len(rows) else 0
        hidden = end - start - head - tail
        if hidden < LEAST_FOLDED:
            found += rows[start:end]
        else:
            found += rows[start : start + head]
            found.append((("faint", f"⋯ {hidden:,} equal lines"),))
            found += rows[end - tail : end]
        at = end
    return [*found, *rows[at:]]


def _equal_runs(rows: Sequence[Row], kept: Container[int]) -> Iterator[tuple[int, int]]:
    start = None
    for at, row in enumerate((*rows, (("come", ""),))):
        equal = at not in kept and not differs(row)
        if equal and start is None:
            start = at
        elif not equal and start is not None:
            yield start, at
            start = None


def _is_code(lines: Sequence[str]) -> bool:
    if any(line.startswith("```") for line in lines):
        return True
    return len(lines) >= LEAST_LINES and sum(line.startswith(("  ", "\t")) for line in lines) * 3 >= len(lines)
