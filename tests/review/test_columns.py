"""Runs in columns: the figures of DuckDB are those of the same rows read one by one."""

from __future__ import annotations

import random
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.review.reports.figures import Figures
from sampleui.review.reports.record_measures import Question
from sampleui.review.reports.run_figures import figures_of
from sampleui.review.results.columns import is_in_columns, opened_columns
from sampleui.review.results.file import open_results
from tests.review.build import write_jsonl


def test_what_is_in_columns_is_told_by_its_name() -> None:
    assert all(map(is_in_columns, ("a/b.parquet", "runs/*.parquet", "s3://bucket/run.parquet", "runs/*.jsonl")))
    assert not any(map(is_in_columns, ("run.jsonl", "runs/", "logs/a.eval")))


def figures_of_columns(source: str, question: Question, baseline: str | None = None) -> Figures:
    with opened_columns(source) as run:
        if baseline is None:
            return figures_of(run, question)
        with opened_columns(baseline) as earlier:
            return figures_of(run, question, baseline=earlier)


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
                    *([{"name": "tone", "score": 0.9, "verdict": "pass"}] * (sample % 3)),
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
    of_rows = figures_of(run, question, baseline=old)
    assert of_rows.comparison is not None
    # Columns have no records that could be compared one by one.
    of_rows = of_rows._replace(comparison=of_rows.comparison._replace(unchanged=None))
    by_rows = dict(numbers(of_rows))
    by_columns = dict(
        numbers(figures_of_columns(*(str(tmp_path / "1.parquet"), question, str(tmp_path / "2.parquet"))))
    )
    left_out = {".run.name", ".run.file", ".comparison.baseline"}
    told = {name: value for name, value in by_rows.items() if name not in left_out}
    assert by_columns.keys() == by_rows.keys()
    assert {name: by_columns[name] for name in told} == {
        name: pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value
        for name, value in told.items()
    }


def test_columns_say_whose_threshold_scores_alone_are_held_against(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    write_jsonl(tmp_path / "run.jsonl", [{"id": "a", "score": 0.9}, {"id": "b", "score": 0.5}])
    for asked, told in ((None, (0.8, True)), (0.8, (0.8, False)), (0.6, (0.6, False))):
        run = figures_of_columns(str(tmp_path / "*.jsonl"), Question(asked)).run
        assert (run.fail_under, run.fail_under_is_default) == told


class Store(SimpleHTTPRequestHandler):
    """Serves files in parts, as object stores do; those whose name has `secret` to nobody."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if not path.is_file() or "secret" in path.name:
            self.send_error(403 if path.is_file() else 404)
            return
        data, asked = path.read_bytes(), re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        part = data[int(asked[1]) : int(asked[2] or len(data)) + 1] if asked else data
        self.send_response(206 if asked else 200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        if asked:
            self.send_header("Content-Range", f"bytes {asked[1]}-{int(asked[1]) + len(part) - 1}/{len(data)}")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(part)

    do_HEAD = do_GET  # noqa: N815 (its name is that of the method)

    def log_message(self, *_: object) -> None:
        pass


def test_figures_of_an_object_store_are_those_of_local_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("duckdb_extension_httpfs")
    (tmp_path / "bucket").mkdir()
    rows = write_jsonl(tmp_path / "bucket" / "run.jsonl", drawn(3))
    duckdb.sql(f"COPY (FROM read_json_auto('{rows}')) TO '{rows.with_suffix('.parquet')}'")
    rows.with_name("secret.parquet").write_bytes(rows.with_suffix(".parquet").read_bytes())
    question = Question(by=("metadata.topic",))
    local = dict(numbers(figures_of(open_results(rows), question)))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Store, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "it's a key")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        monkeypatch.setenv("AWS_REGION", "eu-central-1")
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}/")
        for name in ("run.parquet", "run.jsonl"):
            stored = dict(numbers(figures_of_columns(f"s3://bucket/{name}", question)))
            assert {name: stored[name] for name in local if not name.startswith((".run.name", ".run.file"))} == {
                name: pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value
                for name, value in local.items()
                if not name.startswith((".run.name", ".run.file"))
            }
        with pytest.raises(ResultsError, match="AWS_ACCESS_KEY_ID"):
            figures_of_columns("s3://bucket/secret.parquet", question)
        with pytest.raises(ResultsError, match="404"):
            figures_of_columns("s3://bucket/none.parquet", question)
        server.shutdown()


def test_an_address_without_the_extension_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.setitem(sys.modules, "duckdb_extension_httpfs", None)  # as if it was not installed
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(duckdb.Error):  # where it is installed, there is nothing to say
        duckdb.connect().execute("LOAD httpfs")
    with pytest.raises(ResultsError, match="pip install duckdb-extension-httpfs"):
        figures_of_columns("s3://bucket/run.parquet", Question())
