"""How often a record is read for what is shown of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.integrations.inspect_ai.log import EvalLog
from sampleui.runs.records import RunRecords, open_run

LOG = next((Path(__file__).parents[1] / "integrations" / "inspect_ai" / "logs").glob("*_kinds.eval"))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the places of the records of logs that are read, as they are read."""
    places: list[int] = []
    row = EvalLog.row

    def noted(log: EvalLog, place: int, digest: str) -> object:
        places.append(place)
        return row(log, place, digest)

    monkeypatch.setattr(EvalLog, "row", noted)
    return places


@pytest.fixture
def run() -> RunRecords:
    return open_run(LOG)


def test_a_record_is_read_once_for_its_trace_its_checks_and_its_entry(run: RunRecords, read: list[int]) -> None:
    subject = run.subject(2)
    assert subject.trace.events
    assert subject.entry is not None
    assert read == [2]


def test_records_are_listed_and_found_without_reading_any(run: RunRecords, read: list[int]) -> None:
    ids = [run.id(index) for index in range(len(run.records))]
    assert len({*ids}) == len(ids) > 2
    assert [run.find(record_id) for record_id in ids] == [*range(len(ids))]
    assert all(run.entry(index) is not None for index in range(len(ids)))
    assert read == []
