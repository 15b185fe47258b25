"""Hostile TOML ends in an error with its place, soon and in little memory."""

import resource

import pytest

from sampleui.errors import FormatError
from sampleui.formats.data import deeper
from sampleui.formats.operations import Set
from sampleui.formats.toml import TomlDocument
from sampleui.text.limits import MAX_TOML_DEPTH as MAX_DEPTH
from tests.quick import within

SAMPLE = '[[samples]]\nid = "a"\n'


@pytest.fixture(autouse=True)
def soon():
    with within(5):
        yield


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 350, 900, 10_000, 100_000])
@pytest.mark.parametrize(
    ("opening", "closing", "column"),
    [("[", "]", 1), ("{a = ", "}", 5)],
)
def test_values_nested_too_deep(opening, closing, column, depth):
    with pytest.raises(FormatError, match="levels deep") as caught:
        TomlDocument.parse(f"{SAMPLE}x = {opening * depth}1{closing * depth}\n")
    assert caught.value.line == 3
    assert caught.value.column == 5 + MAX_DEPTH * column


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 900, 10_000])
@pytest.mark.parametrize("line", ["{key} = 1", "[samples.{key}]", "[[samples.{key}]]"])
def test_keys_nested_too_deep(line, depth):
    with pytest.raises(FormatError, match="levels deep") as caught:
        TomlDocument.parse(SAMPLE + line.format(key=".".join(["a"] * depth)) + "\n")
    assert caught.value.line == 3


def test_values_nested_as_deep_as_allowed_are_read_and_edited():
    depth = MAX_DEPTH - 3
    document = TomlDocument.parse(f"{SAMPLE}x = {'[' * depth}{']' * depth}\n")
    after = document.apply(document.edit(0, Set(("id",), "b")))
    assert after.read(0)["id"] == "b"
    assert deeper(after.read(0), depth)
    assert not deeper(after.read(0), depth + 1)


@pytest.mark.parametrize("digits", [4_301, 100_000, 2_000_000])
def test_a_number_that_python_does_not_read(digits):
    with pytest.raises(FormatError, match="too many digits") as caught:
        TomlDocument.parse(f"{SAMPLE}x = {'1' * digits}\n")
    assert caught.value.line == 3


@pytest.mark.parametrize("filler", ["1,", "[],", "{},", "'',"])
def test_more_values_than_can_be_read_soon(filler):
    with pytest.raises(FormatError, match="more than 4,000,000"):
        TomlDocument.parse(f"x = [{filler * 5_000_000}]")


@pytest.mark.long
def test_one_sample_with_more_values_than_can_be_placed_soon():
    document = TomlDocument.parse(f"{SAMPLE}\n[[samples]]\nx = [{'1,' * 500_000}]\n")
    assert document.read(0) == {"id": "a"}
    with pytest.raises(FormatError, match="in one sample"):
        document.read(1)


def test_commas_in_a_text_are_no_values():
    document = TomlDocument.parse(f'{SAMPLE}x = "{"," * 500_000}" # {"," * 500_000}\n')
    assert len(str(document.read(0)["x"])) == 500_000


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    ['"{}"'.format("\\n" * 1_500_000), '"""{}"""'.format('"a' * 1_500_000), "'''{}'''".format("'a" * 1_500_000)],
    ids=["escapes", "quotes", "literal quotes"],
)
def test_a_long_text_leaves_no_ways_back_in_the_memory(text):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    document = TomlDocument.parse(f"[[samples]]\nx = {text}\n")
    document.span(0, ("x",))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000  # KiB; it was ten times that
