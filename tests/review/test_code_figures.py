"""Rates of codes, and judges held against their labels: what counts, and how often the intervals hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from sampleui.errors import ResultsError
from sampleui.review.code_figures import CodeFigures, CodeQuestion, code_figures, open_test_parts
from sampleui.review.labels import draw_pass
from sampleui.review.log.store import Log, line_of, line_of_draw, line_of_split, open_log
from sampleui.review.record import Entry, Grade
from sampleui.review.reports.graders import Grader
from sampleui.review.sampling import Design, Draw, LabelPart, LabelSplit, Population, draw_records, split_labels
from sampleui.review.verdict import Decision, LabelValue, LogAction, new_id, now
from tests.bench.conversations import FAULTS
from tests.review.build import entry

ALL = CodeQuestion()
YES, NO, UNSURE = LabelValue.YES, LabelValue.NO, LabelValue.UNSURE


def label(record: Entry, code: str, said: LabelValue | bool, **more: object) -> Decision:
    value = said if isinstance(said, LabelValue) else YES if said else NO
    about = {"record": record.digest, "record_id": record.id, "sample": record.sample_id, "reviewer": "ann"}
    given = {"code": code, "label": value, "definition": "", "kind": LogAction.LABEL}
    return Decision(**{**about, **given, **more})  # type: ignore[arg-type]


def log_of(folder: Path, lines: Iterable[Decision | Draw | LabelSplit]) -> Log:
    """Return a log with lines as they are, in their order."""
    (folder / ".git").mkdir(exist_ok=True)
    path = folder / "run.reviews.jsonl"
    written = {Draw: line_of_draw, LabelSplit: line_of_split, Decision: line_of}
    path.write_bytes(b"".join(written[type(line)](line) for line in lines))  # type: ignore[operator]
    return open_log(path)


def figures(entries: Sequence[Entry], log: Log, question: CodeQuestion = ALL) -> dict[str, CodeFigures]:
    return {item.code: item for item in code_figures(entries, log, lambda _: ({}, {}), question).codes}


def passed(entries: Sequence[Entry], truth: Iterable[bool], stop: int, code: str = "tone", seed: str = "7") -> list:
    """Return the lines of a pass that stopped after some records."""
    drawn = draw_pass(entries, (code,), "ann", seed)
    fails = dict(zip((item.digest for item in entries), truth, strict=True))
    by_digest = {item.digest: item for item in entries}
    read = [*drawn.records][:stop]
    return [drawn, *(label(by_digest[digest], code, fails[digest], drawn=drawn.id) for digest in read)]


RUN = [entry(index) for index in range(100)]
TRUTH = [index % 5 == 0 for index in range(100)]


def test_a_pass_that_stopped_is_a_random_sample(tmp_path):
    found = figures(RUN, log_of(tmp_path, passed(RUN, TRUTH, 40)))["tone"]
    assert (found.reviewed, found.complete) == (40, False)
    assert found.rate.value == found.failed / 40
    assert found.rate.interval.low < 0.2 < found.rate.interval.high


def test_what_was_searched_suggested_or_passed_over_is_in_no_rate(tmp_path):
    lines = passed(RUN, TRUTH, 40)
    alone = figures(RUN, log_of(tmp_path, lines))["tone"]
    drawn, *labels = lines
    others = [record for record in RUN if record.digest not in {item.record for item in labels}]
    hunted = [label(record, "tone", YES) for record in others[:10]]
    taken = [label(record, "tone", YES, proposal="p", proposed_by="agent:x") for record in others[10:15]]
    ahead = [label(others[-1], "tone", YES, drawn=drawn.id)] if [*drawn.records][40] != others[-1].digest else []
    found = figures(RUN, log_of(tmp_path, [*lines, *hunted, *taken, *ahead]))["tone"]
    assert (found.rate, found.reviewed) == (alone.rate, alone.reviewed)
    assert (found.hunted, found.taken) == (10, 5)
    assert found.found == alone.found + 15 + len(ahead)


def test_all_records_are_no_sample(tmp_path):
    lines = [label(record, "tone", fails) for record, fails in zip(RUN, TRUTH, strict=True)]
    found = figures(RUN, log_of(tmp_path, lines))["tone"]
    assert (found.complete, found.rate.value, found.reviewed) == (True, 0.2, 100)
    found = figures(RUN, log_of(tmp_path, lines[:-1]))["tone"]
    assert (found.rate.value, found.reviewed, found.found, found.hunted) == (None, 0, 20, 99)


def test_taken_proposals_of_all_records_are_no_rate(tmp_path):
    lines = [label(record, "tone", YES, proposal="p", proposed_by="agent:x") for record in RUN]
    found = figures(RUN, log_of(tmp_path, lines))["tone"]
    assert (found.rate.value, found.found, found.taken) == (None, 100, 100)


def test_two_people_who_pass_in_orders_of_their_own_read_one_sample_together(tmp_path):
    ann = passed(RUN, TRUTH, 30, seed="1")
    drawn, *labels = passed(RUN, TRUTH, 30, seed="2")
    bob = [replace(drawn, reviewer="bob"), *(replace(item, reviewer="bob") for item in labels)]
    both = {item.record for item in (*ann[1:], *bob[1:])}
    found = figures(RUN, log_of(tmp_path, [*ann, *bob]))["tone"]
    assert (found.reviewed, found.disputed) == (len(both), 0)
    assert 30 < len(both) <= 60


def test_records_that_people_dispute_count_as_cannot_say(tmp_path):
    lines = passed(RUN, TRUTH, 40)
    first = lines[1]
    other = replace(first, id="b" * 16, reviewer="bob", drawn=None, label=NO if first.label is YES else YES)
    found = figures(RUN, log_of(tmp_path, [*lines, other]))["tone"]
    assert (found.reviewed, found.disputed, found.skipped) == (40, 0, 0), "what bob hunted changes nothing"
    drawn = replace(lines[0], id="c" * 16, reviewer="bob")
    found = figures(RUN, log_of(tmp_path, [*lines, drawn, replace(other, drawn=drawn.id)]))["tone"]
    assert (found.reviewed, found.disputed, found.skipped) == (39, 1, 1)


def test_labels_of_an_earlier_definition_are_counted_apart(tmp_path):
    log = log_of(tmp_path, [label(RUN[0], "tone", YES, definition="0" * 16), *passed(RUN, TRUTH, 10)])
    found = figures(RUN, log)["tone"]
    assert (found.older, found.reviewed) == (1, 10)


def test_a_drawn_sample_has_its_chances(tmp_path):
    """A fifth of the records is long, fails four times as often, and half of what is read is of it."""
    run = [entry(index, tags=("long",) if index < 20 else ("short",)) for index in range(100)]
    truth = {record.digest: index % 5 < (4 if index < 20 else 1) for index, record in enumerate(run)}
    draw = draw_records(run, Design(40, by=("tag",), seed="2"), lambda item: (item.tags[0],), "ann")
    drawn = draw_pass(run, ("tone",), "ann", "1", among=draw)
    by_digest = {item.digest: item for item in run}
    lines = [draw, drawn]
    lines += [label(by_digest[digest], "tone", truth[digest], drawn=drawn.id) for digest in drawn.records]
    found = figures(run, log_of(tmp_path, lines))["tone"]
    parts = [(stratum.population, [truth[digest] for digest in stratum.records]) for stratum in draw.strata]
    assert found.rate.value == pytest.approx(sum(size * sum(of) / len(of) for size, of in parts) / 100)
    assert found.rate.interval.low < 0.32 < found.rate.interval.high
    assert found.reviewed == 40


def test_failures_that_were_drawn_alone_are_no_rate_of_all(tmp_path):
    run = [entry(index, score=float(index % 2)) for index in range(60)]
    draw = draw_records(run, Design(20, Population.FAILED), lambda _: (), "ann")
    drawn = draw_pass(run, ("tone",), "ann", "1", among=draw)
    by_digest = {item.digest: item for item in run}
    lines = [draw, drawn, *(label(by_digest[digest], "tone", YES, drawn=drawn.id) for digest in drawn.records)]
    found = figures(run, log_of(tmp_path, lines))["tone"]
    assert (found.rate.value, found.found) == (None, 20)


def test_the_last_new_code_was_some_records_ago(tmp_path):
    times = iter(f"2026-11-01T00:00:{second:02}.000000Z" for second in range(60))
    said = [(0, "tone"), (1, None), (2, "price"), (3, "tone"), (4, None), (5, "price")]
    note = {"kind": LogAction.NOTE, "label": None, "code": None, "definition": None, "comment": "seen"}
    lines = [
        label(RUN[index], code, YES, time=next(times))
        if code
        else replace(label(RUN[index], "", NO, time=next(times)), **note)
        for index, code in said
    ]
    found = code_figures(RUN, log_of(tmp_path, lines), lambda _: (), CodeQuestion())
    assert (found.read, found.since_new) == (6, 3)


def test_a_record_of_which_all_was_taken_back_is_not_read(tmp_path):
    log = log_of(tmp_path, [label(RUN[0], "tone", YES), label(RUN[1], "tone", NO, reviewer="bob")])
    log.undo("ann")
    assert code_figures(RUN, log, lambda _: (), CodeQuestion()).read == 1


def test_the_labels_of_a_record_are_read_as_often_whatever_there_are_of_codes(tmp_path, monkeypatch):
    asked = []
    read = Log.label_histories
    monkeypatch.setattr(Log, "label_histories", lambda *log, **more: asked.append(log) or read(*log, **more))
    counts = []
    for codes in (["a"], ["a", "b", "c", "d", "e", "f"]):
        log = log_of(tmp_path, [label(record, code, YES) for record in RUN for code in codes])
        asked.clear()
        code_figures(RUN, log, lambda _: (), CodeQuestion())
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 3 * len(RUN)


def two_people_and_a_program(run: Sequence[Entry]) -> list:
    """Return the lines of two passes, hunts, corrections, proposals, some of them taken, an undo and a split."""
    ann = passed(run, TRUTH, 40, seed="1")
    drawn, *labels = passed(run, [not fails for fails in TRUTH], 25, seed="2")
    bob = [replace(drawn, reviewer="bob"), *(replace(item, reviewer="bob") for item in labels)]
    program = [label(record, "tone", YES, reviewer="agent:x", kind=LogAction.PROPOSE) for record in run[:30]]
    taken = [
        label(record, "tone", YES, reviewer="bob", proposal=item.id, proposed_by="agent:x")
        for record, item in zip(run[:10], program, strict=False)
    ]
    later = [replace(item, id=new_id(), time=now(), label=UNSURE, drawn=None) for item in ann[1:4]]
    hunted = [label(record, "price", YES, reviewer="bob") for record in run[90:]]
    undone = [replace(hunted[0], id=new_id(), time=now(), kind=LogAction.UNDO, undoes=hunted[0].id, label=None)]
    return [*ann, *bob, *program, *taken, *later, *hunted, *undone, split_of(ann)]


@pytest.mark.parametrize("seed", range(8))
def test_figures_do_not_depend_on_the_order_of_merged_lines(tmp_path, seed):
    lines = two_people_and_a_program(RUN)
    grader = judge(TRUTH, Random(1))
    asked = CodeQuestion((grader,), codes=("tone",) if seed else ())
    expected = code_figures(RUN, log_of(tmp_path, lines), lambda _: (), asked)
    Random(seed).shuffle(lines)
    lines += lines[: seed % 3]  # as a merge may have them twice
    assert code_figures(RUN, log_of(tmp_path, lines), lambda _: (), asked) == expected
    assert expected.codes[-1].disputed > 0


# Judges


def judge(truth: Sequence[bool], random: Random, right: float = 0.9, caught: float = 0.75) -> Grader:
    passes = {
        record.digest: random.random() < (1 - caught if fails else right)
        for record, fails in zip(RUN, truth, strict=True)
    }
    return Grader("judge", lambda item: passes[item.digest], lambda _: None)


def test_a_judge_is_held_against_labels_and_corrects_the_rest(tmp_path):
    truth = [index % 2 == 0 for index in range(100)]
    grader = judge(truth, Random(1))
    log = log_of(tmp_path, passed(RUN, truth, 50))
    (found,) = figures(RUN, log, CodeQuestion((grader,)))["tone"].judges
    counts = found.grader.counts
    assert sum(counts) == found.grader.reviewed == 50
    assert counts.failed_wrong / (counts.failed_wrong + counts.passed_wrong) == pytest.approx(
        found.grader.true_negative_rate.value
    )
    assert (found.unlabelled, found.part) == (50, None)
    assert found.corrected.interval.low < 0.5 < found.corrected.interval.high


def test_an_evaluator_of_a_codes_name_is_held_against_it(tmp_path):
    run = [entry(index, grades=(Grade("Tone", None, "fail" if index % 5 == 0 else "pass"),)) for index in range(50)]
    log = log_of(tmp_path, passed(run, [index % 5 == 0 for index in range(50)], 50))
    (found,) = figures(run, log)["tone"].judges
    assert (found.grader.evaluator, found.grader.true_negative_rate.value) == ("Tone", 1.0)


def split_of(lines: Sequence[Decision | Draw]) -> LabelSplit:
    labels = {line.record: line.label is YES for line in lines if isinstance(line, Decision)}
    return split_labels(labels, "tone", "", "ann", "3")


def test_labels_are_split_alike_whoever_does_it_and_each_kind_in_the_same_shares():
    labels = {f"d{index}": index < 20 for index in range(100)}
    split = split_labels(labels, "tone", "", "ann", "3")
    assert split.parts == split_labels(dict(reversed(labels.items())), "tone", "", "bob", "3").parts
    assert split.parts != split_labels(labels, "tone", "", "ann", "4").parts
    shares = {
        part: [sum(labels[digest] is kind for digest in of) for kind in (True, False)]
        for part, of in split.parts.items()
    }
    assert shares == {LabelPart.TRAIN: [4, 16], LabelPart.DEV: [8, 32], LabelPart.TEST: [8, 32]}
    assert sum(map(len, split.parts.values())) == 100
    with pytest.raises(ResultsError, match="2 records are labelled yes"):
        split_labels({"a": True, "b": True, "c": False, "d": False, "e": False}, "tone", "", "ann", "3")


def test_a_judge_is_measured_on_the_part_that_is_asked_for_and_later_labels_are_dev(tmp_path):
    lines = passed(RUN, TRUTH, 60)
    split, grader = split_of(lines[:51]), judge(TRUTH, Random(1))
    log = log_of(tmp_path, [*lines, split])
    reviewed = {
        part: figures(RUN, log, CodeQuestion((grader,), part=part))["tone"].judges[0].grader.reviewed
        for part in LabelPart
    }
    assert reviewed == {
        LabelPart.TRAIN: len(split.parts[LabelPart.TRAIN]),
        LabelPart.DEV: len(split.parts[LabelPart.DEV]) + 10,
        LabelPart.TEST: len(split.parts[LabelPart.TEST]),
    }


def test_a_second_look_at_the_test_part_is_known_in_every_figure(tmp_path):
    lines = passed(RUN, TRUTH, 60)
    log, grader = log_of(tmp_path, [*lines, split_of(lines)]), judge(TRUTH, Random(1))
    question = CodeQuestion((grader,), part=LabelPart.TEST)
    for times in (1, 2):
        open_test_parts(RUN, log, question, "ann")
        for part in LabelPart:
            (found,) = figures(RUN, open_log(log.path), CodeQuestion((grader,), part=part))["tone"].judges
            assert [opening.evaluator for opening in found.openings] == ["judge"] * times


def test_only_labels_that_are_split_have_a_test_part(tmp_path):
    log = log_of(tmp_path, passed(RUN, TRUTH, 60))
    with pytest.raises(ResultsError, match="no labels are split into parts, of tone"):
        open_test_parts(RUN, log, CodeQuestion(part=LabelPart.TEST), "ann")


# Intervals


def review(folder: Path, seed: int, records: int = 100, stop: int = 40) -> dict[str, CodeFigures]:
    """Return what a review of a run finds that is drawn anew: a pass over six codes, and hunts for all of them."""
    random = Random(seed)
    run = [replace(entry(index), digest=f"{seed}-{index}") for index in range(records)]
    drawn = draw_pass(run, [fault.name for fault in FAULTS[:6]], "ann", str(seed))
    faults = {
        record.digest: {fault.name for fault in FAULTS[:6] if random.random() < fault.share} for record in run
    }
    by_digest = {record.digest: record for record in run}
    read = [*drawn.records][:stop]
    lines: list[Decision | Draw] = [drawn]
    for fault in FAULTS[:6]:
        lines += [
            label(by_digest[digest], fault.name, fault.name in faults[digest], drawn=drawn.id) for digest in read
        ]
        hunted = [record for record in run if record.digest not in read and fault.name in faults[record.digest]]
        lines += [label(record, fault.name, YES) for record in hunted[: random.randint(0, 5)]]
    return figures(run, log_of(folder, lines))


REVIEWS = 200


@pytest.mark.long
def test_intervals_of_codes_hold_the_truth_of_the_records_to_come(tmp_path):
    held = dict.fromkeys((fault.name for fault in FAULTS[:6]), 0)
    for seed in range(REVIEWS):
        found = review(tmp_path, seed)
        for fault in FAULTS[:6]:
            interval = found[fault.name].rate.interval
            held[fault.name] += interval.low <= fault.share <= interval.high
    assert {name: times for name, times in held.items() if times < 0.9 * REVIEWS} == {}
    assert sum(held.values()) >= 0.94 * REVIEWS * len(held)
