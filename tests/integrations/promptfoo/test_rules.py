"""What promptfoo refuses of tests and their assertions is an error at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.integrations.promptfoo.assertion_text import NAMED_TYPES


def errors(folder: Path, tests: str, beside: str = "", **files: str) -> list[tuple[int, str, str]]:
    """Return the line, the rule and the words of each error of a config."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    path = folder / "promptfooconfig.yaml"
    path.write_text(f"prompts: ['{{{{q}}}}']\nproviders: [echo]\n{beside}tests: {tests}\n", "utf-8")
    return [
        (one.line or 0, one.rule, one.message)
        for one in open_deck(path).diagnostics
        if one.severity.value == "error"
    ]


def asserting(*assertions: str) -> str:
    return "".join(f"\n- vars: {{q: a}}\n  assert: [{one}]" for one in assertions)


@pytest.mark.parametrize(
    ("kind", "near"),
    [
        *(("similarity", "similar"), ("Contains", "contains"), ("'contains '", "contains")),
        *(
            ("not-not-contains", "not-contains"),
            ("not-select-best", "select-best"),
            ("not-assert-set", "assert-set"),
        ),
        ("not-max-score", "max-score"),
    ],
)
def test_a_type_that_promptfoo_has_not_is_an_error_at_its_place(tmp_path: Path, kind: str, near: str) -> None:
    # Each ended in "Unknown assertion type" in a run of promptfoo 0.121.20 with its echo provider.
    [(line, rule, message)] = errors(tmp_path, asserting(f"{{type: {kind}, value: x}}"))
    assert (line, rule) == (5, "assertion-unknown")
    assert message == f'promptfoo has no assertion "{kind.strip(chr(39))}"; did you mean "{near}"?'


@pytest.mark.parametrize("kind", ["human", "file://x.js", "assert-set: x"])
def test_words_that_are_no_types_are_errors(tmp_path: Path, kind: str) -> None:
    [(_, rule, _)] = errors(tmp_path, asserting(f"{{type: '{kind}', value: x}}"))
    assert rule == "assertion-unknown"


def test_every_type_of_promptfoo_is_one_negated_too(tmp_path: Path) -> None:
    kinds = [*NAMED_TYPES, *(f"not-{kind}" for kind in NAMED_TYPES), "select-best", "max-score"]
    more = ["{type: assert-set, threshold: 0.5, assert: [{type: equals, value: x, weight: 2}]}"]
    more += [
        "{type: 'promptfoo:redteam:harmful'}",
        "{type: python, value: 'file://x.py', config: {a: 1}, metric: m}",
    ]
    told = errors(
        tmp_path, asserting(*(f"{{type: '{kind}', value: x, threshold: 1}}" for kind in kinds), *more), x_py=""
    )
    assert {message.rpartition(": ")[2] for _, _, message in told} == {
        "'x' is not of type 'object', 'boolean'",
        "the value of is-sql must be a table or nothing",
        "the value of contains-sql must be a table or nothing",
        "the value of word-count must be a number, or a table of min and max",
    }


@pytest.mark.parametrize(
    ("assertion", "told"),
    [
        ("{type: contains, value: a, weight: '1'}", "weight must be a number"),
        ("{type: contains, value: a, threshold: x}", "threshold must be a number"),
        ("{type: contains, value: a, metric: 3}", "metric must be a text"),
        ("{type: contains, value: a, config: x}", "config must be a table"),
        ("{value: a}", "must have a type"),
        ("{type: '', value: a}", "must have a type"),
        ("{type: 5, value: a}", "must have a type"),
        ("{type: assert-set}", "must have a list of assertions"),
        ("{type: assert-set, assert: [x]}", "must be a table"),
    ],
)
def test_an_assertion_that_promptfoo_refuses_is_an_error(tmp_path: Path, assertion: str, told: str) -> None:
    [(_, rule, message)] = errors(tmp_path, asserting(assertion))
    assert rule == "assertion-invalid"
    assert told in message


