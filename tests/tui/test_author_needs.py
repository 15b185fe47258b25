"""Why a command cannot act where the cursor is, and what is said beside turns and samples. No app is started."""

from __future__ import annotations

import json
from functools import partial
from types import SimpleNamespace

import pytest

from sampleui import open_deck
from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.formats.operations import Set
from sampleui.tui.author.actions import needs, turns
from sampleui.tui.author.session import Session
from sampleui.tui.author.showing import flags_of, hint_for, status_of, title_of
from sampleui.tui.author.widgets import BESIDE
from sampleui.tui.drawing.cards import Flags
from sampleui.tui.drawing.items import Item, find, items_of

SEGMENTS = [{"type": "text", "value": "a"}, {"type": "text", "value": "b"}]
ONE = {
    "id": "one",
    "messages": [
        {"role": "user", "content": "1"},
        {"role": "assistant", "content": SEGMENTS, "name": "bot"},
    ],
    "tags": ["x", "y"],
    "expected": {"score": 3, "why": "so"},
}
TWO = {"id": "two", "messages": [{"role": "", "content": ""}]}


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps(ONE) + "\n" + json.dumps(TWO) + "\n")
    held = Session(open_deck(path))
    held.problems.look(2)
    return held


def stage(session, path=(), *, index=0, words="", shown=2, marked=(), turns=(), in_list=False, typing=False):
    """Return what commands see of an author screen: the place of the cursor, the filter, the marks."""
    sample = session.deck.sample_at(index) if index is not None else None
    items = items_of(sample, {("tags",): False}) if sample is not None else ()
    at, part = find(items, path) if items else (0, 0)
    current = items[at] if items else None
    chosen = [one.path for one in items if one.path in turns] or ([current.path] if current else [])
    return SimpleNamespace(
        session=session,
        sample=sample,
        filter=SimpleNamespace(words=words),
        samples=SimpleNamespace(samples=shown, cursor=index or 0),
        marks=SimpleNamespace(
            samples=marked,
            turns=frozenset(turns),
            in_list=in_list,
            any_here=bool(marked or turns),
            chosen_samples=lambda: [*marked] or ([index] if index is not None and index >= 0 else []),
            chosen_turns=lambda: chosen,
        ),
        conversation=SimpleNamespace(
            items=items,
            cursor=(at, part),
            current=current,
            part=current.parts[part] if current is not None and current.parts else None,
        ),
        editing=SimpleNamespace(active=typing),
        problem_list=SimpleNamespace(count=lambda: 0),
    )


FIELD = "this acts on turns; the cursor is on a field"
NO_ORDER = "the keys of a table have no order; what moves are turns and items of lists"
FIRST, LAST = "this is the first one", "this is the last one"


@pytest.mark.parametrize(
    ("need", "path", "why"),
    [
        (needs.a_turn, ("messages", 0), ""),
        (needs.a_turn, ("tags", 0), FIELD),
        (needs.a_turn, ("id",), FIELD),
        (turns.an_item_below, ("messages", 0), ""),
        (turns.an_item_below, ("messages", 1), LAST),
        (turns.an_item_below, ("tags", 0), ""),
        (turns.an_item_below, ("tags", 1), LAST),
        (turns.an_item_below, ("expected", "score"), NO_ORDER),
        (turns.an_item_above, ("messages", 0), FIRST),
        (turns.an_item_above, ("messages", 1), ""),
        (turns.an_item_above, ("tags", 0), FIRST),
        (turns.an_item_above, ("id",), NO_ORDER),
        (needs.a_value, ("id",), ""),
        (needs.an_item, ("id",), ""),
        (needs.a_part, ("messages", 0, "content"), "this turn has no segments to act on; d deletes the turn"),
        (needs.a_part, ("messages", 1, "content", 0, "value"), ""),
        (needs.a_part, ("tags", 0), FIELD),
        (turns.a_part_above, ("messages", 1, "content", 0, "value"), FIRST),
        (turns.a_part_above, ("messages", 1, "content", 1, "value"), ""),
        (turns.a_part_below, ("messages", 1, "content", 0, "value"), ""),
        (turns.a_part_below, ("messages", 1, "content", 1, "value"), LAST),
        (turns.a_part_below, ("messages", 1, "name"), "the keys of a turn have no order; what moves is in a list"),
        (turns.a_part_above, ("tags", 0), FIELD),
        (needs.chosen_turns, ("messages", 0), ""),
        (needs.chosen_turns, ("id",), FIELD),
    ],
)
def test_what_a_command_needs_under_the_cursor(session, need, path, why):
    assert need(stage(session, path)) == why


