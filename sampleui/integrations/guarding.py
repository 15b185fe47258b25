"""The door to an integration of another package: what it raises costs a line, and all goes on without it.

The type checker holds an integration to the contract (`integration.py`); nothing here checks types. The errors of
`sampleui.errors` are no faults: functions of an integration raise them to say what is wrong with a file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any

from sampleui.errors import ResultsError
from sampleui.integrations.entry import IndexEntry
from sampleui.integrations.foreign_code import ForeignError, each, run
from sampleui.integrations.integration import PARTS, Integration, Spellings, none, nothing
from sampleui.review.record import ParsedRow
from sampleui.sample.dialects.dialect import Dialect

_USUAL: Mapping[str, Callable[..., Any]] = {
    "claims": nothing,
    "parse": lambda _: ParsedRow(),
    "find": nothing,
    "rules": none,
    "plain": nothing,
}
"""What holds without a function that the contract has no default for; without any other, there is an error."""

_PLAIN = sys.stdlib_module_names | {"sampleui"}
"""The packages of values that are taken as they are."""


def guarded(constant: Callable[[str], Any], entry: IndexEntry, warn: Callable[[str], None]) -> Integration:
    """Return an integration of which no part, and no function in one, raises anything but errors of sampleui.

    Args:
        constant: returns a constant of its package by its name.
        entry: its entry in the index.
        warn: is told of its first fault, in one line.
    """
    door = _Door(warn)
    # It gives the same each time, and is asked for each sample of a deck.
    return Integration(cache(lambda name: door.function(name, partial(_ask, constant, name, entry), nothing)()))


def _ask(constant: Callable[[str], Any], name: str, entry: IndexEntry) -> Any:
    """Return a constant, if it is a value of the type that the core looks into."""
    part, (module, kind) = constant(name), PARTS[name]
    if part is None and (module in entry.modules or (kind is Spellings and entry.dialects)):
        raise TypeError("its entry names it, but no module has it")
    if part is not None and not isinstance(part, kind):
        raise TypeError(f"it is a {type(part).__name__}, and not {kind.__name__}")
    for dialect in part.dialects if isinstance(part, Spellings) else ():
        if not isinstance(dialect, Dialect):
            raise TypeError(f"{type(dialect).__name__} is no Dialect")
        if dialect.name not in entry.dialects or dialect.integration != entry.name:
            raise TypeError(f"the dialect {dialect.name} is not of {entry.name}, by its entry or its table")
    return part


class _Door:
    """Calls the functions of one integration, and tells of the first fault."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._is_told = self._is_left = False

    def function(self, name: str, own: Callable[..., Any], usual: Callable[..., Any] | None) -> Callable[..., Any]:
        """Return a function that gives what its own does, and what is usual where that fails.

        Args:
            name: what it is called.
            own: the function.
            usual: gives what holds without it; None if there is no going on without.
        """

        def called(*args: Any) -> Any:
            try:
                if self._is_left:
                    raise ForeignError("it was left")
                return self._held(name, run(own, *args, heard=self._hear))
            except ForeignError as error:
                self._tell(error, name)
                if usual is None:
                    raise ResultsError(f"{name} of an integration fails: {error}") from None
                return usual(*args)

        return called

    def _held(self, name: str, value: Any) -> Any:
        """Return a value with the functions in it at the door too."""
        if hasattr(value, "_fields"):
            usual = {**_USUAL, **value._field_defaults}
            fields = zip(value._fields, value, strict=True)
            return value._replace(
                **{key: self._field(f"{name}.{key}", item, usual.get(key)) for key, item in fields}
            )
        if isinstance(value, list | tuple):
            return type(value)(self._held(name, item) for item in value)
        if isinstance(value, Iterator):
            return self._each(value, name)
        return value if type(value).__module__.partition(".")[0] in _PLAIN else _Member(value, self, name)

    def _field(self, name: str, value: Any, usual: Any) -> Any:
        if callable(value):
            return value if value is usual else self.function(name, value, usual)
        if isinstance(value, Mapping) and value and all(map(callable, value.values())):
            without = _USUAL.get(name.rpartition(".")[2])
            return {key: self.function(f"{name}.{key}", item, without) for key, item in value.items()}
        return self._held(name, value)

    def _each(self, items: Iterator[Any], name: str) -> Iterator[Any]:
        """Yield the items of an iterator, up to the first that fails."""
        try:
            yield from each(items, self._hear)
        except ForeignError as error:
            self._tell(error, name)

    def _hear(self, line: str) -> None:
        if not self._is_told:
            self._is_told = True
            self._warn(line)

    def _tell(self, error: ForeignError, name: str) -> None:
        """Warn of an error in what is called so, if it is the first; what was left is not asked again."""
        self._is_left = self._is_left or error.was_left
        if not self._is_told:
            self._is_told = True
            self._warn(f"{error} ({name} is left out)")


class _Member:
    """An object of a package, such as the source of a log's rows, whose methods are at the door too."""

    def __init__(self, own: Any, door: _Door, name: str) -> None:
        self._member, self._door, self._name = own, door, name

    def __getattr__(self, member: str) -> Any:
        value = getattr(self._member, member)
        if not callable(value):
            return value
        return self._door.function(f"{self._name}.{member}", value, _USUAL.get(member))
