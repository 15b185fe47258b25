"""Logs of Inspect in the review screen: what is said of runs that did not run all, or did not end well."""

from __future__ import annotations

from pathlib import Path

from tests.tui.review_driver import reviewing

HERE = Path(__file__).parents[1] / "review" / "inspect"
DECK = HERE / "data" / "plain.jsonl"


async def test_of_a_limited_run_only_what_was_to_run_is_listed(tmp_path: Path) -> None:
    async with reviewing(_copied("limited.eval", tmp_path), DECK) as app:
        assert app.queue == ["1"]
        assert "1/1" in app.title
        assert app.said == "! a limited run: 1 of 3 samples"


async def test_bad_news_has_no_tick_and_what_was_not_run_is_no_record(tmp_path: Path) -> None:
    async with reviewing(_copied("unfinished.eval", tmp_path), DECK) as app:
        assert app.said == "! the run has not finished"
        assert app.queue == ["1", "2", "(#3)"]
        assert "1/2" in app.title
        app.screen.set_focus(app.screen.queue)
        await app.press("end")
        assert app.at == "#3"
        assert "0/2" in app.title


def _copied(name: str, folder: Path) -> Path:
    path = folder / name
    path.write_bytes((HERE / "logs" / name).read_bytes())
    return path
