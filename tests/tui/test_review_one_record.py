"""The cursor of the queue, the title, the panes and the next verdict are about one record, whatever was typed."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from sampleui.cli.main import run as main
from sampleui.review.log.store import log_path, open_log
from sampleui.review.queue import ReviewOptions
from sampleui.review.verdict import Decision, Verdict
from sampleui.settings.options import Settings
from sampleui.text.limits import RESULTS_READ_AT_ONCE
from sampleui.tui.app import SampleUI
from sampleui.tui.review import feed
from sampleui.tui.review.first_screen import review_screen
from sampleui.tui.review.joined import Unmatched
from sampleui.tui.review.screen import ReviewScreen
from sampleui.tui.screens.base import CommandScreen

from .review_driver import ReviewDriver, reviewing, write_results

SEEDS = 2
_TARGETS = ("m1", "m2")
_WORDS = {name: f"answer-{name}" for name in ("alpha", "beta", "gamma", "delta")}

_DECK = """\
[[samples]]
id = "{}"
messages = [{{ role = "user", content = "ask {}" }}]
expected = "never"
"""

_KEYS: tuple[tuple[str, ...], ...] = (
    *(tuple(verdict.key) for verdict in Verdict),
    *([("u",)] * 6),
    *[(key,) for key in "]][[NN++oo="],
    *(("/", *word, "enter") for word in ("gamma", "slow", "answer-b", "verdict:none", "nowhere")),
    *(("/", "b", "escape"), ("/", "backspace", "enter"), ("escape",), ("escape",)),
    *(("f", *words, "enter") for words in ("all records", "unreviewed", "failed", "verdict", "m2", "proposed")),
    *(("c", *"why", "enter"), ("c", "x", "escape"), ("A",), ("R",), ("ctrl+l",)),
    *(("tab",), ("shift+tab",), ("j",), ("k",), ("home",), ("end",), ("space",), ("V",), ("*",)),
)
"""What is typed: each of these as a whole, boxes that open by it are left by Escape."""


def _rows() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = [
        {"test_id": name, "target": target, "score": 0.1 * number, "output": f"{words} of {target}"}
        for number, (name, words) in enumerate(_WORDS.items(), 1)
        for target in _TARGETS
    ]
    rows += [
        {"test_id": "slow", "target": _TARGETS[number % 2], "error": f"timed out after {number}.5 s"}
        for number in range(5)
    ]
    rows += [{"test_id": "right", "target": "m1", "score": 1.0, "output": "answer-right of m1"}]
    return rows


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Records that failed, five like errors, and one that passed."""
    return write_results(tmp_path / "run.jsonl", _rows())


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """An earlier run, in which some fared otherwise, and with a record that is gone."""
    rows = [{**row, "score": 1.0} if row["test_id"] in ("beta", "gamma") else row for row in _rows()]
    return write_results(
        tmp_path / "before.jsonl", [*rows, {"test_id": "gone", "score": 0.0, "output": "answer-gone"}]
    )


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """The samples of these, and one that was not run."""
    path = tmp_path / "deck.toml"
    names = (*_WORDS, "slow", "right", "unrun")
    path.write_text("\n".join(_DECK.format(name, name) for name in names), encoding="utf-8")
    return path


def _propose(results: Path, app: ReviewDriver) -> None:
    """Let a program propose a verdict on two records, and where there is a deck an edit of one not run."""
    log = open_log(log_path(results))
    for entry in (app.screen.review.results.entries[0], app.screen.review.results.entries[7]):
        log.append(
            Decision(
                reviewer="agent:bot",
                record=entry.digest,
                record_id=entry.id,
                sample=entry.sample_id,
                verdict=Verdict.GRADER_WRONG,
            )
        )
    for deck in app.screen.review.decks:
        edit = ("--sample", "unrun", "--path", "messages[0].content", "--value", "asked otherwise")
        assert main(["set", str(deck.deck.path), *edit, "--propose", "--as", "agent:bot"]) == 0


def _text_of(app: ReviewDriver, index: int) -> str:
    """Return what no other record's answer has."""
    record = app.screen.review.results.record(index)
    return " ".join((record.actual if record.error is None else record.error).split())


def _place(visible: Sequence[int], spot: int) -> str:
    return f"{visible.index(spot) + 1:,}/" if spot in visible else "not in the filter"


def _seen(app: ReviewDriver) -> str:
    """Say what the screen shows that is not of one record; empty where all is."""
    screen, review = app.screen, app.screen.review
    spots = screen.queue.items
    spot = spots[screen.queue.cursor] if spots else None
    shown, title = screen.shown, screen.title_bar.title
    if spot is None or isinstance(spot, Unmatched):
        named = title.name.partition(" › ")[2]
        about = shown.item is None and (spot is None or named == spot.id) and review.current == spot
        return "" if about else f"the cursor is on {spot}, the title on {title.subject or named}"
    entry = review.queue.items[spot].entry
    others = {
        "the current record": review.current == spot,
        "the title": title.subject == entry.id,
        "the answer": screen.answer.has_class("away") or _text_of(app, spot) in " ".join(app.answer.split()),
        "the trace": screen.trace_view.subject is not None and screen.trace_view.subject.record.line == entry.line,
        "the scores": shown.item is not None and shown.item == review.queue.items[spot],
        "the place": title.position.startswith(_place(review.queue.visible, spot)),
    }
    wrong = ", ".join(name for name, right in others.items() if not right)
    return f"the cursor is on {entry.id}, {wrong} not" if wrong else ""


