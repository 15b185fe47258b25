"""promptfoo's prompts: each prompt of a config, filled with the variables of a test (promptfoo 0.121).

What is not certain is left as written and reported: a guess at what another program makes of it would be worse
than none.
"""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table
from sampleui.formats.timestamps import in_json, with_moments
from sampleui.integrations.javascript import stringify, trim
from sampleui.integrations.named_files import ReadsFile, text_of, yaml_in
from sampleui.integrations.nunjucks import REFUSED, Filling, resolved
from sampleui.integrations.promptfoo.references import referred
from sampleui.integrations.promptfoo.variables import expanded, options_of, shared_test, variables_of, without_dates
from sampleui.prompt.library import Library
from sampleui.prompt.parts import Placed
from sampleui.prompt.templates import Templated
from sampleui.sample.message import Message, TextSegment
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_followed
from sampleui.text.confined import SCHEME
from sampleui.text.diagnostic import Finding, Severity

_MADE = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py", ".pdf")
_MEDIA = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".svg", ".mp4", ".webm", ".mov", ".mp3", ".wav", ".ogg")
"""Files that a variable is made of by more than reading their text."""

_FILTER = r"(?!\{\{)[^}]"
_ASKED = re.compile(rf"\{{\{{\s*+([^{{}}\s|]++)\s*+(?:\|{_FILTER}(?:{_FILTER}|)*+)?\}}\}}")
_MAX_RUNS = 24
"""How many of the runs of one test are shown that lists of values make."""


def prompted(sample: Sample, library: Library) -> list[Templated]:
    """Return a sample as each prompt of its file asks it; nothing if the file has no prompts.

    Of a variable with a list of texts each makes a run of its own, as in promptfoo.

    Args:
        sample: the test, with its config as context.
        library: the files of the project.
    """
    sample, read = as_followed(sample), library.read
    notes: list[str] = []
    shared = shared_test(sample, read, notes)
    prompts = referred(sample.context.get("prompts"), sample.context)
    if isinstance(prompts, dict) and not {"id", "raw"} & prompts.keys():
        prompts = [{"raw": raw, "label": label} for raw, label in prompts.items()]
    if not isinstance(prompts, list):
        prompts = [] if prompts is None else [prompts]
    asked = [item for prompt in prompts for item in prompts_of(prompt, library)]
    only = sample.data.get("prompts", shared.get("prompts"))
    allowed = [item for item in asked if _is_meant(item, only)] if isinstance(only, list) else asked
    before, behind = _around(sample, shared)
    env, own_filters = sample.context.get("env"), sample.context.get("nunjucksFilters")
    if sample.context.get("extensions"):
        notes.append("the config has extensions: programs that may change its tests before a run")
    rendered = []
    for name, variables in _runs(sample, shared, library, notes):
        all_notes = list(notes)
        filling = Filling(
            variables,
            as_table(env),
            all_notes,
            frozenset(own_filters) if isinstance(own_filters, dict) else frozenset(),
            changed=bool(sample.context.get("extensions") or options_of(sample, shared).get("transformVars")),
        )
        rendered += [
            _rendered_of(item._replace(run=name), (before, behind), filling, sample, read) for item in allowed
        ]
    unknown = tuple(_unknown(sample, only, asked)) if isinstance(only, list) else ()
    if not unknown:
        return rendered
    first, *others = rendered or [Templated(())]
    return [first._replace(findings=(*unknown, *first.findings)), *others]


def _unknown(sample: Sample, references: list[Plain], asked: list[Prompt]) -> Iterator[Finding]:
    """Yield an error for each prompt that a test is meant for and the config has not; a warning for none at all."""
    if not asked or any(item.text is None for item in asked):
        return  # a program may make prompts of any name
    path: DataPath = ("prompts",) if "prompts" in sample.data else ()
    if not references:
        yield Finding(
            "prompt-unknown", Severity.WARNING, "no prompt is meant for this test, so it does not run", path
        )
    for index, name in enumerate(references):
        if isinstance(name, str) and not any(_is_meant(item, [name]) for item in asked):
            message = f'no prompt is called "{name}": promptfoo refuses such a test, or leaves it out'
            yield Finding("prompt-unknown", Severity.ERROR, message, (*path, index) if path else ())


