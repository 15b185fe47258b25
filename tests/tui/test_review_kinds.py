"""Expected against actual by its kind."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from sampleui.review.samples.comparing import is_of_lines, laid_out, structure_of
from sampleui.tui.drawing.rows import Room
from sampleui.tui.drawing.two_texts import folded, line_rows
from sampleui.tui.review.rows.answer import VIEWS
from sampleui.tui.review.shown import Shown
from tests.review.build import only_record


def texts(rows) -> list[str]:
    return ["".join(text for _, text in row) for row in rows]


def view(tmp_path, expected: str, actual: str) -> list[str]:
    record = only_record(tmp_path, {"test_id": "a", "score": 1, "output": actual})
    return texts(VIEWS["Diff"].rows(Shown(record=record, expected=expected), Room(60, brackets=True)))


def test_json_is_compared_by_structure(tmp_path):
    one, other = '{"team": "it", "priority": 1}', '```json\n{\n "priority": 1,\n "team": "it"}\n```'
    assert view(tmp_path, one, other)[0] == "✓ the same JSON as expected"
    rows = view(tmp_path, one, '{"priority": 2, "team": "it"}')
    assert '-   "priority": 1,' in rows
    assert '+   "priority": 2,' in rows
    assert '    "team": "it"' in rows


def test_code_is_compared_by_lines_and_prose_by_words(tmp_path):
    code = "def f(x):\n    y = x\n    return y\n\nf(1)"
    rows = view(tmp_path, code, code.replace("y = x", "y = 2 * x"))
    assert rows[2:5] == ["  def f(x):", "-     y = x", "+     y = 2 * x"]
    assert "one [-two-]{+2+} three" in view(tmp_path, "one two three", "one 2 three")
    assert not is_of_lines("one\ntwo", "one\n2")


def test_equal_stretches_are_folded_and_the_first_difference_is_in_view(tmp_path):
    lines = [f"line {at}" for at in range(100)]
    changed = [*lines[:70], "other", *lines[71:]]
    rows = view(tmp_path, "\n".join(lines), "\n".join(changed))
    assert rows[2:7] == ["⋯ 68 equal lines", "  line 68", "  line 69", "- line 70", "+ other"]
    assert rows[-1] == "⋯ 27 equal lines"


@given(
    st.recursive(
        st.integers() | st.text(max_size=3), lambda held: st.lists(held) | st.dictionaries(st.text(), held)
    )
)
def test_what_is_laid_out_is_the_same_value(value):
    if isinstance(value, dict | list):
        assert structure_of(laid_out(value)) == value == structure_of(f"```json\n{json.dumps(value)}\n```")


@given(st.lists(st.sampled_from("abc"), max_size=30), st.lists(st.sampled_from("abc"), max_size=30))
def test_both_texts_can_be_read_from_the_lines(one, other):
    rows = texts(line_rows("\n".join(one), "\n".join(other), Room(20)))
    assert [row[2:] for row in rows if row[0] != "+"] == (one or [""])
    assert [row[2:] for row in rows if row[0] != "-"] == (other or [""])
    hidden = sum(
        int(row.split()[1]) - 1
        for row in texts(folded(line_rows("\n".join(one), "\n".join(other), Room(20))))
        if row.startswith("⋯")
    )
    assert len(folded(line_rows("\n".join(one), "\n".join(other), Room(20)))) + hidden == len(rows)
