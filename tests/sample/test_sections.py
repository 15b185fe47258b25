"""What is shown of any value: its shape by its looks or by a view, its size where it is long."""

from __future__ import annotations

import json

import pytest

from sampleui.sample.sections import (
    LONG,
    Badge,
    MailHeader,
    Speech,
    Verbatim,
    laid_out,
    moment_in,
    section_of,
    sections_beside,
    sections_by,
    shape_of,
)
from sampleui.settings.views import Shape, ViewField
from sampleui.text.prose import Code, Grid, plain

MESSAGES = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "**Yes**"}]
SHAPES = {
    "a sentence": ("How are you?", Shape.TEXT),
    "Markdown": ("# Title\n\n- a\n- b", Shape.MARKDOWN),
    "JSON in a text": (json.dumps({"a": [1, 2]}), Shape.JSON),
    "broken JSON": ('{"question": ["one, two and three", "four and five"}', Shape.TEXT),
    "a patch": ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", Shape.DIFF),
    "a hunk of a patch": ("@@ -1,2 +1,2 @@ def run():\n-a\n+b\n", Shape.DIFF),
    "what speakers said": ([{"speaker": "Ann", "text": "Hi"}], Shape.CHAT),
    "a mail as text": ("From: a@x.org\nSubject: Hi\n\nHello there.", Shape.EMAIL),
    "a mail as a table": ({"subject": "Hi", "body": "Hello", "from": "a@x.org"}, Shape.EMAIL),
    "SQL": ("SELECT 1\nFROM t", Shape.CODE),
    "Python with a comment that looks like a heading": ("import os\n# Title\nprint(os)", Shape.CODE),
    "messages": (MESSAGES, Shape.CHAT),
    "like tables": ([{"doc": "a", "page": 1}, {"doc": "b", "page": 2}], Shape.TABLE),
    "tables in tables": ([{"doc": {"a": 1}}], Shape.JSON),
    "labels": (["red", "blue"], Shape.BADGE),
    "a word": ("billing", Shape.BADGE),
    "a number": (3.5, Shape.BADGE),
    "a time": ("2026-05-01T08:10:00Z", Shape.BADGE),
    "few short values": ({"in": 9, "out": 2}, Shape.BADGE),
    "a deep table": ({"a": {"b": [1]}}, Shape.JSON),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_value_is_shown_as_what_it_looks_like(name):
    value, shape = SHAPES[name]
    assert shape_of(value) is shape


@pytest.mark.parametrize(
    ("value", "name", "words"),
    [
        ("2026-05-01T08:10:00Z", "", "2026-05-01 08:10:00 UTC"),
        ("2026-05-01 08:10:00.123+02:00", "", "2026-05-01 08:10:00 +02:00"),
        (1767225600, "created_at", "2026-01-01 00:00:00 UTC"),
        (1767225600123, "ts", "2026-01-01 00:00:00 UTC"),
        ("1767225600", "edited_on", "2026-01-01 00:00:00 UTC"),
        (1767225600123456789, "endedAtNs", "2026-01-01 00:00:00 UTC"),
        (1767225600, "tokens", ""),
        ("1767225600", "phone", ""),
        (5, "time", ""),
        (float("inf"), "time", ""),
        ("2026-05-01 or later", "", ""),
    ],
)
def test_moments_are_times_and_nothing_else_is(value, name, words):
    assert moment_in(value, name) == words


def test_json_is_laid_out_as_it_is_written():
    assert laid_out('{"a":1.0,"a":[],"n":12345678901234567890,"t":"[,"}') == (
        '{"a":1.0,"a":[],"n":12345678901234567890,"t":"[,"}'
    ), "a key twice is no JSON to lay out"
    assert (
        laid_out('{"a":1.0,"b":[],"c":[1e5,{}]}')
        == '{\n  "a": 1.0,\n  "b": [],\n  "c": [\n    1e5,\n    {}\n  ]\n}'
    )


def test_a_view_says_which_fields_in_which_order_and_how():
    data = {"q": "# Hi", "meta": {"id": 7}, "rest": "x", "none": None}
    view = (
        ViewField("meta.id", heading="Number"),
        ViewField("q", Shape.TEXT),
        ViewField("rest", hidden=True),
        ViewField("none"),
        ViewField("lacking"),
    )
    sections = [section for _, section in sections_by(view, data)]
    assert [(item.heading, item.kind, item.hidden) for item in sections] == [
        ("Number", Shape.BADGE, False),
        ("q", Shape.TEXT, False),
        ("rest", Shape.BADGE, True),
    ]
    assert sections[1].blocks == (Verbatim("# Hi"),)


def test_what_a_view_leaves_out_is_found_beside_it():
    data = {"a": {"b": 1, "c": 2}, "d": "", "e": [3]}
    beside = sections_beside(data, [("a", "b")], hidden=True)
    assert [(item.heading, item.value, item.hidden) for item in beside] == [("a.c", 2, True), ("e", [3], True)]


def test_messages_say_who_speaks_and_a_call_is_a_line():
    call = {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": '{"x": 1}'}}]}
    first, second = section_of("chat", [MESSAGES[0], call]).blocks
    assert first == Speech("user", "", (Verbatim("Hi"),))
    assert shape_of(MESSAGES[1]["content"]) is Shape.MARKDOWN
    assert isinstance(second, Speech)
    assert second.blocks == (Verbatim("→ f(x=1)"),)


def test_a_mail_has_its_headers_above_its_text():
    blocks = section_of("mail", {"subject": "Hi", "body": "Hello", "from": "a@x.org"}).blocks
    assert blocks == (MailHeader("from", "a@x.org"), MailHeader("subject", "Hi"), Verbatim("Hello"))


def test_a_table_shows_as_much_as_can_be_read_and_says_how_much_more_there_is():
    grid, more = section_of("rows", [{"n": n} for n in range(1234)]).blocks
    assert isinstance(grid, Grid)
    assert [*map(plain, grid.header)] == ["n"]
    assert len(grid.rows) == 200
    assert more.text == "1,034 rows more"


@pytest.mark.parametrize("kind", [*Shape])
@pytest.mark.parametrize("value", ["", "text", 3, None, True, [], [1], {}, {"a": 1}, [{"role": "x"}], [[{}]], "{}"])
def test_any_value_can_be_shown_in_any_way(kind, value):
    section = next((item for _, item in sections_by((ViewField("x", kind),), {"x": value})), section_of("x", 1))
    assert section.blocks
    assert section.size


def test_long_values_are_folded_with_their_size_and_answers_are_not():
    text = "word " * LONG
    assert section_of("x", text).folded
    assert section_of("x", text).size == "10,000 characters"
    assert not section_of("x", text, whole=True).folded
    assert not section_of("x", "short").folded
    assert section_of("x", {"a": [*range(50)]}).folded


def test_json_of_any_depth_costs_no_error():
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    assert section_of("x", deep).blocks
    assert section_of("x", deep).beginning
    assert section_of("x", "[" * 5_000 + "]" * 5_000).blocks


def test_a_badge_with_a_number_under_the_name_of_a_time_is_one():
    assert section_of("created_at", 1767225600).blocks == (Badge("2026-01-01 00:00:00 UTC"),)


def test_huge_values_cost_little_and_say_where_they_are_cut():
    huge = {"rows": [{"n": n, "text": "x" * 50} for n in range(20_000)]}
    section = section_of("x", huge)
    assert section.folded
    assert section.size == "1,508,900 characters"
    (beginning,) = section.beginning
    assert isinstance(beginning, Code)
    assert len(beginning.text) <= LONG
    code, more = section.blocks
    assert isinstance(code, Code)
    assert len(code.text) == 200_000
    assert more.text == "cut after 200,000 characters"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2026-01-02T10:00:00+0200", "2026-01-02 10:00:00 +0200"),
        ("2026-01-02T10:00:00.123+02:00", "2026-01-02 10:00:00 +02:00"),
        ("2026-01-02 10:00-0530", "2026-01-02 10:00 -0530"),
        ("2026-01-02T10:00Z", "2026-01-02 10:00 UTC"),
        ("2026-01-02T10:00", "2026-01-02 10:00"),
        ("2026-01-02", ""),
    ],
)
def test_a_moment_is_read_with_its_zone_however_that_is_written(written: str, read: str) -> None:
    assert moment_in(written) == read


def test_what_was_retrieved_is_a_table_though_it_stands_in_another():
    hits = [{"doc": "a", "score": 0.5}, {"doc": "b", "score": 0.25}]
    retrieval, deep = {"hits": hits, "took": 3}, {"deep": {"hits": hits}}
    row = {"q": "When?", "retrieval": retrieval, "meta": deep, "usage": {"in": 1}}
    shown = {section.heading: section.kind for section in sections_beside(row, [("q",)], hidden=False)}
    assert shown["retrieval.hits"] is Shape.TABLE
    assert shown["retrieval.took"] is Shape.BADGE
    assert (shown["meta"], shown["usage"]) == (Shape.JSON, Shape.BADGE)
