"""Going from one difference to the next, and to what was searched for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.review.samples.diffwords import diff_words
from sampleui.settings.options import Settings
from sampleui.tui.drawing.matches import marked, ranges
from sampleui.tui.drawing.rows import BESIDE, Room, Row, row_text
from sampleui.tui.drawing.two_texts import DIFFERENT, differences, differs, folded, line_rows, lit, word_rows
from sampleui.tui.themes import has_colours

from .review_driver import ReviewDriver, reviewing, write_results

LINES = [f"    print(step({at}))" for at in range(120)]
OTHER = [*LINES[:70], "    print(other)", *LINES[71:100], "    print(again)", *LINES[101:]]
TEXT = st.text(st.sampled_from("ab cd\n"), max_size=60)


def at(rows: list[Row], style: str) -> list[str]:
    """Return the texts of the pieces in a style."""
    return [text for row in rows for own, text in row if own == style]


def shown(app: ReviewDriver) -> list[str]:
    """Return the rows of the answer that are in view."""
    view = app.screen.answer.view
    top = round(view.scroll_y)
    return [row_text(row) for row in view.rows[top : top + view.size.height]]


EXPECTED, ACTUAL = "\n".join(LINES), "\n".join(OTHER)


def review(tmp_path, output=ACTUAL, expected=EXPECTED, **more):
    row = {"test_id": "a", "score": 0, "output": output, "expected_output": expected, **more}
    return write_results(tmp_path / "r.jsonl", [row])


def test_differences_are_runs_with_nothing_equal_between_them():
    rows = word_rows(diff_words("one two three four five six", "one 2 three 4 5 six"), Room(80))
    found = differences(rows)
    texts = [[rows[row][piece][1] for row, piece in one.pieces] for one in found]
    assert len(texts) == 2 and texts[0] == ["two", "2"] and "".join(texts[1]).replace(" ", "") == "fourfive45"
    assert at(lit(rows, found[0]), "gone-here") == ["two"]
    assert [row_text(row) for row in lit(rows, found[0])] == [row_text(row) for row in rows]


@given(TEXT, TEXT, st.sampled_from([Room(20), Room(20, brackets=True), Room(BESIDE)]), st.booleans())
def test_every_piece_that_differs_is_in_one_difference(one, other, room, by_lines):
    rows = line_rows(one, other, room) if by_lines else word_rows(diff_words(one, other), room)
    places = [place for found in differences(rows) for place in found.pieces]
    assert places == [
        (at, piece) for at, row in enumerate(rows) for piece, (style, _) in enumerate(row) if style in DIFFERENT
    ]
    if one == other:
        assert not places


def test_code_stands_side_by_side_where_there_is_room():
    rows = line_rows("def f(x):\n    return x", "def f(y):\n    return x", Room(BESIDE))
    assert row_text(rows[0]).split(" │ ")[1] == "+ def f(y):"
    assert row_text(rows[0]).startswith("- def f(x):  ")
    assert not differs(rows[1]) and row_text(rows[1]).count("return x") == 2
    assert at(rows, "gone") == ["x"] and at(rows, "come") == ["y"]
    assert [row_text(row)[0] for row in line_rows("a\nb", "a\nc", Room(BESIDE - 1))] == [" ", "-", "+"]


@pytest.mark.parametrize("words", ["second line", "SECOND", "longer word s", "wor"])
def test_a_text_is_found_across_the_ends_of_rows_and_the_words_that_differ(words):
    rows: list[Row] = [
        (("text", "a second"),),
        (("text", "line with longer w"),),
        (("text", "or"), ("gone", "k"), ("come", "d"), ("text", " s")),
    ]
    made, first = marked(rows, words)
    assert first == (1 if words in ("longer word s", "wor") else 0)
    assert "".join(at(made, "match")).replace(" ", "").lower() == words.replace(" ", "").lower()
    assert [row_text(row) for row in made] == [row_text(row) for row in rows]
    assert not ranges(rows, "wordk") and not ranges(rows, " ")


def test_what_is_searched_for_is_not_folded():
    rows = line_rows("\n".join(LINES), "\n".join(OTHER), Room(60))
    assert not any("step(20)" in row_text(row) for row in folded(rows))
    assert any("step(20)" in row_text(row) for row in folded(rows, "step(20)"))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("pane", [0, 1])
async def test_brackets_and_c_go_between_differences_from_any_pane(tmp_path, size, pane):
    async with reviewing(review(tmp_path), size=size) as app:
        await app.until(lambda: any("print(other)" in line for line in shown(app)))
        await app.press(*["tab"] * pane)
        await app.press("right_curly_bracket")
        assert app.said == "✓ difference 2 of 2"
        await app.until(lambda: any("print(again)" in line for line in shown(app)))
        await app.press("right_curly_bracket")
        assert app.said == "– this is the last difference"
        await app.press("left_curly_bracket")
        assert app.said == "✓ difference 1 of 2"
        await app.until(lambda: any("print(other)" in line for line in shown(app)))
        await app.press("left_curly_bracket")
        assert app.said == "– this is the first difference"
        assert app.at == "a" and not app.screen.comment_input.display


async def test_the_first_of_two_keys_says_what_may_follow_and_is_given_up(tmp_path):
    own = {"answer.next-difference": ("]c",), "review.next": ("]]",)}
    async with reviewing(review(tmp_path), settings=Settings(keys=own)) as app:
        await app.press("]")
        assert "c difference" in app.said and "] next" in app.said
        await app.press("escape", "]", "j")
        assert app.said.startswith("– ]j does nothing here")
        await app.press("j", "c")
        assert app.screen.comment_input.display


async def test_the_first_difference_is_in_view_below_a_long_list_of_reasons(tmp_path):
    reasons = [{"text": f"reason {at}", "passed": False} for at in range(60)]
    async with reviewing(review(tmp_path, assertions=reasons), size=(80, 24)) as app:
        await app.until(lambda: any("print(other)" in line for line in shown(app)))


async def test_texts_with_nothing_in_common_are_gone_between_too(tmp_path):
    results = review(tmp_path, "a " * 2000, "b " * 2000)
    async with reviewing(results, size=(80, 24)) as app:
        await app.press("right_curly_bracket")
        await app.until(lambda: "Actual" in shown(app))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_search_marks_what_it_found_and_scrolls_to_it(tmp_path, size):
    long = "\n\n".join(f"paragraph {at} says this" for at in range(60))
    scores = [{"name": "judge", "score": 0, "reasoning": f"{long}\n\nneedle in the scores"}]
    results = review(tmp_path, scores=scores, input=f"{long}\n\nneedle asked", trace={"events": []})
    async with reviewing(results, size=size) as app:
        await app.press("/", *"needle", "enter")
        await app.until(lambda: app.screen.review.queue.filters.text == "needle")
        await app.press("enter")
        assert app.screen.scope == "answer"
        await app.until(lambda: "needle asked" in app.drawn)
        await app.press("tab")
        await app.until(lambda: "needle in the scores" in app.drawn)
        assert at(app.screen.scores.rows, "match") == ["needle"]
        await app.press("/")
        await app.press("escape")
        app.screen.set_focus(app.screen.scores)
        await app.until(lambda: at(app.screen.scores.rows, "match") == [])


async def test_a_search_hit_in_an_equal_stretch_is_shown(tmp_path):
    async with reviewing(review(tmp_path), size=(80, 24)) as app:
        await app.press("/", *"step(20)", "enter")
        await app.until(lambda: app.screen.review.queue.filters.text == "step(20)")
        await app.press("enter")
        assert app.screen.scope == "answer"
        await app.until(lambda: any("step(20)" in line for line in shown(app)))


@pytest.mark.parametrize(
    ("system", "colours"), [("truecolor", True), ("256", True), ("standard", True), (None, False)]
)
async def test_brackets_stand_in_for_colours(tmp_path, monkeypatch, system, colours):
    results = review(tmp_path, "one 2 three", "one two three")
    async with reviewing(results) as app:
        monkeypatch.setattr(type(app.app.console), "color_system", system)
        assert has_colours(app.app) is colours
        app.screen.answer.turn(0)
        assert ("[-two-]" in app.answer) is not colours
        app.app.no_color = True
        assert not has_colours(app.app)
