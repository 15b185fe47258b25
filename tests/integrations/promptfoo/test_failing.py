"""What is shown as expected and listed as missed of a promptfoo test is what made it fail, by promptfoo's rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.integrations.promptfoo.failing import made_fail
from sampleui.integrations.promptfoo.grading import expects_otherwise as judged_otherwise
from sampleui.review.record import in_short, why_failed
from sampleui.review.results.file import open_results
from sampleui.review.samples.comparing import expected_of
from sampleui.runs.decks import decks_of_run
from sampleui.runs.sample_as_run import expects_otherwise
from sampleui.settings.options import Settings
from tests.command import ran


def part(kind, value, score, passes=None, **more):
    asked = {"type": kind, "value": value, **more}
    return {"pass": score == 1 if passes is None else passes, "score": score, "reason": kind, "assertion": asked}


def several(passes, score, *parts, **more):
    about = {"type": "assert-set", "assertionCount": len(parts), **more}
    made = {"pass": passes, "score": score, "reason": "set", "componentResults": [*parts]}
    return [{**made, "metadata": {"assertionSet": about}}, *parts]


def row(components, passes=False, **case):
    asserted = [item["assertion"] for item in components if "assertion" in item]
    return {
        "testIdx": 0,
        "promptIdx": 0,
        "provider": {"id": "echo"},
        "prompt": {"raw": "q", "label": "q"},
        "vars": {"q": "q"},
        "testCase": {"description": "t", "vars": {"q": "q"}, "assert": asserted, **case},
        "success": passes,
        "score": 0.5,
        "failureReason": 0 if passes else 1,
        "response": {"output": "answer"},
        "gradingResult": {"pass": passes, "score": 0.5, "reason": "r", "componentResults": components},
    }


MET, LOST = part("contains", "a", 1), part("contains", "b", 0)


@pytest.mark.parametrize(
    ("made", "failing"),
    [
        pytest.param(row([MET, LOST]), {1}, id="one that fails"),
        pytest.param(row([LOST], passes=True), set(), id="a record that passed"),
        pytest.param(row([*several(True, 0.5, MET, LOST, threshold=0.5), LOST]), {3}, id="a set that passed"),
        pytest.param(row(several(False, 0.5, MET, LOST)), {0, 2}, id="a set without a threshold"),
        pytest.param(row(several(False, 0.5, MET, LOST, threshold=0.9)), {0, 2}, id="a set under its threshold"),
        pytest.param(row([MET, part("cost", None, 0.2, passes=True)], threshold=0.9), {1}, id="a score alone"),
        pytest.param(row([LOST, part("equals", "c", 0, weight=0)], threshold=0.9), {0}, id="what weighs nothing"),
        pytest.param(row([LOST, part("select-best", "d", 0)], threshold=0.0), {0, 1}, id="a comparison"),
        pytest.param(row([LOST, part("human", None, 0)]), {1}, id="a person"),
    ],
)
def test_what_made_a_test_fail_is_told_by_the_rule_of_its_tool(made, failing):
    assert made_fail(made) == failing


def written(folder: Path, made: object) -> Path:
    path = folder / "out.json"
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "results": [made], "prompts": []}}))
    return path


def test_only_what_made_a_record_fail_is_expected_missed_and_named(tmp_path, capsys):
    path = written(tmp_path, row([*several(True, 0.5, MET, LOST, threshold=0.5), part("equals", "x", 0)]))
    told = json.loads(ran("next", path, "--format", "json").out)
    assert (told["expected"], told["misses"]) == ("x", ["equals x"])
    assert told["why"].startswith("verdict fail by equals x;")
    (entry,) = open_results(path).indexed().counted
    assert in_short(entry) == "equals x"


def test_the_value_that_a_template_came_to_is_what_was_expected(tmp_path):
    filled = {**part("equals", "{{ want }}", 0), "metadata": {"renderedAssertionValue": "Lyon"}}
    results = open_results(written(tmp_path, row([filled]))).indexed()
    assert results.record(0).expects == "Lyon"


DECK = """
assertionTemplates:
  has-a: {type: contains, value: a}
defaultTest:
  assert: [{type: contains, value: b}]
prompts: ['{{ q }}']
providers: [echo]
tests:
  - description: t
    vars: {q: q}
    assert:
      - type: assert-set
        threshold: 0.5
        assert: [{$ref: '#/assertionTemplates/has-a'}, {type: contains, value: b}]
      - {type: equals, value: SAID}
"""


@pytest.mark.parametrize(("said", "otherwise"), [("x", False), ("y", True)])
def test_a_deck_whose_sets_templates_and_defaults_are_those_of_the_run_expects_the_same(tmp_path, said, otherwise):
    made = row([part("contains", "b", 1), *several(True, 0.5, MET, LOST, threshold=0.5), part("equals", "x", 0)])
    inside = [MET["assertion"], LOST["assertion"]]
    made["testCase"]["assert"] = [
        LOST["assertion"],
        {"type": "assert-set", "threshold": 0.5, "assert": inside},
        {"type": "equals", "value": "x"},
    ]
    deck = tmp_path / "promptfooconfig.yaml"
    deck.write_text(DECK.replace("SAID", said))
    results = open_results(written(tmp_path, made)).indexed()
    sample, record = decks_of_run(results, (deck,), Settings()).sample(results.counted[0]), results.record(0)
    assert sample is not None
    assert expects_otherwise(record, tmp_path, sample) is otherwise
    assert expected_of(sample, record).text == said
    assert why_failed(record)[0] == "verdict fail by equals x"


@pytest.mark.parametrize(
    ("ran", "own", "default", "changed"),
    [
        (0.9, {"threshold": 0.9}, {}, False),
        (0.9, {"threshold": 0.4}, {}, True),
        (0.9, {}, {}, True),
        (None, {"threshold": 0.5}, {}, True),
        (None, {}, {}, False),
        (0.9, {}, {"threshold": 0.9}, False),
        (0.9, {}, {"threshold": 0.8}, True),
        (0.4, {"threshold": 0.4}, {"threshold": 0.9}, False),
        (0.7, {"__threshold": "0.7"}, {}, False),
        (0.7, {"__threshold": "0.8"}, {}, True),
        (None, {"__threshold": " "}, {}, False),
        (0, {"threshold": 0}, {}, False),
    ],
)
def test_the_score_that_a_test_of_promptfoo_must_reach_is_a_part_of_what_it_expects(
    ran: float | None, own: Table, default: Table, changed: bool
) -> None:
    asserted: Plain = [{"type": "contains", "value": "x"}]
    row: Table = {"testCase": {"assert": asserted, **({} if ran is None else {"threshold": ran})}}
    assert judged_otherwise(row, {"assert": asserted, **own}, {"defaultTest": default}) is changed
    assert judged_otherwise(row, {"assert": asserted, **own}, {"defaultTest": "file://d.yaml"}) is False
