"""Which dialect a deck is in: by the keys that only one has, however many samples there are."""

from __future__ import annotations

import csv
import itertools
import json
import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from ruamel.yaml import YAML

from sampleui import Deck, new_deck, open_deck
from sampleui.errors import DeckError, UnknownDialectError
from sampleui.formats.data import Table
from sampleui.formats.yaml.pieces import YAML_CONTAINERS
from sampleui.sample.dialects.shipped import DIALECTS, LOOKED_AT, NOTHING_TELLS, Dialect, detect, is_shown
from sampleui.sample.fields import first_sample
from sampleui.sample.parse import turns
from sampleui.workspace.reading import USUAL, dialects_of_new

from .build import turn

FORMATS = ("toml", "yaml", "json", "jsonl", "csv", "tsv")
COUNTS = (*range(1, 11), 30)
MINIMAL: dict[str, Table] = {
    "calibrate": {"messages": [turn()]},
    "agentv": {"id": "a", "input_messages": [turn()]},
    "gage": {"schema_version": "v1", "id": "a", "messages": [turn()], "references": []},
}
FULL: dict[str, Table] = {
    "calibrate": {
        "id": "a",
        "description": "Why: because",
        "tags": ["short", "yes"],
        "score": -2.5,
        "messages": [turn("system", "Be brief.\nBe kind.\n"), turn(), turn("assistant", "4")],
        "expected": {"score": 3, "reason": "Right", "parts": [1, 2.5, True]},
    },
    "agentv": {
        "id": "a",
        "conversation_id": "c",
        "input_messages": [
            turn("system", "Be brief."),
            {"role": "user", "content": [{"type": "text", "value": "Look:\n\n  at this"}]},
        ],
        "expected_messages": [turn("assistant", "4")],
        "expected_outcome": "Answers: 4",
        "rubrics": ["is short", {"id": "r", "weight": 2.0}],
        "execution": {"target": "default", "evaluators": [{"name": "judge", "type": "llm_judge"}]},
        "metadata": {"tags": ["a"], "nested": {"deep": [{"x": "1"}]}},
    },
    "gage": {
        "schema_version": "v1",
        "id": "a",
        "task_type": "multiple-choice",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Which?"}]}],
        "options": [{"id": "A", "content": "Shark"}, {"id": "B", "content": "Dolphin"}],
        "references": [{"answer": [{"type": "text", "text": "B"}]}],
        "label": "B",
        "few_shot_examples": [{"messages": [turn()], "references": ["4"], "label": "4"}],
        "golden_trajectories": [[turn("assistant", "B")]],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
        "tool_choice": "auto",
        "metadata": {"option_map": {"A": "Shark", "B": "Dolphin"}},
        "data_tag": {"domain": "sea"},
    },
}


def filled(path: Path, dialect: str, samples: list[Table]) -> Deck:
    deck = new_deck(path, dialect)
    for at, sample in enumerate(samples):
        named = {**sample, "id": f"a{at}"} if "id" in sample else sample
        deck = deck.insert_sample(at, named)
    deck.save()
    return deck


@pytest.mark.parametrize(("form", "dialect"), itertools.product(FORMATS, MINIMAL))
def test_a_new_deck_reads_back_as_it_was_written(tmp_path: Path, form: str, dialect: str) -> None:
    for count, kind in itertools.product((1, 2, 10), (MINIMAL, FULL)):
        path = tmp_path / f"{count}-{kind is FULL}.{form}"
        deck = filled(path, dialect, [kind[dialect]] * count)
        again = open_deck(path)
        assert again.dialect == dialect, path.read_text(encoding="utf-8")
        assert [sample.data for sample in again.samples] == [sample.data for sample in deck.samples]
        assert again.diagnostics == (), path.read_text(encoding="utf-8")
        assert as_others_read(path) == [sample.data for sample in deck.samples]


@pytest.mark.parametrize(
    ("dialect", "form"), [(one, form) for one in DIALECTS.values() for form in one.formats if form != "markdown"]
)
def test_a_deck_that_was_begun_reads_back_as_one_of_its_tool(tmp_path: Path, dialect: Dialect, form: str) -> None:
    path = tmp_path / f"new.{form}"
    assert dialect in dialects_of_new(path, USUAL).values()
    first = first_sample(dialect)
    deck = new_deck(path, dialect.name).insert_sample(0, first)
    deck.save()
    again = open_deck(path)
    assert (again.dialect, again.samples[0].data) == (dialect.name, first), path.read_text(encoding="utf-8")
    assert dialect.asked_by_prompts or turns(again.samples[0])[0].role == "user"


