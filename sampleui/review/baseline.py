"""A run compared with an earlier one, record by record.

How a record came out decides, and nothing else: one that failed and passes now is better. What graders gave is
compared beside that. Of several attempts at a sample none is the counterpart of another, so that all of them fare
as the sample does, by the share of them that passed. An error in either run is no outcome, and what nothing was
said about is not the same either: both cannot be compared. What people found of records that nobody graded is
compared with what they found, and with nothing that a grader gave. Where the sample asks or expects something else
than in the earlier run, that is said beside the difference: the sample may have changed, and not the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from enum import StrEnum
from math import fsum
from pathlib import PurePath
from typing import NamedTuple, TypeAlias

from sampleui.review.record import Entry, Grade, Outcome, outcome_of

TOLERANCE = 1e-9

PairKey: TypeAlias = Callable[[Entry], Hashable]


class Trend(StrEnum):
    """How a record fares against the baseline."""

    WORSE = "worse"
    BETTER = "better"
    SAME = "same"
    UNKNOWN = "not comparable"
    ONLY_NEW = "only here"
    ONLY_OLD = "only in the baseline"


_PASSES = {"pass": 1.0, "fail": 0.0}
_DIFFERING = frozenset({Trend.WORSE, Trend.BETTER, Trend.ONLY_NEW, Trend.ONLY_OLD})


class GraderChange(NamedTuple):
    """How an evaluator's score changed; a `pass` counts as 1, a `fail` as 0, and None says that it gave nothing.

    Where it says both times whether it passed and one score is missing, or its scale is not known, that is what
    changed.

    Attributes:
        bounded: whether more is better; of a scale that is not known nobody can say that.
    """

    name: str
    old: float | None
    new: float | None
    bounded: bool = True

    @property
    def trend(self) -> Trend:
        """How it fares."""
        if self.old is None or self.new is None:
            return Trend.ONLY_OLD if self.new is None else Trend.ONLY_NEW
        if not self.bounded:
            return Trend.UNKNOWN
        return Trend.BETTER if self.new > self.old else Trend.WORSE

    def __str__(self) -> str:
        """Return it in words."""
        if self.old is None or self.new is None:
            shown = self.old if self.new is None else self.new
            return f"{self.name} {shown:g}, {self.trend}"
        return f"{self.name} {self.old:g} → {self.new:g}"


class Compared(NamedTuple):
    """A record and its counterpart.

    Attributes:
        new: None when only the baseline has it.
        old: None when only the new run has it.
        delta: new score minus old score; where truths are known, by how much nearer to the truth it is; where the
            evaluators are not the same, of the mean of those that both have. None when either has no score.
        graders: the evaluators that gave something else, or are in one of the runs only.
        reason: why they are not comparable, in words; empty where they are.
        changed: what the sample does otherwise now: `expects something else now`; empty where nothing is known.
    """

    trend: Trend
    new: Entry | None
    old: Entry | None
    delta: float | None
    graders: tuple[GraderChange, ...] = ()
    reason: str = ""
    changed: str = ""

    @property
    def id(self) -> str:
        """The record's id, of the new run if it has one."""
        entry = self.new or self.old
        assert entry is not None
        return entry.id

    @property
    def differs(self) -> bool:
        """Whether anything is other than in the baseline: how it came out, or what graders of both runs gave."""
        return self.trend in _DIFFERING or any(
            change.trend in (Trend.BETTER, Trend.WORSE) for change in self.graders
        )

    @property
    def by_people(self) -> bool:
        """Whether it fares as people found, in both runs."""
        return self.new is not None and self.old is not None and self.new.judged and self.old.judged

    @property
    def apart(self) -> tuple[GraderChange, ...]:
        """The evaluators that only one of the records has: they are not compared."""
        return tuple(grader for grader in self.graders if grader.trend in (Trend.ONLY_NEW, Trend.ONLY_OLD))


def compare(new: Sequence[Entry], old: Sequence[Entry], fail_under: float | None = None) -> tuple[Compared, ...]:
    """Pair the records of two runs and tell how each changed, in the order of the new file, then of the old.

    Records pair by sample, target and attempt, by occurrence if several are left. Targets make no difference where
    each run has one.
    """
    pairs = _paired(new, old)
    partners = {before.index for before in pairs.values()}
    compared = [compared_with(entry, pairs.get(entry.index), fail_under) for entry in new]
    left = (entry for entry in old if entry.index not in partners)
    return by_sample((*compared, *(Compared(Trend.ONLY_OLD, None, entry, None) for entry in left)), fail_under)


