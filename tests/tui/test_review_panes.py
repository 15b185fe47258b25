"""What the review screen shows: at every size, of every kind of record."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sampleui.review.queue import Order
from sampleui.settings.options import Settings
from sampleui.tui.commands import Keymap
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.review.actions import REVIEW
from sampleui.tui.review.boxes import ReportScreen
from sampleui.tui.screens.command_boxes import CommandList
from sampleui.tui.screens.dialogs import Pick
from sampleui.tui.widgets.virtual_list import RowList

from .driver import ROOT, drawn_lines, shown_widgets, unwrapped
from .review_driver import RESULTS, reviewing, write_results


@pytest.fixture
def results(hello: Path) -> Path:
    path = hello.parent / "hello.results.jsonl"
    path.write_bytes((RESULTS / "hello.results.jsonl").read_bytes())
    return path


async def test_a_record_shows_why_it_failed_how_it_was_graded_and_its_trace_where_it_has_one(hello, results):
    def shown() -> set[str | None]:
        return {widget.id for widget in shown_widgets(app.screen)}

    async with reviewing(results, hello) as app:
        assert "timeline" not in shown()
        await app.press("]")
        assert {"scores", "timeline"} <= shown()
        assert "event-detail" not in shown()
        await app.press("[")
        assert "timeline" not in shown(), "a record without a trace puts the trace away"

        await app.press("]", "]")
        assert "✖ verdict fail by socratic" in app.answer
        await app.press("v", "v")
        assert "Exactly right! Now divide both sides by 3, so x is 5. Done!" in " ".join(app.answer.split())
        for said in ("0.35", "socratic", "0.2", 'Says "x is 5" before', "142 → 21 tokens", "1.18s", "$0.00094"):
            assert said in app.scores
        assert "You are a patient algebra tutor" in app.cards

        await app.press("[", "tab", "tab", "exclamation_mark")
        assert "event-detail" in shown()
        assert "scores" not in shown()
        assert "refund_quote" in app.drawn
        await app.press("]")
        assert app.at == "algebra-tutor"


async def test_words_that_differ_are_marked_and_without_a_deck_the_conversation_is_the_record_s_own(tmp_path):
    row = {
        "test_id": "a",
        "score": 0,
        "expected_output": "one two three four five",
        "output": "one two 3 four five",
    }
    asked = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is 2+2?"}]
    other = {"test_id": "b", "score": 0.1, "input": asked, "output": "5"}
    async with reviewing(write_results(tmp_path / "r.jsonl", [row, other])) as app:
        assert "one two three3 four five" in app.answer
        await app.press("v")
        assert "one two three four five" in app.answer
        await app.press("v")
        assert "one two 3 four five" in app.answer
        assert "Be brief." not in app.cards
        await app.press("]")
        assert "Be brief." in app.cards
        assert "What is 2+2?" in app.cards


async def test_records_and_samples_without_a_partner_are_listed(hello, tmp_path):
    rows = [{"test_id": "arithmetic", "score": 0, "output": "5"}, {"test_id": "gone", "score": 0.5, "output": "x"}]
    async with reviewing(write_results(tmp_path / "r.jsonl", rows), hello) as app:
        assert app.queue[:2] == ["arithmetic", "gone"]
        assert set(app.queue[2:]) == {
            "(algebra-tutor)",
            "(capital-of-france)",
            "(refund-policy)",
            "(haiku)",
            "(unit-conversion)",
        }
        assert "no sample" in app.drawn
        await app.press("tab", "tab", "end")
        await app.until(lambda: app.screen.scope == "queue")
        await app.press("end")
        assert app.at == "unit-conversion"
        assert "no record of the sample" in app.answer
        assert "How many kilometres" in app.cards
        await app.press("1")
        assert "no record here" in app.said


async def test_every_pane_is_reached_at_every_size_and_a_narrow_terminal_shows_one_under_tabs(hello, results):
    async with reviewing(results, hello, (80, 24)) as app:
        await app.press("]")
        assert "[Answer]" in app.drawn
        assert "Warranty: frames" not in app.drawn
        await app.press("shift+tab")
        assert "[Conversation]" in app.drawn
        assert "Warranty: frames" in app.drawn
        assert "1 model-wrong" in app.drawn
        assert app.keys.startswith(" ] Next  c Comment  e Edit sample  ! Error")

        for size in ((60, 16), (80, 24), (100, 30), (120, 40), (200, 60)):
            await app.pilot.resize_terminal(*size)
            await app.rested()
            seen = []
            for _ in range(6):
                seen.append(app.screen.scope)
                target = app.screen.focused
                assert target is not None
                assert target.region.area > 0, size
                lines = drawn_lines(app.screen)
                assert len(lines) == size[1] and all(len(line) <= size[0] for line in lines)
                await app.press("tab")
            assert sorted(seen) == sorted(["answer", "scores", "timeline", "detail", "queue", "turns"]), size


async def test_a_file_without_results_says_that_its_rows_are_unread(hello):
    path = write_results(hello.parent / "other.jsonl", [{"messages": []}])
    async with reviewing(path, hello) as app:
        assert "✖ 1 row unread" in app.title
        assert "1 row could not be read; the first: " in app.said and "no id with a score" in app.said


async def test_filters_add_up_and_say_what_is_shown_of_all_records(hello, results):
    async with reviewing(results, hello, everything=True) as app:
        assert len(app.queue) == 9
        assert app.queue[0] == "unit-conversion"
        for words in ("tag: hello", "failed by: socratic"):
            await app.press("f")
            await app.over(Pick)
            await app.type(words)
            await app.press("enter")
            await app.back()
        assert app.queue == ["algebra-tutor"]
        assert "hello" in str(app.screen.queue_pane.border_title)
        assert "socratic" in str(app.screen.queue_pane.border_title)
        await app.press("f")
        await app.over(Pick)
        await app.type("all records")
        await app.press("enter")
        await app.back()
        assert len(app.queue) == 9


async def test_a_search_looks_into_all_texts_and_loses_what_is_decided(results):
    async with reviewing(results, everything=True) as app:
        await app.press("question_mark")
        await app.over(CommandList)
        listed = app.app.screen.query_one(RowList)
        rows = "\n".join("".join(text for _, text in listed.row(index, 300)) for index in range(listed.count()))
        for said in ("Undo", "Record skip: not decided", "Go to the next failure"):
            assert said in rows, "the help lists every command"
        await app.press("escape")
        await app.back()

        await app.press("slash")
        await app.type("POLICY_SEARCH")
        await app.until(lambda: app.queue == ["refund-policy"])
        await app.press("enter")
        assert app.at == "refund-policy"
        await app.press("slash", "escape")
        await app.until(lambda: len(app.queue) == 9)

        await app.press("slash")
        await app.type("verdict:none")
        await app.press("enter")
        await app.until(lambda: app.screen.review.queue.filters.terms)
        await app.press("1")
        await app.until(lambda: len(app.queue) == 8)


async def test_a_search_looks_into_the_samples_too_and_tells_a_field_that_nothing_has(hello, results):
    async with reviewing(results, hello) as app:
        await app.press("slash")
        await app.type("latency>1")
        told = "! 0 of 6: no record or sample has a field latency, but "
        await app.until(lambda: app.said.startswith(told))
        assert "expected" in app.said and "timestamp, test_id" in app.said
        await app.press("escape", "slash")
        await app.type("score<0.1")
        await app.until(lambda: "score<0.1" in app.said)
        assert "has a field" not in app.said
        await app.press("escape", "slash")
        await app.type("Many Kilometres")
        await app.until(lambda: app.queue == ["unit-conversion"])
        await app.press("escape")
        await app.until(lambda: len(app.queue) == 6)

        await app.press("1", "R")
        await app.over(ReportScreen)
        await app.until(lambda: "passed" in app.drawn)
        for said in ("passed", "━", "1 of 6 failed records and errors decided", "of one record each"):
            assert said in app.drawn, "the report is shown with plots"
        await app.press("escape")
        await app.back()


async def test_what_was_searched_before_all_records_were_shown_can_be_searched_again(results):
    async with reviewing(results, everything=True) as app:
        for _ in range(2):
            await app.press("slash")
            await app.type("POLICY_SEARCH")
            await app.until(lambda: app.queue == ["refund-policy"])
            await app.press("enter", "f", *"all records", "enter")
            assert len(app.queue) == 9


SEARCHES = [
    ("score<0.3", {"two"}),
    ("verdict:none -target:small", {"one"}),
    ("target:small", {"two", "three"}),
    ("error:some", {"three"}),
    ("problem score>0", {"two"}),
    ("answered cherry", {"one"}),
    ('"answered" -cherry', {"two", "three"}),
    ("role:system", {"two"}),
    ("expected:none", {"one", "three"}),
    ("tag:math", {"three"}),
    ("output:apple", {"two"}),
    ("tag:none role:user -role:system", {"one"}),
]


async def test_a_search_speaks_the_language_of_filters_of_decks(tmp_path):
    turn = {"role": "user", "content": "x"}
    samples = [
        {"id": "one", "input": [turn]},
        {"id": "two", "input": [{"role": "system", "content": "y"}, turn], "expected_output": "z"},
        {"id": "three", "input": [turn]},
    ]
    deck = tmp_path / "deck.yaml"
    deck.write_text(json.dumps({"tests": samples}))
    rows = [
        {"test_id": "one", "score": 0.9, "output": "answered cherry", "target": "large"},
        {"test_id": "two", "score": 0.2, "output": "answered apple", "target": "small"},
        {
            "test_id": "three",
            "score": 0.4,
            "output": "answered",
            "target": "small",
            "error": "timeout",
            "tags": ["math"],
        },
    ]
    async with reviewing(write_results(tmp_path / "r.jsonl", rows), deck, everything=True) as app:
        for words, found in SEARCHES:
            await app.press("slash")
            await app.type(words)
            await app.press("enter")
            await app.rested()
            assert {*app.queue} == found, words
            await app.press("escape")
            await app.rested()
            assert len(app.queue) == 3


async def test_a_search_in_a_narrow_terminal_stays_in_sight_and_may_find_nothing(hello, results):
    async with reviewing(results, hello, (80, 24)) as app:
        await app.press("slash")
        await app.type("12zz")
        await app.until(lambda: not app.queue)
        assert "12zz" in app.drawn
        await app.press("enter", "e")
        assert "there is no record here to fix" in app.said
        await app.press("tab", "tab")
        await app.until(lambda: app.answer.split() == ["No", "record", "is", "shown."])
        assert not app.log


async def test_the_order_is_turned(results):
    async with reviewing(results, order=Order.FILE) as app:
        assert app.queue[0] == "algebra-tutor"
        await app.press("o")
        assert app.queue[0] == "unit-conversion"


async def test_a_baseline_shows_what_differs_and_how(tmp_path):
    old = [("a", 1.0), ("b", 0.2), ("c", 0.5), ("gone", 1.0)]
    new = [("a", 0.3), ("b", 0.9), ("c", 0.5), ("fresh", 0.1)]
    files = [
        write_results(
            tmp_path / name, [{"test_id": one, "score": s, "output": f"it says {s:g} today"} for one, s in rows]
        )
        for name, rows in (("old.jsonl", old), ("new.jsonl", new))
    ]
    async with reviewing(files[1], baseline=files[0]) as app:
        await app.until(lambda: app.screen.review.compared)
        await app.rested()
        assert app.queue == ["fresh", "a", "b", "(gone)"]
        assert [line for line in app.drawn.splitlines() if "▼" in line]
        await app.press("]")
        assert "▼ worse: -0.70 from 1" in app.scores
        await app.press("v", "v", "v")
        assert "it says 10.3 today" in " ".join(app.answer.split())
        await app.press("f")
        await app.over(Pick)
        await app.type("better than")
        await app.press("enter")
        await app.back()
        assert app.queue[0] == "b"


async def test_a_run_that_does_not_differ_from_its_baseline_says_how_much_is_the_same(tmp_path):
    rows = [
        {"test_id": f"s{at}", "output": "x", "scores": [{"name": "words", "score": at % 2}]} for at in range(26)
    ]
    more = [{**row, "scores": [*row["scores"], {"name": "judge", "score": 0}]} for row in rows]
    old, new = (
        write_results(
            tmp_path / name, [{**row, "score": sum(one["score"] for one in row["scores"])} for row in made]
        )
        for name, made in (("old.jsonl", rows), ("new.jsonl", more))
    )
    async with reviewing(new, baseline=old) as app:
        await app.until(lambda: app.screen.review.compared)
        await app.rested()
        assert app.queue == []
        assert "26 the same; evaluators only here: judge" in app.said
        assert "26 the same" in app.answer
        assert "26 the same; evaluators only here: judge" in " ".join(app.scores.split())
        await app.press("f")
        await app.over(Pick)
        await app.type("compared: same")
        await app.press("enter")
        await app.back()
        assert len(app.queue) == 26
        assert "not compared: judge 0, only here" in app.scores


def test_no_pane_has_two_commands_on_one_key():
    keymap = Keymap(REVIEW, {})
    for scope in ("queue", "turns", "answer", "scores", "timeline", "detail"):
        keys = [key for one in REVIEW if scope in one.scopes for key in keymap.keys(one)]
        assert len(keys) == len(set(keys)), scope
    stepping = ["]", "[", "N", "e", "x", "c", "u", *"123456"]
    for scope in ("timeline", "detail"):
        for key in stepping:
            found = keymap.find(scope, key, key)
            assert found is not None
            assert not found.id.startswith("trace."), (scope, key)


async def test_keys_can_be_rebound(results):
    async with reviewing(results, settings=Settings(keys={"verdict.ok": ("ctrl+y",)})) as app:
        await app.press("ctrl+y")
        assert "recorded ok" in app.said


async def test_control_codes_and_markup_in_records_are_shown_as_text(tmp_path):
    nasty = "[red]x[/] \x1b]0;title\x07 \x1b[2J [@click=app.quit]y[/]"
    row = {"test_id": nasty, "score": 0, "output": nasty, "expected_output": nasty + " z", "reasoning": nasty}
    row |= {
        "scores": [{"name": nasty, "score": 0, "assertions": [{"text": nasty, "passed": False}]}],
        "error": nasty,
    }
    async with reviewing(write_results(tmp_path / "r.jsonl", [row])) as app:
        await app.press("1", "[")
        assert "\x1b" not in app.drawn
        assert "[red]x[/]" in app.answer
        assert "\x1b" not in app.scores


@pytest.mark.parametrize("text", ["", "{}\n", "not json\n"])
async def test_a_file_without_records_is_shown_as_empty(tmp_path, text):
    path = tmp_path / "r.jsonl"
    path.write_text(text)
    async with reviewing(path) as app:
        assert "there are no records" in app.title
        await app.press("]", "[", "N", "1", "c", "e", "x", "u", "v", "R")


async def test_what_is_no_answer_is_neither_offered_nor_taken_as_the_expected_one(tmp_path, hello):
    unanswered = {
        "capital-of-france": {"answer_path": "a/answer.md"},
        "haiku": {"error": "boom"},
        "unit-conversion": {"error": "boom", "output": "Error occurred: boom"},
    }
    rows = [{"test_id": name, "score": 0, **row} for name, row in unanswered.items()]
    before = hello.read_bytes()
    async with reviewing(write_results(tmp_path / "r.jsonl", rows), hello, size=(160, 40)) as app:
        assert {*app.queue[:3]} == {*unanswered}
        for name in app.queue[:3]:
            assert app.at == name
            assert "Edit sample" in app.drawn and "Take answer" not in app.drawn, name
            await app.press("x")
            assert "there is nothing to take: " in app.said, name
            assert app.screen.shown.record.unanswered in app.said, name
            await app.press("]")
    assert hello.read_bytes() == before


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ((1, 1), "no record failed"),
        ((1, None), "no record failed; 1 record ungraded"),
    ],
)
async def test_the_title_of_a_queue_without_failures_says_what_is_known(tmp_path, scores, told):
    rows = [{"test_id": f"a{at}", "score": score, "output": "x"} for at, score in enumerate(scores)]
    async with reviewing(write_results(tmp_path / "r.jsonl", rows)) as app:
        await app.until(lambda: "records" in app.title or "failed" in app.title)
        assert f"{told}  " in app.title


def corpus() -> list[Path]:
    folder = Path(os.environ.get("SAMPLEUI_CORPUS", ROOT.parent / "shared" / "corpus")) / "results"
    return sorted(folder.glob("*.jsonl")) if folder.is_dir() else []


@pytest.mark.parametrize("path", corpus(), ids=lambda path: path.name)
async def test_real_results_open_and_are_stepped_through(path, tmp_path):
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    async with reviewing(copy, everything=True) as app:
        for _ in app.queue:
            assert app.answer
            assert app.scores
            await app.press("]")


async def test_a_record_that_cannot_be_read_any_more_is_not_decided(tmp_path):
    rows = [{"test_id": name, "score": 0, "output": name * 9} for name in ("one", "two")]
    path = write_results(tmp_path / "r.jsonl", rows)
    async with reviewing(path) as app:
        write_results(path, [rows[0], {"test_id": "two", "score": 0.1, "output": "new"}])
        await app.press("]")
        assert app.at == "two"
        assert "the file changed since it was read" in unwrapped(app.answer)
        assert "oneone" not in app.answer
        await app.press("1")
        assert "cannot be decided" in app.said
        assert app.log == ()
        await app.press("[")
        assert "oneone" in app.answer


async def test_the_samples_of_a_large_deck_are_known_a_little_later(hello, results, monkeypatch):
    monkeypatch.setattr("sampleui.tui.review.decks.MAX_SAMPLES_AT_ONCE", 0)
    async with reviewing(results, hello) as app:
        await app.press("1")
    async with reviewing(results, hello) as app:
        await app.until(lambda: app.screen.review.deck.ready and app.screen.shown.sample)
        await app.press("[")
        assert app.screen.review.item.verdict is not None
        await app.press("e")
        await app.until(lambda: app.app.screen is not app.screen)
        assert app.author.sample.id == "unit-conversion"


async def test_the_title_keeps_record_target_try_place_and_what_is_decided(tmp_path):
    targets = [f"openrouter:meta-llama/llama-3-70b-instruct-{name}" for name in ("first", "second")]
    rows = [
        {"test_id": "capital-of-france", "score": 0, "target": target, "attempt": 2, "output": "x"}
        for target in targets
    ]
    path = write_results(tmp_path / f"{'a-long-name-of-a-run-' * 3}.jsonl", rows)
    async with reviewing(path, size=(80, 24)) as app:
        for size in ((80, 24), (120, 40)):
            await app.pilot.resize_terminal(*size)
            await app.until(lambda: "try 2" in app.title)
            assert "capital-of-france · …first · try 2" in app.title, size
            assert "1/2 · 0 decided  ✖ failed" in app.title, size
            assert "a-lo" in app.title or size[0] == 80
            await app.press("]")
            assert "capital-of-france#2 · …second · try 2" in app.title, size
            shown = [row_text(app.screen.queue.row(at, 30)) for at in range(2)]
            assert len({row[3:] for row in shown}) == 2, size
            await app.press("[")
