"""`sampleui review --wait`: what people decided since a moment, when they have left the review."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from sampleui.cli import output
from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.review.decided import Seen, as_data, decided_since, words
from sampleui.review.log.store import log_path, open_log
from sampleui.review.presence import is_reviewed
from sampleui.review.results.file import Results
from sampleui.review.verdict import Decision, LogAction
from sampleui.runs.decks import FoundDecks
from sampleui.settings.reviewers import is_program
from sampleui.text.visible import one_line
from sampleui.workspace.proposed_edits import ProposedEdit, proposed_edits

_POLL_S = 0.3
"""Seconds between two looks at whether a person is in the review still."""


class Since:
    """What is decided since a moment about results, and about the edits that are proposed for their decks.

    Args:
        results: the run.
        decks: the decks that were run.
        token: the moment, as an earlier answer has it; empty for now.

    Raises:
        ResultsError, SaveError: when the log or the proposals cannot be read.
        ValueError: when the token is none.
    """

    def __init__(self, results: Results, decks: FoundDecks, token: str = "") -> None:
        self.results = results.path
        self._log = log_path(results.path)
        self._decks = [deck.path for deck in decks.decks]
        self._seen = Seen.read(token) if token else self._now()

    def _now(self) -> Seen:
        return Seen.of(open_log(self._log), {name: str(item.answered_at) for name, item in self._answers()})

    def _answers(self) -> list[tuple[str, ProposedEdit]]:
        """Return the answers to proposed edits, by time, each with the name by which a token has it."""
        found = [
            (f"{path.name}\n{item.answered_by}", item)
            for path in self._decks
            for item in proposed_edits(path)
            if item.answer is not None and not is_program(str(item.answered_by))
        ]
        return sorted(found, key=lambda named: str(named[1].answered_at))

    @property
    def token(self) -> str:
        """The moment, for another call."""
        return self._seen.token

    def _new(self) -> tuple[list[Decision], list[ProposedEdit]]:
        edits = [item for name, item in self._answers() if str(item.answered_at) > self._seen.until.get(name, "")]
        return [*decided_since(open_log(self._log), self._seen)], edits

    @property
    def is_over(self) -> bool:
        """Whether something was decided since, and nobody is in the review."""
        return any(self._new()) and not is_reviewed(self.results)

    def wait(self, seconds: float | None, pane: Callable[[], bool] | None = None) -> None:
        """Wait until a person has left the review, for so many seconds at the most.

        Where nobody is in it, what was decided since is waited for. `pane` tells whether a pane is there still in
        which the review was opened.

        Raises:
            ResultsError: when that pane is gone, and nobody was in the review.
        """
        end = math.inf if seconds is None else time.monotonic() + seconds
        was_open = False
        while True:
            is_open = is_reviewed(self.results)
            if (was_open and not is_open) or time.monotonic() >= end or (not is_open and self.is_over):
                return
            if pane is not None and not is_open and not pane():
                raise ResultsError("the review ended at once: start it in a terminal without --wait to see why")
            was_open = was_open or is_open
            time.sleep(_POLL_S)

    def told(self, form: str) -> int:
        """Print what was decided since, and return the exit code: 1 where a person is in the review still."""
        made, edits = self._new()
        is_open, token = is_reviewed(self.results), self._now().token
        if form == "json":
            decided: list[Plain] = [as_data(item) for item in made if item.kind is not LogAction.REFUSE]
            refused: list[Plain] = [as_data(item) for item in made if item.kind is LogAction.REFUSE]
            answered: list[Plain] = [*map(_edit, edits)]
            of_edits: Table = {"edits": answered, "token": token}
            output.json_value({"open": is_open, "decided": decided, "refused": refused, **of_edits})
            return int(is_open)
        for decision in made:
            output.line(words(decision))
        for item in edits:
            about = one_line(", ".join(item.samples) or "beside the samples", 80)
            output.line(f"{about}: {item.answer} the edit by {item.agent}, {item.answered_by}")
        if not made and not edits:
            output.line("nothing was decided")
        output.complain(f"what is decided from now on is told with --since {token}")
        return int(is_open)


def _edit(item: ProposedEdit) -> Plain:
    return {
        "proposal": item.id,
        "agent": item.agent,
        "samples": [*item.samples],
        "comment": item.comment or None,
        "answer": None if item.answer is None else str(item.answer),
        "reviewer": item.answered_by,
    }


def pane_beside() -> Callable[[], bool] | None:
    """Run the same command in a pane of tmux beside this one, which has a terminal; it goes on without this one.

    Returns:
        What tells whether the pane is there still; None outside tmux, where none is opened.

    Raises:
        ResultsError: when tmux opens no pane.
    """
    tmux = shutil.which("tmux") if os.environ.get("TMUX") else None
    if tmux is None:
        return None
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
    opened = _asked(tmux, *tmux_call, "--", sys.executable, "-P", "-m", "sampleui", *review_words(sys.argv[1:]))
    pane = opened.stdout.strip()
    if opened.returncode or not pane:
        raise ResultsError(f"tmux opened no pane: {one_line(opened.stderr.strip() or 'it does not say why', 200)}")
    return lambda: pane in _asked(tmux, "list-panes", "-a", "-F", "#{pane_id}").stdout.split()


def review_words(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of a review without those that say how it is waited for."""
    left, words = iter(arguments), []
    for word in left:
        if word in _OF_WAITING:
            next(left, None)
        elif word != "--wait" and not word.startswith(tuple(f"{name}=" for name in _OF_WAITING)):
            words.append(word)
    return words


_OF_WAITING = ("--since", "--for", "--format")


def _asked(tmux: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([tmux, *words], capture_output=True, text=True, check=False)
