"""Where its samples say what is expected."""

from __future__ import annotations

from sampleui.integrations.agentv.conversion import paths, taking
from sampleui.integrations.integration import Answers

ANSWERS = Answers(paths, taking)
