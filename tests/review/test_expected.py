from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui import open_deck
from sampleui.formats.data import DataPath, Plain, Table, lookup, with_set
from sampleui.review.samples.expectation import Expectation, expectation, expects, taking
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.model import Sample
from sampleui.sample.parse import ValuePlace, as_followed, messages_path, written_at


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
    (
        "gage",
        {"messages": [ASKED], "references": [{"answer": [{"text": "a"}, {"text": "b"}], "meta": 1}]},
        ("a\nb", ("references", 0, "answer")),
        {"messages": [ASKED], "references": [{"answer": [{"type": "text", "text": "new"}], "meta": 1}]},
    ),
    (
        "calibrate",
        {"messages": [ASKED, {"role": "assistant", "tool_calls": []}]},
        None,
        {"messages": [ASKED, {"role": "assistant", "tool_calls": []}], "expected": "new"},
    ),
    (
        "calibrate",
        {"messages": [ASKED, {"role": ["assistant"], "content": "a"}]},
        None,
        {"messages": [ASKED, {"role": ["assistant"], "content": "a"}], "expected": "new"},
    ),
    (
        "agentv",
        {"input": "?", "expected_messages": [], "criteria": "is b"},
        ("is b", ("criteria",)),
        {"input": "?", "expected_messages": [said("new")], "criteria": "is b"},
    ),
    (
        "openai",
        {"input": {"messages": [ASKED]}, "preferred_output": [said("a"), said("b")]},
        ("b", ("preferred_output", 1, "content")),
        {"input": {"messages": [ASKED]}, "preferred_output": [said("a"), said("new")]},
    ),
    ("lm-eval", {"question": "?"}, None, {"question": "?", "answer": "new"}),
    (
        "lm-eval",
        {"question": "?", "target": ["a", "b"]},
        ("a", ("target", 0)),
        {"question": "?", "target": ["new", "b"]},
    ),
    (
        "lm-eval",
        {"question": "?", "choices": ["old", 7, "new"], "gold": 0},
        ("old", ("gold",)),
        {"question": "?", "choices": ["old", 7, "new"], "gold": 2},
    ),
    (
        "lm-eval",
        {"question": "?", "choices": ["old", "new"], "gold": "old"},
        ("old", ("gold",)),
        {"question": "?", "choices": ["old", "new"], "gold": "new"},
    ),
    (
        "lm-eval",
        {"question": "?", "choices": ["old", "new"], "gold": True},
        ("True", ("gold",)),
        {"question": "?", "choices": ["old", "new"], "gold": "new"},
    ),
    (
        "lm-eval",
        {"question": "?", "answer": "note: old"},
        ("note: old", ("answer",)),
        {"question": "?", "answer": "new"},
    ),
    ("lm-eval", {"question": "?", "answer": 4}, ("4", ("answer",)), {"question": "?", "answer": "new"}),
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


@pytest.mark.parametrize(
    ("before", "actual", "value"),
    [(4, "5", 5), ("4", "5", "5"), ([1], "[2]", [2]), ({"a": 1}, "no table", "no table"), (None, "5", "5")],
)
def test_an_answer_is_of_the_kind_that_it_replaces(before: Plain, actual: str, value: Plain) -> None:
    held: Table = {} if before is None else {"answer": before}
    [setting] = taking(sample("lm-eval", {"question": "?", **held}), actual)
    assert (setting.path, setting.value) == (("answer",), value)


def asserted(*pairs: tuple[str, Plain]) -> Sample:
    return sample("promptfoo", {"vars": {}, "assert": [{"type": kind, "value": value} for kind, value in pairs]})


@pytest.mark.parametrize(
    ("pairs", "path"),
    [
        ((("contains", "4"), ("equals", "4!")), ("assert", 1, "value")),
        ((("llm-rubric", "kind"), ("icontains", "4")), ("assert", 1, "value")),
        ((("starts-with", "4"), ("iequals", ["4", "5"])), ("assert", 1, "value", 0)),
        ((("llm-rubric", "kind"),), ("assert", 0, "value")),
    ],
)
def test_an_assertion_of_equality_says_best_what_is_expected(
    pairs: tuple[tuple[str, Plain], ...], path: DataPath
) -> None:
    found = expectation(asserted(*pairs))
    assert found is not None
    assert found.path == path


def test_a_plain_text_in_a_column_is_one_of_equality() -> None:
    found = expectation(sample("promptfoo", {"__expected1": "iequals: four", "__expected2": "4"}))
    assert found is not None
    assert (found.text, found.path) == ("4", ("__expected2",))


