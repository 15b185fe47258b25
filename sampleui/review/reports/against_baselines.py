"""Targets of one run against the target that is their baseline, and evaluators by what they tell of them.

It is asked of runs whose tool has a baseline among the targets, and whose evaluators are statements about single
samples: one that passes always, with both, tells nothing, and one that changes from run to run tells little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from statistics import fmean
from typing import NamedTuple

from sampleui.review.people import PassesOf, by_people_alone
from sampleui.review.record import Entry, Outcome, Usage, outcome_of
from sampleui.review.results.file import Results
from sampleui.statistics.comparison import Comparison, ScorePair, compare_pairs
from sampleui.text.limits import MAX_BASELINE_RECORDS

_PASSES: Mapping[bool | None, float] = {True: 1.0, False: 0.0}


class Discrimination(StrEnum):
    """What the results of a statement say about two targets."""

    ALWAYS = "pass always in both"
    NEVER = "fail always in both"
    MADE = "pass with {target} alone"
    LOST = "pass with {baseline} alone"
    CHANGES = "change from run to run"

    def words(self, target: str, baseline: str) -> str:
        """Return it in words that name the targets."""
        return self.value.format(target=target, baseline=baseline)


class Telling(NamedTuple):
    """A statement about a sample, and how often it passed.

    Attributes:
        sample: the id of the sample.
        statement: the name of the evaluator.
        tells: what it tells.
        passed: for the target and for the baseline, how often it passed, and of how many runs.
    """

    sample: str
    statement: str
    tells: Discrimination
    target: tuple[int, int]
    baseline: tuple[int, int]


class Measured(NamedTuple):
    """Something that is compared: what, in which unit, and how it compares, paired by sample."""

    name: str
    comparison: Comparison


class AgainstTarget(NamedTuple):
    """A target against its baseline, within one run.

    Attributes:
        target, baseline: what they are called.
        measures: what was compared: the share of statements that passed, runs that passed, those that people found
            to have passed where nobody graded them, tokens, seconds.
        statements: what each statement that both have tells, in the order of the kinds.
    """

    target: str
    baseline: str
    measures: tuple[Measured, ...]
    statements: tuple[Telling, ...]


def against_baselines(
    results: Results,
    fail_under: float | None = None,
    passes_of: PassesOf = lambda _: None,
    *,
    fair: bool = True,
) -> tuple[AgainstTarget, ...]:
    """Return each target of a run against its baseline; nothing where its tool has none, or the run none of them.

    Args:
        results: the run.
        fail_under: the threshold that was asked for.
        passes_of: what people found of its records.
        fair: whether they did not pick what they judged.

    Raises:
        ResultsError: when the file can no longer be read.
    """
    return tuple(
        AgainstTarget(
            now.target,
            now.baseline,
            (*_measures(results, now, fail_under), *_found(now, passes_of, fail_under, fair=fair)),
            tuple(_tellings(now.of_target, now.of_baseline)),
        )
        for now in _pairs(results)
    )


def records_by_telling(results: Results) -> Mapping[str, frozenset[int]]:
    """Return the records of samples with statements that tell something, by what they tell, in words."""
    found: dict[str, frozenset[int]] = {}
    pairs = [*_pairs(results)]
    for pair in pairs:
        tellings = _tellings(pair.of_target, pair.of_baseline)
        of = f" ({pair.target})" if len(pairs) > 1 else ""
        for tells in Discrimination:
            samples = {item.sample for item in tellings if item.tells is tells}
            if samples:
                records = (*pair.of_target, *pair.of_baseline)
                words = f"statements that {tells.words(pair.target, pair.baseline)}{of}"
                found[words] = frozenset(entry.index for entry in records if entry.sample_id in samples)
    return found


class _Pair(NamedTuple):
    """A target and its baseline, with the records of each."""

    target: str
    baseline: str
    of_target: Sequence[Entry]
    of_baseline: Sequence[Entry]


def _pairs(results: Results) -> Iterator[_Pair]:
    entries = results.counted
    by_target: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.target is not None:
            by_target[entry.target].append(entry)
    baseline = next((name for name in results.baselines if name in by_target), None)
    if baseline is None or len(entries) > MAX_BASELINE_RECORDS:
        return
    for name, of_target in by_target.items():
        if name != baseline:
            yield _Pair(name, baseline, of_target, by_target[baseline])


def _measures(results: Results, pair: _Pair, fail_under: float | None) -> Iterable[Measured]:
    now, before = pair.of_target, pair.of_baseline
    took = {entry.index: results.usage(entry.index) for entry in (*now, *before)}
    outcomes = {Outcome.PASSED: 1.0, Outcome.FAILED: 0.0}
    of: tuple[tuple[str, Callable[[Entry], float | None], bool], ...] = (
        ("statements", lambda entry: entry.score, True),
        ("runs", lambda entry: outcomes.get(outcome_of(entry, fail_under)), True),
        ("tokens", lambda entry: _tokens(took[entry.index]), False),
        ("seconds", lambda entry: _seconds(took[entry.index]), False),
    )
    for name, value, bounded in of:
        pairs = [*_paired(_by_sample(now, value), _by_sample(before, value))]
        if pairs:
            yield Measured(name, compare_pairs(pairs, bounded=bounded, higher_is_better=bounded))


def _found(pair: _Pair, passes_of: PassesOf, fail_under: float | None, *, fair: bool) -> Iterable[Measured]:
    """Yield how runs compare that nobody graded, by what people found."""
    now, before = (
        _by_sample([*by_people_alone(side, passes_of, fail_under)], lambda entry: _PASSES.get(entry.outcome))
        for side in (pair.of_target, pair.of_baseline)
    )
    if pairs := [*_paired(now, before)]:
        compared = compare_pairs(pairs)
        yield Measured("runs, by people", compared if fair else compared.without_chance)


def _tokens(usage: Usage) -> float | None:
    tokens = usage.tokens
    return None if tokens is None or tokens.total is None else float(tokens.total)


def _seconds(usage: Usage) -> float | None:
    return None if usage.latency_ms is None else usage.latency_ms / 1000


def _by_sample(entries: Sequence[Entry], value: Callable[[Entry], float | None]) -> Mapping[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for entry in entries:
        if (number := value(entry)) is not None:
            found[entry.sample_id].append(number)
    return found


def _paired(now: Mapping[str, list[float]], before: Mapping[str, list[float]]) -> Iterable[ScorePair]:
    """Yield the samples that both have, attempts averaged first."""
    for sample in sorted(now.keys() & before.keys()):
        single = len(now[sample]) == len(before[sample]) == 1
        yield ScorePair(sample, (sample,), fmean(before[sample]), fmean(now[sample]), single)


def _tellings(now: Sequence[Entry], before: Sequence[Entry]) -> list[Telling]:
    mine, theirs = _passes(now), _passes(before)
    tellings = [
        Telling(*key, _tells(mine[key], theirs[key]), mine[key], theirs[key]) for key in mine if key in theirs
    ]
    order = [*Discrimination]
    return sorted(tellings, key=lambda item: order.index(item.tells))


def _passes(entries: Sequence[Entry]) -> dict[tuple[str, str], tuple[int, int]]:
    """Return how often each statement about a sample passed, and of how many runs that say it."""
    verdicts: dict[tuple[str, str], list[str]] = defaultdict(list)
    for entry in entries:
        for grade in entry.grades:
            if grade.verdict in ("pass", "fail") and not grade.by_person:
                verdicts[entry.sample_id, grade.name].append(grade.verdict)
    return {key: (counted.count("pass"), len(counted)) for key, counted in verdicts.items()}


def _tells(target: tuple[int, int], baseline: tuple[int, int]) -> Discrimination:
    if target[0] not in (0, target[1]) or baseline[0] not in (0, baseline[1]):
        return Discrimination.CHANGES
    passes, passed = target[0] == target[1], baseline[0] == baseline[1]
    if passes and passed:
        return Discrimination.ALWAYS
    if not passes and not passed:
        return Discrimination.NEVER
    return Discrimination.MADE if passes else Discrimination.LOST
