"""The log as a file: torn, replaced, read-only, on a full disk."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.errors import ResultsError
from sampleui.review import appendfile
from sampleui.review.store import open_log
from sampleui.review.wire import line_of
from tests.review.build import decision


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
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


@pytest.mark.skipif(sys.platform == "win32", reason="needs flock")
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
    log.append(decision("d"))
    assert {one.record for one in log.decisions} == {"b", "c", "d"}
    log.path.unlink()
    log.refresh()
    assert log.decisions == ()


def test_a_failed_write_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    log.append(decision("a"))
    before = log.path.read_bytes()

    def full_disk(descriptor: int, data: bytes) -> int:
        return os.writev(descriptor, [data[:10]])

    monkeypatch.setattr(appendfile.os, "write", full_disk)
    with pytest.raises(ResultsError, match="not recorded"):
        log.append(decision("b"))
    monkeypatch.undo()
    assert log.path.read_bytes() == before
    assert len(log.decisions) == 1


def test_each_decision_is_on_the_disk_before_append_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    real = os.fsync

    def noting(descriptor: int) -> None:
        real(descriptor)
        synced.append(os.fstat(descriptor).st_ino)

    monkeypatch.setattr(appendfile.os, "fsync", noting)
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

    def read_only(name: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(13, "not allowed")
        return real(name, flags, mode)

    monkeypatch.setattr(appendfile.os, "open", read_only)
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

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(appendfile.os, "fsync", full)
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
    assert log.undo("ann") is None
    assert [*tmp_path.iterdir()] == []