def _rendered_of(
    prompt: Prompt, around: tuple[str, str], filling: Filling, sample: Sample, read: ReadsFile
) -> Templated:
    notes = list(filling.notes)
    text = None if prompt.text is None else prompt.text.join(around)
    attack = _attack(sample, text or "", filling.variables)
    variables = resolved(_with_files(filling.variables, read, notes, attack), notes, attack)
    run_filling = replace(filling, variables=variables, notes=notes, literal=attack)
    messages = tuple(_messages(text, run_filling))
    node = ("vars",) if "vars" in sample.data else ()
    all_notes = dict.fromkeys((*notes, *prompt.notes))
    findings = tuple(_finding(note, node) for note in all_notes)
    if messages and not any(_has_text(placed.message) for placed in messages):
        empty = Finding("prompt-empty", Severity.WARNING, "promptfoo sends a prompt without any text", node)
        findings = (*findings, empty)
    label = f"{prompt.run} · {prompt.label}" if prompt.run else prompt.label
    return Templated(messages, findings, label, exact=True)


def _has_text(message: Message) -> bool:
    return any(isinstance(part, TextSegment) and trim(part.text) for part in message.segments)


def _finding(note: str, node: DataPath) -> Finding:
    if note.endswith(REFUSED):
        return Finding("template-refused", Severity.ERROR, note, node)
    return Finding("template-unsupported", Severity.INFO, note, node)


def _attack(sample: Sample, prompt: str, variables: Table) -> str:
    """Return the variable that holds what an attack says: promptfoo puts it in as it is. Empty if there is none."""
    redteam, metadata = sample.context.get("redteam"), sample.data.get("metadata")
    table = as_table(metadata)
    asserted = sample.data.get("assert")
    kinds = [table.get("type") for table in as_list(asserted) if isinstance(table, dict)]
    generated = isinstance(table.get("pluginId"), str) and (table.get("pluginConfig") or table.get("goal"))
    if not redteam and not generated and not any(str(kind).startswith("promptfoo:redteam:") for kind in kinds):
        return ""
    variable = redteam.get("injectVar") if isinstance(redteam, dict) else None
    if isinstance(variable, str):
        return variable
    asked = [name for name in _ASKED.findall(prompt) if name in variables]
    if not asked or (redteam and "prompt" in asked):
        return "prompt"
    return str(asked[-1])


def _around(sample: Sample, shared: Table) -> tuple[str, str]:
    """Return what a test has before and behind every prompt."""
    options, default = options_of(sample, shared), shared.get("options")
    usual = as_table(default)
    asked_for = (
        sample.data.get(f"__{name}") or options.get(name) or usual.get(name) or "" for name in ("prefix", "suffix")
    )
    before, behind = (item if isinstance(item, str) else "" for item in asked_for)
    return before, behind


def _runs(sample: Sample, shared: Table, library: Library, notes: list[str]) -> Iterator[tuple[str, Table]]:
    """Yield the variables of each run of a test, with what tells it from the others."""
    all_variables, options = variables_of(sample, shared, library, notes), options_of(sample, shared)
    if options.get("transformVars"):
        notes.append("the variables are changed by transformVars before a run, and shown as they are")
    shared_vars = shared.get("vars")
    usual = as_table(shared_vars)
    choices = expanded(all_variables.merged if all_variables else usual, options, library)
    several = [name for name, values in choices.items() if len(values) > 1]
    count = prod(map(len, choices.values()))
    if count > _MAX_RUNS:
        notes.append(f"promptfoo runs this test {count:,} times, for each of its values; the first are shown")
    for chosen in itertools.islice(itertools.product(*choices.values()), _MAX_RUNS):
        variables = without_dates(dict(zip(choices, chosen, strict=True)), notes)
        yield ", ".join(f"{name}: {str(variables[name]).strip()[:30]}" for name in several), variables