def test_marked_turns_move_wherever_the_cursor_is(session):
    marked = (("messages", 1),)
    for path in (("messages", 1), ("messages", 0)):
        assert turns.an_item_below(stage(session, path, turns=marked)) == "", "the command looks"
        assert turns.an_item_above(stage(session, path, turns=marked)) == ""
    assert turns.an_item_above(stage(session, ("id",), turns=marked)) == ""
    assert needs.chosen_turns(stage(session, turns=(*marked, ("tags", 0)))) == (
        "this acts on turns; a marked one is a field"
    )


def test_commands_on_samples_need_some(session):
    here, beside, nowhere = stage(session), stage(session, index=-1), stage(session, index=None)
    hidden = stage(session, index=None, words="x")
    assert needs.a_sample(here) == needs.an_own_sample(here) == needs.chosen_samples(here) == ""
    assert needs.a_sample(nowhere) == "there is no sample; n adds one"
    assert needs.a_sample(hidden) == "the filter hides every sample; / changes it"
    assert needs.a_sample(beside) == ""
    assert needs.an_own_sample(beside) == "this is what stands beside the samples, and none of them"
    assert needs.an_own_sample(nowhere) == needs.several_samples(nowhere) == needs.a_sample(nowhere)
    assert needs.chosen_samples(beside) == needs.an_own_sample(beside)
    assert needs.several_samples(stage(session, shown=1)) == "there is no other sample here"
    assert needs.samples_below(stage(session, shown=1)) == "there is no other sample here"
    assert (needs.samples_above(here), needs.samples_below(here)) == ("this is the first sample", "")
    last = stage(session, index=1)
    assert (needs.samples_above(last), needs.samples_below(last)) == ("", "this is the last sample")
    assert needs.samples_above(stage(session, marked=(0, 1))) == ""
    assert needs.several_samples(here) == ""
    assert needs.samples_above(beside) == needs.an_own_sample(beside)


def test_commands_of_both_lists_need_what_their_list_has(session):
    beside = stage(session, index=-1)
    assert needs.an_item_or_sample(stage(session, in_list=True)) == ""
    assert needs.an_item_or_sample(stage(session, index=-1, in_list=True)) == needs.an_own_sample(beside)
    assert needs.an_item_or_samples(stage(session, index=-1, in_list=True)) == needs.an_own_sample(beside)
    assert needs.an_item_or_samples(stage(session, index=-1, in_list=True, marked=(0,))) == ""
    nothing = stage(session)
    nothing.conversation.current = Item("user", (), ())
    for need in (
        needs.an_item,
        needs.an_item_or_sample,
        needs.an_item_or_samples,
        needs.a_turn,
        turns.an_item_below,
    ):
        assert need(nothing) == "there is nothing here to act on"
    assert needs.a_value(nothing) == "this is shown as it would be read; the file has no such value"
    nothing.conversation.current = None
    assert needs.an_item(nothing) == needs.a_turn(nothing) == "there is nothing here to act on"
    assert needs.a_value(nothing) == "there is nothing here to edit; o adds a turn"


def test_commands_on_marks_and_filters_need_some(session):
    assert needs.a_filter(stage(session)) == "no filter is set; / sets one"
    assert needs.a_filter(stage(session, words="x")) == needs.a_filter(stage(session, marked=(1,))) == ""
    assert needs.a_mark(stage(session)) == "nothing is marked; space marks"
    assert needs.a_mark(stage(session, marked=(1,))) == ""


def test_commands_on_texts_need_one_that_is_edited(session):
    turn, typing = stage(session, ("messages", 0)), stage(session, ("messages", 0), typing=True)
    assert needs.an_edit(turn) == "no text is being edited; enter edits one"
    assert needs.an_edited_turn(turn) == "no turn is being edited; enter edits one"
    assert needs.an_edit(typing) == needs.an_edited_turn(typing) == ""
    assert needs.an_edited_turn(stage(session, ("id",), typing=True)) == FIELD


