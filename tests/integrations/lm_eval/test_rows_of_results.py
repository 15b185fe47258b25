"""What no path leads to in the rows of lm-eval, function by function."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.integrations.lm_eval import dialect as lmeval


def choice(target: Plain, responses: Plain, **more: Plain) -> Table:
    return lmeval.prepare({"arguments": [["q", " a"], ["q", " b"]], "resps": responses, "target": target, **more})


@pytest.mark.parametrize(
    ("responses", "answer"),
    [
        ([[[-2.0, "False"]], [[-1.0, "False"]]], "b"),
        ([["-0.5"], ["-1"]], "a"),
        ([0.0, -1.0], "a"),
        ([-1.0, -1.0], "a"),
        ([-3.0, -2.0, -1.0], [-3.0, -2.0, -1.0]),
        (["x", "y"], ["x", "y"]),
        ([], []),
    ],
)
def test_the_likeliest_of_several_is_the_choice(responses: Plain, answer: Plain) -> None:
    assert choice(0, responses)[lmeval.ANSWER] == answer


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (0, "a"),
        ("1", "b"),
        (2, 2),
        ("b", "b"),
        (None, None),
        ("²", "²"),
        ([1], "b"),
        ("[0, 1]", "a\nb"),
        ("[0, 7]", "[0, 7]"),
        ("[", "["),
    ],
)
def test_a_target_names_a_choice_by_its_number(target: Plain, expected: Plain) -> None:
    assert choice(target, [-1.0, -2.0])[lmeval.EXPECTED] == expected


def test_what_is_generated_is_the_answer_and_no_choice() -> None:
    row = lmeval.prepare({"arguments": {"gen": {"arg_0": ['[{"role": "user"}]'], "arg_1": " x"}}, "resps": [["y"]]})
    assert (row[lmeval.PROMPT], row[lmeval.ANSWER], row[lmeval.EXPECTED]) == ('[{"role": "user"}]', "y", None)
    filtered = lmeval.prepare({"arguments": [["q"]], "resps": [["y"]], "filtered_resps": ["z"], "target": "1"})
    assert (filtered[lmeval.PROMPT], filtered[lmeval.ANSWER], filtered[lmeval.EXPECTED]) == ("q", "z", None)
    assert lmeval.prepare({"arguments": ["q"]})[lmeval.PROMPT] == "q"
    assert lmeval.prepare({"arguments": [[]]})[lmeval.PROMPT] is None
    assert lmeval.prepare({})[lmeval.PROMPT] is None
    assert lmeval.prepare({"arguments": [[["a", "b"]]]})[lmeval.PROMPT] == ["a", "b"]


def test_the_score_is_the_first_metric_that_grows_with_quality() -> None:
    row = lmeval.prepare({"word_perplexity": 9.0, "acc": True, "f1": 0.5, "doc_id": 3, "note": "x"})
    assert (row[lmeval.METRICS], row[lmeval.SCORE]) == (["word_perplexity", "acc", "f1"], True)
    named = lmeval.prepare({"metrics": ["em", "f1"], "em": "x", "f1": 0.5, "acc": 1})
    assert (named[lmeval.METRICS], named[lmeval.SCORE]) == (["em", "f1"], 0.5)
    assert lmeval.prepare({"bits_per_byte": 1.0})[lmeval.SCORE] is None
