"""What `benchmark.json` says of runs, beside what their folders say: both are shown where they differ.

Source: `aggregate_benchmark.py` of skill-creator, November 2026. It takes the counts of a grading's summary, 0 of 0
where there is none, and the characters of the output where nothing tells tokens; it sees folders `eval-*` with
`run-*` below a configuration alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple, TypeAlias

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.skills.layout import BENCHMARK
from sampleui.review.results.fields import number, whole
from sampleui.text.wording import counted

RunKey: TypeAlias = tuple[str, str, int]
"""A run as both call it: the id of the eval, the configuration, the number of the run."""

_EXPECTATIONS, _TOKENS, _SECONDS = "expectations", "tokens", "seconds"
_MAX_NAMED = 5
_ALIKE = 0.01
"""By which part of one two numbers may differ that are the same, rounded."""


class Contradiction(NamedTuple):
    """Something that is said of a run twice: of what, as `benchmark.json` has it, and as the folder has it."""

    what: str
    said: str
    in_folder: str

    @property
    def words(self) -> str:
        """Return it in words."""
        return f"{BENCHMARK} says {self.said}; the folder says {self.in_folder}"


def runs_said(benchmark: Table) -> Mapping[RunKey, Table]:
    """Return what is said of each run."""
    runs = tables_in(benchmark.get("runs"))
    return {_key(run.get("eval_id"), run.get("configuration"), run.get("run_number")): run for run in runs}


def key_of_row(row: Table) -> RunKey:
    """Return the key of a run, given its row."""
    return _key(row.get("eval"), row.get("configuration"), row.get("run_number"))


def _key(eval_id: Plain, configuration: Plain, number: Plain) -> RunKey:
    return str(eval_id), str(configuration), number if isinstance(number, int) else 1


def differences(said: Table | None, row: Table) -> Iterator[Contradiction]:
    """Yield what is said otherwise of a run than its row has it; nothing where nothing is said of it."""
    if said is None:
        return
    result, counts = as_table(said.get("result")), counts_of(row)
    passed, total = whole(result.get("passed")), whole(result.get("total"))
    summary_counts = counts_of(said) if passed is None or total is None else (passed, total)
    graded = "nothing of expectations" if counts is None else f"{counts[0]} of {counts[1]}"
    rate = number(result.get("pass_rate"))
    if summary_counts is not None and summary_counts != (counts or (0, 0)):
        yield Contradiction(_EXPECTATIONS, f"{summary_counts[0]} of {summary_counts[1]}", graded)
    elif counts is not None and rate is not None and abs(rate - counts[0] / counts[1]) > _ALIKE:
        yield Contradiction(_EXPECTATIONS, f"a pass rate of {rate:g}", graded)
    tokens, own_tokens = number(result.get("tokens")), number(as_table(row.get("timing")).get("total_tokens"))
    if tokens is not None and own_tokens is not None and tokens != own_tokens:
        characters = as_table(row.get("execution_metrics")).get("output_chars")
        which = ", the characters of the output" if tokens == characters else ""
        yield Contradiction(_TOKENS, f"{tokens:,.0f} tokens{which}", f"{own_tokens:,.0f}")
    seconds, own_seconds = number(result.get("time_seconds")), seconds_of(as_table(row.get("timing")))
    if seconds is not None and own_seconds is not None and _apart(seconds, own_seconds):
        yield Contradiction(_SECONDS, f"{seconds:g} seconds", f"{own_seconds:g}")


def against(benchmark: Table, rows: Sequence[Table]) -> Iterator[str]:
    """Yield where `benchmark.json` says something else than the folders of an iteration, in a line each.

    Args:
        benchmark: what it says.
        rows: all runs of the iteration.
    """
    if not rows or not benchmark:
        return
    by_run = {key_of_row(row): row for row in rows}
    said = runs_said(benchmark)
    lost = [key for key in said if key not in by_run]
    if len(lost) > _MAX_NAMED:
        yield f"{BENCHMARK} has {len(lost):,} runs of which no folder is known"
    else:
        yield from (
            f"{BENCHMARK} has eval {key[0]}, {key[1]}, run {key[2]}, of which no folder is known" for key in lost
        )
    missing = sum(counts_of(row) is not None and key not in said for key, row in by_run.items())
    if said and missing:
        yield f"{BENCHMARK} says nothing of {counted(missing, 'run')} with a grading"
    differing: dict[str, list[tuple[str, Contradiction]]] = defaultdict(list)
    for key, row in by_run.items():
        for found in differences(said.get(key), row):
            differing[found.what].append((str(row["skill_run"]), found))
    for what, some in differing.items():
        if len(some) <= _MAX_NAMED:
            yield from (f"{run}: {found.words}" for run, found in some)
        else:
            yield f"{BENCHMARK} says other {what} of {len(some):,} runs than their folders; each run says which"
    averaged = [row for key, row in by_run.items() if key in said or not said]
    yield from _of_configurations(as_table(benchmark.get("run_summary")), averaged)


def _of_configurations(summary: Table, rows: Sequence[Table]) -> Iterator[str]:
    """Yield where the mean of a configuration is not that of its runs, given those that it says it is of."""
    for name in summary:
        values: dict[str, list[float]] = defaultdict(list)
        for row in rows:
            if row.get("configuration") == name:
                counts, timing = counts_of(row), as_table(row.get("timing"))
                tokens, seconds = number(timing.get("total_tokens")), seconds_of(timing)
                values["pass_rate"] += [counts[0] / counts[1]] if counts is not None else []
                values["tokens"] += [tokens] if tokens is not None else []
                values["time_seconds"] += [seconds] if seconds is not None else []
        for key, what in (("pass_rate", "pass rate"), ("tokens", "tokens"), ("time_seconds", "seconds")):
            mean = number(as_table(as_table(summary[name]).get(key)).get("mean"))
            if mean is not None and values[key] and _apart(mean, fmean(values[key])):
                of_runs = fmean(values[key])
                yield f"{BENCHMARK} says {mean:g} {what} on average for {name}; the folders {of_runs:.4g}"


def _apart(said: float, found: float) -> bool:
    return abs(said - found) > _ALIKE * max(1.0, abs(found))


def counts_of(data: Table) -> tuple[int, int] | None:
    """Return how many expectations of a grading passed, and of how many; None if they do not say.

    The list counts; a summary does where there is no list.
    """
    listed_items = tables_in(data.get("expectations")) or tables_in(data.get("assertion_results"))
    if listed_items:
        outcomes = [item.get("passed") for item in listed_items]
        return (
            None if not all(isinstance(item, bool) for item in outcomes) else (outcomes.count(True), len(outcomes))
        )
    summary = as_table(data.get("summary")) or as_table(data.get("result"))
    passed, total = whole(summary.get("passed")), whole(summary.get("total"))
    if passed is None or total is None:
        return None
    return (passed, total) if 0 <= passed <= total and total > 0 else None


def seconds_of(timing: Table) -> float | None:
    """Return how long a run took."""
    seconds, milliseconds = number(timing.get("total_duration_seconds")), number(timing.get("duration_ms"))
    if seconds is None and milliseconds is not None:
        return milliseconds / 1000
    return seconds
