"""What AgentV 5 refuses a file for, as a whole (5.3.1-next, `loadTestSuite`), and what it reads all the same.

A file is held to version 5 if it has prompts, which older versions do not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, is_number
from sampleui.integrations.named_files import yaml_in
from sampleui.prompt.library import Library
from sampleui.prompt.templates import is_conversation
from sampleui.sample.dialects.field import keys
from sampleui.sample.model import Sample
from sampleui.sample.models.typed import TYPES, ValueTest, is_of_type
from sampleui.text.confined import SCHEME
from sampleui.text.diagnostic import Finding, Severity

OLDER_LISTS = keys("eval_cases evalcases")
"""Where older files have their tests."""

_TRANSFORM = "transform is what it has"
_REPEAT = "evaluate_options.repeat, a whole number from 1, is what it has"
_REFERENCE = "the reference answer stands in vars.expected_output, and an assertion asks for it"
_PROVIDERS = "providers is what it has"
_ENVIRONMENT = "environment is what it has"
_CONTROLS = "evaluate_options and keys beside the tests are what it has"
_PROMPTS = "prompts and vars are what it has"
_OUTPUT = "a provider with fixed answers is what it has"

_OF_TEST: Mapping[str, str] = {
    "input": _PROMPTS,
    "expected_output": _REFERENCE,
    "provider_output": _OUTPUT,
    "options.postprocess": _TRANSFORM,
    "assert.*.postprocess": _TRANSFORM,
    "assert.*.preprocessors": _TRANSFORM,
    "execution.workspace": _ENVIRONMENT,
    "execution.workers": _CONTROLS,
}
"""Keys of a test that stands in the file itself."""

_OF_SCENARIO: Mapping[str, str] = {
    **{key: why for key, why in _OF_TEST.items() if not key.startswith("execution")},
    **dict.fromkeys(OLDER_LISTS, "its keys stand in it directly"),
    **dict.fromkeys(keys("postprocess preprocessors"), _TRANSFORM),
}
"""Keys of the configurations and the tests of a scenario."""

_OF_WORKSPACE = keys("static_path pool static mode path template repos docker scope isolation")
_OF_FILE: Mapping[str, str] = {
    **dict.fromkeys(OLDER_LISTS, "tests is what it has"),
    **dict.fromkeys(keys("input input_files"), _PROMPTS),
    **dict.fromkeys(keys("expected_output default_test.expected_output"), _REFERENCE),
    "default_test.provider_output": _OUTPUT,
    "default_test.options.postprocess": _TRANSFORM,
    "imports": "files are run together, and tests and scenarios name others by file://",
    **dict.fromkeys(keys("preprocessors assert.*.postprocess assert.*.preprocessors"), _TRANSFORM),
    **dict.fromkeys(keys("workers execution policy"), _CONTROLS),
    "experiment": "tags.experiment is what it has",
    "model": "the config of a provider is what has it",
    "graders": "providers and defaults.grader are what it has",
    **dict.fromkeys(keys("runs early_exit repeat"), _REPEAT),
    "on_run_complete": "extensions are what it has",
    **dict.fromkeys(keys("target targets"), _PROVIDERS),
    "defaults.target": "defaults.provider is what it has",
    "budget_usd": "evaluate_options.budget_usd is what it has",
    **{f"workspace.{key}": _ENVIRONMENT for key in _OF_WORKSPACE},
    **{f"scenarios.*.{part}.*.{key}": why for part in keys("config tests") for key, why in _OF_SCENARIO.items()},
}
"""Keys beside the tests that it refuses, each with what there is instead."""

_OF_EXECUTION = keys(
    """
    assert assertions skip_defaults cache trials budget_usd budgetUsd fail_on_error failOnError threshold workspace
    workers
    """
)
"""Keys of a test's `execution` that it takes, or that are told of above."""

_OF_RUN = keys("threshold repeat timeout_seconds budget_usd")

_ENVIRONMENTS: Mapping[str, frozenset[str]] = {
    "host": frozenset(keys("type workdir setup env")),
    "docker": frozenset(keys("type workdir setup env context dockerfile image resources mounts secrets")),
}


