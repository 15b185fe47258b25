"""Files that change under an open deck: taken, merged by sample, or asked about; never lost."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

from sampleui.deck.merging import changes_on_disk
from sampleui.tui.author import disk
from sampleui.tui.author.actions import deck as deck_actions
from sampleui.workspace.deck import open_deck

from .decks import DECKS_BY_FORM, JSONL
from .driver import opened, said
from .pressing import key_event


@pytest.fixture(autouse=True)
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the files where a test asks for it, and not whenever a second is over."""
    monkeypatch.setattr(disk, "POLL_S", 3600.0)


@pytest.fixture(params=DECKS_BY_FORM)
def deck(request, tmp_path):
    path = tmp_path / f"deck.{request.param}"
    path.write_text(DECKS_BY_FORM[request.param])
    return path


async def looked(app) -> None:
    await app.until(lambda: not app.screen.file_watch.looking)
    await app.screen.file_watch.look()
    await app.rested()


async def test_an_unchanged_deck_follows_the_file_with_place_and_history(deck):
    async with opened(deck) as app:
        await app.press("r", "ctrl+s", "]")
        changed = deck.read_text().replace("Second", "Third")
        deck.write_text(changed)
        await looked(app)
        assert app.text == changed and "read again" in said(app.screen)
        assert app.ids[app.screen.index] == "two" and not app.screen.session.unsaved
        await app.press("u", "u")
        assert app.text == DECKS_BY_FORM[deck.suffix[1:]]
        await app.press("ctrl+s")
        assert deck.read_text() == DECKS_BY_FORM[deck.suffix[1:]]


async def test_nothing_is_taken_while_a_conflict_is_merged_nor_lost(tmp_path, monkeypatch):
    path = tmp_path / "deck.json"

    def written(*ids: str) -> None:
        path.write_text(json.dumps([{"id": name, "note": "old"} for name in ids], indent=2) + "\n")

    written("one", "two")
    looked_again, load = threading.Event(), deck_actions.load

    def load_after_a_look(path):
        assert looked_again.wait(60)
        written("one", "two", "ann", "bob")
        return load(path)

    monkeypatch.setattr(deck_actions, "load", load_after_a_look)
    async with opened(path) as app:
        await app.press("down", "enter")
        await app.write("mine")
        await app.press("escape")
        written("one", "two", "ann")
        await app.press("ctrl+s")
        await app.dialog()
        app.app.post_message(key_event("m"))
        while app.app.screen is not app.screen:
            await asyncio.sleep(0.01)
        await app.screen.file_watch.look()
        looked_again.set()
        await app.until(lambda: not app.screen.session.unsaved)
    assert [sample["id"] for sample in json.loads(path.read_text())] == ["one", "two", "ann", "bob"]
    assert "mine" in path.read_text()


