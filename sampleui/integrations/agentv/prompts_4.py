"""What AgentV 4 sends for a sample: the question for programs and agents, the messages for LLM APIs.

A port of its `yaml-parser`, `shorthand-expansion`, `prompt-builder`, `llm-providers`, `cli` and `vscode-provider`.
"""

from __future__ import annotations

import dataclasses
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, is_number
from sampleui.integrations.javascript import stringify, trim
from sampleui.prompt.attachments import Attachment
from sampleui.prompt.library import Library
from sampleui.prompt.messages import Dropped
from sampleui.prompt.render import Rendered, Sent, dropped_finding
from sampleui.sample.model import Sample
from sampleui.sample.parse import skips_defaults, value_at
from sampleui.sample.variables import Environment, names_in, variables_of, with_environment, with_variables
from sampleui.text.confined import is_file, real_path
from sampleui.text.diagnostic import Finding, Severity

_SLASHES = re.compile(r"^[/\\]+(?=.)")
ROLES = ("system", "user", "assistant", "tool")


@dataclass(frozen=True, slots=True)
class FilledMessage:
    """One message: its role, its content with all variables filled, where it stands (nowhere: `()`)."""

    role: str
    content: Plain
    node: DataPath


@dataclass(frozen=True, slots=True)
class AgentvTest:
    """A sample as AgentV runs it.

    Attributes:
        messages: the file's shared `input`, then the test's own.
        expected: what is expected, variables filled; None if there is nothing of the kind.
        turns: what is asked turn by turn in `mode: conversation`, empty otherwise.
        window: how many of the last turns a provider is sent, None for all.
        refused: where messages stand that AgentV does not take for messages.
    """

    messages: tuple[FilledMessage, ...]
    expected: Plain
    turns: tuple[Plain, ...] = ()
    window: int | None = None
    refused: tuple[DataPath, ...] = ()


def test_of(sample: Sample, environment: Mapping[str, str] | None) -> AgentvTest:
    """Return a sample as AgentV runs it. A file of JSON lines has no shared input and no variables there."""
    data = as_table(with_environment(sample.data, environment))
    suite = {} if skips_defaults(data) else as_table(with_environment(_suite_input(sample), environment))
    variables = variables_of(dataclasses.replace(sample, data=data))
    files = data.get("input_files")
    files = with_variables(suite.get("input_files") if files is None else files, variables)
    path = ("input",) if "input" in sample.data else sample.messages_path  # the older name that the file still uses
    test_messages = _messages(with_variables(value_at(data, path), variables), path, files)
    shared = _messages(with_variables(suite.get("input"), variables), (), None)
    asked = tuple(message for message in (*shared, *test_messages) if _is_message(message))
    refused = tuple(message.node for message in test_messages if not _is_message(message))
    expected = next((data[key] for key in ("expected_output", "criteria", "expected_outcome") if key in data), None)
    return AgentvTest(asked, with_variables(expected, variables), *_turns(data, variables), refused)


def _suite_input(sample: Sample) -> Table:
    return {key: sample.context[key] for key in ("input", "input_files") if sample.context.get(key)}


def _messages(value: Plain, path: DataPath, files: Plain) -> list[FilledMessage]:
    if files is not None:
        return _with_files(value, path, files)
    if isinstance(value, list):
        return [_asked(item, (*path, index) if path else ()) for index, item in enumerate(value)]
    if isinstance(value, dict) and "role" in value:
        return [_asked(value, path)]
    return [FilledMessage("user", value, path)] if isinstance(value, str | dict) else []


def _with_files(value: Plain, path: DataPath, files: Plain) -> list[FilledMessage]:
    """Return a text behind the files that are beside it: AgentV takes `input_files` with a text alone."""
    names = [name for name in as_list(files) if isinstance(name, str)]
    if not names or not isinstance(value, str):
        return []
    attached: list[Plain] = [{"type": "file", "value": name} for name in names]
    return [FilledMessage("user", [*attached, {"type": "text", "value": value}], path)]


def _asked(item: Plain, node: DataPath) -> FilledMessage:
    table = as_table(item)
    role = table.get("role")
    return FilledMessage(role if isinstance(role, str) else "", table.get("content"), node)


