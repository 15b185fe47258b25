"""`sampleui check`: the problems of decks, for people and for CI."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import dialect_option
from sampleui.cli.check_reports import Checked, CheckOutcome, as_data, as_github, as_sarif, severities
from sampleui.cli.deck_arguments import (
    decks_argument,
    decks_of,
    each_deck,
    jobs_option,
    open_argument,
    tell_skipped,
)
from sampleui.cli.output import FAILED
from sampleui.errors import DeckError, ResultsError, SettingsError
from sampleui.formats.registry import TABLES
from sampleui.review.codes import FILE_NAME, read_codes
from sampleui.review.results.file import open_results
from sampleui.review.results.run_paths import log_suffixes
from sampleui.sample.dialects.guessing import PIECES, is_in_pieces
from sampleui.sample.dialects.older import updated
from sampleui.sample.dialects.shipped import DIALECTS, NOTHING_TELLS
from sampleui.settings.options import load_settings
from sampleui.settings.project_remarks import remarks
from sampleui.text.diagnostic import PROBLEMS, Diagnostic, Severity
from sampleui.text.wording import counted
from sampleui.workspace.deck import Deck
from sampleui.workspace.head import Head, RunFile
from sampleui.workspace.samples import asks_nothing, has_run
from sampleui.workspace.unknown_files import unknown_at

_RAN = "These are the results of a run, which sampleui review opens"
_LOG = "a log, the results of a run; sampleui review opens it"
_NOBODYS = "No dialect finds messages here, nor anything else that is asked"
_CODES = "These are the codes of reviews, which sampleui code list prints"
_NOTHING = "nothing-checked"
_GUESSED = {
    "dialects": "No dialect finds messages here; sampleui guess prints a table that says where they may be",
    "results": "These look like results of a run; sampleui guess prints a table that sampleui review opens them by",
}


@click.command("check")
@decks_argument
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "sarif", "github"]), default="text", help="How to print."
)
@dialect_option
@click.option("--only-decks", is_flag=True, help="Skip named files that are not decks, as in folders.")
@jobs_option
@click.option("--verbose", "-v", is_flag=True, help="Say why each deck has its dialect, and what is skipped.")
def command(
    *, decks: tuple[Path, ...], form: str, dialect: str | None, only_decks: bool, jobs: int | None, verbose: bool
) -> int:
    """Look for problems in decks.

    DECK is a file, a folder, or a glob in quotes. In folders and globs every file that holds samples is checked,
    except hidden ones, those that git ignores, and results. Errors and warnings are problems; infos and hints are
    printed and do not count. Exit codes: 0 no problems; 1 problems, or a deck without samples; 2 a deck could not
    be read, or a folder has none. The other decks are checked all the same. The DECK - is standard input.

    With --only-decks, files that you name are skipped too if they are not decks, as a pre-commit hook needs; cases
    that belong to a suite are checked with the suite.

    --format json prints one object: "decks" has for each file its "path", "format", "dialect" and number of
    "samples", its "error" (null, or "message", "path", "line" and "column" if it could not be read), and its
    "diagnostics" ("rule", "severity", "message", "path", "line", "column", "sample", "sample_index", "node").
    "skipped" has "path" and "reason" of what was left out of folders. "summary" counts "decks", "samples",
    "unreadable" and each severity. With --verbose a deck has its "dialect_reason" as well.

    sarif is SARIF 2.1.0, for code scanning; github prints workflow commands, which GitHub shows in a pull request.
    """
    meant = decks_of(decks, jobs, only_decks=only_decks)
    looked = each_deck(partial(look, dialect=dialect), meant, jobs, "checking")
    found = (
        item if isinstance(item, CheckOutcome) else CheckOutcome(item.path or Path(), error=item) for item in looked
    )
    outcomes = tuple(_with_settings(found))
    for complaint in dict.fromkeys(str(item.error) for item in outcomes if item.error):  # settings are many decks'
        output.complain(complaint)
    code = _code(outcomes)
    _FORMS[form](Checked(outcomes, meant.skipped, code), verbose)
    return code


def look(path: Path, dialect: str | None = None) -> CheckOutcome:
    """Return what is found in a file."""
    try:
        deck = open_argument(load_settings(path.parent), path, dialect)
        diagnostics = deck.diagnostics if dialect else _advised(deck)
        if not (len(deck.samples) or diagnostics):
            message = "There are no samples in it, so nothing is checked"
            diagnostics = (Diagnostic(_NOTHING, Severity.INFO, message, deck.path, 1, 1),)
    except (DeckError, SettingsError) as error:
        return CheckOutcome(path, error=_ran(path) or error)
    return CheckOutcome(path, deck.format, deck.dialect, deck.reason, len(deck.samples), diagnostics)


def _ran(path: Path) -> DeckError | None:
    """Return why a file is no deck: it is the log of a run, or a table of its results."""
    if path.suffix.lower() in log_suffixes():
        return DeckError(_LOG, path)
    if path.suffix.lower() not in TABLES:
        return None
    with contextlib.suppress(ResultsError, SettingsError, OSError):
        results = open_results(path)
        return DeckError(_RAN, path) if results.tool and results.guess is None else None
    return None


_LOOKED_AT = 50
"""Samples of which one may be an older record."""


def _advised(deck: Deck) -> tuple[Diagnostic, ...]:
    """Return advice on what a deck may be, and its findings; if no dialect fits, those of one sample."""
    if deck.path.name == FILE_NAME:
        told = (
            Diagnostic("repeated-code", Severity.WARNING, why, deck.path, line, 1)
            for line, why in read_codes(deck.path).warnings
        )
        return (Diagnostic("not-a-deck", Severity.INFO, _CODES, deck.path, 1, 1), *told)
    advice, diagnostics = () if deck.near_miss else _advice(deck), deck.diagnostics
    if not advice or not asks_nothing(deck.samples, None):
        return (*advice, *diagnostics)
    others = [item for item in diagnostics if item.sample_index]
    first = tuple(item for item in diagnostics if not item.sample_index)
    if not others:
        return (*advice, *first)
    message = (
        f"The other samples have {counted(len(others), 'finding')}, which check --dialect {deck.dialect} lists"
    )
    return (*advice, *first, Diagnostic("not-a-deck", Severity.INFO, message, deck.path, 1, 1))


def _advice(deck: Deck) -> tuple[Diagnostic, ...]:
    """Return advice on a file in which no messages were found, or that has the answers of a run."""
    strange = asks_nothing(deck.samples) or has_run(deck.samples, deck.kind)
    if not strange or not (deck.samples or deck.around):
        return ()
    if any(updated(sample.data, deck.kind) for sample in islice(deck.samples, _LOOKED_AT)):
        return ()  # older records are advised of by their own rule
    unknown = unknown_at(Head(deck.path, deck.prompts, loaded=deck.files))
    begun = any(sample.messages_path[0] in sample.data for sample in deck.samples[:1])
    if unknown is None and (begun or deck.reason != NOTHING_TELLS or not deck.samples):
        return ()
    if isinstance(unknown, RunFile):
        message = _RAN
    elif unknown:
        message = _GUESSED[unknown.setting]
    elif deck.samples and is_in_pieces(deck.samples[0].data):
        message = f"No dialect finds messages here: {PIECES}"
    else:
        message = _NOBODYS
    return (Diagnostic("not-a-deck", Severity.INFO, message, deck.path, 1, 1),)


def _with_settings(outcomes: Iterable[CheckOutcome]) -> Iterator[CheckOutcome]:
    """Yield outcomes, with the first deck of each project what is to be told of the views of its settings."""
    folders, reported = set[Path](), set[Diagnostic]()
    for outcome in outcomes:
        folder = outcome.path.parent
        if outcome.error is None and folder not in folders:
            folders.add(folder)
            new = [item for item in remarks(folder) if item not in reported]
            reported.update(new)
            yield replace(outcome, diagnostics=(*new, *outcome.diagnostics))
        else:
            yield outcome


def _code(outcomes: tuple[CheckOutcome, ...]) -> int:
    if any(outcome.error for outcome in outcomes):
        return FAILED
    found = (item for outcome in outcomes for item in outcome.diagnostics)
    return 1 if any(item.severity in PROBLEMS or item.rule == _NOTHING for item in found) else 0


def _text(checked: Checked, verbose: bool) -> None:
    for outcome in checked.outcomes:
        if verbose and outcome.dialect:
            title = DIALECTS[outcome.dialect].title if outcome.dialect in DIALECTS else outcome.dialect
            output.line(f"{outcome.path}: read as {title}: {outcome.reason}")
        for diagnostic in outcome.diagnostics:
            output.line(str(diagnostic) + (f" in {diagnostic.sample}" if diagnostic.sample else ""))
    if verbose:
        tell_skipped(checked.skipped)
    _summary(checked)


def _summary(checked: Checked) -> None:
    counts = severities(checked.outcomes)
    counts_of_each = [counted(counts[severity], severity.value) for severity in Severity if counts[severity]]
    read = sum(outcome.error is None for outcome in checked.outcomes)
    if read:
        looked = f"{counted(checked.samples, 'sample')} in {counted(read, 'deck')}"
        missing = len(checked.outcomes) - read
        unread = f"; {counted(missing, 'file')} not read" if missing else ""
        output.line(f"{looked}: {', '.join(counts_of_each) or 'no problems'}{unread}")


def _github(checked: Checked, _verbose: bool) -> None:
    for line in as_github(checked):
        output.line(line)
    _summary(checked)


_FORMS: Mapping[str, Callable[[Checked, bool], None]] = {
    "text": _text,
    "json": lambda checked, verbose: output.json_value(as_data(checked, verbose)),
    "sarif": lambda checked, _: output.json_value(as_sarif(checked)),
    "github": _github,
}
