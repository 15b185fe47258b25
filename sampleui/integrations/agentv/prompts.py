"""What it sends for a sample: the prompts of a file of version 5, and what version 4 sends byte for byte."""

from __future__ import annotations

from sampleui.integrations.agentv.prompts_4 import rendered, request
from sampleui.integrations.agentv.prompts_5 import asked
from sampleui.integrations.integration import Prompts

PROMPTS = Prompts(asked, render_as=rendered, request=request)
