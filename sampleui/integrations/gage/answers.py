"""Where its samples say what is expected: in their references, or their label."""

from __future__ import annotations

from sampleui.integrations.gage.conversion import paths, taking
from sampleui.integrations.integration import Answers

ANSWERS = Answers(paths, taking)
