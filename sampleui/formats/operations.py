"""What can be done to a value of a sample: five operations, and what each makes of data.

Every edit of a sample or of values beside the samples is one of these, or several as one step, whoever makes it: a
key in the app, `sampleui edit`, a program. `applied` says what the data must be afterwards. `Document.edit`
(`document.py`) finds the text that makes it so, and proves it: what the text reads as must equal what is said here.

Paths are keys and indexes from the sample on: `("messages", 0, "content")`. A path that leads nowhere raises
`PathError`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from sampleui.formats.data import (
    DataPath,
    Plain,
    shown,
    with_delete,
    with_insert,
    with_move,
    with_rename,
    with_set,
)


@dataclass(frozen=True, slots=True)
class Set:
    """Set the value at a path. A missing last key is created; of a list, only an item that is there is set.

    >>> applied(Set(("expected",), "4"), {"id": "sum", "expected": "5"})
    {'id': 'sum', 'expected': '4'}
    >>> applied(Set(("score",), 1), {"id": "sum"})
    {'id': 'sum', 'score': 1}
    """

    path: DataPath
    value: Plain


@dataclass(frozen=True, slots=True)
class Insert:
    """Insert an item into a list, before the index that ends the path; the length of the list is its end.

    >>> applied(Insert(("tags", 1), "new"), {"tags": ["a", "b"]})
    {'tags': ['a', 'new', 'b']}
    """

    path: DataPath
    value: Plain


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete a key or an item of a list.

    >>> applied(Delete(("tags", 0)), {"tags": ["a", "b"]})
    {'tags': ['b']}
    >>> applied(Delete(("tags",)), {"id": "sum", "tags": ["a", "b"]})
    {'id': 'sum'}
    """

    path: DataPath


@dataclass(frozen=True, slots=True)
class Move:
    """Move an item of a list so that its index becomes `to`.

    >>> applied(Move(("tags", 0), 2), {"tags": ["a", "b", "c"]})
    {'tags': ['b', 'c', 'a']}
    """

    path: DataPath
    to: int


@dataclass(frozen=True, slots=True)
class Rename:
    """Give the key that ends a path another name; it keeps its place among the others.

    >>> applied(Rename(("outcome",), "criteria"), {"outcome": "kind", "id": "sum"})
    {'criteria': 'kind', 'id': 'sum'}
    """

    path: DataPath
    name: str


Operation: TypeAlias = Set | Insert | Delete | Move | Rename


def applied(operation: Operation, data: Plain) -> Plain:
    """Return the data with an operation made; the data itself stays as it is.

    Raises:
        PathError: when the path does not exist, or is not of a list or a key where one is needed.
        EditRefusedError: when a key is renamed to one that is there already.
    """
    match operation:
        case Set(path, value):
            return with_set(data, path, value)
        case Insert(path, value):
            return with_insert(data, path, value)
        case Delete(path):
            return with_delete(data, path)
        case Move(path, to):
            return with_move(data, path, to)
        case Rename(path, name):
            return with_rename(data, path, name)


def written(operation: Operation) -> Plain:
    """Return what an operation puts into a text, its key included; None for nothing."""
    match operation:
        case Set(path, value):
            return {str(path[-1]): value} if path else value
        case Insert(_, value):
            return value
        case Rename(_, name):
            return name
        case _:
            return None


def deed_of(operation: Operation) -> str:
    """Return an operation in words, as a refusal names it: `set messages[0].content`."""
    return f"{type(operation).__name__.lower()} {shown(operation.path)}"
