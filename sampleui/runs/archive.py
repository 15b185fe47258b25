"""The copy that a run keeps of a sample, beside today's sample of the deck."""

from __future__ import annotations

from pathlib import Path

from sampleui.integrations.index import integration, keeper
from sampleui.review.record import Record
from sampleui.sample.model import Sample
from sampleui.values import NamedTuple


class Field(NamedTuple):
    """A field of a sample, written out to be read: as it was run and as the deck has it; None if it is not."""

    name: str
    run: str | None
    today: str | None

    @property
    def differs(self) -> bool:
        """Whether it has changed since."""
        return self.run != self.today


class AsRun(NamedTuple):
    """The sample as it was run.

    Attributes:
        path: the file that the run keeps.
        fields: its fields and those of the deck's sample, in order; without a deck's sample none differs.
        compared: whether there is a sample of today to compare with.
        expectations: the names of the fields that say what was expected.
    """

    path: Path
    fields: tuple[Field, ...]
    compared: bool
    expectations: frozenset[str] = frozenset()

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the fields that have changed since."""
        return tuple(field.name for field in self.fields if field.differs)

    @property
    def expects_otherwise(self) -> bool:
        """Whether what is expected has changed since."""
        return not self.expectations.isdisjoint(self.changed)


def as_run(record: Record, base_dir: Path, sample: Sample | None) -> AsRun | None:
    """Return the sample of a record as it was run, None if the run keeps no copy that can be read.

    Args:
        record: the record.
        base_dir: the folder of the run.
        sample: the deck's sample of today, None if no deck has it.
    """
    return integration(keeper(record.data)).run_files().sample_as_run(record, base_dir, sample)
