"""Samples run again from a review: agreed to once, watched, and decided on where one looks."""

from __future__ import annotations

import hashlib
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from sampleui.runs.rerun.trust import TRUSTED
from sampleui.settings.options import OwnRunner, Settings
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.review.running import RunBox
from sampleui.tui.screens.dialogs import Ask, Confirm, Pick, Scrolled
from tests.cli.rerunning import ODD, Project

from .review_driver import ReviewDriver, reviewing

SIZES = [(80, 24), (120, 40)]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Project(tmp_path / "project")


def box_text(app: ReviewDriver) -> str:
    assert isinstance(app.app.screen, RunBox)
    return "\n".join(map(row_text, app.app.screen.view.rows))


async def run_once(app: ReviewDriver, times: str = "") -> None:
    """Ask for a rerun, agree to it, and wait for its end in the box."""
    await app.press("ctrl+r")
    await app.over(Ask)
    for key in ("backspace", *times) if times else ():
        await app.press("space" if key == " " else key)
    await app.press("enter")
    await app.until(lambda: isinstance(app.app.screen, Scrolled | RunBox))
    if isinstance(app.app.screen, Scrolled):
        await app.press("y")
    await app.over(RunBox)


async def ended(app: ReviewDriver) -> None:
    screen = app.screen
    await app.until(lambda: screen.job is not None and not screen.job.is_running)
    await app.until(
        lambda: isinstance(app.app.screen, RunBox) and "ended after" in str(app.app.screen.frame.border_title)
    )


