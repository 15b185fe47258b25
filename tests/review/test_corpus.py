"""Results files of other projects. Set SAMPLEUI_CORPUS or put the corpus beside the checkout as `shared/corpus`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sampleui.review.record import failed
from sampleui.review.results.file import open_results

CORPUS = Path(os.environ.get("SAMPLEUI_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
FILES = sorted((CORPUS / "results").glob("*.jsonl"))


def count_failed(path: Path) -> int:
    """Count failures without any of the code under test."""
    count = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        verdicts = [row.get("verdict"), *(one.get("verdict") for one in row.get("scores", []))]
        if row.get("error") or "fail" in verdicts or row["score"] < 0.8:
            count += 1
    return count


@pytest.mark.skipif(not FILES, reason="no corpus")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_opens_and_its_failures_are_all_found(path: Path) -> None:
    results = open_results(path).indexed()
    assert results.diagnostics == []
    assert len(results) == len(path.read_text(encoding="utf-8").splitlines())
    assert sum(map(failed, results.entries)) == count_failed(path)
    for at, entry in enumerate(results.entries):
        record = results.record(at)
        assert record.id == entry.id
        assert len(record.evaluators) >= len(entry.grades)
