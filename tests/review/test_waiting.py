"""Comments that wait for a verdict."""

from __future__ import annotations

import errno
import re
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.review.log import waiting_comments as keeping
from sampleui.review.log.waiting_comments import Waiting
from tests.failing import failing


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "run.jsonl"


def test_comments_wait_until_they_are_taken_away(results: Path) -> None:
    ann, bob = Waiting(results, "ann"), Waiting(results, "bob")
    assert ann.read() == {}
    ann.keep("r", "hm")
    ann.keep("s", "well")
    bob.keep("r", "no")
    ann.keep("r", "hm!")
    assert ann.read() == Waiting(results, "ann").read() == {"r": "hm!", "s": "well"}
    assert bob.read() == {"r": "no"}
    for one, record in ((ann, "r"), (ann, "s"), (bob, "r")):
        assert ann.path.exists()
        one.keep(record, "")
    assert not ann.path.exists()


def test_results_of_one_name_in_two_folders_have_comments_of_their_own(results: Path) -> None:
    Waiting(results, "ann").keep("r", "hm")
    assert Waiting(results.parent / "other" / results.name, "ann").read() == {}
    assert Waiting(results, "ann").path.parent == Waiting(results.parent / "x.jsonl", "ann").path.parent


def test_a_line_that_its_writer_did_not_finish_costs_no_other(results: Path) -> None:
    waiting = Waiting(results, "ann")
    waiting.keep("r", "hm")
    before = waiting.path.read_bytes()
    odd = b'[1]\n{"reviewer": "ann"}\n{"reviewer": "ann", "record": "s", "comment": 5}\n'
    waiting.path.write_bytes(odd + before + b'{"reviewer": "an')
    assert waiting.read() == {"r": "hm"}
    waiting.keep("t", "well")
    assert waiting.read() == {"r": "hm", "t": "well"}
    assert waiting.path.read_bytes().startswith(odd + before + b'{"reviewer": "an\n')
    waiting.keep("u", "so")
    assert b"\n\n" not in waiting.path.read_bytes()


def test_a_comment_that_cannot_be_kept_is_told_of(results: Path) -> None:
    waiting = Waiting(results, "ann")
    waiting.path.parent.parent.mkdir(parents=True)
    waiting.path.parent.touch()
    assert waiting.read() == {}
    with pytest.raises(ResultsError, match="would not outlive this session: "):
        waiting.keep("r", "hm")
    waiting.path.parent.unlink()
    waiting.path.mkdir(parents=True)
    with pytest.raises(ResultsError):
        waiting.read()


def test_what_is_wrong_with_comments_is_told_in_the_words_of_the_system(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "locked", failing(errno.EIO, "worn out", "somewhere"))
    with pytest.raises(ResultsError, match=r": worn out$"):
        Waiting(results, "ann").read()
    with pytest.raises(ResultsError, match=r"session: worn out$"):
        Waiting(results, "ann").keep("r", "hm")


def test_comments_are_the_user_s_own_and_named_after_the_results(results: Path) -> None:
    long = Waiting(results.with_name("x" * 50 + ".jsonl"), "ann")
    long.keep("r", "hm")
    assert long.path.parent.stat().st_mode & 0o777 == 0o700
    assert re.fullmatch("x{40}-[0-9a-f]{16}.jsonl", long.path.name)
