"""The operations: their examples are true, and one of another kind with the same fields is another."""

from __future__ import annotations

import doctest
from typing import get_args

import pytest

from sampleui.errors import EditRefusedError, PathError
from sampleui.formats import operations
from sampleui.formats.data import Table
from sampleui.formats.operations import Delete, Insert, Move, Operation, Rename, Set, applied
from sampleui.formats.registry import BY_NAME


def test_every_operation_has_examples_and_they_are_true() -> None:
    told = doctest.testmod(operations)
    assert told.attempted >= len(get_args(Operation))
    assert told.failed == 0
    assert all("    >>> applied(" in str(kind.__doc__) for kind in get_args(Operation))


def test_to_set_and_to_insert_are_two_operations() -> None:
    assert Set(("a", 0), 1) != Insert(("a", 0), 1)


@pytest.mark.parametrize(
    "operation",
    [Set(("no", "way"), 1), Insert(("a",), 1), Delete(("b",)), Move(("l", 0), 9), Rename(("b",), "c")],
)
def test_a_path_that_leads_nowhere_is_said_by_every_operation(operation: Operation) -> None:
    data: Table = {"a": 1, "l": [1, 2]}
    with pytest.raises(PathError):
        applied(operation, data)
    document = BY_NAME["json"].parse('[{"a": 1, "l": [1, 2]}]')
    with pytest.raises(PathError):
        document.edit(0, operation)


def test_no_key_takes_the_name_of_another() -> None:
    with pytest.raises(EditRefusedError):
        applied(Rename(("a",), "b"), {"a": 1, "b": 2})


@pytest.mark.parametrize(
    ("operation", "text"),
    [
        (Set(("a",), 3), '[{"a": 3, "l": [1, 2]}]'),
        (Insert(("l", 2), 3), '[{"a": 1, "l": [1, 2, 3]}]'),
        (Delete(("l", 0)), '[{"a": 1, "l": [2]}]'),
        (Move(("l", 0), 1), '[{"a": 1, "l": [2, 1]}]'),
        (Rename(("a",), "b"), '[{"b": 1, "l": [1, 2]}]'),
    ],
)
def test_a_document_makes_every_operation_in_its_text(operation: Operation, text: str) -> None:
    document = BY_NAME["json"].parse('[{"a": 1, "l": [1, 2]}]')
    after = document.apply(document.edit(0, operation))
    assert after.text == text
    assert after.read(0) == applied(operation, document.read(0))
