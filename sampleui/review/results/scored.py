"""Results opened with the scorer that the settings or the command line name to decide what passed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.review.results.dialect import ResultDialect
from sampleui.review.results.file import BATCH, Results, open_results
from sampleui.settings.options import COMMAND_LINE, Settings
from sampleui.values import NamedTuple


class Scored(NamedTuple):
    """Results, and what is to be said about the scorer that was asked for; empty for nothing."""

    results: Results
    note: str = ""


def scored_results(path: Path, settings: Settings, first: Sequence[ResultDialect] = ()) -> Scored:
    """Open results, decided by the scorer that is asked for.

    A setting is for all runs of a project: where one has no such scorer, its first one decides, and that is noted.

    Raises:
        ResultsError: as `open_results` does, and if the command line names a scorer that the run does not have.
    """
    name = settings.scorer
    if name is None:
        return Scored(open_results(path, first=first))
    asked = open_results(path, first=first, scorer=name)
    if has_scorer(asked, name, certain=settings.origins.get("scorer") == COMMAND_LINE):
        return Scored(asked)
    if settings.origins.get("scorer") == COMMAND_LINE:
        known = f"it has {', '.join(asked.scorers)}" if asked.scorers else "it has none"
        raise ResultsError(f"the run has no scorer {name}; {known}", path)
    plain = open_results(path, first=first)
    if plain.decider is None:
        return Scored(plain)
    return Scored(plain, f"the setting scorer is {name}, which this run does not have; {plain.decider} decides")


def has_scorer(results: Results, name: str, *, certain: bool = False) -> bool:
    """Tell whether a run has a scorer, by its log or else by its first records; by all if it is to be certain."""
    if name in results.scorers:
        return True
    next(results.index(BATCH), None)
    if name not in results.scorers and certain:
        results.indexed()
    return name in results.scorers
