"""Tests of promptfoo run again: the tests as the deck has them now, given to its `eval` in a file of their own.

A test is named neither by a number nor by a pattern: numbers count after what filters leave, and a pattern that
fits nothing ends well without a result. So the file of `-t` takes the place of the config's tests, and in it the
metadata of each test carry what its record is told by through to the new one. What a config's scenarios make comes
behind these tests, and is cut off by a range, which counts both then.

Source: promptfoo 0.121.20 and 0.123.1, `promptfoo eval --help`; paths of files in `-t` count from the config.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import MappingProxyType

from sampleui.formats.data import Plain, Table, as_table, leaves
from sampleui.integrations.integration import Reruns
from sampleui.integrations.promptfoo.repeated_variables import alike
from sampleui.integrations.promptfoo.scenarios import KEY as SCENARIOS
from sampleui.integrations.promptfoo.variables import may_be_filled
from sampleui.review.record import Record, value_digest
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.runs.rerun.program import programs_named
from sampleui.sample.parse import as_followed
from sampleui.text.confined import SCHEME, belongs

KEY, GRADED = "sampleuiRerun", "sampleuiGraded"
"""The keys of the metadata of a test that say which record it repeats, or whose answer it grades."""

RESULTS = "results.json"

_ANSWER = "providerOutput"
"""The key of a test that gives the answer, so that no provider is asked for one."""

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

_PRIVATE = ("PROMPTFOO_CACHE_PATH", "PROMPTFOO_CONFIG_DIR", "PROMPTFOO_LOG_DIR", "PROMPTFOO_MEDIA_PATH")
"""Folders in which it keeps things of its own."""

_SIGNS = re.compile(r"[*?\[\]()]")
_UNESCAPED = re.compile(r"[{}\\]|(?:[*?\[\]]|[+@!]\().*/")
"""Signs in a path by which promptfoo takes it for a pattern: those that can be escaped, and those that cannot.