def as_cell(cell: str) -> object:
    """Return what a cell says: JSON where it can be."""
    try:
        return json.loads(cell)
    except ValueError:
        return cell


def as_others_read(path: Path) -> list[object]:
    """Return the samples of a deck as a strict reader of another maker reads them."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    if path.suffix in {".csv", ".tsv"}:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = csv.DictReader(lines, delimiter="\t" if path.suffix == ".tsv" else ",", strict=True)
            return [{key: as_cell(cell) for key, cell in row.items() if cell} for row in rows]
    readers: dict[str, Callable[[str], Any]] = {
        ".toml": tomllib.loads,
        ".yaml": YAML(typ="safe", pure=True).load,
        ".json": json.loads,
    }
    data = readers[path.suffix](text)
    held = data if isinstance(data, list) else next(data[key] for key in YAML_CONTAINERS if key in data)
    if path.suffix == ".yaml":
        assert yaml.safe_load(text) == data
    return list(held)


@pytest.mark.parametrize("form", FORMATS)
def test_minimal_and_full_samples_in_any_order_are_one_dialect(tmp_path: Path, form: str) -> None:
    for dialect, minimal in MINIMAL.items():
        mixed = [minimal] * 5 + [FULL[dialect]] * 5
        random.Random(form).shuffle(mixed)
        filled(tmp_path / f"{dialect}.{form}", dialect, mixed)
        assert open_deck(tmp_path / f"{dialect}.{form}").dialect == dialect


@pytest.mark.parametrize("container", [("samples",), ("evalcases",), ("tests",), ()])
@pytest.mark.parametrize(
    ("sample", "wanted"),
    [
        ({"input_messages": [turn()], "expected": "x", "score": 1}, "agentv"),
        ({"schema_version": "v1", "messages": [turn()], "expected": "x", "score": 1}, "gage"),
        ({"messages": [turn()], "expected": {}, "score": 1}, "calibrate"),
    ],
)
def test_a_key_that_tells_a_dialect_apart_decides_for_any_number_of_samples(
    container: tuple[str, ...], sample: Table, wanted: str
) -> None:
    assert {detect(container, {}, [sample] * count).dialect.name for count in COUNTS} == {wanted}


def test_the_reason_names_the_keys() -> None:
    assert detect(("tests",), {}, [{"id": "a", "criteria": "x"}]).reason == (
        "samples have criteria; they are under tests"
    )
    assert detect((), {}, [{"messages": []}]).reason == "no key tells another dialect"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("a.yaml", "agentv"), ("a.yml", "agentv"), ("a.jsonl", "gage"), ("a.json", "gage"), ("a.toml", "calibrate")],
)
def test_a_new_deck_has_the_usual_dialect_of_its_form(tmp_path: Path, name: str, wanted: str) -> None:
    assert new_deck(tmp_path / name).dialect == wanted


def test_a_new_deck_of_no_form_or_dialect_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"\.toml"):
        new_deck(tmp_path / "deck.txt")
    with pytest.raises(DeckError, match=r"only refers to files of samples; .* index\.deck\.toml"):
        new_deck(tmp_path / "index.deck.md")
    with pytest.raises(UnknownDialectError, match="calibrate"):
        new_deck(tmp_path / "deck.toml", "other")


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        ({"question": "q", "answer": "a"}, "gage"),
        ({"id": "1", "question": "q", "answer": "a"}, "calibrate"),
        ({"question": "q", "answer": "a", "context": "c"}, "calibrate"),
        ({"id": "1", "prompt": "p"}, "calibrate"),
        ({"question": "q", "choices": ["x", "y"], "answer": 1}, "gage"),
        ({"question": "q", "answer": "a", "question_type": "short-answer"}, "gage"),
    ],
)
def test_a_question_and_an_answer_and_nothing_else_are_gages_oldest_form(
    record: dict[str, object], wanted: str
) -> None:
    assert detect((), {}, [record]).dialect.name == wanted  # type: ignore[list-item]
    shown = "question_type" in record or "choices" in record
    assert is_shown((), [record]) is shown  # type: ignore[list-item] # in a folder it is any data set


@pytest.mark.parametrize(
    "keys", ["text label", "question answer context", "prompt label", "question answer label", "id text label"]
)
@pytest.mark.parametrize("count", [1, 3, 20])
def test_a_record_of_any_data_set_is_no_older_record(keys: str, count: int) -> None:
    records: list[Table] = [{key: f"{key} {at}" for key in keys.split()} for at in range(count)]
    assert detect((), {}, records).dialect.name == "calibrate"


@pytest.mark.parametrize(
    "record",
    [
        {"question": "Q", "subject": "anatomy", "choices": ["x", "y"], "answer": 1},
        {"id": "M_1", "question": "Q", "choices": {"text": ["x"], "label": ["A"]}, "answerKey": "A"},
        {"question_id": 7, "question": "Q", "options": ["x", "y"], "answer": "I", "answer_index": 8},
        {"label": "b", "context": "C", "question": "Q", "options": ["x", "y"]},
    ],
)
def test_the_rows_of_other_quizzes_are_no_older_records(record: Table) -> None:
    assert detect((), {}, [record]).reason == NOTHING_TELLS
    of_gage: tuple[Table, ...] = ({"question_type": "quiz"}, {"schema_version": "v1"}, {"messages": [turn()]})
    for own in of_gage:
        assert detect((), {}, [{**record, **own}]).dialect.name == "gage"


@pytest.mark.parametrize(
    "row",
    [
        {"id": "a", "input": "2 + 2?", "output": "4"},
        {"id": "a", "input": [turn()], "output": "4", "error": None},
        {"input": "2 + 2?", "response": "4", "model": "m"},
    ],
)
def test_an_input_with_an_answer_is_a_row_of_results_and_not_of_agentv(row: Table) -> None:
    assert detect((), {}, [row]).reason == NOTHING_TELLS
    assert not is_shown((), [row])
    for own in ("criteria", "expected_output", "assertions"):
        assert detect((), {}, [{**row, own: "4"}]).dialect.name == "agentv"


def test_an_older_record_may_have_media_beside_its_choices() -> None:
    record: Table = {"id": "q1", "question": "Q", "choices": ["x", "y"], "answer": 1, "image_urls": ["a.png"]}
    assert detect((), {}, [record]).dialect.name == "gage"


def test_choices_that_nothing_asks_are_what_a_model_answered() -> None:
    answer: Table = {"question_id": 1, "model_id": "m", "choices": [{"index": 0, "turns": ["yes"]}]}
    assert detect((), {}, [answer]).dialect.name == "calibrate"


@pytest.mark.parametrize("key", ["choices", "schema_version", "task_type", "options", "references"])
def test_with_something_of_gage_a_label_is_of_gage(key: str) -> None:
    assert detect((), {}, [{"question": "Q", "label": "A", key: ["A", "B"]}]).dialect.name == "gage"


def test_the_reason_names_no_place_that_other_dialects_have_too() -> None:
    reason = detect(("samples",), {}, [{"input_messages": [turn()], "criteria": "x"}]).reason
    assert "criteria" in reason and "samples" not in reason.replace("samples have", "")


@pytest.mark.parametrize("container", [(), ("samples",), ("rows",), ("data", "rows")])
def test_a_place_that_tells_nothing_is_no_reason(container: tuple[str, ...]) -> None:
    assert detect(container, {}, [{"messages": []}]).reason == "no key tells another dialect"


@pytest.mark.parametrize(("container", "wanted"), [(("samples",), "gage"), ((), "agentv"), (("rows",), "agentv")])
def test_where_keys_tell_two_dialects_the_place_decides(container: tuple[str, ...], wanted: str) -> None:
    assert detect(container, {}, [{"evaluators": [], "references": []}]).dialect.name == wanted


@pytest.mark.parametrize(("before", "wanted"), [(0, "gage"), (20, "gage"), (39, "gage"), (40, "calibrate")])
def test_samples_are_looked_at_while_none_settles_it_but_not_for_ever(before: int, wanted: str) -> None:
    unsettled: Table = {"messages": []}
    samples: list[Table] = [*[unsettled] * before, {"references": []}]
    assert detect((), {}, samples).dialect.name == wanted


def test_no_more_samples_are_read_than_it_takes() -> None:
    empty: list[Table] = [{"references": []}] * 100
    left = iter(empty)
    assert detect((), {}, left).dialect.name == "gage"
    assert len([*left]) == 100 - LOOKED_AT - 1


def test_the_reason_names_keys_that_tell_a_dialect_before_those_that_hint_at_it() -> None:
    sample: Table = {"criteria": "x", "assertions": [], "assert": []}
    assert detect((), {}, [sample]).reason == "samples have assertions, assert, criteria"


def test_a_deck_without_samples_is_told_at_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / "deck.yaml"
    path.write_text("other: 1\nmore: 2\n")
    assert [(one.rule, one.line, one.column) for one in open_deck(path).diagnostics] == [("samples-missing", 1, 1)]


@pytest.mark.parametrize(
    "columns", ["id,question", "input,target", "id,input,criteria,expected_output", "messages"]
)
def test_tests_of_a_promptfoo_config_may_have_variables_of_any_name(tmp_path: Path, columns: str) -> None:
    (tmp_path / "t.csv").write_text(f"{columns}\n{','.join('x' for _ in columns.split(','))}\n")
    (tmp_path / "c.yaml").write_text("prompts: ['{{a}}']\nproviders: [echo]\ntests: file://t.csv\n")
    assert open_deck(tmp_path / "c.yaml").dialect == "promptfoo"
    (tmp_path / "t.csv").write_text("id,question,__expected\n1,2,3\n")
    assert open_deck(tmp_path / "t.csv").dialect == "promptfoo"


AGENTV_5 = "prompts: ['{{ input }}']\nproviders: [echo]\n"
HELLO = "tests:\n- id: a\n  vars: {input: Hello}\n"


@pytest.mark.parametrize(
    "deck",
    [
        HELLO + "  assert: [Says hello]\n",
        HELLO + "- id: b\n  vars: {question: Hi}\n  assert: [{type: equals, value: x}, Greets]\n",
        HELLO + "  criteria: Says hello\n",
        HELLO + "  assert: [{type: script, command: [bun, run, grade.ts]}]\n",
        *(f"{own}: {{}}\n{HELLO}" for own in ("default_test", "evaluate_options", "environment")),
    ],
)
def test_agentv_5_is_told_from_promptfoo_by_what_promptfoo_does_not_read(tmp_path: Path, deck: str) -> None:
    """promptfoo 0.123.1 ends with an error at a text among assertions, and at an assertion that is a script."""
    (tmp_path / "suite.yaml").write_text(AGENTV_5 + deck)
    opened = open_deck(tmp_path / "suite.yaml")
    assert (opened.dialect, opened.samples[0].id) == ("agentv", "a")
    assert {one.rule for one in opened.diagnostics if one.severity != "info"} <= {"test-left-out", "file-refused"}
    cases = [json.dumps(sample.data) for sample in opened.samples]
    (tmp_path / "cases.jsonl").write_text("\n".join(cases))
    (tmp_path / "suite.yaml").write_text(AGENTV_5 + deck.partition("tests:")[0] + "tests: ./cases.jsonl\n")
    again = open_deck(tmp_path / "suite.yaml")
    assert (again.dialect, [one.id for one in again.samples]) == ("agentv", [one.id for one in opened.samples])


@pytest.mark.parametrize(
    "deck",
    [
        HELLO,
        HELLO + "  assert: [{type: contains, value: hello}]\n",
        "tests:\n- vars: {id: a, criteria: b, input: [{role: user, content: Hello}]}\n",
        "tests:\n- vars: {input: Hello}\n  assert: [Says hello]\n",  # an error to promptfoo, and no test to AgentV
        "default_test: {}\ntests:\n- vars: {input: Hello}\n",
        "defaultTest: {}\n" + HELLO + "- vars: {input: Bye}\n",
    ],
)
def test_what_promptfoo_reads_stays_its_own_whatever_agentv_5_makes_of_it(tmp_path: Path, deck: str) -> None:
    (tmp_path / "config.yaml").write_text(AGENTV_5 + deck)
    assert open_deck(tmp_path / "config.yaml").dialect == "promptfoo"


WITHOUT_PROMPTS = [
    "defaultTest:\n  assert: [{type: latency, threshold: 9}]\ntests:\n- vars: {question: Hi, input: x}\n",
    "providers: [echo]\ntests:\n- description: a\n  assert: [{type: contains, value: x}]\n- vars: {a: 1}\n",
    "defaultTest: {vars: {lang: en}}\ntests:\n- id: no-key-of-promptfoos\n  vars: {a: 1}\n",
    "evaluateOptions: {repeat: 2}\ntests:\n- description: a\n  vars: file://vars.yaml\n",
    "targets: [echo]\ntests:\n- vars: {input: Hi}\n- vars: {input: Bye}\n  threshold: 0.5\n",
    "- vars: {question: Hi}\n- vars: {input: Bye, expected_output: x}\n  options: {transform: output}\n",
    "prompts: ['{{topic}}']\ntests:\n- vars: {topic: tea}\n",
    "tests:\n- vars: {question: Hi, messages: a text}\n",
]


@pytest.mark.parametrize("text", WITHOUT_PROMPTS)
def test_tests_of_variables_alone_are_promptfoos_with_and_without_prompts_beside_them(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(text, encoding="utf-8")
    deck = open_deck(path)
    assert deck.dialect == "promptfoo"
    assert not [one for one in deck.diagnostics if one.severity.value == "error"]


def test_the_reason_names_the_texts_that_tell_agentv_5() -> None:
    sample: Table = {"id": "a", "vars": {"q": "x"}, "assert": ["Says x"]}
    assert detect((), {}, [sample]).reason == "samples have id; texts in assert"
