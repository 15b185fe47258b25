"""What a new assertion of each kind begins with.

The kinds and their keys are those of AgentV 4.42's own schema of eval files (`eval-schema.json`); of kinds that it
spells in two ways the one with a hyphen is offered.
"""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.sample.fields import Start, Starts

_COMMON: Table = {"name": "", "weight": 1, "required": True, "min_score": 0.5, "negate": True}
_VALUED = ("contains", "icontains", "equals", "regex", "starts-with", "ends-with")
_LISTED = ("contains-all", "contains-any", "icontains-all", "icontains-any")


_MATCHES = ("exact", "ignore", "subset", "superset")


def _start(kind: str, required: Table, more: Table | None = None, **choices: tuple[str, ...]) -> Start:
    return Start({"type": kind, **required}, {**(more or {}), **_COMMON}, choices)


_ASSERTIONS = {
    **{kind: _start(kind, {"value": ""}) for kind in _VALUED[:1]},
    "rubrics": _start("rubrics", {"criteria": [""]}),
    "llm-grader": _start("llm-grader", {"prompt": ""}, {"rubrics": [""], "target": "", "model": ""}),
    "tool-trajectory": _start(
        "tool-trajectory",
        {"mode": "in_order", "expected": [{"tool": ""}]},
        {"minimums": {}, "args_match": "exact"},
        mode=("in_order", "any_order", "exact", "subset", "superset"),
        args_match=_MATCHES,
    ),
    **{kind: _start(kind, {"value": ""}) for kind in _VALUED[1:]},
    **{kind: _start(kind, {"value": [""]}) for kind in _LISTED},
    "is-json": _start("is-json", {}),
    "code-grader": _start("code-grader", {"command": [""]}, {"cwd": "", "target": "", "config": {}}),
    "field-accuracy": _start(
        "field-accuracy",
        {"fields": [{"path": "", "match": "exact"}]},
        {"aggregation": "weighted_average"},
        aggregation=("weighted_average", "all_or_nothing"),
    ),
    "latency": _start("latency", {"threshold": 0}),
    "cost": _start("cost", {"budget": 0}),
    "token-usage": _start("token-usage", {"max_total": 0}, {"max_input": 0, "max_output": 0}),
    "execution-metrics": _start(
        "execution-metrics",
        {"max_tool_calls": 0},
        {"max_llm_calls": 0, "max_tokens": 0, "max_cost_usd": 0, "max_duration_ms": 0},
    ),
    "composite": _start(
        "composite",
        {"assertions": [{"type": "contains", "value": ""}], "aggregator": {"type": "weighted_average"}},
    ),
}

STARTS: Starts = dict.fromkeys(("assertions", "assert", "evaluators"), _ASSERTIONS)
