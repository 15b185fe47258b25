from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.errors import ResultsError
from sampleui.review.log.store import Log, entries_of, line_of, log_path, open_log
from sampleui.review.verdict import Decision, LabelValue, LogAction, Verdict, is_stale, sample_digest
from sampleui.settings.reviewers import is_program, wrong_with
from tests.review.build import decision

ANY_TEXT = st.text(st.characters(), max_size=20)
NAME = ANY_TEXT.filter(lambda text: not (wrong_with(text) or is_program(text))) | st.sampled_from(["ann", "José"])
TEXTS = ("reviewer", "record", "record_id", "sample", "comment")


@pytest.mark.parametrize(
    ("results", "log"),
    [
        ("run.jsonl", "run.reviews.jsonl"),
        ("run.results.jsonl", "run.results.reviews.jsonl"),
        ("x.toml", "x.reviews.jsonl"),
        ("x.v2", "x.v2.reviews.jsonl"),
    ],
)
def test_where_the_log_lies(results: str, log: str) -> None:
    assert log_path(Path("a") / results) == Path("a") / log


def test_the_keys_and_routes_of_verdicts() -> None:
    assert [(one.key, str(one)) for one in Verdict] == [
        ("1", "model-wrong"),
        ("2", "expected-wrong"),
        ("3", "grader-wrong"),
        ("4", "flaky"),
        ("5", "ok"),
        ("6", "skip"),
    ]
    assert "deck" in Verdict.EXPECTED_WRONG.route
    assert (Verdict.OK.meaning, Verdict.OK.route) == ("the answer is fine", "nothing to do")
    assert all(one.meaning and one.route for one in Verdict)


@given(
    texts=st.fixed_dictionaries({**dict.fromkeys(TEXTS, ANY_TEXT), "reviewer": NAME}),
    verdict=st.sampled_from(Verdict),
    sample_hash=st.none() | ANY_TEXT,
)
def test_a_decision_reads_back_from_its_line(
    texts: dict[str, Any], verdict: Verdict, sample_hash: str | None
) -> None:
    made = Decision(verdict=verdict, sample_hash=sample_hash, **texts)
    line = line_of(made)
    assert line.count(b"\n") == 1
    assert [*entries_of(line)] == [made]


@given(st.binary(max_size=60))
def test_no_line_crashes_the_reading(line: bytes) -> None:
    assert all(one is None for one in entries_of(line))


def test_what_is_no_decision_is_counted_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.reviews.jsonl"
    good = line_of(decision())
    odd = b'{"id": "x"}\n[1]\nnonsense\n{"kind": "decide", "verdict": "great"}\n'
    path.write_bytes(odd + good)
    log = open_log(path)
    assert (log.unreadable, len(log.decisions)) == (4, 1)
    log.append(decision())
    assert path.read_bytes().startswith(odd + good)


def test_the_last_decision_of_a_reviewer_wins(tmp_path: Path) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    log.append(decision(verdict=Verdict.OK))
    log.append(decision(verdict=Verdict.FLAKY))
    log.append(decision(verdict=Verdict.SKIP, reviewer="bob"))
    for found in (log, open_log(log.path)):
        mine, anyone = found.current("digest-0", "ann"), found.current("digest-0")
        assert mine is not None
        assert anyone is not None
        assert (mine.verdict, anyone.verdict) == (Verdict.FLAKY, Verdict.FLAKY), "skipping leaves it to the others"
        assert {who: one.verdict for who, one in found.by_reviewer("digest-0").items()} == {
            "ann": Verdict.FLAKY,
            "bob": Verdict.SKIP,
        }
        assert found.current("other") is None
        assert [one.reviewer for one in found.standing] == ["ann", "bob"]


def test_the_last_decision_wins_even_when_the_clock_goes_back(tmp_path: Path) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    log.append(decision(verdict=Verdict.OK, time="2030-01-01T00:00:00.000000Z"))
    second = log.append(decision(verdict=Verdict.FLAKY, time="2020-01-01T00:00:00.000000Z"))
    assert second.time == "2030-01-01T00:00:00.000001Z"
    assert open_log(log.path).current("digest-0") == second


def test_undo_walks_back_also_after_a_restart(tmp_path: Path) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    made = [
        log.append(decision(record, Verdict(verdict)))
        for record, verdict in (("a", "ok"), ("b", "flaky"), ("a", "skip"))
    ]
    log.append(decision("a", reviewer="bob"))
    for expected in reversed(made):
        before = log.path.read_bytes()
        assert log.undo("ann") == (expected,)
        assert log.path.read_bytes().startswith(before)
        log = open_log(log.path)
    assert log.undo("ann") == ()
    assert log.current("a", "ann") is None
    assert log.current("a", "bob") is not None
    assert [one.kind for one in log.decisions].count(LogAction.UNDO) == 3


