"""The messages of every provider in every dialect: what is said and called is there, and all else is told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import pytest

from sampleui.formats.data import DataPath, Plain, Table, leaves, shown, with_set
from sampleui.sample.convert import Converted, convert
from sampleui.sample.convert.tabled import with_value_at
from sampleui.sample.dialects.dialect import Dialect, value_at
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.message import MediaSegment, segment
from sampleui.sample.parse import conversation
from sampleui.sample.tool_calls import answered_call, arguments_in, calls_in
from sampleui.text.diagnostic import Severity

from .build import found, sample_of, turn
from .conversations import CALLS, CONVERSATIONS, PDF, PNG, RESULTS, TEXTS, THOUGHT

CALIBRATE = DIALECTS["calibrate"]
STRUCTURED = [
    dialect
    for dialect in DIALECTS.values()
    if not (dialect.conversion.text_content or dialect.conversion.text_only)
]
AS_IT_IS = re.compile(r"[\s\\]")


def made_of(messages: Sequence[Plain], target: Dialect) -> Converted:
    return convert({"id": "7", "expected": "well", "messages": [*messages]}, CALIBRATE, target)


def within(messages: Sequence[Plain], dialect: Dialect) -> Converted:
    """Return a sample of a dialect with a provider's messages, converted to the same dialect."""
    base = convert(
        {"id": "7", "expected": "well", "messages": [turn(), turn("assistant")]}, CALIBRATE, dialect
    ).data
    place = next(path for path in dialect.message_paths if isinstance(value_at(base, path), list))
    return convert(with_value_at(base, place, [*messages]), dialect, dialect)


def faults(data: Table, dialect: Dialect) -> list[str]:
    """Return what check finds in the messages of a sample; not what of the rest the target asks besides."""
    findings = found(dialect.name, data)
    told = [finding for finding in findings if finding.severity in (Severity.ERROR, Severity.WARNING)]
    return [
        str(finding) for finding in told if finding.rule not in ("query-untold", "skill-id-text", "key-refused")
    ]


def dropped(report: Sequence[str]) -> list[str]:
    """Return the places that a report says are dropped."""
    lines = (line.partition(": dropped, ")[0] for line in report if ": dropped, " in line)
    return [
        place for line in lines for place in line.split(", ") if place.startswith(("messages", "input", "turns"))
    ]


@pytest.mark.parametrize("kind", CONVERSATIONS)
@pytest.mark.parametrize("target", DIALECTS.values(), ids=lambda dialect: str(dialect.name))
def test_what_is_said_and_called_is_in_every_dialect_and_check_is_clean(kind: str, target: Dialect) -> None:
    made = made_of(CONVERSATIONS[kind], target)
    assert faults(made.data, target) == []
    written = AS_IT_IS.sub("", json.dumps(made.data))
    words = (*TEXTS, *RESULTS, *(path for _, given in CALLS for path in given.values()))
    assert [text for text in words if AS_IT_IS.sub("", text) not in written] == []
    assert AS_IT_IS.sub("", THOUGHT) not in written
    places = dropped(made.report)
    assert len(places) == len({*places})


@pytest.mark.parametrize("kind", CONVERSATIONS)
@pytest.mark.parametrize("target", STRUCTURED, ids=lambda dialect: str(dialect.name))
def test_calls_have_their_arguments_and_results_answer_them(kind: str, target: Dialect) -> None:
    messages = conversation(sample_of(target.name, made_of(CONVERSATIONS[kind], target).data))
    assert [message["role"] for message in messages if isinstance(message, dict)][:2] == ["user", "assistant"]
    called = [
        (call.id, call.name, arguments.table)
        for message in messages
        for call in calls_in(message)
        if (arguments := arguments_in(value_at(message, ("tool_calls", call.position))))
    ]
    assert [(name, given) for _, name, given in called] == [*CALLS]
    answered = [(answered_call(message), json.dumps(message)) for message in messages if answered_call(message)]
    assert [name for name, _ in answered] == [name for name, *_ in called]
    assert all(result in text for result, (_, text) in zip(RESULTS, answered, strict=True))


@pytest.mark.parametrize("kind", CONVERSATIONS)
@pytest.mark.parametrize("target", STRUCTURED, ids=lambda dialect: str(dialect.name))
def test_images_and_files_go_along_where_a_dialect_has_a_form_for_them(kind: str, target: Dialect) -> None:
    messages = conversation(sample_of(target.name, made_of(CONVERSATIONS[kind], target).data))
    content = value_at(messages[0], ("content",))
    assert isinstance(content, list)
    _, image, file = content
    picture = segment(image, own_types=target.contents.own)
    assert isinstance(picture, MediaSegment)
    assert (picture.kind, picture.url[:22], PNG in picture.url) == ("image_url", "data:image/png;base64,", True)
    assert PDF in json.dumps(file) or "gs://bucket/a.pdf" in json.dumps(file)


