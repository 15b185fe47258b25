"""The names of those who decide: one line, all of which is seen; a program's says which it is."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.cli.main import run
from sampleui.errors import SettingsError
from sampleui.review.log.store import log_path, open_log
from sampleui.settings.options import Settings, user_file
from sampleui.settings.reviewers import is_program, reviewer_named, wrong_with
from sampleui.text.visible import visible
from sampleui.workspace.proposed_edits import proposals_path, proposed_edits

EXAMPLES = Path(__file__).parents[2] / "examples"

UNSEEN = [
    "\u00ad", "\u200b", "\u200c", "\u200d", "\u200e", "\u202e", "\u2060", "\u2066", "\ufeff", "\ufe0f", "\u034f",
    "\u180e", "\u3164", "\u115f", "\u2800", "\x00", "\x07", "\x1b", "\x7f", "\x85", "\t", "\n", "\r", "\u2028",
    "\u00a0", "\u3000", "\u2003", "\ue000", "\ufff9", "\U000e0061", "\U000e0100", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize(
    "name", ["ann", "Ann Lee", "José", "李雷", "ann@example.org", "agent:bot", "Agent: bot", "o'x"]
)
def test_a_visible_line_is_a_name(name):
    assert reviewer_named(name) == name


@pytest.mark.parametrize("sign", UNSEEN)
@pytest.mark.parametrize(
    "name", ["{}ann", "an{}n", "ann{}", "{}agent:bot", "ag{}ent:bot", "agent{}:bot", "agent:{}"]
)
def test_a_name_with_a_sign_that_is_not_seen_is_refused(name, sign):
    with pytest.raises(SettingsError) as refused:
        reviewer_named(name.format(sign))
    assert sign not in str(refused.value)


@pytest.mark.parametrize(
    "name", ["", " ", " ann", "ann ", "ann  lee", "agent:", "agent: ", "AGENT:", "ａｇｅｎｔ："]
)
def test_blanks_nothing_and_a_program_without_a_name_are_refused(name):
    with pytest.raises(SettingsError):
        reviewer_named(name)


@given(st.text())
def test_what_is_a_name_is_one_line_without_format_and_control_signs_and_looks_like_itself(name):
    if not wrong_with(name):
        assert name and visible(name) == name and name.isprintable()
        assert not {unicodedata.category(sign) for sign in name} & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
        assert is_program(name) or not is_program("".join(name.split()).replace("\u00ad", "")) or " " in name


@pytest.fixture
def results(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    path = tmp_path / "hello.results.jsonl"
    path.write_bytes((EXAMPLES / "results" / path.name).read_bytes())
    (tmp_path / "hello.toml").write_bytes((EXAMPLES / "decks" / "hello.toml").read_bytes())
    return path


@pytest.mark.parametrize("name", ["agen\u00adt:bot", "ann\u200b", "agent:", "\u202eann"])
def test_every_door_by_which_a_name_comes_refuses_it_before_anything_is_written(results, name, capsys):
    path, deck = str(results), str(results.with_name("hello.toml"))
    by_option = [
        ["verdict", path, "haiku", "ok", "--reviewer", name], ["verdict", path, "haiku", "ok", "--as", name],
        ["comment", path, "haiku", "x", "--reviewer", name], ["comment", path, "haiku", "x", "--as", name],
        ["next", path, "--reviewer", name], ["review", path, "--reviewer", name, "--wait"],
        ["export", path, "--verdict", "ok", "--reviewer", name, "--to", f"{deck}.new.toml"],
        ["set", deck, "--sample", "haiku", "--path", "score", "--json", "2", "--propose", "--as", name],
    ]  # fmt: skip
    for words in by_option:
        assert run(words) == 2, words
        assert f"the reviewer “{visible(name)}”" in capsys.readouterr().err
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(f"reviewer = {json.dumps(name)}\n")
    for words in (["verdict", path, "haiku", "ok"], ["comment", path, "haiku", "x"], ["next", path]):
        assert run(words) == 2, words
    assert not log_path(results).exists() and not proposals_path(Path(deck)).exists()


def test_a_login_name_that_is_nobody_s_is_refused(monkeypatch):
    monkeypatch.setenv("LOGNAME", "an\u200bn")
    with pytest.raises(SettingsError):
        _ = Settings().reviewer_name


def test_lines_of_a_log_by_a_name_that_is_not_seen_whole_count_for_nothing(results):
    assert run(["verdict", str(results), "haiku", "ok", "--reviewer", "ann"]) == 0
    base = json.loads(log_path(results).read_text())
    with log_path(results).open("a") as file:
        for number, name in enumerate(["agen\u00adt:bot", "an\u200bn", "agent:"]):
            file.write(json.dumps({**base, "id": f"{number:016}", "reviewer": name, "verdict": "flaky"}) + "\n")
    log = open_log(log_path(results))
    assert [one.reviewer for one in log.standing] == ["ann"]
    assert (log.unreadable, log.current(base["record"]).verdict) == (3, "ok")


def test_edits_proposed_and_answered_by_such_names_count_for_nothing(results):
    deck = results.with_name("hello.toml")
    words = [
        "set",
        str(deck),
        "--sample",
        "haiku",
        "--path",
        "score",
        "--json",
        "2",
        "--propose",
        "--as",
        "agent:a",
    ]
    assert run(words) == 0
    row = json.loads(proposals_path(deck).read_text())
    with proposals_path(deck).open("a") as file:
        file.write(json.dumps({**row, "id": "5" * 16, "agent": "agent:\u200b"}) + "\n")
        forged = {"id": "6" * 16, "time": row["time"], "kind": "take", "proposal": row["id"]}
        file.write(json.dumps({**forged, "reviewer": "agen\u00adt:a"}) + "\n")
    (waits,) = proposed_edits(deck)
    assert (waits.agent, waits.answer) == ("agent:a", None)
