from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.integrations.agentv.grading import graded
from sampleui.review.results.file import open_results
from sampleui.runs.decks import decks_of_run
from sampleui.runs.regrading import regraded
from sampleui.settings.options import Settings

RUNS = Path(__file__).parents[3] / "shared" / "corpus" / "field" / "agentv-helpdesk" / "runs"


def one(answer, /, **assertion):
    [found] = graded({"assertions": [assertion]}, {}, answer)
    return found


@pytest.mark.parametrize(
    ("answer", "assertion", "passed"),
    [
        ("  Canberra\n", {"type": "equals", "value": "Canberra"}, True),
        ("canberra", {"type": "equals", "value": "Canberra"}, False),
        ("a b", {"type": "contains", "value": "b"}, True),
        ("a b", {"type": "contains", "value": "b", "negate": True}, False),
        ("a b", {"type": "not-contains", "value": "c"}, False),
        ("A", {"type": "icontains", "value": "a"}, True),
        ("ab", {"type": "contains-any", "value": ["x", "b"]}, True),
        ("ab", {"type": "contains-all", "value": ["x", "b"]}, False),
        ("AB", {"type": "icontains_all", "value": ["a", "b"]}, True),
        ("  yes, no ", {"type": "starts-with", "value": "yes "}, True),
        ("  yes, no ", {"type": "ends-with", "value": " no"}, True),
        ("{}", {"type": "is-json"}, True),
        ("NaN", {"type": "is-json"}, False),
        ("{a}", {"type": "is-json", "negate": True}, True),
        ("Hello", {"type": "regex", "value": "^h", "flags": "i"}, True),
        ("ab\n", {"type": "regex", "value": "b$"}, False),
        ("ab\nc", {"type": "regex", "value": "b$", "flags": "m"}, True),
        ("a$", {"type": "regex", "value": "[$]|x$"}, True),
        ("aa", {"type": "regex", "value": r"(?<one>a)\k<one>"}, True),
        ("٣", {"type": "regex", "value": "[^]"}, True),
        ("٣", {"type": "regex", "value": r"\d"}, False),
        ("ß", {"type": "regex", "value": r"\w|\W\W"}, False),
        ("\ufeff", {"type": "regex", "value": r"^\s$"}, True),
        ("oße", {"type": "regex", "value": r"\bo\b"}, True),
        ("a\u2028b", {"type": "regex", "value": "a.b"}, False),
        ("a{,2}", {"type": "regex", "value": "a{,2}$"}, True),
        ("a/b[c", {"type": "regex", "value": r"\/[b[]\["}, True),
        ("a/b[c", {"type": "regex", "value": r"\/[b[]+[c]"}, True),
        ("AZ", {"type": "regex", "value": r"\A\Z"}, True),
        ("Ol", {"type": "regex", "value": r"^\u{4f}\p{L}$", "flags": "u"}, True),
        ("ok", {"type": "regex", "value": "k", "flags": "y"}, False),
        ("a-", {"type": "regex", "value": "^a[--a]$"}, True),
        ("Paris", {"type": "regex", "value": "😀?"}, False),
        ("😀", {"type": "regex", "value": "^..$"}, True),
        ("😀", {"type": "regex", "value": "^.$", "flags": "u"}, True),
        ("½", {"type": "regex", "value": r"\p{L}", "flags": "u"}, False),
        ("a\rb", {"type": "regex", "value": "a$", "flags": "m"}, True),
        ("a\u2028b", {"type": "regex", "value": "^b", "flags": "m"}, True),
        ("b", {"type": "regex", "value": r"^(a)?b\1$"}, True),
        ("B", {"type": "regex", "value": r"[(]?\b[\B]"}, True),
        ("}", {"type": "regex", "value": "}"}, True),
        ("}", {"type": "regex", "value": "}", "flags": "u"}, False),
        ("-", {"type": "regex", "value": r"[\w-z]"}, True),
        ("-", {"type": "regex", "value": r"[\w-z]", "flags": "u"}, False),
        ("ok", {"type": "regex", "value": "("}, False),
        ("ok", {"type": "regex", "value": "ok\\"}, False),
        ("ok", {"type": "regex", "value": "(", "negate": True}, True),
        ("ok", {"type": "regex", "value": "(?i)OK"}, False),
        ("ok", {"type": "regex", "value": "o++k"}, False),
        ("ok", {"type": "regex", "value": "ok", "flags": "x"}, False),
        ("ok", {"type": "regex", "value": "ok", "flags": "gg"}, False),
    ],
)
def test_an_assertion_passes_where_it_holds(answer, assertion, passed):
    assert one(answer, **assertion).passed is passed


@pytest.mark.parametrize(
    ("assertion", "reason"),
    [
        ({"type": "llm-grader"}, "needs its grader"),
        ({"type": "contains", "value": 3}, "its value is not text"),
        ({"type": "contains-any", "value": "x"}, "its value is not a list of texts"),
        ({"type": "regex", "value": r"\p{Greek}", "flags": "u"}, "its pattern is not understood"),
        ({"type": "regex", "value": "\u212a", "flags": "i"}, "it ignores the case of letters"),
        ({"type": "regex", "value": "[a--b]", "flags": "v"}, "its pattern is not understood"),
        ({"type": "contains", "value": "${{ CITY }}"}, "it holds a variable of the environment"),
        ({"type": "equals", "value": ""}, "it has no value, and AgentV leaves it out"),
        ({"type": "contains-any", "value": []}, "it has no value, and AgentV leaves it out"),
        ({"type": "tool-trajectory"}, "it is not known which tools were called"),
        ({"type": "regex", "value": "(x+x+)+y"}, "its pattern takes longer than 1 s"),
    ],
)
def test_what_cannot_be_told_says_why(assertion, reason):
    found = one("x" * 40, **assertion)
    assert found.passed is None
    assert found.reason.startswith(reason)


def test_a_check_of_what_was_done_is_open_until_there_is_a_trace():
    assert one("x", type="tool-trajectory", name="t", negate=True).of_trace
    assert one("x", type="not-trajectory:tool-used", value="a").of_trace
    assert not one("x", type="contains", value="x").of_trace


def test_without_an_answer_nothing_is_told():
    assert one(None, type="contains", value="x").reason == "there is no answer"


def test_the_file_s_assertions_come_after_the_sample_s_own_unless_it_opts_out():
    shared = {"assertions": [{"type": "contains", "value": "s"}]}
    own = {"assertions": [{"type": "contains", "value": "o", "name": "mine"}]}
    assert [found.name for found in graded(own, shared, "")] == ["mine", "contains-s"]
    alone = {**own, "execution": {"skip_defaults": True}}
    assert [found.name for found in graded(alone, shared, "")] == ["mine"]


@pytest.mark.skipif(not RUNS.exists(), reason="the corpus is not here")
@pytest.mark.parametrize("run", ["agent-a", "graded", "support-a"])
def test_what_is_told_agrees_with_the_runner_s_own_scores(run):
    results = open_results(RUNS / run).indexed()
    decks = decks_of_run(results, [RUNS.parent / "evals"], Settings())
    compared = 0
    for entry in results.counted:
        record = results.record(entry.index)
        scores = {each.name: each.score for each in record.evaluators}
        for outcome in regraded(results, record, decks.sample(entry)).outcomes:
            if outcome.passed is not None and (score := scores.get(outcome.name)) is not None:
                assert outcome.passed == (score >= 1), (entry.id, outcome)
                compared += 1
    assert compared or run == "graded"
