"""Samples of an AgentV suite that leave their file: whole, and in a deck that AgentV 4 reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from sampleui.deck.load import load
from sampleui.workspace.deck import deck_of
from sampleui.workspace.reading import PromptOptions

DECK = """name: t
tags: [x]
input:
  - role: system
    content: Be brief.
input_files: [./files/note.md]
assertions:
  - {name: tone, type: llm-grader, prompt: ./graders/tone.md}
tests:
  - id: a
    criteria: c
    input: A.
    assertions: [{type: contains, value: yes}]
  - id: b
    criteria: c
    execution: {skip_defaults: true}
    input:
      - role: user
        content: [{type: file, value: files/note.md}, {type: file, value: none.md}, {type: text, value: B.}]
"""
ROWS = [{"test_id": name, "score": 0, "output": "no"} for name in ("a", "b", "gone")]


@pytest.fixture
def results(tmp_path: Path, sampleui) -> Path:
    (tmp_path / ".git").mkdir()
    for name in ("evals/files/note.md", "evals/graders/tone.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text")
    (tmp_path / "evals" / "t.eval.yaml").write_text(DECK)
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps({**row, "question": "Gone."}) + "\n" for row in ROWS))
    for row in ROWS:
        assert sampleui("verdict", path, row["test_id"], "model-wrong").code == 0
    return path


def exported(sampleui, results: Path, target: Path):
    deck = results.parent / "evals" / "t.eval.yaml"
    ran = sampleui("export", results, "--verdict", "model-wrong", "--to", target, "--deck", deck)
    assert ran.code == 1 and ran.err.count("warning") == 2, ran.err  # the deck names a file that is not there
    return ran


def test_a_new_deck_has_what_the_suite_said_and_paths_counted_from_its_own_folder(sampleui, results):
    (results.parent / "out").mkdir()
    target = results.parent / "out" / "new.eval.yaml"
    ran = exported(sampleui, results, target)
    made = yaml.safe_load(target.read_text())
    assert list(made) == ["tests"]
    one, two, gone = made["tests"]
    assert one["input"][0] == {"role": "system", "content": "Be brief."}
    assert one["input"][1]["content"][0] == {"type": "file", "value": "../evals/files/note.md"}
    assert [each.get("name", each["type"]) for each in one["assertions"]] == ["contains", "tone"]
    assert one["assertions"][1]["prompt"] == "../evals/graders/tone.md"
    assert "input_files" not in one
    assert [part["value"] for part in two["input"][0]["content"]] == ["../evals/files/note.md", "none.md", "B."]
    assert "assertions" not in two
    assert gone == {"id": "gone", "input": [{"role": "user", "content": "Gone."}]}
    assert "b: the path none.md leads to no file and stays as written" in ran.out
    assert "a: tags of t.eval.yaml holds for all its samples and is not carried over" in ran.out


def test_the_prompt_is_the_same_in_the_new_deck(sampleui, results):
    target = results.parent / "new.eval.yaml"
    exported(sampleui, results, target)
    style = PromptOptions(style="agentv-4")
    before = deck_of(load(results.parent / "evals" / "t.eval.yaml"), None, style)
    after = deck_of(load(target), None, style)
    for index in range(2):
        assert after.render(after.samples[index]).question == before.render(before.samples[index]).question


def test_a_suite_that_says_something_for_all_is_opted_out_of(sampleui, results):
    target = results.parent / "other.eval.yaml"
    target.write_text("name: o\ninput: Hello.\ntests:\n  - {id: z, criteria: c, input: Z}\n")
    exported(sampleui, results, target)
    made = yaml.safe_load(target.read_text())
    assert [one.get("execution") for one in made["tests"][1:3]] == [{"skip_defaults": True}] * 2


def test_promote_writes_the_keys_of_today(sampleui, results):
    target = results.parent / "p.eval.yaml"
    assert sampleui("promote", results, "--id", "gone", "--to", target).code == 0
    [made] = yaml.safe_load(target.read_text())["tests"]
    assert made["input"][0] == {"role": "user", "content": "Gone."}


def test_a_promoted_answer_is_what_the_sample_expects(sampleui, results):
    target = results.parent / "p.eval.yaml"
    results.write_text(
        '{"test_id": "said", "score": 1, "input": "Q", "output": "A"}\n'
        '{"test_id": "asked", "score": 1, "input": "Q"}\n'
    )
    assert "leaves" not in sampleui("promote", results, "--id", "said", "--to", target).err
    assert "AgentV leaves asked out" in sampleui("promote", results, "--id", "asked", "--to", target).err
    said, asked = yaml.safe_load(target.read_text())["tests"]
    assert said == {"id": "said", "input": [{"role": "user", "content": "Q"}], "expected_output": "A"}
    assert asked == {"id": "asked", "input": [{"role": "user", "content": "Q"}]}


def test_a_path_that_vars_fill_is_filled_since_the_variable_is_counted_from_the_old_folder(sampleui, results):
    deck = results.parent / "evals" / "t.eval.yaml"
    deck.write_text(DECK.replace("criteria: c\n    execution", "vars: {f: note}\n    execution").replace(
        "value: files/note.md", 'value: "files/{{ f }}.md"'
    ))  # fmt: skip
    target = results.parent / "new.eval.yaml"
    exported(sampleui, results, target)
    [_, two, _] = yaml.safe_load(target.read_text())["tests"]
    assert two["input"][0]["content"][0]["value"] == "./evals/files/note.md"
    assert two["vars"] == {"f": "note"}


def test_samples_of_two_suites_with_one_id_are_both_written(sampleui, tmp_path):
    path = tmp_path / "results.jsonl"
    rows = [{"test_id": "a", "suite": suite, "score": 0, "output": "no"} for suite in ("one", "two", "one")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for suite in ("one", "two"):
        deck = f"name: {suite}\ntests: ./cases.yaml\ninput: Be {suite}.\n"
        (tmp_path / f"{suite}.eval.yaml").write_text(deck)
    (tmp_path / "cases.yaml").write_text("- {id: a, criteria: c, input: A.}\n")
    decks = [part for suite in ("one", "two") for part in ("--deck", tmp_path / f"{suite}.eval.yaml")]
    for at in (1, 2, 3):
        assert sampleui("verdict", path, f"#{at}", "model-wrong", *decks).code == 0
    target = tmp_path / "new.eval.yaml"
    ran = sampleui("export", path, "--verdict", "model-wrong", "--to", target, *decks)
    assert [(test["id"], test["input"][0]["content"]) for test in yaml.safe_load(target.read_text())["tests"]] == [
        ("a", "Be one."),
        ("a-2", "Be two."),
    ]
    assert ran.out.splitlines()[:2] == [
        "a#2: is called a-2, for another suite has a sample a",
        "a#3: left out, its sample is exported already",
    ]


def test_nothing_is_written_into_the_folder_of_the_run(sampleui, tmp_path):
    run = tmp_path / "one"
    run.mkdir()
    row = {"test_id": "a", "score": 0, "question": "A?", "output": "no"}
    (run / "index.jsonl").write_text(json.dumps(row) + "\n")
    assert sampleui("verdict", run, "a", "model-wrong").code == 0
    for command in (("export", run, "--verdict", "model-wrong"), ("promote", run, "--id", "a")):
        ran = sampleui(*command, "--to", run / "new.yaml")
        assert (ran.code, "where nothing is written" in ran.err) == (2, True)
    assert [path.name for path in run.iterdir()] == ["index.jsonl"]
