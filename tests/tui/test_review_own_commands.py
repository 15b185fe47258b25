"""Commands of a user's own on the record under the cursor."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from sampleui.errors import SettingsError
from sampleui.settings.options import OwnCommand, Settings, load_settings
from sampleui.tui.app import check_bound_keys
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.review.running import OutputBox

from .review_driver import ReviewDriver, reviewing, write_results

PROGRAM = "import json, sys; print(json.dumps(sys.argv[1:]))"


def settings(*arguments: str, show: bool = True) -> Settings:
    own = OwnCommand("Say it", (sys.executable, "-c", PROGRAM, *arguments), show)
    return Settings(commands={"f5": own})


def a_run(tmp_path: Path, **row: object) -> Path:
    return write_results(
        tmp_path / "run.jsonl", [{"test_id": "a b", "score": 0, "output": "x", "target": "m", **row}]
    )


async def shown(app: ReviewDriver) -> str:
    await app.until(
        lambda: isinstance(app.app.screen, OutputBox) and "exit code" in str(app.app.screen.frame.border_title)
    )
    assert isinstance(app.app.screen, OutputBox)
    return "\n".join(map(row_text, app.app.screen.view.rows))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_it_gets_what_is_under_the_cursor_as_arguments_and_its_output_is_shown(tmp_path, size):
    path = a_run(tmp_path)
    own = settings("{id}", "--target={target}", "{results}", "$(echo {id})")
    async with reviewing(path, settings=own, size=size) as app:
        await app.press("f5")
        text = (await shown(app)).replace("\n", "").replace(" ", "")
        assert json.dumps(["a b", "--target=m", str(path), "$(echo a b)"]).replace(" ", "") in text
        await app.press("escape")
        await app.until(lambda: "Say it: ended with exit code 0" in app.said)


async def test_what_is_not_known_and_what_would_be_an_option_is_refused(tmp_path):
    async with reviewing(a_run(tmp_path, test_id="--rm"), settings=settings("{id}")) as app:
        await app.press("f5")
        await app.until(lambda: "begins with a dash" in app.said)
    async with reviewing(a_run(tmp_path), settings=settings("{deck}")) as app:
        await app.press("f5")
        await app.until(lambda: "the deck of this record is not known" in app.said)


async def test_its_end_is_said_where_its_output_is_not_shown_and_its_key_is_listed(tmp_path):
    async with reviewing(a_run(tmp_path), settings=settings(show=False)) as app:
        await app.press("f5")
        await app.until(lambda: "Say it: ended with exit code 0" in app.said)
        assert any(command.title == "Say it" for command in app.screen.registry)


@pytest.mark.parametrize(("status", "said"), [(0, "✓ Say it: ended"), (3, "! Say it: ended with exit code 3")])
async def test_only_a_command_that_says_all_went_well_gets_a_tick(tmp_path, status, said):
    own = OwnCommand("Say it", (sys.executable, "-c", f"raise SystemExit({status})"), False)
    async with reviewing(a_run(tmp_path), settings=Settings(commands={"f5": own})) as app:
        await app.press("f5")
        await app.until(lambda: said in app.said)


def test_a_key_that_another_command_has_is_an_error_and_a_command_of_a_project_is_left(tmp_path, monkeypatch):
    taken = Settings(commands={"u": OwnCommand("X", ("x",), True)}, origins={"commands": "settings.toml"})
    with pytest.raises(SettingsError, match=r"already that of verdict\.undo"):
        check_bound_keys(taken)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".sampleui.toml").write_text('[commands.f5]\ntitle = "Own"\ncommand = ["touch", "x"]\n')
    settings = load_settings(tmp_path)
    assert (settings.commands, settings.left) == ({}, ("commands",))


@pytest.mark.parametrize(
    "text",
    [
        'f5 = "x"',
        'f5 = {title = "a"}',
        'f5 = {title = "a", command = []}',
        'f5 = {title = "a", command = "rm"}',
        'f5 = {title = "a", command = ["x", "{home}"]}',
        'f5 = {title = "a", command = ["x"], shell = true}',
    ],
)
def test_a_command_that_is_none_is_an_error_with_its_place(tmp_path, monkeypatch, text):
    own = tmp_path / "config" / "sampleui"
    own.mkdir(parents=True)
    (own / "config.toml").write_text(f"[commands]\n{text}\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with pytest.raises(SettingsError, match="a table of keys") as raised:
        load_settings(tmp_path)
    assert raised.value.line == 1


@pytest.mark.parametrize("show", [True, False])
async def test_one_that_goes_on_holds_no_key_up_and_escape_cancels_the_one_that_is_shown(tmp_path, show):
    own = Settings(commands={"f5": OwnCommand("Wait", (sys.executable, "-c", "import time; time.sleep(60)"), show)})
    async with reviewing(a_run(tmp_path), settings=own) as app:
        await app.press("f5")
        if show:
            await app.over(OutputBox)
            await app.press("escape")
            await app.until(lambda: "Wait: cancelled" in app.said)
        await app.press("4")
        await app.until(lambda: len(app.log) == 1)
