"""`sampleui trace` and `sampleui promote`."""

from __future__ import annotations

import json

import pytest

from sampleui.cli import output
from sampleui.workspace.deck import open_deck
from tests.trace.test_tree import research

from .conftest import DECKS, ROOT

TRACES = ROOT / "examples" / "results" / "traces.jsonl"


def test_a_record_is_printed_as_text(sampleui):
    ran = sampleui("trace", TRACES, "--id", "fix-nightly-build", "--format", "text")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "fix-nightly-build"
    assert "40 events, 12 tool calls" in lines[1]
    assert sum(line.split()[:1] == ["28"] and "FAILED" in line for line in lines) == 1


def test_all_records_are_printed_where_there_is_no_terminal(sampleui):
    ran = sampleui("trace", TRACES)
    assert (ran.code, ran.err) == (0, "")
    for name in ("fix-nightly-build", "paris-weather", "capital-of-france"):
        assert f"\n{name}\n" in f"\n{ran.out}"


def test_json_is_one_object_a_line(sampleui):
    ran = sampleui("trace", TRACES, "--format", "json")
    records = [json.loads(line) for line in ran.out.splitlines()]
    assert len(records) == 8
    assert records[0]["summary"]["event_count"] == 40
    assert len(records[0]["events"]) == 40
    assert [record["line"] for record in records] == list(range(1, 9))
    assert json.loads(sampleui("trace", TRACES, "--id", "#2", "--format", "json").out)["id"] == "paris-weather"


def test_checks_of_the_deck_are_run_and_one_that_fails_is_told_by_the_exit_code(sampleui):
    traced = ("trace", TRACES, "--deck", DECKS / "agents.yaml")
    ran = sampleui(*traced, "--id", "fix-nightly-build", "--format", "text")
    assert ran.code == 1
    assert "PASSED looks-before-it-leaps (in_order) 1.00" in ran.out
    assert "miss: ask_human: not called" in ran.out
    ran = sampleui(*traced, "--id", "paris-weather", "--format", "json")
    assert ran.code == 0
    assert [check["passed"] for check in json.loads(ran.out)["checks"]] == [True]


def test_a_check_that_could_not_be_made_is_no_success(sampleui, tmp_path):
    deck = tmp_path / "deck.eval.yaml"
    check = "{type: tool-trajectory, name: looks, mode: any_order, minimums: {look: 1}}"
    deck.write_text(f"tests:\n  - {{id: a, input: x, criteria: y, assertions: [{check}]}}\n")
    path = tmp_path / "run.jsonl"
    path.write_text('{"test_id": "a", "score": 1, "output": "done"}\n')
    ran = sampleui("trace", path, "--deck", deck, "--format", "text")
    assert ran.code == 1
    assert "NOT RUN looks: the record has no trace" in ran.out
    ran = sampleui("trace", path, "--deck", deck, "--format", "json")
    assert (ran.code, json.loads(ran.out)["checks"][0]["passed"]) == (1, None)
    path.write_text('{"test_id": "b", "score": 1, "trace": []}\n')
    ran = sampleui("trace", path, "--deck", deck, "--id", "b", "--format", "text")
    assert (ran.code, ran.err) == (1, "1 of 1 records have no sample in the decks\n")


def test_calls_that_are_not_known_are_not_compared_with_golden_ones(sampleui, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"test_id": "book-a-table", "score": 1, "output": "done"}\n')
    ran = sampleui("trace", path, "--deck", DECKS / "agents.jsonl", "--format", "text")
    assert "NOT COMPARED with the golden trajectories: the record has no trace" in ran.out
    assert "distance" not in ran.out
    ran = sampleui("trace", path, "--deck", DECKS / "agents.jsonl", "--format", "json")
    assert json.loads(ran.out)["golden"] is None


