"""Samples that a file makes of values beside its samples: promptfoo's `scenarios`.

Each entry of a scenario's `config` goes with each of its `tests`, and the two together are a sample
(`mergeScenarioTest` of promptfoo 0.121 and 0.123). An edit of such a sample is one of the entry that holds the
value, and so of every sample that is made of this entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table, shown
from sampleui.formats.referring import held_in
from sampleui.text.confined import SCHEME
from sampleui.text.diagnostic import Finding, Severity

KEY = "scenarios"
_CONFIG, TESTS, _VARS = "config", "tests", "vars"
_TABLES = frozenset({"vars", "options", "metadata"})
_LISTS = frozenset({"assert"})
_BESIDE = frozenset({"prompts"})
"""Without these a file with such a key is not taken for one that makes samples of it."""

MOST_MADE = 100_000
"""Samples that the scenarios of one file are made into."""

TOO_MANY = Finding(
    "samples-elsewhere", Severity.INFO, f"only the first {MOST_MADE:,} samples that scenarios make are shown"
)

_NO_TABLES = "some of its entries are no tables"

_NONE: Sequence[tuple[DataPath, Table]] = (((), {}),)
"""The tests of a scenario without any: one that says nothing."""


def combines(context: Table) -> bool:
    """Tell whether the values beside the samples of a file make samples."""
    return isinstance(context.get(KEY), list | str) and context.keys() >= _BESIDE


def is_scenario(value: Plain) -> bool:
    """Tell whether a value that stands by itself is a scenario: entries with variables, and tests they go with."""
    config = value.get(_CONFIG) if isinstance(value, dict) and TESTS in value else None
    if not isinstance(config, list) or not all(isinstance(one, dict) for one in config):
        return False
    return any(isinstance(one, dict) and _VARS in one for one in config)


class Combined(NamedTuple):
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
        for key in self.a.keys() & self.b.keys():
            one, other = self.a[key], self.b[key]
            if key in _TABLES and isinstance(one, dict) and isinstance(other, dict):
                made[key] = {**one, **other}
            elif key in _LISTS and isinstance(one, list) and isinstance(other, list):
                made[key] = [*one, *other]
            elif key == _VARS and isinstance(one, dict):  # the test has paths of files with variables
                made[key] = [one, *(other if isinstance(other, list) else [other])]
        return made

    def name(self, alone: bool) -> str | None:
        """Return what AgentV 5 calls the sample, None where it has an id (its `mergeScenarioTestRows`).

        Args:
            alone: whether its scenario has no other test.
        """
        own, shared = self.b.get("id"), self.a.get("id")
        if isinstance(own, str) and own.strip():
            return None
        scenario, config, test = (int(step) + 1 for step in (self.first[1], self.first[-1], self.second[-1]))
        if not isinstance(shared, str) or not shared.strip():
            return f"scenario-{scenario}-{config}-{test}"
        return None if alone else f"{shared}__scenario_test_{test}"

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
        if key == _VARS and isinstance(one, dict) and key in self.b:
            self._refuse_both(path)
            at, rest = path[1], path[2:]
            own = (at - 1,) if isinstance(other, list) and isinstance(at, int) else ()
            return (*self.first, key, *rest) if at == 0 else (*self.second, key, *own, *rest)
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


def shared_entry(sample: Combined, path: DataPath, made: Sequence[Combined]) -> tuple[str, int]:
    """Return the entry that a value of a sample stands in, "" for one that stands in two, and of how many it is.

    Args:
        sample: the sample.
        path: where in it the value is.
        made: all samples that are made, of which some may share the entry.
    """
    try:
        place = sample.place(path)
    except EditRefusedError:
        return "", 1
    entry = next((one for one in (sample.first, sample.second) if one and place[: len(one)] == one), ())
    return shown(entry), made_of_entry(entry, made)


def made_of_entry(entry: DataPath, made: Sequence[Combined]) -> int:
    """Return how many samples are made of an entry."""
    return sum(entry in (one.first, one.second) for one in made)


Config: TypeAlias = tuple[DataPath, Table]
"""An entry of `config`: where it is in its file, and its value."""


class Apart(NamedTuple):
    """A file that scenarios, or tests of one, are kept in.

    Attributes:
        at: where it is named.
        path: as it is written.
        configs: what its tests go with; None if it holds scenarios.
    """

    at: DataPath
    path: str
    configs: tuple[Config, ...] | None = None

    @property
    def whole(self) -> bool:
        """Whether it stands for all tests of a scenario and not for some among them."""
        return self.at[-1:] == (TESTS,)


def combinations(context: Table) -> Iterator[Combined]:
    """Yield the samples that the values of a file make, in promptfoo's order; what is told of is left out."""
    for number, scenario in enumerate(_listed(context)):
        if isinstance(scenario, dict):
            yield from entries_of(scenario, (KEY, number))


