"""Which assertions of a sample held in a run, as the tools' own files say it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sampleui.formats.data import shown, with_set
from sampleui.review.record import Record
from sampleui.review.results.file import open_results
from sampleui.sample.model import Sample
from sampleui.sample.parse import integration_of
from sampleui.workspace.deck import open_deck

TOOLS = Path(__file__).parents[1] / "integrations"
PROMPTFOO = TOOLS / "promptfoo" / "written" / "assertions"
IN_COLUMNS = TOOLS / "promptfoo" / "written" / "assertions-csv"
AGENTV = TOOLS / "agentv" / "written" / "assertions"
PYDANTIC = TOOLS / "pydantic_evals" / "written" / "assertions"


def joined(results: Path, deck: Path) -> dict[str, tuple[Record, Sample]]:
    read, samples = open_results(results).indexed(), open_deck(deck).samples
    named = {sample.id: sample for sample in samples}
    return {
        entry.sample_id: (read.record(entry.index), named.get(entry.sample_id, samples[entry.index]))
        for entry in read.counted
    }


def told(record: Record, sample: Sample, *, changed: bool = False) -> list[str]:
    held = integration_of(sample).grading().recorded_outcomes(record, sample, changed)
    signs = {True: "held", False: "failed", None: "not known"}
    return [f"{shown(path)} {signs[passed]}" for path, passed in held.items()]


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        (
            "several",
            ["assert[0] held", *("assert[1] failed", "assert[2] failed"), "assert[3] held", "assert[4] failed"],
        ),
        (
            "sets",
            [
                *("assert[0] held", "assert[1] held", "assert[1].assert[0] held", "assert[1].assert[1] failed"),
                *("assert[2] failed", "assert[2].assert[0] failed", "assert[3] failed"),
            ],
        ),
        (
            "broken",
            [*(f"assert[{index}] failed" for index in range(3)), "assert[3] held", "assert[4] held"],
        ),
        ("only default", []),
    ],
)
def test_promptfoo_repeats_each_assertion_beside_its_outcome(sample: str, expected: list[str]) -> None:
    both = joined(PROMPTFOO / "out.json", PROMPTFOO / "promptfooconfig.yaml")
    assert told(*both[sample]) == expected
    assert told(*both[sample], changed=True) == expected


def test_an_assertion_that_was_edited_since_has_no_outcome_and_the_others_keep_theirs() -> None:
    record, sample = joined(PROMPTFOO / "out.json", PROMPTFOO / "promptfooconfig.yaml")["several"]
    edited = with_set(sample.data, ("assert", 1, "value"), "yes")
    assert isinstance(edited, dict)
    now = [line.partition(" ")[2] for line in told(record, replace(sample, data=edited))]
    assert now == ["held", "not known", "not known", "held", "failed"]


def test_promptfoo_has_the_outcome_of_each_column_of_a_table() -> None:
    both = joined(IN_COLUMNS / "out.json", IN_COLUMNS / "promptfooconfig.yaml")
    assert [told(*pair) for pair in both.values()] == [
        ["__expected1 held", "__expected2 failed"],
        ["__expected1 failed"],
    ]


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        ("several", "held failed failed held failed failed held failed failed held failed"),
        ("older", "held failed"),
        ("skip", "held held"),
        ("crash", "not-known"),
        ("none", ""),
        ("composite", "failed held failed failed failed"),
    ],
)
def test_agentv_lists_scores_in_the_order_of_the_test_and_then_of_its_suite(sample: str, expected: str) -> None:
    record, test = joined(AGENTV / "out", AGENTV / "odd.eval.yaml")[sample]
    assert [line.split(" ", 1)[1].replace(" ", "-") for line in told(record, test)] == expected.split()
    changed = told(record, test, changed=True)
    assert all(line.endswith("not known") for line in changed), "names alone say nothing of a test that has changed"


def test_pydantic_evals_names_the_evaluator_that_a_result_is_of() -> None:
    both = joined(PYDANTIC / "report.json", PYDANTIC / "cases.yaml")
    signs = [line.split()[1] for line in told(*both["several"])]
    assert signs == ["failed", "held", "failed", "failed", "held", "held", "failed"]
    assert told(*both["bare"]) == []
