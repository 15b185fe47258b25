"""The log as a file: torn, replaced, read-only, on a full disk."""

from __future__ import annotations

import errno
import os
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.errors import ResultsError
from sampleui.review.log import store
from sampleui.review.log.store import Log, line_of, open_log
from sampleui.text import appending as appendfile
from sampleui.text.appending import ReadPosition, locked, read_from
from tests.failing import failing
from tests.review.build import decision


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=settings().max_examples // 2)
@given(cut=st.integers(0, 10_000), comments=st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_a_log_cut_at_any_byte_keeps_every_whole_line(tmp_path: Path, cut: int, comments: list[str]) -> None:
    path = tmp_path / "x.reviews.jsonl"
    path.unlink(missing_ok=True)
    torn_path = path.with_name(path.name + ".torn")
    torn_path.unlink(missing_ok=True)
    made = [decision(comment=comment) for comment in comments]
    data = b"".join(map(line_of, made))
    kept = data[: cut % len(data)]
    path.write_bytes(kept)
    whole = kept.count(b"\n")
    log = open_log(path)
    # A line that lacks nothing but its line feed is whole.
    completed = (
        kept not in {b""} and not kept.endswith(b"\n") and kept + b"\n" == b"".join(map(line_of, made[: whole + 1]))
    )
    assert {one.id for one in log.decisions} == {one.id for one in made[: whole + completed]}
    assert path.read_bytes() in {b""} or path.read_bytes().endswith(b"\n")
    lost = kept[kept.rfind(b"\n") + 1 :]
    if lost and not completed:
        assert torn_path.read_bytes() == lost + b"\n"
    after = log.append(decision())
    assert {one.id for one in open_log(path).decisions} == {*(one.id for one in log.decisions), after.id}
    assert open_log(path).unreadable == 0


def test_a_last_line_that_lacks_only_its_line_feed_is_completed(tmp_path: Path) -> None:
    path = tmp_path / "x.reviews.jsonl"
    path.write_bytes(line_of(decision("a")) + line_of(decision("b")).rstrip())
    assert [one.record for one in open_log(path).decisions] == ["a", "b"]
    assert path.read_bytes().endswith(b"}\n")
    assert [*tmp_path.iterdir()] == [path]


def test_a_log_replaced_while_a_writer_waits_gets_the_decision(tmp_path: Path) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    log.append(decision("a"))
    other = tmp_path / "merged"
    other.write_bytes(log.path.read_bytes() + line_of(decision("b")))
    with appendfile.locked(log.path, create=False):
        writer = threading.Thread(target=log.append, args=(decision("c"),))
        writer.start()
        time.sleep(0.2)  # it waits for the lock of the old file by now
        other.replace(log.path)
    writer.join(10)
    assert {one.record for one in open_log(log.path).decisions} == {"a", "b", "c"}


def test_a_log_that_is_replaced_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    log.append(decision("a"))
    monkeypatch.setattr(os.path, "samestat", lambda *_: False)
    with pytest.raises(ResultsError, match="not recorded: it is replaced again and again"):
        log.append(decision("b"))


def test_two_logs_open_at_once_see_each_other(tmp_path: Path) -> None:
    path = tmp_path / "x.reviews.jsonl"
    mine, theirs = open_log(path), open_log(path)
    for at in range(5):
        mine.append(decision(f"m{at}"))
        theirs.append(decision(f"t{at}", reviewer="bob"))
    mine.refresh()
    assert mine.decisions == theirs.decisions == open_log(path).decisions
    assert len(mine.decisions) == 10


def test_two_decisions_on_a_line_are_both_read(tmp_path: Path) -> None:
    path = tmp_path / "x.reviews.jsonl"
    path.write_bytes(line_of(decision("a")).rstrip() + line_of(decision("b")))
    assert len(open_log(path).decisions) == 2


def test_a_log_replaced_by_another_is_read_anew(tmp_path: Path) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    log.append(decision("a"))
    other = tmp_path / "other"
    other.write_bytes(line_of(decision("b")) + line_of(decision("c")))
    other.replace(log.path)
    log.refresh()
    assert {one.record for one in log.decisions} == {"b", "c"}
    other.write_bytes(line_of(decision("e")))
    other.replace(log.path)
    log.append(decision("d"))
    assert {one.record for one in log.decisions} == {"e", "d"}
    log.path.unlink()
    log.refresh()
    assert log.decisions == ()


def test_a_failed_write_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    log.append(decision("a"))
    before = log.path.read_bytes()

    written: list[int] = []

    def full_disk(descriptor: int, data: bytes) -> int:
        written.append(os.writev(descriptor, [data[:10]]) if not written else 0)
        return written[-1]

    monkeypatch.setattr(os, "write", full_disk)
    with pytest.raises(ResultsError, match=r"not recorded: No space left"):
        log.append(decision("b"))
    assert log.path.read_bytes() == before
    with pytest.raises(ResultsError, match=r"not recorded: No space left"):
        open_log(tmp_path / "new.reviews.jsonl").append(decision("b"))
    assert [*tmp_path.iterdir()] == [log.path], "a log without a decision is not left behind"
    assert len(log.decisions) == 1
    monkeypatch.undo()
    log.append(decision("b"))
    assert len(open_log(log.path).decisions) == 2


def test_a_line_that_is_taken_in_parts_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = os.read
    monkeypatch.setattr(os, "write", lambda descriptor, data: os.writev(descriptor, [data[:10]]))
    monkeypatch.setattr(os, "read", lambda descriptor, size: short(descriptor, min(size, 7)))
    log = open_log(tmp_path / "x.reviews.jsonl")
    made = [log.append(decision(name)) for name in "ab"]
    monkeypatch.undo()
    assert open_log(log.path).decisions == tuple(made)


def test_a_line_that_cannot_be_taken_back_is_not_said_to_be_unrecorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    log.append(decision("a"))
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    monkeypatch.setattr(os, "ftruncate", failing(errno.EIO))
    with pytest.raises(ResultsError, match="may or may not be recorded: Input/output error"):
        log.append(decision("b"))


def test_a_decision_that_is_on_the_disk_is_recorded_even_if_the_log_cannot_be_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    monkeypatch.setattr(store, "whole_end", failing(errno.EIO))
    made = log.append(decision("a"))
    assert log.decisions == (made,)
    monkeypatch.undo()
    log.append(decision("b"))
    assert len(log.decisions) == len(open_log(log.path).decisions) == 2


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_a_log_that_is_no_regular_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.reviews.jsonl"
    {"pipe": os.mkfifo, "folder": os.mkdir, "device": lambda name: name.symlink_to("/dev/zero")}[kind](path)
    with pytest.raises(ResultsError):
        open_log(path)
    log = Log(path)
    with pytest.raises(ResultsError, match="not recorded"):
        log.append(decision("a"))


def test_each_decision_is_on_the_disk_before_append_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    real = os.fsync

    def noting(descriptor: int) -> None:
        real(descriptor)
        synced.append(os.fstat(descriptor).st_ino)

    monkeypatch.setattr(os, "fsync", noting)
    log = open_log(tmp_path / "x.reviews.jsonl")
    log.append(decision())
    assert synced == [tmp_path.stat().st_ino, log.path.stat().st_ino]
    log.append(decision())
    assert synced[2:] == [log.path.stat().st_ino]


def test_a_log_that_cannot_be_written_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.reviews.jsonl"
    content = line_of(decision("a")) + b'{"id": "torn'
    path.write_bytes(content)
    real = os.open

    def read_only(name: Path, flags: int, mode: int = 0o777, **named: int | None) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(13, "not allowed")
        return real(name, flags, mode, **named)

    monkeypatch.setattr(os, "open", read_only)
    log = open_log(path)
    assert [one.record for one in log.decisions] == ["a"]
    assert path.read_bytes() == content
    with pytest.raises(ResultsError, match="not recorded"):
        log.append(decision("b"))


def test_a_full_disk_does_not_keep_a_torn_log_from_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.reviews.jsonl"
    content = line_of(decision("a")) + b'{"id": "torn'
    path.write_bytes(content)

    monkeypatch.setattr(os, "fsync", failing(errno.ENOSPC))
    log = open_log(path)
    assert [one.record for one in log.decisions] == ["a"]
    assert path.read_bytes() == content
    with pytest.raises(ResultsError, match="No space left"):
        log.append(decision("b"))
    monkeypatch.undo()
    assert open_log(path).append(decision("b")).record == "b"
    assert [one.record for one in open_log(path).decisions] == ["a", "b"]


def test_nothing_is_made_before_the_first_decision(tmp_path: Path) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    assert log.undo("ann") == ()
    assert [*tmp_path.iterdir()] == []


def test_a_log_that_becomes_shorter_while_it_is_read_is_an_error_and_no_end(tmp_path: Path) -> None:
    path = tmp_path / "run.reviews.jsonl"
    path.write_bytes(b"one\n")
    with locked(path, create=False) as descriptor:
        assert read_from(descriptor, 1, 4) == b"ne\n"
        with pytest.raises(OSError, match="became shorter"):
            read_from(descriptor, 0, 5)


def test_a_log_of_more_than_a_gibibyte_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "x.reviews.jsonl"
    path.touch()
    os.truncate(path, (1 << 30) + 1)
    with pytest.raises(ResultsError, match="larger than 1,073,741,824 bytes"):
        open_log(path)


def test_nothing_has_to_be_taken_back_of_a_line_that_was_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    log.append(decision("a"))
    monkeypatch.setattr(os, "write", failing(errno.ENOSPC))
    monkeypatch.setattr(os, "ftruncate", failing(errno.ENOSPC))
    with pytest.raises(ResultsError, match="was not recorded: No space left"):
        log.append(decision("b"))


def test_a_torn_line_that_cannot_be_cut_off_is_kept_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.reviews.jsonl"
    path.write_bytes(line_of(decision("a")) + b'{"id": "torn')
    real, failing = os.ftruncate, [path.stat().st_ino]

    def fail(descriptor: int, length: int) -> None:
        if os.fstat(descriptor).st_ino in failing:
            raise OSError(5, "Input/output error")
        real(descriptor, length)

    monkeypatch.setattr(os, "ftruncate", fail)
    for _ in range(2):
        assert [one.record for one in open_log(path).decisions] == ["a"]
    failing.clear()
    open_log(path)
    assert path.with_name(path.name + ".torn").read_bytes() == b'{"id": "torn\n'


def test_a_log_that_is_repaired_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.reviews.jsonl"
    path.write_bytes(line_of(decision("a")) + b'{"id": "torn')
    real, synced = os.fsync, []

    def noting(descriptor: int) -> None:
        real(descriptor)
        synced.append(os.fstat(descriptor).st_ino)

    monkeypatch.setattr(os, "fsync", noting)
    open_log(path)
    assert synced[-1] == path.stat().st_ino


@pytest.mark.parametrize(("error", "stays"), [(TimeoutError(110, "held"), True), (OSError(5, "broken"), False)])
def test_a_new_log_stays_where_another_process_holds_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, stays: bool
) -> None:
    def fail(_: int) -> bool:
        raise error

    monkeypatch.setattr(appendfile, "take_lock", fail)
    path = tmp_path / "x.reviews.jsonl"
    with pytest.raises(ResultsError):
        Log(path).append(decision("a"))
    assert path.exists() is stays, "whoever holds the lock is about to write"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs a list of what is open")