@pytest.mark.parametrize("assertion", ["'contains: a'", "null", "5"])
def test_an_assertion_that_is_no_table_is_one_error(tmp_path: Path, assertion: str) -> None:
    assert [rule for _, rule, _ in errors(tmp_path, asserting(assertion))] == ["field-type"]


def test_the_members_of_a_set_are_looked_at_and_a_set_in_a_set_is_refused(tmp_path: Path) -> None:
    inner = "{type: contaims, value: x}"
    found = errors(
        tmp_path, asserting(f"{{type: assert-set, assert: [{inner}, {{type: assert-set, assert: []}}]}}")
    )
    assert [message.partition(";")[0] for _, _, message in found] == [
        'promptfoo has no assertion "contaims"',
        "promptfoo refuses an assert-set inside another",
    ]


def test_assertions_of_all_tests_and_behind_references_are_looked_at(tmp_path: Path) -> None:
    beside = "defaultTest:\n  assert:\n    - type: equal\n      value: x\n"
    beside += "templates: {t: {type: contans, value: x}}\n"
    found = errors(tmp_path, asserting("{$ref: '#/templates/t'}"), beside)
    assert [(line, message.partition(";")[0]) for line, _, message in found] == [
        (5, 'promptfoo has no assertion "equal"'),
        (10, 'promptfoo has no assertion "contans"'),
    ]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("t.yaml", "- question: what\n  __expected: 'contains:what'\n"),
        ("t.json", '[{"question": "what"}]'),
        ("t.jsonl", '{"question": "what"}\n'),
    ],
)
@pytest.mark.parametrize("listed", [False, True])
def test_flat_rows_are_no_tests_outside_of_csv(tmp_path: Path, name: str, rows: str, listed: bool) -> None:
    # promptfoo 0.121.20 ends with "Test case must contain one of the following properties" at each.
    (tmp_path / name).write_text(rows, "utf-8")
    [(line, rule, message)] = errors(tmp_path, f"[{name}]" if listed else name)
    assert (line, rule) == (1, "test-empty")
    assert "here they belong under vars" in message


@pytest.mark.parametrize("test", ["{description: x}", "{vars: null}", "{metadata: null, q: x}", "{threshold: '1'}"])
def test_a_test_without_anything_to_do_is_refused(tmp_path: Path, test: str) -> None:
    assert "test-empty" in [rule for _, rule, _ in errors(tmp_path, f"[{test}]")]


@pytest.mark.parametrize(
    "test", ["{vars: {}}", "{assert: []}", "{threshold: 0}", "{metadata: {}}", "{options: {}}"]
)
def test_a_test_with_one_of_its_keys_is_not_refused(tmp_path: Path, test: str) -> None:
    assert errors(tmp_path, f"[{test}]") == []


def test_a_column_that_names_what_it_is_for_is_no_slip(tmp_path: Path) -> None:
    (tmp_path / "promptfooconfig.yaml").write_text("prompts: ['{{q}}']\nproviders: [echo]\ntests: file://t.csv\n")
    columns = "q,__metadata:topic ,__metadata:tags[],__config:__expected:threshold,__expectd"
    (tmp_path / "t.csv").write_text(f'{columns}\na,b,"c,d",0.5,x\n')
    found = [
        note.message
        for note in open_deck(tmp_path / "promptfooconfig.yaml").diagnostics
        if note.rule == "unknown-key"
    ]
    assert found == ['Unknown key "__expectd"; did you mean "__expected"?']


def test_rows_of_csv_are_tests(tmp_path: Path) -> None:
    assert errors(tmp_path, "file://t.csv", t_csv="q,assert2\na,b\n") == []


def test_rows_of_yaml_behind_path_are_tests(tmp_path: Path) -> None:
    # promptfoo 0.121.20 sent "what" for this row.
    assert errors(tmp_path, "{path: t.yaml}", t_yaml="- q: what\n") == []
    assert errors(tmp_path, "[{path: t.yaml}]", t_yaml="- q: what\n") == []


SPACED = (
    "q , __expected,__description ,__threshold\r\nhello,equals: bye,first,\r\nhello,contains:hell,second,0.5\r\n"
)


