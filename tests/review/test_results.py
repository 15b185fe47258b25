from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.errors import ResultsError
from sampleui.formats.data import DataPath, Plain
from sampleui.review.log.store import log_path, open_log
from sampleui.review.results import sources
from sampleui.review.results.documents import lists_of
from sampleui.review.results.file import open_results
from tests.review.build import decision, results_of, write_jsonl

GOOD = {"test_id": "a", "score": 1}


def test_malformed_rows_are_diagnostics_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"test_id": "a", "score": 1}\r\n'
        b'{"test_id": "b", \n'
        b"\n"
        b"[1]\n"
        b'{"test_id": "c", "score": "\xff"}\n'
        b'{"nothing": 1}\n' + b"[" * 100_000 + b"\n"
        b'{"test_id": "d", "score": 0}'
    )
    results = open_results(path).indexed()
    assert [(one.id, one.line) for one in results.entries] == [("a", 1), ("d", 8)]
    assert [(one.line, one.rule) for one in results.diagnostics] == [
        (line, "result-row") for line in (2, 4, 5, 6, 7)
    ]
    assert results.diagnostics[0].message.startswith("not JSON")
    assert results.diagnostics[2].message == "not UTF-8"
    assert results.diagnostics[2].column == 28
    assert results.skipped == 5
    assert results.record(1).score == 0


def test_a_row_nested_too_deeply_leaves_each_row_its_line(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    deep = "[" * 300 + "]" * 300
    rows = ['{"test_id": "a", "score": 1}', f'{{"test_id": "b", "deep": {deep}}}', '{"test_id": "c", "score": 0}']
    path.write_text('{"results": [\n' + ",\n".join(rows) + "\n]}\n")
    results = open_results(path).indexed()
    assert [(one.id, one.line) for one in results.entries] == [("a", 2), ("c", 4)]
    assert [one.line for one in results.diagnostics] == [3]


def test_many_malformed_rows_are_counted_but_not_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("x\n" * 5_000, encoding="utf-8")
    results = open_results(path).indexed()
    assert (results.skipped, len(results.diagnostics), len(results)) == (5_000, 1_000, 0)


def test_repeated_samples_get_ids_of_their_own(tmp_path: Path) -> None:
    rows = [{"test_id": name, "score": at} for at, name in enumerate(["a", "a#2", "a", "a", "b"])]
    results = results_of(tmp_path, *rows)
    assert [one.id for one in results.entries] == ["a", "a#2", "a#3", "a#4", "b"]
    assert [one.sample_id for one in results.entries] == ["a", "a#2", "a", "a", "b"]
    assert all(results.find(one.id) is one for one in results.entries)
    assert results.find("c") is None


def test_the_index_grows_by_batches_and_records_are_there_at_once(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "run.jsonl", ({"test_id": f"{at}", "score": 1} for at in range(25)))
    results = open_results(path)
    assert len(results) == 0
    steps = results.index(batch=10)
    first = next(steps)
    assert (first.records, len(results), results.complete) == (10, 10, False)
    assert results.record(9).id == "9"
    assert 0 < first.done < first.size == path.stat().st_size
    assert [step.records for step in steps] == [20, 25]
    assert results.complete
    assert [step.records for step in results.index()] == [25]


def test_an_index_left_half_way_is_taken_up_again(tmp_path: Path) -> None:
    results = open_results(
        write_jsonl(tmp_path / "run.jsonl", ({"test_id": f"{at}", "score": 1} for at in range(25)))
    )
    next(results.index(batch=10))
    assert [one.id for one in results.indexed().entries] == [str(at) for at in range(25)]


def test_a_file_that_changed_is_noticed(tmp_path: Path) -> None:
    results = results_of(tmp_path, GOOD, {"test_id": "b", "score": 1})
    write_jsonl(results.path, [GOOD, {"test_id": "b", "score": 0}])
    assert results.record(0).id == "a"
    with pytest.raises(ResultsError, match="changed since"):
        results.record(1)
    results.path.unlink()
    with pytest.raises(ResultsError):
        results.record(0)


def test_the_digest_stands_for_the_content_of_the_line(tmp_path: Path) -> None:
    one, other = results_of(tmp_path, GOOD, {**GOOD, "score": 0.5}).entries
    [again] = results_of(tmp_path, GOOD).entries
    assert one.digest == again.digest != other.digest


def test_what_is_decided_about_a_row_is_not_decided_about_the_same_row_once_more(tmp_path: Path) -> None:
    results = results_of(tmp_path, GOOD, GOOD, {**GOOD, "score": 0.5}, GOOD)
    assert len({one.digest for one in results.entries}) == 4
    assert [results.record(at).score for at in range(4)] == [1, 1, 0.5, 1]
    log = open_log(log_path(results.path))
    log.append(decision(results.entries[0].digest))
    assert [log.current(one.digest) is not None for one in results.entries] == [True, False, False, False]
    again = open_results(results.path).indexed()
    assert [one.digest for one in again.entries] == [one.digest for one in results.entries]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("run.jsonl", b"\x00\x01", "binary"),
        ("run.toml", b"= 1", "1:1"),
        ("run.toml", b"a = 1", "no results"),
        ("run.json", b"{", "run.json:1"),
        ("run.toml", b"a = '\xff'", "not UTF-8"),
    ],
)
def test_what_is_no_results_file_is_refused(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ResultsError, match=said):
        open_results(tmp_path / name)


