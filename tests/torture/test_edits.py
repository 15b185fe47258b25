"""The program of sequence edits finds nothing in a short run."""

from __future__ import annotations

import pytest

from tests.torture.edits import run
from tests.torture.readers import Readers


@pytest.mark.parametrize(("form", "edits"), [("yaml", 80), ("toml", 80), ("json", 80), ("jsonl", 60), ("csv", 60)])
def test_what_edits_accept_is_saved_and_read_by_every_reader(form: str, edits: int) -> None:
    with Readers() as readers:
        counts = run(edits, 20, [form], readers)
    assert not counts.faults, counts.told()
    assert counts.done.total() > edits // 2, counts.told()
