"""The loop: step to a failure, see why, fix the deck, decide, go on."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from sampleui.review.verdict import Verdict, sample_digest
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.review.boxes import ShowDiff
from sampleui.tui.screens.dialogs import Confirm
from sampleui.workspace.deck import open_deck

from .review_driver import RESULTS, reviewing


@pytest.fixture
def results(hello: Path) -> Path:
    """Return a copy of the example results beside the copy of the example deck."""
    path = hello.parent / "hello.results.jsonl"
    path.write_bytes((RESULTS / "hello.results.jsonl").read_bytes())
    return path


def git_diff(repository: Path) -> list[str]:
    """Return the lines of `git diff` that were taken out or put in, after checking that there is one hunk."""
    done = subprocess.run(
        ["git", "diff", "-U0", "--", repository.name], cwd=repository.parent, capture_output=True, check=True
    )
    lines = done.stdout.decode().splitlines()
    assert sum(line.startswith("@@") for line in lines) == 1, lines
    return [line for line in lines if line[:1] in "+-" and not line.startswith(("+++", "---"))]


async def test_a_failure_is_fixed_decided_and_left_in_under_twenty_keys(repository, results):
    async with reviewing(results, repository) as app:
        await app.press("]", "]")
        assert app.at == "algebra-tutor"
        assert "score 0.35 is under sampleui's 0.8" in app.answer
        await app.press("e")
        await app.over(AuthorScreen)
        assert app.author.conversation.current.path == ("messages", 4)
        await app.press("enter")
        await app.type(" Well done!")
        await app.press("escape", "ctrl+s", "ctrl+q")
        await app.back()
        assert app.at == "algebra-tutor"
        assert "sample changed since this run" in app.title
        await app.press("2")
        assert "recorded expected-wrong for algebra-tutor" in app.said
        assert app.at == "capital-of-france"
        assert app.pressed < 20
    assert git_diff(repository) == [
        '-content = "Exactly right. Now x is being multiplied by 3: how do you undo that?"',
        '+content = "Exactly right. Now x is being multiplied by 3: how do you undo that? Well done!"',
    ]


async def test_expected_wrong_offers_to_edit_what_the_sample_expects(repository, results):
    async with reviewing(results, repository) as app:
        await app.press("]", "2")
        await app.over(Confirm)
        assert app.log[-1].verdict is Verdict.EXPECTED_WRONG  # on the disk before anything is asked
        await app.press("e")
        await app.over(AuthorScreen)
        assert app.author.conversation.current.path == ("messages", 2)
        await app.press("ctrl+q")
        await app.back()
        assert (app.at, app.screen.review.item.verdict) == ("refund-policy", Verdict.EXPECTED_WRONG)
        assert "sample changed" not in app.title


async def test_the_actual_answer_is_taken_as_expected_by_one_key_and_an_enter(repository, results):
    async with reviewing(results, repository) as app:
        await app.press("]", "]", "]", "x")
        await app.over(ShowDiff)
        assert "+  { role = " in app.drawn
        assert git_is_clean(repository)
        await app.press("enter")
        await app.back()
        assert "saved hello.toml" in app.said
        assert "exactly as expected" in app.answer
    [gone, come] = git_diff(repository)
    assert "third-largest city" in gone
    assert "Lyon is a little smaller" in come


async def test_taking_the_answer_is_left_without_a_change(repository, results):
    async with reviewing(results, repository) as app:
        await app.press("]", "]", "]", "x")
        await app.over(ShowDiff)
        await app.press("escape")
        await app.back()
        assert app.at == "capital-of-france"
    assert git_is_clean(repository)


async def test_expected_wrong_takes_the_answer_and_goes_on(repository, results):
    async with reviewing(results, repository) as app:
        await app.press("]", "]", "]", "2")
        await app.over(Confirm)
        await app.press("x")
        await app.over(ShowDiff)
        await app.press("enter")
        await app.back()
        await app.until(lambda: app.at == "haiku")
        assert "recorded expected-wrong for capital-of-france and took the answer into the deck" in app.said
    assert len(git_diff(repository)) == 2


async def test_the_turn_under_the_cursor_is_the_one_that_is_opened(hello, results):
    async with reviewing(results, hello) as app:
        await app.press("]", "]", "shift+tab", "j", "j", "e")
        await app.over(AuthorScreen)
        assert app.author.conversation.current.path == ("messages", 2)
        assert app.author.sample.id == "algebra-tutor"


async def test_the_history_of_the_deck_lasts_as_long_as_the_review(repository, results):
    async with reviewing(results, repository) as app:
        await app.press("]", "]", "]", "x")
        await app.over(ShowDiff)
        await app.press("enter")
        await app.back()
        await app.press("]", "e")
        await app.over(AuthorScreen)
        await app.press("u", "ctrl+s", "ctrl+q")
        await app.back()
        assert app.at == "haiku"
    assert git_is_clean(repository)


async def test_edits_that_are_discarded_do_not_come_back(repository, results):
    async with reviewing(results, repository) as app:
        await app.press("e")
        await app.over(AuthorScreen)
        await app.press("d", "ctrl+q")
        await app.over(Confirm)
        await app.press("d")
        await app.back()
        assert "sample changed" not in app.title
        await app.press("e")
        await app.over(AuthorScreen)
        assert not app.author.session.unsaved
        assert [item.turn for item in app.author.conversation.items][:3] == [0, 1, None]
    assert git_is_clean(repository)


async def test_a_verdict_before_a_fix_is_stale_after_it_also_in_the_next_session(repository, results):
    async with reviewing(results, repository) as app:
        await app.press("]", "]", "]", "1", "[", "x")
        await app.over(ShowDiff)
        await app.press("enter")
        await app.back()
        assert "sample changed since this run" in app.title
    async with reviewing(results, repository) as app:
        await app.press("]", "]", "]")
        assert app.at == "capital-of-france"
        assert "sample changed since this run" in app.title
        noted = app.log[-1].sample_hash
    assert noted != sample_digest(open_deck(repository).samples[2].data)


async def test_a_deck_that_changed_elsewhere_is_read_again(hello, results):
    async with reviewing(results, hello) as app:
        hello.write_text(hello.read_text().replace("Lyon is its third-largest city.", "Lyon is third."))
        await app.press("]", "]", "]", "x")
        await app.over(ShowDiff)
        assert "Lyon is third." in app.drawn
        await app.press("enter")
        await app.back()
    assert "Lyon is a little smaller" in hello.read_text()


async def test_without_a_deck_nothing_is_fixed_and_it_is_said_how_to_pass_one(hello, results):
    hello.unlink()
    async with reviewing(results) as app:
        await app.press("e")
        assert "--deck" in app.said
        await app.press("x")
        assert "--deck" in app.said
        await app.press("2")
        assert "recorded expected-wrong for unit-conversion" in app.said


def git_is_clean(repository: Path) -> bool:
    done = subprocess.run(["git", "diff", "--quiet", "--", repository.name], cwd=repository.parent, check=False)
    return done.returncode == 0
