import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sampleui.text.wording import apart, sentence


@pytest.mark.parametrize(
    ("names", "width", "shown"),
    [
        (["gpt-4o", "gpt-4o-mini"], 12, ["gpt-4o", "gpt-4o-mini"]),
        (["openrouter:meta/llama-3-70b-first", "openrouter:meta/llama-3-70b-second"], 12, ["…first", "…second"]),
        (["model-a-2024", "model-b-2024"], 8, ["…a…", "…b…"]),
        (["x" * 30 + "1", "x" * 30 + "2"], 6, ["…xxxx1", "…xxxx2"]),
        (
            ["llama-70b-instruct-first: x", "llama-70b-instruct-second: x", "llama-8b-instruct-second: x"],
            12,
            ["…70b-…first…", "…70b-…econd…", "…8b-i…econd…"],
        ),
        (["a" * 30], 6, ["aaaaa…"]),
    ],
)
def test_names_are_shortened_by_what_they_share(names, width, shown):
    assert list(apart(names, width).values()) == shown


@given(st.lists(st.text(st.sampled_from("ab-漢 "), max_size=30), unique=True, max_size=9), st.integers(4, 30))
def test_no_two_names_look_alike(names, width):
    shown = apart(names, width)
    assert set(shown) == set(names)
    assert len(set(shown.values())) == len(names)
    assert all(cell_len(text) <= width for text in shown.values())


def test_a_sentence_begins_with_a_capital_but_not_where_a_name_begins_it():
    assert sentence("the run goes on") == "The run goes on."
    assert sentence("eval-1/grading.json is beside it") == "eval-1/grading.json is beside it."
