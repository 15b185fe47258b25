"""When a record failed, by what, and how that is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sampleui.review.record import (
    Entry,
    EvaluatorScore,
    Grade,
    failed,
    failing_evaluators,
    in_short,
    missed,
    ungraded,
    why_failed,
)
from tests.review.build import entry


def told(outcome: bool | None, score: float | None = None, **more: object) -> Entry:
    return replace(entry(score=score, **more), outcome=outcome)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "fail_under", "fails"),
    [
        (told(False, 0.9), None, True),
        (told(True, 0.1), None, False),
        (told(False, 0.5), 0.5, False),
        (told(True, 0.4), 0.5, True),
        (told(False), 0.5, True),
        (told(True), 0.5, False),
        (told(True, 1.0, error="late"), 0.5, True),
        (told(True, 1.0, truth=2.0), None, True),
        (told(None, 0.5, verdict="fail"), 0.4, True),
    ],
)
def test_the_runner_and_the_threshold_asked_for_decide(found: Entry, fail_under: float | None, fails: bool) -> None:
    assert failed(found, fail_under) is fails


@pytest.mark.parametrize(
    ("score", "verdict", "fail_under", "misses"),
    [
        (0.8, None, None, False),
        (0.79, None, None, True),
        (None, None, None, False),
        (0.0, "pass", None, False),
        (1.0, "fail", None, True),
        (0.9, "borderline", None, False),
        (0.5, "borderline", None, True),
        (0.5, "fail", 0.5, False),
        (0.4, "pass", 0.5, True),
        (None, "fail", 0.5, True),
        (None, "pass", 0.5, False),
    ],
)
def test_when_an_evaluator_was_not_content(
    score: float | None, verdict: str | None, fail_under: float | None, misses: bool
) -> None:
    assert missed(Grade("judge", score, verdict), fail_under) is misses
    assert missed(EvaluatorScore("judge", None, score, verdict, None, ()), fail_under) is misses


def test_where_the_truth_is_known_an_evaluator_fails_that_missed_it() -> None:
    marks = (Grade("near", 2.0, "pass"), Grade("far", 0.0, None))
    assert failing_evaluators(entry(score=2.0, truth=2.0, grades=marks)) == ("far",)


JUDGED = (Grade("judge", 0.3, "fail"), Grade("tone", 0.4, None))


@pytest.mark.parametrize(
    ("found", "fail_under", "said"),
    [
        (entry(score=0.2, grades=JUDGED), None, "judge"),
        (entry(score=0.2, grades=JUDGED), 0.35, "0.2 < 0.35 by judge"),
        (entry(score=0.2), 0.35, "0.2 < 0.35"),
        (entry(score=0.35, grades=JUDGED), 0.35, ""),
        (entry(score=1.0, grades=JUDGED), None, ""),
        (entry(score=None, verdict="fail", grades=JUDGED), 0.35, "judge"),
        (entry(score=0.2, error="late", grades=JUDGED), None, "late"),
        (entry(score=0.2, truth=1.0, grades=JUDGED), None, ""),
        (entry(score=0.2, truth=1.0, error="late"), None, ""),
    ],
)
def test_why_a_record_failed_in_short(found: Entry, fail_under: float | None, said: str) -> None:
    assert in_short(found, fail_under) == said


@pytest.mark.parametrize(
    ("found", "fail_under", "why"),
    [
        (told(False, 0.9), None, ("score 0.9, failed by its runner",)),
        (told(False, 0.9), 0.95, ("score 0.9 is under 0.95",)),
        (told(False), None, ("its runner says so",)),
        (told(False, 0.9, verdict="fail"), None, ("verdict fail", "score 0.9, failed by its runner")),
        (told(None, 0.5, verdict="fail"), 0.5, ("verdict fail",)),
        (told(None, 0.8, verdict="fail"), None, ("verdict fail",)),
        (told(None, None, verdict="fail"), None, ("verdict fail",)),
        (told(True, 0.1), None, ()),
    ],
)
def test_why_a_record_failed(found: Entry, fail_under: float | None, why: tuple[str, ...]) -> None:
    assert why_failed(found, fail_under) == why


def test_who_answered_or_which_attempt_it_was_identifies_a_record() -> None:
    found = entry(sample="a", target="m")
    assert found.identity == (None, None, "a", "m", None)
    assert replace(found, target=None, attempt=2).identity == (None, None, "a", None, 2)
    assert replace(found, target=None).identity is None


def test_a_record_is_graded_by_what_any_of_its_evaluators_says() -> None:
    nothing = told(None)
    assert ungraded(nothing)
    assert ungraded(replace(nothing, grades=(Grade("judge", None, None),)))
    assert not ungraded(replace(nothing, grades=(Grade("judge", None, None), Grade("other", 0.0, None))))
    assert not ungraded(replace(nothing, grades=(Grade("judge", None, "fail"),)))
    assert not ungraded(told(False))