def test_steps_are_needed_to_undo_and_redo(session):
    here = stage(session)
    assert (needs.a_step(here), needs.a_step_back(here)) == ("nothing to undo", "nothing to redo")
    assert needs.a_step(stage(session, typing=True)) == ""
    session.perform("rename", partial(edit.apply, index=0, operation=Set(("id",), "new")))
    assert (needs.a_step(here), needs.a_step_back(here)) == ("", "nothing to redo")
    session.undo()
    assert (needs.a_step(here), needs.a_step_back(here)) == ("nothing to undo", "")
    assert needs.a_problem(here) == "no problems"


def test_what_is_said_beside_turns_and_fields(session):
    sample = session.deck.samples[1]
    items = items_of(sample)
    message = find(items, ("messages", 0))[0]
    assert [one.severity for one in session.problems.of(1)] == ["error", "error"]
    flags = flags_of(session, sample, items)
    assert set(flags) == {message}
    assert flags[message].severity == "error"
    assert flags[message].dropped
    name = find(items, ("id",))[0]
    marked = flags_of(session, sample, items, {("id",)}, {message})
    assert marked[name] == Flags(marked=True)
    assert (marked[message].changed, marked[message].marked, marked[message].severity) == (True, False, "error")
    session.begin("write", Focus(1, ("messages", 0, "content")))
    assert flags_of(session, sample, items) == {}
    assert flags_of(session, None, ()) == flags_of(session, session.deck.sample_at(-1), ()) == {}


def test_the_worst_problem_of_the_place_is_told(session):
    sample = session.deck.samples[1]
    items = items_of(sample)
    message = find(items, ("messages", 0))[0]
    text, style = status_of(session, sample, items, message)
    assert text.startswith("✖ ") and text.endswith("  (+1 more)") and style == "error"
    assert status_of(session, sample, items, find(items, ("id",))[0]) == ("", "muted")
    assert status_of(session, None, (), 0) == ("", "muted")
    session.begin("write", Focus(1, ("messages", 0, "role")))
    session.draft("user")
    items = items_of(session.deck.samples[1])
    text, style = status_of(session, session.deck.samples[1], items, message)
    assert text.startswith("… ") and " so far" in text and style == "muted"


def test_the_title_says_where_one_is_and_how_the_deck_is(session):
    one = session.deck.samples[0]
    title = title_of(session, one)
    assert (title.name, title.position, title.state) == ("deck.jsonl › one", "1/2", "saved")
    assert title.problems == ("error-bold", "✖ 2 errors")
    assert title_of(session, session.deck.sample_at(-1)).name == f"deck.jsonl › {BESIDE}"
    assert title_of(session, session.deck.sample_at(-1)).position == "beside"
    assert (title_of(session, None).name, title_of(session, None).position) == ("deck.jsonl", "0/2")
    session.perform("delete", partial(edit.delete_sample, index=1))
    changed = title_of(session, session.deck.samples[0])
    assert (changed.position, changed.state, changed.problems) == ("1/1", "unsaved", ("muted", "checking 0/1"))
    session.problems.look(1)
    assert title_of(session, session.deck.samples[0]).problems == ("added", "✓ no problems")


def test_an_empty_conversation_names_the_key_that_goes_on(session):
    asked = (session.deck.sample_at(-1), ""), (None, "x"), (None, ""), (session.deck.samples[0], "x")
    keys = ("+ adds", "Escape", "n writes", "o writes")
    assert [key in hint_for(sample, words) for key, (sample, words) in zip(keys, asked, strict=True)] == [True] * 4


def test_what_is_said_of_the_first_sample_stands_at_its_turn(tmp_path):
    path = tmp_path / "deck.jsonl"
    turns = [{"role": "user", "content": "hi"}, {"role": "user", "content": ""}]
    path.write_text(json.dumps({"id": "a", "messages": turns}) + "\n" + json.dumps({"id": "a", "messages": turns}))
    session = Session(open_deck(path))
    session.problems.look(2)
    sample = session.deck.samples[0]
    flags = flags_of(session, sample, items_of(sample))
    assert set(flags) == {1} and flags[1].dropped
    second = session.deck.samples[1]
    items = items_of(second)
    text, style = status_of(session, second, items, find(items, ("id",))[0])
    assert text.startswith("✖ ") and "more" not in text and style == "error"
