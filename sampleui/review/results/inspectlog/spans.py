"""Which events of a log are the run's own, and which are those of grading it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sampleui.formats.data import Plain, Table

_GRADING = ("scorers", "scorer")


def run_events(events: Sequence[Table]) -> Iterator[Table]:
    """Yield the events that are not in the span of a scorer, or between the marks of older logs."""
    grading: set[Plain] = set()
    steps = 0
    for event in events:
        kind, inside = event.get("event"), event.get("span_id")
        if kind == "span_begin" and isinstance(event.get("id"), str):
            if event.get("type") in _GRADING or _held(event.get("parent_id"), grading):
                grading.add(event["id"])
        elif kind == "step" and (event.get("type") in _GRADING or steps):
            steps = max(steps + (1 if event.get("action") == "begin" else -1), 0)
        elif not steps and not _held(inside, grading):
            yield event


def _held(value: Plain, among: set[Plain]) -> bool:
    return isinstance(value, str) and value in among
