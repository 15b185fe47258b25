"""The variables of promptfoo's tests: where they are kept, and what runs a test makes of them (promptfoo 0.123)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_table
from sampleui.formats.timestamps import Moment, emptied, holds_moments, with_moments
from sampleui.integrations.named_files import ReadsFile, kept_default, text_of, yaml_in
from sampleui.integrations.promptfoo.followed import followed
from sampleui.prompt.library import Library
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_followed, dialect_of, variables_of_row
from sampleui.sample.variables import with_templates
from sampleui.text.confined import SCHEME
from sampleui.text.limits import MAX_TESTS_OF_SAMPLE
from sampleui.text.patterns import MAGIC

_ENV = re.compile(r"\{\{\s*env\.(\w+)\s*\}\}")
_OF_ENVIRONMENT = re.compile(r"\{\{[^{}]*\benv\b[^{}]*\}\}")
"""A part of a text that promptfoo fills from the environment while it reads a config."""


class Variables(NamedTuple):
    """The variables of one run: those of its test, and those of all tests below them."""

    of_test: Table
    shared: Table

    @property
    def merged(self) -> Table:
        """All of them; those of the test count where both have one."""
        return {**self.shared, **self.of_test}


def without_dates(variables: Table, notes: list[str]) -> Table:
    """Return variables with what promptfoo sends in the place of dates, which is no text, and say so."""
    notes.extend(
        f"{name} has a date without quotes, which promptfoo takes for a table; in quotes it is a text"
        for name, value in variables.items()
        if holds_moments(value)
    )
    return {name: with_moments(value, emptied) for name, value in variables.items()}


def tests_of(sample: Sample) -> Iterator[Variables]:
    """Yield the variables of each test that promptfoo makes of a sample, as a run is given them."""
    sample, library = as_followed(sample), Library(sample.folder, looks_above=False)
    shared = shared_test(sample, library.read, [])
    variables = variables_of(sample, shared, library, [])
    if variables is None:
        return
    for item in _as_loaded(variables, sample.context.get("env")):
        choices = expanded(item.merged, options_of(sample.data, shared), library)
        for chosen in itertools.islice(itertools.product(*choices.values()), MAX_TESTS_OF_SAMPLE):
            combined = dict(zip(choices, chosen, strict=True))
            yield Variables(
                {name: combined[name] for name in item.of_test}, {name: combined[name] for name in item.shared}
            )
        if any(len(values) > 1 for values in choices.values()):
            yield item  # PROMPTFOO_DISABLE_VAR_EXPANSION


def _as_loaded(variables: Variables, env: Plain) -> Iterator[Variables]:
    """Yield variables as they may be loaded: promptfoo fills in `env` in a config, and not in other files."""
    yield variables
    if isinstance(env, dict):
        shared, own = _with_env(variables.shared, env), _with_env(variables.of_test, env)
        if shared != variables.shared:
            yield variables._replace(shared=shared)
        if own != variables.of_test:
            yield Variables(own, shared)


def _with_env(value: Table, env: Table) -> Table:
    def filled(text: str) -> str:
        return _ENV.sub(lambda tag: str(env.get(tag[1], tag[0])), text)

    return {name: with_templates(item, filled) for name, item in value.items()}


def of_environment(variables: Table) -> dict[str, str]:
    """Return the variables that are texts which promptfoo fills from the environment."""
    return {
        name: text for name, text in variables.items() if isinstance(text, str) and _OF_ENVIRONMENT.search(text)
    }


def has_own_text(template: str) -> bool:
    """Tell whether a text has more than what is filled in, so that it can be known again by that."""
    return any(part.strip() for part in _OF_ENVIRONMENT.split(template))


def may_be_filled(template: str, text: str) -> bool:
    """Tell whether a text may be a template that was filled from the environment, whatever that held."""
    first, *rest = _OF_ENVIRONMENT.split(template)
    offset = len(first)
    if not rest or not text.startswith(first):
        return False
    for part in rest[:-1]:
        found = text.find(part, offset)
        if found < 0:
            return False
        offset = found + len(part)
    return len(text) - len(rest[-1]) >= offset and text.endswith(rest[-1])


def shared_test(sample: Sample, read: ReadsFile, notes: list[str]) -> Table:
    """Return what holds for every test, from its file where it is kept in one."""
    shared = sample.context.get("defaultTest")
    if not isinstance(shared, str):
        return followed(shared, sample.context) if isinstance(shared, dict) else {}
    shared_kept = kept_default(shared, read, notes)
    if shared_kept is None:
        notes.append(f"defaultTest is kept in {shared} and is not read")
    return shared_kept or {}


def options_of(data: Table, shared: Table) -> Table:
    """Return the options of a test, over those that hold for every test."""
    return {**as_table(shared.get("options")), **as_table(data.get("options"))}


def variables_of(sample: Sample, shared: Table, library: Library, notes: list[str]) -> Variables | None:
    """Return the variables of a test, from their files where they are kept in some; None if one is not read."""
    shared_vars = shared.get("vars")
    named = sample.data.get("vars")
    test_vars = (
        _variables_in_files(named, replace(library, folder=sample.home, given_root=library.attachments.root), notes)
        if isinstance(named, str | list)
        else variables_of_row(sample.data, dialect_of(sample), sample.columns)
    )
    return None if test_vars is None else Variables(test_vars, as_table(shared_vars))


def expanded(variables: Table, options: Table, library: Library) -> dict[str, list[Plain]]:
    """Return for each variable the values that each make a run of their own: a list of texts, files of a glob."""
    if options.get("disableVarExpansion"):
        return {name: [value] for name, value in variables.items()}
    return {name: _choices(value, library) for name, value in variables.items()}


def _choices(value: Plain, library: Library) -> list[Plain]:
    if isinstance(value, list):
        several = value and isinstance(value[0], str) and not isinstance(value[0], Moment)
        return value if several else [value]
    if isinstance(value, str) and value.startswith(SCHEME) and MAGIC & set(value):
        return [f"{SCHEME}{name}" for name in library.matching(value.removeprefix(SCHEME))] or [value]
    return [value]


def _variables_in_files(named: str | list[Plain], library: Library, notes: list[str]) -> Table | None:
    """Return the variables that are kept in files; those of a scenario's entry are a table before the files."""
    first = named[0] if isinstance(named, list) and named else {}
    merged: Table = {**first} if isinstance(first, dict) else {}
    for path in (item for item in ([named] if isinstance(named, str) else named) if isinstance(item, str)):
        if path.startswith(SCHEME):
            notes.append(
                f"promptfoo finds no variables behind {path}: the path of a file of variables has no file://"
            )
            continue
        files = library.matching(path) if MAGIC & set(path) else [path]
        if not files:
            notes.append(f"no file matches {path}, which the variables are kept in")
        gathered: Table = {}
        for file in files:
            table = _table_in(file, library.read, notes)
            if table is None:
                return None
            twice = [name for name in table if gathered.get(name, table[name]) != table[name]]
            notes.extend(
                f"{name} is in several files of {path}; which of them counts is not certain" for name in twice
            )
            gathered |= table
        merged |= gathered
    return merged


def _table_in(path: str, read: ReadsFile, notes: list[str]) -> Table | None:
    """Return the variables in a YAML or JSON file, None if it cannot be read as such."""
    text = text_of(path, read, notes)
    content = None if text is None else yaml_in(path, text, notes)
    if not isinstance(content, dict):
        if content is not None:
            notes.append(f"{path} holds no variables by their names")
        return None
    notes.extend(
        f"{name} is loaded from {value} by promptfoo and stays as it is written"
        for name, value in content.items()
        if isinstance(value, str) and value.startswith(SCHEME)
    )
    return content
