"""Runs in columns: the figures of DuckDB are those of the same rows read one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from sampleui.review.reports.asking import figures_of
from sampleui.review.reports.columns import figures_of_columns, is_in_columns
from sampleui.review.reports.observing import Question
from sampleui.review.results.file import open_results
from tests.review.build import write_jsonl


def test_what_is_in_columns_is_told_by_its_name() -> None:
    assert all(map(is_in_columns, ("a/b.parquet", "runs/*.parquet", "s3://bucket/run.parquet", "runs/*.jsonl")))
    assert not any(map(is_in_columns, ("run.jsonl", "runs/", "logs/a.eval")))


def drawn(seed: int) -> list[dict[str, object]]:
    """Return rows of two targets with attempts, errors, missing scores, tags, a field of lists, and evaluators."""
    chance = random.Random(seed)
    rows: list[dict[str, object]] = []
    for sample in range(60):
        for target in ("m", "n"):
            for attempt in range(chance.randint(1, 3)):
                score = chance.choice([None, 0.0, 0.25, 0.9, 1.0])
                row: dict[str, object] = {"test_id": f"s{sample}é", "target": target, "attempt": attempt}
                row |= {"score": score, "output": "x", "tags": [f"t{sample % 4}"] if sample % 3 else ["a", "b"]}
                row |= {"metadata": {"topic": f"topic {sample % 5}", "document": f"d{sample // 4}"}}
                row["error"] = "late" if chance.random() < 0.1 else None
                row["scores"] = [
                    {"name": "tone", "score": round(chance.random(), 3), "verdict": None},
                    {"name": "words", "score": chance.randint(0, 90), "verdict": None},
                    {"name": "judge", "score": None, "verdict": chance.choice(["pass", "fail"])},
                ]
                rows.append(row)
    return rows


def numbers(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield all that a value is made of, by where it is."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        parts = [(name, getattr(value, name)) for name in value._fields]
    elif is_dataclass(value):
        parts = [(field.name, getattr(value, field.name)) for field in fields(value)]
    elif isinstance(value, tuple):
        parts = [(str(index), part) for index, part in enumerate(value)]
    else:
        yield path, value
        return
    for name, part in parts:
        yield from numbers(part, f"{path}.{name}")


QUESTIONS = (
    Question(),
    Question(fail_under=0.5, by=("tag", "metadata.topic")),
    Question(cluster="metadata.document", by=("target",), errors_fail=True),
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_figures_of_columns_are_those_of_the_rows_to_twelve_digits(tmp_path: Path, question: Question) -> None:
    duckdb = pytest.importorskip("duckdb")
    paths = []
    for seed in (1, 2):
        rows = write_jsonl(tmp_path / f"{seed}.jsonl", drawn(seed))
        paths.append(rows)
        duckdb.sql(f"COPY (FROM read_json_auto('{rows}')) TO '{rows.with_suffix('.parquet')}'")
    run, old = map(open_results, paths)
    by_rows = dict(numbers(figures_of(run, question, baseline=old)))
    by_columns = dict(
        numbers(figures_of_columns(*(str(tmp_path / "1.parquet"), question, str(tmp_path / "2.parquet"))))
    )
    left_out = {".run.name", ".run.file", ".run.fail_under", ".comparison.baseline"}
    told = {name: value for name, value in by_rows.items() if name not in left_out}
    assert by_columns.keys() == by_rows.keys()
    assert {name: by_columns[name] for name in told} == {
        name: pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value
        for name, value in told.items()
    }
