"""What tomlkit would write worse than this package does: the reasons for text of its own. And what is tomlkit's."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest
import tomlkit
from tomlkit.items import String, StringType

from sampleui.formats.toml.writing import emit, strings
from sampleui.formats.toml.writing.habits import Layout, TomlHabits

CRAMPED = Layout("\r\n", "\t", habits=TomlHabits(equals=("=", "="), pad="", comma=",", step="\t", closed=False))


def read(written: str) -> object:
    return tomllib.loads(f"x = {written}\n")["x"]


def test_tomlkit_loses_carriage_returns_in_long_strings():
    text = "a\r\nb"
    assert read(String.from_raw(text, StringType.MLB).as_string()) != text
    assert read(strings.long_basic(text, "\n", "\n")) == text


def test_tomlkit_writes_the_tabs_of_long_strings_as_escapes():
    text = "if x:\n\treturn y\n"
    assert "\t" not in String.from_raw(text, StringType.MLB).as_string()
    assert "\t" in strings.long_basic(text, "\n", "\n")


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\ufeff"])
def test_tomlkit_leaves_characters_that_editors_take_for_the_end_of_a_line(character):
    assert character in String.from_raw(character, StringType.SLB).as_string()
    assert strings.basic(character).isascii()
    assert read(strings.basic(character)) == character


def test_tomlkit_has_one_spacing_whatever_the_deck_has():
    data = [{"a": 1, "b": [1, 2]}]
    assert tomlkit.item(data, _parent=tomlkit.array()).as_string() == "[{a = 1, b = [1, 2]}]"
    assert emit.value(data, Layout()) == "[\n  { a = 1, b = [1, 2] },\n]"
    assert emit.value(data, CRAMPED) == "[\r\n\t\t{a=1,b=[1,2]}\r\n\t]"


def test_tomlkit_ends_lines_with_a_line_feed_alone():
    array = tomlkit.array().multiline(True)
    array.append(1)
    assert "\r\n" not in array.as_string()
    assert emit.lines([1], CRAMPED) == "[\r\n\t\t1\r\n\t]"


def test_new_pairs_read_back_in_any_spacing():
    data = {"text": "one", "lines": "one\ntwo", "table": {"a b": 1.5}, "none": {}, "list": [True, "x"]}
    for layout in (Layout(), CRAMPED):
        assert tomllib.loads(emit.pairs(data, layout)) == data


def test_tomlkit_is_imported_with_the_first_edit():
    script = (
        "import sys\n"
        "from sampleui.formats.operations import Set\n"
        "from sampleui.formats.toml import TomlDocument\n"
        "deck = TomlDocument.parse('[[samples]]\\nid = \"a\"\\n')\n"
        "deck.read(0)\n"
        "print('tomlkit' in sys.modules)\n"
        "deck.edit(0, Set(('id',), 'b'))\n"
        "print('tomlkit' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