def test_missing_files_pipes_and_empty_folders_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(ResultsError, match="no such file"):
        open_results(tmp_path / "none.jsonl")
    with pytest.raises(ResultsError, match="not a regular file"):
        open_results(tmp_path / "pipe.jsonl")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ResultsError, match="holds no results"):
        open_results(tmp_path / "empty")


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    assert len(results_of(tmp_path)) == 0


@pytest.mark.parametrize("wrap", [lambda rows: rows, lambda rows: {"meta": 1, "results": rows}])
def test_json_lists_are_read(tmp_path: Path, wrap: object) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(wrap([GOOD, 3, {"id": "b", "text": "x"}])), encoding="utf-8")  # type: ignore[operator]
    results = open_results(path).indexed()
    assert [one.id for one in results.entries] == ["a", "b"]
    assert results.record(1).actual == "x"
    assert [one.message for one in results.diagnostics] == ["not a JSON object"]


def test_rows_of_a_json_list_know_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('\n[\n  {"id": "a", "score": 1},\n\n  {"id": "b",\n "score": 1}\n, {"id": "c", "score": 1}]')
    assert [one.line for one in open_results(path).indexed().entries] == [3, 5, 7]


def test_a_json_file_of_one_row_and_one_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(GOOD, indent=2))
    assert [one.id for one in open_results(path).indexed().entries] == ["a"]
    path.write_text(json.dumps(GOOD) + "\n" + json.dumps({**GOOD, "test_id": "b"}) + "\n")
    assert [one.id for one in open_results(path).indexed().entries] == ["a", "b"]


def run_folder(folder: Path) -> Path:
    (folder / "case").mkdir(parents=True)
    (folder / "case" / "grading.json").write_text(
        json.dumps({"graders": [{"name": "judge", "score": 0.9, "verdict": "fail"}], "assertions": ["kind"]})
    )
    (folder / "case" / "answer.md").write_text("Hello\n\n")
    (folder / "case" / "timing.json").write_text(json.dumps({"duration_ms": 5, "token_usage": {"input": 1}}))
    (folder / "case" / "input.md").write_text("@[system]:\nBe kind.\n\n@[user]:\nHi\n")
    (folder / "case" / "transcript.json").write_text(json.dumps({"messages": [{"role": "assistant"}]}))
    row = {
        "test_id": "a",
        "score": 0.9,
        "grading_path": "case/grading.json",
        "output_path": "case/answer.md",
        "timing_path": "case/timing.json",
        "input_path": "case/input.md",
        "transcript_path": "case/transcript.json",
    }
    return write_jsonl(folder / "index.jsonl", [row])


