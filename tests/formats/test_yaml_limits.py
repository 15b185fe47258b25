"""How much of YAML is read, and what is refused of it."""

import math

import pytest

from sampleui.errors import FormatError, PathError
from sampleui.formats.document import Splice
from sampleui.formats.operations import Set
from sampleui.formats.yaml import YamlDocument, nodes
from sampleui.formats.yaml.join_checks import joins_hold
from sampleui.formats.yaml.nodes import compose_piece
from sampleui.formats.yaml.pieces import split
from sampleui.formats.yaml.values import plain_scalar_value
from sampleui.text.limits import MAX_YAML_DEPTH as DEEPEST
from sampleui.text.limits import MAX_YAML_DIGITS as LONGEST_INT


def fault(read, text):
    with pytest.raises(FormatError) as raised:
        read(text)
    return str(raised.value)


@pytest.mark.parametrize("read", [nodes.compose, compose_piece])
def test_a_value_in_so_many_others_is_read_and_one_in_more_is_not(read):
    read("[" * DEEPEST + "]" * DEEPEST)
    assert fault(read, "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)) == f"1:{DEEPEST + 1}: nested too deeply"


@pytest.mark.parametrize(
    ("read", "limit"), [(nodes.compose, "MAX_YAML_FILE_NODES"), (compose_piece, "MAX_YAML_PIECE_NODES")]
)
def test_so_many_values_are_read_and_more_are_not(read, limit, monkeypatch):
    text = (
        "a:\n  1\n"  # the events of a table, its key and its value, and two around the document and the file each
    )
    monkeypatch.setattr(nodes, limit, 8)
    read(text)
    monkeypatch.setattr(nodes, limit, 4)
    assert fault(read, text) == "2:3: more than 4 values"


@pytest.mark.parametrize(
    ("value", "weight"), [("1", 1), ("[1, 2]", 3), ("{k: v}", 3), ("x" * 255, 1), ("x" * 256, 2), ("[[], ~]", 3)]
)
def test_aliases_may_stand_for_so_many_values(value, weight, monkeypatch):
    monkeypatch.setattr(nodes, "MAX_YAML_EXPANDED", 3 * weight)
    nodes.compose(f"a: &a {value}\nb: [*a, *a]\nc: *a\n")
    assert fault(nodes.compose, f"a: &a {value}\nb: [*a, *a]\nc: [*a, *a]\n").startswith("3:9: the aliases stand")
    compose_piece(f"a: &a {value}\nb: [*a, *a, *a, *a]\n")


def test_a_piece_is_one_document():
    assert compose_piece("--- a\n...\n") is not None
    assert fault(compose_piece, "a\n---\nb\n") == "2:1: a document starts here"


def test_an_integer_of_so_many_digits_is_one():
    assert plain_scalar_value("1" * LONGEST_INT) == int("1" * LONGEST_INT)
    assert plain_scalar_value("1" * (LONGEST_INT + 1)) == "1" * (LONGEST_INT + 1)


@pytest.mark.parametrize(
    ("written", "number"), [(".inf", math.inf), ("-.Inf", -math.inf), ("+.INF", math.inf), (".nan", math.nan)]
)
def test_numbers_that_are_none_are_read_and_written(written, number):
    document = YamlDocument.parse(f"- v: {written}\n- v: 1\n")
    assert repr(document.read(0)["v"]) == repr(number)
    assert (
        document.apply(document.edit(1, Set(("v",), number))).text
        == f"- v: {written}\n- v: {written.lower().lstrip('+')}\n"
    )


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (("t", "no"), "there is no t.no"),
        (("no", "more"), "there is no no"),
        (("l", 2), "there is no l[2]"),
        (("l", -1), "there is no l[-1]"),
        (("t", 0), "there is no t[0]"),
        (("m", 0), "there is no m[0]"),
    ],
)
def test_a_path_that_leads_nowhere_is_told_as_far_as_it_is_wrong(path, told):
    document = YamlDocument.parse("- l: [1, 2]\n  t: {k: 1}\n  m: {<<: {n: 1}}\n")
    with pytest.raises(PathError, match=f"^{told.replace('[', chr(92) + '[')}$"):
        document.span(0, path)


@pytest.mark.parametrize(
    ("at", "added", "holds"),
    [
        (1, "{id: x},", True),
        (1, "{id: x}", False),
        (1, "{id: x} ,", True),
        (1, "", False),
        (2, "{id: y}", True),
        (2, "{id: y} # x", False),
        (2, "{id: y", False),
    ],
)
def test_samples_in_brackets_need_their_commas(at, added, holds):
    before = split("[{id: a},{id: b}]\n")
    frame = YamlDocument(before).frame
    after = (*before[:at], added, *before[at + 1 :])
    assert joins_hold(before, after, Splice(at, (before[at],), (added,)), frame) is holds
