"""A sample of a log as a row of results: what its summary says, or all of it.

A row uses the names that rows of other runners have for the same things (`input_messages`, `text`, `trace`,
`token_usage`), so that the prompt and the trace are found as in any other; what only Inspect says is spelled as
Inspect spells it.
"""

from __future__ import annotations

from sampleui.formats.data import Plain, Table
from sampleui.review.results.adapters import fields
from sampleui.review.results.inspect_signs import MARK
from sampleui.review.results.inspectlog.events import first_given, trace_of
from sampleui.review.results.inspectlog.header import Header
from sampleui.review.results.inspectlog.texts import Attachments, text_of
from sampleui.sample.tokens import added, tokens_of

_ALIKE = ("id", "epoch", "target", "choices", "metadata", "error", "limit", "scores", "invalidation")


def brief(summary: Table, header: Header) -> Table:
    """Return what a summary says, or a whole sample, of what lists and filters need."""
    told: Table = {key: summary[key] for key in _ALIKE if summary.get(key) is not None}
    if scores := scores_of(summary):
        told["scores"] = scores
    if header.shuffled:  # numbers do not show then which sample it is
        told["input"] = summary.get("input")
    return {MARK: header.shared(), **told}


def scores_of(sample: Table) -> Table:
    """Return the scores of a sample by the names of their scorers; before 0.3.20 there was one without a name."""
    if "score" in sample and "scores" not in sample:
        return {"score": sample["score"]}
    return fields.table(sample.get("scores"))


def whole(sample: Table, header: Header) -> Table:
    """Return all of a sample that the review and the trace viewer show."""
    attached = Attachments(fields.table(sample.get("attachments")))
    found = {key: value if key == "attachments" else attached.resolved(value) for key, value in sample.items()}
    output = fields.table(found.get("output"))
    told: dict[str, Plain] = {
        "input": found.get("input"),
        "input_messages": [_sent(one) for one in first_given(found)],
        "text": _answer(found, output),
        "trace": trace_of(found),
        "token_usage": _usage(fields.table(found.get("model_usage"))),
        "cost_usd": _cost(fields.table(found.get("model_usage"))),
        "duration_ms": _milliseconds(found.get("total_time")),
        "timestamp": found.get("started_at"),
    }
    return {**brief(found, header), **{key: value for key, value in told.items() if value not in (None, [])}}


def _answer(sample: Table, output: Table) -> str | None:
    """Return the answer: what scorers were given, or else what the model said last."""
    said = fields.text(output.get("completion"))
    if said is not None:
        return said
    choice = next(iter(fields.tables(output.get("choices"))), {})
    spoken = fields.table(choice.get("message")).get("content") or _last(fields.tables(sample.get("messages")))
    return fields.spoken(spoken)


def _last(messages: list[Table]) -> Plain:
    return next(
        (one["content"] for one in reversed(messages) if one.get("role") == "assistant" and one.get("content")),
        None,
    )


def _sent(message: Table) -> Plain:
    """Return a message as it is shown: in words where it has more than text, without the ids of the log."""
    said: Table = {"role": message.get("role"), "content": text_of(message.get("content"))}
    return {**said, **{key: message[key] for key in ("tool_calls", "tool_call_id") if message.get(key)}}


def _usage(usage: Table) -> Plain:
    counted = added(filter(None, map(tokens_of, fields.tables([*usage.values()]))))
    return None if counted is None else counted.to_data()


def _cost(usage: Table) -> float | None:
    costs = [
        cost
        for one in fields.tables([*usage.values()])
        if (cost := fields.number(one.get("total_cost"))) is not None
    ]
    return sum(costs) if costs else None


def _milliseconds(seconds: Plain) -> float | None:
    found = fields.number(seconds)
    return None if found is None else round(found * 1000, 3)
