"""What a run of Inspect did not do is told, and samples that were interrupted are neither failures nor errors."""

from __future__ import annotations

import json

import pytest

from sampleui.review.record import Outcome, outcome_of
from sampleui.review.results.file import open_results
from tests.command import ran

CANCELLED = {"message": "CancelledError('Cancelled via cancel scope 7f5f16e38180')", "traceback": ""}


def sample(name, epoch=1, **more):
    done = {"scores": {"includes": {"value": "C"}}, "output": {"completion": "x"}}
    return {"id": name, "epoch": epoch, "input": "q", "target": "t", **(more or done)}


def log(tmp_path, status, samples, *, ids=("a", "b", "c"), epochs=2, size=3):
    dataset = {"samples": size, "sample_ids": [*ids]}
    run = {"task": "t", "model": "m", "dataset": dataset, "config": {"epochs": epochs}}
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"version": 2, "status": status, "eval": run, "samples": samples}))
    return path


def test_of_a_cancelled_run_it_is_told_how_much_ran_and_was_interrupted(tmp_path):
    samples = [sample("a"), sample("b", error=CANCELLED), sample("c", error=CANCELLED), sample("a", 2)]
    path = log(tmp_path, "cancelled", samples)
    told = ran("report", path)
    assert "The run was cancelled; 4 of 6 ran, 2 were interrupted." in told.out
    assert ": 2 passed, 0 failed, 2 ungraded, 0 errors" in told.out
    page = ran("report", path, "--format", "html").out
    assert "4 of 6 ran, 2 were interrupted" in page
    assert json.loads(ran("report", path, "--format", "json").out)["run"]["ended"].endswith("2 were interrupted")


@pytest.mark.parametrize(
    ("status", "error", "outcome"),
    [
        ("cancelled", CANCELLED, Outcome.UNGRADED),
        ("error", CANCELLED, Outcome.UNGRADED),
        ("error", {"message": "ValueError('boom')"}, Outcome.ERROR),
        ("success", CANCELLED, Outcome.ERROR),
    ],
)
def test_only_what_the_end_of_the_run_interrupted_is_no_error(tmp_path, status, error, outcome):
    (entry,) = open_results(log(tmp_path, status, [sample("a", error=error)])).indexed().counted
    assert outcome_of(entry) is outcome
    assert ("interrupted" in entry.tags) is (outcome is Outcome.UNGRADED)


def test_a_limited_run_that_did_all_of_it_is_told_as_limited_alone(tmp_path):
    path = log(tmp_path, "success", [sample("a"), sample("b")], ids=("a", "b"), epochs=1)
    assert open_results(path).indexed().ended == "a limited run: 2 of 3 samples"
