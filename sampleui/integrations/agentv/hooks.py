"""AgentV: its eval cases, in the older and in today's spelling, and what else is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.agentv.fields import BESIDE, CRITERIA, FIELDS
from sampleui.integrations.integration import (
    Answers,
    Checks,
    Converting,
    Grading,
    Integration,
    Prompts,
    ReadingResults,
    References,
    Reruns,
    RunFiles,
    Trajectories,
    Transcripts,
)
from sampleui.sample.dialects.dialect import (
    Asserted,
    Contents,
    Conversion,
    Dialect,
    DialectMark,
    Expected,
    Today,
    Turns,
    paths,
)
from sampleui.sample.dialects.field import keys
from sampleui.sample.dialects.marks import RAN

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import Table
    from sampleui.review.handing_back import HandsBack
    from sampleui.review.record import Record
    from sampleui.review.samples.lookup import Lookup
    from sampleui.runs.sample_as_run import AsRun
    from sampleui.sample.fields import Starts
    from sampleui.sample.model import Sample
    from sampleui.sample.models.shapes import Shapes

_PROMPTFOOS = keys("providers targets defaultTest")

TODAY = Today(
    container=("tests",),
    messages=("input",),
    answer="expected_output",
    judged_by=("criteria", "expected_output", "assert", "assertions"),
    renamed={
        "input_messages": "input",
        "expected_messages": "expected_output",
        "expected_outcome": "criteria",
        "outcome": "criteria",
    },
    superseded={"expected_outcome": "criteria", "outcome": "criteria", "assert": "assertions"},
)

AGENTV = Dialect(
    name="agentv",
    title="AgentV",
    integration="agentv",
    refuses=frozenset({"reader-refuses"}),
    containers=(*paths("evalcases tests cases eval_cases"), ()),
    formats=("yaml",),
    message_paths=paths("input_messages input vars.input"),
    marks=(
        DialectMark(paths("id"), texts=keys("assert")),  # promptfoo ends with an error at a text among assertions
        DialectMark(paths("vars.input.*.role"), under=(("tests",),), beside=keys("prompts"), apart=_PROMPTFOOS),
        DialectMark(paths("id vars criteria"), under=(("tests",),), beside=keys("prompts")),
        DialectMark(paths("id vars assert.*.command"), under=(("tests",),), beside=keys("prompts")),
        DialectMark(paths("id vars"), under=(("tests",),), beside=keys("prompts default_test")),
        DialectMark(paths("id vars"), under=(("tests",),), beside=keys("prompts evaluate_options")),
        DialectMark(paths("id vars"), under=(("tests",),), beside=keys("prompts environment")),
    ),
    context_messages=("prompts", "input"),
    expected=Expected(
        paths=paths("expected_messages expected_output vars.expected_output expected_outcome criteria outcome"),
        beside={("vars", "input"): ("vars", "expected_output")},
        fills=True,
        criteria=CRITERIA,
    ),
    tag_paths=paths("tags metadata.tags"),
    today=TODAY,
    fields=FIELDS,
    beside=BESIDE,
    modelled=True,
    contents=Contents(segments=keys("text file"), tables=True, text_key="value", attaches_files=True),
    turns=Turns(shorthand=True),
    rules=(
        "id-missing",
        "segment-invalid",
        "expected-messages-multiple",
        "tool-turn",
        "test-left-out",
        "assertion-left-out",
        "file-refused",
    ),
    conversion=Conversion(
        own=keys("evaluators name threshold"),
        turn_roles=("system", "user", "assistant", "tool"),
        asserted={
            "assert": Asserted(
                {
                    **dict.fromkeys(keys("contains icontains starts-with ends-with regex equals"), "text"),
                    **dict.fromkeys(keys("contains-any contains-all icontains-any icontains-all"), "texts"),
                    "is-json": "",
                },
                keys("name type value weight required min_score negate flags"),
            )
        },
    ),
)


_INPUT = keys("input")
_ANSWERED = RAN | keys("response prediction")


class AgentV(Integration):
    """AgentV."""

    def dialects(self) -> Sequence[Dialect]:
        return (AGENTV,)

    def uncounted(self, sample: Table) -> frozenset[str]:
        """Return an input with an answer alone: that is a result."""
        answered = sample.keys() & _ANSWERED and sample.keys() & AGENTV.signs == _INPUT
        return _INPUT if answered else frozenset()

    def checks(self) -> Checks:
        from sampleui.integrations.agentv.refused_5 import as_read
        from sampleui.integrations.agentv.rules import PLAIN, RULES, wrong_in_file

        return Checks(RULES, PLAIN, _shapes, skeletons=_starts, of_file=wrong_in_file, as_read=as_read)

    def conversion(self, dialect: Dialect) -> Converting:
        from sampleui.integrations.agentv.conversion import from_messages, message, to_messages

        return Converting(from_messages, to_messages, write_message=message)

    def references(self) -> References:
        """Return how a test takes along what its suite says for all tests."""
        return References(detach=_detached)

    def prompts(self) -> Prompts:
        """Return the prompts of a file of version 5, and what version 4 sends byte for byte."""
        from sampleui.integrations.agentv.prompts_4 import rendered, request
        from sampleui.integrations.agentv.prompts_5 import asked

        return Prompts(asked, render_as=rendered, request=request)

    def lookup(self, samples: Sequence[Sample]) -> Lookup:
        """Return how records of a test find it that is asked by several prompts."""
        from sampleui.integrations.agentv.joining import ByPrompts

        return ByPrompts(samples)

    def answers(self) -> Answers:
        from sampleui.integrations.agentv.conversion import paths, taking

        return Answers(paths, taking)

    def grading(self) -> Grading:
        """Return how the assertions of a test and of its suite are judged and weighed."""
        from sampleui.integrations.agentv.grading import graded, recorded_outcomes, score
        from sampleui.integrations.agentv.trajectories import ran

        return Grading(
            lambda _record, sample, answer, _enough: graded(sample.data, sample.context, answer),
            # The weighted mean of the scores, 0 where a required one is too low, for a record that AgentV ran.
            score=lambda record, trace, outcomes: score(record, outcomes) if ran(record.data, trace) else None,
            recorded_outcomes=lambda record, sample, changed: recorded_outcomes(
                record, sample.data, sample.context, changed
            ),
        )

    def results(self) -> ReadingResults:
        """Return the reader of its rows, and of those of others that are like them."""
        from sampleui.integrations.agentv.results import ADAPTER

        return ReadingResults((ADAPTER,), hands_back=_hands_back)

    def reruns(self) -> Reruns:
        from sampleui.integrations.agentv.rerun import answers, finished, grade, key, plan

        return Reruns(
            lambda request: [*plan(request)],
            answers,
            key,
            finished,
            grade=lambda request: [*grade(request)],
        )

    def run_files(self) -> RunFiles:
        """Return how gradings, answers, timings and transcripts are read, and the test that is kept with them."""
        from sampleui.integrations.agentv.run_files import artifact_of, hydrated, tries_of, with_grading

        return RunFiles(with_grading, hydrated, tries_of, artifact_of, _as_run)

    def transcripts(self) -> Transcripts:
        """Return how lines of messages, turns of content blocks and the spans of OpenTelemetry are read."""
        from sampleui.integrations.agentv.transcripts import record_of, record_of_line

        return Transcripts(record_of, record_of_line)

    def trajectories(self) -> Trajectories:
        from sampleui.integrations.agentv.trajectories import checked, declared, ran, timed, ungraded

        return Trajectories(ran, ungraded, declared, timed, checked)


def _hands_back() -> HandsBack:
    from sampleui.integrations.agentv.feedback import HANDS_BACK

    return HANDS_BACK


def _starts() -> Starts:
    from sampleui.integrations.agentv.shapes import STARTS

    return STARTS


def _shapes() -> Shapes:
    from sampleui.integrations.agentv.shapes import SHAPES

    return SHAPES


def _detached(sample: Sample, folder: Path, around: Table) -> tuple[Sample, tuple[str, ...]]:
    from sampleui.integrations.agentv.references import detached

    return detached(sample, folder, around)


def _as_run(record: Record, base_dir: Path, sample: Sample | None) -> AsRun | None:
    from sampleui.integrations.agentv.kept_sample import as_run

    return as_run(record, base_dir, sample)


INTEGRATION = AgentV()
