"""The queue and the verdict bar as rows, pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from rich.cells import cell_len

from sampleui.review.baseline import Compared, Trend
from sampleui.review.filters import Filters, QueueItem
from sampleui.review.queue import Order, Queue, ReviewProgress
from sampleui.review.record import SIGNS, Entry, in_short, none_failed
from sampleui.review.verdict import Verdict
from sampleui.text.visible import one_line
from sampleui.text.wording import counted, without_middle
from sampleui.tui.drawing.rows import OUTCOME_STYLES, Row, filled, fitted, mark_sign, spread
from sampleui.tui.review.joined import Unmatched
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.review.shown import Shown
from sampleui.tui.widgets.bars import Title

TREND_GLYPHS = {
    Trend.WORSE: "▼",
    Trend.BETTER: "▲",
    Trend.SAME: "=",
    Trend.UNKNOWN: "?",
    Trend.ONLY_NEW: "+",
    Trend.ONLY_OLD: "−",
}
TREND_STYLES = {Trend.WORSE: "removed", Trend.BETTER: "added"}
_BAR = 12
GROUP = 12


VerdictKeys: TypeAlias = Mapping[Verdict, str]
"""The key that gives each verdict, as people read it; empty for one without a key."""

USUAL_KEYS: VerdictKeys = MappingProxyType({verdict: verdict.key for verdict in Verdict})


def verdict_mark(item: QueueItem, keys: VerdictKeys = USUAL_KEYS, *, edited: bool = False) -> tuple[str, str]:
    """Return the style and the sign of what was decided: the key of the verdict, and in what way it is not plain.

    `≠` is disputed, `~` stale, `=` settled, `↩` carried; `?` is what a program proposed and nobody has decided,
    without the key of a verdict a comment or an edit (`edited`). Where the key has no room, the verdict's first
    letter stands for it.
    """
    verdict = item.verdict or item.view.proposed
    sign = "·"
    if verdict is not None:
        sign = keys[verdict] if cell_len(keys[verdict]) == 1 else verdict[0]
    if item.view.disputed:
        return "warning-bold", f"{sign if item.verdict else '·'}≠"
    if item.verdict is None:
        return ("muted", f"{sign}?") if item.view.waiting or edited else ("faint", "· ")
    if item.stale:
        return "warning-bold", f"{sign}~"
    if item.adjudicated:
        return "accent-bold", f"{sign}="
    return ("accent", f"{sign}↩") if item.carried else ("accent-bold", f"{sign} ")


def _mark_of(like: Sequence[QueueItem], keys: VerdictKeys) -> tuple[str, str]:
    """Return what was decided of several records: `±` where that differs, `≠` if any is disputed."""
    marks = {verdict_mark(item, keys): item.view.disputed for item in like}
    if len(marks) == 1:
        return next(iter(marks))
    return ("warning-bold", "·≠") if any(marks.values()) else ("accent", "± ")


_TARGET, _TARGET_NARROW = 40, 16
"""Cells that a target has in the title."""

_MIN_REASON = 8
"""Cells below which the beginning of a reason says nothing."""


def queue_row(
    item: QueueItem,
    width: int,
    compared: Compared | None = None,
    *,
    unjoined: bool = False,
    marked: bool = False,
    fail_under: float | None = None,
    group: str | None = None,
    targets: bool = False,
    target: str | None = None,
    like: Sequence[QueueItem] = (),
    is_open: bool = False,
    edited: bool = False,
    outside: bool = False,
    keys: VerdictKeys = USUAL_KEYS,
) -> Row:
    """Return a record: its outcome, what was decided, how it fares, its id, why it failed; at the right its score.

    Args:
        item: the record.
        width: how wide the row is.
        compared: how it fares against the baseline.
        unjoined: whether no deck has its sample.
        marked: whether it is marked.
        fail_under: the threshold that was asked for.
        group: what to head the row by, where rows are grouped; empty for what is headed above.
        targets: whether its target distinguishes it from others.
        target: how its target is shown, if not by its name.
        like: the records of its sample with the same error, itself among them; unless open, it stands for all.
        is_open: whether each of these has a row.
        edited: whether an edit of its sample is proposed.
        outside: whether the filter leaves it out, and it is listed only since one is there.
        keys: the keys of the verdicts.
    """
    left = [] if group is None else [("accent", _cell(group, heading_cells(width)))]
    left += [
        *mark_sign(marked),
        (OUTCOME_STYLES[item.outcome], SIGNS[item.outcome]),
        ("text", " "),
        verdict_mark(item, keys, edited=edited) if is_open or not like else _mark_of(like, keys),
    ]
    if like:
        heads = not is_open or item.entry.index == like[0].entry.index
        left += [("accent", f"{'▾' if is_open else '▸'}{len(like):,} ") if heads else ("faint", "╎ ")]
    if compared is not None:
        left += [(TREND_STYLES.get(compared.trend, "muted"), TREND_GLYPHS[compared.trend] + " ")]
    score = _told(item.entry, width // 3) or _score_of(item)
    cells = width - cell_len(score) - 2 - sum(cell_len(text) for _, text in left)
    for_all = like if not is_open else ()
    name = _name(item.entry, cells)
    if for_all:
        name = without_middle(one_line(item.entry.sample_id, 80), max(cells, 2))
    left.append(("text", name))
    if unjoined:
        left.append(("muted", " no sample"))
    if outside:
        left.append(("muted", " not in the filter"))
    room = width - cell_len(score) - 3 - sum(cell_len(text) for _, text in left)
    several = len({other.entry.target for other in for_all}) > 1
    answered = "" if several else one_line((item.entry.target or "") if target is None else target, 40)
    if answered and group is None and (targets or width >= 44) and cell_len(answered) < room:
        left.append(("faint", f" {answered}"))
        room -= cell_len(answered) + 1
    if (why := in_short(item.entry, fail_under)) and room >= _MIN_REASON:
        left.append(("error", f"  {one_line(why, 200)}"))
    return spread(left, [("muted", score), ("text", " ")], width)


def _told(entry: Entry, room: int) -> str:
    """Return what is told of a record in few words, as much as there is room for."""
    parts: list[str] = []
    for part in entry.told if entry.score is None and entry.error is None else ():
        if cell_len(" · ".join((*parts, part))) > room:
            break
        parts.append(one_line(part, 40))
    return " · ".join(parts)


def _score_of(item: QueueItem) -> str:
    """Return the score of a record, with the truth that it missed where that is known."""
    score = "error" if item.entry.error is not None else _figure(item.entry.score)
    missed = item.failed and item.entry.truth_score is not None
    return f"{score}≠{item.entry.truth_score:g}" if missed else score


def heading_cells(width: int) -> int:
    """Return the cells that the target has which heads a row of a width."""
    return min(GROUP, width // 3)


def _name(entry: Entry, width: int) -> str:
    """Return the id of a record; in a narrow place both of its ends and its number: `a lo…name#2`.

    Ids of one deck often begin alike, and the number tells a record from others of its sample.
    """
    whole = one_line(entry.id, 80)
    number = entry.id.removeprefix(entry.sample_id)
    if cell_len(whole) <= width:
        return whole
    if entry.told:  # its first words say more than how it ends
        return fitted(whole, max(width, 2))
    if number == entry.id or not number:
        return without_middle(whole, max(width, 2))
    number = one_line(number, 20)
    return without_middle(one_line(entry.sample_id, 80), max(width - cell_len(number), 2)) + number


def _cell(text: str, width: int) -> str:
    return filled(fitted(one_line(text, 60), max(width - 1, 1)), width)


def missing_row(missing: Unmatched, width: int) -> Row:
    """Return what has no record, and why it is listed."""
    if missing.edit is not None:
        by = one_line(missing.edit.agent, 30)
        return spread(
            [("muted", "○ ·? "), ("text", one_line(missing.id, 80))], [("faint", f"edit by {by} ")], width
        )
    why = "not run" if missing.old is None else "baseline"
    if missing.verdict is not None:
        why = f"{missing.verdict.verdict}, no record"
    glyph = "○" if missing.old is None else TREND_GLYPHS[Trend.ONLY_OLD]
    left = [("muted", f"{glyph}    "), ("muted", one_line(missing.id, 80))]
    return spread(left, [("faint", why), ("text", " ")], width)


def verdict_places(
    progress: ReviewProgress, width: int, keys: VerdictKeys = USUAL_KEYS
) -> list[tuple[int, int, Verdict, str]]:
    """Return where each verdict is in the bar: (first cell, end cell, verdict, text behind its key)."""
    counts = dict(progress.by_verdict)
    shown = {verdict: f" ({progress.words(count)})" for verdict, count in counts.items() if count}
    gaps = {verdict: " " if keys[verdict] else "" for verdict in Verdict}
    wide = [f"{gaps[item]}{item}{shown.get(item, '')}" for item in Verdict]
    plain = [f"{gaps[item]}{item}" for item in Verdict]
    short = [f"{gaps[item]}{item[:5]}" for item in Verdict]
    needed = sum(cell_len(key) + 2 for key in keys.values()) + 1
    texts = next((texts for texts in (wide, plain) if needed + sum(map(cell_len, texts)) <= width), short)
    gap = 2 if needed + sum(map(cell_len, texts)) + len(texts) <= width else 1
    columns, column = [], 1
    for verdict, text in zip(Verdict, texts, strict=True):
        end = column + cell_len(keys[verdict]) + cell_len(text) + 2
        columns.append((column, end, verdict, text))
        column = end + gap - 1
    return columns


def verdict_row(
    progress: ReviewProgress,
    current: Verdict | None,
    stale: bool,
    width: int,
    about: str = "",
    *,
    keys: VerdictKeys = USUAL_KEYS,
) -> Row:
    """Return the bar: the verdicts with their keys and counts, the current record's between marks.

    `about` says which records a verdict would be about, empty for the current one.
    """
    row: list[tuple[str, str]] = []
    column = 0
    for start, end, verdict, text in verdict_places(progress, width, keys):
        row.append(("text", " " * (start - column)))
        if verdict is current:
            row += [("accent-bold", f"[{keys[verdict]}{text}]")]
        else:
            row += [("text", " "), ("accent-bold", keys[verdict]), ("text", f"{text} ")]
        column = end
    note = [("warning-bold", "~ sample changed since ")] if stale and width - column > 24 else []
    if about:
        note = [("accent-bold", f"{about} ")]
    disputed = f" · {progress.words(progress.disputed)} disputed" if progress.disputed else ""
    done = f"{progress.words(progress.reviewed)}/{progress.total:,} reviewed{disputed} "
    right = [*note, *bar(progress.reviewed, progress.total, _BAR), ("muted", f" {done}")]
    while right and sum(cell_len(text) for _, text in right) > width - column - 1:
        right = right[:-1] if about else right[1:]
    return spread(row, right, width)


def all_decided(progress: ReviewProgress) -> str:
    """Say that no record of a queue waits for a verdict, and how many reviewers disagree about."""
    disputed = f", or disputed ({progress.words(progress.disputed)})" if progress.disputed else ""
    read = "" if progress.fully_indexed else " that is read so far"
    return f"every record in the filter{read} is decided{disputed}"


def bar(done: int, total: int, cells: int) -> list[tuple[str, str]]:
    """Return a bar of how much is done."""
    full = round(cells * done / total) if total else 0
    return [("accent", "━" * full), ("edge", "─" * (cells - full))]


def filter_words(queue: Queue, target: str = "") -> str:
    """Return what is shown of a queue and how it is sorted, in few words; `target` is how that is shown."""
    filters, order = queue.filters, queue.order
    states = ((queue.failed_words, filters.failed), ("unreviewed", filters.unreviewed), ("changed", filters.stale))
    words = [word for word, shown in states if shown]
    chosen = (
        filters.outcome,
        filters.verdict,
        filters.evaluator,
        target or filters.target,
        filters.code,
        filters.tag,
    )
    words += [str(item) for item in chosen if item is not None]
    if filters.only is not None:
        words.append(filters.named)
    if filters.text:
        words.append(f"“{filters.text}”")
    return " · ".join((*(fitted(one_line(word), 30) for word in words or ["all"]), order_words(order)))


def order_words(order: Order) -> str:
    """Return how a queue is sorted."""
    return {Order.UNSTABLE: "unstable first", Order.DRAWN: "as drawn"}.get(order, f"by {order}")


def title_of(review: ReviewSession, shown: Shown, narrow: bool) -> Title:
    """Return the title line: which record, its number among how many, and how it came out."""
    name, item, count = review.results.name, shown.item, len(review.queue.visible)
    number = review.queue.position(review.current) + 1 if isinstance(review.current, int) else 0
    position = "not in the filter" if review.state.is_outside else f"{number:,}/{count:,}"
    deck = review.deck.deck.path.name if review.deck is not None else "" if shown.alone else "no deck"
    if shown.problem:
        return Title(name, deck, position, problems=("error-bold", "✖ cannot be read"))
    if item is None:
        named = review.current.id if isinstance(review.current, Unmatched) else _nothing(review)
        skipped = review.results.skipped
        unread = ("error-bold", f"✖ {counted(skipped, 'row')} unread") if skipped else ("muted", "")
        return Title(f"{name} › {named}", deck, position, problems=unread)
    style, glyph = OUTCOME_STYLES[item.outcome], SIGNS[item.outcome]
    if shown.changed:
        style, glyph = "warning-bold", "~"
    entry = item.entry
    changed = "sample changed" if narrow else "sample changed since this run"
    outcome = f"{item.outcome} by a person" if item.by_a_person and not narrow else str(item.outcome)
    words = changed if shown.changed else outcome
    target = review.target_words(entry.target, _TARGET_NARROW if narrow else _TARGET)
    facts = [target, f"try {entry.attempt}" if entry.attempt is not None else ""]
    facts_words = "".join(f" · {one_line(fact, 60)}" for fact in facts if fact)
    progress = review.progress
    position = f"{position}{_ran(review)} · {progress.words(progress.reviewed)} decided"
    if progress.read > progress.total - progress.waiting:
        position += f" · {progress.words(progress.read)} read"
    if narrow and progress.disputed:  # the bar of the verdicts has no room to say it
        position += f" · {progress.words(progress.disputed)} disputed"
    if narrow and review.state.folded:
        position += f" · ▸{len(review.state.folded):,}"
    problems = (style, f"{glyph} {words}")
    return Title(name, deck, position, problems=problems, subject=one_line(entry.id, 80), facts=facts_words)


def _ran(review: ReviewSession) -> str:
    """Say how many records a run has of those that it was to have, where that is not all of them."""
    count, planned = len(review.results.counted), review.results.source.planned
    return f" · {count:,} of {planned:,} ran" if planned is not None and count < planned else ""


def _nothing(review: ReviewSession) -> str:
    """Say what is known where no record is shown."""
    filters, records = review.queue.filters, review.results.counted
    if not review.results.complete:
        return "no record so far"
    if filters == Filters(failed=True) and not any(item.failed for item in review.queue.items):
        return none_failed(records, review.options.fail_under)
    if filters.only == frozenset() and review.comparison_words:
        return review.comparison_words
    return "no record in the filter" if records else "no records"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}".removesuffix("0").removesuffix(".0") or "0"
