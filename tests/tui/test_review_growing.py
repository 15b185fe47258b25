"""A run that grows while it is reviewed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.review.feed import look

from .review_driver import ReviewDriver, reviewing, write_results


def a_row(number: int, score: float = 0) -> dict:
    return {"test_id": f"s{number}", "score": score, "output": f"answer {number}", "expected_output": "x"}


async def looked(app: ReviewDriver) -> None:
    watch = app.screen.run_watch
    await app.until(lambda: not watch.looking)
    await look(app.screen, watch)
    await app.rested()


def append(path: Path, *rows: dict, end: str = "\n") -> None:
    with path.open("a") as file:
        file.write("\n".join(json.dumps(row) for row in rows) + end)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_new_records_appear_while_one_stays_at_ones_own(tmp_path, size):
    path = write_results(tmp_path / "run.jsonl", [a_row(1), a_row(2), a_row(3)])
    async with reviewing(path, size=size) as app:
        await app.press("right_square_bracket")
        here = app.at
        append(path, a_row(4), a_row(5, 1))
        await looked(app)
        assert app.at == here and app.queue == ["s1", "s2", "s3", "s4"]
        assert "2 more records" in app.said
        await app.press("4")
        append(path, a_row(6))
        await looked(app)
        assert app.queue[-1] == "s6" and len(app.log) == 1


async def test_who_is_at_the_end_stays_at_the_end(tmp_path):
    path = write_results(tmp_path / "run.jsonl", [a_row(1), a_row(2)])
    async with reviewing(path) as app:
        await app.press("right_square_bracket")
        assert app.at == "s2"
        append(path, a_row(3), a_row(4))
        await looked(app)
        assert app.at == "s4"


async def test_a_line_that_is_still_written_is_read_when_it_is_whole(tmp_path):
    path = write_results(tmp_path / "run.jsonl", [a_row(1), a_row(2)])
    async with reviewing(path) as app:
        whole = json.dumps(a_row(3))
        with path.open("a") as file:
            file.write(whole[:20])
        await looked(app)
        assert app.queue == ["s1", "s2"]
        with path.open("a") as file:
            file.write(whole[20:] + "\n")
        await looked(app)
        assert app.queue == ["s1", "s2", "s3"]


async def test_nothing_is_taken_in_while_a_comment_is_typed(tmp_path):
    path = write_results(tmp_path / "run.jsonl", [a_row(1), a_row(2)])
    async with reviewing(path) as app:
        await app.press("1", "c")
        await app.type("half a")
        append(path, a_row(3))
        await looked(app)
        assert app.queue == ["s1", "s2"]
        await app.press("enter")
        await looked(app)
        assert app.queue == ["s1", "s2", "s3"] and app.log[-1].comment == "half a"


@pytest.mark.parametrize("numbers", [(7,), (7, 8, 9), (4, 5, 6, 7, 8)], ids=["shorter", "as long", "longer"])
async def test_a_run_that_is_written_anew_is_told_and_is_not_said_to_go_on(tmp_path, numbers):
    path = write_results(tmp_path / "run.jsonl", [a_row(1), a_row(2), a_row(3)])
    async with reviewing(path) as app:
        write_results(path, [a_row(number) for number in numbers])
        await looked(app)
        assert app.queue == [f"s{number}" for number in numbers]
        assert "written anew" in app.said and "goes on" not in app.said


async def test_a_run_that_is_gone_is_told_and_stays_on_the_screen(tmp_path):
    path = write_results(tmp_path / "run.jsonl", [a_row(1), a_row(2)])
    async with reviewing(path) as app:
        path.unlink()
        await looked(app)
        assert app.queue == ["s1", "s2"] and "no longer on disk" in app.said


async def test_a_deck_that_a_run_tells_of_only_later_is_found_then(tmp_path):
    """AgentV names the deck of a run once that has ended."""
    path = write_results(tmp_path / "hello.jsonl", [a_row(1), a_row(2)])
    async with reviewing(path, size=(120, 40)) as app:
        await app.press("right_square_bracket", "4")
        assert "no deck" in app.drawn and not app.screen.review.decks
        here = app.at
        samples = [
            f'[[samples]]\nid = "s{n}"\nmessages = [{{ role = "user", content = "q{n}" }}]\n' for n in (1, 2, 3)
        ]
        (tmp_path / "hello.toml").write_text("\n".join(samples))
        append(path, a_row(3))
        await looked(app)
        assert "hello.toml" in app.drawn and "1 more record" in app.said
        assert app.at == here and len(app.log) == 1
        await app.press("e")
        await app.until(lambda: isinstance(app.app.screen, AuthorScreen))


async def test_a_new_run_of_the_folder_is_offered(tmp_path):
    for name in ("2026-01-01", "2026-01-02"):
        (tmp_path / name).mkdir()
        write_results(tmp_path / name / "index.jsonl", [a_row(1)])
    async with reviewing(tmp_path / "2026-01-02" / "index.jsonl") as app:
        app.screen.run_watch.looks = 0
        (tmp_path / "2026-01-03").mkdir()
        write_results(tmp_path / "2026-01-03" / "index.jsonl", [a_row(1), a_row(2)])
        await looked(app)
        assert "a new run: 2026-01-03; O opens it" in app.said


async def test_a_session_in_a_folder_is_read_again_as_it_grows_and_keeps_verdict_and_place(tmp_path):
    def line(session: str, own: str, text: str, parent: str | None = None) -> dict:
        told = {"type": "user", "uuid": own, "parentUuid": parent, "sessionId": session, "isSidechain": False}
        return {**told, "timestamp": "2026-01-01T00:00:00Z", "message": {"role": "user", "content": text}}

    folder = tmp_path / "project"
    folder.mkdir()
    append(folder / "s-1.jsonl", line("s-1", "a", "go"))
    append(folder / "s-2.jsonl", line("s-2", "b", "other"))
    append(folder / "s-3.jsonl", line("s-3", "d", "third"))
    async with reviewing(folder) as app:
        await app.press("5")
        assert app.at == "other-s2"
        append(folder / "s-1.jsonl", line("s-1", "c", "go on", "a"))
        append(folder / "s-4.jsonl", line("s-4", "e", "fourth"))
        await looked(app)
        assert app.at == "other-s2" and app.queue == ["go-s1", "other-s2", "third-s3", "fourth-s4"]
        results = app.screen.review.results
        assert len(results.record(0).data["trace"]) == 2
        assert app.screen.review.log.by_reviewer(results.entries[0].digest)
        assert "written anew" not in app.said
