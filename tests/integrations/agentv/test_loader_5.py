"""What AgentV 5 makes of a file: the ids of its tests, their assertions, and which of them it leaves out.

The vectors are what its loader (`loadTestSuite` of 5.3.1-next) made of the files; where `AGENTV_REPO` names a
checkout that is built, it loads its own examples beside sampleui.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sampleui import Deck, open_deck
from sampleui.errors import DeckError
from sampleui.integrations.agentv.grading import graded
from sampleui.review.results.file import open_results
from sampleui.runs.decks import index_of
from sampleui.sample.dialects.field import keys

REPO = Path(os.environ.get("AGENTV_REPO", "/nowhere"))
CORE = next(
    (
        REPO / f"packages/core/dist/index.{end}"
        for end in ("js", "cjs")
        if (REPO / f"packages/core/dist/index.{end}").is_file()
    ),
    None,
)
COMPARED = keys("contains icontains equals regex contains-any contains-all starts-with ends-with")


class Called(NamedTuple):
    """What a record is called."""

    sample_id: str
    position: int | None = None
    join_keys: tuple[str, ...] = ()


def opened(folder: Path, text: str, **files: str) -> Deck:
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_text(content, "utf-8")
    (folder / "a.eval.yaml").write_text(text, "utf-8")
    deck = open_deck(folder / "a.eval.yaml")
    assert deck.dialect == "agentv"
    return deck


def found(deck: Deck, *names: str) -> list[str | None]:
    """Return the samples that records of some names are about."""
    index = index_of(deck.samples)
    places = [index.find(Called(name)) for name in names]  # type: ignore[arg-type]
    return [None if place is None else deck.samples[place].id for place in places]


TWO = """
name: demo
prompts:
  - {id: "A b/c", prompt: "Paint {{ thing }}, please."}
  - "Second {{ thing }}"
  - file://p.txt
  - {label: L, raw: "x {{ thing }}"}
  - [{role: user, content: hi}]
tests:
  - id: sky
    vars: {thing: sky, colour: blue}
    assert: [{type: contains, value: blue}]
"""


def test_records_of_several_prompts_find_their_test(tmp_path: Path) -> None:
    deck = opened(tmp_path, TWO, p_txt="Third {{ thing }}\n")
    hashed = ("prompt-eaaac705c044", "string-1eb717029f3a", "chat-b03d228fdf33")
    names = [f"sky__prompt_{name}" for name in ("A-b-c", "p.txt", *hashed)]
    assert found(deck, *names, "sky", "sky__prompt_other", "sea__prompt_p.txt") == ["sky"] * 6 + [None, None]


def test_records_find_a_test_whose_id_is_filled_from_its_variables(tmp_path: Path) -> None:
    tests = """
tests:
  - id: "x-{{ thing }}"
    vars: {thing: [sea, sky], n: 1}
    assert: [y]
  - id: "z-{{ thing + 1 }}"
    vars: {thing: lake}
    assert: [y]
"""
    two = TWO.partition("tests:")[0].replace("demo", "two")
    deck = opened(tmp_path, "prompts: ['{{ thing }}']" + tests)
    assert found(deck, "x-sea", "x-sky", "x-lake", "x-{{ thing }}") == ["x-{{ thing }}"] * 2 + [
        None,
        "x-{{ thing }}",
    ]
    deck = opened(tmp_path, two + tests, p_txt="x")
    assert found(deck, "x-sea__prompt_p.txt", "x-sea", "z-lake1") == ["x-{{ thing }}", None, None]


def test_a_record_of_one_of_two_prompts_is_judged_again(tmp_path: Path) -> None:
    deck = opened(tmp_path, TWO, p_txt="x")
    row = {"test_id": "sky__prompt_p.txt", "suite": "demo", "score": 0, "output": "A red sky."}
    (tmp_path / "run.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    [entry] = open_results(tmp_path / "run.jsonl").indexed().entries
    assert index_of(deck.samples).find(entry) == 0


SCENARIOS = """
name: demo
prompts: ["Paint {{ thing }} {{ colour }}."]
default_test: {assert: [{type: contains, value: x}]}
scenarios:
  - config: [{id: red, vars: {colour: red}}]
    tests: [{vars: {thing: last}}]
  - file://s.yaml
