"""What graders were given and what they answered, as rows, pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len

from sampleui.formats.data import Plain
from sampleui.formats.data import shown as path_words
from sampleui.review.baseline import Compared
from sampleui.review.record import (
    FAIL_UNDER,
    Assertion,
    EvaluatorScore,
    Record,
    contentment,
    line_words,
    measures,
    on_scale,
    passed,
)
from sampleui.review.results.requests import graders_given, request_messages, text_said
from sampleui.review.verdict import Decision, LogAction, Verdict
from sampleui.text.visible import one_line, visible
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.code import code_rows
from sampleui.tui.drawing.rows import Row, appended, indented, text_rows
from sampleui.tui.review.rows.queue import TREND_GLYPHS, TREND_STYLES, bar
from sampleui.tui.review.shown import Shown


def grader_rows(record: Record, width: int) -> Iterator[Row]:
    """Yield, grader by grader, what it was given and what it answered beside its score, if the file says it."""
    evaluators = [(evaluator.name, evaluator.grader_input, evaluator.details) for evaluator in record.evaluators]
    for name, request, answered in (*evaluators, ("the graders", graders_given(record.data), None)):
        if request not in (None, "", [], {}):
            yield from _headed(f"{name}: was given", width)
            yield from _request(request, width)
        if answered not in (None, "", [], {}):
            yield from _headed(f"{name}: answered", width)
            yield from _value(answered, width)


def _request(request: Plain, width: int) -> Iterator[Row]:
    messages = request_messages(request)
    if not messages:
        yield from _value(request, width)
    for message in messages:
        if len(messages) > 1 or message["role"] != "user":
            yield (("accent", f"  {one_line(str(message['role']), 40)}"),)
        yield from text_rows(text_said(message.get("content")), "text", width, "  ")


def _value(value: Plain, width: int) -> Iterator[Row]:
    if isinstance(value, str):
        yield from text_rows(value, "text", width, "  ")
        return
    from sampleui.review.samples.comparing import laid_out

    yield from indented(code_rows(laid_out(value), "json", width - 2))


def _headed(text: str, width: int) -> Iterator[Row]:
    yield (("text", ""),)
    yield from text_rows(one_line(text, 120), "muted-bold", width)


_BAR = 10


def score_rows(shown: Shown, width: int) -> list[Row]:
    """Return everything that is known about how the answer was graded."""
    record = shown.record
    if record is None and shown.alone:
        return []
    if record is None:
        return [*text_rows(shown.comparison or "Nothing was graded.", "muted", width), *_edits(shown, width)]
    rows: list[Row] = [*_head(record, shown, width)]
    for evaluator in record.evaluators:
        rows += _evaluator(evaluator, record, shown.fail_under, width)
    inside = {item.text for scored in record.evaluators for item in scored.assertions}
    unlisted = [item for item in record.assertions if item.text not in inside]
    if unlisted:
        rows += [_heading("Assertions"), *(row for item in unlisted for row in _assertion(item, width))]
    listed = inside | {item.text for item in record.assertions} | {scored.name for scored in record.evaluators}
    for label, sign, style, texts in (("Misses", "✖", "error", record.misses), ("Hits", "✓", "added", record.hits)):
        left = [text for text in texts if text not in listed]
        if left:
            rows += [_heading(label), *(row for text in left for row in _marked(sign, style, text, width))]
    if record.reasoning:
        rows += [_heading("Reasoning"), *text_rows(record.reasoning, "text", width, "  ")]
    rows += _reviews(shown, width)
    rows += _edits(shown, width)
    rows += grader_rows(record, width)
    for note in record.notes:
        rows += text_rows(f"▲ {note.message}", "warning", width)
    return rows


def _head(record: Record, shown: Shown, width: int) -> Iterator[Row]:
    if record.error is not None:
        yield (("error-bold", "an error, which has no score"),)
    elif record.truth_score is not None:
        score = "no score" if record.score is None else f"{record.score:g}"
        truth = f"truth {record.truth_score:g}"
        yield from appended((("text-bold", f"score {score}"),), "muted", truth, width)
    elif record.score is not None:
        gauge = (*(_gauge(record.score) if record.bounded else ()), ("text-bold", f" {record.score:g}"))
        yield from appended(gauge, "muted", _threshold(record, shown.fail_under), width)
    if shown.compared is not None:
        yield _trend(shown.compared)
        compared = [grader for grader in shown.compared.graders if grader not in shown.compared.apart]
        for change in compared:
            yield from text_rows(f"  {change}", TREND_STYLES.get(change.trend, "muted"), width)
        if apart := ", ".join(map(str, shown.compared.apart)):
            yield from text_rows(f"  not compared: {apart}", "muted", width)
    about = [item for item in (record.target, record.timestamp) if item]
    for line in (" · ".join(about), measures(record)):
        if line:
            yield from text_rows(line, "muted", width)
    if shown.flaky:
        yield (("warning-bold", "≈ found flaky on an earlier run"),)
    if shown.attempts is not None and shown.attempts.total > 1:
        attempts = (("text-bold", str(shown.attempts)),)
        yield from appended(attempts, "muted", "of the attempts at this sample", width)
    if record.tags:
        yield from text_rows("tags " + ", ".join(record.tags), "muted", width)


def _signed(difference: float) -> str:
    """Return a difference with its sign; a small one does not look like none."""
    return f"{difference:+.2f}" if abs(difference) >= 0.005 else f"{difference:+.1g}"


def _trend(compared: Compared) -> Row:
    style = TREND_STYLES.get(compared.trend, "muted")
    words = f"{TREND_GLYPHS[compared.trend]} {compared.trend}" + (f": {compared.reason}" if compared.reason else "")
    if compared.delta and compared.apart:
        words += f": {_signed(compared.delta)} by what graded both"
    elif compared.delta and compared.old is not None and compared.old.score is not None:
        words += f": {_signed(compared.delta)} from {compared.old.score:g}"
    words += " by people" if compared.by_people else ""
    changed = (("warning-bold", f"  ≠ it {compared.changed}"),) if compared.changed else ()
    return ((f"{style}-bold", words), *changed)


def _threshold(record: Record, fail_under: float | None) -> str:
    """Return what decided how a record came out: never a threshold that it was not held against."""
    passes = passed(record, fail_under)
    if passes is None:
        return "ungraded"
    word = "passed" if passes else "failed"
    if record.decider is not None:
        return f"{word} by {one_line(record.decider, 40)}"
    if fail_under is None and record.outcome is not None:
        return f"{word}, as its runner says"
    under = FAIL_UNDER if fail_under is None else fail_under
    if fail_under is None and not (record.bounded and record.score is not None and on_scale(record.score)):
        return f"{word} by its verdict"
    if record.score is not None and record.score < under:
        return f"fails under {line_words(fail_under)}"
    return f"passes from {line_words(fail_under)}" if passes else f"{word} by its verdict"


_SIGNS = {True: ("added-bold", "✓ "), False: ("error-bold", "✖ "), None: ("muted", "· ")}


def _evaluator(
    evaluator_score: EvaluatorScore, record: Record, fail_under: float | None, width: int
) -> Iterator[Row]:
    yield (("text", ""),)
    sign = _SIGNS[contentment(evaluator_score, record, fail_under)]
    score = "" if evaluator_score.score is None else f" {evaluator_score.score:g}"
    verdict = f" {visible(evaluator_score.verdict)}" if evaluator_score.verdict else ""
    if evaluator_score.name == record.decider:
        verdict += " · decides"
    if evaluator_score.by_person:
        verdict += " · by a person"
    gauge = (
        _gauge(evaluator_score.score)
        if evaluator_score.score is not None and evaluator_score.bounded and 0 <= evaluator_score.score <= 1
        else []
    )
    tail = [("text", "  "), *gauge, ("text-bold", score), ("muted", verdict)]
    room = width - 2 - sum(cell_len(text) for _, text in tail)
    name = one_line(evaluator_score.name)
    if cell_len(name) <= room:
        yield (sign, ("text-bold", name), *tail)
    else:
        first, *rest = text_rows(name, "text-bold", max(width - 2, 8))
        yield (sign, *first)
        yield from ((("text", "  "), *row) for row in rest)
        yield tuple(tail)
    if evaluator_score.type and evaluator_score.type != evaluator_score.name:
        yield (("faint", f"  {one_line(evaluator_score.type, 60)}"),)
    if evaluator_score.reasoning:
        yield from text_rows(evaluator_score.reasoning, "text", width, "  ")
    for item in evaluator_score.assertions:
        yield from _assertion(item, width)


def _assertion(item: Assertion, width: int) -> Iterator[Row]:
    sign, style = {True: ("✓", "added"), False: ("✖", "error"), None: ("·", "muted")}[item.passed]
    yield from _marked(sign, style, item.text, width)
    if item.evidence:
        yield from text_rows(item.evidence, "muted", width, "      ")


def _marked(sign: str, style: str, text: str, width: int) -> Iterator[Row]:
    first, *rest = text_rows(text, "text", max(width - 4, 8))
    yield ((style, f"  {sign} "), *first)
    yield from ((("text", "    "), *row) for row in rest)


def _reviews(shown: Shown, width: int) -> Iterator[Row]:
    if shown.decisions or shown.offered:
        yield (("text", ""),)
        yield _heading("Review")
    for offer in shown.offered:
        yield from text_rows(f"↩ {offer}", "muted", width, "  ")
    for decision in shown.decisions:
        if decision.carried:
            yield (("accent", "  ↩ decided on an earlier run"),)
        when = decision.time[:16].replace("T", " ")
        proposed = decision.kind is LogAction.PROPOSE
        sign = {LogAction.ADJUDICATE: "= ", LogAction.PROPOSE: "? "}.get(decision.kind, "")
        yield (
            ("muted" if proposed else "accent-bold", f"  {sign}{decision.verdict_words}"),
            ("muted", f"  {one_line(decision.reviewer, 40)}, {visible(when)}"),
        )
        if decision.tags:
            yield from text_rows(f"# {', '.join(decision.tags)}", "accent", width, "    ")
        if decision.comment:
            yield from text_rows(decision.comment, "text", width, "    ")
        if proposed:
            refused = [one_line(item.reviewer, 40) for item in shown.refusals if item.proposal == decision.id]
            status = f"refused by {', '.join(refused)}" if refused else "a program's, which counts for nothing"
            yield from text_rows(status, "faint", width, "    ")
        elif isinstance(decision.verdict, Verdict):
            yield from text_rows(f"{decision.verdict.meaning}: {decision.verdict.route}", "faint", width, "    ")


def proposal_rows(proposed: Iterable[Decision], width: int) -> list[Row]:
    """Return what programs propose: who, what, and why."""
    return [row for decision in proposed for row in text_rows(proposal_words(decision), "accent", width, " ")]


def proposal_words(decision: Decision) -> str:
    """Return what a program proposes: who, what, of which words, and why."""
    what = str(decision.verdict or "a comment")
    if decision.code is not None:
        what = (
            f"{one_line(decision.code, 80)} {decision.label}"
            if decision.label
            else f"the code {one_line(decision.code, 80)}"
        )
        what += f", formerly {one_line(decision.formerly, 80)}" if decision.formerly else ""
    place = decision.place
    quote = "" if place is None else f": “{place.quote}”" if place.quote else f" on {place}"
    why = f": {decision.comment}" if decision.comment else "" if quote else ", without a reason"
    return f"? {one_line(decision.reviewer, 80)} proposes {what}{quote}{why}"


def _edits(shown: Shown, width: int) -> Iterator[Row]:
    """Yield the edits of the sample that programs propose, and by which keys they are taken and refused."""
    if not shown.edits:
        return
    from sampleui.workspace.edit_requests import json_text

    for item in shown.edits:
        yield (("text", ""),)
        yield _heading("Proposed edit")
        yield (("muted", f"  ? {one_line(item.agent, 40)}, {visible(item.time[:16].replace('T', ' '))}"),)
        for edit in item.edits:
            value = f" = {one_line(json_text(edit.value), 200)}" if edit.value is not None else ""
            where = " ".join(filter(None, (edit.sample, path_words(edit.path) if edit.path else "")))
            yield from text_rows(f"{edit.op} {one_line(where, 120)}{value}", "text", width, "    ")
        if item.comment:
            yield from text_rows(item.comment, "text", width, "    ")
        take, refuse = key_named("proposal.take", "A"), key_named("proposal.refuse", "R")
        yield from text_rows(f"{take} shows and takes it, {refuse} refuses it", "faint", width, "    ")


def _heading(text: str) -> Row:
    return (("muted-bold", text),)


def _gauge(score: float) -> list[tuple[str, str]]:
    return bar(round(max(0.0, min(score, 1.0)) * 100), 100, _BAR)
