"""Logs that Inspect 0.3.285 wrote, with a mock model: all that the review shows of them."""

from __future__ import annotations

import dataclasses
import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from sampleui.cli.trace import as_data
from sampleui.formats.data import Plain, Table
from sampleui.integrations.inspect_ai import records as inspectscores
from sampleui.integrations.inspect_ai.dialect import MARK
from sampleui.integrations.inspect_ai.events import EventTranscript
from sampleui.integrations.inspect_ai.parts import SampleParts
from sampleui.review.log.store import log_path, open_log
from sampleui.review.record import failed, passed, why_failed
from sampleui.review.reports.export import Reviewed, export, score_edits
from sampleui.review.reports.report import report_of
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import index_of, sibling_runs
from sampleui.review.samples.expectation import taking
from sampleui.review.verdict import Verdict
from sampleui.runs.decks import FoundDecks, decks_of_run
from sampleui.runs.records import open_run
from sampleui.runs.regrading import regraded
from sampleui.runs.requests import prompt_sent
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.settings.options import Settings
from sampleui.workspace.folders import deck_check
from tests.inside import inside
from tests.review.build import decision

HERE = Path(__file__).parent
LOGS = HERE / "logs"
KINDS = LOGS / "2026-11-22T16-21-13_kinds.eval"


def read(name: str) -> Results:
    return open_results(LOGS / name).indexed()


@pytest.fixture(scope="module")
def kinds() -> Results:
    return read(KINDS.name)


def by_id(results: Results, name: str) -> int:
    entry = results.find(name)
    assert entry is not None
    return entry.index


def test_a_sample_of_an_epoch_is_a_record_and_epochs_are_attempts(kinds: Results) -> None:
    found = {entry.id: (entry.sample_id, entry.attempt, entry.target) for entry in kinds.entries}
    assert found["3"] == ("3", 1, "mockllm/model")
    assert found["capital#2"] == ("capital", 2, "mockllm/model")
    assert len(found) == 8
    assert not kinds.diagnostics


@pytest.mark.parametrize(
    ("name", "score", "verdict"),
    [
        ("includes", 0, "fail"),
        ("model_graded_qa", 0, "fail"),
        ("number", 7.5, None),
        ("boolean", 1, "pass"),
        ("table/style", 0.9, None),
        ("table/facts", 0.25, None),
        ("listed/3", 0.5, None),
        ("partial", 0, "fail"),
        ("unscored", None, None),
    ],
)
def test_every_scorer_is_an_evaluator_whatever_its_value(
    kinds: Results, name: str, score: float | None, verdict: str | None
) -> None:
    record = kinds.record(by_id(kinds, "capital"))
    found = {one.name: one for one in record.evaluators}[name]
    assert (found.score, found.verdict) == (score, verdict)
    assert {mark.name: mark.score for mark in record.grades}[name] == score
    assert failed(record)
    assert why_failed(record) == ("verdict fail by includes", "score 0 is under sampleui's 0.8")


def test_an_evaluator_says_its_answer_its_explanation_and_what_its_model_was_given(kinds: Results) -> None:
    record = kinds.record(by_id(kinds, "capital"))
    graded = {one.name: one for one in record.evaluators}
    assert graded["includes"].reasoning == "Lyon, of course."
    assert graded["includes"].details == {"answer": "lyon, of course."}
    assert "The submission is wrong." in str(graded["model_graded_qa"].reasoning)
    assert "[Criterion]: Paris" in str(graded["model_graded_qa"].grader_input)
    assert graded["unscored"].reasoning == "not scored\n\ngrader_failed\n\ncould not be scored"


def test_the_answer_is_the_completion_and_what_the_model_thought_is_in_the_trace_alone() -> None:
    results = read("reasoning.eval")
    records = [results.record(entry.index) for entry in results.entries]
    # In the last one the thought is text to Inspect, whose scorers see all of it; it is no answer all the same.
    answers = ["green", "", "", "a\nb", "green"]
    assert [record.actual for record in records] == answers
    assert [record.unanswered for record in records[:3]] == ["", "no answer", "no answer"]
    assert "perhaps blue" in str(open_run(LOGS / "reasoning.eval").trace(1).events)


def test_a_record_has_its_answer_its_target_and_its_measures(kinds: Results) -> None:
    record = kinds.record(by_id(kinds, "chat"))
    assert (record.actual, record.expected) == ("4", "4\nfour")
    assert record.tokens is not None
    assert (record.tokens.input, record.tokens.output) == (60, 24)
    assert record.latency_ms is not None
    assert record.latency_ms > 0


