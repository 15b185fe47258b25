"""What promptfoo refuses of a test, or ends with an error in a run (0.121.20, seen with its echo provider)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from sampleui.formats.csv import CsvDocument
from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, is_number, tables_in
from sampleui.formats.document import Document
from sampleui.formats.made_samples import MadeSamples
from sampleui.formats.registry import TABLES
from sampleui.integrations.integration import Checks
from sampleui.integrations.javascript import pattern_fault
from sampleui.integrations.promptfoo.assertion_text import NAMED_TYPES, assertion
from sampleui.integrations.promptfoo.followed import followed
from sampleui.integrations.promptfoo.json_schema import schema_fault
from sampleui.integrations.promptfoo.prompts import RUNS_NOTHING, config_prompts, missing_file
from sampleui.integrations.promptfoo.rows import expected_cells
from sampleui.prompt.library import Library
from sampleui.sample.dialects.field import keys
from sampleui.sample.fields import Start, Starts
from sampleui.sample.model import Sample
from sampleui.sample.models.typed import TYPES, ValueTest, is_of_type
from sampleui.sample.parse import dialect_of, is_reference, is_row
from sampleui.sample.rules.every_dialect import Rule, nearest
from sampleui.text.confined import SCHEME
from sampleui.text.diagnostic import Finding, Severity

SET = "assert-set"
_JUDGED_ELSEWHERE = ("max-score", "select-", "promptfoo:redteam:")
"""How types begin that compare all answers to a test, or that attacks are graded by."""

_BY_PEOPLE = "human"
_BY_SCHEMA = ("is-json", "contains-json")
_ASKS = ("assert", "vars", "options", "metadata", "provider", "providerOutput")
"""A test must have one of these keys, with a value that is not empty, false or 0, or a threshold (`readTest`)."""


_is_text, _is_words = TYPES["text"].test, TYPES["filled"].test


def _are_texts(value: Plain) -> bool:
    return _is_text(value) or (value != [] and is_of_type("texts", value))


def _is_count(value: Plain) -> bool:
    if isinstance(value, dict):
        return bool(value.keys() & {"min", "max"})
    return is_number(value) or (isinstance(value, str) and not value.isalpha())


def _are_skills(value: Plain) -> bool:
    if isinstance(value, dict):
        return bool(value.keys() & {"name", "pattern"})
    return value != "" and _are_texts(value)


_TYPED: Mapping[str, tuple[ValueTest, str]] = {
    "threshold": (is_number, "a number"),
    "weight": (is_number, "a number"),
    "metric": (_is_text, "a text"),
    "config": (TYPES["table"].test, "a table"),
}
"""What `AssertionSchema` wants of the keys of an assertion."""

_WANTED: Mapping[str, tuple[ValueTest, str]] = {
    **dict.fromkeys(
        keys("contains icontains"), (lambda value: _is_words(value) or is_number(value), "a text or a number")
    ),
    **dict.fromkeys(
        keys("contains-all contains-any icontains-all icontains-any"),
        (partial(is_of_type, "list|filled"), "a list, or texts between commas"),
    ),
    **dict.fromkeys(keys("starts-with regex select-best"), (_is_words, "a text")),
    **dict.fromkeys(keys("levenshtein rouge-n finish-reason"), (_is_text, "a text")),
    **dict.fromkeys(keys("bleu gleu"), (_are_texts, "a text or a list of texts")),
    **dict.fromkeys(
        keys("is-xml contains-xml"), (lambda value: not isinstance(value, dict), "a text, a list or nothing")
    ),
    **dict.fromkeys(
        keys("is-sql contains-sql"),
        (lambda value: value is None or value == "" or isinstance(value, dict | list), "a table or nothing"),
    ),
    **dict.fromkeys(
        keys("is-json contains-json"),
        (lambda value: not value or isinstance(value, str | list | dict), "a JSON schema or nothing"),
    ),
    "word-count": (_is_count, "a number, or a table of min and max"),
    "tool-call-f1": (lambda value: _is_text(value) or (isinstance(value, list) and bool(value)), "names of tools"),
    "skill-used": (_are_skills, "names of skills, or a table of name or pattern"),
}
"""What the value of an assertion must be, by its type without `not-`."""

_LIMITS: Mapping[str, str] = {"latency": "milliseconds", "cost": "dollars"}
"""Types that must have a threshold, and what it is counted in."""

_TYPE_IN_CELL = re.compile(r"([A-Za-z][\w-]*+)(?:\([\d.]*\))? ?:")
"""What looks like the type of an assertion at the beginning of a cell."""

_LOOKED_AT = 100
_IN_FILE = re.compile("#/")
_BLANK_LINE = re.compile(r"\n[ \t]*+\r?\n\Z")


def nothing_asked(sample: Sample) -> Iterator[Finding]:
    """A table with none of the keys of a test: outside of CSV, promptfoo takes no key for a variable."""
    data = followed(sample.data, sample.context)
    if sample.columns or sample.path.suffix.lower() in TABLES or any(map(_is_true, map(data.get, _ASKS))):
        return
    if not is_number(data.get("threshold")):
        fields = dialect_of(sample).fields
        variables = [key for key in data if key not in fields or not fields[key].offered]
        hint = "; only in CSV is each column a variable, here they belong under vars" if variables else ""
        text = f"to promptfoo this is no test: it has none of {', '.join(_ASKS)} and threshold{hint}"
        yield Finding("test-empty", Severity.ERROR, text)


def assertions_refused(sample: Sample) -> Iterator[Finding]:
    """An assertion that promptfoo refuses, or whose type it does not know."""
    library = Library(sample.folder, looks_above=False)
    if not is_row(sample.data, dialect_of(sample), sample.columns):
        yield from refused(sample.data, (), sample.context, library)
        return
    for column, text in expected_cells(sample.data).items():
        item = assertion(text)
        if fault := _fault(item, library, (column,)):
            yield fault._replace(node=(column,))
        begins = _TYPE_IN_CELL.match(text) if item == {"type": "equals", "value": text} else None
        if begins is not None and (near := nearest(begins[1], _ALL)):
            said = f'promptfoo compares the answer with this whole text: "{begins[0]}" begins no assertion'
            yield Finding("assertion-text", Severity.WARNING, f'{said}; did you mean "{near}:"?', (column,))


def refused(test: Table, path: DataPath, context: Table, library: Library) -> Iterator[Finding]:
    """Yield an error for each assertion of a test that promptfoo refuses or does not know.

    Args:
        test: the test, or what holds for all tests.
        path: where it is.
        context: what `$ref` leads into.
        library: the files of the project, looked for beside the config alone.
    """
    listed = test.get("assert")
    if isinstance(listed, list):
        for index, item in enumerate(listed):
            yield from _wrong_in(item, (*path, "assert", index), context, library)
    options = as_table(test.get("options"))
    for key in ("transform", "transformVars", "postprocess"):
        if gone := _missing_program(options.get(key), library, (*path, "options", key)):
            yield gone
    for key in ("vars", "options", "metadata"):
        inner = as_table(test.get(key)).get("assert")
        if any("type" in item for item in tables_in(inner)):
            text = f"promptfoo judges nothing by assertions under {key}; they belong beside it"
            yield Finding("assertion-nested", Severity.WARNING, text, (*path, key, "assert"))


def _wrong_in(
    item: Plain, path: DataPath, context: Table, library: Library, inside: bool = False
) -> Iterator[Finding]:
    if isinstance(item, dict):
        item = followed(item, context)
    if is_reference(item):
        if _IN_FILE.match(str(as_table(item)["$ref"])) and context.keys() & {"prompts", "providers"}:
            yield _invalid("nothing is at the place that $ref names", path)
    elif isinstance(item, dict):
        for key, (fits, wanted) in _TYPED.items():
            if key in item and not fits(item[key]):
                yield _invalid(f"{key} must be {wanted}", (*path, key))
        yield from _wrong_kind(item, path, context, library, inside)
    elif inside or path[0] != "assert":  # else the type of the field says it
        yield _invalid("an assertion must be a table with a type", path)


def _wrong_kind(item: Table, path: DataPath, context: Table, library: Library, inside: bool) -> Iterator[Finding]:
    kind = item.get("type")
    if not isinstance(kind, str) or not kind:
        yield _invalid("an assertion must have a type", (*path, "type") if "type" in item else path)
    elif kind == SET and not inside:
        members = item.get("assert")
        if not isinstance(members, list):
            yield _invalid(f"an {SET} must have a list of assertions under assert", path)
        else:
            for index, member in enumerate(members):
                yield from _wrong_in(member, (*path, "assert", index), context, library, inside=True)
    elif why := _unknown(kind, inside):
        yield Finding("assertion-unknown", Severity.ERROR, why, (*path, "type"))
    elif fault := _fault(item, library, path):
        yield fault
    if kind != SET and tables_in(item.get("assert")):
        text = f"promptfoo judges nothing by assertions under one of the type {kind}, but by those of an {SET}"
        yield Finding("assertion-nested", Severity.WARNING, text, (*path, "assert"))


def _missing_program(named: Plain, library: Library, path: DataPath) -> Finding | None:
    """Return an error for a program that is not where promptfoo looks for it."""
    if not (isinstance(named, str) and named.startswith(SCHEME)):
        return None
    return missing_file(named, library, "and ends the test with an error", path)


def _fault(item: Table, library: Library, path: DataPath) -> Finding | None:
    """Return why no answer, or hardly one, can be judged by an assertion of a type that promptfoo knows."""
    value = item.get("value")
    node = (*path, "value") if value is not None else path
    if why := _value_fault(item):
        return _ended(why, node)
    for index, text in enumerate(value if isinstance(value, list) else [value]):
        if isinstance(text, str) and text.startswith(SCHEME):
            place = (*node, index) if isinstance(value, list) else node
            if gone := missing_file(text, library, "and the test fails", place):
                return gone
    if gone := _missing_program(item.get("transform"), library, (*path, "transform")):
        return gone
    kind = str(item["type"]).removeprefix("not-")
    if isinstance(value, str) and ("{{" in value or value.startswith(SCHEME)):
        return None  # which is filled first
    if kind == "regex" and (why := pattern_fault(str(value))):
        return Finding("assertion-invalid", Severity.ERROR, f"JavaScript refuses it: {why}", node)
    if kind in _BY_SCHEMA and _is_true(value) and (found := schema_fault(value)):
        text = f"promptfoo ends the test with an error if the answer is JSON: {found.why}"
        return Finding("assertion-invalid", Severity.ERROR, text, (*node, *found.path))
    return None


def _value_fault(item: Table) -> str:
    """Return what the value or the threshold of an assertion of a known type must be; "" if it may be so."""
    kind, value = str(item.get("type")).removeprefix("not-"), item.get("value")
    if kind in _LIMITS:
        return "" if is_number(item.get("threshold")) else f"{kind} must have a threshold, in {_LIMITS[kind]}"
    fits, wanted = _WANTED.get(kind, (None, ""))
    if fits is None or fits(value) or (isinstance(value, str) and value.startswith(SCHEME)):
        return ""
    return f"the value of {kind} must be {wanted}"


def _unknown(kind: str, inside: bool) -> str:
    """Return why promptfoo does not know a type of assertion; "" if it does, or if its graders may."""
    if kind.removeprefix("not-") in NAMED_TYPES or kind.startswith(_JUDGED_ELSEWHERE):
        return ""
    if kind == _BY_PEOPLE:
        return f'an assertion of the type "{kind}" is what a person says in the viewer; in a run it is an error'
    if kind == SET and inside:
        return f"promptfoo refuses an {SET} inside another"
    near = nearest(kind, _ALL)
    return f'promptfoo has no assertion "{kind}"' + (f'; did you mean "{near}"?' if near else "")


def _ended(why: str, path: DataPath) -> Finding:
    return Finding("assertion-invalid", Severity.ERROR, f"promptfoo ends the test with an error: {why}", path)


def _invalid(message: str, path: DataPath) -> Finding:
    return Finding("assertion-invalid", Severity.ERROR, f"promptfoo refuses it: {message}", path)


def _is_true(value: Plain) -> bool:
    """Tell whether JavaScript takes a value for true: empty lists and tables are."""
    return value is not None and value is not False and value != "" and not (is_number(value) and value == 0)


_ALL = frozenset((*NAMED_TYPES, *(f"not-{kind}" for kind in NAMED_TYPES), SET, "select-best", "max-score"))
"""The types that are worth proposing."""


def about_file(document: Document, path: Path) -> Iterator[Finding]:
    """Yield where else a config has tests, or why it has none, and what promptfoo refuses beside them."""
    context = document.context
    made_from = document.made_from if isinstance(document, MadeSamples) else ""
    others = [key for key in ("scenarios", "redteam") if key != made_from and context.get(key)]
    for key in others:
        text = f"promptfoo has tests of {key} too; they are not shown"
        yield Finding("samples-elsewhere", Severity.INFO, text, (key,))
    if not len(document) and not (others or document.refers or "tests" in context):
        runs = context.keys() & {"providers", "targets"}
        then = "promptfoo runs each prompt once, without variables" if runs else "what it has is for other configs"
        yield Finding("samples-missing", Severity.INFO, f"there are no tests: {then}")
    if context.get("prompts") == []:
        yield Finding("prompt-empty", Severity.ERROR, "promptfoo must have at least one prompt", ("prompts",))
    library = Library(path.parent, looks_above=False)
    if not len(document):  # else the tests that it asks tell of it
        for prompt in config_prompts(context, library):
            yield from prompt.findings
    for key in ("providers", "targets"):
        for index, item in enumerate(as_list(context.get(key))):
            named = as_table(item).get("id", item)
            if isinstance(named, str) and named.startswith(SCHEME):
                gone = missing_file(named, library, RUNS_NOTHING, (key, index))
                yield from [gone] if gone else []
    default = context.get("defaultTest")
    if isinstance(default, dict):
        yield from refused(followed(default, context), ("defaultTest",), context, library)
    if isinstance(document, CsvDocument):
        yield from _misread(document)


_OF_CONFIGS = frozenset(("vars", "assert", "options", "metadata"))
"""Keys of tests that are no columns of a table of tests."""


def _misread(table: CsvDocument) -> Iterator[Finding]:
    """Yield what promptfoo reads otherwise of a table, or refuses of it (its `parseCsv`)."""
    rows = [table.reading(index) or {} for index in range(min(len(table), _LOOKED_AT))]
    for name in (name for name in table.columns if name in _OF_CONFIGS):
        if any(str(row.get(name)).lstrip()[:1] in ("{", "[") for row in rows):
            text = f"promptfoo takes the column {name} for a variable; a table has assertions in __expected columns"
            yield Finding("table-misread", Severity.WARNING, f"{text}, and its other columns are variables")
    if table.delimiter != ",":
        text = "promptfoo parts the cells of a table by commas alone, unless PROMPTFOO_CSV_DELIMITER says otherwise"
        yield Finding("table-misread", Severity.WARNING, text)
    if any(_BLANK_LINE.search(piece) for piece in table.pieces) or table.text.lstrip("\ufeff")[:1] in ("\n", "\r"):
        if len(table.columns) > 1:
            yield Finding("table-refused", Severity.ERROR, "promptfoo refuses a table with a blank line")
        else:
            text = "promptfoo makes a test of each blank line of a table of one column"
            yield Finding("table-misread", Severity.WARNING, text)


def variables_refused(sample: Sample) -> Iterator[Finding]:
    """Variables that are neither a table nor paths of files, for which promptfoo ends with an error."""
    variables = sample.data.get("vars")
    # A scenario that is joined with a file of variables has a table and a path.
    if isinstance(variables, list) and variables and not any(isinstance(item, str) for item in variables):
        text = "promptfoo ends with an error: vars is a table, a path or a list of paths of files of variables"
        yield Finding("variables-refused", Severity.ERROR, text, ("vars", 0))


RULES: Mapping[str, Rule] = {
    "test-empty": nothing_asked,
    "assertions-refused": assertions_refused,
    "variables-refused": variables_refused,
}


_PURPOSES: Mapping[str, str] = {
    "contains": "the output has a text in it",
    "icontains": "the output has a text in it, in either case",
    "equals": "the output is this text, or this JSON",
    "regex": "the output matches a pattern",
    "starts-with": "the output begins with a text",
    "llm-rubric": "a model says whether a criterion is met",
    "javascript": "an expression or a function in JavaScript is true of the output",
    "python": "an expression or a function in Python is true of the output",
    "contains-all": "the output has each of several texts in it",
    "contains-any": "the output has one of several texts in it",
    "icontains-all": "the output has each of several texts in it, in either case",
    "icontains-any": "the output has one of several texts in it, in either case",
    "is-json": "the output is JSON, by a schema if there is one",
    "is-refusal": "the model refused",
    "is-valid-openai-tools-call": "the output calls tools as their schemas say",
    "latency": "the output came within so many milliseconds",
    "cost": "the output cost no more than this",
    "similar": "the output means nearly the same, by embeddings",
    "answer-relevance": "the output is about what was asked",
}


def _starts() -> Starts:
    """Return what an assertion of each usual kind starts as (its documentation of assertions and metrics)."""
    more: Table = {"weight": 1, "metric": "", "transform": ""}
    texts = ("contains", "icontains", "equals", "regex", "starts-with", "llm-rubric", "javascript", "python")
    lists = ("contains-all", "contains-any", "icontains-all", "icontains-any")
    bare = ("is-json", "is-refusal", "is-valid-openai-tools-call")
    limits = ("latency", "cost", "similar", "answer-relevance")
    kinds = {
        **{kind: Start({"type": kind, "value": ""}, {"threshold": 0.5, **more}) for kind in texts},
        **{kind: Start({"type": kind, "value": [""]}, more) for kind in lists},
        **{kind: Start({"type": kind}, {"value": "", **more}) for kind in bare},
        **{kind: Start({"type": kind, "threshold": 0}, {"value": "", **more}) for kind in limits},
        "similar": Start({"type": "similar", "value": "", "threshold": 0.8}, more),
    }
    return {"assert": {kind: start._replace(purpose=_PURPOSES[kind]) for kind, start in kinds.items()}}


CHECKS = Checks(RULES, skeletons=_starts, of_file=about_file)