def by_sample(compared: Sequence[Compared], fail_under: float | None = None) -> tuple[Compared, ...]:
    """Return records as their samples fare, where one was tried several times: by the share that passed."""
    groups = _samples_of(compared)
    trends: dict[int, Trend] = {}
    for group in groups:
        if len(group) > 1 and any(compared[place].old and compared[place].new for place in group):
            shares = (
                _share([getattr(compared[place], side) for place in group], fail_under) for side in ("old", "new")
            )
            trends |= dict.fromkeys(group, _trend(*shares))
    return tuple(
        item
        if place not in trends
        else item._replace(trend=trends[place], reason=item.reason if trends[place] is Trend.UNKNOWN else "")
        for place, item in enumerate(compared)
    )


def _samples_of(compared: Sequence[Compared]) -> Iterable[Sequence[int]]:
    """Return the places of the records of each sample and target: those of a run, and of the other what pairs."""
    by_key: dict[Hashable, list[int]] = {}
    keys_of_old: dict[Hashable, Hashable] = {}
    for item in compared:
        if item.new is not None and item.old is not None:
            keys_of_old.setdefault(_sample_key(item.old), _sample_key(item.new))
    for place, item in enumerate(compared):
        if item.new is not None:
            key: Hashable = _sample_key(item.new)
        else:
            assert item.old is not None
            key = keys_of_old.get(_sample_key(item.old), ("", _sample_key(item.old)))
        by_key.setdefault(key, []).append(place)
    return by_key.values()


def _sample_key(entry: Entry) -> Hashable:
    return entry.case, entry.join_keys, entry.target


def _share(entries: Iterable[Entry | None], fail_under: float | None) -> float | None:
    """Return the share of attempts that passed; None if none of them has an outcome."""
    known = [outcome_of(entry, fail_under) for entry in entries if entry is not None]
    passes, failures = known.count(Outcome.PASSED), known.count(Outcome.FAILED)
    return passes / (passes + failures) if passes or failures else None


def _trend(was: float | None, now: float | None) -> Trend:
    """Return how a sample fares by the share of attempts that passed."""
    if was is None or now is None:
        return Trend.UNKNOWN
    if abs(was - now) <= TOLERANCE:
        return Trend.SAME
    return Trend.BETTER if now > was else Trend.WORSE


def what_changed(compared: Iterable[Compared]) -> str:
    """Return what the samples of the better and the worse records do otherwise: `asks`, `expects` or both."""
    changes = (record.changed for record in compared if record.trend in (Trend.BETTER, Trend.WORSE))
    words = {word for change in changes for word in change.split()}
    return " or ".join(verb for verb in ("asks", "expects") if verb in words)


def record_comparison_words(compared: Sequence[Compared]) -> str:
    """Say how many samples are of which trend, by people apart, and which evaluators only one of the runs has."""
    samples = [compared[places[0]] for places in _samples_of(compared)]
    by_people = [sample for sample in samples if sample.by_people]
    others = _trends_words([sample for sample in samples if not sample.by_people])
    parts = [words for words in (others, f"by people {_trends_words(by_people)}" if by_people else "") if words]
    evaluators = [f"{trend}: {', '.join(names)}" for trend, names in evaluators_apart(compared).items() if names]
    return "; ".join(
        (*(parts or ["neither run has a record"]), *(f"evaluators {evaluator}" for evaluator in evaluators))
    )


def _trends_words(compared: Sequence[Compared]) -> str:
    named: dict[Trend, str] = {Trend.SAME: "the same"}
    reasons = {record.reason for record in compared if record.trend is Trend.UNKNOWN}
    if len(reasons) == 1:
        named[Trend.UNKNOWN] = f"{Trend.UNKNOWN} ({reasons.pop()})"
    times = Counter(sample.trend for sample in compared)
    return ", ".join(f"{times[trend]:,} {named.get(trend, trend)}" for trend in Trend if times[trend])


