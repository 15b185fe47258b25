from __future__ import annotations

import pytest

from sampleui.formats.data import Table
from tests.deck.recorded import play
from tests.recorded import as_json, cases


@pytest.mark.parametrize("case", cases("deck"))
def test_a_recorded_case_gives_what_it_gave(case: Table) -> None:
    assert as_json(play(case["given"])) == case["gives"]  # type: ignore[arg-type]
