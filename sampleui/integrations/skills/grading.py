"""Which statements of an eval held in a run; nothing is judged again."""

from __future__ import annotations

from sampleui.integrations.integration import Grading
from sampleui.integrations.skills.results import recorded_outcomes

GRADING = Grading(recorded_outcomes=recorded_outcomes)
