"""The prompts beside AgentV 5's tests, filled with the variables of a test (5.3.1-next, `expandPromptMatrix`).

AgentV fills them twice, so that variables in values are filled as well. What is not certain is left as written and
reported: a guess at what another program makes of it would be worse than none. What version 4 sends byte for byte
is a style of its own (`prompts_4.py`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, as_list, json_or_text
from sampleui.integrations.agentv.filling import filled, filling_by, only_variable
from sampleui.integrations.agentv.prompts_4 import rendered, request
from sampleui.integrations.integration import Prompts
from sampleui.integrations.named_files import ReadsFile, kept_default, text_of
from sampleui.integrations.nunjucks import Filling
from sampleui.prompt.library import Library
from sampleui.prompt.parts import Placed, placed_messages
from sampleui.prompt.templates import (
    VARS,
    Templated,
    default_test,
    is_conversation,
    shared_messages,
    uses_prompts,
    variables_over,
)
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.message import FileSegment, Message, Segment, TextSegment, segments
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of
from sampleui.text.confined import SCHEME
from sampleui.text.diagnostic import Finding, Severity

_KEPT_ELSEWHERE = re.compile(r"(?:https?|package)://|exec:", re.IGNORECASE)
_MADE = ("function_file", "function", "command")
_HELD = ("messages", "prompt", "raw", "template", "content")


class _Prompt(NamedTuple):
    """A prompt, None if it is not known, what it is called, and what is told of it."""

    value: Plain
    label: str
    notes: tuple[str, ...] = ()


def asked(sample: Sample, library: Library) -> list[Templated]:
    """Return a sample as each prompt of its file asks it; nothing where it has messages of its own.

    Args:
        sample: the test, with its file as context.
        library: the reader of files.
    """
    if not uses_prompts(sample):
        return []
    notes: list[str] = []
    variables = _variables(sample, library.read, notes)
    before = shared_messages(sample, variables)
    prompts = sample.context["prompts"]
    several = isinstance(prompts, list) and prompts and not is_conversation(prompts)
    listed = [_prompt(item, library.read) for item in (as_list(prompts) if several else [prompts])]
    asking = []
    for prompt in listed:
        filling = filling_by(variables, sample.context, [*notes, *prompt.notes])
        messages = (*before, *_messages(prompt.value, sample, filling))
        told = dict.fromkeys(filling.notes)
        findings = tuple(Finding("template-unsupported", Severity.INFO, note, VARS) for note in told)
        asking.append(Templated(messages, findings, prompt.label if len(listed) > 1 else ""))
    return asking


def _variables(sample: Sample, read: ReadsFile, notes: list[str]) -> Table:
    """Return the variables of a test over those of all tests, which may be kept in a file."""
    shared = default_test(sample)
    if isinstance(shared, str):
        default = kept_default(shared, read, notes)
        if default is None:
            notes.append(f"default_test is kept in {shared} and is not read")
        shared = default
    return variables_over(shared, sample)


def _prompt(entry: Plain, read: ReadsFile) -> _Prompt:
    """Return what one entry of `prompts` stands for."""
    table = entry if isinstance(entry, dict) and "role" not in entry else {}
    named = next((name for key in ("label", "id") if isinstance(name := table.get(key), str)), "")
    file = table.get("file", entry)
    if isinstance(file, str) and ("file" in table or file.startswith(SCHEME)):
        notes: list[str] = []
        path = file.removeprefix(SCHEME)
        return _Prompt(text_of(path, read, notes), named or path, tuple(notes))
    if any(key in table for key in _MADE):
        return _Prompt(None, named or "prompt", ("a program makes this prompt in a run, and is not run here",))
    value = next((table[key] for key in _HELD if key in table), None) if table else entry
    if not isinstance(value, str):
        known = is_conversation(value if isinstance(value, list) else [value])
        return _Prompt(value, named or "prompt", () if known else ("a prompt that asks nothing is not shown",))
    name = named or value.strip().split("\n")[0][:60]
    if _KEPT_ELSEWHERE.match(value):
        return _Prompt(value, name, (f"{value.strip()} is kept elsewhere and is not read",))
    return _Prompt(value, name, ())


def _messages(prompt: Plain, sample: Sample, filling: Filling) -> Iterator[Placed]:
    """Yield the messages of a prompt: of a text that is JSON, of a list, or one of the user."""
    if isinstance(prompt, str):
        path = only_variable(prompt)
        if path is not None and isinstance(value_at(filling.variables, path), list | dict):
            yield from _templated_parts(path, prompt, sample, filling)
            return
        content = _filled(_filled(prompt, filling), filling)
        prompt = (_chat(content) if isinstance(content, str) else None) or {"role": "user", "content": content}
    else:
        prompt = _filled(_filled(prompt, filling), filling)
    dialect = dialect_of(sample)
    for item in prompt if isinstance(prompt, list) else [prompt]:
        role = item.get("role") if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(role, str):
            yield Placed(Message(0, role, segments(item.get("content"), dialect.contents.tables) or ()), VARS, {})


def _templated_parts(path: DataPath, prompt: str, sample: Sample, filling: Filling) -> Iterator[Placed]:
    """Yield the messages that a variable holds which a prompt consists of, with the variables in them filled."""
    data = {"vars": filling.variables["vars"]}
    node = path if path[0] == "vars" else (*VARS, *path)
    value = value_at(data, node)
    if isinstance(value, list) and not is_conversation(value):
        filling.notes.append(f"{prompt.strip()} is left as written: its value is neither text nor messages")
        yield Placed(Message(0, "user", (TextSegment(prompt),)), VARS, {})
        return
    holder = dataclasses.replace(sample, data=data, messages_path=node)
    for item in placed_messages(holder):
        parts = tuple(_part(part, filling) for part in item.message.segments)
        yield item._replace(message=dataclasses.replace(item.message, segments=parts))


def _part(part: Segment, filling: Filling) -> Segment:
    if isinstance(part, TextSegment):
        return TextSegment(filling.text(part.text))
    return FileSegment(filling.text(part.path)) if isinstance(part, FileSegment) else part


def _filled(value: Plain, filling: Filling) -> Plain:
    """Return a value with its texts filled; one that is only a variable becomes its value, unless that is messages.

    AgentV puts messages inside the message, where no provider reads them.
    """

    def whole(text: str, variable: Plain) -> Plain:
        is_content = isinstance(variable, str | dict) or (isinstance(variable, list) and segments(variable))
        return variable if is_content else filling.text(text)

    return filled(value, filling, whole)


def _chat(text: str) -> Plain:
    """Return the messages that a text is the JSON of, None if it is anything else."""
    if not text.lstrip().startswith("["):
        return None
    value = json_or_text(text)
    return value if is_conversation(value) else None


PROMPTS = Prompts(asked, render_as=rendered, request=request)