def _is_message(message: FilledMessage) -> bool:
    content = message.content
    listed = isinstance(content, list) and all(isinstance(item, str | dict) for item in content)
    return message.role in ROLES and (isinstance(content, str | dict) or listed)


def _turns(data: Table, variables: Table | None) -> tuple[tuple[Plain, ...], int | None]:
    turns = data.get("turns")
    if data.get("mode") != "conversation" or not isinstance(turns, list):
        return (), None
    asked = (turn.get("input") for turn in turns if isinstance(turn, dict))
    window = data.get("window_size")
    counts = is_number(window) and window >= 1
    return tuple(with_variables(item, variables) for item in asked), int(window) if counts else None  # type: ignore[arg-type]


def rendered(style: str, sample: Sample, library: Library, system_prompt: str | None) -> Rendered:
    """Return a sample of any dialect as AgentV 4 sends it.

    `${{ NAME }}` is filled from the environment where the library reads that, and else stands as it is written.
    """
    names = names_in(sample.data, _suite_input(sample))
    environment: Mapping[str, str] | None = None
    if library.reads_environment and names:
        environment = Environment(library.attachments.folder, library.attachments.root)
    test, folder = test_of(sample, environment), sample.folder.absolute()

    def read(written: str) -> File | None:
        return _file(library.read(written), folder, partial(library.attachments.raw, written))

    calls = _sent(test, sample.id, read, system_prompt or DEFAULT_SYSTEM_PROMPT)
    silent = (item for item in test.messages if not any(part.visible for part in _parts(item.content, read)))
    dropped = (
        *(Dropped(item.node, "it is empty") for item in silent),
        *(Dropped(node, "AgentV takes nothing but role and content") for node in test.refused),
    )
    attached = [(node, library.read(written)) for node, written in _written(test)]
    faults = (
        Finding(file.problem.rule, Severity.WARNING, f"{file.written} {file.problem.reason}", node)
        for node, file in attached
        if file.problem is not None
    )
    asked: list[Plain] = [{"role": message.role, "content": message.content} for message in test.messages]
    return Rendered(
        chat_prompt=[*calls[0].chat],
        question=calls[0].question,
        guidelines="",
        grading_context={"fullConversation": asked, "expected": test.expected},
        findings=(*faults, *map(dropped_finding, dropped)),
        unread=(),
        sample=sample,
        dropped=dropped,
        attachments=tuple(file for _, file in attached),
        style=style,
        sent=calls,
        environment={name: None if environment is None else environment.get(name, "") for name in names},
    )


def _written(test: AgentvTest) -> Iterator[tuple[DataPath, str]]:
    """Yield the files that messages attach, each as it is written and where."""
    for message in test.messages:
        for index, item in enumerate(as_list(message.content)):
            value = item.get("value") if isinstance(item, dict) and item.get("type") == "file" else None
            if isinstance(value, str) and value:
                yield ((*message.node, "content", index) if message.node else ()), value


def _file(attachment: Attachment, folder: Path, raw: Callable[[], bytes | None]) -> File | None:
    """Return a file that was found. Bytes that are not text are read as AgentV reads them, with `\ufffd` for each.

    One that is too large to be embedded can still be named.
    """
    if attachment.path is None or (attachment.text is None and not is_file(attachment.path)):
        return None
    name, data = _SLASHES.sub("", attachment.written), raw() if attachment.text is None else None
    text = attachment.text if data is None else data.decode("utf-8", "replace").replace("\r\n", "\n")
    return File(name, _shown_path(name, attachment.path, folder), text, raw)


def _shown_path(name: str, path: Path, folder: Path) -> str:
    """Return the absolute path of a file as AgentV spells it: symlinks are not resolved."""
    for base in (folder, *folder.parents):
        candidate = os.path.normpath(base / name)
        if real_path(candidate) == path:
            return candidate
    return str(path)


DEFAULT_SYSTEM_PROMPT = (
    "You are a careful assistant. Follow all provided instructions and do not fabricate results."
)
ANSWER = "(the answer to turn {turn})"
"""What stands for an answer that only a run knows."""


