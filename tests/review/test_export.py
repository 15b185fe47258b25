from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from sampleui.formats.data import Table
from sampleui.review.reports.export import Reviewed, export
from sampleui.review.verdict import Verdict
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.model import Sample
from tests.review.build import decision, only_record

DECK: Table = {
    "messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "old"}],
    "expected": "old",
    "tags": ["x"],
}


def reviewed(folder: Path, row: Mapping[str, object], data: Table | None = None) -> Reviewed:
    record = only_record(folder, row)
    sample = (
        None if data is None else Sample(record.sample_id, 0, data, "calibrate", ("messages",), folder / "deck")
    )
    return Reviewed(record, decision(record.digest, Verdict.EXPECTED_WRONG), sample)


def test_a_sample_of_the_deck_is_exported_as_it_is(tmp_path: Path) -> None:
    found = export([reviewed(tmp_path, {"test_id": "a", "score": 0, "output": "new"}, DECK)], DIALECTS["calibrate"])
    assert found.samples == ({"id": "a", **DECK},)
    assert found.report == ()


def test_the_actual_answer_can_become_the_expected_one(tmp_path: Path) -> None:
    one = reviewed(tmp_path, {"test_id": "a", "score": 0, "output": "new"}, DECK)
    (sample,) = export([one], DIALECTS["calibrate"], take_actual=True).samples
    assert sample == {"id": "a", **DECK, "expected": "new"}
    assert DECK["expected"] == "old"


@pytest.mark.parametrize(
    "row",
    [{"answer_path": "a/answer.md"}, {"error": "boom"}, {"error": "boom", "output": "Error occurred: boom"}],
)
def test_what_is_no_answer_does_not_become_the_expected_one(tmp_path: Path, row: Table) -> None:
    one = reviewed(tmp_path, {"test_id": "a", "score": 0, **row}, DECK)
    found = export([one], DIALECTS["calibrate"], take_actual=True)
    assert found.samples == ({"id": "a", **DECK},)
    assert found.report == (f"a: its answer is not taken: {one.record.unanswered}",)


def test_what_a_model_thought_gets_into_no_deck(tmp_path: Path) -> None:
    thought = {"type": "thinking", "thinking": "perhaps blue", "signature": "s"}
    before = {"role": "assistant", "content": [thought, {"type": "text", "text": "Ask."}]}
    answer = {"role": "assistant", "content": [thought, {"type": "text", "text": "green"}]}
    row = {"test_id": "a", "score": 0, "input": [before, {"role": "user", "content": "?"}], "output": [answer]}
    for data in (DECK, None):
        found = export([reviewed(tmp_path, row, data)], DIALECTS["calibrate"], take_actual=True)
        assert "blue" not in str(found.samples)
        assert found.samples[0]["expected"] == "green"
    thought_alone = reviewed(tmp_path, {**row, "output": [{**answer, "content": [thought]}]}, DECK)
    found = export([thought_alone], DIALECTS["calibrate"], take_actual=True)
    assert found.samples == ({"id": "a", **DECK},)
    assert found.report == ("a: its answer is not taken: no answer",)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("<think>perhaps blue</think>\n\ngreen", "green"),
        ("\n<think signature='s'>perhaps\nblue</think>green", "green"),
        ("<think></think><think>blue</think> green ", "green"),
        ("<think>a <think>blue</think> b</think>green", "green"),
        ("perhaps blue\n</think>\n\ngreen", "green"),  # its chat template had opened it
        ("<think>perhaps blue", ""),
        ("Write <think>x</think> here.", "Write <think>x</think> here."),
        ("<thinking>x</thinking> y", "<thinking>x</thinking> y"),
        ("<thinker>x", "<thinker>x"),
    ],
)
def test_what_a_model_thought_in_the_text_of_its_answer_is_no_answer(
    tmp_path: Path, said: str, answer: str
) -> None:
    record = reviewed(tmp_path, {"test_id": "a", "score": 0, "output": said}, DECK).record
    assert (record.actual, record.whole) == (answer, said if said != answer else "")
    assert ["graders saw the whole" in note.message for note in record.notes] == ([True] if said != answer else [])
    found = export([reviewed(tmp_path, {"test_id": "a", "score": 0, "output": said}, DECK)],
                   DIALECTS["calibrate"], take_actual=True)  # fmt: skip
    assert found.samples[0]["expected"] == (answer or "old")


@pytest.mark.parametrize("dialect", ["calibrate", "agentv", "gage"])
def test_a_record_without_a_sample_becomes_one(tmp_path: Path, dialect: str) -> None:
    row = {"test_id": "a", "score": 0, "input": "What is up?", "expected_output": "the sky", "output": "the roof"}
    (sample,) = export([reviewed(tmp_path, row)], DIALECTS[dialect]).samples
    assert sample["id"] == "a"
    assert "What is up?" in str(sample)
    assert "the sky" in str(sample)
    assert "the roof" not in str(sample)
    (taken,) = export([reviewed(tmp_path, row)], DIALECTS[dialect], take_actual=True).samples
    assert "the roof" in str(taken)
    assert "the sky" not in str(taken)


def test_a_gage_record_is_its_own_sample(tmp_path: Path) -> None:
    row = {
        "schema_version": "v1",
        "id": "a",
        "messages": [{"role": "user", "content": "?"}],
        "references": ["b"],
        "predict_result": ["c"],
        "eval_result": {"acc": 0},
    }
    (sample,) = export([reviewed(tmp_path, row)], DIALECTS["gage"]).samples
    assert sample == {key: row[key] for key in ("schema_version", "id", "messages", "references")}


def test_what_cannot_be_exported_is_reported(tmp_path: Path) -> None:
    one = reviewed(tmp_path, {"test_id": "a", "score": 0, "output": "x"})
    found = export([one, one], DIALECTS["agentv"])
    assert len(found.samples) == 1
    assert found.report == (
        "a: no deck has its sample and the record does not say what was asked",
        "a: left out, its sample is exported already",
    )


def test_samples_of_several_suites_that_share_an_id_are_numbered(tmp_path: Path) -> None:
    row = {"test_id": "a", "score": 0, "output": "x"}
    found = export(
        [reviewed(tmp_path, {**row, "suite": suite}, DECK) for suite in ("s", "t", "u")], DIALECTS["calibrate"]
    )
    assert [one["id"] for one in found.samples] == ["a", "a-2", "a-3"]
    assert found.report[0] == "a: is called a-2, for another suite has a sample a"


def test_a_reference_that_a_record_alone_has_is_written_with_a_line(tmp_path: Path) -> None:
    row = {"test_id": "a", "input": "?", "expected": "file://a.txt", "score": 0, "output": "x"}
    found = export([reviewed(tmp_path, row)], DIALECTS["inspect"])
    assert found.samples[0]["target"] == "file://a.txt"
    assert [line for line in found.report if "file://a.txt stands as it is written" in line]
