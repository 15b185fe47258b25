"""Where the function of a report is found, and what of its file is not loaded."""

from __future__ import annotations

import json
from pathlib import Path

from sampleui.integrations.pydantic_evals.rerun import plan
from sampleui.review.results.file import open_results
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.runs.rerun.engine import planned_calls

DECK = "from pydantic_evals import Dataset\ndef task(q): return q\ncases = Dataset[str, str](cases=[])\n"


def planned(root: Path, files: dict[str, str]) -> ProgramCall | RerunRefused:
    (root / ".git").mkdir(parents=True)
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    path = root / "report.json"
    case = {"name": "a", "inputs": "x", "output": "y", "assertions": {}, "scores": {}, "labels": {}}
    path.write_text(json.dumps({"name": "task", "cases": [case], "failures": []}))
    record = open_results(path).indexed().record(0)
    (found,) = planned_calls(plan, Request([RerunRequest(record, record.sample_id)], path, 3, root / "out", root))
    return found


def test_the_one_file_with_the_function_beside_a_data_set_is_loaded(tmp_path):
    main = "if __name__ == '__main__':\n    cases.evaluate_sync(task)\n"
    files = {"evals/deck.py": DECK + main, "other.py": "def task(): pass\n", ".venv/x.py": DECK}
    call = planned(tmp_path, files)
    assert isinstance(call, ProgramCall), call
    assert call.arguments[1:4] == ("deck.py", "cases", "task")
    assert call.folder == tmp_path / "evals"
    assert json.loads(call.files["asked.json"]) == {"cases": ["a"], "times": 3}


def test_none_or_several_files_and_one_that_evaluates_when_it_is_loaded_are_refused(tmp_path):
    for number, (files, why) in enumerate(
        (
            ({}, "no file of the project has the function task"),
            ({"a.py": DECK, "b.py": DECK}, "more than one file"),
            ({"a.py": f"{DECK}report = cases.evaluate_sync(task)\n"}, "whenever it is loaded"),
        )
    ):
        found = planned(tmp_path / str(number), files)
        assert isinstance(found, RerunRefused)
        assert why in found.why and "[runners.pydantic_evals]" in found.why