_IMAGES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".bmp": "image/bmp",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file as a prompt names and embeds it.

    Attributes:
        name: its path as written, without slashes in front.
        path: the absolute path that providers which read files are given.
        text: its text, None if it is not embedded.
        raw: reads its bytes, None if that fails.
    """

    name: str
    path: str
    text: str | None
    raw: Callable[[], bytes | None] = lambda: None


@dataclass(frozen=True, slots=True)
class _SegmentPart:
    """One segment: how it is named and how it is embedded (None: not at all), and whether it counts as content."""

    named: str | None
    embedded: str | None
    visible: bool
    file: str | None = None


Parts = tuple[_SegmentPart, ...]
SegmentForm = Callable[[_SegmentPart], str | None]
FileReader = Callable[[str], File | None]
"""Returns a file by the path that the author wrote, None if it cannot be used."""


def _sent(test: AgentvTest, ident: str, read: FileReader, default: str) -> tuple[Sent, ...]:
    """Return what a provider is given for a test of an id, one call after the other.

    Args:
        test: the test.
        ident: its id.
        read: reads its files.
        default: the system message if there is none.
    """
    if test.turns:
        return tuple(_conversation(test, ident, read, default))
    messages = [(message, _parts(message.content, read)) for message in test.messages]
    speaking = [message for message, parts in messages if any(part.visible for part in parts)]
    marked = len(speaking) > 1 or any(message.role in ("assistant", "tool") for message in test.messages)
    system = _system(messages, lambda part: part.named)
    question = _question(messages, lambda part: part.named, marked)
    head = _system(messages, lambda part: part.embedded)
    chat = _chat(messages, head) if marked else []
    if not any(message["role"] == "system" for message in chat):
        asked = trim(_question(messages, lambda part: part.embedded, marked))
        first: Table = {"role": "system", "content": trim(head or "") or default}
        chat = [first, *(chat or [{"role": "user", "content": asked}])]
    files = tuple(part.file for _, parts in messages for part in parts if part.file)
    return (Sent(ident, question, tuple(chat), system, files),)


def _parts(content: Plain, read: FileReader) -> Parts:
    if isinstance(content, dict):
        content = stringify(content, 2)
    if isinstance(content, str):
        return (_text(content),) if trim(content) else ()
    return tuple(part for item in as_list(content) if (part := _part(item, read)) is not None)


def _part(item: Plain, read: FileReader) -> _SegmentPart | None:
    if isinstance(item, str):
        return _text(item) if item else None
    value = item.get("value") if isinstance(item, dict) else None
    if not isinstance(item, dict) or not isinstance(value, str):
        return None
    if item.get("type") == "text":
        return _text(value)
    file = read(value) if item.get("type") == "file" and value else None
    if file is None:
        return None
    text = file.text if file.text is not None else ""
    embedded = f'<file path="{file.name}">\n{trim(text)}\n</file>' if text else None
    return _SegmentPart(f'<file: path="{file.path}">', embedded, bool(trim(text)) or file.text is None, file.path)


def _text(text: str) -> _SegmentPart:
    return _SegmentPart(text, text, bool(trim(text)))


def _formatted(parts: Parts, form: SegmentForm) -> list[str]:
    return [text for part in parts if (text := form(part))]


def _question(messages: Sequence[tuple[FilledMessage, Parts]], form: SegmentForm, marked: bool) -> str:
    if not marked:
        texts = (trim(text) for _, parts in messages for text in _formatted(parts, form))
        return "\n\n".join(text for text in texts if text)
    shown = ((message, parts) for message, parts in messages if any(part.visible for part in parts))
    bodies = ((message.role, _formatted(parts, form)) for message, parts in shown)
    return "\n\n".join(f"@[{role[:1].upper()}{role[1:]}]:\n" + "\n".join(texts) for role, texts in bodies if texts)


def _system(messages: Iterable[tuple[FilledMessage, Parts]], form: SegmentForm) -> str | None:
    """Return the texts of the system messages that a test begins with."""
    texts: list[str] = []
    for message, parts in messages:
        if message.role != "system":
            break
        if formatted := _formatted(parts, form):
            texts.append("\n".join(formatted))
    return "\n\n".join(texts) if texts else None


def _chat(messages: Sequence[tuple[FilledMessage, Parts]], head: str | None) -> list[Table]:
    """Return the messages of an API: later system and tool messages are the assistant's, under a marker."""
    chat: list[Table] = [{"role": "system", "content": head}] if head is not None else []
    start = next((index for index, (message, _) in enumerate(messages) if message.role != "system"), len(messages))
    for message, parts in messages[start:]:
        label = {"system": ["@[System]:"], "tool": ["@[Tool]:"]}.get(message.role, [])
        if texts := [*label, *_formatted(parts, lambda part: part.embedded)]:
            chat.append({"role": "assistant" if label else message.role, "content": "\n".join(texts)})
    return chat