"""
IN_FILE = """
- config:
    - {id: blue, vars: {colour: blue}}
    - {vars: {colour: red}}
  tests:
    - {vars: {thing: sky}}
    - {vars: {thing: sea}}
- config: [{id: one, vars: {colour: one}}, {vars: {colour: two}}]
  tests: [{vars: {thing: sky}}]
"""


def test_samples_of_scenarios_in_a_file_have_the_ids_of_the_loader(tmp_path: Path) -> None:
    deck = opened(tmp_path, SCENARIOS, s_yaml=IN_FILE)
    assert [sample.id for sample in deck.samples] == [
        *("red", "blue__scenario_test_1", "blue__scenario_test_2", "scenario-2-2-1", "scenario-2-2-2"),
        *("one", "scenario-3-2-1"),
    ]
    assert {one.rule for one in deck.diagnostics if one.severity.value != "info"} == set()


def test_a_number_that_another_file_decides_is_not_guessed(tmp_path: Path) -> None:
    last = SCENARIOS + "  - config: [{vars: {colour: x}}]\n    tests: [{vars: {thing: y}}]\n"
    deck = opened(tmp_path, last, s_yaml=IN_FILE)
    assert "scenario-?-1-1" in [sample.id for sample in deck.samples]
    assert "id-missing" not in {one.rule for one in deck.diagnostics}


@pytest.mark.parametrize(
    ("scenarios", "told", "line"),
    [
        ("file://s.yaml", "scenarios must be a list", 3),
        ("[{config: [{vars: {a: 1}}], tests: file://t.yaml}]", "tests of a scenario must be a list", 3),
        ("[{config: [{vars: {a: 1}}], tests: [file://t.yaml]}]", "each entry of tests must be a table", 3),
        ("[{config: [{id: b, vars: {a: 1}}]}]", "tests of a scenario must be a list", 3),
    ],
)
def test_what_the_loader_refuses_of_scenarios_is_an_error(
    tmp_path: Path, scenarios: str, told: str, line: int
) -> None:
    text = f"prompts: [x]\ndefault_test: {{assert: [y]}}\nscenarios: {scenarios}\n"
    (tmp_path / "s.yaml").write_text(IN_FILE, "utf-8")
    (tmp_path / "t.yaml").write_text("- {vars: {thing: sky}}\n", "utf-8")
    (tmp_path / "a.eval.yaml").write_text(text, "utf-8")
    deck = open_deck(tmp_path / "a.eval.yaml", "agentv")
    assert [(one.line, one.message) for one in deck.diagnostics if one.rule == "scenario-refused"] == [
        (line, f"AgentV refuses the file: {told}{', in this file' * told.startswith('each')}")
    ]
    assert "duplicate-id" not in {one.rule for one in deck.diagnostics}


FILLED = """
name: demo
prompts: ["Paint {{ thing }}."]
default_test: {vars: {colour: blue, n: 3, obj: {a: 1}}}
assert:
  - {type: contains, value: "suite {{ colour }}"}
tests:
  - id: a
    vars: {thing: sky, t: "{{ colour }}", list: [x, y]}
    assert:
      - {type: contains, value: "{{ colour }}"}
      - {type: contains, value: "n {{ n }} {{ missing }}|"}
      - {type: contains, value: "{{ t }}"}
      - {type: contains, value: "{{ missing }}"}
      - {type: contains-any, value: ["{{ thing }}", "b"]}
      - {type: regex, value: "^{{ vars.thing }}$"}
      - {type: contains, value: "{{ colour | upper }}"}
      - {type: contains, value: "{{ list }}"}
      - {type: contains, value: "{{ n + 1 }}"}