In the path of a folder none can: files beside a config are then looked for below the pattern.
"""

_LANGUAGES = ("python", "golang", "ruby")
_SCRIPTS = (".js", ".cjs", ".mjs", ".ts", ".py", ".go", ".rb")


def key(record: Record) -> str:
    """Return what a record of a test is told by: the test, and who answered; of a rerun what its test carries."""
    row, case = record.data, as_table(record.data.get("testCase"))
    carried = as_table(case.get("metadata")).get(KEY)
    test: list[Plain] = [
        as_table(row.get("vars")),
        alike(case.get("assert")),
        case.get("description"),
        _prompt(row),
    ]
    return f"{carried if isinstance(carried, str) else value_digest(test)} {_provider(row)}"


def graded_key(record: Record) -> str:
    """Return what a record is told by, its attempt too, or what a test with its answer carries."""
    carried = as_table(as_table(record.data.get("testCase")).get("metadata")).get(GRADED)
    return carried if isinstance(carried, str) else f"{key(record)} {record.attempt}"


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


def plan(request: Request) -> Iterator[ProgramCall | RerunRefused]:
    """Yield a call for each pair of provider and prompt, with all tests that it is to answer."""
    return _calls(request, _test)


def grade(request: Request) -> Iterator[ProgramCall | RerunRefused]:
    """Yield a call for each pair of provider and prompt, with all tests whose recorded answers it is to grade."""
    return _calls(request, _test_with_answer)


def _calls(
    request: Request, test_of: Callable[[RerunRequest], Table | str]
) -> Iterator[ProgramCall | RerunRefused]:
    groups: dict[tuple[Path, str, str], list[tuple[RerunRequest, Table]]] = {}
    for item in request.asked:
        test = test_of(item)
        if isinstance(test, str):
            yield RerunRefused((item.key,), test)
            continue
        assert item.deck is not None
        row = item.record.data
        groups.setdefault((item.deck.path.absolute(), _provider(row), _prompt(row)), []).append((item, test))
    for number, ((config, provider, prompt), tests) in enumerate(groups.items(), 1):
        if sign := _UNESCAPED.search(str(config)):
            keys = [item.key for item, _ in tests]
            yield RerunRefused(keys, f"promptfoo would take {config} for others, too, by the {sign[0][0]} in it")
            continue
        yield _call(request, request.out / str(number), config, (provider, prompt), tests)


def _test(item: RerunRequest) -> Table | str:
    """Return the test of a record as it is given to promptfoo, or why it cannot be."""
    if item.deck is None or item.sample is None:
        named = as_table(item.record.data.get("testCase")).get("description")
        more = "" if named else "; one whose variables come from the environment is told by a description"
        return f"no deck has its test as it is now; name the config with --deck{more}"
    around = item.deck.around
    if not (around.get("prompts") and (around.get("providers") or around.get("targets"))):
        return f"{item.deck.path.name} says neither prompts nor providers; name the config with --deck"
    if not _provider(item.record.data):
        return "its record does not say which provider answered"
    test_key = item.key.partition(" ")[0]
    if item.sample.columns:
        return {**item.sample.data, f"__metadata:{KEY}": test_key}
    data = as_followed(item.sample).data
    vars_of_row = as_table(item.record.data.get("vars"))
    variables = data.get("vars")
    if isinstance(variables, dict):
        for name, value in variables.items():
            if isinstance(value, list) and value and not isinstance(vars_of_row.get(name), list):
                if vars_of_row.get(name) not in value:
                    return f"its test has several values of {name}, and the record's is no longer one of them"
                variables = {**variables, name: vars_of_row[name]}
            filled = vars_of_row.get(name)
            if isinstance(value, str) and isinstance(filled, str) and may_be_filled(value, filled):
                variables = {**variables, name: filled}  # a rerun has another environment
        data = {**data, "vars": variables}
    return {**data, "metadata": {**as_table(data.get("metadata")), KEY: test_key}}


def _test_with_answer(item: RerunRequest) -> Table | str:
    """Return the test of a record with its answer, for which no provider is called, or why it cannot be given."""
    test = _test(item)
    if isinstance(test, str):
        return test
    output = as_table(item.record.data.get("response")).get("output")
    if item.record.error is not None or (not output and not isinstance(output, list | dict)):
        return "there is no answer, or one that promptfoo takes for none and asks its provider for"
    if item.sample is None or not item.sample.columns:
        metadata = {name: value for name, value in as_table(test.get("metadata")).items() if name != KEY}
        return {**test, _ANSWER: output, "metadata": {**metadata, GRADED: item.key}}
    if not isinstance(output, str):
        return "its test is a row of a table, which cannot hold an answer that is no text"
    row = {name: value for name, value in test.items() if name != f"__metadata:{KEY}"}
    return {**row, f"__{_ANSWER}": output, f"__metadata:{GRADED}": item.key}


def _call(
    request: Request, out: Path, config: Path, target: tuple[str, str], tests: Sequence[tuple[RerunRequest, Table]]
) -> ProgramCall:
    deck = tests[0][0].deck
    assert deck is not None
    provider, prompt = target
    rows = [test for _, test in tests]
    tabled = any(item.sample is not None and item.sample.columns for item, _ in tests)
    name, data = ("tests.csv", _table(rows)) if tabled else ("tests.json", json.dumps(rows).encode())
    chosen = _filter("--filter-providers", [*_providers(provider, deck.around)])
    chosen += _filter("--filter-prompts", [*_prompts(prompt, deck.around)])
    return ProgramCall(
        program="promptfoo",
        arguments=(
            *("eval", "-c", f"./{_as_pattern(config.name)}", "-t", _as_pattern(str(out / name))),
            *("-o", str(out / RESULTS)),
            *chosen,
            *(("--filter-range", f"0:{len(rows)}") if deck.around.get(SCENARIOS) else ()),
            *("--repeat", str(request.times), "-j", "1"),
            *("--no-cache", "--no-write", "--no-table", "--no-progress-bar", "--no-share"),
        ),
        folder=config.parent,
        out=out,
        keys=[item.key for item, _ in tests],
        times=request.times,
        environment={**_FIXED, **{name: str(out / "private") for name in _PRIVATE}},
        files={name: data},
        named=(config, *_named(deck.around, rows, config.parent)),
        notes=("assertions that ask a model ask it",) if {_ANSWER, f"__{_ANSWER}"} & rows[0].keys() else (),
    )


def _named(around: Table, tests: Sequence[Table], folder: Path) -> Iterator[Path]:
    """Yield the files and programs that a config and its tests name as such, but for what is merely asked."""
    for path, text in leaves([around, *tests]):
        if isinstance(text, str) and text.startswith(SCHEME) and not {"vars", _ANSWER, "metadata"} & {*path}:
            named = text.removeprefix(SCHEME)
            yield from (folder / name for name in (named, named.rpartition(":")[0]) if name)
    for provider, _ in _listed_providers(around):
        kind, _, named = provider.partition(":")
        if kind == "exec":
            yield from programs_named(named, folder)
        elif kind in _LANGUAGES or provider.endswith(_SCRIPTS):
            yield folder / (named if kind in _LANGUAGES else provider)


def _filter(option: str, patterns: Sequence[str]) -> list[str]:
    """Return the option that lets through what a pattern fits from its beginning; none without patterns."""
    return [option, f"^(?:{'|'.join(patterns)})"] if patterns else []


def _as_pattern(path: str) -> str:
    """Return a path as a pattern that fits it alone."""
    return _SIGNS.sub(lambda sign: f"[{sign[0]}]", path)


def _providers(named: str, around: Table) -> Iterator[str]:
    """Yield patterns of the provider of a record, by its label or id, unless the config has that one alone.

    promptfoo filters twice: what the config has, by the id there, and then what became of it, by its own id.
    """
    listed = [*_listed_providers(around)]
    if len(listed) == 1:
        return
    yield f"{_escaped(named)}$"
    if not any(named in (name, label) for name, label in listed):
        unlabelled = [name for name, label in listed if not label]
        alike = [name for name in unlabelled if name.rpartition(":")[2] == named.rpartition(":")[2]]
        yield from (f"{_escaped(name)}$" for name in alike or filter(_is_program, unlabelled))


def _listed_providers(around: Table) -> Iterator[tuple[str, str]]:
    """Yield the id and the label of each provider of a config; "" for what it does not say."""
    listed = around.get("providers") or around.get("targets")
    for item in listed if isinstance(listed, list) else [listed]:
        table = as_table(item)
        if isinstance(item, str):
            yield item, ""
        elif "id" in table or len(table) != 1:
            yield str(table.get("id") or ""), str(table.get("label") or "")
        else:
            for name, options in table.items():
                yield str(as_table(options).get("id") or name), str(as_table(options).get("label") or "")


def _is_program(provider: str) -> bool:
    return provider.startswith((SCHEME, "python:", "exec:", "golang:", "ruby:")) or provider.endswith(_SCRIPTS)


def _prompts(label: str, around: Table) -> Iterator[str]:
    """Yield a pattern of the prompt of a record by its label, unless the config has that one alone.

    The label of a prompt in a file is its path, from where it was called, and its text, which may be another now;
    what the config calls it stands before these.
    """
    prompts = around.get("prompts")
    listed = prompts if isinstance(prompts, list) else [prompts]
    if len(listed) == 1 and not _is_of_several(listed[0]):
        return
    names = [str(as_table(item).get("label") or as_table(item).get("id") or item) for item in listed]
    before = label.partition(": ")[0]
    begun = [name for item in names if f"/{before}".endswith(f"/{(name := item.removeprefix(SCHEME))}")]
    if begun and label not in names:
        yield f"(?:[^:]*\\/)?{_escaped(max(begun, key=len))}: "
    else:
        yield f"{_escaped(label)}$"


def _is_of_several(prompt: Plain) -> bool:
    """Tell whether one entry of the prompts may stand for several: a pattern of paths, a folder or a table."""
    text = str(as_table(prompt).get("id") or prompt)
    return any(sign in text for sign in "*?[") or text.endswith((".csv", ".json", ".jsonl", ".yaml", ".yml", "/"))


def _escaped(text: str) -> str:
    """Return a text as a pattern of JavaScript's that fits it alone."""
    return re.sub(r"[\\^$.*+?()\[\]{}|/]", lambda sign: f"\\{sign[0]}", text)


def _table(rows: Sequence[Table]) -> bytes:
    columns = [*dict.fromkeys(column for row in rows for column in row)]
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


RERUNS = Reruns(plan, answers, key, grade=grade, graded_key=graded_key)
