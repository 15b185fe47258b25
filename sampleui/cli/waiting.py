"""`sampleui review --wait`: what people decided between the start of a review and its end."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from sampleui.cli import output
from sampleui.errors import ResultsError
from sampleui.formats.data import Plain
from sampleui.review.decided import as_data, decided_since, words
from sampleui.review.log.store import log_path, open_log
from sampleui.review.results.file import Results
from sampleui.review.verdict import LogAction
from sampleui.runs.decks import FoundDecks
from sampleui.text.visible import one_line
from sampleui.workspace.proposed_edits import ProposedEdit, proposed_edits

_POLL_S = 0.3
"""Seconds between two looks at whether a pane is there still."""


_MIN_REVIEW_S = 1.0
"""Seconds within which a review that decided nothing has probably not begun."""


class Since:
    """What is decided from now on about results, and about the edits that are proposed for their decks.

    Raises:
        ResultsError, SaveError: when the log or the proposals cannot be read.
    """

    def __init__(self, results: Results, decks: FoundDecks) -> None:
        self._log = log_path(results.path)
        self._decks = [deck.path for deck in decks.decks]
        self._known = frozenset(decision.id for decision in open_log(self._log).decisions)
        self._answered = {item.id: item.answer for item in self._edits()}

    def _edits(self) -> list[ProposedEdit]:
        return [item for path in self._decks for item in proposed_edits(path)]

    def told(self, form: str, lasted: float = _MIN_REVIEW_S) -> int:
        """Print what was decided since, and return the exit code.

        Args:
            form: `json` or `text`.
            lasted: how many seconds the review was open.

        Raises:
            ResultsError: when it was open for less than a second, and nothing came of it.
        """
        made = [*decided_since(open_log(self._log), self._known)]
        edits = [item for item in self._edits() if item.answer and item.answer != self._answered.get(item.id)]
        if not made and not edits and lasted < _MIN_REVIEW_S:
            raise ResultsError("the review ended at once: start it in a terminal without --wait to see why")
        if form == "json":
            decided: list[Plain] = [as_data(item) for item in made if item.kind is not LogAction.REFUSE]
            refused: list[Plain] = [as_data(item) for item in made if item.kind is LogAction.REFUSE]
            output.json_value({"decided": decided, "refused": refused, "edits": [_edit(item) for item in edits]})
            return 0
        for decision in made:
            output.line(words(decision))
        for item in edits:
            about = one_line(", ".join(item.samples) or "beside the samples", 80)
            output.line(f"{about}: {item.answer} the edit by {item.agent}, {item.answered_by}")
        if not made and not edits:
            output.line("nothing was decided")
        return 0


def _edit(item: ProposedEdit) -> Plain:
    return {
        "proposal": item.id,
        "agent": item.agent,
        "samples": [*item.samples],
        "comment": item.comment or None,
        "answer": None if item.answer is None else str(item.answer),
        "reviewer": item.answered_by,
    }


def in_pane_beside() -> float:
    """Run the same command in a pane of tmux beside this one, which has a terminal, and wait until it is left.

    Returns:
        How many seconds the pane was there.

    Raises:
        ResultsError: outside tmux, or where it opens no pane.
    """
    tmux = shutil.which("tmux") if os.environ.get("TMUX") else None
    if tmux is None:
        raise ResultsError("the review needs a terminal: start it in one, or inside tmux, where it opens a pane")
    here = os.environ.get("TMUX_PANE")
    tmux_call = [
        "split-window",
        "-h",
        *(["-t", here] if here else []),
        "-c",
        str(Path.cwd()).replace("#", "##"),  # or tmux would run what stands in #(…)
        "-P",
        "-F",
        "#{pane_id}",
    ]
    arguments = [word for word in sys.argv[1:] if word != "--wait"]
    opened = _asked(tmux, *tmux_call, "--", sys.executable, "-P", "-m", "sampleui", *arguments)
    pane = opened.stdout.strip()
    if opened.returncode or not pane:
        raise ResultsError(f"tmux opened no pane: {one_line(opened.stderr.strip() or 'it does not say why', 200)}")
    begun = time.monotonic()
    while pane in _asked(tmux, "list-panes", "-a", "-F", "#{pane_id}").stdout.split():
        time.sleep(_POLL_S)
    return time.monotonic() - begun


def _asked(tmux: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([tmux, *words], capture_output=True, text=True, check=False)
