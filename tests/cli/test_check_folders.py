"""`sampleui check` of folders, globs and many files: which decks, in which order, by how many processes."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from sampleui.cli import check, deck_arguments, processes
from sampleui.errors import DeckError
from sampleui.formats.registry import BY_SUFFIX

from .conftest import ROOT, drawn_on

CLEAN = '[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "hi" }]\n'
ERROR = '[[samples]]\nid = "b"\nmessages = [{ role = "user" }]\n'


def looked_at(ran) -> list[str]:
    return [deck["path"] for deck in json.loads(ran.out)["decks"]]


def test_of_a_folder_every_deck_below_it_is_checked(sampleui, folder):
    root = folder(
        **{
            "b.toml": ERROR,
            "a/deep/c.yaml": "tests:\n- id: x\n  criteria: y\n  input: hi\n",
            "package.json": "{}",
            "run.jsonl": '{"test_id": "a", "score": 0.5, "candidate_answer": "x"}\n',
            "node_modules/d.toml": ERROR,
        }
    )
    ran = sampleui("check", root, "--format", "json")
    assert ran.code == 1
    assert looked_at(ran) == [str(root / "b.toml"), str(root / "a/deep/c.yaml")]
    skipped = {Path(one["path"]).name: one["reason"] for one in json.loads(ran.out)["skipped"]}
    assert skipped == {
        "package.json": "another program's file",
        "run.jsonl": "results",
        "node_modules": "a folder of other programs",
    }


def test_verbose_says_what_was_skipped_and_how_many(sampleui, folder):
    root = folder(**{"b.toml": CLEAN, "package.json": "{}", "tsconfig.json": "{}", ".x.toml": CLEAN})
    assert "skipped" not in sampleui("check", root).out
    lines = sampleui("check", root, "-v").out.splitlines()
    assert f"{root / '.x.toml'}: skipped: hidden" in lines
    assert "3 skipped: 2 another program's file, 1 hidden" in lines


def test_a_folder_without_decks_says_so(sampleui, folder, tmp_path):
    root = folder(**{"notes.json": "{}"})
    ran = sampleui("check", root)
    assert (ran.code, ran.out, ran.err) == (2, "", f"{root}: the folder has no decks\n")
    ran = sampleui("check", f"{tmp_path}/evals/*.toml")
    assert (ran.code, ran.err) == (2, f"{tmp_path}/evals/*.toml: no deck matches\n")


def test_a_broken_deck_in_a_folder_stops_no_other(sampleui, folder):
    root = folder(**{"a.toml": "[[samples]]\nmessages = [\n", "b.toml": ERROR})
    ran = sampleui("check", root)
    assert ran.code == 2
    assert ran.err.startswith(f"{root / 'a.toml'}:")
    assert "[content-missing]" in ran.out


def test_wrong_settings_of_one_folder_stop_no_other(sampleui, folder):
    root = folder(**{"a/x.toml": CLEAN, "a/y.toml": CLEAN, "a/.sampleui.toml": "none = 1\n", "b/x.toml": ERROR})
    (root / "b" / ".git").mkdir()
    ran = sampleui("check", root)
    assert ran.code == 2
    assert "[content-missing]" in ran.out
    assert ran.err.count("there is no setting none") == 1


def test_the_cases_of_a_suite_are_read_with_it(sampleui, folder):
    root = folder(
        **{
            "cases.yaml": "- id: x\n  criteria: y\n  input: hi\n",
            "suite.yaml": "tests: ./cases.yaml\n",
            "other.yaml": "tests: ./suite.yaml\n",
        }
    )
    ran = sampleui("check", root, "--format", "json")
    assert str(root / "cases.yaml") not in looked_at(ran)
    assert looked_at(sampleui("check", root / "cases.yaml", "--format", "json")) == [str(root / "cases.yaml")]


def test_two_decks_that_refer_to_each_other_are_one(sampleui, folder):
    root = folder(**{"a.md": "![b](b.md)\n![x](x.toml)\n", "b.md": "![a](a.md)\n", "x.toml": CLEAN})
    assert looked_at(sampleui("check", root, "--format", "json")) == [str(root / "a.md")]


def test_each_deck_is_checked_once(sampleui, folder):
    root = folder(**{"a.toml": CLEAN, "b.toml": CLEAN})
    (root / "c.toml").symlink_to("a.toml")
    ran = sampleui("check", root / "b.toml", root, f"{root}/*.toml", "--format", "json")
    assert ran.code == 0
    assert looked_at(ran) == [str(root / "b.toml"), str(root / "a.toml")]


def test_what_is_named_is_checked_whatever_it_is(sampleui, folder):
    root = folder(**{".hidden.toml": ERROR, "a.toml": CLEAN})
    assert looked_at(sampleui("check", root / ".hidden.toml", root, "--format", "json")) == [
        str(root / ".hidden.toml"),
        str(root / "a.toml"),
    ]


def test_only_decks_passes_over_named_files_that_are_none(sampleui, folder):
    root = folder(
        **{
            "package.json": "{}",
            "tsconfig.base.json": "{ // x\n}",
            "main.py": "",
            "a.toml": ERROR,
            "b.toml": "[[samples]]\nx = \n",
        }
    )
    others = [root / name for name in ("package.json", "tsconfig.base.json", "main.py")]
    ran = sampleui("check", "--only-decks", *others, "--verbose")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count(": skipped: ") == 3
    ran = sampleui("check", "--only-decks", *others, root / "a.toml")
    assert (ran.code, "[content-missing]" in ran.out, ran.err) == (1, True, "")
    assert sampleui("check", "--only-decks", root / "b.toml").code == 2
    assert sampleui("check", "--only-decks", root / "none.toml").code == 2


def test_only_decks_checks_cases_with_their_suite(sampleui, folder, monkeypatch):
    root = folder(
        **{
            ".git/HEAD": "",
            "suite.yaml": "input: Hello\ntests: file://cases/one.yaml\n",
            "other.yaml": "tests:\n- id: z\n  criteria: y\n",
            "cases/one.yaml": "- id: x\n  criteria: y\n",
        }
    )
    monkeypatch.chdir(root / "cases")
    ran = sampleui("check", "--only-decks", "one.yaml", "../suite.yaml", "--format", "json")
    assert looked_at(ran) == ["../suite.yaml"]
    assert json.loads(ran.out)["skipped"] == [
        {"path": "one.yaml", "reason": "read with suite.yaml"},
        {"path": "../suite.yaml", "reason": "given already"},
    ]
    assert looked_at(sampleui("check", "--only-decks", "one.yaml", "--format", "json")) == ["../suite.yaml"]
    monkeypatch.chdir(root)
    assert looked_at(sampleui("check", "--only-decks", "cases/one.yaml", "--format", "json")) == ["suite.yaml"]


def test_several_processes_print_what_one_prints(sampleui, folder):
    order = random.Random(1)
    root = folder(
        **{
            f"{order.randrange(5)}/{at:02}.toml": order.choice([CLEAN, ERROR, "[[samples]]\nx = \n"])
            * order.choice([1, 50])
            for at in range(20)
        }
    )
    for form in ("text", "sarif"):
        alone = sampleui("check", root, "--format", form, "--jobs", "1")
        assert sampleui("check", root, "--format", form, "--jobs", "2") == alone
        assert alone.code == 2


def dying(path: Path) -> str:
    if path.name == "bad":
        os.kill(os.getpid(), signal.SIGKILL)
    return path.name


def failing(path: Path) -> str:
    raise ValueError(path.name)


def test_a_process_that_dies_is_an_error_of_its_file_alone():
    paths = [Path("a"), Path("b"), Path("bad"), *(Path(f"c{at}") for at in range(60))]
    results = list(processes.each(dying, paths, 2, "trying"))
    died = "bad: the process that worked on it died"
    assert [*map(str, results)] == [died if path.name == "bad" else path.name for path in paths]


def test_what_fails_in_a_process_fails_here():
    with pytest.raises(ValueError, match="x"):
        list(processes.each(failing, [Path("x"), Path("y")], 2, "trying"))


def test_a_deck_whose_process_died_is_not_passed_over(sampleui, folder, monkeypatch):
    root = folder(**{"a.toml": ERROR, "b.toml": CLEAN})
    died = "the process that worked on it died"
    monkeypatch.setattr(deck_arguments, "each", lambda _work, paths, *_: (DeckError(died, path) for path in paths))
    ran = sampleui("check", root)
    assert ran.code == 2
    assert ran.err.splitlines() == [
        f"{root / name}: the process that worked on it died" for name in ("a.toml", "b.toml")
    ]


def test_ctrl_c_ends_all_processes_with_one_line_at_most(folder):
    root = folder(**{f"{at}.toml": CLEAN * 40_000 for at in range(4)})
    with subprocess.Popen(
        [sys.executable, "-m", "sampleui", "check", str(root), "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # a group of its own gets the signal, as that of a terminal does
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as running:
        while len(children := children_of(running.pid)) < 2:
            assert running.poll() is None
            time.sleep(0.01)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (130, b"") and err in (b"", b"sampleui: interrupted\n")
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def children_of(process: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def test_progress_is_on_a_terminal_alone_and_cleared(folder, process):
    root = folder(**{f"{at}.toml": CLEAN * 20 for at in range(40)})
    assert process("check", root, "--jobs", "1").err == ""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "sampleui", "check", str(root), "--jobs", "1"],
        stdout=subprocess.PIPE,
        stderr=slave,
        env={**os.environ, "TERM": "xterm"},
    ) as running:
        os.close(slave)
        out, _ = running.communicate()
        drawn = drawn_on(master)
    assert out.endswith(b"\n")
    assert b"\x1b" not in out
    assert b" of 40" in drawn
    assert drawn.endswith(b"\r\x1b[K")
    assert b"\n" not in drawn


def test_the_hook_of_pre_commit_is_given_every_file_that_may_be_a_deck():
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["id"] == "sampleui-check"
    for suffix in BY_SUFFIX:
        assert re.search(hook["files"], f"evals/a{suffix}"), suffix
    command, name, *options = hook["entry"].split()
    assert (command, name) == ("sampleui", "check")
    assert {*options} <= {option for param in check.command.params for option in param.opts}
