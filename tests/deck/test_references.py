"""Files named among the tests of an AgentV suite: followed, confined, edited where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.errors import EditRefusedError
from sampleui.workspace.deck import Deck, open_deck

SUITE = """# the suite
name: s
input: Be brief.
tests:
  - id: a   # first
    criteria: c
    input: A?
  # the rest
  - file://cases/*.yaml
  - id: z
    criteria: c
    input: {type: file}
"""
CASES = """- id: {0}
  criteria: c
  input:
    - role: user
      content:
        - {{type: file, value: ./note.md}}
"""
NEW = {"id": "new", "criteria": "c", "input": "?"}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "cases").mkdir()
    (tmp_path / "note.md").write_text("a note")
    for name in "dc":
        (tmp_path / "cases" / f"{name}.yaml").write_text(CASES.format(name))
    path = tmp_path / "s.eval.yaml"
    path.write_text(SUITE)
    return path


def ids(deck: Deck) -> list[str]:
    return [sample.id for sample in deck.samples]


def rules(deck: Deck) -> list[str]:
    return [one.rule for one in deck.diagnostics]


def test_a_glob_among_tests_is_followed_in_order(suite):
    deck = open_deck(suite)
    assert (ids(deck), deck.dialect, rules(deck)) == (["a", "z", "c", "d"], "agentv", [])


def test_what_the_suite_says_holds_for_its_cases_and_files_are_counted_from_it(suite):
    deck = open_deck(suite)
    assert "Be brief." in deck.render(deck.samples[2]).question
    assert "=== ./note.md ===\na note" in deck.render(deck.samples[2]).question


def test_a_case_is_edited_in_its_own_file_and_the_suite_keeps_every_byte(suite):
    deck = open_deck(suite).set(3, ("criteria",), "new")
    deck.save()
    assert (suite.parent / "cases" / "d.yaml").read_text() == CASES.format("d").replace(
        "criteria: c", "criteria: new"
    )
    assert suite.read_text() == SUITE
    assert (suite.parent / "cases" / "c.yaml").read_text() == CASES.format("c")


@pytest.mark.parametrize(
    ("edit", "wanted"),
    [
        (lambda deck: deck.set(1, ("criteria",), "x"), ["a", "z", "c", "d"]),
        (lambda deck: deck.move_sample(0, 1), ["z", "a", "c", "d"]),
        (lambda deck: deck.delete_sample(0), ["z", "c", "d"]),
        (
            lambda deck: deck.insert_sample(1, NEW),
            ["a", "new", "z", "c", "d"],
        ),
    ],
)
def test_edits_beside_the_line_that_names_the_files_leave_it(suite, edit, wanted):
    edit(open_deck(suite)).save()
    assert "\n  # the rest\n  - file://cases/*.yaml\n" in suite.read_text()
    assert ids(open_deck(suite)) == wanted


@pytest.mark.parametrize("tests", ["./cases/c.yaml", "\n  - file://cases/c.yaml", "[file://cases/c.yaml]"])
def test_one_file_in_place_of_the_tests(suite, tests):
    suite.write_text(f"name: s\ntests: {tests}\n")
    deck = open_deck(suite)
    assert (ids(deck), deck.dialect, rules(deck)) == (["c"], "agentv", [])


def test_a_folder_of_cases_names_those_without_an_id(suite):
    for name, text in (("one", "criteria: c\ninput: 1?\n"), ("two", "id: II\ncriteria: c # why\ninput: 2?\n")):
        (suite.parent / "cases" / name).mkdir()
        (suite.parent / "cases" / name / "case.yaml").write_text(text)
    suite.write_text("name: s\ntests: ./cases/\n")
    deck = open_deck(suite)
    assert (ids(deck), rules(deck)) == (["one", "II"], [])
    deck.set(1, ("input",), "3?").save()
    assert (suite.parent / "cases" / "two" / "case.yaml").read_text() == "id: II\ncriteria: c # why\ninput: 3?\n"
    with pytest.raises(EditRefusedError, match="is this one sample"):
        deck.delete_sample(0)


def test_a_path_without_the_scheme_is_followed_and_told_of(suite):
    suite.write_text(SUITE.replace("file://cases/*.yaml", "./cases/c.yaml"))
    deck = open_deck(suite)
    assert (ids(deck), rules(deck)) == (["a", "z", "c"], ["reference-plain"])
    assert [(one.line, one.column) for one in deck.notes] == [(9, 5)]


@pytest.mark.parametrize("target", ["../out.yaml", "/etc/*.yaml", "../../**/*.yaml", "cases/x.yaml", "none/*.yaml"])
def test_what_is_missing_or_outside_is_a_finding_at_its_line(suite, target):
    (suite.parent.parent / "out.yaml").write_text(CASES.format("o"))
    suite.write_text(SUITE.replace("cases/*.yaml", target))
    deck = open_deck(suite)
    assert ids(deck) == ["a", "z"]
    [note] = deck.notes
    assert note.rule in {"reference-missing", "reference-outside-root"}
    assert note.line == 9


def test_a_suite_that_names_itself_ends(suite):
    suite.write_text(SUITE.replace("cases/*.yaml", "s.eval.yaml"))
    assert rules(open_deck(suite)) == ["reference-cycle"]


def test_a_list_of_texts_is_still_no_deck(tmp_path):
    path = tmp_path / "words.yaml"
    path.write_text("tests:\n  - one\n  - two\n")
    assert len(open_deck(path).samples) == 0


CONFIG = '{{"prompts": ["{{{{q}}}}"], "providers": ["echo"], "tests": {}}}'


@pytest.mark.parametrize("tests", ['"file://t.csv"', '["file://t.csv", "file://more.yaml"]'])
def test_the_tests_of_a_json_config_are_followed_and_edited_in_their_file(tmp_path, tests):
    (tmp_path / "t.csv").write_text("q,__expected\none,1\n")
    (tmp_path / "more.yaml").write_text("- vars: {q: two}\n")
    config = tmp_path / "promptfooconfig.json"
    config.write_text(CONFIG.format(tests))
    deck = open_deck(config)
    assert deck.dialect == "promptfoo"
    wanted = ["one", "two"][: tests.count("file://")]
    assert [one.data.get("q") or one.data["vars"]["q"] for one in deck.samples] == wanted
    assert rules(deck) == []
    assert [finding.rule for finding in deck.diagnostics] == []
    deck.set(0, ("__expected",), "2").save()
    assert (tmp_path / "t.csv").read_text() == "q,__expected\none,2\n"
    assert config.read_text() == CONFIG.format(tests)


@pytest.mark.parametrize("target", ["gen.js", "gen.py:Made.tests", "https://x.org/a?b"])
def test_tests_that_a_program_makes_are_said_and_no_fault(tmp_path, target):
    (tmp_path / "gen.js").write_text("module.exports = []")
    config = tmp_path / "promptfooconfig.yaml"
    config.write_text(
        f"prompts: ['{{{{q}}}}']\nproviders: [echo]\ntests: {'file://' * ('/' not in target)}{target}\n"
    )
    deck = open_deck(config)
    assert (deck.dialect, rules(deck)) == ("promptfoo", ["reference-program"])
    assert [(one.severity.value, one.line) for one in deck.diagnostics] == [("info", 3)]


def test_tests_that_a_run_fetches_are_said_and_no_fault(tmp_path):
    config = tmp_path / "promptfooconfig.yaml"
    config.write_text("prompts: ['{{q}}']\nproviders: [echo]\ntests:\n  - huggingface://datasets/a/b\n")
    deck = open_deck(config)
    assert (deck.dialect, [(one.rule, one.line) for one in deck.diagnostics]) == (
        "promptfoo",
        [("reference-program", 4)],
    )


TABLES = """prompts: ['{{q}}']
providers: [echo]
tests:
  - vars: {q: own}
  - path: file://t.csv   # with nothing for a program
  - config: {n: 2}
    path: file://rows.yaml
  - {path: gen.py:made, config: {n: 2}}
  - path: sheet.xlsx#2
  - more/*.json
"""


def test_a_table_with_a_path_is_followed_as_promptfoo_follows_it(tmp_path):
    for name, text in {
        "c.yaml": TABLES,
        "t.csv": "q,__expected\none,1\n",
        "rows.yaml": "- q: row\n  __expected: 'contains: r'\n",
        "more/a.json": '[{"vars": {"q": "more"}}]',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    deck = open_deck(tmp_path / "c.yaml")
    assert deck.dialect == "promptfoo"
    assert [deck.render(one).question for one in deck.samples] == ["own", "one", "row", "more"]
    assert [(one.rule, one.line) for one in deck.notes] == [
        ("reference-rows", 6),
        ("reference-program", 8),
        ("reference-program", 9),
    ]
    deck.set(0, ("vars", "q"), "mine").set(1, ("__expected",), "2").save()
    assert (tmp_path / "c.yaml").read_text() == TABLES.replace("q: own", "q: mine")
    assert (tmp_path / "t.csv").read_text() == "q,__expected\none,2\n"


@pytest.mark.parametrize(
    "written",
    [
        "tests: {path: t.csv}",
        "tests:\n  path: file://t.csv\n  config: {a: b}",
        "tests: [t.csv]",
        "tests:\n  - t.csv",
    ],
)
def test_a_file_of_tests_may_be_named_by_any_spelling(tmp_path, written):
    (tmp_path / "t.csv").write_text("q,__expected\none,1\n")
    (tmp_path / "c.yaml").write_text(f"prompts: ['{{{{q}}}}']\nproviders: [echo]\n{written}\n")
    deck = open_deck(tmp_path / "c.yaml")
    assert (len(deck.samples), deck.dialect, [*deck.diagnostics]) == (1, "promptfoo", [])


def test_tests_of_a_json_config_may_be_mixed_with_names_of_files(tmp_path):
    (tmp_path / "t.csv").write_text("q,__expected\none,1\n")
    config = tmp_path / "promptfooconfig.json"
    mixed = CONFIG.format('["file://t.csv", {"vars": {"q": "own"}}, {"path": "t.csv"}]')
    config.write_text(mixed)
    deck = open_deck(config)
    assert [deck.render(one).question for one in deck.samples] == ["own", "one"]
    assert (deck.dialect, [*deck.diagnostics]) == ("promptfoo", [])
    deck.set(0, ("vars", "q"), "mine").save()
    assert config.read_text() == mixed.replace("own", "mine")
    config.write_text(CONFIG.format('{"path": "t.csv", "config": {}}'))
    assert [open_deck(config).render(one).question for one in open_deck(config).samples] == ["one"]


@pytest.mark.parametrize(
    ("name", "text", "before", "after"),
    [
        ("t.yaml", "# one\nvars: {q: a}   # x\nassert: [{type: equals, value: b}]\n", "value: b", "value: a"),
        ("t.json", '{"vars": {"q": "a"},\n "assert": [{"type": "equals", "value": "b"}]}\n', '"b"', '"a"'),
    ],
)
def test_a_file_may_be_one_test_as_a_whole(tmp_path, name, text, before, after):
    (tmp_path / name).write_text(text)
    (tmp_path / "c.yaml").write_text(f"prompts: ['{{{{q}}}}']\nproviders: [echo]\ntests: [file://{name}]\n")
    deck = open_deck(tmp_path / "c.yaml")
    assert ([deck.render(one).question for one in deck.samples], [*deck.diagnostics]) == (["a"], [])
    deck.set(0, ("assert", 0, "value"), "a").save()
    assert (tmp_path / name).read_text() == text.replace(before, after)


@pytest.mark.parametrize("item", ["huggingface://datasets/a/b", "https://x.org/a?b", "az://a/b/c.csv"])
def test_what_a_run_fetches_is_said_of_in_json_too_and_among_other_tests(tmp_path, item):
    config = tmp_path / "promptfooconfig.json"
    config.write_text(CONFIG.format(f'["{item}", {{"vars": {{"q": "own"}}}}]'))
    deck = open_deck(config)
    assert [deck.render(one).question for one in deck.samples] == ["own"]
    assert [one.rule for one in deck.diagnostics] == ["reference-program"]
    config.write_text(CONFIG.format(f'["{item}"]'))
    assert [one.rule for one in open_deck(config).diagnostics] == ["reference-program"]
