"""The language of filters."""

from __future__ import annotations

import pytest

from sampleui.text.terms import Term, terms_of


def test_words_fields_quotes_and_minus_are_told_apart():
    found = terms_of('two words role:Tool -tag:"a b" score<=0.5 "problem" meta.x[0].y!=3')
    assert found == (
        Term("two", "two"),
        Term("words", "words"),
        Term("role:Tool", "tool", "role", ":"),
        Term('tag:"a b"', "a b", "tag", ":", negated=True),
        Term("score<=0.5", "0.5", "score", "<="),
        Term('"problem"', "problem", quoted=True),
        Term("meta.x[0].y!=3", "3", "meta.x[0].y", "!="),
    )


def test_what_is_not_finished_is_no_term():
    assert terms_of('role: score< - ""') == ()


@pytest.mark.parametrize(
    ("written", "held", "holds"),
    [
        ("score<0", -1, True),
        ("score<0", 0, False),
        ("score<0", None, False),
        ("score<0", "-3.5", True),
        ("score>=2", True, False),
        ("score=2", 2.0, True),
        ("score!=2", None, True),
        ("name=ann", "Ann", True),
        ("name=an", "Ann", False),
        ("name:an", "Ann", True),
        ("name:none", None, True),
        ("name:none", "", True),
        ("name:none", 0, False),
        ("name:some", "x", True),
        ("name:x", ["a", "xy"], True),
        ("flag:true", True, True),
    ],
)
def test_a_field_holds_what_it_is_to(written, held, holds):
    [term] = terms_of(written)
    assert term.holds(held) is holds
