"""What people said of the runs of an iteration: `feedback.json`, in both forms in use, read and written.

skill-creator's viewer writes `{"reviews": [{"run_id", "feedback", "timestamp"}], "status"}`, where `run_id` is the
path of a run below the iteration with `-` for `/`; the pages of agentskills.io have a map of the folders of evals.
An empty feedback means that it was looked at and found fine.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.integrations.skills.layout import FEEDBACK
from sampleui.text.confined import Refusal, read_confined

MAX_FEEDBACK = 16 << 20
"""Bytes of a `feedback.json` that are read."""

FINE = "looked at, and found fine"


class Said(NamedTuple):
    """What was said.

    Attributes:
        about: of what: the path of a run with `-` for `/`, or the name of an eval's folder.
        text: what; empty if it was found fine.
        of_eval: whether it is of an eval with all its runs.
    """

    about: str
    text: str
    of_eval: bool

    def is_of(self, run: str) -> bool:
        """Tell whether it is about a run, given its path below the iteration."""
        if self.of_eval:
            return self.about == run or self.about in run.split("/")
        return self.about == run_id(run)


def run_id(run: str) -> str:
    """Return what a run is called, given its path below the iteration."""
    return run.replace("/", "-")


def said_in(iteration: Path) -> tuple[Said, ...]:
    """Return what was said of an iteration; nothing where that cannot be read."""
    read = read_confined(FEEDBACK, (iteration,), iteration, MAX_FEEDBACK)
    if isinstance(read, Refusal):
        return ()
    try:
        data: Plain = json.loads(read.data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return ()
    return said_by(as_table(data))


def said_by(data: Table) -> tuple[Said, ...]:
    """Return what a feedback says, in either form."""
    if "reviews" in data:
        reviews = [as_table(item) for item in as_list(data["reviews"])]
        return tuple(
            Said(str(item["run_id"]), str(item.get("feedback") or ""), of_eval=False)
            for item in reviews
            if isinstance(item.get("run_id"), str)
        )
    return tuple(Said(name, text, of_eval=True) for name, text in data.items() if isinstance(text, str))
