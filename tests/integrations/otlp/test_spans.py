"""Spans are read as the runs that they tell of: by every convention, in any order, from files of any shape."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sampleui.errors import OtherFileError, ResultsError
from sampleui.review.record import Record, outcome_of
from sampleui.review.results.file import Results, open_results
from tests.integrations.otlp import random_traces
from tests.integrations.otlp.random_traces import Agent, Call, Span, Turn

WRITTEN = Path(__file__).with_name("written")
CONVENTIONS = ("genai", "openinference", "openllmetry", "events", "logs", "phoenix")


def opened(path: Path, lines: Sequence[str]) -> Results:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return open_results(path).indexed()


def records(results: Results) -> list[Record]:
    return [results.record(index) for index in range(len(results))]


def events(record: Record) -> list[Any]:
    trace = record.data["trace"]
    assert isinstance(trace, list)
    return trace


def spanned(**about: Any) -> str:
    """Return a line with one span."""
    attributes = random_traces.key_values(about.pop("attributes", {"gen_ai.operation.name": "chat"}))
    span: dict[str, Any] = {
        "traceId": "a" * 32,
        "spanId": "b" * 16,
        "name": "x",
        "startTimeUnixNano": "1750000000000000000",
    }
    span |= {"endTimeUnixNano": "1750000001000000000", "attributes": attributes, "status": {}, **about}
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})


def planned(name: str) -> dict[str, Agent]:
    def agent(plan: dict[str, Any]) -> Agent:
        turns = [
            Turn(turn["text"], [*map(call, turn["calls"])], (turn["tokens"][0], turn["tokens"][1]), turn["error"])
            for turn in plan["turns"]
        ]
        return Agent(plan["name"], plan["system"], plan["task"], turns)

    def call(plan: dict[str, Any]) -> Call:
        within = agent(plan["agent"]) if plan["agent"] else None
        return Call(plan["id"], plan["name"], plan["arguments"], plan["result"], plan["error"], within)

    plans = json.loads((WRITTEN / f"{name}.plan.json").read_text())
    return {trace: agent(plan) for trace, plan in plans.items()}


def without_class(told: Sequence[random_traces.Told]) -> list[random_traces.Told]:
    """Return events whose errors are what was said, without the class of the exception."""
    for event in told:
        event.error = event.error and event.error.split("Error: ", 1)[-1]
    return [*told]


@pytest.mark.parametrize("file", sorted(WRITTEN.glob("*.jsonl")), ids=lambda file: file.stem)
def test_what_instrumentations_export_is_read_as_the_run_that_it_was(file: Path) -> None:
    plans = planned(file.stem)

    for record in records(open_results(file).indexed()):
        expected = without_class([*random_traces.expected(plans[record.id])])
        assert without_class(random_traces.told(events(record))) == expected


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_random_runs_are_read_as_they_were(convention: str, tmp_path: Path) -> None:
    rng = random.Random(convention)
    plans = {f"{rng.getrandbits(128):032x}": random_traces.plan(rng) for _ in range(8)}
    lines = [line for trace, plan in plans.items() for line in random_traces.lines(trace, plan, rng, convention)]
    rng.shuffle(lines)

    results = opened(tmp_path / "spans.jsonl", lines)

    assert {record.id for record in records(results)} == plans.keys()
    for record in records(results):
        read = [event for event in random_traces.told(events(record)) if event.type != "error"]
        assert read == [*random_traces.expected(plans[record.id])]


def test_the_order_of_lines_changes_nothing(tmp_path: Path) -> None:
    lines = (WRITTEN / "util-genai-1.3b0.jsonl").read_text().splitlines()
    first = opened(tmp_path / "a.jsonl", lines)
    second = opened(tmp_path / "b.jsonl", lines[::-1])

    assert [entry.digest for entry in first.entries] == [entry.digest for entry in second.entries]
    assert events(first.record(0)) == events(second.record(0))


@pytest.mark.parametrize("shape", ["lines", "object", "list", "pretty", "snake"])
def test_a_file_is_lines_or_one_document(shape: str, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (WRITTEN / "util-genai-1.3b0.jsonl").read_text().splitlines()]
    whole: Any = {"resourceSpans": [resource for row in rows for resource in row["resourceSpans"]]}
    text = {
        "lines": "\n".join(map(json.dumps, rows)),
        "object": json.dumps(whole),
        "list": json.dumps(rows),
        "pretty": json.dumps(whole, indent=2),
        "snake": json.dumps(whole)
        .replace("resourceSpans", "resource_spans")
        .replace("scopeSpans", "scope_spans")
        .replace("traceId", "trace_id")
        .replace("spanId", "span_id")
        .replace("parentSpanId", "parent_span_id")
        .replace("TimeUnixNano", "_time_unix_nano"),
    }[shape]
    (tmp_path / "spans.json").write_text(text)

    record = open_results(tmp_path / "spans.json").indexed().record(0)

    (plan,) = planned("util-genai-1.3b0").values()
    assert without_class(random_traces.told(events(record))) == without_class([*random_traces.expected(plan)])


def test_files_of_a_folder_are_one_run(tmp_path: Path) -> None:
    lines = (WRITTEN / "openai-v2-2.1b0.jsonl").read_text().splitlines()
    for name, part in (("spans.jsonl", "resourceSpans"), ("logs.jsonl", "resourceLogs")):
        (tmp_path / name).write_text("\n".join(line for line in lines if part in line[:20]))

    record = open_results(tmp_path).indexed().record(0)

    (plan,) = planned("openai-v2-2.1b0").values()
    assert without_class(random_traces.told(events(record))) == without_class([*random_traces.expected(plan)])


def test_a_conversation_ties_traces_into_one_record(tmp_path: Path) -> None:
    def turn(number: int, said: str) -> str:
        asked: list[dict[str, Any]] = [{"role": "user", "parts": [{"type": "text", "content": "go on"}]}]
        answered = [{"role": "assistant", "parts": [{"type": "text", "content": said}]}]
        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.conversation.id": "talk-1",
            "gen_ai.input.messages": json.dumps(asked),
            "gen_ai.output.messages": json.dumps(answered),
        }
        start = str(1_750_000_000_000_000_000 + number)
        return spanned(traceId=f"{number + 1:032x}", startTimeUnixNano=start, attributes=attributes)

    results = opened(tmp_path / "spans.jsonl", [turn(1, "second"), turn(0, "first"), spanned(traceId="f" * 32)])

    assert [record.id for record in records(results)] == ["talk-1", "f" * 32]
    assert [event["text"] for event in events(results.record(0)) if event["type"] == "message"] == [
        "go on", "first", "go on", "second",
    ]  # fmt: skip


def test_a_label_decides_and_a_score_alone_does_not(tmp_path: Path) -> None:
    def evaluated(trace: str, **about: Any) -> str:
        attributes = {
            "gen_ai.evaluation.name": "Relevance",
            **{f"gen_ai.evaluation.{key}": value for key, value in about.items()},
        }
        log = {
            "traceId": trace * 32,
            "spanId": "b" * 16,
            "eventName": "gen_ai.evaluation.result",
            "attributes": random_traces.key_values(attributes),
        }
        return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [log]}]}]})

    lines = [spanned(traceId=trace * 32) for trace in "abc"]
    lines += [
        evaluated("a", **{"score.label": "pass", "score.value": 4.0}),
        evaluated("b", **{"score.label": "fail"}),
    ]
    lines += [evaluated("c", **{"score.value": 0.1})]

    results = opened(tmp_path / "spans.jsonl", lines)

    assert [outcome_of(entry) for entry in results.entries] == ["passed", "failed", "ungraded"]
    assert [(score.name, score.score) for score in results.record(0).evaluators] == [("Relevance", 4.0)]


def test_annotations_of_phoenix_are_scores_of_the_trace_of_their_span(tmp_path: Path) -> None:
    rng = random.Random(1)
    lines = random_traces.lines("c" * 32, random_traces.plan(rng), rng, "phoenix")
    span = json.loads(lines[0])["context"]["span_id"]
    result = {"label": "incorrect", "score": 0.0, "explanation": "says 41"}
    annotation = {"id": "n", "name": "correctness", "annotator_kind": "HUMAN", "span_id": span, "result": result}

    record = opened(tmp_path / "spans.jsonl", [*lines, json.dumps(annotation)]).record(0)

    assert outcome_of(record) == "failed"
    assert [(score.score, score.reasoning) for score in record.evaluators] == [(0.0, "says 41")]


def test_a_span_without_its_parent_is_a_root_and_a_circle_begins_with_its_first(tmp_path: Path) -> None:
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search"}
    lines = [
        spanned(spanId="1" * 16, parentSpanId="9" * 16, attributes=tool),
        spanned(spanId="2" * 16, parentSpanId="3" * 16, startTimeUnixNano="1750000000000000001", attributes=tool),
        spanned(spanId="3" * 16, parentSpanId="2" * 16, startTimeUnixNano="1750000000000000002", attributes=tool),
        spanned(spanId="4" * 16, parentSpanId="4" * 16, startTimeUnixNano="1750000000000000003", attributes=tool),
    ]

    record = opened(tmp_path / "spans.jsonl", lines).record(0)

    assert [(event["id"][0], event.get("parent", "")[:1]) for event in events(record)] == [
        ("1", ""), ("2", ""), ("3", "2"), ("4", ""),
    ]  # fmt: skip


def test_agents_500_deep_are_read(tmp_path: Path) -> None:
    deep = Agent("last", None, "end", [Turn("done", [], (1, 1))])
    for number in range(500):
        deep = Agent(
            "boss", None, f"task {number}", [Turn(None, [Call("c", "ask", {"q": number}, "x", None, deep)], (1, 1))]
        )
    rng = random.Random(0)

    ended: list[Span] = []
    agent: Agent | None = deep
    parent = ""
    for level in range(501):  # without recursion, which ends before the run does
        assert agent is not None
        own, turn = f"{level * 4 + 1:016x}", agent.turns[0]
        ended.append(Span("agent", own, parent, level * 4 + 1, 9_999, agent, []))
        given = [{"role": "user", "content": agent.task}]
        ended.append(Span("chat", f"{level * 4 + 2:016x}", own, level * 4 + 2, level * 4 + 3, agent, given, turn))
        call = next(iter(turn.calls), None)
        if call is not None:
            parent = f"{level * 4 + 3:016x}"
            ended.append(Span("tool", parent, own, level * 4 + 4, 9_998, agent, [], call=call))
        agent = call.agent if call is not None else None
    spans = [random_traces.otlp_span(span, "d" * 32, random_traces.genai(span)) for span in ended]
    lines = [json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}) for span in spans]
    rng.shuffle(lines)

    told = random_traces.told(events(opened(tmp_path / "spans.jsonl", lines).record(0)))

    assert [event.text for event in told if event.role == "assistant"] == ["done"]
    assert max(len(event.path) for event in told) == 500


def test_a_line_that_cannot_be_read_is_told_and_left_out(tmp_path: Path) -> None:
    lines = [spanned(), '{"resourceSpans": [{"scopeSpans": [{"spans"', spanned(traceId="c" * 32), "[]", '{"a": 1}']

    results = opened(tmp_path / "spans.jsonl", lines)

    assert len(results) == 2
    assert [problem.line for problem in results.diagnostics] == [2, 4]


def test_spans_of_no_agent_are_told_for_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(OtherFileError, match="OpenTelemetry"):
        opened(tmp_path / "spans.jsonl", [spanned(attributes={"http.request.method": "GET"})])


def test_spans_between_those_of_an_agent_are_left_out_and_counted(tmp_path: Path) -> None:
    agent, tool = (
        {"gen_ai.operation.name": name, "gen_ai.tool.name": "x"} for name in ("invoke_agent", "execute_tool")
    )
    lines = [
        spanned(spanId="1" * 16, attributes={"http.route": "/chat"}),
        spanned(spanId="2" * 16, parentSpanId="1" * 16, attributes=agent),
        spanned(spanId="3" * 16, parentSpanId="2" * 16, attributes={"db.system": "redis"}),
        spanned(spanId="4" * 16, parentSpanId="3" * 16, attributes=tool),
        spanned(traceId="e" * 32, attributes={"http.route": "/health"}),
    ]

    results = opened(tmp_path / "spans.jsonl", lines)

    (record,) = records(results)
    assert [event["type"] for event in events(record)] == ["tool_call"]
    assert [note.message for note in record.notes] == ["2 spans are no agent's, model's or tool's, and left out"]
    assert [problem.message for problem in results.diagnostics] == [
        "1 traces in which nothing is an agent's, a model's or a tool's are left out"
    ]


def test_a_file_that_changed_is_not_read_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "spans.jsonl"
    lines = [spanned(traceId=f"{number:032x}") for number in range(1, 9)]
    results = opened(path, lines)
    path.write_text("\n".join(line.replace('"x"', '"y"') for line in lines))

    with pytest.raises(ResultsError, match="changed"):
        results.record(0)


def test_the_agents_that_no_call_began_have_an_event_of_their_own(tmp_path: Path) -> None:
    def agent(name: str) -> dict[str, str]:
        return {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}

    lines = [
        spanned(spanId="1" * 16, attributes={"gen_ai.operation.name": "invoke_workflow"}),
        spanned(spanId="2" * 16, parentSpanId="1" * 16, attributes=agent("reader")),
        spanned(spanId="3" * 16, parentSpanId="1" * 16, attributes=agent("writer")),
        spanned(spanId="4" * 16, parentSpanId="3" * 16),
    ]

    told = events(opened(tmp_path / "spans.jsonl", lines).record(0))

    assert [(event["span"], event["name"]) for event in told[:2]] == [("agent", "reader"), ("agent", "writer")]
    assert not any("parent" in event or "agent" in event for event in told[:2])
    assert (told[2]["parent"], told[2]["agent"]) == ("3" * 16, "writer")


def test_log_records_of_no_span_are_told_as_one_call_of_a_model(tmp_path: Path) -> None:
    def log(**about: Any) -> str:
        record = {"timeUnixNano": "1", "eventName": "gen_ai.user.message", **about}
        record |= {"body": random_traces.any_value({"content": "Hello"})}
        return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]})

    results = opened(
        tmp_path / "logs.jsonl", [log(traceId="a" * 32), log(), log(spanId="0" * 16, traceId="a" * 32)]
    )

    told = events(results.record(0))
    assert [event["text"] for event in told if event["type"] == "message"] == ["Hello", "Hello"]
    assert len(results) == 1


def test_damaged_lines_end_in_records_or_in_words(tmp_path: Path) -> None:
    rng = random.Random(7)
    written = [file.read_bytes() for file in sorted(WRITTEN.glob("*.jsonl"))]
    for number in range(60):
        data = bytearray(rng.choice(written))
        for _ in range(rng.choice((1, 5, 40))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(bytes(data[: rng.choice((len(data), rng.randrange(len(data))))]))
        with contextlib.suppress(ResultsError):
            for record in records(open_results(path).indexed()):
                assert record.id
