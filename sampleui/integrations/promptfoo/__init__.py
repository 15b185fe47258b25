"""What is known of promptfoo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import (
    Answers,
    Checks,
    Grading,
    Integration,
    Prompts,
    References,
    Results,
    Trajectories,
)

if TYPE_CHECKING:
    from sampleui.formats.data import Table
    from sampleui.formats.document import Document
    from sampleui.review.samples.index import Lookup
    from sampleui.sample.dialects.dialect import Dialect, Rows
    from sampleui.sample.fields import Starts
    from sampleui.sample.model import Sample


class Promptfoo(Integration):
    """promptfoo."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.promptfoo.dialect import PROMPTFOO

        return (PROMPTFOO,)

    def checks(self) -> Checks:
        return Checks(unshown_keys=_unshown, why_empty=_empty, skeletons=_starts)

    def rows(self) -> Rows:
        from sampleui.integrations.promptfoo.rows import columns, from_row, to_row
        from sampleui.sample.dialects.dialect import Rows

        return Rows(to_row, from_row, columns)

    def references(self) -> References:
        """Return what the `$ref` of a test stand for, and the samples that scenarios make."""
        from sampleui.integrations.promptfoo.references import place_in, with_references

        return References(with_references, place_in, with_made_samples=_with_made_samples)

    def prompts(self) -> Prompts:
        """Return a test as each prompt of its config asks it, once for each of its values."""
        from sampleui.integrations.named_files import kept_default
        from sampleui.integrations.promptfoo.prompts import prompted
        from sampleui.integrations.promptfoo.repeated_variables import alike

        return Prompts(
            prompted, as_recorded=alike, default_test=lambda named, library: kept_default(named, library.read, [])
        )

    def lookup(self, samples: Sequence[Sample]) -> Lookup:
        from sampleui.integrations.promptfoo.joining import ByVariables

        return ByVariables(samples)

    def answers(self) -> Answers:
        return Answers(answer_types=("equals", "iequals", "contains", "icontains", "starts-with"))

    def grading(self) -> Grading:
        """Return how the assertions of a test are judged, those of `defaultTest` before its own."""
        from sampleui.integrations.promptfoo.grading import graded, held

        return Grading(
            lambda _record, sample, answer, _enough: graded(sample.data, sample.context, answer),
            nests_members=True,
            # The values of assertions tell, which the run repeats, so that a change of the sample misleads nobody.
            recorded_outcomes=lambda record, sample, _changed: held(record.data, sample.data, sample.context),
        )

    def results(self) -> Results:
        """Return the reader of its rows."""
        from sampleui.integrations.promptfoo.results import PROMPTFOO, parse_entry, parse_record
        from sampleui.review.results.adapters import adapter_by

        adapter = adapter_by(PROMPTFOO)._replace(parse_entry=parse_entry, parse_record=parse_record)
        return Results((adapter,))

    def trajectories(self) -> Trajectories:
        """Return how assertions of a type `trajectory:…` are judged: all records alike."""
        from sampleui.integrations.promptfoo.trajectories import judged

        return Trajectories(check=judged)


def _starts() -> Starts:
    from sampleui.integrations.promptfoo.starts import STARTS

    return STARTS


def _with_made_samples(document: Document) -> Document | None:
    from sampleui.integrations.promptfoo.scenarios import with_made_samples

    return with_made_samples(document)


def _unshown(document: Document) -> Sequence[str]:
    """Return the keys beside tests under which promptfoo has more; scenarios of which tests are made are shown."""
    listed = (key for key in ("scenarios", "redteam") if key != document.made_from)
    return [key for key in listed if document.context.get(key)]


def _empty(context: Table) -> str:
    return "promptfoo runs each prompt once, without variables" if context.get("prompts") else ""


INTEGRATION = Promptfoo()
