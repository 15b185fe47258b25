"""Results of other tools, on files that the tools themselves wrote.

promptfoo 0.121 and 0.123, pydantic-evals 2.62, DeepEval 4.3, lm-eval 0.4.13, verifiers 0.1.14 and 0.4,
langsmith 0.15 (`to_pandas`), braintrust 0.47 (`Eval`).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.review.record import Tokens, failed, passed
from sampleui.review.results.adapter_selection import LOOKED_AT, shipped_for
from sampleui.review.results.adapters import adapter_of
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.runfolder import index_of, runs_beside
from sampleui.trace.reading.extract import extract_trace

WRITTEN = Path(__file__).parent / "written"


def opened(name: str) -> Results:
    found = sorted(WRITTEN.glob(name))
    return open_results(found[0]).indexed()


@pytest.mark.parametrize(
    ("name", "records", "failures", "errors"),
    [
        ("promptfoo/out.json", 2, 2, 1),
        ("promptfoo/out.yaml", 2, 2, 1),
        ("promptfoo/out.jsonl", 24, 20, 2),
        ("pydantic-evals/report.json", 4, 3, 1),
        ("pydantic-evals/repeated.json", 8, 6, 2),
        ("deepeval/test_run_20261122_164831.json", 3, 2, 0),
        ("deepeval/test_run_20261122_164833.json", 1, 1, 0),
        ("deepeval/latest_test_run.json", 4, 3, 0),
        ("deepeval/evaluated.json", 3, 2, 0),
        ("lm-eval/samples_demo_gen*", 6, 4, 0),
        ("lm-eval/samples_demo_mc*", 2, 0, 0),
        ("promptfoo/sessions/out.json", 12, 6, 2),
        ("verifiers/results.jsonl", 6, 4, 2),
        ("verifiers/traces.jsonl", 8, 6, 4),
        ("langsmith/results.csv", 3, 2, 0),
        ("langsmith/results.jsonl", 3, 2, 0),
        ("braintrust/result.json", 3, 2, 0),
        ("braintrust/results.jsonl", 3, 2, 0),
    ],
)
def test_what_a_tool_wrote_opens_whole(name: str, records: int, failures: int, errors: int) -> None:
    results = opened(name)
    assert (results.skipped, results.superseded) == (0, {})
    assert len(results) == records
    assert sum(failed(one) for one in results.entries) == failures
    assert sum(one.error is not None for one in results.entries) == errors
    assert len({one.id for one in results.entries}) == records
    assert len({one.line for one in results.entries}) in (records, 1)
    for entry in results.entries:
        record = results.record(entry.index)
        assert record.asked
        assert record.actual or record.error


def test_a_promptfoo_row_tells_its_assertions_who_answered_and_what_was_asked() -> None:
    results = opened("promptfoo/out.jsonl")
    found = {
        (one.sample_id, one.target): results.record(one.index)
        for one in results.entries
        if one.sample_id == "capital of France"
    }
    assert [target for _, target in found] == [
        "sometimes · Answer in {{language}}: {{question}}",
        "sometimes · chat",
        "echo · Answer in {{language}}: {{question}}",
        "echo · chat",
    ]
    chat = found["capital of France", "sometimes · chat"]
    assert [(one.name, one.verdict) for one in chat.evaluators] == [
        ("not-contains As an AI", "pass"),
        ("contains capital", "fail"),
        ("exact", "fail"),
    ]
    assert chat.actual == "Lyon"
    assert chat.expected == "Paris"
    assert [one["role"] for one in chat.asked] == ["system", "user"]
    assert (chat.cost_usd, chat.tokens and chat.tokens.input) == (0.01, 3)


def test_promptfoo_counts_nothing_where_its_provider_gave_nothing() -> None:
    row: Table = {
        "promptIdx": 0,
        "testIdx": 0,
        "success": True,
        "score": 1,
        "cost": 0,
        "vars": {},
        "provider": {"id": "p"},
        "tokenUsage": {"prompt": 0, "completion": 0, "total": 0, "numRequests": 1},
    }

    def told(**response: Plain) -> tuple[object, object]:
        adapter = adapter_of({**row, "response": {"output": "y", **response}})
        assert adapter is not None
        record = adapter.parse_record({**row, "response": {"output": "y", **response}})
        return record.cost_usd, record.tokens

    assert told() == (None, None)
    assert told(cost=0, tokenUsage={"prompt": 2, "completion": 0}) == (0, Tokens(2, 0))


def test_a_failed_assertion_is_no_error() -> None:
    results = opened("promptfoo/out.jsonl")
    errors = {one.error for one in results.entries if one.error}
    assert errors == {"API error: 500 boom"}


def test_tests_of_one_description_stay_apart() -> None:
    results = opened("promptfoo/out.jsonl")
    assert {one.sample_id for one in results.entries if one.sample_id.startswith("sum")} == {"sum", "sum (2)"}
    assert {one.sample_id for one in results.entries if "crash" in one.sample_id} == {"English · crash now"}


def test_what_a_run_adds_to_the_variables_is_no_part_of_the_test() -> None:
    results = opened("promptfoo/sessions/out.json")
    assert [one.id for one in results.entries if "tools" in one.id] == [
        "English · tools please",
        "English · tools please#2",
    ]


def test_a_repeated_trace_of_verifiers_has_what_was_asked_done_and_scored() -> None:
    results = opened("verifiers/traces.jsonl")
    found = {one.id: results.record(one.index) for one in results.entries}
    capital = found["capital"]
    assert not failed(capital)
    assert (capital.score, capital.actual, capital.expected) == (1.0, "Paris, of course", "Paris")
    assert [(one["role"], one["content"]) for one in capital.asked] == [
        ("system", "Be brief"),
        ("user", "capital of France?"),
    ]
    assert [(one.name, one.score) for one in capital.marks] == [("exact", 1.0), ("words", 3.0)]
    assert (capital.tokens and capital.tokens.input, capital.target) == (9, "mock")
    assert found["down"].asked == (capital.asked[0], {"role": "user", "content": "provider 500"})
    assert (found["down"].error or "").startswith("ProviderError: upstream 400")
    assert (found["2"].score, found["2"].error) == (
        None,
        "TaskError: task DemoTask scoring: RuntimeError: the reward crashed",
    )


def test_an_older_trace_of_verifiers_is_a_record_with_its_calls(tmp_path: Path) -> None:
    lines = (WRITTEN / "verifiers/traces.jsonl").read_text("utf-8").splitlines()
    trace = next(one for line in lines for one in json.loads(line)["traces"] if one["task"]["data"]["idx"] == 0)
    call = {"role": "assistant", "tool_calls": [{"id": "c", "name": "look", "arguments": '{"q": 1}'}]}
    trace["nodes"][2:] = [
        {"parent": 1, "sampled": True, "message": call, "timestamp": 1795377051.5},
        {"parent": 1, "sampled": True, "message": {"role": "assistant", "content": "left"}},
        {"parent": 2, "message": {"role": "tool", "tool_call_id": "c", "content": "seen"}},
        {"parent": 4, "sampled": True, "message": {"role": "assistant", "content": "Lyon"}},
    ]
    trace["rewards"] = {"exact": 0.0, "short": 0.5}
    del trace["ok"]
    (tmp_path / "traces.jsonl").write_text(json.dumps(trace), "utf-8")
    record = open_results(tmp_path).indexed().record(0)
    assert (record.actual, record.score, record.error) == ("Lyon", 0.5, None)
    events = extract_trace(record.data, tmp_path).events
    assert [(str(one.type), one.name) for one in events][:1] == [("tool_call", "look")]
    assert "left" not in [one.text for one in events]


def test_repeats_are_tries_of_one_target() -> None:
    results = opened("pydantic-evals/repeated.json")
    assert [one.id for one in results.entries][:4] == ["capital", "capital#2", "sum", "sum#2"]


def test_a_persons_grade_is_shown_with_the_comment(tmp_path: Path) -> None:
    row = json.loads((WRITTEN / "promptfoo/out.jsonl").read_text().splitlines()[0])
    human = {
        "pass": True,
        "score": 1,
        "reason": "Manual result",
        "comment": "fine by me",
        "assertion": {"type": "human"},
    }
    row["gradingResult"]["componentResults"].append(human)
    row |= {"success": True, "score": 1}
    (tmp_path / "out.jsonl").write_text(json.dumps(row))
    record = open_results(tmp_path / "out.jsonl").indexed().record(0)
    assert not failed(record)
    told = record.evaluators[-1]
    assert (told.name, told.type, told.verdict, told.reasoning) == ("human", "human", "pass", "fine by me")


def test_an_evaluator_that_crashed_lets_no_case_pass() -> None:
    results = opened("pydantic-evals/report.json")
    table = next(one for one in results.entries if one.id == "table")
    assert failed(table)
    assert ("Close", "fail") in [(one.name, one.verdict) for one in table.marks]
    assert results.record(table.index).evaluators[-1].reasoning == "ValueError: cannot judge this"


def test_a_perplexity_is_no_score_of_how_well_a_row_did() -> None:
    likely = opened("lm-eval/likelihood/samples_tdemo_ll*")
    assert [(one.score, failed(one)) for one in likely.entries] == [(0.0, True)] * 3
    assert [one.name for one in likely.entries[0].marks] == ["perplexity", "acc"]
    rolling = opened("lm-eval/likelihood/samples_tdemo_roll*")
    assert [(one.score, failed(one)) for one in rolling.entries] == [(None, False)] * 3


def test_a_choice_is_told_by_its_likelihood() -> None:
    record = opened("lm-eval/samples_demo_mc*").record(1)
    assert (record.actual, record.expected) == ("green", "green")
    assert [(one.name, one.score) for one in record.marks] == [("acc", 1.0), ("acc_norm", 1.0)]


def test_the_likelihoods_of_all_choices_are_told_and_which_of_them_is_meant() -> None:
    results = opened("lm-eval/tasks/samples_demo_mc*")
    record = results.record(0)
    accuracy, by_length = record.evaluators
    assert [(one.text, one.passed) for one in accuracy.assertions] == [
        ("stone", False),
        ("apple", None),
        ("car", None),
        ("pear tree in the garden", None),
    ]
    assert [one.evidence for one in accuracy.assertions[:2]] == [
        "log-likelihood -0.1171, -0.02343 a character; chosen",
        "log-likelihood -0.2205, -0.04409 a character; expected",
    ]
    assert str(accuracy.assertions[3].evidence).endswith("a character; likeliest by its length")
    assert not by_length.assertions
    assert results.record(2).evaluators[0].assertions[2].passed is True


def test_choices_without_their_prompt_are_none_of_the_choices() -> None:
    record = opened("lm-eval/tasks/samples_demo_multi*").record(0)
    assert (record.actual, record.expected) == ("no", "yes")
    assert [one.text for one in record.evaluators[0].assertions] == ["no", "yes"]
    f1 = next(one for one in record.evaluators if one.name == "f1")
    assert (f1.score, f1.reasoning) == (None, "[1, 0]")


def test_prompts_are_the_choices_of_a_task_with_one_continuation() -> None:
    record = opened("lm-eval/tasks/samples_demo_wino*").record(1)
    assert (record.actual, record.score) == ("Ann thanked Eve because Eve", 1.0)
    assert [(one.text, one.passed) for one in record.evaluators[0].assertions] == [
        ("Ann thanked Eve because Ann", None),
        ("Ann thanked Eve because Eve", None),
    ]


def test_what_was_answered_before_a_filter_is_told() -> None:
    results = opened("lm-eval/tasks/samples_demo_gen*")
    assert {one.target for one in results.entries} == {"strict-match", "maj@3"}
    record = results.record(0)
    assert record.actual == "[invalid]"
    (before,) = record.evaluators[0].assertions
    assert (before.text, before.evidence) == ("lol", "before the filter, 3 times")


def test_what_evaluate_of_deepeval_returns_has_its_metrics() -> None:
    record = opened("deepeval/evaluated.json").record(0)
    assert (record.id, record.actual, record.expected) == ("capital", "Lyon", "Paris")
    assert [(one.name, one.score, one.verdict) for one in record.evaluators] == [("Exact", 0.0, "fail")]


def test_of_a_folder_of_test_runs_the_latest_opens() -> None:
    assert index_of(WRITTEN / "deepeval").name == "test_run_20261122_164833.json"
    assert len(runs_beside(WRITTEN / "deepeval")) == 2


def test_the_tasks_of_a_folder_are_runs_beside_each_other() -> None:
    folder = WRITTEN / "lm-eval" / "tasks"
    runs = [one.name.split("_")[2] for one in runs_beside(folder)]
    assert runs == ["wino", "multi", "mc", "gen"]
    assert index_of(folder).name.startswith("samples_demo_wino")
    assert runs_beside(next(folder.glob("samples_demo_gen*"))) == runs_beside(folder)


@pytest.mark.parametrize("name", ["langsmith/results.csv", "langsmith/results.jsonl"])
def test_a_row_of_langsmith_tells_its_feedback_and_the_answers(name: str) -> None:
    results = opened(name)
    assert [one.sample_id[-2:] for one in results.entries] == ["01", "02", "03"]
    record = results.record(0)
    assert (record.actual, record.expected) == ("Lyon, or Paris", "Paris")
    assert [(one.name, one.score) for one in record.evaluators] == [("exact", 0.0), ("length", 1.4), ("tone", None)]
    assert [one.verdict for one in record.evaluators] == ["fail", None, None]
    assert record.evaluators[2].reasoning == "plain"
    assert record.latency_ms is not None
    assert results.record(2).asked == ({"role": "user", "content": "Is it Monday?"},)


@pytest.mark.parametrize("key", ["evaluation_results", "evaluationResults"])
def test_a_row_of_evaluate_of_langsmith_is_read_as_well(key: str) -> None:
    row: Table = {
        "run": {"id": "r", "outputs": {"label": 1}, "error": None, "inputs": {"question": "?"}},
        "example": {"id": "e", "inputs": {"question": "?"}, "outputs": {"label": 2}},
        key: {
            "results": [
                {"key": "exact", "score": 0, "value": None, "comment": "not 2"},
                {"key": "tone", "value": "x"},
            ]
        },
    }
    adapter = adapter_of(row)
    assert adapter is not None
    entry, record = adapter.parse_entry(row), adapter.parse_record(row)
    assert entry is not None
    assert (entry.sample_id, entry.score, entry.error) == ("e", 0.0, None)
    assert (record.actual, record.expected) == ('{\n  "label": 1\n}', '{\n  "label": 2\n}')
    assert [one.reasoning for one in record.evaluators] == ["not 2", "x"]
    broken: Table = {**row, "run": {"id": "r", "outputs": None, "error": "ValueError('no')"}}
    entry = adapter.parse_entry(broken)
    assert entry is not None
    assert entry.error == "ValueError('no')"
    assert not adapter.parse_record(broken).actual


def test_a_row_of_braintrust_is_found_by_the_row_that_it_ran() -> None:
    row: Table = {
        "id": "span",
        "input": {"question": "?"},
        "error": {"message": "no tool"},
        "expected": "x",
        "scores": {},
        "origin": {"object_type": "dataset", "id": "row-1"},
        "metrics": {"prompt_tokens": 3, "completion_tokens": 4, "duration": 0.5},
    }
    adapter = adapter_of(row)
    assert adapter is not None
    entry, record = adapter.parse_entry(row), adapter.parse_record(row)
    assert entry is not None
    assert (entry.sample_id, entry.error, entry.score) == ("row-1", "no tool", None)
    assert (record.latency_ms, record.tokens) == (500, Tokens(3, 4))
    assert [(one.name, one.score) for one in opened("braintrust/result.json").record(0).evaluators] == [
        ("exact", 0.0)
    ]


@pytest.mark.parametrize(
    "row",
    [
        {"id": 1, "epoch": 1, "input": "?", "scores": {"includes": {"value": "I"}}, "output": {"completion": "4"}},
        {"id": 1, "epoch": 1, "scores": {"includes": {"value": "I"}}, "output": {"choices": [], "completion": "4"}},
        {"id": "a", "score": {"accuracy": 0.0}},
        {"id": "a", "evaluators": {"exact": False}, "answer": "4"},
    ],
)
def test_rows_that_are_not_understood_are_claimed_by_nobody(row: dict[str, object]) -> None:
    assert adapter_of(row) is None  # type: ignore[arg-type]


def test_a_shipped_tool_is_named_for_the_rows_that_tell_it_and_for_no_others() -> None:
    promptfoo = json.loads((WRITTEN / "promptfoo/out.jsonl").read_text().splitlines()[0])
    assert shipped_for(promptfoo) == "promptfoo"
    assert shipped_for({"test_id": "a", "score": 1, "candidate_answer": "x"}) == "agentv"
    assert shipped_for({"frage": "x", "antwort": "y"}) == ""


def test_some_first_rows_of_a_long_file_are_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(
        '{"cut off\n' + "".join(json.dumps({"test_id": str(at), "score": 1}) + "\n" for at in range(80))
    )
    rows = open_results(path).first_rows
    assert [row["test_id"] for row in rows] == [str(at) for at in range(LOOKED_AT - 1)]


RAGAS_TABLE = """user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy,harmfulness
Weather?,['It rains in Paris.'],Rainy.,rainy,1.0,0.93,0
Time?,"['a', ""b's""]",Noon,12:00,0.0,,1
Where?,[],x,y,,,
"""


def test_a_table_of_ragas_is_read_by_its_metrics_and_an_empty_one_is_no_score(tmp_path: Path) -> None:
    (tmp_path / "result.csv").write_text(RAGAS_TABLE)
    results = open_results(tmp_path / "result.csv", ()).indexed()
    assert [passed(one) for one in results.entries] == [True, False, None]
    assert [(one.name, one.score) for one in results.record(1).evaluators] == [
        ("faithfulness", 0),
        ("harmfulness", 1),
    ]
    assert results.record(0).actual == "Rainy."
    assert results.record(0).expected == "rainy"


def test_a_data_set_for_ragas_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(
        "user_input,retrieved_contexts,response,reference\nWeather?,[],Rainy.,rainy\n"
    )
    with pytest.raises(ResultsError):
        open_results(tmp_path / "data.csv", ())
