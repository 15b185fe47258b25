"""The commands of a review that show figures of its run, and lead from them to records."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial

from sampleui.review.baseline import Trend
from sampleui.review.filters import Filters
from sampleui.review.labels import codes_of
from sampleui.review.record import Outcome, outcome_of
from sampleui.review.reports.against_baselines import records_by_telling
from sampleui.review.reports.graders import ENOUGH
from sampleui.review.reports.report import Report
from sampleui.review.reports.words import counted_units
from sampleui.review.results.run_paths import runs_around
from sampleui.review.sampling import Design, Population
from sampleui.text.confined import size_of
from sampleui.text.limits import MAX_READ_AT_ONCE_BYTES
from sampleui.tui.commands import Command, Registry
from sampleui.tui.review import feed, session_figures
from sampleui.tui.review.boxes import FollowUp, PlotsScreen, ReportScreen
from sampleui.tui.review.draws import draw_sample
from sampleui.tui.review.figure_tables import FiguresBox
from sampleui.tui.review.filters import UNSTABLE, group_names, named_records, trend_name
from sampleui.tui.review.matrix import MatrixBox, MatrixCell, MatrixPlace
from sampleui.tui.review.narrowing import all_records, know_reworded, narrow
from sampleui.tui.review.rows.figures import (
    DRAW_PASSES,
    Goal,
    InRun,
    Passes,
    Records,
    grader_sections,
    group_sections,
    series_sections,
)
from sampleui.tui.review.screen import ReviewScreen
from sampleui.tui.screens import asking

FIGURES: Registry[ReviewScreen] = Registry()
_GROUP = "Looking"

_TREND_KEYS = {"w": Trend.WORSE, "b": Trend.BETTER}
_DIGITS = 9
"""Ways that have a digit for a key."""

_NO_CLUSTERS = "nothing: each sample is by itself"
_VIEWS = (
    *("review.groups", "review.graders", "review.series"),
    *("review.matrix", "review.plots", "review.cluster"),
)
"""The commands that a report leads to, by their own keys."""


runs_beside = FIGURES.need(lambda screen: screen.review.has_others, "no other run lies beside this one")


@FIGURES.command("review.report", "R", "Report", group=_GROUP, bar=15)
async def report(screen: ReviewScreen) -> None:
    """Show the figures of the run and of its review, against a baseline first; keys there lead to their records."""

    async def figures() -> AsyncIterator[tuple[Report, Sequence[FollowUp]]]:
        await feed.done(screen, feed.INDEX)
        review = screen.review
        report = await feed.figures(screen, session_figures.report, review)
        yield report, _follow_ups(screen, report)
        beside = runs_around(review.results.path)
        if len(beside) > 1 and sum(map(size_of, beside)) <= MAX_READ_AT_ONCE_BYTES:
            series = await feed.figures(screen, session_figures.series, review)
            report = replace(report, figures=report.figures._replace(series=series))
            yield report, _follow_ups(screen, report)

    views = {key: screen.registry[name] for name in _VIEWS for key in screen.keymap.keys(screen.registry[name])}
    answer: Command[ReviewScreen] | FollowUp | None = await screen.answer_to(ReportScreen(figures, views))
    if isinstance(answer, Command):
        screen.run_command(answer)
    elif answer is not None and answer.records:
        narrow(screen, Filters(only=answer.records, named=answer.name))
    elif answer is not None:
        await (_compare_with_earlier(screen) if answer.key == "c" else _draw_passes(screen))


def _follow_ups(screen: ReviewScreen, report: Report) -> list[FollowUp]:
    """Return the follow-ups of a report."""
    review = screen.review
    records = named_records(review)
    by_people = any(found.by_people for found in report.comparisons[:1])
    names = {key: trend_name(trend, by_people=by_people) for key, trend in _TREND_KEYS.items()} | {"U": UNSTABLE}
    names |= {
        str(key): name for key, name in enumerate(records_by_telling(review.results), start=1) if key <= _DIGITS
    }
    entries = review.results.entries
    follow_ups = []
    for key, name in names.items():
        if name in records:
            samples = {(entries[index].case, entries[index].target) for index in records[name]}
            units = counted_units(len(samples), several_targets=len(report.figures.run.targets) > 1)
            follow_ups.append(FollowUp(key, name, records[name], units))
    if review.baseline is None and review.has_others:
        words = (
            "Other runs lie beside this one: c looks for the newest earlier one of the same deck and targets,"
            " and compares; s shows all over time."
        )
        follow_ups.append(FollowUp("c", "compare with an earlier run", words=words))
    graders, passed = report.figures.graders, report.figures.run.counts.passed
    if passed and (not graders or any(item.passes and item.reason for item in graders)):
        words = (
            "How right graders are about what they pass is not known: S draws a random sample of the"
            f" {passed:,} records that passed, to be reviewed."
        )
        follow_ups.append(FollowUp("S", "sample of passes", words=words))
    return follow_ups


async def _compare_with_earlier(screen: ReviewScreen) -> None:
    """Review the run against the newest earlier one of the same deck and targets, and show how it fares."""
    screen.say("looking through the runs beside it")
    path, (earlier, passed_over) = (
        screen.review.results.path,
        await feed.figures(screen, session_figures.previous_run, screen.review),
    )
    if earlier is None:
        none = "no earlier run of the same deck and targets lies beside it"
        screen.refuse("; ".join(passed_over) or none)
    else:
        feed.open_run(screen, path, baseline=earlier)
        await report(screen)
        if passed_over:
            screen.say("; ".join(passed_over))


async def _draw_passes(screen: ReviewScreen) -> None:
    """Ask for a random sample of the records that passed."""
    passed = sum(outcome_of(item.entry) is Outcome.PASSED for item in screen.review.queue.items)
    await draw_sample(screen, Design(max(min(ENOUGH, passed), 1), Population.PASSED))


async def _follow(screen: ReviewScreen, goal: Goal | None) -> None:
    """Go where a cell of a table of figures leads."""
    review = screen.review
    if isinstance(goal, Records):
        name, records = goal
        narrow(screen, Filters(only=records, named=name))
    elif isinstance(goal, InRun):
        entry = None
        if goal.sample:
            named = partial(
                session_figures.record_in, review, goal.path, goal.sample, goal.target, passes=goal.passes
            )
            entry = await feed.figures(screen, named)
        if goal.path != review.results.path.absolute():
            feed.open_run(screen, goal.path, "" if entry is None else entry.id)
        elif entry is None:
            narrow(screen, Filters(only=frozenset(item.index for item in review.results.counted)))
        else:
            review.state = review.state.at(entry.index)
            alike = (item for item in review.results.counted if item.case == entry.case)
            only = frozenset(item.index for item in alike)
            narrow(screen, Filters(only=only, named=goal.sample))
    elif goal is not None:
        await _draw_passes(screen)


@FIGURES.command("review.groups", "B", "By group", group=_GROUP, needs=all_records)
async def groups(screen: ReviewScreen) -> None:
    """Show counts and rates by target, tag or any field, or several crossed; Enter on a count shows its records."""
    review = screen.review
    names = await feed.figures(screen, group_names, review.results, review.decks)
    names = ["code", *names] if codes_of(review.log) else names
    picked = await asking.pick(screen, "Group by; several, such as target, tag, are crossed", names, free=True)
    by = tuple(name.strip() for name in picked.split(",") if name.strip())
    if not by:
        return
    grouped = await feed.figures(screen, session_figures.grouped, review, by)
    sections = [*group_sections(*grouped, items=review.queue.items)]
    about = "pass rates are over samples, with 95% intervals"
    await _follow(screen, await screen.answer_to(FiguresBox(f"By {' × '.join(by)}", about, sections)))


@FIGURES.command("review.graders", "I", "Graders", group=_GROUP, needs=all_records)
async def graders(screen: ReviewScreen) -> None:
    """Show graders against people, with rates and what is not known; Enter on a count shows its records."""
    figures, records = await feed.figures(screen, session_figures.graded, screen.review)
    about = "✓ ✖ what a grader says; right, wrong what people do · intervals at 95%"
    sections = [*grader_sections(figures, records)]
    box = FiguresBox("Graders against people", about, sections, {DRAW_PASSES: Passes()})
    await _follow(screen, await screen.answer_to(box))


@FIGURES.command("review.series", "s", "Over time", group=_GROUP, needs=runs_beside)
async def series(screen: ReviewScreen) -> None:
    """Show the runs of the folder over time, and the samples that flipped; Enter opens the record at that run."""
    review = screen.review
    screen.say("looking through the runs beside it")
    runs = await feed.figures(screen, session_figures.series, review)
    sections = [*series_sections(runs, review.results.path, session_figures.flipped(review, runs))]
    about = "pass rates are over samples, with 95% intervals · • this run"
    await _follow(screen, await screen.answer_to(FiguresBox("Runs over time", about, sections)))


@FIGURES.command("review.cluster", "C", "Cluster", group=_GROUP, needs=all_records)
async def cluster(screen: ReviewScreen) -> None:
    """Choose the field by which samples belong together in figures, such as their document, and show the report."""
    review = screen.review
    names = await feed.figures(screen, group_names, review.results, review.decks)
    title = "Cluster samples that go right and wrong together by"
    picked = await asking.pick(screen, title, [_NO_CLUSTERS, *names], free=True)
    if picked:
        field = None if picked == _NO_CLUSTERS else picked
        if field is not None:
            await feed.figures(screen, session_figures.require_cluster, review, field)
        review.state = replace(review.state, cluster=field)
        await report(screen)


@FIGURES.command("review.matrix", "M", "Matrix", group=_GROUP, needs=all_records)
async def matrix(screen: ReviewScreen) -> None:
    """Show a grid of samples by models, prompts or runs side by side; Enter opens the record of a cell."""
    review = screen.review
    await know_reworded(screen)
    box = MatrixBox(review, screen.matrix_place or MatrixPlace())
    chosen: MatrixCell | None = await screen.answer_to(box)
    if chosen is None:
        return
    screen.matrix_place = chosen.place
    if chosen.results is not review.results:
        feed.open_run(screen, chosen.results.path, chosen.results.entries[chosen.records[0]].id)
        return
    review.state = review.state.at(chosen.records[0])
    narrow(screen, chosen.shown)


@FIGURES.command("review.plots", "H", "Plots", group=_GROUP, needs=all_records)
async def plots(screen: ReviewScreen) -> None:
    """Plot how scores, latency, cost and tokens are spread, rates, graders against people, runs over time."""
    await screen.answer_to(PlotsScreen(await feed.figures(screen, session_figures.plots, screen.review)))