"""


def test_assertions_of_a_test_are_filled_before_they_are_judged(tmp_path: Path) -> None:
    deck = opened(tmp_path, FILLED)
    answer = "blue n 3 | {{ colour }} sky BLUE suite {{ colour }} {{ list }}"
    outcomes = graded(deck.samples[0].data, deck.samples[0].context, answer)
    assert [(one.name, one.passed) for one in outcomes] == [
        ("contains-blue", True),
        ("contains-n 3 |", True),
        ("contains-{{ colour }}", True),
        ("contains", None),
        ("contains-any-2", True),
        ("regex-^sky$", False),
        ("contains-BLUE", True),
        ("contains-{{ list }}", None),
        ("contains-{{ n + 1 }}", None),
        ("contains-suite {{ colour }}", True),
    ]
    assert "each of its values is a test of its own" in outcomes[7].reason
    assert "is left as written" in outcomes[8].reason


def test_variables_of_another_file_are_not_known_to_be_missing(tmp_path: Path) -> None:
    deck = opened(
        tmp_path,
        FILLED.replace("default_test: {vars: {colour: blue, n: 3, obj: {a: 1}}}", "default_test: file://d.yaml"),
    )
    [first, *_] = graded(deck.samples[0].data, deck.samples[0].context, "blue")
    assert (first.passed, "default_test is kept in another file" in first.reason) == (None, True)


def test_an_older_file_is_judged_as_it_is_written(tmp_path: Path) -> None:
    deck = opened(
        tmp_path, "tests:\n- {id: a, input: hi, vars: {c: blue}, assert: [{type: contains, value: '{{ c }}'}]}\n"
    )
    assert [one.passed for one in graded(deck.samples[0].data, deck.samples[0].context, "blue")] == [False]


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ("{}", "neither it nor its file has an assert"),
        ("{criteria: ''}", "neither it nor its file has an assert"),
        ("{turns: []}", "neither it nor its file has an assert"),
        ("{assert: [{type: rubrics, criteria: [x]}]}", '"llm-rubric" is what it has'),
        ("{assert: [{type: code_judge, command: x}]}", '"script" is what it has'),
        ("{assert: [{type: starts_with, value: x}]}", '"starts-with" is what it has'),
        ("{assert: [{type: not-is-refusal}]}", 'it has no assertion "not-is-refusal"'),
        ("{assert: [{type: llm-rubric, value: x, target: y}]}", "no target any more"),
        ("{assert: [{type: contains, value: x, weight: -1}]}", "must be a number from 0"),
        ("{assert: [{type: contains, value: x, required: 0.5}]}", "required is true or false"),
        ("{assert: [{type: llm-rubric, prompt: 'file://p.md'}]}", "mentions neither {{ output }}"),
        ("{assert: [{type: assert-set, assert: [{type: bleu, value: x}]}]}", 'it has no assertion "bleu"'),
    ],
)
def test_a_test_that_the_loader_leaves_out_is_told(tmp_path: Path, test: str, why: str) -> None:
    (tmp_path / "p.md").write_text("Judge it.\n", "utf-8")
    deck = opened(
        tmp_path,
        f"prompts: ['{{{{ q }}}}']\ntests:\n- {test[:-1]}{', ' * (test != '{}')}id: a, vars: {{q: hi}}}}\n",
    )
    assert [why in one.message for one in deck.diagnostics if one.rule == "test-left-out"] == [True]


@pytest.mark.parametrize(
    "test",
    ["{assert: []}", "{criteria: x}", "{turns: [{input: x}]}", "{assert: [{type: mine, value: x, weight: 0}]}"],
)
def test_nothing_is_told_of_a_test_that_is_run(tmp_path: Path, test: str) -> None:
    deck = opened(tmp_path, f"prompts: ['{{{{ q }}}}']\ntests:\n- {test[:-1]}, id: a, vars: {{q: hi}}}}\n")
    assert [one.message for one in deck.diagnostics if one.rule == "test-left-out"] == []


def refused(folder: Path, text: str) -> list[tuple[str, int | None]]:
    """Return what is said of a file that AgentV 5 refuses, and in which line."""
    (folder / "a.eval.yaml").write_text(text, "utf-8")
    told = open_deck(folder / "a.eval.yaml", "agentv").diagnostics
    return [(one.message, one.line) for one in told if one.rule == "file-refused"]


@pytest.mark.parametrize(
    ("beside", "why"),
    [
        *(
            (f"{key}: x", f"it has no {key} here")
            for key in sorted(keys("input expected_output imports workers policy model"))
        ),
        *(
            (f"{key}: 2", f"it has no {key} here")
            for key in sorted(keys("runs repeat early_exit target budget_usd graders"))
        ),
        ("execution: {max_concurrency: 2}", "it has no execution here"),
        ("execution:", "it has no execution here"),
        ("workspace: {template: ./t}", "environment is what it has"),
        ("workspace: {docker: {image: x}}", "environment is what it has"),
        ("defaults: {target: x}", "defaults.provider is what it has"),
        ("defaults: x", "defaults must be a table"),
        ("defaults: {grader: ''}", "defaults.grader must be a text"),
        ("default_test: {expected_output: x}", "vars.expected_output"),
        ("default_test: {options: {postprocess: x}}", "transform is what it has"),
        ("default_test: x.yaml", "must begin with file:// or ref://"),
        ("assert: [{type: contains, value: x, preprocessors: []}]", "transform is what it has"),
        ("evaluate_options: {repeat: {count: 2}}", "repeat must be a whole number from 1"),
        ("evaluate_options: {repeat: 1.5}", "repeat must be a whole number from 1"),
        ("threshold: 2", "threshold must be a number from 0 to 1"),
        ("threshold:", "threshold must be a number from 0 to 1"),
        ("timeout_seconds: 0", "timeout_seconds must be a number over 0"),
        ("environment: {type: host}", "an environment must have a workdir"),
        ("environment: {workdir: x}", "the type of an environment is host or docker"),
        ("environment: {type: docker, workdir: x, services: {}}", "it has no services here"),
        ("environment: x", "begins with file://"),
        ("providers: [5]", "a provider must be a text or a table"),
        ("extensions: x", "extensions must be a list"),
        ("scenarios: [{config: [{vars: {q: a}, input: x}], tests: []}]", "it has no input here"),
    ],
)
def test_what_the_loader_refuses_beside_the_tests_is_an_error(tmp_path: Path, beside: str, why: str) -> None:
    text = f"prompts: ['{{{{ q }}}}']\n{beside}\ntests:\n- {{id: a, vars: {{q: hi}}, assert: [y]}}\n"
    [(message, line)] = refused(tmp_path, text)
    assert why in message and line == 2
    older = text.partition("\n")[2].replace("vars: {q: hi}", "input: hi", 1)
    assert refused(tmp_path, older) == [], "what version 4 has is no error in a file of version 4"


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ("input: x", "prompts and vars are what it has"),
        ("expected_output: x", "vars.expected_output"),
        ("provider_output: x", "fixed answers"),
        ("execution: {target: x}", "unknown to it"),
        ("execution: {workers: 2}", "it has no workers here"),
        ("options: {postprocess: x}", "transform is what it has"),
        ("options: {repeat: 0}", "repeat must be a whole number from 1"),
        ("run: {repeat: 0}", "repeat must be a whole number from 1"),
        ("run: {target: x}", "a run has budget_usd"),
        ("run: x", "run must be a table"),
        ("workspace: {repos: []}", "environment is what it has"),
        ("environment: {type: host}", "an environment must have a workdir"),
    ],
)
def test_a_test_for_which_the_loader_refuses_the_file_is_an_error(tmp_path: Path, test: str, why: str) -> None:
    text = f"prompts: ['{{{{ q }}}}']\ntests:\n- id: a\n  vars: {{q: hi}}\n  assert: [y]\n  {test}\n"
    [(message, line)] = refused(tmp_path, text)
    assert why in message and line == 6


@pytest.mark.parametrize(
    "prompt",
    ["5", "", "true", "[x]", "{id: x}", "{label: l}", "{raw: ''}", "{prompt: 5}", "{file: ''}", "{messages: x}"],
)
def test_a_prompt_that_the_loader_refuses_is_an_error(tmp_path: Path, prompt: str) -> None:
    text = f"prompts:\n- ok\n- {prompt}\ntests:\n- {{id: a, vars: {{q: hi}}, assert: [y]}}\n"
    [(message, line)] = refused(tmp_path, text)
    assert message.startswith("AgentV 5 refuses the file: a prompt") and line == 3


@pytest.mark.parametrize(
    "beside",
    [
        *("threshold: 0.5", "timeout_seconds:", "evaluate_options: {repeat: 2}", "workspace: {hooks: {}}"),
        *("environment: {type: docker, workdir: x, image: y}", "default_test: {vars: {input: x}}", "env: {A: b}"),
        *("providers: echo", "providers: [{id: echo}]", "execution_x: 1", "tags: [a]", "evaluate_options: x"),
    ],
)
def test_what_the_loader_takes_is_no_error(tmp_path: Path, beside: str) -> None:
    for prompts in ("x", "[{role: user, content: x}]", "[{messages: [{role: user, content: x}]}]", "{raw: x}"):
        test = "{id: a, vars: {input: hi}, run: {repeat: 2}, assert: [y]}"
        assert refused(tmp_path, f"prompts: {prompts}\n{beside}\ntests:\n- {test}\n") == []


@pytest.mark.parametrize("value", ["5", "true", "[1]"])
@pytest.mark.parametrize(
    "key", ["description", "conversation_id", "metadata", "vars", "execution", "assert", "criteria"]
)
def test_a_value_of_another_type_that_the_loader_leaves_out_is_a_warning(
    tmp_path: Path, key: str, value: str
) -> None:
    test = {"id": "a", "vars": "{q: hi}", "assert": "[y]", "criteria": "z", key: value}
    own = "\n".join(f"  {name}: {written}" for name, written in test.items())
    deck = opened(tmp_path, f"prompts: ['{{{{ q }}}}']\ndefault_test: {{}}\ntests:\n-{own[1:]}\n")
    [found] = [one for one in deck.diagnostics if one.rule == "field-type"]
    means = "judges nothing by it" if key == "assert" else "leaves the value out"
    assert found.severity.value == "warning" and found.message.endswith(f"; AgentV 5 {means}")
    older = open_deck_of(tmp_path, f"tests:\n-{own[1:]}\n  input: hi\n")
    if key not in ("vars", "assert"):
        assert "error" in {one.severity.value for one in older.diagnostics if one.rule == "field-type"}


def open_deck_of(folder: Path, text: str) -> Deck:
    (folder / "older.eval.yaml").write_text(text, "utf-8")
    return open_deck(folder / "older.eval.yaml", "agentv")


def test_an_id_given_twice_is_an_error_as_nothing_is_run_of_it(tmp_path: Path) -> None:
    # The loader and `agentv validate` take it; a run ends with "each test must have a unique ID".
    tests = "tests:\n- {id: a, vars: {q: hi}, assert: [y]}\n- {id: a, vars: {q: ho}, assert: [y]}\n"
    deck = opened(tmp_path, f"prompts: ['{{{{ q }}}}']\ndefault_test: {{}}\n{tests}")
    told = [(one.severity.value, one.line) for one in deck.diagnostics if one.rule == "duplicate-id"]
    assert told == [("error", 5)]


@pytest.mark.parametrize(
    ("beside", "why"),
    [
        ("prompts: file://no.md", "no.md does not exist"),
        ("prompts: [x, {file: no.md}]", "no.md does not exist"),
        ("prompts: [{function_file: no.js}]", "no.js does not exist"),
        ("prompts: ['file://*.md']", "*.md does not exist"),
        ("{prompts: x, default_test: 'file://no.yaml'}", "no.yaml does not exist"),
        ("{prompts: x, default_test: 'file://list.yaml'}", "list.yaml must hold a table"),
        ("{prompts: x, default_test: 'file://empty.yaml'}", "empty.yaml must hold a table"),
        ("{prompts: x, default_test: 'file://broken.yaml'}", "broken.yaml cannot be read"),
        ("{prompts: x, default_test: 'file://told.yaml'}", "told.yaml must not have description"),
    ],
)
def test_a_file_that_the_loader_does_not_find_is_an_error_at_its_name(
    tmp_path: Path, beside: str, why: str
) -> None:
    files = {"list": "[1]\n", "empty": "", "broken": "{a: [1}\n", "told": "description: x\n"}
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    own = beside.strip("{}").replace(", default_test", "\ndefault_test") if beside[0] == "{" else beside
    [(message, line)] = refused(tmp_path, f"{own}\ntests:\n- {{id: a, vars: {{q: hi}}, assert: [y]}}\n")
    assert why in message and line == own.count("\n") + 1


def test_files_that_are_there_or_are_not_known_are_no_errors(tmp_path: Path) -> None:
    (tmp_path / "yes.md").write_text("{{ q }}", "utf-8")
    (tmp_path / "d.yaml").write_text("vars: {a: 1}\n", "utf-8")
    tests = "tests:\n- {id: a, vars: {q: hi}, assert: [y]}\n"
    for prompt in ("file://yes.md", "{file: yes.md}", "'file://${{ X }}.md'", "file://../../../outside.md"):
        text = f"prompts: [{prompt}]\ndefault_test: file://d.yaml\n{tests}"
        assert refused(tmp_path, text) == []


@pytest.mark.parametrize(
    ("beside", "why"),
    [
        ("name: A b", "name must be"),
        ("name: ''", "name must be"),
        ("{name: a, description: ''}", "description must be a text"),
        ("{name: a, description: 5}", "description must be a text"),
        ("{name: a, version: 1.0}", "version must be a text"),
        ("{name: a, tags: x}", "tags must be a list"),
        ("{name: a, requires: {agentv: 5}}", "requires must be a table"),
    ],
)
def test_what_a_file_with_a_name_is_refused_for_is_an_error(tmp_path: Path, beside: str, why: str) -> None:
    own = beside[1:-1].replace("a, ", "a\n", 1) if beside[0] == "{" else beside
    told = refused(tmp_path, f"prompts: x\n{own}\ntests:\n- {{id: a, vars: {{q: hi}}, assert: [y]}}\n")
    assert [why in message for message, _ in told] == [True]


def loaded() -> Iterator[dict[str, Any]]:
    """Yield what the loader makes of each example of its repository."""
    files = sorted(path for top in ("examples", "evals") for path in (REPO / top).rglob("*.eval.yaml"))
    command = ["node", str(Path(__file__).with_name("loader.mjs")), str(CORE), *map(str, files)]
    ran = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8", timeout=120)
    yield from map(json.loads, ran.stdout.splitlines())


@pytest.mark.skipif(CORE is None, reason="AGENTV_REPO names no checkout of AgentV that is built")
def test_the_examples_of_agentv_are_what_its_loader_makes_of_them() -> None:
    tests = 0
    for item in loaded():
        try:
            deck = open_deck(Path(item["file"]))
        except DeckError:
            continue
        errors = {one.rule for one in deck.diagnostics if one.severity.value == "error"}
        if "error" in item:
            assert errors, (item["file"], item["error"])
            continue
        assert not errors & {"file-refused", "scenario-refused", "reader-refuses"}, item["file"]
        index, run = index_of(deck.samples), set()
        for test in item["tests"]:
            place = index.find(Called(test["id"]))  # type: ignore[arg-type]
            assert place is not None, (item["file"], test["id"])
            sample = deck.samples[place]
            run.add(sample.id)
            outcomes = graded(sample.data, sample.context, None)
            judged = [one.name for one in outcomes if not one.left_out and one.reason != "needs its grader"]
            theirs = [one["name"] for one in test["assertions"] if one["type"] in COMPARED]
            assert [name for name in judged if name in theirs] == theirs, (item["file"], test["id"])
            tests += 1
        if deck.samples and deck.samples[0].context.get("prompts"):
            told = {one.sample for one in deck.diagnostics if one.rule == "test-left-out"}
            assert {sample.id for sample in deck.samples} - run == told, item["file"]
    assert tests > 100


@pytest.mark.parametrize(
    ("waits", "told"),
    [
        ({"a": ["b"], "b": []}, {}),
        ({"a": ["nope"]}, {3: "a depends on nope, and no test has that id"}),
        ({"a": ["a"]}, {3: "a depends on a"}),
        ({"a": ["b"], "b": ["a"]}, {3: "a depends on b depends on a"}),
        ({"a": "b"}, {}),
    ],
)
def test_tests_that_wait_for_what_never_runs_keep_all_from_running(
    tmp_path: Path, waits: dict[str, Any], told: dict[int, str]
) -> None:
    path = tmp_path / "deck.eval.yaml"
    rows = (
        f"  - {{id: {name}, criteria: x, input: hi,\n     depends_on: {json.dumps(others)}}}\n"
        for name, others in waits.items()
    )
    path.write_text(f"tests:\n{''.join(rows)}")
    found = [item for item in open_deck(path, "agentv").diagnostics if item.rule == "tests-wait"]
    assert {item.line: item.message.partition(": ")[2] for item in found} == told


def test_a_test_of_another_file_may_be_what_one_waits_for(tmp_path: Path) -> None:
    path = tmp_path / "deck.eval.yaml"
    (tmp_path / "more.yaml").write_text("- {id: b, criteria: x, input: hi}\n")
    path.write_text("tests:\n  - {id: a, criteria: x, input: hi, depends_on: [b]}\n  - file://more.yaml\n")
    assert "tests-wait" not in {item.rule for item in open_deck(path, "agentv").diagnostics}
