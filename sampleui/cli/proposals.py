"""`sampleui proposals`: what programs proposed about a run and its decks, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from sampleui.cli import output
from sampleui.cli.arguments import answer_option, program_named
from sampleui.cli.opened_run import OpenedRun, on_run
from sampleui.cli.run_options import program_option
from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.review.decided import StatedProposal, as_data, stated
from sampleui.review.log.store import Log, undoing
from sampleui.review.verdict import ProposalState, subject_of
from sampleui.runs.decks import FoundDecks
from sampleui.text.confined import below_here
from sampleui.text.visible import one_line
from sampleui.workspace.edit_requests import as_data as request_data
from sampleui.workspace.proposed_edits import ProposalAnswer, ProposedEdit, answer, proposed_edits


class _Proposal(NamedTuple):
    """A proposal as it is listed: what JSON says of it, in words, and what takes it back."""

    data: Table
    words: str
    take_back: Callable[[], object]


@click.command("proposals")
@on_run()
@click.option(
    "--state",
    "states",
    type=click.Choice([str(state) for state in ProposalState]),
    multiple=True,
    help="Only those in this state; may be repeated.",
)
@click.option("--withdraw", metavar="PROPOSAL", help="Take back a proposal of one's own, by its id.")
@program_option
@answer_option()
def command(
    *,
    run: OpenedRun,
    states: tuple[str, ...],
    withdraw: str | None,
    agent: str | None,
) -> int:
    """Print what programs proposed about RESULTS and the decks that were run, and what became of it.

    A proposal is open, taken or refused by a person, withdrawn by its program (which also proposed something else
    instead), or passed over, where a person decided without a word of it. With --as only those of a program.

    --format json prints {"proposals": [...]}, each with its "proposal", which is the id, "agent", "time", "about"
    ("verdict", "place", "label", "code" or "edit"), "state", "by" and "when"; then what it says: as
    `sampleui comments` prints it, or "deck", "samples" and "edits".

    Example: sampleui proposals run.jsonl --as agent:claude --state refused

    Exit codes: 0 they are printed, or one is taken back; 2 a file could not be read, or there is no such proposal.
    """
    found, log, who = run.decks, run.log, program_named(agent)
    if withdraw is not None:
        if who is None:
            raise click.UsageError("a program takes its own back: name it by --as")
        wanted = (withdraw, who, str(ProposalState.OPEN))
        waits = [item for item in _all(log, found) if (*map(item.data.get, _KEY),) == wanted]
        if not waits:
            raise ResultsError(f"{who} has no proposal {withdraw} that waits", log.path)
        waits[0].take_back()
    listed = [
        item
        for item in _all(log, found)
        if who in (None, item.data["agent"]) and (not states or item.data["state"] in states)
    ]
    if output.in_json():
        output.json_value({"proposals": [item.data for item in listed]})
        return 0
    for item in listed:
        output.line(item.words)
    if not listed:
        output.line("no program proposed anything")
    return 0


_KEY = ("proposal", "agent", "state")
"""What tells a proposal that may be taken back from all others."""

_SAID = frozenset({"id", "reviewer", "kind", "proposed_by"})
"""What a proposal is told of by other names, or not at all."""


def _all(log: Log, decks: FoundDecks) -> Iterator[_Proposal]:
    for item in stated(log):
        yield _of_log(item, log)
    for deck in decks.decks:
        yield from (_of_deck(edits, below_here(deck.path)) for edits in proposed_edits(deck.path))


def _of_log(item: StatedProposal, log: Log) -> _Proposal:
    line = item.line
    head: Table = {"proposal": line.id, "agent": line.reviewer, "state": str(item.state)}
    answered: Table = {"about": subject_of(line)[0], "by": item.by, "when": item.when}
    said = {key: value for key, value in as_data(line).items() if key not in _SAID}
    comment = f": {one_line(line.comment, 2_000)}" if line.comment and line.formerly is None else ""
    about = f" on {line.record_id}" if line.record_id else ""
    words = f"{line.id} {item}: {line.reviewer}: {line.verdict_words.removeprefix('proposed ')}{about}{comment}"
    return _Proposal({**head, **answered, **said}, words, lambda: log.append(undoing(line)))


def _of_deck(item: ProposedEdit, deck: Path) -> _Proposal:
    head: Table = {"proposal": item.id, "agent": item.agent, "state": str(item.state), "time": item.time}
    answered: Table = {"about": "edit", "by": item.answered_by, "when": item.answered_at}
    said: Table = {"deck": str(deck), "samples": [*item.samples], "comment": item.comment or None}
    edits: list[Plain] = [request_data(edit) for edit in item.edits]
    about = one_line(", ".join(item.samples) or "beside the samples", 80)
    by = f" by {item.answered_by}" if item.answered_by else ""
    words = f"{item.id} {item.state}{by}: {item.agent}: an edit of {about} in {deck}"
    take_back = partial(answer, deck, item, item.agent, ProposalAnswer.WITHDRAW)
    return _Proposal({**head, **answered, **said, "edits": edits}, words, take_back)
