"""Files that are no files, and numbers without end, in every place that a command reads: one line, at once."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and its devices")

DECK = '[[samples]]\nid = "a"\nmessages = [{role = "user", content = "x"}]\n'
ROW = json.dumps({"eval_id": "a", "score": 0.1, "candidate_answer": "x"}) + "\n"
ENDLESS = "1" * 100_000
_MEMORY = 4 << 30  # of addresses, not of bytes that are used
_SECONDS = 20


def _bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        here = Path.cwd()
        os.chdir(path.parent)  # the path of a socket must be short
        bound.bind(path.name)
        os.chdir(here)


def _sparse(path: Path, text: str = "") -> None:
    path.write_text(text)
    os.truncate(path, 1 << 42)


KINDS: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "zeroes": lambda path: path.symlink_to("/dev/zero"),
    "noise": lambda path: path.symlink_to("/dev/urandom"),
    "terminal": lambda path: path.symlink_to("/dev/ptmx"),
    "proc": lambda path: path.symlink_to("/proc/self/status"),
    "folder": os.mkdir,
    "loop": lambda path: path.symlink_to(path.name),
    "socket": _bound,
    "holes": _sparse,
    "rows and holes": lambda path: _sparse(path, ROW if path.suffix == ".jsonl" else DECK),
}


@pytest.fixture(autouse=True)
def bounds() -> Iterator[None]:
    """Fail a test that waits for ever or takes all memory, and not the machine."""

    def late(*_: object) -> None:
        raise AssertionError("it took too long")

    before, held = resource.getrlimit(resource.RLIMIT_AS), signal.signal(signal.SIGALRM, late)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + _MEMORY, before[1]))
    signal.alarm(_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, held)
    resource.setrlimit(resource.RLIMIT_AS, before)


def refused(ran, *names: str) -> None:
    assert ran.code in (1, 2), ran
    assert ran.err.count("\n") <= 2 and "Traceback" not in ran.err, ran
    assert any(name in ran.err + ran.out for name in names), ran


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".toml", ".yaml", ".deck.md", ""])
def test_what_is_named_on_the_command_line_is_refused_at_once(tmp_path, sampleui, kind, suffix):
    odd, row, deck = tmp_path / f"odd{suffix}", tmp_path / "run.jsonl", tmp_path / "deck.toml"
    row.write_text(ROW)
    deck.write_text(DECK)
    KINDS[kind](odd)
    commands = [["check", odd], ["render", odd], ["trace", odd], ["next", odd], ["report", odd]]
    commands += [["verdict", odd, "a", "ok"], ["next", row, "--deck", odd], ["convert", odd, tmp_path / "new.yaml"]]
    commands += [["promote", row, "--id", "a", "--to", odd]]
    if kind != "folder":  # which a deck is converted into
        commands += [["convert", deck, odd, "--force"]]
    if kind != "rows and holes":  # whose first record is found before the holes are
        commands += [["promote", odd, "--id", "a", "--to", deck]]
    for command in commands:
        refused(sampleui(*command), "odd", "a Markdown deck holds no samples itself")
    assert sampleui("verdict", row, "a", "ok").code == 0
    refused(sampleui("export", row, "--verdict", "ok", "--to", odd), "odd")
    assert deck.read_text() == DECK and row.read_text() == ROW


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_found_beside_a_file_is_refused_at_once(tmp_path, sampleui, kind):
    def folder(name: str, odd: str) -> Path:
        made = tmp_path / name
        (made / odd).parent.mkdir(parents=True)
        KINDS[kind](made / odd)
        (made / "deck.toml").write_text(DECK)
        (made / "run.jsonl").write_text(ROW)
        return made

    logged = folder("log", "run.reviews.jsonl")
    for command in (["next"], ["report"], ["verdict"]):
        refused(
            sampleui(*command, logged / "run.jsonl", *(["a", "ok"] if command == ["verdict"] else [])), "reviews"
        )
    settings = folder("settings", ".sampleui.toml")
    for command, file in (("next", "run.jsonl"), ("check", "deck.toml"), ("render", "deck.toml")):
        refused(sampleui(command, settings / file), ".sampleui.toml")
    markdown = folder("markdown", "odd.toml") / "all.deck.md"
    KINDS[kind](markdown.parent / "odd.md")
    markdown.write_text("![a](odd.toml)\n![b](odd.md)\n![c](deck.toml)\n")
    checked = sampleui("check", markdown)
    assert checked.out.count("is not followed") + checked.out.count("is not a deck") == 2, checked
    config = folder("config", ".agentv/config.yaml")
    checked = sampleui("check", config / "deck.toml")
    assert checked.code in (0, 1) and "Traceback" not in checked.err
    traced = folder("trace", "trace.json") / "run.jsonl"
    traced.write_text(json.dumps({"eval_id": "a", "score": 0.1, "trace_ref": "trace.json"}) + "\n")
    assert "trace.json" in sampleui("trace", traced).out
    run = folder("run", "index.jsonl")
    (run / "run.jsonl").unlink()
    refused(sampleui("next", run), "run")


@pytest.mark.parametrize("kind", KINDS)
def test_the_user_s_own_files_are_refused_at_once(tmp_path, sampleui, home, kind):
    from sampleui.errors import SettingsError
    from sampleui.settings.writing import remember
    from sampleui.tui.themes import load_theme

    (tmp_path / "deck.toml").write_text(DECK)
    (home / "sampleui" / "themes").mkdir(parents=True)
    KINDS[kind](home / "sampleui" / "config.toml")
    KINDS[kind](home / "sampleui" / "themes" / "mine.toml")
    refused(sampleui("check", tmp_path / "deck.toml"), "config.toml")
    with pytest.raises(SettingsError, match="not remembered"):
        remember("theme", "nord")
    with pytest.raises(SettingsError, match="not a theme"):
        load_theme(home / "sampleui" / "themes" / "mine.toml")


HUGE = {
    "deck.toml": f'[[samples]]\nid = "a"\nn = {ENDLESS}\nmessages = [{{role = "user", content = "x"}}]\n',
    "hex.toml": f'[[samples]]\nid = "a"\nn = 0x{ENDLESS}\nmessages = [{{role = "user", content = "x"}}]\n',
    "deck.yaml": f"tests:\n- id: a\n  n: {ENDLESS}\n  input: x\n",
    "hex.yaml": f"tests:\n- id: a\n  n: 0x{ENDLESS}\n  o: 0o{'7' * 100_000}\n  f: {ENDLESS}.5\n  input: x\n",
    "list.json": f'[{{"id": "a", "n": {ENDLESS}}}]',
    "deck.jsonl": f'{{"id": "a", "n": {ENDLESS}}}\n{ROW}',
    "float.jsonl": f'{{"id": "a", "messages": [{{"role": "user", "content": "x"}}], "n": 1e{ENDLESS}}}\n',
    "run.jsonl": f'{{"eval_id": "b", "score": {ENDLESS}}}\n{ROW}',
    "run.json": f'[{{"eval_id": "a", "score": {ENDLESS}}}]',
    "run.toml": f"[[graderResults.x.models.y.results]]\nid = {ENDLESS}\n",
}


@pytest.mark.parametrize("name", HUGE)
def test_a_number_without_end_is_a_finding(tmp_path, sampleui, name):
    path = tmp_path / name
    path.write_text(HUGE[name])
    commands = [["check", path], ["check", "--format", "json", path], ["render", path], ["next", path]]
    commands += [["trace", path], ["report", path], ["next", path, "--format", "json"]]
    commands += [
        ["convert", path, tmp_path / f"new.{form}", "--force"] for form in ("toml", "yaml", "json", "jsonl")
    ]
    for command in commands:
        ran = sampleui(*command)
        assert ran.code in (0, 1, 2) and "Traceback" not in ran.err, (command, ran)
        assert ran.err.count("\n") <= 3 and len(ran.err) < 2000, command


def test_a_number_without_end_beside_a_file_is_a_finding(tmp_path, sampleui, home):
    from sampleui.errors import SettingsError
    from sampleui.settings.writing import remember
    from sampleui.tui.themes import load_theme

    (tmp_path / "deck.toml").write_text(DECK)
    (tmp_path / "run.jsonl").write_text(ROW)
    (tmp_path / "run.reviews.jsonl").write_text(f'{{"id": {ENDLESS}}}\n')
    assert sampleui("next", tmp_path / "run.jsonl").code == 0
    assert sampleui("verdict", tmp_path / "run.jsonl", "a", "ok").code == 0
    (tmp_path / "t.json").write_text(f'[{{"type": "message", "x": {ENDLESS}}}]')
    (tmp_path / "refers.jsonl").write_text(json.dumps({"eval_id": "a", "trace_ref": "t.json", "score": 1}) + "\n")
    assert "t.json" in sampleui("trace", tmp_path / "refers.jsonl").out
    (tmp_path / ".sampleui.toml").write_text(f"fail_under = {ENDLESS}\n")
    refused(sampleui("check", tmp_path / "deck.toml"), ".sampleui.toml")
    (home / "sampleui").mkdir(parents=True)
    theme = home / "sampleui" / "config.toml"
    theme.write_text(f"x = {ENDLESS}\n")
    with pytest.raises(SettingsError):
        load_theme(theme)
    with pytest.raises(SettingsError):
        remember("theme", "nord")


NAMED = (
    "check DECK",
    "render DECK",
    "get DECK --sample a",
    "set DECK --sample a --path note --value x --dry-run",
    "convert DECK new.yaml --dry-run",
    "check RUN",
    "next RUN --deck DECK",
    "trace RUN",
    "report RUN --deck DECK",
    "report RUN --baseline RUN --format json",
    "comments RUN",
    "regrade RUN --deck DECK",
    "promote RUN --id a --to new.toml",
    "guess RUN",
)


@pytest.mark.parametrize("words", NAMED)
def test_a_link_that_a_person_names_is_read_wherever_it_leads(tmp_path, sampleui, monkeypatch, words):
    elsewhere, project = tmp_path / "elsewhere", tmp_path / "project"
    elsewhere.mkdir()
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    for name, text in {"deck.toml": DECK, "run.jsonl": ROW}.items():
        (elsewhere / name).write_text(text)
        (project / name).symlink_to(elsewhere / name)
    done = sampleui(*words.replace("DECK", "deck.toml").replace("RUN", "run.jsonl").split(" "))
    assert "a link" not in done.out + done.err, done.err
