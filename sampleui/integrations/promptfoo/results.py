"""The rows of promptfoo's results: where they have what, and what no path leads to.

What is put in stands in a copy of the row, under names that no tool uses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sampleui.formats.data import Plain, Table, as_list, as_table, tables_in
from sampleui.formats.timestamps import in_json, with_moments
from sampleui.integrations.integration import ReadingResults
from sampleui.integrations.javascript import stringify
from sampleui.integrations.promptfoo.failing import PERSON, made_fail
from sampleui.integrations.promptfoo.feedback import HANDS_BACK
from sampleui.integrations.promptfoo.repeated_variables import (
    ADDED,
    NARROWS,
    alike,
    known,
    parts_key,
    uncertain,
    without,
)
from sampleui.review.record import Details, ParsedRow, SampleDigests, join_key, value_digest
from sampleui.review.results import adapters, fields
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent
from sampleui.sample.dialects.dialect import DialectMark
from sampleui.trace.reading.messages import text_of

ASSERTED, COST, DONE, ERROR, EXPECTED = "\0asserted", "\0cost", "\0done", "\0error", "\0expected"
GRADERS, LABEL, NUMBER, UNSURE, VARIED, WHOLE = (
    f"\0{name}" for name in ("graders", "label", "number", "unsure", "varied", "whole")
)

_RUNTIME = frozenset({"_conversation", "__evalId", "__evalStepId", "__repeatIndex"})
"""Variables that promptfoo adds while it runs (`omitEvalRuntimeVars` of 0.123)."""

_CALL_KEYS = ("id", "name", "input", "arguments", "output", "is_error")

_COMPARED = ("equals", "iequals", "contains", "icontains", "starts-with")
_FAILED_ASSERTION = 1
_UNASSERTED = "No assertions"
"""The reason that it writes beside the pass of a test that asserts nothing."""
_NO_OUTCOME: Table = {"success": None, "score": None, "gradingResult": None}
_SHOWN = 60


def prepare(row: Table) -> Table:
    """Name the assertions so that they differ, and distinguish an error from an assertion that does not hold.

    Where nothing is asserted, nothing is known to have passed.

    Its rows cost 0 where the provider did not say what they cost.
    """
    grading = as_table(row.get("gradingResult"))
    components = [*tables_in(grading.get("componentResults"))]
    graders: list[Plain] = [{**item, "name": _assertion(item), "type": _type(item)} for item in components]
    ran = row.get("failureReason", _FAILED_ASSERTION if grading else None) == _FAILED_ASSERTION
    answered = as_table(row.get("response", row.get("providerResponse")))
    error = row.get("error") if not ran else None
    case = as_table(row.get("testCase"))
    variables = _test_vars(row.get("vars", case.get("vars")), answered)
    return {
        **row,
        **(_NO_OUTCOME if grading.get("reason") == _UNASSERTED and not components else {}),
        "vars": variables,
        **_telling(variables, case),
        LABEL: variables,
        NUMBER: f"test {row.get('testIdx', '?')}",
        GRADERS: graders,
        ERROR: None if row.get("success") is True else error or answered.get("error"),
        EXPECTED: next((item["value"] for item in _comparing(_asserted(row))), None),
        DONE: _called(answered),
        COST: answered.get("cost", row.get("cost") or None),
    }


def _asserted(row: Table) -> list[Table]:
    """Return the assertions of the test of a row."""
    return [*tables_in(as_table(row.get("testCase")).get("assert") or row.get("assert"))]


def _telling(variables: Plain, case: Table) -> Table:
    """Return what tells the test of a row: its variables, those among them that do not, and its assertions.

    The variables are there once more if all of them tell it: a run may have added some to these.
    """
    if not isinstance(variables, dict):
        return {}
    unsure = uncertain(variables, as_table(case.get("options")).get("transformVars"))
    asserted = alike(case.get("assert") or []) if "vars" in case else None
    if unsure is None:
        return {ASSERTED: asserted}
    varied = without(known(variables), tuple(ADDED + sign[1:] for sign in unsure))
    return {VARIED: varied, UNSURE: [*unsure], ASSERTED: asserted, WHOLE: None if unsure else varied}


def _called(response: Table) -> Plain:
    """Return the tool calls of an answer and what it says: those an agent reports, or those that are the answer."""
    output = response.get("output")
    reported = tables_in(as_table(response.get("metadata")).get("toolCalls"))
    by_id = {item_id: item for item in reported if isinstance(item_id := item.get("id"), str)}
    calls: list[Plain] = [_call(item, by_id) for item in reported if item.get("name")]
    asked = tables_in(as_table(output).get("tool_calls") if isinstance(output, dict) else output)
    asked = [item for item in asked if isinstance(item.get("function"), dict)]
    calls = calls or [*asked]
    if not calls:
        return None
    done: list[Plain] = [{"role": "assistant", "content": "", "tool_calls": calls}]
    return done if asked else [*done, {"role": "assistant", "content": output}]


def _call(item: Table, by_id: Mapping[str, Table]) -> Table:
    """Return a call that an agent reports, with why it failed, and the agent that made it if that is a sub-agent.

    Args:
        item: the call as the providers `anthropic:claude-agent-sdk` and their like report it; the id in
            `parentToolUseId` is that of the call by which the sub-agent was started.
        by_id: all calls.
    """
    call: Table = {"tool" if key == "name" else key: item[key] for key in _CALL_KEYS if key in item}
    if item.get("is_error") is True and (why := text_of(item.get("output"))):
        call["error"] = why
    path = [item]
    while (parent := by_id.get(str(path[-1].get("parentToolUseId")))) is not None and parent not in path:
        path.append(parent)
    if len(path) > 1:
        call |= {"depth": len(path) - 1, "agent": as_table(path[1].get("input")).get("subagent_type")}
    return {key: value for key, value in call.items() if value is not None}


def _test_vars(variables: Plain, answered: Table) -> Plain:
    """Return the variables of a test without those of the run: a session has another id each time."""
    if not isinstance(variables, dict):
        return variables
    session = answered.get("sessionId")
    return {
        key: value
        for key, value in variables.items()
        if key not in _RUNTIME and not (key == "sessionId" and session is not None and value == session)
    }


def _comparing(assertions: list[Table]) -> list[Table]:
    """Return the assertions that compare an answer with a value, equality before what it has to hold."""
    comparing = [
        assertion
        for assertion in assertions
        if assertion.get("type") in _COMPARED and assertion.get("value") is not None
    ]
    return sorted(comparing, key=lambda item: _COMPARED.index(str(item["type"])))


def _assertion(component: Table) -> str:
    asked = as_table(component.get("assertion"))
    several = as_table(as_table(component.get("metadata")).get("assertionSet"))
    metric = fields.text(asked.get("metric")) or fields.text(several.get("metric"))
    if metric is not None:
        return metric
    kind = _type(component)
    if kind == PERSON:
        return "a person's rating"
    value = asked.get("value")
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if value is None:
        shown = ""
    line = " ".join(shown.split())
    line = line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
    return f"{kind} {line}".strip()


def _type(component: Table) -> str:
    several = as_table(as_table(component.get("metadata")).get("assertionSet"))
    asked = as_table(component.get("assertion"))
    return fields.text(asked.get("type")) or fields.text(several.get("type")) or "assertion"


def joins(row: Table) -> Iterator[str]:
    """Yield the join keys of a prepared row's test: its variables, its assertions, and its variables by name.

    Assertions tell which of several tests is meant, but not a test; to the variables a run may have added others.
    """
    if (varied := row.get(VARIED)) is not None:
        yield join_key(("vars", *fields.texts(row.get(UNSURE))), varied)
    if (asserted := row.get(ASSERTED)) is not None:
        yield NARROWS + join_key(("assert",), asserted)
    if isinstance(whole := row.get(WHOLE), dict):
        yield parts_key(whole)


PROMPTFOO = ResultDialect(
    name="promptfoo",
    title="promptfoo",
    marks=(
        DialectMark((("vars",), ("promptIdx",)), tables=(("vars",),)),
        DialectMark((("vars",), ("gradingResult",)), tables=(("vars",),)),
        DialectMark((("vars",), ("prompt", "raw"), ("success",)), tables=(("vars",),)),
        DialectMark((("testCase",), ("promptIdx",), ("success",)), tables=(("testCase",),)),
    ),
    containers=(("results", "results"), ("results",)),
    times=(("results", "timestamp"),),
    evaluations=(("evalId",), ("id",)),
    ids=(("testCase", "description"), ("description",)),
    labels=((LABEL,), ("prompt", "raw"), (NUMBER,)),
    outcomes=Outcomes(
        paths=(("success",), ("gradingResult", "pass")), scores=(("score",), ("gradingResult", "score"))
    ),
    errors=((ERROR,),),
    actual=(("response", "output"), ("providerResponse", "output")),
    writes=lambda value: stringify(with_moments(value, in_json)),
    expected=((EXPECTED,),),
    reasons=(("gradingResult", "reason"),),
    prompts=(("prompt", "raw"),),
    done=((DONE,),),
    graders=(Graders((GRADERS,), reasons=(("comment",), ("reason",)), outcomes=(("pass",),)),),
    targets=(
        (("provider", "label"), ("provider", "id"), ("provider",)),
        (("prompt", "label"), ("prompt", "display")),
    ),
    tags=(("testCase", "metadata", "tags"),),
    spent=Spent(
        cost=((COST,),), milliseconds=(("latencyMs",),), tokens=(("response", "tokenUsage"), ("tokenUsage",))
    ),
)


def parse_row(row: Table) -> ParsedRow:
    """Read a row, with the join keys of the test that it repeats."""
    prepared = prepare(row)
    parsed = adapters.parse_row(PROMPTFOO, prepared)
    failing = made_fail(row)

    def details() -> Details:
        read = parsed.details()
        scores = tuple(score._replace(by_person=score.type == PERSON) for score in read.evaluators)
        comment = fields.text(as_table(row.get("gradingResult")).get("comment"))
        said = (read.reasoning, f"a person's comment: {comment}" if comment else None)
        listed = enumerate(tables_in(as_table(row.get("gradingResult")).get("componentResults")))
        missed = [_filled(component) for index, component in listed if index in failing]
        return replace(
            read,
            wanted=fields.texts([item["value"] for item in _comparing(_asserted(row))]),
            failed_by=fields.texts([item["value"] for item in _comparing(missed)]) if failing else None,
            misses=tuple(item.name for index, item in enumerate(scores) if index in failing),
            evaluators=scores,
            reasoning="\n\n".join(text for text in said if text) or None,
        )

    entry = parsed.entry
    if entry is not None:
        rated = [item.get("type") == PERSON for item in tables_in(prepared[GRADERS])]
        entry = replace(
            entry,
            grades=tuple(
                grade._replace(by_person=by_person, excused=grade.verdict == "fail" and index not in failing)
                for index, (grade, by_person) in enumerate(zip(entry.grades, rated, strict=True))
            ),
        )
    return parsed._replace(
        entry=entry,
        details=details,
        digests=lambda: _digests(prepared, as_table(row.get("testCase"))),
        repeated=lambda: tuple(joins(prepared)),
    )


def _digests(prepared: Table, case: Table) -> SampleDigests:
    """Return the digests of what a test asks and expects, in whatever order its assertions are."""
    asked, asserted = value_digest(prepared.get("vars")), prepared.get(ASSERTED)
    if asserted is None:
        return SampleDigests(asked)
    assertions: list[Plain] = [*sorted(map(value_digest, as_list(asserted)))]
    return SampleDigests(
        asked, value_digest([assertions, case.get("threshold"), case.get("assertScoringFunction")])
    )


def _filled(component: Table) -> Table:
    """Return the assertion of a component with the value that it came to."""
    assertion, metadata = as_table(component.get("assertion")), as_table(component.get("metadata"))
    return {**assertion, "value": metadata.get("renderedAssertionValue", assertion.get("value"))}


RESULTS = ReadingResults((adapter_by(PROMPTFOO)._replace(parse=parse_row),), hands_back=lambda: HANDS_BACK)