async def test_nothing_is_taken_while_one_types(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    changed = JSONL.replace("Third", "3rd")
    async with opened(path) as app:
        await app.press("enter")
        path.write_text(changed)
        await looked(app)
        assert app.text == JSONL
        await app.press("escape")
        await looked(app)
        assert app.text == changed


def test_a_file_that_is_being_written_is_left_to_the_next_look(deck, monkeypatch):
    files = open_deck(deck).files
    changed = deck.read_text().replace("Second", "Third")
    deck.write_text("")  # as many programs do before they write
    with monkeypatch.context() as slow:
        slow.setattr(disk.time, "sleep", lambda seconds: deck.write_text(changed))
        assert disk.read_again(files) is None
    found = disk.read_again(files)
    assert found is not None and not isinstance(found, str)
    assert found.disk.sources[0].document.text == changed


async def test_what_only_one_side_changed_is_merged(deck):
    async with opened(deck) as app:
        await app.press("]", "r")
        mine = app.text
        deck.write_text(deck.read_text().replace("First", "1st"))
        await looked(app)
        assert app.text == mine.replace("First", "1st") and app.screen.session.unsaved
        await app.press("ctrl+s")
        assert deck.read_text() == mine.replace("First", "1st")


async def test_what_both_changed_is_said_and_a_save_asks(deck):
    async with opened(deck) as app:
        await app.press("r")
        mine = app.text
        theirs = deck.read_text().replace("user", "tool", 1)
        deck.write_text(theirs)
        await looked(app)
        assert app.text == mine and "edited, too" in said(app.screen)
        await app.press("ctrl+s", "d")
        assert "tool" in app.dialog_text
        await app.press("escape", "escape")
        assert deck.read_text() == theirs and app.text == mine
        await app.press("ctrl+s", "o")
        assert deck.read_text() == mine and not app.screen.session.unsaved


async def test_merging_keeps_mine_where_both_changed_and_takes_the_rest(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        await app.press("r")
        mine = app.text
        theirs = JSONL.replace("user", "tool", 1).replace("Second", "2nd").replace('"x": 1.50', '"x": 2')
        path.write_text(theirs)
        await app.press("ctrl+s", "m")
        assert path.read_text() == app.text == mine.replace("Second", "2nd").replace('"x": 1.50', '"x": 2')


async def test_overwriting_takes_nothing_of_theirs(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        await app.press("r")
        mine = app.text
        path.write_text(JSONL.replace("Second", "2nd").replace("Third", "3rd"))
        await app.press("ctrl+s", "o")
        assert path.read_text() == mine == app.text


async def test_a_sample_is_followed_where_others_come_before_it(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        path.write_text('{"id": "zero", "messages": []}\n' + JSONL)
        await looked(app)
        assert app.ids[app.screen.index] == "one"


async def test_a_deck_that_is_reloaded_is_shown_at_the_same_place_without_marks(tmp_path):
    path = tmp_path / "deck.jsonl"
    samples = [f'{{"id": "{name}", "messages": [{{"role": "user", "content": "{name}"}}]}}\n' for name in "abc"]
    path.write_text("".join(samples))
    async with opened(path) as app:
        await app.press("r", "1", "end", "space")
        path.write_text("".join(samples).replace('"user"', '"tool"'))
        await app.press("ctrl+s", "r")
        assert (app.roles, app.screen.index, app.screen.marks.samples) == (["tool"], 2, frozenset())
        await app.press("2", "r")
        path.write_text(samples[0])
        await app.press("ctrl+s", "r")
        assert (app.ids, app.screen.index, app.turns) == (["a"], 0, ["a"])


async def test_samples_that_come_and_go_are_merged(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        await app.press("]", "r")
        path.write_text('{"id": "zero", "messages": []}\n' + JSONL)
        await looked(app)
        assert app.ids == ["zero", "one", "two"] and app.ids[app.screen.index] == "two"


async def test_a_deleted_file_is_written_again(deck):
    async with opened(deck) as app:
        await app.press("r")
        deck.unlink()
        await looked(app)
        assert "deleted" in said(app.screen)
        await app.press("ctrl+s", "w")
        assert deck.read_text() == app.text and not app.screen.session.unsaved


async def test_a_deleted_file_can_be_left_by_another_name(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        await app.press("r")
        path.unlink()
        await app.press("ctrl+s", "a", *["backspace"] * 20, *"mine.jsonl", "enter")
        assert [one.name for one in tmp_path.iterdir()] == ["mine.jsonl"]
        assert (tmp_path / "mine.jsonl").read_text() == app.text and not app.screen.session.unsaved


async def test_of_deleted_files_a_copy_is_made_of_those_with_edits(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_text(JSONL.replace("one", f"one-{name}").replace("two", f"two-{name}"))
    path = tmp_path / "deck.md"
    path.write_text("![](a.jsonl)\n\n![](b.jsonl)\n")
    async with opened(path) as app:
        await app.press("r")
        (tmp_path / "a.jsonl").unlink()
        await app.press("ctrl+s", "c")
        assert {one.name for one in tmp_path.iterdir()} == {"deck.md", "b.jsonl", "a.mine.jsonl"}
        assert app.screen.session.unsaved and "wrote a.mine.jsonl" in said(app.screen)


async def test_a_file_that_is_no_deck_any_more_is_said_and_nothing_is_lost(deck):
    async with opened(deck) as app:
        before = app.text
        deck.write_text("\udcff", errors="surrogateescape")
        await looked(app)
        assert "changed on disk" in said(app.screen) and app.text == before


async def test_what_was_merged_is_restored_after_a_crash(deck):
    async with opened(deck) as app:
        await app.press("]", "r")
        deck.write_text(deck.read_text().replace("First", "1st"))
        await looked(app)
        merged = app.text
        app.screen.session.journal.file.close()
    async with opened(deck) as app:
        await app.dialog("r")
        assert app.text == merged


async def test_a_copy_is_saved_and_never_over_another_file(deck):
    async with opened(deck) as app:
        await app.press("r", "C", "enter")
        copy = deck.with_name(f"deck-2{deck.suffix}")
        assert copy.read_text() == app.text and app.screen.session.unsaved
        await app.press("C", "enter")
        assert "stays as it is" in said(app.screen)


def test_nothing_is_taken_where_nothing_changed(deck):
    files = open_deck(deck).files
    found = changes_on_disk(files, open_deck(deck).files)
    assert found is not None and (found.changes, found.both) == ((), 0)


async def test_a_deck_saved_as_another_file_is_that_one_with_its_history(tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_text(DECKS_BY_FORM["toml"])
    before, other = deck.read_text(), deck.with_stem("other")
    async with opened(deck) as app:
        await app.press("r", "A", *"other.csv", "enter")
        assert "another format" in said(app.screen)
        await app.press("A", *other.name, "enter")
        assert deck.read_text() == before != other.read_text() == app.text
        assert app.screen.session.deck.path == other and not app.screen.session.unsaved and "other" in app.title
        await app.press("u", "ctrl+s")
        assert other.read_text() == before
        await app.press("A", *deck.name, "enter")
        assert "already" in said(app.screen)


async def test_a_deck_of_several_files_is_saved_under_no_other_name_and_merged_with_no_other_files(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.jsonl").write_text(JSONL.replace("one", f"one-{name}").replace("two", f"two-{name}"))
    path = tmp_path / "deck.md"
    path.write_text("![](a.jsonl)\n\n![](b.jsonl)\n")
    only = tmp_path / "only.md"
    only.write_text("![](c.jsonl)\n")
    async with opened(only) as app:
        await app.press("A")
        assert "this deck is in several files; C copies its own" in said(app.screen)
    async with opened(path) as app:
        await app.press("r")
        mine = app.screen.session.deck.files.sources[1].document.text
        (tmp_path / "a.jsonl").write_text(JSONL)
        for answer, names in (("m", "ac"), ("o", "abc")):
            path.write_text("\n\n".join(f"![]({name}.jsonl)" for name in names) + "\n")
            await app.press("ctrl+s", answer)
            assert "changed as a whole" in said(app.screen)
        path.write_text("![](a.jsonl)\n\n![](c.jsonl)\n")
        await app.press("ctrl+s", "o")
        assert "changed as a whole" not in said(app.screen)
        assert not app.screen.session.unsaved and (tmp_path / "a.jsonl").read_text() == mine


async def test_a_conflict_can_be_left_by_another_name(tmp_path):
    deck = tmp_path / "deck.yaml"
    deck.write_text(DECKS_BY_FORM["yaml"])
    async with opened(deck) as app:
        await app.press("r")
        mine = app.text
        theirs = deck.read_text().replace("Second", "2nd")
        deck.write_text(theirs)
        await app.press("ctrl+s", "a", *f"mine{deck.suffix}", "enter")
        assert deck.read_text() == theirs and deck.with_stem("mine").read_text() == mine
        assert app.screen.session.deck.path.stem == "mine" and "wrote mine" in said(app.screen)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "deck.yaml",
            "tests:\n  - id: a\n    criteria: c\n    input:\n      - role: user\n"
            "        content:\n          - {type: text, value: Look}\n          - {type: file, value: near.md}\n",
        ),
        (
            "deck.jsonl",
            '{"schema_version": "v1", "sample_id": "a", "references": [], "messages": [{"role": "user", '
            '"content": [{"type": "image_url", "image_url": {"url": "near.md"}}]}]}\n',
        ),
    ],
)
async def test_a_file_beside_the_deck_that_comes_and_goes_is_judged_again(tmp_path, name, text):
    path, near = tmp_path / name, tmp_path / "near.md"
    path.write_text(text)
    async with opened(path) as app:
        await app.until(lambda: app.screen.session.problems.complete)
        for there in (True, False, True):
            near.write_text("near") if there else near.unlink()
            await looked(app)
            found = [one.rule for one in app.screen.problem_list.items]
            assert ("file-not-found" in found) is not there
            assert found == [one.rule for one in open_deck(path).diagnostics]


async def test_what_the_disk_changed_and_what_was_taken_back_are_no_edits_to_repeat(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        await app.press("r", "ctrl+c", "o")
        path.write_text(JSONL.replace("Third", "3rd"))
        await looked(app)
        await app.press("]", "2", ".")
        assert "copied" not in said(app.screen), "copying is no edit"
        await app.press("U", "enter")
        text = app.text
        await app.press(".")
        assert app.app.is_running and app.text != text, "the role is given again"
