"""What the results of promptfoo tell, on files that it wrote, and on rows made of them."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.review.log.store import log_path, open_log
from sampleui.review.record import failed, ungraded
from sampleui.review.reports.report import report_of
from sampleui.review.results.adapters import adapter_of
from sampleui.review.results.evaluations import own_time
from sampleui.review.results.file import Results, open_results
from sampleui.runs.regrading import regraded
from sampleui.sample.tokens import Tokens
from sampleui.workspace.deck import open_deck

WRITTEN = Path(__file__).parent / "written"


def opened(name: str) -> Results:
    found = sorted(WRITTEN.glob(name))
    return open_results(found[0]).indexed()


def test_a_promptfoo_row_tells_its_assertions_who_answered_and_what_was_asked() -> None:
    results = opened("out.jsonl")
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
        usage = adapter.parse({**row, "response": {"output": "y", **response}}).usage()
        return usage.cost_usd, usage.tokens

    assert told() == (None, None)
    assert told(cost=0, tokenUsage={"prompt": 2, "completion": 0}) == (0, Tokens(2, 0, 2))


def test_what_nothing_is_asserted_of_is_not_known_to_have_passed() -> None:
    """promptfoo writes a pass and a score of 1 beside the reason that there are no assertions."""
    path = Path(__file__).parent / "written" / "dates" / "out.jsonl"
    reasons = [json.loads(line)["gradingResult"]["reason"] for line in path.read_text("utf-8").splitlines()]
    results = open_results(path).indexed()
    assert [ungraded(entry) for entry in results.entries] == [reason == "No assertions" for reason in reasons]
    assert "No assertions" in reasons


def test_a_failed_assertion_is_no_error() -> None:
    results = opened("out.jsonl")
    errors = {one.error for one in results.entries if one.error}
    assert errors == {"API error: 500 boom"}


def test_tests_of_one_description_stay_apart() -> None:
    results = opened("out.jsonl")
    assert {one.sample_id for one in results.entries if one.sample_id.startswith("sum")} == {"sum", "sum (2)"}
    assert {one.sample_id for one in results.entries if "crash" in one.sample_id} == {"English · crash now"}


def test_what_a_run_adds_to_the_variables_is_no_part_of_the_test() -> None:
    results = opened("sessions/out.json")
    assert [one.id for one in results.entries if "tools" in one.id] == [
        "English · tools please",
        "English · tools please#2",
    ]


def test_a_persons_grade_is_shown_with_the_comment(tmp_path: Path) -> None:
    row = json.loads((WRITTEN / "out.jsonl").read_text().splitlines()[0])
    human = {
        "pass": True,
        "score": 1,
        "reason": "Manual result",
        "comment": "fine by me",
        "assertion": {"type": "human"},
    }
    row["gradingResult"]["componentResults"].append(human)
    row["gradingResult"] |= {"reason": "Manual result", "comment": "fine by me"}
    row |= {"success": True, "score": 1}
    (tmp_path / "out.jsonl").write_text(json.dumps(row))
    record = open_results(tmp_path / "out.jsonl").indexed().record(0)
    assert not failed(record)
    told = record.evaluators[-1]
    assert (told.name, told.type, told.verdict, told.reasoning) == (
        "a person's rating", "human", "pass", "fine by me",
    )  # fmt: skip
    assert [one.by_person for one in record.evaluators] == [False] * (len(record.evaluators) - 1) + [True]
    assert record.rated is True
    assert record.reasoning == "Manual result\n\na person's comment: fine by me"
    path = tmp_path / "out.jsonl"
    figures = report_of(open_results(path).indexed(), open_log(log_path(path))).figures
    assert "a person's rating" not in [one.name for one in figures.evaluators]
    assert "a person's rating" not in [one.evaluator for one in figures.graders]


@pytest.mark.parametrize("passes", [True, False])
def test_no_regrade_takes_a_persons_rating_back(tmp_path: Path, passes: bool) -> None:
    (tmp_path / "promptfooconfig.yaml").write_text(
        "prompts: ['Say {{word}}']\nproviders: [echo]\ntests:\n"
        f"  - vars: {{word: hello}}\n    assert: [{{type: contains, value: {'absent' if passes else 'hello'}}}]\n"
    )
    human = {"pass": passes, "score": int(passes), "reason": "Manual result", "assertion": {"type": "human"}}
    row = {
        "promptIdx": 0, "testIdx": 0, "success": passes, "score": int(passes), "vars": {"word": "hello"},
        "provider": {"id": "echo"}, "response": {"output": "Say hello"},
        "gradingResult": {"pass": passes, "score": int(passes), "componentResults": [human]},
        "testCase": {"vars": {"word": "hello"}},
    }  # fmt: skip
    (tmp_path / "out.json").write_text(json.dumps({"results": {"results": [row]}}))
    results = open_results(tmp_path / "out.json").indexed()
    sample = open_deck(tmp_path / "promptfooconfig.yaml").samples[0]
    found = regraded(results, results.record(0), sample)
    assert found.passes is passes
    assert "as a person rated it" in found.words(passes)


def test_the_time_of_a_run_is_the_one_that_its_file_says_and_not_that_of_a_copy() -> None:
    assert own_time(opened("out.json")) == dt.datetime.fromisoformat(opened("out.json").source.time)
    assert own_time(opened("out.jsonl")) is None


def test_an_answer_of_parts_is_its_text_and_is_judged_as_the_json_that_promptfoo_compares() -> None:
    parts: list[Plain] = [{"type": "thinking", "thinking": "perhaps blue"}, {"type": "text", "text": "green"}]
    row: Table = {"vars": {}, "promptIdx": 0, "success": False, "score": 0, "response": {"output": parts}}
    adapter = adapter_of(row)
    assert adapter is not None
    record = adapter.parse(row).details()
    assert (record.actual, json.loads(record.whole)) == ("green", parts)
    response: Table = {
        "choices": [{"message": {"role": "assistant", "content": "4", "reasoning_content": "perhaps 5"}}]
    }
    assert adapter.parse({**row, "response": {"output": response}}).details().actual == "4"
    structured: Table = {"reasoning": "by adding", "answer": 4}
    assert json.loads(adapter.parse({**row, "response": {"output": structured}}).details().actual) == structured


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ({"a": 1, "b": [2]}, '{"a":1,"b":[2]}'),
        ([1, 2.0, "x"], '[1,2,"x"]'),
        ({"10": 1, "2": "ü"}, '{"2":"ü","10":1}'),
        ({}, "{}"),
        ([], "[]"),
    ],
)
def test_an_answer_that_is_an_object_or_a_list_is_what_promptfoo_compares(
    tmp_path: Path, output: Plain, text: str
) -> None:
    """Its `coerceString` makes the same of them, in 0.121.20 and 0.123.1."""
    row: Table = {
        "vars": {"k": "x"},
        "promptIdx": 0,
        "success": False,
        "response": {"output": output},
        "gradingResult": {"pass": False, "score": 0, "reason": "no"},
    }
    (tmp_path / "out.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    assert open_results(tmp_path / "out.jsonl").indexed().record(0).actual == text
