"""A heading of several samples goes with none of them, and one that would be left without any is asked about."""

from __future__ import annotations

import re

import pytest

from sampleui.workspace.deck import open_deck

from .driver import opened, unwrapped

SAMPLE = {
    "toml": '[[samples]]\nid = "{0}"\nmessages = [{{ role = "user", content = "Hi" }}]\n',
    "yaml": "  - id: {0}\n    input: Hi\n",
}


def deck(form: str) -> str:
    pad = "  " * (form == "yaml")
    a, b, c, d = (SAMPLE[form].format(name) for name in "abcd")
    head = "# The deck.\n" + "evalcases:\n" * (form == "yaml")
    return f"{head}\n{pad}# === One\n\n{a}\n{b}\n{pad}# === Two\n\n{c}\n{pad}# === Three\n\n{d}"


async def answered(app, form, keys, answer):
    """Press keys in the list of samples and answer what is asked; return ids, headings, and the number of steps."""
    await app.press("escape", "1", "home", *keys)
    assert (app.app.screen is not app.screen) == bool(answer), keys
    if answer:
        await app.dialog()
        assert "l Leave it d Delete it too" in unwrapped(app.dialog_text)
        await app.press(answer)
        await app.rested()
    ids, left = "".join(app.ids), [name for name in ("One", "Two", "Three") if f"=== {name}" in app.text]
    steps = app.steps
    await app.press(*"u" * steps)
    assert app.text == deck(form), keys
    return ids, left, steps


@pytest.mark.parametrize("form", SAMPLE)
async def test_a_heading_that_would_be_left_alone_is_asked_about(tmp_path, form):
    path = tmp_path / f"deck.{form}"
    path.write_text(deck(form))
    async with opened(path) as app:
        for keys, answer, ids, left in (
            (["d"], "", "bcd", ["One", "Two", "Three"]),
            (["j", "d"], "", "acd", ["One", "Two", "Three"]),
            (["j", "j", "d"], "", "abd", ["One", "Three"]),
            (["space", "space", "d"], "d", "cd", ["Two", "Three"]),
            (["space", "space", "d"], "l", "cd", ["One", "Two", "Three"]),
            (["d", "d"], "d", "cd", ["Two", "Three"]),
            (["j", "d", "k", "d"], "l", "cd", ["One", "Two", "Three"]),
            (["space", "space", "d"], "escape", "abcd", ["One", "Two", "Three"]),
            (["space", "space", "ctrl+x"], "escape", "abcd", ["One", "Two", "Three"]),
        ):
            assert (await answered(app, form, keys, answer))[:2] == (ids, left), (keys, answer)


@pytest.mark.parametrize("form", SAMPLE)
@pytest.mark.parametrize(("index", "to"), [(1, 2), (2, 1)])
def test_a_heading_stays_set_off_among_samples_without_blank_lines(tmp_path, form, index, to):
    path = tmp_path / f"deck.{form}"
    a, b, c, d = (SAMPLE[form].format(name) for name in "abcd")
    head = "evalcases:\n" * (form == "yaml")
    path.write_text(f"{head}  # === One\n\n{a}{b}\n  # === Two\n\n{c}{d}")
    text = open_deck(path).move_sample(index, to).text
    assert re.search(r"\n\n *# === Two\n\n", text)


@pytest.mark.parametrize("form", SAMPLE)
async def test_moves_that_leave_a_heading_alone_ask(tmp_path, form):
    path = tmp_path / f"deck.{form}"
    path.write_text(deck(form))
    async with opened(path) as app:
        for keys, answer, ids, left in (
            (["J"], "", "bacd", ["One", "Two", "Three"]),
            (["space", "space", "J"], "d", "cabd", ["Two", "Three"]),
            (["space", "space", "J"], "l", "cabd", ["One", "Two", "Three"]),
            (["space", "space", "J"], "escape", "abcd", ["One", "Two", "Three"]),
            (["j", "j", "K"], "d", "acbd", ["One", "Three"]),
            (["end", "K"], "", "abdc", ["One", "Two", "Three"]),
            (["space", "j", "j", "space", "K"], "", "abcd", ["One", "Two", "Three"]),
        ):
            assert await answered(app, form, keys, answer) == (ids, left, int(ids != "abcd")), (keys, answer)
