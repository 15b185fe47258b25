"""A run and its review: the figures, and what reviewers decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sampleui.review.log.store import Log
from sampleui.review.people import found_by_all
from sampleui.review.record import Entry, failed, in_short, outcome_of, why_failed
from sampleui.review.reports.against_baselines import AgainstTarget, against_baselines
from sampleui.review.reports.by_people import ByPeople, JudgedRun, by_people_of
from sampleui.review.reports.figures import BaselineFigures, Figures, MissingSamples, VerdictTable
from sampleui.review.reports.graders import outcomes_by_verdict
from sampleui.review.reports.matrix import Matrix
from sampleui.review.reports.plot_values import Plot
from sampleui.review.reports.record_measures import Question
from sampleui.review.reports.run_figures import Reviews, SampleOf, figures_of, no_deck
from sampleui.review.results.file import Results
from sampleui.review.verdict import Decision, Verdict

if TYPE_CHECKING:  # it stands on this package
    from sampleui.review.code_figures import CodesFigures


class ReviewFigures(NamedTuple):
    """What was decided about the records of a run.

    Attributes:
        reviewed: failed records with a verdict that stands; to skip one decides nothing.
        carried: of these, those decided by what was decided about the same answer in an earlier run.
        verdicts: how often each verdict stands, over all records.
        orphans: verdicts about records that no longer exist.
        disputed_records: the ids of records that reviewers disagree about, and nobody has settled it. They count as
            decided nowhere.
        adjudicated: how many records somebody has.
        codes: by how many records each code is failed, as someone says, most first.
        verdicts_by_outcome: how records came out against the verdicts about them; None if nothing was decided.
        decisions: all that stands, by the ids of the records, those of programs among them.
        by_people: how those records came out, as people say, of which the run does not say it; None without such.
    """

    reviewed: int
    carried: int
    verdicts: Mapping[Verdict, int]
    orphans: tuple[Decision, ...]
    disputed_records: tuple[str, ...]
    adjudicated: int
    codes: Mapping[str, int]
    verdicts_by_outcome: VerdictTable | None
    decisions: tuple[tuple[str, Decision], ...] = ()
    by_people: ByPeople | None = None


class RecordLine(NamedTuple):
    """A record as a report lists it.

    Attributes:
        target: who answered, empty if nobody says.
        outcome: `passed`, `failed`, `error` or `ungraded`.
        why: why it failed, in words.
        verdict: the verdict that stands, empty for none.
    """

    id: str
    target: str
    outcome: str
    score: float | None
    why: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of a run and the state of its review.

    Attributes:
        review: None where nobody looked at what was decided about its records, here or on earlier runs.
        records: those that were asked to be listed.
        against: its targets against the one that is their baseline, where its tool has such.
        matrix: its samples by targets, where that was asked for.
        plots: what is plotted of it, where that was asked for.
        codes: how many records fail in the way of each code, where that was asked for.
        filter: the words by which matrix and list of records were narrowed; the figures are of the whole run.
        redacted: how many places were replaced, for they are not to be passed on; None if nothing was to be.
    """

    figures: Figures
    review: ReviewFigures | None
    records: tuple[RecordLine, ...] = ()
    against: tuple[AgainstTarget, ...] = ()
    matrix: Matrix | None = None
    plots: tuple[Plot, ...] = ()
    codes: CodesFigures | None = None
    filter: str = ""
    redacted: int | None = None

    @property
    def comparisons(self) -> tuple[BaselineFigures, ...]:
        """How the run fares against its baseline: by what graders gave, and by what people found of the rest.

        What nobody graded in either run is in the second alone.
        """
        people = None if self.review is None or self.review.by_people is None else self.review.by_people.comparison
        graders = self.figures.comparison
        left_out = graders is not None and people is not None and not graders.is_graded
        return tuple(found for found in (None if left_out else graders, people) if found is not None)


def report_of(
    results: Results,
    log: Log,
    question: Question = Question(),  # noqa: B008 (it is a value)
    figures: Figures | None = None,
    *,
    listed: Iterable[Entry] = (),
    reviews: Reviews | None = None,
    baseline: JudgedRun | None = None,
    sample_of: SampleOf = no_deck,
) -> Report:
    """Return the figures of results, and the state of their review.

    Args:
        results: the run.
        log: what was decided about it, where it is indexed.
        question: what is asked of it.
        figures: the answer; None to ask it here. Raises then as `figures_of` does.
        listed: the records to list.
        reviews: what was decided about it where it is not indexed; None if nobody is to look at that.
        baseline: an earlier run, with which what people say is compared.
        sample_of: where fields are looked for that records do not have.
    """
    figures = figures or figures_of(results, question, log=log, reviews=reviews)
    excerpt = None if results.complete or reviews is None else results.excerpt
    reviewed = results if excerpt is None else excerpt.results
    review = None
    against: tuple[AgainstTarget, ...] = ()
    if reviewed.complete:
        n_ungraded = figures.run.counts.ungraded
        missing = MissingSamples() if figures.comparison is None else figures.comparison.missing
        now = JudgedRun(reviewed, log)
        people = by_people_of(now, n_ungraded, question, sample_of, baseline, missing=missing)
        review = _state(reviewed.counted, log, question.fail_under, people)
        fair = people is not None and people.is_fair
        against = against_baselines(reviewed, question.fail_under, found_by_all(log), fair=fair)
    return Report(
        figures=figures,
        review=review,
        records=tuple(_line(entry, log, question.fail_under) for entry in listed),
        against=against,
    )


def _state(entries: Sequence[Entry], log: Log, fail_under: float | None, people: ByPeople | None) -> ReviewFigures:
    decisions = tuple((entry.id, decision) for entry in entries for decision in log.everything(entry.digest))
    labelled = log.labelled
    codes = Counter(code for entry in entries if entry.digest in labelled for code in log.codes(entry.digest))
    entries = [entry for entry in entries if log.is_about(entry.digest)]
    failures = [entry for entry in entries if failed(entry, fail_under)]
    current = [decision for entry in entries if (decision := log.current(entry.digest)) is not None]
    verdicts = Counter(decision.verdict for decision in current)
    of_failures = [
        decision for entry in failures if (decision := log.current(entry.digest)) is not None and decision.decides
    ]
    return ReviewFigures(
        reviewed=len(of_failures),
        carried=sum(decision.carried for decision in of_failures),
        verdicts={verdict: verdicts[verdict] for verdict in Verdict},
        orphans=log.orphans,
        disputed_records=tuple(entry.id for entry in entries if log.disputed(entry.digest)),
        adjudicated=sum(log.ruling(entry.digest) is not None for entry in entries),
        codes=dict(codes.most_common()),
        verdicts_by_outcome=outcomes_by_verdict(entries, log, fail_under),
        decisions=decisions,
        by_people=people,
    )


def _line(entry: Entry, log: Log, fail_under: float | None) -> RecordLine:
    decision = log.current(entry.digest)
    return RecordLine(
        entry.id,
        entry.target or "",
        str(outcome_of(entry, fail_under)),
        entry.score,
        in_short(entry, fail_under) or "; ".join(why_failed(entry, fail_under)),
        str(decision.verdict) if decision is not None and decision.verdict is not None else "",
    )
