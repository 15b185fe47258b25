from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.review.samples.diffwords import DiffOp, DiffSegment, diff_words
from tests.quick import within


def shown(expected: str, actual: str) -> str:
    marks = {DiffOp.EQUAL: "{}", DiffOp.DELETE: "[-{}-]", DiffOp.INSERT: "[+{}+]"}
    return "".join(marks[one.op].format(one.text) for one in diff_words(expected, actual))


@pytest.mark.parametrize(
    ("expected", "actual", "result"),
    [
        ("", "", ""),
        ("same", "same", "same"),
        ("", "new", "[+new+]"),
        ("old", "", "[-old-]"),
        ("the cat sat", "the dog sat", "the [-cat-][+dog+] sat"),
        ("the cat sat", "the cat sat down", "the cat sat[+ down+]"),
        ("a cat", "a catfish", "a [-cat-][+catfish+]"),
        ("it is 4.", "it is 5.", "it is [-4-][+5+]."),
        ("one\ntwo\n", "one\n2\n", "one\n[-two-][+2+]\n"),
        ("東京は晴れ", "東京は雨", "東京は[-晴れ-][+雨+]"),
        ("a b c d", "a x c y", "a [-b-][+x+] c [-d-][+y+]"),
        (" 東", " 東a", " 東[+a+]"),
        ("東京", "東 京", "東[+ +]京"),
        ("the  cat", "the cat", "the [- -]cat"),
    ],
)
def test_words_that_differ(expected: str, actual: str, result: str) -> None:
    assert shown(expected, actual) == result


words = st.lists(st.sampled_from(["a", "bb", " ", "\n", "東", "é", ".", "\x1b", "  ", "😀"]), max_size=60).map(
    "".join
)


@given(words | st.text(), words | st.text())
def test_the_segments_make_both_texts(expected: str, actual: str) -> None:
    segments = diff_words(expected, actual)
    assert "".join(one.text for one in segments if one.op is not DiffOp.INSERT) == expected
    assert "".join(one.text for one in segments if one.op is not DiffOp.DELETE) == actual
    assert all(one.text for one in segments)
    assert all(one.op is not other.op for one, other in pairwise(segments))
    assert (expected == actual) == all(one.op is DiffOp.EQUAL for one in segments)


def test_few_changes_in_a_large_text_are_found() -> None:
    lines = [f"line {at} of the text" for at in range(20_000)]
    changed = [*lines]
    changed[100], changed[15_000] = "line 100 of a text", "line 15000 of that text"
    segments = diff_words("\n".join(lines), "\n".join(changed))
    assert [one for one in segments if one.op is not DiffOp.EQUAL] == [
        DiffSegment(DiffOp.DELETE, "the"),
        DiffSegment(DiffOp.INSERT, "a"),
        DiffSegment(DiffOp.DELETE, "the"),
        DiffSegment(DiffOp.INSERT, "that"),
    ]


@pytest.mark.parametrize("kind", ["words", "lines", "one character", "one line"])
def test_a_megabyte_that_differs_everywhere_is_quick(kind: str) -> None:
    chance = random.Random(1)

    def text() -> str:
        if kind == "one character":
            return chance.choice("ab") * 500_000 + chance.choice("cd") * 500_000
        between = {"words": " ", "lines": "\n", "one line": ""}[kind]
        return between.join(chance.choice("ab") * chance.randint(1, 8) for _ in range(150_000))

    with within(3):
        diff_words(text(), text())