def evaluators_apart(compared: Iterable[Compared]) -> Mapping[Trend, tuple[str, ...]]:
    """Return the names of the evaluators that only the new or only the old run has."""
    names: dict[bool, dict[str, None]] = {False: {}, True: {}}
    for record in compared:
        for is_new, entry in ((False, record.old), (True, record.new)):
            names[is_new].update(dict.fromkeys(grade.name for grade in entry.grades) if entry is not None else {})
    return {
        Trend.ONLY_NEW: tuple(name for name in names[True] if name not in names[False]),
        Trend.ONLY_OLD: tuple(name for name in names[False] if name not in names[True]),
    }


# Pairing


def _paired(new: Sequence[Entry], old: Sequence[Entry]) -> dict[int, Entry]:
    """Return the partner of each record of a run, by its index: the one that the strictest possible key finds."""
    single = all(len({entry.target for entry in entries}) < 2 for entries in (new, old))
    pairs: dict[int, Entry] = {}
    left_new, left_old = list(new), list(old)
    for key in _keys(new, old, by_target=not single):
        waiting: dict[Hashable, list[Entry]] = {}
        for entry in reversed(left_old):
            waiting.setdefault(key(entry), []).append(entry)
        for entry in left_new:
            if (partner_key := key(entry)) is not None and waiting.get(partner_key):
                pairs[entry.index] = waiting[partner_key].pop()
        partners = {partner.index for partner in pairs.values()}
        left_new = [entry for entry in left_new if entry.index not in pairs]
        left_old = [entry for entry in left_old if entry.index not in partners]
        if not (left_new and left_old):
            break
    return pairs


def _keys(new: Sequence[Entry], old: Sequence[Entry], *, by_target: bool) -> Iterator[PairKey]:
    """Yield what records pair by, the strictest first.

    What a row repeats of its sample goes before what the row is called, since a run may have numbered its names.
    The deck counts by its name too, as a run may have been made elsewhere, and not where an id is of one deck.
    """
    ambiguous = _of_several_decks(new) | _of_several_decks(old)

    def target(entry: Entry) -> str | None:
        return entry.target if by_target else None

    def named(entry: Entry) -> Hashable:
        return PurePath(entry.source).name if entry.source else None, entry.suite

    for attempt in (True, False):
        yield lambda entry, by=attempt: (entry.case, entry.join_keys, target(entry), by and entry.attempt)  # type: ignore[misc]
        yield lambda entry, by=attempt: (  # type: ignore[misc]
            (named(entry), entry.join_keys, target(entry), by and entry.attempt) if entry.join_keys else None
        )
    for attempt in (True, False):
        yield lambda entry, by=attempt: (named(entry), entry.sample_id, target(entry), by and entry.attempt)  # type: ignore[misc]
        yield lambda entry, by=attempt: (  # type: ignore[misc]
            None if entry.sample_id in ambiguous else (entry.sample_id, target(entry), by and entry.attempt)
        )


def _of_several_decks(entries: Iterable[Entry]) -> set[str]:
    """Return the ids that samples of several decks or suites have."""
    origins: dict[str, set[Hashable]] = {}
    for entry in entries:
        origins.setdefault(entry.sample_id, set()).add((entry.source, entry.suite))
    return {name for name, paths in origins.items() if len(paths) > 1}


# Comparing


def compared_with(new: Entry, old: Entry | None, fail_under: float | None = None) -> Compared:
    """Tell how a record changed against its counterpart, if it has one."""
    if old is None:
        return Compared(Trend.ONLY_NEW, new, None, None)
    was, now, changed = outcome_of(old, fail_under), outcome_of(new, fail_under), _changed(new, old)
    if Outcome.ERROR in (was, now):
        return Compared(Trend.UNKNOWN, new, old, None, reason=_not_comparable(was, now), changed=changed)
    trend = _trend(*(_share([entry], fail_under) for entry in (old, new)))
    if new.truth_score is not None or old.truth_score is not None:  # the grader is what is tested
        return Compared(trend, new, old, _delta(new, old), reason=_not_comparable(was, now), changed=changed)
    before, after = dict(_named(old.grades)), dict(_named(new.grades))
    graders = tuple(_graders(before, after))
    if new.judged or old.judged:
        reason = _not_comparable(was, now) or _judged_otherwise(new, old)
        return Compared(Trend.UNKNOWN if reason else trend, new, old, None, graders, reason, changed)
    delta = _delta(new, old)
    if not _judged_alike(new, old, before.keys(), after.keys()):
        delta = _mean_delta([(before[name], after[name]) for name in before if name in after])
    reason = _not_comparable(was, now)
    return Compared(trend, new, old, None if reason else delta, graders, reason, changed)


