"""How many records fail in the way of each code, as people say, and whether a judge finds the same.

A rate is of records that were drawn at random, or of all of them: what somebody searched for, a program suggested,
or was looked at because it failed has a chance that nobody knows, and is counted beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain, takewhile
from typing import NamedTuple, TypeAlias

from sampleui.errors import ResultsError
from sampleui.formats.data import Table
from sampleui.review.decided import of_people
from sampleui.review.labels import TakenCounts, codes_of, taken_by_code
from sampleui.review.log.store import Log
from sampleui.review.record import Entry
from sampleui.review.reports.figures import GraderFigures
from sampleui.review.reports.graders import (
    Grader,
    ReviewedGrades,
    grader_figures,
    graders_in,
    reviewed_parts,
    strata_of,
)
from sampleui.review.reports.joined_judges import WHOLE, same_name
from sampleui.review.sampling import (
    Draw,
    LabelPart,
    LabelSplit,
    Population,
    SampledStratum,
    SplitOpening,
    population_digest,
)
from sampleui.review.verdict import Decision, LabelValue
from sampleui.settings.reviewers import is_program
from sampleui.statistics.graders import Estimate, Label, ReviewedStratum, corrected_rate, grader_estimate
from sampleui.statistics.means import share_interval

A_PASS = "a pass over the code draws some"


class JudgedCode(NamedTuple):
    """An evaluator held against the labels of a code: it is right where it fails what people say fails so.

    Attributes:
        grader: how it does, where a right answer is one that does not fail so.
        part: the part of the labels that this is about; None where they are not split.
        openings: who looked at the test part of the labels, and when.
        unlabelled: records that it judged and nobody labelled.
        failed: those of them that it failed.
        corrected: the share of them that fails so, by how often it is right.
        clipped: whether that had to be cut to 0 or 1, since its rates do not fit these records.
    """

    grader: GraderFigures
    part: LabelPart | None
    openings: tuple[SplitOpening, ...]
    unlabelled: int
    failed: int
    corrected: Estimate
    clipped: bool | None


class CodeFigures(NamedTuple):
    """One code.

    Attributes:
        code: its name.
        definition: its definition; empty for none.
        records: all records that count.
        found: those that people say fail so, however that was found: there are at least as many.
        reviewed: those that people say do or do not fail so, and whose chance to be looked at is known.
        failed: those of them that do.
        skipped: those with such a chance of which people cannot say it, or say both.
        complete: whether that is all records, and not a random sample.
        rate: the share that fails so.
        drawn, hunted, taken: records with a label from a pass, from a person by hand, and from a program whose
            proposal a person took, the last two where there is nothing better.
        older: labels of earlier wordings of the definition, which count in nothing.
        disputed: records of which people say both.
        judges: the evaluators that it is held against.
    """

    code: str
    definition: str
    records: int
    found: int
    reviewed: int
    failed: int
    skipped: int
    complete: bool
    rate: Estimate
    drawn: int
    hunted: int
    taken: int
    older: int
    disputed: int
    judges: tuple[JudgedCode, ...] = ()


class ProgramTaken(NamedTuple):
    """How often labels of a code that a program proposed were taken."""

    program: str
    code: str
    counts: TakenCounts


class CodesFigures(NamedTuple):
    """The codes of a run.

    Attributes:
        records: all records that count.
        read: those with a note, a label or a verdict of a person's own.
        since_new: how many of these were read after the one that showed a new code; None without codes.
        codes: the codes, in the order of their file.
        programs: what programs proposed.
    """

    records: int
    read: int
    since_new: int | None
    codes: tuple[CodeFigures, ...]
    programs: tuple[ProgramTaken, ...] = ()


class CodeQuestion(NamedTuple):
    """What is asked of the codes of a run.

    Attributes:
        against: the graders that codes are held against, one of the name of a code only that one; without any,
            the evaluators of a code's name.
        codes: the codes that are asked for; all without any.
        part: the part of the labels, where they are split.
        fail_under: the threshold that was asked for.
        scorer: the scorer that was asked for.
    """

    against: Sequence[Grader] = ()
    codes: Sequence[str] = ()
    part: LabelPart = LabelPart.DEV
    fail_under: float | None = None
    scorer: str | None = None

    def graders_of(self, code: str, names: Sequence[str], entries: Sequence[Entry]) -> Sequence[Grader]:
        """Return what one of several codes is held against: what has its name, or else what has that of none."""
        graders = self.against or graders_in(entries, self.fail_under)
        alike = [grader for grader in graders if same_name(grader.name or "", code)]
        others = (
            grader for grader in self.against if not any(same_name(grader.name or "", name) for name in names)
        )
        return alike or [*others]

    def asked_of(self, names: Sequence[str], log: Log) -> Sequence[str]:
        """Return which of the names of all codes are asked for."""
        asked = {log.codebook.now(name) for name in self.codes or names}
        return [name for name in names if name in asked]


def open_test_parts(entries: Sequence[Entry], log: Log, question: CodeQuestion, reviewer: str) -> None:
    """Record who looks at the test parts of labels, before any figure of them is shown.

    Raises:
        ResultsError: if no labels of the codes are split, or the log cannot be written.
    """
    names = codes_of(log)
    asked = question.asked_of(names, log)
    splits = [(name, split) for name in asked if (split := log.split_of(name)) is not None]
    if not splits:
        raise ResultsError(f"no labels are split into parts, of {', '.join(asked) or 'any code'}", log.path)
    for name, split in splits:
        for grader in question.graders_of(name, names, entries):
            log.keep_split(SplitOpening(reviewer=reviewer, split=split.id, evaluator=grader.name or WHOLE))


def code_figures(
    entries: Sequence[Entry], log: Log, tables: Callable[[Entry], Sequence[Table]], question: CodeQuestion
) -> CodesFigures:
    """Return the figures of all codes of a run.

    Args:
        entries: the records that count.
        log: what people and programs said of them.
        tables: returns the values of a record's sample and those of the record, for what was drawn by them.
        question: what is asked.
    """
    labels = _labels_by_code(entries, log)
    run = _Run(entries, log, tables, question, codes_of(log), population_digest(entries))
    codes = tuple(_code(name, labels.get(name, []), run) for name in question.asked_of(run.names, log))
    order = _reading_order(entries, log)
    programs = (ProgramTaken(*key, counts) for key, counts in sorted(taken_by_code(log).items()))
    return CodesFigures(len(entries), len(order), _since_new(order, labels), codes, tuple(programs))


class _Run(NamedTuple):
    """What the figures of every code are made from."""

    entries: Sequence[Entry]
    log: Log
    tables: Callable[[Entry], Sequence[Table]]
    question: CodeQuestion
    names: Sequence[str]
    digest: str


class _Found(NamedTuple):
    """What people say of a record and a code: asked by a pass, by hand, and by taking what a program proposed."""

    drawn: list[Decision]
    by_hand: list[Decision]
    taken: list[Decision]

    @property
    def own(self) -> list[Decision]:
        """What counts in figures: what a pass asked, or else what people say without a program."""
        return self.drawn or self.by_hand


_LabelOf: TypeAlias = tuple[str, Decision, bool]
"""The digest of a record of the run, what somebody says of it, and whether a pass asked it."""


def _labels_by_code(entries: Iterable[Entry], log: Log) -> dict[str, list[_LabelOf]]:
    """Return the labels of the run's records by code."""
    found: dict[str, list[_LabelOf]] = defaultdict(list)
    for entry in entries:
        for history in log.label_histories(entry.digest):
            drawn = log.drawn_label(history)
            label = drawn or history[-1]
            found[str(label.code)].append((entry.digest, label, drawn is not None))
    return found


