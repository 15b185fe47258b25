"""The measures of each record, and how the samples of decks cover the fields that records are grouped by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import fsum
from typing import NamedTuple, TypeAlias

from sampleui.formats.data import Table
from sampleui.review.grouping import field_values, paths_of, sample_values
from sampleui.review.record import Entry, Grade, content_of, deciding_grade, mean_of, on_scale, passed
from sampleui.review.reports.figures import Coverage
from sampleui.review.reports.relations import Ending, Given, Observed
from sampleui.sample.model import Sample
from sampleui.statistics import LARGEST
from sampleui.text.limits import MAX_TRIALS

_PASSES: Mapping[str | None, float] = {"pass": 1.0, "fail": 0.0}


Tables: TypeAlias = Callable[[], Sequence[Table]]
"""Returns the values of a record's sample as a deck has them, and those of the record: fields are looked for in one
after the other."""


class Question(NamedTuple):
    """The figures that are wanted of a run.

    Attributes:
        fail_under: the threshold that is asked for; None if each record passes or fails as its runner says.
        by: the fields to group by, crossed.
        cluster: the field whose values cluster samples.
        errors_fail: whether an error counts as a failure; else such an attempt is missing.
        against: the target that the others are held against; None for that of the highest pass rate.
    """

    fail_under: float | None = None
    by: tuple[str, ...] = ()
    cluster: str | None = None
    errors_fail: bool = False
    against: str | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that it needs."""
        return self.by if self.cluster is None else (*self.by, self.cluster)


def observer(question: Question) -> Callable[[Entry, Tables, int, bool], Observed]:
    """Return what makes the measures of a record of its facts and tables, its number in its run (later records have
    higher ones), and whether a later one of the same identity replaces it.

    Raises:
        PathError: a field cannot be one.
    """
    paths = paths_of(question.fields)

    def observed(entry: Entry, tables: Tables, place: int, replaceable: bool) -> Observed:
        values = field_values(paths, entry, tables) if paths else {}
        record = _observed(entry, question, values, place)
        return record._replace(identified=1) if replaceable else record

    return observed


def _observed(entry: Entry, question: Question, values: Mapping[str, tuple[str, ...]], place: int) -> Observed:
    outcome = passed(entry, question.fail_under)
    state = _state(entry, outcome)
    missing = state is Ending.ERROR and not question.errors_fail
    labels = values[question.cluster] if question.cluster is not None else ()
    cells = product(*(values[name] or (None,) for name in question.by)) if question.by else ()
    decider = None if entry.decider is None else deciding_grade(entry)
    is_score = decider is None or decider.bounded
    score = _number(entry.score) if is_score and not missing else None
    trials = entry.trials if entry.trials and 0 <= entry.trials[0] <= entry.trials[1] <= MAX_TRIALS else (None, 1)
    return Observed(
        place=place,
        origin=(entry.source, entry.suite),
        sample=_encodable(entry.sample_id),
        join_keys=_encodable("\n".join(entry.join_keys)),
        target=_encodable(entry.target or ""),
        attempt=None if entry.attempt is None else str(entry.attempt),
        identified=0,
        outcome=None if outcome is None or missing else int(outcome),
        state=int(state),
        score=0.0 if state is Ending.ERROR and score is not None else score,
        bounded=int(entry.bounded and (entry.score is None or on_scale(entry.score))),
        cluster=_encodable(" · ".join(labels)) or None,
        tried=trials[1],
        won=trials[0],
        marks=_grades_given(entry, state, question.fail_under, missing=missing),
        cells=tuple(cells),
        truth=None if entry.truth_score is None or entry.score is None else (entry.truth_score, entry.score),
    )


def _number(score: float | None) -> float | None:
    """Return a score; None if it is too large to be squared."""
    return None if score is None or not abs(score) <= LARGEST else float(score)


def _encodable(text: str) -> str:
    """Return a text in which characters without UTF-8, such as lone surrogates, are escaped."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _state(entry: Entry, outcome: bool | None) -> Ending:
    if entry.error is not None:
        return Ending.ERROR
    if outcome is None:
        return Ending.UNGRADED
    return Ending.PASSED if outcome else Ending.FAILED


def _grades_given(entry: Entry, state: Ending, fail_under: float | None, *, missing: bool) -> tuple[Given, ...]:
    """Return what evaluators gave, as `Observed` has it.

    That is 1 and 0 for a pass and a fail without a score, and nothing of an error.
    """
    grades = list[Given]()
    for grade in entry.grades:
        if grade.by_person:
            continue
        scored = int(is_scored(grade))
        if missing:
            grades.append((grade.name, None, None, scored))
        elif state is Ending.ERROR:
            grades.append((grade.name, 0.0 if grade.bounded else None, 0, scored))
        else:
            value = _PASSES.get(grade.verdict) if grade.score is None else _number(grade.score)
            content = content_of(entry, grade, fail_under)
            grades.append((grade.name, value, None if content is None else int(content), scored))
    if len({given[0] for given in grades}) == len(grades):
        return tuple(grades)
    by_name: dict[str, list[Given]] = {}
    for given in grades:
        by_name.setdefault(given[0], []).append(given)
    return tuple(map(_together, by_name.values()))


def _together(grades: Sequence[Given]) -> Given:
    """Return the mean of what an evaluator gave a record several times, so that all records weigh the same."""
    names, values, contents, scored = zip(*grades, strict=True)
    known = [value for value in values if value is not None]
    value = fsum(known) / len(known) if known else None
    return names[0], value, min((content for content in contents if content is not None), default=None), min(scored)


def is_scored(grade: Grade) -> bool:
    """Tell whether an evaluator gave a score from 0 to 1."""
    return grade.bounded and grade.score is not None and on_scale(grade.score)


def score_of(grades: Sequence[Grade]) -> float | None:
    """Return the mean of the scores from 0 to 1 that an evaluator gave a record; None if it gave anything else."""
    return mean_of(grades) if all(map(is_scored, grades)) else None


class AnsweredSamples:
    """Which samples of decks records answer, and the tags that these have.

    Attributes:
        samples: the samples, each by its path and its index.
        tags: those of records.
    """

    def __init__(self, sample_of: Callable[[Entry], Sample | None], entries: Iterable[Entry] = ()) -> None:
        """Take what returns the sample that a record answers, None if no deck has it."""
        self.samples, self.tags = set[tuple[object, int]](), set[str]()
        self._sample_of = sample_of
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Note a record."""
        if (sample := self._sample_of(entry)) is not None:
            self.samples.add((sample.path, sample.index))
        self.tags.update(entry.tags)


def coverage_of(samples: Iterable[Sample], answered: AnsweredSamples, fields: Sequence[str]) -> Iterator[Coverage]:
    """Yield the values that samples of decks have of fields, the rarest first.

    A tag that records have and no sample is among them, of no samples.

    Args:
        samples: those of all decks; none if no deck is known, and then nothing is returned.
        answered: those that records answer; looked at when the first value is asked for.
        fields: the fields.
    """
    if not fields:
        return
    times, with_records = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    known = False
    for sample in samples:
        known = True
        values = [(field, value) for field in fields for value in sample_values(field, sample.data)]
        times.update(values)
        if (sample.path, sample.index) in answered.samples:
            with_records.update(values)
    if not known:
        return
    named = [field for field in fields if field in ("tag", "tags")]
    times.update(dict.fromkeys(((field, tag) for field in named for tag in answered.tags), 0))
    ordered = sorted(times.items(), key=lambda pair: (pair[1], pair[0]))
    yield from (Coverage(field, value, count, with_records[field, value]) for (field, value), count in ordered)
