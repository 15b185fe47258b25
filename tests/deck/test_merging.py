"""What two writers made of one file, taken together: nothing of either is lost, and what clashes is counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.deck.merging import DiskChanges, changes_on_disk, edits_of, rebase
from sampleui.deck.model import DeckFile, DeckFiles, Disk
from sampleui.formats.json.lines import JsonlDocument
from sampleui.formats.toml import TomlDocument
from sampleui.formats.yaml import YamlDocument

PATH = Path("deck.jsonl")
KEEP, CHANGE, DELETE, INSERT = range(4)
"""What a writer does at a line: keeps it, writes another in its place, takes it out, or puts one in before it."""


def line(name: str) -> str:
    return f'{{"id": "{name}"}}\n'


def made(deeds: dict[int, int], count: int, who: str) -> str:
    """Return the text that a writer made of as many lines."""
    found = []
    for at in range(count):
        deed = deeds.get(at, KEEP)
        found += [line(f"{who}{at}")] * (deed in (CHANGE, INSERT)) + [line(f"old{at}")] * (deed in (KEEP, INSERT))
    return "".join(found)


def files(text: str, saved: str) -> DeckFiles:
    document, before = JsonlDocument.parse(text), JsonlDocument.parse(saved)
    return DeckFiles(PATH, (DeckFile(PATH, document, Disk(before, None)),))


def merged(base: str, mine: str, theirs: str) -> tuple[str, DiskChanges]:
    """Return what comes of an edited text and of what is on disk by now."""
    own = files(mine, base)
    found = changes_on_disk(own, files(theirs, theirs))
    assert found is not None
    for change in found.changes:
        own = own.apply(change)
    return own.sources[0].document.text, found


DEEDS = st.sampled_from((CHANGE, DELETE, INSERT))


@st.composite
def apart(draw: st.DrawFn) -> tuple[int, dict[int, int], dict[int, int]]:
    """Return how many lines there are, and what two writers do, each at lines of its own.

    None puts a line in where the other has changed the one before: which of the two comes first is not certain.
    """
    count = draw(st.integers(1, 9))
    sides: tuple[dict[int, int], dict[int, int]] = {}, {}
    for at in range(count):
        who = draw(st.sampled_from((0, 1, None)))
        deed = draw(DEEDS)
        if who is not None and not (deed == INSERT and at - 1 in sides[not who]):
            sides[who][at] = deed
    return count, *sides


@settings(deadline=None, max_examples=2 * settings().max_examples)
@given(apart())
def test_changes_at_places_of_their_own_are_all_taken(drawn):
    count, mine, theirs = drawn
    base = made({}, count, "")
    text, found = merged(base, made(mine, count, "mine"), made(theirs, count, "theirs"))
    wanted = ""
    for at in range(count):
        who, deeds = ("mine", mine) if at in mine else ("theirs", theirs)
        deed = deeds.get(at, KEEP)
        wanted += line(f"{who}{at}") * (deed in (CHANGE, INSERT)) + line(f"old{at}") * (deed in (KEEP, INSERT))
    assert (text, found.both) == (wanted, 0)


@settings(deadline=None)
@given(st.integers(1, 9), st.dictionaries(st.integers(0, 8), DEEDS), st.dictionaries(st.integers(0, 8), DEEDS))
def test_whatever_the_disk_says_nothing_of_mine_is_lost_and_nothing_is_there_twice(count, mine, theirs):
    own, other = made(mine, count, "mine"), made(theirs, count, "theirs")
    text, found = merged(made({}, count, ""), own, other)
    rows = text.splitlines()
    assert len(rows) == len({*rows})
    assert {row for row in own.splitlines() if "mine" in row} <= {*rows}
    deleted = {f"old{at}" for at in range(count) if mine.get(at) in (CHANGE, DELETE)}
    assert not any(name in row for name in deleted for row in rows)
    missing = {row for row in other.splitlines() if "theirs" in row} - {*rows}
    assert bool(found.both) or not missing


@pytest.mark.parametrize("mine", [CHANGE, DELETE])
@pytest.mark.parametrize("theirs", [CHANGE, DELETE])
def test_what_both_made_of_one_sample_clashes_unless_it_is_the_same(mine, theirs):
    own = made({1: mine}, 3, "mine")
    text, found = merged(made({}, 3, ""), own, made({1: theirs}, 3, "theirs"))
    assert (text, found.both, found.changes) == (own, int((mine, theirs) != (DELETE, DELETE)), ())


def test_a_clash_holds_up_none_beside_it():
    own, other = made({1: CHANGE}, 3, "mine"), made({0: CHANGE, 1: CHANGE, 2: CHANGE}, 3, "theirs")
    text, found = merged(made({}, 3, ""), own, other)
    assert (text, found.both) == (line("theirs0") + line("mine1") + line("theirs2"), 1)


@pytest.mark.parametrize("deed", [CHANGE, DELETE])
@pytest.mark.parametrize("at", [0, 1])
def test_what_comes_in_beside_a_sample_that_the_other_touched_is_taken(deed, at):
    before = [line(f"old{number}") for number in range(3)]
    before[at : at + 1] = [line(f"mine{at}")] * (deed == CHANGE)
    place = before.index(line("old1")) if at == 0 else 1
    before.insert(place, line("theirs1"))
    text, found = merged(made({}, 3, ""), made({at: deed}, 3, "mine"), made({1: INSERT}, 3, "theirs"))
    assert (text, found.both) == ("".join(before), 0)


def test_what_would_not_read_as_a_whole_is_not_merged():
    path, texts = Path("deck.yaml"), ("- id: a\n", "[]\n", "- id: a\n- id: b\n")
    base, mine, theirs = map(YamlDocument.parse, texts)
    saved = Disk(base, None)
    own, disk = (DeckFiles(path, (DeckFile(path, document, saved),)) for document in (mine, theirs))
    assert changes_on_disk(own, disk, [("id",)]) is None


def test_what_both_put_in_at_one_place_is_there_with_mine_first():
    text, found = merged(made({}, 3, ""), made({1: INSERT}, 3, "mine"), made({1: INSERT}, 3, "theirs"))
    assert (text, found.both) == (line("old0") + line("mine1") + line("theirs1") + line("old1") + line("old2"), 0)


@pytest.mark.parametrize("deed", [CHANGE, DELETE, INSERT])
def test_the_same_change_of_both_is_neither_taken_nor_a_clash(deed):
    own = made({1: deed}, 3, "both")
    text, found = merged(made({}, 3, ""), own, own)
    assert (text, found.both, found.changes) == (own, 0, ())


def test_other_files_of_a_deck_cannot_be_merged():
    base = made({}, 2, "")
    one = files(base, base)
    more = DeckFile(Path("more.jsonl"), one.sources[0].document, one.sources[0].disk)
    other = DeckFiles(PATH, (*one.sources, more))
    assert changes_on_disk(one, other) is None


def test_what_is_edited_can_be_said_of_what_the_disk_holds_and_rebased():
    base, own, other = made({}, 4, ""), made({0: DELETE, 2: CHANGE}, 4, "mine"), made({3: CHANGE}, 4, "theirs")
    edited = files(own, base)
    again = files(base, base)
    for change in edits_of(edited):
        again = again.apply(change)
    assert again.sources[0].document.text == own
    disk = files(other, other)
    rebase(edited, disk)
    assert edited.sources[0].disk.saved.text == other
    for change in edits_of(edited):
        disk = disk.apply(change)
    assert disk.sources[0].document.text == own


TOML = """\
# keep a
[[samples]]
id = "a" # the id
note = "old" # the note
tags = ["x"]

