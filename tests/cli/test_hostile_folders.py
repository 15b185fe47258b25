"""Folders that an enemy made: nothing outside is changed or told, and what cannot be read is left out and named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sampleui.text import confined
from tests.torture.folders import run

DECK = '{"id": "a", "messages": [{"role": "user", "content": "hi"}]}\n'


def test_no_command_touches_what_lies_outside_of_a_hostile_folder(monkeypatch):
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    told = []
    assert run(range(5), seed=7, told=told.append).faults == 0, told


@pytest.fixture
def repo(tmp_path):
    (tmp_path / "mine.jsonl").write_text(DECK)
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True)
    (repo / "deck.jsonl").write_text(DECK)
    return repo


def test_a_deck_that_is_a_link_out_of_the_folder_is_left_out_named_and_not_written(sampleui, repo):
    (repo / "out.jsonl").symlink_to("../mine.jsonl")
    ran = sampleui("replace", "hi", "Hey", repo)
    assert ran.code == 2
    assert f"{repo / 'out.jsonl'}: a link that leads out of the folder" in ran.err
    assert "Hey" in (repo / "deck.jsonl").read_text()
    assert (repo.parent / "mine.jsonl").read_text() == DECK


def test_a_link_inside_of_the_project_is_read_and_not_written_through(sampleui, repo):
    (repo / "lib").mkdir()
    (repo / "lib" / "own.jsonl").write_text(DECK)
    (repo / "evals").mkdir()
    (repo / "evals" / "link.jsonl").symlink_to("../lib/own.jsonl")
    assert sampleui("check", repo / "evals").code == 0
    ran = sampleui("replace", "hi", "Hey", repo / "evals")
    assert ran.code == 2
    assert "through a link" in ran.err
    assert (repo / "lib" / "own.jsonl").read_text() == DECK


def test_a_deck_that_a_person_names_is_edited_where_the_link_leads_and_the_link_stays(sampleui, repo):
    link = repo / "named.jsonl"
    link.symlink_to("../mine.jsonl")
    assert sampleui("replace", "hi", "Hey", link).code == 0
    assert "Hey" in (repo.parent / "mine.jsonl").read_text()
    assert link.readlink() == Path("../mine.jsonl")


@pytest.mark.parametrize("leads_to", ["../new.toml", "../mine.jsonl", "loop.toml"])
def test_no_deck_is_converted_exported_or_promoted_through_a_link(sampleui, repo, leads_to):
    (repo / "loop.toml").symlink_to(leads_to)
    (repo / "run.jsonl").write_text('{"test_id": "a", "score": 0.1, "candidate_answer": "x", "input": "hi"}\n')
    sampleui("verdict", repo / "run.jsonl", "#1", "ok", "--reviewer", "ada")
    to = ["--to", repo / "loop.toml"]
    for command in (
        ["convert", repo / "deck.jsonl", repo / "loop.toml", "--force"],
        ["export", repo / "run.jsonl", "--verdict", "ok", *to],
        ["promote", repo / "run.jsonl", "--id", "#1", *to],
    ):
        ran = sampleui(*command)
        assert ran.code == 2
        assert "a link, through which" in ran.err
    assert not (repo.parent / "new.toml").exists()
    assert (repo.parent / "mine.jsonl").read_text() == DECK


def test_a_folder_of_converted_decks_is_not_left_by_a_link_in_it(sampleui, repo):
    (repo / "sub").mkdir()
    (repo / "sub" / "deck.jsonl").write_text(DECK)
    out = repo.parent / "out"
    out.mkdir()
    (out / "sub").symlink_to(repo.parent)
    ran = sampleui("convert", repo, out, "--format", "toml")
    assert ran.code == 2
    assert "goes through a link" in ran.err
    assert (out / "deck.toml").exists()
    assert not (repo.parent / "deck.toml").exists()


def test_a_verdict_is_not_recorded_in_a_log_that_leads_out_of_the_folder(sampleui, repo):
    (repo / "run.jsonl").write_text('{"test_id": "a", "score": 0.1, "candidate_answer": "x"}\n')
    shell = repo.parent / ".bashrc"
    shell.write_text("alias l=ls\n")
    (repo / "run.reviews.jsonl").symlink_to("../.bashrc")
    ran = sampleui("verdict", repo / "run.jsonl", "#1", "ok", "--reviewer", "ada")
    assert ran.code == 2
    assert "it is a link, through which nothing is written" in ran.err
    assert shell.read_text() == "alias l=ls\n"


@pytest.mark.parametrize("begun", ["alias l=ls\n", "alias l=ls"])
def test_a_verdict_is_not_recorded_in_a_log_that_is_another_file_by_a_second_name(sampleui, repo, begun):
    (repo / "run.jsonl").write_text('{"test_id": "a", "score": 0.1, "candidate_answer": "x"}\n')
    shell = repo.parent / ".bashrc"
    shell.write_text(begun)
    (repo / "run.reviews.jsonl").hardlink_to(shell)
    ran = sampleui("verdict", repo / "run.jsonl", "#1", "ok", "--reviewer", "ada")
    assert ran.code == 2
    assert "it has another name (a hard link)" in ran.err
    assert shell.read_text() == begun
    assert sampleui("next", repo / "run.jsonl").code in (0, 1)


def test_the_settings_of_a_project_are_not_written_through_a_link(repo, monkeypatch):
    from sampleui.errors import SettingsError
    from sampleui.settings.writing import take_table

    (repo / ".sampleui.toml").symlink_to("../outside.toml")
    with pytest.raises(SettingsError):
        take_table(repo, "[dialects.x]\nmessages = 'm'\n")
    assert not (repo.parent / "outside.toml").exists()


@pytest.mark.parametrize("others", [0, 1])
def test_a_link_to_the_folder_of_a_run_is_named_and_not_looked_into(sampleui, repo, others):
    row = '{"test_id": "a", "score": 0.1, "output": [{"role": "assistant", "content": "%s"}]}\n'
    runs = [repo.parent / "mine", *(repo / "runs" / f"r{number}" for number in range(others))]
    for folder in runs:
        folder.mkdir(parents=True)
        (folder / "index.jsonl").write_text(row % folder.name)
    (repo / "runs").mkdir(exist_ok=True)
    (repo / "runs" / "linked").symlink_to("../../mine")
    ran = sampleui("report", repo / "runs")
    assert ran.code == (0 if others else 2)
    assert f"{repo / 'runs' / 'linked'} is not looked into: a link to a folder" in ran.err


def test_a_folder_of_runs_that_cannot_be_read_is_named(repo, monkeypatch):
    from sampleui.review.results.run_paths import not_looked_into

    (repo / "runs" / "closed").mkdir(parents=True)
    real = os.scandir

    def closed(path):
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", closed)
    assert not_looked_into(repo / "runs") == (f"{repo / 'runs' / 'closed'} is not looked into: Permission denied",)


def test_of_the_files_outside_that_a_run_names_it_is_not_told_which_exist(tmp_path):
    from sampleui.integrations.agentv.run_files import tries_of

    (tmp_path / "run").mkdir()
    (tmp_path / "home" / "there").mkdir(parents=True)
    (tmp_path / "home" / "there" / "grading.json").write_text("{}")
    samples = [{"sample_path": "there"}, {"sample_path": "gone"}]
    there, gone = tries_of({"result_dir": "../home", "samples": samples}, tmp_path / "run")
    assert there == gone | {"sample_path": "there"}


@pytest.mark.parametrize("kind", ["pipe", "one of several", "dangling", "link", "folder"])
def test_columns_are_neither_waited_for_nor_read_outside(sampleui, repo, kind):
    pytest.importorskip("duckdb")
    row = '{"test_id": "a", "score": 0.1, "target": "%s"}\n'
    (repo.parent / "mine.json").write_text(row % "private")
    (repo / "own.json").write_text(row % "own")
    glob = f"{repo}/*/*.json" if kind == "folder" else f"{repo}/*.json"
    (repo / "sub").mkdir()
    (repo / "sub" / "own.json").write_text(row % "own")
    assert sampleui("report", glob).code == 0
    if kind in ("pipe", "one of several"):
        os.mkfifo(repo / "p.json")
    elif kind == "dangling":
        (repo / "p.json").symlink_to("nowhere")
    elif kind == "link":
        (repo / "p.json").symlink_to("../mine.json")
    else:
        (repo / "p.json").symlink_to("..")
    led = f"{repo}/p.json" if kind == "pipe" else glob
    for command in (["report", led], ["report", f"{repo}/own*.json", "--baseline", led]):
        ran = sampleui(*command)
        assert ran.code == 2
        assert "p.json" in ran.err
        assert "private" not in ran.out


@pytest.mark.parametrize("pattern", ["x{1..100000}*.json", "{a,b}" * 11 + "*.json"])
@pytest.mark.parametrize("command", ["check", "render", "replace hi ho"])
def test_a_glob_whose_braces_stand_for_very_many_is_one_line(sampleui, repo, pattern, command):
    (repo / "x1.json").write_text("[]")
    ran = sampleui(*command.split(" "), f"{repo}/{pattern}")
    assert ran.code == 2
    assert "it stands for more than 1,000 patterns" in ran.err


@pytest.mark.parametrize("command", ["replace", "convert"])
def test_a_deck_that_was_found_counts_as_named_by_nobody(sampleui, repo, tmp_path, monkeypatch, command):
    monkeypatch.setattr(confined, "NAMES", confined.NamedPaths())
    (repo / "evals").mkdir()
    (repo / "evals" / "own.toml").write_text(
        '[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "hi" }]\n'
    )
    more = {"replace": ["hi", "ho", repo], "convert": [repo, tmp_path / "out", "--format", "yaml"]}
    sampleui(command, *more[command])
    assert repo in confined.NAMES
    assert repo / "evals" / "own.jsonl" not in confined.NAMES
