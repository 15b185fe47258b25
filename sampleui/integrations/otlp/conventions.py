"""What a span is, by the conventions of instrumentations: what a model was given and said, what was called.

- OpenTelemetry's for generative AI, 1.27 to 1.41: messages as attributes (`gen_ai.input.messages`), as one event
  with all of them, or as an event each (`gen_ai.user.message`, `gen_ai.choice`, of 2024).
- OpenInference (`openinference.span.kind`, `llm.input_messages.N.message.…`).
- OpenLLMetry (`traceloop.span.kind`, `gen_ai.prompt.N.…`), and the AI SDK's (`ai.toolCall.name`) where it is told
  apart from these.

A value that is JSON in a text is read where a convention says that it is; what cannot be read stays a text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from functools import cache

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.otlp.spans import Annotation, Event, TraceSpan
from sampleui.review.results import fields
from sampleui.review.results.sources import quick_decoder
from sampleui.sample.message_shapes import usual_messages

PREFIXES = ("gen_ai.", "openinference.", "llm.", "traceloop.", "ai.")
"""How the keys of attributes begin of which a span of an agent has one."""

_PREFIXED = ("execute_tool ", "invoke_agent ", "invoke_workflow ")
_GIVEN = ("gen_ai.input.messages", "gen_ai.prompt", "llm.input_messages", "ai.prompt.messages", "llm.prompts")
_SAID = ("gen_ai.output.messages", "gen_ai.completion", "llm.output_messages", "llm.completions", "llm.choices")
_INSTRUCTIONS = ("gen_ai.system_instructions", "gen_ai.request.instructions")
_OF_EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    "gen_ai.choice": "assistant",
}
_CHOICE = "gen_ai.choice"
_WHOLE = frozenset({
    "gen_ai.client.inference.operation.details", "gen_ai.content.prompt", "gen_ai.content.completion",
})  # fmt: skip
"""Events that have all messages of a call of a model, as its span may have them."""

EVALUATION = "gen_ai.evaluation.result"
_NAMES = {
    "tool": ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name"),
    "agent": ("gen_ai.agent.name", "agent.name", "traceloop.entity.name"),
    "": ("gen_ai.workflow.name", "traceloop.entity.name"),
}
_IDS = ("gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id")
_MODEL_NAMES = (
    "gen_ai.response.model",
    "gen_ai.request.model",
    "llm.model_name",
    "llm.request.model",
    "ai.model.id",
)
_INPUTS = ("input.value", "traceloop.entity.input", "ai.toolCall.args")
_OUTPUTS = ("output.value", "traceloop.entity.output", "ai.toolCall.result")
_COUNTS = {
    "input": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"),
    "output": ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"),
    "cached": (
        "gen_ai.usage.cache_read.input_tokens",
        "gen_ai.usage.cache_read_input_tokens",
        "llm.token_count.prompt_details.cache_read",
    ),
    "reasoning": (
        "gen_ai.usage.reasoning.output_tokens",
        "gen_ai.usage.reasoning_tokens",
        "llm.token_count.completion_details.reasoning",
    ),
}
_PASSES, _FAILS = frozenset({"pass", "passed", "correct"}), frozenset({"fail", "failed", "incorrect"})


class SpanKind(Enum):
    """What a span is: a call of a model or of a tool, the work of an agent, a step of it, or none of these."""

    MODEL = auto()
    TOOL = auto()
    AGENT = auto()
    STEP = auto()
    OTHER = auto()


_KINDS = {
    **dict.fromkeys(("chat", "generate_content", "text_completion", "LLM"), SpanKind.MODEL),
    **dict.fromkeys(("execute_tool", "TOOL", "tool"), SpanKind.TOOL),
    **dict.fromkeys(("invoke_agent", "AGENT", "agent"), SpanKind.AGENT),
}
"""What a span is by the word of its convention; by any other it is a step."""


def value_in(attributes: Table, *keys: str) -> Plain:
    """Return the value of the first of some dotted keys that has one; None if none has."""
    for key in keys:
        value: Plain = attributes
        for step in key.split("."):
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, dict) and "" in value and len(value) > 1:
            value = value[""]
        if value is not None and value != "":
            return value
    return None


def is_of_model(event: Event) -> bool:
    """Tell whether an event tells of what a model was given or said."""
    return event.name in _OF_EVENTS or event.name in _WHOLE


def word_of(span: TraceSpan) -> str:
    """Return what a span is as its convention calls it: `chat`, `LLM`, `workflow`; "" for what is of none."""
    attributes = span.attributes
    word = value_in(attributes, "gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind")
    if isinstance(word, str):
        return word
    if value_in(attributes, "ai.toolCall.name") is not None:
        return "tool"
    asked = value_in(attributes, "llm.request.type", "gen_ai.input", "gen_ai.prompt", "llm.input_messages")
    if asked is not None or (value_in(attributes, "gen_ai.request.model") and "gen_ai" in attributes):
        return "chat"
    return "step" if value_in(attributes, "ai.operationId", "traceloop.entity.name") is not None else ""


def kind_of(span: TraceSpan) -> SpanKind:
    """Return what a span is."""
    word = word_of(span)
    return _KINDS.get(word, SpanKind.STEP if word else SpanKind.OTHER)


def name_of(span: TraceSpan) -> str:
    """Return the name of the tool, the agent or the step."""
    kind = {SpanKind.TOOL: "tool", SpanKind.AGENT: "agent"}.get(kind_of(span), "")
    named = fields.text(value_in(span.attributes, *_NAMES[kind]))
    return named or next(
        (span.name.removeprefix(text) for text in _PREFIXED if span.name.startswith(text)), span.name
    )


def model_of(span: TraceSpan) -> str | None:
    """Return the model that was called."""
    return fields.text(value_in(span.attributes, *_MODEL_NAMES))


def messages_of(span: TraceSpan, logs: Sequence[Event]) -> tuple[list[Table], list[Table]]:
    """Return what a model, or an agent, was given and what it said, each message as its convention has it.

    One that names no role is a user's among those given, and the model's among those that answer.

    Args:
        span: its span.
        logs: the log records about it.
    """
    events = [event for event in (*span.events, *logs) if is_of_model(event)]
    tables = [
        span.attributes,
        *({**as_table(event.body), **event.attributes} for event in events if event.name in _WHOLE),
    ]
    given: list[Table] = []
    instructed = (_opened(value_in(table, *_INSTRUCTIONS)) for table in tables[::-1])
    if (value := next((value for value in instructed if value is not None), None)) is not None:
        parts: list[Plain] = value if isinstance(value, list) else [{"type": "text", "content": value}]
        given.append({"role": "system", "parts": parts})
    given += next((found for table in tables if (found := _read(value_in(table, *_GIVEN)))), [])
    answered = next((found for table in tables if (found := _read(value_in(table, *_SAID)))), [])
    if not (given or answered):
        given = [_of_event(event) for event in events if event.name in _OF_EVENTS and event.name != _CHOICE]
        answered = [_of_event(event) for event in events if event.name == _CHOICE]
    answered = answered or [*_said_by_ai_sdk(span.attributes)]
    if not (given or answered) and kind_of(span) is SpanKind.MODEL:
        asked, returned = given_to(span), returned_by(span)
        given = [] if asked is None else [{"content": as_text(asked)}]
        answered = [] if returned is None else [{"content": as_text(returned)}]
    return given, answered


def usual(item: Table, role: str) -> Sequence[Table]:
    """Return the messages, in the usual form, that a message of a convention stands for, which may name no role."""
    for wrapper in ("message", "prompt", "completion"):
        if isinstance(inner := item.get(wrapper), dict):
            item = inner
    flat = _flattened(item)
    flat["role"] = flat.get("role") or role
    if "content" not in flat and isinstance(flat.get("text"), str) and "parts" not in flat:
        flat["content"] = flat["text"]
    return usual_messages(flat)


def call_id(span: TraceSpan) -> str | None:
    """Return the id of the call of a tool, as the model that asked for it gave it."""
    return fields.text(value_in(span.attributes, *_IDS))


def given_to(span: TraceSpan) -> Plain:
    """Return what a tool, an agent or a step was given; None where it does not say."""
    value = value_in(span.attributes, "gen_ai.tool.call.arguments", *_INPUTS)
    if value is None and kind_of(span) is SpanKind.TOOL:
        value = value_in(span.attributes, "tool.parameters")
    given = _opened(value)
    table = as_table(given)
    if table.keys() == {"args", "kwargs"}:
        return table if table["args"] else table["kwargs"]
    inputs = table.get("inputs")
    return inputs if isinstance(inputs, dict) and "traceloop" in span.attributes else given


def returned_by(span: TraceSpan) -> Plain:
    """Return what a tool, an agent or a step returned; None where it does not say."""
    value = value_in(span.attributes, "gen_ai.tool.call.result", *_OUTPUTS)
    documents = value_in(span.attributes, "retrieval.documents")
    if value is None and documents is not None:
        return [table.get("document") for table in tables_in(documents)]
    if isinstance(value, str) and value_in(span.attributes, "traceloop.entity.output") == value:
        return _loaded(value)
    return _opened(value) if value_in(span.attributes, "output.mime_type") == "application/json" else value


def tokens_of(span: TraceSpan) -> Table | None:
    """Return the tokens that a span counts."""
    counts = {kind: fields.whole(value_in(span.attributes, *keys)) for kind, keys in _COUNTS.items()}
    return {kind: count for kind, count in counts.items() if count is not None} or None


def cost_of(span: TraceSpan) -> float | None:
    """Return what a call of a model cost, in US dollars."""
    return fields.number(value_in(span.attributes, "llm.cost.total"))


def evaluations_in(trace: str, span: str, events: Sequence[Event]) -> Iterator[Annotation]:
    """Yield what evaluators gave, of the events of a span or the log records of a trace."""
    for event in events:
        if event.name == EVALUATION:
            about = as_table(value_in(event.attributes, "gen_ai.evaluation"))
            name, score = fields.text(about.get("name")) or "evaluation", as_table(about.get("score"))
            yield Annotation(
                trace, event.span or span, name, score.get("value"), score.get("label"), about.get("explanation")
            )


def annotations_on(span: TraceSpan) -> Iterator[Annotation]:
    """Yield the annotations among the attributes of a span."""
    for key in ("annotations", "evaluations"):
        for item in tables_in(span.attributes.get(key)):
            table = as_table(item.get("annotation", item.get("evaluation")))
            name = fields.text(table.get("name")) or "annotation"
            yield Annotation(
                span.trace, span.id, name, table.get("score"), table.get("label"), table.get("explanation")
            )


def verdict_of(annotation: Annotation) -> bool | None:
    """Return whether what was evaluated passed, by the word of its label alone: a score has no threshold."""
    label = annotation.label.strip().lower() if isinstance(annotation.label, str) else ""
    return True if label in _PASSES else False if label in _FAILS else None


def _read(value: Plain) -> list[Table]:
    """Return the messages of a convention, or what is one text of all."""
    opened = _opened(value)
    if isinstance(opened, str):
        return [{"content": opened}]
    table = as_table(opened)
    alone = "messages" not in table
    return [table] if table and alone else tables_in(opened if alone else table["messages"])


_OWN = ("finish_reason", "index", "contents", "function_call_name", "function_call_arguments_json")


def _flattened(item: Table) -> Table:
    """Return a message of OpenInference or OpenLLMetry with its parts and calls as chats have them."""
    message: Table = {key: value for key, value in item.items() if key not in _OWN and value is not None}
    if isinstance(parts := item.get("parts"), list):
        message["parts"] = [_part(part) for part in parts]
    if "contents" in item:
        contents = [as_table(part.get("message_content", part)) for part in tables_in(item["contents"])]
        urls = [value_in(part, "image.image.url") for part in contents]
        message["content"] = [
            part if url is None else {"type": "image_url", "image_url": {"url": url}}
            for part, url in zip(contents, urls, strict=True)
        ]
    elif isinstance(content := item.get("content"), str) and content.lstrip().startswith("[{"):
        parts = _opened(content)
        if isinstance(parts, list) and all("type" in as_table(part) for part in parts):
            message["content"] = parts
    calls = _opened(item.get("tool_calls"))
    if calls:
        message["tool_calls"] = [_call(as_table(call.get("tool_call", call))) for call in tables_in(calls)]
    elif isinstance(name := item.get("function_call_name"), str):
        message["tool_calls"] = [_call({"name": name, "arguments": item.get("function_call_arguments_json")})]
    return message


def _call(call: Table) -> Table:
    function = as_table(call.get("function"))
    arguments = call.get("arguments", function.get("arguments"))
    return {"id": call.get("id"), "tool": call.get("name", function.get("name")), "input": _opened(arguments)}


def _part(part: Plain) -> Plain:
    """Return a part with what is one provider's own call spelled as any call."""
    table = as_table(part)
    kind = str(table.get("type"))
    if kind == "server_tool_call":
        given = {key: value for key, value in as_table(table.get(kind)).items() if key != "type"}
        return {"type": "tool_call", "id": table.get("id"), "name": table.get("name"), "arguments": given}
    if kind == "server_tool_call_response":
        return {"type": "tool_call_response", "id": table.get("id"), "response": table.get(kind)}
    return {**table, "arguments": _opened(table.get("arguments"))} if kind == "tool_call" else part


