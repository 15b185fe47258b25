"""`sampleui verdict`: decide about a record without the app."""

from __future__ import annotations

from pathlib import Path

import click

from sampleui.cli.arguments import answer_option
from sampleui.cli.completion import record_ids
from sampleui.cli.opened_run import OpenedRun, on_run
from sampleui.cli.run_options import (
    lines_option,
    program_option,
    reviewer_option,
)
from sampleui.cli.saying import said_in, say
from sampleui.review.session import Remark
from sampleui.review.verdict import Verdict


@click.command("verdict")
@on_run(reviewer_option, program_option)
@click.argument("record_id", metavar="ID", shell_complete=record_ids, required=False)
@click.argument(
    "verdict", metavar="VERDICT", type=click.Choice([str(verdict) for verdict in Verdict]), required=False
)
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
def command(
    *,
    run: OpenedRun,
    record_id: str | None,
    verdict: str | None,
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
    if lines is not None:
        if record_id is not None:
            raise click.UsageError("give either ID and VERDICT, or --lines")
        return say(run, said_in(lines), lines=lines)
    if record_id is None or verdict is None:
        raise click.UsageError("give ID and VERDICT, or --lines FILE")
    said = Remark(record_id, Verdict(verdict), comment, adjudicate=adjudicate)
    return say(run, [said], codes=codes)
