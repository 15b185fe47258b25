"""Messages in the spelling of another dialect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, renamed_key, shown, with_set
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.media import label_of, medium_in, medium_of
from sampleui.sample.message import MEDIA_TYPES, MediaSegment, TextSegment, is_thinking, json_text, nested, segment
from sampleui.sample.message_shapes import read_entry
from sampleui.sample.open_table import OpenTable
from sampleui.sample.tool_calls import calls_in
from sampleui.text.wording import enumerated

if TYPE_CHECKING:
    from sampleui.integrations.integration import Converting

_DEVELOPER = "developer"
_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")


_FORMATS = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}
"""What `input_audio` calls the kinds of sounds that it takes."""

_HOSTED = ("web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call")
"""Items of calls that a provider answers itself."""

_MOST_PLACES = 8


class Spelled(NamedTuple):
    """Messages as a dialect spells them, what it has beside them, and a line for each kind of change."""

    messages: list[Plain] | None
    beside: Table
    notes: list[str]


class _Changes:
    """What changes as messages are spelled anew: in general, and what is dropped by its place."""

    def __init__(self) -> None:
        self.notes: dict[str, None] = {}
        self._places: dict[tuple[str, DataPath], dict[DataPath, None]] = {}

    def drop(self, path: DataPath, why: str) -> None:
        """Note that what is at a place is dropped."""
        alike = tuple(step for step in path if isinstance(step, str))
        self._places.setdefault((why, alike), {})[path] = None

    @property
    def lines(self) -> list[str]:
        """A line for each kind of change; of places that are alike, the first and how many more there are."""
        dropped = []
        every = {path for places in self._places.values() for path in places}
        for (why, _), paths in self._places.items():
            places = [path for path in paths if every.isdisjoint(path[:depth] for depth in range(len(path)))]
            more = len(places) - _MOST_PLACES
            named = ", ".join(map(shown, places[:_MOST_PLACES]))
            if not named:  # what is within something that is dropped as a whole
                continue
            dropped.append(f"{named}: dropped, {why}" + (f" ({more:,} more alike)" if more > 0 else ""))
        return [*(f"messages: {note}" for note in self.notes), *dropped]


def conversation_for(messages: list[Plain] | None, target: Dialect, paths: Sequence[DataPath] = ()) -> Spelled:
    """Return messages with contents and calls as a dialect spells them.

    Args:
        messages: the messages, in any shape that is known.
        target: the dialect.
        paths: where each of them is in its sample; by their order under `messages` where that is not given.
    """
    if messages is None:
        return Spelled(None, {}, [])
    changes, beside = _Changes(), Table()
    places = paths or [("messages", index) for index in range(len(messages))]
    turns = [
        turn
        for message, path in zip(messages, places, strict=True)
        for turn in _turns(message, path, target, changes)
    ]
    turns = _with_ids(turns)
    if target.contents.media_marks and target.conversion.text_content:
        turns = [_with_marks(turn, target.contents.media_marks, beside, changes.notes) for turn in turns]
    hooks = of_dialect(target).conversion(target)
    converted = [_message(turn, target, hooks, changes.notes) for turn in hooks.write_turns(turns, changes.notes)]
    return Spelled(converted, beside, changes.lines)


def is_taken(message: Plain, dialect: Dialect) -> bool:
    """Tell whether a dialect takes a message as it is: it has a role and a content, without foreign parts."""
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        return False
    if not {"content", *dialect.contents.call_keys} & message.keys():
        return False
    return not _is_strict(dialect) or all(_is_read(part, dialect) for part in as_list(message.get("content")))


def _is_strict(dialect: Dialect) -> bool:
    """Tell whether a dialect refuses parts of types that it does not know."""
    return "segment-invalid" in dialect.rules or dialect.modelled


def _is_read(part: Plain, dialect: Dialect) -> bool:
    """Tell whether a dialect has segments of the type of a part."""
    return segment(part, dialect.contents.tables, dialect.contents.own) is not None or _is_own(part, dialect)


def _is_own(part: Plain, dialect: Dialect) -> bool:
    """Tell whether a part is of a type that the program of a dialect reads, and spelled as OpenAI spells it."""
    kind = part.get("type") if isinstance(part, dict) else None
    attached = kind == "file" and dialect.contents.attaches_files  # which is by its path, and not as OpenAI has it
    return isinstance(kind, str) and kind in dialect.contents.segments and not attached


def _turns(message: Plain, path: DataPath, target: Dialect, changes: _Changes) -> Iterator[Plain]:
    """Yield the turns that an entry of a list stands for, and those of the results that its calls have in them."""
    reading = read_entry(message)
    calls_read = (as_table(call) for usual in reading.messages for call in as_list(usual.message.get("tool_calls")))
    is_hosted = isinstance(message, dict) and message.get("type") in _HOSTED
    if is_hosted and not any("output" in call for call in calls_read):
        changes.drop(path, "its provider ran this call and does not say what it returned")
        return
    for place in reading.left:
        changes.drop((*path, *place), _no_place(target))
    if not reading.messages:
        yield message
    for usual in reading.messages:
        turn, content = dict(usual.message), usual.message.get("content")
        if isinstance(content, list):
            turn["content"] = [*_parts(content, [(*path, *part) for part in usual.parts], target, changes)]
        is_silent = not turn.get("content") and (content or usual.message is not message)
        if is_silent and turn["role"] != "tool" and not turn.get("tool_calls") and not turn.get("function_call"):
            continue
        results: list[Plain] = []
        if isinstance(calls := turn.get("tool_calls"), list):
            read = [
                _call(call, (*path, *place), target, changes)
                for call, place in zip(calls, usual.calls, strict=True)
            ]
            turn["tool_calls"] = [call for call, _ in read]
            results += [result for _, result in read if result is not None]
        yield turn
        yield from results


def _no_place(target: Dialect) -> str:
    return f"{target.title} has no place for it"


def _call(call: Plain, path: DataPath, target: Dialect, changes: _Changes) -> tuple[Plain, Table | None]:
    """Return a call as OpenAI spells it, and the turn of what it returned where the call itself says that."""
    if not isinstance(call, dict) or not isinstance(call.get("name"), str) or {"function", "tool"} & call.keys():
        return call, None
    given: Table = {"id": call["id"]} if call.get("id") is not None else {}
    called = nested({**given, "function": call["name"], "arguments": call.get("arguments", call.get("input"))})
    told = {key: call[key] for key in ("output", "error", "status") if call.get(key) is not None}
    returned = told.pop("output" if "output" in told else "error", None)
    for key in told:
        changes.drop((*path, key), _no_place(target))
    if returned is None:
        return called, None
    content: Plain = returned if isinstance(returned, str) else json_text(returned)
    if isinstance(returned, list) and returned and all(segment(item) is not None for item in returned):
        content = [*_parts(returned, [path] * len(returned), target, changes)]
    wrong: Table = {"is_error": True} if "error" in call else {}
    return called, {"role": "tool", "tool_call_id": call.get("id"), "content": content, **wrong}


def _parts(
    content: Sequence[Plain], paths: Sequence[DataPath], target: Dialect, changes: _Changes
) -> Iterator[Plain]:
    """Yield the parts of a content that a dialect has a place for, without what is lost where they become texts."""
    spelled = [(_part(part, path, target, changes), path) for part, path in zip(content, paths, strict=True)]
    kept = [(part, path) for part, path in spelled if part is not None]
    is_text = target.conversion.text_content or target.conversion.text_only
    are_texts = all(isinstance(segment(part), TextSegment) for part, _ in kept)
    is_joined = is_text or (_spelling(target) is _plain_text and are_texts)
    for part, path in kept:
        read = segment(part)
        if isinstance(read, MediaSegment) and is_text:
            if read.kind not in target.contents.media_marks:
                changes.drop(path, f"{target.title} has no place for {label_of(part)}")
                continue
            for place in _beside_url(read.data, read.kind):
                changes.drop((*path, *place), _no_place(target))
            part = {"type": read.kind, read.kind: {"url": read.url}}
        elif isinstance(read, TextSegment) and is_joined:
            for key in beside_text(part):
                changes.drop((*path, key), _no_place(target))
            part = {"type": "text", "text": read.text}
        yield part


def _part(part: Plain, path: DataPath, target: Dialect, changes: _Changes) -> Plain:
    """Return a part as most dialects spell it, or as the target itself does; None if neither has a place for it."""
    if _is_read(part, target):
        return part
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if is_thinking(part):
        changes.drop(path, "it is what a model thought, and no part of what is said")
        return None
    table = OpenTable(as_table(part), path)
    table.take("type")
    spelled: Table | None = None
    if as_table(part).get("type") == "refusal" and isinstance(words := table.take("refusal"), str):
        changes.notes["refusal segments are written as text"] = None
        spelled = {"type": "text", "text": words}
    elif (medium := medium_in(table)) is not None and medium.url:
        spelled = medium.segment
    if spelled is not None:
        for place in table.left():
            changes.drop(place, _no_place(target))
        return spelled
    if not _is_strict(target) and medium_of(part) is None:
        return part
    changes.drop(path, f"{target.title} has no place for {label_of(part)}")
    return None


def _with_ids(turns: list[Plain]) -> list[Plain]:
    """Return turns in which calls without ids, and their results, have some, by their names and their order."""
    if not any(isinstance(turn, dict) and turn.get("tool_call_id", "") is None for turn in turns):
        return turns
    used = {call.id for turn in turns for call in calls_in(turn)}
    names = (name for number in count(1) if (name := f"call_{number}") not in used)
    waiting: list[tuple[str, str]] = []
    answered: list[Plain] = []
    for turn in turns:
        for call in calls_in(turn):
            if not call.id:
                waiting.append((call.name, next(names)))
                turn = with_set(turn, ("tool_calls", call.position, "id"), waiting[-1][1])
        if isinstance(turn, dict) and turn.get("tool_call_id", "") is None:
            turn = {key: value for key, value in turn.items() if key != "tool_call_id"}
            meant = [*(item for item in waiting if item[0] == turn.get("name")), *waiting][:1]
            for item in meant:
                waiting.remove(item)
                turn = {"role": turn["role"], "tool_call_id": item[1], **turn}
        answered.append(turn)
    return answered


def beside_text(part: Plain) -> list[str]:
    """Return the keys of a text segment that are not its text."""
    text_keys = {"type", "value" if isinstance(part, dict) and "value" in part else "text"}
    return [key for key in part if key not in text_keys] if isinstance(part, dict) else []


def _message(message: Plain, target: Dialect, hooks: Converting, notes: dict[str, None]) -> Plain:
    if not isinstance(message, dict):
        return message
    message = _calling(message, target, notes)
    if "content" in message:
        message = {**message, "content": _content(message["content"], target, notes)}
    return hooks.write_message(message, notes)


def _content(content: Plain, target: Dialect, notes: dict[str, None]) -> Plain:
    if target.conversion.text_content and not isinstance(content, str):
        return _one_text(content, notes)
    if isinstance(content, dict) and not target.contents.tables:
        notes["structured content is written as JSON text"] = None
        return json_text(content)
    if isinstance(content, list):
        return _spelling(target)(content, target, notes)
    return content


def _calling(message: Table, target: Dialect, notes: dict[str, None]) -> Table:
    """Return a message with its calls as a dialect has them."""
    if "function_call" not in target.contents.call_keys:
        call, name = message.get("function_call"), message.get("name")
        if isinstance(call, dict) and not message.get("tool_calls"):
            notes["function_call is written as tool_calls, the name as its id"] = None
            message = {key: value for key, value in message.items() if key != "function_call"}
            message["tool_calls"] = [{"id": call.get("name"), "type": "function", "function": call}]
        if message.get("role") == "function" and isinstance(name, str):
            notes["the role function is written as tool"] = None
            message = {**message, "role": "tool", "tool_call_id": message.get("tool_call_id", name)}
    if message.get("role") == _DEVELOPER and "system" in target.conversion.turn_roles:
        notes["the role developer is written as system"] = None
        message = {**message, "role": "system"}
    if target.conversion.turn_roles and message.get("role") not in target.conversion.turn_roles:
        notes[f"{target.title} itself takes turns of {enumerated(target.conversion.turn_roles, 'and')} alone"] = (
            None
        )
    return message


def _texts_in(content: Plain) -> list[str]:
    """Return the texts of segments that are all texts; none of any other content."""
    parts = [segment(item) for item in as_list(content)]
    texts = [part.text for part in parts if isinstance(part, TextSegment)]
    return texts if len(texts) == len(parts) else []


def _one_text(content: Plain, notes: dict[str, None]) -> str:
    """Return content as the one text that it has to be: segments joined if they are texts, all else as JSON."""
    if content is None:
        return ""
    if texts := _texts_in(content):
        return "\n".join(texts)
    notes["content that is no text is written as JSON text"] = None
    return json_text(content)


def _plain_text(content: list[Plain], target: Dialect, notes: dict[str, None]) -> Plain:
    """Return texts as one text, joined as rendering joins them; a list that holds anything else as it is."""
    if texts := _texts_in(content):
        said = [text for text in texts if text.strip()]
        if len(said) < len(texts):
            notes["blank segments are dropped"] = None
        return "\n".join(said)
    notes[f"lists of segments are kept; {target.title} itself reads text only"] = None
    return content


def _value(item: Plain, target: Dialect, notes: dict[str, None]) -> Plain:
    """Return a segment with a `value`, if it is a text or a file."""
    kind = item.get("type") if isinstance(item, dict) else None
    if not isinstance(item, dict):
        return item
    if kind == "text" and "text" in item and "value" not in item:
        return renamed_key(item, "text", "value")
    file_url = item.get("file_url")
    url = file_url.get("url") if isinstance(file_url, dict) and len(file_url) == 1 else None
    # A remote address is not a file.
    if kind == "file_url" and isinstance(url, str) and url and not _REMOTE.match(url):
        notes["file_url segments are written as files, which are sent as text"] = None
        return {**{key: value for key, value in item.items() if key != "file_url"}, "type": "file", "value": url}
    if str(kind).endswith("_url"):
        notes[f"media segments are kept; {target.title} itself reads text and files"] = None
    return item


def _text(item: Plain, notes: dict[str, None]) -> Plain:
    """Return a segment as OpenAI spells it: a text has a `text`, a file is a `file_url`."""
    kind = item.get("type") if isinstance(item, dict) else None
    if not isinstance(item, dict):
        return item
    if kind == "text" and "value" in item and "text" not in item:
        return renamed_key(item, "value", "text")
    if kind == "file" and isinstance(item.get("value"), str):
        notes["files are written as file_url segments"] = None
        others = {key: value for key, value in item.items() if key != "value"}
        return {**others, "type": "file_url", "file_url": {"url": item["value"]}}
    return item


def _own_medium(item: Plain, target: Dialect) -> Plain:
    """Return a segment of a medium as the type that a dialect has of its own for it, if it has one."""
    types = reversed([*target.contents.own.items()])
    media_types = {usual: (kind, key) for kind, (usual, key) in types if kind not in MEDIA_TYPES}
    medium = segment(item)
    if not (isinstance(medium, MediaSegment) and isinstance(item, dict) and medium.kind in media_types):
        return item
    kind, key = media_types[medium.kind]
    beside = {name: value for name, value in as_table(item.get(medium.kind)).items() if name != "url"}
    others = {name: value for name, value in item.items() if name not in ("type", medium.kind)}
    return {"type": kind, **beside, **others, key: medium.url}


def _as_openai(item: Plain, target: Dialect) -> Plain:
    """Return a sound or a file that is whole in its message as OpenAI takes one, if a dialect takes it so."""
    medium = medium_of(item)
    if medium is None or medium.size is None or medium.kind in target.contents.segments or _is_own(item, target):
        return item
    form = _FORMATS.get(medium.media_type)
    if medium.kind == "audio_url" and form and "input_audio" in target.contents.segments:
        return {"type": "input_audio", "input_audio": {"data": medium.url.partition(",")[2], "format": form}}
    if medium.kind == "file_url" and "file" in target.contents.segments and not target.contents.attaches_files:
        return {"type": "file", "file": {"filename": medium.name or "file", "file_data": medium.url}}
    return item


def _in_values(content: list[Plain], target: Dialect, notes: dict[str, None]) -> Plain:
    return [_value(item, target, notes) for item in content]


def _in_segments(content: list[Plain], target: Dialect, notes: dict[str, None]) -> list[Plain]:
    """Return segments as OpenAI spells them, or a dialect with media of its own; what it does not read is kept."""
    spelled = [_as_openai(_own_medium(_text(item, notes), target), target) for item in content]
    kinds = (item.get("type") for item in spelled if isinstance(item, dict))
    unread = dict.fromkeys(
        kind for kind in kinds if target.contents.segments and kind not in target.contents.segments
    )
    notes.update({f"{kind} segments are kept; {target.title} itself does not read them": None for kind in unread})
    return spelled


def _spelling(target: Dialect) -> Callable[[list[Plain], Dialect, dict[str, None]], Plain]:
    """Return what spells segments for a dialect, by what it has segments for."""
    if target.contents.text_key == "value":
        return _in_values if target.contents.segments else _plain_text
    if target.conversion.text_only:
        return _plain_text
    return _in_segments


def _with_marks(
    message: Plain, marks: Mapping[str, tuple[str, str]], beside: Table, notes: dict[str, None]
) -> Plain:
    """Return a message with a mark in its text for each of its media, whose URLs are put beside the messages.

    Args:
        message: the message, as OpenAI spells it.
        marks: for the type of a segment, the mark and the key of the list of URLs.
        beside: where the URLs are put.
        notes: where a line is put for what changes.
    """
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(content, list):
        return message
    marked: list[Plain] = []
    for item in content:
        medium = segment(item)
        if not isinstance(medium, MediaSegment) or medium.kind not in marks:
            marked.append(item)
            continue
        mark, key = marks[medium.kind]
        urls = beside.setdefault(key, [])
        assert isinstance(urls, list)
        urls.append(medium.url)
        marked.append({"type": "text", "text": mark})
        notes[f"{medium.kind} segments are written as {mark}, with their URL under {key}"] = None
    return {**message, "content": marked}


def _beside_url(item: Table, kind: str) -> Iterator[DataPath]:
    """Yield the paths of what a segment has beside its URL."""
    beside = item.get(kind)
    yield from ((key,) for key in item if key not in ("type", kind))
    yield from ((kind, key) for key in beside if key != "url") if isinstance(beside, dict) else ()
