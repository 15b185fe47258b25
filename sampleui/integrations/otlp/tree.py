"""The spans of a record as the events of its trace, and what is said of the record as a whole.

Spans are written as they end, children before parents, in any order and perhaps not all of them: they are joined
by their ids, and one whose parent is not there, or is its own descendant, is a root.

Each call of a model repeats the conversation so far. What is told of one is what was not told before: of a
conversation that goes on, messages that were not among those of its earlier calls. A call of a tool has a span of
its own, or stands in the messages alone, as what it returned may do. The outermost span, and those which alone
stand in it, are the run itself, and so no events.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from sampleui.formats.data import Plain, Table, as_table
from sampleui.integrations.otlp import conventions
from sampleui.integrations.otlp.conventions import SpanKind
from sampleui.integrations.otlp.spans import Annotation, Event, TraceSpan, moment, nested, read
from sampleui.review.results.sources import NOTES
from sampleui.sample.message import behind_thinking, without_thinking
from sampleui.text.diagnostic import Finding
from sampleui.trace.events import ABSENT, EventType, to_data
from sampleui.trace.nesting import circles
from sampleui.trace.reading.messages import OutputCall, OutputMessage, events_of, is_text, parse_usual, text_of

MARK = "otlp"
"""The key of a row that is made of spans, with what is said of these."""

_MOST = 100
"""In how many calls of a tool one is looked for by its arguments."""

_Key: TypeAlias = tuple[str, str]
"""A trace and a span in it."""


class _Place(NamedTuple):
    """Where a span stands.

    Attributes:
        parent: the id of the event that it happened in.
        agent: the name of the agent that did it, None for the run's own.
        owner: the span of that agent, or of the tool that it is part of; "" for the run's own.
    """

    parent: str | None = None
    agent: str | None = None
    owner: str = ""

    @property
    def facts(self) -> Table:
        """What is told of each event that happened here."""
        return {key: value for key, value in (("parent", self.parent), ("agent", self.agent)) if value is not None}


def row_of(record_id: str, joined: JoinedSpans) -> Table:
    """Return the row of a record, given its spans, log records and annotations."""
    events = _Telling(joined).events()
    said = [event.get("text") for event in events if "parent" not in event and _is_said(event)]
    returned = conventions.returned_by(joined.spans[joined.roots[-1]]) if joined.roots else None
    answer = next((text for text in reversed(said) if isinstance(text, str)), None)
    row: Table = {
        **brief_row(record_id, joined),
        "output": answer or conventions.as_text("" if returned is None else returned),
        "trace": [*events],
    }
    if joined.left_out:
        spans = "1 span is" if joined.left_out == 1 else f"{joined.left_out:,} spans are"
        row[NOTES] = [f"{spans} no agent's, model's or tool's, and left out"]
    return row


def brief_row(record_id: str, joined: JoinedSpans) -> Table:
    """Return what lists show of a record, as `row_of` does, without its events and its answer."""
    spans = [*joined.spans.values()]
    steps = [span for key, span in joined.spans.items() if joined.kinds[key] is SpanKind.MODEL]
    verdicts = {conventions.verdict_of(annotation) for annotation in joined.annotations}
    counts: Table = {
        "traces": [*dict.fromkeys(span.trace for span in spans)],
        "spans": len(spans),
        "left_out": joined.left_out,
    }
    return _without_nothing(
        {
            "id": record_id,
            MARK: counts,
            "target": _target(joined, steps),
            "input": _asked(joined, steps),
            "error": joined.spans[joined.roots[-1]].error if joined.roots else None,
            "passed": False if False in verdicts else True if verdicts == {True} else None,
            "scores": [*_scores(joined.annotations, joined.spans)] or None,
            **_times(spans),
        }
    )


def _asked(joined: JoinedSpans, steps: Sequence[TraceSpan]) -> str | None:
    """Return what was asked: the first that a person said to the first model, or what the run was given."""
    first = min(steps, key=lambda span: span.start or 0, default=None)
    if first is not None:
        given, _ = conventions.messages_of(first, joined.logs.get((first.trace, first.id), ()))
        messages = (message for item in given for message in _parsed(item, "user") if message.role == "user")
        if text := next(filter(None, (text_of(message.content) for message in messages)), None):
            return text
    given_to_run = conventions.given_to(joined.spans[joined.roots[0]]) if joined.roots else None
    return None if given_to_run in (None, "") else conventions.as_text(given_to_run)


def _is_said(event: Table) -> bool:
    return event["type"] == "message" and as_table(event.get("metadata")).get("role") == "assistant"


class JoinedSpans:
    """Spans joined by their ids.

    Attributes:
        spans: by trace and id, each once.
        logs: the log records about a span.
        inner: the spans in a span, in the order in which they began, those left out that are of no agent.
        roots: those in none, in that order.
        kinds: what each is.
        annotations: what was said of them.
        left_out: how many are no agent's, model's or tool's.
    """

    def __init__(self, written: Iterable[Table]) -> None:
        """Join spans, log records and annotations, given as they are written."""
        items = [*map(read, written)]
        self.spans: dict[_Key, TraceSpan] = {}
        self.logs: dict[_Key, list[Event]] = defaultdict(list)
        self.annotations = [item for item in items if isinstance(item, Annotation)]
        for number, item in enumerate(items):
            if isinstance(item, TraceSpan):
                self.spans[item.trace, item.id or f"#{number}"] = item
        traces = {key[1]: key[0] for key in self.spans}
        for item in items:
            if isinstance(item, Event):
                trace = traces.get(item.span, item.trace)
                self.logs[trace, item.span or "#logs"].append(item)
        for key, logs in self.logs.items():
            logs.sort(key=lambda log: log.time or 0)
            if key not in self.spans and any(map(conventions.is_of_model, logs)):
                self.spans[key] = _span_of(key, logs)
        for key, span in self.spans.items():
            self.annotations += conventions.annotations_on(span)
            self.annotations += conventions.evaluations_in(*key, span.events)
        for key, logs in self.logs.items():
            self.annotations += conventions.evaluations_in(*key, logs)
        every = self._inner()
        self.kinds = {key: conventions.kind_of(span) for key, span in self.spans.items()}
        self.left_out = sum(kind is SpanKind.OTHER for kind in self.kinds.values())
        for key, inside in every.items():
            if self.kinds.get(key) is SpanKind.MODEL and any(
                self.kinds[child] is SpanKind.MODEL for child in inside
            ):
                self.kinds[key] = SpanKind.OTHER  # a kit and its provider's client tell of one call
        self.inner = {key: [*self._known(inside, every)] for key, inside in every.items()}
        self.roots = self.inner.pop(("", ""))

    def _inner(self) -> dict[_Key, list[_Key]]:
        """Return the spans in each span, those in none under two empty texts."""
        order = sorted(self.spans, key=lambda key: self.spans[key].start or 0)
        top, inner = ("", ""), defaultdict[_Key, list[_Key]](list)
        parents = {key: (key[0], self.spans[key].parent) for key in order}
        parents.update(dict.fromkeys(circles(parents), top))
        for key in order:
            inner[parents[key] if parents[key] in self.spans else top].append(key)
        inner[top] += ()
        return inner

    def _known(self, keys: Sequence[_Key], every: dict[_Key, list[_Key]]) -> Iterator[_Key]:
        """Yield spans, in place of those that are of no agent the spans in them."""
        waiting = [*keys[::-1]]
        while waiting:
            key = waiting.pop()
            if self.kinds[key] is SpanKind.OTHER:
                waiting += every.get(key, [])[::-1]
            else:
                yield key


def _span_of(key: _Key, logs: Sequence[Event]) -> TraceSpan:
    """Return a span that stands for one which log records alone tell of."""
    attributes = nested({"gen_ai.operation.name": "chat"})
    for log in logs:
        attributes = {**attributes, **log.attributes}
    attributes["gen_ai"] = {"operation": {"name": "chat"}, **as_table(attributes.get("gen_ai"))}
    start = min((log.time for log in logs if log.time), default=None)
    return TraceSpan(*key, "", "", start, None, None, attributes, ())


class _Memory:
    """What was told of the conversation of an agent, by what identifies a message.

    Attributes:
        told: how often each message was told.
        given: what its model was given last.
        before: how often each message is in that.
        goes_on: whether something in that was said by a model or a tool.
    """

    def __init__(self) -> None:
        self.told: Counter[tuple[object, ...]] = Counter()
        self.forget()

    def forget(self) -> None:
        """Forget what was given last."""
        self.given: Sequence[Table] = ()
        self.before: Counter[tuple[object, ...]] = Counter()
        self.goes_on = False

    def known_of(self, given: Sequence[Table]) -> int:
        """Return how many messages were given last time: all of that, or none if it does not go on from there."""
        known = len(self.given)
        if len(given) < known or any(old != new for old, new in zip(self.given, given, strict=False)):
            self.forget()
            return 0
        return known


class _Telling:
    """The telling of the events of joined spans."""

    def __init__(self, joined: JoinedSpans) -> None:
        self._joined = joined
        self._memories: dict[str, _Memory] = defaultdict(_Memory)
        self._ids: set[str] = set()
        self._calls: dict[_Key, Table] = {}
        self._asked: dict[_Key, OutputCall] = {}
        self._waited: dict[_Key, Plain] = {}
        self._spans_of_calls: dict[tuple[str, str, str], list[_Key]] = defaultdict(list)
        self._elsewhere: dict[_Key, list[_Key]] = defaultdict(list)
        self._failures: set[str] = set()
        self._unnamed: dict[tuple[str, str, str], list[_Key]] = defaultdict(list)
        self._owners: dict[_Key, str] = {}
        self._tells: set[_Key] = set()

    def events(self) -> list[Table]:
        """Return the events, those in an event behind it."""
        self._prepare()
        joined, told = self._joined, list[Table]()
        runs = {run for root in self._alone() for run in root}
        waiting: list[tuple[_Key, _Place, bool]] = [(key, _Place(), False) for key in joined.roots[::-1]]
        while waiting:
            key, place, is_over = waiting.pop()
            if is_over:  # the failure of a run itself, unless that of something in it is the same
                span = joined.spans[key]
                if span.error is not None and span.error not in self._failures:
                    event = {"type": "error", "text": span.error, "timestamp": moment(span.end), **place.facts}
                    told.append(_without_nothing(event))
                continue
            if key in runs:
                told += self._by_messages(key, place)
                waiting.append((key, place, True))
            else:
                events, place = self._told_of(key, place)
                told += events
                self._failures.add(joined.spans[key].error or "")
            waiting += ((child, place, False) for child in joined.inner.get(key, [])[::-1])
        return told

    def _prepare(self) -> None:
        """Note whose each span is, which calls have spans, and which spans have calls of models in them."""
        joined = self._joined
        waiting = [(key, "") for key in joined.roots[::-1]]
        order = []
        while waiting:
            key, owner = waiting.pop()
            order.append(key)
            self._owners[key] = owner
            span, kind = joined.spans[key], joined.kinds[key]
            if kind is SpanKind.TOOL:
                if (call := conventions.call_id(span)) is not None:
                    self._spans_of_calls[span.trace, owner, call].append(key)
                    self._elsewhere[span.trace, call].append(key)
                else:
                    self._unnamed[span.trace, owner, conventions.name_of(span)].append(key)
            inside = span.id if kind in (SpanKind.TOOL, SpanKind.AGENT) else owner
            waiting += ((child, inside) for child in joined.inner.get(key, [])[::-1])
        for key in reversed(order):
            if joined.kinds[key] is SpanKind.MODEL or any(
                child in self._tells for child in joined.inner.get(key, [])
            ):
                self._tells.add(key)

    def _alone(self) -> Iterator[list[_Key]]:
        """Yield the outermost spans of each trace that are the run itself, and no events."""
        joined = self._joined
        by_trace = defaultdict[str, list[_Key]](list)
        for key in joined.roots:
            by_trace[key[0]].append(key)
        for inside in by_trace.values():
            run = []
            while len(inside) == 1 and joined.kinds[inside[0]] in (SpanKind.AGENT, SpanKind.STEP):
                key = inside[0]
                inside = joined.inner.get(key, [])
                if not inside and joined.kinds[key] is SpanKind.STEP:
                    break
                run.append(key)
            yield run

    def _told_of(self, key: _Key, place: _Place) -> tuple[list[Table], _Place]:
        """Return the events of a span, and the place of those in it."""
        kind, span = self._joined.kinds[key], self._joined.spans[key]
        if kind is SpanKind.MODEL:
            return self._of_model(key, place), place
        if kind is SpanKind.TOOL:
            event = self._call_event(key, place)
            return [event], _Place(str(event["id"]), place.agent, span.id)
        if kind is SpanKind.AGENT and self._is_begun_by_call(key):
            within = _Place(place.parent, conventions.name_of(span), span.id)
            return [*self._by_messages(key, within)], within
        event = {
            "type": EventType.MODEL_STEP.value,
            "span": "agent" if kind is SpanKind.AGENT else conventions.word_of(span).lower(),
            "id": self._own_id(span.id),
            "name": conventions.name_of(span),
            "input": conventions.given_to(span),
            "output": conventions.returned_by(span),
            **_timed(span),
            **place.facts,
        }
        agent = conventions.name_of(span) if kind is SpanKind.AGENT else place.agent
        within = _Place(str(event["id"]), agent, span.id if kind is SpanKind.AGENT else place.owner)
        return [_without_nothing(event), *self._by_messages(key, within)], within

    def _is_begun_by_call(self, key: _Key) -> bool:
        """Tell whether an agent is all that the call of a tool did."""
        joined, span = self._joined, self._joined.spans[key]
        parent = (span.trace, span.parent)
        agents = [child for child in joined.inner.get(parent, []) if joined.kinds[child] is SpanKind.AGENT]
        return joined.kinds.get(parent) is SpanKind.TOOL and agents == [key]

    def _by_messages(self, key: _Key, place: _Place) -> Iterator[Table]:
        """Yield what an agent was given and said, and counted, where no call of a model in it tells of that."""
        if key not in self._tells and self._joined.kinds[key] is SpanKind.AGENT:
            yield from self._of_model(key, place)

    def _of_model(self, key: _Key, place: _Place) -> list[Table]:
        """Return what is new of what a model was given, the step itself, and what came of it."""
        span = self._joined.spans[key]
        given, answered = conventions.messages_of(span, self._joined.logs.get(key, ()))
        events = [
            event for message in self._new(given, place) for event in self._of_message(message, key, place, None)
        ]
        tokens, cost = conventions.tokens_of(span), conventions.cost_of(span)
        step: Table = {
            "type": EventType.MODEL_STEP.value,
            "id": self._own_id(span.id),
            "name": conventions.model_of(span),
            "token_usage": tokens,
            "cost_usd": cost,
            **_timed(span),
            **place.facts,
        }
        if self._joined.kinds[key] is SpanKind.MODEL or tokens or cost:
            events.append(_without_nothing(step))
        for message in (message for item in answered for message in _parsed(item, "assistant")):
            self._memories[place.owner].told[_identity(message)] += 1
            events += self._of_message(message, key, place, moment(span.end))
        return events

    def _new(self, given: Sequence[Table], place: _Place) -> Iterator[OutputMessage]:
        """Yield the messages of a conversation that were not told yet; of one that begins, all but instructions.

        Those that it began with the last time too are not read again.
        """
        memory = self._memories[place.owner]
        known = memory.known_of(given)
        read = [message for item in given[known:] for message in _parsed(item, "user")]
        goes_on = memory.goes_on or any(message.role in ("assistant", "tool") for message in read)
        if not goes_on and known:
            memory.forget()
            read = [message for item in given for message in _parsed(item, "user")]
        memory.given, memory.goes_on = given, goes_on
        for message in read:
            identity = _identity(message)
            memory.before[identity] += 1
            if (goes_on or message.role == "system") and memory.before[identity] <= memory.told[identity]:
                continue
            memory.told[identity] += 1
            yield message

    def _of_message(self, message: OutputMessage, key: _Key, place: _Place, when: str | None) -> Iterator[Table]:
        """Yield the events of a message; calls that have spans are told there."""
        calls = tuple(call for call in message.tool_calls if not self._taken(call, key, place))
        for event in events_of([replace(message, tool_calls=calls)]):
            told = to_data(event)
            if event.type is EventType.TOOL_RESULT:
                called = (place.owner, str(event.id))
                if called in self._waited:
                    self._waited[called] = told.get("output")
                    continue
                if (call := self._calls.get(called)) is not None:
                    if "error" not in call:
                        call.setdefault("output", told.get("output"))
                    continue
            elif event.type is EventType.TOOL_CALL and event.id is not None:
                self._calls[place.owner, str(event.id)] = told
            if when is not None:
                told.setdefault("timestamp", when)
            told.update(place.facts)
            yield told

    def _taken(self, call: OutputCall, key: _Key, place: _Place) -> bool:
        """Tell whether a call that a model asked for has a span, which from now on has its id and arguments."""
        chosen = self._span_of(call, key)
        if chosen is None:
            return False
        self._asked[chosen] = call
        if call.id is not None:
            self._waited[place.owner, call.id] = None
        return True

    def _span_of(self, call: OutputCall, key: _Key) -> _Key | None:
        """Return the span of a call that a model asked for, of the same agent if there is one; None for none.

        Ids may be those of calls of other agents too; a span without one is known by its tool and its arguments.
        """
        trace, owner, call_id = key[0], self._owners[key], str(call.id)
        for spans in (self._spans_of_calls.get((trace, owner, call_id)), self._elsewhere.get((trace, call_id))):
            while spans:
                if (span := spans.pop(0)) not in self._asked:
                    return span
        unnamed = self._unnamed.get((trace, owner, call.tool), [])
        given = (span for span in unnamed[:_MOST] if conventions.given_to(self._joined.spans[span]) == call.input)
        if (chosen := next(given, next(iter(unnamed), None))) is not None:
            unnamed.remove(chosen)
        return chosen

    def _call_event(self, key: _Key, place: _Place) -> Table:
        span, asked = self._joined.spans[key], self._asked.get(key)
        named = conventions.call_id(span) or (asked.id if asked is not None else None)
        given = conventions.given_to(span)
        if given is None and asked is not None and asked.input is not ABSENT:
            given = asked.input
        event = _without_nothing(
            {
                "type": EventType.TOOL_CALL.value,
                "id": self._own_id(named or span.id, span.id),
                "name": conventions.name_of(span),
                "input": given,
                "output": conventions.returned_by(span),
                **_timed(span),
                **place.facts,
            }
        )
        if named is not None:
            self._calls[place.owner, named] = event
            returned = self._waited.pop((place.owner, named), None)
            if returned is not None and "error" not in event:
                event.setdefault("output", returned)
        return event

    def _own_id(self, *names: str) -> str:
        """Return the first of some names that no event has as its id yet."""
        free = next((name for name in names if name and name not in self._ids), f"#{len(self._ids) + 1}")
        self._ids.add(free)
        return free


def _parsed(item: Table, role: str) -> tuple[OutputMessage, ...]:
    notes: list[Finding] = []
    return parse_usual([conventions.usual(item, role)], (), notes)


def _identity(message: OutputMessage) -> tuple[object, ...]:
    """Return what a message and its repetition among what a model is given later have in common.

    Of a message that calls tools that is their ids: its text may be left out when it is repeated.
    """
    if message.tool_calls and all(call.id is not None for call in message.tool_calls):
        return (message.role, *((call.id, call.tool) for call in message.tool_calls))
    content = without_thinking(message.content) if isinstance(message.content, list) else message.content
    text = text_of(content)
    said = behind_thinking(text or "") if is_text(content) else json.dumps(content, sort_keys=True, default=str)
    return (message.role, said, message.tool_call_id, *(call.tool for call in message.tool_calls))


def _timed(span: TraceSpan) -> Table:
    took = (span.end - span.start) / 1e6 if span.start and span.end and span.end >= span.start else None
    return {"timestamp": moment(span.start), "duration_ms": took, "error": span.error}


def _times(spans: Iterable[TraceSpan]) -> Table:
    starts = [span.start for span in spans if span.start]
    ends = [span.end for span in spans if span.end]
    took = (max(ends) - min(starts)) / 1e6 if starts and ends else None
    return {
        "start_time": moment(min(starts)) if starts else None,
        "duration_ms": took if took and took >= 0 else None,
    }


def _target(joined: JoinedSpans, steps: Sequence[TraceSpan]) -> str | None:
    """Return who answered: the outermost agent, and the model that was called first in it."""
    agent = next(
        (span for key, span in joined.spans.items() if joined.kinds[key] is SpanKind.AGENT and key in joined.roots),
        None,
    )
    models = Counter(model for span in steps if (model := conventions.model_of(span)))
    named = [conventions.name_of(agent)] if agent is not None else []
    return " · ".join([*named, *(model for model, _ in models.most_common(1))]) or None


def _scores(annotations: Sequence[Annotation], spans: dict[_Key, TraceSpan]) -> Iterator[Table]:
    """Yield what evaluators and people gave; several of one name are told apart by what they are about."""
    names = {key[1]: span.name for key, span in spans.items() if span.parent}
    given: Counter[str] = Counter()
    for item in annotations:
        about = names.get(item.span, "")
        name = item.name if item.name not in given or not about else f"{item.name} ({about})"
        given[name] += 1
        if given[name] > 1:
            name = f"{name} {given[name]}"
        passed = conventions.verdict_of(item)
        score: Table = {
            "name": name,
            "type": "person" if item.by_person else None,
            "score": item.score,
            "label": item.label,
            "verdict": passed,
            "explanation": item.explanation,
            "span": item.span or None,
        }
        yield _without_nothing(score)


def _without_nothing(table: Table) -> Table:
    return {key: value for key, value in table.items() if value is not None}
