"""The journal: what a session did before it died is offered to the next, and never breaks it."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import time
from io import FileIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.deck.history import UndoStep
from sampleui.deck.journal import Journal, Recovery, forget, journal_path, journals, recoverable
from sampleui.deck.model import Change, DeckFiles
from sampleui.deck.save import save
from sampleui.formats.document import Splice
from sampleui.formats.operations import Set
from sampleui.text.replacing import take_lock
from tests.failing import failing

from .lines import files_of


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / "deck.txt"
    path.write_text("one\ntwo\nthree\n")
    return path


def write(files: DeckFiles, index: int, text: str) -> UndoStep:
    return UndoStep(f"write {text}", (Change(0, files.sources[0].document.edit(index, Set(("text",), text))),))


def died(path: Path, *texts: str) -> DeckFiles:
    """Return the deck of a session that wrote some lines and then ended without a word."""
    files = files_of(path)
    journal = Journal(files)
    for text in texts:
        step = write(files, 1, text)
        journal.record(step)
        files = step.apply(files)
    die(journal)
    return files


def die(journal: Journal) -> None:
    """Let go of a journal as a process does that is killed."""
    assert journal.file is not None, journal.failure
    journal.file.close()


def steps(files: DeckFiles) -> tuple[UndoStep, ...]:
    """Return what the last session left of a deck."""
    left = recoverable(files).left
    return left[0].steps if left else ()


def recovered(files: DeckFiles) -> str:
    for step in steps(files):
        files = step.apply(files)
    return files.sources[0].document.text


def test_what_was_not_saved_is_found_again(path):
    edited = died(path, "zwei", "dos \ud83d\u2028")
    assert [step.label for step in steps(files_of(path))] == ["write zwei", "write dos \ud83d\u2028"]
    assert recovered(files_of(path)) == edited.sources[0].document.text


def test_undo_is_found_again_too(path):
    files = files_of(path)
    journal = Journal(files)
    step = write(files, 0, "eins")
    journal.record(step)
    journal.record(step.inverse())
    die(journal)
    assert recovered(files_of(path)) == "one\ntwo\nthree\n"


@settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(data=st.data())
def test_any_splices_are_found_again(path, data):
    for earlier in journals(path):
        forget(earlier)
    files = files_of(path)
    journal = Journal(files)
    for _ in range(data.draw(st.integers(1, 4))):
        pieces = files.sources[0].document.pieces
        at = data.draw(st.integers(1, len(pieces) - 1))
        removed = pieces[at : data.draw(st.integers(at, len(pieces) - 1))]
        added = data.draw(st.lists(st.sampled_from(["a\n", "aa\n", "é\u2028\n"]), max_size=3))
        step = UndoStep("splice", (Change(0, Splice(at, removed, tuple(added))),))
        journal.record(step)
        files = step.apply(files)
    die(journal)
    assert recovered(files_of(path)) == files.sources[0].document.text


def test_edits_of_a_file_that_changed_before_the_first_of_them_are_not_made_again(path):
    files = files_of(path)
    journal = Journal(files)
    path.write_text("two\ntwo\nthree\n")
    journal.record(write(files, 1, "zwei"))
    die(journal)
    assert steps(files_of(path)) == ()
    assert "which has changed since" in recoverable(files_of(path)).stale[0].why


def test_looking_leaves_nothing_behind(path):
    Journal(files_of(path)).discard()
    assert not journal_path(path).exists()
    assert steps(files_of(path)) == ()
    assert recoverable(files_of(path)).notes == ()


def test_a_save_leaves_nothing_to_recover_and_begins_anew(path):
    files = files_of(path)
    journal = Journal(files)
    step = write(files, 0, "eins")
    journal.record(step)
    files = step.apply(files)
    save(files)
    journal.restart(files)
    assert journal.path.read_bytes() == b""
    journal.record(write(files, 1, "zwei"))
    die(journal)
    assert recovered(files_of(path)) == "eins\nzwei\nthree\n"


def test_a_clean_end_leaves_nothing(path):
    files = files_of(path)
    journal = Journal(files)
    journal.record(write(files, 0, "eins"))
    journal.discard()
    assert list(journal_path(path).parent.iterdir()) == []


def test_a_session_that_ends_lets_go_of_its_file(path):
    journal = Journal(files_of(path))
    assert journal.file is None
    journal.hold()
    assert journal.file is not None
    file = journal.file
    journal.discard()
    assert file.closed and journal.file is None


def test_a_journal_is_for_its_user_alone(path):
    died(path, "zwei")
    assert [stat.S_IMODE(one.stat().st_mode) for one in (journal_path(path), journal_path(path).parent)] == [
        0o600,
        0o700,
    ]


def test_a_journal_has_a_short_name(path):
    assert re.fullmatch(r"x{40}-[0-9a-f]{16}\.jsonl", journal_path(path.with_name(f"{'x' * 60}.yaml")).name)


def test_the_journal_of_another_deck_is_none_of_this_one(path):
    other = path.with_name("other.txt")
    other.write_text("one\ntwo\n")
    died(other, "zwei")
    assert journals(path) == ()
    assert len(journals(other)) == 1


def test_a_session_that_goes_on_is_not_waited_for(path, monkeypatch):
    first = Journal(files_of(path))
    first.hold()

    def wait(_: float) -> None:
        raise AssertionError("waited")

    monkeypatch.setattr(time, "sleep", wait)
    second = Journal(files_of(path))
    second.hold()
    assert first.path != second.path
    assert recoverable(files_of(path), second.path).notes == ("this deck is open in another session",)
    first.discard()
    second.discard()


def test_a_session_that_wrote_nothing_does_not_remove_what_is_to_be_recovered(path):
    died(path, "zwei")
    Journal(files_of(path)).discard()
    assert len(steps(files_of(path))) == 1
    forget(journal_path(path))
    assert steps(files_of(path)) == ()


def test_edits_of_a_file_that_has_changed_since_are_not_offered(path):
    died(path, "zwei")
    path.write_text("one\ntwo\nfour\n")
    found = recoverable(files_of(path))
    assert found.left == ()
    assert ("changed since" in found.stale[0].why, found.stale[0].path) == (True, journal_path(path))
    path.write_text("one\ntwo\nthree\n")
    assert recovered(files_of(path)) == "one\nzwei\nthree\n"


def test_two_sessions_do_not_mix_and_both_are_kept(path):
    files = files_of(path)
    first, second = Journal(files), Journal(files)
    first.record(write(files, 0, "eins"))
    assert recoverable(files, second.path).notes == ("this deck is open in another session that has unsaved edits",)
    second.record(write(files, 0, "uno"))
    assert (first.failure, second.failure) == (None, None)
    os.utime(first.path, ns=(1, 1))
    die(first)
    die(second)
    found = recoverable(files)
    assert [[step.label for step in one.steps] for one in found.left] == [["write uno"], ["write eins"]]
    forget(found.left[0].path)
    assert recovered(files) == "eins\ntwo\nthree\n"


def test_a_session_that_only_looks_is_known_to_others_and_gone_with_them(path):
    files = files_of(path)
    first = Journal(files)
    first.hold()
    assert recoverable(files).notes == ("this deck is open in another session",)
    assert recoverable(files, first.path).notes == ()
    die(first)  # and so is one that was killed, whose name serves the next
    second = Journal(files)
    second.hold()
    assert recoverable(files, second.path).notes == ()
    second.discard()
    assert not list(journal_path(path).parent.iterdir())


def test_what_a_dead_session_left_outlives_those_behind_it(path):
    died(path, "zwei")
    files = files_of(path)
    journal = Journal(files)
    journal.record(write(files, 0, "eins"))
    journal.discard()
    assert recovered(files_of(path)) == "one\nzwei\nthree\n"


def test_a_journal_that_a_session_leaves_while_it_is_opened_is_not_written(path, monkeypatch):
    """Between the opening of a file and its lock its session may remove it: nobody would find what goes there."""
    files = files_of(path)
    first, second = Journal(files), Journal(files)
    first.hold()

    def late(descriptor: int, patience: float) -> bool:
        first.discard()
        return take_lock(descriptor, patience)

    monkeypatch.setattr("sampleui.deck.journal.take_lock", late)
    second.record(write(files, 0, "eins"))
    die(second)
    assert recovered(files) == "eins\ntwo\nthree\n"


def test_what_holds_no_steps_any_more_goes_unless_its_session_lives(path):
    files = files_of(path)
    journal = Journal(files)
    step = write(files, 1, "TWO")
    journal.record(step)
    journal.record(step.inverse())
    files = files_of(path)
    assert recoverable(files).notes
    assert len([*journals(path)]) == 1
    die(journal)
    assert recoverable(files) == Recovery()
    assert not [*journals(path)]


def test_a_line_that_was_not_finished_is_left_out(path):
    died(path, "zwei", "dos")
    journal = journal_path(path)
    journal.write_bytes(journal.read_bytes()[:-10])
    assert recovered(files_of(path)) == "one\nzwei\nthree\n"


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xff\xfe",
        b"[1, 2]\n",
        b"[" * 100_000,
        b'{"label": "x"}\n',
        b'{"label": "x", "changes": [[0, 1, 1, 0, 0, "x", [99]]]}\n',
        b'{"label": "x", "changes": [[7, 1, 1, 0, 0, "x", [5]]]}\n',
        b'{"label": "x", "changes": [["a", {}, 1, 0, 0, "x", [5]]]}\n',
        b'{"label": "x", "changes": 3}\n',
        b"null\n",
    ],
    ids=range(10),
)
def test_a_damaged_journal_is_of_no_use(path, damage):
    died(path, "zwei")
    journal = journal_path(path)
    header = journal.read_bytes().split(b"\n")[0] + b"\n"
    for content in (damage, header + damage + b"\n"):
        journal.write_bytes(content)
        found = recoverable(files_of(path))
        assert found.left == ()
        assert found.stale or content.startswith(header) or b"\n" not in content


def test_a_save_that_was_killed_behind_its_last_step_leaves_nothing_to_recover(path):
    files = files_of(path)
    journal = Journal(files)
    step = write(files, 0, "eins")
    journal.record(step)
    files = step.apply(files)
    journal.saving(files)
    save(files)
    die(journal)
    found = recoverable(files_of(path))
    assert found == Recovery()


def test_a_save_that_was_killed_between_two_files_leaves_the_edits_of_the_second(path, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("first\nsecond\n")
    files = files_of(path, other)
    journal = Journal(files)
    for source, text in ((0, "eins"), (1, "erste")):
        step = UndoStep(text, (Change(source, files.sources[source].document.edit(0, Set(("text",), text))),))
        journal.record(step)
        files = step.apply(files)
    journal.saving(files)
    path.write_bytes(files.sources[0].document.text.encode())
    die(journal)
    found = recoverable(files_of(path, other))
    assert [step.label for step in found.left[0].steps] == ["erste"]
    again = found.left[0].steps[0].apply(files_of(path, other))
    assert [source.document.text for source in again.sources] == ["eins\ntwo\nthree\n", "erste\nsecond\n"]


def test_a_save_that_failed_leaves_all_steps_before_and_behind_it(path):
    files = files_of(path)
    journal = Journal(files)
    for text in ("eins", "uno"):
        step = write(files, 0, text)
        journal.record(step)
        files = step.apply(files)
        journal.saving(files)
    die(journal)
    assert recovered(files_of(path)) == "uno\ntwo\nthree\n"


@pytest.mark.parametrize("call", ["open", "fstat", "mkdir"])
def test_what_could_not_be_written_once_is_written_with_the_next_step(path, monkeypatch, call):
    files = files_of(path)
    journal = Journal(files)
    monkeypatch.setattr(os, call, failing(errno.ENOSPC))
    step = write(files, 0, "eins")
    journal.record(step)
    assert journal.failure == "unsaved edits are not kept for recovery: No space left on device"
    monkeypatch.undo()
    monkeypatch.setenv("XDG_STATE_HOME", str(path.parent / "state"))
    journal.record(write(step.apply(files), 1, "zwei"))
    assert journal.failure is None
    die(journal)
    assert recovered(files_of(path)) == "eins\nzwei\nthree\n"


class Filling(FileIO):
    """A file on a disk that has room for some bytes, or for all."""

    room: int | None = None

    def write(self, data: bytes) -> int:  # type: ignore[override]
        if self.room == 0:
            raise OSError(28, "No space left on device")
        written = super().write(data[: self.room])
        self.room = None if self.room is None else self.room - written
        return written


def test_a_line_that_was_written_in_part_is_written_anew(path):
    files = files_of(path)
    journal = Journal(files)
    journal.hold()
    journal.file = file = Filling(os.dup(journal.file.fileno()), "a+b")
    for index, text in enumerate(("eins", "zwei", "drei")):
        file.room = 10 if index == 1 else None
        step = write(files, index, text)
        journal.record(step)
        assert (journal.failure is not None) == (index == 1)
        files = step.apply(files)
    die(journal)
    assert recovered(files_of(path)) == "eins\nzwei\ndrei\n"


def test_a_try_that_fails_leaves_nothing_open(path, monkeypatch):
    def fail(_: int) -> None:
        raise OSError(5, "Input/output error")

    taken: list[int] = []
    take = os.open
    monkeypatch.setattr(os, "open", lambda *given, **named: taken.append(take(*given, **named)) or taken[-1])
    with monkeypatch.context() as failing:
        failing.setattr(os, "fstat", fail)
        Journal(files_of(path)).record(write(files_of(path), 0, "eins"))
    for descriptor in taken:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(descriptor)
    assert taken


def test_a_journal_that_cannot_be_removed_says_nothing_any_more(path, monkeypatch):
    files = files_of(path)
    journal = Journal(files)
    journal.record(write(files, 0, "eins"))
    monkeypatch.setattr(Path, "unlink", failing(errno.EIO))
    journal.discard()
    found = recoverable(files_of(path))
    assert found == Recovery()


def test_a_pipe_where_the_journal_should_be_is_not_waited_for(path):
    place = journal_path(path)
    place.parent.mkdir(parents=True)
    os.mkfifo(place)
    assert "cannot be read" in recoverable(files_of(path)).stale[0].why
    journal = Journal(files_of(path))
    journal.record(write(files_of(path), 0, "eins"))
    assert journal.failure is None
    die(journal)
    assert recovered(files_of(path)) == "eins\ntwo\nthree\n"


def test_a_journal_that_cannot_be_written_does_not_stop_the_session(path, tmp_path):
    (tmp_path / "state").write_text("a file where a folder should be")
    files = files_of(path)
    journal = Journal(files)
    journal.record(write(files, 0, "eins"))
    assert "not kept for recovery" in journal.failure
    journal.record(write(files, 1, "zwei"))
    journal.discard()
    assert steps(files) == ()


def test_a_step_in_a_long_piece_costs_a_short_line(path):
    path.write_text("x" * 1_000_000 + "\n")
    files = files_of(path)
    journal = Journal(files)
    step = write(files, 0, "x" * 500_000 + "y" + "x" * 500_000)
    journal.record(UndoStep("type y", step.changes))
    lines = journal.path.read_text().splitlines()
    assert json.loads(lines[1])["changes"][0][5] == "y"
    assert len(lines[1]) < 200
