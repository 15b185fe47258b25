from __future__ import annotations

import itertools
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.formats.data import Plain, Table
from sampleui.integrations.agentv.dialect import AGENTV
from sampleui.integrations.calibrate.dialect import CALIBRATE
from sampleui.integrations.gage.dialect import GAGE
from sampleui.sample.convert import convert
from sampleui.sample.convert.tabled import from_table
from sampleui.sample.dialects.shipped import DIALECTS, Dialect
from sampleui.sample.parse import turns

from .build import EXAMPLES, found, sample_of, turn

IMAGE: Plain = {"type": "image_url", "image_url": {"url": "a.png"}}


def test_the_same_dialect_changes_nothing() -> None:
    data: Table = {"messages": [turn()]}
    assert convert(data, GAGE, GAGE).data is data


def test_calibrate_to_gage() -> None:
    data: Table = {"id": "a", "messages": [turn()], "expected": "Paris", "score": 3, "tags": ["x"]}
    converted = convert(data, CALIBRATE, GAGE)
    assert converted.data == {
        "id": "a",
        "messages": [turn()],
        "schema_version": "v1",
        "references": [{"answer": [{"type": "text", "text": "Paris"}]}],
        "label": "Paris",
        "metadata": {"score": 3, "tags": ["x"]},
    }
    assert [*converted.data][:3] == ["schema_version", "id", "messages"]
    assert converted.report == ("score: kept as metadata.score", "tags: kept as metadata.tags")


def test_agentv_to_calibrate() -> None:
    data: Table = {
        "id": "a",
        "input_messages": [turn("user", [{"type": "text", "value": "One"}, {"type": "text", "value": "Two"}])],
        "expected_messages": [turn("assistant", "Paris")],
        "expected_outcome": "names the capital",
        "execution": {"target": "x"},
        "metadata": {"tags": ["geo"], "owner": "me"},
    }
    converted = convert(data, AGENTV, CALIBRATE)
    assert converted.data == {
        "id": "a",
        "messages": [turn("user", "One\nTwo")],
        "expected": {"criteria": "names the capital", "output": "Paris"},
        "tags": ["geo"],
    }
    assert converted.report == (
        "criteria: kept as expected.criteria",
        "execution: dropped, calibrate has no place for it",
        "metadata.owner: dropped, calibrate has no place for it",
    )


def test_gage_to_agentv() -> None:
    data: Table = {
        "schema_version": "v1",
        "id": "a",
        "messages": [turn("user", [IMAGE, {"type": "file_url", "file_url": {"url": "a.pdf"}}])],
        "references": ["Paris"],
        "label": "Paris",
        "tools": [],
    }
    converted = convert(data, GAGE, AGENTV)
    assert converted.data == {
        "id": "a",
        "input_messages": [turn("user", [IMAGE, {"type": "file", "value": "a.pdf"}])],
        "expected_messages": [turn("assistant", "Paris")],
        "metadata": {"schema_version": "v1", "tools": []},
    }
    assert converted.report == (
        "messages: media segments are kept; AgentV itself reads text and files",
        "messages: file_url segments are written as files, which are sent as text",
        "schema_version: kept as metadata.schema_version",
        "tools: kept as metadata.tools",
    )


def test_an_older_record_is_converted_as_the_sample_it_maps_to() -> None:
    converted = convert({"id": "a", "question": "?", "answer": "x"}, GAGE, CALIBRATE)
    assert converted.data == {"id": "a", "messages": [turn("user", "?")], "expected": "x"}
    assert converted.report == ("question, answer: read as an older record",)


def test_structured_content_becomes_json_text() -> None:
    converted = convert({"id": "a", "input_messages": [turn("user", {"row": 1})]}, AGENTV, GAGE)
    assert converted.data["messages"] == [turn("user", '{\n  "row": 1\n}')]
    assert "messages: structured content is written as JSON text" in converted.report


def test_agentv_short_forms_are_written_out() -> None:
    data: Table = {"id": "a", "vars": {"input": "Hi", "topic": "tea"}}
    converted = convert(data, AGENTV, GAGE)
    assert converted.data["messages"] == [turn("user", "Hi")]
    assert converted.data["metadata"] == {"vars": {"topic": "tea"}}
    data = {"id": "a", "input": "Read", "input_files": ["a.md"]}
    assert convert(data, AGENTV, CALIBRATE).data["messages"] == [
        turn("user", [{"type": "file", "value": "a.md"}, {"type": "text", "value": "Read"}])
    ]


def test_fields_that_mean_the_same_are_all_kept() -> None:
    data: Table = {"id": "a", "input": "Hi", "criteria": "one", "outcome": "two", "metadata": {"criteria": "three"}}
    converted = convert(data, AGENTV, GAGE)
    assert converted.data["metadata"] == {"criteria": "three", "agentv_criteria": "one", "outcome": "two"}


