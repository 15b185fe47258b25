"""Samples that are made of `scenarios`: one of each entry of `config` with each of `tests`.

The two entries are merged as `mergeScenarioTest` does (promptfoo 0.121 and 0.123; AgentV 5 too). Such samples are
shown, rendered and joined with records like all others. They have no text of their own, so edits of them are
refused with the places of the two entries, which are edited in the text of the file.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Self, TypeAlias

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats.data import DataPath, Plain, Table, as_list, lookup, shown
from sampleui.formats.document import Document, Splice
from sampleui.formats.external_items import FileItem, path_in_place
from sampleui.formats.made_samples import IncludedFile, MadeSamples
from sampleui.formats.registry import BY_NAME, TREES, parse_document
from sampleui.text.confined import SCHEME
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.limits import MAX_SCENARIO_SAMPLES
from sampleui.text.patterns import MAGIC
from sampleui.text.position import Position, Span, position_at

KEY = "scenarios"
_CONFIG, _TESTS, _VARS = "config", "tests", "vars"
_MERGED_TABLES = frozenset({"vars", "options", "metadata"})
_JOINED_LISTS = frozenset({"assert"})
_BESIDE = frozenset({"prompts"})
"""Without these keys beside it, `scenarios` is taken for a key of another tool."""


_TOO_MANY = Finding(
    "samples-elsewhere",
    Severity.INFO,
    f"only the first {MAX_SCENARIO_SAMPLES:,} samples that scenarios make are shown",
)

_NO_TABLES = "some of its entries are no tables"

_NO_TEST: Sequence[tuple[DataPath, Table]] = (((), {}),)
"""The tests of a scenario that has none: one without any values."""

_ANYWHERE = Position(1, 1)

Config: TypeAlias = tuple[DataPath, Table]
"""An entry of `config`: where it is in its file, and its value."""


class Combination(NamedTuple):
    """One sample that is made of two entries.

    Attributes:
        first, second: the paths of the entry of `config` and of that of `tests`; `second` is empty if the scenario
            has no tests.
        config, test: the values of the two.
    """

    first: DataPath
    second: DataPath
    config: Table
    test: Table

    @property
    def value(self) -> Table:
        """The sample, as it is run."""
        merged: Table = {**self.config, **self.test}
        for key in self.config.keys() & self.test.keys():
            ours, theirs = self.config[key], self.test[key]
            if key in _MERGED_TABLES and isinstance(ours, dict) and isinstance(theirs, dict):
                merged[key] = {**ours, **theirs}
            elif key in _JOINED_LISTS and isinstance(ours, list) and isinstance(theirs, list):
                merged[key] = [*ours, *theirs]
            elif key == _VARS and isinstance(ours, dict):  # the test has paths of files with variables
                merged[key] = [ours, *(theirs if isinstance(theirs, list) else [theirs])]
        return merged

    @property
    def has_own_id(self) -> bool:
        """Whether its test has an id."""
        test_id = self.test.get("id")
        return isinstance(test_id, str) and bool(test_id.strip())

    def name(self, alone: bool, before: int | None = 0) -> str | None:
        """Return what a sample is called in results, None where it has an id (`mergeScenarioTestRows` of AgentV 5).

        Args:
            alone: whether its scenario has no other test.
            before: how many scenarios the config has before those of its file; None if that is not known.
        """
        if self.has_own_id:
            return None
        shared = self.config.get("id")
        scenario, config, test = (int(step) + 1 for step in (self.first[-3], self.first[-1], self.second[-1]))
        if not isinstance(shared, str) or not shared.strip():
            number = "?" if before is None else before + scenario
            return f"scenario-{number}-{config}-{test}"
        return None if alone else f"{shared}__scenario_test_{test}"

    def path_of(self, path: DataPath) -> DataPath:
        """Return where in the file the value at a path is; in the test, if parts of it are in both entries."""
        if not path or not self.second:
            return (*(self.second or self.first), *path)
        key = path[0]
        ours, theirs = self.config.get(str(key)), self.test.get(str(key))
        if len(path) > 1 and isinstance(ours, dict) and isinstance(theirs, dict) and key in _MERGED_TABLES:
            in_config = path[1] in ours and path[1] not in theirs
            return (*(self.first if in_config else self.second), *path)
        if len(path) > 1 and isinstance(path[1], int):
            number, rest = path[1], path[2:]
            if isinstance(ours, list) and isinstance(theirs, list) and key in _JOINED_LISTS:
                in_config = number < len(ours)
                return (*self.first, *path) if in_config else (*self.second, key, number - len(ours), *rest)
            if isinstance(ours, dict) and key in self.test and key == _VARS:
                index = (number - 1,) if isinstance(theirs, list) else ()
                return (*self.first, key, *rest) if number == 0 else (*self.second, key, *index, *rest)
        in_config = key in self.config and key not in self.test
        return (*(self.first if in_config else self.second), *path)

    @property
    def made_of(self) -> str:
        """Where the entries are that it is made of, in words."""
        return " and ".join(shown(path) for path in (self.first, self.second) if path)


# What scenarios mean


def _is_scenario(value: Plain) -> bool:
    """Tell whether a value that stands by itself is a scenario: entries with variables, and tests they go with."""
    config = value.get(_CONFIG) if isinstance(value, dict) and _TESTS in value else None
    if not isinstance(config, list) or not all(isinstance(entry, dict) for entry in config):
        return False
    return any(isinstance(entry, dict) and _VARS in entry for entry in config)


def _combinations(scenario: Table, here: DataPath) -> Iterator[Combination]:
    """Yield the samples of a scenario that are made of its own entries; none if it is left out."""
    if _left_out(scenario):
        return
    tests = [*_entries(scenario, _TESTS, here)] if scenario.get(_TESTS) is not None else _NO_TEST
    for first, config in _entries(scenario, _CONFIG, here):
        yield from (Combination(first, second, config, test) for second, test in tests)


def _files_of(scenario: Table, here: DataPath) -> Iterator[tuple[DataPath, IncludedFile]]:
    """Yield the files that a scenario keeps tests in, each behind where it is named; none if it is left out."""
    if _left_out(scenario):
        return
    configs, tests = tuple(_entries(scenario, _CONFIG, here)), scenario.get(_TESTS)
    if isinstance(tests, str):
        yield (*here, _TESTS), IncludedFile(tests, _ANYWHERE, _read_tests, (configs, True))
    for number, entry in enumerate(as_list(tests)):
        if named := path_in_place(entry):
            yield (*here, _TESTS, number), IncludedFile(named[0], _ANYWHERE, _read_tests, (configs, False))


def _left_out(scenario: Plain) -> str:
    """Return why no samples are made of a scenario, "" if they are, if only of its files."""
    if not isinstance(scenario, dict):
        return _not_followed(scenario) if isinstance(scenario, str) else "it is not a table"
    config, tests = scenario.get(_CONFIG), scenario.get(_TESTS)
    if not isinstance(config, list):
        return (
            f"promptfoo reads no file for {_CONFIG}" if isinstance(config, str) else f"its {_CONFIG} is not a list"
        )
    other = next((entry for entry in config if not isinstance(entry, dict)), None)
    if other is not None:
        return f"promptfoo reads no file among {_CONFIG}, as {other}" if isinstance(other, str) else _NO_TABLES
    if isinstance(tests, str):
        return _not_followed(tests)
    if tests is not None and not isinstance(tests, list):
        return f"its {_TESTS} are not a list"
    return "" if all(isinstance(entry, dict | str) for entry in tests or ()) else _NO_TABLES


def _told(called: str, scenario: Plain, count: int) -> Finding | None:
    """Return why a scenario is not shown, or how many samples it makes; None if nothing is to be told of it."""
    if why := _left_out(scenario):
        return Finding("samples-elsewhere", Severity.INFO, f"{called} is not shown: {why}")
    if not isinstance(scenario, dict) or not count:
        return None
    configs = len([*_entries(scenario, _CONFIG, ())])
    words = f"makes {count:,} samples of {configs:,} x {count // configs:,} entries, which are edited in the file"
    if scenario.get(_TESTS) is None:
        words = f"has no {_TESTS}: the command promptfoo runs nothing of it, only its library does"
    elif count < 2:
        return None
    return Finding("samples-combined", Severity.INFO, f"{called} {words}")


def _not_followed(path: str) -> str:
    return "" if path.startswith(SCHEME) else f"{path} is followed by promptfoo only behind {SCHEME}"


def _entries(scenario: Table, key: str, here: DataPath) -> Iterator[tuple[DataPath, Table]]:
    entries = scenario.get(key)
    for number, entry in enumerate(as_list(entries)):
        if isinstance(entry, dict) and (key == _CONFIG or path_in_place(entry) is None):
            yield (*here, key, number), entry


# Files with such samples


@dataclass(frozen=True, repr=False)
class _ScenarioSamples(MadeSamples):
    """A file some of whose samples scenarios make.

    Attributes:
        listing: the same file, with what it lists as its samples.
    """

    listing: Document

    @classmethod
    def parse(cls, text: str) -> Self:
        """Refuse it: whether scenarios make samples shows in the document that its format reads."""
        raise FormatError("a file of scenarios is read in its format first")

    def again(self, text: str) -> Self:
        """Read another text as this one was read."""
        listing = self.listing.again(text)
        return replace(self, pieces=listing.pieces, listing=listing)

    def spliced(self, start: int, end: int, added: tuple[str, ...]) -> Self:
        """Return the same with pieces replaced."""
        return replace(super().spliced(start, end, added), listing=self.listing.spliced(start, end, added))

    def apply(self, splice: Splice) -> Self:
        """Return the document with a splice made."""
        changed = super().spliced(splice.start, splice.start + len(splice.removed), splice.added)
        return replace(changed, listing=self.listing.apply(splice))

    @cached_property
    def _combinations(self) -> tuple[Combination, ...]:
        """The samples that scenarios make."""
        return tuple(islice(self._each(), MAX_SCENARIO_SAMPLES))

    @abstractmethod
    def _each(self) -> Iterator[Combination]:
        """Yield the samples that scenarios make, however many."""

    @abstractmethod
    def _about_scenarios(self) -> Iterator[tuple[Finding, Position]]:
        """Yield what scenarios make, and which are not shown."""

    @property
    def _own(self) -> int:
        """The number of samples before these, which are the file's own."""
        return 0

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return what is to be said about the file: of its scenarios, what they make and which are not shown."""
        too_many = ((_TOO_MANY, _ANYWHERE),) if len(self._combinations) == MAX_SCENARIO_SAMPLES else ()
        return (*self.listing.notes(), *too_many, *self._about_scenarios())

    def _combination(self, index: int) -> Combination | None:
        """Return what a sample is made of, None for one of the file's own. Raises PathError if there is none."""
        if not 0 <= index < len(self):
            raise PathError(f"there is no sample {index} among {len(self)}")
        return None if index < self._own else self._combinations[index - self._own]

    def shares_id(self, index: int) -> bool:
        """Tell whether the id of a sample is that of its entry of `config`, which goes with other tests too."""
        combination = self._combination(index)
        return combination is not None and not combination.has_own_id

    def __len__(self) -> int:
        """Return the number of samples."""
        return self._own + len(self._combinations)

    @property
    def format(self) -> str:  # type: ignore[override]
        """The format of the file."""
        return self.listing.format

    @property
    def made_from(self) -> str:
        """The key of the values that samples are made of."""
        return KEY

    def read(self, index: int) -> Table:
        """Return a sample's value."""
        combination = self._combination(index)
        return self.listing.read(index) if combination is None else combination.value

    # Edits: of the file's own samples alone

    def insert_sample(self, index: int, data: Table) -> Splice:
        """Insert a sample among those that the file lists."""
        if index:
            self.edited_in(index - 1)
        return self.listing.insert_sample(index, data)

    def edited_in(self, index: int) -> Document:
        """Return the document that a sample is edited in. Raises EditRefusedError for one that scenarios make."""
        if combination := self._combination(index):
            raise EditRefusedError(f"this sample is made of {combination.made_of}: press E to edit their text")
        return self.listing


