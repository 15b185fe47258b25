"""A user's own result dialects: a table of the settings, turned into the kind of table that shipped ones have."""

from __future__ import annotations

from sampleui.formats.data import DataPath
from sampleui.review.results.adapters.dialect import FAILS, PASSES, Graders, Outcomes, Paths, ResultDialect, Spent
from sampleui.sample.dialects.dialect import Mark
from sampleui.settings.dialects import steps
from sampleui.settings.results import RowTable

USUAL_GRADERS = Graders(())


def own_results(name: str, table: RowTable) -> ResultDialect:
    """Return a result dialect as its user's table says.

    Args:
        name: its name.
        table: the table, found right by `resulttables.read_result_tables`.
    """
    at = {key: _paths(table, key) for key in table}
    ids, prompts = at.get("id", ()), at.get("prompt", ())
    passes, fails = (_words(table, key) for key in ("passes", "fails"))
    worst, best = _scale(table)
    return ResultDialect(
        name=name,
        title=str(table.get("title", name)),
        marks=_marks(table, at),
        containers=at.get("container", ()),
        ids=ids,
        labels=prompts or at.get("messages", ()),
        matters=tuple((path, path) for path in prompts),
        outcomes=Outcomes(
            paths=at.get("outcome", ()),
            passes=passes or PASSES - fails,
            fails=fails or FAILS - passes,
            scores=at.get("score", ()),
            mean="outcome" not in table,
            scale=(worst, best),
            thresholds=at.get("threshold", ()),
        ),
        errors=at.get("error", ()),
        actual=at.get("actual", ()),
        expected=at.get("expected", ()),
        reasons=at.get("reason", ()),
        prompts=prompts,
        messages=at.get("messages", ()),
        graders=tuple(_graders(path, at) for path in at.get("evaluators", ())),
        targets=tuple((path,) for path in at.get("target", ())),
        attempts=at.get("attempt", ()),
        suites=at.get("suite", ()),
        sources=at.get("deck", ()),
        tags=at.get("tags", ()),
        spent=Spent(
            cost=at.get("cost", ()),
            milliseconds=at.get("milliseconds", ()),
            seconds=at.get("seconds", ()),
            tokens=at.get("tokens", ()),
            timestamps=at.get("time", ()),
        ),
    )


def _marks(table: RowTable, at: dict[str, Paths]) -> tuple[Mark, ...]:
    """Return what rows are recognized by: the keys given for that, or else an id or a prompt, and an outcome."""
    said = at.get("marks", ())
    if said:
        return (Mark(said),)
    first = at.get("id") or at.get("prompt") or at.get("messages", ())
    telling = [path for key in ("outcome", "score", "evaluators", "error") for path in at.get(key, ())]
    return tuple(Mark((one, other)) for one in first for other in telling)


def _graders(path: DataPath, at: dict[str, Paths]) -> Graders:
    return Graders(
        path,
        names=at.get("evaluator_name", USUAL_GRADERS.names),
        scores=at.get("evaluator_score", USUAL_GRADERS.scores),
        outcomes=at.get("evaluator_outcome", USUAL_GRADERS.outcomes),
        reasons=at.get("evaluator_reason", USUAL_GRADERS.reasons),
    )


def _paths(table: RowTable, key: str) -> Paths:
    value = table[key]
    listed = [value] if isinstance(value, str) else value
    return tuple(steps(one) for one in listed if isinstance(one, str) and one)


def _words(table: RowTable, key: str) -> frozenset[str]:
    value = table.get(key, ())
    listed = [value] if isinstance(value, str) else value
    return frozenset(str(one).strip().lower() for one in listed)


def _scale(table: RowTable) -> tuple[float, float]:
    ends = table.get("scale")
    if not isinstance(ends, tuple):
        return 0.0, 1.0
    worst, best = ends
    return float(worst), float(best)
