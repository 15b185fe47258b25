"""The dialects of other tools: each opens as its own, renders, is edited at one place, converts with a report."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from sampleui import open_deck
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.prompt.provider_request import body_of
from sampleui.review.samples.expectation import expectation, taking
from sampleui.sample.convert import convert
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.dialects.shipped import DIALECTS, detect
from sampleui.sample.fields import new_sample
from sampleui.sample.models.schema import schema
from sampleui.sample.parse import turns
from sampleui.text.diagnostic import Severity

from .build import found, sample_of

FOREIGN = [dialect for dialect in DIALECTS.values() if not dialect.weighed]
EXAMPLES = Path(__file__).parents[2] / "examples" / "field"
DECKS = [
    # file, dialect, roles of the first sample, the answer it wants, a value to edit
    ("openai-chat.jsonl", "openai", "system user assistant", None, ("messages", 1, "content")),
    ("openai-evals.jsonl", "openai", "system user", "Madrid", ("ideal",)),
    ("openai-dpo.jsonl", "openai", "user", "In January, very.", ("preferred_output", 0, "content")),
    ("trl.jsonl", "openai", "user", " blue.", ("chosen",)),
    ("sharegpt.json", "sharegpt", "system user assistant user assistant tool assistant", None, ("system",)),
    ("alpaca.json", "sharegpt", "user", "Bonjour", ("input",)),
    ("mt-bench.jsonl", "sharegpt", "user user", None, ("turns", 1)),
    ("inspect.jsonl", "inspect", "user", "Paris", ("target",)),
    ("inspect.csv", "inspect", "user", "Paris", ("input",)),
    ("pydantic-evals.yaml", "pydantic-evals", "user", "Paris", ("expected_output",)),
    ("deepeval.json", "deepeval", "user", "Paris", ("expected_output",)),
    ("lm-eval.jsonl", "lm-eval", "user", "blue", ("query",)),
    ("langsmith.jsonl", "langsmith", "user", "Paris", ("outputs", "answer")),
    ("langfuse.jsonl", "langfuse", "user", "Paris", ("expectedOutput",)),
    ("braintrust.jsonl", "braintrust", "user", "Paris", ("expected",)),
    ("promptfoo/promptfooconfig.yaml", "promptfoo", "", "paris", ("assert", 0, "value")),
    ("promptfoo/tests.jsonl", "promptfoo", "", "Madrid", ("vars", "question")),
    ("promptfoo/more.csv", "promptfoo", "", "equals: 4", ("question",)),
]


@pytest.mark.parametrize(("name", "dialect", "roles", "wanted", "path"), DECKS, ids=[deck[0] for deck in DECKS])
def test_a_deck_opens_renders_and_is_edited_at_one_place(
    tmp_path: Path, name: str, dialect: str, roles: str, wanted: str | None, path: DataPath
) -> None:
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    file = tmp_path / name
    deck = open_deck(file)
    assert (deck.dialect, deck.diagnostics) == (dialect, ())
    assert [turn.role for turn in turns(deck.samples[0])] == roles.split()
    assert all(deck.render(sample).question or not sample.context for sample in deck.samples if not roles)
    assert all(deck.render(sample).question for sample in deck.samples if roles)
    answer = expectation(deck.samples[0])
    assert (answer.text if answer else None) == wanted
    before = file.read_bytes()
    deck.set(0, path, "Ünder the «bridge»").save()
    after = file.read_bytes()
    assert open_deck(file).diagnostics == ()
    start = next(at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other)
    found = after.index("bridge»".encode(), start) + len("bridge»".encode())
    assert b"\n" not in after[start:found]
    assert before.endswith(after[found + 1 :])


NOBODYS: list[Table] = [
    {"input": "Hi"},
    {"input": "Hi", "output": "Hello", "expected": "Hello", "score": 1},
    {"input": "Hi", "target": "Hello", "scores": {"match": {"value": "C"}}},
    {"inputs": {"a": "b"}, "outputs": {"c": "d"}, "run_type": "chain"},
    {"prompt": "Hi", "completion": "Hello", "reward": 1.0},
    {"question": "Who?", "answer": "Ada"},
    {"messages": [{"role": "user", "content": "Hi"}]},
    {"id": "a", "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]},
    {"id": "a", "input": "Hi", "expected_output": "Hello"},
    {"id": "a", "input": "Hi", "criteria": "is kind", "target": "x"},
    {"conversations": [{"role": "user", "content": "Hi"}]},
    {"name": "x", "version": 1},
    {},
]


@pytest.mark.parametrize("row", NOBODYS, ids=" ".join)
@pytest.mark.parametrize("container", [(), ("samples",), ("tests",)])
def test_what_is_none_of_them_is_not_called_one(row: Table, container: tuple[str, ...]) -> None:
    assert detect(container, {}, [row]).dialect.weighed


@pytest.mark.parametrize("dialect", FOREIGN, ids=lambda dialect: dialect.name)
def test_the_schema_rejects_what_the_table_does(dialect: Dialect) -> None:
    defs = schema(dialect.name)["$defs"]
    assert isinstance(defs, dict)
    # A message may be any table here: the rules judge messages, each at its place.
    validator = Draft202012Validator({"$ref": "#/$defs/Sample", "$defs": {**defs, "Message": {"type": "object"}}})
    base: Table = {"inputs": {"question": "x"}} if "inputs" in dialect.required else {}
    base |= dict.fromkeys(dialect.required - {"inputs"}, "x")
    values: list[Plain] = ["text", 1, True, ["a"], [{"a": 1}], {"a": 1}, None]
    for key, junk in itertools.product(dialect.fields, values):
        if dialect.name == "openai" and key in ("input", "chosen") and isinstance(junk, dict):
            continue  # a table holds the messages there or is one, and the rules judge those
        errors = [one for one in found(dialect.name, {**base, key: junk}) if one.severity is Severity.ERROR]
        said = [one for one in errors if one.node == (key,)]
        assert validator.is_valid({**base, key: junk}) is (not said), (key, junk, said)


CASES: dict[str, Table] = {
    name.name: open_deck(EXAMPLES / file).samples[-1].data
    for name, file in ((DIALECTS[dialect], file) for file, dialect, *_ in DECKS)
}


@pytest.mark.parametrize(("source", "target"), itertools.permutations(DIALECTS, 2))
def test_a_conversion_says_every_loss(source: str, target: str) -> None:
    key = str(DIALECTS[source].message_paths[0][0])
    data = CASES.get(source, {"id": "a", key: [{"role": "user", "content": "2 + 2?"}]})
    converted = convert(data, DIALECTS[source], DIALECTS[target])
    written, told = json.dumps(converted.data), "\n".join(converted.report)
    for path, text in _texts(data):
        assert json.dumps(text)[1:-1] in written or str(path[0]) in told or path[-1] in ("role", "from", "type")
    made = sample_of(target, converted.data)
    assert turns(made) or "promptfoo" in (source, target), converted.data  # its prompts stand beside the tests


def _texts(value: Plain, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, dict):
        return [one for key, item in value.items() for one in _texts(item, (*path, key))]
    if isinstance(value, list):
        return [one for at, item in enumerate(value) for one in _texts(item, (*path, at))]
    return [(path, value)] if isinstance(value, str) else []


@pytest.mark.parametrize("dialect", FOREIGN, ids=lambda dialect: dialect.name)
def test_a_new_sample_is_of_its_dialect(dialect: Dialect) -> None:
    made = new_sample(dialect)
    assert turns(sample_of(dialect.name, made)) or made.get("vars")
    assert not [one for one in found(dialect.name, made) if one.rule.startswith("field")]


@pytest.mark.parametrize(
    ("data", "settings"),
    [
        (
            {"assert": [{"type": "llm-rubric", "value": "kind"}, {"type": "equals", "value": "4"}]},
            [(("assert", 1, "value"), "5")],
        ),
        ({"assert": [{"type": "contains-any", "value": ["a", "b"]}]}, []),
        ({"assert": [{"type": "javascript", "value": "output < 5"}]}, []),
        ({"__expected": "equals: 4"}, [(("__expected",), "equals: 5")]),
        ({"__expected": "4"}, [(("__expected",), "5")]),
        ({"__expected1": "llm-rubric: is kind", "__expected2": "contains:4"}, [(("__expected2",), "contains:5")]),
        ({"__expected": "javascript: output < 5"}, []),
        ({"vars": {}}, []),
    ],
)
def test_an_answer_takes_the_place_of_one_and_of_nothing_else(data: Table, settings: list[object]) -> None:
    taken = taking(sample_of("promptfoo", data), "5")
    assert [(one.path, one.value) for one in taken] == settings


HI: Table = {"role": "user", "content": "Hi"}
HO: Table = {"role": "assistant", "content": "Ho"}
CALLING: Table = {
    "messages": [
        {"role": "user", "content": "Rain?"},
        {"role": "assistant", "content": None, "function_call": {"name": "sky", "arguments": '{"at": "noon"}'}},
        {"role": "function", "name": "sky", "content": "clear"},
        {"role": "assistant", "content": "No"},
    ],
    "functions": [{"name": "sky"}],
}
USED: Table = {"type": "tool_use", "id": "sky", "name": "sky", "input": {"at": "noon"}}


@pytest.mark.parametrize(
    "row",
    [
        {"prompt": "Hi", "chosen": [HI, HO], "rejected": [HI, HO], "messages": [HI, HO], "score_chosen": 9.0},
        {"input": [HI]},
        CALLING,
    ],
    ids=["preferences with messages", "openai/evals without ideal", "functions"],
)
def test_further_rows_of_openai_are_its_own(tmp_path: Path, row: Table) -> None:
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps(row) + "\n", "utf-8")
    deck = open_deck(path)
    assert (deck.dialect, deck.diagnostics) == ("openai", ())


def test_openais_older_function_calls_are_sent(tmp_path: Path) -> None:
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps(CALLING) + "\n", "utf-8")
    deck = open_deck(path)
    rendered = deck.render(deck.samples[0])
    assert [*rendered.chat_prompt[-4:]] == CALLING["messages"]
    made = body_of(rendered.chat_prompt[-4:], "anthropic")["messages"]
    assert isinstance(made, list)
    assert made[1] == {"role": "assistant", "content": [USED]}
    assert made[2] == {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "sky", "content": "clear"}],
    }


@pytest.mark.parametrize(
    ("dialect", "data", "beside"),
    [
        ("langsmith", {"inputs": {"question": "hi", "context": "c"}, "outputs": {}}, "context"),
        ("langsmith", {"inputs": {"input": "hi", "chat_history": []}, "outputs": {}}, "chat_history"),
        ("langsmith", {"inputs": {"question": "hi", "context": None}, "outputs": {}}, ""),
        ("langsmith", {"inputs": {"topic": "x", "n": 3}, "outputs": {}}, ""),
        ("langfuse", {"input": {"messages": [{"role": "user", "content": "hi"}], "user": "u"}}, "user"),
        ("langfuse", {"input": {"question": "hi", "context": "c"}}, ""),
        ("pydantic-evals", {"inputs": {"messages": [{"role": "user", "content": "hi"}], "k": 1}}, "k"),
    ],
)
def test_inputs_beside_the_one_that_is_shown_are_told(dialect: str, data: Table, beside: str) -> None:
    told = [one.message for one in found(dialect, data) if one.rule == "inputs-beside"]
    assert [beside in message for message in told] == ([True] if beside else [])
