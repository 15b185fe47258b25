"""What is changed is marked, shown against git too, and taken back."""

from __future__ import annotations

import pytest

from sampleui import open_deck
from sampleui.deck.model import Base
from sampleui.tui.author.comparing import Comparing
from sampleui.tui.drawing.rows import row_text

from ..deck.test_git_changes import DECK, committed
from .driver import opened, said


@pytest.fixture
def deck(tmp_path):
    return committed(tmp_path)


def marked(app) -> list[bool]:
    shown = app.screen.samples
    return ["~" in row_text(shown.row(at, 40)) for at in range(shown.count())]


async def test_changes_are_marked_against_the_disk_and_git_and_one_is_taken_back(deck):
    async with opened(deck, size=(140, 40)) as app:
        assert marked(app) == [False] * 4
        await app.press("U")
        assert "nothing differs from the file on disk" in said(app.screen)
        await app.press("]", "]", "r")
        assert marked(app) == [False, False, True, False]
        assert "~" in app.cards[0] and not any("~" in line for line in app.cards if "score" in line)
        await app.press("c", *"last", "enter")
        assert "2 samples changed since the last commit" in said(app.screen)
        assert marked(app) == [False, True, True, False]
        await app.press("P")
        assert (
            "since the last commit" in app.preview
            and '+messages = [{ role = "user", content = "one" }]' in app.preview
        )
        await app.press("U", *"one", "enter")
        assert marked(app) == [False, False, True, False] and app.steps == 2 and app.screen.index == 1
        await app.press("U", "enter")
        assert app.text == DECK and app.preview.endswith("Nothing has changed.")
        await app.press("u")
        assert marked(app) == [False, False, True, False]


async def test_a_base_is_given_up_where_other_files_belong_to_the_deck(deck):
    files = [open_deck(deck).files]
    comparing = Comparing(lambda: files[0])
    await comparing.choose(Base.HEAD)
    assert comparing.olds is not None
    more = deck.with_name("more.toml")
    more.write_text(DECK)
    index = deck.with_name("index.md")
    index.write_text(f"![]({deck.name})\n\n![]({more.name})\n")
    files[0] = open_deck(index).files
    assert (comparing.olds, comparing.base) == (None, Base.DISK)


FORMS = {
    "toml": "".join(
        f'[[samples]]\nid = "{name}"\nmessages = [{{role = "user", content = "Hi"}}]\n\n' for name in "abcd"
    ),
    "yaml": "evalcases:\n" + "".join(f"  - id: {name}\n    input: Hi\n\n" for name in "abcd").rstrip() + "\n",
    "flow.yaml": "evalcases: [" + ", ".join(f"{{id: {name}, input: Hi}}" for name in "abcd") + "]\n",
    "json": "["
    + ",\n ".join(f'{{"id": "{name}", "messages": [{{"role": "user", "content": "Hi"}}]}}' for name in "abcd")
    + "]",
    "jsonl": "".join(f'{{"id": "{name}", "messages": [{{"role": "user", "content": "Hi"}}]}}\n' for name in "abcd"),
    "csv": "id,input\n" + "".join(f"{name},Hi\n" for name in "abcd"),
}


@pytest.mark.parametrize("form", FORMS)
async def test_the_mark_of_a_change_is_at_what_differs_from_the_disk(tmp_path, form):
    path = tmp_path / f"deck.{form}"
    path.write_text(FORMS[form])
    async with opened(path, size=(140, 40)) as app:

        def changed() -> str:
            return "".join(name for name, is_marked in zip(app.ids, marked(app), strict=True) if is_marked)

        await app.press("1", "j", "J")
        assert (app.ids, changed()) == ([*"acbd"], "b"), "the one that was moved, and not its neighbours"
        await app.press("K", "K")
        assert (app.ids, changed()) == ([*"bacd"], "b")
        await app.press("u", "u", "u")
        assert changed() == ""
        await app.press("end", "K")
        assert (app.ids, changed()) == ([*"abdc"], "d")
        await app.press("ctrl+s")
        assert changed() == "", "it is saved"
        await app.press("u")
        assert (app.ids, changed()) == ([*"abcd"], "d"), "the file has it elsewhere now"
        await app.press("ctrl+s", "home", "j", "d")
        assert (app.ids, changed()) == ([*"acd"], ""), "what is gone cannot be marked, and nothing else changed"
        await app.press("u", "D")
        assert len(app.ids) == 5 and marked(app) == [False, False, True, False, False]
        await app.press("S", *"note = x", "enter")
        assert marked(app) == [False, False, True, False, False]
        await app.press("ctrl+s")
        assert not any(marked(app))


async def test_what_another_program_wrote_is_not_marked(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(FORMS["jsonl"])
    async with opened(path) as app:
        await app.press("1", "S", *"note = x", "enter")
        path.write_text(FORMS["jsonl"].replace('"id": "c"', '"id": "new"'))
        await app.screen.file_watch.look()
        assert (app.ids, marked(app)) == (["a", "b", "new", "d"], [True, False, False, False])
        await app.press("u")
        assert (app.ids, marked(app)) == (["a", "b", "c", "d"], [True, False, True, False])


async def test_beside_an_insertion_the_fields_that_were_edited_are_marked(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(FORMS["toml"])
    async with opened(path) as app:
        await app.press("1", "D", "[", "2", "r")
        assert marked(app) == [True, True, False, False, False]
        items = app.screen.conversation.items
        found = app.screen.comparing.changed_items(0, app.screen.sample.data, items)
        assert [items[at].label for at in found] == ["assistant"]
