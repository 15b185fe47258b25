"""`sampleui verdicts`: hand the verdicts of a run back to the tool that ran it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import FILE, answer_option, yes_of_a_person
from sampleui.cli.opened_run import OpenedRun, on_run, unread
from sampleui.cli.run_options import is_agreed_to, threshold_option
from sampleui.integrations.index import integration, taking_verdicts
from sampleui.integrations.integration import EditedCopy
from sampleui.review.handing_back import hand_back
from sampleui.review.reports.export import score_edits
from sampleui.runs.edited_copy import edit_in_place, write_edited_copy
from sampleui.text.wording import counted

NOTHING = 1


@click.command("verdicts")
@on_run(threshold_option)
@click.option(
    "--to",
    "tool",
    type=click.Choice([*taking_verdicts()]),
    required=True,
    help="The tool that keeps them in a file.",
)
@click.option(
    "-o", "copy", metavar="NEW", type=FILE, help="The copy of the results, for a tool that keeps them in those."
)
@click.option(
    "--in-place", is_flag=True, help="Edit the results themselves, for a tool that keeps the old scores in them."
)
@click.option(
    "--yes",
    count=True,
    callback=yes_of_a_person,
    help="Agree to the call of a tool's program that makes the copy, this once; given twice, to --in-place too.",
)
@answer_option()
def command(*, run: OpenedRun, tool: str, copy: Path | None, in_place: bool, yes: int) -> int:
    """Write the verdicts and comments on RESULTS into the file of a tool, and leave what others said in it.

    The file is the feedback.json of the run, in the form that its tool reads, or where the tool keeps them in its
    results a copy of those; the tool's page in docs/integrations says what stands in it. Verdicts to skip a record
    are left out. Where the tool's own program makes the copy, the call is shown first and asked for as that of a
    rerun is; --yes agrees. --in-place puts that copy in the place of RESULTS, and is asked for twice;
    where no one can be asked, --yes --yes agrees.

    The file is replaced as a whole, and left as it was if it changes meanwhile; RESULTS are written by --in-place
    alone. The log of verdicts stays the truth. Exit codes: 0 the file has them, 1 there are none or some are left
    out, which are named with the reason, 2 nothing was written.

    --format json prints one object: "file", "written" with how many decisions or edits of scores it has, and
    "left_out" with a line for each that it has not.

    Example: sampleui verdicts results.json --to TOOL -o reviewed.json
    """
    kept = integration(taking_verdicts()[tool]).results()
    hands_back = None if kept.hands_back is None else kept.hands_back()
    in_copy = hands_back is None or hands_back.path is None
    if in_place and (hands_back is not None or copy is not None):
        raise click.UsageError(
            f"{tool} does not keep the scores that are edited" if hands_back else "give either -o NEW or --in-place"
        )
    if in_copy and copy is None and not in_place:
        raise click.UsageError(f"{tool} takes a copy of the results: -o NEW")
    if copy is not None and not in_copy:
        raise click.UsageError(f"{tool} has a file of its own, which needs no -o")
    read = run.results.indexed()
    if hands_back is None:
        assert kept.edited_copy is not None
        return _edited(run, kept.edited_copy(), copy, yes=yes)
    written = hand_back(read, run.carried_log, hands_back, run.threshold, copy)
    for note in (*written.notes, *written.left_out):
        output.complain(note)
    if code := unread(read):
        return code
    if not written.decided:
        output.complain(f"{read.path}: there are no verdicts{' that could be written' if written.left_out else ''}")
        return NOTHING
    words = f"{written.path}: {written.words}"
    output.answer(words, file=str(written.path), written=written.decided, left_out=[*written.left_out])
    return NOTHING if written.left_out else 0


def _edited(run: OpenedRun, tool: EditedCopy, copy: Path | None, *, yes: int) -> int:
    """Have a tool's program write the verdicts into the scores of results or of a copy; return the exit code."""
    read = run.results
    edits, left_out = score_edits(read, run.carried_log)
    for line in left_out:
        output.complain(line)
    if code := unread(read):
        return code
    if not edits:
        output.complain(f"{read.path}: no verdict changes a score")
        return NOTHING
    agrees = partial(is_agreed_to, yes=yes > 0)
    if copy is None:
        is_wanted = partial(_is_wanted, yes=yes > 1)
        is_done = edit_in_place(read, edits, tool, run.settings, is_agreed_to=agrees, is_wanted=is_wanted)
    else:
        is_done = write_edited_copy(read, edits, tool, copy, run.settings, is_agreed_to=agrees)
    if not is_done:
        return output.FAILED
    file = str(copy or read.path)
    words = f"{file}: {counted(len(edits), 'edit')} of scores written"
    output.answer(words, file=file, written=len(edits), left_out=[*left_out])
    if copy is None:
        output.complain(
            "the verdicts were about these records as they were, and stay in the history of their scores"
        )
    return NOTHING if left_out else 0


def _is_wanted(question: str, *, yes: bool) -> bool:
    output.complain(question)
    if yes or output.interactive():
        return yes or click.confirm("Write it?", default=False, err=True)
    output.complain("nothing was written: there is no terminal to ask on; --yes --yes agrees")
    return False
