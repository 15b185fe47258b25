"""What is known of AgentV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import (
    Answers,
    Checks,
    Converting,
    Grading,
    Integration,
    Prompts,
    Recognition,
    References,
    Results,
    RunFiles,
    Trajectories,
    Transcripts,
    Updates,
)

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import Table
    from sampleui.prompt.library import Library
    from sampleui.prompt.render import Rendered, Sent
    from sampleui.review.record import Record
    from sampleui.runs.regrading import Graded
    from sampleui.runs.sample_as_run import AsRun
    from sampleui.sample.dialects.dialect import Dialect
    from sampleui.sample.fields import Starts
    from sampleui.sample.model import Sample
    from sampleui.sample.models.base import Models
    from sampleui.trace.reading.extract import Trace


class AgentV(Integration):
    """AgentV."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.agentv.dialect import AGENTV

        return (AGENTV,)

    def recognition(self) -> Recognition:
        from sampleui.integrations.agentv.dialect import uncounted

        return Recognition(uncounted)

    def checks(self) -> Checks:
        from sampleui.integrations.agentv.rules import ORDINARY, RULES

        return Checks(RULES, ORDINARY, _models, skeletons=_starts)

    def updates(self) -> Updates:
        from sampleui.integrations.agentv.dialect import TODAY

        return Updates(today=TODAY)

    def conversion(self, dialect: Dialect) -> Converting:
        from sampleui.integrations.agentv.conversion import from_messages, message, to_messages

        return Converting(from_messages, to_messages, write_message=message)

    def references(self) -> References:
        """Return how a test takes along what its suite says for all tests."""
        return References(detach=_detached)

    def prompts(self) -> Prompts:
        """Return the prompts of a file of version 5, and what version 4 sends byte for byte."""
        from sampleui.integrations.agentv.prompts_5 import asked

        return Prompts(asked, render_as=_rendered, request=_request)

    def answers(self) -> Answers:
        from sampleui.integrations.agentv.conversion import CRITERIA, paths, taking

        return Answers(paths, taking, CRITERIA)

    def grading(self) -> Grading:
        """Return how the assertions of a test and of its suite are judged and weighed."""
        from sampleui.integrations.agentv.grading import graded, held

        return Grading(
            lambda _record, sample, answer, _enough: graded(sample.data, sample.context, answer),
            score=_score,
            recorded_outcomes=lambda record, sample, changed: held(record, sample.data, sample.context, changed),
        )

    def results(self) -> Results:
        """Return the reader of its rows, and of those of others that are like them."""
        from sampleui.integrations.agentv.results import (
            claims,
            has_outcome,
            has_own_id,
            is_evident,
            parse_entry,
            parse_record,
        )
        from sampleui.review.results.adapters import Adapter

        read = (claims, parse_entry, parse_record)
        return Results(
            (Adapter("agentv", *read, self_evident=is_evident, signed=has_own_id, has_outcome=has_outcome),)
        )

    def run_files(self) -> RunFiles:
        """Return how gradings, answers, timings and transcripts are read, and the test that is kept with them."""
        from sampleui.integrations.agentv.run_files import artifact_of, hydrated, tries_of, with_grading

        return RunFiles(with_grading, hydrated, tries_of, artifact_of, _as_run)

    def transcripts(self) -> Transcripts:
        """Return how lines of messages, turns of content blocks and the spans of OpenTelemetry are read."""
        from sampleui.integrations.agentv.transcripts import is_line, record_of, same_run

        return Transcripts(record_of, is_line, same_run)

    def trajectories(self) -> Trajectories:
        from sampleui.integrations.agentv.trajectories import checked, declared, ran, timed, ungraded

        return Trajectories(ran, ungraded, declared, timed, checked)


def _starts() -> Starts:
    from sampleui.integrations.agentv.starts import STARTS

    return STARTS


def _models() -> Models:
    from sampleui.integrations.agentv.models import MODELS

    return MODELS


def _detached(sample: Sample, folder: Path, around: Table) -> tuple[Sample, tuple[str, ...]]:
    from sampleui.integrations.agentv.references import detached

    return detached(sample, folder, around)


def _rendered(style: str, sample: Sample, library: Library, system_prompt: str | None) -> Rendered:
    from sampleui.integrations.agentv.prompts_4 import rendered

    return rendered(style, sample, library, system_prompt)


def _request(sent: Sent, provider: str) -> list[Table]:
    from sampleui.integrations.agentv.prompts_4 import request

    return request(sent, provider)


def _score(record: Record, trace: Trace, outcomes: Sequence[Graded]) -> float | None:
    """Return the weighted mean of the scores of a record that AgentV ran; 0 where a required one is too low."""
    from sampleui.integrations.agentv.grading import score
    from sampleui.integrations.agentv.trajectories import ran

    return score(record, outcomes) if ran(record.data, trace) else None


def _as_run(record: Record, base_dir: Path, sample: Sample | None) -> AsRun | None:
    from sampleui.integrations.agentv.kept_sample import as_run

    return as_run(record, base_dir, sample)


INTEGRATION = AgentV()
