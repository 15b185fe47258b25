"""Commands of the shell that lead to a record, to be copied."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from sampleui.review.options import ReviewOptions
from sampleui.review.record import Entry
from sampleui.review.results.file import Results
from sampleui.review.results.run_paths import run_of


def link_to(entry: Entry, results: Results, options: ReviewOptions) -> str:
    """Return the command that opens the review at a record, with what decides about it and where its deck is."""
    decks = [word for deck in options.given for word in ("--deck", _path(deck))]
    limit = [] if options.fail_under is None else ["--fail-under", f"{options.fail_under:g}"]
    return shlex.join(["sampleui", "review", _run(results), "--id", entry.id, *decks, *_scorer(results), *limit])


def printing(entry: Entry, results: Results) -> str:
    """Return the command that prints a record and its trace without the app."""
    record_id = entry.id if entry.id == entry.sample_id else f"#{entry.index + 1}"
    words = ["sampleui", "trace", _run(results), "--id", record_id, "--format", "text"]
    return shlex.join([*words, *_scorer(results)])


def _scorer(results: Results) -> list[str]:
    return [] if results.scorer is None else ["--scorer", results.scorer]


def _run(results: Results) -> str:
    return _path(run_of(results.path) or results.path)


def _path(path: Path) -> str:
    """Return a path as it is written in the working folder; one outside of it from the root."""
    whole = path.absolute()
    inside = whole.is_relative_to(Path.cwd())
    return os.path.relpath(whole) if inside else str(whole)
