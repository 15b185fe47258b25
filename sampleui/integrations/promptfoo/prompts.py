"""promptfoo's prompts: each prompt of a config, filled with the variables of a test (promptfoo 0.121).

What is not certain is left as written and reported: a guess at what another program makes of it would be worse
than none.
"""

from __future__ import annotations

import csv
import itertools
import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table
from sampleui.formats.timestamps import in_json, with_moments
from sampleui.integrations.integration import Prompts
from sampleui.integrations.javascript import stringify, trim
from sampleui.integrations.named_files import ReadsFile, kept_default, text_of, yaml_in
from sampleui.integrations.nunjucks import REFUSED, Filling, resolved
from sampleui.integrations.promptfoo.followed import referred
from sampleui.integrations.promptfoo.repeated_variables import alike
from sampleui.integrations.promptfoo.variables import expanded, options_of, shared_test, variables_of, without_dates
from sampleui.prompt.attachments import NOT_FOUND
from sampleui.prompt.library import Library
from sampleui.prompt.parts import Placed
from sampleui.prompt.templates import Templated
from sampleui.sample.message import Message, TextSegment
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_followed
from sampleui.text.confined import SCHEME, is_executable
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
    sample, library = as_followed(sample), replace(library, looks_above=False)
    notes: list[str] = []
    shared_notes: list[str] = []
    shared = shared_test(sample, library.read, shared_notes)
    beside = [_unsupported(note, ("defaultTest",), beside=True) for note in shared_notes]
    kept = sample.context.get("defaultTest")
    if isinstance(kept, str) and (gone := missing_file(kept, library, RUNS_NOTHING, ("defaultTest",), beside=True)):
        beside = [gone]
    asked = [*config_prompts(sample.context, library)]
    only = sample.data.get("prompts", shared.get("prompts"))
    allowed = [item for item in asked if _is_meant(item, only)] if isinstance(only, list) else asked
    before, behind = _around(sample, shared)
    env, own_filters = sample.context.get("env"), sample.context.get("nunjucksFilters")
    if sample.context.get("extensions"):
        told = "the config has extensions: programs that may change its tests before a run"
        beside.append(_unsupported(told, ("extensions",), beside=True))
    rendered = []
    for name, variables in _runs(sample, shared, library, notes):
        all_notes = list(notes)
        filling = Filling(
            variables,
            as_table(env),
            all_notes,
            frozenset(own_filters) if isinstance(own_filters, dict) else frozenset(),
            writes_tables=True,
            changed=bool(sample.context.get("extensions") or options_of(sample.data, shared).get("transformVars")),
        )
        rendered += [
            _rendered_of(item._replace(run=name), (before, behind), filling, sample, library) for item in allowed
        ]
    of_all = (*(_unknown(sample, only, asked) if isinstance(only, list) else ()), *beside)
    if not of_all:
        return rendered
    first, *others = rendered or [Templated(())]
    return [first._replace(findings=(*of_all, *first.findings)), *others]


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
    prompt: Prompt, around: tuple[str, str], filling: Filling, sample: Sample, library: Library
) -> Templated:
    notes = list(filling.notes)
    text = None if prompt.text is None else prompt.text.join(around)
    attack = _attack(sample, text or "", filling.variables)
    missing: list[Finding] = []
    variables = resolved(_with_files(filling.variables, library, notes, missing, attack), notes, attack)
    run_filling = replace(filling, variables=variables, notes=notes, literal=attack)
    messages = tuple(_messages(text, run_filling))
    node = ("vars",) if "vars" in sample.data else ()
    findings = (*prompt.findings, *missing, *(_unsupported(note, node) for note in dict.fromkeys(notes)))
    if messages and not any(_has_text(placed.message) for placed in messages):
        empty = Finding("prompt-empty", Severity.WARNING, "promptfoo sends a prompt without any text", node)
        findings = (*findings, empty)
    label = f"{prompt.run} · {prompt.label}" if prompt.run else prompt.label
    return Templated(messages, findings, label, exact=True)


def _has_text(message: Message) -> bool:
    return any(isinstance(part, TextSegment) and trim(part.text) for part in message.segments)


def _unsupported(note: str, node: DataPath, *, beside: bool = False) -> Finding:
    if note.endswith(REFUSED):
        return Finding("template-refused", Severity.ERROR, note, node, beside)
    return Finding("template-unsupported", Severity.INFO, note, node, beside)


