"""A run compared with an earlier one, record by record, by what both have.

What the runner says of a record decides: one that failed and passes now is better. Where it says nothing, and of
scores, the evaluators that graded both do. An error in either run is no outcome and no score, and what nothing was
said about is not the same either: both cannot be compared. What people found of records that nobody graded is
compared with what they found, and with nothing that a grader gave. Where the sample asks or expects something else
than in the earlier run, that is said beside the difference: the sample may have changed, and not the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from enum import StrEnum
from itertools import islice
from pathlib import PurePath
from typing import NamedTuple, TypeAlias

from sampleui.review.record import Entry, Grade, Outcome, missed, outcome_of
from sampleui.text.visible import one_line

TOLERANCE = 1e-9

PairKey: TypeAlias = Callable[[Entry], Hashable]


class Trend(StrEnum):
    """How a record fares against the baseline."""

    WORSE = "worse"
    BETTER = "better"
    MIXED = "better and worse"
    SAME = "same"
    UNKNOWN = "not comparable"
    ONLY_NEW = "only here"
    ONLY_OLD = "only in the baseline"


_PASSES = {"pass": 1.0, "fail": 0.0}
DIFFERING = frozenset({Trend.WORSE, Trend.BETTER, Trend.MIXED, Trend.ONLY_NEW, Trend.ONLY_OLD})


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
    each run has one. A record that failed and passes now is better whatever the scores say, and so the other way.
    """
    pairs = _paired(new, old)
    partners = {before.index for before in pairs.values()}
    compared = [compared_with(entry, pairs.get(entry.index), fail_under) for entry in new]
    left = (entry for entry in old if entry.index not in partners)
    return (*compared, *(Compared(Trend.ONLY_OLD, None, entry, None) for entry in left))


class RecordChanges(NamedTuple):
    """How the records of a run fare against their counterparts.

    Attributes:
        better, worse, mixed, same: records of these trends.
        not_comparable: records that neither is said of, as one of them is an error or ungraded.
        only_here, only_baseline: records without a counterpart.
        better_changed, worse_changed: those of the better and of the worse whose sample asks or expects something
            else now.
        changed: the ids of the worse ones among these, the first of them.
        what_changed: what their samples do otherwise: `asks`, `expects` or `asks or expects`; empty without any.
        named_better, named_worse: the ids of the better and of the worse, the first of them.
    """

    better: int
    worse: int
    mixed: int
    same: int
    not_comparable: int
    only_here: int
    only_baseline: int
    better_changed: int
    worse_changed: int
    changed: tuple[str, ...]
    what_changed: str
    named_better: tuple[str, ...] = ()
    named_worse: tuple[str, ...] = ()

    def otherwise(self, count: int) -> str:
        """Say what the samples of so many records do: `expects something else now`."""
        verbs = [verb if count == 1 else verb.removesuffix("s") for verb in self.what_changed.split(" or ")]
        return f"{' or '.join(verbs)} something else now"


MAX_NAMED = 20
"""Records of a kind that are named."""


def changes_of(compared: Sequence[Compared]) -> RecordChanges:
    """Return how many records there are of each trend, and how many of the samples changed."""
    by_trend = counts(compared)
    changed = Counter(record.trend for record in compared if record.changed)
    named = {trend: [item for item in compared if item.trend is trend] for trend in (Trend.BETTER, Trend.WORSE)}
    worse = (record.id for record in named[Trend.WORSE] if record.changed)
    return RecordChanges(
        by_trend[Trend.BETTER],
        by_trend[Trend.WORSE],
        by_trend[Trend.MIXED],
        by_trend[Trend.SAME],
        by_trend[Trend.UNKNOWN],
        by_trend[Trend.ONLY_NEW],
        by_trend[Trend.ONLY_OLD],
        changed[Trend.BETTER],
        changed[Trend.WORSE],
        tuple(islice(worse, MAX_NAMED)),
        _what_changed(record.changed for records in named.values() for record in records),
        *(tuple(record.id for record in records[:MAX_NAMED]) for records in named.values()),
    )


def _what_changed(changes: Iterable[str]) -> str:
    words = {word for change in changes for word in change.split()}
    return " or ".join(verb for verb in ("asks", "expects") if verb in words)


