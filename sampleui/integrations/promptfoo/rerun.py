"""Tests of promptfoo run again: the tests as the deck has them now, given to its `eval` in a file of their own.

A test is named neither by a number nor by a pattern: numbers count after what filters leave, and a pattern that
fits nothing ends well without a result. So the file of `-t` takes the place of the config's tests, and in it the
metadata of each test carry what its record is told by through to the new one.

Source: promptfoo 0.121.20 and 0.123.1, `promptfoo eval --help`; paths of files in `-t` count from the config.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import MappingProxyType

from sampleui.formats.data import Plain, Table, as_list, as_table, texts_in
from sampleui.integrations.promptfoo.repeated_variables import alike
from sampleui.review.record import Record, value_digest
from sampleui.runs.rerun.calls import Asked, Call, Program, Refused, Request, Varying
from sampleui.sample.parse import as_followed
from sampleui.text.confined import SCHEME, belongs

KEY = "sampleuiRerun"
"""The key of the metadata of a test that says which record it repeats."""

RESULTS = "results.json"

_FIXED = MappingProxyType(
    {
        "PROMPTFOO_CACHE_ENABLED": "false",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "true",
        "PROMPTFOO_DISABLE_SHARING": "true",
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_VAR_EXPANSION": "false",
        "PROMPTFOO_FAILED_TEST_EXIT_CODE": "100",
        "PROMPTFOO_STRIP_GRADING_RESULT": "false",
        "PROMPTFOO_STRIP_METADATA": "false",
        "PROMPTFOO_STRIP_PROMPT_TEXT": "false",
        "PROMPTFOO_STRIP_RESPONSE_OUTPUT": "false",
        "PROMPTFOO_STRIP_TEST_VARS": "false",
    }
)
"""Variables that a `.env` of the project could set otherwise: those of the caller win."""

_PLAIN = frozenset(
    (
        *("equals", "iequals", "contains", "icontains", "contains-all", "contains-any", "icontains-all"),
        *("icontains-any", "starts-with", "regex", "is-json", "contains-json", "is-xml", "is-sql", "is-html"),
        *("is-refusal", "latency", "cost", "perplexity", "levenshtein", "rouge-n", "bleu", "meteor"),
        *("llm-rubric", "factuality", "similar", "answer-relevance", "model-graded-closedqa"),
    )
)
"""Types of assertions that run nothing of a deck's author by their value, unless that is a template or a file."""

_TEMPLATE = ("{{", "{%", "{#", SCHEME, "exec:", "python:")


def key(record: Record) -> str:
    """Return what a record of a test is told by: the test, and who answered; of a rerun what its test carries."""
    row = record.data
    metadata = as_table(as_table(row.get("testCase")).get("metadata"))
    carried = metadata.get(KEY)
    told = carried if isinstance(carried, str) else value_digest([*_test_of(row), _prompt(row)])
    return f"{told} {_provider(row)}"


def _test_of(row: Table) -> Iterator[Plain]:
    yield as_table(row.get("vars"))
    yield alike(as_table(row.get("testCase")).get("assert"))
    yield as_table(row.get("testCase")).get("description")


def _provider(row: Table) -> str:
    provider = row.get("provider")
    table = as_table(provider)
    named = table.get("label") or table.get("id") or provider
    return named if isinstance(named, str) else ""


def _prompt(row: Table) -> str:
    prompt = as_table(row.get("prompt"))
    named = prompt.get("label") or prompt.get("raw")
    return named if isinstance(named, str) else ""


def answers(out: Path) -> Sequence[Path]:
    """Return the file of results that a call wrote."""
    return (out / RESULTS,) if belongs(out / RESULTS) else ()


def plan(request: Request) -> Iterator[Call | Refused]:
    """Yield a call for each pair of provider and prompt, with all tests that it is to answer."""
    groups: dict[tuple[Path, str, str], list[tuple[Asked, Table]]] = {}
    for item in request.asked:
        test = _test(item)
        if isinstance(test, str):
            yield Refused((item.key,), test)
            continue
        assert item.deck is not None
        row = item.record.data
        groups.setdefault((item.deck.path.absolute(), _provider(row), _prompt(row)), []).append((item, test))
    for number, ((config, provider, prompt), tests) in enumerate(groups.items(), 1):
        yield _call(request, request.out / str(number), config, (provider, prompt), tests)