def test_a_field_named_like_the_messages_of_the_target_is_kept() -> None:
    converted = convert({"messages": [turn()], "input_messages": "mine"}, CALIBRATE, AGENTV)
    assert converted.data == {"input_messages": [turn()], "metadata": {"input_messages": "mine"}}


def test_messages_that_are_no_messages_are_reported() -> None:
    converted = convert({"messages": "Hi"}, CALIBRATE, AGENTV)
    assert converted.data == {"metadata": {"messages": "Hi"}}
    assert converted.report == ("messages: kept as metadata.messages",)


ANSWERS: list[Plain] = [
    "Paris",
    "",
    ["Paris", "Lyon"],
    ["Paris"],
    [],
    {"score": 1, "reason": "right"},
    3,
    False,
    [turn("assistant"), turn("tool")],
]


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("through", [AGENTV, GAGE])
def test_an_expectation_comes_back_as_it_was(answer: Plain, through: Dialect) -> None:
    data: Table = {"id": "a", "messages": [turn()], "expected": answer, "score": -1, "description": "why"}
    there = convert(data, CALIBRATE, through)
    text = through is AGENTV and isinstance(answer, int)
    assert (
        convert(there.data, through, CALIBRATE).data == {**data, "expected": json.dumps(answer)} if text else data
    )
    assert ("expected: written as text" in there.report) is text


@pytest.mark.parametrize("through", [CALIBRATE, GAGE])
def test_criteria_come_back_as_they_were(through: Dialect) -> None:
    data: Table = {
        "id": "a",
        "input_messages": [turn()],
        "expected_outcome": "good",
        "expected_messages": [turn("assistant", {"risk": "high"})],
    }
    back = convert(convert(data, AGENTV, through).data, through, AGENTV).data
    assert {key: value for key, value in back.items() if key != "metadata"} == data


def test_the_gage_examples_come_back_from_agentv_as_they_were() -> None:
    for line in (EXAMPLES / "gage.jsonl").read_text("utf-8").splitlines():
        data = json.loads(line)
        back = convert(convert(data, GAGE, AGENTV).data, AGENTV, GAGE).data
        assert {key: value for key, value in back.items() if key in data} == data
        assert back.keys() - data.keys() <= {"label"}
        assert found("gage", back) == []


PAIRS = [pair for pair in itertools.product(DIALECTS.values(), repeat=2) if pair[0] is not pair[1]]
OWN_PAIRS = [*itertools.permutations((CALIBRATE, AGENTV, GAGE), 2)]
"""Those of the dialects whose metadata stand under `metadata`; test_foreign.py has a test of every pair."""

TEXTS = st.text(max_size=5)
SEGMENTS = st.lists(
    st.one_of(
        st.builds(lambda text: {"type": "text", "value": text}, TEXTS),
        st.builds(lambda path: {"type": "file", "value": path}, st.text(min_size=1, max_size=5)),
        st.just(IMAGE),
    ),
    max_size=3,
)
CONVERSATIONS = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user", "tool"]), "content": TEXTS | SEGMENTS},
        optional={"name": TEXTS, "tool_calls": st.just([{"tool": "x"}])},
    ),
    max_size=4,
)


def heard(dialect: Dialect, data: Table) -> list[object]:
    """Return what a model is told: role, the segments with bare texts joined, and the extra keys of each turn."""
    told: list[object] = []
    for message in turns(sample_of(dialect.name, data)):
        parts = [
            getattr(part, "text", None) or getattr(part, "path", None) or getattr(part, "url", None) or ""
            for part in message.segments
        ]
        told.append((message.role, "\n".join(part for part in parts if part.strip()), message.extra))
    return told


@settings(deadline=None)
@given(CONVERSATIONS, st.sampled_from(OWN_PAIRS))
def test_a_conversion_keeps_what_is_said(messages: list[Plain], pair: tuple[Dialect, Dialect]) -> None:
    source, target = pair
    data: Table = {"id": "a", str(source.message_paths[0][0]): messages}
    there = convert(data, source, target).data
    assert heard(target, there) == heard(source, data)
    assert heard(source, convert(there, target, source).data) == heard(source, data)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
KNOWN = sorted(frozenset().union(*(dialect.known for dialect in DIALECTS.values())))
ANYTHING = st.dictionaries(st.sampled_from(KNOWN) | st.text("xy_", max_size=3), PLAIN, max_size=6)


@settings(deadline=None)
@given(ANYTHING, st.sampled_from(OWN_PAIRS))
def test_nothing_is_dropped_without_a_word(data: Table, pair: tuple[Dialect, Dialect]) -> None:
    """Every field is in the result, or the report names it; messages and expectations have tests of their own."""
    source, target = pair
    converted = convert(data, source, target)
    metadata = converted.data.get("metadata")
    held = metadata if isinstance(metadata, dict) else {}
    meant = {*source.expected_keys, *(str(path[0]) for path in source.message_paths), "metadata", "input_files"}
    for key, value in data.items():
        reported = any(_names({*line.split(":")[0].split(", ")}, key) for line in converted.report)
        assert key in meant or reported or converted.data.get(key, ...) == value or held.get(key, ...) == value


