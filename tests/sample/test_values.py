"""Values as JavaScript spells them, the way to a value, and how messages are spelled."""

from __future__ import annotations

import json

import pytest

from sampleui.formats.data import Plain
from sampleui.integrations.javascript import stringify
from sampleui.sample.dialects.dialect import ALL, Spelling, value_at


@pytest.mark.parametrize(
    "value", [[[1]], {"a": {"b": [{"c": 1}, []]}, "d": {}}, [{"a": [[], {}]}, "x"], [], {}, [None, True, "é"]]
)
@pytest.mark.parametrize("indent", [0, 1, 2])
def test_json_is_laid_out_level_by_level(value: Plain, indent: int) -> None:
    tight = (",", ":") if not indent else None
    wanted = json.dumps(value, indent=indent or None, separators=tight, ensure_ascii=False)
    assert stringify(value, indent) == wanted


def test_keys_that_are_indexes_come_first_in_their_order() -> None:
    keys = ("b", "10", "a", "9", "01", "0", "-1", "4294967294", "4294967295", "12345678901", "²")
    found = json.loads(stringify(dict.fromkeys(keys)))
    assert [*found] == ["0", "9", "10", "4294967294", "b", "a", "01", "-1", "4294967295", "12345678901", "²"]


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (2**53, "9007199254740992"),
        (2**53 + 1, "9007199254740992"),
        (10**400, "null"),
        (float("inf"), "null"),
        (float("nan"), "null"),
        (1e-6, "0.000001"),
        (-0.0, "0"),
    ],
)
def test_numbers_are_those_of_a_double_or_null(number: float, written: str) -> None:
    assert stringify(number) == written


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("a", ALL, "b", "c"), [1, 2]),
        (("t", ALL, "c"), [3, 4]),
        (("a", ALL, "none"), None),
        (("a", 0, "b", "c"), 1),
        (("a", 3), None),
        (("a", -1), None),
        (("t", "c"), None),
        ((), ...),
    ],
)
def test_a_path_through_all_leads_to_a_list(path: tuple[str | int, ...], value: Plain) -> None:
    data: Plain = {"a": [{"b": {"c": 1}}, {}, {"b": {"c": 2}}], "t": {"x": {"c": 3}, "y": {"c": 4}}}
    assert value_at(data, path) == (data if value is ... else value)


@pytest.mark.parametrize(
    ("spelling", "usual"),
    [
        (Spelling(), True),
        (Spelling(role="from"), False),
        (Spelling(content="value"), False),
        (Spelling(roles={"human": "user"}), False),
    ],
)
def test_a_spelling_is_usual_if_all_of_it_is(spelling: Spelling, usual: bool) -> None:
    assert spelling.usual is usual
