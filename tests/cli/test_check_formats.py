"""`sampleui check --format sarif` and `github`, read as their readers do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

ERROR = '[[samples]]\nid = "b"\nmessages = [{ role = "user" }]\n'
HINT = '[[samples]]\nid = "c"\nexpectd = 1\nmessages = [{ role = "user", content = "hi" }]\n'
COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-zA-Z]+=[^,:]*,?)+)::(.*)")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def log_of(ran) -> dict:
    log = json.loads(ran.out)
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    run = log["runs"][0]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["message"]["text"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert min(region["startLine"], region["startColumn"]) >= 1
    return run


def test_sarif_names_rule_level_and_place(sampleui, here):
    (here / "ü dir").mkdir()
    (here / "ü dir" / "a#b.toml").write_text(ERROR + HINT)
    ran = sampleui("check", "ü dir", "--format", "sarif")
    run = log_of(ran)
    assert ran.code == 1
    assert run["tool"]["driver"]["name"] == "sampleui"
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    [first, second] = run["results"]
    assert (first["ruleId"], first["level"], second["level"]) == ("content-missing", "error", "note")
    where = first["locations"][0]["physicalLocation"]
    assert where["region"] == {"startLine": 3, "startColumn": 13}
    assert where["artifactLocation"] == {"uri": "%C3%BC%20dir/a%23b.toml", "uriBaseId": "%SRCROOT%"}
    assert unquote(run["originalUriBaseIds"]["%SRCROOT%"]["uri"]) == f"file://{here}/"
    assert first["locations"][0]["logicalLocations"][0]["name"] == "b"


def test_sarif_of_what_cannot_be_read(sampleui, here, new_folder):
    away = new_folder("away") / "x.toml"
    away.write_text("[[samples]]\na = \n")
    ran = sampleui("check", away, "none.toml", "--format", "sarif")
    run = log_of(ran)
    assert ran.code == 2
    assert run["invocations"] == [{"executionSuccessful": False, "exitCode": 2}]
    assert [one["ruleId"] for one in run["results"]] == ["unreadable", "unreadable"]
    places = [one["locations"][0]["physicalLocation"] for one in run["results"]]
    assert places[0]["artifactLocation"] == {"uri": away.as_uri()}
    assert places[0]["region"]["startLine"] == 2
    assert places[1]["artifactLocation"]["uri"] == "none.toml"


def test_sarif_of_no_problems_is_a_log_without_results(sampleui, here):
    (here / "a.toml").write_text(HINT.replace("expectd", "expected"))
    assert log_of(sampleui("check", "a.toml", "--format", "sarif"))["results"] == []


def commands(out: str) -> list[tuple[str, dict[str, str], str]]:
    """Read workflow commands as the runner of GitHub Actions does."""

    def plain(text: str, *more: tuple[str, str]) -> str:
        for escaped, char in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
            text = text.replace(escaped, char)
        return text

    found = []
    for line in out.splitlines():
        if line.startswith("::"):
            written = COMMAND.fullmatch(line)
            assert written, line
            kind, properties, message = written.groups()
            pairs = dict(one.split("=", 1) for one in properties.split(","))
            read = {key: plain(value, ("%3A", ":"), ("%2C", ",")) for key, value in pairs.items()}
            found.append((kind, read, plain(message)))
    return found


def test_github_reads_file_line_column_and_message(sampleui, here):
    (here / "a,b:c 100%.toml").write_text(ERROR.replace('"b"', '"50%,\\n::x"') + HINT)
    ran = sampleui("check", here / "a,b:c 100%.toml", "--format", "github")
    assert ran.code == 1
    [first, second] = commands(ran.out)
    assert first == (
        "error",
        {"file": "a,b:c 100%.toml", "line": "3", "col": "13", "title": "content-missing"},
        "Each message must have a content string in 50%,\n::x",
    )
    assert second[0] == "notice"
    assert ran.out.splitlines()[-1] == "2 samples in 1 deck: 1 error, 1 hint"


def test_github_is_told_of_what_cannot_be_read(sampleui, here):
    (here / "x.toml").write_text("a = \n")
    ran = sampleui("check", "x.toml", "--format", "github")
    assert ran.code == 2
    [(kind, where, message)] = commands(ran.out)
    assert (kind, where["file"], where["line"], where["title"]) == ("error", "x.toml", "1", "unreadable")
    assert message
