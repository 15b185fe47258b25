"""Older gage-eval records, read as standardized samples (gage-eval standardized sample, §1.5).

`question`, `prompt` or `text` become messages, with the media that stand beside them as segments before the text;
`choices` become options and `metadata.option_map`; `answer` or `label` become references and a label;
`question_type` becomes `task_type` (§1.3.2). Only what the record lacks is mapped: a record that already has
`messages` keeps them, and an older key that was not used stays.
"""

from __future__ import annotations

import itertools
import string
from dataclasses import dataclass
from typing import Literal

from sampleui.formats.data import DataPath, Plain, Table, same

_KINDS = ("image", "audio", "video", "file")
QUESTION_KEYS = ("question", "prompt", "text")
MEDIA_KEYS = tuple((f"{kind}_url", key) for kind in _KINDS for key in (kind, f"{kind}_url"))
ANSWER_KEYS = ("answer", "label")
_SCHEMA_VERSION = "v1"


@dataclass(frozen=True, slots=True)
class Edit:
    """One step of a fix: set the value at a path of the sample, or delete it."""

    op: Literal["set", "delete"]
    path: DataPath
    value: Plain = None


@dataclass(frozen=True, slots=True)
class _Renamed:
    """What older fields became, and their keys."""

    new: Table
    old: tuple[str, ...]


def mapped(data: Table) -> Table | None:
    """Return an older record as a standardized sample, or None when it is not an older record.

    Keys that have no newer spelling are kept as they are, after `schema_version`, which is added when missing.
    """
    found = _renamed(data)
    if not found:
        return None
    gone = {key for field in found for key in field.old} - {"label"}
    sample: Table = {"schema_version": _SCHEMA_VERSION}
    sample.update((key, value) for key, value in data.items() if key not in gone)
    for field in found:
        sample.update(field.new)
    return sample


def older_keys(data: Table) -> tuple[str, ...]:
    """Return the keys of a record that stand for newer ones; none for any other sample."""
    return tuple(key for field in _renamed(data) for key in field.old)


def fix(data: Table) -> tuple[Edit, ...]:
    """Return the edits that turn an older record into the sample that `mapped` shows; none for any other sample.

    Applied in order: each path exists by then or is a missing last key.
    """
    wanted = mapped(data)
    if wanted is None:
        return ()
    changed = ((key, value) for key, value in wanted.items() if key not in data or not same(data[key], value))
    sets = (Edit("set", (key,), value) for key, value in changed)
    return (*sets, *(Edit("delete", (key,)) for key in data if key not in wanted))


def option_ids(count: int) -> list[str]:
    """Return the ids of so many choices: A to Z, then numbers from 27."""
    return [*string.ascii_uppercase[:count], *(str(number) for number in range(27, count + 1))]


def _renamed(data: Table) -> list[_Renamed]:
    return [field for rename in (_messages, _options, _references, _task_type) if (field := rename(data))]


def _messages(data: Table) -> _Renamed | None:
    if "messages" in data:
        return None
    for key in QUESTION_KEYS:
        text = data.get(key)
        if isinstance(text, str) and text.strip():
            media = {name: urls for kind, name in MEDIA_KEYS if (urls := _urls(data.get(name), kind))}
            content: list[Plain] = [*itertools.chain.from_iterable(media.values()), {"type": "text", "text": text}]
            return _Renamed({"messages": [{"role": "user", "content": content}]}, (key, *media))
    return None


def _urls(value: Plain, kind: str) -> list[Plain]:
    """Return one URL or path, or a list of them, as segments; none where it is anything else."""
    urls = value if isinstance(value, list) else [value]
    if not all(isinstance(url, str) and url for url in urls):
        return []
    return [{"type": kind, kind: {"url": url}} for url in urls]


def _options(data: Table) -> _Renamed | None:
    contents = _choices(data.get("choices"))
    if not contents or "options" in data:
        return None
    new: Table = {"options": [{"id": name, "content": content} for name, content in contents.items()]}
    metadata = data.get("metadata", {})
    if isinstance(metadata, dict):
        new["metadata"] = {**metadata, "option_map": metadata.get("option_map", dict(contents))}
    return _Renamed(new, ("choices",))


def _choices(choices: Plain) -> Table:
    """Return the choices by id. Choices are a list of texts, a list of options, or a table of texts by id."""
    if isinstance(choices, dict):
        return {name: _text(value) for name, value in choices.items()}
    if not isinstance(choices, list):
        return {}
    return dict(map(_choice, option_ids(len(choices)), choices))


def _choice(name: str, choice: Plain) -> tuple[str, str]:
    if not isinstance(choice, dict):
        return name, _text(choice)
    return _text(choice.get("id", choice.get("label", name))), _text(choice.get("content", choice.get("text")))


def _references(data: Table) -> _Renamed | None:
    key = next((key for key in ANSWER_KEYS if data.get(key) is not None), None)
    if key is None or "references" in data:
        return None
    answer = data[key]
    texts = [_answer(item, data) for item in (answer if isinstance(answer, list) else [answer])]
    new: Table = {"references": [{"answer": [{"type": "text", "text": text}]} for text in texts]}
    if texts and not isinstance(data.get("label"), str):
        new["label"] = texts[0]
    return _Renamed(new, (key,))


def _answer(answer: Plain, data: Table) -> str:
    """Return an answer as text; the number of a choice, from 0, as the id of that choice."""
    ids = list(_choices(data.get("choices")))
    if isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < len(ids):
        return ids[answer]
    return _text(answer)


def _task_type(data: Table) -> _Renamed | None:
    value = data.get("question_type")
    if not isinstance(value, str) or "task_type" in data:
        return None
    return _Renamed({"task_type": value}, ("question_type",))


def _text(value: Plain) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
