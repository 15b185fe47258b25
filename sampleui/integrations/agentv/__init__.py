"""What is known of AgentV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import Plain, Table
    from sampleui.grading.graded import Graded
    from sampleui.prompt.library import Library
    from sampleui.prompt.render import Rendered, Sent
    from sampleui.prompt.templates import Templated
    from sampleui.review.record import Record
    from sampleui.review.results.adapters import Adapter
    from sampleui.review.results.artifacts import Hydrated, Sharing
    from sampleui.runs.archive import AsRun
    from sampleui.sample.dialects.dialect import Dialect
    from sampleui.sample.model import Sample
    from sampleui.sample.models.base import Models
    from sampleui.sample.models.ordinary import Ordinary
    from sampleui.sample.rules.common import Rule
    from sampleui.trace.checks.found import TrajectoryResult
    from sampleui.trace.reading.extract import Trace
    from sampleui.trace.timeline import Row


class AgentV(Integration):
    """AgentV."""

    style = "agentv-4"

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.agentv.dialect import AGENTV

        return (AGENTV,)

    def rules(self) -> Mapping[str, Rule]:
        from sampleui.integrations.agentv.rules import RULES

        return RULES

    def uncounted(self, sample: Table) -> frozenset[str]:
        from sampleui.integrations.agentv.recognition import uncounted

        return uncounted(sample)

    def models(self) -> Models:
        from sampleui.integrations.agentv.models import MODELS

        return MODELS

    def ordinary(self) -> Ordinary:
        from sampleui.integrations.agentv.ordinary import ORDINARY

        return ORDINARY

    def adapters(self) -> Sequence[Adapter]:
        """Return the reader of its rows, and of those of others that are like them."""
        from sampleui.integrations.agentv.results import (
            claims,
            has_own_id,
            is_evident,
            is_told,
            parse_entry,
            parse_record,
        )
        from sampleui.review.results.adapters import Adapter

        read = (claims, parse_entry, parse_record)
        return (Adapter("agentv", *read, self_evident=is_evident, signed=has_own_id, told=is_told),)

    def with_grading(self, row: Table, folder: Path) -> Table:
        """Read the grading alone, which decides whether the record failed."""
        from sampleui.integrations.agentv.artifacts import with_grading

        return with_grading(row, folder)

    def hydrated(self, row: Table, folder: Path, sharing: Sharing) -> Hydrated:
        """Read gradings, answers, timings and transcripts."""
        from sampleui.integrations.agentv.artifacts import hydrated

        return hydrated(row, folder, sharing=sharing)

    def tries(self, row: Table, folder: Path) -> tuple[Table, ...]:
        """Return the samples of a row of AgentV 5."""
        from sampleui.integrations.agentv.artifacts import tries_of

        return tries_of(row, folder)

    def artifact(self, row: Table) -> str | None:
        """Return the folder or the first file that a row names."""
        from sampleui.integrations.agentv.artifacts import artifact_of

        return artifact_of(row)

    def sample_as_run(self, record: Record, base_dir: Path, sample: Sample | None) -> AsRun | None:
        """Return the deck of the one test that AgentV keeps with every record."""
        from sampleui.integrations.agentv.kept_sample import as_run

        return as_run(record, base_dir, sample)

    def graded(self, record: Record, sample: Sample, answer: str | None, enough: float) -> tuple[Graded, ...]:
        """Return the outcomes of the assertions of a test and of its suite."""
        from sampleui.integrations.agentv.assertions import graded

        return graded(sample.data, sample.context, answer)

    def score(self, record: Record, trace: Trace, outcomes: Sequence[Graded]) -> float | None:
        """Return the weighted mean of the scores of a record that it ran; 0 where a required one is too low."""
        from sampleui.integrations.agentv.assertions import score

        return score(record, outcomes) if self.ran(record.data, trace) else None

    def ran(self, record: Table, trace: Trace) -> bool:
        """Tell whether AgentV 4 or later wrote a record."""
        from sampleui.integrations.agentv.trajectories import ran

        return ran(record, trace)

    def ungraded(self, record: Table) -> str:
        """Return why a record was not graded."""
        from sampleui.integrations.agentv.trajectories import ungraded

        return ungraded(record)

    def declared(self, data: Table, context: Table) -> Iterator[Plain]:
        """Yield the assertions of a test and its suite, with those of their members that AgentV takes."""
        from sampleui.integrations.agentv.trajectories import declared

        yield from declared(data, context)

    def calls(self, trace: Trace) -> Sequence[Row]:
        """Return the calls of a trace without times that are not theirs."""
        from sampleui.integrations.agentv.trajectories import timed

        return timed(trace)

    def checked(self, entry: Table, calls: Sequence[Row], *, ran: bool) -> TrajectoryResult | None:
        """Return what AgentV says of a check, where it ran the record or alone knows the words of the check."""
        from sampleui.integrations.agentv.trajectories import checked

        return checked(entry, calls, ran=ran)

    def prompts(self, sample: Sample, library: Library) -> Sequence[Templated]:
        """Return a test as each prompt of its file asks it, where it has no input of its own (version 5)."""
        from sampleui.integrations.agentv.prompt_matrix import asked

        return asked(sample, library.read)

    def render_as(self, style: str, sample: Sample, library: Library, system_prompt: str | None) -> Rendered:
        """Return a sample as AgentV 4 sends it."""
        from sampleui.integrations.agentv.prompts import rendered

        return rendered(style, sample, library, system_prompt)

    def request(self, sent: Sent, provider: str) -> list[Table]:
        """Return the messages of one call: the prompt as one user message where a provider takes a text."""
        from sampleui.integrations.agentv.prompts import request

        return request(sent, provider)

    def transcript(self, data: Plain) -> Table | None:
        """Read lines of messages, turns of content blocks, or the spans of OpenTelemetry."""
        from sampleui.integrations.agentv.transcript import record_of

        return record_of(data)

    def is_transcript_line(self, row: Table) -> bool:
        """Tell it by the number of the message and its role."""
        from sampleui.integrations.agentv.transcript import is_line

        return is_line(row)

    def is_of_same_run(self, line: Table, other: Table) -> bool:
        """Tell it by the test, the target and the conversation."""
        from sampleui.integrations.agentv.transcript import same_run

        return same_run(line, other)


INTEGRATION = AgentV()
