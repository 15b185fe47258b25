"""Media listed beside the messages, with a mark in the text where each belongs.

`<image>` and the like are those of LLaMA-Factory (`data/README.md`, `v1/plugins/data_plugins/converter.py`) and of
TRL, whose messages may have a segment of the type `image` in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from sampleui.formats.data import Table
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.message import MediaSegment, Message, Segment, TextSegment
from sampleui.values import replace


def with_files(messages: tuple[Message, ...], data: Table, dialect: Dialect) -> tuple[Message, ...]:
    """Return messages with the files in the places of their marks, as long as there are some."""
    beside = files_beside(data, dialect)
    if not beside:
        return messages
    left = {dialect.contents.media_marks[kind][0]: (kind, iter(files)) for kind, files in beside.items()}
    return tuple(replace(message, segments=tuple(_parted(message.segments, left))) for message in messages)


def files_beside(data: Table, dialect: Dialect) -> dict[str, list[str]]:
    """Return the paths that a sample lists beside its messages, by their type of segment; of other lists none."""
    paths_by_kind: dict[str, list[str]] = {}
    for kind, (_, key) in dialect.contents.media_marks.items():
        listed = data.get(key)
        files = listed if isinstance(listed, list) else [listed]
        if paths := [file for file in files if isinstance(file, str) and file]:
            paths_by_kind |= {kind: paths} if len(paths) == len(files) else {}
    return paths_by_kind


def _parted(segments: Iterable[Segment], left: Mapping[str, tuple[str, Iterator[str]]]) -> Iterator[Segment]:
    marks = re.compile("(" + "|".join(map(re.escape, left)) + ")")
    for segment in segments:
        if not isinstance(segment, TextSegment) or not marks.search(segment.text):
            yield segment
            continue
        for text in filter(None, marks.split(segment.text)):
            kind, files = left.get(text, ("", iter(())))
            file = next(files, None)
            yield (
                TextSegment(text) if file is None else MediaSegment(kind, file, {"type": kind, kind: {"url": file}})
            )
