"""AgentV's `feedback.json`: what a person says of the tests of a run, as its guide and its dashboard have it.

Source: AgentV 4.42, the skill `agentv-eval-writer` ("Human Review Checkpoint") for `per_case`, and the dashboard's
`/api/feedback` for `reviews`. One file serves both.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.review.handing_back import Decided, Handed, HandsBack, text_with
from sampleui.review.record import failing_evaluators
from sampleui.review.results.run_paths import run_of
from sampleui.review.verdict import Verdict

FEEDBACK = "feedback.json"
_VERDICTS = {
    Verdict.MODEL_WRONG: "incorrect",
    Verdict.EXPECTED_WRONG: "acceptable",
    Verdict.GRADER_WRONG: "acceptable",
    Verdict.FLAKY: "flaky",
    Verdict.OK: "acceptable",
}


def feedback_path(results: Path) -> Path:
    """Return where people's words on a run are: in its folder."""
    return (run_of(results) or results.parent) / FEEDBACK


def merged(before: Table, results: Path, decided: Sequence[Decided], complete: bool) -> Handed:
    """Return a feedback with decisions in it; cases and reviews of others stay."""
    cases, reviews = [*as_list(before.get("per_case"))], [*as_list(before.get("reviews"))]
    notes: list[str] = []
    for item in decided:
        if item.decision.verdict is None:  # a note is said of the test, below
            continue
        case = _case(item)
        keys = ("test_id", "target", "attempt")
        same = [index for index, other in enumerate(cases) if all(_of(other, key) == case.get(key) for key in keys)]
        by_reviewer = [
            index
            for index in same
            if (_of(cases[index], "reviewer") or before.get("reviewer")) == item.decision.reviewer
        ]
        if by_reviewer:
            cases[by_reviewer[-1]] = case
        else:
            cases.append(case)
            notes += [f"{item.name}: what others said of it stays"] if same else []
    by_test: dict[str, list[tuple[str, Decided]]] = {}
    for item in decided:
        by_test.setdefault(item.record.sample_id, []).append((item.record.target or "", item))
    for test_id, items in by_test.items():
        there = [index for index, other in enumerate(reviews) if _of(other, "test_id") == test_id]
        old = as_table(reviews[there[-1]]) if there else {}
        comment, _ = text_with(str(old.get("comment") or ""), items, str(Verdict.OK))
        time = max(item.decision.time for _, item in items)
        if not there:
            reviews.append({"test_id": test_id, "comment": comment or str(Verdict.OK), "updated_at": time})
        elif comment != old.get("comment"):
            reviews[there[-1]] = {**old, "comment": comment or str(Verdict.OK), "updated_at": time}
    reviewers = dict.fromkeys(item.decision.reviewer for item in decided)
    head: Table = {
        "run_id": (run_of(results) or results).name,
        "reviewer": ", ".join(reviewers),
        "timestamp": max((item.decision.time for item in decided), default=""),
        "overall_notes": f"{'all' if complete else 'not all'} records that failed or are ungraded are decided",
    }
    return Handed({**head, **before, "per_case": cases, "reviews": reviews}, tuple(notes))


def _of(value: Plain, key: str) -> Plain:
    return as_table(value).get(key)


def _case(item: Decided) -> Table:
    record, verdict = item.record, item.decision.verdict or Verdict.OK
    case: Table = {"test_id": record.sample_id, "verdict": _VERDICTS[verdict], "notes": item.words}
    case |= {"target": record.target} if record.target is not None else {}
    case |= {"attempt": record.attempt} if record.attempt is not None else {}
    wrong = failing_evaluators(record)
    if verdict is Verdict.GRADER_WRONG and wrong:
        case["evaluator_overrides"] = dict.fromkeys(wrong, item.words)
    return {**case, "reviewer": item.decision.reviewer}


HANDS_BACK = HandsBack(merged, feedback_path)
