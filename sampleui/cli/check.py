"""`sampleui check`: the problems of decks, for people and for CI."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.files import FILE
from sampleui.cli.guard import FAILED
from sampleui.cli.opening import opened
from sampleui.errors import DeckError
from sampleui.formats.data import Table
from sampleui.sample.dialects import DIALECTS
from sampleui.settings import load_settings
from sampleui.text.diagnostic import Diagnostic, Severity
from sampleui.workspace import Deck

_PROBLEMS = (Severity.ERROR, Severity.WARNING)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found in one file: a deck and its findings, or why it is none."""

    path: Path
    deck: Deck | None
    diagnostics: tuple[Diagnostic, ...]
    error: DeckError | None = None


@click.command("check")
@click.argument("decks", nargs=-1, required=True, type=FILE)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print.")
@click.option("--dialect", type=click.Choice(list(DIALECTS)), help="Read the decks in this dialect.")
@click.option("--verbose", "-v", is_flag=True, help="Say why each deck is read in its dialect.")
def command(decks: tuple[Path, ...], form: str, dialect: str | None, verbose: bool) -> int:
    """Look for problems in DECKS.

    Errors and warnings are problems; infos and hints are printed and do not count. Exit codes: 0 no problems,
    1 problems, 2 a deck could not be read.

    With --format json one object is printed: "decks" has for each file its "path", "format", "dialect" and number
    of "samples", an "error" with "message", "line" and "column" where it could not be read, else null, and its
    "diagnostics": "rule", "severity", "message", "path", "line", "column", "sample", "sample_index", "node".
    "summary" counts "decks", "samples", "unreadable" and each severity. With --verbose a deck has its
    "dialect_reason" as well.
    """
    outcomes = [look(path, dialect) for path in decks]
    if form == "json":
        output.json_value(as_data(outcomes, verbose))
    else:
        _print(outcomes, verbose)
    if any(outcome.error for outcome in outcomes):
        return FAILED
    return int(any(one.severity in _PROBLEMS for outcome in outcomes for one in outcome.diagnostics))


def look(path: Path, dialect: str | None = None) -> Outcome:
    """Return what is found in a file."""
    try:
        deck = opened(path, dialect, load_settings(path.parent))
        return Outcome(path, deck, deck.diagnostics)
    except DeckError as error:
        return Outcome(path, None, (), error)


def as_data(outcomes: list[Outcome], verbose: bool = False) -> Table:
    """Return outcomes as the JSON object that `--format json` prints."""
    counts = _severities(outcomes)
    return {
        "decks": [_deck_data(outcome, verbose) for outcome in outcomes],
        "summary": {
            "decks": len(outcomes),
            "samples": _samples(outcomes),
            "unreadable": sum(outcome.error is not None for outcome in outcomes),
            **{severity.value: counts[severity] for severity in Severity},
        },
    }


def _deck_data(outcome: Outcome, verbose: bool) -> Table:
    deck, error = outcome.deck, outcome.error
    return {
        "path": str(outcome.path),
        "format": deck.format if deck else None,
        "dialect": deck.dialect if deck else None,
        **({"dialect_reason": deck.reason if deck else None} if verbose else {}),
        "samples": len(deck.samples) if deck else 0,
        "error": {"message": error.message, "line": error.line, "column": error.column} if error else None,
        "diagnostics": [_diagnostic_data(diagnostic) for diagnostic in outcome.diagnostics],
    }


def _diagnostic_data(diagnostic: Diagnostic) -> Table:
    return {
        "rule": diagnostic.rule,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "path": str(diagnostic.path),
        "line": diagnostic.line,
        "column": diagnostic.column,
        "sample": diagnostic.sample,
        "sample_index": diagnostic.sample_index,
        "node": list(diagnostic.node),
    }


def _print(outcomes: list[Outcome], verbose: bool) -> None:
    for outcome in outcomes:
        if verbose and outcome.deck:
            output.line(f"{outcome.path}: read as {outcome.deck.kind.title}: {outcome.deck.reason}")
        if outcome.error is not None:
            output.complain(str(outcome.error))
        for diagnostic in outcome.diagnostics:
            output.line(str(diagnostic) + (f" in {diagnostic.sample}" if diagnostic.sample else ""))
    counts = _severities(outcomes)
    found = [_count(counts[severity], severity.value) for severity in Severity if counts[severity]]
    read = sum(outcome.deck is not None for outcome in outcomes)
    if read:
        looked = f"{_count(_samples(outcomes), 'sample')} in {_count(read, 'deck')}"
        output.line(f"{looked}: {', '.join(found) or 'no problems'}")


def _severities(outcomes: list[Outcome]) -> Counter[Severity]:
    return Counter(one.severity for outcome in outcomes for one in outcome.diagnostics)


def _samples(outcomes: list[Outcome]) -> int:
    return sum(len(outcome.deck.samples) for outcome in outcomes if outcome.deck)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