def _changed(new: Entry, old: Entry) -> str:
    """Say what the sample of a record does otherwise than in the earlier run; nothing where no row says it."""
    before, now = dict(_named(old.grades)), dict(_named(new.grades))
    setups = [(before[name].setup, now[name].setup) for name in before if name in now]
    judged = [(old.expected_digest, new.expected_digest), *setups]
    match _differ([(old.asked_digest, new.asked_digest)]), _differ(judged):
        case True, True:
            return "asks and expects something else now"
        case True, False:
            return "asks something else now"
        case False, True:
            return "expects something else now"
    return ""


def _differ(pairs: Iterable[tuple[str | None, str | None]]) -> bool:
    """Tell whether two of what both runs say differ."""
    return any(None not in (before, now) and before != now for before, now in pairs)


def _not_comparable(was: Outcome, now: Outcome) -> str:
    """Say why the outcomes of two records cannot be compared; nothing where they can."""
    for outcome, why in ((Outcome.ERROR, "an error"), (Outcome.UNGRADED, "ungraded")):
        if outcome in (was, now):
            where = "in both runs" if was is now else "here" if now is outcome else "in the baseline"
            return f"{why} {where}"
    return ""


def _judged_otherwise(new: Entry, old: Entry) -> str:
    """Say who judged which of two records, where people judged one of them; nothing where they judged both."""
    if new.judged and old.judged:
        return ""
    people, graders = ("here", "in the baseline") if new.judged else ("in the baseline", "here")
    return f"judged by people {people}, by graders {graders}"


def _judged_alike(new: Entry, old: Entry, before: Set[str], after: Set[str]) -> bool:
    """Tell whether the outcomes of two records are of the same evaluators: of all, or of the one that decides."""
    if new.decider is None and old.decider is None:
        return before == after
    return new.decider == old.decider and new.decider in before & after


def _mean_delta(pairs: Sequence[tuple[Grade, Grade]]) -> float | None:
    deltas = [
        other.score - grade.score
        for grade, other in pairs
        if grade.score is not None and other.score is not None and grade.bounded and other.bounded
    ]
    return fsum(deltas) / len(deltas) if deltas else None


def _named(grades: Iterable[Grade]) -> Iterator[tuple[str, Grade]]:
    """Yield grades that say anything by the names of their evaluators, numbered if several have one name."""
    seen = Counter[str]()
    for grade in grades:
        seen[grade.name] += 1
        if _score_of(grade) is not None:
            yield grade.name if seen[grade.name] == 1 else f"{grade.name} #{seen[grade.name]}", grade


def _score_of(grade: Grade | None) -> float | None:
    if grade is None or grade.score is not None:
        return None if grade is None else grade.score
    return _PASSES.get(grade.verdict or "")


def _graders(before: Mapping[str, Grade], now: Mapping[str, Grade]) -> Iterator[GraderChange]:
    for name in dict.fromkeys((*before, *now)):
        change = _change(name, before.get(name), now.get(name))
        if change.old is None or change.new is None or abs(change.old - change.new) > TOLERANCE:
            yield change


def _change(name: str, old: Grade | None, new: Grade | None) -> GraderChange:
    if old is None or new is None:
        return GraderChange(name, _score_of(old), _score_of(new))
    bounded = old.bounded and new.bounded
    if bounded and old.score is not None and new.score is not None:
        return GraderChange(name, old.score, new.score)
    was, now = _PASSES.get(old.verdict or ""), _PASSES.get(new.verdict or "")
    if was is not None and now is not None:
        return GraderChange(name, was, now)
    return GraderChange(name, _score_of(old), _score_of(new), bounded)


def _delta(new: Entry, old: Entry) -> float | None:
    if new.score is None or old.score is None or not (new.bounded and old.bounded):
        return None
    if new.truth_score is not None and old.truth_score is not None:
        return abs(old.score - old.truth_score) - abs(new.score - new.truth_score)
    return new.score - old.score
