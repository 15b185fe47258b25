"""One replacement in a text, its inverse, and what two texts share."""

from hypothesis import given
from hypothesis import strategies as st

from sampleui.text.position import TextEdit, shared_end, shared_start
from tests.quick import within

TEXTS = st.text("ab\n", max_size=12)


@st.composite
def edits(draw):
    source = draw(TEXTS)
    start = draw(st.integers(0, len(source)))
    return source, TextEdit(start, draw(st.integers(start, len(source))), draw(TEXTS))


@given(edits())
def test_the_inverse_undoes_an_edit(case):
    source, edit = case
    assert edit.inverse(source).apply(edit.apply(source)) == source


@given(edits())
def test_a_trimmed_edit_is_the_same_change_and_no_larger_than_it_must_be(case):
    source, edit = case
    trimmed = edit.trimmed(source)
    assert trimmed.apply(source) == edit.apply(source)
    old, new = source[trimmed.start : trimmed.end], trimmed.text
    assert not (old and new) or (old[0] != new[0] and old[-1] != new[-1])


@given(TEXTS, TEXTS)
def test_what_is_shared_is_shared_and_no_more(one, other):
    head, tail = shared_start(one, other), shared_end(one, other)
    assert one[:head] == other[:head]
    assert one[head : head + 1] != other[head : head + 1] or head == min(len(one), len(other))
    assert one[len(one) - tail :] == other[len(other) - tail :]
    assert tail == shared_start(one[::-1], other[::-1])
    assert shared_start(tuple(one), tuple(other)) == head
    assert shared_end(tuple(one), tuple(other)) == tail


def test_a_letter_in_fifty_megabytes_is_found_soon():
    source = "x" * 50_000_000
    edit = TextEdit(0, len(source), source[:25_000_000] + "y" + source[25_000_001:])
    with within(1):
        assert edit.trimmed(source) == TextEdit(25_000_000, 25_000_001, "y")
