"""Which files that nobody named are decks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.deck.load import load_begun
from sampleui.workspace.folders import UNTOLD, deck_check

SAMPLE = {"id": "a", "messages": [{"role": "user", "content": "hi"}]}

DECKS = {
    "deck.jsonl": json.dumps(SAMPLE),
    "scored.jsonl": json.dumps({**SAMPLE, "score": 1}),
    "deck.json": json.dumps([SAMPLE]),
    "one.json": json.dumps(SAMPLE),
    "deck.toml": '[[samples]]\nmessages = [{ role = "user", content = "hi" }]\n',
    "suite.yaml": "tests:\n- id: a\n  criteria: b\n  input: hi\n",
    "asked.jsonl": '{"input": "hi", "notes": "x"}\n',
    "own-keys.jsonl": '{"id": "a", "input": "hi", "criteria": "b", "x": 1, "y": 2, "z": 3, "u": 4}\n',
    "no-input.yaml": "tests:\n- id: a\n  criteria: b\n  expected_output: c\n",
    "broken.toml": '[[samples]]\nmessages = [{ role = "user"\n',
    "broken.json": '[{"messages": [}]',
    "latin.yaml": b"tests:\n- input: \xff\n",
    "wide.toml": "[[samples]]\nmessages = []\n".encode("utf-16"),
}
OTHERS = {
    "package.json": ('{"name": "x", "messages": []}', "another program's file"),
    "package-lock.json": ('{"packages": {}}', "another program's file"),
    "run.reviews.jsonl": ('{"id": "a", "verdict": "ok"}', "a log of verdicts"),
    "suite.baseline.jsonl": (
        '{"test_id": "a", "score": 1, "answer": "x", "input": [{"role": "user", "content": "Hi"}], "scores": []}',
        "results",
    ),
    "results.jsonl": ('{"test_id": "a", "score": 0.5, "candidate_answer": "x"}', "results"),
    "list.json": ('[{"name": "x"}, {"name": "y"}]', "no samples that a dialect knows"),
    "log.jsonl": (
        '{"time": "1", "severity": "INFO", "message": "hi", "input": "GET /", "status": 200}\n',
        "no samples that a dialect knows",
    ),
    "texts.json": ('{"messages": {"hello": "Hallo"}, "title": "x"}', "no samples"),
    "form.json": ('[{"label": "x"}]', "no samples that a dialect knows"),
    "settings.toml": ("[tool.x]\na = 1\n", "no samples"),
    "README.md": ("# x\n\n![picture](a.png)\n", "no samples"),
    "tsconfig.base.json": ('{\n  // comment\n  "a": 1\n}', "no deck: "),
    "ci.yaml": ("jobs:\n  test:\n    steps:\n    - run: x\n", "no samples"),
    "vectors.json": ('{"tests": [{"data": 1, "valid": true}]}', "no samples that a dialect knows"),
}


@pytest.mark.parametrize("name", DECKS)
def test_what_has_the_keys_of_a_deck_counts_as_one(tmp_path, name):
    text = DECKS[name]
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    assert deck_check(tmp_path / name).reason == ""


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_none_says_why(tmp_path, name):
    text, reason = OTHERS[name]
    (tmp_path / name).write_text(text)
    assert deck_check(tmp_path / name).reason.startswith(reason)


def test_decks_and_results_of_the_projects_own_tables_are_found(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "deck.jsonl").write_text('{"key": "a", "problem": "2?"}\n')
    (tmp_path / "run.jsonl").write_text('{"case": "a", "verdict": "correct"}\n')
    assert all(deck_check(path).reason.startswith("no samples that") for path in tmp_path.glob("*.jsonl"))
    tables = '[dialects.mine]\nprompt = "problem"\n[results.ours]\nid = "case"\noutcome = "verdict"\n'
    (tmp_path / ".sampleui.toml").write_text(tables)
    assert (deck_check(tmp_path / "deck.jsonl").reason, deck_check(tmp_path / "run.jsonl").reason) == (
        "",
        "results",
    )


def test_a_config_whose_tests_have_variables_alone_is_a_deck(tmp_path):
    (tmp_path / "c.yaml").write_text("prompts: ['{{q}}']\nproviders: [echo]\ntests: [{vars: {q: 1}}]\n")
    (tmp_path / "d.yaml").write_text("tests: [{vars: {q: 1}}]\n")
    assert deck_check(tmp_path / "c.yaml").reason == ""
    assert deck_check(tmp_path / "d.yaml").reason == ""


def test_the_files_of_a_suite_are_its_parts(tmp_path):
    (tmp_path / "cases.yaml").write_text("- id: a\n  input: hi\n")
    (tmp_path / "suite.yaml").write_text("tests: ./cases.yaml\n")
    assert deck_check(tmp_path / "suite.yaml").parts == ((tmp_path / "cases.yaml").resolve(),)


@pytest.mark.parametrize(
    ("header", "row", "end", "reason"),
    [
        ("name,size", '"so, \n long"', '9,"never closed\n', UNTOLD),
        ("id,input,target", "2?,two", "", ""),
        ("test_id,score,answer", "1,two", "", "results"),
        ("id,input,target", "2?,two", '9,"never closed\n', "no deck: the quote that begins here is never closed"),
    ],
)
def test_of_a_long_table_that_is_no_deck_only_the_first_rows_are_read(
    tmp_path: Path, header: str, row: str, end: str, reason: str
) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"{header}\n" + "".join(f"{at},{row}\n" for at in range(9_000)) + end, "utf-8")
    found = deck_check(path)
    assert found.reason == reason
    assert (found.files is not None and len(found.files) < 9_000) == (reason == UNTOLD)


def test_a_table_is_looked_at_up_to_a_row_that_ends(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text('a\tb\n1\t"x\n' + "y" * 100 + '"\n', "utf-8")
    assert load_begun(path, 20) is None
    assert load_begun(path, 1_000) is None
    path.write_text('a\tb\n1\t2\n3\t"x\n' + "y" * 100 + '"\n', "utf-8")
    begun = load_begun(path, 20)
    assert begun is not None and begun.sources[0].document.read(0) == {"a": "1", "b": "2"} and len(begun) == 1
    assert load_begun(path, path.stat().st_size - 1) is not None
    assert load_begun(path, path.stat().st_size) is None
    assert load_begun(tmp_path / "none.csv", 20) is None
