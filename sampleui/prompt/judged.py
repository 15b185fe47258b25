"""What a sample gives its graders besides the context: criteria, rubrics, evaluators, settings."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.sample.model import Sample

_KEYS = (
    *("expected_outcome", "criteria", "outcome", "rubrics", "evaluators", "evaluator", "assertions", "assert"),
    *("execution", "eval_config", "score"),
)
_BESIDE = ("evaluators", "assertions", "execution")


def judged_by(sample: Sample) -> Table:
    """Return the fields of a sample that its graders go by, and those of its file, which are named as such."""
    own: Table = {key: sample.data[key] for key in _KEYS if key in sample.data}
    return own | {f"{key} of the file": sample.context[key] for key in _BESIDE if key in sample.context}
