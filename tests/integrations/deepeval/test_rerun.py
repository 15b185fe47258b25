"""Which test of pytest is called for a test case of a test run, and where that is not known."""

from __future__ import annotations

import json
from pathlib import Path

from sampleui.integrations.deepeval.rerun import plan
from sampleui.review.results.file import open_results
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.runs.rerun.engine import planned_calls


def planned(root: Path, tests: str, name: str, **run: object) -> ProgramCall | RerunRefused:
    (root / ".git").mkdir(parents=True, exist_ok=True)
    (root / "test_deck.py").write_text(tests)
    case = {"name": name, "input": "x", "actualOutput": "y", "success": False, "metricsData": []}
    path = root / "test_run_20261127_120000.json"
    path.write_text(json.dumps({"testFile": "test_deck.py", "testCases": [case], **run}))
    record = open_results(path).indexed().record(0)
    (found,) = planned_calls(plan, Request([RerunRequest(record, record.sample_id)], path, 1, root / "out", root))
    return found


def node(found: ProgramCall | RerunRefused) -> str:
    assert isinstance(found, ProgramCall), found
    return found.arguments[-1]


ONE, TWO = "def test_a(s): pass\n", "def test_a(s): pass\nclass TestAll:\n    def test_b(self, s): pass\n"


def test_a_case_is_named_after_its_test_or_by_the_parameters_of_the_one_test(tmp_path):
    assert node(planned(tmp_path, ONE, "qa[2] or x")) == "./test_deck.py::test_a[qa[2] or x]"
    assert node(planned(tmp_path, ONE, "new\nline é")) == "./test_deck.py::test_a[new\\nline \\xe9]"
    assert node(planned(tmp_path, TWO, "test_b[-x]")) == "./test_deck.py::TestAll::test_b[-x]"
    assert node(planned(tmp_path, TWO, "test_a")) == "./test_deck.py::test_a"


def test_what_is_not_known_is_refused_and_leads_to_the_settings(tmp_path):
    for tests, name, run in (
        (TWO, "qa-1", {}),
        (ONE, "test_case_0", {}),
        ("def test_a(: no Python", "qa-1", {}),
        (ONE, "qa-1", {"testFile": None}),
        (ONE, "qa-1", {"testFile": "../test_deck.py"}),
        (ONE, "qa-1", {"testFile": "gone.py"}),
        (ONE, "qa-1", {"testFile": "/etc/passwd.py"}),
    ):
        found = planned(tmp_path / "project", tests, name, **run)
        assert isinstance(found, RerunRefused), (name, run)
        assert "[runners.deepeval]" in found.why
