"""Panes are made wider and narrower, and are so again in the next session; the list of samples fits its ids."""

from __future__ import annotations

import pytest

from sampleui.tui.screens.panes import remember_widths, widths_file, widths_of

from .driver import opened, said


@pytest.fixture
def deck(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text('[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "x" }]\n')
    return path


def width(app, name: str) -> int:
    return app.screen.query_one(f"#{name}").outer_size.width


async def test_widths_are_chosen_kept_for_the_next_session_and_have_limits(deck):
    async with opened(deck, size=(200, 40)) as app:
        samples, turns, preview = (width(app, name) for name in ("sample-pane", "turns", "preview"))
        await app.press("1", ")", ")", "2", "(")
        assert width(app, "sample-pane") == samples + 12 and width(app, "preview") == preview + 6
        assert width(app, "turns") < turns
        await app.press("3", *"(" * 30)
        assert "no room" in said(app.screen) and width(app, "preview") >= 20
        kept = width(app, "preview")
    async with opened(deck, size=(200, 40)) as app:
        assert (width(app, "sample-pane"), width(app, "preview")) == (samples + 12, kept)
        await app.press("z", ")")
        assert "whole screen" in said(app.screen)
        await app.press("z")
        assert width(app, "preview") == kept


async def test_the_list_of_samples_is_as_wide_as_its_ids(deck):
    async with opened(deck) as app:
        usual = width(app, "sample-pane")
    deck.write_text(deck.read_text().replace('"a"', '"refund-policy-international-004"'))
    async with opened(deck) as app:
        assert width(app, "sample-pane") > usual
        assert any("refund-policy-international-004" in line for line in app.dialog_text.split("\n"))


@pytest.mark.parametrize("held", ["", "[]", '{"author": 3}', '{"author": {"samples": "x", "preview": 900}}', "\0"])
def test_what_cannot_be_read_is_no_width(deck, held):
    remember_widths("author", {"samples": 30})
    assert widths_of("author") == {"samples": 30} and widths_of("review") == {}
    widths_file().write_text(held)
    assert widths_of("author") == {}