def _of_event(event: Event) -> Table:
    """Return the message that an event of 2024 is: its body, or its attributes, whose values may be JSON."""
    said = {**event.attributes, **as_table(event.body)}
    if event.name == _CHOICE:
        inner = _opened(said.get("message"))
        said = inner if isinstance(inner, dict) else {"content": inner}
    message = {key: value for key, value in said.items() if key in ("role", "content", "tool_calls", "name")}
    if event.name == "gen_ai.tool.message":
        message["tool_call_id"] = said.get("id")
    return {"role": _OF_EVENTS[event.name], **message}


def _said_by_ai_sdk(attributes: Table) -> Iterator[Table]:
    text, calls = value_in(attributes, "ai.response.text"), _opened(value_in(attributes, "ai.response.toolCalls"))
    if text is not None or calls is not None:
        made: list[Plain] = [
            {
                "id": call.get("toolCallId"),
                "tool": call.get("toolName"),
                "input": _opened(call.get("input", call.get("args"))),
            }
            for call in tables_in(calls)
        ]
        yield {"content": text or "", "tool_calls": made}


def _opened(value: Plain) -> Plain:
    """Return the table or the list that a text holds as JSON; any other value as it is."""
    return _loaded(value) if isinstance(value, str) and value.lstrip()[:1] in ("{", "[") else value


def _loaded(text: str) -> Plain:
    try:
        loaded = _decoder()(text.encode())
    except (ValueError, RecursionError):
        return text
    return loaded


@cache
def _decoder() -> Callable[[bytes], Plain]:
    return quick_decoder()


def as_text(value: Plain) -> str:
    """Return a text, or any other value as its JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
