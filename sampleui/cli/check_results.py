"""What a check of decks found, as values that processes can hand to each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sampleui.cli import output
from sampleui.errors import LocatedError
from sampleui.folders.walking import Skipped
from sampleui.text.counting import counted
from sampleui.text.diagnostic import PROBLEMS, Diagnostic, Severity


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found in one file: what it was read as, with its findings, or why it was not read."""

    path: Path
    format: str | None = None
    dialect: str | None = None
    reason: str | None = None
    samples: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()
    error: LocatedError | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcomes in the order of the arguments, what was left out of folders, and the exit code of it all."""

    outcomes: tuple[Outcome, ...]
    skipped: tuple[Skipped, ...]
    code: int

    @property
    def samples(self) -> int:
        """How many samples were checked."""
        return sum(outcome.samples for outcome in self.outcomes)


def problems(found: Iterable[Diagnostic]) -> str:
    """Return how many findings count, in words: `1 error, 2 warnings`; nothing where none does."""
    counts = Counter(one.severity for one in found)
    return ", ".join(counted(counts[one], one.value) for one in PROBLEMS if counts[one])


def told_problems(found: Iterable[Diagnostic], path: Path) -> bool:
    """Complain of what `check` finds in something that is written to a deck, and tell whether that is anything."""
    faults = [one for one in found if one.severity in PROBLEMS]
    if faults:
        output.complain(f"{path}: what is written does not pass check: {problems(faults)}")
    for one in faults:
        output.complain(str(one))
    return bool(faults)


def severities(outcomes: Iterable[Outcome]) -> Counter[Severity]:
    """Return how many findings of each severity there are."""
    return Counter(one.severity for outcome in outcomes for one in outcome.diagnostics)
