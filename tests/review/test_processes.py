"""The log under real processes: killed at any moment, writing at once, merged by git."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sampleui.review.log.store import open_log
from tests.review.build import decision

ROOT = Path(__file__).parents[2]
REVIEWER = """
import sys
from pathlib import Path
from sampleui.review.log.store import open_log
from sampleui.review.verdict import Decision, Verdict

path, reviewer, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
log = open_log(path)
for at in range(count):
    comment = "x" * (at % 5 * 400)
    made = Decision(reviewer=reviewer, record="r", record_id="r", sample="s", verdict=Verdict.OK, comment=comment)
    sys.stdout.write(log.append(made).id + "\\n")
    sys.stdout.flush()
"""


def start(log: Path, reviewer: str, count: int) -> subprocess.Popen[bytes]:
    # Without the site packages a process starts in a third of the time; the log needs none of them.
    return subprocess.Popen(
        [sys.executable, "-S", "-c", REVIEWER, str(log), reviewer, str(count)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def killed(log: Path, reviewer: str, delay: float) -> list[str]:
    """Return the ids that a reviewer was told are recorded before it was killed."""
    process = start(log, reviewer, 1_000_000)
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(delay)
    process.kill()
    rest = process.stdout.read()
    process.stdout.close()
    assert process.wait() == -9
    # The last line may have been cut off in the pipe; it was not shown as recorded.
    return [line.decode() for line in (first + rest).split(b"\n")[:-1]]


def test_no_decision_shown_as_recorded_is_lost_to_twenty_kills(tmp_path: Path) -> None:
    chance = random.Random(5)
    delays = [chance.uniform(0, 0.02) for _ in range(20)]
    logs = [tmp_path / f"{at // 5}.reviews.jsonl" for at in range(20)]
    with ThreadPoolExecutor(2) as pool:
        shown = [*pool.map(lambda at: killed(logs[at], f"reviewer {at % 2}", delays[at]), range(20))]
    recorded = {log: open_log(log) for log in logs}
    for log, ids in zip(logs, shown, strict=True):
        assert ids
        assert {*ids} <= {one.id for one in recorded[log].decisions}
    assert all(log.unreadable == 0 for log in recorded.values())
    assert all(log.read_bytes().endswith(b"\n") for log in logs)


def test_a_line_that_another_is_still_writing_is_waited_for(tmp_path: Path) -> None:
    import fcntl

    log, other = tmp_path / "x.reviews.jsonl", tmp_path / "other.reviews.jsonl"
    theirs = open_log(other).append(decision(reviewer="ann"))
    line = other.read_bytes()
    mine: list[str] = []
    with log.open("ab", buffering=0) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(line[:30])
        writer = threading.Thread(target=lambda: mine.append(open_log(log).append(decision(reviewer="bob")).id))
        writer.start()
        writer.join(0.3)
        assert not mine and log.read_bytes() == line[:30]
        file.write(line[30:])
    writer.join(30)
    assert [one.id for one in open_log(log).decisions] == [theirs.id, *mine] and len(mine) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [other.name, log.name]


def test_two_writers_at_once_lose_and_mix_nothing(tmp_path: Path) -> None:
    log = tmp_path / "x.reviews.jsonl"
    writers = [start(log, name, 150) for name in ("ann", "bob")]
    shown = [writer.communicate()[0].decode().split() for writer in writers]
    recorded = open_log(log)
    assert [len(ids) for ids in shown] == [150, 150]
    assert {one.id for one in recorded.decisions} == {*shown[0], *shown[1]}
    assert (recorded.unreadable, log.read_bytes().count(b"\n")) == (0, 300)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_logs_of_two_reviewers_merge_with_git(tmp_path: Path) -> None:
    def git(*args: str) -> None:
        settings = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main")
        subprocess.run(["git", *settings, *args], cwd=tmp_path, check=True, capture_output=True)

    path = tmp_path / "run.reviews.jsonl"
    (tmp_path / ".gitattributes").write_text("*.reviews.jsonl merge=union\n")
    git("init")
    open_log(path).append(decision("shared"))
    git("add", ".")
    git("commit", "-m", "start")
    git("checkout", "-b", "bob")
    for record in ("a", "b"):
        open_log(path).append(decision(record, reviewer="bob"))
    git("commit", "-am", "bob")
    git("checkout", "main")
    for record in ("b", "c"):
        open_log(path).append(decision(record, reviewer="ann"))
    open_log(path).undo("ann")
    git("commit", "-am", "ann")
    git("merge", "bob")
    merged = open_log(path)
    assert merged.unreadable == 0
    assert {who for who, _ in merged.by_reviewer("b").items()} == {"ann", "bob"}
    assert [merged.current(record) is not None for record in ("shared", "a", "b", "c")] == [True, True, True, False]
    assert len(merged.decisions) == 6


def test_the_log_needs_nothing_slow(tmp_path: Path) -> None:
    code = "import sys, sampleui.review.log.store; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-S", "-c", code], env=environment, capture_output=True, check=True)
    assert not {b"pydantic", b"tomlkit", b"tomli", b"yaml", b"textual", b"rich"} & {*done.stdout.split()}
