"""promptfoo's assertions: what it said of random answers, what is open, and what a test says for all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.formats.data import Table
from sampleui.integrations.promptfoo.grading import graded

VECTORS = [
    json.loads(line)
    for line in (Path(__file__).parent / "vectors" / "assertions.jsonl").read_text(encoding="utf-8").splitlines()
]
"""What promptfoo 0.121 said of answers of its echo provider: type, value, answer, whether it passed."""


def one(answer, /, context=None, variables=None, **assertion):
    [found] = graded({"assert": [assertion], "vars": variables or {}}, context or {}, answer)
    return found


def test_what_is_told_is_what_promptfoo_says():
    assert len(VECTORS) > 60
    said = [(kind, value, answer, one(answer, type=kind, value=value).passed) for kind, value, answer, _ in VECTORS]
    assert said == [tuple(vector) for vector in VECTORS]


@pytest.mark.parametrize(
    ("assertion", "reason"),
    [
        ({"type": "llm-rubric", "value": "x"}, "needs its grader"),
        ({"type": "contains", "value": ""}, "promptfoo refuses a value"),
        ({"type": "starts-with", "value": 1}, "promptfoo refuses a value"),
        ({"type": "contains-any", "value": '"open'}, "promptfoo refuses its value: a quote is not closed"),
        ({"type": "contains-any", "value": '"a\\"'}, "promptfoo refuses its value: a quote is not closed"),
        ({"type": "contains-any", "value": '"a" b'}, "promptfoo refuses its value: a comma"),
        ({"type": "contains-any", "value": [["a"]]}, "its list holds more than"),
        ({"type": "contains", "value": "file://x.txt"}, "its value is another file"),
        ({"type": "contains", "value": "{{ gone }}"}, "{{ gone }} is not known here"),
        ({"type": "contains", "value": "{{ city | upper }}"}, "its value is a template"),
        ({"type": "contains", "value": "{% if x %}"}, "its value is a template"),
        ({"type": "contains", "value": "x", "transform": "output"}, "its transform is a program"),
        ({"type": "contains", "value": "x", "weight": 0}, "it weighs nothing"),
        ({"type": "is-json", "value": {"type": "object"}}, "its value is a schema"),
        ({"type": "equals"}, "it has no value"),
        ({"type": "equals", "value": {"n": -0.0}}, "0 and -0"),
    ],
)
def test_what_is_not_certain_is_open(assertion, reason):
    found = one('{"n": 0}', variables={"city": "Bern"}, **assertion)
    assert found.passed is None
    assert found.reason.startswith(reason)


def test_a_number_too_large_for_a_double_is_infinite():
    assert one(f"[1{'0' * 400}]", type="equals", value=[10**400]).passed
    assert not one(f"[-1{'0' * 400}]", type="equals", value=[10**400]).passed
    assert one("[-1e999]", type="equals", value=[-(10**400)]).passed


def test_a_text_of_the_test_fills_its_name():
    assert one("In Bern.", type="contains", value="{{city}}", variables={"city": "Bern"}).passed
    shared = {"defaultTest": {"vars": {"city": "Bern"}}}
    assert one("In Bern.", shared, type="contains-all", value=["In", "{{ city }}"]).passed
    assert one("In Bern.", shared, {"city": "Rome"}, type="contains", value="{{ city }}").passed is False


def test_assertions_for_all_tests_come_first_unless_a_test_opts_out():
    shared = {"defaultTest": {"assert": [{"type": "not-contains", "value": "AI", "metric": "no-ai"}]}}
    own = {"assert": [{"type": "equals", "value": "An AI"}]}
    assert [(found.name, found.passed) for found in graded(own, shared, "An AI")] == [
        ("no-ai", False),
        ("equals 'An AI'", True),
    ]
    [alone] = graded({**own, "options": {"disableDefaultAsserts": True}}, shared, "An AI")
    assert alone.passed
    [elsewhere, _] = graded(own, {"defaultTest": "file://default.yaml"}, "An AI")
    assert (elsewhere.passed, elsewhere.reason) == (None, "it is another file")


@pytest.mark.parametrize(
    ("weights", "threshold", "passed"),
    [((1, 1), 0.5, True), ((1, 1), 0.9, False), ((3, 1), 0.7, True), ((3, 1), 0.8, False), ((1, 1), 0, True)],
)
def test_a_test_passes_by_its_own_threshold_where_nothing_of_it_is_open(weights, threshold, passed):
    # Each is what a run of promptfoo said of the same test.
    asserted = [{"type": "contains", "value": value, "weight": weights[place]} for place, value in enumerate("az")]
    for data, context in (
        ({"threshold": threshold}, {}),
        ({"__threshold": str(threshold)}, {}),
        ({}, {"defaultTest": {"threshold": threshold}}),
    ):
        *_, deciding = graded({"assert": asserted, **data}, context, "abc")
        assert (deciding.decides, deciding.passed) == (True, passed)
    open_one = {"type": "llm-rubric", "value": "x"}
    outcomes = graded({"assert": [*asserted, open_one], "threshold": threshold}, {}, "abc")
    assert not any(one.decides for one in outcomes), "what is open may be anything"


def test_under_a_threshold_what_fails_is_open():
    either = [{"type": "contains", "value": "a"}, {"type": "contains", "value": "b"}]
    chosen = {"assert": [{"type": "assert-set", "threshold": 0.5, "assert": either}]}
    assert [found.passed for found in graded(chosen, {}, "a")] == [True, None]
    assert [found.passed for found in graded({"assert": [{"type": "assert-set", "assert": either}]}, {}, "a")] == [
        True,
        False,
    ]
    own = graded({"assert": either, "threshold": 0.5}, {}, "b")
    assert [found.passed for found in own] == [None, True, True] and own[2].decides


def test_an_answer_that_a_program_makes_anew_is_not_told():
    [found] = graded({"assert": [{"type": "equals", "value": "x"}], "options": {"transform": "output.x"}}, {}, "x")
    assert found.reason == "its transform is a program"
    assert one(None, type="equals", value="x").reason == "there is no answer"


@pytest.mark.parametrize(
    ("cell", "text", "passed"),
    [
        ("contains: hi", "contains 'hi'", True),
        (" hi ", "equals 'hi'", True),
        ("not-is-json", "not is-json", True),
        ("contains-all(0.5): h,i", "contains-all 'h', 'i'", True),
        ("Note: hi", "equals 'Note: hi'", False),
        ("contains: {{question}}", "contains '{{question}}'", False),
        ("similar(0.9): hi", "__expected1 similar(0.9): hi", None),
        ("fn:output", "__expected1 fn:output", None),
        ("file://x.js", "__expected1 file://x.js", None),
        ("note: hi", "equals 'note: hi'", False),
    ],
)
def test_an_assertion_in_a_column_of_a_table_is_read_as_promptfoo_reads_it(cell, text, passed):
    row = {"question": "Hi?", "__expected1": cell, "__expected2": "", "__description": "greets"}
    assert [(found.text, found.passed) for found in graded(row, {}, "hi")] == [(text, passed)]
    [unsure] = graded({**row, "__config:__expected1:threshold": "0.5"}, {}, "hi")
    assert unsure.passed is None


def test_a_template_of_the_config_stands_in_the_place_of_its_reference() -> None:
    templates: Table = {
        "short": {"$ref": "#/assertionTemplates/long", "value": "x"},
        "long": {"type": "contains", "value": "y"},
    }
    data: Table = {"assert": [{"$ref": "#/assertionTemplates/short"}, {"$ref": "#/assertionTemplates/none"}]}
    found = graded(data, {"assertionTemplates": templates}, "an x")
    assert [(one.text, one.passed) for one in found] == [
        ("contains 'x'", True),
        ("$ref #/assertionTemplates/none", None),
    ]
    round_: Table = {"a": {"$ref": "#/r/a"}}
    assert [one.passed for one in graded({"assert": [{"$ref": "#/r/a"}]}, {"r": round_}, "x")] == [None]


def test_references_that_lead_to_many_others_come_to_an_end() -> None:
    many: Table = {f"a{at}": {"type": "assert-set", "assert": [{"$ref": f"#/a{at + 1}"}] * 40} for at in range(9)}
    found = graded({"assert": [{"$ref": "#/a0"}]}, {**many, "a9": {"type": "contains", "value": "x"}}, "x")
    assert 0 < len(found) < 100_000


@pytest.mark.parametrize("place", ["test", "defaults"])
def test_where_a_function_makes_the_score_its_assertions_do_not_decide(place: str) -> None:
    scoring: Table = {"assertScoringFunction": "file://score.js"}
    own: Table = {"assert": [{"type": "contains", "value": "x"}, {"type": "contains", "value": "y"}]}
    data: Table = {**own, **scoring} if place == "test" else own
    context: Table = {} if place == "test" else {"defaultTest": scoring}
    assert [(one.passed, one.reason) for one in graded(data, context, "x")] == [
        (None, "holds; assertScoringFunction decides"),
        (None, "fails; assertScoringFunction decides"),
    ]