def test_an_error_fails_and_a_limit_is_said(kinds: Results) -> None:
    broken, long = kinds.record(by_id(kinds, "broken")), kinds.record(by_id(kinds, "long"))
    assert why_failed(broken) == ("error: RuntimeError('the sandbox went away')",)
    assert long.error is None
    assert long.tags == ("limit:message",)
    assert long.reasoning == "ended by the message limit: Message limit reached. count: 9; limit: 9"


def test_the_transcript_is_a_trace_with_its_tool_calls_and_without_the_grading() -> None:
    run = open_run(KINDS)
    place = run.find("3")
    assert place is not None
    subject = run.subject(place)
    events = [(str(one.type), one.name, one.text) for one in subject.trace.events]
    assert events[:3] == [
        ("message", None, "You are a test."),
        ("message", None, "What is 3 + 4? Use the tool."),
        ("model_step", "mockllm/model", None),
    ]
    add, crash = (one for one in subject.trace.events if str(one.type) == "tool_call")
    assert (add.name, add.input, add.output) == ("add", {"x": 3, "y": 4}, "7")
    assert (crash.name, crash.extra["error"]) == ("crash", "it broke")
    assert subject.trace.summary.failed_calls == 1
    assert "GRADE" not in json.dumps(as_data(subject))


def test_messages_come_once_and_media_in_words(kinds: Results) -> None:
    data = kinds.record(by_id(kinds, "long")).data
    said = [
        one["text"]
        for one in inside(data, "trace")
        if one["type"] == "message" and one["metadata"]["role"] == "user"
    ]
    assert said == ["Say a lot.", "go on"]
    assert inside(data, "trace")[-1]["text"] == "Message limit reached. count: 9; limit: 9"
    data = kinds.record(by_id(kinds, "picture")).data
    assert inside(data, "input_messages", 1, "content") == "What is this?\n[image: data:image/png, 72 bytes]"


def test_a_chunked_sample_is_what_it_is_in_one_piece(kinds: Results) -> None:
    chunked = read("chunked.eval")
    assert sorted(entry.id for entry in chunked.entries) == ["3", "picture"]
    for entry in chunked.entries:
        whole, pieces = kinds.record(by_id(kinds, entry.id)), chunked.record(entry.index)
        assert repr(pieces.evaluators) == repr(whole.evaluators)
        assert (pieces.actual, pieces.expected) == (whole.actual, whole.expected)
        for key in ("trace", "input_messages", "input", "metadata"):
            assert pieces.data[key] == whole.data[key]


def test_a_json_log_says_what_the_archive_says(kinds: Results) -> None:
    found = read("kinds.json")
    assert sorted(entry.id for entry in found.entries) == ["3", "broken", "capital"]
    for entry in found.entries:
        one, other = found.record(entry.index), kinds.record(by_id(kinds, entry.id))
        assert (one.score, one.error, one.verdict, one.actual) == (
            other.score,
            other.error,
            other.verdict,
            other.actual,
        )
        assert repr(one.evaluators) == repr(other.evaluators)
        assert one.data["trace"] == other.data["trace"]


def test_a_log_that_goes_on_has_its_queue_from_the_journal() -> None:
    found = read("unfinished.eval")
    assert [entry.id for entry in found.entries] == ["1", "2"]
    assert [one.message for one in found.diagnostics] == ["the run has not finished", "2 of 3 ran"]
    assert not found.skipped
    assert found.record(0).actual.startswith("well well")


def test_a_limited_run_says_so_and_what_was_to_run() -> None:
    found = read("limited.eval")
    assert [entry.id for entry in found.entries] == ["1"]
    assert [(one.rule, one.message) for one in found.diagnostics] == [
        ("run-partial", "a limited run: 1 of 3 samples")
    ]
    assert found.source.chosen == {"1"}
    assert read("unfinished.eval").source.chosen == {"1", "2", "3"}


def test_a_log_without_samples_has_their_scores() -> None:
    found = read("scores.eval")
    assert [(entry.id, entry.score) for entry in found.entries] == [("1", 0), ("2", 0), ("3", 0)]
    assert [one.message for one in found.diagnostics] == ["the log keeps no samples: scores are all there is"]
    assert found.record(0).evaluators[0].name == "match"


