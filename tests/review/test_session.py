from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.review.log.store import log_path, open_log
from sampleui.review.log.verdict_migration import NO_DECKS
from sampleui.review.queue import Order
from sampleui.review.record import failed
from sampleui.review.results.file import open_results
from sampleui.review.session import next_record
from sampleui.review.verdict import Verdict
from tests.review.build import decide, results_of, write_jsonl

EXAMPLE = Path(__file__).parents[2] / "examples" / "results" / "hello.results.jsonl"


def test_stepping_through_all_failures_and_deciding_each(tmp_path: Path) -> None:
    results = results_of(tmp_path, *({"test_id": f"t{at}", "score": at / 10} for at in range(10)))
    log = open_log(log_path(results.path))
    seen = []
    while (record := next_record(results, log, "ann", order=Order.SCORE)) is not None:
        seen.append(record.id)
        made = decide(
            results,
            log,
            record.id,
            Verdict.MODEL_WRONG,
            "ann",
            comment="bad",
            samples=NO_DECKS._replace(digest=lambda _: "s"),
        )
        assert (made.record, made.comment, made.sample_hash) == (record.digest, "bad", "s")
    assert seen == [f"t{at}" for at in range(8)]
    assert next_record(results, open_log(log.path)) is None
    other = next_record(results, log, "bob", order=Order.FILE)
    assert other is not None
    assert other.id == "t0"
    log.undo("ann")
    again = next_record(results, log, "ann")
    assert again is not None
    assert again.id == "t7"


def test_the_next_in_file_order_does_not_wait_for_the_whole_file(tmp_path: Path) -> None:
    rows = ({"test_id": f"t{at}", "score": at % 2} for at in range(1_000))
    results = open_results(write_jsonl(tmp_path / "run.jsonl", rows))
    log = open_log(log_path(results.path))
    found = next_record(results, log, order=Order.FILE)
    assert found is not None
    assert found.id == "t0"
    assert 0 < len(results) < 1_000
    decide(results, log, "t0", Verdict.OK, "ann")
    found = next_record(results, log, order=Order.FILE)
    assert found is not None
    assert found.id == "t2"


def test_skipped_records_do_not_come_again(tmp_path: Path) -> None:
    results = results_of(tmp_path, {"test_id": "a", "score": 0}, {"test_id": "b", "score": 0})
    log = open_log(log_path(results.path))
    decide(results, log, "a", Verdict.SKIP, "ann")
    found = next_record(results, log, "ann")
    assert found is not None
    assert found.id == "b"


def test_an_unknown_record_is_named_with_its_neighbours(tmp_path: Path) -> None:
    results = results_of(tmp_path, {"test_id": "arithmetic", "score": 0})
    log = open_log(log_path(results.path))
    with pytest.raises(ResultsError, match="did you mean arithmetic"):
        decide(results, log, "arithmetik", Verdict.OK, "ann")
    assert not log.path.exists()


def test_the_example_answers_the_samples_of_its_deck() -> None:
    deck = tomllib.loads((EXAMPLE.parents[1] / "decks" / "hello.toml").read_text(encoding="utf-8"))
    results = open_results(EXAMPLE).indexed()
    assert {entry.sample_id for entry in results.entries} == {sample["id"] for sample in deck["samples"]}


def test_the_example_has_passes_failures_traces_and_an_error() -> None:
    results = open_results(EXAMPLE).indexed()
    assert results.diagnostics == []
    failures = [one for one in results.entries if failed(one)]
    assert (len(results), len(failures)) == (9, 6)
    assert [one.id for one in failures if one.error is not None] == ["unit-conversion"]
    assert {one.sample_id for one in results.entries} == {
        "arithmetic", "algebra-tutor", "capital-of-france", "refund-policy", "haiku", "unit-conversion",
    }  # fmt: skip
    assert {"output_messages", "output"} <= {key for at in range(len(results)) for key in results.record(at).data}