SHAPES = st.sampled_from(
    [
        lambda token: token,
        lambda token: [token],
        lambda token: {"key": token},
        lambda token: [turn("assistant", token)],
        lambda token: [{"answer": token}],
        lambda token: {"criteria": token},
    ]
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(KNOWN), SHAPES, max_size=8), st.sampled_from(PAIRS))
def test_every_value_is_in_the_result_or_its_field_in_the_report(
    shapes: dict[str, Callable[[str], Plain]], pair: tuple[Dialect, Dialect]
) -> None:
    source, target = pair
    data: Table = {key: shape(f"<{key}>") for key, shape in shapes.items()}
    converted = convert(data, source, target)
    written = json.dumps(converted.data)
    named = {name for line in converted.report for name in line.split(":")[0].split(", ")}
    assert {key for key in data if f"<{key}>" not in written and not _names(named, key)} == set()


def _names(named: set[str], key: str) -> bool:
    return any(name in (key, f"metadata.{key}") or name.startswith((f"{key}.", f"{key}[")) for name in named)


@pytest.mark.parametrize("url", ["https://example.org/a.pdf", "data:text/plain,hi", "//example.org/a"])
def test_a_remote_file_does_not_become_a_local_one(url: str) -> None:
    held: Plain = [{"type": "file_url", "file_url": {"url": url}}]
    converted = convert({"id": "a", "messages": [turn("user", held)]}, GAGE, AGENTV)
    assert converted.data["input_messages"] == [turn("user", held)]
    assert "messages: media segments are kept; AgentV itself reads text and files" in converted.report


def test_an_answer_that_became_a_field_of_the_target_is_not_kept_beside_it() -> None:
    row: Table = {"question": "q", "ideal": "a", "input": [{"role": "user", "content": "q"}]}
    case = from_table(row, DIALECTS["openai"])
    assert case.answer == "a"
    assert "ideal" not in case.rest


def test_a_loss_is_reported_by_the_key_that_the_sample_has() -> None:
    assert convert({"expected_outcome": "Kind"}, DIALECTS["agentv"], DIALECTS["openai"]).report == (
        "expected_outcome: dropped, OpenAI has no place for it",
    )


def test_a_key_that_both_dialects_know_keeps_its_place() -> None:
    data: Table = {"id": "a", "description": "What for", "messages": [turn()], "metadata": "loose"}
    converted = convert(data, CALIBRATE, AGENTV)
    assert converted.data["description"] == "What for"
    # A word under the key of the target's metadata is no metadata, and goes below it.
    assert converted.data["metadata"] == {"metadata": "loose"}
    assert converted.report == ("metadata: kept as metadata.metadata",)


@pytest.mark.parametrize(
    ("held", "report"),
    [
        ("loose", ("additional_metadata: dropped, calibrate has no place for it",)),
        ({"a": 1, "tags": ["x"]}, ("additional_metadata.a: dropped, calibrate has no place for it",)),
    ],
)
def test_metadata_without_a_place_is_named_as_the_sample_names_it(held: Plain, report: tuple[str, ...]) -> None:
    source = DIALECTS["deepeval"]
    assert convert({"additional_metadata": held}, source, CALIBRATE).report == report
    both = convert({"additional_metadata": held, "metadata": "other"}, source, CALIBRATE)
    assert "metadata: dropped, calibrate has no place for it" in both.report
    assert any(line.startswith("additional_metadata") for line in both.report)


IN_VARS: Table = {
    "id": "a",
    "vars": {"input": [turn()], "expected_output": [turn("assistant", "4")], "tone": "kind"},
    "assert": ["Says 4"],
}


def test_a_sample_of_agentv_5_is_converted_with_its_answer() -> None:
    converted = convert(IN_VARS, DIALECTS["agentv"], DIALECTS["calibrate"])
    assert converted.data["messages"] == [turn()] and converted.data["expected"] == "4"
    assert "vars.tone: dropped, calibrate has no place for it" in converted.report
    converted = convert(IN_VARS, DIALECTS["agentv"], DIALECTS["inspect"])
    assert converted.data["target"] == "4"
    assert converted.data["metadata"] == {"assert": ["Says 4"], "vars": {"tone": "kind"}}


@pytest.mark.parametrize(
    ("data", "source"),
    [
        ({"id": "a", "messages": [turn()], "expected": "4"}, "calibrate"),
        ({"id": "a", "input_messages": [turn()], "expected_messages": [turn("assistant", "4")]}, "agentv"),
        ({"id": "a", "input": [turn()], "expected_output": "4"}, "agentv"),
    ],
)
def test_among_samples_of_agentv_5_messages_and_answer_are_variables(data: Table, source: str) -> None:
    converted = convert(data, DIALECTS[source], DIALECTS["agentv"], ("vars", "input"))
    assert converted.data == {"id": "a", "vars": {"input": [turn()], "expected_output": "4"}}
