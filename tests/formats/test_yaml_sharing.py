"""Values that samples share by anchors: edited for all, or made a sample's own, with nothing else changed."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sampleui.formats.data import lookup, same
from sampleui.formats.operations import Insert, Set, applied
from sampleui.formats.registry import BY_NAME

DECK = """\
x-policy: &policy Refunds need a supervisor.
x-table: &table {threshold: 1, opts: {a: 1}}
tests:
  - id: a   # small
    input:
      - {role: system, content: *policy}
    assertions: &base
      - type: contains   # why
        value: &word supervisor
      - type: equals
        value: *word
  - id: b
    <<: *table
    input:
      - {role: system, content: *policy}
    assertions: *base
  - id: c
    word: *word
    assertions: *base
"""


def _document():
    return BY_NAME["yaml"].parse(DECK)


def _readings(document):
    return [document.read(index) for index in range(len(document))]


@pytest.mark.parametrize(
    ("index", "path", "users"),
    [
        (1, ("input", 0, "content"), (0, 1)),
        (0, ("assertions",), (0, 1, 2)),
        (1, ("threshold",), (1,)),
        (2, ("word",), (0, 2)),
    ],
)
def test_what_is_shared_is_told_with_all_who_have_it(index, path, users):
    shared = {item.path: item.users for item in _document().shared_values(index)}
    assert shared[path] == users


@pytest.mark.parametrize(
    ("index", "operation", "before", "after"),
    [
        (1, Set(("input", 0, "content"), "New"), "&policy Refunds need a supervisor.", "&policy New"),
        (2, Set(("assertions", 0, "type"), "is"), "type: contains   # why", "type: is   # why"),
        (1, Set(("threshold",), 2), "threshold: 1,", "threshold: 2,"),
    ],
)
def test_an_edit_for_all_is_made_where_the_value_is_written(index, operation, before, after):
    document = _document()
    shared = next(
        item
        for item in document.shared_values(index)
        if operation.path[: len(item.path)] == item.path
    )  # fmt: skip
    edited = document.apply(document.edit_of_all(shared, operation))
    assert edited.text == DECK.replace(before, after)
    assert yaml.safe_load(edited.text)["tests"] == _readings(edited)


def test_an_alias_becomes_the_value_and_an_anchor_goes_to_the_next_who_has_it():
    document = _document()
    own = document.apply(document.own_copy(1, ("assertions",)))
    assert own.text.count("*base") == 1 and own.text.count("&base") == 1
    freed = document.apply(document.own_copy(0, ()))
    assert "assertions:\n      - type: contains   # why" in freed.text
    assert _readings(own) == _readings(document) == _readings(freed)
    deleted = freed.apply(freed.delete_sample(0))
    assert _readings(deleted) == _readings(document)[1:]


def test_what_is_merged_in_becomes_a_key_of_its_own_behind_the_merge():
    document = _document()
    own = document.apply(document.own_copy(1, ("opts", "a")))
    assert "    <<: *table\n    opts:" in own.text
    edited = own.apply(own.edit(1, Set(("opts", "a"), 2)))
    assert edited.read(1)["opts"] == {"a": 2} and edited.context["x-table"] == {"threshold": 1, "opts": {"a": 1}}


def test_an_anchor_that_is_given_twice_is_not_taken_for_one():
    document = BY_NAME["yaml"].parse("tests:\n  - {id: a, x: &n 1}\n  - {id: b, x: &n 2}\n  - {id: c, x: *n}\n")
    assert all(document.shared_values(index) == () for index in range(3))


VALUES = st.sampled_from(
    ["text", "two\nlines", "yes", 3, True, ["a", "b"], {"k": "v", "deep": {"n": 1}}, "- x: 'y'"]
)


@st.composite
def _decks(draw):
    """Decks whose samples share a value that stands beside them, or in the first that has it."""
    count, beside = draw(st.integers(2, 4)), draw(st.booleans())
    spelled = draw(st.sampled_from(["plain text", '"quoted"', "{k: v, n: [1, 2]}", "[a, {b: c}]", "12"]))
    users = draw(st.sets(st.integers(0, count - 1), min_size=2))
    lines = [f"x: &v {spelled}"] if beside else []
    lines.append("tests:")
    first = not beside
    for index in range(count):
        lines.append(f"  - id: s{index}  # sample {index}")
        if index in users:
            lines.append(f"    value: {'&v ' + spelled if first else '*v'}")
            first = False
        lines.append(f"    input: text {index}")
    return "\n".join(lines) + "\n", sorted(users)


@given(_decks(), VALUES, st.data())
def test_own_copies_change_no_value_and_edits_of_all_change_that_of_all_alone(deck, value, data):
    text, users = deck
    document = BY_NAME["yaml"].parse(text)
    index = data.draw(st.sampled_from(users))
    own = document.apply(document.own_copy(index, ("value",)))
    assert same(_readings(own), _readings(document))
    assert yaml.safe_load(own.text)["tests"] == _readings(own)
    alone = own.apply(own.edit(index, Set(("value",), value)))
    assert same(_readings(alone)[index], applied(Set(("value",), value), document.read(index)))
    shared = next(item for item in document.shared_values(index) if item.path == ("value",))
    edited = document.apply(document.edit_of_all(shared, Set(("value",), value)))
    for number, reading in enumerate(_readings(document)):
        wanted = applied(Set(("value",), value), reading) if number in users else reading
        assert same(edited.read(number), wanted)
    if isinstance(lookup(document.read(index), ("value",)), list):
        longer = document.apply(document.edit_of_all(shared, Insert(("value", 0), value)))
        assert all(same(longer.read(user)["value"][0], value) for user in users)


@st.composite
def _merging_decks(draw):
    """Decks whose first sample has a table that is written where it is merged in, and that others merge in too."""
    table = {"criteria": "be kind", "opts": {"a": 1, "b": [1, 2]}, "id": "hidden"}
    flow = draw(st.booleans())
    spelled = (
        " {criteria: be kind, opts: {a: 1, b: [1, 2]}, id: hidden}"
        if flow
        else ("\n      criteria: be kind  # why\n      opts: {a: 1, b: [1, 2]}\n      id: hidden")
    )
    lines, count = ["tests:", f"  - <<: &v{spelled}", "    id: s0"], draw(st.integers(2, 4))
    for index in range(1, count):
        own = draw(st.sampled_from(["", "    criteria: own\n"]))
        lines.append(f"  - id: s{index}  # sample {index}\n    <<: *v\n{own}    input: text {index}")
    return "\n".join(lines) + "\n", table


@given(_merging_decks(), VALUES, st.data())
def test_a_table_that_is_written_where_it_is_merged_in_is_shared_key_by_key(deck, value, data):
    document = BY_NAME["yaml"].parse(deck[0])
    before = _readings(document)
    index = data.draw(st.integers(0, len(document) - 1))
    for shared in document.shared_values(index):
        path = shared.path
        own = document.apply(document.own_copy(index, path))
        assert same(_readings(own), before)
        alone = own.apply(own.edit(index, Set(path, value)))
        assert same(_readings(alone)[index], applied(Set(path, value), before[index]))
        edited = document.apply(document.edit_of_all(shared, Set(path, value)))
        for number, reading in enumerate(before):
            has_it = same(reading.get(path[0]), before[index][path[0]]) and path[0] != "id"
            assert same(edited.read(number), applied(Set(path, value), reading) if has_it else reading)
        assert yaml.safe_load(edited.text)["tests"] == _readings(edited)
    freed = document.apply(document.own_copy(0, ()))
    assert same(_readings(freed.apply(freed.delete_sample(0))), before[1:])


def test_what_a_later_key_hides_is_not_shared():
    hidden = "x: &p Ask.\ntests:\n  - messages: [*p, *p]\n    messages: [*p]\n  - messages: [*p]\n"
    shared = BY_NAME["yaml"].parse(hidden).shared_values(0)
    assert [item.path for item in shared] == [("messages", 0)]


def test_a_text_that_is_emptied_is_no_block():
    emptied = BY_NAME["yaml"].parse("tests:\n  - a: |\n      text\n   \n  - a: 1\n")
    after = emptied.apply(emptied.edit(0, Set(("a",), "")))
    assert "|" not in after.text and after.read(0) == {"a": ""}
