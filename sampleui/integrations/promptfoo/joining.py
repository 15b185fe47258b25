"""Which test of a deck a row of promptfoo's is about: told by the variables and the assertions that it repeats.

A run may have added variables that no deck has (`promptfoo eval --var name=value`, promptfoo 0.123).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, as_list
from sampleui.formats.timestamps import holds_moments
from sampleui.integrations.integration import Joining
from sampleui.integrations.promptfoo.repeated_variables import (
    ADDED,
    NARROWS,
    PARTS,
    alike,
    known,
    parts_in,
    parts_of,
    spelled,
    without,
)
from sampleui.integrations.promptfoo.variables import has_own_text, may_be_filled, of_environment, tests_of
from sampleui.review.results.adapters import label_of
from sampleui.review.samples.lookup import Answering, ByValues, values_at
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_followed
from sampleui.text.limits import MAX_ALIKE_TESTS

_ROW = re.compile(r"Row #(\d+)(?: \(\d+\))?", re.ASCII)
"""What promptfoo calls a row of a table without a description."""


class ByVariables:
    """The tests of a deck by their variables; by other values as the samples of any deck."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self._samples = samples
        self._by_values = ByValues(samples, _values)

    def find(self, record: Answering) -> int | None:
        """Return the test that a record is about, None if there is none or no telling which."""
        narrowing = [key.removeprefix(NARROWS) for key in record.join_keys if key.startswith(NARROWS)]
        for key in (key for key in record.join_keys if not key.startswith((NARROWS, PARTS))):
            indexes = self._by_values.holding(key)
            if len(indexes) > 1:
                indexes = self._of_row(record.sample_id, indexes) or indexes
            if len(indexes) > 1 and narrowing:
                indexes = self._narrowed(indexes, narrowing)
            if indexes:
                return self._first(indexes)
        parts = next((parts_in(key) for key in record.join_keys if key.startswith(PARTS)), None)
        if parts is None:
            return None
        index = self._with_added(parts, narrowing)
        return self._of_environment(record.sample_id, parts, narrowing) if index is None else index

    def _of_environment(self, name: str, parts: Mapping[str, str], narrowing: Sequence[str]) -> int | None:
        """Return the test whose variables are filled from the environment, None if there is no telling which.

        What they were filled with is not known, so all else must be that of the row: the text around what is
        filled, by which the row is called, the names of its variables, and the values of the others.
        """
        fitting = [index for index in self._filled if _is_fitting(self._samples[index], name, parts)]
        if len(fitting) > 1 and narrowing:
            fitting = [*self._narrowed(fitting, narrowing)]
        return fitting[0] if len(fitting) == 1 else None

    @cached_property
    def _filled(self) -> Sequence[int]:
        """The samples that have variables which are filled from the environment."""
        tables = (sample.data.get("vars") for sample in self._samples)
        return [index for index, value in enumerate(tables) if isinstance(value, dict) and of_environment(value)]

    def _narrowed(self, indexes: Sequence[int], narrowing: Sequence[str]) -> Sequence[int]:
        return [
            position for position in indexes if all(position in self._by_values.holding(key) for key in narrowing)
        ]

    def _of_row(self, name: str, indexes: Sequence[int]) -> Sequence[int]:
        """Return those of tests that are the row of a table which promptfoo calls a test by."""
        number = _ROW.fullmatch(name)
        rows = [position for position in indexes if number and self._samples[position].columns]
        return [position for position in rows if number and self._row(position) == int(number[1])]

    def _row(self, index: int) -> int:
        """Return the number of a row in its table, from 1."""
        return index - self._begins[self._samples[index].path] + 1

    @cached_property
    def _begins(self) -> Mapping[Path, int]:
        """The first test of each file."""
        return {sample.path: index for index, sample in reversed([*enumerate(self._samples)])}

    def _first(self, indexes: Sequence[int]) -> int | None:
        """Return the first of tests with the same values, None if dates differ that a row does not keep."""
        if len(indexes) < 2:
            return next(iter(indexes), None)
        merged = [[test.merged for test in tests_of(self._samples[index])] for index in indexes[:MAX_ALIKE_TESTS]]
        apart = any(item != merged[0] for item in merged) and any(holds_moments([*item]) for item in merged)
        return None if apart else indexes[0]

    def _with_added(self, parts: Mapping[str, str], narrowing: Sequence[str]) -> int | None:
        """Return the test to whose variables a run added others, None if there is no telling which.

        A test without variables is told by its assertions alone.
        """
        indexes: Sequence[int] = ()
        most = -1  # of the variables of a test, the more the better
        for names, by_values in self._by_names.items():
            if len(names.of_test) < most or not names.fit(parts):
                continue
            if here := by_values.get(tuple(parts[name] for name in names.of_test)):
                indexes = [*indexes, *here] if len(names.of_test) == most else here
                most = len(names.of_test)
        if len(indexes) > 1 or not most:
            asserting = [index for index in indexes if most or self._samples[index].data.get("assert")]
            indexes = self._narrowed(asserting, narrowing) if narrowing else ()
        return self._first(indexes)

    @cached_property
    def _by_names(self) -> Mapping[_Names, Mapping[tuple[str, ...], Sequence[int]]]:
        """The tests by the names of their variables and then by the digests of their values."""
        by_names: dict[_Names, dict[tuple[str, ...], list[int]]] = {}
        for index, sample in enumerate(self._samples):
            for variables in tests_of(sample):
                for parts in (parts_of(known(own)) for own in spelled(variables.of_test)):
                    names = _Names(tuple(sorted(parts)), frozenset(variables.shared))
                    values = tuple(parts[name] for name in names.of_test)
                    indexes = by_names.setdefault(names, {}).setdefault(values, [])
                    if index not in indexes[-1:]:
                        indexes.append(index)
        return by_names


