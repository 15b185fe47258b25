"""What people say of promptfoo's results, as its viewer writes a rating: into a copy that `promptfoo import` takes.

Source: promptfoo 0.121.20, the server's `POST /api/eval/:evalId/results/:id/rating` for what a rating changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.integrations.promptfoo.failing import PERSON
from sampleui.review.handing_back import Decided, Handed, HandsBack

_MANUAL = "Manual result (overrides all other grading results)"
_ERROR = 2
"""The `failureReason` of a result that has no answer."""


def merged(before: Table, _results: Path, decided: Sequence[Decided], _complete: bool) -> Handed:
    """Return results with the ratings of people in them, and with counts that follow."""
    evaluated = before.get("results")
    container = as_table(evaluated) if isinstance(evaluated, dict) else before
    rows = [*as_list(container.get("results"))]
    row_of_id = {as_table(row).get("id"): index for index, row in enumerate(rows) if as_table(row).get("id")}
    named = Counter(as_table(row).get("id") for row in rows)
    left_out: list[str] = []
    stats, prompts = dict(as_table(container.get("stats"))), [*as_list(container.get("prompts"))]
    for item in decided:
        name, right = item.record.data.get("id"), item.is_right
        why = _why_not(item, right, named[name] if isinstance(name, str) else 0)
        if why:
            left_out.append(f"{item.name}: left out, {why}")
            continue
        assert right is not None
        row = as_table(rows[row_of_id[name]])
        rows[row_of_id[name]] = _rated(row, item, right)
        _count(stats, prompts, row, right)
    container = {**container, "results": rows}
    container |= {key: value for key, value in (("stats", stats), ("prompts", prompts)) if key in container}
    data = {**before, "results": container} if isinstance(evaluated, dict) else container
    return Handed(data, left_out=(*left_out,))


def _why_not(item: Decided, right: bool | None, found: int) -> str:
    """Return why a decision is no rating, in words; empty if it is one."""
    if right is None:
        return f"{item.decision.verdict_words} says neither that the answer is right nor that it is wrong"
    if item.record.data.get("failureReason") == _ERROR:
        return "an error has no answer to be rated"
    return "" if found == 1 else "its result has no id of its own, so that no rating finds it"


def _rated(row: Table, item: Decided, right: bool) -> Table:
    """Return a result as the viewer leaves it when a person has rated it."""
    grading = as_table(row.get("gradingResult"))
    score, comment = int(right), item.words
    parts = [part for part in as_list(grading.get("componentResults")) if not _is_of_a_person(part)]
    said: Table = {"pass": right, "score": score, "reason": _MANUAL, "comment": comment}
    parts.append({**said, "assertion": {"type": PERSON}})
    return {
        **row,
        "success": right,
        "score": score,
        "failureReason": int(not right),
        "gradingResult": {**grading, **said, "componentResults": parts},
    }


def _is_of_a_person(part: Plain) -> bool:
    return as_table(as_table(part).get("assertion")).get("type") == PERSON


def _count(stats: Table, prompts: list[Plain], row: Table, right: bool) -> None:
    """Let the counts of a run and of its prompt follow a rating of a result."""
    old, index = row.get("success") is True, row.get("promptIdx")
    parts = as_list(as_table(row.get("gradingResult")).get("componentResults"))
    rated = any(map(_is_of_a_person, parts))
    gained, lost = ("successes", "failures") if right else ("failures", "successes")
    if old is not right:
        _add(stats, gained, 1)
        _add(stats, lost, -1)
    if not isinstance(index, int) or not 0 <= index < len(prompts):
        return
    prompt = dict(as_table(prompts[index]))
    metrics = dict(as_table(prompt.get("metrics")))
    gained, lost = ("Pass", "Fail") if right else ("Fail", "Pass")
    if old is not right:
        _add(metrics, f"test{gained}Count", 1)
        _add(metrics, f"test{lost}Count", -1)
        score = row.get("score")
        _add(metrics, "score", int(right) - score if isinstance(score, int | float) else 0)
        if rated:
            _add(metrics, f"assert{lost}Count", -1)
    if old is not right or not rated:
        _add(metrics, f"assert{gained}Count", 1)
    prompts[index] = {**prompt, "metrics": metrics} if "metrics" in prompt else prompt


def _add(counts: Table, key: str, number: float) -> None:
    value = counts.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        counts[key] = value + number


HANDS_BACK = HandsBack(merged)
