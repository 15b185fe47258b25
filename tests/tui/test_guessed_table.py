"""The table that is guessed for a file nobody knows: shown, corrected, taken, or done without."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from sampleui.review.queue import ReviewOptions
from sampleui.settings.options import Settings, load_settings
from sampleui.tui.app import SampleUI
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.review.first_screen import first_review
from sampleui.tui.review.screen import ReviewScreen
from sampleui.tui.screens.guessed_table import GuessedTable
from sampleui.tui.workspace.screen import WorkspaceScreen
from sampleui.workspace.opening import open_path
from sampleui.workspace.unknown_files import Unknown

from .driver import drawn_lines, keys_of, opened, unwrapped, wait_until
from .pressing import press, rested

ASKED = [{"key": "a", "problem": "2?", "solution": "two"}, {"key": "b", "problem": "3?", "solution": "three"}]
GRADED = [
    {"case": "a", "question": "2?", "gold": "two", "prediction": "two", "verdict": "correct", "points": 90},
    {"case": "b", "question": "3?", "gold": "three", "prediction": "two", "verdict": "wrong", "points": 20},
]
HELD = "# mine\r\nfail_under   =  0.5 # a comment"
DROP_LINE = ("home", "shift+end", "delete")


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    return path


def project(folder: Path) -> Path:
    (folder / ".git").mkdir()
    (folder / ".sampleui.toml").write_bytes(HELD.encode())
    return folder / ".sampleui.toml"


def reads(app: App[int]) -> str:
    """Return what the table is said to read."""
    assert isinstance(app.screen, GuessedTable)
    return "\n".join(map(row_text, app.screen.view.rows))


async def test_a_deck_that_nobody_knows_opens_by_the_table_that_is_taken(tmp_path: Path) -> None:
    settings = project(tmp_path)
    async with opened(lines(tmp_path / "talks.jsonl", ASKED), (80, 24)) as app:
        assert "2 of 2 samples are read" in reads(app.app) and "asked    2?" in reads(app.app)
        assert "^s Take it  f2 For now only  f3 It is results" in drawn_lines(app.app.screen)[-1]
        # broken, refused at its place, and mended, with hands that wait for nothing
        await press(app.app, "f4", "down", "end", "backspace", "ctrl+s", *'" # prompt', "ctrl+s")
        assert (app.screen.session.deck.dialect, app.turns) == ("talks", ["2?"])
    taken = settings.read_bytes().decode()
    assert taken.startswith(HELD + '\r\n\r\n[dialects.talks]\r\nprompt = "problem" # prompt\r\n')
    async with opened(tmp_path / "talks.jsonl", settings=load_settings(tmp_path)) as app:
        assert app.screen.session.deck.dialect == "talks"


async def test_what_is_wrong_with_a_table_is_told_at_its_place_and_nothing_is_written(tmp_path: Path) -> None:
    settings = project(tmp_path)
    settings.write_text('[dialects.deck]\nprompt = "other"\n', "utf-8")
    async with opened(lines(tmp_path / "deck.jsonl", ASKED), settings=load_settings(tmp_path)) as app:
        table = app.app.screen
        assert isinstance(table, GuessedTable)
        await press(app.app, "ctrl+s")
        assert "[dialects.deck] is there already; give it another name" in unwrapped(app.dialog_text)
        await press(
            app.app, "f4", "down", "down", *DROP_LINE, *keys_of("responce = 'solution'"), "ctrl+end", "ctrl+s"
        )
        assert reads(app.app).startswith("✖ line 3, column 1: there is no responce in a dialect")
        assert table.editor.cursor_location == (2, 0)
        await press(app.app, "escape")
        assert app.screen.session.deck.dialect == "calibrate"
    assert settings.read_text("utf-8") == '[dialects.deck]\nprompt = "other"\n'


@asynccontextmanager
async def reviewed(path: Path) -> AsyncIterator[SampleUI]:
    app = SampleUI(first_review(ReviewOptions(results=path, reviewer="ada"), Settings()), Settings())
    async with app.run_test(size=(80, 24)):
        await rested(app)
        yield app


async def test_results_open_by_a_corrected_table_for_this_session_alone(tmp_path: Path) -> None:
    settings = project(tmp_path)
    async with reviewed(lines(tmp_path / "run.jsonl", GRADED)) as app:
        assert "2 of 2 rows are read with it: 1 passed, 1 failed" in reads(app)
        await press(app, "f4", "down", *DROP_LINE, *keys_of('id = "question"'))
        assert "2?  passed, score 0.90" in reads(app)
        await press(app, "f2")
        assert isinstance(app.screen, ReviewScreen)
        await press(app, "ctrl+l")
        assert app.screen.review.results.guess is None
        assert [one.id for one in app.screen.review.results.entries] == ["2?", "3?"]
    assert settings.read_bytes().decode() == HELD


async def test_results_open_as_they_are_guessed_without_a_table(tmp_path: Path) -> None:
    async with reviewed(lines(tmp_path / "run.jsonl", GRADED)) as app:
        await press(app, "escape")
        assert isinstance(app.screen, ReviewScreen) and app.screen.review.results.guess is not None


async def test_a_table_taken_in_a_workspace_opens_the_others_of_its_kind_too(tmp_path: Path) -> None:
    settings = project(tmp_path)
    paths = [
        lines(tmp_path / name, rows) for name, rows in (("a.jsonl", ASKED), ("b.jsonl", ASKED), ("r.jsonl", GRADED))
    ]
    app = SampleUI(lambda: WorkspaceScreen(paths, Settings()), Settings())
    async with app.run_test(size=(100, 30)) as pilot:
        shown = next(one for one in app.screen_stack if isinstance(one, WorkspaceScreen))
        await wait_until(pilot, shown.discovery.ended.is_set)
        await press(app, "enter", "ctrl+q")
        assert app.screen is shown and settings.read_bytes().decode() == HELD
        await press(app, "enter", "ctrl+s")
        assert isinstance(app.screen, AuthorScreen) and app.screen.session.deck.dialect == "a"
        await press(app, "ctrl+q")
        await wait_until(pilot, shown.discovery.ended.is_set)
        await press(app, "home", "down", "enter")
        assert isinstance(app.screen, AuthorScreen) and app.screen.session.deck.dialect == "a"
        await press(app, "ctrl+q", "end", "enter", "ctrl+s")
        assert isinstance(app.screen, ReviewScreen) and app.screen.review.results.tool == "r"
        await press(app, "ctrl+q")
        assert app.screen is shown
    assert "[dialects.a]" in settings.read_text("utf-8") and "[results.r]" in settings.read_text("utf-8")


@pytest.mark.parametrize(("suffix", "between"), [(".csv", ","), (".tsv", "\t")])
def test_rows_of_a_run_are_offered_a_table_whatever_divides_their_cells(tmp_path, suffix, between):
    path = tmp_path / f"rows{suffix}"
    rows = [["input", "output", "expected", "success", "score"], ["x", "y", "z", "true", "1"]]
    path.write_text("".join(f"{between.join(row)}\n" for row in rows))
    assert isinstance(open_path(path, Settings()), Unknown)


@pytest.mark.parametrize("key", ["ctrl+s", "f2"])
async def test_records_that_nobody_graded_are_shown_by_the_view_that_is_taken_with_their_table(
    tmp_path: Path, key: str
) -> None:
    project(tmp_path)
    rows = [{"req": f"r{n}", "user_query": f"What is {n}?", "model_reply": "It is **so**."} for n in range(4)]
    async with reviewed(lines(tmp_path / "log.jsonl", rows)) as app:
        assert isinstance(app.screen, GuessedTable) and "[view.log]" in app.screen.editor.value
        await press(app, key)
        await rested(app)
        review = next(screen for screen in app.screen_stack if isinstance(screen, ReviewScreen))
        assert [field.path for field in review.review.views["log"]][:2] == ["user_query", "model_reply"]
    assert ("log" in load_settings(tmp_path).view) == (key == "ctrl+s")


async def test_a_file_taken_for_a_deck_is_taken_for_results_by_a_key_and_the_other_way_round(
    tmp_path: Path,
) -> None:
    settings = project(tmp_path)
    async with opened(lines(tmp_path / "talks.jsonl", ASKED), (80, 24)) as app:
        await press(app.app, "f3")
        assert "2 of 2 rows are read with it: 2 ungraded" in reads(app.app)
        await press(app.app, "f3")
        assert "2 of 2 samples are read" in reads(app.app)
        await press(app.app, "f3", "ctrl+s")
        assert isinstance(app.app.screen, ReviewScreen)
    assert "[results.talks]" in settings.read_text("utf-8")


async def test_results_that_are_a_deck_open_as_one(tmp_path: Path) -> None:
    project(tmp_path)
    async with reviewed(lines(tmp_path / "talks.jsonl", ASKED)) as app:
        await press(app, "f3", "f2")
        assert isinstance(app.screen, AuthorScreen) and app.screen.session.deck.dialect == "talks"


TALKS = [
    {
        "ext_id": f"t{number}",
        "log": [
            {"role": "system", "content": "Rule 1: be brief."},
            {"role": "user", "content": f"Is {number} even?"},
            {"role": "assistant", "content": f"{number} it is."},
        ],
        "opened": f"Opening words {number}, which nobody answered",
        "human_label": "pass" if number else "fail",
    }
    for number in range(3)
]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_box_asks_what_a_person_can_answer_with_a_value_beside_each_place(tmp_path: Path, size) -> None:
    project(tmp_path)
    app = SampleUI(
        first_review(ReviewOptions(results=lines(tmp_path / "talks.jsonl", TALKS), reviewer="ada"), Settings()),
        Settings(),
    )
    async with app.run_test(size=size):
        await rested(app)
        drawn = [" ".join(line.strip("│› ").split()) for line in drawn_lines(app.screen)]
        assert "What was asked log Is 0 even?" in drawn, "what the user said last, not the rules of the system"
        assert "What was answered log 0 it is." in drawn
        assert "The id ext_id t0" in drawn
        assert "The steps – not in the file" in drawn
        assert "A person's label human_label fail" in drawn
        assert "[results.talks]" not in "\n".join(drawn)
        assert "asked Is 0 even?" in drawn and "answered 0 it is." in drawn
        await press(app, "enter")
        places = "\n".join(" ".join(line.strip("│› ").split()) for line in drawn_lines(app.screen))
        assert "● log Is 0 even?" in places and "○ opened Opening words 0" in places


async def test_another_place_is_chosen_from_the_list_and_the_preview_and_the_table_follow(tmp_path: Path) -> None:
    settings = project(tmp_path)
    async with reviewed(lines(tmp_path / "talks.jsonl", TALKS)) as app:
        assert isinstance(app.screen, GuessedTable)
        await press(app, "enter", "down", "enter")
        assert "asked    Opening words 0" in reads(app)
        assert 'prompt = "opened"' in app.screen.editor.value
        assert "messages" not in app.screen.editor.value
        await press(app, "f4")
        assert app.screen.focused is app.screen.editor
        await press(app, "f4", "ctrl+s")
        await rested(app)
        assert isinstance(app.screen, ReviewScreen)
        assert app.screen.review.results.record(0).asked[0]["content"] == "Opening words 0, which nobody answered"
    assert "[results.talks]" in settings.read_text("utf-8")


async def test_a_deck_is_asked_about_in_the_same_way(tmp_path: Path) -> None:
    project(tmp_path)
    async with opened(lines(tmp_path / "talks.jsonl", ASKED), (80, 24)) as app:
        drawn = "\n".join(" ".join(line.strip("│› ").split()) for line in drawn_lines(app.app.screen))
        assert "What is asked problem 2?" in drawn and "What should be answered solution two" in drawn
        await press(app.app, "end", "enter", "down", "enter")
        assert isinstance(app.app.screen, GuessedTable)
        assert 'id = "problem"' in app.app.screen.editor.value
