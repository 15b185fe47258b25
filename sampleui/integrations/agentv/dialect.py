"""AgentV's eval cases, in the older and in today's spelling, and what tells them from rows of results."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.sample.dialects.dialect import (
    ALL,
    Asserted,
    Contents,
    Conversion,
    Dialect,
    Expected,
    Mark,
    Today,
    Turns,
    Weights,
    keys,
)
from sampleui.sample.dialects.marks import RAN

_MESSAGE = keys("role content name tool_calls tool_call_id")

_TELLING = keys("input_messages expected_messages expected_outcome evaluators assertions conversation_id")

_PROMPTFOOS = keys("providers targets defaultTest")

AGENTV = Dialect(
    name="agentv",
    title="AgentV",
    integration="agentv",
    containers=(("evalcases",), ("tests",), ("cases",), ("eval_cases",), ()),
    formats=("yaml",),
    message_paths=(("input_messages",), ("input",), ("vars", "input")),
    weights=Weights(
        signs=keys(
            """
        input_messages input input_files vars expected_messages expected_output expected_outcome outcome
        criteria assert assertions evaluator evaluators rubrics execution conversation_id
        """
        ),
        telling=_TELLING,
        beside=keys("$schema prompts providers default_test target execution evaluators assertions"),
    ),
    marks=(
        Mark((("id",),), texts=keys("assert")),  # promptfoo ends with an error at a text among assertions
        Mark((("vars", "input", ALL, "role"),), under=(("tests",),), beside=keys("prompts"), apart=_PROMPTFOOS),
        *(
            Mark((("id",), ("vars",), own), under=(("tests",),), beside=keys("prompts"))
            for own in (("criteria",), ("assert", ALL, "command"))
        ),
        *(
            Mark((("id",), ("vars",)), under=(("tests",),), beside=keys(f"prompts {own}"))
            for own in ("default_test", "evaluate_options", "environment")
        ),
    ),
    context_messages=("prompts", "input"),
    expected=Expected(
        paths=(
            ("expected_messages",),
            ("expected_output",),
            ("vars", "expected_output"),
            ("expected_outcome",),
            ("criteria",),
            ("outcome",),
        ),
        beside={("vars", "input"): ("vars", "expected_output")},
        fills=True,
    ),
    tag_paths=(("tags",), ("metadata", "tags")),
    known=keys(
        """
        id name description suite input_messages input input_files vars expected_messages
        expected_output expected_outcome outcome criteria assert assertions evaluator evaluators rubrics
        execution conversation_id metadata workspace depends_on on_dependency_failure mode turns
        aggregation on_turn_failure window_size provider prompts threshold run note
        """
    ),
    nested={"input_messages": _MESSAGE, "expected_messages": _MESSAGE},
    contents=Contents(segments=keys("text file"), tables=True, text_key="value", attaches_files=True),
    turns=Turns(shorthand=True),
    rules=("id-missing", "segment-invalid", "expected-messages-multiple"),
    conversion=Conversion(
        taken_back=keys("description conversation_id execution rubrics evaluators assert assertions vars"),
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


_INPUT = keys("input")
_ANSWERED = RAN | keys("response prediction")


def uncounted(sample: Table) -> frozenset[str]:
    """Return the keys of a sample that count for nothing: an input with an answer alone is a result."""
    answered = sample.keys() & _ANSWERED and sample.keys() & AGENTV.weights.signs == _INPUT
    return _INPUT if answered else frozenset()
