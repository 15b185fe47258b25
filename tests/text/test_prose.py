"""Markdown as blocks: what is read, what stays text, and that nothing of it leads anywhere."""

from __future__ import annotations

import pytest

from sampleui.text.prose import (
    Code,
    Grid,
    Heading,
    HorizontalRule,
    InlineSpan,
    ListItem,
    Paragraph,
    Quote,
    is_markdown,
    plain,
    prose_of,
    spans_of,
)


def test_blocks_of_an_answer_are_told_apart():
    text = "# Title #\n\nHello\nthere\n- a\n  more\n  - [x] b\n2. c\n***\n> said\n> - so\n\n```py\nx = 1\n```\n"
    assert prose_of(text) == (
        Heading((InlineSpan("Title"),), 1),
        Paragraph((InlineSpan("Hello\nthere"),)),
        ListItem((InlineSpan("a\nmore"),), "•", 0),
        ListItem((InlineSpan("b"),), "☑", 1),
        ListItem((InlineSpan("c"),), "2.", 0),
        HorizontalRule(),
        Quote((Paragraph((InlineSpan("said"),)), ListItem((InlineSpan("so"),), "•", 0))),
        Code("x = 1", "py"),
    )


def test_a_table_has_as_many_cells_in_each_row_as_its_header():
    (grid,) = prose_of("| a | b |\n|---|:-:|\n| 1 | **2** | 3 |\n| \\| |\n")
    assert isinstance(grid, Grid)
    assert [*map(plain, grid.header)] == ["a", "b"]
    assert [[*map(plain, row)] for row in grid.rows] == [["1", "2"], ["|", ""]]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a **b** c", [("a ", ""), ("b", "strong"), (" c", "")]),
        ("snake_case_name and 2 * 3 * 4", [("snake_case_name and 2 * 3 * 4", "")]),
        ("**open", [("**open", "")]),
        ("`a ``b` c", [("`a ``b` c"[1:6], "code"), (" c", "")]),
        (r"\*no\*", [("*no*", "")]),
        ("[t](http://x.y)", [("t", "link"), (" (http://x.y)", "target")]),
        ("![alt](http://x.y/p.png)", [("▣ alt", "link"), (" (http://x.y/p.png)", "target")]),
        ("<b>x</b> [red]y[/red]", [("<b>x</b> [red]y[/red]", "")]),
    ],
)
def test_signs_that_have_a_partner_are_styles_and_all_else_is_text(text, spans):
    assert [*map(tuple, spans_of(text))] == spans


def test_a_fence_that_is_not_closed_goes_to_the_end_and_a_longer_one_holds_a_shorter():
    assert prose_of("```\na") == (Code("a"),)
    assert prose_of("````\n```\nx\n```\n````\nend") == (Code("```\nx\n```"), Paragraph((InlineSpan("end"),)))


@pytest.mark.parametrize("text", ["plain words", "a ** b", "x_y\nfoo_bar", "see #5\n#6", "- one dash", "2 * 3"])
def test_plain_texts_are_not_taken_for_markdown(text):
    assert not is_markdown(text)


@pytest.mark.parametrize("text", ["# a", "- a\n- b", "say **so**", "use `x`", "~~~\nx", "a|b\n-|-\n1|2", "[a](b)"])
def test_signs_of_markdown_are_seen(text):
    assert is_markdown(text)