@pytest.mark.parametrize("alone", [False, True])
def test_names_of_columns_are_read_without_blanks_around_them(tmp_path: Path, alone: bool) -> None:
    assert errors(tmp_path, "file://t.csv", t_csv=SPACED) == []
    deck = open_deck(tmp_path / ("t.csv" if alone else "promptfooconfig.yaml"))
    assert [sample.id for sample in deck.samples] == ["first", "second"]
    assert [sample.data["q"] for sample in deck.samples] == ["hello", "hello"]
    if not alone:
        assert [deck.render(sample).question for sample in deck.samples] == ["hello", "hello"]


def test_an_edit_leaves_the_blanks_around_names_of_columns(tmp_path: Path) -> None:
    errors(tmp_path, "file://t.csv", t_csv=SPACED)
    open_deck(tmp_path / "promptfooconfig.yaml").set(1, ("q",), "new").save()
    wanted = SPACED.replace("hello,contains", "new,contains").replace("\r\n", "\n")
    assert (tmp_path / "t.csv").read_text("utf-8") == wanted


@pytest.mark.parametrize(
    ("assertion", "told"),
    [
        ("{type: contains}", "the value of contains must be a text or a number"),
        ("{type: not-icontains, value: [x]}", "the value of icontains must be a text or a number"),
        ("{type: contains-any, value: 5}", "the value of contains-any must be a list, or texts between commas"),
        ("{type: icontains-all, value: ''}", "the value of icontains-all must be a list, or texts between commas"),
        ("{type: starts-with, value: 5}", "the value of starts-with must be a text"),
        ("{type: regex, value: [x]}", "the value of regex must be a text"),
        ("{type: levenshtein, value: 5}", "the value of levenshtein must be a text"),
        ("{type: bleu, value: []}", "the value of bleu must be a text or a list of texts"),
        ("{type: is-sql, value: x}", "the value of is-sql must be a table or nothing"),
        ("{type: is-xml, value: {a: 1}}", "the value of is-xml must be a text, a list or nothing"),
        ("{type: word-count, value: x}", "the value of word-count must be a number, or a table of min and max"),
        ("{type: skill-used, value: {a: 1}}", "the value of skill-used must be names of skills"),
        ("{type: tool-call-f1}", "the value of tool-call-f1 must be names of tools"),
        ("{type: select-best}", "the value of select-best must be a text"),
        ("{type: latency, value: 5}", "latency must have a threshold, in milliseconds"),
        ("{type: assert-set, assert: [{type: cost}]}", "cost must have a threshold, in dollars"),
    ],
)
def test_a_value_that_ends_a_test_with_an_error_is_one(tmp_path: Path, assertion: str, told: str) -> None:
    [(line, rule, message)] = errors(tmp_path, asserting(assertion))
    assert (line, rule) == (5, "assertion-invalid") and told in message


@pytest.mark.parametrize(
    "assertion",
    [
        *("{type: equals}", "{type: contains, value: 5}", "{type: contains-all, value: [5]}", "{type: is-json}"),
        *("{type: contains-any, value: 'a,b'}", "{type: levenshtein, value: ''}", "{type: is-sql, value: [x]}"),
        *("{type: word-count, value: {min: 1}}", "{type: word-count, value: '{{n}}'}", "{type: max-score}"),
        *(
            "{type: latency, threshold: 0.5}",
            "{type: skill-used, value: {pattern: x}}",
            "{type: is-xml, value: true}",
        ),
        *("{type: is-sql, value: file://x.json}", "{type: contains, value: '{{q}}'}"),
    ],
)
def test_a_value_that_promptfoo_takes_is_no_error(tmp_path: Path, assertion: str) -> None:
    assert errors(tmp_path, asserting(assertion), x_json="{}") == []


def test_a_reference_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    [(line, rule, message)] = errors(tmp_path, asserting("{$ref: '#/assertionTemplates/none'}"))
    assert (line, rule) == (5, "assertion-invalid") and "nothing is at the place that $ref names" in message


def test_variables_in_a_list_are_refused_unless_they_are_paths(tmp_path: Path) -> None:
    assert [rule for _, rule, _ in errors(tmp_path, "[{vars: [{q: hello}]}]")] == ["variables-refused"]
    assert errors(tmp_path, "[{vars: [a.yaml]}]") == []


