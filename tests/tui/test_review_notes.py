"""Notes where they were made, their list with its marks, codes, and what programs propose, answered in bulk."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from textual import events

from sampleui.review.labels import label_about
from sampleui.review.log.store import Log, log_path, open_log
from sampleui.review.results.file import open_results
from sampleui.review.session import decision_about, place_of
from sampleui.review.verdict import LabelValue, LogAction
from sampleui.text.squeezed import found_again
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.review.boxes import ShowProposals
from sampleui.tui.review.notes import NotesScreen
from sampleui.tui.widgets.turn_stack import TurnStack
from tests.review.build import comment_on

from .driver import said
from .pass_runs import write_run
from .review_driver import ReviewDriver, reviewing, write_results

ANSWER = "I promise a **full refund** of $300 today.\n\nShip it back."


def rows(count: int = 3) -> list[dict[str, Any]]:
    return [
        {
            "test_id": f"case-{number}",
            "score": 0,
            "input": [{"role": "user", "content": f"Where is order {number}, and when does it come?"}],
            "output": ANSWER,
        }
        for number in range(count)
    ]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return write_results(tmp_path / "run.jsonl", rows())


def note(results: Path, record_id: str, text: str, who: str = "ada") -> None:
    comment_on(open_results(results).indexed(), open_log(log_path(results)), record_id, text, who)


async def notes_of(app: ReviewDriver) -> NotesScreen:
    await app.press("m")
    await app.over(NotesScreen)
    screen = app.app.screen
    assert isinstance(screen, NotesScreen)
    return screen


def listed(screen: NotesScreen) -> list[str]:
    return [row_text(screen.list.row(index, 100)) for index in range(screen.list.count())]


# Where they were made


async def test_a_note_is_drawn_below_the_words_that_it_quotes_in_the_answer_and_in_a_turn(results):
    note(results, "case-0", "> full refund\nno policy gives that")
    note(results, "case-0", "> order 0\nwhich?")
    async with reviewing(results, record_id="case-0", everything=True) as app:
        drawn = [line.strip() for line in app.answer.split("\n")]
        assert drawn.index("✎ ada: which?") == next(i for i, line in enumerate(drawn) if "order 0" in line) + 1
        assert drawn[drawn.index("✎ ada: no policy gives that") - 1].startswith("I promise a")
        await app.press("p", "]")
        assert "✎" not in app.answer


async def test_notes_of_others_are_drawn_after_ones_own_word_on_the_record(results):
    note(results, "case-0", "> full refund\nbob's", "bob")
    async with reviewing(results, record_id="case-0", everything=True) as app:
        assert "bob's" not in app.drawn
        await app.press("c", *"mine", "enter")
        assert "✎ bob: bob's" in app.answer


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_footer_of_the_notes_says_how_to_go_back(results, size):
    note(results, "case-1", "too sure")
    async with reviewing(results, size=size) as app:
        screen = await notes_of(app)
        await app.until(lambda: row_text(screen.key_bar.row(size[0])).endswith("? Help  ^q Back"))


async def test_a_note_on_an_event_is_drawn_with_it_and_gone_to(tmp_path):
    path = write_run(tmp_path, "agentv", 2)
    async with reviewing(path, record_id="case-1", everything=True) as app:
        app.screen.go_to_pane("timeline")
        await app.press("j", "c", *"stale data", "enter")
        (made,) = open_log(log_path(path)).standing_notes
        assert made.place is not None and made.place.part == "event"
        number = made.place.number
        assert number is not None
        details = []
        for index in (number, 1 - number):
            app.screen.trace_view.go_event(index)
            await app.rested()
            details.append("\n".join(row_text(row) for row in app.screen.trace_view.detail.view.rows))
        assert ["ada: stale data" in detail for detail in details] == [True, False]
        await app.press("[")
        await notes_of(app)
        await app.press("enter")
        await app.back()
        assert app.at == "case-1" and app.screen.scope == "timeline"
        assert app.screen.trace_view.event is not None and app.screen.trace_view.event.number - 1 == number


async def test_notes_of_others_are_seen_after_ones_own_label_too(tmp_path):
    path = write_run(tmp_path, count=1, codes=1)
    note(path, "conv-000", "> promise\nbob's", "bob")
    async with reviewing(path, everything=True) as app:
        screen = await notes_of(app)
        assert listed(screen) == []
        await app.press("escape")
        await app.back()
        await app.press("L", "enter", "1", "escape")
        await app.back()
        assert "bob: bob's" in app.answer


def test_words_are_found_again_as_they_are_drawn_and_each_time_that_they_stand_there() -> None:
    text = "a **full refund** of\n  $300, a full refund"
    assert [text[start:end] for start, end in found_again("full refund of $300", text)] == [
        "full refund** of\n  $300"
    ]
    assert len([*found_again("FULL refund", text)]) == 2
    assert [*found_again("…", "a … b")] == [(2, 3)] and [*found_again("", text)] == []


def test_what_is_drawn_without_its_marks_is_quoted_as_it_was_written(results: Path) -> None:
    place = place_of("a full refund of $300", open_results(results).indexed().record(0))
    assert place is not None and place.quote == "a **full refund** of $300"
    assert ANSWER[place.start : place.end] == place.quote


async def drag(app: ReviewDriver, widget: Any, words: str) -> None:
    """Select words with the mouse where a widget shows them."""
    lines = [row_text(widget.selectable(index)) for index in range(200) if widget.selectable(index) is not None]
    index = next(index for index, line in enumerate(lines) if words in line)
    strip = "".join(segment.text for segment in widget.render_line(index - round(widget.scroll_y)))
    start = strip.index(words)
    left, top = widget.content_region.x, widget.content_region.y + index - round(widget.scroll_y)
    for kind, x in (
        (events.MouseDown, start),
        (events.MouseMove, start + len(words) - 1),
        (events.MouseUp, start + len(words) - 1),
    ):
        app.app.post_message(kind(widget, left + x, top, 0, 0, 1, False, False, False, left + x, top))
        await app.rested()


async def test_words_that_are_selected_with_the_mouse_are_what_a_note_is_about(results):
    async with reviewing(results, record_id="case-0", everything=True) as app:
        await drag(app, app.screen.answer.view, "full refund")
        assert app.screen.scope == "comment"
        await app.press(*"too much", "enter")
        (made,) = open_log(log_path(results)).standing_notes
        assert made.comment == "too much" and made.place is not None
        assert made.place.quote.replace("*", "") == "full refund" and made.place.part == "answer"


async def test_words_of_a_turn_are_selected_in_the_conversation_too_and_a_click_selects_none(results, tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_text('[[samples]]\nid = "case-0"\nmessages = [{ role = "user", content = "Where is order 0?" }]\n')
    async with reviewing(results, deck, record_id="case-0", everything=True) as app:
        stack = app.screen.conversation.query_one(TurnStack)
        await drag(app, stack, "order 0")
        await app.press(*"which?", "enter")
        (made,) = open_log(log_path(results)).standing_notes
        assert made.place is not None and (made.place.part, made.place.number) == ("turn", 0)
        assert "✎ ada: which? (“order 0”)" in app.cards
        await app.pilot.click(stack, offset=(4, 1), times=2)
        await app.rested()
        assert app.screen.scope != "comment"


# The list


async def test_notes_are_marked_put_under_a_code_as_one_step_and_fold_then(results):
    for number in range(3):
        note(results, f"case-{number}", f"> refund\nnote {number}")
    async with reviewing(results, everything=True) as app:
        screen = await notes_of(app)
        assert [f"note {number}" in row for number, row in enumerate(listed(screen))] == [True] * 3
        await app.press("space", "space", "#", *"money", "enter", *"It promises money.", "enter")
        await app.over(NotesScreen)
        assert "put 2 notes under money" in said(screen)
        assert len(listed(screen)) == 1 and "2 settled ones folded" in app.drawn
        await app.press("Z")
        assert [row.rstrip().endswith("# money") for row in listed(screen)] == [True, True, False]
        await app.press("u")
        assert "2" in said(screen) and not any("# money" in row for row in listed(screen))
        assert (results.parent / "failures.md").read_text() == "## money\n\nIt promises money.\n"


async def test_a_code_is_renamed_merged_and_known_again_after_its_heading_was_renamed_by_hand(results):
    for number, name in enumerate(("one", "two")):
        note(results, f"case-{number}", name)
    codes = results.parent / "failures.md"
    async with reviewing(results, everything=True) as app:
        screen = await notes_of(app)
        await app.press("#", *"alpha", "enter", *"First.", "enter")
        await app.over(NotesScreen)
        await app.press("#", *"beta", "enter", *"Second.", "enter")
        await app.over(NotesScreen)
        await app.press("Z", "home", "r", "enter", "ctrl+u", *"gamma", "enter")
        await app.over(NotesScreen)
        assert "Formerly: alpha" in codes.read_text() and "# gamma" in listed(screen)[0]
        await app.press("r", "enter", "ctrl+u", *"beta", "enter", "m")
        await app.over(NotesScreen)
        assert "Formerly: gamma" in codes.read_text() and "## gamma" not in codes.read_text()
        assert [row.rstrip().endswith("# beta") for row in listed(screen)] == [True, True]
        codes.write_text(codes.read_text().replace("## beta", "## delta"))
        screen.review.log.refresh()
        await app.press("#")
        await app.until(lambda: "beta is no longer in failures.md" in app.drawn)
        await app.press("s", "escape")
        await app.over(NotesScreen)
        assert "Formerly: beta" in codes.read_text()


async def test_a_key_changes_the_words_of_a_definition_and_nothing_else_of_the_file(results):
    for number in range(2):
        note(results, f"case-{number}", f"note {number}")
    codes = results.parent / "failures.md"
    before = "# Kinds\n\n## alpha\n\nThe first\nof two.\n\n- “seen here”\n\n## beta\n\nThe second.\n"
    codes.write_text(before)
    async with reviewing(results, everything=True) as app:
        screen = await notes_of(app)
        await app.press("*", "#", *"alpha", "enter", "Z")
        await app.over(NotesScreen)
        await app.press("e", "enter", "end", *" More", "enter")
        await app.over(NotesScreen)
        assert "2 labels of older ones are counted apart" in said(screen)
        assert codes.read_text() == before.replace("The first\nof two.", "The first of two. More")
        await app.press("e", "enter", "enter")
        await app.over(NotesScreen)
        await app.press("e", "escape")
        assert codes.read_text().count("More") == 1, "nothing was changed"
        await app.press("escape")
        await app.back()
        await app.press("L")
        await app.until(lambda: "2 by an older definition" in app.drawn)
        assert "ada 2" not in app.drawn


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_words_of_a_note_stand_before_a_long_quote(tmp_path, size):
    said = "".join(f"価格は九ユーロです{number}。" for number in range(60))
    path = write_results(tmp_path / "run.jsonl", [{**rows(1)[0], "output": said}])
    note(path, "case-0", f"> {said}\n間違い")
    async with reviewing(path, everything=True, size=size) as app:
        assert "間違い  “価格は" in listed(await notes_of(app))[0]
        assert app.drawn.count("間違い") == 2, "in the row, and whole below the list"
        await app.press("escape")
        await app.back()
        await app.press("c", *"> 価格は九ユーロです5", "right", "enter")
        assert "“価格は九ユーロです5。”" in app.screen.comment_input.placeholder


async def test_enter_goes_to_where_a_note_was_made(results):
    note(results, "case-2", "> Ship it back\nwhere?")
    async with reviewing(results, record_id="case-0", everything=True) as app:
        screen = await notes_of(app)
        await app.press("/", *"where", "enter")
        assert len(listed(screen)) == 1
        await app.press("enter")
        await app.back()
        assert app.at == "case-2" and app.screen.scope == "answer"


async def test_a_list_of_ten_thousand_notes_draws_only_those_in_view(tmp_path, monkeypatch):
    path = write_results(tmp_path / "run.jsonl", rows(100))
    results, log = open_results(path).indexed(), open_log(log_path(path))
    made = comment_on(results, log, "case-0", "a note", "ada")
    line = json.loads(log.path.read_text())
    with log.path.open("a") as file:
        for number in range(9_999):
            entry = results.entries[number % 100]
            row = {**line, "id": f"{number:016x}", "record": entry.digest, "record_id": entry.id}
            file.write(json.dumps({**row, "comment": f"note {number}"}) + "\n")
    assert made.comment == "a note"
    async with reviewing(path, everything=True) as app:
        read: list[str] = []
        for name in ("seen_by", "labels", "notes", "open_proposals"):
            asked = getattr(Log, name)
            monkeypatch.setattr(
                Log,
                name,
                lambda log, *of, asked=asked, name=name, **how: read.append(name) or asked(log, *of, **how),
            )
        screen = await notes_of(app)
        assert screen.list.count() == 10_000
        drawn: list[int] = []
        row = screen.list.row
        monkeypatch.setattr(screen.list, "row", lambda index, width: drawn.append(index) or row(index, width))
        await app.press("j", "space", "G", "k")
        assert len(read) < 20, "neither the list nor a key in it asks the log about each record"
        assert len(drawn) < 200


# What programs propose


def propose(path: Path, count: int, codes: int) -> None:
    """Have a program propose labels, each with a quote."""
    results, log = open_results(path).indexed(), open_log(log_path(path))
    made = []
    for number in range(count):
        record = results.record(number % len(results.entries))
        code = f"fault {number // len(results.entries) % codes + 1}"
        place, about = place_of(record.actual[: 14 + number % 9], record), decision_about(record, None, "agent:bot")
        made.append(label_about(about, log.codebook, code, LabelValue.YES, place=place))
    log.append_all(made)


_SHOWN = re.compile(r"^ *│? ?([a-z]) (conv-\d+)")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_200_proposed_labels_are_answered_by_75_keys_each_whole_on_the_screen(tmp_path, size):
    path = write_run(tmp_path, count=50, codes=4)
    propose(path, 200, 4)
    unwanted = {(f"conv-{number:03}", f"fault {number % 4 + 1}") for number in range(50)}
    async with reviewing(path, everything=True, size=size) as app:
        before = app.pressed
        await notes_of(app)
        await app.press("*", "A")
        await app.over(ShowProposals)
        seen = set[tuple[str, str]]()
        while isinstance(app.app.screen, ShowProposals):
            lines = app.drawn.split("\n")
            for index, line in enumerate(lines):
                if found := _SHOWN.search(line):
                    text = " ".join(" ".join(lines[index + 1 : index + 4]).replace("│", " ").split())
                    code = re.search(r"proposes (fault \d) yes: “I promise", text)
                    assert code is not None, (found[0], text)
                    seen.add((found[2], code[1]))
                    if (found[2], code[1]) in unwanted:
                        await app.press(found[1])
            await app.press("enter")
            await app.rested()
        await app.over(NotesScreen)
        assert len(seen) == 200, "each stood on the screen with its quote"
        assert app.pressed - before <= 75
        log = open_log(log_path(path))
        taken = [label for record in log.labelled for label in log.labels(record, "ada")]
        refused = [item for record in log.proposed for item in log.refusals(record)]
        assert (len(taken), len(refused)) == (150, 50)
        assert all(item.place and item.place.quote and item.drawn is None for item in taken)
        assert {(item.record_id, item.code) for item in taken}.isdisjoint(unwanted)
        await app.press("u")
        assert not open_log(log_path(path)).labelled & {item.record for item in taken} or not [
            label for record in log.labelled for label in open_log(log_path(path)).labels(record, "ada")
        ]


@pytest.mark.parametrize("count", [2, 6, 30])
async def test_a_box_of_proposals_stays_until_one_has_gone_through_it(tmp_path, count):
    path = write_run(tmp_path, count=count, codes=1)
    propose(path, count, 1)
    async with reviewing(path, everything=True) as app:
        await notes_of(app)
        await app.press("*", "A")
        await app.over(ShowProposals)
        assert "a conv-000" in app.drawn and not open_log(log_path(path)).labelled
        await app.press("escape")
        await app.over(NotesScreen)
        assert f"{count} proposed" in app.drawn, "escape takes and refuses nothing"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_how_often_a_program_was_taken_by_code_stands_beside_what_it_proposes(tmp_path, size):
    path = write_run(tmp_path, count=4, codes=2)
    propose(path, 8, 2)
    async with reviewing(path, everything=True, size=size) as app:
        await notes_of(app)
        assert "fault 1 of agent:bot so far: 0 taken, 0 refused" in app.drawn
        await app.press("A", "A", "R")
        assert "fault 2 of agent:bot so far: 1 taken, 0 refused" in app.drawn
        await app.press("*", "A")
        await app.over(ShowProposals)
        assert app.drawn.count("fault 1 of agent:bot so far: 1 taken, 1 refused") == 2
        assert app.drawn.count("fault 2 of agent:bot so far: 1 taken, 0 refused") == 3


async def test_what_was_answered_in_another_window_is_neither_refused_nor_taken_again(tmp_path):
    path = write_run(tmp_path, count=2, codes=1)
    propose(path, 2, 1)
    async with reviewing(path, everything=True) as app:
        screen = await notes_of(app)
        async with reviewing(path, everything=True) as other:
            await notes_of(other)
            await other.press("*", "A")
            await other.over(ShowProposals)
            await other.press("enter")
            await other.over(NotesScreen)
            assert len(open_log(log_path(path)).standing_labels) == 2
        await app.press("*", "R")
        assert "waits no longer" in said(screen) and "2 settled" in app.drawn
    log = open_log(log_path(path))
    assert not any(log.refusals(record) for record in log.proposed)


async def test_what_a_program_proposes_while_one_reviews_is_listed_when_the_list_is_opened(tmp_path):
    path = write_run(tmp_path, count=3, codes=1)
    async with reviewing(path, everything=True) as app:
        assert listed(await notes_of(app)) == []
        await app.press("escape")
        await app.back()
        propose(path, 3, 1)
        screen = await notes_of(app)
        assert len(listed(screen)) == 3 and "3 proposed" in app.drawn
        await app.press("escape")
        await app.back()
        assert "·?" in app.drawn, "the queue says so too"


async def test_no_figure_moves_before_a_proposed_label_is_taken_and_a_code_is_taken_into_the_file(tmp_path):
    path = write_run(tmp_path, count=3, codes=1)
    propose(path, 3, 2)
    log = open_log(log_path(path))
    assert not [label for record in log.labelled for label in log.labels(record)]
    async with reviewing(path, everything=True) as app:
        screen = await notes_of(app)
        assert len(listed(screen)) == 3 and "3 proposed" in app.drawn
        await app.press("A")
        assert "took fault 1 yes for conv-000, proposed by agent:bot" in said(screen)
        await app.press("R")
        assert "refused 1" in said(screen) and "1 proposed" in app.drawn
        await app.press("u")
        assert "2 proposed" in app.drawn
        await app.press("#")
        assert "taken first" in said(screen)
    assert [item.kind for item in open_log(log_path(path)).decisions].count(LogAction.LABEL) == 1


async def test_lines_of_the_log_that_cannot_be_read_are_told_where_the_review_opens(results: Path) -> None:
    note(results, "case-0", "too much")
    with log_path(results).open("a", encoding="utf-8") as file:
        file.write('{"kind": "label", "id": \n')
    async with reviewing(results) as app:
        await app.until(lambda: "1 line of run.reviews.jsonl cannot be read" in app.drawn)