@dataclass(frozen=True, repr=False)
class _Config(_ScenarioSamples):
    """A config: its own samples, then those that its `scenarios` make, which are in its head or tail."""

    @property
    def as_listed(self) -> Document:
        """The same file with the samples alone that it lists."""
        return self.listing

    def _each(self) -> Iterator[Combination]:
        for number, scenario in enumerate(as_list(self.context.get(KEY))):
            if isinstance(scenario, dict):
                yield from _combinations(scenario, (KEY, number))

    @property
    def _own(self) -> int:
        return len(self.listing)

    @property
    def container(self) -> tuple[str, ...]:
        """The keys that lead to the samples that the file lists."""
        return self.listing.container

    @property
    def context(self) -> Table:
        """The values of the file beside the samples that it lists."""
        return self.listing.context

    @property
    def keyed(self) -> bool:
        """Whether the samples that the file lists are named by their keys."""
        return self._own > 0 and self.listing.keyed

    @property
    def named_files(self) -> tuple[FileItem, ...]:
        """The files that its list of samples names."""
        return self.listing.named_files

    @property
    def refers(self) -> bool:
        """Whether samples are in other files."""
        return self.listing.refers or any(True for _ in self._files())

    def name(self, index: int) -> str | None:
        """Return the key of a named sample."""
        return self.listing.name(index) if self._combination(index) is None else None

    def made_name(self, index: int) -> str | None:
        """Return what a sample is called by the numbers of its entries; None for one with an id or not made."""
        combination = self._combination(index)
        if combination is None or not combination.second:
            return None
        tests = lookup(self.context, combination.second[:-1])
        before = as_list(self.context.get(KEY))[: int(combination.first[1])]
        in_files = any(isinstance(item, str) for item in before)
        return combination.name(isinstance(tests, list) and len(tests) == 1, None if in_files else 0)

    def referred_to(self, piece: int) -> bool:
        """Tell whether other samples may read otherwise when a piece changes."""
        return self.listing.referred_to(piece)

    def findings(self, index: int) -> tuple[Finding, ...]:
        """Return what the format itself says about a sample."""
        return self.listing.findings(index) if self._combination(index) is None else ()

    def tags(self, index: int) -> tuple[tuple[DataPath, str], ...]:
        """Return the tags of a sample's values."""
        return self.listing.tags(index) if self._combination(index) is None else ()

    def _about_scenarios(self) -> Iterator[tuple[Finding, Position]]:
        counts = Counter(combination.first[:2] for combination in self._combinations)
        for number, scenario in enumerate(as_list(self.context.get(KEY))):
            path: DataPath = (KEY, number)
            if told := _told(shown(path), scenario, counts[path]):
                yield told._replace(node=path), self._position(path)

    def _files(self) -> Iterator[tuple[DataPath, IncludedFile]]:
        """Yield the files of scenarios, and of tests of scenarios, each behind where it is named."""
        scenarios = self.context.get(KEY)
        if isinstance(scenarios, str):
            before = None if MAGIC & set(scenarios) else 0
            yield (KEY,), IncludedFile(scenarios, _ANYWHERE, _read_scenarios, (before,))
        listed = as_list(scenarios)
        for number, scenario in enumerate(listed):
            if isinstance(scenario, str) and not _left_out(scenario):
                in_files = any(isinstance(item, str) for item in listed[:number]) or MAGIC & set(scenario)
                values = (None if in_files else number,)
                yield (KEY, number), IncludedFile(scenario, _ANYWHERE, _read_scenarios, values)
            elif isinstance(scenario, dict):
                yield from _files_of(scenario, (KEY, number))

    def parts(self) -> Iterator[IncludedFile]:
        """Yield the files that scenarios, then those that tests of scenarios are kept in."""
        for node, file in sorted(self._files(), key=lambda item: item[1].read is _read_tests):
            yield file._replace(position=self._position(node))

    # Where they are

    @cached_property
    def _file(self) -> Document:
        return BY_NAME[self.format].whole(self.text)

    def _in_file(self, path: DataPath, key: bool = False) -> Span:
        """Return where a value of the file is, or the key of it, counted from the beginning of the file."""
        before = sum(map(len, self._file.pieces[: self._file.piece_of(0)]))
        span = self._file.key_span(0, path) if key else self._file.span(0, path)
        return Span(span.start + before, span.end + before)

    def _position(self, path: DataPath) -> Position:
        return position_at(self.text, self._in_file(path).start)

    @cached_property
    def _scenarios_piece(self) -> int:
        """The piece that the scenarios are in: the head or the tail."""
        return 0 if self._in_file((KEY,)).start < len(self.pieces[0]) else len(self.pieces) - 1

    def piece_of(self, index: int) -> int:
        """Return the index of the piece that holds a sample: the head or the tail for one that is made."""
        return self.listing.piece_of(index) if index < self._own else self._scenarios_piece

    def samples_in(self, piece: int) -> range:
        """Return the indexes of the samples that a piece holds."""
        if self._combinations and piece == self._scenarios_piece:
            return range(self._own, len(self))
        return self.listing.samples_in(piece)

    def span(self, index: int, path: DataPath) -> Span:
        """Return where a value is; for a sample that is made, as a whole, the entry of its test."""
        combination = self._combination(index)
        return self.listing.span(index, path) if combination is None else self._in_piece(combination.path_of(path))

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is."""
        combination = self._combination(index)
        if combination is None:
            return self.listing.key_span(index, path)
        return self._in_piece(combination.path_of(path), key=bool(path))

    def _in_piece(self, path: DataPath, key: bool = False) -> Span:
        before = sum(map(len, self.pieces[: self._scenarios_piece]))
        span = self._in_file(path, key)
        return Span(span.start - before, span.end - before)

    def source_span(self, index: int) -> Span:
        """Return where a sample's own text is in its piece; for one that is made, all of the head or the tail."""
        return self.listing.source_span(index) if index < self._own else super().source_span(index)


