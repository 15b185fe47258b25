"""Messages as a model is sent them: whole where there is room, their texts as they are, painted."""

from __future__ import annotations

import pytest

from sampleui.tui.drawing.code import readable_rows
from sampleui.tui.drawing.message_rows import message_rows
from sampleui.tui.drawing.rows import row_text

MESSAGES = [{"role": role, "content": "one\ntwo\nthree"} for role in ("system", "user", "assistant", "user")]


def lines(room=None, same=(True, True, True, True)):
    return [row_text(row) for row in message_rows([*MESSAGES], 40, same, room=room)]


def test_messages_stand_in_full_where_there_is_room():
    assert len(lines()) == len(lines(room=19)) == 19
    assert lines() == lines(room=19)


def test_the_first_messages_are_a_line_each_until_the_others_fit():
    assert lines(room=16)[:4] == ["✓ ◆ system     one two three", "", "✓ ● user  ", "│ one"]
    assert [len(lines(room=room)) for room in (16, 12, 8, 4, 1)] == [16, 12, 8, 4, 4]


def test_no_message_is_cut_while_rows_are_free():
    long = [{"role": "system", "content": "short"}, {"role": "user", "content": "a\n" * 30}, MESSAGES[2]]
    rows = [row_text(row) for row in message_rows(long, 40, (True, True, True), room=20)]
    assert len(rows) == 20
    assert rows[:2] == ["✓ ◆ system  ", "│ short"]
    assert rows[14] == "│ ⋯ 21 more rows"


@pytest.mark.parametrize("room", range(4, 24))
def test_messages_need_no_more_rows_than_there_are(room):
    assert len(lines(room=room)) <= room


def test_what_is_not_sent_as_written_is_never_folded():
    assert lines(room=1, same=(True, False, True, True))[2] == "≠ ● user  "


def test_signs_of_markdown_stay_and_are_painted():
    rows = readable_rows("# Title\n- **a** `b`\n```\n# no\n```", 40)
    assert [row_text(row) for row in rows] == ["# Title", "- **a** `b`", "```", "# no", "```"]
    assert rows[0] == (("accent-bold", "# Title"),)
    assert rows[1] == (("accent", "- "), ("text-bold", "**a**"), ("text", " "), ("accent", "`b`"))
    assert rows[3] == (("text", "# no"),)


def test_json_on_a_line_is_laid_out_and_controls_are_seen():
    assert [row_text(row) for row in readable_rows('{"a": 1.0}', 40)] == ["{", '  "a": 1.0', "}"]
    assert row_text(readable_rows("[red]\x1b[2J**x**", 40)[0]) == "[red]␛[2J**x**"
