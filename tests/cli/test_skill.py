"""The skill for agents: every command in it runs, and a whole session goes by these commands alone."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
import yaml

from sampleui.cli.schema import answer_schema
from sampleui.cli.skill import TEXT, TOPICS
from sampleui.review.presence import present
from sampleui.runs.rerun.trust import TRUSTED
from tests.command import Ran
from tests.tui.driver import ROOT
from tests.tui.review_driver import reviewing

from .rerunning import Project
from .schemas import closed

COMMANDS = [
    line
    for file in (TEXT, TOPICS)
    for block in re.findall(r"```sh\n(.*?)```", file.read_text("utf-8"), re.DOTALL)
    for line in block.splitlines()
]
AGENT = "agent:NAME"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the skill names: a deck, the results of a run of it, and edits."""
    (tmp_path / "decks").mkdir()
    shutil.copy(ROOT / "examples" / "decks" / "hello.toml", tmp_path / "decks")
    shutil.copy(ROOT / "examples" / "results" / "hello.results.jsonl", tmp_path / "run.jsonl")
    edit = {"op": "set", "sample": "haiku", "path": "messages[0].content", "value": "Write a haiku about rain"}
    (tmp_path / "edits.jsonl").write_text(json.dumps(edit) + "\n")
    label = {"id": "haiku", "code": "too long", "label": "yes", "quote": "Maple leaves like fire"}
    (tmp_path / "labels.jsonl").write_text(json.dumps(label) + "\n")
    verdict = {"record": "refund-policy", "verdict": "model-wrong", "comment": "it says 14 days"}
    (tmp_path / "verdicts.jsonl").write_text(json.dumps(verdict) + "\n")
    Project(tmp_path / "evals", "results.json", ("refund", "other"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_of_the_skill_runs(project: Path, sampleui: Callable[..., Ran], review_app: object) -> None:
    named = {shlex.split(command)[1] for command in COMMANDS}
    assert {
        "get",
        "add-sample",
        "check",
        "next",
        "verdict",
        "comment",
        "code",
        "label",
        "edit",
        "review",
        "rerun",
    } <= named
    assert not any("--yes" in command for command in COMMANDS), "a person agrees to what is run, and no program"
    TRUSTED.add(project / "evals", always=True)  # which a person did
    for command in COMMANDS:
        program, *words = shlex.split(command)
        assert program == "sampleui"
        if words[0] == "review":  # which needs a terminal: a test of its own has one
            continue
        ran = sampleui(*words)
        assert ran.code in ((0, 1) if words[0] == "regrade" else (0,)), (command, ran.out, ran.err)  # 1: some fail


def test_the_skill_has_a_name_and_a_description_and_is_written_where_it_is_wanted(
    sampleui: Callable[..., Ran], tmp_path: Path
) -> None:
    front = yaml.safe_load(TEXT.read_text("utf-8").split("---")[1])
    assert front["name"] == "sampleui" and 100 < len(front["description"]) <= 1024
    assert sampleui("skill").out == TEXT.read_text("utf-8")
    for _ in range(2):
        ran = sampleui("skill", "--to", tmp_path / "new" / "skills")
        assert (ran.code, (tmp_path / "new" / "skills" / "sampleui" / "SKILL.md").read_bytes()) == (
            0,
            TEXT.read_bytes(),
        )
    (tmp_path / "evil").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "evil" / "sampleui").symlink_to(tmp_path / "elsewhere")
    assert sampleui("skill", "--to", tmp_path / "evil").code == 2
    assert not [*(tmp_path / "elsewhere").iterdir()], "nothing is written through a link"


async def test_a_whole_session_of_an_agent(project: Path, sampleui: Callable[..., Ran]) -> None:
    """Five samples authored and checked, three failures proposed and taken, one refused, and a sample run again."""
    deck, run = Path("decks/hello.toml"), Path("run.jsonl")
    for number in range(5):
        sample: dict[str, object] = {
            "id": f"sum-{number}",
            "messages": [{"role": "user", "content": f"What is {number} + 1?"}],
        }
        sample |= {"expected": str(number + 1), "score": 1}
        made = sampleui("add-sample", deck, "--json", json.dumps(sample), "--format", "json")
        assert (made.code, json.loads(made.out)["written"]) == (0, True)
    assert sampleui("check", deck).code == 0
    assert sampleui("get", deck).out.split()[-5:] == [f"sum-{number}" for number in range(5)]

    proposed = []
    for verdict in ("flaky", "model-wrong", "expected-wrong", "grader-wrong"):
        record = json.loads(sampleui("next", run, "--reviewer", AGENT, "--format", "json").out)
        why = f"the answer is {(record['actual'] or 'missing')[:20]!r}"
        assert sampleui("verdict", run, record["id"], verdict, "--as", AGENT, "--comment", why).code == 0
        proposed.append(record["id"])
    assert len({*proposed}) == 4, "next passes over what was proposed"
    before = deck.read_bytes()
    edit = sampleui("edit", deck, "edits.jsonl", "--propose", "--as", AGENT, "--format", "json")
    assert json.loads(edit.out)["written"] is False and deck.read_bytes() == before
    report = json.loads(sampleui("report", run, "--format", "json").out)["review"]
    assert (report["reviewed"], len(report["decisions"])) == (0, 4)

    from sampleui.cli.review import Since
    from sampleui.review.results.file import open_results
    from sampleui.runs.decks import decks_of_run
    from sampleui.settings.options import Settings

    results = open_results(run)
    since = Since(results, decks_of_run(results, (deck,), Settings()))
    async with reviewing(run, deck) as app:
        for record in proposed[:3]:
            assert app.at == record
            await app.press("A")
        assert app.at == proposed[3]
        await app.press("R")
    with pytest.MonkeyPatch.context() as patched:
        printed: list[object] = []
        patched.setattr("sampleui.cli.output.json_value", printed.append)
        assert since.told("json") == 0
    (told,) = printed
    assert isinstance(told, dict)
    assert [(item["record"], item["reviewer"], item["proposed_by"]) for item in told["decided"]] == [
        (record, "ada", AGENT) for record in proposed[:3]
    ]
    assert [(item["record"], item["reviewer"]) for item in told["refused"]] == [(proposed[3], "ada")]
    comments = json.loads(sampleui("comments", run, "--format", "json").out)["comments"]
    assert [item["proposed_by"] for item in comments] == [AGENT] * 3
    assert json.loads(sampleui("report", run, "--format", "json").out)["review"]["reviewed"] == 3


def test_an_agent_runs_a_sample_again_where_it_may_or_where_a_person_trusts_the_folder(
    project: Path, sampleui: Callable[..., Ran]
) -> None:
    evals = Project(project / "other", "results.json", ("refund", "other"))
    again = ("rerun", evals.results, "--id", "refund", "--n", "2", "--format", "json")
    evals.mode("fail")
    assert (sampleui(*again).code, evals.started) == (2, None)
    assert sampleui(*again, "--yes").code == 1
    value = ("--sample", "refund", "--path", "assert[0].value", "--value", "9")
    assert sampleui("set", evals.root / "promptfooconfig.yaml", *value).code == 0
    assert sampleui(*again).code == 2
    TRUSTED.add(evals.root, always=True)
    ran = sampleui(*again)
    assert (ran.code, json.loads(ran.out)["records"][0]["passed"]) == (0, 2)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")
@pytest.mark.parametrize("folder", ["work", "#(touch evil)"])
def test_inside_tmux_the_review_opens_beside_runs_nothing_of_the_folder_and_prints_what_was_decided(
    project: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / folder).mkdir()
    for file in [file for file in project.iterdir() if file.is_file()]:
        file.rename(project / folder / file.name)
    project /= folder
    (project / "typing.py").write_text("raise SystemExit('the folder was imported')\n")
    monkeypatch.setenv("TMUX_TMPDIR", str(project.parent))
    monkeypatch.delenv("TMUX", raising=False)

    def tmux(*words: str) -> str:
        command = ["tmux", "-f", os.devnull, *words]
        return subprocess.run(command, capture_output=True, check=False, text=True).stdout

    def seen(wanted: str, look: Callable[[], str]) -> bool:
        end = time.monotonic() + 30
        while wanted not in look():
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
        return True

    review = f"{sys.executable} -P -m sampleui review run.jsonl --reviewer ada --wait --format json"
    environment = f"cd {ROOT} && export PYTHONPATH={ROOT} && cd '{project}'"
    tmux("new-session", "-d", "-x", "200", "-y", "40", f"{environment} && {review} > out.json; sleep 60")
    try:
        assert seen("unit-conversion", lambda: tmux("capture-pane", "-p", "-t", "%1"))
        assert seen("Quit", lambda: tmux("capture-pane", "-p", "-t", "%1"))
        tmux("send-keys", "-t", "%1", "4")
        assert seen("recorded flaky", lambda: tmux("capture-pane", "-p", "-t", "%1"))
        tmux("send-keys", "-t", "%1", "C-q")
        assert seen("edits", (project / "out.json").read_text)
    finally:
        tmux("kill-server")
    assert not [*project.parent.rglob("evil")]
    (decided,) = json.loads((project / "out.json").read_text())["decided"]
    assert (decided["record"], decided["verdict"], decided["reviewer"]) == ("unit-conversion", "flaky", "ada")


def test_without_a_terminal_and_tmux_a_person_is_told_how_to_open_the_review(
    project: Path, sampleui: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.setattr("sampleui.cli.output.interactive", lambda: False)
    monkeypatch.setattr("sys.argv", ["sampleui", "review", "run.jsonl", "--wait", "--for", "0.1"])
    ran = sampleui("review", "run.jsonl", "--wait", "--for", "0.1")
    assert (ran.code, "in a terminal: sampleui review run.jsonl\n" in ran.err) == (0, True)
    ran = sampleui("review", "run.jsonl", "--wait", "--reviewer", AGENT)
    assert (ran.code, "a person reviews" in ran.err) == (2, True)


def test_waiting_goes_on_from_a_token_and_attaches_to_the_review_that_a_person_is_in(
    project: Path, sampleui: Callable[..., Ran], process: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sampleui.cli.output.interactive", lambda: False)
    monkeypatch.delenv("TMUX", raising=False)
    wait = ("review", "run.jsonl", "--wait", "--format", "json")
    first = json.loads(sampleui(*wait, "--for", "0").out)
    assert (first["open"], first["decided"]) == (False, [])
    with present(project / "run.jsonl"):
        sampleui("verdict", "run.jsonl", "haiku", "ok", "--reviewer", "ada")
        ran = sampleui(*wait, "--for", "0", "--since", first["token"])
        told = json.loads(ran.out)
        jsonschema.validate(told, closed(answer_schema("review")))
        assert (ran.code, told["open"], [item["record"] for item in told["decided"]]) == (1, True, ["haiku"])
        waiting = subprocess.Popen(
            [sys.executable, "-m", "sampleui", *wait, "--since", told["token"]], stdout=subprocess.PIPE
        )
        sampleui("verdict", "run.jsonl", "refund-policy", "flaky", "--reviewer", "ada")
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(2)
    out, _ = waiting.communicate(timeout=60)
    later = json.loads(out)
    assert (later["open"], [item["record"] for item in later["decided"]]) == (False, ["refund-policy"])
    assert not json.loads(sampleui(*wait, "--since", later["token"], "--for", "0").out)["decided"]
    assert "not a token" in sampleui(*wait, "--since", "x").err


def test_the_skill_is_short_and_the_rest_is_told_by_topic(sampleui: Callable[..., Ran]) -> None:
    text = TEXT.read_text("utf-8")
    assert len(text.splitlines()) < 120
    named = re.findall(r"`([a-z]+)`", text.split("--topic NAME` tells more of")[1].split("\n")[0])
    assert len(named) == 6
    for topic in named:
        ran = sampleui("skill", "--topic", topic)
        assert (ran.code, ran.out.strip() != "") == (0, True)
    assert sampleui("skill", "--topic", "nothing").code == 2
    words = ("evals.json", "skill-creator", "OpenAI", "Langfuse", "LangSmith", "Braintrust", "promptfoo", "Inspect")
    described = yaml.safe_load(text.split("---")[1])["description"]
    assert all(word in described for word in words) and len(described) <= 1_024
