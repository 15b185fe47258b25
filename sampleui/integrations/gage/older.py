"""Older gage-eval records, read as standardized samples (gage-eval standardized sample, §1.5).

`question`, `prompt` or `text` become messages, with the media that are beside them as segments before the text;
`choices` become options and `metadata.option_map`; `answer` or `label` become references and a label;
`question_type` becomes `task_type` (§1.3.2). A record that already has `messages` keeps them. What the newer fields
cannot hold goes under `metadata` unchanged: parts of older values, older keys for which another one stands, and the
prompt fields that §1.1 deprecates.

The spellings are those that gage-eval itself reads and writes (HiThink-Research/GAGE, `assets/datasets`:
`utils/normalization.py`, `utils/mapping.py`, `preprocessors/multi_choice_preprocessor.py`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sampleui.formats.data import Plain, Table, as_list, as_table, is_number
from sampleui.integrations.gage.labels import options_of, stands_for
from sampleui.sample.answer_options import NumberedChoice, choices_of, text_of
from sampleui.sample.dialects.dialect import Updated
from sampleui.sample.message import FileSegment, MediaSegment, reference_text, segment, segments

_KINDS = ("image", "audio", "video", "file")
QUESTION_KEYS = ("question", "prompt", "text")
MEDIA_KEYS = (
    *((f"{kind}_url", key) for kind in _KINDS for key in (kind, f"{kind}_url", f"{kind}s", f"{kind}_urls")),
    ("image_url", "visual"),
)
ANSWER_KEYS = ("answer", "label")
DEPRECATED_KEYS = ("model_prompt_tmpl", "model_prompt_placeholder")
_TOLD_APART = frozenset((*DEPRECATED_KEYS, "question_type"))
_BESIDE_QUESTION = (*QUESTION_KEYS, *(key for _, key in MEDIA_KEYS))
_OTHERS = ("choices", "answer")
_OF_OLDER = frozenset((*QUESTION_KEYS, *ANSWER_KEYS, *_TOLD_APART, "choices", "options", "few_shot_examples"))
"""Keys of which each older record has one; so has many a record of today, in which there is more to look at."""

_FLAT = {kind: (f"{kind}_url", kind) for kind in _KINDS}
_SCHEMA_VERSION = "v1"


@dataclass(frozen=True, slots=True)
class _Renamed:
    """What older fields became, their keys, and what of them the newer fields cannot hold."""

    new: Table
    old: tuple[str, ...]
    kept: Table = field(default_factory=dict)


def updated(data: Table) -> Updated | None:
    """Return an older record as a standardized sample, with the older keys and those kept under `metadata`.

    Keys that have no newer spelling are kept as they are, after `schema_version`, which is added when missing.
    """
    if _OF_OLDER.isdisjoint(data):
        return None
    renames = _renamed(data)
    if not renames:
        return None
    gone = {key for item in renames for key in item.old} - {"label"}
    sample: Table = {"schema_version": _SCHEMA_VERSION}
    sample.update((key, value) for key, value in data.items() if key not in gone)
    for item in renames:
        sample.update(item.new)
    sample.update(_as_texts(sample))
    kept: Table = {key: value for item in renames for key, value in item.kept.items()}
    label = sample.get("label")
    answered = any("references" in item.new for item in renames)
    if answered and isinstance(label, str) and not stands_for(label, sample):
        first = next(iter(as_list(sample.get("references"))), None)
        kept["label"], sample["label"] = label, reference_text(first) or ""
    old = tuple(key for item in renames for key in item.old)
    added = () if "schema_version" in data else ("schema_version",)
    return Updated(_with_kept(sample, kept), old, tuple(kept), _TOLD_APART, added)


def _as_texts(sample: Table) -> Table:
    """Return those fields that are texts today and were numbers or empty."""
    numbers = {key: value for key in ("id", "label") if is_number(value := sample.get(key))}
    version = {} if sample["schema_version"] else {"schema_version": _SCHEMA_VERSION}
    return {**version, **{key: text_of(value) for key, value in numbers.items()}}


def _with_kept(sample: Table, older_values: Table) -> Table:
    """Return a sample with values of the older record under `metadata`, if no other value has their name.

    The map of the options there is of the options that the sample has; a map that said otherwise is kept too.
    """
    before, metadata = sample.get("metadata"), _metadata(sample)
    if (options := dict(options_of(sample))) and metadata.get("option_map", options) != options:
        older_values = {**older_values, "option_map": metadata["option_map"]}
        metadata = {**metadata, "option_map": {**options}}
    whole = dict(metadata)
    for key, value in older_values.items():
        names = (f"{'_' * count}{key}" for count in itertools.count())
        whole[next(name for name in names if name not in metadata)] = value
    return {**sample, "metadata": whole} if whole and whole != before else sample


def _metadata(data: Table) -> Table:
    """Return the metadata of a record as a table; what is none stands in one."""
    metadata = data.get("metadata")
    if isinstance(metadata, dict):
        return metadata
    return {} if metadata is None else {"metadata": metadata}


def _renamed(data: Table) -> list[_Renamed]:
    steps = (_messages, _options, _references, _task_type, _deprecated, _examples)
    renames = [item for rename in steps if (item := rename(data))]
    return [*renames, *_unused(data, renames)]


def _unused(data: Table, renames: Sequence[_Renamed]) -> Iterator[_Renamed]:
    """Yield the older keys of a record for which another one stands, or which hold nothing that can be read."""
    if not any(item.old[0] not in ("question_type", *DEPRECATED_KEYS) for item in renames):
        return
    used = {key for item in renames for key in item.old}
    asked = any("messages" in item.new for item in renames)
    left = [key for key in (*_BESIDE_QUESTION * asked, *_OTHERS) if key in data and key not in used]
    if left:
        yield _Renamed({}, tuple(left), {key: data[key] for key in left if data[key] is not None})


def _messages(data: Table) -> _Renamed | None:
    if data.get("messages") is not None:
        return None
    for key in QUESTION_KEYS:
        asked = _asked(data.get(key))
        if asked:
            media = {name: urls for kind, name in MEDIA_KEYS if (urls := _urls(data.get(name), kind))}
            segments = [*itertools.chain.from_iterable(media.values())]
            return _Renamed({"messages": _with_media(asked, segments)}, (key, *media))
    return None


def _asked(value: Plain) -> list[Table]:
    """Return the messages that a question stands for.

    A text, or a list of segments, is one message of the user; one message or several may be in full.
    """
    if isinstance(value, str) and value.strip():
        return [{"role": "user", "content": [{"type": "text", "text": value}]}]
    items = value if isinstance(value, list) else [value]
    messages = [item for item in items if isinstance(item, dict) and isinstance(item.get("role"), str)]
    if messages:
        return messages if len(messages) == len(items) else []
    content = _content(value)
    return [{"role": "user", "content": content}] if content else []


def _content(value: Plain) -> list[Plain]:
    """Return a list of segments, or one of them, as gage-eval spells them today; none for anything else."""
    items = value if isinstance(value, list) else [value]
    if not any(isinstance(item, dict) for item in items):
        return []
    segments = [_segment(item) for item in items]
    return [item for item in segments if item is not None] if None not in segments else []


def _segment(item: Plain) -> Plain:
    medium = segment(item, plain_text=True, own_types=_FLAT)
    if isinstance(medium, MediaSegment):
        return {**as_table(item), **medium.data, medium.kind: {"url": medium.url}}
    if medium is None or isinstance(medium, FileSegment):
        return item if medium else None
    return item if isinstance(item, dict) else {"type": "text", "text": item}


def _with_media(messages: list[Table], segments: list[Plain]) -> list[Plain]:
    """Return messages with segments before the text of the first one of the user, or of the first one."""
    if not segments:
        return [*messages]
    index = next((index for index, message in enumerate(messages) if message["role"] == "user"), 0)
    content = messages[index].get("content")
    texts: list[Plain] = [{"type": "text", "text": content}] if isinstance(content, str) else []
    parts = content if isinstance(content, list) else texts
    return [*messages[:index], {**messages[index], "content": [*segments, *parts]}, *messages[index + 1 :]]


def _urls(value: Plain, kind: str) -> list[Plain]:
    """Return URLs or paths, one or a list of them, each a text or a table of `url`, as segments; else none."""
    urls = [
        item["url"] if isinstance(item, dict) and item.keys() == {"url"} else item
        for item in (value if isinstance(value, list) else [value])
    ]
    if not all(isinstance(url, str) and url for url in urls):
        return []
    return [{"type": kind, kind: {"url": url}} for url in urls]


def _options(data: Table) -> _Renamed | None:
    key = _options_key(data)
    choices = choices_of(data[key]) if key else []
    if not choices:
        return None
    options: list[Plain] = [{"id": choice.id, "content": choice.text} for choice in choices]
    option_map: Table = {choice.id: choice.text for choice in choices}
    metadata = _metadata(data)
    before = {"option_map": metadata["option_map"]} if metadata.get("option_map", option_map) != option_map else {}
    new: Table = {"options": options, "metadata": {**metadata, "option_map": option_map}}
    whole = all(choice.whole for choice in choices)
    return _Renamed(new, (key,), before if whole else {**before, key: data[key]})


def _options_key(data: Table) -> str:
    """Return the key of the choices; in a record that has no messages they may be called options as well."""
    if data.get("options") is None:
        return "choices" if "choices" in data else ""
    return "options" if data.get("messages") is None and not options_of(data) else ""


def _references(data: Table) -> _Renamed | None:
    key = next((key for key in ANSWER_KEYS if data.get(key) is not None), None)
    if key is None or data.get("references") is not None:
        return None
    named = _options_key(data)
    choices = choices_of(data[named]) if named else [NumberedChoice(name, text) for name, text in options_of(data)]
    references, label = _answers(data[key], choices), data.get("label")
    new: Table = {"references": references}
    if not references or isinstance(label, str):
        return _Renamed(new, (key,), {} if references else {key: data[key]})
    first = reference_text(references[0])
    if first is not None:
        new["label"] = first
    texts = [reference_text(reference) for reference in references]
    other = key != "label" and label is not None and _answer(label, choices) not in texts
    return _Renamed(new, (key,), {"label": label} if other else {})


def _answers(answer: Plain, choices: list[NumberedChoice]) -> list[Plain]:
    """Return the references that an answer stands for: segments are one, of any other list each item."""
    if content := _content(answer):
        return [{"answer": content}]
    items = answer if isinstance(answer, list) else [answer]
    if items and all(isinstance(item, dict) and segments(item.get("answer")) for item in items):
        return [*items]
    return [{"answer": [{"type": "text", "text": _answer(item, choices)}]} for item in items]


def _answer(answer: Plain, choices: list[NumberedChoice]) -> str:
    """Return an answer as text; the number of a choice, from 0, as the id of that choice."""
    named = any(choice.id == text_of(answer) for choice in choices)
    if isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < len(choices) and not named:
        return choices[answer].id
    return text_of(answer)


def _task_type(data: Table) -> _Renamed | None:
    if "question_type" not in data:
        return None
    value = data["question_type"]
    if isinstance(value, str) and data.get("task_type") is None:
        return _Renamed({"task_type": value}, ("question_type",))
    repeats = value is None or value == data.get("task_type")
    return _Renamed({}, ("question_type",), {} if repeats else {"question_type": value})


def _deprecated(data: Table) -> _Renamed | None:
    deprecated = {key: data[key] for key in DEPRECATED_KEYS if key in data}
    return _Renamed({}, tuple(deprecated), deprecated) if deprecated else None


def _examples(data: Table) -> _Renamed | None:
    """Return the few-shot examples (§1.3.4) if some are older records; they have no schema version."""
    few_shot_examples = data.get("few_shot_examples")
    items = as_list(few_shot_examples)
    updates = [updated(item) if isinstance(item, dict) else None for item in items]
    if not any(updates):
        return None
    today = [
        item if entry is None else {key: value for key, value in entry.data.items() if key != "schema_version"}
        for item, entry in zip(items, updates, strict=True)
    ]
    return _Renamed({"few_shot_examples": today}, ("few_shot_examples",))
