"""Where JSON is asked for, standard output has JSON and nothing else, and standard error has the words."""

from __future__ import annotations

import json
import shutil

import pytest

from .conftest import DECKS


@pytest.mark.parametrize(
    "args",
    [
        ["get", "none.toml"],
        ["get"],
        ["set", "none.toml", "--sample", "a", "--path", "b", "--value", "c"],
        ["check", "none.toml", "--no-such-option"],
        ["render"],
        ["next", "none.jsonl"],
        ["verdicts", "none.jsonl", "--to", "skills"],
        ["comments", "none.jsonl"],
        ["report", "none.jsonl"],
        ["regrade", "none.jsonl"],
        ["rerun", "none.jsonl", "--failed"],
        ["trace", "none.jsonl"],
        ["promote", "none.jsonl", "--id", "a", "--to", "b.toml"],
        ["export", "none.jsonl", "--verdict", "ok", "--to", "b.toml"],
        ["replace", "a", "b", "none.toml"],
        ["review", "none.jsonl", "--wait"],
    ],
    ids=lambda args: " ".join(args[:2]),
)
def test_what_a_command_cannot_do_is_json_on_standard_output_and_words_on_standard_error(
    sampleui, tmp_path, monkeypatch, args
):
    monkeypatch.chdir(tmp_path)
    ran = sampleui(*args, "--format", "json")
    error = json.loads(ran.out)["error"]
    assert (ran.code, error["rule"] != "", error["message"] != "") == (2, True, True)
    assert error["message"].split(chr(10))[0].rstrip(".") in ran.err


def test_convert_replace_promote_and_export_say_what_they_did_as_json(sampleui, tmp_path):
    deck, run = tmp_path / "hello.toml", tmp_path / "hello.results.jsonl"
    shutil.copy(DECKS / "hello.toml", deck)
    shutil.copy(DECKS.parent / "results" / "hello.results.jsonl", run)
    converted = json.loads(sampleui("convert", deck, tmp_path / "new.jsonl", "--report", "json").out)
    assert (converted["samples"], "not carried over" in converted["remarks"][0]) == (6, True)
    replaced = json.loads(sampleui("replace", "autumn", "spring", deck, "--format", "json").out)
    assert (replaced["values"], replaced["samples"], "spring" in replaced["diff"]) == (1, 1, True)
    promoted = json.loads(
        sampleui("promote", run, "--id", "haiku", "--to", tmp_path / "new.toml", "--format", "json").out
    )
    assert (promoted["sample"], promoted["written"]) == ("haiku", True)
    assert sampleui("verdict", run, "haiku", "ok").code == 0
    exported = sampleui("export", run, "--verdict", "ok", "--to", tmp_path / "ok.toml", "--format", "json")
    assert json.loads(exported.out)["samples"] == ["haiku"]
    nothing = sampleui("replace", "no such text", "x", deck, "--format", "json")
    assert (nothing.code, json.loads(nothing.out)["error"]["rule"]) == (1, "nothing")


def test_the_diff_of_a_long_line_is_what_differs_of_it(sampleui, tmp_path):
    deck = tmp_path / "deck.jsonl"
    rows = [{"id": name, "messages": [{"role": "user", "content": "word " * 4_000}]} for name in "abc"]
    deck.write_text("".join(json.dumps(row) + chr(10) for row in rows))
    ran = sampleui("set", deck, "--sample", "b", "--path", "note", "--value", "new", "--format", "json")
    assert "new" in json.loads(ran.out)["diff"]
    assert len(ran.out) < 1_200
