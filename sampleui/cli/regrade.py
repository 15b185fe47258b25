"""`sampleui regrade`: evaluate the assertions of today's deck on the recorded answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from sampleui.cli import output
from sampleui.cli.arguments import answer_option
from sampleui.cli.opened_run import OpenedRun, on_run, unread
from sampleui.cli.output import FAILED
from sampleui.cli.run_options import id_option, is_agreed_to, scorer_option, tell_ends, threshold_option, yes_option
from sampleui.formats.data import Plain, Table
from sampleui.review.record import passed
from sampleui.review.results.file import Results
from sampleui.runs.decks import FoundDecks
from sampleui.runs.regrading import FAILS, PASSES, Regraded, regraded
from sampleui.runs.rerun.engine import Rerun, prepared, run_again
from sampleui.text.temporary import temporary_folder
from sampleui.text.wording import counted

_FAILING = 1


@click.command("regrade")
@on_run(threshold_option, scorer_option)
@id_option("Only this record.")
@click.option("--by-tool", is_flag=True, help="Have the run's own tool grade the recorded answers.")
@yes_option
@answer_option()
def command(*, run: OpenedRun, record_id: str | None, by_tool: bool, yes: bool) -> int:
    """Evaluate the assertions of the decks, as they are now, on the answers recorded in RESULTS.

    No model and no program is run: equals, contains and icontains with their -any and -all, starts-with, ends-with,
    regex, is-json, their negations, and tool trajectories are judged; what needs a grader stays open and is
    reported as such. The output is one line per record, or with --format json one object per line with "id",
    "failed", "would_pass", "scorer", "assertions".

    With --by-tool the run's own tool grades the recorded answers, with all that it has, by the deck as it is now.
    That runs code of the project, and graders that ask a model ask it, so it is shown and asked for as a rerun is;
    --yes agrees. What it cannot grade is not known, and said. With --format json the objects have "id", "failed",
    "would_pass", "score", "assertions" and "problem".

    A record passes as the tool that ran it has it: by the weighted mean of its scores, where what stays open keeps
    its score, or by the scorer that decides. Where its tool has no such rule, it passes when nothing fails.

    Exit codes: 0 all that can be judged passes, 1 a record fails or has no sample in the decks, 2 nothing could be
    read, or nothing can be judged.
    """
    read, threshold = run.results.indexed(), run.threshold
    for note in read.diagnostics:
        output.complain(str(note))
    if code := unread(read):
        return code
    counts: Counter[str] = Counter()
    if by_tool:
        return _by_tool(run, record_id, yes=yes)
    for item, before in _regraded(read, run.decks, record_id, threshold, counts):
        counts["told" if item.judged else "open"] += 1
        if item.passes is False:
            counts["failing"] += 1
        if output.in_json():
            output.json_value(_data(item, before), compact=True)
        else:
            output.line(f"{item.record.id}: {item.words(before)}")
    return _ended(read, counts, record_id)


def _by_tool(run: OpenedRun, record_id: str | None, *, yes: bool) -> int:
    """Have the tool of a run grade what was answered; return the exit code."""
    results, threshold, counts = run.results, run.threshold, Counter[str]()
    chosen = [entry for entry in results.counted if record_id in (None, entry.id)]
    with temporary_folder("sampleui-rerun-") as out:
        plan = prepared(results, chosen, run.decks, out, run.settings, grades=True)
        counts.update(records=len(chosen), open=len(plan.refused))
        for name, why in plan.refused:
            output.complain(f"{name} is not graded: {why}")
        if not plan.calls or not is_agreed_to(plan.calls, yes=yes):
            return FAILED
        ran = run_again(plan, threshold)
    for item in ran.reruns:
        record, before = item.asked.record, passed(item.asked.record, threshold)
        now = passed(item.answers[0].record, threshold) if item.answers else None
        counts["open" if now is None else "told"] += 1
        counts["failing"] += now is False
        if output.in_json():
            output.json_value(_graded_data(item, before, now), compact=True)
        elif now is None:
            output.line(f"{record.id}: not known: {item.why or 'its tool does not say'}")
        else:
            output.line(f"{record.id}: {(PASSES if now else FAILS)[before]}")
    tell_ends(ran)
    return _ended(results, counts, record_id)


def _graded_data(item: Rerun, before: bool | None, now: bool | None) -> Table:
    graded = item.answers[0].record if item.answers else None
    evaluators = graded.evaluators if graded is not None else ()
    listed: list[Plain] = [
        {"name": each.name, "score": each.score, "passed": {"pass": True, "fail": False}.get(each.verdict or "")}
        for each in evaluators
    ]
    return {
        "id": item.asked.record.id,
        "failed": None if before is None else not before,
        "would_pass": now,
        "score": None if graded is None else graded.score,
        "assertions": listed,
        "problem": item.why,
    }


def _regraded(
    results: Results, run_decks: FoundDecks, record_id: str | None, fail_under: float | None, counts: Counter[str]
) -> Iterator[tuple[Regraded, bool | None]]:
    """Yield each record graded again, and whether it passed before; complain of records without a sample."""
    for entry in results.counted:
        if record_id is not None and record_id != entry.id:
            continue
        counts["records"] += 1
        sample = run_decks.sample(entry)
        if sample is None:
            counts["unjoined"] += 1
            output.complain(f"{entry.id}: no deck has its sample")
            continue
        yield regraded(results, results.record(entry.index), sample, fail_under), passed(entry, fail_under)


def _data(regraded: Regraded, before: bool | None) -> Table:
    listed: list[Table] = [
        {"name": each.name, "text": each.text, "passed": each.passed, "reason": each.reason}
        for each in regraded.outcomes
    ]
    return {
        "id": regraded.record.id,
        "failed": None if before is None else not before,
        "would_pass": regraded.passes,
        "scorer": regraded.record.decider,
        "assertions": list(listed),
    }


def _ended(results: Results, counts: Counter[str], record_id: str | None) -> int:
    if not counts["records"]:
        what = f"there is no record {record_id}" if record_id else "there are no records"
        output.complain(f"{results.path}: {what}")
        return FAILED
    output.complain(
        f"{counted(counts['records'], 'record')}: {counts['told'] - counts['failing']:,} hold, "
        f"{counts['failing']:,} fail, {counts['open']:,} cannot be told, {counts['unjoined']:,} without a sample"
    )
    if not counts["told"]:
        return FAILED
    return _FAILING if counts["failing"] or counts["unjoined"] else 0
