"""Random samples to review: which records are drawn, with which chances, and how the log keeps them."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.errors import ResultsError
from sampleui.review.log.store import entries_of, line_of, line_of_draw, open_log
from sampleui.review.record import Entry
from sampleui.review.sampling import Design, Draw, Population, draw_records, values_by
from tests.review.build import decision, entry


def run(count: int, failing: int = 4) -> list[Entry]:
    """Return records of three targets, the second with half as many as the first; every so-many-th fails."""
    names = ("alpha", "alpha", "alpha", "alpha", "beta", "beta", "gamma")
    return [
        dataclasses.replace(
            entry(at), digest=f"{at:016x}", score=0.0 if at % failing == 0 else 1.0, target=names[at % len(names)]
        )
        for at in range(count)
    ]


def drawn(entries: list[Entry], size: int, *by: str, source: Population = Population.ALL, seed: str = "1") -> Draw:
    return draw_records(entries, Design(size, source, by, seed), values_by(by, lambda _: ()), "ann")


@given(
    sizes=st.lists(st.integers(1, 30), min_size=1, max_size=5),
    size=st.integers(5, 60),
    seed=st.text(max_size=5),
    turned=st.randoms(),
)
def test_the_same_seed_draws_the_same_records_of_the_same_file(sizes, size, seed, turned):
    targets = [name for name, count in enumerate(sizes) for _ in range(count)]
    entries = [
        dataclasses.replace(entry(at), digest=f"{at:016x}", target=str(target)) for at, target in enumerate(targets)
    ]
    first = drawn(entries, size, "target", seed=seed)
    mixed = [*entries]
    turned.shuffle(mixed)
    again = drawn(mixed, size, "target", seed=seed)
    assert again.same_as(first)
    assert len(first.records) == min(size, len(entries))
    assert [one.population for one in first.strata] == sizes
    assert all(len(one.records) >= min(2, one.population) for one in first.strata if size >= 2 * len(sizes))
    assert sum(one.population * one.chance for one in first.strata) == pytest.approx(len(first.records))
    smaller = drawn(entries, max(size - 3, len(sizes)), "target", seed=seed)
    assert list(first.records)[: len(smaller.records)] == list(smaller.records), (
        "a larger draw goes on where it ended"
    )


def test_every_record_is_drawn_as_often_as_its_chance_says():
    entries, times = run(28), Counter[str]()
    for seed in range(600):
        draw = drawn(entries, 9, "target", seed=str(seed))
        times.update([*draw.records])
    chances = {one.values: one.chance for one in draw.strata}
    for one in entries:
        assert times[one.digest] / 600 == pytest.approx(chances[one.target or "",], abs=0.08)


def test_only_records_that_came_out_so_are_drawn_from():
    entries = run(40)
    assert not drawn(entries, 10, source=Population.PASSED).records.keys() & {one.digest for one in entries[::4]}
    assert drawn(entries, 10, source=Population.PASSED).population == 30
    assert drawn(entries, 50, source=Population.FAILED).records.keys() == {one.digest for one in entries[::4]}


@pytest.mark.parametrize(
    ("size", "by", "source", "why"),
    [
        (2, ("target",), Population.ALL, "2 records cannot stand for 3 groups by target: draw 3 or more"),
        (5, ("metadata.topic",), Population.ALL, "no record has metadata.topic"),
        (5, (), Population.UNGRADED, "no record is ungraded: nothing can be drawn"),
    ],
)
def test_what_would_leave_records_without_a_chance_is_refused(size, by, source, why):
    with pytest.raises(ResultsError, match=why):
        drawn(run(40), size, *by, source=source)


def test_a_field_of_the_sample_makes_strata():
    entries = run(20)
    values = values_by(("metadata.topic",), lambda one: ({"metadata": {"topic": ["odd", "even"][one.index % 2]}},))
    draw = draw_records(entries, Design(6, Population.ALL, ("metadata.topic",)), values, "ann")
    assert [(one.values, one.population, len(one.records)) for one in draw.strata] == [
        (("even",), 10, 3),
        (("odd",), 10, 3),
    ]


def test_strata_are_told_apart_as_groups_of_a_report_are():
    spelled = [1, 1.0, "1", [1.0], ["b", "a"], ["a", "b"]]
    values = values_by(("level", "tag"), lambda one: ({"level": spelled[one.index]}, {"tags": ["b", "a"]}))
    assert [values(entry(at)) for at in range(6)] == [("1", "a, b")] * 4 + [("a, b", "a, b")] * 2


def test_a_draw_is_one_line_that_says_every_chance(tmp_path):
    log = open_log(tmp_path / "x.reviews.jsonl")
    draw = log.keep_draw(drawn(run(70), 7, "target", source=Population.PASSED))
    row = json.loads(log.path.read_text())
    assert row["kind"] == "draw"
    assert (row["from"], row["by"], row["seed"], row["size"], row["population"]) == (
        "passed",
        ["target"],
        "1",
        7,
        52,
    )
    for stratum in row["strata"]:
        assert (
            stratum["chance"]
            == stratum["drawn"] / stratum["population"]
            == len(stratum["records"]) / stratum["population"]
        )
    assert [*entries_of(line_of_draw(draw))] == [draw]
    assert open_log(log.path).draws == (draw,)
    assert log.keep_draw(drawn(run(70), 7, "target", source=Population.PASSED)).id == draw.id, "once is enough"
    assert draw.is_of(reversed(run(70))) and not draw.is_of(run(71))


def test_a_draw_leaves_decisions_and_undo_alone(tmp_path):
    log = open_log(tmp_path / "x.reviews.jsonl")
    made = log.append(decision())
    log.keep_draw(drawn(run(70), 7))
    again = open_log(log.path)
    assert again.unreadable == 0
    assert again.undo("ann") == (made,)
    assert again.undo("ann") == ()
    assert len(again.draws) == 1


@pytest.mark.parametrize(
    "odd",
    [
        {"strata": None},
        {"strata": [{"values": [], "population": 1, "records": {"a": "x", "b": "y"}}]},
        {"strata": [{"values": ["too many"], "population": 3, "records": {"a": "x"}}]},
        {"strata": [{"values": [], "population": 3, "records": ["a"]}]},
        {"from": "elsewhere"},
        {"size": "many"},
        {"population": 10**400, "size": 1e400},
    ],
)
def test_a_draw_that_cannot_be_is_left_where_it_is(tmp_path, odd):
    row = {**json.loads(line_of_draw(drawn(run(9), 3))), **odd}
    path = tmp_path / "x.reviews.jsonl"
    path.write_text(json.dumps(row) + "\n")
    log = open_log(path)
    assert (log.draws, log.unreadable) == ((), 1)
    assert json.loads(path.read_text()) == json.loads(json.dumps(row))


def test_decisions_made_as_one_are_taken_back_as_one(tmp_path):
    log = open_log(tmp_path / "x.reviews.jsonl")
    first = log.append(decision("first"))
    log.append(decision("other", reviewer="bob"))
    step = log.append_all(dataclasses.replace(decision(name), step=first.id) for name in ("second", "third"))
    alone = log.append(decision("fourth"))
    assert log.path.read_bytes().count(b"\n") == 5
    again = open_log(log.path)
    assert again.undo("ann") == (alone,)
    assert again.undo("ann") == (first, *step)
    assert again.undo("ann") == ()
    assert [one.reviewer for one in again.standing] == ["bob"]
    assert [one.time for one in log.decisions] == sorted(one.time for one in log.decisions)


def test_nothing_is_remembered_of_a_step_that_was_not_written(tmp_path: Path):
    log = open_log(tmp_path / "missing" / "x.reviews.jsonl")
    with pytest.raises(ResultsError, match="not recorded"):
        log.append_all([decision("one"), decision("two")])
    with pytest.raises(ResultsError, match="not recorded"):
        log.keep_draw(drawn(run(9), 3))
    assert (log.decisions, log.draws) == ((), ())
    assert line_of(decision()).endswith(b"\n")
