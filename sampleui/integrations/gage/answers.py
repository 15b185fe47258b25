"""Where a sample of gage-eval has the answer that it expects: its first reference, once more as its label."""

from __future__ import annotations

from sampleui.formats.data import DataPath, Plain
from sampleui.review.results.adapters.fields import table
from sampleui.review.samples.answers import Setting, found_at
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of

LABEL = "label"


def paths(sample: Sample) -> tuple[DataPath, ...]:
    """Return where a sample may have its answer, the places that count first at the beginning."""
    path, label = (dialect_of(sample).expected_keys[0], 0), (LABEL,)
    first = found_at(sample.data, path)
    if not isinstance(first, dict):
        return (path, label)
    segments = first.get("answer")
    if isinstance(segments, list) and len(segments) == 1 and "text" in table(segments[0]):
        return ((*path, "answer", 0, "text"),)
    return ((*path, "answer"), label)


def taking(sample: Sample, actual: str) -> tuple[Setting, ...]:
    """Return the edits that make an answer the expected one."""
    path, key = paths(sample)[0], dialect_of(sample).expected_keys[0]
    label = (Setting((LABEL,), actual),) if isinstance(sample.data.get(LABEL), str) else ()
    if found_at(sample.data, (key, 0)) is None:
        references: Plain = [{"answer": [{"type": "text", "text": actual}]}]
        return (Setting((key,), references), *label)
    if isinstance(found_at(sample.data, path), list):
        return (Setting(path, [{"type": "text", "text": actual}]), *label)
    return (Setting(path, actual), *label)