@pytest.mark.parametrize("hidden", [False, True])
def test_a_run_folder_is_read_by_the_paths_of_its_rows(tmp_path: Path, hidden: bool) -> None:
    index = run_folder(tmp_path)
    if hidden:
        (tmp_path / ".internal").mkdir()
        index.rename(tmp_path / ".internal" / "index.jsonl")
    results = open_results(tmp_path).indexed()
    assert results.entries[0].verdict == "fail"
    record = results.record(0)
    assert record.notes == ()
    assert (record.actual, record.latency_ms) == ("Hello", 5.0)
    assert [one.name for one in record.evaluators] == ["judge"]
    assert record.data["input"] == [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]
    assert record.data["output_messages"] == [{"role": "assistant"}]
    assert results.base_dir == tmp_path


def test_what_a_row_says_itself_is_not_replaced_by_its_files(tmp_path: Path) -> None:
    index = run_folder(tmp_path)
    row = json.loads(index.read_text())
    write_jsonl(index, [{**row, "assertions": ["mine"], "output": "said", "duration_ms": 7}])
    record = open_results(index).indexed().record(0)
    assert [one.text for one in record.assertions] == ["mine"]
    assert (record.actual, record.latency_ms) == ("said", 7.0)
    assert [one.name for one in record.evaluators] == ["judge"]


@pytest.mark.parametrize("written", ["../secret.md", "/etc/passwd", "link.md", "none.md", "."])
def test_a_run_reads_nothing_outside_its_folder(tmp_path: Path, written: str) -> None:
    (tmp_path / "secret.md").write_text("secret")
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    write_jsonl(folder / "index.jsonl", [{"test_id": "a", "score": 1, "output_path": written}])
    record = open_results(folder).indexed().record(0)
    assert record.actual == ""
    assert len(record.notes) == 1
    assert record.notes[0].sample == "a"
    assert "secret" not in str(record.data.get("output", ""))


def test_a_folder_with_one_results_file_needs_no_index(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "mine.jsonl", [GOOD])
    (tmp_path / "mine.reviews.jsonl").write_text("")
    assert open_results(tmp_path).path.name == "mine.jsonl"
    write_jsonl(tmp_path / "other.jsonl", [GOOD])
    with pytest.raises(ResultsError, match="2 results files"):
        open_results(tmp_path)


@pytest.mark.parametrize(
    ("needle", "found"),
    [
        ("PARIS", {0}),
        ("naïve", {1}),
        ("Naïve", {1}),
        ("a\nb", {2}),
        ("output", set()),
        ("judge", {2}),
        ("b", {1, 2}),
    ],
)
def test_search_looks_into_all_texts_and_not_into_keys(tmp_path: Path, needle: str, found: set[int]) -> None:
    results = results_of(
        tmp_path,
        {"test_id": "x", "output": "Paris"},
        {"test_id": "y", "output": "na\u00efve b"},
        {"test_id": "z", "output": "a\nb", "scores": [{"name": "Judge"}]},
    )
    assert {at for hits in results.search(needle, batch=2) for at in hits} == found


def test_search_looks_into_the_files_of_a_run(tmp_path: Path) -> None:
    results = open_results(run_folder(tmp_path)).indexed()
    assert [*results.search("hello")] == [(0,)]
    assert [*results.search("nowhere")] == [()]


def test_a_record_is_found_by_its_id_or_its_number(tmp_path: Path) -> None:
    results = results_of(tmp_path, GOOD, {"test_id": "b", "score": 1})
    found = {name: results.find(name) for name in ("#1", "#2", "#0", "#3", "#x", "1", "b")}
    assert {name: one.id for name, one in found.items() if one is not None} == {"#1": "a", "#2": "b", "b": "b"}


@pytest.mark.parametrize(
    ("document", "places"),
    [
        ([GOOD], ((),)),
        ({"results": [GOOD], "rows": []}, (("results",),)),
        ({"id": "a", "results": []}, ()),
        ({"a": {"b": [GOOD, GOOD], "c": [GOOD]}}, (("a", "b"),)),
        ({"a": {"b": {"c": [GOOD]}}}, (("a", "b", "c"),)),
        ({"a": {"b": {"c": {"d": [GOOD]}}}}, ()),
        ({"a": [], "b": "x", "c": [GOOD, 5], "d": [GOOD]}, (("d",),)),
        (GOOD, ()),
        (5, ()),
    ],
)
def test_where_rows_stand_in_a_document(document: Plain, places: tuple[DataPath, ...]) -> None:
    assert lists_of(document) == places


