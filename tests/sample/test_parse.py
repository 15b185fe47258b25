from __future__ import annotations

import datetime as dt
import subprocess
import sys
from pathlib import Path

import pytest

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.message import FileSegment, MediaSegment, Message, TextSegment, reference_text, segment
from sampleui.sample.model import Sample
from sampleui.sample.parse import conversation, expected, place_of, tags, title, turns
from sampleui.text.position import Position

from .build import gage, sample_of, turn

IMAGE: dict[str, Plain] = {"type": "image_url", "image_url": {"url": "a.png"}}
PDF: dict[str, Plain] = {"type": "file_url", "file_url": "a.pdf"}
CALL: Plain = {"id": "call_1", "type": "function", "function": {"name": "add", "arguments": "{}"}}


def test_reading_samples_does_not_import_the_models() -> None:
    code = "import sys, sampleui.sample.rules, sampleui.sample.convert; print('pydantic' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
    )


@pytest.mark.parametrize(
    ("data", "name", "wanted"),
    [
        ({"id": "a"}, None, "a"),
        ({"id": "a"}, "key", "key"),
        ({}, "key", "key"),
        ({"id": 7}, None, "7"),
        ({"id": True}, None, "#1"),
        ({"id": "  "}, None, "#1"),
        ({}, None, "#1"),
    ],
)
def test_a_sample_is_called_by_its_name_its_id_or_its_number(
    data: dict[str, Plain], name: str | None, wanted: str
) -> None:
    assert sample_of("calibrate", data, name).id == wanted


@pytest.mark.parametrize(
    ("item", "wanted"),
    [
        ({"type": "text", "text": "a"}, TextSegment("a")),
        ({"type": "text", "value": "a"}, TextSegment("a")),
        ({"type": "text", "value": ""}, TextSegment("")),
        ({"type": "file", "value": "a.md"}, FileSegment("a.md")),
        (IMAGE, MediaSegment("image_url", "a.png", IMAGE)),
        (PDF, MediaSegment("file_url", "a.pdf", PDF)),
        ({"type": "text"}, None),
        ({"type": "text", "value": 1}, None),
        ({"type": "file", "value": ""}, None),
        ({"type": "image_url", "image_url": {}}, None),
        ({"type": "picture", "value": "a"}, None),
        ({"value": "a"}, None),
        ("a", None),
        (None, None),
    ],
)
def test_segments_are_typed_and_malformed_ones_are_none(item: Plain, wanted: object) -> None:
    assert segment(item) == wanted


def test_turns_are_the_valid_messages_with_their_own_indexes() -> None:
    data: dict[str, Plain] = {
        "messages": [
            "not a table",
            {"content": "no role"},
            {"role": "user"},
            turn("anything", "text"),
            turn("user", ["bad", {"type": "text", "text": "good"}]),
            {"role": "assistant", "tool_calls": [CALL], "name": "Ada", "custom": 1},
            turn("user", {"structured": True}),
        ]
    }
    assert turns(sample_of("calibrate", data)) == (
        Message(3, "anything", (TextSegment("text"),)),
        Message(4, "user", (TextSegment("good"),)),
        Message(5, "assistant", (), {"name": "Ada", "tool_calls": [CALL]}),
    )


def test_structured_content_is_its_json_text_in_agentv_only() -> None:
    content: Plain = {"day": dt.date(2025, 1, 1), "name": "Zoë"}
    turn_of = turns(sample_of("agentv", {"id": "a", "input_messages": [turn("user", content)]}))
    assert turn_of[0].segments == (TextSegment('{\n  "day": "2025-01-01",\n  "name": "Zoë"\n}'),)
    assert turns(sample_of("gage", gage(messages=[turn("user", content)]))) == ()


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        ({"input": "Hi"}, [turn("user", "Hi")]),
        ({"vars": {"input": "Hi"}}, [turn("user", "Hi")]),
        ({"input": {"a": 1}}, [turn("user", {"a": 1})]),
        ({"input": {"role": "system", "content": "x"}}, [turn("system", "x")]),
        (
            {"input": "Hi", "input_files": ["a.md", 3]},
            [turn("user", [{"type": "file", "value": "a.md"}, {"type": "text", "value": "Hi"}])],
        ),
        ({"input": 3}, []),
        ({}, []),
    ],
)
def test_agentv_short_forms_are_written_out(data: dict[str, Plain], wanted: list[Plain]) -> None:
    assert conversation(sample_of("agentv", data)) == wanted


def test_short_forms_are_agentv_alone() -> None:
    assert conversation(sample_of("calibrate", {"messages": "Hi"})) == []


