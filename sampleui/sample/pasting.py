"""What a pasted text holds: samples, turns or fields; as JSON, JSON Lines, YAML or TOML, or as plain chat."""

from __future__ import annotations

import dataclasses
import re
import shlex
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.data import (
    DataPath,
    Plain,
    Table,
    as_list,
    json_or_text,
    leaves,
    shown,
    tables_in,
    without_null_contents,
)
from sampleui.formats.registry import parse_document
from sampleui.formats.timestamps import dates_as_texts
from sampleui.sample.convert import convert
from sampleui.sample.convert.contents import conversation_for
from sampleui.sample.dialects.dialect import USUAL
from sampleui.sample.dialects.marks import bears
from sampleui.sample.dialects.shipped import DIALECTS, Dialect, detect, marked_dialects
from sampleui.sample.message import TextSegment, segment
from sampleui.sample.message_shapes import is_talk, usual_messages
from sampleui.sample.parse import json_text, value_at

_ROLES = {
    **dict.fromkeys(("system", "developer", "user", "assistant", "tool")),
    "human": "user",
    **dict.fromkeys(("ai", "bot", "model", "chatgpt", "claude", "gemini"), "assistant"),
}
_SPEAKER = f"(?P<speaker>{'|'.join(_ROLES)})"
_STRONG = r"(?:\*\*|__)"
_STYLES = tuple(
    re.compile(style, re.IGNORECASE | re.MULTILINE)
    for style in (
        rf"^(?:[#>*_\-]+[ \t]*)?{_SPEAKER}{_STRONG}?[ \t]*:{_STRONG}?(?:[ \t]|$)",
        rf"^#{{1,6}}[ \t]+{_STRONG}?{_SPEAKER}{_STRONG}?[ \t]*$",
        rf"^{_STRONG}{_SPEAKER}{_STRONG}[ \t]*$",
        r"^(?:#{1,6}[ \t]+)?(?P<speaker>You|ChatGPT|Claude|Gemini|Copilot|Assistant)[ \t]+said:?[ \t]*$",
        rf"^{_STRONG}?(?P<speaker>[QA]){_STRONG}?[ \t]*:{_STRONG}?(?:[ \t]|$)",
    )
)
"""Ways to write who speaks, at the beginning of a line. A text is read in the one that it begins in."""
_SAID = {"you": "user", "copilot": "assistant", "q": "user", "a": "assistant"}
_CHOICE = re.compile(r"^B[ \t]*[:.)]", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(```+|~~~+)", re.MULTILINE)
_CURL = re.compile(r"\s*(?:\$ )?curl\s")
_BODY = ("-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json")
_DOLLAR_QUOTED = re.compile(r"(?<=[\s=])\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
"""How a shell, and a browser that copies a request, quote a text with escapes: `$'it\\'s'`."""
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}


def _quoted(match: re.Match[str]) -> str:
    def meant(sign: re.Match[str]) -> str:
        return chr(int(sign[1], 16)) if sign[1] else _CONTROLS.get(sign[2], sign[2])

    return shlex.quote(_ESCAPED.sub(meant, match[1]))


def speeches(text: str) -> tuple[Table, ...]:
    """Return a text with who speaks before each speech as messages; empty if it does not begin with who speaks.

    What stands in a fenced block of code is part of its speech, whatever its lines begin with. `Q:` and `A:` are
    read where they take turns, beginning with a question: a list of answers from A on is none.
    """
    blocks = _fenced_blocks(text)
    for style in _STYLES:
        matches = [
            match
            for match in style.finditer(text)
            if not any(start <= match.start() < end for start, end in blocks)
        ]
        if not matches or text[: matches[0].start()].strip():
            continue
        spoken = tuple(_spoken(text, matches))
        if len(spoken) > 1 and len({turn["role"] for turn in spoken}) == 1:
            continue  # a log or a list, whose lines all begin alike
        if matches[0]["speaker"].lower() not in ("q", "a") or _is_dialogue(spoken, text):
            return spoken
    return ()


def _is_dialogue(turns: Sequence[Table], text: str) -> bool:
    """Tell whether questions and answers take turns, and the answers are not the choices of a question."""
    roles = [turn["role"] for turn in turns]
    return roles == ["user", "assistant"] * (len(turns) // 2) and not _CHOICE.search(text)


def _fenced_blocks(text: str) -> list[tuple[int, int]]:
    """Return where blocks of code that are closed begin and end."""
    blocks = []
    start, opened = 0, ""
    for fence in _FENCE.finditer(text):
        if not opened:
            start, opened = fence.start(), fence[1]
        elif fence[1].startswith(opened):
            blocks.append((start, fence.end()))
            opened = ""
    return blocks


def _spoken(text: str, matches: Sequence[re.Match[str]]) -> Iterator[Table]:
    ends = [*(match.start() for match in matches[1:]), len(text)]
    for match, end in zip(matches, ends, strict=True):
        name = match["speaker"].lower()
        role = _SAID.get(name) or _ROLES.get(name) or name
        yield {"role": role, "content": text[match.end() : end].strip()}


def curl_body(text: str) -> str:
    """Return the data that a curl command sends, as written in it; empty if the text is no such command.

    Data that the command takes from a file (`-d @body.json`) are not read.
    """
    if not _CURL.match(text):
        return ""
    try:
        words = shlex.split(_DOLLAR_QUOTED.sub(_quoted, text.strip().removeprefix("$ ").replace("\\\n", " ")))
    except ValueError:
        return ""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        argument = value if equals and name.startswith("--") else following
        if name in _BODY:
            return "" if argument.startswith("@") else argument
        if word.startswith("-d") and not word.startswith("--") and len(word) > len("-d"):
            return word.removeprefix("-d")
    return ""


_PASTED = Dialect("pasted", "a pasted chat", ((),), ("json",), (("messages",),))
"""What takes messages as OpenAI spells them, and nothing else."""


def _with_one_text(turn: Table) -> Table:
    """Return a turn with its texts as one, where it has nothing else to say."""
    content = turn.get("content")
    texts = [_text_of(part) for part in content] if isinstance(content, list) else []
    return turn if not texts or None in texts else {**turn, "content": "\n\n".join(filter(None, texts))}


def _text_of(part: Plain) -> str | None:
    read = segment(part)
    return read.text if isinstance(read, TextSegment) else None


def _joined(content: Plain) -> str:
    """Return content as one text; what is no text in it stands there as JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    texts = [block.get("text") if isinstance(block, dict) else None for block in as_list(content)]
    whole = texts and all(isinstance(text, str) for text in texts)
    return "\n\n".join(map(str, texts)) if whole else json_text(content)


def _tool(tool: Table) -> Plain:
    if "input_schema" not in tool:
        return tool
    function: Table = {key: tool[key] for key in ("name", "description") if key in tool}
    return {"type": "function", "function": {**function, "parameters": tool["input_schema"]}}


_TRIED = (Path("pasted.toml"), Path("pasted.yaml"))


@dataclass(frozen=True, slots=True)
class Pasted:
    """What a text holds. One of the first three is not empty.

    Attributes:
        samples: samples, of any dialect.
        turns: messages.
        fields: values by their keys.
        how: what the text was read as.
        notes: what does not go over as it was, after `in_dialect`.
    """

    samples: tuple[Table, ...] = ()
    turns: tuple[Table, ...] = ()
    fields: Table = field(default_factory=dict)
    how: str = ""
    notes: tuple[str, ...] = ()


def read_pasted(text: str, *, among_samples: bool = False) -> Pasted:
    """Return what a text holds; one that is nothing else is a turn of the user.

    Args:
        text: the text.
        among_samples: whether it goes among samples, so that tables which are nothing else are some.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text = textwrap.dedent(lines).strip("\n")
    readers: tuple[Callable[[str, bool], Pasted | None], ...] = (_curl, _json, _json_lines, _chat, _document)
    results = (reader(text, among_samples) for reader in readers)
    plain = Pasted(turns=({"role": "user", "content": text},), how="plain text")
    return next((pasted for pasted in results if pasted is not None), plain)


def in_dialect(
    pasted: Pasted, target: Dialect, near: DataPath = (), own_dialects: Sequence[Dialect] = ()
) -> Pasted:
    """Return the same as a dialect spells it, with what that changes.

    Args:
        pasted: what is pasted.
        target: the dialect.
        near: where the samples that it goes among have their messages.
        own_dialects: the user's dialects, which it may be in.
    """
    notes = dict.fromkeys(pasted.notes)
    spelled = conversation_for(
        [*pasted.turns], dataclasses.replace(target, contents=target.contents._replace(media_marks={}))
    )
    notes.update(dict.fromkeys(spelled.notes))
    samples = []
    for data in pasted.samples:
        converted = convert(data, dialect_of_copied(data, target, own_dialects), target, near)
        samples.append(converted.data)
        notes.update(dict.fromkeys(converted.report))
    whole = tuple(message for message in spelled.messages or () if isinstance(message, dict))
    return Pasted(tuple(samples), whole, pasted.fields, pasted.how, tuple(notes))


def dates_written(pasted: Pasted, *, has_dates: bool) -> Pasted:
    """Return the same with texts in the place of dates, and notes of them, for a format that has no dates."""
    samples = [dates_as_texts(sample, has_dates=has_dates) for sample in pasted.samples]
    turns = [dates_as_texts(turn, has_dates=has_dates) for turn in pasted.turns]
    fields, of_fields = dates_as_texts(pasted.fields, has_dates=has_dates)
    notes = dict.fromkeys((*pasted.notes, *of_fields, *(note for _, notes in (*samples, *turns) for note in notes)))
    return Pasted(
        tuple(item for item, _ in samples), tuple(item for item, _ in turns), fields, pasted.how, (*notes,)
    )


def refuse_nulls(pasted: Pasted) -> None:
    """Refuse what a format without null has no words for; a turn that calls needs none for its content.

    Raises:
        EditRefusedError: with the places of the nulls in what was pasted.
    """
    for title, values in (("sample", pasted.samples), ("turn", pasted.turns), ("", (pasted.fields,))):
        for number, value in enumerate(values, 1):
            nulls = [shown(path) for path, item in leaves(without_null_contents(value)) if item is None]
            if nulls:
                place = f" of {title} {number}" if title else ""
                raise EditRefusedError(f"TOML has no null: leave out {', '.join(nulls)}{place}; nothing was pasted")


def dialect_of_copied(data: Table, target: Dialect, own_dialects: Sequence[Dialect]) -> Dialect:
    """Return the dialect of a sample that was copied somewhere: the target if that knows all of it.

    Args:
        data: the sample, alone: nothing tells what it stood under.
        target: the dialect of the deck that it goes to.
        own_dialects: the user's dialects.
    """
    others = (*own_dialects, *marked_dialects())
    if _reads(target, data) and (data.keys() <= target.known | {"id"} or _bears(target, data, here=True)):
        return target
    # A mark for samples wherever they are says more than one for those in a certain place.
    for here in (False, True):
        if borne := next((dialect for dialect in others if _bears(dialect, data, here=here)), None):
            return borne
    likely = (detect((), {}, [data], by_marks=False).dialect, target, *others)
    return next((dialect for dialect in likely if _reads(dialect, data)), target)


def _bears(dialect: Dialect, data: Table, *, here: bool) -> bool:
    """Tell whether a sample bears a mark of a dialect; with `here`, also one for samples under certain keys."""
    return any(mark.on_samples and (here or mark.under is None) and bears(data, mark) for mark in dialect.marks)


def _json(text: str, among_samples: bool) -> Pasted | None:
    value = json_or_text(text)
    if (of_provider := _of_provider(value)) is not None:
        return of_provider
    pasted = _turns_or_samples(value if isinstance(value, list) else [value], "JSON", among_samples)
    if pasted is None and isinstance(value, dict) and value:
        return Pasted(fields=value, how="JSON")
    return pasted


def _of_provider(value: Plain) -> Pasted | None:
    """Return messages of a provider, one of them or its request as OpenAI spells them; None for anything else.

    A request of Anthropic's is told by a `system` beside its messages too, or by tools with an `input_schema`.
    """
    body = value if isinstance(value, dict) and isinstance(value.get("messages"), list) else {}
    listed = body.get("messages", value if isinstance(value, list) else [value])
    messages = tables_in(listed)
    tools = [tool for tool in as_list(body.get("tools")) if isinstance(tool, dict)]
    is_theirs = is_talk(messages) and any(usual_messages(message) != (message,) for message in messages)
    is_request = "system" in body or any("input_schema" in tool for tool in tools)
    if not messages or not (is_theirs or is_request):
        return None
    spelled = conversation_for([*messages], _PASTED)
    turns = [_with_one_text(turn) for turn in tables_in(spelled.messages)]
    if system := _joined(body.get("system")):
        turns.insert(0, {"role": "system", "content": system})
    left = [key for key in body if key not in ("messages", "system", "tools")]
    notes = (*dict.fromkeys(spelled.notes), *([f"left out: {', '.join(left)}"] if left else ()))
    if not body:
        return Pasted(turns=tuple(turns), how="JSON", notes=notes)
    defined: Table = {"tools": [_tool(tool) for tool in tools]} if tools else {}
    return Pasted(samples=({"messages": [*turns], **defined},), how="JSON", notes=notes)


def _json_lines(text: str, among_samples: bool) -> Pasted | None:
    values = [json_or_text(line) for line in text.splitlines() if line.strip()]
    return _turns_or_samples(values, "JSON Lines", among_samples)


def _curl(text: str, among_samples: bool) -> Pasted | None:
    pasted = _json(curl_body(text), among_samples)
    return dataclasses.replace(pasted, how="the body of a curl command") if pasted is not None else None


def _chat(text: str, _: bool) -> Pasted | None:
    turns = speeches(text)
    return Pasted(turns=turns, how="chat") if turns else None


def _document(text: str, among_samples: bool) -> Pasted | None:
    for path in _TRIED:
        try:
            document = parse_document(f"{text}\n", path)
            values: list[Plain] = [document.read(index) for index in range(len(document))]
        except FormatError:
            continue
        pasted = _turns_or_samples(values, path.suffix[1:].upper(), among_samples)
        if pasted is not None:
            return pasted
    return None


def _turns_or_samples(values: list[Plain], how: str, among_samples: bool) -> Pasted | None:
    tables = tuple(value for value in values if isinstance(value, dict))
    if not values or len(tables) < len(values):
        return None
    for spelling in (
        USUAL,
        *(dialect.turns.spelling for dialect in DIALECTS.values() if not dialect.turns.spelling.usual),
    ):
        alike = (spelling.usual or spelling.content in table for table in tables)
        if all(isinstance(table.get(spelling.role), str) for table in tables) and all(alike):
            return Pasted(turns=tuple(map(spelling.read, tables)), how=how)
    read = all(any(_reads(dialect, table) for dialect in DIALECTS.values()) for table in tables)
    return Pasted(samples=tables, how=how) if read or among_samples else None


def _reads(dialect: Dialect, data: Table) -> bool:
    return any(value_at(data, path) is not None for path in dialect.message_paths)
