"""What status, score and answer of a row of several trials of AgentV stand for is said, and its counts are met."""

from __future__ import annotations

import pytest

from sampleui.integrations.agentv.results import parse_row
from sampleui.review.record import Outcome, outcome_of

GRADER = {"name": "contains-paris", "type": "contains", "score": 1, "weight": 1, "verdict": "pass"}


def row(score, status="ok", **more):
    return {"test_id": "a", "target": "one", "score": score, "execution_status": status, "scores": [GRADER], **more}


@pytest.mark.parametrize(
    ("made", "said"),
    [
        pytest.param(row(1), None, id="one trial"),
        pytest.param(row(0.667), "the score is of all of them", id="trials that are not listed"),
        pytest.param(row(0, "quality_failure"), None, id="a required grader that failed"),
        pytest.param(row(0.5, aggregation={"strategy": "mean"}), "the score is the mean of all", id="a mean"),
        pytest.param(row(1, aggregation={"strategy": "pass_at_k"}), "that of the best one", id="the best"),
    ],
)
def test_the_score_of_several_trials_is_said_to_be_that(made, said):
    reasoning = parse_row(made).details().reasoning
    assert (reasoning or "").endswith(said or "")
    assert (reasoning is None) is (said is None)


def test_a_test_of_which_a_trial_passed_counts_as_passed_as_in_the_summary_of_its_tool():
    entry = parse_row(row(0.333)).entry
    assert entry is not None
    assert outcome_of(entry) is Outcome.PASSED
