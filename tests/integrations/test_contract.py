"""Each integration is held to the contract, by files that its tool wrote and a table of what is true of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sampleui.integrations.index import SHIPPED
from sampleui.integrations.testing import Check, checks

HERE = Path(__file__).parent
PLACES = {"CORPUS": Path(os.environ.get("SAMPLEUI_CORPUS", HERE.parents[2] / "shared" / "corpus"))}
TABLES = sorted(HERE.glob("*/truth.toml"))
CHECKS = [check for table in TABLES for check in checks(table, PLACES)]


@pytest.mark.parametrize("check", CHECKS, ids=str)
def test_what_the_table_of_truth_says_holds(check: Check, tmp_path: Path) -> None:
    check.run(tmp_path)


def test_every_integration_has_a_table_of_truth() -> None:
    assert {table.parent.name for table in TABLES} == {entry.name for entry in SHIPPED}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("one.jsonl", '{"input": "a", "target": "b"}\n'),
        ("one.json", '[\n  {"input": "a", "target": "b"}\n]\n'),
        ("one.yaml", "tests:\n- id: a\n  criteria: x\n  input: b\n"),
    ],
)
def test_a_deck_of_one_sample_keeps_the_contract(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    dialect = "agentv" if name.endswith(".yaml") else "inspect"
    table = f'integration = "{dialect}"\n[[deck]]\nfile = "{name}"\ndialect = "{dialect}"\nsamples = 1\n'
    (tmp_path / "truth.toml").write_text(table)

    for number, check in enumerate(checks(tmp_path / "truth.toml")[1:]):
        (tmp_path / str(number)).mkdir()
        check.run(tmp_path / str(number))


@pytest.mark.parametrize(
    ("kind", "name", "text", "told"),
    [
        ("deck", "deck.yaml", "prompts: [a]\ntests:\n- vars: {q: a}\n  assert: []\n", "promptfoo (by "),
        (
            "run",
            "run.jsonl",
            '{"test_id": "a", "target": "t", "score": 1, "output": []}\n',
            "agentv (by score, output) may be asked first",
        ),
    ],
)
def test_a_file_with_the_signs_of_another_integration_names_it(
    kind: str, name: str, text: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    row = 'dialect = "gage"\nsamples = 1\n' if kind == "deck" else "records = 1\n"
    (tmp_path / "truth.toml").write_text(f'integration = "gage"\n[[{kind}]]\nfile = "{name}"\n{row}')
    alone = next(check for check in checks(tmp_path / "truth.toml") if "it alone claims it" in check.name)
    with pytest.raises(AssertionError) as failure:
        alone.run(tmp_path)
    assert told in str(failure.value)
