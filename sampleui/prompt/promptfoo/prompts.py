"""The prompts of a promptfoo config: what each entry of `prompts` stands for (promptfoo 0.121)."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import FormatError
from sampleui.formats.data import Plain, Table
from sampleui.formats.single_sample import file_as_sample
from sampleui.formats.timestamps import in_json, with_moments
from sampleui.integrations.javascript import stringify, trim
from sampleui.prompt.attachments import Attachment
from sampleui.prompt.library import Library
from sampleui.text.confined import SCHEME

Read = Callable[[str], Attachment]

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


def kept_default(named: str, read: Read, notes: list[str]) -> Table | None:
    """Return the `defaultTest` that is kept in a file, None if it is not read."""
    path = named.removeprefix(SCHEME)
    text = text_of(path, read, notes) if named.startswith(SCHEME) else None
    if text is not None and path.lower().endswith((".yaml", ".yml", ".json")):
        try:
            return file_as_sample("json" if path.lower().endswith(".json") else "yaml", text).read(0)
        except FormatError as error:
            notes.append(f"{path} cannot be read: {error.message}")
    return None


def prompts_of(prompt: Plain, library: Library) -> Iterator[Prompt]:
    """Yield each prompt that one entry of `prompts` stands for."""
    read = library.read
    entry = prompt if isinstance(prompt, dict) else {}
    text = next((entry[key] for key in ("raw", "id") if isinstance(entry.get(key), str)), prompt)
    label, name = entry.get("label"), str(entry.get("id", ""))
    if not isinstance(text, str):
        yield Prompt(str(label or "prompt"), None, ("a prompt that is neither a text nor a file is not shown",))
        return
    named = label if isinstance(label, str) else text.strip().split("\n")[0][:60]
    if "\n" not in text and not text.startswith(SCHEME):
        made = _program(text)
        if made:
            yield Prompt(named, None, (made,), name)
            return
    plain = "\n" not in text and text.lower().endswith(_PROMPT_FILES)
    if not text.startswith(SCHEME) and not (plain and ("*" in text or read(text).text is not None)):
        yield Prompt(named, text, (_NO_FILE,) if _is_taken_for_a_path(text) else (), name)
        return
    path = text.removeprefix(SCHEME)
    if not path.lower().endswith(_PROMPT_FILES):
        yield Prompt(named, None, (f"{path} is made into a prompt by promptfoo and is not read",), name)
        return
    found = library.matching(path) if "*" in path else []
    for one in found or [path]:
        yield from _of_file(
            Prompt(one if found and not isinstance(label, str) else named, None, (), name), one, read
        )


def _of_file(prompt: Prompt, path: str, read: Read) -> Iterator[Prompt]:
    """Yield the prompts of one file; `prompt` has their label and id."""
    notes: list[str] = []
    held = text_of(path, read, notes)
    if held is None:
        yield prompt._replace(notes=tuple(notes))
        return
    suffix = Path(path.lower()).suffix
    if suffix == ".csv":
        listed = [prompt._replace(label=label, text=part) for part, label in _labelled(held, prompt)]
        yield from listed or [prompt._replace(notes=(f"{path} has no column prompt with prompts in it",))]
        return
    parts = [*_parts(path, held, suffix, notes)]
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
    found = _PROGRAM.search(text)
    if found and found.end() == len(text) and " " not in text:
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
        yield from (made for part in parts if (made := trim("\n".join(part))))
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


def yaml_in(path: str, text: str, notes: list[str]) -> Plain:
    """Return the value of a YAML or JSON file, None if it is not read; what is wrong is noted."""
    from sampleui.formats.yaml.pieces import value_of

    try:
        return value_of(text)
    except FormatError as error:
        notes.append(f"{path} cannot be read: {error.message} in line {error.line}")
        return None


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


def text_of(path: str, read: Read, notes: list[str]) -> str | None:
    """Return the text of a file, None if it is not read; what is wrong is noted."""
    if "*" in path:
        notes.append(f"{path} stands for several files, which are not read")
        return None
    found = read(path)
    if found.text is None:
        notes.append(f"{path} {found.problem.reason if found.problem else 'is not read'}")
    return found.text
