"""A deck compared with git's index and the last commit, and its changes taken back one by one."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress

import pytest

from sampleui.deck import repository
from sampleui.deck.diff import changed_samples, diff
from sampleui.deck.git_changes import documents_of, hunks
from sampleui.deck.model import Base
from sampleui.deck.repository import NoBaseError
from sampleui.workspace.deck import open_deck

DECK = "".join(
    f'[[samples]]\nid = "s{at}"\nscore = {at}\nmessages = [{{ role = "user", content = "{at}" }}]\n\n'
    for at in range(4)
)


def git(folder, *args: str) -> None:
    named = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *named, *args], check=True, capture_output=True)


def committed(folder):
    """Return a deck that is in the last commit, with one sample changed since."""
    path = folder / "deck.toml"
    git(folder, "init", "-q")
    path.write_text(DECK)
    git(folder, "add", "deck.toml")
    git(folder, "commit", "-qm", "x")
    path.write_text(DECK.replace('content = "1"', 'content = "one"'))
    return path


@pytest.fixture
def deck(tmp_path):
    path = committed(tmp_path)
    git(tmp_path, "add", "deck.toml")
    path.write_text(path.read_text().replace('content = "2"', 'content = "two"'))
    return path


def test_changed_samples_are_those_since_the_base(deck):
    files = open_deck(deck).set(3, ("score",), 9).files
    assert changed_samples(files, documents_of(files, Base.DISK)) == {3}
    assert changed_samples(files, documents_of(files, Base.INDEX)) == {2, 3}
    assert changed_samples(files, documents_of(files, Base.HEAD)) == {1, 2, 3}
    text = diff(files, documents_of(files, Base.HEAD))
    assert '-messages = [{ role = "user", content = "1" }]' in text and "+score = 9" in text


def test_taking_all_hunks_back_is_the_base(deck):
    files = open_deck(deck).set(3, ("score",), 9).delete_sample(0).files
    olds = documents_of(files, Base.HEAD)
    assert olds is not None
    while found := hunks(files, olds):
        files = files.apply(found[0].taken_back(files))
    assert files.sources[0].document.text == DECK


def test_two_lines_of_a_sample_are_two_hunks(deck):
    files = open_deck(deck).set(2, ("id",), "x").files
    found = hunks(files, documents_of(files, Base.INDEX))
    assert [(one.line, one.old, list(one.samples)) for one in found] == [
        (12, 'id = "s2"\n', [2]),
        (14, 'messages = [{ role = "user", content = "2" }]\n', [2]),
    ]
    back = files.apply(found[0].taken_back(files))
    assert changed_samples(back) == frozenset() and not back.changed


def test_line_ends_of_the_checkout_are_no_change(deck, tmp_path):
    deck.write_bytes(DECK.replace("\n", "\r\n").encode())
    files = open_deck(deck).files
    assert not changed_samples(files, documents_of(files, Base.HEAD))


def test_a_file_that_git_has_not_is_new_and_no_repository_is_said(deck, new_folder):
    new = deck.with_name("new.toml")
    new.write_text(DECK)
    files = open_deck(new).files
    for base in (Base.INDEX, Base.HEAD):
        assert changed_samples(files, documents_of(files, base)) == {0, 1, 2, 3}
    alone = new_folder("alone") / "deck.toml"
    alone.write_text(DECK)
    with pytest.raises(NoBaseError, match="not in a git repository"):
        documents_of(open_deck(alone).files, Base.HEAD)


def test_what_git_has_may_be_no_deck(deck, tmp_path):
    deck.write_text("[[samples]\n")
    git(tmp_path, "add", "deck.toml")
    deck.write_text(DECK)
    with pytest.raises(NoBaseError, match="cannot be read"):
        documents_of(open_deck(deck).files, Base.INDEX)


PROGRAMS = [
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.gitProxy",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "diff.external",
    "diff.x.command",
    "diff.x.textconv",
    "filter.x.clean",
    "filter.x.process",
    "filter.x.smudge",
    "gpg.program",
    "merge.x.driver",
    "remote.origin.uploadpack",
    "remote.origin.vcs",
    "uploadpack.packObjectsHook",
]
"""The settings by which a repository names programs, each of them tried."""

REMOTES = [
    "ext::{program} %G",
    "ssh://-oProxyCommand={program}/x",
    "ssh://nowhere.invalid/x",
    "file://{folder}",
    "x::y",
]
"""Where a repository may say that a missing object is to be fetched from."""


@pytest.fixture
def program(tmp_path):
    """Return a program that a repository may name; it leaves a file when it is run."""
    path = tmp_path / "program"
    path.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\ncat\n")
    path.chmod(0o755)
    return path


def looked_at(deck):
    """Ask git for both bases, whatever it answers."""
    for base in (Base.HEAD, Base.INDEX):
        with suppress(NoBaseError):
            documents_of(open_deck(deck).files, base)


def test_nothing_that_the_repository_names_is_run(deck, tmp_path, program):
    for name in PROGRAMS:
        git(tmp_path, "config", name, str(program))
    (tmp_path / ".gitattributes").write_text("*.toml diff=x filter=x merge=x\n")
    for hook in ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc"):
        shutil.copy(program, tmp_path / ".git" / "hooks" / hook)
    looked_at(deck)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("remote", REMOTES)
@pytest.mark.parametrize("knows_lazy_fetch", [True, False])
def test_no_object_is_fetched_by_a_program_of_the_repository(
    deck, tmp_path, program, monkeypatch, remote, knows_lazy_fetch
):
    """An older git does not know GIT_NO_LAZY_FETCH, and a repository may allow itself every protocol."""
    if not knows_lazy_fetch:
        monkeypatch.setattr(repository, "QUIET", {**repository.QUIET, "GIT_NO_LAZY_FETCH": "0"})
    for blob in (tmp_path / ".git" / "objects").glob("??/*"):
        blob.chmod(0o600)
    shown = ["git", "-C", str(tmp_path), "rev-parse", "HEAD:deck.toml", ":deck.toml"]
    for name in subprocess.run(shown, check=True, capture_output=True, text=True).stdout.split():
        (tmp_path / ".git" / "objects" / name[:2] / name[2:]).unlink()
    url = remote.format(program=program, folder=tmp_path)
    settings = {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": url,
        "protocol.ext.allow": "always",
        "protocol.allow": "always",
        "core.sshCommand": str(program),
    }
    for name, value in settings.items():
        git(tmp_path, "config", name, value)
    looked_at(deck)
    assert not (tmp_path / "ran").exists()


def test_a_folder_that_passes_for_a_bare_repository_is_none(tmp_path, program):
    bare = tmp_path / "evals"
    bare.mkdir()
    git(bare, "init", "-q", "--bare", ".")
    git(bare, "config", "core.fsmonitor", str(program))
    (bare / "deck.toml").write_text(DECK)
    looked_at(bare / "deck.toml")
    assert not (tmp_path / "ran").exists()
