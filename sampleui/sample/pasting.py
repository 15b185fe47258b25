"""What a pasted text holds: samples, turns or fields; as JSON, JSON Lines, YAML or TOML, or as plain chat."""

from __future__ import annotations

import dataclasses
import json
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sampleui.errors import FormatError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.formats.registry import parse_document
from sampleui.formats.timestamps import dates_as_texts
from sampleui.sample.chats import chat_of_blocks, curl_body, speeches
from sampleui.sample.convert import convert
from sampleui.sample.convert.contents import conversation_for
from sampleui.sample.dialects.dialect import USUAL
from sampleui.sample.dialects.marks import bears
from sampleui.sample.dialects.shipped import DIALECTS, Dialect, detect, marked_dialects
from sampleui.sample.parse import value_at

_TRIED = (Path("pasted.toml"), Path("pasted.yaml"))


@dataclass(frozen=True, slots=True)
class Pasted:
    """What a text holds. One of the first three is not empty.

    Attributes:
        samples: samples, of any dialect.
        turns: messages.
        fields: values by their keys.
        how: what the text was read as.
        notes: what does not go over as it was, after `fitted`.
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


def fitted(pasted: Pasted, target: Dialect, near: DataPath = (), own: Sequence[Dialect] = ()) -> Pasted:
    """Return the same as a dialect spells it, with what that changes.

    Args:
        pasted: what is pasted.
        target: the dialect.
        near: where the samples that it goes among have their messages.
        own: the user's dialects, which it may be in.
    """
    notes = dict.fromkeys(pasted.notes)
    spelled = conversation_for(
        [*pasted.turns], dataclasses.replace(target, contents=target.contents._replace(media_marks={}))
    )
    notes.update(dict.fromkeys(spelled.notes))
    samples = []
    for data in pasted.samples:
        converted = convert(data, spoken_in(data, target, own), target, near)
        samples.append(converted.data)
        notes.update(dict.fromkeys(converted.report))
    whole = tuple(message for message in spelled.messages or () if isinstance(message, dict))
    return Pasted(tuple(samples), whole, pasted.fields, pasted.how, tuple(notes))


def dates_written(pasted: Pasted, *, has_dates: bool) -> Pasted:
    """Return the same with texts in the place of dates, and notes of them, for a format that has no dates."""
    samples = [dates_as_texts(sample, has_dates=has_dates) for sample in pasted.samples]
    turns = [dates_as_texts(turn, has_dates=has_dates) for turn in pasted.turns]
    fields, told = dates_as_texts(pasted.fields, has_dates=has_dates)
    notes = dict.fromkeys((*pasted.notes, *told, *(note for _, notes in (*samples, *turns) for note in notes)))
    return Pasted(
        tuple(item for item, _ in samples), tuple(item for item, _ in turns), fields, pasted.how, (*notes,)
    )


def spoken_in(data: Table, target: Dialect, own: Sequence[Dialect] = ()) -> Dialect:
    """Return the dialect of a sample that was copied somewhere: the target if that knows all of it.

    Args:
        data: the sample, alone: nothing tells what it stood under.
        target: the dialect of the deck that it goes to.
        own: the user's dialects.
    """
    others = (*own, *marked_dialects())
    if _reads(target, data) and (data.keys() <= target.known | {"id"} or _bears(target, data, here=True)):
        return target
    # A mark for samples wherever they are says more than one for those in a certain place.
    for here in (False, True):
        if borne := next((dialect for dialect in others if _bears(dialect, data, here=here)), None):
            return borne
    likely = (detect((), {}, [data], by_marks=False).dialect, target, *others)
    return next((dialect for dialect in likely if _reads(dialect, data)), target)


def _bears(dialect: Dialect, data: Table, *, here: bool) -> bool:
    """Tell whether a sample bears a mark of a dialect; `here`: be it one for samples in a certain place."""
    return any(mark.on_samples and (here or mark.under is None) and bears(data, mark) for mark in dialect.marks)


def _json(text: str, among_samples: bool) -> Pasted | None:
    try:
        value: Plain = json.loads(text)
    except (ValueError, RecursionError):
        return None
    chat = chat_of_blocks(value)
    if chat is not None and isinstance(value, dict) and "messages" in value:
        tools: Table = {"tools": [*chat.tools]} if chat.tools else {}
        return Pasted(samples=({"messages": [*chat.messages], **tools},), how="JSON", notes=chat.notes)
    if chat is not None:
        return Pasted(turns=chat.messages, how="JSON", notes=chat.notes)
    pasted = _told(value if isinstance(value, list) else [value], "JSON", among_samples)
    if pasted is None and isinstance(value, dict) and value:
        return Pasted(fields=value, how="JSON")
    return pasted


def _json_lines(text: str, among_samples: bool) -> Pasted | None:
    try:
        values: list[Plain] = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return None
    return _told(values, "JSON Lines", among_samples)


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
        pasted = _told(values, path.suffix[1:].upper(), among_samples)
        if pasted is not None:
            return pasted
    return None


def _told(values: list[Plain], how: str, among_samples: bool) -> Pasted | None:
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
