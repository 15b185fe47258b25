"""What a run sent for a sample, beside what the deck renders for it today."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from sampleui.formats.data import Plain, Table
from sampleui.integrations.index import style_of
from sampleui.prompt.providers import calls
from sampleui.review.record import Record
from sampleui.review.results.requests import UNKNOWN_PROMPT, SentPrompt, request_messages, sent, text_said
from sampleui.sample.model import Sample
from sampleui.sample.parse import conversation, dialect_of, integration_of
from sampleui.settings.options import SAMPLEUI, prompt_styles
from sampleui.text.confined import project_root
from sampleui.trace.events import ABSENT, EventType
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.reading.messages import text_of
from sampleui.workspace.deck import Deck

_END = "\n</file>"
_EMBEDDED = re.compile(rf'<file path="([^"\n]*)">\n.*?{_END}', re.DOTALL)
_NAMED = re.compile(r'(?<=<file: path=")([^"\n]*)(?=">)')


def prompt_sent(
    record: Record | None, base_dir: Path, sample: Sample | None = None, deck: Deck | None = None
) -> SentPrompt:
    """Return what was asked of the model, beside what a deck renders for its sample.

    A path in a prompt counts from the root of the project: where that lay in the run is no difference, nor is white
    space around a message.
    """
    if record is None:
        return UNKNOWN_PROMPT
    recorded = record.asked or sent(record.data) or _traced(record, base_dir)
    if not recorded or deck is None or sample is None:
        return SentPrompt(recorded)
    own_system = any(_role(message) == "system" for message in conversation(sample) if isinstance(message, dict))
    rendered = ((style, messages) for style, messages in _renderings(deck, sample) if messages)
    by_style = [(style, _comparable(recorded, messages, own_system)) for style, messages in rendered]
    root, as_kept = project_root(deck.path.parent), integration_of(sample).prompts().as_recorded
    ranked = sorted(
        by_style,
        key=lambda rendered_as: (
            len(_apart(recorded, rendered_as[1], root, as_kept)),
            abs(len(recorded) - len(rendered_as[1])),
        ),
    )
    if not ranked or _is_said(record.sample_messages, [messages for _, messages in by_style]):
        return SentPrompt(recorded, added=_added(recorded, record.sample_messages))
    style, today = ranked[0]
    return SentPrompt(recorded, today, style, _apart(recorded, today, root, as_kept))


def _renderings(deck: Deck, sample: Sample) -> Iterator[tuple[str, tuple[Table, ...]]]:
    own = style_of(dialect_of(sample)) or SAMPLEUI
    for style in sorted(prompt_styles(), key=lambda style: style != own):
        prompts = deck.prompts._replace(style=style)
        for call in calls(dataclasses.replace(deck, prompts=prompts).render(sample)):
            chat = tuple(call.chat_prompt)
            yield style, chat
            yield style, tuple({**message, "content": _by_name(message.get("content"))} for message in chat)
            yield style, request_messages(call.question)


def _is_said(sample_messages: Sequence[Table], renderings: Sequence[Sequence[Table]]) -> bool:
    """Tell whether one of the renderings says what the sample said in the run; files are not compared."""
    return bool(sample_messages) and _words(sample_messages) in map(_words, renderings)


def _added(recorded: Sequence[Table], sample_messages: Sequence[Table]) -> frozenset[int]:
    """Return the places of the messages that do not begin like any of the sample's."""
    words = _words(sample_messages)
    return frozenset(
        number
        for number, (role, text) in enumerate(_words(recorded))
        if not any(
            role == other and text_of_other and text.startswith(text_of_other) for other, text_of_other in words
        )
    )


def _words(messages: Sequence[Table]) -> list[tuple[str, str]]:
    return [(_role(message), (text_of(message.get("content")) or "").strip()) for message in messages]


def _comparable(recorded: Sequence[Table], rendered: tuple[Table, ...], own_system: bool) -> tuple[Table, ...]:
    """Return rendered messages without the system prompt that a provider adds, if the run has none."""
    added = not own_system and rendered and _role(rendered[0]) == "system" and _role(recorded[0]) != "system"
    return rendered[1:] if added and len(rendered) > 1 else rendered


def _apart(
    recorded: Sequence[Table], rendered: Sequence[Table], root: Path, as_kept: Callable[[str], Plain]
) -> frozenset[int]:
    """Return the places of the messages that differ; files are named from the root of the project.

    Args:
        recorded: the messages that were sent.
        rendered: those that are rendered now.
        root: the folder of the project.
        as_kept: what results keep of a text that was sent.
    """
    texts = [(_role(message), text_said(message.get("content"))) for message in rendered]
    names = sorted(
        {_inside(path, root) for _, text in texts for path in _NAMED.findall(text)}, key=len, reverse=True
    )

    def same_file(path: str) -> str:
        path = path.replace("\\", "/")
        return next((name for name in names if path == name or path.endswith(f"/{name}")), path)

    ours = [(role, _NAMED.sub(lambda match: _inside(match[1], root), text).strip()) for role, text in texts]
    theirs = [
        (_role(message), _NAMED.sub(lambda match: same_file(match[1]), text_said(message.get("content"))).strip())
        for message in recorded
    ]
    pairs = enumerate(zip_longest(theirs, ours))
    differing = [
        (number, ours_there, other)
        for number, (ours_there, other) in pairs
        if ours_there is not None and ours_there != other
    ]
    return frozenset(number for number, *both in differing if not (all(both) and _is_same(as_kept, *both)))


def _is_same(as_kept: Callable[[str], Plain], message: tuple[str, str], other: tuple[str, str]) -> bool:
    return message[0] == other[0] and as_kept(message[1]) == as_kept(other[1])


def _inside(path: str, root: Path) -> str:
    """Return a path as it is in the project, whether it is written in full or from the deck."""
    return path.replace("\\", "/").removeprefix(f"{root.as_posix()}/").removeprefix("./").lstrip("/")


def _role(message: Table) -> str:
    return str(message.get("role")).lower()


def _by_name(content: Plain) -> Plain:
    """Return a content as agents are sent it: files by their path and not with their text."""
    if not isinstance(content, str):
        return content
    # Behind the last end no file ends, so that one that begins there would be looked through for nothing.
    ended = content.rfind(_END) + len(_END) if _END in content else 0
    return _EMBEDDED.sub(r'<file: path="\1">', content[:ended]) + content[ended:]


def _traced(record: Record, base_dir: Path) -> tuple[Table, ...]:
    """Return the prompt that a trace shows: what its first step was given, or the messages it begins with."""
    events = read_trace(record.data, base_dir).events
    step = next((event for event in events if event.type is EventType.MODEL_STEP), None)
    if step is not None and step.input is not ABSENT and (asked := request_messages(step.input)):
        return asked
    opening: list[Plain] = []
    for event in events:
        role = (event.metadata or {}).get("role")
        if event.type is not EventType.MESSAGE or role not in ("system", "user") or not event.text:
            break
        opening.append({"role": role, "content": event.text})
    return request_messages(opening)
