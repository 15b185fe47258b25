"""Keys and the path of the home are in no report unless asked for; exports warn and change nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import ran

KEY = "sk-ant-api03-" + "Ab3dEf6hIj9lMn2pQr5tUv8x"


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a session that has a key in what was asked, called, returned and answered, and the path of the home."""
    monkeypatch.setenv("HOME", "/home/ann")
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    base = {"isSidechain": False, "sessionId": "s-1", "cwd": "/home/ann/shop", "timestamp": "2026-01-01T00:00:00Z"}
    call = {
        "type": "tool_use",
        "id": "t",
        "name": "Bash",
        "input": {"command": f"curl -H 'x-key: {KEY}' /home/ann/x"},
    }
    result = {
        "type": "tool_result",
        "tool_use_id": "t",
        "content": f"export OPENAI_API_KEY={KEY}",
        "is_error": True,
    }
    lines: list[dict[str, object]] = [
        {
            "type": "user",
            "uuid": "u",
            "parentUuid": None,
            "message": {"role": "user", "content": f"use {KEY} here"},
        },
        {"type": "assistant", "uuid": "a", "parentUuid": "u", "message": {"id": "m", "content": [call]}},
        {"type": "user", "uuid": "r", "parentUuid": "a", "message": {"role": "user", "content": [result]}},
        {"type": "assistant", "uuid": "b", "parentUuid": "r", "message": {"id": "n", "content": f"used {KEY}"}},
    ]
    path = tmp_path / "run" / "s-1.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps({**base, **line}) + "\n" for line in lines))
    return path


FORMS = [("html",), ("json",), ("text",), ("markdown",)]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
def test_no_report_has_a_key_or_the_home(session: Path, form: tuple[str]) -> None:
    told = ran("report", session, "--records", "all", "--matrix", "--format", *form)
    assert told.code == 0, told.err
    assert KEY[:16] not in told.out
    assert "/home/ann" not in told.out


def test_a_page_says_how_many_places_were_replaced_and_how_to_leave_them(session: Path) -> None:
    told = ran("report", session, "--records", "all", "--format", "html")
    assert "what looks like a key or a token: " in told.err
    assert "--with-secrets leaves such places" in told.err
    assert "OPENAI_API_KEY=[redacted]" in told.out
    assert "~/x" in told.out


def test_a_page_has_them_if_that_is_asked_for(session: Path) -> None:
    told = ran("report", session, "--records", "all", "--format", "html", "--with-secrets")
    assert KEY in told.out
    assert "/home/ann/x" in told.out
    assert "redacted" not in told.err


def test_a_report_without_a_secret_says_nothing_of_secrets(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"id": "a", "score": 1, "output": "x"}\n')
    told = ran("report", path, "--format", "json")
    assert (told.err, json.loads(told.out)["redacted"]) == ("", None)


def test_promoting_warns_and_changes_nothing(session: Path, tmp_path: Path) -> None:
    told = ran("promote", session, "--id", "#1", "--to", tmp_path / "deck.jsonl")
    assert "4 places look like a key or a token, written as in the run" in told.err
    assert KEY in (tmp_path / "deck.jsonl").read_text()


def test_exporting_warns_and_changes_nothing(session: Path, tmp_path: Path) -> None:
    decided = ran("verdict", session, "#1", "model-wrong", "--reviewer", "ann")
    assert decided.code == 0, decided.err
    told = ran("export", session, "--verdict", "model-wrong", "--to", tmp_path / "deck.jsonl")
    assert "look like a key or a token" in told.out or "looks like a key or a token" in told.out, told
    assert KEY in (tmp_path / "deck.jsonl").read_text()
