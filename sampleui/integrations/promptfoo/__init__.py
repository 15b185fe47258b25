"""What is known of promptfoo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.formats.data import DataPath, Table
    from sampleui.grading.graded import Graded
    from sampleui.integrations.promptfoo.variables import Variables
    from sampleui.prompt.library import Library
    from sampleui.prompt.templates import Templated
    from sampleui.review.record import Record
    from sampleui.review.results.adapters import Adapter
    from sampleui.sample.dialects.dialect import Dialect, Rows
    from sampleui.sample.model import Sample
    from sampleui.sample.references import Place
    from sampleui.trace.checks.found import TrajectoryResult
    from sampleui.trace.timeline import Row


class Promptfoo(Integration):
    """promptfoo."""

    nests_members = True

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.promptfoo.dialect import PROMPTFOO

        return (PROMPTFOO,)

    def rows(self) -> Rows:
        from sampleui.integrations.promptfoo.rows import columns, from_row, to_row
        from sampleui.sample.dialects.dialect import Rows

        return Rows(to_row, from_row, columns)

    def adapters(self) -> Sequence[Adapter]:
        """Return the reader of its rows."""
        from sampleui.integrations.promptfoo.results import PROMPTFOO
        from sampleui.review.results.adapters import adapter_by

        return (adapter_by(PROMPTFOO),)

    def graded(self, record: Record, sample: Sample, answer: str | None, enough: float) -> tuple[Graded, ...]:
        """Return the outcomes of the assertions of a test, those of `defaultTest` before its own."""
        from sampleui.integrations.promptfoo.assertions import graded

        return graded(sample.data, sample.context, answer)

    def checked(self, entry: Table, calls: Sequence[Row], *, ran: bool) -> TrajectoryResult | None:
        """Return what promptfoo says of an assertion of a type `trajectory:…`; it judges all records alike."""
        from sampleui.integrations.promptfoo.trajectories import judged

        return judged(entry, calls)

    def prompts(self, sample: Sample, library: Library) -> Sequence[Templated]:
        """Return a test as each prompt of its config asks it, once for each of its values."""
        from sampleui.integrations.promptfoo.prompts import prompted

        return prompted(sample, library)

    def default_test(self, named: str, library: Library) -> Table | None:
        """Return the `defaultTest` that is kept in a file."""
        from sampleui.integrations.named_files import kept_default

        return kept_default(named, library.read, [])

    def tests(self, sample: Sample) -> Iterator[Variables]:
        """Yield the variables of each test that promptfoo makes of a sample."""
        from sampleui.integrations.promptfoo.variables import tests_of

        return tests_of(sample)

    def followed(self, sample: Sample) -> Sample:
        """Return a test with what its `$ref` stand for."""
        from sampleui.integrations.promptfoo.references import followed

        return replace(sample, data=followed(sample.data, sample.context))

    def place(self, sample: Sample, path: DataPath) -> Place | None:
        """Return where a value is written that a `$ref` may stand for."""
        from sampleui.integrations.promptfoo.references import place_of

        return place_of(sample.data, path, sample.context)


INTEGRATION = Promptfoo()
