"""What loading refuses of evaluators, and what new ones of a case start as."""

from __future__ import annotations

from sampleui.integrations.integration import Checks
from sampleui.integrations.pydantic_evals.evaluators import RULES, refused_beside, starts

CHECKS = Checks(RULES, skeletons=starts, of_file=refused_beside)
