"""`sampleui proposals`: what programs proposed about a run and its decks, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
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


class _OfDeck(NamedTuple):
    """Edits that are proposed for a deck."""

    deck: Path
    edits: ProposedEdit


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
        _take_back(log, found, withdraw, who)
    listed = [
        item for item in _all(log, found) if _agent(item) in (who, _agent(item) if who is None else who)
        and (not states or str(_state(item)) in states)
    ]  # fmt: skip
    if output.in_json():
        output.json_value({"proposals": [*map(_data, listed)]})
        return 0
    for item in listed:
        output.line(_words(item))
    if not listed:
        output.line("no program proposed anything")
    return 0


def _all(log: Log, decks: FoundDecks) -> Iterator[StatedProposal | _OfDeck]:
    yield from stated(log)
    for deck in decks.decks:
        yield from (_OfDeck(below_here(deck.path), edits) for edits in proposed_edits(deck.path))


def _agent(item: StatedProposal | _OfDeck) -> str:
    return item.edits.agent if isinstance(item, _OfDeck) else item.line.reviewer


def _state(item: StatedProposal | _OfDeck) -> ProposalState:
    return item.edits.state if isinstance(item, _OfDeck) else item.state


def _take_back(log: Log, decks: FoundDecks, proposal: str, who: str) -> None:
    """Take back a proposal that waits. Raises ResultsError where the program has none of this id."""
    for item in _all(log, decks):
        if _state(item) is not ProposalState.OPEN or _agent(item) != who:
            continue
        if isinstance(item, _OfDeck) and item.edits.id == proposal:
            answer(item.deck, item.edits, who, ProposalAnswer.WITHDRAW)
            return
        if isinstance(item, StatedProposal) and item.line.id == proposal:
            log.append(undoing(item.line))
            return
    raise ResultsError(f"{who} has no proposal {proposal} that waits", log.path)


_SAID = frozenset({"id", "reviewer", "kind", "proposed_by"})
"""What a proposal is told of by other names, or not at all."""


def _data(item: StatedProposal | _OfDeck) -> Table:
    head: Table = {"proposal": "", "agent": _agent(item), "state": str(_state(item))}
    if isinstance(item, _OfDeck):
        proposed = item.edits
        edits: list[Plain] = [request_data(edit) for edit in proposed.edits]
        answered: Table = {"about": "edit", "by": proposed.answered_by, "when": proposed.answered_at}
        said: Table = {"deck": str(item.deck), "samples": [*proposed.samples], "comment": proposed.comment or None}
        return {**head, "proposal": proposed.id, "time": proposed.time, **answered, **said, "edits": edits}
    line = item.line
    shown = {key: value for key, value in as_data(line).items() if key not in _SAID}
    answered = {"about": subject_of(line)[0], "by": item.by, "when": item.when}
    return {**head, "proposal": line.id, **answered, **shown}


def _words(item: StatedProposal | _OfDeck) -> str:
    if isinstance(item, _OfDeck):
        about = one_line(", ".join(item.edits.samples) or "beside the samples", 80)
        by = f" by {item.edits.answered_by}" if item.edits.answered_by else ""
        return f"{item.edits.id} {item.edits.state}{by}: {item.edits.agent}: an edit of {about} in {item.deck}"
    line = item.line
    comment = f": {one_line(line.comment, 2_000)}" if line.comment and line.formerly is None else ""
    about = f" on {line.record_id}" if line.record_id else ""
    return f"{line.id} {item}: {line.reviewer}: {line.verdict_words.removeprefix('proposed ')}{about}{comment}"
