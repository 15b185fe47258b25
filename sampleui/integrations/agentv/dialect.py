"""AgentV: its eval cases, in the older and in today's spelling, and what else is known of it."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.integrations.agentv.fields import BESIDE, CRITERIA, FIELDS
from sampleui.integrations.integration import Spellings
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
    purpose="tests of agents: criteria, tool calls, assertions",
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


def _uncounted(sample: Table) -> frozenset[str]:
    """Return an input with an answer alone: that is a result."""
    answered = sample.keys() & _ANSWERED and sample.keys() & AGENTV.signs == _INPUT
    return _INPUT if answered else frozenset()


DIALECTS = Spellings((AGENTV,), _uncounted)
