"""What an integration of another package may do wrong: a fault costs a line of warning and nothing else.

The types in `integration.py` say what each hook gives, and what is in that. If a hook raises, or gives anything
else, at once or in a function that it gave, all goes on as if there were no such hook.
The errors of `sampleui.errors` are no faults: hooks raise them to say what is wrong with a file.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from typing import Any

from sampleui.integrations import integration as contract
from sampleui.integrations.entry import IndexEntry
from sampleui.integrations.foreign_code import ForeignError, each, run
from sampleui.integrations.integration import Integration


def guarded(own: object, entry: IndexEntry, warn: Callable[[str], None]) -> Integration | None:
    """Return an integration that keeps to the contract, whatever its own hooks do; None if it is no integration.

    Args:
        own: the integration of a package.
        entry: its entry in the index.
        warn: is told of its first fault, in one line.
    """
    if not isinstance(own, Integration):
        return None
    guard, usual, safe = _Guard(entry, warn), Integration(), Integration()
    for name, hook in inspect.getmembers(Integration, inspect.isfunction):
        gives = _hints(hook)["return"]
        asked = guard.function(name, partial(_ask, own, name), gives, getattr(usual, name))
        if name == "dialects":
            asked = guard.of_its_entry(asked)
        # What takes nothing gives the same each time, and is asked for each sample of a deck.
        setattr(safe, name, asked if len(inspect.signature(hook).parameters) > 1 else cache(asked))
    return safe


def _ask(own: object, name: str, *args: Any) -> Any:
    return getattr(own, name)(*args)


def misfit(value: Any, hint: Any, name: str) -> str:
    """Return, in words, how a value is not of a type; empty if it is.

    Args:
        value: the value.
        hint: the type, as it is annotated; of one that is not known everything is.
        name: what the value is called.
    """
    kind, inner = typing.get_origin(hint) or hint, typing.get_args(hint)
    if hint is Any:
        return ""
    if kind in (typing.Union, types.UnionType):
        wrong = [misfit(value, kind, name) for kind in inner]
        return min(wrong, key=len) and wrong[0]
    if _is_protocol(kind):
        lacks = [member for member in _members(kind) if not hasattr(value, member)]
        return f"{name} has no {lacks[0]}" if lacks else ""
    if kind is float:
        kind = int | float
    a_text_for_a_list = kind is Sequence and isinstance(value, str | bytes)
    if a_text_for_a_list or (isinstance(kind, type | types.UnionType) and not isinstance(value, kind)):
        return f"{name} is a {type(value).__name__}, and not {_words(hint)}"
    if kind is tuple and inner and inner[-1] is not Ellipsis and len(inner) != len(value):
        return f"{name} has {len(value)} items, and not {len(inner)}"
    return next(filter(None, (misfit(*part) for part in _parts(value, kind, inner, name))), "")


def _parts(value: Any, kind: Any, inner: tuple[Any, ...], name: str) -> Iterator[tuple[Any, Any, str]]:
    """Yield what is in a value, with its type and what it is called."""
    if isinstance(value, Mapping) and len(inner) == 2:
        for key, item in value.items():
            yield key, inner[0], f"a key of {name}"
            yield item, inner[1], f"{name}.{key}"
    elif isinstance(value, Sequence | frozenset) and inner and kind is not Callable:
        each = inner[:1] * len(value) if len(inner) == 1 or inner[-1] is Ellipsis else inner
        yield from (
            (item, kind, f"{name}[{index}]") for index, (item, kind) in enumerate(zip(value, each, strict=True))
        )
    elif _is_own(type(value)) and (hasattr(value, "_fields") or dataclasses.is_dataclass(value)):
        hints = _hints(_class_of(value))
        yield from ((getattr(value, key), hint, f"{name}.{key}") for key, hint in hints.items())


class _Guard:
    """Calls the functions of one integration, and tells of the first that fails."""

    def __init__(self, entry: IndexEntry, warn: Callable[[str], None]) -> None:
        self._entry = entry
        self._warn = warn
        self._is_told = self._is_left = False

    def function(
        self, name: str, own: Callable[..., Any], gives: Any, usual: Callable[..., Any] | None
    ) -> Callable[..., Any]:
        """Return a function that gives what its own does if that is of the type, else what is usual.

        Args:
            name: what it is called.
            own: the function.
            gives: the type of what it is to give.
            usual: gives what holds without it; None for nothing of that type.
        """

        def called(*args: Any) -> Any:
            try:
                if self._is_left:
                    raise ForeignError("it was left")
                result = run(own, *args, heard=self._hear)
                if typing.get_origin(gives) in (Iterator, Iterable):
                    return self._each(run(iter, result), typing.get_args(gives)[0], name)
                if wrong := run(misfit, result, gives, name):
                    raise ForeignError(wrong)
                return run(self._guarded, result, gives, name)
            except ForeignError as error:
                self.tell(error, name)
                return _nothing(gives, args) if usual is None else usual(*args)

        return called

    def _each(self, items: Iterator[Any], gives: Any, name: str) -> Iterator[Any]:
        """Yield the items of an iterator, up to the first that fails."""
        try:
            for item in each(items, self._hear):
                if wrong := run(misfit, item, gives, name):
                    raise ForeignError(wrong)
                yield item
        except ForeignError as error:
            self.tell(error, name)

    def of_its_entry(self, dialects: Callable[[], Sequence[Any]]) -> Callable[[], Sequence[Any]]:
        """Return the hook of dialects, which gives none that its entry in the index does not name."""

        def named() -> Sequence[Any]:
            brought = dialects()
            others = [dialect.name for dialect in brought if dialect.name not in self._entry.dialects]
            others += [dialect.name for dialect in brought if dialect.integration != self._entry.name]
            if others:
                reason = f"the dialect {others[0]} is not of {self._entry.name}, by its entry or its table"
                self.tell(ForeignError(reason), "dialects")
                return ()
            return brought

        return named

    def _hear(self, line: str) -> None:
        if not self._is_told:
            self._is_told = True
            self._warn(line)

    def tell(self, error: ForeignError, name: str) -> None:
        """Warn of an error in what is called so, if it is the first; what was left is not asked again."""
        self._is_left = self._is_left or error.was_left
        if not self._is_told:
            self._is_told = True
            self._warn(f"{error} ({name} is left out)")

    def _guarded(self, value: Any, hint: Any, name: str) -> Any:
        """Return a value of a type with the functions in it guarded."""
        protocol = next(
            (candidate for candidate in (hint, *typing.get_args(hint)) if _is_protocol(candidate)), None
        )
        if protocol is not None and value is not None:
            return _Member(value, protocol, self, name)
        if hasattr(value, "_fields") and _is_own(type(value)):
            hints, usual = _hints(_class_of(value)), getattr(value, "_field_defaults", {})
            fields = ((key, getattr(value, key), hints[key]) for key in value._fields)
            guarded = {key: self._field(f"{name}.{key}", item, hint, usual.get(key)) for key, item, hint in fields}
            return value._replace(**guarded)
        if isinstance(value, list | tuple):
            return type(value)(self._guarded(item, None, name) for item in value)
        return value

    def _field(self, name: str, value: Any, hint: Any, usual: Any) -> Any:
        kind, inner = typing.get_origin(hint) or hint, typing.get_args(hint)
        if kind is Callable and value is not usual:
            return self.function(name, value, inner[1], usual)
        if kind is Mapping and typing.get_origin(inner[1]) is Callable:
            gives = typing.get_args(inner[1])[1]
            return {key: self.function(f"{name}.{key}", item, gives, None) for key, item in value.items()}
        return self._guarded(value, hint, name)


class _Member:
    """An object of a package whose methods are guarded."""

    def __init__(self, own: Any, protocol: Any, guard: _Guard, name: str) -> None:
        self._own, self._protocol, self._guard, self._name = own, protocol, guard, name

    def __getattr__(self, member: str) -> Any:
        method = getattr(self._protocol, member, None)
        if not inspect.isfunction(method):
            return getattr(self._own, member)
        name = f"{self._name}.{member}"
        return self._guard.function(name, partial(_ask, self._own, member), _hints(method)["return"], None)


@cache
def _hints(of: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotated types of a function or class of sampleui."""
    return typing.get_type_hints(of, localns=_names())