@pytest.mark.parametrize("kind", CONVERSATIONS)
@pytest.mark.parametrize("name", ["sharegpt", "deepeval", "lm-eval", "skills", "skill-triggers"])
def test_files_are_told_by_name_kind_and_size_where_a_dialect_has_texts_alone(kind: str, name: str) -> None:
    made = made_of(CONVERSATIONS[kind], DIALECTS[name])
    report = "\n".join(made.report)
    if name == "sharegpt":
        assert any(PNG in str(url) for url in made.data["images"])  # type: ignore[union-attr]
    else:
        assert re.search(r"\[image image/png, \d+ bytes\]", report)
        assert PNG not in json.dumps(made.data)
    assert re.search(r"\[file (?:a(?:\.pdf)?, )?application/pdf, 9 bytes\]|\[file gs://bucket/a.pdf\]", report)
    assert PDF not in json.dumps(made.data)


@pytest.mark.parametrize("kind", CONVERSATIONS)
@pytest.mark.parametrize("dialect", STRUCTURED, ids=lambda dialect: str(dialect.name))
def test_within_a_dialect_messages_that_it_does_not_take_are_converted_too(kind: str, dialect: Dialect) -> None:
    made = within(CONVERSATIONS[kind], dialect)
    assert faults(made.data, dialect) == []
    written = AS_IT_IS.sub("", json.dumps(made.data))
    assert [text for text in (*TEXTS, *RESULTS) if AS_IT_IS.sub("", text) not in written] == []


STRUCTURAL = frozenset(
    """
    type role state status source_type media_type mediaType mimeType mime_type mime format name tool_call_id call_id
    id tool_use_id toolCallId toolUseId toolName callID tool arguments url image_url file_data
    """.split()  # noqa: SIM905
)
"""Keys whose texts say what something is, or what belongs together: another text there is another conversation."""


def marked(messages: list[Plain]) -> Iterator[tuple[DataPath, list[Plain]]]:
    """Yield messages with one text in them changed into one that is nowhere else, and where that is."""
    for path, value in leaves(messages):
        key = next(step for step in reversed(path) if isinstance(step, str))
        if isinstance(value, str) and key not in STRUCTURAL:
            changed = with_set(messages, path, f"{value}QZ")
            assert isinstance(changed, list)
            yield path, changed


@pytest.mark.parametrize("kind", CONVERSATIONS)
@pytest.mark.parametrize("name", ["calibrate", "agentv", "gage", "openai", "sharegpt", "inspect", "skills"])
def test_each_text_is_kept_or_told_by_its_place_though_it_stands_elsewhere_too(kind: str, name: str) -> None:
    for path, messages in marked(CONVERSATIONS[kind]):
        made = made_of(messages, DIALECTS[name])
        around = {shown(("messages", *path[:depth])) for depth in range(1, len(path) + 1)}
        told = bool(around.intersection(dropped(made.report)))
        kept = "QZ" in json.dumps(made.data)
        assert kept is not told, (path, made.report)


def test_what_is_dropped_is_told_though_the_same_value_is_kept_elsewhere() -> None:
    used: Table = {"type": "tool_use", "id": "c1", "name": "read", "input": {"a": "same"}, "caller": "same"}
    made = made_of([turn("user", "same"), turn("assistant", [used])], CALIBRATE)  # type: ignore[arg-type]
    assert made.report == ("messages[1].content[0].caller: dropped, calibrate has no place for it",)


def test_of_places_that_are_alike_the_first_are_told_and_how_many_more_there_are() -> None:
    asked: list[Plain] = [{"info": {"role": "user", "cost": 1}, "parts": [{"text": "Hi"}]}] * 10
    (line,) = made_of(asked, CALIBRATE).report
    assert line.startswith("messages[0].info.cost, messages[1].info.cost, ")
    assert line.endswith("messages[7].info.cost: dropped, calibrate has no place for it (2 more alike)")


def test_calls_without_ids_are_paired_with_their_results_by_name_and_order() -> None:
    calls: Plain = [{"functionCall": {"name": name, "args": {}}} for name in ("a", "b", "a")]
    results: Plain = [
        {"functionResponse": {"name": name, "response": {"of": number}}}
        for number, name in enumerate(("b", "a", "a"), 1)
    ]
    asked: list[Plain] = [turn(), {"role": "model", "parts": calls}, {"role": "user", "parts": results}]
    messages = made_of(asked, CALIBRATE).data["messages"]
    assert isinstance(messages, list)
    assert [call.id for call in calls_in(messages[1])] == ["call_1", "call_2", "call_3"]
    assert [answered_call(message) for message in messages[2:]] == ["call_2", "call_1", "call_3"]
