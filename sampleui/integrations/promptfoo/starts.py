"""What an assertion of each usual kind starts as (promptfoo's documentation of assertions and metrics)."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.sample.fields import Start, Starts

_MORE: Table = {"weight": 1, "metric": "", "transform": ""}
_TEXTS = (
    "contains",
    "icontains",
    "equals",
    "regex",
    "starts-with",
    "llm-rubric",
    "javascript",
    "python",
)
_LISTS = ("contains-all", "contains-any", "icontains-all", "icontains-any")
_BARE = ("is-json", "is-refusal", "is-valid-openai-tools-call")
_LIMITS = ("latency", "cost", "similar", "answer-relevance")

STARTS: Starts = {
    "assert": {
        **{kind: Start({"type": kind, "value": ""}, {"threshold": 0.5, **_MORE}) for kind in _TEXTS},
        **{kind: Start({"type": kind, "value": [""]}, _MORE) for kind in _LISTS},
        **{kind: Start({"type": kind}, {"value": "", **_MORE}) for kind in _BARE},
        **{kind: Start({"type": kind, "threshold": 0}, {"value": "", **_MORE}) for kind in _LIMITS},
        "similar": Start({"type": "similar", "value": "", "threshold": 0.8}, _MORE),
    }
}
