"""`sampleui check`: findings as lines and as JSON, and exit codes that CI can use."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from .conftest import DECKS


@pytest.fixture
def deck(tmp_path: Path):
    def written(text: str, name: str = "deck.toml") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return path

    return written


CLEAN = '[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "hi" }]\n'
ERROR = '[[samples]]\nid = "b"\nmessages = [{ role = "user" }]\n'
HINT = '[[samples]]\nid = "c"\nexpectd = 1\nmessages = [{ role = "user", content = "hi" }]\n'


@pytest.mark.parametrize("name", ["hello.toml", "keyed.toml"])
def test_the_examples_are_clean(sampleui, name):
    ran = sampleui("check", DECKS / name)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("samples in 1 deck: no problems\n")


def test_a_problem_is_a_line_with_its_place_and_exit_1(sampleui, deck):
    path = deck(CLEAN + ERROR)
    ran = sampleui("check", path)
    assert ran.code == 1
    assert ran.out.splitlines() == [
        f"{path}:6:13: error: Each message must have a content string [content-missing] in b",
        "2 samples in 1 deck: 1 error",
    ]


def test_a_warning_is_a_problem(sampleui, deck):
    ran = sampleui("check", deck("![x](none.toml)\n", "deck.md"))
    assert ran.code == 1
    assert "[reference-missing]" in ran.out


def test_hints_are_printed_and_are_no_problems(sampleui, deck):
    ran = sampleui("check", deck(HINT))
    assert ran.code == 0
    assert "[unknown-key]" in ran.out
    assert "1 hint" in ran.out


BESIDE = {
    "promptfooconfig.yaml": (
        "prompts: ['{{q}}']\nproviders: [echo]\ndefaulTest: {}\ntests: [{vars: {q: a}}]\n"
        "defaultTest: {asert: [], options: {provder: x}, assert: [{type: equals, valeu: a}]}\n"
        "evaluateOptions: {maxConcurency: 3}\n",
        {"defaulTest": 3, "asert": 5, "provder": 5, "valeu": 5, "maxConcurency": 6},
    ),
    "deck.toml": (f"mtea = {{}}\n{CLEAN}[[sampels]]\nid = 'b'\n", {"mtea": 1, "sampels": 5}),
    "a.eval.yaml": ("desciption: x\ntargte: y\ntests: [{id: a, input: hi}]\n", {"desciption": 1, "targte": 2}),
    "evals.json": ('{"skil_name": "x", "evals": [{"id": 1, "prompt": "hi"}]}', {"skil_name": 1}),
}  # fmt: skip


@pytest.mark.parametrize("name", BESIDE)
def test_a_misspelt_key_beside_the_samples_is_told_at_its_place(sampleui, deck, name):
    text, slips = BESIDE[name]
    ran = sampleui("check", deck(text, name), "--format", "json")
    found = [item for item in json.loads(ran.out)["decks"][0]["diagnostics"] if item["rule"] == "unknown-key"]
    assert {item["message"].split('"')[1]: item["line"] for item in found} == slips


def test_a_misspelt_key_that_is_set_beside_the_samples_is_told(sampleui, deck):
    ran = sampleui(
        "set", deck(*BESIDE["evals.json"][:1], "evals.json"), "--beside", "--path", "evlas", "--value", "x"
    )
    assert 'Unknown key "evlas"; did you mean "evals"?' in ran.err


def test_an_unreadable_deck_does_not_hide_the_others(sampleui, deck, tmp_path):
    broken = deck("a = \n", "broken.toml")
    (tmp_path / "empty").mkdir()
    ran = sampleui("check", broken, tmp_path / "none.toml", tmp_path / "empty", deck(ERROR))
    assert ran.code == 2
    assert "[content-missing]" in ran.out
    lines = ran.err.splitlines()
    assert lines[0].startswith(f"{broken}:1:")
    assert lines[1] == f"{tmp_path / 'none.toml'}: there is no such file"
    assert lines[2] == f"{tmp_path / 'empty'}: the folder has no decks"


def test_a_deck_that_may_not_be_read_does_not_hide_the_others(sampleui, deck, monkeypatch):
    secret = deck(CLEAN, "secret.toml")
    secret.chmod(0)
    monkeypatch.setattr(os, "access", lambda path, *_rest, **_more: Path(path) != secret)  # as for root it is not
    ran = sampleui("check", secret, deck(ERROR))
    assert "[content-missing]" in ran.out
    if os.geteuid():
        assert ran.code == 2
        assert ran.err == f"{secret}: the file cannot be read: Permission denied\n"


def test_json_has_the_documented_shape(sampleui, deck, tmp_path):
    path, broken = deck(ERROR), deck("a = \n", "broken.toml")
    ran = sampleui("check", path, broken, "--format", "json")
    assert ran.code == 2
    data = json.loads(ran.out)
    assert data["decks"][0] == {
        "path": str(path),
        "format": "toml",
        "dialect": "calibrate",
        "samples": 1,
        "error": None,
        "diagnostics": [
            {
                "rule": "content-missing",
                "severity": "error",
                "message": "Each message must have a content string",
                "path": str(path),
                "line": 3,
                "column": 13,
                "sample": "b",
                "sample_index": 0,
                "node": ["messages", 0],
            }
        ],
    }
    unread = data["decks"][1]
    assert (unread["format"], unread["samples"], unread["diagnostics"]) == (None, 0, [])
    assert unread["error"]["line"] == 1
    assert data["summary"] == {
        "decks": 2,
        "samples": 1,
        "unreadable": 1,
        "error": 1,
        "warning": 0,
        "info": 0,
        "hint": 0,
    }


def test_the_dialect_can_be_forced(sampleui, deck):
    ran = sampleui("check", deck(CLEAN), "--dialect", "gage", "--format", "json")
    assert json.loads(ran.out)["decks"][0]["dialect"] == "gage"
    assert ran.code == 1


def test_control_characters_of_a_deck_are_shown_as_symbols(sampleui, deck):
    path = deck('[[samples]]\nid = "x\\u001b[31m\\nnew line"\nmessages = []\n')
    ran = sampleui("check", path)
    assert "\x1b" not in ran.out
    assert "x␛[31m␊new line" in ran.out
    assert json.loads(sampleui("check", path, "--format", "json").out)["decks"][0]["diagnostics"][0]["sample"] == (
        "x\x1b[31m\nnew line"
    )


def test_json_of_what_is_not_valid_unicode_is_still_json(sampleui, deck):
    path = deck('{"id": "\\ud800", "messages": []}\n', "deck.jsonl")
    ran = sampleui("check", path, "--format", "json")
    assert json.loads(ran.out)["decks"][0]["diagnostics"][0]["sample"] == "\ud800"


def test_the_project_s_settings_count(sampleui, deck, tmp_path):
    (tmp_path / "rules.txt").write_text("Be brief.")
    content = '[{ type = "file", value = "rules.txt" }, { type = "text", value = "hi" }]'
    path = deck(f'[[samples]]\nmessages = [{{ role = "user", content = {content} }}]\n')
    assert (
        "Be brief." not in json.loads(sampleui("render", path, "--sample", "#1", "--as", "json").out)["guidelines"]
    )
    (tmp_path / ".sampleui.toml").write_text('guideline_patterns = ["**/rules.txt"]\n')
    assert "Be brief." in json.loads(sampleui("render", path, "--sample", "#1", "--as", "json").out)["guidelines"]


def test_verbose_says_why_a_dialect_was_chosen(sampleui, deck):
    path = deck('[[evalcases]]\nid = "a"\n[[evalcases.input_messages]]\nrole = "user"\ncontent = "Hi"\n')
    ran = sampleui("check", path, "--verbose")
    assert f"{path}: read as AgentV: samples have input_messages; they are under evalcases\n" in ran.out
    forced = json.loads(sampleui("check", path, "-v", "--dialect", "gage", "--format", "json").out)
    assert forced["decks"][0]["dialect_reason"] == "it was asked for"


@pytest.mark.parametrize(
    ("behind", "place"),
    [
        ("---\nx: [\n", "5:4"),
        ("---\nx: 1\n---\nfoo: bar: baz\n", "7:6"),
        ("...\n%YAML 1.2\n---\n*x\n", "7:1"),
    ],
)
def test_a_later_document_that_is_broken_is_an_error_with_its_place(sampleui, deck, behind, place):
    sample = "- id: a\n  messages:\n  - {role: user, content: hi}\n"
    broken, clean = deck(sample + behind, "a.yaml"), deck(sample, "b.yaml")
    result = sampleui("check", broken, clean)
    assert result.code == 2
    assert f"{broken}:{place}: " in result.err
    assert "1 sample in 1 deck: no problems" in result.out


def test_of_results_it_says_what_opens_them(sampleui, deck):
    metric = {"name": "m", "success": True, "score": 1.0, "threshold": 0.5}
    ran = {
        "testCases": [{"name": "a", "input": "?", "actualOutput": "x", "success": True, "metricsData": [metric]}]
    }
    path = deck(json.dumps(ran), "run.json")
    checked = sampleui("check", path)
    assert checked.code == 1
    told = "info: These are the results of a run, which sampleui review opens [not-a-deck]"
    assert checked.out.splitlines()[0] == f"{path}:1:1: {told}"
    assert sampleui("report", path).code == 0


@pytest.mark.parametrize(
    "text", ['{"text": "A page."}\n{"text": "Another."}\n', '{"query": "Who?", "reply": "Ada"}\n']
)
def test_of_rows_that_nobody_knows_it_says_what_guesses(sampleui, deck, text):
    path = deck(text, "rows.jsonl")
    checked = sampleui("check", path)
    assert checked.code == 1
    assert checked.out.startswith(f"{path}:1:1: info: No dialect finds messages here; sampleui guess")
    assert sampleui("guess", path).code == 0
    assert "not-a-deck" not in sampleui("check", path, "--dialect", "openai").out


def test_of_a_file_that_is_no_deck_the_findings_of_one_sample_are_listed(sampleui, deck):
    path = deck("- id: a\n  runtime: host\n  config: {model: m}\n" * 27, "providers.yaml")
    lines = sampleui("check", path).out.splitlines()
    assert [line.split("[")[-1] for line in lines[:3]] == ["not-a-deck]", "messages-missing] in a", "not-a-deck]"]
    assert "The other samples have 52 findings, which check --dialect calibrate lists" in lines[2]
    assert lines[-1] == "27 samples in 1 deck: 1 error, 2 infos"
    assert "53 errors" in sampleui("check", path, "--dialect", "calibrate").out
    asked = path.read_text() + "- {id: b, messages: [{role: user, content: Hi}]}\n" + "- {}\n" * 3
    path.write_text(asked)
    assert "The other samples" not in sampleui("check", path).out


def test_of_a_deck_without_messages_yet_it_says_nothing_of_the_kind(sampleui, deck):
    checked = sampleui("check", deck('[[samples]]\nid = "a"\nmessages = []\n'))
    assert "not-a-deck" not in checked.out


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "dataset_info.json",
            '{"a": {"file_name": "a.json"}, "b": {"hf_hub_url": "x/y"}, "c": {"file_name": "c.jsonl"}}',
            "it names files that may have some: a.json, c.jsonl [",
        ),
        ("sets.yaml", "a:\n  path: data/a.jsonl\n  source: local\n", "may have some: data/a.jsonl ["),
        ("sets.yaml", "a:\n  path: org/name\n  converter: pair\n", "they are expected in a list under"),
        ("some.json", '{"a": {"file_name": "a.json"}, "b": 1}', "they are expected in a list under"),
    ],
)
def test_a_table_of_data_sets_is_none_but_names_their_files(sampleui, deck, name, text, said):
    checked = sampleui("check", deck(text, name))
    assert checked.code == 1
    assert said in checked.out


def test_pieces_of_training_text_are_called_what_they_are(sampleui, tmp_path):
    path = tmp_path / "pieces.jsonl"
    path.write_text('{"segments": [{"label": false, "text": "Hi"}, {"label": true, "text": "Ho"}]}\n')
    why = "their segments are pieces of training text (axolotl's input_output), and do not say who speaks"
    assert f"info: No dialect finds messages here: {why} [not-a-deck]" in sampleui("check", path).out
    assert f"no table can be guessed: {why}" in sampleui("guess", path).err
    path.write_text('{"segments": [{"label": false, "words": "Hi"}]}\n')
    assert "axolotl" not in sampleui("check", path).out + sampleui("guess", path).err


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.toml", ""), ("a.yaml", "tests: []\n"), ("a.json", "[]"), ("a.jsonl", "\n\n"), ("a.csv", "id,messages\n")],
)
def test_a_deck_without_samples_is_never_without_problems(sampleui, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    for form in ("text", "json", "sarif", "github"):
        ran = sampleui("check", tmp_path / name, "--format", form)
        assert ran.code == 1 and "nothing is checked" in ran.out and "no problems" not in ran.out, ran
    ran = sampleui("render", tmp_path / name)
    assert (ran.code, ran.out, ran.err) == (1, "", f"{tmp_path / name}: there are no samples in it\n")


def test_what_could_not_be_read_is_counted_beside_what_was(sampleui, tmp_path):
    good = tmp_path / "good.jsonl"
    good.write_text('{"id": "a", "messages": [{"role": "user", "content": "hi"}]}\n')
    ran = sampleui("check", good, tmp_path / "gone.jsonl", "--dialect", "calibrate")
    assert (ran.code, ran.out) == (2, "1 sample in 1 deck: no problems; 1 file not read\n")


def test_of_older_records_the_advice_is_to_rewrite_them_and_nothing_else(sampleui, deck):
    text = '[[samples]]\nuserMessage = "2+2?"\nassistantResponse = "4"\nexpected = { score = 1 }\n'
    path = deck(text, "old-record.toml")
    checked = sampleui("check", path)
    assert "guess" not in checked.out
    assert checked.out.count("sampleui convert --from calibrate --to calibrate") == 1
    guessed = sampleui("guess", path)
    assert 'response = "assistantResponse"' in guessed.out
    assert "has older records of calibrate; M in the app, or sampleui convert" in guessed.err


def test_a_view_of_what_nobody_knows_is_told_once_for_the_decks_of_a_project(sampleui, tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    settings = tmp_path / ".sampleui.toml"
    settings.write_text('[view.calibrat]\nfields = ["a"]\n')
    for name in ("a", "b/c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.toml").write_text(CLEAN)
    ran = sampleui("check", tmp_path)
    assert ran.code == 1
    assert ran.out.count("view-unknown") == 1
    assert f"{settings}:1:2: warning: there is a view of calibrat" in ran.out
    settings.write_text('[view.mailbox]\nfields = ["a"]\n')
    assert sampleui("check", tmp_path).code == 0
