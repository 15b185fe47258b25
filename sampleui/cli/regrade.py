"""`sampleui regrade`: evaluate the assertions of today's deck on the recorded answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.app import settings_of
from sampleui.cli.completion import record_ids
from sampleui.cli.output import FAILED
from sampleui.cli.run_options import (
    deck_option,
    results_argument,
    results_at,
    scorer_option,
    threshold_option,
    unread,
)
from sampleui.formats.data import Table
from sampleui.review.record import passed
from sampleui.review.results.file import Results
from sampleui.runs.decks import FoundDecks, decks_of_run
from sampleui.runs.regrading import Regraded, regraded
from sampleui.text.wording import counted

_FAILING = 1


@click.command("regrade")
@results_argument
@deck_option
@threshold_option
@scorer_option
@click.option("--id", "record_id", metavar="ID", shell_complete=record_ids, help="Only this record.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print.")
def command(
    *,
    results: Path,
    decks: tuple[Path, ...],
    fail_under: float | None,
    scorer: str | None,
    record_id: str | None,
    form: str,
) -> int:
    """Evaluate the assertions of the decks, as they are now, on the answers recorded in RESULTS.

    No model and no program is run: equals, contains and icontains with their -any and -all, starts-with, ends-with,
    regex, is-json, their negations, and tool trajectories are judged; what needs a grader stays open and is
    reported as such. The output is one line per record, or with --format json one object per line with "id",
    "failed", "would_pass", "scorer", "assertions".

    A record passes as the tool that ran it has it: by the weighted mean of its scores, where what stays open keeps
    its score, or by the scorer that decides. Where its tool has no such rule, it passes when nothing fails.

    Exit codes: 0 all that can be judged passes, 1 a record fails or has no sample in the decks, 2 nothing could be
    read, or nothing can be judged.
    """
    settings = settings_of(results, fail_under=fail_under, scorer=scorer)
    read = results_at(results, settings).indexed()
    run_decks = decks_of_run(read, decks, settings)
    for note in read.diagnostics:
        output.complain(str(note))
    if code := unread(read):
        return code
    counts: Counter[str] = Counter()
    for item, before in _regraded(read, run_decks, record_id, settings.asked_threshold, counts):
        counts["told" if item.judged else "open"] += 1
        if item.passes is False:
            counts["failing"] += 1
        if form == "json":
            output.json_value(_data(item, before), compact=True)
        else:
            output.line(f"{item.record.id}: {item.words(before)}")
    return _ended(read, counts, record_id)


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
