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