def test_all_records_of_an_id_are_printed_with_their_outcome_and_target(sampleui, tmp_path):
    path = tmp_path / "run.jsonl"
    said = [{"role": "system", "content": "Be brief."}, {"role": "assistant", "content": "Paris"}]
    rows = [
        {"test_id": "a", "target": "one", "score": 1, "output_messages": said},
        {"test_id": "b", "target": "one", "score": 1},
        {"test_id": "a", "target": "two", "score": 0, "output_messages": said},
        {"test_id": "a", "target": "three", "output_messages": said},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = sampleui("trace", path, "--id", "a", "--format", "json")
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert [(one["line"], one["target"], one["outcome"]) for one in told] == [
        (1, "one", "passed"), (3, "two", "failed"), (4, "three", "ungraded"),
    ]  # fmt: skip
    ran = sampleui("trace", path, "--id", "a", "--format", "text")
    assert [line.strip() for line in ran.out.splitlines() if "two" in line] == ["failed · two"]
    roles = [line.split()[:3] for line in ran.out.splitlines() if " message " in line]
    assert roles == [["1", "message", "system"], ["2", "message", "assistant"]] * 3


def test_the_closest_golden_trajectory_is_printed(sampleui):
    deck = DECKS / "agents.jsonl"
    ran = sampleui("trace", TRACES, "--deck", deck, "--id", "book-a-table", "--format", "text")
    assert "golden trajectory 2: distance 0.5" in ran.out
    assert 'time = "1930", "19:30" expected' in ran.out
    data = json.loads(sampleui("trace", TRACES, "--deck", deck, "--id", "book-a-table", "--format", "json").out)
    assert [one["golden"] for one in data["golden"]] == [1, 0]
    assert [one["kind"] for one in data["golden"][0]["calls"]] == ["same", "changed"]


def test_a_trace_of_its_own_in_a_json_file(sampleui, tmp_path):
    path = tmp_path / "trace.json"
    path.write_text('[{"type": "tool_call", "name": "look", "input": {"at": "\\u001b[2J"}}]')
    ran = sampleui("trace", path, "--format", "text")
    assert ran.code == 0
    assert "look" in ran.out
    assert "\x1b" not in ran.out


def test_on_a_terminal_the_app_opens(sampleui, trace_app, monkeypatch):
    monkeypatch.setattr(output, "interactive", lambda: True)
    assert sampleui("trace", TRACES, "--id", "paris-weather", "--theme", "sampleui-light").code == 9
    run, settings, wanted = trace_app.asked
    assert (len(run.records), settings.theme, wanted) == (8, "sampleui-light", "paris-weather")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file has no records"),
        ("nonsense\n", "not JSON"),
        ('{"id": "a"}\n', "there is no record b; it has 1 others"),
    ],
)
def test_what_cannot_be_shown_is_said_on_one_line(sampleui, tmp_path, text, said):
    path = tmp_path / "results.jsonl"
    path.write_text(text)
    ran = sampleui("trace", path, "--id", "b", "--format", "text")
    assert ran.code == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


def test_the_records_before_a_torn_line_are_printed(sampleui, tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text('{"id": "a", "text": "x"}\n{"id": "b", "te')
    ran = sampleui("trace", path, "--format", "json")
    assert ran.code == 2
    assert json.loads(ran.out)["id"] == "a"
    assert f"{path}:2:" in ran.err
    assert sampleui("trace", path, "--id", "a", "--format", "json").code == 0


def test_turns_are_added_to_a_deck_and_nothing_else_changes(sampleui, tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_bytes((DECKS / "hello.toml").read_bytes())
    before = deck.read_text()
    args = (
        "promote",
        TRACES,
        "--id",
        "paris-weather",
        "--turns",
        "3",
        "--deck",
        DECKS / "agents.yaml",
        "--to",
        deck,
    )
    dry = sampleui(*args, "--dry-run")
    assert (dry.code, deck.read_text()) == (0, before)
    ran = sampleui(*args)
    assert (ran.code, ran.out) == (0, dry.out)
    assert "paris-weather is written" in ran.err
    after = deck.read_text()
    assert after.startswith(before)
    removed = [line for line in ran.out.splitlines() if line.startswith("-") and not line.startswith("---")]
    assert not removed
    sample = open_deck(deck).samples[-1]
    assert [message["role"] for message in sample.messages] == ["system", "user", "assistant"]
    assert sampleui(*args).code == 0
    assert open_deck(deck).samples[-1].id == "paris-weather-2"


def test_which_of_several_records_of_an_id_becomes_a_sample_is_told(sampleui, tmp_path):
    rows = [{"test_id": "a", "score": 1, "target": name, "input": "?", "output": name} for name in ("one", "two")]
    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = sampleui("promote", path, "--id", "a", "--to", tmp_path / "new.toml")
    assert "a is the id of 2 records; taken is #1 of one, not #2 of two" in ran.err
    other = sampleui("promote", path, "--id", "#2", "--to", tmp_path / "other.toml")
    assert "is the id of" not in other.err
    assert open_deck(tmp_path / "other.toml").samples[0].messages[-1]["content"] == "two"


def test_a_deck_of_another_dialect_gets_messages_where_it_has_them(sampleui, tmp_path):
    deck = tmp_path / "deck.yaml"
    deck.write_bytes((DECKS / "agents.yaml").read_bytes())
    assert sampleui("promote", TRACES, "--id", "laptop-research", "--as", "laptop", "--to", deck).code == 0
    sample = open_deck(deck).samples[-1]
    assert (sample.id, sample.messages_path) == ("laptop", ("input_messages",))
    assert sample.messages[0]["content"] == "Let me look for reviews."


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--id", "paris-weather", "--turns", "9"), "there is no turn 9: the transcript has 3"),
        (
            (
                "--id",
                "nobody",
            ),
            "there is no record nobody",
        ),
    ],
)
def test_what_cannot_be_promoted_is_refused_and_nothing_is_written(sampleui, tmp_path, args, said):
    ran = sampleui("promote", TRACES, *args, "--to", tmp_path / "new.toml")
    assert ran.code == 2
    assert said in ran.err
    assert not (tmp_path / "new.toml").exists()


