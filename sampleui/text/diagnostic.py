"""Findings: what a rule says about a place in a file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from sampleui.text.position import Position


class Severity(StrEnum):
    """How much a finding matters, the worst first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    HINT = "hint"


PROBLEMS = (Severity.ERROR, Severity.WARNING)
"""What counts as a problem; infos and hints are told and do not count."""


class Finding(NamedTuple):
    """What a rule says about a value of one sample.

    Attributes:
        rule: the id of the rule.
        severity: how much it matters.
        message: what it says.
        node: the path of the value inside the sample.
        beside: whether the path leads into the values beside the samples of its file instead.
    """

    rule: str
    severity: Severity
    message: str
    node: tuple[str | int, ...] = ()
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding with its place: a file, a 1-based line and column, and the sample it is about, if any."""

    rule: str
    severity: Severity
    message: str
    path: Path
    line: int
    column: int
    sample: str | None = None
    sample_index: int | None = None
    node: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        """Return the finding as compilers print them."""
        return f"{self.path}:{self.line}:{self.column}: {self.severity}: {self.message} [{self.rule}]"


def placed_finding(
    finding: Finding, path: Path, position: Position, sample: str | None = None, index: int | None = None
) -> Diagnostic:
    """Return a finding with its place in a file, about a sample or about what the file holds beside its samples."""
    rule, severity, message, node, _ = finding
    return Diagnostic(rule, severity, message, path, *position, sample, index, node)