def _code(name: str, labels: Sequence[_LabelOf], run: _Run) -> CodeFigures:
    code, definition = run.log.codebook.find(name), run.log.codebook.digest(name)
    found = _found(labels, definition)
    fails = {record: _fails(item.own) for record, item in found.items() if item.own}
    parts = _parts(name, {record for record, item in found.items() if item.drawn}, fails, run)
    strata = [*_strata(parts)]
    counted = [label.person for stratum in strata for label in stratum.labels]
    return CodeFigures(
        code=name,
        definition="" if code is None else code.text,
        records=len(run.entries),
        found=sum(_fails((*item.own, *item.taken)) is True for item in found.values()),
        reviewed=sum(fine is not None for fine in counted),
        failed=counted.count(False),
        skipped=counted.count(None),
        complete=len(counted) == len(run.entries),
        rate=_rate(strata),
        drawn=sum(bool(item.drawn) for item in found.values()),
        hunted=sum(bool(item.by_hand and not item.drawn) for item in found.values()),
        taken=sum(not item.own for item in found.values()),
        older=sum(label.definition != definition for _, label, _ in labels),
        disputed=sum(
            {LabelValue.YES, LabelValue.NO} <= {item.label for item in said.own} for said in found.values()
        ),
        judges=tuple(
            _judged(name, grader, parts, found.keys(), run)
            for grader in run.question.graders_of(name, run.names, run.entries)
        ),
    )


def _found(labels: Iterable[_LabelOf], definition: str) -> Mapping[str, _Found]:
    """Return what people say of each record by its digest, by labels of one definition."""
    by_record: dict[str, _Found] = defaultdict(lambda: _Found([], [], []))
    for record, label, drawn in labels:
        if label.definition == definition:
            found = by_record[record]
            (found.drawn if drawn else found.by_hand if label.proposal is None else found.taken).append(label)
    return by_record


def labels_to_split(entries: Iterable[Entry], log: Log, name: str) -> Mapping[str, bool]:
    """Return by the digests of records whether they fail in the way of a code, as people say without a program."""
    name = log.codebook.now(name)
    found = _found(_labels_by_code(entries, log).get(name, []), log.codebook.digest(name))
    fails = {record: _fails(item.own) for record, item in found.items()}
    return {record: value for record, value in fails.items() if value is not None}