def _test(item: Asked) -> Table | str:
    """Return the test of a record as it is given to promptfoo, or why it cannot be."""
    if item.deck is None or item.sample is None:
        return "no deck has its test as it is now; name the config with --deck"
    around = item.deck.around
    if not (around.get("prompts") and (around.get("providers") or around.get("targets"))):
        return f"{item.deck.path.name} says neither prompts nor providers; name the config with --deck"
    if not _provider(item.record.data):
        return "its record does not say which provider answered"
    told = item.key.partition(" ")[0]
    if item.sample.columns:
        return {**item.sample.data, f"__metadata:{KEY}": told}
    data = as_followed(item.sample).data
    given = as_table(item.record.data.get("vars"))
    variables = data.get("vars")
    if isinstance(variables, dict):
        for name, value in variables.items():
            if isinstance(value, list) and value and not isinstance(given.get(name), list):
                if given.get(name) not in value:
                    return f"its test has several values of {name}, and that of the record is none of them any more"
                variables = {**variables, name: given[name]}
        data = {**data, "vars": variables}
    return {**data, "metadata": {**as_table(data.get("metadata")), KEY: told}}


def _call(
    request: Request, out: Path, config: Path, target: tuple[str, str], tests: Sequence[tuple[Asked, Table]]
) -> Call:
    deck = tests[0][0].deck
    assert deck is not None
    provider, prompt = target
    rows = [test for _, test in tests]
    tabled = any(item.sample is not None and item.sample.columns for item, _ in tests)
    name, data = ("tests.csv", _table(rows)) if tabled else ("tests.json", json.dumps(rows).encode())
    chosen = ["--filter-providers", f"^{re.escape(provider)}$"]
    if len(as_list(deck.around.get("prompts"))) > 1:
        chosen += ["--filter-prompts", f"^{re.escape(prompt)}$"]
    return Call(
        program="promptfoo",
        arguments=(
            *("eval", "-c", str(config), "-t", str(out / name), "-o", str(out / RESULTS)),
            *(item if item.startswith("--filter") else Varying(item) for item in chosen),
            *("--repeat", Varying(str(request.times)), "-j", "1"),
            *("--no-cache", "--no-write", "--no-table", "--no-progress-bar", "--no-share"),
        ),
        folder=config.parent,
        out=out,
        keys=[item.key for item, _ in tests],
        times=request.times,
        environment={**_FIXED, "PROMPTFOO_CONFIG_DIR": str(out / "private")},
        files={name: data},
        programs=(*_configs(config, deck.around, rows), *_named(deck.around, rows, config.parent)),
        notes=("what the config loads in turn runs too, and it may read and write whatever you may",),
    )


def _table(rows: Sequence[Table]) -> bytes:
    columns = [*dict.fromkeys(column for row in rows for column in row)]
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


def _configs(config: Path, around: Table, tests: Sequence[Table]) -> Iterator[Program]:
    """Yield the config, of which counts what is beside its tests and what of these may run anything, and `.env`."""
    parts = {json.dumps(_running(test), sort_keys=True, default=str) for test in tests}
    beside = json.dumps(around, sort_keys=True, default=str)
    yield Program(config, "config", "\n".join([beside, *sorted(parts)]).encode("utf-8", "backslashreplace"))
    yield Program(config.parent / ".env", "variables")


def _running(test: Table) -> Plain:
    """Return what of a test may run something: templates, files, programs, and all not known to be plain."""
    kept: Table = {
        name: value for name, value in test.items() if name not in ("assert", "vars", "description", "metadata")
    }
    kept["assert"] = [item for item in as_list(test.get("assert")) if not _is_plain(as_table(item))]
    kept["texts"] = [text for text in texts_in([test.get("vars"), test.get("description")]) if _may_run(text)]
    return {name: value for name, value in kept.items() if value}


def _is_plain(assertion: Table) -> bool:
    kind = str(assertion.get("type")).removeprefix("not-")
    known = assertion.keys() <= {"type", "value", "threshold", "weight", "metric"}
    return known and kind in _PLAIN and not any(map(_may_run, texts_in([*assertion.values()])))


def _may_run(text: str) -> bool:
    return any(sign in text for sign in _TEMPLATE)


def _named(around: Table, tests: Sequence[Table], folder: Path) -> Iterator[Program]:
    """Yield the files that config and tests name: providers, prompts, assertions, extensions, filters."""
    named = dict.fromkeys(
        text.removeprefix(SCHEME).partition(":")[0]
        for text in texts_in([around, *tests])
        if text.startswith(SCHEME)
    )
    filters = as_table(around.get("nunjucksFilters"))
    named |= dict.fromkeys(text for text in texts_in([*filters.values()]))
    for name in named:
        yield Program(folder / name, "loaded")
