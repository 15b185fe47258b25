"""The outcome of a trajectory check, whoever judges it."""

from __future__ import annotations

from collections.abc import Iterable

from sampleui.values import NamedTuple


class Found(NamedTuple):
    """One thing that a check looked for, in words. One that does not count is shown, and changes no score."""

    hit: bool
    words: str
    counts: bool = True


class TrajectoryResult(NamedTuple):
    """What a check found, in words.

    Attributes:
        name: the name that the sample gives the check, or else its type.
        mode: how it compares, as the sample says.
        score: from 0 to 1.
        passed: whether it holds; None if its runner leaves it out or it could not be made, so that it says nothing.
        hits: what was found.
        misses: what was not, or why nothing was looked for.
        negated: whether it holds where its trajectory does not. Score, hits and misses are so already.
    """

    name: str
    mode: str
    score: float
    passed: bool | None
    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    negated: bool = False

    @classmethod
    def of(
        cls,
        name: str,
        mode: str,
        outcomes: Iterable[Found],
        *,
        passes: float = 1.0,
        negated: bool = False,
        whole: bool = False,
    ) -> TrajectoryResult:
        """Return the result of a check: its score is hits / all that counts, and what asks nothing has 1.

        Args:
            name: the name of the check.
            mode: how it compares.
            outcomes: what was found of each part of the check.
            passes: the score from which it holds.
            negated: whether it holds below that score alone.
            whole: whether all must be found, and a part counts for nothing.
        """
        everything = list(outcomes)
        counted = [outcome.hit for outcome in everything if outcome.counts]
        score = sum(counted) / len(counted) if counted else 1.0
        score = float(score >= 1.0) if whole else score
        return cls(
            name,
            mode,
            1.0 - score if negated else score,
            (score >= passes) != negated,
            tuple(outcome.words for outcome in everything if outcome.hit != negated),
            tuple(outcome.words for outcome in everything if outcome.hit == negated),
            negated,
        )

    @classmethod
    def left_out(cls, name: str, mode: str, why: str) -> TrajectoryResult:
        """Return the result of a check that its runner leaves out, or that could not be made."""
        return cls(name, mode, 0.0, None, misses=(why,))