steps = st.lists(
    st.tuples(st.sampled_from(["ann", "bob"]), st.sampled_from("xyz"), st.sampled_from([*Verdict, None])),
    max_size=12,
)


@given(steps)
def test_a_log_behaves_as_a_stack_for_each_reviewer(
    new_folder: Callable[[str], Path], steps: list[tuple[str, str, Verdict | None]]
) -> None:
    path = new_folder("log") / "x.reviews.jsonl"
    log, stacks = open_log(path), {"ann": [], "bob": []}  # type: ignore[var-annotated]
    for reviewer, record, verdict in steps:
        if verdict is not None:
            stacks[reviewer].append(log.append(decision(record, verdict, reviewer)))
        elif stacks[reviewer]:
            assert log.undo(reviewer) == (stacks[reviewer].pop(),)
        else:
            assert log.undo(reviewer) == ()
    for found in (log, open_log(path)):
        for record in "xyz":
            wanted = {who: one for who, stack in stacks.items() for one in stack if one.record == record}
            assert found.by_reviewer(record) == wanted
            said = [one for one in wanted.values() if one.verdict is not Verdict.SKIP]
            last = max(said or wanted.values(), key=lambda one: (one.time, one.id), default=None)
            assert found.current(record) == (None if len({one.verdict for one in said}) > 1 else last)


def test_undo_brings_back_the_decision_before(tmp_path: Path) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    first = log.append(decision(verdict=Verdict.OK))
    log.append(decision(verdict=Verdict.FLAKY))
    log.undo("ann")
    assert log.current("digest-0") == first


@given(st.permutations(range(6)), st.lists(st.integers(0, 5), max_size=4))
def test_the_order_of_lines_and_doubles_do_not_matter(
    new_folder: Callable[[str], Path], order: list[int], again: list[int]
) -> None:
    folder = new_folder("merged")
    made = [decision(f"r{at % 2}", verdict=list(Verdict)[at], time=f"2026-01-0{at + 1}") for at in range(5)]
    made.append(dataclasses.replace(made[3], id="undo", kind=LogAction.UNDO, verdict=None, undoes=made[3].id))
    one, other = folder / "one.reviews.jsonl", folder / "other.reviews.jsonl"
    one.write_bytes(b"".join(map(line_of, made)))
    other.write_bytes(b"".join(line_of(made[at]) for at in [*order, *again]))
    assert open_log(one).decisions == open_log(other).decisions
    for record in ("r0", "r1"):
        assert open_log(one).current(record) == open_log(other).current(record)
    assert open_log(other).current("r1") == made[1]


def test_lines_are_readable_json(tmp_path: Path) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    log.append(decision(comment="schön", sample_hash="s"))
    row = json.loads(log.path.read_text(encoding="utf-8"))
    assert list(row) == [
        "id", "time", "kind", "reviewer", "sample", "sample_hash", "record", "record_id", "verdict", "comment",
    ]  # fmt: skip
    assert "schön" in log.path.read_text(encoding="utf-8")


def test_a_verdict_is_stale_when_its_sample_changed() -> None:
    was = sample_digest({"id": "a", "messages": [{"role": "user", "content": "hi"}]})
    assert sample_digest({"messages": [{"content": "hi", "role": "user"}], "id": "a"}) == was
    now = sample_digest({"id": "a", "messages": [{"role": "user", "content": "ho"}]})
    assert not is_stale(decision(sample_hash=was), was)
    assert is_stale(decision(sample_hash=was), now)
    assert not is_stale(decision(sample_hash=was), None)
    assert not is_stale(decision(), now)


