"""`sampleui verdicts`: hand the verdicts of a run back to the tool that ran it."""

from __future__ import annotations

from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.app import settings_of
from sampleui.cli.arguments import FILE
from sampleui.cli.run_options import deck_option, log_of, results_argument, results_at, threshold_option, unread
from sampleui.integrations.index import integration, taking_verdicts
from sampleui.review.handing_back import hand_back
from sampleui.runs.decks import decks_of_run
from sampleui.text.wording import counted

NOTHING = 1


@click.command("verdicts")
@results_argument
@click.option(
    "--to", "tool", type=click.Choice(taking_verdicts()), required=True, help="The tool that keeps them in a file."
)
@click.option(
    "-o", "copy", metavar="NEW", type=FILE, help="The copy of the results, for a tool that keeps them in those."
)
@deck_option
@threshold_option
def command(
    *, results: Path, tool: str, copy: Path | None, decks: tuple[Path, ...], fail_under: float | None
) -> int:
    """Write the verdicts and comments on RESULTS into the file of a tool, and leave what others said in it.

    The file is the feedback.json of the run, in the form that its tool reads, or where the tool keeps them in its
    results a copy of those; the tool's page in docs/integrations says what stands in it. Verdicts to skip a record
    are left out.

    The file is replaced as a whole, and left as it was if it changes meanwhile; RESULTS are never written. The log
    of verdicts stays the truth. Exit codes: 0 the file has them, 1 there are none, 2 nothing was written.

    Example: sampleui verdicts results.json --to TOOL -o reviewed.json
    """
    hands_back = integration(tool).results().hands_back
    assert hands_back is not None
    in_copy = hands_back().path is None
    if in_copy and copy is None:
        raise click.UsageError(f"{tool} takes a copy of the results: -o NEW")
    if copy is not None and not in_copy:
        raise click.UsageError(f"{tool} has a file of its own, which needs no -o")
    settings = settings_of(results, fail_under=fail_under)
    read = results_at(results, settings).indexed()
    log = log_of(read, decks_of_run(read, decks, settings))
    written = hand_back(read, log, hands_back(), settings.asked_threshold, copy)
    for note in written.notes:
        output.complain(note)
    if code := unread(read):
        return code
    if not written.decided:
        output.complain(f"{read.path}: there are no verdicts")
        return NOTHING
    done = "written" if written.changed else "in it already"
    output.line(f"{written.path}: {counted(written.decided, 'verdict')} {done}")
    return 0
