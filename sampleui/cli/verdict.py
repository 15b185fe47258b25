"""`sampleui verdict`, `comment` and `comments`: say something of records, and read what people said.

What is recorded, of a record or from lines, is recorded as a whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import answer_option
from sampleui.cli.completion import record_ids
from sampleui.cli.deck_arguments import text_of
from sampleui.cli.opened_run import OpenedRun, on_run, unread
from sampleui.cli.run_options import lines_option, program_option, reviewer_option
from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.review.decided import Seen, StatedProposal, as_data, of_people, programs_said, stated, words
from sampleui.review.labels import known_code
from sampleui.review.log.store import Log
from sampleui.review.results.file import Results
from sampleui.review.session import Remark, decision_about, found_entry, what_is_said
from sampleui.review.verdict import Decision, LogAction, ProposalState, Verdict

REFUSED_BEFORE = 1
_KEYS = frozenset({"record", "id", "verdict", "comment", "adjudicate"})
_ALL_READ = 1_000
"""Records of a run up to which each is read for what people wrote of it; of more those that a person graded."""


@click.command("verdict")
@on_run(reviewer_option, program_option)
@click.argument("record_id", metavar="ID", shell_complete=record_ids, required=False)
@click.argument("decision", metavar="VERDICT", type=click.Choice([*map(str, Verdict)]), required=False)
@lines_option
@click.option("--comment", metavar="TEXT", help="Why; '' drops what you said before.")
@click.option(
    "--code",
    "--tag",
    "codes",
    multiple=True,
    metavar="NAME",
    help="A code by which it fails, as code list names them; may be repeated.",
)
@click.option("--adjudicate", is_flag=True, help="Settle a disagreement between reviewers.")
@answer_option()
def verdict(
    *,
    run: OpenedRun,
    record_id: str | None,
    decision: str | None,
    lines: Path | None,
    comment: str | None,
    codes: tuple[str, ...],
    adjudicate: bool,
) -> int:
    """Record a verdict on the record ID of RESULTS; #N is the N-th.

    VERDICT is model-wrong, expected-wrong, grader-wrong, flaky, ok or skip.

    It goes to the log that the app writes too, and is on the disk when this returns. Where the deck is known, the
    verdict notes what the sample was like. The comment of your verdict before stays unless another is given,
    and so do your labels. With --as agent:NAME it is a program's: kept as a proposal, which is shown, counts
    as nobody's, and waits for a person to take or refuse it in the review.

    --lines reads verdicts and comments from a file of JSON Lines, or - for standard input, and records all or none:
    {"record": ID, "verdict": VERDICT, "comment": TEXT}. --format json prints {"log", "recorded"}, each as
    `sampleui comments` prints it, and of a program with its "state".

    Exit codes: 0 it is recorded, or has been proposed before; 1 a person has refused it before; 2 it is not.
    """
    if lines is not None and record_id is None:
        return _recorded(run, _said_in(lines), lines=lines)
    if lines is not None or record_id is None or decision is None:
        raise click.UsageError("give either ID and VERDICT, or --lines FILE")
    said = Remark(record_id, Verdict(decision), comment, adjudicate=adjudicate)
    return _recorded(run, [said], codes=codes)


@click.command("comment")
@on_run(reviewer_option, program_option)
@click.argument("record_id", metavar="ID", shell_complete=record_ids, required=False)
@click.argument("text", metavar="TEXT", required=False)
@lines_option
@answer_option()
def comment(*, run: OpenedRun, record_id: str | None, text: str | None, lines: Path | None) -> int:
    """Comment on the record ID of RESULTS, with the verdict that you gave it; #N is the N-th.

    Without a verdict of yours it is a note. Lines at its beginning that begin with > quote what it is about: words
    of the answer, or of what was asked. With --as agent:NAME it is a program's, and is shown as a proposal that a
    person takes or refuses. --lines and --format json are those of `sampleui verdict`, and so are the exit codes.

    Example: sampleui comment run.jsonl haiku 'six syllables in the last line' --as agent:claude
    """
    if lines is not None and record_id is None:
        return _recorded(run, _said_in(lines), lines=lines)
    if lines is not None or record_id is None or text is None:
        raise click.UsageError("give either ID and TEXT, or --lines FILE")
    if not text.strip():
        raise click.BadParameter("a comment must not be empty", param_hint="TEXT")
    return _recorded(run, [Remark(record_id, None, text.strip())])


def _said_in(file: Path) -> list[Remark]:
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


def _recorded(
    run: OpenedRun, said: Sequence[Remark], *, codes: tuple[str, ...] = (), lines: Path | None = None
) -> int:
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
    lines_said = (
        _recorded_words(read, log, item, new, None if line.id == new.id else states.get(new.id))
        for item, line, new in zip(said, wanted, kept, strict=True)
    )
    recorded: list[Plain] = [_data(line, states.get(line.id)) for line in kept]
    output.answer(*lines_said, log=str(log.path), recorded=recorded)
    refused = any(states[line.id].state is ProposalState.REFUSED for line in kept if line.id in states)
    return REFUSED_BEFORE if refused else 0


def _data(line: Decision, proposed: StatedProposal | None) -> Table:
    """Return what was recorded, without what it says: whoever asks has just said that."""
    verdict = None if line.verdict is None else str(line.verdict)
    data: Table = {"id": line.id, "record": line.record_id, "kind": str(line.kind), "verdict": verdict}
    return data if proposed is None else {**data, "state": str(proposed.state)}


def _recorded_words(results: Results, log: Log, said: Remark, line: Decision, before: StatedProposal | None) -> str:
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


@click.command("comments")
@on_run()
@answer_option()
@click.option("--since", metavar="TOKEN", help="What was said since, by programs too; '' for all, with a token.")
def comments(*, run: OpenedRun, since: str | None) -> int:
    """Print what people wrote about the records of RESULTS, by time.

    --format json prints {"comments": [...]}, each with "id", "record", "deck", "sample", "reviewer", "kind"
    ("decide", "adjudicate" or "note"), "verdict" (null for a note), "comment", "code", "label", "proposed_by" (the
    program whose proposal and words the reviewer took; null for a person's own) and "time". A note may have a
    "place": the "part" of the record ("answer", "turn" or "event"), its "number", and the "quote" with its
    "start" and "end" in that. Comments that programs propose are not among them. What people wrote in a file of the
    run's own tool, such as a feedback.json, comes last, with what has it as "reviewer", without "id" and "time".

    --since prints what was said since a TOKEN was given, and what programs proposed, with the kind "propose"; its
    JSON has the next "token". "code" is the name of a code that is proposed, with a "label" or by itself.

    Exit codes: 0 they are printed, 2 a file could not be read.
    """
    read, log = run.results.indexed(), run.log
    if code := unread(read):
        return code
    written = [decision for decision in of_people(log) if decision.comment]
    kept = [*_kept_by_tools(read)] if not since else []
    token: Table = {}
    if since is not None:
        try:
            seen = Seen.read(since) if since else Seen()
        except ValueError as error:
            raise click.BadParameter("not a token that this command printed", param_hint="--since") from error
        written = [decision for decision in (*written, *programs_said(log)) if seen.lacks(decision)]
        token = {"token": Seen.of(log).token}
    if output.in_json():
        addresses = {entry.digest: run.decks.address(entry) for entry in read.entries}
        listed: list[Plain] = [as_data(item, addresses.get(item.record)) for item in written]
        listed += (as_data(item, addresses.get(item.record)) for item in kept)
        output.json_value({"comments": listed, **token})
        return 0
    for decision in (*written, *kept):
        output.line(words(decision))
    return 0


def _kept_by_tools(results: Results) -> Iterator[Decision]:
    """Yield as notes what people wrote of records in the files of the tool that ran them."""
    for entry in results.counted:
        if len(results.counted) > _ALL_READ and not any(grade.by_person for grade in entry.grades):
            continue
        record = results.record(entry.index)
        for said in record.evaluators:
            if said.by_person and said.reasoning:
                note = decision_about(record, None, f"({said.name})", comment=said.reasoning)
                yield replace(note, kind=LogAction.NOTE, id="", time="")
