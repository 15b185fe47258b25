"""Media that are files: whether they are there, without reading them (gage-eval standardized sample, §1.3.1)."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.prompt.library import Library
from sampleui.sample.content import segment
from sampleui.sample.dialects.segments import is_url
from sampleui.sample.message import MediaSegment
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, read
from sampleui.text.confined import SCHEME
from sampleui.text.diagnostic import Finding, Severity


def media_findings(sample: Sample, library: Library) -> Iterator[Finding]:
    """Yield what is wrong with the media of a sample that are files, each at its segment, as of attached files."""
    for node, written in media_of(sample):
        problem = library.attachments.problem(written)
        if problem is not None:
            yield Finding(problem.rule, Severity.WARNING, f"{written} {problem.reason}", node)


def media_of(sample: Sample) -> Iterator[tuple[DataPath, str]]:
    """Yield the media of a sample that are files, with their places; none in dialects that send files as text."""
    dialect = dialect_of(sample)
    return _media(read(sample), dialect.few_shot) if dialect.contents.reads_media else iter(())


def _media(data: Table, few_shot: str) -> Iterator[tuple[DataPath, str]]:
    for place, content in _contents(data):
        for index, item in enumerate(content if isinstance(content, list) else ()):
            held = segment(item)
            if isinstance(held, MediaSegment) and (path := held.url.removeprefix(SCHEME)) and not is_url(path):
                yield (*place, index), path
    for index, example in enumerate(_list(data.get(few_shot))):
        if isinstance(example, dict):
            yield from (((few_shot, index, *node), path) for node, path in _media(example, ""))


def _contents(data: Table) -> Iterator[tuple[DataPath, Plain]]:
    """Yield the contents of the messages, the references and the trajectories of a sample, with their places."""
    lists: list[tuple[DataPath, Plain, str]] = [
        (("messages",), data.get("messages"), "content"),
        (("references",), data.get("references"), "answer"),
        *(
            (("golden_trajectories", at), one, "content")
            for at, one in enumerate(_list(data.get("golden_trajectories")))
        ),
    ]
    for place, held, key in lists:
        for index, item in enumerate(_list(held)):
            if isinstance(item, dict):
                yield (*place, index, key), item.get(key)


def _list(value: Plain) -> list[Plain]:
    return value if isinstance(value, list) else []
