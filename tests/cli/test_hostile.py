"""Hostile texts in decks, settings, results and names: nothing that a terminal obeys comes out of a command."""

from __future__ import annotations

import json
import re

import pytest

from sampleui.cli import output
from sampleui.cli.commands import COMMANDS
from sampleui.text.visible import visible_lines

from .rerunning import Project

TEXTS = {
    "escapes": "x\x1bcy\x1b[0m\x1b[2J\x1b[31m\x1b]0;stolen\x07",
    "c1": "\x9b31m\x85\x90",
    "unseen": "\U000e0041\U000e007f\ufff9a\ufffa\u202eabc\u2066a\u200bb\u200dc\ufe0f",
}


def quoted(text: str) -> str:
    """Return a text as a string that TOML and YAML both read."""
    return '"' + "".join(c if c.isalnum() else f"\\U{ord(c):08x}" for c in text) + '"'


@pytest.mark.parametrize("name", TEXTS)
def test_no_command_lets_a_control_character_through(tmp_path, sampleui, name, monkeypatch):
    monkeypatch.setattr(output.sys.stdout, "isatty", lambda: True)
    text = TEXTS[name]
    say = quoted(text)
    row = {"eval_id": text, "score": 0.1, "candidate_answer": text, "misses": [text], "error": text}
    sample = {"id": text, "messages": [{"role": text, "content": text}], "expected": text, text: text}
    files = {
        "deck.jsonl": json.dumps(sample) + "\n",
        "deck.toml": f"{say} = 1\n[[samples]]\nid = {say}\n{say} = 3\n"
        f"[[samples.messages]]\nrole = {say}\ncontent = {say}\n",
        "raw.toml": f'[[samples]]\nid = "{text}"\n',
        "raw.yaml": f'tests:\n- id: "{text}"\n  x: *{text}\n',
        "all.deck.md": f"# {text}\n![{text}](./{text}.toml) ![{text}](<{text}.yaml>)\n![a](deck.toml)\n",
        "run.jsonl": json.dumps(row) + "\n" + f"{text}\n",
        "run.toml": f"x = {text}\n",
        "table.csv": f'id,messages,"{text}"\n"{text}","[{{""role"": ""{text}""]","{text}"\n{text},x,y,z\n',
        "strange.json": json.dumps([{text: {"turns": [{text: text}]}, "prompt": text, "id": text}]),
    }
    settings = [
        f"{say} = 1\n",
        f"theme = [{say}]\n",
        f"[keys]\n{say} = 1\n",
        f"x = {text}\n",
        f"provider = {say}\n",
    ]
    for file, content in files.items():
        (tmp_path / file).write_text(content)
    commands = [[command, tmp_path / file] for file in files for command in ("check", "next", "report", "trace")]
    commands += [["check", "--format", "json", tmp_path / file] for file in files]
    commands += [["convert", tmp_path / file, tmp_path / "new.yaml", "--force"] for file in files]
    commands += [
        ["verdict", tmp_path / "run.jsonl", text, "ok", "--comment", text],
        ["verdict", tmp_path / "run.jsonl", text, text],
    ]
    commands += [["guess", "--as", kind, tmp_path / file] for file in files for kind in ("deck", "results")]
    commands += [[command, tmp_path] for command in ("check", "render", "next", "report", "trace")]
    run, deck, new = tmp_path / "run.jsonl", ["--deck", tmp_path / "deck.jsonl"], ["--to", tmp_path / "new.jsonl"]
    for file in ("deck.jsonl", "deck.toml", "table.csv"):
        commands += [["replace", old, text, tmp_path / file, "--dry-run"] for old in ("a", text)]
        commands += [["replace", "--regex", text, "(", tmp_path / file], ["render", tmp_path / file, "--id", text]]
    commands += [
        ["regrade", run, *deck],
        ["regrade", run, *deck, "--format", "json", "--id", text],
        ["regrade", run, "--deck", tmp_path / text],
        ["export", run, "--verdict", "ok", *new, *deck],
        ["export", run, "--verdict", "ok", "--to", tmp_path / text, *deck],
        ["promote", run, "--id", text, *new, *deck, "--dry-run"],
        ["promote", run, "--id", text, *new, "--as", text],
        ["replace", text, f"b{text}", tmp_path / "deck.jsonl"],
        ["schema", text],
        ["review", text],
        ["guess", text, "--name", text],
        ["guess", tmp_path / "strange.json", "--name", text],
        [text, text],
        ["--dialect", text, tmp_path / "deck.toml"],
        ["check", text],
        [text],
        ["check", "--format", text, "x"],
        ["render", tmp_path / "deck.toml", "--as", text],
    ]
    edited = [tmp_path / "deck.toml", "--sample", text, "--path", text]
    project = Project(tmp_path / "project", names=("sum", text))
    project.mode("shout 20")
    (tmp_path / "failures.md").write_text(f"## tone\n\n{text}\n\n## {text}\n\n- {text}\n")
    label = {"id": "#1", "code": text, "label": "yes", "quote": text}
    (tmp_path / "labels.jsonl").write_text(json.dumps(label) + "\n" + json.dumps({**label, "quote": ""}) + "\n")
    (tmp_path / "labels.csv").write_text(f"{text},target\n#1,{text}\n")
    (tmp_path / "edits.jsonl").write_text(json.dumps({"op": "delete", "sample": text, "path": text}))
    commands += [
        ["get", tmp_path / "deck.toml"],
        ["get", *edited],
        ["get", tmp_path / "deck.toml", "--beside", "--path", text],
        ["set", *edited, "--value", text],
        ["set", tmp_path / "deck.toml", "--sample", "#1", "--path", "note", "--value", text],
        ["insert", *edited, "--json", text],
        ["delete", *edited],
        ["move", *edited, "--to", "0"],
        ["rename", *edited, "--to", text],
        ["add-sample", tmp_path / "deck.toml", "--json", json.dumps({"id": text}), "--expect", text],
        ["delete-sample", tmp_path / "deck.toml", "--sample", text],
        ["move-sample", tmp_path / "deck.toml", "--sample", text, "--to", text],
        ["rename-sample", tmp_path / "deck.toml", "--sample", text, "--to", text],
        ["edit", tmp_path / "deck.toml", tmp_path / "edits.jsonl"],
        ["edit", tmp_path / "deck.toml", tmp_path / text],
        ["completion", text],
        ["comment", tmp_path / "run.jsonl", text, text, "--as", "agent:x"],
        ["verdict", tmp_path / "run.jsonl", "#1", "ok", "--as", f"agent:{text}", "--comment", text],
        ["comments", tmp_path / "run.jsonl"],
        ["code", "add", tmp_path / "run.jsonl", text, text],
        ["code", "add", tmp_path / "run.jsonl", text, text, "--as", "agent:x"],
        ["code", "rename", tmp_path / "run.jsonl", "tone", text],
        ["code", "merge", tmp_path / "run.jsonl", "tone", text],
        ["code", "list", tmp_path / "run.jsonl"],
        ["label", tmp_path / "run.jsonl", tmp_path / "labels.jsonl", "--as", "agent:x"],
        ["labels", tmp_path / "run.jsonl", "--from", tmp_path / "labels.csv", "--reviewer", "ann", "--code", text],
        ["labels", tmp_path / "run.jsonl", "--from", tmp_path / "labels.jsonl", "--reviewer", "ann"],
        ["labels", tmp_path / "run.jsonl", "--to", tmp_path / "new.csv", "--code", text],
        ["proposals", tmp_path / "run.jsonl"],
        ["report", tmp_path / "run.jsonl"],
        ["verdicts", tmp_path / "run.jsonl", "--to", "agentv"],
        ["set", *edited, "--value", text, "--propose", "--as", f"agent:{text}", "--comment", text],
        ["add-sample", tmp_path / "deck.toml", "--json", json.dumps({"id": text}), "--propose"],
        ["skill", "--to", tmp_path / text],
        ["trust", "--remove", tmp_path / text],
        ["rerun", run, "--id", text, "--runner", text],
        ["rerun", run, "--failed", "--runner", "agentv", "--yes"],
        ["rerun", project.results, "--failed"],
        ["rerun", project.results, "--failed", "--yes"],
        ["rerun", project.results, "--failed", "--n", "2", "--format", "json"],
    ]
    for at, content in enumerate(settings):
        (tmp_path / str(at)).mkdir()
        (tmp_path / str(at) / ".sampleui.toml").write_text(content)
        (tmp_path / str(at) / "all.deck.md").write_text("![a](../deck.toml)\n")
        commands += [[command, tmp_path / str(at) / "all.deck.md"] for command in ("check", "render")]
    assert {*COMMANDS} <= {command[0] for command in commands}
    for command in commands:
        ran = sampleui(*command)
        for said in (ran.err, ran.out):
            assert visible_lines(said) == said, (command, said)
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", said), (command, said)


def test_a_diff_on_a_terminal_is_cut_and_visible_and_to_a_program_exact(capsys, monkeypatch):
    diff = f"@@ -1 +1 @@\n {'1' * 100_000}\n-\x1b[2J\n+{'2' * 5_000}\n"
    output.diff_value(diff)
    assert capsys.readouterr().out == diff
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    output.diff_value(diff)
    said = capsys.readouterr().out
    assert said.splitlines()[1:3] == [f" {'1' * 399}… (99,601 characters more)", "-␛[2J"]
    assert said.endswith(f"+{'2' * 3_999}… (1,001 characters more)\n")