def _is_repeat(value: Plain) -> bool:
    return is_number(value) and value == int(value) >= 1


def _is_share(value: Plain) -> bool:
    return is_number(value) and 0 <= value <= 1


def _is_positive(value: Plain) -> bool:
    return is_number(value) and value > 0


_is_word = TYPES["name"].test
_NUMBERS: Mapping[str, tuple[ValueTest, str]] = {
    "repeat": (_is_repeat, "a whole number from 1"),
    "threshold": (_is_share, "a number from 0 to 1"),
    "timeout_seconds": (lambda value: value is None or _is_positive(value), "a number over 0"),
    "budget_usd": (_is_positive, "a number over 0"),
}


def _is_command(value: Plain) -> bool:
    return _is_word(value) or (isinstance(value, list) and bool(value))


def _is_asked(value: Plain) -> bool:
    return isinstance(value, str) or is_conversation(value)


_OF_FILES = keys("file function_file function")
_TEXT: tuple[ValueTest, str] = (TYPES["filled"].test, "a text")
_ASKED_BY: Mapping[str, tuple[ValueTest, str]] = {
    **dict.fromkeys(keys("function_file function"), _TEXT),
    "command": (_is_command, "a command"),
    "file": _TEXT,
    "messages": (is_conversation, "messages"),
    "prompt": (_is_asked, "a text or messages"),
    "raw": _TEXT,
}
"""Keys of a prompt that is a table, in the order in which they are looked at."""

_UNREAD = keys("description conversation_id metadata vars execution assert criteria")
"""Keys of a test, or beside the tests, of which it leaves out values of another type without a word."""


def _is_text(least: int, most: int) -> ValueTest:
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def _is_named(value: Plain) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[a-z0-9-]{1,64}", value, re.ASCII) is not None


def _is_requirement(value: Plain) -> bool:
    return isinstance(value, dict) and isinstance(value.get("agentv", ""), str)


_OF_NAMED: Mapping[str, tuple[ValueTest, str]] = {
    "name": (_is_named, "at most 64 of a to z, 0 to 9 and -"),
    "description": (_is_text(1, 1024), "a text of at most 1,024 characters"),
    **dict.fromkeys(keys("version author license"), (TYPES["text"].test, "a text")),
    "tags": (partial(is_of_type, "table|texts"), "a list of texts or a table"),
    "requires": (_is_requirement, "a table, and its agentv a text"),
}
"""What must be so of a file that has a name (its `parseMetadata`)."""


def refused_test(sample: Sample) -> Iterator[Finding]:
    """A test for which AgentV 5 refuses the file that it stands in."""
    if not sample.context.get("prompts"):
        return
    for key, why in _OF_TEST.items():
        for path in _paths_of(sample.data, tuple(key.split("."))):
            yield _removed(path, why)
    for key in as_table(sample.data.get("execution")).keys() - _OF_EXECUTION:
        yield _removed(("execution", key), "such a key of execution is unknown to it")
    run, options = sample.data.get("run"), as_table(sample.data.get("options"))
    if "run" in sample.data and not isinstance(run, dict):
        yield _refused("run must be a table", ("run",))
    for key in as_table(run).keys() - _OF_RUN:
        yield _removed(("run", key), f"a run has {', '.join(sorted(_OF_RUN))}")
    yield from _misfits(as_table(run), ("run",), *_OF_RUN)
    yield from _misfits(options, ("options",), "repeat")
    for key in as_table(sample.data.get("workspace")).keys() & _OF_WORKSPACE:
        yield _removed(("workspace", key), _ENVIRONMENT)
    yield from _environment(sample.data)


def as_read(finding: Finding, context: Table, of_file: bool) -> Finding:
    """Return as a warning what breaks a rule and AgentV 5 reads all the same, with what it makes of it."""
    if not context.get("prompts") or finding.severity is not Severity.ERROR:
        return finding
    if of_file and isinstance(context.get("name"), str):
        return finding  # what is beside the tests of a file with a name is told of by its `parseMetadata`
    if finding.rule == "field-type" and _is_unread(finding.node):
        means = "AgentV 5 judges nothing by it" if finding.node[0] == "assert" else "AgentV 5 leaves the value out"
        return finding._replace(severity=Severity.WARNING, message=f"{finding.message}; {means}")
    return finding