@pytest.mark.parametrize(
    ("dialect", "data", "wanted"),
    [
        ("calibrate", {"expected": {"score": 1}, "score": 3}, {"score": 1}),
        ("calibrate", {"score": 3}, None),
        ("agentv", {"expected_outcome": "good", "expected_messages": [turn()]}, [turn()]),
        ("agentv", {"expected_output": "x", "criteria": "good"}, "x"),
        ("agentv", {"criteria": "good"}, "good"),
        ("agentv", {"outcome": "good"}, "good"),
        ("gage", {"references": ["a"], "label": "a"}, ["a"]),
        ("gage", {"question": "?", "answer": "a"}, [{"answer": [{"type": "text", "text": "a"}]}]),
    ],
)
def test_what_is_expected_is_read_where_a_dialect_has_it(
    dialect: str, data: dict[str, Plain], wanted: Plain
) -> None:
    assert expected(sample_of(dialect, data)) == wanted


@pytest.mark.parametrize(
    ("dialect", "data", "wanted"),
    [
        ("calibrate", {"tags": ["a", "b", "a", 3]}, ("a", "b")),
        ("calibrate", {"tags": "a"}, ("a",)),
        ("calibrate", {}, ()),
        ("agentv", {"metadata": {"tags": ["a"]}}, ("a",)),
        ("gage", {"data_tag": {"domain": "math", "level": 2, "deep": {}}}, ("domain:math", "level:2")),
    ],
)
def test_tags_are_read_where_a_dialect_has_them(
    dialect: str, data: dict[str, Plain], wanted: tuple[str, ...]
) -> None:
    assert tags(sample_of(dialect, data)) == wanted


@pytest.mark.parametrize(
    ("messages", "wanted"),
    [
        ([turn("system", "Be brief"), turn("user", "  What\n is\tit? ")], "What is it?"),
        ([turn("system", "Be brief")], "Be brief"),
        ([turn("user", [IMAGE, {"type": "text", "text": "What?"}])], "What?"),
        ([turn("user", " "), turn("user", "second")], "second"),
        ([], ""),
    ],
)
def test_the_title_is_the_first_user_text_on_one_line(messages: list[Plain], wanted: str) -> None:
    assert title(sample_of("calibrate", {"messages": messages})) == wanted


def test_a_title_is_short_however_long_the_text() -> None:
    assert len(title(sample_of("calibrate", {"messages": [turn("user", "word " * 200_000)]}))) <= 200


@pytest.mark.parametrize(
    ("reference", "wanted"),
    [
        ("Paris", "Paris"),
        ({"answer": " Paris "}, "Paris"),
        ({"answer": [{"type": "text", "text": "Paris"}]}, "Paris"),
        ({"answer": [IMAGE]}, "a.png"),
        ({"answer": [{"type": "file", "value": "a.md"}]}, "a.md"),
        ({"answer": []}, None),
        ({}, None),
        (3, None),
    ],
)
def test_a_reference_as_one_string(reference: Plain, wanted: str | None) -> None:
    assert reference_text(reference) == wanted


@pytest.mark.parametrize(
    ("dialect", "data", "place"),
    [
        ("calibrate", {"messages": [turn()]}, ("messages", 0, "content")),
        ("openai", {"messages": [turn()]}, ("messages", 0, "content")),
        ("sharegpt", {"conversations": [{"from": "human", "value": "Hi"}]}, ("conversations", 0, "value")),
        ("sharegpt", {"system": "Be kind", "conversations": [{"from": "human", "value": "Hi"}]}, ("system",)),
        ("pydantic-evals", {"inputs": "Hi"}, ("inputs",)),
        ("agentv", {"input": "Hi"}, ("input",)),
        ("calibrate", {}, ("messages", 0, "content")),
    ],
)
def test_the_place_of_a_content_is_where_its_dialect_has_it(dialect: str, data: Table, place: DataPath) -> None:
    assert place_of(sample_of(dialect, data), 0, "content") == place


def test_a_sample_that_no_file_is_searched_for_is_at_the_start_of_its_line() -> None:
    path = Path("folder/deck.toml")
    assert Sample("a", 0, {}, "calibrate", (), path).position(("id",)) == Position(1, 1)
    assert Sample("a", 0, {}, "calibrate", (), path, 7).position(("id",)) == Position(7, 1)


def test_the_files_of_a_sample_are_counted_from_its_own_folder_or_from_that_of_its_suite() -> None:
    path = Path("folder/deck.toml")
    assert Sample("a", 0, {}, "calibrate", (), path).folder == Path("folder")
    assert Sample("a", 0, {}, "calibrate", (), path, base=Path("suite")).folder == Path("suite")
