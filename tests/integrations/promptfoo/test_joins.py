"""Which test of a config a row of promptfoo's results is of: by what is certain, and of none by what is not.

The rows are as promptfoo 0.121.20 and 0.123.1 write them for such a config, cut to what is read here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sampleui.integrations.promptfoo import variables
from sampleui.prompt.providers import calls
from sampleui.review.results.file import open_results
from sampleui.runs.decks import decks_of_run, index_of
from sampleui.runs.regrading import regraded
from sampleui.runs.requests import prompt_sent
from sampleui.settings.options import Settings
from sampleui.workspace.deck import open_deck
from tests.inside import inside

ADDED = Path(__file__).parent / "written/added"
"""A project, and what promptfoo 0.123.1 wrote of it with `eval --repeat 2 --var lang=fr`."""

DATES = ADDED.parent / "dates"
"""A project whose variables are dates without quotes, and what promptfoo 0.123.1 wrote of it."""

REFERRED = ADDED.parent / "referred"
"""A project whose tests, variables and assertions are behind references, and what promptfoo 0.123.1 wrote of it."""

CALLED = ADDED.parent / "called"
"""A project about the tools that an agent calls, and what promptfoo 0.123.1 wrote of it with a trace of spans."""

LOADED = ADDED.parent / "loaded"
"""A project with empty cells and an `env` in its config, and what promptfoo 0.123.1 wrote of it."""

COLUMNS = ADDED.parent / "columns"
"""A project whose assertions are columns of a table, and what promptfoo 0.123.1 wrote of it."""

CONFIG = """prompts: ['{{q}}']
providers: [echo]
defaultTest: {assert: [{type: not-contains, value: sorry}]}
tests:
  - vars: {q: a}
  - vars: {q: 'list [1]', at: '[1, 2]', kept: file://./kept.txt}
  - vars: {q: img, image: file://a.png}
  - vars: {q: changed, url: u}
    options: {transformVars: 'return { ...vars, shown: `(${vars.url})` }'}
  - assert: [{type: contains, value: one}]
  - assert: [{type: contains, value: two}]
  - vars: {q: same}
    assert: [{type: equals, value: '1'}]
  - vars: {q: same}
    assert: [{type: equals, value: '2'}]
  - vars: {q: programmed}
    options: {transformVars: file://t.js}
"""
NOT_SORRY = {"type": "not-contains", "value": "sorry"}


def row(variables: dict[str, Any], *asserted: dict[str, Any], **options: str) -> dict[str, Any]:
    case = {"vars": variables, "assert": [NOT_SORRY, *asserted], "options": options, "metadata": {}}
    return {"vars": variables, "testCase": case, "prompt": {"raw": "p"}, "promptIdx": 0, "success": True}


ASSIGNS = "Object.assign({}, vars, { shown: `(${vars.url})` })"
ADDS = "return { ...vars, shown: `(${vars.url})` }"


@pytest.mark.parametrize(
    ("found", "written"),
    [
        (0, row({"q": "a"})),
        (1, row({"q": "list [1]", "at": "[1,2]", "kept": "file://kept.txt"})),
        (2, row({"q": "img", "image": "[REDACTED]"})),
        (None, row({"q": "a", "image": "[REDACTED]"})),
        (3, row({"q": "changed", "url": "u", "shown": "(u)"}, transformVars=ADDS)),
        (3, row({"q": "changed", "url": "u", "shown": "(u)"}, transformVars=ASSIGNS)),
        (None, row({"q": "a", "url": "x", "shown": "(x)"}, transformVars=ADDS)),
        (None, row({"q": "a"}, transformVars="file://t.js")),
        (None, row({"q": "a"}, transformVars="return {q: vars.q.toLowerCase()}")),
        (5, row({}, {"type": "contains", "value": "two"})),
        (7, row({"q": "same"}, {"type": "equals", "value": "2"})),
        (None, row({"q": "same"}, {"type": "equals", "value": "3"})),
        (0, row({"more": "from the command line", "q": "a"})),
        (None, row({"q": "a", "more": "not from there: that comes first"})),
        (4, row({"more": "there"}, {"type": "contains", "value": "one"})),
        (None, row({"more": "there"})),
        (7, row({"more": "there", "q": "same"}, {"type": "equals", "value": "2"})),
        (None, row({"more": "there", "q": "same"}, {"type": "equals", "value": "3"})),
        (None, row({"more": "there", "q": "none of them"})),
    ],
)
def test_a_row_finds_its_test_or_none(tmp_path: Path, found: int | None, written: dict[str, Any]) -> None:
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG)
    (tmp_path / "out.jsonl").write_text(json.dumps(written) + "\n")
    (entry,) = open_results(tmp_path / "out.jsonl").indexed().entries
    assert index_of(open_deck(tmp_path / "promptfooconfig.yaml").samples).find(entry) == found


def test_empty_cells_are_empty_texts_in_a_row(tmp_path: Path) -> None:
    (tmp_path / "promptfooconfig.yaml").write_text("prompts: ['{{q}}']\nproviders: [echo]\ntests: file://t.csv\n")
    (tmp_path / "t.csv").write_text("q,more\na,\nb,c\n")
    written = {**row({"q": "a", "more": ""}), "description": "Row #1"}
    (tmp_path / "out.jsonl").write_text(json.dumps(written) + "\n")
    (entry,) = open_results(tmp_path / "out.jsonl").indexed().entries
    assert index_of(open_deck(tmp_path / "promptfooconfig.yaml").samples).find(entry) == 0


def test_every_row_of_a_run_with_added_variables_globs_lists_and_files_finds_its_test() -> None:
    opened = open_results(ADDED / "out.jsonl").indexed()
    (deck,) = decks_of_run(opened, (), Settings()).decks
    index = index_of(deck.samples)
    rows = [opened.record(entry.index).data for entry in opened.entries]
    ran = [*[0] * 2, *[1] * 2, *[2] * 4, *[3] * 8, *[4] * 4, *[5] * 2]
    assert [index.find(entry) for entry in opened.entries] == [ran[inside(row, "testIdx")] for row in rows]


def test_each_of_them_is_rendered_as_it_was_sent() -> None:
    deck = open_deck(ADDED / "promptfooconfig.yaml")
    rows = [json.loads(line) for line in (ADDED / "out.jsonl").read_text().splitlines()]
    sent = {row["prompt"]["raw"].replace("In fr", "In ").strip() for row in rows}
    assert {call.question for sample in deck.samples for call in calls(deck.render(sample))} == sent


def test_what_is_behind_references_is_joined_rendered_and_graded_as_it_was_run() -> None:
    opened = open_results(REFERRED / "out.jsonl").indexed()
    (deck,) = decks_of_run(opened, (), Settings()).decks
    index = index_of(deck.samples)
    assert [index.find(entry) for entry in opened.entries] == [*range(8)]
    assert [*deck.diagnostics] == []
    for entry, sample in zip(opened.entries, deck.samples, strict=True):
        record = opened.record(entry.index)
        [call] = calls(deck.render(sample))
        assert call.question == inside(record.data, "prompt", "raw")
        ran = {str(one["assertion"]["value"]): one["pass"] for one in components(record.data)}
        now = regraded(opened, record, sample).outcomes
        assert {one.text.partition("'")[2].rstrip("'"): one.passed for one in now if one.passed is not None} == {
            value: passed for value, passed in ran.items() if value != "Other"
        }
        assert [one.text for one in now if one.passed is None] == ["$ref other.yaml#/t"] * ("Other" in ran)


def test_calls_of_tools_are_judged_as_promptfoo_judged_its_trace() -> None:
    opened = open_results(CALLED / "out.jsonl").indexed()
    (deck,) = decks_of_run(opened, (), Settings()).decks
    told = []
    for entry, sample in zip(opened.entries, deck.samples, strict=True):
        record = opened.record(entry.index)
        now = regraded(opened, record, sample)
        ran = [one["pass"] for one in components(record.data)]
        assert [one.passed for one in now.outcomes if one.passed is not None] == [
            holds for holds, one in zip(ran, now.outcomes, strict=True) if one.passed is not None
        ]
        told.append((now.passes, [one.reason for one in now.outcomes if one.passed is None]))
    assert told == [
        (False, []),
        (False, ["its value is a template"]),
        (True, ["a threshold of 0.5 decides"]),
    ]


def test_empty_cells_and_the_environment_of_the_config_are_as_promptfoo_loads_them() -> None:
    opened = open_results(LOADED / "out.jsonl").indexed()
    (deck,) = decks_of_run(opened, (), Settings()).decks
    assert deck.path.name == "promptfooconfig.yaml"
    index = index_of(deck.samples)
    assert [index.find(entry) for entry in opened.entries] == [*range(6)]
    shown = [call.chat_prompt[0]["content"] for sample in deck.samples for call in calls(deck.render(sample))]
    assert shown == [inside(opened.record(entry.index).data, "prompt", "raw") for entry in opened.entries]


def test_json_in_a_prompt_is_the_same_without_its_blanks(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("prompts: ['{{q}}']\nproviders: [echo]\ntests:\n- vars: {q: '{\"a\": 1}'}\n")
    rows = [{**row({"q": '{"a":1}'}), "prompt": {"raw": sent}} for sent in ('{"a":1}', '{"a":2}')]
    (tmp_path / "out.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    opened, deck = open_results(tmp_path / "out.jsonl").indexed(), open_deck(tmp_path / "c.yaml")
    told = [prompt_sent(opened.record(at), tmp_path, deck.samples[0], deck).differs for at in range(2)]
    assert told == [False, True]


def test_assertions_in_columns_are_judged_as_promptfoo_judged_them() -> None:
    opened = open_results(COLUMNS / "out.jsonl").indexed()
    (deck,) = decks_of_run(opened, (), Settings()).decks
    index = index_of(deck.samples)
    left = []
    for entry in opened.entries:
        at = index.find(entry)
        assert at is not None
        record = opened.record(entry.index)
        now = regraded(opened, record, deck.samples[at]).outcomes
        for one, ran in zip(now, components(record.data), strict=True):
            if one.passed is None:
                left.append(one.text)
            else:
                assert (one.passed, ran["assertion"]["metric"] in ("", one.name)) == (ran["pass"], True)
    assert left == ["__expected levenshtein(1): y"]


def components(row: dict[str, Any]) -> list[dict[str, Any]]:
    return row["gradingResult"]["componentResults"]


def test_dates_without_quotes_find_their_tests_by_what_promptfoo_leaves_of_them() -> None:
    opened = open_results(DATES / "out.jsonl").indexed()
    (deck,) = decks_of_run(opened, (), Settings()).decks
    index = index_of(deck.samples)
    for entry in opened.entries:
        row = opened.record(entry.index).data
        at, ran = index.find(entry), inside(row, "vars")
        if ran["kind"] == "one of two":
            assert at is None, "the row does not have the date, by which alone two tests differ"
            continue
        assert at is not None
        given = [one.merged for one in variables.tests_of(deck.samples[at])]
        assert ran["kind"] in [inside(one, "kind") for one in given]
        [values] = [inside(row, "testCase", "assert")]
        assert values == deck.samples[at].data.get("assert", [])


def test_a_date_without_quotes_is_reported_and_one_in_a_file_is_what_json_has() -> None:
    deck = open_deck(DATES / "promptfooconfig.yaml")
    sent = [json.loads(line)["prompt"]["raw"] for line in (DATES / "out.jsonl").read_text().splitlines()]
    certain = [
        call.question
        for sample in deck.samples
        for call in calls(deck.render(sample))
        if "[object Object]" not in call.question and "{{" not in call.question
    ]
    assert certain == [
        'in a file "2026-01-05T00:00:00.000Z"',
        "in quotes 2026-01-05",
        "each a",
        "no such day 2026-02-30",
    ]
    assert {*certain} <= {*sent}
    said = "day has a date without quotes, which promptfoo takes for a table; in quotes it is a text"
    assert sum(one.message == said for one in deck.diagnostics) == 11


def test_of_files_that_have_one_variable_it_is_told_that_any_may_count(tmp_path: Path) -> None:
    for name, text in {
        "c.yaml": "prompts: ['{{q}}']\nproviders: [echo]\ntests:\n- vars: v*.yaml\n- vars: [v2.yaml, v1.yaml]\n",
        "v1.yaml": "q: a\nr: b\n",
        "v2.yaml": "q: c\n",
    }.items():
        (tmp_path / name).write_text(text)
    deck = open_deck(tmp_path / "c.yaml")
    (told,) = [one for one in deck.diagnostics if one.rule == "template-unsupported"]
    assert (told.line, told.message) == (4, "q is in several files of v*.yaml; which of them counts is not certain")
    assert [call.question for call in calls(deck.render(deck.samples[1]))] == ["a"]


def test_a_config_is_the_deck_and_not_the_file_of_its_tests_beside_it(tmp_path: Path) -> None:
    (tmp_path / "promptfooconfig.yaml").write_text("prompts: ['{{q}}']\nproviders: [echo]\ntests: file://t.csv\n")
    (tmp_path / "t.csv").write_text("q,__expected\na,contains: b\n")
    written = row({"q": "a"}, {"type": "contains", "value": "b"})
    (tmp_path / "out.jsonl").write_text(json.dumps(written) + "\n")
    found = decks_of_run(open_results(tmp_path / "out.jsonl"), (), Settings())
    assert ([deck.path.name for deck in found.decks], found.hint) == (["promptfooconfig.yaml"], "")


@pytest.mark.parametrize(
    ("variables", "raw", "name"),
    [
        ({"q": ""}, "Say ", "Say"),
        ({"q": ""}, "  ", "test 3"),
        ({"q": None}, "", "test 3"),
        ({}, "p", "p"),
        ({"q": "a"}, "p", "a"),
    ],
)
def test_a_row_without_a_word_in_its_variables_is_no_less_a_record(
    tmp_path: Path, variables: dict[str, Any], raw: str, name: str
) -> None:
    (tmp_path / "out.jsonl").write_text(json.dumps({**row(variables), "prompt": {"raw": raw}, "testIdx": 3}) + "\n")
    opened = open_results(tmp_path / "out.jsonl").indexed()
    assert ([entry.sample_id for entry in opened.entries], [*opened.diagnostics]) == ([name], [])


def test_rows_as_a_server_of_promptfoo_keeps_them_have_their_variables_in_the_test(tmp_path: Path) -> None:
    own = row({"q": "a"})
    held = {key: own[key] for key in ("testCase", "prompt", "promptIdx", "success")}
    written = {"results": [{**held, "id": "1f", "providerResponse": {"output": "said"}}], "prompts": []}
    (tmp_path / "shared.json").write_text(json.dumps(written))
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG)
    opened = open_results(tmp_path / "shared.json").indexed()
    (entry,) = opened.entries
    assert (entry.sample_id, opened.record(0).actual) == ("a", "said")
    assert index_of(open_deck(tmp_path / "promptfooconfig.yaml").samples).find(entry) == 0


def test_aliases_that_stand_for_too_much_are_told_and_not_filled_in(tmp_path: Path) -> None:
    bomb = ["a0: &a0 [x, x, x, x, x, x, x, x]"]
    bomb += [f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 8)}]" for at in range(1, 9)]
    (tmp_path / "bomb.yaml").write_text("\n".join(bomb) + "\n")
    config = tmp_path / "c.yaml"
    config.write_text(
        "prompts: ['{{d}}']\nproviders: [echo]\ntests: [{vars: {d: file://bomb.yaml}}, {vars: bomb.yaml}]\n"
    )
    said = [one.message for one in open_deck(config).diagnostics]
    assert sum("the aliases stand for too many values" in one for one in said) == 2


FILLED = """prompts: ['{{q}} {{style}}']
providers: [echo]
tests:
  - vars: {q: '{{env.ASKED}} then', style: brief}
    assert: [{type: contains, value: x}]
  - vars: {q: '{{ env.ASKED }}', style: long}
    assert: [{type: contains, value: x}]
  - vars: {q: fixed, style: brief}
    assert: [{type: contains, value: x}]
"""


@pytest.mark.parametrize(
    ("given", "asserted", "index"),
    [
        ({"q": "what then", "style": "brief"}, "x", 0),
        ({"q": "fixed", "style": "brief"}, "x", 2),
        ({"q": "what else", "style": "brief"}, "x", None),
        ({"q": "what then", "style": "long"}, "x", None),  # of a test that could be anything
        ({"q": "what then", "style": "brief", "more": "y"}, "x", None),
        ({"q": "what then", "style": "brief"}, "what was asserted before it was fixed", 0),
    ],
)
def test_a_test_that_the_environment_fills_is_told_by_all_else_of_it(tmp_path, given, asserted, index):
    (tmp_path / "promptfooconfig.yaml").write_text(FILLED)
    case = {"vars": given, "assert": [{"type": "contains", "value": asserted}]}
    row = {"vars": given, "testCase": case, "promptIdx": 0, "success": False, "prompt": {"raw": "Q"}}
    (tmp_path / "run.json").write_text(json.dumps({"results": {"results": [row]}}))
    results = open_results(tmp_path / "run.json").indexed()
    found = decks_of_run(results, [tmp_path / "promptfooconfig.yaml"], Settings())
    sample = found.sample(results.entries[0])
    assert (None if sample is None else sample.index) == index
