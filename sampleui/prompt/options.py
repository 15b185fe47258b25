"""The options of a choice question, and whether what is sent names them (gage-eval standardized sample, §1.3.3)."""

from __future__ import annotations

import re

from sampleui.sample.dialects.choices import choices_of
from sampleui.sample.message import TextSegment
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, read, turns, value_at
from sampleui.values import NamedTuple


class Option(NamedTuple):
    """One option: its id and text, and whether a message of the sample has the text."""

    id: str
    text: str
    named: bool


def offered(sample: Sample) -> list[Option]:
    """Return the options of a sample in their order, the order to show them in; none of any other sample."""
    path = dialect_of(sample).options_path
    choices = choices_of(value_at(read(sample), path)) if path else []
    parts = (part for message in turns(sample) for part in message.segments)
    prompt = "\n".join(part.text for part in parts if isinstance(part, TextSegment))
    return [Option(choice.id, choice.text, _names(prompt, choice.text)) for choice in choices]


def told(options: list[Option], title: str) -> str:
    """Return a word on whether options are sent. What a program's own templates add of them is not known here."""
    count = sum(option.named for option in options)
    if count == len(options):
        return "sent: the messages name them all"
    named = f"the messages name {count} of {len(options)}" if count else "not sent: the messages name none"
    return f"{named}; what {title} itself adds is not known here"


def _names(prompt: str, text: str) -> bool:
    wanted = r"\s+".join(map(re.escape, text.split()))
    return bool(wanted) and re.search(rf"(?<!\w){wanted}(?!\w)", prompt, re.IGNORECASE) is not None
