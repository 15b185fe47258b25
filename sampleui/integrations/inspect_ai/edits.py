"""Decisions about a log of Inspect as the arguments of its `edit_score` (0.3.285). The log is never written."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.formats.data import Plain, Table
from sampleui.integrations.inspect_ai.scores import marks
from sampleui.review.record import Record, missed
from sampleui.review.results.adapters import fields
from sampleui.review.verdict import Decision, Verdict

UNCHANGED = "UNCHANGED"
"""What Inspect calls a part of a score that an edit leaves as it is."""

_OTHERWISE: dict[Plain, Plain] = {"C": "I", "I": "C", "N": "C", True: False, False: True}


def score_edits(record: Record, decision: Decision) -> Iterator[Table]:
    """Yield an edit for each score that failed of a record with a decision.

    It says who decided what and why. The value is another one only where the one scorer that failed was found
    wrong and its value has an opposite; any other value is for a person to set.
    """
    names = _scorers(record)
    scores = fields.table(record.data.get("scores"))
    for name in names:
        value = fields.table(scores[name]).get("value")
        edited = _otherwise(value) if len(names) == 1 and decision.verdict is Verdict.GRADER_WRONG else UNCHANGED
        yield {
            "sample_id": record.data["id"],
            "epoch": record.attempt,
            "score_name": name,
            "edit": {"value": edited, "provenance": _provenance(decision)},
        }


def _scorers(record: Record) -> list[str]:
    """Return the scorers that failed, all if none did."""
    scores = fields.table(record.data.get("scores"))
    failing = [name for name, score in scores.items() if any(map(missed, marks({name: score})))]
    return failing or [*scores]


def _otherwise(value: Plain) -> Plain:
    return _OTHERWISE.get(value, UNCHANGED) if isinstance(value, str | bool) else UNCHANGED


def _provenance(decision: Decision) -> Table:
    reason = ": ".join(item for item in (str(decision.verdict), decision.comment) if item)
    return {"timestamp": decision.time, "author": decision.reviewer, "reason": reason}