@given(st.lists(st.text(alphabet='{}[]",:a1 \\', max_size=20), max_size=10))
def test_no_file_of_lines_crashes_the_index(new_folder: Callable[[str], Path], lines: list[str]) -> None:
    path = new_folder("any") / "run.jsonl"
    path.write_text("\n".join(["{}", *lines]), encoding="utf-8")
    results = open_results(path).indexed()
    assert len(results) + results.skipped == 1 + sum(bool(line.strip()) for line in lines)


ODD_LINES = [
    *(
        "NaN",
        "-Infinity",
        "1E400",
        "-0",
        "-0.0",
        "1.0",
        "1",
        "9007199254740993.0",
        "18446744073709551616",
        "1" * 4301,
    ),
    *('"\\ud83d"', '"\\ud83d\\ude00"', '"\\/\\u0000"', "[" * 990 + "]" * 990, "[" * 5000, "1.", "01", "tru", "{"),
]


@pytest.mark.parametrize("value", ODD_LINES, ids=range(len(ODD_LINES)))
def test_lines_of_a_large_file_are_read_as_those_of_a_small_one(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        f'{{"id": "a", "x": {value}, "y": 1, "y": 2}}\r\n'.encode(),
        b'\xef\xbb\xbf{"id": "b"} \n',
        b'{"id": "\xff"}\n',
    ]
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"".join(rows))
    small = [*sources.Lines(path).scan()]
    monkeypatch.setattr(sources, "QUICK_FROM", 0)
    assert repr([*sources.Lines(path).scan()]) == repr(small)
    assert len(small) == 3


def test_a_line_that_is_too_long_is_passed_by_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_RESULTS_LINE", 64)
    long, row = json.dumps({"eval_id": "x" * 300}), json.dumps({"eval_id": "a", "score": 1.0})
    path = tmp_path / "x.jsonl"
    path.write_text(f"{row}\n{long}\n{row}\n")
    first, bad, last = sources.Lines(path).scan()
    assert isinstance(bad, sources.Malformed)
    assert (bad.line, bad.end) == (2, path.stat().st_size - len(row) - 1)
    assert isinstance(first, sources.ResultRow)
    assert isinstance(last, sources.ResultRow)
    assert [(row.line, row.position) for row in (first, last)] == [(1, 0), (3, bad.end)]


@pytest.mark.parametrize("size", [10, *((1 << 16) * n + by for n in (1, 2, 3) for by in (-1, 0, 1))])
@pytest.mark.parametrize("end", ["", "\n", "\r\n", " \n"])
def test_a_record_of_any_length_is_read_from_its_line(tmp_path: Path, size: int, end: str) -> None:
    path = tmp_path / "run.jsonl"
    row = json.dumps({"test_id": "long", "score": 1, "output": ""})
    long = row[:-2] + "x" * (size - len(row)) + row[-2:] if size > len(row) else row
    before, after = (json.dumps({"test_id": name, "score": 1}) for name in ("before", "after"))
    path.write_bytes(f"{before}\n{long}\n{after}\n{long}{end}".encode())
    results = open_results(path).indexed()
    assert [results.record(at).id for at in range(4)] == ["before", "long", "after", "long#2"]
    assert results.record(1).data == results.record(3).data == json.loads(long)
    assert results.source.raw(len(before) + 1) == long.encode() + b"\n"


def test_bytes_that_are_no_text_are_told_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"\n[\n\xff]")
    with pytest.raises(ResultsError) as caught:
        open_results(path).indexed()
    assert caught.value.line == 3


def test_a_file_of_a_run_that_is_no_json_is_told_by_what_it_is_for(tmp_path: Path) -> None:
    index = run_folder(tmp_path)
    (tmp_path / "case" / "timing.json").write_text("{")
    record = open_results(index).indexed().record(0)
    assert [one.message for one in record.notes] == ["case/timing.json cannot be read as metrics"]
    assert (record.actual, record.latency_ms) == ("Hello", None)
