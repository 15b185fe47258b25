"""Logs of Inspect in the review screen: what is said of runs that did not run all, or did not end well."""

from __future__ import annotations

import json
from pathlib import Path

from tests.tui.review_driver import reviewing

HERE = Path(__file__).parents[1] / "integrations" / "inspect_ai"
DECK = HERE / "data" / "plain.jsonl"


async def test_of_a_limited_run_only_what_was_to_run_is_listed(tmp_path: Path) -> None:
    async with reviewing(_copied("limited.eval", tmp_path), DECK) as app:
        assert app.queue == ["1"]
        assert "1/1" in app.title
        assert app.said == "! a limited run: 1 of 3 samples"


async def test_a_log_that_nobody_graded_is_shown_whole_in_the_order_of_its_file(tmp_path: Path) -> None:
    sample = {"epoch": 1, "messages": [], "target": "", "input": "Hi", "output": {"completion": "Ho"}}
    about = {"task": "plain", "model": "mock/m", "dataset": {}, "created": "2026-03-01T10:00:00+00:00"}
    log = {
        "version": 2,
        "status": "success",
        "eval": about,
        "samples": [{**sample, "id": f"q{n}"} for n in range(4)],
    }
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), "utf-8")
    async with reviewing(path, DECK) as app:
        assert app.queue[:4] == ["q0", "q1", "q2", "q3"]
        await app.press("5")
        assert "2/4 · 1 decided" in app.title


async def test_bad_news_has_no_tick_and_what_was_not_run_is_no_record(tmp_path: Path) -> None:
    async with reviewing(_copied("unfinished.eval", tmp_path), DECK) as app:
        assert app.said == "! the run has not finished; 2 of 3 ran"
        assert app.queue == ["1", "2", "(#3)"]
        assert "1/2 · 2 of 3 ran" in app.title
        app.screen.set_focus(app.screen.queue)
        await app.press("end")
        assert app.at == "#3"
        assert "0/2" in app.title


async def test_another_scorer_decides_once_it_is_chosen_and_the_project_keeps_it(tmp_path: Path) -> None:
    settings = tmp_path / ".sampleui.toml"
    settings.write_text('# ours\nfail_under = 0.5\n\n[keys]\n"sample.next" = "f6"\n')
    async with reviewing(_copied("two-scorers.eval", tmp_path)) as app:
        assert app.queue == ["capital", "capital#2", "colour#3", "sum#3", "café#3"]
        assert "match decides · 5 of 12" in str(app.screen.queue_pane.border_subtitle)
        await app.press("D", *"includes", "enter")
        assert app.said == "✓ includes decides what passed"
        failed = ["café", "capital#2", "café#2", "colour#3", "sum#3", "café#3"]
        assert app.at == "capital" and [name for name in app.queue if name != app.at] == failed, (
            "where one is, one stays"
        )
        assert "6 of 12" in str(app.screen.queue_pane.border_subtitle)
    assert settings.read_text() == '# ours\nfail_under = 0.5\nscorer = "includes"\n\n[keys]\n"sample.next" = "f6"\n'


async def test_several_answers_any_of_which_is_right_are_all_shown_and_are_no_change(tmp_path: Path) -> None:
    deck = HERE / "data" / "answers.jsonl"
    async with reviewing(_copied("two-scorers.eval", tmp_path), deck, everything=True) as app:
        assert not app.screen.review.state.reworded
        app.screen.set_focus(app.screen.queue)
        await app.press(*["down"] * app.queue.index("colour"))
        assert app.at == "colour"
        assert "any of: red · blue · yellow" in app.answer
        assert "✓ exactly one of those expected" in app.answer


def _copied(name: str, folder: Path) -> Path:
    path = folder / name
    path.write_bytes((HERE / "logs" / name).read_bytes())
    return path