def _is_meant(prompt: Prompt, references: list[Plain]) -> bool:
    """Tell whether a test is asked by a prompt: by its label, its id, or how these begin."""
    names = [item for item in (prompt.label, prompt.id) if item]
    for reference in (reference for reference in references if isinstance(reference, str)):
        start = reference[:-1] if reference.endswith("*") else f"{reference}:"
        if any(name == reference or name.startswith(start) for name in names):
            return True
    return False


def _with_files(variables: Table, read: ReadsFile, notes: list[str], literal: str) -> Table:
    return {
        name: _from_file(name, value, read, notes)
        if isinstance(value, str) and value.startswith(SCHEME) and name != literal
        else value
        for name, value in variables.items()
    }


def _from_file(name: str, value: str, read: ReadsFile, notes: list[str]) -> Plain:
    path = value.removeprefix(SCHEME)
    if path.lower().endswith((*_MADE, *_MEDIA)) or "*" in path:
        notes.append(f"{name} is made of {path} by promptfoo and stays as it is written")
        return value
    text = text_of(path, read, notes)
    if text is None:
        return value
    if path.lower().endswith((".yaml", ".yml")):
        content = yaml_in(path, text, notes)
        return value if content is None else stringify(with_moments(content, in_json))
    return trim(text)


def _messages(text: str | None, filling: Filling) -> Iterator[Placed]:
    """Yield the messages of a prompt: of JSON each text in it is filled by itself."""
    if text is None:
        return
    try:
        value: Plain = json.loads(text, parse_constant=_not_json)
    except (ValueError, RecursionError):
        yield _placed(0, "user", replace(filling, keeps_partial=True).with_filled().text(text))
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
    return Placed(Message(index, role, (TextSegment(text),)), ("vars",), {} if trim(text) else {"content": text})


def _not_json(word: str) -> Plain:
    raise ValueError(word)


_PARTED = (".txt", ".prompt")
_WHOLE = (".md", ".j2")
_PROMPT_FILES = (*_PARTED, *_WHOLE, ".json", ".jsonl", ".yaml", ".yml", ".csv")
_PROGRAM = re.compile(r"\.(?:[cm]?[jt]s|py|rb|sh|bat|exe)(?::[\w.]+)?", re.IGNORECASE)
_NO_FILE = "promptfoo takes this prompt for a file's path and does not run; a line break in it makes it a text"
_MAGIC = re.compile(r"[*?\[]|[+@!]\(")
_KEPT = ("portkey://", "langfuse://", "helicone://", "exec:")


class Prompt(NamedTuple):
    """One prompt: its label and id, its text, None if it is not shown, what is told of it, and of which run."""

    label: str
    text: str | None
    notes: tuple[str, ...] = ()
    id: str = ""
    run: str = ""


def prompts_of(prompt: Plain, library: Library) -> Iterator[Prompt]:
    """Yield each prompt that one entry of `prompts` stands for."""
    read = library.read
    entry = as_table(prompt)
    text = next((entry[key] for key in ("raw", "id") if isinstance(entry.get(key), str)), prompt)
    label, name = entry.get("label"), str(entry.get("id", ""))
    if not isinstance(text, str):
        yield Prompt(str(label or "prompt"), None, ("a prompt that is neither a text nor a file is not shown",))
        return
    named = label if isinstance(label, str) else text.strip().split("\n")[0][:60]
    if "\n" not in text and not text.startswith(SCHEME):
        program = _program(text)
        if program:
            yield Prompt(named, None, (program,), name)
            return
    plain = "\n" not in text and text.lower().endswith(_PROMPT_FILES)
    if not text.startswith(SCHEME) and not (plain and ("*" in text or read(text).text is not None)):
        yield Prompt(named, text, (_NO_FILE,) if _is_taken_for_a_path(text) else (), name)
        return
    path = text.removeprefix(SCHEME)
    if not path.lower().endswith(_PROMPT_FILES):
        yield Prompt(named, None, (f"{path} is made into a prompt by promptfoo and is not read",), name)
        return
    files = library.matching(path) if "*" in path else []
    for item in files or [path]:
        yield from _of_file(
            Prompt(item if files and not isinstance(label, str) else named, None, (), name), item, read
        )


