"""A folder as a workspace: its decks and results listed, opened, kept open, and left at once."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.review.screen import ReviewScreen
from sampleui.tui.workspace import listing
from sampleui.tui.workspace.screen import WorkspaceScreen, title_of
from sampleui.tui.workspace.state import matching

from .decks import JSONL, TOML, YAML
from .driver import ROOT, Driver, opened, said
from .pressing import press


@pytest.fixture
def folder(tmp_path):
    """Return a folder of three decks, a broken one, results, and a file that is none of these."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.toml").write_text(TOML)
    (tmp_path / "deep" / "b.yaml").write_text(YAML)
    (tmp_path / "deep" / "c.jsonl").write_text(JSONL)
    (tmp_path / "deep" / "broken.yaml").write_text("evalcases:\n  - id: x\n    input_messages: [\n")
    (tmp_path / "notes.json").write_text("{}")
    shutil.copy(ROOT / "examples" / "results" / "hello.results.jsonl", tmp_path / "run.jsonl")
    return tmp_path


class Listed(Driver):
    """A running app on a folder."""

    @property
    def list(self) -> WorkspaceScreen:
        return next(one for one in self.app.screen_stack if isinstance(one, WorkspaceScreen))

    @property
    def rows(self) -> Sequence[str]:
        shown = self.list.list
        return [row_text(shown.row(at, 90)) for at in range(shown.count())]