def processes_in(folder: Path) -> list[int]:
    """Return the processes that were started in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").readlink().is_relative_to(folder):
                found.append(int(process.name))
    return found


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("size", SIZES)
async def test_the_footer_offers_to_run_again_on_any_terminal(project, size):
    async with reviewing(project.results, size=size) as app:
        assert "^r Run again" in app.drawn
        await app.press("4")  # from now on there is something to undo
        await app.rested()
        assert "^r Run again" in app.drawn and "u Undo" in app.drawn


@pytest.mark.parametrize("size", SIZES)
async def test_a_failing_sample_is_run_again_seen_to_pass_and_decided_in_four_keys(project, size):
    before = digest(project.results)
    async with reviewing(project.results, size=size) as app:
        await run_once(app)
        await ended(app)
        assert "sum: 1 of 1 passes now; before: failed" in box_text(app)
        await app.press("5")
        await app.back()
        assert [(item.record_id, str(item.verdict)) for item in app.log] == [("sum", "ok")]
        assert app.pressed == 4
        assert app.at != "sum"
    assert digest(project.results) == before
    assert len([*(project.root / "run.reruns").iterdir()]) == 1


async def test_what_would_run_is_shown_whole_and_nothing_starts_before_it_is_agreed_to(project):
    async with reviewing(project.results, size=(120, 40)) as app:
        await app.press("ctrl+r", "enter")
        await app.over(Scrolled)
        shown = "".join(row_text(row).strip() for row in app.app.screen.view.rows).replace(" ", "")
        for part in (str(project.program), "--repeat1", str(project.root), "PROMPTFOO_DISABLE_SHARING=true"):
            assert part in shown
        await app.press("escape")
        await app.back()
        assert project.started is None and app.screen.job is None
        await run_once(app)
        await ended(app)
        await app.press("escape")
        await app.press("ctrl+r", "enter")
        await app.over(RunBox)  # agreed to before
        await ended(app)
        assert [*TRUSTED.kept()] == []


async def test_what_was_agreed_to_holds_until_the_app_is_left_whatever_the_folder_holds_by_then(project):
    async with reviewing(project.results, size=(120, 40)) as app:
        await run_once(app)
        await ended(app)
        await app.press("escape")
        config = project.root / "promptfooconfig.yaml"
        config.write_text(config.read_text() + "extensions: [file://hook.js:before]\n")
        project.write_program(project.program.read_text() + "\n# another branch\n")
        await app.press("ctrl+r", "enter")
        await app.over(RunBox)
        await ended(app)


async def test_always_is_kept_in_ones_own_state_and_not_in_the_project(project):
    async with reviewing(project.results, size=(80, 24)) as app:
        await app.press("ctrl+r", "enter")
        await app.over(Scrolled)
        await app.press("a")
        await app.over(RunBox)
        await ended(app)
        assert [*TRUSTED.kept()] == [project.root]
    assert not [*project.root.rglob("trusted*")]


async def test_attempts_that_differ_offer_flaky(project):
    project.mode("mixed")
    async with reviewing(project.results, size=(80, 24)) as app:
        await run_once(app, "3")
        await ended(app)
        assert "2 of 3 pass now" in box_text(app) and "4 decides flaky" in box_text(app)
        await app.press("4")
        await app.back()
        assert str(app.log[-1].verdict) == "flaky"


async def test_the_box_of_a_rerun_decides_by_the_keys_that_the_bar_names(project):
    settings = Settings(keys={"verdict.ok": ("1",), "verdict.model-wrong": ("5",)})
    async with reviewing(project.results, settings=settings, size=(120, 40)) as app:
        await run_once(app)
        await ended(app)
        assert "5 2 3 4 1 6 Decide" in app.drawn
        await app.press("1")
        await app.back()
        assert str(app.log[-1].verdict) == "ok"


async def test_one_goes_on_reviewing_while_it_runs_and_cancels_it_whole(project):
    project.mode("hang")
    async with reviewing(project.results, size=(120, 40)) as app:
        await run_once(app)
        await app.until(lambda: "begun" in box_text(app))
        await app.press("escape")
        await app.back()
        assert "⟳ 0 of 1" in app.title
        await app.press("right_square_bracket")
        assert app.at != "sum"
        await app.press("ctrl+r")
        await app.over(RunBox)
        await app.press("ctrl+r")
        await app.back()
        await app.until(lambda: not app.screen.job.is_running)
        assert not processes_in(project.root)
        await app.until(lambda: "not known: cancelled" in app.said)
        assert not (project.root / "run.reruns").exists() and not app.log


async def test_leaving_asks_about_what_runs_and_ends_it(project):
    project.mode("hang")
    async with reviewing(project.results, size=(80, 24)) as app:
        await run_once(app)
        await app.until(lambda: "begun" in box_text(app))
        await app.press("escape")
        await app.press("ctrl+q")
        await app.over(Confirm)
        await app.press("escape")
        await app.back()
        assert app.screen.job.is_running
        await app.press("ctrl+q")
        await app.over(Confirm)
        await app.press("c")
        await app.until(lambda: not app.app.is_running or not app.screen.job.is_running)
    until = time.monotonic() + 5
    while processes_in(project.root) and time.monotonic() < until:
        time.sleep(0.05)
    assert not processes_in(project.root)


@pytest.mark.parametrize(
    ("mode", "told"),
    [("fewer", "asked for 1, found 0"), ("more", "asked for 1, found"), ("garbage", "cannot be read")],
)
async def test_answers_that_are_not_what_was_asked_for_are_joined_with_nothing(project, mode, told):
    project.mode(mode)
    async with reviewing(project.results, size=(120, 40)) as app:
        await run_once(app)
        await ended(app)
        assert "not known" in box_text(app) and told in box_text(app)


async def test_marked_records_are_run_and_what_is_no_number_is_refused(project):
    async with reviewing(project.results, size=(120, 40)) as app:
        await app.press("ctrl+r")
        await app.over(Ask)
        await app.press("0", "0", "0", "0", "enter")
        await app.back()
        assert "a number from 1 to 1,000" in app.said
        await app.press("asterisk")
        await run_once(app)
        await ended(app)
        assert "sum: 1 of 1 passes now" in box_text(app)
        assert len(app.screen.job.result.reruns) == 2


async def test_samples_count_once_in_the_box_and_at_the_end_whatever_number_of_attempts_the_run_had(project):
    project.attempts()
    async with reviewing(project.results, size=(120, 40)) as app:
        await app.press("asterisk", "ctrl+r")
        await app.over(Ask)
        assert "Run 2 samples again" in app.drawn
        await app.press("enter")
        await app.over(Scrolled)
        await app.press("y")
        await app.over(RunBox)
        await ended(app)
        assert "2 of 2 samples pass now" in box_text(app)
        assert "sum: 1 of 1 passes now; before: 1 of 3 passed" in box_text(app)
        assert box_text(app).count("passes now") == 2
        assert "Decide all 5 records" in app.drawn
        await app.press("escape")


async def test_recorded_answers_are_graded_by_the_tool_and_nothing_is_kept(project):
    config = project.root / "promptfooconfig.yaml"
    config.write_text(config.read_text().replace('value: "8"', 'value: "9"'))
    async with reviewing(project.results, size=(80, 24)) as app:
        await run_once(app, "g")
        await ended(app)
        assert "sum: 1 of 1 passes now; before: failed" in box_text(app)
        assert not (project.root / "run.reruns").exists()


async def test_the_line_at_the_end_of_what_was_cancelled_says_so(project):
    project.attempts()
    project.mode("hang")
    async with reviewing(project.results, size=(120, 40)) as app:
        await app.press("asterisk")
        await run_once(app)
        await app.until(lambda: "begun" in box_text(app))
        await app.press("c")
        await app.back()
        await app.until(lambda: "cancelled: 0 of 2 samples pass now, 2 not known" in app.said)


@pytest.mark.parametrize("mark", [(), ("asterisk",)])
async def test_what_a_rerun_shows_is_decided_and_not_where_one_has_gone_on_to(project, mark):
    project.mode("wait")
    async with reviewing(project.results, size=(120, 40)) as app:
        await app.press(*mark)
        await run_once(app)
        await app.press("escape")
        await app.back()
        await app.press(*mark, "right_square_bracket")
        assert app.at != "sum"
        (project.program.parent / "go").touch()
        await app.until(lambda: not app.screen.job.is_running)
        await app.press("ctrl+r")
        await app.over(RunBox)
        assert "sum: 1 of 1 passes now" in box_text(app)
        assert ("Decide all 2" in app.drawn) is bool(mark)
        await app.press("5")
        await app.back()
        assert [item.record_id for item in app.log] == (["sum", ODD] if mark else ["sum"])


@pytest.mark.parametrize("size", SIZES)
async def test_a_fixed_sample_is_saved_and_run_again_by_one_key(project, size):
    """From the failing record to the verdict in seven keys, texts aside: e, two moves, enter, f5, enter, 5."""
    async with reviewing(project.results, project.root / "promptfooconfig.yaml", size) as app:
        await app.press("e")
        await app.until(lambda: isinstance(app.app.screen, AuthorScreen))
        await app.press("k", "k", "enter")
        await app.type("!")
        assert "esc Done" in app.drawn and "f5 Run again" in app.drawn and "^s Save" in app.drawn
        await app.press("f5")
        await app.over(Ask)
        assert "2+2*3?!" in (project.root / "promptfooconfig.yaml").read_text()
        await app.press("enter")
        await app.until(lambda: isinstance(app.app.screen, Scrolled))
        await app.press("y")  # once in a project
        await app.over(RunBox)
        await ended(app)
        assert "the sample asks something else than it did" in box_text(app)
        await app.press("5")
        await app.back()
        assert [(item.record_id, str(item.verdict)) for item in app.log] == [("sum", "ok")]


async def test_new_answers_are_opened_as_a_run_that_shows_them_and_left_for_the_run_again(project):
    async with reviewing(project.results, size=(120, 40)) as app:
        await run_once(app)
        await ended(app)
        await app.press("o")
        await app.back()
        await app.until(lambda: "rerun of run.json#sum" in app.said)
        assert app.at == "sum" and app.screen.review.results.path != project.results
        await app.press("O")
        await app.over(Pick)
        await app.press("enter")
        await app.back()
        assert app.screen.review.results.path == project.results


async def test_of_answers_in_several_folders_the_one_to_open_is_chosen(project):
    """A runner that is called for each time keeps a folder for each: none of them is out of reach."""
    program = project.root / "own.py"
    program.write_text(
        "import json, sys\n"
        "time = sys.argv[3][-1]\n"
        "row = {'test_id': sys.argv[1], 'target': sys.argv[2], 'score': float(time != '2'), 'output': time}\n"
        "open(sys.argv[3] + '/new.jsonl', 'w').write(json.dumps(row))\n"
    )
    command = (sys.executable, str(program), "{id}", "{target}", "{out}")
    settings = Settings(runners={"mine": OwnRunner(command, {}, 60.0)})
    async with reviewing(project.results, settings=settings, size=(120, 40)) as app:
        await run_once(app, "3 mine")
        await ended(app)
        assert "2 of 3 pass now" in box_text(app)
        await app.press("o")
        await app.over(Pick)
        for name in ("1 · sum passed", "2 · sum failed", "3 · sum passed"):
            assert name in app.drawn
        await app.press("down", "enter")
        await app.back()
        await app.until(lambda: "rerun of run.json#sum" in app.said)
        shown = app.screen.review.results
        assert shown.path.name == "new.jsonl" or shown.path.parent.name.endswith("-2")
        assert [shown.record(entry.index).actual for entry in shown.entries] == ["2"]


async def test_a_call_that_is_made_three_times_is_shown_once(project):
    command = (sys.executable, "-c", "pass", "{out}")
    settings = Settings(runners={"mine": OwnRunner(command, {}, 60.0)})
    async with reviewing(project.results, settings=settings, size=(120, 40)) as app:
        await app.press("ctrl+r")
        await app.over(Ask)
        for key in ("backspace", *"3 mine", "enter"):
            await app.press("space" if key == " " else key)
        await app.over(Scrolled)
        rows = [row_text(row).strip() for row in app.app.screen.view.rows]
        assert rows.count("Arguments") == rows.count("Folder") == rows.count("Program") == 1


@pytest.mark.parametrize(("mode", "sign"), [("pass", "✓"), ("fail", "!"), ("fewer", "!")])
async def test_how_an_unwatched_rerun_ended_is_a_success_only_if_all_pass(project, mode, sign):
    project.mode("wait")
    async with reviewing(project.results, size=(120, 40)) as app:
        await run_once(app, "2")
        await app.press("escape")
        await app.back()
        project.mode(mode)
        (project.program.parent / "go").touch()
        await app.until(lambda: "ctrl+r shows what was" in app.said or "^r shows what was" in app.said)
        assert f" {sign} " in app.drawn.splitlines()[-2][:4]


async def test_of_a_rerun_that_was_watched_to_its_end_nobody_is_told_where_to_look(project):
    project.mode("fewer")
    async with reviewing(project.results, size=(120, 40)) as app:
        await run_once(app, "2")
        await ended(app)
        await app.press("escape")
        await app.back()
        assert "shows what was" not in app.said
        await app.press("ctrl+r")
        await app.over(Ask)  # it was seen: the key asks for another


async def test_a_runner_of_ones_own_is_named_behind_how_often(project):
    program = project.root / "own.py"
    row = '{"test_id": sys.argv[1], "target": sys.argv[2], "score": 1.0, "output": "8"}'
    program.write_text(
        "import json, sys\n"
        f"open(sys.argv[3] + '/new.jsonl', 'w').write((json.dumps({row}) + '\\n') * int(sys.argv[4]))\n"
    )
    command = (sys.executable, str(program), "{id}", "{target}", "{out}", "{n}")
    settings = Settings(runners={"mine": OwnRunner(command, {}, 60.0)})
    async with reviewing(project.results, settings=settings) as app:
        await app.press("ctrl+r")
        await app.over(Ask)
        for key in ("backspace", *"2 nobody", "enter"):
            await app.press("space" if key == " " else key)
        await app.until(lambda: "there is no runner nobody" in app.said)
        await run_once(app, "2 mine")
        await ended(app)
        assert "sum: 2 of 2 pass now" in box_text(app)