def _of_file(prompt: Prompt, path: str, read: ReadsFile) -> Iterator[Prompt]:
    """Yield the prompts of one file; `prompt` has their label and id."""
    notes: list[str] = []
    content = text_of(path, read, notes)
    if content is None:
        yield prompt._replace(notes=tuple(notes))
        return
    suffix = Path(path.lower()).suffix
    if suffix == ".csv":
        listed = [prompt._replace(label=label, text=part) for part, label in _labelled(content, prompt)]
        yield from listed or [prompt._replace(notes=(f"{path} has no column prompt with prompts in it",))]
        return
    parts = [*_parts(path, content, suffix, notes)]
    for number, part in enumerate(parts, 1):
        label = prompt.label if len(parts) == 1 else f"{prompt.label} {number}"
        yield prompt._replace(label=label, text=part, notes=tuple(notes))


def _is_taken_for_a_path(text: str) -> bool:
    """Tell whether promptfoo looks for a file of the name of a prompt (`maybeFilePath`), and for nothing else."""
    if "\n" in text or _MAGIC.search(text) or text.startswith(_KEPT):
        return False
    return "/" in text or "\\" in text or "." in (text[-3:-2], text[-4:-3])


def _program(text: str) -> str:
    """Return why a prompt of one line is not what it says, "" if it is or is a file."""
    if text.startswith(_KEPT):
        return f"{text} is fetched or made by a run and is not shown"
    match = _PROGRAM.search(text)
    if match and match.end() == len(text) and " " not in text:
        return f"{text} is made into a prompt by promptfoo and is not read"
    return ""


def _parts(path: str, text: str, suffix: str, notes: list[str]) -> Iterator[str]:
    """Yield the prompts of a file."""
    if suffix in _PARTED:
        parts: list[list[str]] = [[]]
        for line in text.split("\n"):
            if trim(line) == "---":
                parts.append([])
            else:
                parts[-1].append(line)
        yield from (part_text for part in parts if (part_text := trim("\n".join(part))))
    elif suffix == ".jsonl":
        yield from (line for line in text.split("\n") if line)
    elif suffix in (".yaml", ".yml"):
        yield _of_yaml(path, text, notes)
    else:
        if suffix == ".json" and SCHEME in text:
            notes.append("files that are named inside a prompt are not read")
        yield text


def _of_yaml(path: str, text: str, notes: list[str]) -> str:
    """Return a YAML file as the JSON that promptfoo makes of it."""
    if SCHEME in text:
        notes.append("the prompt is shown as its file has it; promptfoo makes JSON of it")
        return text
    value = yaml_in(path, text, notes)
    return text if value is None else stringify(with_moments(value, in_json))


def _labelled(text: str, prompt: Prompt) -> Iterator[tuple[str, str]]:
    """Yield the prompts in a CSV file, each with its label: in its columns, or one a line."""
    rows = [{"prompt": line} for line in text.splitlines() if line.strip()]
    if "," in text:
        lines = [line for line in text.splitlines(keepends=True) if line.strip()]
        rows = [
            {str(key).strip(): str(cell or "").strip() for key, cell in row.items()}
            for row in csv.DictReader(lines)
        ]
    elif rows and rows[0]["prompt"].strip().lower() == "prompt":
        rows = rows[1:]
    for number, row in enumerate((row for row in rows if row.get("prompt")), 1):
        yield row["prompt"], row.get("label") or f"{prompt.label} {number}"
