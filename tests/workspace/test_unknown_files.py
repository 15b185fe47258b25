"""Files that nobody knows: which they are, and what a table reads of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from sampleui.errors import ResultsError, SettingsError
from sampleui.formats.data import Table
from sampleui.review.record import Outcome, failed
from sampleui.review.results.file import open_results
from sampleui.sample.dialects.guessing import guessed
from sampleui.settings.options import load_settings
from sampleui.settings.writing import take_table
from sampleui.tui.workspace.listing import entries_found
from sampleui.workspace.folders import deck_check
from sampleui.workspace.head import Head, RunFile
from sampleui.workspace.unknown_files import FieldsRead, Unknown, unknown_at, unknown_results

EXAMPLES = sorted(path for path in (Path(__file__).parents[2] / "examples" / "decks").iterdir() if path.is_file())
LOG = Path(__file__).parents[1] / "integrations" / "inspect_ai" / "logs" / "kinds.json"
ASKED = [{"key": "a", "problem": "2?", "solution": "two"}, {"key": "b", "problem": "3?", "solution": "three"}]
PASSED: Table = {"success": True, "score": 1, "gradingResult": {"pass": True}, "testCase": {}, "promptIdx": 0}
GRADED = [
    {"case": "a", "question": "2?", "gold": "two", "prediction": "two", "verdict": "correct"},
    {"case": "b", "question": "3?", "gold": "three", "prediction": "two", "verdict": "wrong"},
]


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    return path


def found(path: Path) -> Unknown | RunFile | None:
    return unknown_at(Head.of(path, load_settings(path.parent)))


def guess(path: Path) -> Unknown | None:
    made = found(path)
    assert not isinstance(made, RunFile)
    return made


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_decks_of_known_dialects_are_not_asked_about(path: Path) -> None:
    assert guess(path) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("begun.toml", '[[samples]]\nid = "a"\n'),
        ("numbers.jsonl", '{"a": 1}\n{"a": 2}\n'),
        ("empty.jsonl", ""),
        ("cut.jsonl", '{"key": "a", "prob'),
        ("known.csv", "input,target\n2?,two\n"),
    ],
)
def test_what_gives_nothing_to_guess_from_is_not_asked_about(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert guess(tmp_path / name) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("deck.yaml", "cases:\n- {key: a, problem: 2?, solution: two}\n- {key: b, problem: 3?, solution: three}\n"),
        ("deck.json", json.dumps({"samples": ASKED})),
        ("deep.json", json.dumps({"suite": {"items": ASKED}})),
        ("named.json", json.dumps({one["key"]: one for one in ASKED})),
        ("deck.csv", "key,problem,solution\na,2?,two\nb,3?,three\n"),
        ("deck.jsonl", "".join(json.dumps(one) + "\n" for one in ASKED) + '{"key": "c", "pro'),
    ],
)
def test_a_deck_is_read_by_its_guess_and_known_once_that_is_taken(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    unknown = guess(path)
    assert unknown is not None
    trial = unknown.tried(unknown.text)
    assert (trial.read, trial.why) == (2, "")
    assert trial.first[0] == FieldsRead("a", ("user",), "2?", "two")
    take_table(tmp_path, unknown.text)
    assert guess(path) is None


def sheet(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.mark.parametrize("name", ["run.jsonl", "run.csv"])
def test_results_are_told_from_a_deck_and_read_with_their_outcomes(tmp_path: Path, name: str) -> None:
    path = (lines if name.endswith("jsonl") else sheet)(tmp_path / name, GRADED)
    unknown = guess(path)
    assert (
        unknown is not None
        and unknown.setting == "results"
        and unknown_results(open_results(path, asked=True)) is not None
    )
    trial = unknown.tried(unknown.text)
    assert (trial.looked, trial.read, dict(trial.outcomes)) == (2, 2, {Outcome.PASSED: 1, Outcome.FAILED: 1})
    assert trial.first[1] == FieldsRead("b", (), "3?", "three", "two", "failed")
    turned = unknown.text.replace(
        'outcome = "verdict"', 'outcome = "verdict"\npasses = ["wrong"]\nfails = ["correct"]'
    )
    assert unknown.tried(turned).first[1].outcome == "passed"
    take_table(tmp_path, unknown.text)
    assert found(path) == RunFile(path) and unknown_results(open_results(path, asked=True)) is None


def test_a_log_of_inspect_is_a_run_though_its_samples_have_messages() -> None:
    assert json.loads(LOG.read_bytes())["samples"][0]["messages"]
    assert found(LOG) == RunFile(LOG)


def test_a_deck_that_begins_as_a_log_may_is_a_deck(tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    turn = {"role": "user", "content": "hi"}
    path.write_text(json.dumps({"eval": "e", "dataset": "d", "samples": [{"messages": [turn]}]}), "utf-8")
    assert found(path) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.jsonl", '{"test_id": "a", "score": 0.5, "output": "long enough to be a prompt"}\n'),
        (
            "run.json",
            json.dumps({"config": {"tests": ASKED}, "results": {"results": [{"vars": {"q": "2?"}, **PASSED}]}}),
        ),
    ],
)
def test_what_a_tool_wrote_is_known_for_results(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert found(tmp_path / name) == RunFile(tmp_path / name)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl"])
def test_ids_outcomes_and_what_was_asked_are_offered_as_results(tmp_path: Path, suffix: str) -> None:
    rows: list[Table] = [{"id": "a", "question": "2?", "answer": "two", "passed": "True"}]
    path = tmp_path / f"run.{suffix}"
    text = {"csv": "id,question,answer,passed\na,2?,two,True\n", "jsonl": json.dumps(rows[0]) + "\n"}
    path.write_text(text.get(suffix, text["csv"].replace(",", "\t")), "utf-8")
    unknown = guess(path)
    assert unknown is not None and unknown.setting == "results"
    assert unknown.tried(unknown.text).first == (FieldsRead("a", (), "2?", "", "two", "passed"),)


def test_samples_of_a_known_tool_in_an_unknown_place_are_offered_as_a_deck(tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    path.write_text(
        json.dumps({"data": [{"input": "2?", "target": "two"}, {"input": "3?", "target": "x"}]}), "utf-8"
    )
    unknown = guess(path)
    assert unknown is not None and 'container = "data"' in unknown.text
    assert unknown.tried(unknown.text).read == 2


def test_of_several_places_the_one_is_taken_whose_names_say_that_they_are_samples(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    features = [{"index": at, "name": name, "type": {}} for at, name in enumerate(("id", "question", "answer"))]
    rows = [{"index": at, "row": {"question": f"{at}?", "answer": "two"}} for at in range(2)]
    path.write_text(json.dumps({"features": features, "rows": rows}), "utf-8")
    unknown = guess(path)
    assert unknown is not None and 'container = "rows"' in unknown.text
    assert unknown.tried(unknown.text).first[0] == FieldsRead("#1", ("user",), "0?", "two")


def test_cells_of_results_are_what_they_look_like_but_for_ids_and_answers(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(
        'id,prediction,passed,score,checks\n007,1e3,True,.50,"{""a"": 1}"\n8,x,false,1,{}\n9,x,,,,\n,a,b,c,d,e\n'
    )
    results = open_results(path).indexed()
    assert results.first_rows[0] == {
        "id": "007",
        "prediction": "1e3",
        "passed": True,
        "score": 0.5,
        "checks": {"a": 1},
    }
    assert [failed(one) for one in results.entries] == [False, True]
    assert [one.line for one in results.diagnostics] == [4, 5]
    (tmp_path / "table.csv").write_text("name,size\na,1\n", "utf-8")
    with pytest.raises(ResultsError, match="nothing in its columns"):
        open_results(tmp_path / "table.csv")


def test_a_folder_lists_what_a_guessed_table_would_read_and_leaves_out_other_data(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    lines(tmp_path / "asked.jsonl", ASKED)
    lines(tmp_path / "people.jsonl", [{"name": "Ann", "about": "likes long walks"}, {"name": "Bo", "about": "no"}])
    lines(tmp_path / "school.jsonl", [{"id": "a", "question": "2?", "answer": "two", "grade": 5}])
    sheet(tmp_path / "graded.csv", GRADED)
    sheet(tmp_path / "passed.csv", [{"id": "a", "passed": "True"}])
    sheet(tmp_path / "sizes.csv", [{"name": "a", "size": "1"}])
    (tmp_path / "config.yaml").write_text("services:\n  web: {image: a}\n", "utf-8")
    (tmp_path / "deck.jsonl").write_text('{"input": "2?", "target": "two"}\n', "utf-8")
    found = {one.path.name: one.kind for one in entries_found([tmp_path], load_settings(tmp_path), {})}
    assert found == {
        "asked.jsonl": "unknown",
        "deck.jsonl": "deck",
        "graded.csv": "unknown",
        "passed.csv": "unknown",
        "school.jsonl": "unknown",
    }
    (tmp_path / "sizes.csv").write_text("file,bytes,went\na,1,y\n", "utf-8")
    table = '[results.sizes]\nid = "file"\noutcome = "went"\n'
    (tmp_path / ".sampleui.toml").write_text(table, "utf-8")
    assert deck_check(tmp_path / "sizes.csv").reason == "results"
    school = guess(tmp_path / "school.jsonl")
    assert school is not None and school.setting == "dialects"


def test_a_table_that_would_not_open_the_file_says_why(tmp_path: Path) -> None:
    unknown = guess(lines(tmp_path / "deck.jsonl", ASKED))
    assert unknown is not None
    away = unknown.tried('[dialects.mine]\nprompt = "nowhere"\n')
    assert (away.read, away.why) == (0, "no sample has messages or a prompt where it says")
    untold = unknown.tried('[dialects.mine]\nprompt = "problem"\nmarks = ["nowhere"]\n')
    assert (untold.read, "its marks" in untold.why) == (2, True)
    with pytest.raises(SettingsError, match="did you mean response") as caught:
        unknown.tried('[dialects.mine]\nprompt = "problem"\nresponce = "solution"\n')
    assert (caught.value.line, caught.value.column) == (3, 1)
    with pytest.raises(SettingsError, match="taken for a deck here"):
        unknown.tried('[results.mine]\nid = "key"\nscore = "x"\n')


NOTHING = [
    {
        "instance_id": "a-1",
        "repo": "x/y",
        "base_commit": "d16bfe05a744909de4b27f58",
        "patch": "diff --git a/x b/x\n+b",
    },
    {"id": "7f9c2ba4e88f827d616045507605853e", "ok": 1},
    {"path": "src/very/long/path/to/file_one.py", "lines": 12},
    {"model": "meta-llama/Llama-3-70b-Instruct", "provider": "together"},
    {"prompt_id": "p-001", "prompt_hash": "7f9c2ba4e88f827d616045507605853e", "response_file": "out/a.txt"},
    {"program": "pytest", "command": "python -m pytest -q tests/unit", "cwd": "/home/me/project"},
    {"url": "https://example.com/a/b", "timestamp": "2025-01-01T00:00:00Z"},
    {"input": "data/a.json", "n": 1},
]


@pytest.mark.parametrize("row", NOTHING, ids=lambda row: next(iter(row)))
def test_what_things_are_called_is_no_prompt(row: Table) -> None:
    other = {key: value.replace("1", "2") if isinstance(value, str) else value for key, value in row.items()}
    assert guessed([row, other], ()) is None


def test_a_question_is_found_beside_longer_texts_that_nobody_asks() -> None:
    row: Table = {"problem_statement": "Fix the login.", "patch": "diff --git a b\n" + "+ x\n" * 20, "task": "swe"}
    table = guessed([row, {**row, "problem_statement": "Sort the users."}], ())
    assert table is not None
    assert (table["prompt"], "response" in table) == ("problem_statement", False)