@cache
def _names() -> dict[str, Any]:
    """Return what the contract imports for its types alone; data is any, for its type is made of itself."""
    imports = (
        node for node in ast.walk(ast.parse(inspect.getsource(contract))) if isinstance(node, ast.ImportFrom)
    )
    named = ((str(node.module), alias.name) for node in imports for alias in node.names)
    names = {name: getattr(import_module(module), name) for module, name in named if module != "__future__"}
    return {**names, "Plain": Any, "Scalar": Any, "Table": dict[str, Any]}


def _class_of(value: Any) -> Callable[..., Any]:
    return type(value)


def _is_own(kind: type) -> bool:
    return kind.__module__.startswith("sampleui.")


def _is_protocol(kind: Any) -> bool:
    return bool(getattr(kind, "_is_protocol", False)) and _is_own(kind)


def _members(protocol: Any) -> list[str]:
    """Return the names of what an object of a protocol has."""
    return sorted(name for name in {*vars(protocol), *protocol.__annotations__} if not name.startswith("_"))


def _words(hint: Any) -> str:
    return (
        hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint).replace("typing.", "")
    )


def _nothing(gives: Any, args: Sequence[Any]) -> Any:
    """Return what stands for nothing in a type: of tables the one that was given, else an empty value."""
    kind = typing.get_origin(gives) or gives
    if kind in (typing.Union, types.UnionType):
        return None
    if kind is dict and args and isinstance(args[0], dict):
        return args[0]
    if kind in (Iterator, Iterable):
        return iter(())
    if kind is Mapping:
        return {}
    return () if kind is Sequence else kind()
