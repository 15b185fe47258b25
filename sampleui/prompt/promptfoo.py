"""promptfoo's prompts: each prompt of a config, filled with the variables of a test (promptfoo 0.123, Nunjucks).

Plain variables, and the filters whose meaning is certain, are filled in. Anything else in a template is left as
written and reported: a guess at what another program makes of it would be worse than none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from sampleui.formats.data import Plain, Table
from sampleui.prompt.attachments import Attachment
from sampleui.prompt.parts import Placed
from sampleui.prompt.templates import Templated
from sampleui.sample.javascript import stringify, trim
from sampleui.sample.message import Message, TextSegment
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of
from sampleui.sample.spoken import variables_of_row
from sampleui.text.diagnostic import Finding, Severity

Read = Callable[[str], Attachment]

_SCHEME = "file://"
_TAG = re.compile(r"\{\{[^{}]{0,300}\}\}|\{%[^%]{0,300}%\}|\{#[^#]{0,300}#\}")
_FILLED = re.compile(r"\{\{\s*([A-Za-z_]\w*(?:\.\w+)*)((?:\s*\|\s*(?:upper|lower|trim|safe))*)\s*\}\}")
_FILTERS: Mapping[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "trim": trim,
    "safe": str,
}
_PARTED = re.compile(r"\n---\n")
_TEXT_FILES = (".txt", ".md", ".prompt", ".j2")


@dataclass
class _Filling:
    """The variables of a test, and what is to be told of the way they are filled in."""

    variables: Table
    notes: list[str] = field(default_factory=list)

    def text(self, template: str) -> str:
        """Return a template with its variables filled in."""
        return _TAG.sub(self._value, template) if "{" in template else template

    def _value(self, tag: re.Match[str]) -> str:
        found = _FILLED.fullmatch(tag[0])
        if found is None:
            self.notes.append(f"{tag[0]} is left as written: only plain variables and plain filters are filled in")
            return tag[0]
        text = self._said(found[1].split("."), tag[0])
        for name in re.findall(r"\w+", found[2]) if text != tag[0] else ():
            text = _FILTERS[name](text)
        return text

    def _said(self, path: list[str], tag: str) -> str:
        value: Plain = self.variables
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, str):
            return value.removesuffix("\n")  # promptfoo takes one line break off the end of a variable
        if value is None:
            self.notes.append(f"{tag} has no value; promptfoo sends nothing in its place")
            return ""
        if isinstance(value, list | dict):
            self.notes.append(f"{tag} is left as written: its value is no text")
            return tag
        return stringify(value)


def prompted(sample: Sample, read: Read) -> list[Templated]:
    """Return a sample as each prompt of its file asks it; nothing if the file has no prompts.

    Args:
        sample: the test, with its config as context.
        read: reads a file by the path as it is written, inside the project.
    """
    prompts = sample.context.get("prompts")
    listed = prompts if isinstance(prompts, list) else [] if prompts is None else [prompts]
    asked = [one for prompt in listed for one in _prompts(prompt, read)]
    filling = _Filling(*_variables(sample, read))
    made = []
    for label, template, notes in asked:
        filling.notes, shared = [], filling.notes
        messages = tuple(_messages(template, filling))
        told = dict.fromkeys((*shared, *notes, *filling.notes))
        findings = tuple(Finding("template-unsupported", Severity.INFO, note, _node(sample)) for note in told)
        made.append(Templated(messages, findings, label))
        filling.notes = shared
    return made


def _node(sample: Sample) -> tuple[str, ...]:
    return ("vars",) if "vars" in sample.data else ()


def _variables(sample: Sample, read: Read) -> tuple[Table, list[str]]:
    """Return the variables of a test, over those of `defaultTest`, and what is to be told of them."""
    notes: list[str] = []
    shared = sample.context.get("defaultTest")
    if isinstance(shared, str):
        notes.append(f"defaultTest is kept in {shared} and is not read")
    held = shared.get("vars") if isinstance(shared, dict) else None
    own = variables_of_row(sample.data, dialect_of(sample))
    variables: Table = {}
    for name, value in {**(held if isinstance(held, dict) else {}), **own}.items():
        if isinstance(value, list) and value and not isinstance(value[0], list | dict):
            notes.append(
                f"{name} is a list: promptfoo runs a test for each of its {len(value)} items; here is the first"
            )
            value = value[0]
        variables[name] = _from_file(name, value, read, notes) if _is_file(value) else value
    return variables, notes


def _is_file(value: Plain) -> bool:
    return isinstance(value, str) and value.startswith(_SCHEME)


def _from_file(name: str, value: Plain, read: Read, notes: list[str]) -> Plain:
    path = str(value).removeprefix(_SCHEME)
    if not path.lower().endswith(_TEXT_FILES):
        notes.append(f"{name} is made of {path} by promptfoo and stays as it is written")
        return value
    text = _file(path, read, notes)
    return value if text is None else trim(text)


def _file(path: str, read: Read, notes: list[str]) -> str | None:
    found = read(path)
    if found.text is None:
        notes.append(f"{path} {found.problem.reason if found.problem else 'is not read'}")
    return found.text


def _prompts(prompt: Plain, read: Read) -> Iterator[tuple[str, Plain, list[str]]]:
    """Yield the label, the template and the notes of each prompt that one entry of `prompts` stands for."""
    entry = prompt if isinstance(prompt, dict) else {}
    text = next((entry[key] for key in ("raw", "id") if isinstance(entry.get(key), str)), prompt)
    label = entry.get("label")
    if not isinstance(text, str):
        yield str(label or "prompt"), None, ["a prompt that is neither a text nor a file is not shown"]
        return
    named = label if isinstance(label, str) else text.strip().split("\n")[0][:60]
    if not text.startswith(_SCHEME):
        yield named, _as_chat(text), []
        return
    path, notes = text.removeprefix(_SCHEME), list[str]()
    if not path.lower().endswith((*_TEXT_FILES, ".json")):
        yield named, None, [f"{path} is made into a prompt by promptfoo and is not read"]
        return
    held = _file(path, read, notes)
    if held is None:
        yield named, None, notes
        return
    parts = [held] if path.lower().endswith(".json") else [part for part in _PARTED.split(held) if part.strip()]
    for number, part in enumerate(parts, 1):
        yield named if len(parts) == 1 else f"{named} {number}", _as_chat(trim(part)), []


def _as_chat(text: str) -> Plain:
    """Return the messages that a text is as JSON, or else the text."""
    if not text.lstrip().startswith("["):
        return text
    try:
        value: Plain = json.loads(text)
    except (ValueError, RecursionError):
        return text
    chat = isinstance(value, list) and value and all(isinstance(item, dict) and "role" in item for item in value)
    return value if chat else text


def _messages(template: Plain, filling: _Filling) -> Iterator[Placed]:
    items = [{"role": "user", "content": template}] if isinstance(template, str) else template
    for index, item in enumerate(items if isinstance(items, list) else []):
        role, content = (item.get("role"), item.get("content")) if isinstance(item, dict) else (None, None)
        if isinstance(role, str) and isinstance(content, str):
            message = Message(index, filling.text(role), (TextSegment(filling.text(content)),))
            yield Placed(message, ("vars",), {})
        else:
            filling.notes.append(f"message {index + 1} of the prompt is no text and is not shown")
