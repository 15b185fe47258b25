"""The rules of chat data that lists files beside its messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sampleui.formats.data import Plain
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.message import TextSegment, files_beside, segments
from sampleui.sample.model import Sample
from sampleui.sample.parse import conversation, dialect_of
from sampleui.sample.rules.every_dialect import Rule
from sampleui.text.diagnostic import Finding, Severity


def files_counted(sample: Sample) -> Iterator[Finding]:
    """There are not as many marks in the messages as files beside them, or the prompt cannot show the files."""
    dialect = dialect_of(sample)
    beside = files_beside(sample.data, dialect)
    texts = [*_texts(conversation(sample), dialect)]
    for kind, (mark, key) in dialect.contents.media_marks.items():
        files, meant = len(beside.get(kind, ())), sum(text.count(mark) for text in texts)
        if files and meant and files != meant:
            message = f"{key} has {files} and the messages have {meant} {mark}; there must be as many of both"
            yield Finding("files-counted", Severity.WARNING, message, (key,))
        elif files and not meant:
            message = f"no {mark} in the messages says where these belong; the prompt does not show them"
            yield Finding("files-counted", Severity.INFO, message, (key,))
        elif not files and sample.data.get(key):
            message = f"{key} has something else than paths; the prompt does not show it"
            yield Finding("files-counted", Severity.INFO, message, (key,))


def _texts(messages: list[Plain], dialect: Dialect) -> Iterator[str]:
    for message in messages:
        content = message.get("content") if isinstance(message, dict) else None
        parts = segments(content, own=dialect.contents.own) or ()
        yield from (part.text for part in parts if isinstance(part, TextSegment))


RULES: Mapping[str, Rule] = {
    "files-counted": files_counted,
}