def of_table(folder: Path, text: str) -> list[tuple[str, str]]:
    """Return the rule and the severity of what is said of a table of tests."""
    (folder / "t.csv").write_text(text, "utf-8")
    (folder / "promptfooconfig.yaml").write_text("prompts: ['{{q}}']\nproviders: [echo]\ntests: file://t.csv\n")
    told = open_deck(folder / "promptfooconfig.yaml").diagnostics
    return [(one.rule, one.severity.value) for one in told if one.severity.value in ("error", "warning")]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("q,__expected\nhi,contains:hi\n", []),
        ("q,__expected\nhi,contains:hi\n\nho,x\n", [("table-refused", "error")]),
        ("q,__expected\r\nhi,contains:hi\r\n\r\n", [("table-refused", "error")]),
        ("\nq,__expected\nhi,contains:hi\n", [("table-refused", "error")]),
        ('q,__expected\n"hi\n\nho",contains:hi\n', []),
        ("q\nhi\n\nho\n", [("table-misread", "warning")]),
        ("q;__expected\nhi;contains:hi\n", [("table-misread", "warning")]),
        ("q,__expected,x\nhi,contains:hi\n", [("row-short", "error")]),
        ("q,__expected\nhi,contains:\n", [("assertion-invalid", "error")]),
        ("q,__expected\nhi,latency\n", []),
        ("q,__expected\nhi,note: a text\n", []),
        ("q,__expected\nhi,similarity: hello\n", [("assertion-text", "warning")]),
        ("q,__expected1,__expected2\nhi,contains:h,contains_any: a\n", [("assertion-text", "warning")]),
        ("q,__expected\nhi,contains : h\n", [("assertion-text", "warning")]),
    ],
)
def test_what_promptfoo_makes_of_a_table_is_told(tmp_path: Path, rows: str, told: list[tuple[str, str]]) -> None:
    assert of_table(tmp_path, rows) == told


REFUSED_SCHEMAS = """
{type: objekt}|{type: object, foo: 1}|{type: string, format: foo}|{if: {type: object}}|{then: {}}
{type: array, additionalItems: false}|{$schema: 'https://json-schema.org/draft/2020-12/schema'}|{nullable: true}
{properties: {a: {type: number, required: true}}}|{required: a}|{type: string, pattern: (a}|{id: x}
{prefixItems: [{type: number}]}|{minContains: 1, contains: {}}|{dependentRequired: {}}|{$anchor: x}
{unevaluatedProperties: false}|{enum: []}|{enum: [1, 1]}|{minimum: '1'}|{type: []}|{type: [string, string]}
{properties: {a: 5}}|{exclusiveMinimum: true, minimum: 1}|{multipleOf: 0}|{additionalProperties: x}|{format: 5}
{type: object, items: {typ: x}}|{allOf: []}|{allOf: [{type: objekt}]}|{not: {type: nul}}|{else: {type: x}}
{definitions: {a: {type: x}}}|[]|{required: [a, a]}|{x-foo: 1}|{maxLength: -1}|{uniqueItems: 'yes'}
{description: 5}|{title: null}|{$dynamicRef: '#'}|{example: 1}|true|'type: objekt'|'a'
"""
TAKEN_SCHEMAS = r"""
{type: string, format: date}|{$schema: 'http://json-schema.org/draft-07/schema#', type: object}
{type: number, nullable: true}|{properties: {a: {type: number}}, required: [b]}|{items: [{type: number}]}
{deprecated: true, readOnly: true, writeOnly: true, examples: [1], title: x, default: 1, $comment: c}
{contentMediaType: x, contentEncoding: y}|{contentSchema: {}}|{$vocabulary: {}}|{const: 1}|{type: [string, 'null']}
{dependencies: {a: [b]}}|{propertyNames: {pattern: ^a}}|{properties: {abc: {}}, patternProperties: {^a: {}}}
{default: {type: x}}|{enum: [{type: x}]}|{type: integer, format: int32}|'{{schema}}'|'type: object'
{properties: {dependencies: {type: object}, format: {type: string}}}
"""