def _about(app: ReviewDriver) -> set[str]:
    """Return the ids of the records that a verdict is about, as the screen shows them."""
    screen, review = app.screen, app.screen.review
    spot = screen.queue.items[screen.queue.cursor] if screen.queue.items else None
    if marked := {index for index in review.queue.visible if index in review.state.marks.places}:
        assert f"for {len(marked)} marked" in app.verdicts
        return {review.queue.items[index].entry.id for index in marked}
    if not isinstance(spot, int):
        return set()
    if "like errors" in app.verdicts:
        group = review.queue.groups.get(spot)
        assert group is not None and spot in group.members
        items = [review.queue.items[index] for index in group.members]
        return {item.entry.id for item in items if item.verdict is None} or {item.entry.id for item in items}
    return {review.queue.items[spot].entry.id}


async def _type(app: ReviewDriver, keys: tuple[str, ...], typed: list[str]) -> None:
    """Type keys, leave what they open, and compare: what is shown before and after, and what was decided."""
    typed.append(" ".join(keys))
    about, decided = _about(app), len(app.log)
    await app.press(*keys)
    new = [item for item in app.log[decided:] if not item.undoes]
    if len(keys) == 1 and keys[0] in {verdict.key for verdict in Verdict}:
        assert {item.record_id for item in new} == about, f"{typed}"
    for _ in range(5):
        if app.app.screen is app.screen:
            break
        await app.press("escape")
    assert app.app.screen is app.screen, f"{typed}"
    wrong = _seen(app)
    assert not wrong, f"{wrong}, after {typed}"


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_undo_in_a_filter_shows_the_record_that_it_goes_to(tmp_path, size):
    rows = [
        {"id": name, "input": f"ask {name}", "output": words, "score": 0.1, "success": False}
        for name, words in _WORDS.items()
    ]
    async with reviewing(write_results(tmp_path / "run.jsonl", rows), size=size) as app:
        await app.press("1", "/", *"gamma", "enter", "u")
        assert app.at == "alpha" and not _seen(app), "it is in the queue though it was not searched for"
        await app.press("5")
        assert [(item.record_id, item.verdict) for item in app.log[-1:]] == [("alpha", Verdict.OK)]
        assert app.at == "gamma" and app.queue == ["gamma"], "and leaves it when one goes on"


@pytest.mark.parametrize("beside", ["", "deck", "deck baseline"])
@pytest.mark.parametrize("seed", range(SEEDS))
async def test_what_is_shown_and_decided_is_one_record_after_any_keys(results, deck, earlier, seed, beside):
    chance = random.Random(seed)
    typed: list[str] = []
    baseline = earlier if "baseline" in beside else None
    async with reviewing(results, deck if "deck" in beside else None, baseline=baseline) as app:
        _propose(results, app)
        await app.press("ctrl+l")
        assert not _seen(app)
        for _ in range(40):
            await _type(app, chance.choice(_KEYS), typed)


async def test_a_record_that_is_gone_to_while_others_are_read_is_shown_in_every_pane(tmp_path):
    rows = [
        {"test_id": f"case-{number}", "score": 0.1, "output": f"{number} {'word ' * 60}"} for number in range(4_000)
    ]
    path = write_results(tmp_path / "run.jsonl", rows)
    assert path.stat().st_size > RESULTS_READ_AT_ONCE
    options = ReviewOptions(results=path, reviewer="ada", record_id="case-2000")
    screen = review_screen(options, Settings())()
    assert isinstance(screen, ReviewScreen)
    app = SampleUI(lambda: screen, Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        driver = ReviewDriver(pilot, path)
        while not screen.review.results.complete:
            assert (
                screen.shown.item is None
                or driver.at == screen.title_bar.title.subject == screen.shown.item.entry.id
            )
            await asyncio.sleep(0.001)
        await driver.rested()
        assert driver.at == "case-2000" and not _seen(driver)


async def test_what_is_found_while_the_app_ends_is_told_to_no_screen(tmp_path, monkeypatch):
    path = write_results(tmp_path / "run.jsonl", [{"test_id": "case-1", "score": 0.1, "output": "no"}])
    found, told = threading.Event(), list[object]()

    def reworded(*_: object) -> frozenset[int]:
        found.wait(5)
        return frozenset()

    async with reviewing(path) as driver:
        await driver.until(lambda: not feed.at_work(driver.screen, feed.EXPECTATIONS))
        monkeypatch.setattr(feed, "reworded", reworded)
        monkeypatch.setattr(driver.screen.review, "know_reworded", told.append)
        feed.compare(driver.screen)
        await asyncio.sleep(0.01)
        driver.pilot.app.exit(0)
        found.set()
        time.sleep(0.05)  # the worker asks for the thread that draws before that hears of its end
        await asyncio.sleep(0.05)
    assert told == []


@pytest.mark.parametrize("ends", ["the app", "a screen over it"])
async def test_what_a_screen_is_at_ends_before_its_widgets_are_gone(tmp_path, ends):
    path = write_results(tmp_path / "run.jsonl", [{"test_id": "case-1", "score": 0.1, "output": "no"}])
    looks = list[bool]()

    async def look(screen: CommandScreen) -> None:
        """Look for a widget at every turn, as a command may that was at work."""
        while True:
            await asyncio.sleep(0)
            looks.append(bool(screen.query("TitleBar")))

    async with reviewing(path) as driver:
        if ends == "the app":
            screen: CommandScreen = driver.screen
        else:
            await driver.press("m")
            screen = driver.app.screen
        screen.run_worker(look(screen))
        await asyncio.sleep(0.01)
        if ends == "the app":
            driver.app.exit(0)
        else:
            screen.leave()
        await asyncio.sleep(0.05)
    assert looks and all(looks)
