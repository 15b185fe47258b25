"""Values that are cheap to define behave as the standard library's."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from abc import ABC, abstractmethod
from dataclasses import field
from functools import cached_property
from typing import ClassVar

import pytest

from sampleui import values


def _plain(dataclass):
    @dataclass(frozen=True)
    class Plain:
        first: int
        second: str = "b"
        many: list[int] = field(default_factory=list)
        unseen: object = field(default=None, repr=False, compare=False)
        shared: ClassVar[int] = 5

    return Plain


def _slotted(dataclass):
    @dataclass(frozen=True, slots=True)
    class Slotted:
        first: int
        second: str = "b"
        many: list[int] = field(default_factory=list)
        unseen: object = field(default=None, repr=False, compare=False)
        shared: ClassVar[int] = 5

    return Slotted


def _inherited(dataclass):
    @dataclass(frozen=True, repr=False)
    class Base(ABC):
        first: int

        @abstractmethod
        def name(self) -> str: ...

        @cached_property
        def doubled(self) -> int:
            return self.first * 2

    @dataclass(frozen=True, repr=False)
    class Inherited(Base):
        second: str = "b"
        many: list[int] = field(default_factory=list, kw_only=True)
        own: dict[str, int] = field(default_factory=dict, init=False, compare=False)
        unseen: object = field(default=None, compare=False)
        shared: ClassVar[int] = 5

        def name(self) -> str:
            return self.second

    return Inherited


@pytest.mark.parametrize("define", [_plain, _slotted, _inherited])
def test_a_frozen_dataclass_is_made_compared_shown_and_replaced_as_the_standard_library_does(define):
    ours, theirs = define(values.dataclass), define(dataclasses.dataclass)
    for arguments, named in [((1,), {}), ((1, "x"), {"many": [1]}), ((), {"first": 3, "unseen": 4})]:
        value, expected = ours(*arguments, **named), theirs(*arguments, **named)
        assert dataclasses.asdict(value) == dataclasses.asdict(expected)
        assert [*map(_facts, dataclasses.fields(value))] == [*map(_facts, dataclasses.fields(expected))]
        assert ours.__match_args__ == theirs.__match_args__
        assert hasattr(value, "__dict__") == hasattr(expected, "__dict__")
        assert value == ours(*arguments, **named) == copy.copy(value)
        assert value == values.replace(value, unseen="not compared") != values.replace(value, second="other")
        assert values.replace(value, second="other") == dataclasses.replace(value, second="other")
        assert value != expected
        for name in ("first", "other"):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(value, name, 1)
            with pytest.raises(dataclasses.FrozenInstanceError):
                delattr(value, name)
    shown = repr(ours(1, unseen=2)), repr(theirs(1, unseen=2))
    assert shown[0] == shown[1] or define is _inherited
    for missing in (ours, theirs):
        with pytest.raises(TypeError, match="first"):
            missing()


def _facts(item):
    return item.name, item.type, item.default, item.default_factory, item.repr, item.compare, item.kw_only


def test_a_frozen_dataclass_is_hashed_by_its_fields_and_may_hold_what_it_works_out():
    made = _inherited(values.dataclass)
    assert made(4).doubled == 8
    plain = _plain(values.dataclass)
    assert {plain(1, many=()), plain(1, many=())} == {plain(1, many=())}
    with pytest.raises(TypeError):
        hash(plain(1))


def test_a_dataclass_of_the_standard_library_may_have_a_cheap_one_as_its_parent_and_the_other_way_round():
    cheap = _plain(values.dataclass)

    @dataclasses.dataclass(frozen=True)
    class Below(cheap):
        third: int = 3

    @values.dataclass(frozen=True)
    class Lowest(Below):
        fourth: int = 4

    assert dataclasses.asdict(values.replace(Lowest(1), third=5)).keys() >= {"first", "third", "fourth"}
    assert values.replace(Lowest(1), third=5).third == values.replace(Below(1), third=5).third == 5


def test_a_dataclass_that_is_not_frozen_can_be_changed():
    @values.dataclass(slots=True)
    class Open:
        number: int = 1

    value = Open()
    value.number = 2
    assert value == Open(2)


@values.dataclass(frozen=True, slots=True)
class Sent:
    """A value that goes to another process."""

    number: int
    text: str = ""


class Pair(values.NamedTuple):
    """A place."""

    line: int
    column: int = 1

    @property
    def after(self) -> Pair:
        """The next place."""
        return self._replace(column=self.column + 1)


def test_values_go_to_other_processes():
    for value in (Sent(1, "x"), Pair(1)):
        assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value


def test_a_named_tuple_is_defined_by_a_class():
    line, column = Pair(3)
    assert (line, column) == (3, 1) == Pair(line=3, column=1)
    assert Pair(3).after == Pair(3, 2)
    assert repr(Pair(3)) == "Pair(line=3, column=1)"
    assert (Pair._fields, Pair.__doc__, Pair.__module__) == (("line", "column"), "A place.", __name__)


def test_a_pattern_is_compiled_when_it_is_first_used():
    broken = values.pattern("(")
    assert broken.pattern == "("
    with pytest.raises(re.error):
        broken.match("x")
    assert values.pattern("A", re.IGNORECASE).sub("-", "banana") == "b-n-n-"