def changes_words(changes: RecordChanges) -> str:
    """Say in a sentence how many records are of which trend, and how many of the samples changed."""
    parts = [
        f"{times:,} {name}"
        for times, name in (
            (changes.better, "better"),
            (changes.worse, "worse"),
            (changes.mixed, "better and worse"),
            (changes.same, "the same"),
            (changes.not_comparable, "not comparable"),
            (changes.only_here, "only here"),
            (changes.only_baseline, "only in the baseline"),
        )
        if times
    ]
    words = ", ".join(parts) or "neither run has a record"
    for changed, times, name in (
        (changes.worse_changed, changes.worse, "worse"),
        (changes.better_changed, changes.better, "better"),
    ):
        if changed:
            words += f"; {changed:,} of {times:,} {name} {changes.otherwise(changed)}"
    return words


def named_words(changes: RecordChanges) -> Iterator[str]:
    """Yield sentences that name the records that are worse, and those that are better: the first of them."""
    for what, times, names in (
        ("Worse", changes.worse, changes.named_worse),
        ("Better", changes.better, changes.named_better),
    ):
        more = f" and {times - len(names):,} more" if times > len(names) else ""
        if names:
            yield f"{what}: {', '.join(one_line(name, 80) for name in names)}{more}."


def counts(compared: Iterable[Compared]) -> dict[Trend, int]:
    """Return how many records there are of each trend, 0 included."""
    counted = Counter(record.trend for record in compared)
    return {trend: counted[trend] for trend in Trend}


def record_comparison_words(compared: Sequence[Compared]) -> str:
    """Say how many records are of which trend, by people apart, and which evaluators only one of the runs has."""
    by_people = [record for record in compared if record.by_people]
    others = _trends_words([record for record in compared if not record.by_people])
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
    return ", ".join(f"{times:,} {named.get(trend, trend)}" for trend, times in counts(compared).items() if times)


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
    was, now, delta = outcome_of(old, fail_under), outcome_of(new, fail_under), _delta(new, old)
    changed = _changed(new, old)
    if Outcome.ERROR in (was, now):
        return Compared(Trend.UNKNOWN, new, old, None, reason=_not_comparable(was, now), changed=changed)
    if new.truth_score is not None or old.truth_score is not None:  # the grader is what is tested
        reason = _not_comparable(was, now)
        trend = Trend.UNKNOWN if reason else _trend(was, now, delta, ())
        return Compared(trend, new, old, delta, reason=reason, changed=changed)
    before, after = dict(_named(old.grades)), dict(_named(new.grades))
    graders = tuple(_graders(before, after))
    if new.judged or old.judged:
        reason = _not_comparable(was, now) or _judged_otherwise(new, old)
        trend = Trend.UNKNOWN if reason else _trend(was, now, None, ())
        return Compared(trend, new, old, None, graders, reason, changed)
    if not _judged_alike(new, old, before.keys(), after.keys()):
        both = [(before[name], after[name]) for name in before if name in after]
        delta = _mean_delta(both)
        if None in (new.outcome, old.outcome):  # the outcome of either is that of its evaluators
            was, now = (_outcome([pair[side] for pair in both], fail_under) for side in (0, 1))
    if reason := _not_comparable(was, now):
        return Compared(Trend.UNKNOWN, new, old, None, graders, reason, changed)
    return Compared(_trend(was, now, delta, graders), new, old, delta, graders, changed=changed)


def _outcome(grades: Sequence[Grade], fail_under: float | None) -> Outcome:
    """Return how a record came out by some of its evaluators alone."""
    if not grades:
        return Outcome.UNGRADED
    return Outcome.FAILED if any(missed(grade, fail_under) for grade in grades) else Outcome.PASSED


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


def _trend(was: Outcome, now: Outcome, delta: float | None, graders: Sequence[GraderChange]) -> Trend:
    """Return how a record fares by its outcome, else by its score, else by its evaluators."""
    if (was is Outcome.PASSED) is not (now is Outcome.PASSED):
        return Trend.WORSE if was is Outcome.PASSED else Trend.BETTER
    if delta is not None and abs(delta) > TOLERANCE:
        return Trend.BETTER if delta > 0 else Trend.WORSE
    trends = {grader.trend for grader in graders} & {Trend.BETTER, Trend.WORSE}
    return Trend.MIXED if len(trends) > 1 else next(iter(trends), Trend.SAME)


def _mean_delta(pairs: Sequence[tuple[Grade, Grade]]) -> float | None:
    scores = [
        (grade.score, other.score)
        for grade, other in pairs
        if grade.score is not None and other.score is not None and grade.bounded and other.bounded
    ]
    from statistics import fmean

    return fmean(after - before for before, after in scores) if scores else None


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
