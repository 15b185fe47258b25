"""Git reads only what lies in the repository of the tree itself, whatever its `.git` says."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from sampleui.deck.git_changes import documents_of
from sampleui.deck.model import Base
from sampleui.deck.repository import NoBaseError
from sampleui.workspace.deck import open_deck

from .test_git_changes import DECK, git

SECRET = "only-in-the-private-repository"


def out(folder, *args):
    return subprocess.run(["git", "-C", str(folder), *args], check=True, capture_output=True, text=True).stdout


def repository(folder, text=DECK):
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    (folder / "deck.toml").write_text(text)
    git(folder, "add", "deck.toml")
    git(folder, "commit", "-qm", "x")
    return folder


@pytest.fixture
def private(tmp_path):
    """Return the git directory of a person's own repository, beside the folder that came from others."""
    return repository(tmp_path / "home" / "private", DECK.replace('"1"', f'"{SECRET}"')) / ".git"


@pytest.fixture
def evil(tmp_path):
    folder = tmp_path / "evil"
    folder.mkdir()
    (folder / "deck.toml").write_text(DECK)
    return folder


def same_commit(evil, private):
    """Give a folder a repository with the last commit and the index of the private one, but not the objects."""
    git(evil, "init", "-q")
    (evil / ".git" / "refs" / "heads" / "main").write_text(out(private, "rev-parse", "HEAD"))
    (evil / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    shutil.copy(private / "index", evil / ".git" / "index")
    return evil / ".git" / "objects"


def a_file_that_names_it(evil, private):
    (evil / ".git").write_text("gitdir: ../home/private/.git\n")


def a_file_that_names_it_whole(evil, private):
    (evil / ".git").write_text(f"gitdir: {private}")


def a_link(evil, private):
    (evil / ".git").symlink_to("../home/private/.git")


def a_link_to_a_file_that_names_it(evil, private):
    (evil / "x").write_text(f"gitdir: {private}\n")
    (evil / ".git").symlink_to("x")


def a_file_that_names_a_link(evil, private):
    (evil / "x").symlink_to(private)
    (evil / ".git").write_text("gitdir: x\n")


def linked_objects(evil, private):
    shutil.rmtree(same_commit(evil, private))
    (evil / ".git" / "objects").symlink_to(private / "objects")


def a_linked_folder_of_objects(evil, private):
    objects = same_commit(evil, private)
    for folder in (private / "objects").glob("??"):
        (objects / folder.name).symlink_to(folder)


def linked_objects_one_by_one(evil, private):
    objects = same_commit(evil, private)
    for path in (private / "objects").glob("??/*"):
        (objects / path.parent.name).mkdir(exist_ok=True)
        (objects / path.parent.name / path.name).symlink_to(path)


def linked_packs(evil, private):
    git(private.parent, "repack", "-adq")
    pack = same_commit(evil, private) / "pack"
    for path in (private / "objects" / "pack").iterdir():
        (pack / path.name).symlink_to(path)


def a_common_folder(evil, private):
    same_commit(evil, private)
    (evil / ".git" / "HEAD").write_text(out(private, "rev-parse", "HEAD"))
    (evil / ".git" / "commondir").write_text("../../home/private/.git\n")


def alternates(evil, private):
    (same_commit(evil, private) / "info" / "alternates").write_text(f"# x\n{private / 'objects'}\n")


def alternates_by_a_relative_path(evil, private):
    (same_commit(evil, private) / "info" / "alternates").write_text("../../../home/private/.git/objects\n")


def quoted_alternates(evil, private):
    (same_commit(evil, private) / "info" / "alternates").write_text(f'"{private}/objec\\164s"\n')


def linked_alternates(evil, private):
    (evil / "x").write_text(f"{private}/objects\n")
    (same_commit(evil, private) / "info" / "alternates").symlink_to(evil / "x")


def alternates_of_alternates(evil, private):
    (evil / "store" / "info").mkdir(parents=True)
    (evil / "store" / "info" / "alternates").write_text(f"{private}/objects\n")
    (same_commit(evil, private) / "info" / "alternates").write_text("../../store\n")


def a_worktree_that_says_so_itself(evil, private):
    (evil / "x").mkdir()
    (evil / ".git").write_text("gitdir: x\n")
    (evil / "x" / "gitdir").write_text(f"{evil / '.git'}\n")
    (evil / "x" / "commondir").write_text(f"{private}\n")
    (evil / "x" / "HEAD").write_text(out(private, "rev-parse", "HEAD"))
    shutil.copy(private / "index", evil / "x" / "index")


def the_worktree_of_another_folder(evil, private):
    git(private.parent, "worktree", "add", "-q", str(private.parent.parent / "other"))
    (evil / ".git").write_text(f"gitdir: {private / 'worktrees' / 'other'}\n")


def the_submodule_of_another_folder(evil, private):
    (private / "modules").mkdir()
    shutil.copytree(private, private / "modules" / "x", ignore=shutil.ignore_patterns("modules"))
    (evil / ".git").write_text(f"gitdir: {private / 'modules' / 'x'}\n")


def a_submodule_by_a_link(evil, private):
    git(evil, "init", "-q")
    (evil / ".git" / "modules").symlink_to(private.parent)
    git(private, "config", "core.worktree", str(evil / "sub"))
    (evil / "sub").mkdir()
    (evil / "deck.toml").rename(evil / "sub" / "deck.toml")
    (evil / "sub" / ".git").write_text("gitdir: ../.git/modules/.git\n")


READS = [
    a_file_that_names_it,
    a_file_that_names_it_whole,
    a_link,
    a_link_to_a_file_that_names_it,
    a_file_that_names_a_link,
    linked_objects,
    a_linked_folder_of_objects,
    linked_objects_one_by_one,
    linked_packs,
    a_common_folder,
    alternates,
    alternates_by_a_relative_path,
    quoted_alternates,
    linked_alternates,
    alternates_of_alternates,
    a_worktree_that_says_so_itself,
    the_worktree_of_another_folder,
    the_submodule_of_another_folder,
    a_submodule_by_a_link,
]
"""By what a folder may have git read another repository. With each of them git itself tells what is in that one."""


@pytest.mark.parametrize("way", READS, ids=lambda way: way.__name__)
def test_no_repository_beside_the_tree_is_read(evil, private, way):
    way(evil, private)
    (deck,) = evil.rglob("deck.toml")
    assert SECRET in out(deck.parent, "cat-file", "blob", "HEAD:./deck.toml")
    for base in (Base.HEAD, Base.INDEX):
        with pytest.raises(NoBaseError, match="git is not asked: ") as raised:
            documents_of(open_deck(deck).files, base)
        assert SECRET not in str(raised.value)


INCLUDED = {
    "include.path": "{private}/config",
    "include.path of the home folder": "~/private/.git/config",
    "includeIf.gitdir:**.path": "../../home/private/.git/config",
    "includeIf.onbranch:**.path": "%(prefix)/etc/gitconfig",
    "include.path of what includes it": "../own",
}


@pytest.mark.parametrize("name", INCLUDED)
def test_no_configuration_outside_of_the_repository_is_included(evil, private, name):
    repository(evil)
    (private / "config").write_text(f"[core]\nbare = {SECRET}\n")
    (evil / "own").write_text(f"[include]\npath = {private}/config\n")
    git(evil, "config", name.split()[0], INCLUDED[name].format(private=private))
    with pytest.raises(NoBaseError, match="which is outside of the repository") as raised:
        documents_of(open_deck(evil / "deck.toml").files, Base.HEAD)
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("name", ["config", "HEAD", "index", "packed-refs", "refs/heads/x", "config.worktree"])
def test_no_file_of_git_is_a_link_out_of_the_repository(evil, private, name):
    repository(evil)
    (evil / ".git" / name).unlink(missing_ok=True)
    (evil / ".git" / name).symlink_to(private / "config")
    with pytest.raises(NoBaseError, match="a link out of the repository"):
        documents_of(open_deck(evil / "deck.toml").files, Base.HEAD)


@pytest.mark.parametrize("named", ["", "gitdir: ", "gitdir: nowhere", "gitdir: .", "gitdir: \0", "x" * 99_999])
def test_a_git_file_that_leads_to_no_repository_is_refused_in_words(evil, named):
    (evil / ".git").write_text(named)
    with pytest.raises(NoBaseError):
        documents_of(open_deck(evil / "deck.toml").files, Base.HEAD)


VARIABLES = {
    "GIT_DIR": "{private}",
    "GIT_COMMON_DIR": "{private}",
    "GIT_WORK_TREE": "{private}/..",
    "GIT_INDEX_FILE": "{private}/index",
    "GIT_OBJECT_DIRECTORY": "{private}/objects",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "{private}/objects",
    "GIT_CONFIG": "{private}/config",
    "GIT_CONFIG_COUNT": "x",
    "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
    "GIT_NAMESPACE": "x",
    "GIT_CEILING_DIRECTORIES": "{private}",
    "GIT_EXEC_PATH": "{private}",
    "GIT_TRACE": "{private}/trace",
    "GIT_PREFIX": "x",
}
"""What a shell may have set for another repository, as within a hook; tried all at once."""


def test_no_variable_of_git_leads_elsewhere(evil, private, monkeypatch):
    repository(evil)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value.format(private=private))
    for base in (Base.HEAD, Base.INDEX):
        (document,) = documents_of(open_deck(evil / "deck.toml").files, base)
        assert document.text == DECK
    assert not (private / "trace").exists()


def test_a_worktree_and_a_submodule_and_what_a_repository_keeps_inside_are_read(tmp_path):
    main = repository(tmp_path / "main")
    git(main, "worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    git(main, "worktree", "add", "-q", "--detach", str(main / "below"))
    over = repository(tmp_path / "over")
    add = ["-c", "protocol.file.allow=always", "submodule", "add", "-q", str(main), "lib/sub"]
    git(over, *add)
    git(over, "worktree", "add", "-q", "--detach", str(tmp_path / "over-tree"))
    git(tmp_path / "over-tree", *add)
    git(tmp_path, "clone", "-q", "--shared", str(main), str(main / "shared"))
    (main / "more").write_text("[user]\nname = a\n")
    git(main, "config", "include.path", "../more")
    (main / ".git" / "objects" / "info" / "alternates").write_text("../../shared/.git/objects\n")
    (main / "shared" / ".git" / "objects" / "info" / "alternates").write_text("")
    for folder in ("main", "tree", "main/below", "over/lib/sub", "over-tree/lib/sub"):
        for base in (Base.HEAD, Base.INDEX):
            (document,) = documents_of(open_deck(tmp_path / folder / "deck.toml").files, base)
            assert document.text == DECK, folder
