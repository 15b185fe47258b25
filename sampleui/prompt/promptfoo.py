"""promptfoo's prompts: each prompt of a config, filled with the variables of a test (promptfoo 0.121).

What is not certain is left as written and reported: a guess at what another program makes of it would be worse
than none.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sampleui.errors import FormatError
from sampleui.formats.data import Plain, Table
from sampleui.prompt.attachments import Attachment
from sampleui.prompt.nunjucks import Filling, resolved
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
_PARTED = (".txt", ".prompt")
_WHOLE = (".md", ".j2")
_PROMPT_FILES = (*_PARTED, *_WHOLE, ".json", ".jsonl", ".yaml", ".yml")
_MADE = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py", ".yaml", ".yml", ".pdf")
_MEDIA = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".svg", ".mp4", ".webm", ".mov", ".mp3", ".wav", ".ogg")
"""Files that a variable is made of by more than reading their text."""

_MOST_RUNS = 24
"""How many of the runs of one test are shown that lists of values make."""


@dataclass(frozen=True, slots=True)
class _Prompt:
    """One prompt: its label and id, its text, None if it is not shown, what is told of it, and of which run."""

    label: str
    text: str | None
    notes: tuple[str, ...] = ()
    id: str = ""
    run: str = ""


def prompted(sample: Sample, read: Read) -> list[Templated]:
    """Return a sample as each prompt of its file asks it; nothing if the file has no prompts.

    Of a variable with a list of texts each makes a run of its own, as in promptfoo.

    Args:
        sample: the test, with its config as context.
        read: reads a file by the path as it is written, inside the project.
    """
    notes: list[str] = []
    shared = _default(sample, read, notes)
    prompts = sample.context.get("prompts")
    listed = prompts if isinstance(prompts, list) else [] if prompts is None else [prompts]
    asked = [one for prompt in listed for one in _prompts(prompt, read)]
    only = sample.data.get("prompts", shared.get("prompts"))
    allowed = [one for one in asked if _is_meant(one, only)] if isinstance(only, list) else asked
    before, behind = _around(sample, shared)
    env = sample.context.get("env")
    made = []
    for name, variables in _runs(_variables(sample, shared, notes), _options(sample, shared), notes):
        told = list(notes)
        filling = Filling(_with_files(variables, read, told), env if isinstance(env, dict) else {}, told)
        filling.variables = resolved(filling.variables, told)
        made += [_made(replace(one, run=name), (before, behind), filling, sample) for one in allowed]
    return made


def _made(one: _Prompt, around: tuple[str, str], filling: Filling, sample: Sample) -> Templated:
    notes = list(filling.notes)
    own = Filling(filling.variables, filling.environment, notes)
    text = None if one.text is None else one.text.join(around)
    messages = tuple(_messages(text, own))
    node = ("vars",) if "vars" in sample.data else ()
    told = dict.fromkeys((*notes, *one.notes))
    findings = tuple(Finding("template-unsupported", Severity.INFO, note, node) for note in told)
    return Templated(messages, findings, f"{one.run} · {one.label}" if one.run else one.label)


def _default(sample: Sample, read: Read, notes: list[str]) -> Table:
    """Return what holds for every test, from its file where it is kept in one."""
    shared = sample.context.get("defaultTest")
    if not isinstance(shared, str):
        return shared if isinstance(shared, dict) else {}
    path = shared.removeprefix(_SCHEME)
    text = _file(path, read, notes) if shared.startswith(_SCHEME) else None
    if text is not None and path.lower().endswith((".yaml", ".yml", ".json")):
        from sampleui.formats.whole import AS_ONE

        try:
            return AS_ONE["json" if path.lower().endswith(".json") else "yaml"].parse(text).read(0)
        except FormatError as error:
            notes.append(f"{path} cannot be read: {error.message}")
    notes.append(f"defaultTest is kept in {shared} and is not read")
    return {}


def _options(sample: Sample, shared: Table) -> Table:
    held = (one.get("options") for one in (shared, sample.data))
    return {key: value for one in held if isinstance(one, dict) for key, value in one.items()}


def _around(sample: Sample, shared: Table) -> tuple[str, str]:
    """Return what a test has before and behind every prompt."""
    options, default = _options(sample, shared), shared.get("options")
    usual = default if isinstance(default, dict) else {}
    found = (
        sample.data.get(f"__{name}") or options.get(name) or usual.get(name) or "" for name in ("prefix", "suffix")
    )
    before, behind = (one if isinstance(one, str) else "" for one in found)
    return before, behind


def _variables(sample: Sample, shared: Table, notes: list[str]) -> Table:
    """Return the variables of a test, over those that hold for every test."""
    held = shared.get("vars")
    own: Plain = variables_of_row(sample.data, dialect_of(sample))
    if isinstance(named := sample.data.get("vars"), str | list):
        notes.append(f"the variables are kept in {named} and are not read")
        own = {}
    if _options(sample, shared).get("transformVars"):
        notes.append("the variables are changed by transformVars before a run, and shown as they are")
    return {**(held if isinstance(held, dict) else {}), **(own if isinstance(own, dict) else {})}


def _runs(variables: Table, options: Table, notes: list[str]) -> Iterator[tuple[str, Table]]:
    """Yield the variables of each run of a test, with what tells it from the others."""
    several = {
        name: value
        for name, value in variables.items()
        if isinstance(value, list)
        and value
        and isinstance(value[0], str)
        and not options.get("disableVarExpansion")
    }
    count = 1
    for value in several.values():
        count *= len(value)
    if count > _MOST_RUNS:
        notes.append(f"promptfoo runs this test {count:,} times, for each of its values; the first are shown")
    for chosen in itertools.islice(itertools.product(*several.values()), _MOST_RUNS):
        named = dict(zip(several, chosen, strict=True))
        name = ", ".join(f"{key}: {str(value).strip()[:30]}" for key, value in named.items() if count > 1)
        yield name, {**variables, **named}


def _is_meant(prompt: _Prompt, references: list[Plain]) -> bool:
    """Tell whether a test is asked by a prompt: by its label, its id, or how these begin."""
    names = [one for one in (prompt.label, prompt.id) if one]
    for reference in (one for one in references if isinstance(one, str)):
        start = reference[:-1] if reference.endswith("*") else f"{reference}:"
        if any(name == reference or name.startswith(start) for name in names):
            return True
    return False


def _with_files(variables: Table, read: Read, notes: list[str]) -> Table:
    return {
        name: _from_file(name, value, read, notes)
        if isinstance(value, str) and value.startswith(_SCHEME)
        else value
        for name, value in variables.items()
    }


def _from_file(name: str, value: str, read: Read, notes: list[str]) -> Plain:
    path = value.removeprefix(_SCHEME)
    if path.lower().endswith((*_MADE, *_MEDIA)) or "*" in path:
        notes.append(f"{name} is made of {path} by promptfoo and stays as it is written")
        return value
    text = _file(path, read, notes)
    return value if text is None else trim(text)


def _file(path: str, read: Read, notes: list[str]) -> str | None:
    if "*" in path:
        notes.append(f"{path} stands for several files, which are not read")
        return None
    found = read(path)
    if found.text is None:
        notes.append(f"{path} {found.problem.reason if found.problem else 'is not read'}")
    return found.text


def _prompts(prompt: Plain, read: Read) -> Iterator[_Prompt]:
    """Yield each prompt that one entry of `prompts` stands for."""
    entry = prompt if isinstance(prompt, dict) else {}
    text = next((entry[key] for key in ("raw", "id") if isinstance(entry.get(key), str)), prompt)
    label, name = entry.get("label"), str(entry.get("id", ""))
    if not isinstance(text, str):
        yield _Prompt(str(label or "prompt"), None, ("a prompt that is neither a text nor a file is not shown",))
        return
    named = label if isinstance(label, str) else text.strip().split("\n")[0][:60]
    plain = "\n" not in text and text.lower().endswith(_PROMPT_FILES) and read(text).text is not None
    if not text.startswith(_SCHEME) and not plain:
        yield _Prompt(named, text, (), name)
        return
    path, notes = text.removeprefix(_SCHEME), list[str]()
    if not path.lower().endswith(_PROMPT_FILES):
        yield _Prompt(named, None, (f"{path} is made into a prompt by promptfoo and is not read",), name)
        return
    held = _file(path, read, notes)
    if held is None:
        yield _Prompt(named, None, tuple(notes), name)
        return
    parts = [*_parts(held, Path(path.lower()).suffix, notes)]
    for number, part in enumerate(parts, 1):
        yield _Prompt(named if len(parts) == 1 else f"{named} {number}", part, tuple(notes), name)


def _parts(text: str, suffix: str, notes: list[str]) -> Iterator[str]:
    """Yield the prompts of a file."""
    if suffix in _PARTED:
        parts: list[list[str]] = [[]]
        for line in text.split("\n"):
            if trim(line) == "---":
                parts.append([])
            else:
                parts[-1].append(line)
        yield from (made for part in parts if (made := trim("\n".join(part))))
    elif suffix == ".jsonl":
        yield from (line for line in text.split("\n") if line)
    elif suffix in (".yaml", ".yml"):
        yield _of_yaml(text, notes)
    else:
        if suffix == ".json" and _SCHEME in text:
            notes.append("files that are named inside a prompt are not read")
        yield text


def _of_yaml(text: str, notes: list[str]) -> str:
    """Return a YAML file as the JSON that promptfoo makes of it."""
    from sampleui.formats.registry import parse_document

    try:
        document = parse_document(text, Path("prompt.yaml"))
        listed: list[Plain] = [document.read(index) for index in range(len(document))]
    except FormatError as error:
        notes.append(f"the prompt is not read: {error.message}")
        return text
    if not listed or document.container or document.keyed or document.context or _SCHEME in text:
        notes.append("the prompt is shown as its file has it; promptfoo makes JSON of it")
        return text
    return stringify(listed)


def _messages(text: str | None, filling: Filling) -> Iterator[Placed]:
    """Yield the messages of a prompt: of JSON each text in it is filled by itself."""
    if text is None:
        return
    try:
        value: Plain = json.loads(text, parse_constant=_not_json)
    except (ValueError, RecursionError):
        yield _placed(0, "user", filling.with_filled().text(text))
        return
    chat = isinstance(value, list) and value and all(isinstance(item, dict) and "role" in item for item in value)
    if not chat or not isinstance(value, list):
        yield _placed(0, "user", stringify(filling.value(value), 2))
        return
    for index, item in enumerate(value):
        role, content = (item.get("role"), item.get("content")) if isinstance(item, dict) else (None, None)
        if isinstance(role, str) and isinstance(content, str):
            yield _placed(index, filling.text(role), filling.text(content))
        else:
            filling.notes.append(f"message {index + 1} of the prompt is not text and is not shown")


def _placed(index: int, role: str, text: str) -> Placed:
    return Placed(Message(index, role, (TextSegment(text),)), ("vars",), {})


def _not_json(word: str) -> Plain:
    raise ValueError(word)
