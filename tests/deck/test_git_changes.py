"""A deck compared with git's index and the last commit, and its changes taken back one by one."""

from __future__ import annotations

import subprocess

import pytest

from sampleui.deck.diff import changed_samples, diff
from sampleui.deck.git_changes import NoBaseError, documents_of, hunks, taken_back
from sampleui.deck.model import Base
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
        files = files.apply(taken_back(files, found[0]))
    assert files.sources[0].document.text == DECK


def test_two_lines_of_a_sample_are_two_hunks(deck):
    files = open_deck(deck).set(2, ("id",), "x").files
    found = hunks(files, documents_of(files, Base.INDEX))
    assert [(one.line, one.old, list(one.samples)) for one in found] == [
        (12, 'id = "s2"\n', [2]),
        (14, 'messages = [{ role = "user", content = "2" }]\n', [2]),
    ]
    back = files.apply(taken_back(files, found[0]))
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
    with pytest.raises(NoBaseError, match="not a git repository"):
        documents_of(open_deck(alone).files, Base.HEAD)


def test_what_git_has_may_be_no_deck(deck, tmp_path):
    deck.write_text("[[samples]\n")
    git(tmp_path, "add", "deck.toml")
    deck.write_text(DECK)
    with pytest.raises(NoBaseError, match="cannot be read"):
        documents_of(open_deck(deck).files, Base.INDEX)


def test_nothing_that_the_repository_names_is_run(deck, tmp_path):
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    program.chmod(0o755)
    for name in ("core.fsmonitor", "diff.x.textconv", "filter.x.smudge", "core.sshCommand", "core.pager"):
        git(tmp_path, "config", name, str(program))
    (tmp_path / ".gitattributes").write_text("*.toml diff=x filter=x\n")
    documents_of(open_deck(deck).files, Base.HEAD)
    documents_of(open_deck(deck).files, Base.INDEX)
    assert not ran.exists()
