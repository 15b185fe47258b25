"""How the outputs and the transcript of a run are read."""

from __future__ import annotations

from sampleui.integrations.integration import RunFiles
from sampleui.integrations.skills.results import hydrated

RUN_FILES = RunFiles(hydrate=hydrated)
