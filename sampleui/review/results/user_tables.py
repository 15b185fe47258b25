"""A user's own result dialects: a table of the settings, turned into the kind of table that shipped ones have."""

from __future__ import annotations

from sampleui.formats.data import DataPath
from sampleui.review.results.dialect import FAILS, PASSES, Graders, Outcomes, Paths, ResultDialect, Spent
from sampleui.sample.dialects.dialect import Mark
from sampleui.settings.vocabulary import RowTable, steps

USUAL_GRADERS = Graders(())


def own_results(name: str, table: RowTable) -> ResultDialect:
    """Return a result dialect as its user's table says.

    Args:
        name: its name.
        table: the table, found right by `resulttables.read_result_tables`.
    """
    paths = {key: _paths(table, key) for key in table}
    ids, prompts = paths.get("id", ()), paths.get("prompt", ())
    passes, fails = (_words(table, key) for key in ("passes", "fails"))
    worst, best = _scale(table)
    return ResultDialect(
        name=name,
        title=str(table.get("title", name)),
        marks=_marks(table, paths),
        containers=paths.get("container", ()),
        ids=ids,
        labels=prompts or paths.get("messages", ()),
        matters=tuple((path, path) for path in prompts),
        outcomes=Outcomes(
            paths=paths.get("outcome", ()),
            passes=passes or PASSES - fails,
            fails=fails or FAILS - passes,
            scores=paths.get("score", ()),
            mean="outcome" not in table,
            scale=(worst, best),
            thresholds=paths.get("threshold", ()),
        ),
        errors=paths.get("error", ()),
        actual=paths.get("actual", ()),
        expected=paths.get("expected", ()),
        reasons=paths.get("reason", ()),
        prompts=prompts,
        messages=paths.get("messages", ()),
        graders=tuple(_graders(path, paths) for path in paths.get("evaluators", ())),
        targets=tuple((path,) for path in paths.get("target", ())),
        attempts=paths.get("attempt", ()),
        suites=paths.get("suite", ()),
        sources=paths.get("deck", ()),
        tags=paths.get("tags", ()),
        spent=Spent(
            cost=paths.get("cost", ()),
            milliseconds=paths.get("milliseconds", ()),
            seconds=paths.get("seconds", ()),
            tokens=paths.get("tokens", ()),
            timestamps=paths.get("time", ()),
        ),
    )


def _marks(table: RowTable, paths: dict[str, Paths]) -> tuple[Mark, ...]:
    """Return what rows are recognized by: the keys given for that, or else an id or a prompt, and an outcome."""
    marks = paths.get("marks", ())
    if marks:
        return (Mark(marks),)
    first = paths.get("id") or paths.get("prompt") or paths.get("messages", ())
    telling = [path for key in ("outcome", "score", "evaluators", "error") for path in paths.get(key, ())]
    return tuple(Mark((path, other)) for path in first for other in telling)


def _graders(path: DataPath, paths: dict[str, Paths]) -> Graders:
    return Graders(
        path,
        names=paths.get("evaluator_name", USUAL_GRADERS.names),
        scores=paths.get("evaluator_score", USUAL_GRADERS.scores),
        outcomes=paths.get("evaluator_outcome", USUAL_GRADERS.outcomes),
        reasons=paths.get("evaluator_reason", USUAL_GRADERS.reasons),
    )


def _paths(table: RowTable, key: str) -> Paths:
    value = table[key]
    listed = [value] if isinstance(value, str) else value
    return tuple(steps(item) for item in listed if isinstance(item, str) and item)


def _words(table: RowTable, key: str) -> frozenset[str]:
    value = table.get(key, ())
    listed = [value] if isinstance(value, str) else value
    return frozenset(str(item).strip().lower() for item in listed)


def _scale(table: RowTable) -> tuple[float, float]:
    ends = table.get("scale")
    if not isinstance(ends, tuple):
        return 0.0, 1.0
    worst, best = ends
    return float(worst), float(best)
