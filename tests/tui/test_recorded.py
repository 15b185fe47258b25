"""Cases that keys alone tell apart: see `tests/recorded.py`."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Table
from tests.recorded import as_json, cases

from .recorded import play


@pytest.mark.parametrize("case", cases("tui"))
def test_a_recorded_case_gives_what_it_gave(case: Table) -> None:
    assert as_json(play(case["given"])) == case["gives"]  # type: ignore[arg-type]
