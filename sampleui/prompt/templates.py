"""AgentV's templates: prompts beside the samples, filled with a sample's `vars`.

Only plain variables are filled in. Filters, blocks and prompts kept in other files are left as written and
reported: a guess at what another program makes of them would be worse than none.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.prompt.attachments import Attachment
from sampleui.prompt.fill import Flatten, fill_message, is_conversation, variable
from sampleui.prompt.parts import Placed, placed, turn
from sampleui.prompt.question import question
from sampleui.sample.dialect import Dialect
from sampleui.sample.message import Message, TextSegment
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, json_text, segments, value_at
from sampleui.text.diagnostic import Finding, Severity

_ELSEWHERE = re.compile(r"(?:file|https?|package)://|exec:", re.IGNORECASE)
_PROMPT_KEYS = ("raw", "prompt", "template", "content", "messages")
_VARS: DataPath = ("vars",)


@dataclass(frozen=True, slots=True)
class Templated:
    """The messages of a sample with its variables filled in, what could not be, and the name of the prompt."""

    messages: tuple[Placed, ...]
    findings: tuple[Finding, ...] = ()
    label: str = ""


def uses_prompts(sample: Sample) -> bool:
    """Tell whether a sample's messages come from the prompts beside it: its own are in `vars` or nowhere."""
    if "prompts" not in dialect_of(sample).context_messages or not sample.context.get("prompts"):
        return False
    return sample.messages_path[:1] == _VARS or value_at(sample.data, sample.messages_path) is None


def templated(sample: Sample) -> Templated:
    """Return a sample's messages with its variables filled in, made from the first prompt where prompts are used.

    In messages of the sample's own, what names no variable is the author's text and is not reported. The messages
    of a file-wide `input` come first, as AgentV puts them, unless the sample opts out with
    `execution.skip_defaults`.
    """
    if not dialect_of(sample).context_messages:
        return Templated(placed(sample))
    variables = _variables(sample)
    own = (*_shared(sample), *(() if uses_prompts(sample) else placed(sample)))
    if variables:
        flattened = _flattening(dialect_of(sample))
        own = tuple(_known(item, variables, flattened) for item in own)
    if not uses_prompts(sample):
        return Templated(own)
    made = _from_prompts(sample, variables)
    return Templated((*own, *made.messages), made.findings)


def _from_prompts(sample: Sample, variables: Table) -> Templated:
    prompt, notes = _shown_prompt(sample.context["prompts"])
    messages: list[Placed] = []
    flattened = _flattening(dialect_of(sample))
    for message in _prompt_messages(prompt):
        held = _held_messages(message, sample, variables)
        if held is not None:
            messages += held
            continue
        filled, left = fill_message(_with_value(message, variables), variables, flattened)
        notes += [f"{tag} is left as written: {_reason(tag)}" for tag in left]
        notes += [f"{text} is kept elsewhere and is not read" for text in _elsewhere(message)]
        messages.append(Placed(filled, _VARS, {}))
    findings = (Finding("template-unsupported", Severity.INFO, note, _VARS) for note in dict.fromkeys(notes))
    return Templated(tuple(messages), tuple(findings))


def _shown_prompt(prompts: Plain) -> tuple[Plain, list[str]]:
    """Return the prompt that is shown, and a note if there are others. A list of messages is one prompt."""
    if not isinstance(prompts, list) or not prompts or is_conversation(prompts):
        return prompts, []
    others = [f"The file has {len(prompts)} prompts; the first is shown"] if len(prompts) > 1 else []
    return prompts[0], others


def _prompt_messages(prompt: Plain) -> Iterator[Message]:
    """Yield the messages of a prompt: a text (or JSON messages in one), a list, or a table that holds either."""
    if isinstance(prompt, dict) and "role" not in prompt:
        prompt = next((prompt[key] for key in _PROMPT_KEYS if key in prompt), json_text(prompt))
    if isinstance(prompt, str):
        prompt = _json_messages(prompt) or {"role": "user", "content": prompt}
    for item in prompt if isinstance(prompt, list) else [prompt]:
        role = item.get("role") if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(role, str):
            yield Message(0, role, segments(item.get("content")) or ())


def _json_messages(text: str) -> Plain:
    if not text.lstrip().startswith("["):
        return None
    try:
        value: Plain = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if is_conversation(value) else None


def _held_messages(message: Message, sample: Sample, variables: Table) -> tuple[Placed, ...] | None:
    """Return the messages that take the place of one which is nothing but a variable that holds messages."""
    path = _only_variable(message)
    if path is None or not is_conversation(value_at(variables, path)):
        return None
    holder = dataclasses.replace(sample, data={"vars": variables}, messages_path=(*_VARS, *path))
    flattened = _flattening(dialect_of(sample))
    return tuple(_known(item, variables, flattened) for item in placed(holder))


def _with_value(message: Message, variables: Table) -> Message:
    """Return a message which is nothing but a variable that holds segments with those segments."""
    path = _only_variable(message)
    value = value_at(variables, path) if path else None
    parts = segments(value) if isinstance(value, list) else None
    return dataclasses.replace(message, segments=parts) if parts else message


def _only_variable(message: Message) -> DataPath | None:
    text = _texts(message)
    return variable(text[0]) if len(message.segments) == len(text) == 1 else None


def _texts(message: Message) -> list[str]:
    return [part.text for part in message.segments if isinstance(part, TextSegment)]


def _elsewhere(message: Message) -> Iterator[str]:
    return (text.strip() for text in _texts(message) if _ELSEWHERE.match(text.strip()))


def _reason(tag: str) -> str:
    return "it has no value in vars" if variable(tag) else "only plain variables are filled in"


def _known(item: Placed, variables: Table, flattened: Flatten) -> Placed:
    return item._replace(message=fill_message(item.message, variables, flattened)[0])


def _flattening(dialect: Dialect) -> Flatten:
    """Return what makes messages inside a longer text their question. Files are named there and not embedded."""

    def flattened(messages: list[Plain]) -> str:
        holder = Sample("", 0, {"messages": messages}, dialect.name, ("messages",), Path(), kind=dialect)
        read = [turn(item, lambda written: Attachment(written, text="", guideline=True)) for item in placed(holder)]
        return question(read, read)

    return flattened


def _variables(sample: Sample) -> Table:
    shared = sample.context.get("default_test", sample.context.get("defaultTest"))
    tables = (shared.get("vars") if isinstance(shared, dict) else None, sample.data.get("vars"))
    return {name: value for table in tables if isinstance(table, dict) for name, value in table.items()}


def _shared(sample: Sample) -> tuple[Placed, ...]:
    suite = shared(sample)
    return tuple(item._replace(node=()) for item in placed(suite)) if suite else ()


def shared(sample: Sample) -> Sample | None:
    """Return a file-wide `input` as a sample of its messages, None if there is none or the sample opts out."""
    execution = sample.data.get("execution")
    value = sample.context.get("input") if dialect_of(sample).context_messages else None
    if value is None or (isinstance(execution, dict) and execution.get("skip_defaults") is True):
        return None
    return dataclasses.replace(sample, data={"input": value}, messages_path=("input",))