@asynccontextmanager
async def listed(*paths) -> AsyncIterator[Listed]:
    app = SampleUI(lambda: WorkspaceScreen(paths, Settings()), Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        driver = Listed(pilot, paths[0])
        await driver.until(driver.list.discovery.ended.is_set)
        yield driver


async def test_decks_and_results_are_listed_with_samples_and_problems(folder):
    async with listed(folder) as app:
        names = [row.split()[0] for row in app.rows]
        assert names == ["a.toml", "run.jsonl", "deep/b.yaml", "deep/broken.yaml", "deep/c.jsonl"]
        assert "2 samples" in app.rows[0] and "results" in app.rows[1] and "✖" in app.rows[3]


def test_the_folder_of_a_run_is_listed_by_its_index_and_followed(tmp_path):
    run, rows = tmp_path / "runs" / "one", (ROOT / "examples" / "results" / "hello.results.jsonl").read_text()
    (run / "task").mkdir(parents=True)
    (run / "index.jsonl").write_text(rows)
    (run / "task" / "EVAL.yaml").write_text(YAML)
    (tmp_path / "traces.jsonl").write_text(rows)
    stamps: dict[Path, tuple[int, int]] = {}
    found = [*listing.entries_found([tmp_path], Settings(), stamps)]
    shown = [(one.path.relative_to(tmp_path).as_posix(), one.kind) for one in found]
    assert shown == [("traces.jsonl", "results"), ("runs/one/index.jsonl", "results")]
    (tmp_path / "traces.jsonl").unlink()
    now = listing.entries_now([tmp_path], Settings(), found, stamps)
    assert now is not None and [one.path for one in now[0]] == [run / "index.jsonl"]


async def test_decks_stay_open_with_their_edits_and_leaving_asks_once(folder):
    async with listed(folder) as app:
        await app.press("enter", "]", "r", "ctrl+q", "G", "enter", "r", "ctrl+q")
        assert app.app.screen is app.list
        assert app.rows[0].startswith("● ") and app.rows[4].startswith("● ") and app.rows[2].startswith("  ")
        await app.press("home", "enter")
        assert app.screen.index == 1 and app.steps == 1
        assert app.keys.endswith("^q Back")
        await app.press("u")
        assert app.text == TOML
        await app.press("ctrl+r", "ctrl+q", "ctrl+q")
        assert "a.toml, c.jsonl" in app.dialog_text
        await app.press("escape", "ctrl+s")
        assert "saved a.toml, c.jsonl" in said(app.list) and app.rows[0].startswith("○ ")
        assert (folder / "a.toml").read_text() != TOML and (folder / "deep" / "c.jsonl").read_text() != JSONL
        await app.press("ctrl+q")
        assert not app.app.is_running or app.app.return_code == 0


async def test_ctrl_o_goes_from_deck_to_deck_and_to_samples(folder):
    async with listed(folder) as app:
        await app.press("enter", "r", "ctrl+o", *"byamltwo", "enter")
        assert isinstance(app.app.screen, AuthorScreen)
        assert app.screen.session.deck.path.name == "b.yaml" and app.ids[app.screen.index] == "two"
        await app.press("ctrl+o", "down", "enter")
        assert app.screen.session.deck.path.name == "a.toml" and app.steps == 1


async def test_keys_typed_before_anything_is_listed_are_for_the_list(folder):
    app = SampleUI(lambda: WorkspaceScreen([folder], Settings()), Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        await press(app, "ctrl+o", *"byamltwo", "enter")
        driver = Listed(pilot, folder)
        assert driver.screen.session.deck.path.name == "b.yaml" and driver.ids[driver.screen.index] == "two"


async def test_keys_typed_while_files_are_still_listed_move_over_all_of_them(folder, monkeypatch):
    def slowly(paths, settings, stamps):
        first, *others = listing.entries_found(paths, settings, stamps)
        yield first
        time.sleep(0.3)
        yield from others

    monkeypatch.setattr("sampleui.tui.workspace.discovery.entries_found", slowly)
    app = SampleUI(lambda: WorkspaceScreen([folder], Settings()), Settings())
    async with app.run_test(size=(120, 40)):
        await press(app, "j", "enter")
        assert isinstance(app.screen, ReviewScreen)


async def test_results_open_in_review_and_a_broken_deck_shows_its_text(folder):
    async with listed(folder) as app:
        await app.press("j", "enter")
        assert isinstance(app.app.screen, ReviewScreen)
        await app.press("ctrl+q")
        assert app.app.screen is app.list
        await app.press("j", "j", "enter")
        assert "broken.yaml" in app.dialog_text
        await app.press("q")
        assert app.app.screen is app.list


async def test_the_list_is_narrowed_by_names_and_ids(folder):
    async with listed(folder) as app:
        await app.press("/", *"deep two", "enter")
        assert [row.split()[0] for row in app.rows] == ["deep/b.yaml", "deep/c.jsonl"]
        assert "⏎ Open  esc Clear" in row_text(app.list.key_bar.row(120))
        await app.press("enter")
        assert app.screen.session.deck.path.name == "b.yaml"


async def test_a_filter_says_what_it_takes_and_that_it_hides_all_and_escape_ends_it(folder):
    async with listed(folder) as app:
        await app.press("j", "j", "/", *"nowhere", "escape")
        assert app.list.list.cursor == 2
        await app.press("/")
        assert "words of a name, or of the id of a sample" in app.dialog_text and "role:tool" not in app.dialog_text
        assert row_text(app.list.key_bar.row(120)).startswith(" ⏎ Keep  esc Clear")
        await app.press(*"nowhere", "enter")
        assert "no name and no id holds these words; escape shows all" in app.dialog_text
        await app.press("escape")
        assert len(app.rows) == 5 and not app.list.filter.display
        assert "esc" not in row_text(app.list.key_bar.row(120))


async def test_a_folder_without_decks_begins_one_by_a_key_and_writes_nothing_before_it_is_saved(tmp_path):
    async with listed(tmp_path) as app:
        assert "n begins a deck" in app.dialog_text
        await app.press("n", "enter", "enter")
        assert isinstance(app.app.screen, AuthorScreen) and not [*tmp_path.iterdir()]
        await app.press("n", *"Hi", "escape", "ctrl+s", "ctrl+q")
        assert [path.name for path in tmp_path.iterdir()] == ["samples.toml"]
        assert app.app.screen is app.list


async def test_a_new_deck_takes_no_name_that_is_there_or_says_no_format(tmp_path):
    (tmp_path / "a.toml").write_text(TOML)
    async with listed(tmp_path) as app:
        await app.press("n", *"a.toml", "enter")
        assert "it is there already" in said(app.list)
        await app.press("n", *"deck.doc", "enter")
        assert app.app.screen is app.list and [path.name for path in tmp_path.iterdir()] == ["a.toml"]


async def test_a_folder_with_a_file_for_each_record_is_listed_as_results(tmp_path):
    for number in range(3):
        record = {"asked": f"How do I reset number {number}?", "reply": f"Press reset {number} times, then wait."}
        (tmp_path / f"t{number}.json").write_text(json.dumps(record))
    async with listed(tmp_path) as app:
        assert [row.split()[-1] for row in app.rows] == ["results"]
        await app.press("enter", "f2")
        assert isinstance(app.app.screen, ReviewScreen) and len(app.app.screen.review.results.entries) == 3


async def test_a_folder_of_records_is_called_one_with_how_many_files_it_has(tmp_path):
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "answers"
    folder.mkdir()
    for at in range(5):
        row = {"ticket": at, "user_query": f"How do I reset {at}?", "model_reply": f"Hold the key {at}."}
        (folder / f"{at}.json").write_text(json.dumps(row))
    async with listed(folder) as app:
        assert "5 files of records" in app.rows[0]
        assert title_of(app.list.workspace, complete=True).position == "1 folder of 5 files"


async def test_a_folder_whose_files_are_results_each_is_one_run_until_a_deck_is_in_it(tmp_path):
    for number in range(3):
        record = {"input": {"document": f"Contract {number} of A"}, "output": f"It binds {number}.", "meta": {}}
        (tmp_path / f"t{number}.json").write_text(json.dumps(record))
    async with listed(tmp_path) as app:
        assert [row.split()[-1] for row in app.rows] == ["results"]
        (tmp_path / "a.toml").write_text(TOML)
        await app.press("ctrl+l")
        await app.until(app.list.discovery.ended.is_set)
        assert len(app.rows) == 4


async def test_globs_and_files_are_listed_and_new_files_found(folder):
    async with listed(folder / "deep" / "*.jsonl", folder / "a.toml") as app:
        assert len(app.rows) == 2
        (folder / "deep" / "d.jsonl").write_text(JSONL)
        await app.press("ctrl+l")
        await app.until(app.list.discovery.ended.is_set)
        assert len(app.rows) == 3


async def test_the_list_follows_files_that_are_made_changed_and_deleted(folder, monkeypatch):
    monkeypatch.setattr("sampleui.tui.workspace.discovery.POLL_S", 0.02)
    async with listed(folder) as app:
        await app.press("enter", "r", "ctrl+q")
        (folder / "a.toml").unlink()
        (folder / "deep" / "broken.yaml").write_text(YAML)
        (folder / "deep" / "c.jsonl").unlink()
        (folder / "deep" / "new.jsonl").write_text(JSONL + JSONL.replace('"one"', '"three"'))
        (folder / "new.results.jsonl").write_bytes((folder / "run.jsonl").read_bytes())
        await app.until(lambda: len(app.rows) == 6 and "4 samples" in app.rows[5])
        assert [row.strip("● ").split()[0] for row in app.rows] == [
            "a.toml",
            "new.results.jsonl",
            "run.jsonl",
            "deep/b.yaml",
            "deep/broken.yaml",
            "deep/new.jsonl",
        ]
        assert "✖" not in app.rows[4] and app.rows[0].startswith("● ")
        await app.press("ctrl+s", "home", "enter", "ctrl+s", "w", "ctrl+q")
        assert (folder / "a.toml").read_text() != TOML


async def test_the_box_of_decks_does_not_wait_for_a_list_that_takes_long(folder, monkeypatch):
    monkeypatch.setattr("sampleui.tui.workspace.discovery.LISTING_TIMEOUT_S", 0.01)
    go = threading.Event()

    def slowly(paths, settings, stamps):
        found = [*listing.entries_found(paths, settings, stamps)]
        yield found[0]
        go.wait(30)
        yield from found[1:]

    monkeypatch.setattr("sampleui.tui.workspace.discovery.entries_found", slowly)
    app = SampleUI(lambda: WorkspaceScreen([folder], Settings()), Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        driver = Listed(pilot, folder)
        await driver.press("ctrl+o", *"byamltwo")
        assert "b.yaml" not in driver.dialog_text
        go.set()
        await driver.until(lambda: "b.yaml › two" in driver.dialog_text)
        await driver.press("enter")
        assert driver.screen.session.deck.path.name == "b.yaml" and driver.ids[driver.screen.index] == "two"


def test_matching_weighs_names_by_their_letters():
    names = ["deep/b.yaml", "deep/b.yaml › two", "a.toml › two", "other"]
    assert matching(names, "byt") == ["deep/b.yaml › two"]
    assert matching(names, "") == names
    assert matching(names, "zzz") == []


async def test_what_hinders_one_deck_to_be_saved_hinders_no_other(folder):
    async with listed(folder) as app:
        await app.press("enter", "r", "ctrl+q", "G", "enter", "r", "ctrl+q")
        (folder / "a.toml").write_text(TOML.replace("First", "1st"))
        await app.press("ctrl+s")
        assert "saved c.jsonl" in said(app.list) and "a.toml" in said(app.list)
        assert (folder / "deep" / "c.jsonl").read_text() != JSONL
        assert app.rows[0].startswith("● ") and "1st" in (folder / "a.toml").read_text()
        await app.press("ctrl+q", "s")
        assert app.app.is_running and app.app.screen is app.list
        await app.press("home", "enter", "ctrl+s")
        await app.until(lambda: "1st" in app.text or "Merge" in app.dialog_text)


async def test_after_a_crash_every_deck_that_was_open_offers_its_edits(folder):
    async with listed(folder) as app:
        await app.press("enter", "r", "ctrl+q", "G", "enter", "r")
        edited = app.text
        for session in app.list.workspace.open:
            session.journal.file.close()
            session.journal.file = session.journal.path = None  # as if it was killed
    async with listed(folder) as app:
        await app.press("enter")
        assert "unsaved edit" in app.dialog_text
        await app.press("r", "ctrl+q")
        assert app.rows[0].startswith("● ")
        await app.press("G", "enter", "r")
        assert app.text == edited and (folder / "deep" / "c.jsonl").read_text() == JSONL


async def test_samples_of_an_index_are_grouped_by_their_files(folder):
    (folder / "index.md").write_text("![a](a.toml)\n\n![c](deep/c.jsonl)\n")
    async with opened(folder / "index.md") as app:
        rows = [row_text(app.screen.samples.row(at, 36)) for at in range(4)]
        assert ["a.toml" in row for row in rows] == [True, False, False, False]
        assert ["c.jsonl" in row for row in rows] == [False, False, True, False]
        assert rows[1].endswith("│") and "a.toml › one" in app.title


async def test_in_a_deck_of_several_files_a_sample_without_a_name_shows_what_it_asks(folder):
    (folder / "d.jsonl").write_text('{"messages": [{"role": "user", "content": "How far is the moon?"}]}\n')
    (folder / "index.md").write_text("![a](a.toml)\n\n![d](d.jsonl)\n")
    async with opened(folder / "index.md") as app:
        last = app.screen.samples.samples - 1
        row = row_text(app.screen.samples.row(last, 50))
        assert "How far is the moon?" in row and "d.jsonl" in row


async def test_samples_whose_names_begin_alike_are_told_apart_in_a_narrow_list(folder):
    names = [f"a-long-beginning-that-all-of-them-have-{number}" for number in range(3)]
    lines = [f'{{"id": "{name}", "messages": [{{"role": "user", "content": "Hi"}}]}}' for name in names]
    (folder / "d.jsonl").write_text("\n".join(lines))
    async with opened(folder / "d.jsonl") as app:
        rows = [row_text(app.screen.samples.row(at, 24)).strip() for at in range(3)]
        assert [row[-1] for row in rows] == ["0", "1", "2"] and all(row.startswith("a-long") for row in rows)


async def test_a_text_is_taken_when_its_deck_is_left_open(folder):
    async with listed(folder) as app:
        await app.press("enter", "enter", "x", "ctrl+q", "enter")
        assert (app.steps, app.screen.session.open_edit) == (1, None) and "x" in app.turns[0]
        await app.press("u", "end", "enter", *"no number", "ctrl+q", "d", "enter")
        assert (app.steps, app.screen.session.open_edit) == (0, None) and app.text == TOML


async def test_edits_of_a_session_that_died_are_asked_about_once_while_the_deck_stays_open(folder):
    async with opened(folder / "a.toml") as app:
        await app.press("r")
        app.screen.session.journal.file.close()
    async with listed(folder) as app:
        await app.press("enter")
        assert "unsaved edit" in app.dialog_text
        await app.press("escape", "ctrl+q", "enter")
        assert app.app.screen is app.screen


async def test_the_file_of_a_deck_that_was_saved_as_another_is_opened_as_it_is(folder):
    async with listed(folder) as app:
        await app.press("enter", "r", "A", *["backspace"] * 20, *"new.toml", "enter", "ctrl+q", "enter")
        assert (app.screen.session.deck.path.name, app.text) == ("a.toml", TOML)


async def test_a_link_that_leads_out_of_the_project_is_listed_and_not_opened(folder, new_folder):
    own = new_folder("own") / "own.toml"
    own.write_text(TOML.replace("First", "A person's own"))
    (folder / "out.toml").symlink_to(own)
    async with listed(folder) as app:
        names = [entry.path.name for entry in app.list.workspace.entries]
        await app.press(*("j",) * names.index("out.toml"), "enter")
        assert app.app.screen is app.list
        assert "it is not opened: a link that leads out of the folder" in said(app.list)
        await app.press("ctrl+o", *"out", "enter")
        assert app.app.screen is app.list
