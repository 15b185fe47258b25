"""Results of a user's own: guessed, pasted into the project's file, read; what is wrong is told at its place."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sampleui.errors import SettingsError
from sampleui.formats.data import Table
from sampleui.integrations.index import SHIPPED, integration
from sampleui.review.record import failed
from sampleui.review.results.file import UNREAD_ROW, open_results
from sampleui.review.results.guessing import guessed_rows, written_rows
from sampleui.settings.options import read_settings
from sampleui.settings.vocabulary import SHIPPED_RESULTS, Fault, read_result_tables
from sampleui.settings.writing import take_table
from tests.command import ran

GRADED: list[Table] = [
    {
        "case_id": "capital",
        "question": "What is the capital?",
        "gold": "Paris",
        "prediction": "Lyon",
        "grade": {"points": 20, "verdict": "bad answer"},
        "checks": [{"name": "exact", "passed": False, "reason": "not the same"}],
        "model": "atlas",
    },
    {
        "case_id": "sum",
        "question": "2 + 2?",
        "gold": "4",
        "prediction": "4",
        "grade": {"points": 95, "verdict": "correct"},
        "checks": [{"name": "exact", "passed": True}],
        "model": "atlas",
    },
]
TABLE = """
[results.mine]
id = "case_id"
outcome = "grade.verdict"
fails = ["bad answer"]
score = "grade.points"
scale = [0, 100]
actual = "prediction"
expected = "gold"
prompt = "question"
evaluators = "checks"
target = "model"
"""


def lines(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    return path


def test_rows_open_by_a_table_of_the_settings(tmp_path: Path) -> None:
    (tmp_path / ".sampleui.toml").write_text(TABLE, "utf-8")
    results = open_results(lines(tmp_path / "run.jsonl", GRADED)).indexed()
    assert results.guess is None
    first, second = (results.record(at) for at in (0, 1))
    assert (first.sample_id, first.score, first.outcome, first.target) == ("capital", 0.2, False, "atlas")
    assert (first.actual, first.expected) == ("Lyon", "Paris")
    assert first.asked == ({"role": "user", "content": "What is the capital?"},)
    assert [(one.name, one.verdict, one.reasoning) for one in first.evaluators] == [
        ("exact", "fail", "not the same")
    ]
    assert (second.score, failed(second)) == (0.95, False)


def test_a_container_is_where_the_table_says(tmp_path: Path) -> None:
    table = '[results.mine]\nid = "n"\nscore = "s"\ncontainer = "out.rows"\nscale = [5, 1]\n'
    (tmp_path / ".sampleui.toml").write_text(table, "utf-8")
    path = tmp_path / "run.json"
    path.write_text('{"rows": [{"n": 9}],\n "out": {"rows": [\n  {"n": 1, "s": 5},\n  {"n": 2, "s": 1}]}}', "utf-8")
    results = open_results(path).indexed()
    assert [(one.id, one.score, one.line) for one in results.entries] == [("1", 0.0, 3), ("2", 1.0, 4)]


@pytest.mark.parametrize(
    ("table", "place", "said"),
    [
        ("results = 3\n", (1, 1), "results must be a table of tables"),
        ('[results.X]\nid = "a"\n', (1, 2), "is not a name for a result dialect"),
        ('[results.promptfoo]\nid = "a"\n', (1, 2), "is shipped"),
        ('[results.mine]\nid = "a"\nscore = 3\n', (3, 1), "score must be a path of keys"),
        ('[results.mine]\nid = "a"\nscore = "s"\nscale = [1, 1]\n', (4, 1), "two different numbers"),
        ('[results.mine]\nid = "a"\nscore = "s"\nscale = [nan, 1]\n', (4, 1), "two different numbers"),
        ('[results.mine]\nid = "a"\noutcom = "s"\n', (3, 1), "did you mean outcome?"),
        ('[results.mine]\nscore = "a"\n', (1, 2), "neither where an id is nor"),
        ('[results.mine]\nid = "a"\noutcome = "o"\npasses = "ok"\n', (4, 1), "passes must be a list of words"),
        ('[results.mine]\nid = "a..b"\noutcome = "o"\n', (2, 1), "id must be a path"),
    ],
)
def test_a_wrong_table_is_an_error_at_its_place(
    tmp_path: Path, table: str, place: tuple[int, int], said: str
) -> None:
    path = tmp_path / ".sampleui.toml"
    path.write_text(table, "utf-8")
    with pytest.raises(SettingsError, match=re.escape(said)) as caught:
        read_settings(path)
    assert (caught.value.line, caught.value.column) == place


def test_the_names_of_shipped_result_dialects_are_taken() -> None:
    adapters = [adapter for entry in SHIPPED for adapter in integration(entry.name).results().adapters]
    assert {one.name.split()[0] for one in adapters} <= SHIPPED_RESULTS


def test_a_guessed_table_is_one_that_the_settings_take() -> None:
    import tomli

    table = guessed_rows(GRADED)
    assert table is not None
    read = read_result_tables(tomli.loads(written_rows("mine", table))["results"])
    assert not isinstance(read, Fault)
    assert read["mine"] == table


def test_unknown_rows_open_by_a_guess_that_is_told(tmp_path: Path) -> None:
    results = open_results(lines(tmp_path / "run.jsonl", GRADED)).indexed()
    assert results.guess is not None
    assert "outcome = grade.verdict" in results.guess.remark
    assert [(one.sample_id, one.score, one.outcome) for one in results.entries] == [
        ("capital", 0.2, False),
        ("sum", 0.95, True),
    ]


@pytest.mark.parametrize(
    ("rows", "outcomes"),
    [
        ([{"id": 1, "answer": "x", "correct": False}, {"id": 2, "answer": "x", "correct": True}], [True, False]),
        ([{"id": 1, "score": 85}, {"id": 2, "score": 0}, {"id": 3, "score": 1}], [False, True, True]),
        (
            [{"id": 1, "output": "x", "scores": {"acc": 0.0, "style": None}}, {"id": 2, "scores": None}],
            [True, False],
        ),
        ([{"qid": "a", "metrics": {"em": {"score": 0.0}, "f1": {"score": 0.1}}, "pred": "x"}], [True]),
    ],
)
def test_what_a_guess_makes_of_outcomes(tmp_path: Path, rows: list[Table], outcomes: list[bool]) -> None:
    results = open_results(lines(tmp_path / "run.jsonl", rows)).indexed()
    assert results.guess is not None
    assert [failed(one) for one in results.entries] == outcomes


@pytest.mark.parametrize("name", ["reply", "llm_output", "final_answer", "Model Response", "answer"])
def test_the_answer_is_guessed_by_its_name_and_not_taken_for_what_was_expected(name: str) -> None:
    table = guessed_rows([{"case": "a", "passed": True, name: "4", "gold": "four"}] * 2)
    assert table is not None
    assert (table["actual"], table["expected"]) == (name, "gold")


def test_rows_of_known_tools_and_answers_alone_are_not_guessed(tmp_path: Path) -> None:
    for rows in (
        [{"id": "a", "score": 0.5, "output": "x"}],
        [{"test_id": "a", "score": 7}],
        [{"id": "a", "output": "x"}],
    ):
        assert open_results(lines(tmp_path / "run.jsonl", rows)).indexed().guess is None


def test_a_foreign_row_among_those_of_a_known_tool_makes_no_guess(tmp_path: Path) -> None:
    rows: list[Table] = [
        {"test_id": "a", "score": 1, "target": "m", "passed": True},
        {"test_id": "b", "score": 0, "target": "m", "passed": False},
        {"nothing": 1},
    ]
    results = open_results(lines(tmp_path / "run.jsonl", rows)).indexed()
    assert results.guess is None
    assert [entry.target for entry in results.entries] == ["m", "m"]
    assert [(one.line, one.rule) for one in results.diagnostics] == [(3, UNREAD_ROW)]


def test_guess_takes_the_table_into_the_projects_file(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    path, settings = lines(tmp_path / "run.jsonl", GRADED), tmp_path / ".sampleui.toml"
    before = "# mine\r\ntheme   =  'dark' # a comment"
    settings.write_bytes(before.encode())
    assert ran("guess", "--take", path).code == 0
    taken = settings.read_bytes().decode()
    assert taken.startswith(before + "\r\n\r\n[results.run]\r\n")
    results = open_results(path).indexed()
    assert (results.guess, [failed(one) for one in results.entries]) == (None, [True, False])
    again = ran("guess", "--take", path)
    assert (again.code, settings.read_bytes().decode()) == (2, taken)
    assert "[results.run] is there already" in again.err


@pytest.mark.parametrize(
    ("held", "table", "said"),
    [
        ("theme = 3\n", TABLE, "theme must be a text"),
        ("results = {}\n", TABLE, "would mean something else"),
        ("", 'theme = "dark"\n' + TABLE, "theme is not the table of a dialect"),
        ("", TABLE + "outcom = 1\n", "did you mean outcome?"),
        ("", TABLE.replace("mine", "Mine"), "is not a name for a result dialect"),
        ("", TABLE + TABLE.replace("mine", "other"), "several tables"),
        ("", "", "there is no table"),
    ],
)
def test_a_table_that_cannot_be_taken_leaves_the_file_as_it_is(
    tmp_path: Path, held: str, table: str, said: str
) -> None:
    (tmp_path / ".git").mkdir()
    path = tmp_path / ".sampleui.toml"
    path.write_text(held, "utf-8")
    with pytest.raises(SettingsError, match=re.escape(said)):
        take_table(tmp_path, table)
    assert path.read_text("utf-8") == held


def test_a_table_is_not_written_through_a_link_that_leads_out(tmp_path: Path) -> None:
    inside = tmp_path / "project"
    (inside / ".git").mkdir(parents=True)
    (inside / ".sampleui.toml").symlink_to(tmp_path / "outside.toml")
    with pytest.raises(SettingsError, match="cannot be used"):
        take_table(inside, TABLE)
    assert not (tmp_path / "outside.toml").exists()


def test_guess_prints_the_table_of_results_and_of_decks(tmp_path: Path) -> None:
    path = lines(tmp_path / "run.jsonl", GRADED)
    deck = lines(tmp_path / "deck.jsonl", [{"question": "2 + 2?", "answer": "4"}])
    counts = lines(tmp_path / "counts.jsonl", [{"a": 1}])
    told = [
        ran("guess", *args)
        for args in ([str(path)], [str(deck)], [str(path), "--as", "deck"], [str(deck), "--as", "results"])
    ]
    assert ["[results." in one.out for one in told] == [True, False, False, True]
    assert ["[dialects." in one.out for one in told] == [False, True, True, False]
    nothing = ran("guess", str(counts), "--as", "results")
    assert (nothing.code, "nothing in its rows looks like something to read" in nothing.err) == (2, True)
