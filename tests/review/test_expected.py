from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.formats.data import DataPath, Plain, Table, with_set
from sampleui.review.samples.expected import Expectation, expectation, taking
from sampleui.sample.dialects import DIALECTS
from sampleui.sample.model import Sample
from sampleui.sample.parse import messages_path


def sample(dialect: str, data: Table) -> Sample:
    return Sample("a", 0, data, dialect, messages_path(data, DIALECTS[dialect]), Path("deck"))


def said(text: str, role: str = "assistant") -> dict[str, Plain]:
    return {"role": role, "content": text}


ASKED = said("?", "user")
CASES: list[tuple[str, Table, tuple[str, DataPath] | None, Table]] = [
    (
        "calibrate",
        {"messages": [ASKED, said("4")], "expected": {"score": 3}},
        ("4", ("messages", 1, "content")),
        {"messages": [ASKED, said("new")], "expected": {"score": 3}},
    ),
    (
        "calibrate",
        {"messages": [ASKED, said("4")], "expected": "four"},
        ("four", ("expected",)),
        {"messages": [ASKED, said("4")], "expected": "new"},
    ),
    (
        "calibrate",
        {"messages": [ASKED], "expected": {"score": 3}},
        ('{\n  "score": 3\n}', ("expected",)),
        {"messages": [ASKED], "expected": {"score": 3, "answer": "new"}},
    ),
    (
        "agentv",
        {"vars": {"input": "?", "expected_output": "4"}, "criteria": "adds"},
        ("4", ("vars", "expected_output")),
        {"vars": {"input": "?", "expected_output": "new"}, "criteria": "adds"},
    ),
    ("calibrate", {"messages": [ASKED]}, None, {"messages": [ASKED], "expected": "new"}),
    (
        "agentv",
        {"input_messages": [ASKED], "expected_messages": [said("a"), said("b")], "expected_outcome": "is b"},
        ("b", ("expected_messages", 1, "content")),
        {"input_messages": [ASKED], "expected_messages": [said("a"), said("new")], "expected_outcome": "is b"},
    ),
    (
        "agentv",
        {"input": "?", "expected_output": "b"},
        ("b", ("expected_output",)),
        {"input": "?", "expected_output": "new"},
    ),
    (
        "agentv",
        {"input_messages": [ASKED], "expected_outcome": "is b"},
        ("is b", ("expected_outcome",)),
        {"input_messages": [ASKED], "expected_outcome": "is b", "expected_messages": [said("new")]},
    ),
    (
        "agentv",
        {"input": "?", "criteria": "is b"},
        ("is b", ("criteria",)),
        {"input": "?", "criteria": "is b", "expected_output": "new"},
    ),
    (
        "gage",
        {"messages": [ASKED], "references": ["b"], "label": "b"},
        ("b", ("references", 0)),
        {"messages": [ASKED], "references": ["new"], "label": "new"},
    ),
    (
        "gage",
        {"messages": [ASKED], "references": [{"answer": [{"type": "text", "text": "b"}], "meta": {"x": 1}}]},
        ("b", ("references", 0, "answer", 0, "text")),
        {"messages": [ASKED], "references": [{"answer": [{"type": "text", "text": "new"}], "meta": {"x": 1}}]},
    ),
    (
        "gage",
        {"messages": [ASKED], "references": [{"answer": "b"}]},
        ("b", ("references", 0, "answer")),
        {"messages": [ASKED], "references": [{"answer": "new"}]},
    ),
    (
        "gage",
        {"messages": [ASKED], "references": []},
        None,
        {"messages": [ASKED], "references": [{"answer": [{"type": "text", "text": "new"}]}]},
    ),
]


@pytest.mark.parametrize(("dialect", "data", "wanted", "taken"), CASES)
def test_what_is_expected_and_how_an_answer_takes_its_place(
    dialect: str, data: Table, wanted: tuple[str, DataPath] | None, taken: Table
) -> None:
    found = expectation(sample(dialect, data))
    assert found == (Expectation(*wanted) if wanted else None)
    changed: Plain = data
    for setting in taking(sample(dialect, data), "new"):
        changed = with_set(changed, setting.path, setting.value)
    assert changed == taken
    again = expectation(sample(dialect, taken))
    assert again is not None
    assert "new" in again.text


VARS = {"name": "Zoë", "n": 3, "list": ["a", "b"], "deep": {"k": "v"}}
TEMPLATE = "Dear {{ name }}, {{n}} orders of {{ deep.k }} and {{ missing }}."


def templated(expected, **more):
    return sample("agentv", {"id": "a", "vars": VARS, "expected_output": expected, **more})


def test_templates_are_filled_as_the_run_fills_them(monkeypatch):
    monkeypatch.setenv("A_CITY", "Bern")
    monkeypatch.delenv("NO_SUCH_CITY", raising=False)
    assert expectation(templated(TEMPLATE)).text == "Dear Zoë, 3 orders of v and {{ missing }}."
    assert expectation(templated("{{ list }}")).text == "a\nb"
    assert expectation(templated("{{ deep }}")).text == '{\n  "k": "v"\n}'
    assert expectation(templated("in ${{ A_CITY }}, ${{ NO_SUCH_CITY }}")).text == "in Bern, ${{ NO_SUCH_CITY }}"
    said = expectation(templated([{"role": "assistant", "content": "I am {{ name }}"}]))
    assert (said.text, said.path) == ("I am Zoë", ("expected_output", 0, "content"))
    assert expectation(templated("plain {{")).text == "plain {{"


@pytest.mark.parametrize(
    ("actual", "taken"),
    [
        (
            "Dear Zoë, 4 orders of v and {{ missing }}.",
            "Dear {{ name }}, 4 orders of {{ deep.k }} and {{ missing }}.",
        ),
        (
            "Hello Zoë! Your 3 orders of v are here.",
            "Hello {{ name }}! Your {{n}} orders of {{ deep.k }} are here.",
        ),
        ("Nothing of the kind", "Nothing of the kind"),
    ],
)
def test_taking_an_answer_keeps_the_variables_where_it_can(actual, taken):
    [setting] = taking(templated(TEMPLATE), actual)
    assert setting.value == taken
    assert expectation(templated(taken)).text == actual


def test_taking_an_answer_keeps_the_line_break_at_the_end():
    assert [one.value for one in taking(templated("old\n"), "new")] == ["new\n"]
    assert [one.value for one in taking(templated("old"), "new")] == ["new"]


@given(
    st.lists(st.sampled_from(["{{ name }}", "{{n}}", " ", "x", "Zoë", "3"]), max_size=8),
    st.text("Zoë3 x", max_size=12),
)
def test_what_is_taken_reads_back_as_the_answer(parts, actual):
    before = templated("x " + "".join(parts))
    for setting in taking(before, actual):
        if actual:
            assert expectation(templated(setting.value)).text == actual
