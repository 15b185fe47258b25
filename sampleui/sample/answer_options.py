"""The options of a choice question, in the spellings that are in use, and whether what is sent names them.

They are a list of texts; a list of tables with an id (`id`, `label`, `key`) and a text (`content`, `text`, `value`,
`answer`, `choice`), or with a whole `message`; a list of tables with one text under its id; or a table of texts
by id (gage-eval standardized sample, §1.3.3, and older records).
"""

from __future__ import annotations

import json
import re
import string
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

from sampleui.formats.data import Plain, Table
from sampleui.sample.message import TextSegment, iso
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, read, turns, value_at

_IDS = ("id", "label", "key")
_TEXTS = ("content", "text", "value", "answer", "choice")


@dataclass(frozen=True, slots=True)
class NumberedChoice:
    """One choice, and whether its id and text are all that the record says of it."""

    id: str
    text: str
    whole: bool = True


def choices_of(choices: Plain) -> list[NumberedChoice]:
    """Return the choices; none if the value is neither a list nor a table."""
    if isinstance(choices, dict):
        return [_named(name, value) for name, value in choices.items()]
    if not isinstance(choices, list):
        return []
    names = option_ids(len(choices))
    return [_choice(name, item) for name, item in zip(names, choices, strict=True)]


def option_ids(count: int) -> list[str]:
    """Return the ids of so many choices: A to Z, then numbers from 27."""
    return [*string.ascii_uppercase[:count], *(str(number) for number in range(27, count + 1))]


def text_of(value: Plain) -> str:
    """Return a value as one text: a text as it is, nothing for null, anything else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=iso)


def _choice(name: str, item: Plain) -> NumberedChoice:
    if not isinstance(item, dict):
        return NumberedChoice(name, text_of(item))
    if len(item) == 1 and not item.keys() & {*_IDS, *_TEXTS, "message", "index"}:
        ((key_name, value),) = item.items()
        return _named(key_name, value)
    key = next((key for key in _IDS if isinstance(item.get(key), str | int) and item[key] != ""), None)
    text_key = next((key for key in (*_TEXTS, "message") if item.get(key) is not None), None)
    rest = {other: value for other, value in item.items() if other not in (key, text_key)}
    key_name = name if key is None else text_of(item[key])
    if text_key is None:  # a picture, or whatever it may be, is given as it is
        return NumberedChoice(key_name, text_of(rest)) if rest else NumberedChoice(key_name, "")
    text, whole = _content(item[text_key])
    return NumberedChoice(key_name, text, whole and not rest)


def _named(name: str, value: Plain) -> NumberedChoice:
    text, whole = _content(value)
    return NumberedChoice(name, text, whole)


def _content(value: Plain) -> tuple[str, bool]:
    """Return the text of a choice, and whether it is all that the value says."""
    if isinstance(value, dict) and value.get("role", "assistant") == "assistant" and "content" in value:
        text, whole = _content(value["content"])
        return text, whole and value.keys() == {"content"}
    if isinstance(value, dict) and _is_text(value):
        return str(value["text"]), True
    if isinstance(value, list) and value and all(map(_is_text, value)):
        return "\n".join(str(item["text"]) for item in value if isinstance(item, dict)), True
    return text_of(value), True


def _is_text(value: Plain) -> TypeGuard[Table]:
    return isinstance(value, dict) and isinstance(value.get("text"), str) and value.keys() <= {"type", "text"}


class AnswerOption(NamedTuple):
    """One option: its id and text, and whether a message of the sample has the text."""

    id: str
    text: str
    named: bool


def options_of(sample: Sample) -> list[AnswerOption]:
    """Return the options of a sample in their order, the order to show them in; none of any other sample."""
    path = dialect_of(sample).options_path
    choices = choices_of(value_at(read(sample), path)) if path else []
    parts = (part for message in turns(sample) for part in message.segments)
    prompt = "\n".join(part.text for part in parts if isinstance(part, TextSegment))
    return [AnswerOption(choice.id, choice.text, _names(prompt, choice.text)) for choice in choices]


def whether_sent(options: list[AnswerOption], title: str) -> str:
    """Return in words whether options are sent. What a program's own templates add is not known here."""
    count = sum(option.named for option in options)
    if count == len(options):
        return "sent: the messages name them all"
    named = f"the messages name {count} of {len(options)}" if count else "not sent: the messages name none"
    return f"{named}; what {title} itself adds is not known here"


def _names(prompt: str, text: str) -> bool:
    wanted = r"\s+".join(map(re.escape, text.split()))
    return bool(wanted) and re.search(rf"(?<!\w){wanted}(?!\w)", prompt, re.IGNORECASE) is not None
