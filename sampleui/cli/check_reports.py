"""What a check of decks found, as values that processes hand to each other, and as JSON, SARIF and the
workflow commands of GitHub.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from sampleui.cli import output
from sampleui.errors import LocatedError
from sampleui.formats.data import Plain, Table
from sampleui.text.confined import below_here
from sampleui.text.diagnostic import PROBLEMS, Diagnostic, Severity
from sampleui.text.wording import counted
from sampleui.workspace.deck import Deck
from sampleui.workspace.folders import Skipped


@dataclass(frozen=True, slots=True)
class CheckOutcome:
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

    outcomes: tuple[CheckOutcome, ...]
    skipped: tuple[Skipped, ...]
    code: int

    @property
    def samples(self) -> int:
        """How many samples were checked."""
        return sum(outcome.samples for outcome in self.outcomes)


def problems(diagnostics: Iterable[Diagnostic]) -> str:
    """Return how many problems there are, in words: `1 error, 2 warnings`; empty if there are none."""
    counts = Counter(item.severity for item in diagnostics)
    return ", ".join(counted(counts[problem], problem.value) for problem in PROBLEMS if counts[problem])


def complain_of_problems(diagnostics: Iterable[Diagnostic], path: Path) -> bool:
    """Complain of what is found in a deck that is being written, and tell whether any of it are problems."""
    found = [*diagnostics]
    if faults := problems(found):
        output.complain(f"{path}: what is written does not pass check: {faults}")
    for item in found:
        output.complain(str(item))
    return bool(faults)


def new_findings(before: Deck, after: Deck) -> Iterator[Diagnostic]:
    """Yield what `check` finds after edits and did not find before."""

    def key(item: Diagnostic) -> tuple[Path, int | None, str, str]:
        return item.path, item.sample_index, item.rule, item.message

    known = set(map(key, before.diagnostics))
    return (item for item in after.diagnostics if key(item) not in known)


def severities(outcomes: Iterable[CheckOutcome]) -> Counter[Severity]:
    """Return how many findings of each severity there are."""
    return Counter(diagnostic.severity for outcome in outcomes for diagnostic in outcome.diagnostics)


UNREADABLE = "unreadable"
"""The rule of findings about a file that is not a deck."""

_ROOT = "%SRCROOT%"


def as_data(checked: Checked, verbose: bool = False) -> Table:
    """Return outcomes as the JSON object that `--format json` prints."""
    counts = severities(checked.outcomes)
    return {
        "decks": [_deck_data(outcome, verbose) for outcome in checked.outcomes],
        "skipped": [{"path": str(item.path), "reason": item.reason} for item in checked.skipped],
        "summary": {
            "decks": len(checked.outcomes),
            "samples": checked.samples,
            "unreadable": sum(outcome.error is not None for outcome in checked.outcomes),
            **{severity.value: counts[severity] for severity in Severity},
        },
    }


def _deck_data(outcome: CheckOutcome, verbose: bool) -> Table:
    return {
        "path": str(outcome.path),
        "format": outcome.format,
        "dialect": outcome.dialect,
        **({"dialect_reason": outcome.reason} if verbose else {}),
        "samples": outcome.samples,
        "error": _error_data(outcome.error, outcome.path) if outcome.error else None,
        "diagnostics": findings_data(outcome.diagnostics),
    }


def _error_data(error: LocatedError, path: Path) -> Table:
    return {
        "message": error.message,
        "path": str(error.path or path),
        "line": error.line,
        "column": error.column,
    }


def findings_data(diagnostics: Iterable[Diagnostic]) -> list[Plain]:
    """Return findings as the JSON objects that `--format json` prints."""
    return [
        {
            "rule": item.rule,
            "severity": item.severity.value,
            "message": item.message,
            "path": str(item.path),
            "line": item.line,
            "column": item.column,
            "sample": item.sample,
            "sample_index": item.sample_index,
            "node": [*item.node],
        }
        for item in diagnostics
    ]


def all_findings(checked: Checked) -> Iterator[Diagnostic]:
    """Yield the findings of all files in order; a file that was not read has one finding that says why."""
    for outcome in checked.outcomes:
        if (error := outcome.error) is not None:
            position = (error.line or 1, error.column or 1)
            yield Diagnostic(UNREADABLE, Severity.ERROR, error.message, error.path or outcome.path, *position)
        yield from outcome.diagnostics


def as_sarif(checked: Checked) -> Table:
    """Return the findings as a log of SARIF 2.1.0 (OASIS standard, § 3.13 to § 3.30).

    Columns count code points, as they do everywhere here, and `columnKind` says so. Files below the working folder
    are named relative to it.
    """
    diagnostics = list(all_findings(checked))
    rules = list(dict.fromkeys(item.rule for item in diagnostics))
    run: Table = {
        "tool": {
            "driver": {
                "name": "sampleui",
                "version": version("sampleui"),
                "rules": [{"id": rule} for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": f"{Path.cwd().as_uri().removesuffix('/')}/"}},
        "invocations": [
            {
                "executionSuccessful": not any(outcome.error for outcome in checked.outcomes),
                "exitCode": checked.code,
            }
        ],
        "results": [_result(item, rules.index(item.rule)) for item in diagnostics],
    }
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}


def _result(diagnostic: Diagnostic, rule: int) -> Table:
    location: Table = {
        "physicalLocation": {
            "artifactLocation": _artifact(diagnostic.path),
            "region": {"startLine": diagnostic.line, "startColumn": diagnostic.column},
        }
    }
    if diagnostic.sample is not None:
        location["logicalLocations"] = [{"name": diagnostic.sample, "kind": "object"}]
    return {
        "ruleId": diagnostic.rule,
        "ruleIndex": rule,
        "level": _level(diagnostic, "note"),
        "message": {"text": _message_and_sample(diagnostic)},
        "locations": [location],
        "properties": {"node": list(diagnostic.node)},
    }


def _artifact(path: Path) -> dict[str, Plain]:
    shown = below_here(path)
    if shown.is_absolute():
        return {"uri": shown.as_uri()}
    return {"uri": quote(os.fsencode(shown.as_posix())), "uriBaseId": _ROOT}


def as_github(checked: Checked) -> Iterator[str]:
    """Yield the findings as workflow commands of GitHub Actions, which put them beside the lines of the files."""
    for finding in all_findings(checked):
        location = f"file={_property(str(below_here(finding.path)))},line={finding.line},col={finding.column}"
        message = _message(_message_and_sample(finding))
        yield f"::{_level(finding, 'notice')} {location},title={_property(finding.rule)}::{message}"


def _level(finding: Diagnostic, minor: str) -> str:
    """Return the severity of a finding, or the word for one that is no problem."""
    return finding.severity.value if finding.severity in PROBLEMS else minor


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


def _message_and_sample(diagnostic: Diagnostic) -> str:
    return diagnostic.message + (f" in {diagnostic.sample}" if diagnostic.sample else "")
