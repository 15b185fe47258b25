"""`sampleui rerun`: samples of a run asked again with the run's own program."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from time import monotonic

import click
from rich.cells import set_cell_size

from sampleui.cli import output
from sampleui.cli.arguments import answer_option
from sampleui.cli.completion import runners
from sampleui.cli.opened_run import OpenedRun, on_run, unread
from sampleui.cli.output import FAILED
from sampleui.cli.run_options import id_option, is_agreed_to, scorer_option, tell_ends, threshold_option, yes_option
from sampleui.formats.data import Table
from sampleui.review.record import Entry, Record, failed, measures, outcome_of
from sampleui.review.results.file import Results
from sampleui.review.session import found_entry
from sampleui.runs.rerun.engine import Prepared, RanAgain, Rerun, prepared, run_again
from sampleui.runs.rerun.trust import question
from sampleui.text.temporary import temporary_folder

NOT_PASSED = 1


@click.command("rerun")
@on_run(threshold_option, scorer_option)
@id_option("Run the sample of this record again; #N is the N-th. May be repeated.", "ids", multiple=True)
@click.option("--failed", "of_failed", is_flag=True, help="Run the samples of all records again that failed.")
@click.option(
    "--n", "times", type=click.IntRange(1, 1000), default=1, help="How often each is run; once by default."
)
@click.option(
    "--runner",
    metavar="NAME",
    default="",
    shell_complete=runners,
    help="The tool, or the runner of your own settings, that runs them; that of the run if not given.",
)
@yes_option
@answer_option()
def command(
    *,
    run: OpenedRun,
    ids: tuple[str, ...],
    of_failed: bool,
    times: int,
    runner: str,
    yes: bool,
) -> int:
    """Run samples of RESULTS again, with the tool that ran them and the deck as it is now.

    Code of the project runs, with your rights: its deck, what that loads, and the tool as the project has it. What
    would be called is shown first, and asked for unless you trust the folder always (see sampleui trust). --yes
    agrees for this command alone. Keys for models reach a program only if the setting rerun_environment of your own
    settings names their variables.

    The new answers are kept in NAME.reruns beside the run, which is never written, and can be opened as any run
    can. They count only if there are exactly as many as were asked for, whatever the exit code of the tool says.

    With --format json one object is printed: "started", and if nothing was what would be called as "calls", each
    with "arguments" and "shown"; else "records", one for each sample and target, with "before" (the record that was
    named, and of several attempts how many passed), "answers", "passed", "changes" and "problem"; "samples" counts
    them.
    "refused" has the records that cannot be run again, "kept" the folders of the answers.

    Example: sampleui rerun results.json --id refund --n 3

    Exit codes: 0 all answers pass now, 1 one does not or nothing says it did, 2 a sample could not be run.
    """
    if bool(ids) == of_failed:
        raise click.UsageError("say which records: --id ID, or --failed")
    read, threshold = run.results.indexed(), run.threshold
    chosen = _chosen(read, ids, threshold)
    if not chosen:
        output.complain(f"{read.path}: no record failed")
        return unread(read)
    with temporary_folder("sampleui-rerun-") as out:
        plan = prepared(read, chosen, run.decks, out, run.settings, times=times, runner=runner)
        for record_id, why in plan.refused:
            output.complain(f"{record_id} cannot be run again: {why}")
        if not plan.calls or not is_agreed_to(plan.calls, yes=yes, answered=output.in_json()):
            if output.in_json():
                output.json_value(_as_data(plan, None, threshold))
            return FAILED
        ran = _ran(plan, threshold)
    if output.in_json():
        output.json_value(_as_data(plan, ran, threshold))
    else:
        _print(ran, threshold)
    if plan.refused or any(rerun.why for rerun in ran.reruns):
        return FAILED
    return 0 if all(rerun.passes(threshold) for rerun in ran.reruns) else NOT_PASSED


def _chosen(results: Results, ids: Sequence[str], threshold: float | None) -> list[Entry]:
    if ids:
        return [*{entry.index: entry for entry in (found_entry(results, name) for name in ids)}.values()]
    return [entry for entry in results.counted if failed(entry, threshold)]


def _ran(plan: Prepared, threshold: float | None) -> RanAgain:
    """Make the calls, with their progress on a terminal; an end of this program from outside ends them too."""
    shown = _Progress(plan.answers)
    with _ended_by_signals():
        try:
            return run_again(
                plan,
                threshold,
                tell=shown.tell,
                finished=shown.finished,
                is_stopped=shown.draw,
                keeping=_ignore_signals,
            )
        except KeyboardInterrupt:
            output.complain("cancelled: all that was started is ended, and nothing is kept")
            raise
        finally:
            output.end_progress()


class _Progress:
    """The line of progress: how many answers there are, how long it takes, and what the tool said last."""

    def __init__(self, answers: int) -> None:
        self._answers, self._done, self._line, self._began = answers, 0, "", monotonic()

    def tell(self, line: str) -> None:
        """Keep a line of output; it is shown at the next refresh."""
        self._line = line.strip() or self._line

    def finished(self, count: int) -> None:
        """Keep the number of answers."""
        self._done = count

    def draw(self) -> bool:
        """Draw the line, and return False: only a signal cancels."""
        counted = f"{self._done:,} of {self._answers:,} done" if self._done else f"{self._answers:,} to run"
        line = f"{counted} · {monotonic() - self._began:.0f} s · {self._line}"
        output.progress(set_cell_size(line, get_terminal_size().columns - 1).rstrip())
        return False


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Take the signals that end a program as an interrupt, so that what it started is ended as well."""
    before = {number: signal.getsignal(number) for number in _ENDING}
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, output.interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _ignore_signals() -> None:
    """Take no signal while answers are kept: half of them would stay, of a call that is said to be cancelled."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)


def _print(ran: RanAgain, threshold: float | None) -> None:
    for rerun in ran.reruns:
        if rerun.why:
            output.complain(f"{rerun.asked.record.id}: {rerun.why}")
            continue
        now, before = rerun.words(threshold), rerun.before_words(threshold)
        output.line(f"{rerun.asked.record.id}: {now}; before: {before}")
        for change in rerun.changes:
            output.line(f"  {change}")
        for answer in rerun.answers:
            took = measures(answer.record)
            score = "" if answer.record.score is None else f" · score {answer.record.score:g}"
            output.line(f"  {outcome_of(answer.record, threshold)}{score}{f' · {took}' if took else ''}")
    tell_ends(ran)
    if len(ran.reruns) > 1:
        output.line(ran.words(threshold))
    for folder in ran.kept:
        output.line(f"kept in {folder}")


def _as_data(plan: Prepared, ran: RanAgain | None, threshold: float | None) -> Table:
    """Return what was answered, or where nothing was started what would be called."""
    reruns = () if ran is None else ran.reruns
    samples: Table = {
        "asked": (plan.samples if ran is None else len(reruns)) + len(plan.refused),
        "run": sum(not rerun.why for rerun in reruns),
        "passed": None if ran is None else sum(rerun.passes(threshold) for rerun in reruns),
    }
    return {
        "started": ran is not None,
        "samples": samples,
        "records": [_record(rerun, plan.times, threshold) for rerun in reruns],
        "refused": [{"id": record_id, "problem": why} for record_id, why in plan.refused],
        "calls": [*_calls(plan, ran)],
        "kept": [] if ran is None else [str(path) for path in ran.kept],
    }


def _record(rerun: Rerun, times: int, threshold: float | None) -> Table:
    before = rerun.before
    return {
        "id": rerun.asked.record.id,
        "before": _answer(rerun.asked.record, threshold),
        "attempts_before": None if before is None else {"passed": before.passed, "total": before.total},
        "asked": times,
        "passed": rerun.passed(threshold) if not rerun.why else None,
        "answers": [
            {**_answer(answer.record, threshold), "id": answer.record.id, "kept": str(answer.kept)}
            for answer in rerun.answers
        ],
        "changes": [*rerun.changes],
        "problem": rerun.why or None,
    }


def _calls(plan: Prepared, ran: RanAgain | None) -> Iterator[Table]:
    if ran is None:
        for call in plan.calls:
            yield {"arguments": [*call.arguments], "shown": [*question([call])]}
        return
    for call, end in zip(plan.calls, ran.ends, strict=False):
        ended: Table = {"end": str(end.end), "status": end.status, "seconds": round(end.seconds, 3)}
        yield {"arguments": [*call.arguments], **ended}


def _answer(record: Record, threshold: float | None) -> Table:
    return {
        "outcome": str(outcome_of(record, threshold)),
        "score": record.score,
        "actual": record.actual,
        "error": record.error,
        "tokens": None if record.tokens is None else record.tokens.to_data(),
        "cost_usd": record.cost_usd,
        "latency_ms": record.latency_ms,
    }
