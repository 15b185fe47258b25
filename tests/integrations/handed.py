"""Verdicts given to the records of a run, and handed back to its tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sampleui.integrations.index import integration
from sampleui.review.handing_back import HandsBack, WrittenDecisions, hand_back
from sampleui.review.log.store import log_path, open_log
from sampleui.review.results.file import Results, open_results
from sampleui.review.verdict import Verdict
from tests.review.build import decide


def tool(name: str) -> HandsBack:
    made = integration(name).results().hands_back
    assert made is not None
    return made()


def opened(path: Path) -> Results:
    return open_results(path, ()).indexed()


def said(
    path: Path, *decisions: tuple[str, Verdict, str], reviewer: str = "ada", to: str = "skills"
) -> WrittenDecisions:
    results = opened(path)
    log = open_log(log_path(results.path))
    for record, verdict, comment in decisions:
        decide(results, log, record, verdict, reviewer, comment=comment)
    return hand_back(results, log, tool(to))


def feedback(folder: Path) -> Any:
    return json.loads((folder / "feedback.json").read_text(encoding="utf-8"))
