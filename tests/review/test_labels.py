"""Labels of records, definitions of codes, and passes, as the log has them."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from sampleui.review.codes import Codebook, FailureCode, add_codes, codebook_of, define_code, rename_code
from sampleui.review.labels import codes_of, draw_pass, is_current, labelled_by, renamed_by_hand, taken_by_code
from sampleui.review.log.store import Earlier, Log, definition_line, open_log, undoing
from sampleui.review.verdict import Decision, LabelValue, LogAction, NotePlace, RecordView, Verdict
from tests.review.build import drawn_labels, entry

WRONG_DATE = FailureCode("wrong date", "The date is not that of the order.")


def label(
    record: str = "digest-0",
    code: str = "wrong date",
    said: LabelValue = LabelValue.YES,
    reviewer: str = "ann",
    *,
    definition: str = WRONG_DATE.digest,
    **more: object,
) -> Decision:
    about = Decision(reviewer=reviewer, record=record, record_id=record, sample="case", kind=LogAction.LABEL)
    return replace(about, code=code, label=said, definition=definition, **more)  # type: ignore[arg-type]


def note(reviewer: str = "ann", record: str = "digest-0") -> Decision:
    about = Decision(reviewer=reviewer, record=record, record_id=record, sample="case", kind=LogAction.NOTE)
    return replace(about, comment="the wrong month", place=NotePlace("answer", None, "May", 3, 6))


@pytest.fixture
def log(tmp_path: Path) -> Log:
    (tmp_path / ".git").mkdir()
    add_codes(codebook_of(tmp_path), [WRONG_DATE])
    return open_log(tmp_path / "run.reviews.jsonl")


def said(log: Log, record: str = "digest-0") -> list[tuple[str | None, str, LabelValue | None]]:
    return [(item.code, item.reviewer, item.label) for item in open_log(log.path).labels(record)]


def test_the_last_label_of_each_code_and_person_counts_and_can_be_taken_back(log: Log) -> None:
    log.append(label())
    log.append(label(said=LabelValue.NO, reviewer="bob"))
    log.append(label(said=LabelValue.UNSURE))
    log.append(label(code="tone", definition=""))
    assert said(log) == [
        ("wrong date", "bob", LabelValue.NO),
        ("wrong date", "ann", LabelValue.UNSURE),
        ("tone", "ann", LabelValue.YES),
    ]
    log.undo("ann")
    log.undo("ann")
    assert said(log) == [("wrong date", "ann", LabelValue.YES), ("wrong date", "bob", LabelValue.NO)]


def test_the_log_keeps_the_words_of_each_definition_once(log: Log) -> None:
    log.append_all([label(), label("digest-1"), label("digest-2", reviewer="bob")])
    changed = define_code(log.codebook, "wrong date", "The date is not\nthat of the invoice.")
    log.refresh()
    log.append(label("digest-1", definition=changed.digest("wrong date")))
    kept = [item for item in open_log(log.path).decisions if item.kind is LogAction.DEFINE]
    assert [item.comment for item in kept] == [
        "The date is not that of the order.",
        "The date is not that of the invoice.",
    ]
    assert [is_current(item, log.codebook) for item in log.labels("digest-1")] == [False, True]
    assert [item.kind for item in log.undo("ann")] == [LogAction.LABEL], "words of a definition are no step"


def test_the_codes_are_looked_for_beside_the_decks_as_soon_as_these_are_known(tmp_path: Path) -> None:
    log = open_log(tmp_path / "run.reviews.jsonl")
    assert log.codebook.path == tmp_path / "failures.md"
    log.decks = (tmp_path / "decks" / "deck.toml",)
    assert log.codebook.path == tmp_path / "decks" / "failures.md"


def test_a_code_that_is_renamed_keeps_its_labels(log: Log) -> None:
    log.append(label())
    rename_code(log.codebook, "wrong date", "another date")
    log.refresh()
    assert said(log) == [("another date", "ann", LabelValue.YES)]
    assert is_current(log.labels("digest-0")[0], log.codebook)
    assert log.codes("digest-0") == ("another date",)


def test_a_record_counts_once_by_code_and_person_whatever_the_code_was_called(
    log: Log,
) -> None:
    log.append_all(
        [label(), label("digest-1"), label(said=LabelValue.NO), label(reviewer="bob"), label(code="tone")]
    )
    rename_code(log.codebook, "wrong date", "late")
    log.refresh()
    log.append(label(code="late", said=LabelValue.UNSURE))
    log.append(label("digest-2", reviewer="cy"))
    log.undo("cy")
    assert labelled_by(log) == ({"late": {"ann": 2, "bob": 1}}, {"tone": 1}), "its definition is another one"
    assert codes_of(log) == ("late", "tone")


def test_a_heading_that_is_renamed_by_hand_is_found_again(log: Log) -> None:
    log.append(label())
    path = log.codebook.path
    path.write_text(path.read_text().replace("## wrong date", "## bad date"))
    log.refresh()
    assert [*renamed_by_hand(log)] == [("wrong date", "bad date")]
    rename_code(log.codebook, "wrong date", "bad date")
    log.refresh()
    assert said(log) == [("bad date", "ann", LabelValue.YES)]


def test_a_note_under_a_code_is_a_yes_until_either_is_taken_back(log: Log) -> None:
    written = log.append(note())
    log.append(label(note=written.id, place=written.place))
    assert said(log) == [("wrong date", "ann", LabelValue.YES)]
    log.append(replace(written, id="f" * 16, kind=LogAction.UNDO, undoes=written.id, comment="", place=None))
    assert said(log) == []


def test_what_a_pass_asked_is_drawn_and_stays_so_when_it_is_corrected(log: Log) -> None:
    run = log.keep_draw(draw_pass([entry(0, "a"), entry(1, "b")], ["wrong date"], "ann", "7"))
    assert open_log(log.path).passes == (run,)
    assert open_log(log.path).draws == ()
    log.append(label(said=LabelValue.NO, drawn=run.id))
    log.append(label("digest-1"))
    assert [(item.label, item.drawn) for item in drawn_labels(log, "digest-0")] == [(LabelValue.NO, run.id)]
    assert drawn_labels(log, "digest-1") == ()
    log.append(label())
    assert [(item.label, item.drawn) for item in drawn_labels(log, "digest-0")] == [(LabelValue.YES, run.id)]
    log.append(label(said=LabelValue.NO, proposal="0" * 16, proposed_by="agent:bot"))
    assert [item.label for item in drawn_labels(log, "digest-0")] == [LabelValue.YES], (
        "what was suggested is not drawn"
    )
    assert [item.label for item in log.labels("digest-0")] == [LabelValue.NO]


def test_a_label_is_read_and_opens_what_others_said(log: Log) -> None:
    log.append(label(reviewer="bob"))
    assert (log.codes("digest-0", "ann"), log.is_read_by("digest-0", "ann")) == ((), False)
    assert log.view("digest-0", "ann") == RecordView()
    log.append(label(code="tone", said=LabelValue.NO, definition=""))
    assert (log.codes("digest-0", "ann"), log.is_read_by("digest-0", "ann")) == (("wrong date",), True)
    assert [item.reviewer for item in log.seen_by("ann", "digest-0")] == ["ann", "bob"]


def test_what_a_program_says_of_codes_and_labels_is_a_proposal(log: Log) -> None:
    code = log.append(definition_line(FailureCode("tone", "Rude."), "agent:bot"))
    proposed = log.append(label(code="tone", reviewer="agent:bot", definition=str(code.definition)))
    assert (code.kind, proposed.kind) == (LogAction.PROPOSE, LogAction.PROPOSE)
    again = open_log(log.path)
    assert again.labels("digest-0") == ()
    assert again.codes("digest-0") == ()
    assert again.proposals("") == (code,) and code.comment == "Rude."
    assert again.proposals("digest-0") == again.open_proposals("digest-0", "ann") == (proposed,)
    log.append(
        replace(
            proposed, id="e" * 16, reviewer="ann", kind=LogAction.LABEL, proposal=proposed.id, proposed_by="bot"
        )
    )
    assert log.open_proposals("digest-0", "ann") == ()
    assert taken_by_code(log) == {("agent:bot", "tone"): (1, 1, 0)}


def test_logs_merged_in_any_order_say_the_same(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    add_codes(Codebook(tmp_path / "failures.md"), [WRONG_DATE])
    chance, lines = random.Random(5), list[bytes]()
    for who in ("ann", "bob", "agent:bot"):
        log = open_log(tmp_path / f"{who.removeprefix('agent:')}.reviews.jsonl")
        for index in range(12):
            log.append(label(f"digest-{index % 5}", said=chance.choice([*LabelValue]), reviewer=who))
        if who != "agent:bot":
            log.append(note(who))
        log.undo(who)
        lines += log.path.read_bytes().splitlines(keepends=True)
    merged = tmp_path / "merged.reviews.jsonl"

    def figures() -> object:
        log = open_log(merged)
        records = [f"digest-{index}" for index in range(5)]
        return len(log.decisions), [(log.labels(item), log.proposals(item), log.codes(item)) for item in records]

    merged.write_bytes(b"".join(lines))
    first = figures()
    for _ in range(30):
        chance.shuffle(lines)
        merged.write_bytes(b"".join(lines))
        assert figures() == first


@pytest.mark.parametrize("seed", range(12))
def test_labels_that_are_listed_line_by_line_are_those_of_a_log_that_is_read_anew(log: Log, seed: int) -> None:
    chance = random.Random(seed)
    other, records, names = open_log(log.path), ["digest-0", "digest-1"], ["wrong date", "tone", "date"]
    kept: list[Decision] = []
    draws = [draw_pass([entry(at) for at in range(2)], ["wrong date"], "ann", str(at)) for at in range(3)]
    for _ in range(60):
        into, record, who = chance.choice([log, other]), chance.choice(records), chance.choice(["ann", "bob"])
        noted = chance.choice([None, *(item.id for item in kept if item.kind is LogAction.NOTE)])
        asked = chance.choice([None, *(draw.id for draw in draws)])
        version = chance.choice([WRONG_DATE.digest, "", "0123456789abcdef"])
        made = label(
            record, chance.choice(names), chance.choice([*LabelValue]), who, definition=version, drawn=asked
        )
        match chance.randrange(8):
            case 0:
                kept.append(into.append(note(who, record)))
            case 1 if kept:
                into.append(replace(undoing(chance.choice(kept)), record=record))
            case 2:
                into.undo(who)
            case 3:
                into.keep_draw(chance.choice(draws))
            case 4:
                about = replace(made, kind=LogAction.DECIDE, verdict=Verdict.MODEL_WRONG, code=None, label=None)
                kept.append(into.append(replace(about, definition=None, drawn=None, tags=("tone",))))
            case 5 if log.codebook.find("date") is None:
                rename_code(log.codebook, "wrong date", "date")
            case 6:
                log.earlier = {record: Earlier(said=(replace(made, drawn=None, carried=True),))}
            case _:
                kept.append(into.append(replace(made, note=noted)))
        log.refresh()
        if chance.random() < 0.5:
            log.view(record, "ann")
        anew = open_log(log.path)
        anew.earlier = log.earlier
        assert log.given == anew.given
        by_record = {(digest, key, value) for key, labels in anew.given.items() for digest, value in labels.items()}
        assert {digest for digest, _, _ in by_record} == {digest for digest in anew.labelled if anew.labels(digest)}
        drawn = {(item.record, item.code, item.label) for digest in records for item in drawn_labels(anew, digest)}
        assert {(digest, key.code, value) for digest, key, value in by_record if key.drawn} == drawn
