"""What `sampleui verdict` and `sampleui comment` record, of a record or from lines: all of it or nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from sampleui.cli import output
from sampleui.cli.deck_arguments import text_of
from sampleui.cli.opened_run import OpenedRun
from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.review.decided import StatedProposal, stated
from sampleui.review.labels import known_code
from sampleui.review.log.store import Log
from sampleui.review.results.file import Results
from sampleui.review.session import Remark, found_entry, what_is_said
from sampleui.review.verdict import Decision, LogAction, ProposalState, Verdict

REFUSED_BEFORE = 1
_KEYS = frozenset({"record", "id", "verdict", "comment", "adjudicate"})


def said_in(file: Path) -> list[Remark]:
    """Return what lines of JSON say: {"record": ID, "verdict": VERDICT, "comment": TEXT, "adjudicate": true}.

    Raises:
        ResultsError: for a line that says nothing, with its number.
    """
    said = [_said(line, file, number) for number, line in enumerate(text_of(file).split("\n"), 1) if line.strip()]
    if not said:
        raise ResultsError("there are no lines", file)
    return said


def _said(line: str, file: Path, number: int) -> Remark:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"it is not JSON: {error}", file, number) from None
    if not isinstance(row, dict):
        raise ResultsError("it is no object", file, number)
    if unknown := sorted(row.keys() - _KEYS):
        raise ResultsError(f"a line does not take {', '.join(unknown)}", file, number)
    record, verdict, comment = row.get("record", row.get("id")), row.get("verdict"), row.get("comment")
    if not isinstance(record, str | int) or record == "" or isinstance(record, bool):
        raise ResultsError('it needs a "record", the id of one', file, number)
    if verdict not in (None, *Verdict):
        raise ResultsError(f"there is no verdict {verdict}; it is one of {', '.join(Verdict)}", file, number)
    if not isinstance(comment, str | None) or not (verdict or (comment or "").strip()):
        raise ResultsError('it needs a "verdict" or a "comment", a text', file, number)
    return Remark(
        str(record), verdict and Verdict(verdict), comment, adjudicate=row.get("adjudicate") is True, line=number
    )


def say(run: OpenedRun, said: Sequence[Remark], *, codes: tuple[str, ...] = (), lines: Path | None = None) -> int:
    """Record verdicts and comments, say so, and return the exit code.

    Raises:
        ResultsError: when one of them cannot be recorded; none is then.
    """
    read, who, samples = run.results, run.reviewer, run.samples
    log = run.carried_log if codes or any(item.adjudicate for item in said) else run.log
    known = tuple(known_code(log, name) for name in codes)
    made: dict[str, Decision] = {}
    wanted: list[Decision] = []
    labels: list[Decision] = []
    for item in said:
        try:
            entry = found_entry(read, item.record_id)
            before = made.get(entry.digest)
            line, *of_codes = what_is_said(read, log, item._replace(codes=known), who, samples, before=before)
        except ResultsError as error:
            raise ResultsError(error.message, lines or error.path, item.line or error.line) from None
        wanted.append(line)
        labels += of_codes
        if line.verdict is not None:
            made[entry.digest] = line
    kept = log.append_all([*wanted, *labels])[: len(wanted)]
    states = {item.line.id: item for item in stated(log)}
    words = (
        _words(read, log, item, new, None if line.id == new.id else states.get(new.id))
        for item, line, new in zip(said, wanted, kept, strict=True)
    )
    recorded: list[Plain] = [_data(line, states.get(line.id)) for line in kept]
    output.answer(*words, log=str(log.path), recorded=recorded)
    refused = any(states[line.id].state is ProposalState.REFUSED for line in kept if line.id in states)
    return REFUSED_BEFORE if refused else 0


def _data(line: Decision, proposed: StatedProposal | None) -> Table:
    """Return what was recorded, without what it says: whoever asks has just said that."""
    verdict = None if line.verdict is None else str(line.verdict)
    data: Table = {"id": line.id, "record": line.record_id, "kind": str(line.kind), "verdict": verdict}
    return data if proposed is None else {**data, "state": str(proposed.state)}


def _words(results: Results, log: Log, said: Remark, line: Decision, before: StatedProposal | None) -> str:
    """Return what was recorded in words, or that a program said it before, and what became of that."""
    entry = found_entry(results, said.record_id)
    name, proposed = results.telling_name(entry), line.kind is LogAction.PROPOSE
    if before is not None:
        return f"{line.reviewer} has proposed that for {name} before: it is {before}"
    if said.verdict is None:
        if line.verdict is None and line.place is None and (said.comment or "").lstrip().startswith(">"):
            output.complain(f"{entry.id} does not say what is quoted: the comment is on the record")
        where = f", {line.place}," if line.place is not None else ""
        return f"{'kept the proposed' if proposed else 'recorded the'} comment on {name}{where} in {log.path}"
    kept = "; the comment of the verdict before stays" if said.comment is None and line.comment else ""
    return f"{'kept the proposal' if proposed else 'recorded'} {line.verdict} for {name} in {log.path}{kept}"
