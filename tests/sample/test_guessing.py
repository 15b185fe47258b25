"""What is guessed of samples that no dialect knows: by names, types and values."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.sample.dialects.guessing import guessed, likely_places, name_of
from sampleui.sample.dialects.table_paths import paths_in

ASKED = {"question": "Who?", "answer": "I"}
LONG = "a text that is longer than any other"


@pytest.mark.parametrize(
    ("samples", "wanted"),
    [
        (
            [{"q": "1?", "info": {"id": 7, "metadata": {"x": 1}}}],
            {"prompt": "q", "id": "info.id", "metadata": None},
        ),
        ([{"q": "1?", "info": {"more": {"id": 7}}}], {"id": None}),
        ([{"q": "1?", "id": "x"}], {"id": "id", "response": None}),
        ([{"q": "1?", "extra": {"x": 1}}], {"metadata": "extra", "response": None, "id": None}),
        ([{"q": "1?", "metadata": "words"}], {"metadata": None, "response": "metadata"}),
        ([{"note": "a", "words": LONG}], {"prompt": "words", "response": "note"}),
        ([{"words": LONG, "note": "a", "other": "b"}], {"prompt": "words", "response": None}),
        ([{"words": LONG}, {"words": 7, "note": "a"}, {"note": "b"}], None),
        ([{"q": "1?", "gold": "x", "note": "b"}], {"response": "gold"}),
        ([{"q": "1?", "note": "b"}, {"q": "2?", "note": 7}], {"response": None}),
        ([{"q": "1?", "test_id": None, "name": "n"}], {"id": "name"}),
        (
            [{"q": "1?", "run_no": 1, "line_number": 7}, {"q": "2?", "run_no": 1, "line_number": 8}],
            {"id": "line_number"},
        ),
        ([{"q": "1?", "run_no": 1}, {"q": "2?", "run_no": 1}], {"id": None}),
        ([{"q": "1?", "run_no": 1}, {"q": "2?", "run_no": "1"}], {"id": None}),
        ([{"q": "1?", "run_no": 1.5}, {"q": "2?", "run_no": 2.5}], {"id": None}),
        ([{"q": "1?", "system": "Be kind", "topic": ["x"]}], {"system": "system", "tags": "topic"}),
        ([{"q": "1?", "system": {"prompt": "x"}}], {"prompt": "system.prompt", "system": None}),
        ([{"q": "1?", "a": "4"}, {"q": "2?"}], {"marks": ("q",)}),
        ([{"q": "1?", "a": "4"}, {"a": "5"}, {"q": "2?"}], {"marks": None}),
        ([{"talk": [{"who": "q", "says": "Hi"}]}], {"messages": "talk", "role_tag": "who", "content_tag": "says"}),
        ([{"talk": [{"who": "q", "says": "Hi"}, {"who": 1, "says": "Ho"}]}], None),
        ([{"talk": [{"type": "human"}], "text": "1?"}], {"messages": None, "prompt": "text"}),
        (
            [{"talk": [{"role": "user", "body": "x"}, {"role": "Bot"}, "odd"]}],
            {"assistant_tag": "Bot", "user_tag": None},
        ),
        (
            [{"instruction": "Sum up", "context": "a text", "response": "x"}],
            {"prompt": "instruction", "added": "context", "response": "response"},
        ),
        ([{"question": "1?", "context": "a text", "answer": "x"}], {"prompt": "question", "added": None}),
        (
            [{"retrieved_contexts": LONG, "user_input": "1?", "reference": "x"}],
            {"prompt": "user_input", "response": "reference"},
        ),
        (
            [{"userMessage": "2+2?", "assistantResponse": "4", "expected": {"score": 1, "reason": "right"}}],
            {
                "prompt": "userMessage",
                "response": "assistantResponse",
                "marks": ("userMessage", "assistantResponse"),
            },
        ),
        ([{"userMessage": "2+2?", "expected": {"score": 1}}], {"prompt": "userMessage", "response": None}),
        ([{"userMessage": "2+2?", "expected": "4"}], {"response": "expected"}),
        ([{"count": 7}], None),
        ([], None),
    ],
)
def test_what_is_what_is_guessed(samples: list[Table], wanted: dict[str, Plain] | None) -> None:
    table = guessed(samples, ())
    if wanted is None or table is None:
        assert table is wanted
        return
    assert {key: table.get(key) for key in wanted} == wanted


def test_a_path_is_taken_for_one_thing_only() -> None:
    table = guessed([{"input": "1?", "label": "4", "labels": "x", "key": "k", "name": "n"}], ("data", "items"))
    assert table == {
        "container": "data.items",
        "prompt": "input",
        "response": "label",
        "id": "key",
        "tags": "labels",
        "marks": ("input", "label"),
        "fields": dict.fromkeys(("input", "label", "labels", "key", "name"), "text"),
    }


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["x", "y"], "text"),
        ([True], "truth"),
        ([1, 2.5], "number"),
        ([1, "x", None], "number|text"),
        ([{"a": 1}], "table"),
        ([["x"]], "texts"),
        ([[{"a": 1}]], "tables"),
        ([[]], "list"),
        ([["x", 1]], "list"),
        ([[{}, 1], []], "list"),
        ([None], "any"),
    ],
)
def test_the_types_of_a_field_are_those_of_its_values(values: list[Plain], kind: str) -> None:
    table = guessed([{**ASKED, "more": value} for value in values], ())
    assert table is not None
    assert table["fields"] == {"question": "text", "answer": "text", "more": kind}


@pytest.mark.parametrize(
    ("value", "places"),
    [
        ([ASKED, ASKED], [()]),
        ({"one": ASKED}, []),
        ({"a": ASKED, "b": ASKED}, [()]),
        ({"few": [ASKED], "many": [ASKED, ASKED]}, [("many",), ("few",)]),
        ({"a": {"b": [ASKED]}, "c": [ASKED]}, [("c",), ("a", "b")]),
        ({"a": {"b": {"c": [ASKED]}}}, [("a", "b", "c")]),
        ({"a": {"b": {"c": {"d": [ASKED]}}}}, []),
        ({"a.b": [ASKED, ASKED]}, []),
        ({"items": [ASKED, "odd"]}, []),
        ({"items": [ASKED, {"question": "Who?", "other": 1}]}, []),
        ({"items": [{"question": "Who?"}]}, []),
        ({"items": []}, []),
        ("text", []),
    ],
)
def test_samples_are_looked_for_where_tables_are_alike(value: Plain, places: list[tuple[str, ...]]) -> None:
    assert likely_places(value) == places


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("My Deck (2)", "my-deck-2"),
        ("gage", "gage-deck"),
        ("7", "deck-7"),
        ("a7", "a7"),
        ("éa", "a"),
        ("---", "deck"),
        ("a" * 50, "a" * 40),
    ],
)
def test_a_name_is_made_of_the_file_s(stem: str, name: str) -> None:
    assert name_of(stem) == name


def test_paths_are_as_deep_as_asked_and_the_short_ones_come_first() -> None:
    nested: Table = {"a": {"b": {"c": {"d": 1}}}, "e": 2}
    assert paths_in([nested], 1) == ["a", "e"]
    assert paths_in([nested], 3) == ["a", "e", "a.b", "a.b.c"]
