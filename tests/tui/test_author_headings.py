"""A heading of several samples goes with none of them, and one that would be left without any is asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from .driver import opened

SAMPLE = {
    "toml": '[[samples]]\nid = "{0}"\nmessages = [{{ role = "user", content = "Hi" }}]\n',
    "yaml": "  - id: {0}\n    input: Hi\n",
}


def deck(form: str) -> str:
    pad = "  " * (form == "yaml")
    a, b, c, d = (SAMPLE[form].format(name) for name in "abcd")
    head = "# The deck.\n" + "evalcases:\n" * (form == "yaml")
    return f"{head}\n{pad}# === One\n\n{a}\n{b}\n{pad}# === Two\n\n{c}\n{pad}# === Three\n\n{d}"


@pytest.mark.parametrize("form", SAMPLE)
@pytest.mark.parametrize(
    ("keys", "ids", "left"),
    [
        ("d", "bcd", ["One", "Two", "Three"]),
        ("jd", "acd", ["One", "Two", "Three"]),
        ("jjdd", "abd", ["One", "Three"]),
        ("jjdk", "abd", ["One", "Two", "Three"]),
        ("jjjdd", "abc", ["One", "Two"]),
        ("jjjdk", "abc", ["One", "Two", "Three"]),
        ("  dd", "cd", ["Two", "Three"]),
        ("  dk", "cd", ["One", "Two", "Three"]),
    ],
)
async def test_a_heading_that_would_be_left_alone_is_asked_about(tmp_path: Path, form, keys, ids, left) -> None:
    path = tmp_path / f"deck.{form}"
    path.write_text(deck(form))
    async with opened(path) as app:
        asked = keys.count("d") + keys.endswith("k") > 1
        moves = keys[:-1] if asked else keys
        await app.press("1", *("space" if key == " " else key for key in moves))
        assert (app.app.screen is not app.screen) == asked
        if asked:
            await app.dialog(keys[-1])
            await app.rested()
        assert "".join(app.ids) == ids
        assert [name for name in ("One", "Two", "Three") if f"=== {name}" in app.text] == left
        await app.press("u")
        assert app.text == deck(form)


@pytest.mark.parametrize("form", SAMPLE)
async def test_nothing_is_deleted_where_the_question_is_left(tmp_path: Path, form) -> None:
    path = tmp_path / f"deck.{form}"
    path.write_text(deck(form))
    async with opened(path) as app:
        await app.press("1", "j", "j", "ctrl+x")
        await app.dialog("escape")
        assert app.text == deck(form)
