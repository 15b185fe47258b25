"""How its assertions are judged: they are spelled as AgentV's are."""

from __future__ import annotations

from sampleui.integrations import index

GRADING = index.integration("agentv").grading()
