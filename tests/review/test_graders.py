"""Graders held against people in a run: by what they gave, and which records that is."""

from __future__ import annotations

import pytest

from sampleui.review.log.store import log_path, open_log
from sampleui.review.reports.graders import graded_records, graders_of
from sampleui.review.sampling import Design, Population, draw_records, values_by
from sampleui.review.session import decision_about, draw
from sampleui.review.verdict import Verdict
from tests.review.build import results_of

SCORES = [0.0, 0.05, 0.1, 0.55, 0.57, 0.59, 0.85, 0.9, 1.0, 1.0]


def no_tables(_):
    return ()


def run(folder):
    """Return a run that passes from 0.8 on, and its log."""
    rows = [
        {"test_id": f"s{index}", "target": "m", "score": score, "scores": [{"name": "judge", "score": score}]}
        for index, score in enumerate(SCORES)
    ]
    results = results_of(folder, *rows)
    return results, open_log(log_path(results.path))


def decide(results, log, *said):
    """Decide records by index: whether the answer is right."""
    for index, right in said:
        failed = SCORES[index] < 0.8
        verdict = Verdict.GRADER_WRONG if failed is right else Verdict.OK if right else Verdict.MODEL_WRONG
        log.append(decision_about(results.record(index), verdict, "ann"))


def bins(results, log, name="judge"):
    figures = {item.evaluator: item for item in graders_of(results.counted, log, no_tables)}
    return {item.low: (item.records, item.reviewed, item.right.value) for item in figures[name].bins}


def test_right_answers_are_counted_by_the_score_of_an_evaluator(tmp_path):
    results, log = run(tmp_path)
    decide(results, log, *((index, index in {5, 6, 8, 9}) for index in range(10)))
    expected = {0.0: (2, 2, 0.0), 0.1: (1, 1, 0.0), 0.5: (3, 3, 1 / 3), 0.8: (1, 1, 1.0), 0.9: (3, 3, 2 / 3)}
    assert bins(results, log) == pytest.approx(expected)
    assert bins(results, log, None) == bins(results, log)


def test_bins_whose_passes_nobody_drew_are_not_known_and_drawn_ones_are(tmp_path):
    results, log = run(tmp_path)
    decide(results, log, *((index, False) for index in range(6)), (6, True))
    assert bins(results, log) == {
        0.0: (2, 2, 0),
        0.1: (1, 1, 0),
        0.5: (3, 3, 0),
        0.8: (1, 0, None),
        0.9: (3, 0, None),
    }
    log.keep_draw(draw(results, Design(4, Population.PASSED), "ann", lambda _: None))
    decide(results, log, (7, True), (8, False), (9, True))
    assert bins(results, log)[0.8] == (1, 1, 1.0)
    assert bins(results, log)[0.9] == (3, 3, pytest.approx(2 / 3))


def test_records_of_a_grader_are_those_that_its_figures_count(tmp_path):
    results, log = run(tmp_path)
    decide(results, log, (0, False), (1, True), *((index, False) for index in range(2, 6)))
    log.keep_draw(draw(results, Design(4, Population.PASSED), "ann", lambda _: None))
    decide(results, log, (6, True), (7, False), (8, True))
    figures = {item.evaluator: item for item in graders_of(results.counted, log, no_tables)}
    records = graded_records(results.counted, log, no_tables)
    for name in (None, "judge"):
        found = records[name]
        assert figures[name].counts == tuple(len(getattr(found, key)) for key in figures[name].counts._fields)
    assert records["judge"].failed_right == (1,) and records["judge"].open_passes == (9,)
    assert records["judge"].bins[0.0] == (0, 1)


def test_a_drawn_record_stays_in_its_stratum_and_of_new_strata_nothing_is_known(tmp_path):
    results, log = run(tmp_path)
    topics = {entry.index: "ab"[entry.index % 2] for entry in results.counted}

    def tables(entry):
        return ({"topic": topics[entry.index]},)

    drawn = draw_records(
        results.counted, Design(8, Population.ALL, ("topic",)), values_by(("topic",), tables), "ann"
    )
    log.keep_draw(drawn)
    first = {digest: entry for entry in results.counted for digest in drawn.records if entry.digest == digest}
    decide(results, log, *((entry.index, True) for entry in first.values()))
    before = graders_of(results.counted, log, tables)[0]
    assert before.reviewed == 8 and before.precision.value == 1
    topics[next(iter(first.values())).index] = "c"
    assert graders_of(results.counted, log, tables)[0] == before
    (left,) = (entry.index for entry in results.counted if entry.digest not in first and entry.index % 2)
    topics[left] = "c"
    after = graders_of(results.counted, log, tables)[0]
    assert after.records == 10 and after.agreement.value is None


def test_passes_drawn_by_strata_of_which_none_is_wrong_leave_wrong_ones_possible(tmp_path):
    results = results_of(
        tmp_path,
        *({"test_id": f"s{at}", "target": "ab"[at % 3 // 2], "score": min(at // 6, 1)} for at in range(36)),
    )
    log = open_log(log_path(results.path))
    for record in range(6):
        log.append(decision_about(results.record(record), Verdict.MODEL_WRONG, "ann"))
    drawn = log.keep_draw(draw(results, Design(12, Population.PASSED, ("target",)), "ann", lambda _: None))
    for entry in [entry for entry in results.counted if entry.digest in drawn.records]:
        log.append(decision_about(results.record(entry.index), Verdict.OK, "ann"))
    (grader,) = graders_of(results.counted, log, no_tables)
    assert (grader.true_negative_rate.value, grader.reviewed) == (1.0, 18)
    assert 0.2 < grader.true_negative_rate.interval.low < 0.9


def test_two_different_scores_have_no_bins(tmp_path):
    results = results_of(tmp_path, *({"test_id": f"s{index}", "score": index % 2} for index in range(4)))
    log = open_log(log_path(results.path))
    log.append(decision_about(results.record(0), Verdict.MODEL_WRONG, "ann"))
    assert bins(results, log, None) == {}