def entries_of(scenario: Table, here: DataPath) -> Iterator[Combined]:
    """Yield the samples of a scenario that are made of its own entries; none if it is left out."""
    if left_out(scenario):
        return
    tests = [*_entries(scenario, TESTS, here)] if scenario.get(TESTS) is not None else _NONE
    for first, a in _entries(scenario, _CONFIG, here):
        yield from (Combined(first, second, a, b) for second, b in tests)


def files_of(context: Table) -> Iterator[Apart]:
    """Yield the files that a file keeps scenarios, or tests of scenarios, in."""
    held = context.get(KEY)
    if isinstance(held, str):
        yield Apart((KEY,), held)
    for number, scenario in enumerate(_listed(context)):
        here: DataPath = (KEY, number)
        if isinstance(scenario, str) and not left_out(scenario):
            yield Apart(here, scenario)
        elif isinstance(scenario, dict):
            yield from files_in(scenario, here)


def files_in(scenario: Table, here: DataPath) -> Iterator[Apart]:
    """Yield the files that a scenario keeps tests in; none if it is left out."""
    if left_out(scenario):
        return
    configs, held = tuple(_entries(scenario, _CONFIG, here)), scenario.get(TESTS)
    if isinstance(held, str):
        yield Apart((*here, TESTS), held, configs)
    for at, one in enumerate(held if isinstance(held, list) else ()):
        if named := held_in(one):
            yield Apart((*here, TESTS, at), named[0], configs)


def left_out(scenario: Plain) -> str:
    """Return why no samples are made of a scenario, "" if they are, if only of its files."""
    if not isinstance(scenario, dict):
        return _not_followed(scenario) if isinstance(scenario, str) else "it is no table"
    config, tests = scenario.get(_CONFIG), scenario.get(TESTS)
    if not isinstance(config, list):
        return f"promptfoo reads no file for {_CONFIG}" if isinstance(config, str) else f"its {_CONFIG} is no list"
    other = next((one for one in config if not isinstance(one, dict)), None)
    if other is not None:
        return f"promptfoo reads no file among {_CONFIG}, as {other}" if isinstance(other, str) else _NO_TABLES
    if isinstance(tests, str):
        return _not_followed(tests)
    if tests is not None and not isinstance(tests, list):
        return f"its {TESTS} are no list"
    return "" if all(isinstance(one, dict | str) for one in tests or ()) else _NO_TABLES


def made_of(scenario: Table, count: int) -> str:
    """Return in words how many samples a scenario makes, "" if there is nothing to be told of it."""
    if scenario.get(TESTS) is None and count:
        return f"has no {TESTS}: the command promptfoo runs nothing of it, only its library does"
    configs = sum(1 for _ in _entries(scenario, _CONFIG, ()))
    if count < 2:
        return ""
    made = f"makes {count:,} samples of {configs:,} x {count // configs:,} entries"
    return f"{made}; an edit of one is an edit of all that are made of the same entry"


def _not_followed(path: str) -> str:
    return "" if path.startswith(SCHEME) else f"{path} is followed by promptfoo only behind {SCHEME}"


def _listed(context: Table) -> list[Plain]:
    held = context.get(KEY)
    return held if isinstance(held, list) else []


def _entries(scenario: Table, key: str, here: DataPath) -> Iterator[tuple[DataPath, Table]]:
    held = scenario.get(key)
    for at, entry in enumerate(held if isinstance(held, list) else ()):
        if isinstance(entry, dict) and (key == _CONFIG or held_in(entry) is None):
            yield (*here, key, at), entry