def missing_file(path: str, library: Library, ends: str, node: DataPath, *, beside: bool = False) -> Finding | None:
    """Return an error for a file that is not where promptfoo looks; None where it is, or nobody may look.

    Args:
        path: the path as it is written, with `file://` and the name of a function, or without.
        library: the files of the project, looked for beside the config alone.
        ends: what comes of it, in words.
        node: where the file is named.
        beside: whether that is beside the samples.
    """
    path = path.removeprefix(SCHEME)
    if program := _OF_PROGRAM.match(path):
        path = program[1]
    problem = library.attachments.problem(path)
    if problem is None or problem.rule != NOT_FOUND:
        return None
    message = f"{path} does not exist beside the config, where alone promptfoo looks for it, {ends}"
    if (elsewhere := replace(library, looks_above=True).read(path).path) is not None:
        message += f"; it is at {os.path.relpath(elsewhere, library.attachments.folder)}"
    return Finding(NOT_FOUND, Severity.ERROR, message, node, beside)


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
    options, default = options_of(sample.data, shared), shared.get("options")
    usual = as_table(default)
    asked_for = (
        sample.data.get(f"__{name}") or options.get(name) or usual.get(name) or "" for name in ("prefix", "suffix")
    )
    before, behind = (item if isinstance(item, str) else "" for item in asked_for)
    return before, behind


def _runs(sample: Sample, shared: Table, library: Library, notes: list[str]) -> Iterator[tuple[str, Table]]:
    """Yield the variables of each run of a test, with what tells it from the others."""
    all_variables, options = variables_of(sample, shared, library, notes), options_of(sample.data, shared)
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


def _with_files(
    variables: Table, library: Library, notes: list[str], missing: list[Finding], literal: str
) -> Table:
    """Return variables with the texts of files in the place of their paths; files that are not there are told."""
    filled = {**variables}
    for name, value in variables.items():
        if isinstance(value, str) and value.startswith(SCHEME) and name != literal:
            ends = RUNS_NOTHING if _MAGIC.search(value) else "and ends the test with an error"
            gone = missing_file(value, library, ends, ("vars", name))
            missing += [gone] if gone else []
            filled[name] = value if gone else from_file(name, value, library.read, notes)
    return filled


def from_file(name: str, value: str, read: ReadsFile, notes: list[str]) -> Plain:
    """Return a variable that is the path of a file as promptfoo reads it; the path, noted, where it is not read."""
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


_PROMPT_FILES = (".txt", ".md", ".j2", ".json", ".jsonl", ".yaml", ".yml", ".csv")
_PROGRAMS = (
    ".cjs",
    ".cts",
    ".js",
    ".mjs",
    ".mts",
    ".ts",
    ".py",
    ".rb",
    ".sh",
    ".bash",
    ".bat",
    ".cmd",
    ".exe",
    ".ps1",
    ".pl",
)
_PATHS = (*_PROMPT_FILES[:-1], *_PROGRAMS[:7])
"""How what promptfoo takes for a path may end, beside a dot three or four characters before its end."""

_OF_PROGRAM = re.compile(rf"(.*(?:{'|'.join(map(re.escape, _PROGRAMS))}))(?::[\w.]+)?\Z", re.DOTALL)
RUNS_NOTHING = "and runs nothing of this config"
_MAGIC = re.compile(r"[*?\[]|[+@!]\(")
_KEPT = ("portkey://", "langfuse://", "helicone://", "exec:")
_USUAL = "{{prompt}}"
"""What a config without prompts asks (`readConfig`)."""


class Prompt(NamedTuple):
    """One prompt: its label and id, its text, None if it is not shown, what was found, and of which run it is."""

    label: str
    text: str | None
    findings: tuple[Finding, ...] = ()
    id: str = ""
    run: str = ""

    def with_note(self, note: str, node: DataPath) -> Prompt:
        """Return it with a note on why it is not shown."""
        return self._replace(findings=(*self.findings, _unsupported(note, node, beside=True)))


def config_prompts(context: Table, library: Library) -> Iterator[Prompt]:
    """Yield the prompts of a config, each with what was found of it at its place beside the tests.

    Args:
        context: the config, without its tests; a file of tests has no prompts.
        library: the files of the project, looked for beside the config alone.
    """
    listed = referred(context.get("prompts"), context)
    if listed in (None, "") and _IS_CONFIG & context.keys():
        listed = _USUAL
    if isinstance(listed, dict) and not {"id", "raw"} & listed.keys():
        for raw, label in listed.items():
            yield from _prompts_of({"raw": raw, "label": label}, ("prompts", raw), library)
    elif isinstance(listed, list):
        for index, item in enumerate(listed):
            yield from _prompts_of(item, ("prompts", index), library)
    elif listed is not None:
        yield from _prompts_of(listed, ("prompts",), library)


