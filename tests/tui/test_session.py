"""A session as a machine: whatever is done, undoing all of it gives the file again, and the problems are those of
a fresh look at the deck."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from unittest import mock

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sampleui import open_deck
from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.deck.load import load
from sampleui.errors import EditError
from sampleui.formats.operations import Delete, Insert, Move, Set
from sampleui.tui.author.session import Session
from sampleui.workspace.deck import deck_of
from tests.inside import inside

from .decks import DECKS_BY_FORM

VALUES = st.sampled_from(
    ["", "short", "two\nlines", "  spaces ", '"quoted" \\', "é漢😀", "tab\tand\r\ncr", "\x85\u2028"]
)


class Sessions(RuleBasedStateMachine):
    """Random edits, drafts, undo and redo of one deck."""

    @initialize(form=st.sampled_from(sorted(DECKS_BY_FORM)))
    def open(self, form: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.patch = mock.patch.dict("os.environ", {"XDG_STATE_HOME": self.folder.name})
        self.patch.start()
        self.path = Path(self.folder.name) / f"deck.{form}"
        self.path.write_text(DECKS_BY_FORM[form])
        self.session = Session(open_deck(self.path))
        self.session.problems.look(100)
        self.first = self.session.deck.text
        self.texts = [self.first]

    def teardown(self) -> None:
        if hasattr(self, "session"):
            self.session.finish()
            while self.session.undo():
                pass
            assert self.session.deck.text == self.first
            assert not self.session.unsaved
            self.session.journal.discard()
            self.patch.stop()
            self.folder.cleanup()

    @property
    def closed(self) -> bool:
        return hasattr(self, "session") and self.session.open_edit is None

    def sample(self, data: st.DataObject) -> int:
        count = len(self.session.deck.samples)
        return data.draw(st.integers(0, max(count - 1, 0)))

    def turn(self, data: st.DataObject, index: int) -> tuple[str | int, ...] | None:
        samples = self.session.deck.samples
        if index >= len(samples) or not samples[index].messages:
            return None
        sample = samples[index]
        return (*sample.messages_path, data.draw(st.integers(0, len(sample.messages) - 1)))

    def perform(self, made, *places: int) -> None:
        focus = [Focus(place) for place in places]
        try:
            self.session.perform("edit", made, before=focus[0], after=focus[-1])
        except EditError:
            return

    @precondition(lambda self: self.closed)
    @rule(data=st.data(), value=VALUES)
    def write(self, data, value) -> None:
        index = self.sample(data)
        if path := self.turn(data, index):
            self.perform(partial(edit.apply, index=index, operation=Set((*path, "content"), value)), index)

    @precondition(lambda self: self.closed)
    @rule(data=st.data(), value=st.sampled_from(["one", "two", "new", "b"]))
    def rename(self, data, value) -> None:
        index = self.sample(data)
        if index < len(self.session.deck.samples):
            self.perform(partial(edit.apply, index=index, operation=Set(("id",), value)), index)

    @precondition(lambda self: self.closed)
    @rule(data=st.data(), value=VALUES)
    def insert_turn(self, data, value) -> None:
        index = self.sample(data)
        if path := self.turn(data, index):
            message = {"role": "user", "content": value}
            self.perform(partial(edit.apply, index=index, operation=Insert(path, message)), index)

    @precondition(lambda self: self.closed)
    @rule(data=st.data())
    def delete_turn(self, data) -> None:
        index = self.sample(data)
        if path := self.turn(data, index):
            self.perform(partial(edit.apply, index=index, operation=Delete(path)), index)

    @precondition(lambda self: self.closed)
    @rule(data=st.data())
    def move_turn(self, data) -> None:
        index = self.sample(data)
        if path := self.turn(data, index):
            self.perform(partial(edit.apply, index=index, operation=Move(path, 0)), index)

    @precondition(lambda self: self.closed)
    @rule(data=st.data())
    def delete_sample(self, data) -> None:
        index = self.sample(data)
        if index < len(self.session.deck.samples):
            self.perform(partial(edit.delete_sample, index=index), index, max(index - 1, 0))

    @precondition(lambda self: self.closed)
    @rule(data=st.data(), name=st.sampled_from(["one", "x", "y", "z"]))
    def insert_sample(self, data, name) -> None:
        index = self.sample(data)
        value = {"id": name, "messages": [{"role": "user", "content": "hi"}]}
        self.perform(partial(edit.insert_sample, index=index, data=value), index, index)

    @precondition(lambda self: self.closed)
    @rule(data=st.data())
    def move_sample(self, data) -> None:
        index = self.sample(data)
        if index < len(self.session.deck.samples):
            self.perform(partial(edit.move_sample, index=index, to=0), index, 0)

    @precondition(lambda self: self.closed)
    @rule(data=st.data())
    def begin(self, data) -> None:
        index = self.sample(data)
        if path := self.turn(data, index):
            self.session.begin("typing", Focus(index, (*path, "content")))

    @precondition(lambda self: self.closed)
    @rule(data=st.data())
    def begin_anew(self, data) -> None:
        index = self.sample(data)
        if path := self.turn(data, index):
            made = partial(edit.apply, index=index, operation=Insert(path, {"role": "user", "content": ""}))
            try:
                self.session.begin("adding", Focus(index, (*path, "content")), made)
            except EditError:
                assert self.session.open_edit is None

    @precondition(lambda self: hasattr(self, "session") and not self.closed)
    @rule(value=VALUES)
    def draft(self, value) -> None:
        held = self.session.open_edit
        assert held is not None
        try:
            self.session.draft(value)
        except EditError:
            return
        found = self.session.deck.samples[held.focus.sample].data
        assert inside(found, *held.focus.path) == value

    @precondition(lambda self: hasattr(self, "session") and not self.closed)
    @rule()
    def finish(self) -> None:
        drafted, steps = self.session.deck.text, len(self.session.history.done)
        self.session.finish()
        assert self.session.deck.text == drafted
        assert len(self.session.history.done) - steps in (0, 1)

    @precondition(lambda self: self.closed)
    @rule()
    def undo(self) -> None:
        before = self.session.deck.text
        if self.session.undo():
            self.session.redo()
            assert self.session.deck.text == before
            self.session.undo()

    @precondition(lambda self: self.closed)
    @rule()
    def redo(self) -> None:
        self.session.redo()

    @invariant()
    def the_problems_are_those_of_a_fresh_look(self) -> None:
        if not hasattr(self, "session"):
            return
        deck = self.session.deck
        self.session.problems.look(len(deck.samples))
        found, held = set(map(str, self.session.problems.placed())), self.session.open_edit
        missing = [one for one in deck.diagnostics if str(one) not in found]
        assert found <= set(map(str, deck.diagnostics))
        # What is said of an empty text waits while it is open.
        open_paths = () if held is None else (held.focus.path, held.focus.path[:-1])
        assert all(one.node in open_paths for one in missing)
        assert self.session.unsaved == (deck.text != self.first)

    @invariant()
    def the_deck_can_be_read_again(self) -> None:
        if hasattr(self, "session") and len(self.session.deck.samples):
            again = deck_of(load(self.path), self.session.deck.dialect)
            assert again.text == self.first
            parsed = type(self.session.deck.files.sources[0].document).parse(self.session.deck.text)
            assert len(parsed) == len(self.session.deck.samples)


TestSessions = Sessions.TestCase
TestSessions.settings = settings(
    max_examples=settings().max_examples // 2,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_a_step_places_no_problem_again_and_an_edit_places_them_anew(tmp_path, monkeypatch):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "same", "messages": []}\n' * 20)
    session = Session(open_deck(path))
    session.problems.look(20)
    placed = session.problems.placed()
    assert {one.line for one in placed if one.rule == "duplicate-id"} == set(range(2, 21))
    with monkeypatch.context() as patched:
        patched.setattr(type(session.deck), "place", None)
        assert [session.problems.severity(index) for index in range(20)] == ["error"] * 20
        assert session.problems.placed() == placed and session.problems.counts()["error"] >= 19
    session.perform("rename", partial(edit.apply, index=1, operation=Set(("id",), "other")), after=Focus(1))
    assert {one.line for one in session.problems.placed() if one.rule == "duplicate-id"} == set(range(3, 21))