def _is_unread(path: DataPath) -> bool:
    """Tell whether a value of another type than wanted is one that is left out, with nothing else."""
    return path[:1] == ("assert",) if len(path) == 2 else len(path) == 1 and path[0] in _UNREAD


def refused_file(context: Table, container: DataPath, folder: Path) -> Iterator[Finding]:
    """Yield an error for each thing beside the tests for which AgentV 5 refuses a file with prompts.

    Args:
        context: the values beside the tests.
        container: where the tests are.
        folder: the folder of the file.
    """
    if {*container} & OLDER_LISTS:
        yield _refused(f"it no longer has {container[-1]}; use tests", ())
    for key, why in _OF_FILE.items():
        for path in _paths_of(context, tuple(key.split("."))):
            yield _removed(path, why)
    yield from _misfits(context, (), "threshold", "timeout_seconds")
    yield from _misfits(as_table(context.get("evaluate_options")), ("evaluate_options",), "repeat")
    defaults = context.get("defaults")
    if defaults is not None and not isinstance(defaults, dict):
        yield _refused("defaults must be a table", ("defaults",))
    for key in ("provider", "grader"):
        if (value := as_table(defaults).get(key)) is not None and not _is_word(value):
            yield _refused(f"defaults.{key} must be a text that is not empty", ("defaults", key))
    requires, extensions, providers = map(context.get, ("requires", "extensions", "providers"))
    if requires is not None and not isinstance(requires, dict):
        yield _refused("requires must be a table", ("requires",))
    if extensions is not None and not isinstance(extensions, list):
        yield _refused("extensions must be a list", ("extensions",))
    for index, provider in enumerate(providers if isinstance(providers, list) else [providers]):
        if provider is not None and not isinstance(provider, str | dict):
            path = ("providers", index) if isinstance(providers, list) else ("providers",)
            yield _refused("a provider must be a text or a table", path)
    if isinstance(context.get("name"), str):
        yield from _misfits(context, (), *_OF_NAMED, wanted=_OF_NAMED)
    yield from _environment(context)
    library = Library(folder)
    yield from _default_test(context.get("default_test"), library)
    yield from _prompts(context.get("prompts"), library)
    yield from _scenarios(context.get("scenarios"))


def _scenarios(scenarios: Plain) -> Iterator[Finding]:
    """Yield an error for each thing among scenarios that is no table or list where one must be."""
    if scenarios is not None and not isinstance(scenarios, list):
        yield _scenario_refused("scenarios must be a list", ("scenarios",))
    for index, scenario in enumerate(as_list(scenarios)):
        for key in ("config", "tests") if isinstance(scenario, dict) else ():
            node: DataPath = ("scenarios", index, key)
            entries = as_table(scenario).get(key)
            if not isinstance(entries, list):
                place = node if entries is not None else node[:-1]
                yield _scenario_refused(f"{key} of a scenario must be a list", place)
            for number, entry in enumerate(as_list(entries)):
                if not isinstance(entry, dict):
                    yield _scenario_refused(f"each entry of {key} must be a table, in this file", (*node, number))


def _scenario_refused(message: str, path: DataPath) -> Finding:
    return Finding("scenario-refused", Severity.ERROR, f"AgentV refuses the file: {message}", path)


def _prompts(prompts: Plain, library: Library) -> Iterator[Finding]:
    several = isinstance(prompts, list) and not is_conversation(prompts)
    for index, prompt in enumerate(as_list(prompts) if several else [prompts]):
        path: DataPath = ("prompts", index) if several else ("prompts",)
        if why := _no_prompt(prompt):
            yield _refused(f"a prompt {why}", path)
        elif isinstance(prompt, dict):
            key = next((key for key in _ASKED_BY if key in prompt), "")
            if key in _OF_FILES:
                yield from _missing(prompt[key], (*path, key), library)
        elif isinstance(prompt, str) and prompt.startswith(SCHEME):
            yield from _missing(prompt, path, library)


