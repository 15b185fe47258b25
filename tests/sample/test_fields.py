"""Names of nested values, types of values, and what a new field may be."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.data import Plain, Table, same, shown
from sampleui.formats.operations import applied
from sampleui.integrations.agentv.dialect import AGENTV
from sampleui.integrations.calibrate.dialect import CALIBRATE
from sampleui.integrations.gage.dialect import GAGE
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.fields import kinds_at, new_sample, new_value, sample_shape, shape_at
from sampleui.sample.kinds import CHOICES, ValueKind, as_kind, blank_like, kind_of
from sampleui.sample.models.schema import schema
from sampleui.sample.value_names import path_of, placing

KEYS = st.text(min_size=1, max_size=6).filter(lambda key: key == key.strip() and "'" not in key)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("score", ("score",)),
        ("expected.score", ("expected", "score")),
        ("options[2].content", ("options", 2, "content")),
        ("a[0][1].b", ("a", 0, 1, "b")),
        ('metadata."a.b"', ("metadata", "a.b")),
        ("metadata.'[x]'", ("metadata", "[x]")),
        ('"with space".x', ("with space", "x")),
        ("with space.x", ("with space", "x")),
    ],
)
def test_a_name_is_a_path(name: str, path: tuple[str | int, ...]) -> None:
    assert path_of(name) == path


@given(st.lists(KEYS | st.integers(0, 99), min_size=1, max_size=4).filter(lambda path: isinstance(path[0], str)))
def test_what_is_shown_of_a_path_is_its_name(path: list[str | int]) -> None:
    assert path_of(shown(tuple(path))) == tuple(path)


@pytest.mark.parametrize(
    ("name", "column"),
    [("", 1), (".a", 1), ("a.", 3), ("a..b", 3), ("[1]", 1), ("a.[0]", 3), ("a[x]", 2), ('a."b', 3), ("a b'c", 4)],
)
def test_a_name_that_cannot_be_read_says_where(name: str, column: int) -> None:
    with pytest.raises(PathError, match=f"column {column} of"):
        path_of(name)


DATA: dict[str, Plain] = {"score": 1, "expected": {"reason": "x"}, "options": [{"id": "A"}], "tags": []}


@pytest.mark.parametrize(
    "name", ["x", "x.y.z", "expected.score", "options[0].content", "options[1].content", "tags[0]", "x[0].y[0][0]"]
)
def test_a_nested_value_is_where_its_name_says(name: str) -> None:
    path = path_of(name)
    changed = applied(placing(DATA, path, "new"), DATA)
    for step in path:
        changed = changed[step]  # type: ignore[index,call-overload]
    assert changed == "new"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("score", "score is there already"),
        ("score.x", "score is a number; it has no key x"),
        ("expected[0]", "expected is a table; it has no item 0"),
        ("options[2].content", r"options has 1 item; the next one is options\[1\]"),
        ("new[1]", r"new has 0 items; the next one is new\[0\]"),
    ],
)
def test_a_name_that_leads_nowhere_says_why(name: str, why: str) -> None:
    with pytest.raises(PathError, match=why):
        placing(DATA, path_of(name), "new")


@pytest.mark.parametrize(
    ("value", "kind", "wanted"),
    [
        ("3", ValueKind.NUMBER, 3),
        ("-2.5e3", ValueKind.NUMBER, -2500.0),
        (True, ValueKind.NUMBER, 1),
        (3, ValueKind.TEXT, "3"),
        (None, ValueKind.TEXT, ""),
        (["a"], ValueKind.TEXT, "a"),
        ('{"score": 1}', ValueKind.TABLE, {"score": 1}),
        ({"score": 1}, ValueKind.TEXT, '{\n  "score": 1\n}'),
        ("Paris", ValueKind.LIST, ["Paris"]),
        ('["a", 1]', ValueKind.LIST, ["a", 1]),
        ("", ValueKind.LIST, []),
        ({"answer": "x"}, ValueKind.LIST, [{"answer": "x"}]),
        ([{"answer": "x"}], ValueKind.TABLE, {"answer": "x"}),
        ("x", ValueKind.TABLE, {"value": "x"}),
        ("yes", ValueKind.TRUTH, True),
        (0, ValueKind.TRUTH, False),
        ("x", ValueKind.NOTHING, None),
    ],
)
def test_a_value_of_another_type_keeps_what_can_be_kept(value: Plain, kind: ValueKind, wanted: Plain) -> None:
    assert same(as_kind(value, kind), wanted)


@given(st.recursive(st.text() | st.integers() | st.booleans() | st.none(), lambda x: st.lists(x, max_size=2)))
def test_every_value_can_have_every_type(value: Plain) -> None:
    for kind in CHOICES:
        try:
            assert kind_of(as_kind(value, kind)) is kind
        except EditRefusedError:
            assert value and kind in (ValueKind.NUMBER, ValueKind.TRUTH)
    assert kind_of(blank_like(value)) is kind_of(value)


@pytest.mark.parametrize(
    ("value", "kind", "told"),
    [
        ("three", ValueKind.NUMBER, '"three" says no number, and would be lost; enter edits it'),
        ("3,5", ValueKind.NUMBER, '"3,5" says no number, and would be lost; enter edits it'),
        (["a", "b"], ValueKind.NUMBER, '"[ "a", "b" ]" says no number, and would be lost; enter edits it'),
        ("maybe", ValueKind.TRUTH, '"maybe" says no true/false, and would be lost; enter edits it'),
        (5, ValueKind.TRUTH, '"5" says no true/false, and would be lost; enter edits it'),
    ],
)
def test_what_says_no_number_and_no_truth_is_not_lost(value: Plain, kind: ValueKind, told: str) -> None:
    with pytest.raises(EditRefusedError) as refused:
        as_kind(value, kind)
    assert str(refused.value) == told


@pytest.mark.parametrize("empty", ["", " ", None, [], {}])
def test_what_is_empty_becomes_anything(empty: Plain) -> None:
    assert same(as_kind(empty, ValueKind.NUMBER), 0)
    assert same(as_kind(empty, ValueKind.TRUTH), False)


@pytest.mark.parametrize("name", DIALECTS)
def test_the_fields_are_those_of_the_schema(name: str) -> None:
    printed = json.dumps(schema(name))
    for key, shape in sample_shape(DIALECTS[name]).fields().items():
        assert f'"{key}"' in printed
        assert shape.help, key
        assert shape.words
        assert not shape.kinds or kind_of(shape.blank()) is shape.kinds[0]


def test_a_new_sample_has_what_is_required() -> None:
    turn = [{"role": "user", "content": ""}]
    assert new_sample(CALIBRATE) == {"messages": turn}
    assert new_sample(AGENTV) == {"id": "", "input_messages": turn}
    assert new_sample(GAGE) == {"schema_version": "v1", "id": "", "messages": turn, "references": []}


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (("score",), ()),
        (("references",), []),
        (("options", 0), {"id": "", "content": ""}),
        (("golden_trajectories", 0), [{"role": "user", "content": ""}]),
        (("few_shot_examples", 0, "messages", 1), {"role": "user", "content": ""}),
        (("sandbox", "files"), {}),
    ],
)
def test_a_new_value_is_the_skeleton_of_its_type(path: tuple[str | int, ...], wanted: Plain) -> None:
    shape = shape_at(GAGE, path)
    assert shape.blank() == wanted if shape else wanted == ()


def test_where_the_model_is_silent_the_deck_tells_the_type() -> None:
    others: list[Table] = [{"expected": {"score": 1}}, {"expected": {"score": 2.5}}, {"expected": "x"}]
    assert kinds_at(CALIBRATE, ("score",), []) == (ValueKind.NUMBER,)
    assert kinds_at(CALIBRATE, ("expected",), others) == (ValueKind.TABLE,)
    assert kinds_at(CALIBRATE, ("expected", "score"), others) == (ValueKind.NUMBER,)
    assert kinds_at(CALIBRATE, ("expected",), []) == ()
    assert kinds_at(GAGE, ("tool_choice",), []) == (ValueKind.TEXT, ValueKind.TABLE)
    assert kinds_at(GAGE, ("tool_choice",), [{"tool_choice": {}}]) == (ValueKind.TABLE,)
    assert kinds_at(GAGE, ("references", 0), [{"references": [{"answer": "x"}]}]) == (ValueKind.TABLE,)
    assert new_value(CALIBRATE, ("score",), ValueKind.NUMBER) == 0