def test_decks_are_named_several_times_and_by_folder_and_records_find_theirs_by_suite(sampleui, tmp_path):
    for suite, tool in (("one", "look"), ("two", "find")):
        deck = tmp_path / "evals" / f"{suite}.eval.yaml"
        deck.parent.mkdir(exist_ok=True)
        check = f"{{type: tool-trajectory, name: {suite}, mode: any_order, minimums: {{{tool}: 1}}}}"
        deck.write_text(f"name: {suite}\ntests:\n  - {{id: a, input: x, criteria: y, assertions: [{check}]}}\n")
    rows = [{"test_id": name, "suite": suite, "trace": []} for suite in ("one", "two") for name in ("a", "b")]
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    decks = sorted((tmp_path / "evals").iterdir())
    for given in (["--deck", decks[0].parent], ["--deck", decks[0], "--deck", decks[1]]):
        ran = sampleui("trace", path, *given, "--format", "json")
        names = [[check["name"] for check in json.loads(line)["checks"]] for line in ran.out.splitlines()]
        assert (ran.code, names) == (1, [["one"], [], ["two"], []])
        assert ran.err == "2 of 4 records have no sample in the decks\n"


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_row_that_is_no_result_is_told_and_no_record_without_a_trace(sampleui, tmp_path, form):
    path = tmp_path / "run.jsonl"
    path.write_text('{"foo": 1}\n{"id": "b", "score": 1}\n')
    ran = sampleui("trace", path, "--format", form)
    assert ran.code == 2
    assert "#1" not in ran.out and "b" in ran.out
    assert f"{path}:1: not a result: nothing in it was done, answered or graded" in ran.err
    assert sampleui("trace", path, "--format", form, "--id", "b").code == 0
    assert sampleui("trace", path, "--format", form, "--id", "#1").code == 2


def test_what_a_record_of_a_guessed_table_did_is_printed(sampleui, tmp_path):
    path = tmp_path / "product.jsonl"
    steps = [{"tool": "search", "sql": "select 1", "rows": 12}, {"tool": "draft", "text": "Dear client"}]
    rows = [
        {"trace_id": f"t{number}", "query": f"Find {number}", "steps": steps, "email": "Dear"}
        for number in range(3)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = sampleui("trace", path, "--format", "json")
    traces = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.code, ran.err) == (0, "")
    assert [[event["name"] for event in trace["events"]] for trace in traces] == [["search", "draft"]] * 3


def test_messages_that_nobody_knows_are_no_success_and_have_no_counts(sampleui, tmp_path):
    path = tmp_path / "run.jsonl"
    rows = [{"id": "a", "output_messages": [{"wer": "x"}]}, {"id": "b", "output_messages": [{"role": "user"}]}]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    ran = sampleui("trace", path, "--format", "json")
    assert (ran.code, ran.err) == (1, "1 of 2 records: what was called is not known\n")
    assert ["tool_calls_by_name" in json.loads(line)["summary"] for line in ran.out.splitlines()] == [False, True]


def test_what_a_sub_agent_did_is_a_trace_and_a_sample_of_its_own(sampleui, tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text(json.dumps({"id": "a", "trace": [{"type": "message", "text": "begin"}, *research(1)]}) + "\n")
    shown = sampleui("trace", run, "--id", "a", "--inside", "2", "--format", "text")
    assert shown.code == 0 and "6 events, 4 tool calls, 1 failed call, 250ms" in shown.out
    assert "begin" not in shown.out and "│" not in shown.out
    made = sampleui("promote", run, "--id", "a", "--inside", "2", "--to", tmp_path / "deck.yaml")
    assert made.code in (0, 1)
    assert open_deck(tmp_path / "deck.yaml").samples[0].data["input"][0] == {"role": "user", "content": "find 1"}
    for event in ("1", "8", "99"):
        assert "nothing happened in event" in sampleui("trace", run, "--id", "a", "--inside", event).err
    assert "--id names" in sampleui("trace", run, "--inside", "2").err