def _conversation(test: AgentvTest, ident: str, read: FileReader, default: str) -> Iterable[Sent]:
    """Yield the calls of a conversation. What was answered is known to a run alone: its place is marked."""
    history = [(message.role, _plain(_loaded(message.content, read))) for message in test.messages]
    for turn, asked in enumerate(test.turns, 1):
        question = _plain(asked)
        history.append(("user", question))
        yield Sent(f"{ident}/turn-{turn}", question, tuple(_call(history, test.window, default)))
        history.append(("assistant", ANSWER.format(turn=turn)))


def _call(history: Sequence[tuple[str, str]], window: int | None, default: str) -> Iterator[Table]:
    """Yield the messages of one call: those of the system, and the others as far as they are in the window."""
    heads = [content for role, content in history if role == "system"]
    yield {"role": "system", "content": "\n\n".join(heads) if heads else default}
    others = [(role, content) for role, content in history if role != "system"]
    for role, content in others if window is None else others[-2 * window :]:
        marked = role == "tool"
        yield {"role": "assistant" if marked else role, "content": f"@[Tool]: {content}" if marked else content}


def _loaded(content: Plain, read: FileReader) -> Plain:
    """Return a content with its files read into it, which a conversation is sent as JSON."""
    if not isinstance(content, list):
        return content
    items: list[Plain] = []
    for item in content:
        if isinstance(item, str):
            items += [{"type": "text", "value": item}] if item else []
        elif not isinstance(item, dict) or item.get("type") not in ("file", "image"):
            items.append(item)
        elif isinstance(value := item.get("value"), str) and value and (file := read(value)) is not None:
            text: Table = {"path": file.name, "text": file.text or "", "resolvedPath": file.path}
            items += _image(file) if item["type"] == "image" else [{**item, **text}]
    return items


def _image(file: File) -> Iterator[Table]:
    """Yield an image with its bytes; nothing where AgentV leaves it out."""
    media_type = _IMAGES.get(PurePath(file.path).suffix.lower())
    data = file.raw() if media_type is not None else None
    if data is not None:
        source = f"data:{media_type};base64,{b64encode(data).decode('ascii')}"
        yield {"type": "image", "media_type": media_type, "source": source}


def _plain(content: Plain) -> str:
    return content if isinstance(content, str) else stringify(content)


def request(sent: Sent, provider: str) -> list[Table]:
    """Return the messages of one call: the prompt as one user message where a provider takes a text."""
    if provider == "cli":
        return [{"role": "user", "content": sent.question}]
    return [{"role": "user", "content": _document(sent)}] if provider == "vscode" else [*sent.chat]


def _document(sent: Sent) -> str:
    """Return the document that agents in an editor are given: system text, files to read first, the query."""
    files = dict.fromkeys(sent.files)
    listed = "\n".join(f"* [{PurePath(file).name}](file://{file})" for file in files)
    preread = [
        f"Read all attachment files:\n{listed}.",
        "If any file is missing, fail with ERROR: missing-file <filename> and stop.",
        "Then apply system_instructions on the user query below.",
    ]
    system = [trim(sent.system)] if sent.system and trim(sent.system) else []
    parts = [*system, *(["\n", "\n".join(preread)] if files else [])]
    return trim("\n".join([*parts, "\n[[ ## user_query ## ]]\n", trim(sent.question)]))
