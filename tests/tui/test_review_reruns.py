"""The answers of a rerun, opened in the review as any run is."""

from __future__ import annotations

import json
from pathlib import Path

from .review_driver import reviewing


async def test_a_rerun_opens_as_any_run_and_says_what_it_repeats(tmp_path: Path) -> None:
    folder = tmp_path / "run.reruns" / "20261127T112233-123Z-1"
    folder.mkdir(parents=True)
    row = {"id": "sum", "score": 0, "output": "9", "expected": "8"}
    (folder / "results.jsonl").write_text(json.dumps(row) + "\n")
    records = [{"id": "sum", "digest": "x", "answers": ["sum"]}]
    said = {"version": 1, "run": "run.jsonl", "answers": ["results.jsonl"], "records": records}
    (folder / "rerun.json").write_text(json.dumps(said))
    async with reviewing(folder) as app:
        assert app.at == "sum"
        assert "rerun of run.jsonl#sum" in app.drawn
        assert "! rerun of" not in app.drawn


async def test_a_rerun_whose_answers_do_not_count_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text(json.dumps({"id": "sum", "score": 0, "output": "9"}) + "\n")
    records = [{"id": "sum", "digest": "x", "answers": []}]
    said = {
        "version": 1,
        "run": "run.jsonl",
        "answers": ["results.jsonl"],
        "records": records,
        "problem": "found 2",
    }
    (tmp_path / "rerun.json").write_text(json.dumps(said))
    async with reviewing(tmp_path) as app:
        assert app.said.startswith("! rerun of")