@pytest.mark.parametrize("kind", ["is-json", "contains-json", "not-is-json"])
@pytest.mark.parametrize("schema", REFUSED_SCHEMAS.strip().replace("\n", "|").split("|"))
def test_a_schema_that_ajv_refuses_is_an_error(tmp_path: Path, kind: str, schema: str) -> None:
    """Each ended its test with an error in promptfoo 0.121.20 and 0.123.1, whose answer was JSON."""
    [(line, rule, _)] = errors(tmp_path, asserting(f"{{type: {kind}, value: {schema}}}"))
    assert (line, rule) == (5, "assertion-invalid")


@pytest.mark.parametrize("schema", TAKEN_SCHEMAS.strip().replace("\n", "|").split("|"))
def test_a_schema_that_ajv_takes_is_none(tmp_path: Path, schema: str) -> None:
    assert errors(tmp_path, asserting(f"{{type: is-json, value: {schema}}}")) == []


def test_a_schema_that_is_nested_without_end_ends_in_no_error_of_ours(tmp_path: Path) -> None:
    deep = "{not: " * 90 + "{type: x}" + "}" * 90
    assert [rule for _, rule, _ in errors(tmp_path, asserting(f"{{type: is-json, value: {deep}}}"))] == [
        "assertion-invalid"
    ]


@pytest.mark.parametrize(
    "pattern",
    [
        "([a-z",
        "a)",
        "(?P<n>a)",
        "(?i)a",
        "(?>a)",
        "a++",
        "*a",
        "^*",
        "{2}",
        "a{2,1}",
        "[z-a]",
        "a|*",
        "(?<n>a",
        "\\b+",
    ],
)
def test_a_pattern_that_javascript_refuses_is_an_error(tmp_path: Path, pattern: str) -> None:
    """Each is a SyntaxError of `new RegExp` in Node.js 20 and 22."""
    [(line, rule, message)] = errors(tmp_path, asserting(f"{{type: regex, value: '{pattern}'}}"))
    assert (line, rule) == (5, "assertion-invalid") and message.startswith("JavaScript refuses it: ")


@pytest.mark.parametrize(
    "pattern",
    ["(?<=a+)b", "(?<n>a)\\k<n>", "[]", "[^]", "{", "}", "]", "\\p{L}", "\\-", "a{,3}", "{{x}}(", "[a-\\w]"],
)
def test_a_pattern_that_javascript_reads_is_none(tmp_path: Path, pattern: str) -> None:
    assert errors(tmp_path, asserting(f"{{type: not-regex, value: '{pattern}'}}")) == []


@pytest.mark.parametrize(
    ("test", "line"),
    [
        (
            "\n- vars: {q: a}\n  assert:\n  - type: contains\n    value: a\n    assert: [{type: equals, value: b}]",
            8,
        ),
        ("\n- vars:\n    q: a\n    assert: [{type: equals, value: b}]", 6),
        ("\n- vars: {q: a}\n  options:\n    assert: [{type: equals, value: b}]", 6),
        ("\n- vars: {q: a}\n  metadata:\n    assert: [{type: equals, value: b}]", 6),
    ],
)
def test_assertions_where_they_do_nothing_are_told(tmp_path: Path, test: str, line: int) -> None:
    """promptfoo 0.123.1 passed each of these tests, whose answer is no b."""
    assert errors(tmp_path, test) == []
    (found,) = (item for item in open_deck(tmp_path / "promptfooconfig.yaml").diagnostics)
    assert (found.rule, found.severity.value, found.line) == ("assertion-nested", "warning", line)


@pytest.mark.parametrize("value", ["file://gone.txt", "file://gone.py:ask", "[file://gone.txt]"])
def test_a_value_whose_file_is_not_beside_the_config_is_an_error(tmp_path: Path, value: str) -> None:
    [(line, rule, message)] = errors(
        tmp_path, asserting(f"{{type: contains-any, value: '{value}'}}".replace("'[", "[").replace("]'", "]"))
    )
    assert (line, rule) == (5, "file-not-found") and message.endswith("and the test fails")
