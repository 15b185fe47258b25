"""Media that are files: whether they are there, without reading them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sampleui.formats.data import DataPath
from sampleui.prompt.library import Library
from sampleui.sample.model import Sample
from sampleui.sample.parse import integration_of
from sampleui.text.diagnostic import Finding, Severity


def media_findings(sample: Sample, library: Library) -> Iterator[Finding]:
    """Yield what is wrong with the media of a sample that are files, each at its segment, as of attached files."""
    for node, written in media_of(sample):
        problem = library.attachments.problem(written)
        if problem is not None:
            yield Finding(problem.rule, Severity.WARNING, f"{written} {problem.reason}", node)


def media_of(sample: Sample) -> Iterable[tuple[DataPath, str]]:
    """Return the media of a sample that are files, with their places; none where files are sent as text."""
    return integration_of(sample).prompts().media(sample)
