"""An edit never loses a comment between a key and its value, wherever YAML allows one."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.data import DataPath, Plain
from sampleui.formats.operations import Set
from sampleui.formats.yaml import YamlDocument

_PLACES: tuple[tuple[str, DataPath], ...] = (
    ("- id: a\n  messages:\n    - role: user\n      content:{}\n- id: b\n", ("messages", 0, "content")),
    ("- id: a\n  x:\n    -{}\n    - 2\n", ("x", 0)),
    ("- id: a\n  x: {{content:{}, b: c}}\n- id: b\n", ("x", "content")),
    ("- id: a\n  x: [{}, b]\n- id: b\n", ("x", 0)),
    ("- id: a\n  x:\n    content:{}\n    b: 1\n", ("x", "content")),
    ("- id: a\n  x:\n    ? content\n    # of the key\n    :{}\n    b: 1\n", ("x", "content")),
)
_OLD = (
    *("Hi there", "'Hi'", '"Hi"', "|\n          Hi\n          there\n", "|- # of the block\n          Hi", "12"),
    *("[a, b]", "{a: b}", "- a\n        - b", "a: 1\n        b: 2", "Hi\n          on"),
)
_NEW: tuple[Plain, ...] = ("Hey", "two\nlines\n", "", "# none", "a: b", 12, None, ["x"], [], {"k": "v"}, {})


@st.composite
def between(draw: st.DrawFn) -> str:
    """Draw comments, blank lines, an anchor or a tag, as they may stand between a key and its value."""
    kinds = st.sampled_from(("\n", "\n", " # c{}\n", "\n        # c{}\n", " &x{}", " !!str"))
    drawn = draw(st.lists(kinds, min_size=1, max_size=4))
    properties = [part for part in drawn if part.strip()[:1] in {"&", "!"}]
    parts = [part for part in drawn if part not in properties[1:]]
    lines = "".join(part.format(number) for number, part in enumerate(parts))
    return lines + "        "


@given(st.sampled_from(_PLACES), between(), st.sampled_from(_OLD), st.sampled_from(_NEW))
def test_no_comment_between_a_key_and_its_value_is_lost(
    around: tuple[str, DataPath], gap: str, old: str, new: Plain
) -> None:
    text, path = around
    try:
        document = YamlDocument.parse(text.format(gap + old))
        document.read(0)
    except FormatError:
        return
    try:
        after = document.apply(document.edit(0, Set(path, new)))
    except EditRefusedError:
        return
    for comment in re.findall(r"# c\d+", gap):
        assert re.search(rf"{comment}$", after.text, re.MULTILINE), (comment, after.text)


def test_a_comment_above_a_text_stays_where_it_is() -> None:
    text = "- id: a\n  messages:\n    - role: user\n      content:\n        # why this is so\n        Hi there\n"
    document = YamlDocument.parse(text)
    edited = document.apply(document.edit(0, Set(("messages", 0, "content"), "Hey"))).text
    assert edited == text.replace("Hi there", "Hey")


def test_a_comment_behind_an_anchor_does_not_take_in_the_new_value() -> None:
    text = "- id: a\n  x: &who # whose\n    # of a person\n    Al\n"
    document = YamlDocument.parse(text)
    edited = document.apply(document.edit(0, Set(("x",), None))).text
    assert edited == text.replace("Al", "null")


def test_a_value_in_brackets_below_a_comment_is_edited_where_it_is() -> None:
    text = "- id: a\n  x: {content: # why\n      Hi, b: c}\n"
    document = YamlDocument.parse(text)
    assert document.apply(document.edit(0, Set(("x", "content"), "Hey"))).text == text.replace("Hi", "Hey")
