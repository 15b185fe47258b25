"""What a session of Claude Code tells: its sub-agents, branches and tokens, and what hostile files do not do."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sampleui.errors import ResultsError
from sampleui.review.results.file import Results, open_results
from sampleui.settings.options import Settings
from sampleui.trace.events import TraceEvent
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.transcript import transcript
from sampleui.tui.workspace.listing import RESULTS, entries_found
from tests.integrations.claude_code.made_sessions import Maker, differences

WRITTEN = Path(__file__).parent / "written"
PROJECT = WRITTEN / "projects"


def events_at(path: Path, index: int = 0) -> tuple[TraceEvent, ...]:
    results = open_results(path).indexed()
    return read_trace(results.record(index).data, results.base_dir).events


def notes_at(path: Path, index: int = 0) -> list[str]:
    return [note.message for note in open_results(path).indexed().record(index).notes]


def line(own: str, kind: str = "user", parent: str | None = None, **values: Any) -> dict[str, Any]:
    told = {"parentUuid": parent, "isSidechain": False, "sessionId": "s-1", "type": kind, "uuid": own}
    return {**told, "timestamp": "2026-01-01T00:00:00.000Z", **values}


def typed(own: str, text: str, parent: str | None = None, **values: Any) -> dict[str, Any]:
    return line(own, "user", parent, message={"role": "user", "content": text}, **values)


def answer(own: str, parent: str | None, *blocks: dict[str, Any], of: str = "", **usage: int) -> dict[str, Any]:
    message = {"role": "assistant", "id": of or f"msg-{own}", "content": [*blocks], "usage": usage}
    return line(own, "assistant", parent, message=message)


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def call(own: str, name: str = "Bash", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": own, "name": name, "input": given}


def wrote(path: Path, *lines: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


def texts(path: Path) -> list[str]:
    return [event.text or "" for event in events_at(path) if event.type == "message"]


@pytest.mark.parametrize("seed", range(40))
def test_a_session_is_read_as_it_was_made(seed: int, tmp_path: Path) -> None:
    maker = Maker(Random(seed), tmp_path)
    assert differences(maker.made(), maker) == []


def test_a_sub_agent_stands_under_the_call_that_began_it_at_every_depth() -> None:
    parents = {event.name: event.extra.get("parent") for event in events_at(PROJECT) if event.type == "tool_call"}
    assert parents == {
        "Bash": None,
        "Task": None,
        "Grep": "toolu_02",
        "Agent": "toolu_02",
        "Read": "toolu_12",
        "Edit": None,
    }
    assert {event.extra.get("agent") for event in events_at(PROJECT)} == {None, "Explore", "general-purpose"}


def test_a_branch_that_was_rewound_is_left_out_and_said_to_be() -> None:
    assert "Stop, do something else" not in texts(PROJECT)
    assert notes_at(PROJECT) == ["2 messages of another branch, which was rewound, are left out"]


def test_tokens_of_a_message_that_is_written_in_parts_count_once(tmp_path: Path) -> None:
    parts = [
        answer("a", "u", said("I look"), of="m", input_tokens=4, cache_read_input_tokens=10, output_tokens=1),
        answer("b", "a", call("t"), of="m", input_tokens=4, cache_read_input_tokens=10, output_tokens=30),
    ]
    path = wrote(tmp_path / "s-1.jsonl", typed("u", "go"), *parts)
    tokens = open_results(path).indexed().record(0).tokens
    assert tokens is not None and (tokens.input, tokens.output) == (14, 30)


def test_tokens_of_a_call_that_began_a_sub_agent_are_not_lost(tmp_path: Path) -> None:
    path = wrote(
        tmp_path / "s-1.jsonl", typed("u", "go"), answer("a", "u", call("t", "Task", prompt="p"), output_tokens=5)
    )
    inner = typed("i", "p", isSidechain=True, agentId="x"), answer("j", "i", said("ok"), output_tokens=7)
    wrote(tmp_path / "s-1" / "subagents" / "agent-x.jsonl", *inner)
    tokens = open_results(path).indexed().record(0).tokens
    assert tokens is not None and tokens.output == 12


def test_what_calls_at_once_returned_is_no_other_branch(tmp_path: Path) -> None:
    results = [
        line(own, "user", parent, message={"content": [{"type": "tool_result", "tool_use_id": of, "content": own}]})
        for own, parent, of in (("r2", "b", "t2"), ("r1", "a", "t1"))
    ]
    calls = answer("a", "u", call("t1"), of="m"), answer("b", "a", call("t2"), of="m")
    path = wrote(tmp_path / "s-1.jsonl", typed("u", "go"), *calls, *results, answer("c", "r1", said("done")))
    assert [event.output for event in events_at(path) if event.type == "tool_result"] == ["r2", "r1"]


def test_a_compacted_session_goes_on_from_what_was_compacted(tmp_path: Path) -> None:
    boundary = line("c", "system", None, subtype="compact_boundary", content="compacted", logicalParentUuid="a")
    lines = typed("u", "first"), answer("a", "u", said("one")), boundary, typed("v", "second", "c")
    assert texts(wrote(tmp_path / "s-1.jsonl", *lines)) == ["first", "one", "compacted", "second"]


def test_a_damaged_line_costs_its_message_and_nothing_before_it(tmp_path: Path) -> None:
    path = wrote(tmp_path / "s-1.jsonl", typed("u", "first"), answer("a", "u", said("one")), typed("v", "two", "a"))
    kept = path.read_text().splitlines()
    path.write_text("\n".join((kept[0], kept[1][:40], kept[2])))
    assert texts(path) == ["first", "two"]
    assert notes_at(path) == ["s-1.jsonl: line 2: not JSON: Expecting ',' delimiter"]


def test_a_session_that_goes_on_from_another_does_not_count_its_tokens_again(tmp_path: Path) -> None:
    lines = typed("u", "go"), answer("a", "u", said("one"), output_tokens=5)
    wrote(tmp_path / "s-1.jsonl", *lines)
    more = [{**one, "sessionId": "s-2"} for one in lines]
    wrote(tmp_path / "s-2.jsonl", *more, answer("b", "a", said("two"), output_tokens=7))
    results = open_results(tmp_path).indexed()
    counts = [results.usage(index).tokens for index in (0, 1)]
    assert [None if count is None else count.output for count in counts] == [5, 7]
    assert notes_at(tmp_path, 1) == ["it goes on from s-1: 2 lines are the same, and their tokens counted there"]


def test_a_folder_of_sessions_is_a_run_that_nobody_graded(tmp_path: Path) -> None:
    for number in range(3):
        when = {"timestamp": f"2026-01-0{3 - number}T10:00:00.000Z", "cwd": "/home/dev/shop"}
        own = f"{number}" * 8
        wrote(
            tmp_path / "projects" / "-home-dev-shop" / f"{own}.jsonl",
            typed(own, f"Do {number}", sessionId=own, **when),
        )
    results = open_results(tmp_path / "projects").indexed()
    assert [entry.sample_id for entry in results.entries] == ["do-2-22222222", "do-1-11111111", "do-0-00000000"]
    assert {entry.suite for entry in results.entries} == {"shop"}
    assert not results.grades
    assert results.entries[0].told == ("0 calls", "shop", "01-01 10:00")


def test_failures_and_calls_are_told_of_a_session() -> None:
    entry = open_results(PROJECT).indexed().entries[0]
    assert entry.told == ("2✖", "6 calls", "shop", "03-02 09:00")


def test_a_sub_agent_without_its_session_is_a_record_of_its_own(tmp_path: Path) -> None:
    wrote(tmp_path / "agent-x.jsonl", typed("u", "alone", isSidechain=True, agentId="x"))
    assert [entry.sample_id for entry in open_results(tmp_path).indexed().entries] == ["alone-s1"]


def test_several_sessions_that_were_printed_into_a_file_are_records(tmp_path: Path) -> None:
    printed = (WRITTEN / "print.jsonl").read_text()
    path = tmp_path / "out.jsonl"
    path.write_text(printed + printed.replace("000000000007", "000000000008"))
    assert len(open_results(path).indexed()) == 2


def test_a_verdict_stays_with_a_session_that_goes_on(tmp_path: Path) -> None:
    path = wrote(tmp_path / "s-1.jsonl", typed("u", "go"))
    before = open_results(path).indexed().entries[0].digest
    wrote(path, typed("u", "go"), answer("a", "u", said("one")))
    assert open_results(path).indexed().entries[0].digest == before


def test_links_and_pipes_beside_a_session_are_not_read(tmp_path: Path) -> None:
    outside = wrote(tmp_path / "outside" / "agent-o.jsonl", typed("o", "outside", isSidechain=True, agentId="o"))
    path = wrote(tmp_path / "run" / "s-1.jsonl", typed("u", "go"))
    agents = path.with_suffix("") / "subagents"
    agents.mkdir(parents=True)
    (agents / "agent-o.jsonl").symlink_to(outside)
    os.mkfifo(agents / "agent-p.jsonl")
    assert texts(path) == ["go"]
    assert notes_at(path) == ["2 files in subagents/ not read: a link, or no file of its own"]
    (path.with_suffix("") / "subagents").rename(tmp_path / "elsewhere")
    (path.with_suffix("") / "subagents").symlink_to(tmp_path / "elsewhere")
    assert texts(path) == ["go"]


def test_a_link_in_a_folder_of_sessions_is_left_out_and_said_to_be(tmp_path: Path) -> None:
    outside = wrote(tmp_path / "outside.jsonl", typed("o", "outside"))
    wrote(tmp_path / "run" / "s-1.jsonl", typed("u", "go"))
    (tmp_path / "run" / "s-2.jsonl").symlink_to(outside)
    results = open_results(tmp_path / "run").indexed()
    assert [entry.sample_id for entry in results.entries] == ["go-s1"]
    assert results.source.notes == ("1 file left out: a link, or no file of its own",)


@pytest.mark.parametrize("number", [2, 500])
def test_lines_in_a_circle_of_parents_are_read(number: int, tmp_path: Path) -> None:
    lines = [typed(f"u{n}", f"text {n}", f"u{(n + 1) % number}") for n in range(number)]
    assert texts(wrote(tmp_path / "s-1.jsonl", *lines))


def test_sub_agents_that_began_each_other_are_shown_once(tmp_path: Path) -> None:
    path = wrote(tmp_path / "s-1.jsonl", typed("u", "go"))
    for own, other in ("xy", "yx"):
        began = answer(f"c{own}", f"u{own}", call(f"t{own}", "Task"))
        home = path.with_suffix("") / "subagents"
        wrote(home / f"agent-{own}.jsonl", typed(f"u{own}", f"I am {own}", isSidechain=True, agentId=own), began)
        (home / f"agent-{own}.meta.json").write_text(json.dumps({"toolUseId": f"t{other}"}))
    assert texts(path) == ["go", "I am x", "I am y"]
    assert notes_at(path) == ["1 sub-agent was begun by no call that is here; what it did stands at the end"]


def test_agents_of_any_depth_are_read(tmp_path: Path) -> None:
    path = wrote(tmp_path / "s-1.jsonl", typed("u", "go"), answer("c0", "u", call("t0", "Task")))
    for depth in range(500):
        began = answer(f"c{depth + 1}", f"u{depth}", call(f"t{depth + 1}", "Task"))
        home = path.with_suffix("") / "subagents"
        wrote(home / f"agent-{depth}.jsonl", typed(f"u{depth}", f"at {depth}", isSidechain=True), began)
        (home / f"agent-{depth}.meta.json").write_text(json.dumps({"toolUseId": f"t{depth}"}))
    assert texts(path)[-1] == "at 499"
    assert notes_at(path) == []


def test_the_agents_of_a_workflow_stand_under_its_call(tmp_path: Path) -> None:
    result = {"type": "tool_result", "tool_use_id": "w", "content": "started run wf_12ab"}
    lines = answer("a", "u", call("w", "Workflow")), line("r", "user", "a", message={"content": [result]})
    path = wrote(tmp_path / "s-1.jsonl", typed("u", "go"), *lines)
    inner = path.with_suffix("") / "subagents" / "workflows" / "wf_12ab" / "agent-x.jsonl"
    wrote(inner, typed("i", "a phase", isSidechain=True, agentId="x"))
    assert [event.extra.get("parent") for event in events_at(path) if event.text == "a phase"] == ["w"]


def damaged(random: Random, text: bytes) -> bytes:
    start = random.randrange(len(text))
    return random.choice(
        [
            lambda: text[:start],
            lambda: text[:start] + bytes(random.choices(range(256), k=5)) + text[start:],
            lambda: text[:start] + text[start + random.randint(1, 300) :],
            lambda: text.replace(
                b'"type"', random.choice([b'"typ"', b"type", b'"type":1,"x"']), random.randint(1, 5)
            ),
            lambda: text.replace(b'"content":', b'"content": null, "was":', random.randint(1, 3)),
            lambda: text.replace(b'"message": {', b'"message": [{', 1),
            lambda: text.replace(b'"uuid": "', b'"uuid": 7, "x": "', random.randint(1, 9)),
            lambda: text[::-1],
            lambda: b'{"parentUuid": null, "isSidechain": false}\n' * 3,
        ]
    )()


def told(path: Path) -> str:
    """Return what is told of a file in a line, as `open_results` and a record of it tell it."""
    try:
        results: Results = open_results(path).indexed()
        for entry in results.entries:
            read_trace(results.record(entry.index).data, results.base_dir)
            results.source.raw(entry.index)
    except ResultsError as error:
        return str(error)
    return "; ".join(map(str, results.diagnostics))


@pytest.mark.parametrize(
    "name", ["claude_code/written/projects", "claude_code/written/print.jsonl", "codex/written"]
)
def test_a_damaged_file_costs_a_line(name: str, tmp_path: Path) -> None:
    random = Random(5)
    home = WRITTEN.parents[1] / name
    files = [home] if home.is_file() else sorted(home.glob("*.jsonl"))
    for number in range(30):
        text = random.choice(files).read_bytes()
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(damaged(random, text))
        assert "\n" not in told(path)


def test_the_talk_of_a_session_is_that_of_its_own_agent() -> None:
    results = open_results(PROJECT).indexed()
    record = results.record(0)
    said = transcript(record.data, read_trace(record.data, results.base_dir)).messages
    assert [message["content"] for message in said if message["role"] == "user"] == [
        "Find out why the checkout test fails, and mend it"
    ]
    assert "There is no pay.py." not in str(said)


def test_a_folder_of_sessions_is_one_run_in_the_list_of_a_workspace() -> None:
    entries = [*entries_found([PROJECT], Settings(), {})]
    assert [(entry.path, entry.kind, entry.records) for entry in entries] == [(PROJECT, RESULTS, 1)]


CORPUS = Path(os.environ.get("SAMPLEUI_CORPUS", Path(__file__).parents[4] / "shared" / "corpus")) / "traces"


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not part of the project")
@pytest.mark.parametrize(("folder", "records"), [("claude-code", 2), ("codex", 2)])
def test_sessions_of_the_corpus_are_runs(folder: str, records: int) -> None:
    results = open_results(CORPUS / folder).indexed()
    assert (len(results), results.skipped, results.grades) == (records, 0, False)
    for entry in results.entries:
        assert read_trace(results.record(entry.index).data, results.base_dir).events


def whose(path: Path, index: int = 0) -> list[tuple[str | None, str | None, str | None]]:
    """Return the name of each call in a session, its agent, and what the call that this stands under was asked."""
    calls = [event for event in events_at(path, index) if event.type == "tool_call"]
    asked: dict[Any, Any] = {call.id: call.input for call in calls}
    agents: list[Any] = [call.extra.get("agent") for call in calls]
    parents: list[Any] = [call.extra.get("parent") for call in calls]
    return [
        (call.name, agent, asked[parent]["description"] if parent else None)
        for call, agent, parent in zip(calls, agents, parents, strict=True)
    ]


@pytest.mark.parametrize("version", ["2.1.332", "print-2.1.332.jsonl"])
def test_what_ran_behind_stands_under_the_call_that_began_it(version: str) -> None:
    told = whose(WRITTEN / version)
    assert told[3:10] == [
        ("Task", None, None),
        ("Bash", "general-purpose", "Count lines"),
        ("Task", "general-purpose", "Count lines"),
        *([("Bash", "general-purpose", "Deeper")] if version == "2.1.332" else []),
        ("Task", None, None),
        ("Grep", "Explore", "Find words"),
        ("Bash", "Explore", "Find words"),
        *([("Edit", None, None)] if version != "2.1.332" else []),
    ]


def test_sub_agents_beside_their_session_stand_under_its_calls() -> None:
    assert whose(WRITTEN / "2.0.77")[3:8] == [
        ("Task", None, None),
        ("Bash", "general-purpose", "Count lines"),
        ("Task", "general-purpose", "Count lines"),
        ("Task", None, None),
        ("Grep", "Explore", "Find words"),
    ]


def test_what_the_program_put_in_is_no_users(tmp_path: Path) -> None:
    typed_there = [event.text or "" for event in events_at(WRITTEN / "2.1.332") if event.type == "message"]
    roles = [(event.metadata or {})["role"] for event in events_at(WRITTEN / "2.1.332") if event.type == "message"]
    put_in = [text for text, role in zip(typed_there, roles, strict=True) if role == "system"]
    assert [text.split("\n")[0][:20] for text in put_in] == [
        "<task-notification>",
        "<task-notification>",
        "Conversation compact",
        "This session is bein",
        "<local-command-cavea",
        "<local-command-stdou",
    ]


def test_a_session_that_repeats_messages_under_other_ids_counts_its_own_alone() -> None:
    results = open_results(WRITTEN / "1.0.60").indexed()
    tokens = [results.record(index).tokens for index in range(2)]
    assert [(count.input, count.output) for count in tokens if count is not None] == [(8010, 380), (2300, 120)]


def test_tokens_and_cost_are_what_the_program_says_at_the_end() -> None:
    """The stream says as a message begins what it has written until then, and at its end what all did."""
    printed = open_results(WRITTEN / "print-2.1.332.jsonl").indexed().record(0)
    assert printed.tokens is not None and (printed.tokens.input, printed.tokens.output) == (18975, 2625)
    assert open_results(WRITTEN / "2.1.332").indexed().record(0).cost_usd == pytest.approx(0.1036, abs=1e-4)
    assert printed.latency_ms == 1998.0  # what ends a stream has no time of its own


def test_a_failure_that_a_stream_tells_twice_is_one(tmp_path: Path) -> None:
    begun = {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/home/dev/shop"}
    failed = {"id": "m", "model": "<synthetic>", "content": [said("API Error: 400")], "usage": {"output_tokens": 0}}
    told = {"type": "assistant", "message": failed, "session_id": "s", "error": "unknown"}
    ended = {
        "type": "result",
        "subtype": "success",
        "is_error": True,
        "result": "API Error: 400",
        "session_id": "s",
    }
    events = events_at(wrote(tmp_path / "out.jsonl", begun, told, ended))
    assert [event.type for event in events] == ["error"]


def test_lines_of_which_none_has_a_parent_are_in_their_order(tmp_path: Path) -> None:
    path = wrote(tmp_path / "s-1.jsonl", typed("u", "go"), answer("a", None, said("one")), typed("v", "on"))
    assert texts(path) == ["go", "one", "on"] and notes_at(path) == []
