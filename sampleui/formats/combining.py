"""Samples that a file makes of values beside its samples: promptfoo's `scenarios`.

Each entry of a scenario's `config` goes with each of its `tests`, and the two together are a sample
(`mergeScenarioTest` of promptfoo 0.121 and 0.123). An edit of such a sample is one of the entry that holds the
value, and so of every sample that is made of this entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table, shown

KEY = "scenarios"
_CONFIG, _TESTS = "config", "tests"
_TABLES = frozenset({"vars", "options", "metadata"})
_LISTS = frozenset({"assert"})
_BESIDE = frozenset({"prompts"})
"""Without these a file with such a key is not taken for one that makes samples of it."""

_NONE: Sequence[tuple[DataPath, Table]] = (((), {}),)
"""The tests of a scenario without any: one that says nothing."""


def combines(context: Table) -> bool:
    """Tell whether the values beside the samples of a file make samples."""
    return isinstance(context.get(KEY), list) and context.keys() >= _BESIDE


@dataclass(frozen=True, slots=True)
class Combined:
    """One sample that is made of two entries.

    Attributes:
        first, second: the paths of the entry of `config` and of that of `tests`; `second` is empty if the scenario
            has no tests, which stands for one without any values.
        a, b: the values of the two.
    """

    first: DataPath
    second: DataPath
    a: Table
    b: Table

    @property
    def value(self) -> Table:
        """The sample, as promptfoo makes it."""
        made: Table = {**self.a, **self.b}
        for key in (_TABLES | _LISTS) & self.a.keys() & self.b.keys():
            one, other = self.a[key], self.b[key]
            if key in _TABLES and isinstance(one, dict) and isinstance(other, dict):
                made[key] = {**one, **other}
            elif isinstance(one, list) and isinstance(other, list):
                made[key] = [*one, *other]
        return made

    def place(self, path: DataPath) -> DataPath:
        """Return where in the file the value at a path of the sample is, or is to be.

        Raises:
            EditRefusedError: when parts of the value are in both entries.
        """
        if not path:
            raise EditRefusedError(f"it is made of {shown(self.first)} and {shown(self.second)}")
        if not self.second:
            return (*self.first, *path)
        key = path[0]
        one, other = self.a.get(str(key)), self.b.get(str(key))
        if key in _TABLES and isinstance(one, dict) and isinstance(other, dict):
            self._refuse_both(path)
            return (*(self.first if path[1] in one and path[1] not in other else self.second), *path)
        if key in _LISTS and isinstance(one, list) and isinstance(other, list):
            self._refuse_both(path)
            at = path[1]
            if isinstance(at, int) and at < len(one):
                return (*self.first, *path)
            return (*self.second, key, at - len(one) if isinstance(at, int) else at, *path[2:])
        holds = key in self.a and key not in self.b
        return (*(self.first if holds else self.second), *path)

    def shown_at(self, path: DataPath) -> DataPath:
        """Return where the value at a path is, or most of it: in the test if parts of it are in both entries."""
        try:
            return self.place(path)
        except EditRefusedError:
            return (*(self.second or self.first), *path)

    def _refuse_both(self, path: DataPath) -> None:
        if len(path) == 1:
            both = f"{shown((*self.first, *path))} and {shown((*self.second, *path))}"
            raise EditRefusedError(f"cannot edit {shown(path)} as one value: parts of it are in {both}")


def combinations(context: Table) -> Iterator[Combined]:
    """Yield the samples that the values of a file make, in promptfoo's order; what is told of is left out."""
    listed = context.get(KEY)
    for number, scenario in enumerate(listed if isinstance(listed, list) else ()):
        if left_out(scenario) or not isinstance(scenario, dict):
            continue
        for first, a in _entries(scenario, _CONFIG):
            for second, b in [*_entries(scenario, _TESTS)] if scenario.get(_TESTS) is not None else _NONE:
                here: DataPath = (KEY, number)
                yield Combined((*here, *first), (*here, *second) if second else (), a, b)


def left_out(scenario: Plain) -> str:
    """Return why no samples are made of a scenario here, "" if they are."""
    if not isinstance(scenario, dict):
        return f"it is kept in {scenario}" if isinstance(scenario, str) else "it is no table"
    for key in (_CONFIG, _TESTS):
        held = scenario.get(key)
        if isinstance(held, str):
            return f"its {key} are kept in {held}"
        if held is None and key == _TESTS:
            continue
        if not isinstance(held, list):
            return f"its {key} are no list"
        kept = next((one for one in held if not isinstance(one, dict)), None)
        if kept is not None:
            return f"some of its {key} are kept in {kept}" if isinstance(kept, str) else f"its {key} are no tables"
    return ""


def _entries(scenario: Table, key: str) -> Iterator[tuple[DataPath, Table]]:
    held = scenario.get(key)
    for at, entry in enumerate(held if isinstance(held, list) else ()):
        if isinstance(entry, dict):
            yield (key, at), entry
