"""Results of other tools beside the decks they ran: found, joined, fixed at one place, graded again.

The files were written by the tools themselves; they are in `tests/integrations/`.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from sampleui.deck.diff import diff
from sampleui.formats.data import Table, as_list
from sampleui.review.results.file import Results, open_results
from sampleui.review.samples.expectation import taking
from sampleui.runs.decks import decks_of_run, index_of
from sampleui.runs.records import open_run
from sampleui.runs.regrading import regraded
from sampleui.runs.requests import prompt_sent
from sampleui.sample.model import Sample
from sampleui.settings.options import Settings
from sampleui.trace.reading.extract import read_trace
from sampleui.workspace.deck import Deck
from tests.inside import inside

TOOLS = Path(__file__).parents[1] / "integrations"


def project(folder: Path, name: str, *, results: str, deck: str) -> tuple[Results, Deck]:
    """Copy what a tool wrote into a project, and find its deck."""
    home = folder / "project"
    (home / ".git").mkdir(parents=True)
    copied = ("chat.json",) if name == "promptfoo" else ()
    for one in (results, deck, *copied):
        shutil.copy(next((TOOLS / name / "written").glob(one)), home)
    opened = open_results(next(home.glob(results))).indexed()
    found = decks_of_run(opened, (), Settings())
    assert [one.path.name for one in found.decks] == [deck]
    return opened, found.decks[0]


def samples_of(results: Results, deck: Deck) -> list[Sample | None]:
    index = index_of(deck.samples)
    found = [index.find(one) for one in results.entries]
    return [None if at is None else deck.samples[at] for at in found]


def test_of_two_decks_with_so_many_samples_the_one_is_taken_whose_values_are_repeated(tmp_path: Path) -> None:
    opened, deck = project(tmp_path, "lm_eval", results="samples_demo_mc*", deck="mc.jsonl")
    shutil.copy(TOOLS / "lm_eval/written/docs.jsonl", deck.path.parent)
    assert [one.path.name for one in decks_of_run(opened, (), Settings()).decks] == ["mc.jsonl"]


def test_of_tests_with_one_description_the_one_is_taken_that_has_the_values() -> None:
    home = TOOLS / "promptfoo/written/sessions"
    ran = open_results(home / "out.json").indexed()
    deck = decks_of_run(ran, (), Settings()).decks[0]
    assert all(samples_of(ran, deck))
    same = [
        (inside(one.data, "vars") if one else None, inside(ran.record(of.index).data, "vars"))
        for one, of in zip(samples_of(ran, deck), ran.entries, strict=True)
        if of.sample_id.startswith("same")
    ]
    assert [{"language": "English", **(own or {})} for own, _ in same] == [asked for _, asked in same]
    assert len({str(own) for own, _ in same}) == 2
    other = open_results(home / "other.jsonl").indexed()  # run with --var language=Dutch
    found = zip(samples_of(other, deck), other.entries, strict=True)
    asked = {of.id: one and one.data["vars"] for one, of in found}
    assert (asked["same"], asked["same (2)"]) == ({"question": "one"}, {"question": "two"})


def test_a_deck_that_does_not_have_the_samples_is_not_taken(tmp_path: Path) -> None:
    shutil.copy(TOOLS / "pydantic_evals/written/report.json", tmp_path)
    (tmp_path / "other.yaml").write_text("cases:\n- name: something else\n  inputs: what?\n", "utf-8")
    assert decks_of_run(open_results(tmp_path / "report.json"), (), Settings()).decks == ()


def test_tests_of_one_description_are_told_apart_by_their_variables(tmp_path: Path) -> None:
    opened, deck = project(tmp_path, "promptfoo", results="out.jsonl", deck="promptfooconfig.yaml")
    for entry, sample in zip(opened.entries, samples_of(opened, deck), strict=True):
        assert sample is not None
        question = opened.record(entry.index).data["vars"]["question"]  # type: ignore[index,call-overload]
        wanted = sample.data["vars"]["question"]  # type: ignore[index,call-overload]
        assert question in wanted if isinstance(wanted, list) else question == wanted


def test_what_promptfoo_asked_is_what_the_deck_renders(tmp_path: Path) -> None:
    opened, deck = project(tmp_path, "promptfoo", results="out.jsonl", deck="promptfooconfig.yaml")
    told = [
        prompt_sent(opened.record(entry.index), opened.base_dir, sample, deck)
        for entry, sample in zip(opened.entries, samples_of(opened, deck), strict=True)
        if sample is not None and sample.id != "greeting"  # of a list of variables the first is rendered
    ]
    assert told
    assert not any(one.differs for one in told)


def changed_lines(deck: Deck, sample: Sample, answer: str) -> list[str]:
    for setting in taking(sample, answer):
        deck = deck.set(sample.index, setting.path, setting.value)
    text = diff(deck.files)
    assert text.count("@@ ") <= 1
    return [line for line in text.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]


@pytest.mark.parametrize(
    ("name", "results", "deck", "record", "answer", "lines"),
    [
        ("promptfoo", "out.jsonl", "promptfooconfig.yaml", "capital of France", "Lyon is the capital", [
            "-        value: Paris", "+        value: Lyon is the capital"]),
        ("promptfoo", "out.jsonl", "promptfooconfig.yaml", "sum (2)", "six", [
            '-    assert: [{type: contains, value: "6"}]', '+    assert: [{type: contains, value: "six"}]']),
        ("pydantic_evals", "report.json", "demo.yaml", "capital", "Lyon", [
            "-  expected_output: Paris", "+  expected_output: Lyon"]),
        ("pydantic_evals", "report.json", "demo.yaml", "table", '{"a": 2}', ["-    a: 1", "+    a: 2"]),
        ("deepeval", "test_run_20261122_164831.json", "goldens.json", "test_case_1", "four", [
            '-        "expected_output": "4",', '+        "expected_output": "four",']),
        ("lm_eval", "samples_demo_gen*", "docs.jsonl", "a1", "lol", [
            '-{"id":"a1","question":"What is the capital of France?","answer":"Paris"}',
            '+{"id":"a1","question":"What is the capital of France?","answer":"lol"}']),
        ("lm_eval", "samples_demo_mc*", "mc.jsonl", "1", "blue", [
            '-{"q":"Grass is","choices":["blue","green"],"gold":1}',
            '+{"q":"Grass is","choices":["blue","green"],"gold":0}']),
        ("braintrust", "result.json", "rows.jsonl", "Monday?", "yes", [
            '-{"id": "row-3", "_xact_id": "1000", "created": "2026-11-22T10:00:00.000Z", "project_id": "p", '
            '"dataset_id": "d", "span_id": "s3", "root_span_id": "s3", "is_root": true, '
            '"input": {"question": "Monday?"}, "expected": {"a": 1}}',
            '+{"id": "row-3", "_xact_id": "1000", "created": "2026-11-22T10:00:00.000Z", "project_id": "p", '
            '"dataset_id": "d", "span_id": "s3", "root_span_id": "s3", "is_root": true, '
            '"input": {"question": "Monday?"}, "expected": "yes"}']),
        ("langsmith", "results.csv", "examples.jsonl", "00000000-0000-4000-8000-000000000002", "4", [
            '-{"dataset_id":"00000000-0000-4000-8000-000000000063","inputs":{"messages":[{"role":"user","content":'
            '"2 + 2?"}]},"outputs":{"answer":"5"},"metadata":{"dataset_split":["base","test"]},'
            '"id":"00000000-0000-4000-8000-000000000002","created_at":"2026-11-22T10:00:00Z",'
            '"modified_at":"2026-11-22T10:00:00Z","source_run_id":null,"attachments":null}',
            '+{"dataset_id":"00000000-0000-4000-8000-000000000063","inputs":{"messages":[{"role":"user","content":'
            '"2 + 2?"}]},"outputs":{"answer":"4"},"metadata":{"dataset_split":["base","test"]},'
            '"id":"00000000-0000-4000-8000-000000000002","created_at":"2026-11-22T10:00:00Z",'
            '"modified_at":"2026-11-22T10:00:00Z","source_run_id":null,"attachments":null}']),
    ],
)  # fmt: skip
def test_an_answer_taken_over_is_one_hunk_of_the_deck(
    tmp_path: Path, name: str, results: str, deck: str, record: str, answer: str, lines: list[str]
) -> None:
    opened, found = project(tmp_path, name, results=results, deck=deck)
    entry = opened.find(record)
    assert entry is not None
    at = index_of(found.samples).find(entry)
    assert at is not None
    assert changed_lines(found, found.samples[at], answer) == lines


def test_what_is_no_choice_is_not_taken_for_one(tmp_path: Path) -> None:
    _, deck = project(tmp_path, "lm_eval", results="samples_demo_mc*", deck="mc.jsonl")
    assert taking(deck.samples[0], "red") == ()


def test_the_checks_that_need_no_model_are_evaluated_again(tmp_path: Path) -> None:
    opened, deck = project(tmp_path, "pydantic_evals", results="report.json", deck="demo.yaml")
    index = index_of(deck.samples)
    told = {}
    for entry in opened.entries:
        at = index.find(entry)
        assert at is not None
        one = regraded(opened, opened.record(entry.index), deck.samples[at])
        told[entry.id] = [(check.name, check.passed) for check in one.outcomes]
    assert told["capital"] == [("EqualsExpected", False), ("IsInstance", None), ("Close", None)]
    assert told["table"][0] == ("EqualsExpected", True)
    assert told["crash"][0] == ("EqualsExpected", None)


def test_assertions_of_promptfoo_are_evaluated_again_as_it_did(tmp_path: Path) -> None:
    opened, deck = project(tmp_path, "promptfoo", results="out.jsonl", deck="promptfooconfig.yaml")
    for entry, sample in zip(opened.entries, samples_of(opened, deck), strict=True):
        record = opened.record(entry.index)
        assert sample is not None
        if record.error is not None or sample.id == "greeting":  # a threshold decides there
            continue
        found = regraded(opened, record, sample)
        assert [check.passed for check in found.outcomes] == [one.verdict == "pass" for one in record.evaluators]


def test_what_is_open_counts_as_promptfoo_scored_it(tmp_path: Path) -> None:
    home = TOOLS / "promptfoo/written/sessions"
    text = (
        (home / "promptfooconfig.yaml").read_text("utf-8").replace("contains, value: Rome", "word-count, value: 9")
    )
    (tmp_path / "promptfooconfig.yaml").write_text(text, "utf-8")
    shutil.copy(home / "out.json", tmp_path)
    opened = open_results(tmp_path / "out.json").indexed()
    deck = decks_of_run(opened, (), Settings()).decks[0]
    told = {
        one.id: regraded(opened, opened.record(one.index), of).passes
        for one, of in zip(opened.entries, samples_of(opened, deck), strict=True)
        if of is not None
    }
    assert (told["same"], told["same (2)"], told["half"]) == (None, True, True)
    ran = next(one for one in opened.entries if one.id == "half")
    record = dataclasses.replace(opened.record(ran.index), outcome=False)  # as if the open one had decided
    sample = next(one for one in deck.samples if one.id == "half")
    assert regraded(opened, record, sample).passes is True, "nothing is open, and its score is enough"
    asked: Table = {
        **sample.data,
        "assert": [as_list(sample.data["assert"])[0], {"type": "word-count", "value": 9}],
    }
    assert regraded(opened, record, dataclasses.replace(sample, data=asked)).passes is False


def test_an_answer_that_is_a_table_is_that_table(tmp_path: Path) -> None:
    row = json.loads((TOOLS / "promptfoo/written/sessions/out.json").read_text("utf-8"))["results"]["results"][0]
    row["response"]["output"] = {"answer": "Paris", "n": 1}
    (tmp_path / "out.jsonl").write_text(json.dumps(row), "utf-8")
    assert json.loads(open_results(tmp_path / "out.jsonl").indexed().record(0).actual) == {
        "answer": "Paris",
        "n": 1,
    }


def test_the_tools_that_were_called_are_the_trace() -> None:
    run = open_run(TOOLS / "deepeval/written/test_run_20261122_164831.json")
    assert [one.id for one in run.records] == ["capital", "test_case_1", "test_case_2"]
    events = run.trace(0).events
    assert next((str(one.type), one.name) for one in events) == ("tool_call", "lookup")
    assert run.trace(1).events == ()


def test_the_tools_that_promptfoo_reports_are_the_trace(tmp_path: Path) -> None:
    run = open_run(TOOLS / "promptfoo/written/sessions/out.json")
    at = next(at for at, one in enumerate(run.records) if "tools" in one.id)
    call = run.trace(at).events[0]
    assert (str(call.type), call.name, call.input) == ("tool_call", "get_weather", {"city": "Paris"})
    assert all(not run.trace(other).events for other, one in enumerate(run.records) if "tools" not in one.id)
    row = json.loads((TOOLS / "promptfoo/written/sessions/out.json").read_text("utf-8"))["results"]["results"][0]
    row["response"]["metadata"] = {}  # the calls are the answer then
    (tmp_path / "out.jsonl").write_text(json.dumps(row), "utf-8")
    record = open_results(tmp_path / "out.jsonl").indexed().record(0)
    events = read_trace(record.data, tmp_path).events
    assert [(str(one.type), one.name, one.input) for one in events] == [
        ("tool_call", "get_weather", {"city": "Paris"})
    ]


def test_what_was_done_by_verifiers_is_the_trace(tmp_path: Path) -> None:
    row = json.loads((TOOLS / "verifiers/written/results.jsonl").read_text("utf-8").splitlines()[0])
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}}
    row["completion"] = [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "seen"},
        {"role": "assistant", "content": "Lyon"},
    ]
    (tmp_path / "results.jsonl").write_text(json.dumps(row), "utf-8")
    record = open_results(tmp_path / "results.jsonl").indexed().record(0)
    assert record.actual == "Lyon"
    assert "look" in [one.name for one in read_trace(record.data, tmp_path).events]
