"""What tells AgentV's eval cases from rows of results."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.integrations.agentv.dialect import AGENTV
from sampleui.sample.dialects.dialect import keys
from sampleui.sample.dialects.marks import RAN

_INPUT = keys("input")
_ANSWERED = RAN | keys("response prediction")


def uncounted(sample: Table) -> frozenset[str]:
    """Return the keys of a sample that count for nothing: an input with an answer alone is a result."""
    answered = sample.keys() & _ANSWERED and sample.keys() & AGENTV.weights.signs == _INPUT
    return _INPUT if answered else frozenset()
