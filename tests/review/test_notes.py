"""Notes: what is said of a record or a place in it without a verdict, kept as lines of the log."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from sampleui.review.handing_back import decided_in
from sampleui.review.log.store import Log, log_path, open_log
from sampleui.review.log.verdict_migration import carry_over
from sampleui.review.results.file import Results, open_results
from sampleui.review.session import place_of
from sampleui.review.verdict import LogAction, Verdict
from tests.command import ran
from tests.review.build import comment_on, decide, write_jsonl
from tests.tui.driver import ROOT

ANSWER = "Lyon is in France. It has 500,000 people."


def rows(time: str = "2026-11-01T10:00:00Z") -> list[dict[str, object]]:
    asked = [{"role": "user", "content": "Where is Lyon, and how large?"}]
    return [
        {"test_id": name, "target": "m", "score": 0, "input": asked, "output": ANSWER, "timestamp": time}
        for name in ("a", "b", "c")
    ]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "run.jsonl", rows())


def opened(path: Path) -> tuple[Results, Log]:
    return open_results(path).indexed(), open_log(log_path(path))


def test_several_notes_are_kept_of_a_record_and_need_no_verdict(run: Path) -> None:
    results, log = opened(run)
    for text in ("one", "two"):
        comment_on(results, log, "a", text, "ann")
    digest = results.entries[0].digest
    assert [note.comment for note in open_log(log.path).notes(digest)] == ["one", "two"]
    assert log.current(digest) is None and not log.is_about(digest)
    assert log.is_read_by(digest, "ann") and not log.is_read_by(digest, "bob")
    assert log.undo("ann")[0].comment == "two"
    assert [note.comment for note in open_log(log.path).notes(digest)] == ["one"]


def test_a_quote_says_where_in_the_answer_or_in_what_was_asked_a_note_is(run: Path) -> None:
    results, log = opened(run)
    record = results.record(0)
    note = comment_on(results, log, "a", "> 500,000 people\nwrong: 520,000", "ann")
    assert note.place is not None and note.comment == "wrong: 520,000"
    assert ANSWER[note.place.start : note.place.end] == note.place.quote == "500,000 people"
    turn = place_of("how large", record)
    assert turn is not None and (turn.part, turn.number) == ("turn", 0)
    lost = comment_on(results, log, "a", "> never said\nhm", "ann")
    assert (lost.place, lost.comment) == (None, "> never said\nhm"), "nothing that was typed is lost"
    assert open_log(log.path).notes(record.digest)[0].place == note.place


def test_notes_of_others_are_seen_after_ones_own_word_on_the_record(run: Path) -> None:
    results, log = opened(run)
    digest = results.entries[0].digest
    comment_on(results, log, "a", "ann's", "ann")
    assert log.seen_by("bob", digest) == () and log.view(digest, "bob").comments == ()
    comment_on(results, log, "a", "bob's", "bob")
    assert [item.comment for item in log.seen_by("bob", digest)] == ["bob's", "ann's"]
    decide(results, log, "b", Verdict.OK, "ann")
    comment_on(results, log, "b", "more", "bob")
    assert [item.comment for item in log.seen_by("ann", results.entries[1].digest)] == ["", "more"]


def test_logs_with_notes_merge_in_any_order_and_lose_nothing(run: Path, tmp_path: Path) -> None:
    results, log = opened(run)
    for number in range(6):
        comment_on(results, log, "abc"[number % 3], f"> Lyon\nnote {number}", ("ann", "bob")[number % 2])
    log.undo("bob")
    comment_on(results, log, "a", "a program's", "agent:x")
    decide(results, log, "c", Verdict.OK, "ann")
    lines = log.path.read_bytes().splitlines(keepends=True)

    def told(log: Log) -> object:
        return [log.everything(entry.digest) for entry in results.entries], log.unreadable

    whole = told(log)
    for seed in range(50):
        shuffled = tmp_path / f"{seed}.reviews.jsonl"
        shuffled.write_bytes(b"".join(random.Random(seed).sample(lines, len(lines))))
        assert told(open_log(shuffled)) == whole


def test_a_program_notes_as_a_proposal_and_a_note_of_it_in_a_log_counts_for_nothing(run: Path) -> None:
    results, log = opened(run)
    assert comment_on(results, log, "a", "look", "agent:x").kind is LogAction.PROPOSE
    comment_on(results, log, "b", "mine", "ann")
    line = json.loads(log.path.read_bytes().splitlines()[-1])
    log.path.write_text(json.dumps({**line, "reviewer": "agent:y"}) + "\n")
    assert open_log(log.path).standing_notes == ()


@pytest.mark.parametrize("place", [7, {"part": "nowhere"}, {"part": "answer", "start": -1, "end": "x"}, []])
def test_a_place_that_is_none_costs_no_note(run: Path, place: object) -> None:
    results, log = opened(run)
    comment_on(results, log, "a", "> Lyon\nhm", "ann")
    line = json.loads(log.path.read_bytes())
    log.path.write_text(json.dumps({**line, "place": place}) + "\n")
    (note,) = open_log(log.path).standing_notes
    assert note.comment == "hm" and (note.place is None or note.place.start is None)


def test_notes_hold_for_the_same_answer_of_a_later_run_and_of_no_earlier_one(run: Path, tmp_path: Path) -> None:
    results, log = opened(run)
    comment_on(results, log, "a", "hm", "ann")
    for name, time, held in (("later", "2026-12-01T00:00:00Z", 1), ("early", "2026-01-01T00:00:00Z", 0)):
        other, other_log = opened(write_jsonl(tmp_path / f"{name}.jsonl", rows(time)))
        carry_over(other, other_log)
        notes = other_log.notes(other.entries[0].digest)
        assert [(note.comment, note.carried) for note in notes] == [("hm", True)] * held


def test_commands_tell_notes_with_their_places(run: Path) -> None:
    assert ran("comment", run, "a", "> in France\nthe south", "--reviewer", "ann").code == 0
    told = ran("comment", run, "b", "> nothing like it\nhm", "--reviewer", "ann")
    assert told.code == 0 and "does not say what is quoted" in told.err
    first, second = json.loads(ran("comments", run, "--format", "json").out)["comments"]
    assert (first["kind"], first["verdict"], first["comment"]) == ("note", None, "the south")
    assert first["place"] == {"part": "answer", "quote": "in France", "start": 8, "end": 17}
    assert "place" not in second
    assert "a: a note on answer: “in France” by ann: the south" in ran("comments", run).out
    assert "you noted: “in France”: the south" in ran("next", run, "--reviewer", "ann").out
    for form in ("text", "markdown", "html", "json"):
        assert "the south" in ran("report", run, "--format", form, "--records", "all").out, form
    found = json.loads(ran("report", run, "--filter", "comment:south", "--records", "all", "--format", "json").out)
    assert [record["id"] for record in found["records"]] == ["a"]


def test_notes_are_handed_back_with_the_verdict_of_their_reviewer_or_alone(tmp_path: Path) -> None:
    iteration = tmp_path / "iteration-1"
    shutil.copytree(
        ROOT / "tests" / "integrations" / "skills" / "written" / "greeter-workspace" / "iteration-1", iteration
    )
    (iteration / "feedback.json").unlink()
    results, log = opened(iteration)
    first, second = (entry.id for entry in results.counted[:2])
    decide(results, log, first, Verdict.MODEL_WRONG, "ann", comment="too long")
    comment_on(results, log, second, "who knows", "ann")
    made = [item.words for item in decided_in(results, log)]
    assert made == ["too long", "who knows"]
    told = ran("verdicts", iteration, "--to", "skills")
    assert (told.code, "2 verdicts and notes written" in told.out) == (0, True)
    reviews = json.loads((iteration / "feedback.json").read_text())["reviews"]
    assert [(item["feedback"], item.get("verdict")) for item in reviews] == [
        ("too long", "model-wrong"),
        ("who knows", None),
    ]


def test_what_was_said_since_a_token_is_told_whoever_wrote_it_and_whenever_it_was_merged(run: Path) -> None:
    def since(token: str) -> tuple[list[str], str]:
        told = ran("comments", run, "--format", "json", "--since", token)
        data = json.loads(told.out)
        return [item["comment"] for item in data["comments"]], data["token"]

    ran("comment", run, "a", "one", "--reviewer", "ann")
    said, token = since("")
    assert said == ["one"] and since(token)[0] == []
    log = log_path(run)
    line = json.loads(log.read_bytes())
    older = {**line, "id": "0" * 16, "reviewer": "bob", "comment": "merged", "time": "2020-01-01T00:00:00.000000Z"}
    log.write_bytes(json.dumps(older).encode() + b"\n" + log.read_bytes())
    ran("comment", run, "b", "a program's", "--as", "agent:x")
    assert since(token)[0] == ["merged", "a program's"]
    assert ran("comments", run, "--since", "no token").code == 2