def test_an_edited_score_says_who_edited_it_and_why() -> None:
    found = read("edited.eval").record(0).evaluators[0]
    assert (found.score, found.verdict) == (1, "pass")
    assert found.reasoning == "edited by ada: the target was wrong\n\nit is right"
    assert (found.by_person, read("edited.eval").record(0).rated) == (True, True)
    assert not read("edited.eval").record(1).evaluators[0].by_person


def test_an_edited_score_is_no_figure_of_its_scorer(tmp_path: Path) -> None:
    log = json.loads((LOGS / "kinds.json").read_text())
    name, score = next(iter(log["samples"][0]["scores"].items()))
    log["samples"][0]["scores"][name] = {**score, "value": "C", "history": [
        {"value": score["value"]}, {"value": "C", "provenance": {"author": "ada", "reason": "right"}},
    ]}  # fmt: skip
    (tmp_path / "log.json").write_text(json.dumps(log))

    def records(path: Path) -> int:
        figures = report_of(open_results(path).indexed(), open_log(log_path(path))).figures
        return next(one.records for one in figures.evaluators if one.name == name)

    results = open_results(tmp_path / "log.json").indexed()
    assert records(tmp_path / "log.json") == records(LOGS / "kinds.json") - 1
    assert passed(results.entries[0]) is True, "it decides about its record"