@pytest.mark.parametrize(
    ("pairs", "actual", "taken"),
    [
        ((("contains", "4"), ("contains", "7")), "x4", 1),
        ((("contains", "4"), ("contains", "7")), "47", 0),
        ((("contains", "4"), ("contains", "7")), "x7", 0),
        ((("icontains", "FOUR"), ("icontains", "seven")), "it is four", 1),
        ((("iequals", "FOUR"), ("contains", "seven")), "four", 1),
        ((("equals", "four"), ("contains", "seven")), "four", 1),
        ((("equals", "four"), ("contains", "seven")), "four of six", 0),
        ((("starts-with", "4"), ("starts-with", "7")), "4 and 7", 1),
        ((("llm-rubric", "kind"), ("equals", "4")), "4", 1),
    ],
)
def test_an_answer_is_taken_by_the_first_assertion_that_it_does_not_fulfil(
    pairs: tuple[tuple[str, Plain], ...], actual: str, taken: int
) -> None:
    [setting] = taking(asserted(*pairs), actual)
    assert (setting.path, setting.value) == (("assert", taken, "value"), actual)


@pytest.mark.parametrize(
    ("column", "taken"),
    [
        ("10:30", "5"),
        ("four", "5"),
        ("note: it is four", None),
        ("starts-with:  4", "starts-with:  5"),
        ("is-json", None),
        ("similar(0.9): 4", None),
        ("levenshtein(2): 4", None),
        ("contains-any(0.5): 4,7", None),
    ],
)
def test_what_stands_before_the_answer_of_a_column_stays(column: str, taken: str | None) -> None:
    found = [one.value for one in taking(sample("promptfoo", {"__expected": column}), "5")]
    assert found == ([] if taken is None else [taken])


def test_assertions_that_are_no_tables_are_no_answers() -> None:
    odd = sample("promptfoo", {"vars": {}, "assert": ["value", 5, {"type": "equals", "value": "4"}]})
    assert [one.path for one in taking(odd, "5")] == [("assert", 2, "value")]


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
    assert expectation(templated("in ${{ A_CITY }}")).text == "in ${{ A_CITY }}"
    said = expectation(templated([{"role": "assistant", "content": "I am {{ name }}"}]))
    assert (said.text, said.path) == ("I am Zoë", ("expected_output", 0, "content"))
    assert expectation(templated("plain {{")) == Expectation("plain {{", ("expected_output",))
    assert expectation(templated({"a": "{{ name }}"})).text == '{\n  "a": "Zoë"\n}'
    assert expectation(templated({"a": "b"})).template == ()


def test_taking_an_answer_keeps_a_name_of_the_environment_where_the_answer_has_its_value(monkeypatch):
    monkeypatch.setenv("A_CITY", "Bern")
    [setting] = taking(templated("in ${{ A_CITY }}, {{ name }}"), "now in Bern, Zoë")
    assert setting.value == "now in ${{ A_CITY }}, {{ name }}"


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


@pytest.mark.parametrize(
    ("template", "actual", "taken"),
    [
        ("{{ name }} is here", "Zoë is there", "{{ name }} is there"),
        ("Hi {{ name }}", "Hello Zoë", "Hello {{ name }}"),
    ],
)
def test_a_variable_is_kept_at_either_end(template, actual, taken):
    assert [one.value for one in taking(templated(template), actual)] == [taken]


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


def promptfoo(*asserted: Table, **context: Plain) -> Sample:
    data: Table = {"vars": {"word": "Hola", "name": "Ann"}, "assert": [*asserted]}
    return Sample("a", 0, data, "promptfoo", ("vars", "messages"), Path("deck"), context=context)


FILLED: Table = {"type": "contains", "value": "{{word}}"}


def test_an_assertion_with_variables_is_looked_at_as_promptfoo_fills_it() -> None:
    wrong: Table = {"type": "equals", "value": "wrong"}
    (one,) = taking(promptfoo(FILLED, wrong), "Hola, Ann")
    assert (one.path, one.value) == (("assert", 1, "value"), "Hola, Ann")
    (one,) = taking(promptfoo({"type": "contains", "value": "{{word | upper}}"}, wrong), "Hola")
    assert one.path == ("assert", 1, "value")
    (one,) = taking(
        promptfoo({"type": "contains", "value": "{{here}}"}, wrong, defaultTest={"vars": {"here": "x"}}), "x"
    )
    assert one.path == ("assert", 1, "value")


