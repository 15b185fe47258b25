"""Edits that two writers made of one deck at once, taken together and held against a model of values.

Each side makes edits by what the app and the commands make them with. A field, a list or a sample that one side
alone changed is as that side has it, whatever the form; what both changed in ways that do not go together is mine,
and is counted; nothing is there twice.
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.deck.merging import changes_on_disk
from sampleui.deck.model import DeckFile, DeckFiles, Disk
from sampleui.errors import EditError, PathError
from sampleui.formats.data import Table
from sampleui.formats.document import Document
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.json.lines import JsonlDocument
from sampleui.formats.operations import Delete, Insert, Set
from sampleui.formats.registry import parse_document
from sampleui.formats.toml import TomlDocument
from sampleui.formats.yaml import YamlDocument

_TOML = """\
# keep {0} before
[[samples]]
id = "{0}" # keep {0} id
note = "old" # keep {0} note
count = 0
tags = ["old"]

[samples.metadata]
topic = "old" # keep {0} topic

"""
_YAML = """\
# keep {0} before
- id: {0}  # keep {0} id
  note: old  # keep {0} note
  count: 0
  tags: [old]
  metadata:
    topic: old  # keep {0} topic
"""
_JSON = '{{"id": "{0}", "note": "old", "count": 0, "tags": ["old"], "metadata": {{"topic": "old"}}}}'


class Form(NamedTuple):
    """A form of a deck: its kind of document, and how samples of these names are written."""

    document: type[Document]
    path: Path
    write: Any


FORMS: Mapping[str, Form] = {
    "toml": Form(TomlDocument, Path("deck.toml"), lambda names: "".join(map(_TOML.format, names))),
    "yaml": Form(YamlDocument, Path("deck.yaml"), lambda names: "".join(map(_YAML.format, names)) or "# none\n"),
    "json": Form(
        JsonDocument,
        Path("deck.json"),
        lambda names: f"[\n  {(',' + chr(10) + '  ').join(map(_JSON.format, names))}\n]\n",
    ),
    "json on one line": Form(
        JsonDocument, Path("deck.json"), lambda names: f"[{', '.join(map(_JSON.format, names))}]"
    ),
    "jsonl": Form(
        JsonlDocument, Path("deck.jsonl"), lambda names: "".join(f"{_JSON.format(name)}\n" for name in names)
    ),
}
CUT = ("toml", "yaml", "jsonl")
"""Forms that may lack the line feed at their end."""


class Deed(NamedTuple):
    """What a writer does: at the sample of a number, counted from the samples that there are then."""

    what: str
    at: int
    value: str


WHAT = (
    "note",
    "count",
    "tag",
    "tag end",
    "untag",
    "topic",
    "new key",
    "drop key",
    "add",
    "append",
    "delete",
    "move",
)
DEEDS = st.lists(
    st.builds(Deed, st.sampled_from(WHAT), st.integers(0, 9), st.sampled_from(("x", "y z", "w"))), max_size=4
)


def made(document: Document, deeds: Sequence[Deed], who: str) -> Document:
    """Return what a writer made of a document."""
    for number, (what, at, value) in enumerate(deeds):
        count = len(document)
        text = f"{value} of {who}" if value != "w" else value
        sample: Table = {
            "id": f"{who}{number}",
            "note": text,
            "count": 1,
            "tags": ["new"],
            "metadata": {"topic": text},
        }
        index = at % max(count, 1)
        try:
            match what:
                case "add":
                    splice = document.insert_sample(at % (count + 1), sample)
                case "append":
                    splice = document.insert_sample(count, sample)
                case _ if not count:
                    continue
                case "delete":
                    splice = document.delete_sample(index)
                case "move":
                    splice = document.move_sample(index, (at * 7 + number) % count)
                case "note":
                    splice = document.edit(index, Set(("note",), text))
                case "count":
                    splice = document.edit(index, Set(("count",), at))
                case "topic":
                    splice = document.edit(index, Set(("metadata", "topic"), text))
                case "tag":
                    splice = document.edit(index, Insert(("tags", 0), text))
                case "tag end":
                    splice = document.edit(index, Insert(("tags", len(value_of(document, index)["tags"])), text))
                case "untag":
                    splice = document.edit(index, Delete(("tags", 0)))
                case "new key":
                    splice = document.edit(index, Set((f"extra-{value[0]}",), text))
                case "drop key":
                    splice = document.edit(index, Delete((("note", "count", "metadata")[at % 3],)))
            document = document.apply(splice)
        except (EditError, PathError):
            continue
    return document


def value_of(document: Document, index: int) -> Any:
    value = document.reading(index)
    assert value is not None
    return copy.deepcopy(value)


def values(document: Document) -> dict[str, Any]:
    found = [value_of(document, index) for index in range(len(document))]
    assert len({item["id"] for item in found}) == len(found)
    return {item["id"]: item for item in found}


def merged(form: Form, base: Document, mine: Document, theirs: Document) -> tuple[Document, int] | None:
    saved = Disk(base, None)
    own, disk = (DeckFiles(form.path, (DeckFile(form.path, each, saved),)) for each in (mine, theirs))
    found = changes_on_disk(own, disk, [("id",)])
    if found is None:
        return None
    for change in found.changes:
        own = own.apply(change)
    return own.sources[0].document, found.both


_GONE: Any = object()
"""Stands for a value that is not there."""


def faults(base: Any, mine: Any, theirs: Any, after: Any) -> list[str]:
    """Return where a value is neither what one side alone made of it nor, where both changed it, mine."""
    if theirs == base or mine == theirs:
        wanted = mine
    elif mine == base:
        wanted = theirs
    elif all(isinstance(value, dict) for value in (base, mine, theirs, after)):
        keys = {*base, *mine, *theirs, *after}
        return [
            f"{key}: {what}"
            for key in sorted(keys)
            for what in faults(*(each.get(key, _GONE) for each in (base, mine, theirs, after)))
        ]
    elif all(isinstance(value, list) for value in (base, mine, theirs, after)):
        gone = (Counter(base) - Counter(mine)) | (Counter(base) - Counter(theirs))
        come = (Counter(mine) - Counter(base)) + (Counter(theirs) - Counter(base))
        once = (Counter(mine) - Counter(base)) | (Counter(theirs) - Counter(base))
        if Counter(after) in (Counter(base) - gone + come, Counter(base) - gone + once, Counter(mine)):
            return []
        return [f"{base} became {mine} and {theirs}, and is {after}"]
    else:
        wanted = mine
    return [] if after == wanted and type(after) is type(wanted) else [f"{after!r} and not {wanted!r}"]


def are_apart(base: Any, mine: Any, theirs: Any) -> bool:
    """Tell whether neither side changed what the other changed too."""
    if theirs == base or mine in (theirs, base):
        return True
    if all(isinstance(value, dict) for value in (base, mine, theirs)):
        return all(
            are_apart(*(each.get(key, _GONE) for each in (base, mine, theirs))) for key in {*base, *mine, *theirs}
        )
    return False


def lost(base: Any, mine: Any, after: Any) -> list[str]:
    """Return which of my samples, and of the texts and numbers in them that I changed, are not as I have them."""
    samples = [name for name in mine if name not in after and mine[name] != base.get(name, _GONE)]
    return samples + [
        f"{name}.{key}"
        for name, sample in mine.items()
        for key, value in sample.items()
        if name in after
        and isinstance(value, str | int)
        and value != base.get(name, {}).get(key, _GONE)
        and value != after[name].get(key, _GONE)
    ]


@st.composite
def both_sides(draw: st.DrawFn) -> tuple[str, bool, int, list[Deed], list[Deed]]:
    name = draw(st.sampled_from([*FORMS]))
    return name, draw(st.booleans()) and name in CUT, draw(st.integers(0, 4)), draw(DEEDS), draw(DEEDS)


@settings(deadline=None, max_examples=10 * settings().max_examples)
@given(both_sides())
def test_what_one_side_alone_changed_is_taken_and_of_what_both_changed_mine_stays_and_is_told(drawn):
    name, is_cut, count, mine_does, theirs_do = drawn
    form = FORMS[name]
    text = form.write([f"s{number}" for number in range(count)])
    base = form.document.parse(text.removesuffix("\n") if is_cut else text)
    mine, theirs = made(base, mine_does, "me"), made(base, theirs_do, "them")
    found = merged(form, base, mine, theirs)
    before, own, other = map(values, (base, mine, theirs))
    if found is None:  # YAML without a sample has another form: it is refused, and both sides stay as they are
        assert name == "yaml" and not (before and own and other)
        return
    document, both = found
    after = values(parse_document(document.text, form.path))
    names = [*dict.fromkeys((*before, *own, *other))]
    assert after.keys() <= {*names} and not lost(before, own, after)
    done = {deed.what for deed in (*mine_does, *theirs_do)}
    moves = "move" in done or (name == "yaml" and "delete" in done)  # a comment of YAML's may go with either sample
    apart = all(are_apart(*(each.get(item, _GONE) for each in (before, own, other))) for item in names)
    if apart and not moves:
        assert not both
    if not both:
        wrong = [
            what
            for item in names
            for what in faults(*(each.get(item, _GONE) for each in (before, own, other, after)))
        ]
        assert not wrong
        for comment in re.findall(r"# keep s\d \w+", base.text):
            stays = comment in mine.text and comment in theirs.text and comment.split()[2] in after
            assert stays <= document.text.count(comment) <= 1


@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("name", FORMS)
def test_two_samples_that_were_put_behind_the_last_are_both_there_mine_first(name, count, is_cut):
    form = FORMS[name]
    text = form.write([f"s{number}" for number in range(count)])
    base = form.document.parse(text.removesuffix("\n") if is_cut else text)
    append = [Deed("append", 0, "x")]
    mine, theirs = made(base, append, "me"), made(base, append, "them")
    found = merged(form, base, mine, theirs)
    assert found is not None
    document, both = found
    assert [*values(parse_document(document.text, form.path))] == [*values(base), "me0", "them0"]
    assert not both and (not count or document.text.endswith("\n") is base.text.endswith("\n"))


def test_two_rows_that_were_put_behind_the_last_of_a_table_are_both_there():
    path, text = Path("deck.csv"), "id,note\na,old"
    base = parse_document(text, path)
    mine, theirs = (base.apply(base.insert_sample(1, {"id": who, "note": f"of, {who}"})) for who in ("me", "them"))
    found = merged(Form(type(base), path, None), base, mine, theirs)
    assert found is not None
    assert (found[0].text, found[1]) == ('id,note\na,old\nme,"of, me"\nthem,"of, them"', 0)


def test_two_named_samples_that_were_put_behind_the_last_are_both_there():
    path, text = Path("deck.json"), '{\n  "samples": {\n    "a": {"note": "old"}\n  }\n}\n'
    base = parse_document(text, path)
    assert base.keyed
    mine, theirs = (base.apply(base.insert_sample(1, {"id": who, "note": who})) for who in ("me", "them"))
    found = merged(Form(type(base), path, None), base, mine, theirs)
    assert found is not None
    added = "".join(f',\n    "{who}": {{"note": "{who}"}}' for who in ("me", "them"))
    assert (found[0].text, found[1]) == (text.replace('"old"}', f'"old"}}{added}'), 0)


@pytest.mark.parametrize("name", FORMS)
def test_an_edit_of_a_sample_is_not_made_in_another_that_was_put_in_its_place(name):
    form = FORMS[name]
    base = form.document.parse(form.write(["s0", "s1"]))
    mine = made(base, [Deed("new key", 1, "x")], "me")
    theirs = made(base, [Deed("delete", 1, "x"), Deed("append", 0, "x")], "them")
    found = merged(form, base, mine, theirs)
    assert found is not None
    document, both = found
    after = values(document)
    assert both == 1 and after["s1"]["extra-x"] == "x of me" and "extra-x" not in after["them1"]


@pytest.mark.parametrize("name", FORMS)
def test_a_sample_that_has_another_id_now_takes_the_edits_of_the_other_side(name):
    form = FORMS[name]
    base = form.document.parse(form.write(["s0", "s1"]))
    mine = made(base, [Deed("note", 1, "x")], "me")
    theirs = base.apply(base.edit(1, Set(("id",), "renamed")))
    found = merged(form, base, mine, theirs)
    assert found is not None and not found[1]
    assert values(found[0])["renamed"]["note"] == "x of me" and [*values(found[0])] == ["s0", "renamed"]


def test_a_text_whose_last_line_feed_is_its_own_is_not_merged_into_another():
    """In YAML a block may keep the line feeds at its end, so none is put behind it to compare the two sides."""
    path, text = Path("deck.yaml"), "- id: a\n- id: b\n  note: |+\n    text"
    base = parse_document(text, path)
    mine, theirs = (base.apply(base.insert_sample(2, {"id": who})) for who in ("me", "them"))
    found = merged(Form(type(base), path, None), base, mine, theirs)
    if found is not None:
        after = values(parse_document(found[0].text, path))
        assert [*after] == ["a", "b", "me", "them"] and after["b"] == values(mine)["b"]