def test_a_log_is_told_by_what_is_in_it_and_a_folder_of_logs_by_the_latest(tmp_path: Path) -> None:
    shutil.copy(KINDS, tmp_path)
    shutil.copy(LOGS / "kinds.json", tmp_path / "2026-11-23T01-00-00_kinds.json")
    assert {deck_check(path).reason for path in tmp_path.iterdir()} == {"results"}
    assert index_of(tmp_path).name == "2026-11-23T01-00-00_kinds.json"
    assert [path.name for path in sibling_runs(tmp_path / KINDS.name)] == [
        "2026-11-23T01-00-00_kinds.json",
        KINDS.name,
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A task with its dataset, and the logs of the project, elsewhere than where it was run."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "logs").mkdir()
    (tmp_path / "tasks").mkdir()
    shutil.copytree(HERE / "data", tmp_path / "tasks" / "data")
    for path in LOGS.iterdir():
        shutil.copy(path, tmp_path / "logs")
    return tmp_path


def test_the_dataset_is_found_from_the_log(project: Path) -> None:
    results = open_results(project / "logs" / KINDS.name).indexed()
    decks = decks_of_run(results, (), Settings())
    assert [deck.path for deck in decks.decks] == [project / "tasks" / "data" / "kinds.jsonl"]
    for entry in results.entries:
        sample = decks.sample(entry)
        assert sample is not None
        assert sample.id == entry.sample_id


def test_samples_without_an_id_are_found_by_their_number(project: Path) -> None:
    results = open_results(project / "logs" / "unfinished.eval").indexed()
    decks = decks_of_run(results, (), Settings())
    found = [sample and sample.data["input"] for sample in map(decks.sample, results.entries)]
    assert found == ["One?", "Two?"]


def test_numbers_given_after_shuffling_do_not_tell_a_sample(project: Path) -> None:
    results = open_results(project / "logs" / "shuffled.eval").indexed()
    decks = decks_of_run(results, (), Settings())
    run = open_run(project / "logs" / "shuffled.eval", *decks.decks)
    for entry in results.entries:
        record, sample = results.record(entry.index), decks.sample(entry)
        assert sample is not None
        assert sample.data["input"] == record.data["input"]
        assert sample.data["target"] == record.expected
        assert run.subject(entry.index).sample == sample
    assert [entry.id for entry in results.entries] == ["1", "2", "3"]
    assert decks.sample(results.entries[0]) is not decks.decks[0].samples[0]


def test_what_solvers_add_is_no_change_of_the_sample(project: Path) -> None:
    results = open_results(project / "logs" / KINDS.name).indexed()
    decks = decks_of_run(results, (), Settings())
    for name in ("capital", "chat", "picture"):
        record = results.record(by_id(results, name))
        found = prompt_sent(record, results.base_dir, decks.sample(record), decks.decks[0])
        (added,) = found.added
        assert found.sent[added] == {"role": "system", "content": "You are a test."}
        assert not found.differs
    deck = project / "tasks" / "data" / "kinds.jsonl"
    deck.write_text(
        deck.read_text(encoding="utf-8").replace("capital of France", "capital of Spain"), encoding="utf-8"
    )
    decks = decks_of_run(results, (), Settings())
    record = results.record(by_id(results, "capital"))
    assert prompt_sent(record, results.base_dir, decks.sample(record), decks.decks[0]).differs


def test_an_answer_becomes_the_target_and_no_other_byte_changes(project: Path) -> None:
    results = open_results(project / "logs" / KINDS.name).indexed()
    deck = decks_of_run(results, (), Settings()).decks[0]
    before = deck.path.read_bytes()
    for name in ("capital", "chat"):
        record = results.record(by_id(results, name))
        sample = next(one for one in deck.samples if one.id == name)
        for setting in taking(sample, record.actual):
            deck = deck.set(sample.index, setting.path, setting.value)
    deck.save()
    after = before.replace(b'"Paris"', b'"Lyon, of course."')  # 4 is among the answers of chat already
    assert deck.path.read_bytes() == after


def test_a_record_without_its_deck_is_exported_as_a_sample_of_inspect(kinds: Results) -> None:
    record = kinds.record(by_id(kinds, "capital"))
    found = export([Reviewed(record, decision(record.digest, Verdict.EXPECTED_WRONG))], DIALECTS["inspect"])
    assert found.samples == (
        {
            "id": "capital",
            "input": "What is the capital of France?",
            "target": "Paris",
            "metadata": {"topic": "geo"},
        },
    )
    assert not found.report


def test_verdicts_are_edits_of_the_scores_that_failed_and_the_log_stays(project: Path) -> None:
    path = project / "logs" / "choices.eval"
    before = path.read_bytes()
    results, log = open_results(path).indexed(), open_log(log_path(path))
    entry = results.entries[by_id(results, "c2")]
    decided = dataclasses.replace(decision(entry.digest, Verdict.GRADER_WRONG), comment="A was meant")
    log.append(decided)
    assert [*score_edits(results, log).edits] == [
        {
            "sample_id": "c2",
            "epoch": 1,
            "score_name": "choice",
            "edit": {
                "value": "C",
                "provenance": {
                    "timestamp": decided.time,
                    "author": decided.reviewer,
                    "reason": "grader-wrong: A was meant",
                },
            },
        }
    ]
    assert path.read_bytes() == before


def test_a_log_is_found_by_a_text_in_any_of_its_records(kinds: Results) -> None:
    found = [kinds.entries[at].id for batch in kinds.search("it broke") for at in batch]
    assert found == ["3", "3#2"]


def test_numbers_that_are_none_are_not_scores(kinds: Results) -> None:
    for entry in kinds.entries:
        assert all(mark.score is None or math.isfinite(mark.score) for mark in entry.grades)


def test_events_of_other_kinds_are_told_by_what_they_say() -> None:
    events: Plain = [
        {"event": "info", "data": "half way"},
        {"event": "approval", "decision": "reject", "approver": "human"},
        {"event": "sample_limit", "type": "token", "message": ""},
        {"event": "step", "name": "unknown"},
    ]
    told: list[Any] = EventTranscript(SampleParts.of({"messages": [], "events": events})).trace()
    assert [(one["type"], one.get("output"), one.get("text")) for one in told] == [
        ("message", "half way", None),
        ("message", {"decision": "reject", "approver": "human"}, None),
        ("error", None, "token limit"),
    ]


def test_scores_of_numbers_and_of_patterns_are_given_again(project: Path) -> None:
    results = open_results(project / "logs" / "numbers.eval").indexed()
    deck = decks_of_run(results, (), Settings()).decks[0]

    def again(name: str, target: Plain) -> list[bool | None]:
        record = results.record(by_id(results, name))
        at = next(one.index for one in deck.samples if one.id == name)
        return [
            one.passed for one in regraded(results, record, deck.set(at, ("target",), target).samples[at]).outcomes
        ]

    assert again("product", "42") == [True, True, False]
    assert again("sum", "9") == [False, False, False]
    assert again("sum", "8.0") == [True, False, False]
    assert again("word", "HELLO") == [True, False, True]


@pytest.mark.parametrize(
    ("target", "scores", "fail_under", "passes"),
    [
        ("red green cyan", {"f1": 0.67}, None, None),
        ("green", {"f1": 0.5, "includes": "C"}, None, None),
        ("green", {"includes": "C", "f1": 0.5}, None, True),
        ("red green cyan", {"includes": "I", "f1": 0.67}, 0.1, False),
        ("green", {"math": "C", "f1": 0.5}, 0.1, None),
    ],
)
def test_the_first_scorer_alone_decides_what_passes_now(
    project: Path, target: str, scores: dict[str, Plain], fail_under: float | None, passes: bool | None
) -> None:
    results = open_results(project / "logs" / "numbers.eval").indexed()
    record = results.record(by_id(results, "word"))
    sample = decks_of_run(results, (), Settings()).decks[0].samples[0]
    shared: Table = {"scorers": [{"name": name, "options": {}} for name in scores]}
    given: Table = {name: {"value": value} for name, value in scores.items()}
    data: Table = {**record.data, MARK: shared, "scores": given, "target": target}
    marks, first = inspectscores.grades_of(given), next(iter(scores))
    ran = dataclasses.replace(record, actual="red green blue", whole="", data=data, grades=marks, decider=first)
    asked = dataclasses.replace(sample, data={**sample.data, "target": target})
    assert regraded(results, ran, asked, fail_under).passes is passes


@pytest.mark.parametrize(
    ("log", "name", "before", "after"),
    [
        ("numbers.eval", "sum", '"9"', '"8"'),
        ("numbers.eval", "named", '"twenty"', '"23"'),
        ("choices.eval", "c2", '"A"', '"B"'),
    ],
)
def test_what_the_scorers_compared_becomes_the_target(
    project: Path, log: str, name: str, before: str, after: str
) -> None:
    results = open_results(project / "logs" / log).indexed()
    deck = decks_of_run(results, (), Settings()).decks[0]
    at, text = next(one.index for one in deck.samples if one.id == name), deck.path.read_text("utf-8")
    for setting in taking(deck.samples[at], results.record(by_id(results, name)).compared):
        deck = deck.set(at, setting.path, setting.value)
    deck.save()
    there = text.index(f'"{name}"')
    assert deck.path.read_text("utf-8") == text[:there] + text[there:].replace(before, after, 1)


@pytest.mark.parametrize(
    ("answer", "actual", "extracted"),
    [
        ("1000", "It is 1,000.", "1000"),
        ("it is 1,000.", "It is 1,000.", ""),
        ("12346", "It is 12345.6", ""),
        (None, "It is 5", ""),
    ],
)
def test_only_a_part_of_what_was_said_is_extracted(answer: Plain, actual: str, extracted: str) -> None:
    score: Plain = {"value": "I", "answer": answer}
    passing: Plain = {"value": "C", "answer": "It"}
    assert inspectscores.extracted({"match": score, "includes": passing}, actual) == extracted
    other: Plain = {"value": "I", "answer": "It"}
    if extracted:
        assert not inspectscores.extracted({"match": score, "pattern": other}, actual)


def test_ids_of_any_signs_epochs_and_values_of_any_shape_are_read(project: Path) -> None:
    results = open_results(project / "logs" / "odd.eval").indexed()
    decks = decks_of_run(results, (), Settings())
    assert not results.diagnostics
    assert len(results.entries) == 12
    for entry in results.entries:
        record, sample = results.record(entry.index), decks.sample(entry)
        assert sample is not None
        assert (sample.id, sample.data["input"]) == (entry.sample_id, record.data["input"])
        assert record.attempt in (1, 2)
        assert [(one.name, one.score) for one in record.grades[1:]] == [
            ("table/style", 1.0),
            ("table/facts", None),
            ("listed/1", 1.0),
            ("listed/2", 0.0),
            ("listed/3", None),
        ]
    assert {entry.sample_id for entry in results.entries} >= {"a/b/c", "../../etc/passwd", "x_epoch_2", "7"}


@pytest.mark.parametrize(
    ("log", "name", "deck"),
    [("mapped-fields.eval", "a1", "mapped.jsonl"), ("mapped-function.eval", "1", "mapped.csv")],
)
def test_a_dataset_that_its_task_maps_is_read_by_the_table_that_is_guessed_for_it(
    project: Path, log: str, name: str, deck: str
) -> None:
    results = open_results(project / "logs" / log).indexed()
    (found,) = decks_of_run(results, (), Settings()).decks
    assert found.path.name == deck
    record = results.record(by_id(results, name))
    sample = FoundDecks((found,)).sample(record)
    assert sample is not None
    assert sample.data["question"] == record.data["input"]
    assert regraded(results, record, sample).words(passed=False) == "still fails: match numeric=True '11'"
    before = found.path.read_bytes()
    for setting in taking(sample, record.compared):
        found = found.set(sample.index, setting.path, setting.value)
    found.save()
    assert found.path.read_bytes() == before.replace(b"11", b"10")
    changed = FoundDecks((found,)).sample(record)
    assert changed is not None
    assert regraded(results, record, changed).passes is None