def test_a_template_is_filled_by_the_variables_of_all_tests_and_by_no_date(tmp_path: Path) -> None:
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(
        "prompts: ['{{day}}']\ndefaultTest: {vars: {who: Ann}}\ntests:\n- vars: {day: 2026-01-05}\n  assert:\n"
        "  - {type: equals, value: 'for {{who}} on {{day}}'}\n"
    )
    found = expectation(open_deck(path).samples[0])
    assert found is not None and found.text == "for Ann on {{day}}"


def test_a_variable_stays_where_the_answer_says_what_it_stands_for() -> None:
    sample = promptfoo({"type": "equals", "value": "{{word}} Bob"})
    assert expectation(sample) == Expectation("Hola Bob", ("assert", 0, "value"), expectation(sample).template)  # type: ignore[union-attr]
    assert [one.value for one in taking(sample, "Hola Ann")] == ["{{word}} Ann"]
    assert [one.value for one in taking(sample, "Ciao Ann")] == ["Ciao Ann"]


def test_of_assertions_in_a_set_the_one_that_fails_is_fixed() -> None:
    members: Plain = [{"type": "contains", "value": "Hola"}, {"type": "contains", "value": "Ciao"}]
    sample = promptfoo({"type": "assert-set", "assert": members})
    assert [(one.path, one.value) for one in taking(sample, "Hola Ann")] == [
        (("assert", 0, "assert", 1, "value"), "Hola Ann")
    ]


def test_an_answer_that_is_compared_whole_gets_no_line_break_of_the_text_before() -> None:
    assert [one.value for one in taking(promptfoo({"type": "equals", "value": "a\n"}), "b")] == ["b"]


TEMPLATES: Table = {
    "short": {"type": "contains", "value": "Hi"},
    "chain": {"$ref": "#/templates/short"},
    "both": [{"type": "is-json"}, {"$ref": "#/templates/chain"}],
    "a/b~c": "Hey",
    "round": {"$ref": "#/templates/round"},
}


@pytest.mark.parametrize(
    ("asserted", "place"),
    [
        ([{"$ref": "#/templates/short"}], ValuePlace(True, ("templates", "short", "value"))),
        ([{"$ref": "#/templates/chain"}], ValuePlace(True, ("templates", "short", "value"))),
        ({"$ref": "#/templates/both"}, ValuePlace(True, ("templates", "short", "value"))),
        ([{"$ref": "#/templates/both/1"}], ValuePlace(True, ("templates", "short", "value"))),
        ([{"$ref": "#/templates/short", "value": "Own"}], ValuePlace(False, ("assert", 0, "value"))),
        ([{"type": "equals", "value": {"$ref": "#/templates/a~1b~0c"}}], ValuePlace(True, ("templates", "a/b~c"))),
        ([{"type": "equals", "value": "Own"}], ValuePlace(False, ("assert", 0, "value"))),
        ([{"$ref": "#/templates/round"}], None),
        ([{"$ref": "other.yaml#/short"}], None),
    ],
)
def test_what_is_behind_a_reference_is_expected_and_stands_where_that_leads(
    asserted: Plain, place: ValuePlace | None
) -> None:
    data: Table = {"vars": {}, "assert": asserted}
    sample = Sample("a", 0, data, "promptfoo", ("vars", "messages"), Path("deck"), context={"templates": TEMPLATES})
    settings = taking(sample, "Answer")
    assert [written_at(sample, one.path) for one in settings] == ([] if place is None else [place])
    after = as_followed(sample).data
    for one in settings:
        assert lookup(after, one.path) in ("Hi", "Own", "Hey")
        assert expectation(sample) is not None


@pytest.mark.parametrize(
    ("asserted", "actual", "already"),
    [
        ([{"type": "equals", "value": "a\n"}], "a", False),
        ([{"type": "equals", "value": "a"}], "a", True),
        ([{"type": "equals", "value": "a b"}, {"type": "starts-with", "value": "b"}], "a b", False),
        ([{"type": "equals", "value": "{{word}}"}], "Hola", True),
    ],
)
def test_an_answer_is_expected_already_where_nothing_would_change(
    asserted: list[Table], actual: str, already: bool
) -> None:
    sample = promptfoo(*asserted)
    assert expects(sample, actual, taking(sample, actual)) is already
    older = templated("old\n")
    assert expects(older, "old", taking(older, "old"))


def test_where_nothing_is_compared_as_a_text_nothing_is_taken() -> None:
    assert taking(promptfoo({"$ref": "#/assertionTemplates/short"}, {"type": "is-json"}), "b") == ()
