"""`sampleui review`: step through failed samples, decide, fix the deck, go on.

With --wait it prints what people decided since a moment, when they have left the review.
"""

from __future__ import annotations

import math
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.app import review, settings_beside
from sampleui.cli.arguments import FILE, answer_option, plain_option
from sampleui.cli.opened_run import OpenedRun
from sampleui.cli.run_options import (
    deck_option,
    id_option,
    order_option,
    results_argument,
    reviewer_option,
    scorer_option,
    threshold_option,
)
from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.review.decided import Seen, as_data, decided_since, words
from sampleui.review.log.store import log_path, open_log
from sampleui.review.presence import is_reviewed
from sampleui.review.queue import Order, ReviewOptions
from sampleui.review.results.file import Results
from sampleui.review.sampling import Design, Population
from sampleui.review.session import found_entry
from sampleui.review.verdict import Decision, LogAction, person
from sampleui.runs.decks import FoundDecks
from sampleui.settings.reviewers import is_program
from sampleui.text.visible import one_line
from sampleui.workspace.proposed_edits import ProposedEdit, proposed_edits

_POLL_S = 0.3
"""Seconds between two looks at whether a person is in the review still."""

_OF_WAITING = ("--since", "--for", "--format")


@click.command("review")
@results_argument
@deck_option
@threshold_option
@scorer_option
@click.option("--all", "everything", is_flag=True, help="Show the records that passed too.")
@reviewer_option
@order_option
@click.option("--baseline", type=FILE, help="An earlier run to compare with.")
@id_option("Begin with this record; #N is the N-th.", default="")
@click.option("--sample", "size", type=click.IntRange(1), help="Draw this many records at random.")
@click.option(
    "--from",
    "source",
    type=click.Choice([*map(str, Population)]),
    default="all",
    help="Draw from the records that passed, failed or are ungraded.",
)
@click.option(
    "--by",
    multiple=True,
    metavar="FIELD",
    help="Draw from each target, tag, outcome, suite or value of a field in proportion; may be repeated.",
)
@click.option("--seed", metavar="SEED", default="1", help="The same seed draws the same records of the same run.")
@click.option(
    "--wait", is_flag=True, help="Print what was decided when the person leaves; in tmux in a pane beside."
)
@click.option("--since", metavar="TOKEN", help="With --wait, what was decided since an answer that had this token.")
@click.option(
    "--for", "seconds", metavar="SECONDS", type=click.FloatRange(min=0), help="Wait no longer, at the most."
)
@answer_option()
@plain_option
def command(
    *,
    results: Path,
    decks: tuple[Path, ...],
    fail_under: float | None,
    scorer: str | None,
    everything: bool,
    reviewer: str | None,
    order: str,
    baseline: Path | None,
    record_id: str,
    size: int | None,
    source: str,
    by: tuple[str, ...],
    seed: str,
    plain: bool | None,
    wait: bool,
    since: str | None,
    seconds: float | None,
) -> int:
    """Step through the failed records of RESULTS in the app.

    RESULTS is a file of results (JSON, JSON Lines, YAML, TOML, CSV), a log, the folder of a run, or a folder of
    runs or logs, of which the latest is opened; the tools are listed in the documentation. Verdicts are kept beside
    it in NAME.reviews.jsonl. A review needs no deck, but samples can only be fixed where there is one. With
    --sample the queue is a random sample, whose chances are kept in that file too, so that figures can be weighted.
    With --wait what people decided meanwhile is printed when they have left the review, with --format json as
    {"open", "decided", "refused", "edits", "token"}. Without a terminal of its own it attaches to the review that a
    person is in, opens one in a pane beside, in tmux, or says how a person opens it. The review goes on if the one
    who waits is ended; --since TOKEN, with the token that is said first and last, tells all since. --for SECONDS
    waits no longer, and 0 not at all.
    Exit codes: 0 the app was left, 1 --wait ended while a person is in the review, 2 a file could not be read,
    there is no such record, or no such sample can be drawn.
    """
    if size is None and (by or source != Population.ALL):
        raise click.UsageError("--from and --by go with --sample: they say what it is drawn from")
    design = None if size is None else Design(size, Population(source), by, seed)
    if not wait and (since is not None or seconds is not None):
        raise click.UsageError("--since and --for go with --wait")
    if wait:
        run = OpenedRun(results, decks, reviewer=reviewer, fail_under=fail_under, scorer=scorer)
        person(run.settings.reviewer_name, results)
        if record_id:
            found_entry(run.results, record_id)
        try:
            moment = Since(run.results, run.decks, since or "")
        except ValueError as error:
            raise click.BadParameter("not a token that this command printed", param_hint="--since") from error
        if seconds is not None or not output.interactive():
            _wait(moment, seconds)
            return moment.told("json" if output.in_json() else "text")
    settings = settings_beside(results, reviewer=reviewer, fail_under=fail_under, scorer=scorer, plain=plain)
    options = ReviewOptions(
        results,
        settings.reviewer_name,
        decks,
        settings.asked_threshold,
        everything,
        Order(order),
        baseline,
        sample=design,
        record_id=record_id,
    )
    code = review(options, settings)
    return moment.told("json" if output.in_json() else "text") if wait and code == 0 else code


def _wait(moment: Since, seconds: float | None) -> None:
    """Wait for the end of a review that a person is in or is to begin, in a pane beside or where they are told."""
    output.complain(f"waiting; if this is ended, the review goes on: ask again with --since {moment.token}")
    pane = None
    if is_reviewed(moment.results):
        output.complain("a person is in the review")
    elif seconds != 0 and not moment.is_over and (pane := _pane_beside()) is None:
        opens = shlex.join(["sampleui", *_review_words(sys.argv[1:])])
        output.complain(f"a person opens it, in a terminal: {opens}")
    moment.wait(seconds, pane)


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


def _pane_beside() -> Callable[[], bool] | None:
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
    opened = _asked(tmux, *tmux_call, "--", sys.executable, "-P", "-m", "sampleui", *_review_words(sys.argv[1:]))
    pane = opened.stdout.strip()
    if opened.returncode or not pane:
        raise ResultsError(f"tmux opened no pane: {one_line(opened.stderr.strip() or 'it does not say why', 200)}")
    return lambda: pane in _asked(tmux, "list-panes", "-a", "-F", "#{pane_id}").stdout.split()


def _review_words(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of a review without those that say how it is waited for."""
    left, words = iter(arguments), []
    for word in left:
        if word in _OF_WAITING:
            next(left, None)
        elif word != "--wait" and not word.startswith(tuple(f"{name}=" for name in _OF_WAITING)):
            words.append(word)
    return words


def _asked(tmux: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([tmux, *words], capture_output=True, text=True, check=False)