[samples.metadata]
topic = "old" # the topic

[[samples]]
id = "b"
"""


def merged_toml(mine: str, theirs: str) -> tuple[str, int]:
    """Return what comes of an edited deck and of what is on disk by now, and how many places clash."""
    path, saved = Path("deck.toml"), Disk(TomlDocument.parse(TOML), None)
    own, disk = (DeckFiles(path, (DeckFile(path, TomlDocument.parse(text), saved),)) for text in (mine, theirs))
    found = changes_on_disk(own, disk, [("id",)])
    assert found is not None
    for change in found.changes:
        own = own.apply(change)
    return own.sources[0].document.text, found.both


OTHER = TOML.replace('["x"]', '["new", "x"]').replace("topic =", "subject =")
"""The first sample with an item more, and with another name of a key."""


def test_what_both_changed_of_one_sample_in_fields_of_their_own_is_all_taken():
    mine = TOML.replace('note = "old"', 'note = "mine"')
    assert merged_toml(mine, OTHER) == (OTHER.replace('note = "old"', 'note = "mine"'), 0)


def test_where_one_field_of_a_sample_clashes_the_others_are_taken_with_their_comments():
    mine, theirs = (
        TOML.replace('"old" # the note', '"m n" # the note'),
        OTHER.replace('"old" # the note', '"t u" # the note'),
    )
    assert merged_toml(mine, theirs) == (theirs.replace("t u", "m n"), 1)


def test_words_of_one_text_that_both_changed_are_not_mixed():
    mine, theirs = (TOML.replace('"old" # the note', f'"{text}" # the note') for text in ("old mine", "their old"))
    assert merged_toml(mine, theirs) == (mine, 1)


def test_a_sample_that_one_side_moved_and_the_other_edited_is_both_and_there_once():
    second = '[[samples]]\nid = "b"\n'
    theirs = f"{second}\n{TOML.removesuffix(second)}"
    text, clashes = merged_toml(TOML.replace('note = "old"', 'note = "mine"'), theirs)
    assert (text.count("mine"), text.count('id = "a"'), text.count('id = "b"'), clashes) == (1, 1, 1, 0)
    assert text.index('id = "b"') < text.index('id = "a"')


def test_two_samples_that_both_added_under_one_id_clash():
    mine, theirs = (TOML + f'\n[[samples]]\nid = "c"\nnote = "{who}"\n' for who in ("mine", "theirs"))
    assert merged_toml(mine, theirs) == (mine, 1)


def test_a_line_that_one_side_has_put_in_twice_and_the_other_once_is_there_twice():
    base, once = made({}, 2, ""), line("new")
    text, found = merged(base, base + once, base + once + once)
    assert (text, found.both) == (base + once + once, 0)
