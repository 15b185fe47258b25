"""Golden trajectories in the author screen."""

from __future__ import annotations

from .driver import DECKS, opened


async def test_a_sample_with_golden_trajectories_has_a_tab_for_them():
    async with opened(DECKS / "agents.jsonl") as app:
        while app.screen.preview.tab != "Golden":
            await app.press("p")
        assert "trajectory 2 of 2" in app.preview
        assert "→ call" in app.preview
        assert "reserve" in app.preview


async def test_other_samples_do_not(hello):
    async with opened(hello) as app:
        seen = []
        for _ in app.screen.preview.tabs:
            seen.append(app.screen.preview.tab)
            await app.press("p")
        assert "Golden" not in seen
        assert app.screen.preview.tab == seen[0] == "Chat"
        assert len(set(seen)) == len(app.screen.preview.tabs)
