"""What other programs call the transcripts of a log's samples."""

from __future__ import annotations

import json
from pathlib import Path

from sampleui.review.results.file import open_results
from sampleui.runs.labelling import transcript_id

from .test_log import LOGS


def test_a_sample_of_a_log_is_called_by_its_uuid(tmp_path: Path) -> None:
    log = json.loads((LOGS / "kinds.json").read_text())
    for number, sample in enumerate(log["samples"]):
        sample["uuid"] = f"uuid-{number}"
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    results = open_results(path).indexed()
    assert [transcript_id(results.record(entry.index)) for entry in results.entries][:2] == ["uuid-0", "uuid-1"]
