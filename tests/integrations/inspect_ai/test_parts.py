"""Parts of Inspect's logs, one by one: what they say in words, and where they stand in an archive."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.integrations.inspect_ai import archive as members
from sampleui.integrations.inspect_ai import events as texts
from sampleui.integrations.inspect_ai import log as rows
from sampleui.integrations.inspect_ai import records as inspectlog
from sampleui.integrations.inspect_ai.archive import ENTRY_SIZE, Archive, Members, entry_at
from sampleui.integrations.inspect_ai.events import (
    EventTranscript,
    LogAttachments,
    model_input,
    reasoning_of,
    run_events,
    text_of,
)
from sampleui.integrations.inspect_ai.header import LogHeader, is_header
from sampleui.integrations.inspect_ai.log import JsonLog, reduced
from sampleui.integrations.inspect_ai.parts import SampleParts
from tests.integrations.inspect_ai.zipped import Zipped, archive

LOGS = Path(__file__).parent / "logs"

# Texts


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("plain", "plain"),
        (None, ""),
        (["a", {"type": "text", "text": "b"}, {"text": "c"}, {"type": "text"}], "a\nb\nc"),
        ([{"type": "reasoning", "reasoning": "hm"}], ""),
        ([{"type": "tool_use", "name": "look", "result": "seen", "error": "x"}], "[look: seen]"),
        ([{"type": "tool_use", "tool_type": "web", "error": "late"}], "[web: late]"),
        ([{"type": "tool_use", "error": "late"}], "[tool_use: late]"),
        ([{"type": "image", "image": "a.png"}], "[image: a.png]"),
        ([{"type": "image", "image": "data:image/png;base64,AAAA"}], "[image: data:image/png, 3 bytes]"),
        ([{"type": "image"}], "[image: ?]"),
        ([{"type": "data", "data": {}}], "[data]"),
    ],
)
def test_what_a_content_says(content: Plain, said: str) -> None:
    assert text_of(content) == said


def test_reasoning_is_told_or_that_it_is_not_to_be_seen() -> None:
    parts: Plain = [
        {"type": "reasoning", "reasoning": "a"},
        {"type": "text", "text": "b"},
        {"type": "reasoning", "redacted": True, "reasoning": "x9", "summary": "c"},
        {"type": "reasoning", "redacted": True, "reasoning": "x9"},
        {"type": "reasoning"},
    ]
    assert reasoning_of(parts) == "a\n\nc\n\n[redacted]"


def test_attachments_are_put_in_their_places_as_long_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MAX_ATTACHED_TEXT", 5)
    held = LogAttachments({"a": "abc", "b": "de", "n": 5})
    named: Plain = {"x": ["attachment://a", "attachment://b", "a"], "y": "attachment://b", "z": "attachment://n"}
    assert held.resolved(named) == {"x": ["abc", "de", "a"], "y": "attachment://b", "z": "attachment://n"}


# Events


def transcript(sample: Table) -> EventTranscript:
    return EventTranscript(SampleParts.of(sample))


def told_of(sample: Table) -> list[Any]:
    return transcript(sample).trace()


def test_messages_of_a_pool_are_named_by_ranges() -> None:
    pool: list[Table] = [{"role": "user", "content": str(at)} for at in range(4)]
    refs: Plain = [[0, 2], [1], "x", [3, 9], [-2, 1]]
    assert [at for at, _ in model_input({"input_refs": refs}, pool, 10)] == [0, 1, 3, 0]
    assert [at for at, _ in model_input({"input_refs": refs}, pool, 2)] == [0, 1]
    assert [at for at, _ in model_input({"input_refs": refs}, pool, 0)] == []
    assert [*model_input({"input": [*pool, 5]}, [], 3)] == [(None, one) for one in pool[:3]]


def test_a_sample_without_model_events_is_told_by_its_messages() -> None:
    messages: Plain = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": "look", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "1", "content": "seen", "error": {"type": "timeout"}},
        {"role": "tool", "tool_call_id": "9", "function": "other", "content": "x"},
        {"role": "assistant", "content": "bye"},
    ]
    events: Plain = [{"event": "error", "error": {"message": "late"}}, {"event": "state"}]
    found = told_of({"messages": messages, "events": events})
    told = [(one["type"], one.get("name"), one.get("output", one.get("text"))) for one in found]  # type: ignore[union-attr,index,call-overload]
    assert told == [
        ("message", None, "hi"),
        ("tool_call", "look", "seen"),
        ("tool_result", "other", "x"),
        ("message", None, "bye"),
        ("error", None, "late"),
    ]
    assert found[1]["error"] == "timeout"  # type: ignore[index,call-overload]
    assert [one["content"] for one in transcript({"messages": messages}).first_given()] == ["hi"]
    assert len(transcript({"messages": messages[:1]}).first_given()) == 1  # type: ignore[index]


def step(**event: Plain) -> Plain:
    return {"event": "model", "model": "m", **event}


def answered(text: str, **more: Plain) -> Plain:
    return {"choices": [{"message": {"role": "assistant", "content": text, **more}, "stop_reason": "stop"}]}


def test_each_message_comes_once_and_each_step_adds_its_own() -> None:
    user: Table = {"role": "user", "content": "hi"}
    said: Table = {"role": "assistant", "content": "a", "id": "m1"}
    call: Plain = [{"id": "1", "function": "look", "arguments": {"q": 1}}, {"id": "2", "function": "left"}]
    events: Plain = [
        step(input=[user], output=answered("a", id="m1", tool_calls=call), working_time=1.5),
        {"event": "tool", "id": "1", "function": "look", "result": [{"type": "text", "text": "seen"}]},
        step(input=[user, said, {"role": "tool", "content": "seen"}], output=answered("b")),
        step(input=[user], output=answered("b")),
        {"event": "info", "data": "note"},
        {"event": "sample_limit", "type": "token"},
        {"event": "interrupt", "source": "user", "interrupted": "model"},
    ]
    found = told_of({"events": events, "error_retries": [{"message": "first"}]})
    told = [
        (one["type"], one.get("text") or one.get("name") or one.get("output"))  # type: ignore[union-attr,index,call-overload]
        for one in found
    ]
    assert told == [
        ("error", "attempt 1 failed: first"),
        ("message", "hi"), ("model_step", "m"), ("message", "a"), ("tool_call", "left"),
        ("tool_call", "look"),
        ("model_step", "m"), ("message", "b"),
        ("model_step", "m"),
        ("message", "info"), ("error", "token limit"), ("error", "interrupted by user: model"),
    ]  # fmt: skip
    assert found[2]["duration_ms"] == 1500.0  # type: ignore[index,call-overload]
    assert found[5]["output"] == "seen"  # type: ignore[index,call-overload]


def test_how_long_a_step_took_is_told_by_its_times_too() -> None:
    def took(start: Plain, end: Plain) -> Plain:
        (found,) = told_of({"events": [step(timestamp=start, completed=end)]})
        return found.get("duration_ms")  # type: ignore[union-attr]

    assert took("2026-01-01T00:00:01", "2026-01-01T00:00:03") == 2000.0
    assert took("2026-01-01T00:00:03", "2026-01-01T00:00:01") == 0.0
    assert took("2026-01-01T00:00:03", None) is None


def test_how_a_sample_was_graded_is_no_part_of_what_it_did() -> None:
    events: list[Table] = [
        {"event": "info", "n": 1},
        {"event": "span_begin", "id": "s", "type": "scorers"},
        {"event": "span_begin", "id": "t", "parent_id": "s", "type": "agent"},
        {"event": "info", "span_id": "t", "n": 2},
        {"event": "span_begin", "id": "u", "type": "agent"},
        {"event": "info", "span_id": "u", "n": 3},
        {"event": "step", "action": "begin", "type": "scorer"},
        {"event": "step", "action": "begin", "type": "solver"},
        {"event": "step", "action": "end", "type": "solver"},
        {"event": "info", "n": 4},
        {"event": "step", "action": "end", "type": "scorer"},
        {"event": "info", "n": 5},
        {"event": "step", "action": "begin", "type": "solver"},
        {"event": "info", "n": 6},
    ]
    assert [events[at]["n"] for at, *_ in run_events(events) if "n" in events[at]] == [1, 3, 5, 6]


def read_both_ways(sample: bytes) -> tuple[Table, Table]:
    """Return a sample as it is shown, cut into events and read whole."""
    return rows.whole(SampleParts.read(sample), LogHeader()), rows.whole(
        SampleParts.of(json.loads(sample)), LogHeader()
    )


@pytest.mark.parametrize("log", sorted(LOGS.glob("*.eval")), ids=lambda path: path.stem)
def test_a_sample_cut_into_events_is_shown_as_one_that_is_read_whole(log: Path) -> None:
    opened = Archive(log)
    for name in opened.members:
        if name.startswith("samples/"):
            data = opened.read(name)
            if isinstance(json.loads(data), dict):
                cut, whole = read_both_ways(data)
                assert repr(cut) == repr(whole)


@pytest.mark.parametrize(
    "value",
    [
        "NaN",
        "-Infinity",
        '"\\ud800"',
        '"\\u00e9"',
        "1.0",
        "1e5",
        "-0.0",
        "1" * 40,
        "1e999",
        '{"a": 1, "a": 2}',
        "[]",
    ],
)
def test_values_of_events_are_read_as_the_standard_library_reads_them(value: str) -> None:
    event = f'{{"event": "info", "data": {value}, "event": "info"}}'
    cut, whole = read_both_ways(f'{{"id": 1, "score": {{"value": {value}}}, "events": [{event}, 5]}}'.encode())
    assert repr(cut) == repr(whole)
    assert len(whole["trace"]) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "sample", [b'{"events": 5}', b'{"events_data": [], "events": null}', "{}".encode("utf-16")]
)
def test_a_sample_of_an_unusual_shape_is_read_whole(sample: bytes) -> None:
    cut, whole = read_both_ways(sample)
    assert cut == whole


@pytest.mark.parametrize("broken", [b'{"events": [{"event": "state", "x": "\xff"}]}', b'{"events": [{]}', b"[1]"])
def test_a_sample_that_is_broken_in_what_is_never_shown_is_broken(broken: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        SampleParts.read(broken)


# Rows


def test_a_log_from_before_scorers_had_names_has_one_score() -> None:
    old: Table = {"id": "a", "score": {"value": "C"}, "input": "?"}
    assert rows.brief(old, LogHeader())["scores"] == {"score": {"value": "C"}}
    assert rows.brief({**old, "scores": {"m": {}}}, LogHeader())["scores"] == {"m": {}}
    assert "scores" not in rows.brief({"id": "a"}, LogHeader())
    assert rows.brief(old, LogHeader())["input"] == "?"


def test_what_a_sample_used_is_the_sum_over_its_models() -> None:
    usage: Table = {"m": {"input_tokens": 3, "output_tokens": 1}, "n": {"input_tokens": 2}, "o": {}}
    assert rows.whole(SampleParts({"model_usage": usage}), LogHeader())["token_usage"] == {"input": 5, "output": 1}
    assert "token_usage" not in rows.whole(SampleParts({"model_usage": {"o": {}}}), LogHeader())


@pytest.mark.parametrize(
    ("output", "messages", "answer"),
    [
        ({"completion": "a", "choices": [{"message": {"content": "b"}}]}, [], "a"),
        ({"choices": [{"message": {"content": "b"}}]}, [], "b"),
        ({}, [{"role": "assistant", "content": "c"}, {"role": "assistant", "content": ""}, {"role": "user"}], "c"),
        ({}, [{"role": "user", "content": "d"}], None),
    ],
)
def test_the_answer_is_what_the_model_said_last(output: Plain, messages: Plain, answer: str | None) -> None:
    assert rows.whole(SampleParts({"output": output, "messages": messages}), LogHeader()).get("text") == answer


# The whole run


@pytest.mark.parametrize(
    ("location", "task_file", "dataset"),
    [
        ("d.jsonl", "evals/t.py", "evals/d.jsonl"),
        ("../d.jsonl", "evals/t.py", "d.jsonl"),
        ("../../d.jsonl", "evals/t.py", "d.jsonl"),
        ("/data/d.jsonl", "evals/t.py", "/data/d.jsonl"),
        ("sub\\d.jsonl", "evals\\t.py", "evals/sub/d.jsonl"),
        ("d.jsonl", None, "d.jsonl"),
        (None, "evals/t.py", None),
    ],
)
def test_where_the_dataset_is(location: Plain, task_file: Plain, dataset: str | None) -> None:
    header = LogHeader.of({"eval": {"task_file": task_file, "dataset": {"location": location}}})
    assert header.dataset == dataset


@pytest.mark.parametrize(
    ("said", "notes"),
    [
        ({"status": "success", "error": {"message": "x"}}, ()),
        ({}, ("the run has not finished",)),
        ({"status": "cancelled"}, ("the run was cancelled",)),
        ({"status": "error", "error": {"message": "late"}}, ("the run ended with an error: late",)),
    ],
)
def test_how_a_run_ended(said: Table, notes: tuple[str, ...]) -> None:
    assert LogHeader.of(said).notes == notes


@pytest.mark.parametrize(
    ("dataset", "config", "note", "chosen"),
    [
        ({"samples": 1187, "sample_ids": [1]}, {"limit": 1}, "a limited run: 1 of 1,187 samples", {"1"}),
        ({"samples": 2, "sample_ids": ["a", 2]}, {"limit": 5}, "", {"a", "2"}),
        ({"samples": 3, "sample_ids": [2, 3], "shuffled": True}, {}, "a limited run: 2 of 3 samples", set()),
        ({"samples": 3, "sample_ids": ["b", 3], "shuffled": True}, {}, "a limited run: 2 of 3 samples", {"b"}),
        ({"samples": 3}, {"sample_id": "b"}, "a limited run", None),
        ({"sample_ids": "b"}, {"limit": None}, "", None),
    ],
)
def test_how_much_of_its_dataset_a_run_ran(
    dataset: Table, config: Table, note: str, chosen: set[str] | None
) -> None:
    header = LogHeader.of({"status": "success", "eval": {"dataset": dataset, "config": config}})
    assert "; ".join(header.notes) == note
    assert header.chosen == chosen


def test_what_is_a_header() -> None:
    run: Table = {"dataset": {}, "model": "m"}
    assert is_header({"eval": {**run, "task": "t"}})
    assert is_header({"eval": {**run, "eval_id": "t"}})
    assert not is_header({"eval": run})
    assert not is_header({"eval": {"model": "m", "task": "t"}})
    assert not is_header({"eval": {"dataset": {}, "task": "t"}})
    assert not is_header({"eval": "x"})


def test_of_a_log_without_samples_the_first_reduction_of_each_scorer_counts() -> None:
    listed: Plain = [
        {"scorer": "a", "samples": [{"sample_id": 1, "value": 1}, {"value": 2}]},
        {"scorer": "a", "samples": [{"sample_id": 1, "value": 3}]},
        {"samples": [{"sample_id": 1, "value": 4}]},
    ]
    (found,) = reduced(listed)
    assert (found["id"], {name: one["value"] for name, one in found["scores"].items()}) == (  # type: ignore[union-attr,index,call-overload]
        "1", {"a": 1, "scorer": 4},
    )  # fmt: skip
    log = JsonLog({"eval": {}, "status": "success", "reductions": listed}, Path("x.json"))
    assert (log.size, log.notes) == (1, ("the log keeps no samples: scores are all there is",))
    assert JsonLog({"eval": {}, "samples": [{}], "reductions": listed}, Path("x.json")).size == 1


def test_a_sample_that_is_nested_too_deeply_is_told_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(*_: object) -> Table:
        raise RecursionError

    monkeypatch.setattr(rows, "whole", deep)
    log = JsonLog({"eval": {}, "samples": [{"id": "a"}, {"id": "b"}]}, Path("x.json"))
    with pytest.raises(ResultsError, match="sample 2: nested too deeply"):
        log.row(1, "")


# Scores


@pytest.mark.parametrize(
    ("value", "score", "verdict"),
    [
        ("C", 1.0, "pass"),
        ("P", 0.5, "borderline"),
        ("N", 0.0, "fail"),
        ("Yes", 1.0, "pass"),
        ("c", None, None),
        ("0.7", 0.7, None),
        ("nan", None, None),
        (True, 1.0, "pass"),
        (False, 0.0, "fail"),
        (1, 1.0, None),
        (None, None, None),
    ],
)
def test_what_a_scorer_gave(value: Plain, score: float | None, verdict: str | None) -> None:
    (mark,) = inspectlog.grades_of({"match": {"value": value}})
    assert (mark.name, mark.score, mark.verdict) == ("match", score, verdict)


def test_values_of_a_score_are_marks_of_their_own() -> None:
    scores: Table = {"a": {"value": {"x": 1, "y": 0.5}}, "88F74D2C": {"value": ["C", "I"]}, "e": {"value": []}}
    found = inspectlog.grades_of(scores)
    assert [(one.name, one.score) for one in found] == [
        ("a/x", 1.0), ("a/y", 0.5), ("score/1", 1.0), ("score/2", 0.0), ("e", None),
    ]  # fmt: skip


def test_what_there_is_to_say_of_a_score() -> None:
    history: Plain = [{"provenance": {"author": "ann", "reason": "typo"}}, {"provenance": {"author": "bob"}}, {}]
    grading: Plain = [{"role": "user", "content": "grade"}, {"role": "assistant", "content": "fine"}]
    score: Table = {
        "value": {"x": "odd", "y": float("nan")},
        "answer": "4",
        "reason": "r",
        "explanation": "e",
        "history": history,
        "metadata": {"grading": grading, "more": 1},
    }
    first, second = inspectlog.evaluators({"a": score})
    assert first.reasoning == "edited by ann: typo\n\nedited by bob\n\nvalue: odd\n\nr\n\ne"
    assert first.grader_input == [{"role": "user", "content": "grade"}]
    assert first.details == {"answer": "4", "grader": "fine", "metadata": {"more": 1}, "history": history}
    assert (second.reasoning, second.grader_input, second.details) == ("not scored", None, None)


def test_what_a_row_of_a_log_says() -> None:
    run: Table = {"model": "m", "named": "d", "shuffled": True}
    row: Table = {
        "_inspect": run,
        "id": 3,
        "epoch": 2,
        "input": [{"role": "user", "content": "hi", "id": "x"}],
        "limit": {"type": "token", "reason": "many"},
        "metadata": {"tags": ["t"]},
        "invalidation": {"by": "ann"},
        "target": ["a", "b"],
    }
    (mark,) = {key for key in rows.brief({}, LogHeader()) if key != "id"}
    row[mark] = row.pop("_inspect")
    found, record = inspectlog.parse_row(row).entry, inspectlog.parse_row(row).details()
    assert found is not None
    assert (found.attempt, found.suite, found.position, len(found.join_keys)) == (2, "d", None, 1)
    assert found.tags == ("t", "limit:token", "invalidated")
    assert (record.reasoning, record.expected) == ("ended by the token limit: many", "a\nb")
    plain = inspectlog.parse_row({**row, mark: {"dataset": "d.jsonl", "named": "d"}, "limit": "time"}).entry
    assert plain is not None
    assert (plain.source, plain.suite, plain.position, plain.join_keys) == ("d.jsonl", None, 2, ())
    assert "limit:time" in plain.tags
    named = inspectlog.parse_row({**row, mark: {}, "id": "a"}).entry
    assert named is not None
    assert named.position is None


# Archives

_FULL = 0xFFFFFFFF


def entry(name: bytes, packed: int, size: int, place: int, extra: bytes, comment: bytes = b"") -> bytes:
    facts = struct.pack("<6H3L3H", 45, 45, 0x800, 8, 0, 0, 7, packed, size, len(name), len(extra), len(comment))
    return b"PK\1\2" + facts + struct.pack("<2HLL", 0, 0, 0, place) + name + extra + comment


@pytest.mark.parametrize(
    ("packed", "size", "place", "wide", "found"),
    [
        (5, 6, 7, (), (5, 6, 7)),
        (_FULL, _FULL, _FULL, (60, 50, 70), (50, 60, 70)),
        (5, 6, _FULL, (70,), (5, 6, 70)),
        (_FULL, 6, 7, (50,), (50, 6, 7)),
        (_FULL, _FULL, 7, (60,), (_FULL, 60, 7)),
    ],
)
def test_what_32_bits_do_not_hold_stands_beside(
    packed: int, size: int, place: int, wide: tuple[int, ...], found: tuple[int, int, int]
) -> None:
    times = struct.pack("<2HL", 0x5455, 4, 99)
    field = struct.pack(f"<2H{len(wide)}Q", 1, 8 * len(wide), *wide)
    table = entry("é".encode(), packed, size, place, times + field, b"note")
    member, end = entry_at(b"\0" * 3 + table, 3)
    assert (member.name, member.crc, member.method) == ("é", 7, 8)
    assert (member.packed, member.size, member.offset) == found
    assert end == len(table) + 3
    assert len(table) == ENTRY_SIZE + 2 + len(times + field) + 4


def test_names_and_remarks_of_any_length_are_passed_over() -> None:
    names = ["x" * 300, "é" * 200, "b"]
    table = b"".join(entry(name.encode(), 1, 1, 0, b"\0" * 600, b"c" * 700) for name in names)
    assert [*Members(table, 0, 3, Path("x.eval"))] == names


def wide(folder: Path, place: int | None = None, sign: bytes = b"PK\6\6") -> Path:
    """Write an archive whose end is told in 64 bits, at another place or with another sign."""
    path = archive(folder / "x.eval", [Zipped("header.json", b"{}")])
    data = path.read_bytes()
    end = data.rindex(b"PK\5\6")
    start = data.index(b"PK\1\2")
    told = sign + struct.pack("<Q2H2L4Q", 44, 45, 45, 0, 0, 1, 1, end - start, start)
    where = b"PK\6\7" + struct.pack("<LQL", 0, end if place is None else place, 1)
    last = b"PK\5\6" + struct.pack("<4H2LH", 0, 0, 0xFFFF, 0xFFFF, _FULL, _FULL, 0)
    path.write_bytes(data[:end] + told + where + last)
    return path


def test_the_end_of_an_archive_may_be_told_in_64_bits(tmp_path: Path) -> None:
    assert [*Archive(wide(tmp_path)).members] == ["header.json"]
    size = wide(tmp_path).stat().st_size
    with pytest.raises(ResultsError, match=f"cannot be at byte {size - 55}"):
        Archive(wide(tmp_path, size - 55))
    with pytest.raises(ResultsError, match="is missing at byte 0"):
        Archive(wide(tmp_path, 0))
    with pytest.raises(ResultsError, match="is missing at byte"):
        Archive(wide(tmp_path, sign=b"PK\6\5"))


def test_a_name_that_is_the_end_of_another_is_found_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "READ_AT_ONCE", 0)
    names = ("first", "b.json", "ab.json", "xx")
    found = Members(b"".join(entry(name.encode(), 1, at, 0, b"") for at, name in enumerate(names)), 0, 4, Path("x"))
    assert [name in found for name in ("b.json", "ab.json", "a", ".json")] == [True, True, False, False]
    assert (found["b.json"].size, found["ab.json"].size, found["xx"].size) == (1, 2, 3)
