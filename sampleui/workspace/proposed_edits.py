"""Edits of a deck that programs propose: kept beside it in `NAME.proposals.jsonl` until a person answers them.

A line is an object of texts: `id`, `time`, `kind`, and for a proposal (`propose`) `agent`, `hash` (`deck_hash` of
the deck that it was made of), `comment`, and `edits`, a list of requests as `sampleui edit` reads them. An answer
(`take`, `refuse`) has `reviewer` and `proposal`, the id of what it answers; `reopen` takes an answer back. Unknown
keys, and lines of another kind, are ignored. A program answers nothing: a line in which it does counts for nothing,
but for `withdraw`, by which it takes back what it proposed itself. The same edits proposed twice are one proposal.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import EditRefusedError, PathError, SaveError
from sampleui.formats.data import Plain, Table, as_list
from sampleui.review.verdict import ProposalState, new_id, now
from sampleui.settings.reviewers import is_program, wrong_with
from sampleui.text.appending import MissingError, locked, read_from, whole_end, write_line
from sampleui.text.confined import real_path
from sampleui.workspace.deck import Deck
from sampleui.workspace.edit_requests import (
    EditOp,
    EditRequest,
    RequestError,
    addresses_by_place,
    as_data,
    deck_hash,
    make_edits,
    request_from,
)

SUFFIX = ".proposals.jsonl"
UNNAMED = "agent:unnamed"


class ProposalAnswer(StrEnum):
    """What a person says of a proposal."""

    TAKE = "take"
    REFUSE = "refuse"
    REOPEN = "reopen"
    WITHDRAW = "withdraw"


class ProposedEdit(NamedTuple):
    """Edits that a program proposes as one.

    Attributes:
        id: unique over all logs: 16 hex digits.
        time: UTC, as decisions note it.
        agent: who proposes: `agent:NAME`.
        deck: `deck_hash` of the deck of which they were made.
        edits: the requests, in their order.
        comment: why; empty for nothing.
        answer: what a person said of it last; None while it waits.
        answered_by: who said so.
        answered_at: when, likewise.
    """

    id: str
    time: str
    agent: str
    deck: str
    edits: tuple[EditRequest, ...]
    comment: str = ""
    answer: ProposalAnswer | None = None
    answered_by: str | None = None
    answered_at: str | None = None

    @property
    def state(self) -> ProposalState:
        """What became of it."""
        return ProposalState.OPEN if self.answer is None else _STATES[self.answer]

    @property
    def samples(self) -> tuple[str, ...]:
        """The names of the samples that it is about, those that it adds included; empty for values beside them."""
        names = (_added(edit) if edit.op is EditOp.ADD_SAMPLE else edit.sample for edit in self.edits)
        return tuple(dict.fromkeys(name for name in names if name))

    def made_of(self, deck: Deck) -> Deck:
        """Return a deck as the proposal would have it.

        Raises:
            EditError: when it cannot be made of the deck as it is now.
        """
        if addresses_by_place(self.edits) and deck_hash(deck.files) != self.deck:
            raise EditRefusedError(
                f"{deck.path.name} has changed since the proposal, which names a sample or an item by its number"
            )
        return make_edits(deck, self.edits)


_STATES = {
    ProposalAnswer.TAKE: ProposalState.TAKEN,
    ProposalAnswer.REFUSE: ProposalState.REFUSED,
    ProposalAnswer.WITHDRAW: ProposalState.WITHDRAWN,
}


def _added(edit: EditRequest) -> str:
    name = edit.value.get("id") if isinstance(edit.value, dict) else None
    return name if isinstance(name, str) and name else "a new sample"


def proposals_path(deck: Path) -> Path:
    """Return where the proposals for a deck are kept: `hello.toml` -> `hello.toml.proposals.jsonl`."""
    return deck.with_name(deck.name + SUFFIX)


def propose(deck: Deck, edits: Sequence[EditRequest], agent: str, comment: str = "") -> ProposedEdit:
    """Keep edits of a deck as a proposal, and return it when it is on the disk. They are not made.

    What the same program proposed before is returned as it was then, with its answer if a person refused it.

    Raises:
        SaveError: when it cannot be written.
    """
    proposed = ProposedEdit(new_id(), now(), agent, deck_hash(deck.files), tuple(edits), comment)
    before = next((item for item in proposed_edits(deck.path) if _counts_for(item, proposed)), None)
    if before is not None:
        return before
    row: Table = {
        "id": proposed.id,
        "time": proposed.time,
        "kind": "propose",
        "agent": agent,
        "hash": proposed.deck,
    }
    row |= {"comment": comment} if comment else {}
    _append(deck.path, {**row, "edits": [as_data(edit) for edit in edits]})
    return proposed


def _counts_for(before: ProposedEdit, proposed: ProposedEdit) -> bool:
    """Tell whether an earlier proposal is the same one: as it waits, or as a person refused it."""
    alike = (before.agent, before.edits, before.comment) == (proposed.agent, proposed.edits, proposed.comment)
    return alike and before.state in (ProposalState.OPEN, ProposalState.REFUSED)


def answer(deck: Path, proposed: ProposedEdit, reviewer: str, said: ProposalAnswer) -> None:
    """Note what a person says of a proposal, and return when it is on the disk; or that its program takes it back.

    Raises:
        SaveError: when it cannot be written, or a program says it.
    """
    if is_program(reviewer) and (said is not ProposalAnswer.WITHDRAW or reviewer != proposed.agent):
        raise SaveError(f"{reviewer} is a program, which takes and refuses no proposal")
    row: Table = {"id": new_id(), "time": now(), "kind": str(said), "reviewer": reviewer, "proposal": proposed.id}
    _append(deck, row)


def proposed_edits(deck: Path) -> tuple[ProposedEdit, ...]:
    """Return all proposals for a deck, answered ones included, in the order they were made; none without a file.

    Raises:
        SaveError: when they cannot be read.
    """
    path, root = _deck_and_root(deck)
    try:
        with locked(path, create=False, trusted=root) as descriptor:
            data = read_from(descriptor, 0, whole_end(descriptor).offset)
    except MissingError:
        return ()
    except OSError as error:
        raise SaveError(f"{path}: the proposals cannot be read: {error.strerror or error}") from error
    rows = [*_rows(data)]
    proposals = (proposed for row in rows if row.get("kind") == "propose" and (proposed := _proposed(row)))
    found: dict[str, ProposedEdit] = {}
    for proposed in proposals:
        found.setdefault(proposed.id, proposed)
    for row in sorted(rows, key=lambda row: (str(row.get("time")), str(row.get("id")))):  # a merge may mix lines
        if (answered := found.get(str(row.get("proposal")))) is not None:
            found[answered.id] = _answered(answered, row)
    first: list[ProposedEdit] = []
    for item in found.values():  # a program may have proposed it in two processes at once
        if item.answer is not None or not any(_counts_for(before, item) for before in first):
            first.append(item)
    return tuple(first)


def _answered(proposed: ProposedEdit, row: Table) -> ProposedEdit:
    """Return a proposal with the answer of a row, if that is one of somebody who may give it."""
    who, said = row.get("reviewer"), row.get("kind")
    if not isinstance(who, str) or said not in list(ProposalAnswer) or wrong_with(who):
        return proposed
    if (who != proposed.agent) if said == ProposalAnswer.WITHDRAW else is_program(who):
        return proposed
    if said == ProposalAnswer.REOPEN:
        return proposed._replace(answer=None, answered_by=None, answered_at=None)
    return proposed._replace(answer=ProposalAnswer(str(said)), answered_by=who, answered_at=str(row.get("time")))


def _proposed(row: Table) -> ProposedEdit | None:
    texts = {key: value for key, value in row.items() if isinstance(value, str)}
    if wrong_with(texts.get("agent", "")):
        return None
    try:
        edits = tuple(map(request_from, as_list(row.get("edits"))))
        return ProposedEdit(
            texts["id"], texts["time"], texts["agent"], texts["hash"], edits, texts.get("comment", "")
        )
    except (KeyError, RequestError, PathError):  # another version's
        return None


def _rows(data: bytes) -> Iterator[Table]:
    for line in data.split(b"\n"):
        try:
            row: Plain = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):  # one that its writer did not live to finish
            continue
        if isinstance(row, dict):
            yield row


def _append(deck: Path, row: Table) -> None:
    path, root = _deck_and_root(deck)
    line = json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace")
    try:
        with locked(path, create=True, trusted=root) as descriptor:
            torn = os.fstat(descriptor).st_size - whole_end(descriptor).offset
            write_line(descriptor, (b"\n" if torn else b"") + line + b"\n")
    except OSError as error:
        raise SaveError(f"{path}: the proposal was not written: {error.strerror or error}") from error


def _deck_and_root(deck: Path) -> tuple[Path, Path | None]:
    """Return where proposals for a deck lie, and the folder from which on no link is passed."""
    proposals = proposals_path(deck)
    path = real_path(proposals.parent) / proposals.name
    return path, Path(path.anchor) if path.is_absolute() else None
