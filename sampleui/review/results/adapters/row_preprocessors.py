"""What no path can reach in the rows of some tools: put into a copy of the row, under names that no tool uses."""

from __future__ import annotations

import json

from sampleui.formats.data import Plain, Table
from sampleui.review.results.adapters import fields
from sampleui.review.results.adapters.rollouts import flat, is_rollout
from sampleui.review.results.adapters.variables import ADDED, alike, known, uncertain, without

_NAMES = "asserted cost done error expected graders label metrics number outcome tokens unsure varied whole"
ASSERTED, COST, DONE, ERROR, EXPECTED, GRADERS, LABEL, METRICS, NUMBER, OUTCOME, TOKENS, UNSURE, VARIED, WHOLE = (
    f"\0{name}" for name in _NAMES.split()
)

_RUNTIME = frozenset({"_conversation", "__evalId", "__evalStepId", "__repeatIndex"})
"""Variables that promptfoo adds while it runs (`omitEvalRuntimeVars` of 0.123)."""

_CALL_KEYS = ("id", "name", "input", "arguments", "output", "is_error")

_COMPARED = ("equals", "iequals", "contains", "icontains", "starts-with")
_FAILED_ASSERTION = 1
_SHOWN = 60
_ROLLOUT = frozenset(
    """
    id example_id prompt completion answer task info reward error timing is_completed is_truncated stop_condition
    metrics tool_defs token_usage generation_ms total_ms scoring_ms model question turn num_turns
    """.split()  # noqa: SIM905
)


def promptfoo(row: Table) -> Table:
    """Name the assertions so that they differ, and distinguish an error from an assertion that does not hold.

    Its rows cost 0 where the provider did not say what they cost.
    """
    grading = fields.table(row.get("gradingResult"))
    said = [*fields.tables(grading.get("componentResults"))]
    graders: list[Plain] = [{**one, "name": _assertion(one), "type": _type(one)} for one in said]
    ran = row.get("failureReason", _FAILED_ASSERTION if grading else None) == _FAILED_ASSERTION
    answered = fields.table(row.get("response", row.get("providerResponse")))
    error = row.get("error") if not ran else None
    case = fields.table(row.get("testCase"))
    held = case.get("assert") or row.get("assert")
    given = _given_vars(row.get("vars", case.get("vars")), answered)
    return {
        **row,
        "vars": given,
        **_telling(given, case),
        LABEL: given,
        NUMBER: f"test {row.get('testIdx', '?')}",
        GRADERS: graders,
        ERROR: None if row.get("success") is True else error or answered.get("error"),
        EXPECTED: [one["value"] for one in _comparing(fields.tables(held))],
        DONE: _called(answered),
        COST: answered.get("cost", row.get("cost") or None),
    }


def _telling(given: Plain, case: Table) -> Table:
    """Return what tells the test of a row: its variables, those among them that do not, and its assertions.

    The variables are there once more if all of them tell it: a run may have added some to these.
    """
    if not isinstance(given, dict):
        return {}
    unsure = uncertain(given, fields.table(case.get("options")).get("transformVars"))
    asserted = alike(case.get("assert") or []) if "vars" in case else None
    if unsure is None:
        return {ASSERTED: asserted}
    varied = without(known(given), tuple(ADDED + sign[1:] for sign in unsure))
    return {VARIED: varied, UNSURE: [*unsure], ASSERTED: asserted, WHOLE: None if unsure else varied}


def _called(response: Table) -> Plain:
    """Return the tool calls of an answer and what it says: those an agent reports, or those that are the answer."""
    output = response.get("output")
    reported = fields.tables(fields.table(response.get("metadata")).get("toolCalls"))
    calls: list[Plain] = [
        {"tool" if key == "name" else key: one[key] for key in _CALL_KEYS if key in one}
        for one in reported
        if one.get("name")
    ]
    asked = fields.tables(fields.table(output).get("tool_calls") if isinstance(output, dict) else output)
    asked = [one for one in asked if isinstance(one.get("function"), dict)]
    calls = calls or [*asked]
    if not calls:
        return None
    done: list[Plain] = [{"role": "assistant", "content": "", "tool_calls": calls}]
    return done if asked else [*done, {"role": "assistant", "content": output}]


def _given_vars(given: Plain, answered: Table) -> Plain:
    """Return the variables of a test without those of the run: a session has another id each time."""
    if not isinstance(given, dict):
        return given
    session = answered.get("sessionId")
    return {
        key: value
        for key, value in given.items()
        if key not in _RUNTIME and not (key == "sessionId" and session is not None and value == session)
    }


def _comparing(assertions: list[Table]) -> list[Table]:
    """Return the assertions that compare an answer with a value, equality before what it has to hold."""
    found = [one for one in assertions if one.get("type") in _COMPARED and one.get("value") is not None]
    return sorted(found, key=lambda one: _COMPARED.index(str(one["type"])))


def _assertion(component: Table) -> str:
    asked = fields.table(component.get("assertion"))
    several = fields.table(fields.table(component.get("metadata")).get("assertionSet"))
    metric = fields.text(asked.get("metric")) or fields.text(several.get("metric"))
    if metric is not None:
        return metric
    kind = _type(component)
    value = asked.get("value")
    shown = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    line = " ".join(shown.split())
    line = line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
    return f"{kind} {line}".strip()


def _type(component: Table) -> str:
    several = fields.table(fields.table(component.get("metadata")).get("assertionSet"))
    asked = fields.table(component.get("assertion"))
    return fields.text(asked.get("type")) or fields.text(several.get("type")) or "assertion"


def pydantic_evals(row: Table) -> Table:
    """Let a case pass whose assertions all hold; one that an evaluator crashed on does not."""
    held = [fields.table(one).get("value") for one in fields.table(row.get("assertions")).values()]
    crashed = fields.tables(row.get("evaluator_failures"))
    outcome = all(held) if held else None
    if not crashed:
        return {**row, OUTCOME: outcome}
    return {**row, OUTCOME: False, "evaluator_failures": [{**one, OUTCOME: False} for one in crashed]}


def deepeval(row: Table) -> Table:
    """Put the counts of tokens where counts are looked for, and the tools called before the answer."""
    used: Table = {"input": row.get("inputTokenCount"), "output": row.get("outputTokenCount")}
    calls: list[Plain] = [_call(one) for one in fields.tables(row.get("toolsCalled"))]
    answer: list[Plain] = [
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "assistant", "content": row.get("actualOutput")},
    ]
    return {**row, TOKENS: used, DONE: answer if calls else row.get("turns")}


def _call(tool: Table) -> Table:
    return {"tool": tool.get("name"), "input": tool.get("inputParameters"), "output": tool.get("output")}


def verifiers(row: Table) -> Table:
    """Take every other number of a rollout for a metric of its rubric."""
    if is_rollout(row):
        return flat(row)
    known = _ROLLOUT | fields.table(row.get("metrics")).keys()
    listed: list[Plain] = [
        key for key, value in row.items() if key not in known and isinstance(value, bool | int | float)
    ]
    return {**row, METRICS: listed}