def _default_test(named: Plain, library: Library) -> Iterator[Finding]:
    """Yield an error for a `default_test` in a file that does not exist, or does not hold one."""
    node: DataPath = ("default_test",)
    if not isinstance(named, str):
        return
    if not named.startswith(SCHEME):
        if not named.startswith("ref://"):
            yield _refused("a default_test that is a text must begin with file:// or ref://", node)
        return
    yield from _missing(named, node, library)
    path = named.removeprefix(SCHEME)
    text = library.read(path).text
    broken: list[str] = []
    loaded = yaml_in(path, text, broken) if text is not None else {}
    if not isinstance(loaded, dict):
        yield _refused(broken[0] if broken else f"{path} must hold a table", node)
    for key in as_table(loaded).keys() & {"description", "assertions"}:
        instead = " but assert" if key == "assertions" else ""
        yield _refused(f"{path} must not have {key}{instead}", node)


def _missing(written: Plain, node: DataPath, library: Library) -> Iterator[Finding]:
    """Yield an error for a file that does not exist; of one outside the project, or named by a variable, none."""
    path = str(written).removeprefix(SCHEME)
    problem = None if "{{" in path else library.attachments.problem(path)
    if problem is not None and problem.rule == "file-not-found":
        yield _refused(f"{path} {problem.reason}", node)


def _no_prompt(prompt: Plain) -> str:
    """Return why a prompt is none (`parsePromptDefinition`); "" if it is one."""
    if isinstance(prompt, str):
        return ""
    if isinstance(prompt, list):
        return "" if is_conversation(prompt) else "that is a list must be messages"
    if not isinstance(prompt, dict):
        return "must be a text, messages or a table"
    key = next((key for key in _ASKED_BY if key in prompt), "")
    fits, wanted = _ASKED_BY.get(key, (lambda _: "role" in prompt, "a text, messages, a file or a function"))
    under = f" under {key}" if key else ""
    return "" if fits(prompt.get(key)) else f"must have {wanted}{under}"


def _environment(holder: Table) -> Iterator[Finding]:
    """Yield an error for an environment that is no recipe (`parseEnvironmentRecipe`)."""
    if "environment" not in holder:
        return
    environment, path = holder["environment"], ("environment",)
    if isinstance(environment, str):
        if not environment.startswith("file://"):
            yield _refused("an environment is a table, or begins with file://", path)
        return
    if not isinstance(environment, dict):
        yield _refused("an environment must be a table", path)
        return
    kind = environment.get("type")
    known = _ENVIRONMENTS.get(kind) if isinstance(kind, str) else None
    if known is None:
        yield _refused(
            "the type of an environment is host or docker", (*path, "type") if "type" in environment else path
        )
        return
    for key in environment.keys() - known:
        yield _removed((*path, key), f"{kind} has {', '.join(sorted(known))}")
    if not _is_word(environment.get("workdir")):
        yield _refused("an environment must have a workdir", path)


def _misfits(
    table: Table, path: DataPath, *names: str, wanted: Mapping[str, tuple[ValueTest, str]] = _NUMBERS
) -> Iterator[Finding]:
    """Yield an error for each of these keys of a table whose value is not as it must be."""
    for key in names:
        fits, words = wanted[key]
        if key in table and not fits(table[key]):
            yield _refused(f"{key} must be {words}", (*path, key))


def _paths_of(value: Plain, steps: tuple[str, ...], path: DataPath = ()) -> Iterator[DataPath]:
    """Yield where a path leads to something in a value; `*` stands for each item of a list."""
    if not steps:
        yield path
    elif steps[0] == "*":
        for index, item in enumerate(as_list(value)):
            yield from _paths_of(item, steps[1:], (*path, index))
    elif isinstance(value, dict) and steps[0] in value:
        yield from _paths_of(value[steps[0]], steps[1:], (*path, steps[0]))


def _removed(path: DataPath, why: str) -> Finding:
    return _refused(f"it has no {path[-1]} here; {why}", path)


def _refused(message: str, path: DataPath) -> Finding:
    return Finding("file-refused", Severity.ERROR, f"AgentV 5 refuses the file: {message}", path)