_IS_CONFIG = frozenset({"providers", "targets"})


def _prompts_of(entry: Plain, node: DataPath, library: Library) -> Iterator[Prompt]:
    """Yield each prompt that one entry of `prompts` stands for."""
    table = as_table(entry)
    text = next((table[key] for key in ("raw", "id") if isinstance(table.get(key), str)), entry)
    label, name = table.get("label"), str(table.get("id", ""))
    if not isinstance(text, str):
        told = _unsupported("a prompt that is neither a text nor a file is not shown", node, beside=True)
        yield Prompt(str(label or "prompt"), None, (told,))
        return
    named = label if isinstance(label, str) else text.strip().split("\n")[0][:60]
    prompt = Prompt(named, None, (), name)
    path = text.removeprefix(SCHEME)
    if text.startswith(_KEPT):
        yield prompt.with_note(f"{text} is fetched or made by a run and is not shown", node)
    elif "\n" in text or not (text.startswith(SCHEME) or _is_path(text)):
        yield prompt._replace(text=text)
    elif _MAGIC.search(path):
        files = library.matching(path)
        if not files:
            is_url = text.startswith(SCHEME)  # where the path that is sent depends on how the config is named
            message = f"no file matches {path}: promptfoo sends the path itself"
            told = Finding(NOT_FOUND, Severity.WARNING, message, node, beside=True)
            found = (told,) if is_url or path.endswith(_PATHS) else ()
            yield prompt._replace(text=None if is_url else text, findings=found)
        for item in files:
            yield from _of_file(prompt if label else prompt._replace(label=item), item, node, library, RUNS_NOTHING)
    else:
        ends = RUNS_NOTHING if path != text else f"{RUNS_NOTHING}; a line break in it makes it a text"
        yield from _of_file(prompt, path, node, library, ends)


def _is_path(text: str) -> bool:
    """Tell whether promptfoo looks for a file, or for several, of the name of a prompt (`maybeFilePath`)."""
    parts = text.split(":")[-2:]
    return (
        any(part.endswith(_PATHS) for part in parts)
        or bool({*"*/\\"} & {*text})
        or "." in (text[-3:-2], text[-4:-3])
    )


def _of_file(prompt: Prompt, path: str, node: DataPath, library: Library, unless: str) -> Iterator[Prompt]:
    """Yield the prompts of one file.

    Args:
        prompt: their label and id.
        path: the file.
        node: where it is named.
        library: the files of the project.
        unless: what comes of it where there is no such file, in words.
    """
    named = _OF_PROGRAM.match(path)
    if gone := missing_file(path, library, unless, node, beside=True):
        yield prompt._replace(findings=(gone,))
        return
    suffix = Path(path).suffix
    if suffix not in _PROMPT_FILES:
        real = library.read(path).path
        if named or real is None or is_executable(real):
            yield prompt.with_note(f"{path} is made into a prompt by promptfoo and is not read", node)
        else:
            yield prompt._replace(findings=(_no_prompts(path, node),))
        return
    notes: list[str] = []
    content = text_of(path, library.read, notes)
    if suffix == ".csv" and content is not None:
        parts = [(label, part) for part, label in _labelled(content, prompt)]
    else:
        texts = [] if content is None else [*_parts(path, content, suffix, notes)]
        parts = [
            (f"{prompt.label} {number}" if texts[1:] else prompt.label, part)
            for number, part in enumerate(texts, 1)
        ]
    found = tuple(_unsupported(note, node, beside=True) for note in notes)
    if not parts:
        yield prompt._replace(findings=(*found, *(() if content is None else (_no_prompts(path, node),))))
    for label, part in parts:
        yield prompt._replace(label=label, text=part, findings=found)


def _no_prompts(path: str, node: DataPath) -> Finding:
    message = f"promptfoo finds no prompt in {path} {RUNS_NOTHING}"
    return Finding("prompt-empty", Severity.ERROR, message, node, beside=True)


def _parts(path: str, text: str, suffix: str, notes: list[str]) -> Iterator[str]:
    """Yield the prompts of a file."""
    if suffix == ".txt":
        parts = itertools.groupby(text.split("\n"), key=lambda line: trim(line) == "---")
        yield from (part for is_between, lines in parts if not is_between and (part := trim("\n".join(lines))))
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


PROMPTS = Prompts(
    prompted,
    as_recorded=alike,
    default_test=lambda named, library: kept_default(named, replace(library, looks_above=False).read, []),
)
