"""What each message contributes to a prompt, with the files it attaches read; and the legacy single text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table
from sampleui.prompt.attachments import Attachment
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.message import FileSegment, MediaSegment, Message, Segment, TextSegment, segment
from sampleui.sample.model import Sample
from sampleui.sample.parse import spoken, turns
from sampleui.text.diagnostic import Finding, Severity

ReadsAttachment = Callable[[str], Attachment]


class Placed(NamedTuple):
    """A message, where it is in the sample's data, and how it was authored there (empty if it was not)."""

    message: Message
    node: DataPath
    authored: Table


class PromptPartKind(StrEnum):
    """What a part of a message is."""

    TEXT = "text"
    FILE = "file"
    GUIDELINE = "guideline"
    MEDIA = "media"


class PromptPart(NamedTuple):
    """One segment as it is in a prompt.

    Attributes:
        kind: what it is.
        text: the text that stands for it in the body of its message.
        media: the segment as authored, for media.
    """

    kind: PromptPartKind
    text: str
    media: Table | None = None


class Turn(NamedTuple):
    """A message with what it contributes.

    Attributes:
        message: the message.
        parts: its usable segments, blank texts and files that cannot be used left out.
        attachments: the files it attaches, usable or not, in order.
        node: where it is in the sample's data.
        authored: the message as authored; empty if it is made from something else.
    """

    message: Message
    parts: tuple[PromptPart, ...]
    attachments: tuple[Attachment, ...]
    node: DataPath
    authored: Table

    @property
    def role(self) -> str:
        """The role as authored."""
        return self.message.role

    @property
    def body(self) -> str:
        """The parts as one text, a line break between them."""
        return "\n".join(part.text for part in self.parts)

    @property
    def empty(self) -> bool:
        """Whether it has nothing at all: no usable segment and no tool calls."""
        return not self.parts and not self.message.calls

    @property
    def visible(self) -> bool:
        """Whether it has something of its own to say: text, an embedded file, media or tool calls."""
        return self.message.calls or any(part.kind is not PromptPartKind.GUIDELINE for part in self.parts)


def placed_messages(sample: Sample) -> tuple[Placed, ...]:
    """Return a sample's own messages with their places."""
    conversation = spoken(sample)
    authored = [message.message for message in conversation]
    paths = [message.path or (*sample.messages_path, index) for index, message in enumerate(conversation)]
    return tuple(_placed(message, paths[message.index], authored) for message in turns(sample))


def turn(item: Placed, read: ReadsAttachment) -> Turn:
    """Return a message with the files that it attaches read."""
    parts: list[PromptPart] = []
    files: list[Attachment] = []
    for piece in item.message.segments:
        attachment = read(piece.path) if isinstance(piece, FileSegment) else None
        if attachment is not None:
            files.append(attachment)
        part = _part(piece, attachment)
        if part is not None:
            parts.append(part)
    return Turn(item.message, tuple(parts), tuple(files), item.node, item.authored)


def reference(path: str) -> str:
    """Return what is in a body for a file or a medium that is not embedded."""
    return f"<Attached: {path}>"


def headed(path: str, text: str) -> str:
    """Return a file's text under its path."""
    return f"=== {path} ===\n{text}"


def _part(segment: Segment, attachment: Attachment | None) -> PromptPart | None:
    if isinstance(segment, TextSegment):
        return PromptPart(PromptPartKind.TEXT, segment.text) if segment.text.strip() else None
    if isinstance(segment, MediaSegment):
        return PromptPart(PromptPartKind.MEDIA, reference(segment.url), segment.data)
    if attachment is None or attachment.text is None:
        return None
    if attachment.guideline:
        return PromptPart(PromptPartKind.GUIDELINE, reference(segment.path))
    return PromptPart(PromptPartKind.FILE, headed(segment.path, attachment.text.rstrip()))


def guidelines(turns: Iterable[Turn]) -> dict[str, str]:
    """Return the guideline texts by path as written, each file once under the first path it was attached by.

    A file that holds nothing but white space guides nothing and is left out.
    """
    seen: set[Path | None] = set()
    texts: dict[str, str] = {}
    for file in (file for turn in turns for file in turn.attachments if file.guideline and file.text):
        text = (file.text or "").strip()
        if text and file.path not in seen:
            seen.add(file.path)
            texts[file.written] = text
    return texts


def file_findings(turns: Iterable[Turn]) -> Iterator[Finding]:
    """Yield what is wrong with the attached files, each at its segment.

    Warnings and not errors: the prompt is made without the file.
    """
    for turn in turns:
        nodes = (node for node, item in _authored_segments([turn]) if isinstance(segment(item), FileSegment))
        for file in turn.attachments:
            node = next(nodes, turn.node)
            if file.problem is not None:
                message = f"{file.written} {file.problem.reason}"
                yield Finding(file.problem.rule, Severity.WARNING, message, node)


def segment_findings(turns: Iterable[Turn], dialect: Dialect) -> Iterator[Finding]:
    """Yield a finding for each segment that a prompt leaves out because it cannot be read."""
    message = "The prompt leaves this segment out: it cannot be read"
    for node, item in _authored_segments(turns):
        if segment(item, dialect.contents.tables, dialect.contents.own) is None:
            yield Finding("segment-dropped", Severity.INFO, message, node)


def templated_findings(turns: Iterable[Turn], dialect: Dialect) -> Iterator[Finding]:
    """Yield a finding, at the first of them, about segments that a model is given otherwise than they are shown."""
    first_places: dict[str, DataPath] = {}
    for node, item in _authored_segments(turns if dialect.contents.templated else ()):
        kind = item.get("type") if isinstance(item, dict) else None
        if isinstance(kind, str) and kind in dialect.contents.templated:
            first_places.setdefault(kind, node)
    if first_places:
        names = " and ".join(first_places)
        message = f"How a model is given {names} is up to its chat template; here it is shown as text"
        yield Finding("segment-templated", Severity.INFO, message, next(iter(first_places.values())))


def _authored_segments(turns: Iterable[Turn]) -> Iterator[tuple[DataPath, Plain]]:
    """Yield the items of contents that are lists as they are authored, with their places."""
    for turn in turns:
        content: Plain = turn.authored.get("content")
        yield from (((*turn.node, "content", index), item) for index, item in enumerate(as_list(content)))


def _placed(message: Message, path: DataPath, authored: list[Plain]) -> Placed:
    source = authored[message.index] if message.index < len(authored) else None
    return Placed(message, path, as_table(source))


_FLAT_ROLES = {"system", "user"}


def question(turns: Sequence[Turn], kept: Sequence[Turn]) -> str:
    """Return the kept messages as one text, blank ones left out, a blank line between them.

    Each is headed by its role in brackets if that adds something: when any message, kept or not, has a role
    other than system and user, or when more than one is left and they are not one system message and then one user
    message (multi-turn question formatting, Smart role marker detection).
    """
    bodies = [(turn.role, body) for turn in kept if (body := turn.body.strip())]
    if _flat(turns, [role for role, _ in bodies]):
        return "\n\n".join(body for _, body in bodies)
    return "\n\n".join(f"[{role[:1].upper()}{role[1:]}]:\n{body}" for role, body in bodies)


def _flat(turns: Sequence[Turn], roles: list[str]) -> bool:
    if any(turn.role not in _FLAT_ROLES for turn in turns):
        return False
    return len(roles) <= 1 or roles == ["system", "user"]