def test_nothing_is_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened() -> int:
        return len([*Path("/proc/self/fd").iterdir()])

    log = open_log(tmp_path / "x.reviews.jsonl")
    before = opened()
    log.append(decision("a"))
    assert opened() == before
    monkeypatch.setattr(os.path, "samestat", lambda *_: False)
    with pytest.raises(ResultsError, match="again and again"):
        log.append(decision("b"))
    monkeypatch.setattr(appendfile, "take_lock", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        log.append(decision("b"))
    assert opened() == before


def test_which_places_are_later_in_a_file() -> None:
    here = ReadPosition((1, 2), 5)
    assert here.leads_to(here)
    assert here.leads_to(ReadPosition((1, 2), 6))
    assert not here.leads_to(ReadPosition((1, 2), 4))
    assert not here.leads_to(ReadPosition((1, 3), 6))
    assert ReadPosition().leads_to(here)


def test_a_new_log_is_as_open_as_new_files_are(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        open_log(tmp_path / "new.jsonl").append(decision())
    finally:
        os.umask(before)
    assert (tmp_path / "new.jsonl").stat().st_mode & 0o777 == 0o666


@pytest.mark.parametrize("leads_to", ["there.jsonl", "missing.jsonl", "../outside", "link.jsonl"])
def test_nothing_is_written_through_a_log_that_is_a_link(tmp_path: Path, leads_to: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for file in (folder / "there.jsonl", tmp_path / "outside"):
        file.write_text("alias l=ls\n")
    (folder / "link.jsonl").symlink_to(leads_to)
    with pytest.raises(ResultsError, match="it is a link, through which nothing is written"):
        Log(folder / "link.jsonl").append(decision())
    assert not (folder / "missing.jsonl").exists()
    assert {(folder / "there.jsonl").read_text(), (tmp_path / "outside").read_text()} == {"alias l=ls\n"}


def test_what_is_wrong_with_a_log_is_told_in_the_words_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "locked", failing(errno.EIO, "worn out", "somewhere"))
    with pytest.raises(ResultsError, match=r"x\.jsonl: worn out$"):
        open_log(tmp_path / "x.jsonl")
    with pytest.raises(ResultsError, match=r"not recorded: worn out$"):
        Log(tmp_path / "x.jsonl").append(decision())
