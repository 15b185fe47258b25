"""A run as a table of samples by targets."""

from __future__ import annotations

from itertools import product

import pytest

from sampleui.review.attempts import attempts_of
from sampleui.review.filters import Filters
from sampleui.review.record import Entry
from sampleui.review.reports.matrix import MatrixOrder, matrix_of_runs
from sampleui.review.reports.record_measures import Question
from sampleui.review.reports.run_figures import figures_of
from tests.review.build import results_of


def entry(index, sample, target=None, score=1.0, **facts):
    return Entry(sample_id=sample, target=target, score=score, index=index, **facts)


RUN = [
    entry(0, "a", "x"),
    entry(1, "a", "y", 0.0),
    entry(2, "b", "x", 0.0),
    entry(3, "b", "x", 1.0),
    entry(4, "b", "y", None, error="timeout"),
    entry(5, "c", "y", None),
    entry(6, "d", "x", None, trials=(1, 3), outcome=False),
]


def matrix_of(entries):
    return matrix_of_runs([("", entries)])


def cells(matrix):
    return {row.sample: [str(cell) for cell in row.cells] for row in matrix.rows}


def test_a_cell_is_a_sign_or_how_many_attempts_passed_and_empty_where_nothing_was_tried():
    matrix = matrix_of(RUN)
    assert matrix.targets == ("x", "y")
    assert cells(matrix) == {"a": ["✓", "✖"], "b": ["1/2", "!"], "c": ["", "–"], "d": ["1/3", ""]}
    assert matrix.rows[1].cells[0].records == (2, 3)


def test_attempts_without_an_outcome_are_marked_beside_those_that_have_one():
    matrix = matrix_of(
        [entry(0, "a"), entry(1, "a", score=None), entry(2, "b"), entry(3, "b", score=None, error="e")]
    )
    assert cells(matrix) == {"a": ["1/2–"], "b": ["1/2!"]}


def test_samples_are_sorted_by_disagreement_instability_or_name():
    matrix = matrix_of(reversed(RUN))
    orders = {order: [row.sample for row in matrix.ordered(order).rows] for order in MatrixOrder}
    assert orders[MatrixOrder.DISAGREEMENT][0] == "a"
    assert orders[MatrixOrder.INSTABILITY][:2] == ["b", "d"]
    assert orders[MatrixOrder.NAME] == ["a", "b", "c", "d"]


def test_a_sample_of_the_same_id_in_another_suite_is_another():
    matrix = matrix_of([entry(0, "a", suite="s"), entry(1, "a", suite="t", score=0.0)])
    assert [str(row.cells[0]) for row in matrix.rows] == ["✓", "✖"]
    assert matrix.names == ("s · a", "t · a")


def test_an_error_and_an_ungraded_attempt_are_no_disagreement():
    row = matrix_of([entry(0, "a", "x"), entry(1, "a", "y", None, error="e"), entry(2, "a", "z", None)]).rows[0]
    assert row.unevenness == (0, 0)


def test_several_runs_stand_side_by_side_by_sample_wherever_their_decks_lay():
    new = [entry(0, "a", "x", source="here/deck.yaml"), entry(1, "b", "x", source="here/deck.yaml")]
    old = [entry(0, "a", "x", 0.0, source="/elsewhere/deck.yaml"), entry(1, "gone", "x", source="deck.yaml")]
    matrix = matrix_of_runs([("new", new), ("old", old)])
    assert matrix.targets == ("new", "old")
    assert [column.run for column in matrix.columns] == [0, 1]
    assert cells(matrix) == {"a": ["✓", "✖"], "b": ["✓", ""], "gone": ["", "✓"]}
    other = matrix_of_runs([("new", new), ("old", [entry(0, "a", "y")])])
    assert other.targets == ("x · new", "y · old")
    both = matrix_of_runs([("new", [*new, entry(2, "a", "y")]), ("old", old)])
    assert both.targets == ("new · x", "new · y", "old · x")


def test_narrowing_keeps_samples_of_the_first_run_whole_and_the_columns_of_targets():
    matrix = matrix_of_runs([("new", RUN), ("old", [entry(1, "z", "x")])])
    assert cells(matrix.narrowed({3})) == {"b": ["1/2", "!", ""]}
    assert cells(matrix.narrowed({3}, Filters(target="y"))) == {"b": ["!"]}
    assert not matrix.narrowed(set()).rows


SAID = {
    "pass": {"score": 1.0},
    "fail": {"score": 0.0},
    "error": {"score": 0.0, "error": "timeout", "execution_status": "execution_error"},
    "open": {"output": "x"},
}


def told_unstable(results):
    """Return what the figures, the queue and the matrix say of the only sample of a run."""
    return (
        figures_of(results, Question()).attempts.unstable > 0,
        attempts_of(results.counted)[0].unstable,
        matrix_of(results.counted).rows[0].unevenness[1] > 0,
    )


@pytest.mark.parametrize("outcomes", product(SAID, repeat=3), ids="-".join)
def test_figures_queue_and_matrix_call_the_same_samples_unstable(tmp_path, outcomes):
    rows = [{"test_id": "a", "target": "m", "attempt": n, **SAID[name]} for n, name in enumerate(outcomes)]
    assert told_unstable(results_of(tmp_path, *rows)) == ({"pass", "fail"} <= set(outcomes),) * 3


def test_a_row_that_stands_for_attempts_is_unstable_by_what_it_says_of_them(tmp_path):
    row = {"test_id": "a", "target": "m", "score": 0.5, "trials": [{"score": 1}, {"score": 0}]}
    for more in ({}, SAID["error"]):
        assert told_unstable(results_of(tmp_path, {**row, **more})) == (True,) * 3
