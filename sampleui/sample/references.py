"""Values that stand elsewhere in the file of a sample: what a sample is with them, and where each is written."""

from __future__ import annotations

from sampleui.formats.data import DataPath, Plain
from sampleui.sample.model import Sample
from sampleui.sample.parse import integration_of
from sampleui.values import NamedTuple

REF = "$ref"
"""The key of a table that stands for what its pointer leads to."""


class Place(NamedTuple):
    """Where a value stands: whether beside the samples of its file, and the path there or in its sample."""

    beside: bool
    path: DataPath


def is_reference(value: Plain) -> bool:
    """Tell whether another value stands in the place of this one."""
    return isinstance(value, dict) and isinstance(value.get(REF), str)


def as_followed(sample: Sample) -> Sample:
    """Return a sample with what its references stand for, where its program has such."""
    return integration_of(sample).references().followed(sample)


def written_at(sample: Sample, path: DataPath) -> Place | None:
    """Return where the text of a value stands that is at a path of what `as_followed` makes of a sample.

    None if that is not known. A path that is not there yet is one of the sample itself, if it has no references.
    """
    if as_followed(sample).data == sample.data:
        return Place(False, path)
    return integration_of(sample).references().place(sample, path)