def _values(sample: Sample, path: DataPath) -> Iterator[Plain]:
    """Yield the values that a record of a test may repeat from a path; behind `vars` come signs of variables."""
    if path[:1] == ("vars",):
        yield from _variables(sample, tuple(str(step) for step in path[1:]))
    elif path == ("assert",):
        yield from _assertions(sample)
    else:
        yield from values_at(sample, path)


def _variables(sample: Sample, signs: tuple[str, ...]) -> Iterator[Plain]:
    """Yield the variables of each test of a sample without those that signs name."""
    if any(sign.startswith(ADDED) for sign in signs) and not _transformed(sample):
        return
    tests = ((spelled(test.shared), [*spelled(test.of_test)]) for test in tests_of(sample))
    variables = ({**below, **item} for shared, own in tests for below in shared for item in own)
    parts = (without(known(item), signs) for item in variables)
    yield from (item for item in parts if item is not None)


def _transformed(sample: Sample) -> bool:
    """Tell whether a program may add to the variables of a test before it is run."""
    shared = sample.context.get("defaultTest")
    options = (table.get("options") for table in (shared, sample.data) if isinstance(table, dict))
    return any(isinstance(table, dict) and table.get("transformVars") for table in options)


def _assertions(sample: Sample) -> Iterator[Plain]:
    """Yield the assertions of a test, those of all tests before its own, and these alone."""
    shared = sample.context.get("defaultTest")
    shared_asserts = (
        as_followed(replace(sample, data=shared)).data.get("assert") if isinstance(shared, dict) else None
    )
    of_test = as_followed(sample).data.get("assert")
    listed = as_list(of_test)
    several = (
        [listed, [*shared_asserts, *listed]] if isinstance(shared_asserts, list) and shared_asserts else [listed]
    )
    yield from (alike(item["assert"]) for assertions in several for item in spelled({"assert": assertions}))


def _is_fitting(sample: Sample, name: str, parts: Mapping[str, str]) -> bool:
    """Tell whether a row of a name and of variables may be of a test that is filled from the environment."""
    for variables in tests_of(sample):
        known_variables = known(variables.merged)
        filled = of_environment(known_variables)
        fixed = parts_of({key: value for key, value in known_variables.items() if key not in filled})
        label = label_of(known_variables) or ""
        if (
            all(map(has_own_text, filled.values()))
            and may_be_filled(label, name)
            and {key: parts.get(key) for key in fixed} == fixed
            and parts.keys() <= known_variables.keys()
        ):
            return True
    return False


class _Names(NamedTuple):
    """The names of the variables of tests: their own, sorted, and those of all tests."""

    of_test: tuple[str, ...]
    shared: frozenset[str]

    def fit(self, parts: Mapping[str, str]) -> bool:
        """Tell whether a run that adds variables makes a row of such a test that has these, in this order.

        What is added on the command line goes behind the variables of all tests and before those of the test.
        """
        if not (parts.keys() >= self.shared and all(name in parts for name in self.of_test)):
            return False
        order = {name: index for index, name in enumerate(parts)}
        added = [
            position for name, position in order.items() if name not in self.shared and name not in self.of_test
        ]
        fresh = [order[name] for name in self.of_test if name not in self.shared]
        return max(added, default=-1) < min(fresh, default=len(order))


JOINING = Joining(ByVariables)