def _fails(labels: Iterable[Decision]) -> bool | None:
    """Return whether a record fails so, as its labels say; None where nobody can say, or people disagree."""
    values = {label.label for label in labels} - {LabelValue.UNSURE}
    return None if len(values) != 1 else LabelValue.YES in values


def _parts(name: str, drawn: Set[str], fails: Mapping[str, bool | None], run: _Run) -> list[ReviewedGrades]:
    """Return the records by how they came to be labelled: whether each is fine, as labels of graders say it."""
    asked = (run.question.fail_under, run.question.scorer)
    passes = [
        item
        for item in run.log.passes
        if name in map(run.log.codebook.now, item.codes)
        and item.population_digest == run.digest
        and (item.design.source is Population.ALL or (item.fail_under, item.scorer) == asked)
    ]
    fine = {record: None if value is None else not value for record, value in fails.items()}
    return reviewed_parts(run.entries, _together(passes, drawn), fine, run.tables, asked[0])


def _together(passes: Iterable[Draw], drawn: Set[str]) -> Iterator[Draw]:
    """Yield passes of several people in the same strata as one that has the records that each has come to.

    Each of them has read a random sample of every stratum, up to the first record that was passed over, and so have
    they together.
    """
    alike: dict[object, list[Draw]] = defaultdict(list)
    for item in passes:
        groups = tuple((stratum.values, stratum.population) for stratum in item.strata)
        alike[item.design.source, item.design.by, groups].append(item)
    for same in alike.values():
        strata = (_joined(of_all, drawn) for of_all in zip(*(item.strata for item in same), strict=True))
        yield replace(same[0], strata=tuple(strata))


def _joined(strata: Sequence[SampledStratum], drawn: Set[str]) -> SampledStratum:
    """Return the same stratum of several passes, with the records that each has come to."""
    read = (takewhile(lambda item: item[0] in drawn, stratum.records.items()) for stratum in strata)
    return strata[0]._replace(records=dict(chain.from_iterable(read)))


def _strata(parts: Iterable[ReviewedGrades]) -> Iterator[ReviewedStratum]:
    """Yield the records by how they came to be labelled, as if a grader had passed all of them."""
    for part in parts:
        labels = [Label(True, part.labels[entry.digest]) for entry in part.members if entry.digest in part.labels]
        yield ReviewedStratum(len(part.members), "pass", labels)


def _rate(strata: Sequence[ReviewedStratum]) -> Estimate:
    """Return the share of records that fail so, with the interval of those to come."""
    some = [stratum for stratum in strata if stratum.size]
    if len(some) > 1 and any(len(stratum.labels) < stratum.size for stratum in some):
        return grader_estimate(some).pass_rate.complement
    fine = [label.person for stratum in some for label in stratum.labels if label.person is not None]
    if not fine:
        return Estimate(None, None)
    share = fine.count(False) / len(fine)
    return Estimate(share, share_interval(share, len(fine)))


def _judged(
    name: str, grader: Grader, parts: Sequence[ReviewedGrades], labelled: Set[str], run: _Run
) -> JudgedCode:
    split, part = run.log.split_of(name), run.question.part
    if split is not None:
        parts = [item._replace(labels=_of_part(item.labels, split, part)) for item in parts]
    said = (grader.judge(entry) for entry in run.entries if entry.digest not in labelled)
    passes = [passed for passed in said if passed is not None]
    corrected = corrected_rate(strata_of(grader, parts), passes.count(True), len(passes))
    return JudgedCode(
        grader=grader_figures(grader, parts, scored=False, drawing=A_PASS),
        part=None if split is None else part,
        openings=() if split is None else run.log.openings(split),
        unlabelled=len(passes),
        failed=passes.count(False),
        corrected=corrected.rate.complement,
        clipped=corrected.clipped,
    )


def _of_part(labels: Mapping[str, bool | None], split: LabelSplit, part: LabelPart) -> Mapping[str, bool | None]:
    return {record: fine for record, fine in labels.items() if split.part_of(record) is part}


def _reading_order(entries: Iterable[Entry], log: Log) -> Mapping[str, int]:
    """Return the place of each record of which something stands that people said themselves, by when they began."""
    standing = {item.record for item in of_people(log) if item.proposal is None}
    read = standing & {entry.digest for entry in entries}
    said = (item.record for item in log.decisions if item.proposal is None and not is_program(item.reviewer))
    return {record: place for place, record in enumerate(dict.fromkeys(filter(read.__contains__, said)))}


def _since_new(order: Mapping[str, int], labels: Mapping[str, Sequence[_LabelOf]]) -> int | None:
    """Return how many records were read after the one that showed a new code."""
    shown = (
        [order[record] for record, label, _ in of_code if label.label is LabelValue.YES and record in order]
        for of_code in labels.values()
    )
    firsts = [min(places) for places in shown if places]
    return len(order) - 1 - max(firsts) if firsts else None
