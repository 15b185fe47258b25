"""Locks between real processes: whoever writes waits for their holder, and is told when that does not end."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.errors import ResultsError, SaveError, SettingsError
from sampleui.review.log.store import open_log
from sampleui.settings.options import user_file
from sampleui.settings.writing import remember
from sampleui.text import replacing
from tests.failing import failing
from tests.review.build import decision

HOLDER = """
import fcntl, os, sys
descriptor = os.open(sys.argv[1], os.O_RDONLY)
fcntl.flock(descriptor, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""
DECK = '[[samples]]\nid = "a"\nmessages = [{role = "user", content = "old"}]\n'


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Have another process hold the lock of a file or folder."""
    command = [sys.executable, "-S", "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"held\n"
        yield
        process.kill()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(replacing.take_lock, "__defaults__", (0.05,))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_a_decision_waits_for_the_lock_of_the_log(tmp_path):
    log = open_log(tmp_path / "run.reviews.jsonl")
    log.append(decision("first"))
    before = log.path.read_bytes()
    with held(log.path), pytest.raises(ResultsError, match="not recorded: another program holds its lock"):
        log.append(decision("second"))
    assert log.path.read_bytes() == before
    log.append(decision("second"))
    assert len(open_log(log.path).decisions) == 2


def test_a_save_waits_for_the_lock_of_its_folder(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(DECK)
    deck = open_deck(path).set(0, ("messages", 0, "content"), "new")
    with held(tmp_path), pytest.raises(SaveError, match="was not saved: another program holds its lock"):
        deck.save()
    assert path.read_text() == DECK
    deck.save()
    assert '"new"' in path.read_text()


def test_a_setting_waits_for_the_lock_of_its_folder():
    user_file().parent.mkdir(parents=True)
    with held(user_file().parent), pytest.raises(SettingsError, match="not remembered: another program"):
        remember("theme", "nord")
    assert not user_file().exists()
    remember("theme", "nord")
    assert user_file().read_text() == 'theme = "nord"\n'


def test_a_lock_that_the_system_cannot_give_stops_what_would_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr(replacing.fcntl, "flock", failing(errno.EIO))
    log = open_log(tmp_path / "run.reviews.jsonl")
    with pytest.raises(ResultsError, match="not recorded: Input/output error"):
        log.append(decision("a"))
    assert [path.name for path in tmp_path.iterdir()] == []


def test_where_there_are_no_locks_everything_is_written_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(replacing.fcntl, "flock", failing(errno.ENOSYS))
    log = open_log(tmp_path / "run.reviews.jsonl")
    log.append(decision("a"))
    path = tmp_path / "deck.toml"
    path.write_text(DECK)
    (tmp_path / ".sampleui-0123456789ab.tmp").write_text("may be alive")
    open_deck(path).set(0, ("messages", 0, "content"), "new").save()
    assert '"new"' in path.read_text() and len(open_log(log.path).decisions) == 1
    assert (tmp_path / ".sampleui-0123456789ab.tmp").exists(), "without a lock nobody can say that it is dead"


def test_one_of_two_processes_that_save_at_once_is_told(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(DECK)
    code = (
        "import sys\nfrom sampleui import open_deck\nfrom sampleui.errors import StaleFileError\n"
        "deck = open_deck(sys.argv[1]).set(0, ('messages', 0, 'content'), sys.argv[2])\n"
        "print('ready', flush=True)\nsys.stdin.readline()\n"
        "try:\n    deck.save()\n    print('saved')\nexcept StaleFileError:\n    print('stale')\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    both = [
        subprocess.Popen([sys.executable, "-c", code, str(path), name], env=environment, **pipes)
        for name in ("one", "two")
    ]
    for process in both:
        assert process.stdout.readline() == "ready\n"
    for process in both:
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.communicate()[0].strip() for process in both]
    assert sorted(said) == ["saved", "stale"]
    assert ("one" if said[0] == "saved" else "two") in path.read_text()
