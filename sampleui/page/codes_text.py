"""What a report says of codes, as titles and lines: how many records fail so, and how judges do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sampleui.page.tables import Blocks, ReportSection, ReportTable
from sampleui.review.code_figures import CodeFigures, CodesFigures, JudgedCode
from sampleui.review.reports.joined_judges import WHOLE, same_name
from sampleui.review.reports.words import (
    caught_text,
    estimate_text,
    grader_words,
    let_pass_text,
    percent,
    rate_interval,
    reviewed_text,
)
from sampleui.review.sampling import LabelPart, SplitOpening
from sampleui.text.visible import one_line
from sampleui.text.wording import counted


def codes_sections(codes: CodesFigures) -> Iterator[ReportSection]:
    """Yield how many records fail in the way of each code, how judges do, and how programs were taken."""
    rows = [
        (
            item.code,
            percent(item.rate.value, item.rate.interval),
            rate_interval(item.rate.interval),
            labelled_text(item),
            f"{'' if item.complete else 'at least '}{item.found:,} of {item.records:,}",
        )
        for item in codes.codes
    ]
    notes = [words for item in codes.codes for words in code_notes(item)]
    yield (
        f"Codes: {progress_words(codes)}",
        (ReportTable(("code", "rate", "95%", "labelled", "found"), rows), *notes) if rows else ("No code yet.",),
    )
    judged = [(item.code, judge) for item in codes.codes for judge in item.judges]
    if judged:
        yield "Judges against labels", _judges(judged)
    if defined := [f"{item.code}: {item.definition}" for item in codes.codes if item.definition]:
        yield "Definitions of codes", tuple(defined)
    if codes.programs:
        taken = [(item.program, item.code, *(f"{count:,}" for count in item.counts)) for item in codes.programs]
        head = ("program", "code", "proposed", "taken", "refused")
        yield "Labels that programs proposed", (ReportTable(head, taken),)


def progress_words(codes: CodesFigures) -> str:
    """Say how many records were read, and how long ago the last new code was."""
    read = f"{codes.read:,} of {counted(codes.records, 'record')} read"
    if codes.since_new is None:
        return read
    ago = f"{counted(codes.since_new, 'record')} ago" if codes.since_new else "in the last record"
    return f"{read}, the last new code was {ago}"


def labelled_text(item: CodeFigures) -> str:
    """Return how many records a rate is of: `all 100`, `40 of 100`, and who could not say."""
    if not item.reviewed + item.skipped:
        return "none"
    of = f"all {item.records:,}" if item.complete else f"{item.reviewed + item.skipped:,} of {item.records:,}"
    return f"{of}, {item.skipped:,} cannot say" if item.skipped else of


def code_notes(item: CodeFigures) -> Iterator[str]:
    """Yield what labels of a code are in no rate, and why, a sentence each."""
    name = one_line(item.code, 80)
    beyond = item.drawn - item.reviewed - item.skipped
    others = [(item.hunted, "by hand"), (beyond, "in a pass over other records, or after one passed over")]
    others = [] if item.complete else others
    ways = [
        f"{number:,} {way}" for number, way in (*others, (item.taken, "as a program proposed it")) if number > 0
    ]
    if ways:
        yield f"{name}: labelled {' and '.join(ways)}, which is in no rate."
    if item.older:
        yield f"{name}: {counted(item.older, 'label')} of an earlier definition left out."
    if item.disputed:
        yield f"{name}: people say both of {counted(item.disputed, 'record')}."


def _judges(judged: Sequence[tuple[str, JudgedCode]]) -> Blocks:
    rows = [
        (
            code,
            judge.grader.evaluator or WHOLE,
            reviewed_text(judge.grader) + (f", {judge.part}" if judge.part else ""),
            caught_text(judge.grader),
            let_pass_text(judge.grader),
            estimate_text(judge.grader.precision),
            estimate_text(judge.grader.negative_predictive_value),
        )
        for code, judge in judged
    ]
    heads = ("catches failures", "passes good ones", "its passes right", "its failures wrong")
    notes = [
        f"{_named(judge.grader.evaluator or WHOLE, code)}: {words}"
        for code, judge in judged
        for words in judge_notes(judge)
    ]
    return (ReportTable(("code", "evaluator", "labels", *heads), rows), *notes)


def _named(evaluator: str, code: str) -> str:
    shown = one_line(evaluator, 80)
    return shown if same_name(evaluator, code) else f"{shown} on {one_line(code, 80)}"


def judge_notes(judge: JudgedCode) -> Iterator[str]:
    """Yield what there is to know of a judge beside its rates, a sentence each."""
    yield from grader_words(judge.grader)
    caught, passed = judge.grader.true_negative_rate.value, judge.grader.true_positive_rate.value
    if caught is not None and passed is not None and caught + passed < 1:
        yield "it is right less often than a coin: is what it passes what fails so?"
    if judge.unlabelled and judge.corrected.value is not None:
        unfit = "; its rates do not fit these records" if judge.clipped else ""
        yield (
            f"it fails {judge.failed:,} of {counted(judge.unlabelled, 'record')} that nobody labelled,"
            f" {percent(judge.failed / judge.unlabelled)}; corrected by how often it is right,"
            f" {estimate_text(judge.corrected)} of them fail so{unfit}."
        )
    yield from opening_words(judge.part, judge.openings)


def opening_words(part: LabelPart | None, openings: Sequence[SplitOpening]) -> Iterator[str]:
    """Say who looked at the test part of a split, and that more than one look makes it none."""
    if not openings:
        return
    looks = ", ".join(
        f"{opening.time[:10]} by {one_line(opening.reviewer, 40)} ({one_line(opening.evaluator, 60)})"
        for opening in openings
    )
    if len(openings) == 1:
        yield f"the test part was opened once: {looks}."
    else:
        yield f"the test part was opened {len(openings)} times, which makes it a part to tune on: {looks}."
