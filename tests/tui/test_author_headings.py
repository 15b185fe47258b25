"""A heading of several samples goes with none of them, and one that would be left without any is asked about."""

from __future__ import annotations

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
    ("keys", "answer", "ids", "left"),
    [
        (["d"], "", "bcd", ["One", "Two", "Three"]),
        (["j", "d"], "", "acd", ["One", "Two", "Three"]),
        (["j", "j", "d"], "", "abd", ["One", "Three"]),
        (["space", "space", "d"], "d", "cd", ["Two", "Three"]),
        (["space", "space", "d"], "k", "cd", ["One", "Two", "Three"]),
        (["d", "d"], "d", "cd", ["Two", "Three"]),
        (["j", "d", "k", "d"], "k", "cd", ["One", "Two", "Three"]),
        (["space", "space", "d"], "escape", "abcd", ["One", "Two", "Three"]),
        (["space", "space", "ctrl+x"], "escape", "abcd", ["One", "Two", "Three"]),
    ],
)
async def test_a_heading_that_would_be_left_alone_is_asked_about(tmp_path, form, keys, answer, ids, left):
    path = tmp_path / f"deck.{form}"
    path.write_text(deck(form))
    async with opened(path) as app:
        await app.press("1", *keys)
        assert (app.app.screen is not app.screen) == bool(answer)
        if answer:
            await app.dialog(answer)
            await app.rested()
        assert "".join(app.ids) == ids
        assert [name for name in ("One", "Two", "Three") if f"=== {name}" in app.text] == left
