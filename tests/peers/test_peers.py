"""What the test suites of other makers say of a format is so here, or what differs is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.peers.table import SUITES, Outcome, peers, row, table
from tests.torture.readers import Readers

FOLDER = peers()
PRESENT = [name for name in (*SUITES, "nunjucks") if FOLDER and (FOLDER / name).is_dir()]


@pytest.mark.parametrize(
    "suite", PRESENT or [pytest.param("none", marks=pytest.mark.skip("SAMPLEUI_PEERS is not set"))]
)
def test_no_case_of_a_suite_differs_in_silence(suite: str) -> None:
    assert FOLDER is not None
    found = row(suite, FOLDER / suite)
    assert found.counts.total() > 10, f"there are hardly any cases in {suite}"
    assert not found.unnamed, table([found])


def test_a_case_is_counted_by_what_becomes_of_it(tmp_path: Path) -> None:
    cases = {
        "y_list": "[1]",
        "y_twice": '{"a": 1, "a": 1}',
        "n_comma": "[1,]",
        "n_open": '{"a":',
        "i_large": "[1E400]",
    }
    (tmp_path / "test_parsing").mkdir()
    for name, text in cases.items():
        (tmp_path / "test_parsing" / f"{name}.json").write_text(text)
    counts = row("JSONTestSuite", tmp_path).counts
    # Each is a deck in JSON and a line of JSON Lines.
    assert counts == {Outcome.RIGHT: 8, Outcome.TOLD: 2}


def test_a_value_that_differs_without_a_word_is_wrong(tmp_path: Path) -> None:
    for name in ("csvs", "json"):
        (tmp_path / name).mkdir()
    (tmp_path / "csvs" / "cells.csv").write_text('a,b\n"x, y",\n')
    (tmp_path / "json" / "cells.json").write_text(json.dumps([{"a": "x, y", "b": ""}]))
    (tmp_path / "csvs" / "others.csv").write_text("a,b\n1,2\n")
    (tmp_path / "json" / "others.json").write_text(json.dumps([{"a": "1", "b": "3"}]))
    found = row("csv-spectrum", tmp_path)
    assert found.counts == {Outcome.RIGHT: 1, Outcome.WRONG: 1}
    assert found.unnamed == ["wrong: others.csv"]
    assert "csv-spectrum           2       1       0       0       1\n  wrong: others.csv" in table([found])


def test_a_case_of_yaml_becomes_a_deck_in_every_way_that_fits(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "AAAA.yaml").write_text(
        '- yaml: |\n    a: ["b—»", c]\n  tree: |\n    +DOC\n  json: |\n    {"a": ["b\\t", "c"]}\n'
        "- yaml: |\n    a: [b\n  fail: true\n"
    )
    with Readers() as readers:
        if "yaml" not in readers.read("yaml", "a"):
            pytest.skip("READERS_FROM names no file beside the package yaml")
    found = row("yaml-test-suite", tmp_path)
    assert found.counts[Outcome.RIGHT] >= 5
    assert not found.unnamed
