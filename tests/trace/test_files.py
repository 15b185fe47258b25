import json
import os
from collections import Counter
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.text.confined import Confined, Refusal, RefusalKind, project_root, read_confined
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.reading.files import records_of
from sampleui.trace.timeline import timeline

REPO = Path(__file__).parents[2]
EXAMPLES = REPO / "examples" / "results" / "traces.jsonl"
CORPUS = Path(os.environ.get("SAMPLEUI_CORPUS", REPO.parent / "shared" / "corpus"))


def read(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return list(records_of(path))


def kinds(record):
    return [event.type for event in read_trace(record.data, Path()).events]


@pytest.mark.parametrize(
    "text",
    [
        '[{"type": "message"}, {"type": "error"}]',
        '{"trace": [{"type": "message"}, {"type": "error"}]}',
        '{"events": [{"type": "message"}, {"type": "error"}]}',
        '\ufeff{"trace": {"events": [{"type": "message"}, {"type": "error"}]}}',
    ],
)
def test_a_json_file_may_be_one_trace(tmp_path, text):
    (record,) = read(tmp_path, "trace.json", text)
    assert kinds(record) == ["message", "error"]
    assert record.id == "#1"


@pytest.mark.parametrize(
    "text", ['[{"role": "user", "content": "a"}]', '{"messages": [{"role": "user", "content": "a"}]}']
)
def test_a_json_file_may_be_a_conversation(tmp_path, text):
    (record,) = read(tmp_path, "chat.json", text)
    assert kinds(record) == ["message"]


def test_a_json_file_may_list_records(tmp_path):
    records = read(tmp_path, "results.json", '[{"id": "a"}, {"test_id": "b"}, {"evalId": "c"}]')
    assert [record.id for record in records] == ["a", "b", "c"]


def test_lines_are_records_or_together_one_trace(tmp_path):
    records = read(tmp_path, "r.jsonl", '{"id": "a"}\n\n{"text": "b"}')
    assert [(record.id, record.line) for record in records] == [("a", 1), ("#3", 3)]
    (trace,) = read(tmp_path, "t.jsonl", '{"type": "message"}\n{"type": "tool_call"}\n')
    assert kinds(trace) == ["message", "tool_call"]
    assert read(tmp_path, "empty.jsonl", "\n") == []


def test_lines_are_read_one_at_a_time(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text('{"id": "a"}\n{"id": "b"}\nbroken\n')
    records = records_of(path)
    assert [next(records).id, next(records).id] == ["a", "b"]
    with pytest.raises(ResultsError, match=r"r\.jsonl:3:1: not JSON"):
        next(records)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.json", b"[1]"),
        ("a.json", b"{"),
        ("a.json", b"9" * 5000),
        ("a.json", b"[" * 99999),
        ("a.jsonl", b"17"),
        ("a.jsonl", b"\xff"),
    ],
)
def test_what_is_no_results_file(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ResultsError):
        list(records_of(tmp_path / name))


def test_a_missing_file_and_a_folder(tmp_path):
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(ResultsError):
            list(records_of(path))


def test_why_a_file_cannot_be_read_is_told_in_words(tmp_path):
    with pytest.raises(ResultsError) as refused:
        list(records_of(tmp_path / "none.jsonl"))
    assert refused.value.message == "No such file or directory"


def test_every_example_has_the_trace_it_is_there_to_show():
    traces = {record.id: read_trace(record.data, EXAMPLES.parent) for record in records_of(EXAMPLES)}
    assert {str(trace.source) for trace in traces.values()} == {"trace", "trace_ref", "output_messages", "None"}
    assert [note.rule for trace in traces.values() for note in trace.diagnostics] == []
    run = traces["fix-nightly-build"]
    assert (run.summary.event_count, run.summary.failed_calls) == (40, 1)
    rows = timeline(run.events)
    (broken,) = (row for row in rows if row.failed and not row.answers)
    assert broken.event.input["env"] == {"RATES_URL": "https://rates.internal.example/v1"}
    assert traces["book-a-table"].summary.error_count == 1


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not here")
def test_totals_of_real_files_equal_a_plain_count():
    files = [*CORPUS.glob("results/*.jsonl"), *CORPUS.rglob("static-trace.json")]
    assert len(files) >= 4
    for path in files:
        text = path.read_text(encoding="utf-8")
        rows = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]
        for row, record in zip(rows, records_of(path), strict=True):
            listed = row["trace"] if isinstance(row.get("trace"), list) else []
            calls = [call["tool"] for message in row.get("output", []) for call in message.get("tool_calls", [])]
            calls += [event["name"] for event in listed if event["type"] == "tool_call"]
            summary = read_trace(record.data, path.parent).summary
            assert summary.tool_calls_by_name == Counter(calls)
            assert summary.event_count == (len(listed) or len(row.get("output", [])) + len(calls))
            reported = row["trace"] if isinstance(row.get("trace"), dict) else {}
            assert (summary.cost_usd, summary.tokens is None) == (
                reported.get("cost_usd"),
                "token_usage" not in reported,
            )


class TestConfined:
    """The reading of files that data names."""

    def test_the_first_folder_in_which_it_exists_decides(self, tmp_path):
        (tmp_path / "a").mkdir()
        (tmp_path / "f").write_text("outer")
        folders = (tmp_path / "a", tmp_path)
        assert read_confined("f", folders, tmp_path, 9) == Confined(tmp_path.resolve() / "f", b"outer")
        (tmp_path / "a" / "f").write_text("inner")
        assert read_confined("f", folders, tmp_path, 9) == Confined(tmp_path.resolve() / "a" / "f", b"inner")

    @pytest.mark.parametrize(
        ("written", "kind"),
        [
            ("", RefusalKind.NOT_FOUND),
            ("f/g", RefusalKind.NOT_FOUND),
            ("a\0b", RefusalKind.NOT_FOUND),
            ("a\ud800b", RefusalKind.NOT_FOUND),
            ("x" * 5000, RefusalKind.UNREADABLE),
            ("..", RefusalKind.OUTSIDE_ROOT),
            ("/dev/zero", RefusalKind.OUTSIDE_ROOT),
            (".", RefusalKind.NOT_REGULAR),
            ("big", RefusalKind.TOO_LARGE),
        ],
    )
    def test_a_path_that_may_not_be_read_is_refused_for_its_kind_of_reason(self, tmp_path, written, kind):
        (tmp_path / "f").touch()
        (tmp_path / "big").write_bytes(b"0123456789")
        refusal = read_confined(written, (tmp_path,), tmp_path, 9)
        assert isinstance(refusal, Refusal) and refusal.kind is kind and refusal.reason

    def test_a_device_inside_the_root_is_not_read(self):
        refusal = read_confined("zero", (Path("/dev"),), Path("/dev"), 9)
        assert isinstance(refusal, Refusal) and refusal.kind is RefusalKind.NOT_REGULAR

    def test_a_file_of_exactly_the_size_is_read(self, tmp_path):
        (tmp_path / "f").write_bytes(b"012345678")
        assert isinstance(read_confined("f", (tmp_path,), tmp_path, 9), Confined)

    @pytest.mark.parametrize("mark", [".git", ".agentv", "pyproject.toml"])
    def test_the_project_is_the_nearest_marked_folder(self, tmp_path, mark):
        (tmp_path / mark).mkdir()
        (tmp_path / "a" / "b").mkdir(parents=True)
        assert project_root(tmp_path / "a" / "b") == tmp_path.resolve()
