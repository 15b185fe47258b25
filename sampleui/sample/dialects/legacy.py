"""Older gage-eval records, read as standardized samples (gage-eval standardized sample, §1.5).

`question`, `prompt` or `text` become messages, with the media that are beside them as segments before the text;
`choices` become options and `metadata.option_map`; `answer` or `label` become references and a label;
`question_type` becomes `task_type` (§1.3.2). Only what the record lacks is mapped: a record that already has
`messages` keeps them, and an older key that was not used stays. What a newer field cannot hold of an older one is
kept unchanged under `metadata`.

The spellings are those that gage-eval itself reads and writes (HiThink-Research/GAGE, `assets/datasets`:
`utils/normalization.py`, `utils/mapping.py`, `preprocessors/multi_choice_preprocessor.py`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeGuard

from sampleui.formats.data import DataPath, Plain, Table, same
from sampleui.sample.dialects.choices import Choice, choices_of, text_of

_KINDS = ("image", "audio", "video", "file")
QUESTION_KEYS = ("question", "prompt", "text")
MEDIA_KEYS = (
    *((f"{kind}_url", key) for kind in _KINDS for key in (kind, f"{kind}_url", f"{kind}s", f"{kind}_urls")),
    ("image_url", "visual"),
)
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
    """What older fields became, their keys, and what of them the newer fields cannot hold."""

    new: Table
    old: tuple[str, ...]
    kept: Table = field(default_factory=dict)


def mapped(data: Table) -> Table | None:
    """Return an older record as a standardized sample, or None when it is not an older record.

    Keys that have no newer spelling are kept as they are, after `schema_version`, which is added when missing.
    """
    found = _renamed(data)
    if not found:
        return None
    gone = {key for one in found for key in one.old} - {"label"}
    sample: Table = {"schema_version": _SCHEMA_VERSION}
    sample.update((key, value) for key, value in data.items() if key not in gone)
    for one in found:
        sample.update(one.new)
    kept = {key: value for one in found for key, value in one.kept.items()}
    return _with_kept(sample, kept) if kept else sample


def _with_kept(sample: Table, kept: Table) -> Table:
    """Return a sample with values of the older record under `metadata`, if no other value has their name."""
    metadata = sample.get("metadata", {})
    if not isinstance(metadata, dict):
        return {**sample, "metadata": {"metadata": metadata, **kept}}
    names = {key: next(name for name in _names(key) if name not in metadata) for key in kept}
    return {**sample, "metadata": {**metadata, **{names[key]: value for key, value in kept.items()}}}


def _names(key: str) -> Iterator[str]:
    yield key
    yield from (f"{prefix}{key}" for prefix in ("_" * count for count in itertools.count(1)))


def older_keys(data: Table) -> tuple[str, ...]:
    """Return the keys of a record that stand for newer ones; none for any other sample."""
    return tuple(key for one in _renamed(data) for key in one.old)


def kept_keys(data: Table) -> tuple[str, ...]:
    """Return the older keys of which the mapped sample keeps the value as it was, under `metadata`."""
    return tuple(key for one in _renamed(data) for key in one.kept)


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


def _renamed(data: Table) -> list[_Renamed]:
    return [one for rename in (_messages, _options, _references, _task_type) if (one := rename(data))]


def _messages(data: Table) -> _Renamed | None:
    if "messages" in data:
        return None
    for key in QUESTION_KEYS:
        asked = _asked(data.get(key))
        if asked:
            media = {name: urls for kind, name in MEDIA_KEYS if (urls := _urls(data.get(name), kind))}
            segments = [*itertools.chain.from_iterable(media.values())]
            return _Renamed({"messages": _with_media(asked, segments)}, (key, *media))
    return None


def _asked(value: Plain) -> list[Table]:
    """Return the messages that a question stands for: a text is one of the user; one or several may be in full."""
    if isinstance(value, str) and value.strip():
        return [{"role": "user", "content": [{"type": "text", "text": value}]}]
    items = value if isinstance(value, list) else [value]
    messages = [item for item in items if isinstance(item, dict) and isinstance(item.get("role"), str)]
    return messages if len(messages) == len(items) else []


def _with_media(messages: list[Table], segments: list[Plain]) -> list[Plain]:
    """Return messages with segments before the text of the first one of the user, or of the first one."""
    if not segments:
        return [*messages]
    at = next((at for at, message in enumerate(messages) if message["role"] == "user"), 0)
    content = messages[at].get("content")
    texts: list[Plain] = [{"type": "text", "text": content}] if isinstance(content, str) else []
    held = content if isinstance(content, list) else texts
    return [*messages[:at], {**messages[at], "content": [*segments, *held]}, *messages[at + 1 :]]


def _urls(value: Plain, kind: str) -> list[Plain]:
    """Return URLs or paths, one or a list of them, each a text or a table of `url`, as segments; else none."""
    urls = [
        item.get("url") if _only(item, "url") else item for item in (value if isinstance(value, list) else [value])
    ]
    if not all(isinstance(url, str) and url for url in urls):
        return []
    return [{"type": kind, kind: {"url": url}} for url in urls]


def _options(data: Table) -> _Renamed | None:
    choices = choices_of(data.get("choices"))
    if not choices or "options" in data:
        return None
    options: list[Plain] = [{"id": choice.id, "content": choice.text} for choice in choices]
    new: Table = {"options": options}
    metadata = data.get("metadata", {})
    if isinstance(metadata, dict):
        option_map: Table = {choice.id: choice.text for choice in choices}
        new["metadata"] = {**metadata, "option_map": metadata.get("option_map", option_map)}
    whole = all(choice.whole for choice in choices)
    return _Renamed(new, ("choices",), {} if whole else {"choices": data["choices"]})


def _references(data: Table) -> _Renamed | None:
    key = next((key for key in ANSWER_KEYS if data.get(key) is not None), None)
    if key is None or "references" in data:
        return None
    answer, choices = data[key], choices_of(data.get("choices"))
    texts = [_answer(item, choices) for item in (answer if isinstance(answer, list) else [answer])]
    new: Table = {"references": [{"answer": [{"type": "text", "text": text}]} for text in texts]}
    label = data.get("label")
    if not texts or isinstance(label, str):
        return _Renamed(new, (key,), {} if texts else {key: answer})
    new["label"] = texts[0]
    other = key != "label" and label is not None and _answer(label, choices) not in texts
    return _Renamed(new, (key,), {"label": label} if other else {})


def _answer(answer: Plain, choices: list[Choice]) -> str:
    """Return an answer as text; the number of a choice, from 0, as the id of that choice."""
    if isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < len(choices):
        return choices[answer].id
    return text_of(answer)


def _task_type(data: Table) -> _Renamed | None:
    value = data.get("question_type")
    if not isinstance(value, str) or "task_type" in data:
        return None
    return _Renamed({"task_type": value}, ("question_type",))


def _only(value: Plain, key: str) -> TypeGuard[Table]:
    return isinstance(value, dict) and value.keys() == {key}