@dataclass(frozen=True, repr=False)
class _Entries(_ScenarioSamples):
    """A file whose entries are scenarios, or the tests of one.

    Attributes:
        configs: what each of its tests goes with; None if each of its entries is a scenario with its own.
        all_tests: whether it has all tests of a scenario, or is one, and not some among its tests.
        before: how many scenarios the config has before those of this file; None if that is not known.
    """

    configs: tuple[Config, ...] | None = None
    all_tests: bool = True
    before: int | None = None

    def _each(self) -> Iterator[Combination]:
        for number, entry in self._readable():
            if self.configs is None:
                yield from _combinations(entry, (number,))
            for path, value in self.configs or ():
                yield Combination(path, (number,), _as_row(value) if self.listing.columns else value, entry)

    def _readable(self) -> Iterator[tuple[int, Table]]:
        """Yield the entries that can be read, each with its number."""
        for number in range(len(self.listing)):
            try:
                yield number, self.listing.read(number)
            except FormatError:
                continue

    def made_name(self, index: int) -> str | None:
        """Return what a sample is called by the numbers of its entries; None for one with an id, or if in doubt."""
        combination = self._combination(index)
        if self.configs is not None or combination is None or not combination.second:
            return None
        tests = self.listing.read(int(combination.second[0])).get(_TESTS)
        return combination.name(isinstance(tests, list) and len(tests) == 1, self.before)

    @property
    def from_suite(self) -> bool:
        """Whether paths in the file are counted from the folder of the file that names it."""
        return self.all_tests

    @property
    def refers(self) -> bool:
        """Whether tests are in other files."""
        return any(True for _ in self.parts())

    def parts(self) -> Iterator[IncludedFile]:
        """Yield the files that its scenarios keep tests in."""
        for number, scenario in self._readable() if self.configs is None else ():
            for node, file in _files_of(scenario, (number,)):
                start = self.listing.span(number, node[1:]).start
                yield file._replace(position=self.listing.position(number, start))

    def _about_scenarios(self) -> Iterator[tuple[Finding, Position]]:
        if self.configs is not None:
            if len(self.configs) > 1:
                count = f"{len(self):,} samples of {len(self.configs):,} x {len(self.listing):,} entries"
                words = f"a scenario makes {count}, which are edited in the file"
                yield Finding("samples-combined", Severity.INFO, words), _ANYWHERE
            return
        counts = Counter(combination.first[0] for combination in self._combinations)
        readable = dict(self._readable())
        for number in range(len(self.listing)):
            if told := _told("this scenario", readable.get(number, {}), counts[number]):
                yield told, self.listing.position(number, self.listing.start(number))

    # Where they are

    def _entry(self, index: int) -> int:
        """Return the entry of the file that a sample is made of: its test, or its scenario."""
        combination = self._combination(index)
        steps = () if combination is None else (*combination.second[:1], *combination.first[:1])
        return next(step for step in steps if isinstance(step, int))

    def piece_of(self, index: int) -> int:
        """Return the index of the piece that holds the entry of its test."""
        return self.listing.piece_of(self._entry(index))

    def samples_in(self, piece: int) -> range:
        """Return the indexes of the samples whose tests a piece holds."""
        entries = self.listing.samples_in(piece)
        indexes = [index for index in range(len(self)) if self._entry(index) in entries]
        return range(indexes[0], indexes[-1] + 1) if indexes else range(0)

    def span(self, index: int, path: DataPath) -> Span:
        """Return where a value is: one of another file where the entry of the test is."""
        return self.listing.span(*self._in_listing(index, path))

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is."""
        return self.listing.key_span(*self._in_listing(index, path))

    def _in_listing(self, index: int, path: DataPath) -> tuple[int, DataPath]:
        combination = self._combination(index)
        first, *rest = () if combination is None else combination.path_of(path)
        return (first, tuple(rest)) if isinstance(first, int) else (self._entry(index), ())

    def source_span(self, index: int) -> Span:
        """Return where the entry is that a sample is made of, as an author edits it."""
        return self.listing.source_span(self._entry(index))

    def insert_sample(self, index: int, data: Table) -> Splice:
        """Refuse it: samples are not put beside these."""
        raise EditRefusedError("the samples here are made of entries of scenarios: press E to edit their text")


def _as_row(value: Table) -> Table:
    """Return an entry of `config` as a row of a table has it: its variables by their names."""
    variables = value.get(_VARS)
    rest = {key: item for key, item in value.items() if key != _VARS}
    return {**rest, **variables} if isinstance(variables, dict) else rest


# How they are found


def with_made_samples(document: Document) -> Document | None:
    """Return a file with the samples that its scenarios make, None for one that has none."""
    context = document.context
    if isinstance(context.get(KEY), list | str) and context.keys() >= _BESIDE:
        return _Config(document.pieces, document)
    return _of_scenarios(document) if _has_scenarios_alone(document) else None


def _has_scenarios_alone(document: Document) -> bool:
    """Tell whether a file is a list of scenarios, or one of them."""
    if not any(_CONFIG in piece for piece in document.pieces[:2]):
        return False
    if document.container == (_TESTS,):
        return _is_scenario({**document.context, _TESTS: []})
    try:
        return not document.container and len(document) > 0 and _is_scenario(document.read(0))
    except FormatError:
        return False


def _of_scenarios(listing: Document) -> _Entries:
    """Return a file of scenarios with what these make as its samples."""
    if isinstance(listing, _Entries):
        return listing
    if (listing.container or not len(listing)) and listing.format in TREES:
        listing = BY_NAME[listing.format].whole(listing.text)
    return _Entries(listing.pieces, listing)


def _read_scenarios(text: str, path: Path, parts: Sequence[IncludedFile]) -> Document:
    """Read a file of scenarios that a config names. Raises FormatError with line and column."""
    document = _of_scenarios(parse_document(text, path))
    # Of a file that is named several times it is not known which of its places counts.
    return replace(document, before=parts[0].values[0]) if len(parts) == 1 else document


def _read_tests(text: str, path: Path, parts: Sequence[IncludedFile]) -> Document:
    """Read a file of tests, each of which goes with the entries of all that name the file. Raises FormatError."""
    listing = parse_document(text, path)
    configs: list[Config] = []
    for part in parts:
        configs += part.values[0]
    return _Entries(listing.pieces, listing, tuple(configs), parts[0].values[1])
