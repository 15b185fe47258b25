"""The rules of gage-eval samples, §1.2 to §1.5: exact messages and places."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sampleui.formats.data import Plain
from sampleui.integrations.gage.rules import TASK_TYPES
from tests.sample.build import EXAMPLES, found, gage, said, turn

TOOL: Plain = {"type": "function", "function": {"name": "get_weather", "parameters": {}}}
CALL: Plain = {"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
SHOT: dict[str, Plain] = {"messages": [turn()], "references": ["ok"]}


def test_the_thirteen_examples_of_the_specification_are_valid_as_written() -> None:
    lines = (EXAMPLES / "gage.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 13
    assert [finding for line in lines for finding in found("gage", json.loads(line))] == []


def test_a_sample_with_every_field_is_valid() -> None:
    full = gage(
        task_type="agent",
        options=[{"id": "A", "content": "x"}],
        label="Paris",
        few_shot_examples=[{**SHOT, "options": [], "label": "ok", "tools": [TOOL], "tool_choice": "none"}],
        golden_trajectories=[[{"role": "assistant", "tool_calls": [CALL]}, turn("tool")]],
        sandbox={"image": "python:3.12", "files": {"a/b.txt": "s3://x"}, "setup": "true", "env": {"A": "1"}},
        metadata={"split": "dev"},
        data_tag={"domain": "x"},
        raw_assets={},
        tools=[TOOL],
        tool_choice={"type": "function", "function": {"name": "get_weather"}},
        sampling_params={},
        generation_params={"max_tokens": 5},
        eval_config={},
        unconditioned_input="Answer:",
        predict_result=[{}],
        eval_result={"score": 1},
        own_key=[1],
    )
    assert found("gage", full) == []
    assert found("gage", gage(unconditioned_input=["Answer:"], predict_result=[])) == []


@pytest.mark.parametrize("key", ["schema_version", "references"])
def test_a_required_field_that_is_missing_is_an_error(key: str) -> None:
    assert said("gage", gage(**{key: ...})) == [("error", f"{key} is required", ())]


def test_id_and_messages_are_required_by_the_shared_rules() -> None:
    assert said("gage", gage(id=...)) == [("error", "Sample must have an id", ())]
    assert said("gage", gage(messages=...)) == [("error", "Sample must have messages array", ())]


@pytest.mark.parametrize(
    ("fields", "severity", "message", "node"),
    [
        ({"references": "Paris"}, "error", "references must be a list", ("references",)),
        ({"references": [3]}, "error", "references[0] must be a string or a table", ("references", 0)),
        ({"references": [{}]}, "error", "references[0].answer is required", ("references", 0)),
        (
            {"references": [{"answer": 3}]},
            "error",
            "references[0].answer must be a string or a list",
            ("references", 0, "answer"),
        ),
        (
            {"references": [{"answer": [{"type": "text"}]}]},
            "error",
            "references[0].answer[0] must have a text",
            ("references", 0, "answer", 0),
        ),
        (
            {"references": [{"answer": "x", "meta": 1}]},
            "error",
            "references[0].meta must be a table",
            ("references", 0, "meta"),
        ),
        ({"options": {"A": "x"}}, "error", "options must be a list", ("options",)),
        ({"options": ["x"]}, "error", "options[0] must be a table", ("options", 0)),
        ({"options": [{"id": "A"}]}, "error", "options[0].content is required", ("options", 0)),
        (
            {"options": [{"id": 1, "content": "x"}]},
            "error",
            "options[0].id must be a string",
            ("options", 0, "id"),
        ),
        ({"label": {"a": 1}}, "error", "label must be a string", ("label",)),
        ({"label": ["x"]}, "error", "label must be a string", ("label",)),
        ({"label": 3}, "error", "label must be a string", ("label",)),
        ({"schema_version": ""}, "error", "schema_version must not be blank", ("schema_version",)),
        ({"id": 7}, "error", "id must be a string", ("id",)),
        ({"schema_version": 1}, "error", "schema_version must be a string", ("schema_version",)),
        ({"metadata": []}, "error", "metadata must be a table", ("metadata",)),
        ({"data_tag": "x"}, "error", "data_tag must be a table", ("data_tag",)),
        ({"tools": {}}, "error", "tools must be a list", ("tools",)),
        ({"tools": [{"function": {"name": "x"}}]}, "error", "tools[0].type is required", ("tools", 0)),
        ({"tool_choice": 3}, "error", "tool_choice must be a string or a table", ("tool_choice",)),
        (
            {"unconditioned_input": 3},
            "error",
            "unconditioned_input must be a string or a list",
            ("unconditioned_input",),
        ),
        ({"predict_result": {}}, "error", "predict_result must be a list", ("predict_result",)),
        ({"eval_result": []}, "error", "eval_result must be a table", ("eval_result",)),
        ({"sandbox": "python"}, "error", "sandbox must be a table", ("sandbox",)),
        ({"sandbox": {"files": []}}, "error", "sandbox.files must be a table", ("sandbox", "files")),
        (
            {"golden_trajectories": [turn()]},
            "error",
            "golden_trajectories[0] must be a list",
            ("golden_trajectories", 0),
        ),
        (
            {"golden_trajectories": [[{"role": "tool"}]]},
            "error",
            "golden_trajectories[0][0] must have content",
            ("golden_trajectories", 0, 0),
        ),
        (
            {"few_shot_examples": [{"messages": [turn()]}]},
            "error",
            "few_shot_examples[0].references is required",
            ("few_shot_examples", 0),
        ),
        (
            {"few_shot_examples": [{"messages": [], "references": []}]},
            "error",
            "few_shot_examples[0].messages must not be empty",
            ("few_shot_examples", 0, "messages"),
        ),
        (
            {"few_shot_examples": [{"messages": [{"content": "x"}], "references": []}]},
            "error",
            "few_shot_examples[0].messages[0].role is required",
            ("few_shot_examples", 0, "messages", 0),
        ),
        (
            {"messages": [turn("user", [{"type": "image_url", "image_url": "a.png"}])]},
            "error",
            "messages[0].content[0].image_url must be a table",
            ("messages", 0, "content", 0, "image_url"),
        ),
        (
            {"messages": [turn("user", [{"type": "picture"}])]},
            "error",
            "messages[0].content[0] must have a type: text, image_url, audio_url, video_url or file_url",
            ("messages", 0, "content", 0),
        ),
        (
            {"messages": [{**turn(), "name": 3}]},
            "error",
            "messages[0].name must be a string",
            ("messages", 0, "name"),
        ),
    ],
)
def test_a_field_of_a_wrong_type_is_told_with_its_place(
    fields: dict[str, Plain], severity: str, message: str, node: tuple[str | int, ...]
) -> None:
    assert said("gage", gage(**fields)) == [(severity, message, node)]


@pytest.mark.parametrize(
    "reference",
    ["Paris", " Paris ", {"answer": "Paris"}, {"answer": [{"type": "text", "text": "Paris"}], "meta": {"n": 1}}],
)
def test_a_label_is_the_first_reference_as_a_string(reference: Plain) -> None:
    assert found("gage", gage(references=[reference, "other"], label="Paris")) == []
    message = 'label "Lyon" is not the first reference, "Paris"'
    assert said("gage", gage(references=[reference], label="Lyon")) == [("warning", message, ("label",))]


def media(*urls: str) -> list[Plain]:
    return [{"type": "image_url", "image_url": {"url": url}} for url in urls]


@pytest.mark.parametrize(
    ("label", "reference"),
    [
        ("paris", "Paris."),
        ("NEW YORK", "New-York"),
        ("1,000", "1000"),
        ("ÉTÉ", "été"),
        ("Dolphin", "B"),
        ("b", [{"type": "text", "text": "Dolphin"}]),
        ("refs/apple_0001.png", media("refs/apple_0001.png")),
        ("apple_0001.png", media("refs/apple_0001.png")),
        ("apple_0001", media("./refs/apple_0001.png")),
        ("img-77", media("https://example.org/7f3a.png")),
        ("shark.png", "the shark in the picture"),
    ],
)
def test_a_label_may_be_normalized_or_name_an_option_or_a_medium(label: str, reference: Plain) -> None:
    asked = turn("user", [*media("inputs/shark.png"), {"type": "text", "text": "Which?"}])
    data = gage(messages=[asked], options=OPTIONS, task_type="agent", references=[{"answer": reference}])
    assert found("gage", {**data, "label": label}) == []


@pytest.mark.parametrize(
    ("label", "reference"),
    [
        ("-3", "3"),
        ("3.5", "35"),
        ("12", "1 2"),
        ("+", "-"),
        ("refs/apple_0002.png", media("refs/apple_0001.png")),
        ("apple_0002.png", media("refs/apple_0001.png")),
    ],
)
def test_a_label_that_says_something_else_is_told(label: str, reference: Plain) -> None:
    data = gage(references=[{"answer": reference}], label=label)
    assert [finding.rule for finding in found("gage", data)] == ["label-mismatch"]


def test_the_label_of_a_few_shot_example_counts_too() -> None:
    node = ("few_shot_examples", 0, "label")
    message = 'label "no" is not the first reference, "ok"'
    assert said("gage", gage(few_shot_examples=[{**SHOT, "label": "no"}])) == [("warning", message, node)]


def test_few_shot_examples_are_compact() -> None:
    shot: Plain = {**SHOT, "few_shot_examples": [], "predict_result": [], "raw_assets": {}}
    at = ("few_shot_examples", 1)
    assert said("gage", gage(few_shot_examples=[SHOT, shot])) == [
        ("error", "Few-shot examples cannot be nested", (*at, "few_shot_examples")),
        ("error", "A few-shot example cannot carry predict_result", (*at, "predict_result")),
        ("error", "A few-shot example cannot carry raw_assets", (*at, "raw_assets")),
    ]


def test_a_tool_choice_that_names_no_tool_is_a_warning() -> None:
    words = "tool_choice is auto, none, required or a function"
    assert said("gage", gage(tool_choice="always")) == [("warning", words, ("tool_choice",))]
    choice: Plain = {"type": "function", "function": {"name": "other"}}
    message = 'tool_choice names "other", which is not in tools'
    assert said("gage", gage(tools=[TOOL], tool_choice=choice)) == [("warning", message, ("tool_choice",))]


@pytest.mark.parametrize("choice", ["auto", "none", "required"])
def test_tool_choice_words(choice: str) -> None:
    assert found("gage", gage(tools=[TOOL], tool_choice=choice)) == []


def test_a_tool_is_required_and_there_is_none() -> None:
    message = "tool_choice is required, and there are no tools"
    none: list[Any] = [[], None, ...]
    for tools in none:
        assert said("gage", gage(tools=tools, tool_choice="required")) == [("warning", message, ("tool_choice",))]
    shot: Plain = {**SHOT, "tool_choice": "required"}
    assert found("gage", gage(tools=[TOOL], few_shot_examples=[shot])) == []
    message = "tool_choice has no function.name: it names no tool"
    nameless: Plain = {"type": "function"}
    assert said("gage", gage(tools=[TOOL], tool_choice=nameless)) == [("warning", message, ("tool_choice",))]


@pytest.mark.parametrize(
    "call", [{"id": "1"}, {"id": "1", "function": {}}, {"function": {"name": ""}}, {"name": "get_weather"}]
)
def test_a_call_names_its_function(call: Plain) -> None:
    calling: Plain = {"role": "assistant", "tool_calls": [CALL, call]}
    words = "This call has no function.name: nothing says what is called"
    for fields, node in (
        ({"messages": [turn(), calling]}, ("messages", 1)),
        ({"golden_trajectories": [[calling]]}, ("golden_trajectories", 0, 0)),
        ({"few_shot_examples": [{**SHOT, "messages": [calling]}]}, ("few_shot_examples", 0, "messages", 0)),
    ):
        assert said("gage", gage(**fields)) == [("warning", words, (*node, "tool_calls", 1))]


def test_a_multiple_choice_needs_options() -> None:
    message = "The task multiple-choice needs options to choose between"
    for options, node in (([], ("options",)), (..., ())):
        data = gage(task_type="multiple-choice", options=options)
        assert said("gage", data) == [("warning", message, node)]


OPTIONS: Plain = [{"id": "A", "content": "Shark"}, {"id": "B", "content": "Dolphin"}]


@pytest.mark.parametrize(
    ("options", "held", "message", "key"),
    [
        (OPTIONS, {"A": "Shark", "B": " Dolphin"}, None, ()),
        (OPTIONS, {"A": "Shark"}, 'metadata.option_map lacks the option "B"', ()),
        (
            OPTIONS,
            {"A": "Shark", "B": "Whale"},
            'metadata.option_map has B as "Whale", and the option is "Dolphin"',
            ("B",),
        ),
        (
            OPTIONS,
            {"A": "Shark", "B": "Dolphin", "C": "Whale"},
            'metadata.option_map has "C", which is no option',
            ("C",),
        ),
        (OPTIONS, ["Shark", "Dolphin"], "metadata.option_map must be a table", ()),
        (..., {"A": "Shark"}, None, ()),
        (..., {}, None, ()),
    ],
)
def test_the_map_of_the_options_is_held_against_them(
    options: Plain, held: Plain, message: str | None, key: tuple[str, ...]
) -> None:
    data = gage(options=options, references=["A"], metadata={"option_map": held})
    wanted = [("warning", message, ("metadata", "option_map", *key))] if message else []
    assert said("gage", data, "option-map") == wanted


@pytest.mark.parametrize("name", ["/etc/x", "C:\\x", "..", "../x", "a/../../x", "~/x", "\\x", "a\\..\\x", ""])
def test_sandbox_targets_are_relative(name: str) -> None:
    message = f'sandbox.files: "{name}" must be a relative path'
    assert said("gage", gage(sandbox={"files": {name: "x"}})) == [("error", message, ("sandbox", "files", name))]


@pytest.mark.parametrize("name", ["x", "a/b.c", "..a/b", "a..", ".env", "a/..b"])
def test_sandbox_targets_that_are_relative(name: str) -> None:
    assert found("gage", gage(sandbox={"files": {name: "x"}})) == []


def test_older_names_are_hints_with_their_cure() -> None:
    cure = "M in the app, or sampleui convert --from gage --to gage,"
    message = f"question_type is now task_type; {cure} renames it"
    assert said("gage", gage(question_type="short-answer")) == [("hint", message, ("question_type",))]
    node = ("model_prompt_tmpl",)
    message = f"model_prompt_tmpl is deprecated; use messages; {cure} puts it under metadata"
    assert said("gage", gage(model_prompt_tmpl="{q}")) == [("warning", message, node)]


@pytest.mark.parametrize("value", TASK_TYPES)
def test_known_task_types_are_no_problem(value: str) -> None:
    assert found("gage", gage(task_type=value, options=[{"id": "A", "content": "Paris"}])) == []


def test_an_unknown_task_type_is_a_hint() -> None:
    assert said("gage", gage(task_type="riddle")) == [("hint", 'Unknown task_type "riddle"', ("task_type",))]


def test_an_older_record_is_checked_as_the_sample_it_maps_to() -> None:
    cure = "M in the app, or sampleui convert --from gage --to gage,"
    message = f"Older record (question, choices, answer), shown as it is spelled today; {cure} rewrites it"
    data: dict[str, Any] = {"id": "a", "question": "?", "choices": ["x", "y"], "answer": 1}
    assert said("gage", data) == [("warning", message, ("question",))]
    broken = {**data, "sandbox": 3}
    assert ("error", "sandbox must be a table", ("sandbox",)) in said("gage", broken)
    del data["answer"]
    assert ("error", "references is required", ()) in said("gage", data)


def test_the_problems_deck_has_every_gage_problem() -> None:
    lines = (EXAMPLES / "problems.jsonl").read_text("utf-8").splitlines()
    rules = {finding.rule for line in lines for finding in found("gage", json.loads(line))}
    shape = {"field-missing", "field-type", "id-missing", "unknown-key", "legacy-record"}
    few = {"few-shot-nested", "few-shot-field", "label-mismatch", "tool-choice", "sandbox-path"}
    few |= {"options-missing", "option-map", "call-unnamed"}
    assert rules == shape | few | {"question-type", "prompt-deprecated", "task-type-unknown"}


def test_options_of_one_id() -> None:
    options: Plain = [{"id": "A", "content": "x"}, {"id": "B", "content": "y"}, {"id": "A", "content": "z"}]
    message = 'The id "A" is already that of option 1'
    assert said("gage", gage(options=options, references=["A"])) == [("warning", message, ("options", 2, "id"))]


@pytest.mark.parametrize(("answer", "wanted"), [("A", True), ("Dolphin", True), ("C", False), ("dolphin", False)])
def test_an_answer_is_an_option_by_id_or_by_text(answer: str, wanted: bool) -> None:
    options: Plain = [{"id": "A", "content": "Shark"}, {"id": "B", "content": "Dolphin"}]
    shot: Plain = {**SHOT, "options": options, "references": [answer]}
    for data, node in (
        (gage(options=options, references=[answer]), ("references", 0)),
        (gage(few_shot_examples=[shot]), ("few_shot_examples", 0, "references", 0)),
    ):
        message = f'The answer "{answer}" is not one of the options'
        assert said("gage", data, "answer-no-option") == ([] if wanted else [("warning", message, node)])


def test_a_tool_without_a_name() -> None:
    message = "This tool has no function.name to call it by"
    assert said("gage", gage(tools=[TOOL, {"type": "function"}])) == [("warning", message, ("tools", 1))]
    assert said("gage", gage(tools=[{"type": "web_search"}])) == []


def test_the_tool_choice_of_an_example() -> None:
    node = ("few_shot_examples", 0, "tool_choice")
    choice: Plain = {"type": "function", "function": {"name": "get_weather"}}
    words = "tool_choice is auto, none, required or a function"
    assert said("gage", gage(few_shot_examples=[{**SHOT, "tool_choice": "always"}])) == [("warning", words, node)]
    missing = 'tool_choice names "get_weather", which is not in tools'
    assert said("gage", gage(few_shot_examples=[{**SHOT, "tool_choice": choice}])) == [("warning", missing, node)]


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"task_type": "short-answer"}, "The task short-answer needs an answer in references"),
        ({"options": [{"id": "A", "content": "x"}]}, "A choice between options needs an answer in references"),
        ({"task_type": "agent"}, None),
        ({}, None),
    ],
)
def test_references_where_the_task_needs_them(fields: dict[str, Plain], wanted: str | None) -> None:
    empty: list[Plain] = [[], [""], [{"answer": []}]]
    for references in empty:
        found = said("gage", gage(references=references, **fields), "references-empty")
        assert found == ([("warning", wanted, ("references",))] if wanted else [])


@pytest.mark.parametrize("task", [["short-answer"], {}, 3, True])
def test_a_task_type_that_is_no_text_is_a_finding_and_no_failure(task: Plain) -> None:
    data = gage(task_type=task, references=["x"], options=[{"id": "A", "content": "x"}])
    assert [node for severity, _, node in said("gage", data) if severity == "error"] == [("task_type",)]