class TestAdjudication:
    def log(self, tmp_path: Path) -> Log:
        log = open_log(tmp_path / "run.reviews.jsonl")
        log.append(decision(verdict=Verdict.MODEL_WRONG, reviewer="ann"))
        log.append(decision(verdict=Verdict.OK, reviewer="bob"))
        return log

    def test_a_ruling_counts_for_all_and_leaves_the_own_verdicts(self, tmp_path: Path) -> None:
        log = self.log(tmp_path)
        assert log.disputed("digest-0")
        ruling = replace(
            decision(verdict=Verdict.SKIP, reviewer="ann"), kind=LogAction.ADJUDICATE, tags=("format",)
        )
        log.append(ruling)
        for again in (log, open_log(log.path)):
            assert not again.disputed("digest-0")
            assert again.current("digest-0", "bob") == again.current("digest-0") == again.ruling("digest-0")
            assert again.current("digest-0") is not None
            assert again.current("digest-0").tags == ("format",)  # type: ignore[union-attr]
            assert {who: one.verdict for who, one in again.by_reviewer("digest-0").items()} == {
                "ann": Verdict.MODEL_WRONG, "bob": Verdict.OK,
            }  # fmt: skip
            assert [one.verdict for one in again.seen_by("cy", "digest-0")] == [
                Verdict.SKIP, Verdict.MODEL_WRONG, Verdict.OK,
            ]  # fmt: skip
            assert {one.reviewer for one in again.standing} == {"ann", "bob"}

    def test_undo_takes_back_the_ruling_first(self, tmp_path: Path) -> None:
        log = self.log(tmp_path)
        log.append(replace(decision(verdict=Verdict.SKIP, reviewer="ann"), kind=LogAction.ADJUDICATE))
        assert log.undo("bob")
        assert log.ruling("digest-0") is not None
        (undone,) = log.undo("ann")
        assert undone.verdict is Verdict.SKIP
        assert log.current("digest-0", "ann") is not None
        assert log.ruling("digest-0") is None


class TestPrograms:
    @pytest.mark.parametrize("name", ["agent:bot", "Agent:bot", "ａｇｅｎｔ：bot", "agent:ann"])
    @pytest.mark.parametrize("kind", ["decide", "adjudicate", "propose"])
    def test_what_a_program_says_is_a_proposal_whatever_its_line_calls_it(
        self, tmp_path: Path, name: str, kind: str
    ) -> None:
        path = tmp_path / "run.reviews.jsonl"
        made = replace(decision(verdict=Verdict.OK, reviewer=name, comment="fine"), kind=LogAction(kind))
        path.write_bytes(line_of(made))
        log = open_log(path)
        assert [one.kind for one in log.decisions] == [LogAction.PROPOSE]
        assert [(one.reviewer, one.comment) for one in log.proposals("digest-0")] == [(name, "fine")]
        assert log.current("digest-0") is log.current("digest-0", "ann") is log.ruling("digest-0") is None
        assert (log.standing, log.by_reviewer("digest-0")) == ((), {})
        assert not log.is_about("digest-0")

    def test_it_neither_disputes_nor_settles_and_is_taken_back_by_itself_alone(self, tmp_path: Path) -> None:
        log = open_log(tmp_path / "run.reviews.jsonl")
        log.append(decision(verdict=Verdict.OK, reviewer="ann"))
        kept = log.append(decision(verdict=Verdict.MODEL_WRONG, reviewer="agent:bot"))
        assert kept.kind is LogAction.PROPOSE
        assert not log.disputed("digest-0")
        assert [one.reviewer for one in log.seen_by("ann", "digest-0")] == ["ann", "agent:bot"]
        assert log.current("digest-0", "agent:bot") == kept
        with pytest.raises(ResultsError, match="agent:bot is a program, which settles no disagreement"):
            log.append(replace(decision(reviewer="agent:bot"), kind=LogAction.ADJUDICATE))
        assert log.undo("agent:bot") == (kept,)
        assert log.proposals("digest-0") == open_log(log.path).proposals("digest-0") == ()
        assert len(log.standing) == 1


def test_tags_of_verdicts_are_labels_without_a_definition(tmp_path: Path) -> None:
    log = open_log(tmp_path / "run.reviews.jsonl")
    for who, verdict, kinds in (
        ("ann", Verdict.MODEL_WRONG, ("hallucination", "format")),
        ("bob", Verdict.MODEL_WRONG, ("tone",)),
    ):
        log.append(replace(decision(verdict=verdict, reviewer=who), tags=kinds))
    assert log.codes("digest-0") == ("format", "hallucination", "tone")
    assert log.codes("digest-0", "bob") == ("format", "hallucination", "tone"), "who has decided sees others"
    assert {(item.label, item.definition) for item in log.labels("digest-0")} == {(LabelValue.YES, "")}
    log.append(decision(verdict=Verdict.OK, reviewer="bob"))
    assert log.codes("digest-0") == ("format", "hallucination", "tone"), "another verdict takes none away"
    about = replace(decision(reviewer="bob"), kind=LogAction.LABEL, verdict=None, definition="")
    log.append(replace(about, code="tone", label=LabelValue.NO))
    log.append(decision(verdict=Verdict.FLAKY, reviewer="bob"))
    assert log.codes("digest-0") == ("format", "hallucination"), "nor does it bring one back"
