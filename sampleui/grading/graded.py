"""The outcome of an assertion, whichever runner it is for, and what the assertions of all runners share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from sampleui.formats.data import DataPath, Plain
from sampleui.values import NamedTuple

NO_ANSWER = "there is no answer"
"""Why an assertion cannot be judged where nothing was answered."""


class Graded(NamedTuple):
    """The outcome of one assertion.

    Attributes:
        name: its name, or the one that its runner gives it.
        text: its type and value in one line: `contains 'assistant'`, `not regex /a+/i`.
        passed: whether it holds; None if it cannot be judged without a model, a program or a trace.
        reason: why it cannot be judged; empty if it can.
        of_trace: whether it is about what was done and not about the answer, so that it is open here.
        under_threshold: whether a score of several decides, so that it stays open if it does not hold.
        left_out: whether its runner leaves it out, so that nothing is missing without it.
        score: how much of it holds, 0 to 1, where that is more than whether it does.
        weight: its part in the score of its sample.
        least: the score below which its sample fails, whatever the others say; None if it is one among others.
    """

    name: str
    text: str
    passed: bool | None
    reason: str = ""
    of_trace: bool = False
    under_threshold: bool = False
    left_out: bool = False
    score: float | None = None
    weight: float = 1.0
    least: float | None = None

    @property
    def share(self) -> float | None:
        """How much of it holds, 0 to 1; None if that cannot be judged."""
        return float(self.passed) if self.score is None and self.passed is not None else self.score


def paired(
    asked: Sequence[tuple[DataPath, str]], ran: Iterable[tuple[str, bool | None]]
) -> dict[DataPath, bool | None]:
    """Return which assertions of a sample held in a run, by their paths; None where that is not certain.

    Of several that are alike each is the one at its place among them, if the run has as many.

    Args:
        asked: where each is and what tells it from others, in the order of a run; those of the whole file, whose
            path is empty, are left out of what is returned.
        ran: what tells each that a run lists, in its order, and whether it held.
    """
    counts, listed = Counter(key for _, key in asked), [*ran]
    as_many = counts.items() & Counter(key for key, _ in listed).items()
    held = {key: iter([passed for other, passed in listed if other == key]) for key, _ in as_many}
    by_path = {path: next(held[key]) if key in held else None for path, key in asked}
    return {path: passed for path, passed in by_path.items() if path}


def shown_value(kind: str, value: Plain, flags: Plain = None) -> str:
    """Return the value of an assertion as it is behind its type; a blank comes first."""
    if kind == "regex" and isinstance(value, str):
        return f" /{value}/{flags if isinstance(flags, str) else ''}"
    if isinstance(value, list):
        return " " + ", ".join(repr(item) if isinstance(item, str) else str(item) for item in value)
    return f" {value!r}" if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
