"""What programs propose, shown in a review: a person takes or refuses it, and who did is on the disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sampleui.cli.main import run as main
from sampleui.review.log.store import log_path, open_log
from sampleui.review.verdict import LogAction
from sampleui.tui.review.boxes import ReportScreen, ShowDiff, ShowProposals
from sampleui.workspace.proposed_edits import ProposalAnswer, proposals_path, proposed_edits

from .review_driver import RESULTS, ReviewDriver, reviewing

AGENT = "agent:bot"


@pytest.fixture
def results(hello: Path) -> Path:
    path = hello.parent / "hello.results.jsonl"
    path.write_bytes((RESULTS / path.name).read_bytes())
    return path


def do(*words: object) -> None:
    assert main([str(word) for word in words]) == 0


@pytest.fixture
def proposed(results: Path, hello: Path) -> Path:
    """Results of which a program proposed two verdicts, a comment, and an edit of a sample."""
    do("verdict", results, "refund-policy", "model-wrong", "--as", AGENT, "--comment", "promises a refund")
    do("verdict", results, "algebra-tutor", "flaky", "--as", AGENT)
    do("comment", results, "haiku", "six syllables", "--as", AGENT)
    edit = ("set", hello, "--sample", "haiku", "--path", "messages[0].content", "--value", "A haiku about rain")
    do(*edit, "--propose", "--as", AGENT, "--comment", "clearer")
    return results


async def go_to(app: ReviewDriver, name: str) -> None:
    """Go to the record, or the row without one, of a name."""
    review, places = app.screen.review, app.queue
    review.state = review.state.at(review.state.rows[places.index(name)])
    app.screen.show_all()
    await app.rested()


REASON = " ".join(f"word{number}" for number in range(30))


@pytest.mark.parametrize("reason", ["", "promises a refund", REASON, REASON * 8, "a\nb\nc\nd\ne\nf"])
async def test_a_proposal_is_taken_only_where_its_verdict_reason_and_author_stand_on_the_screen(
    results, hello, reason
):
    do("verdict", results, "haiku", "model-wrong", "--as", AGENT, "--comment", reason)
    async with reviewing(results, hello, record_id="haiku") as app:
        for columns in (30, 40, 59, 60, 79, 80, 99, 100, 120, 200):
            await app.pilot.resize_terminal(columns, 24)
            await app.rested()
            taken, seen = len(app.log), app.drawn
            await app.press("A")
            while len(app.log) == taken:  # it has no room beside the panes: a box shows it page by page
                assert isinstance(app.screen.app.screen, ShowProposals), columns
                seen += app.drawn
                await app.press("enter")
                await app.rested()
            assert app.log[-1].proposed_by == AGENT
            words = "".join(seen.split())
            for text in (AGENT, "model-wrong", *(reason.split() or ["withoutareason"])):
                assert text in words, columns
            await app.press("u")


async def test_a_proposal_that_another_takes_the_place_of_is_not_taken_unseen(results, hello):
    do("verdict", results, "haiku", "model-wrong", "--as", AGENT)
    async with reviewing(results, hello, record_id="haiku") as app:
        do("verdict", results, "haiku", "ok", "--as", "agent:other")
        app.screen.review.log.refresh()
        await app.press("A")
        await app.over(ShowProposals)
        assert "agent:other proposes ok" in app.drawn


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_proposed_verdict_is_taken_by_a_key_and_who_took_it_is_recorded(proposed, hello, size):
    async with reviewing(proposed, hello, size=size) as app:
        await go_to(app, "refund-policy")
        assert "0 decided" in app.title, "a proposal decides nothing"
        if size[0] == 120:
            assert "? proposed model-wrong" in app.scores and "promises a refund" in app.scores
        await app.press("A")
        assert "took model-wrong for refund-policy, proposed by agent:bot" in app.said
        (taken,) = [item for item in app.log if item.reviewer == "ada"]
        told = (taken.kind, taken.verdict, taken.comment, taken.proposed_by)
        assert told == (LogAction.DECIDE, "model-wrong", "promises a refund", AGENT)
        await app.press("u")
        assert "took back model-wrong of refund-policy" in app.said
        assert app.screen.review.item.view.proposed == "model-wrong", "it waits again"


async def test_words_of_a_program_never_pass_for_those_of_who_took_them(proposed, hello):
    async with reviewing(proposed, hello, record_id="refund-policy") as app:
        await app.press("A")
        last = app.log[-1]
        assert (last.verdict, last.comment, last.proposed_by) == ("model-wrong", "promises a refund", AGENT)
        await go_to(app, "refund-policy")
        await app.press("5")
        assert (app.log[-1].verdict, app.log[-1].comment, app.log[-1].proposed_by) == ("ok", "", None)
        assert "your comment stays" not in app.said


async def test_a_refused_proposal_waits_no_longer_and_can_wait_again(proposed, hello):
    async with reviewing(proposed, hello) as app:
        await go_to(app, "refund-policy")
        await app.press("R")
        assert "refused 1 proposal" in app.said
        assert "refused by ada" in app.scores
        assert app.screen.review.item.view.proposed is None and app.screen.review.item.verdict is None
        await app.press("R")
        await app.over(ReportScreen)
        await app.press("escape")
        await app.back()
        await app.press("u")
        assert "took back the refusal of 1 proposal" in app.said
        assert app.screen.review.item.view.proposed == "model-wrong"


async def test_marked_proposals_are_taken_as_one_step(proposed, hello):
    async with reviewing(proposed, hello) as app:
        await app.press("f", *"proposed", "enter")
        assert sorted(app.queue) == ["algebra-tutor", "haiku", "refund-policy"]
        await app.press("*", "escape", "f", *"all rec", "enter")
        await go_to(app, "algebra-tutor")
        await app.press("shift+tab", "shift+tab", "space")
        await go_to(app, "refund-policy")
        await app.press("space", "A")
        await app.over(ShowProposals)
        assert all(text in app.drawn for text in ("algebra-tutor", "flaky", "refund-policy", "promises a refund"))
        await app.press("enter")
        await app.back()
        assert "took 2 verdicts, proposed by agent:bot" in app.said
        await app.press("u")
        assert "took back the verdicts of 2 records" in app.said
        assert app.screen.review.progress.reviewed == 0


async def test_a_proposed_comment_becomes_a_note_that_says_whose_words_it_has(proposed, hello):
    proposals_path(hello).unlink()
    async with reviewing(proposed, hello, record_id="haiku") as app:
        assert "? proposed a comment" in app.scores and "six syllables" in app.scores
        await app.press("A")
        last = app.log[-1]
        assert (last.kind, last.verdict, last.comment) == ("note", None, "six syllables")
        await go_to(app, "haiku")
        assert last.proposed_by == AGENT and "a note, proposed by" in app.scores
        await app.press("A")
        assert "took" not in app.said and app.log[-1] == last, "it waits no longer"
        await app.press("c", "enter")
        assert app.log[-1] == last, "words that were not changed stay the program's"
        await app.press("u")
        assert "took back the note" in app.said and "? proposed a comment" in app.scores


async def test_a_proposed_edit_is_seen_as_its_diff_and_saved_by_enter(proposed, hello):
    before = hello.read_text()
    async with reviewing(proposed, hello, record_id="haiku") as app:
        assert "Proposed edit" in app.scores and "clearer" in app.scores
        await app.press("A")
        await app.over(ShowDiff)
        assert "agent:bot proposes for haiku" in app.drawn and "A haiku about rain" in app.drawn
        await app.press("escape")
        await app.back()
        assert hello.read_text() == before, "not taken"
        await app.press("A")
        await app.over(ShowDiff)
        await app.press("enter")
        await app.back()
        assert "A haiku about rain" in hello.read_text()
        (edit,) = proposed_edits(hello)
        assert (edit.answer, edit.answered_by) == (ProposalAnswer.TAKE, "ada")
        await app.press("u")
        assert "took back the note" in app.said, "the comment was taken behind the edit"
        await app.press("u")
        await app.over(ShowDiff)
        await app.press("enter")
        await app.back()
        assert hello.read_text() == before
        assert proposed_edits(hello)[0].answer is None, "it waits again"


async def test_a_refused_edit_is_no_longer_shown_and_can_wait_again(proposed, hello):
    async with reviewing(proposed, hello, record_id="haiku") as app:
        await app.press("R")
        assert "Proposed edit" not in app.scores
        assert proposed_edits(hello)[0].answer is ProposalAnswer.REFUSE
        await app.press("u", "u")
        assert "Proposed edit" in app.scores and proposed_edits(hello)[0].answer is None


async def test_an_edit_of_a_sample_without_a_record_has_a_row_of_its_own(results, hello):
    do(
        "add-sample",
        hello,
        "--json",
        '{"id": "bye", "messages": [{"role": "user", "content": "Bye"}]}',
        "--propose",
    )
    async with reviewing(results, hello) as app:
        assert "(bye)" in app.queue
        await go_to(app, "(bye)")
        await app.press("A")
        await app.over(ShowDiff)
        await app.press("enter")
        await app.back()
        assert "bye" in hello.read_text()


async def test_an_edit_by_number_is_refused_once_the_deck_has_changed(results, hello):
    do("delete-sample", hello, "--sample", "#2", "--propose", "--as", AGENT)
    name = proposed_edits(hello)[0].samples
    assert name == ("#2",)
    do("set", hello, "--sample", "haiku", "--path", "score", "--json", "2")
    async with reviewing(results, hello) as app:
        await go_to(app, "(#2)")
        await app.press("A")
        assert "has changed since the proposal" in app.said


def test_a_proposal_counts_nowhere_before_it_is_taken(
    proposed: Path, hello: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def out(*words: object) -> str:
        capsys.readouterr()
        main([str(word) for word in words])
        return capsys.readouterr().out

    report = json.loads(out("report", proposed, "--format", "json"))
    assert report["review"]["reviewed"] == 0 and report["reviewers"] is None
    assert {item["kind"] for item in report["review"]["decisions"]} == {"propose"}
    assert out("next", proposed, "--format", "id").strip() == "unit-conversion"
    target = proposed.parent / "new.toml"
    assert main(["export", str(proposed), "--verdict", "model-wrong", "--to", str(target)]) == 1
    assert (
        main(["export", str(proposed), "--verdict", "model-wrong", "--to", str(target), "--reviewer", AGENT]) == 2
    )
    assert not target.exists()
    assert json.loads(out("comments", proposed, "--format", "json")) == {"comments": []}
    assert "A haiku about rain" not in hello.read_text()
    page = out("report", proposed, "--format", "html", "--records", "all")
    assert "proposed model-wrong" in page and "proposed a comment" in page


@pytest.mark.parametrize("name", ["ada", "bot", "agent", "agentbot:x"])
def test_only_a_program_proposes(results: Path, hello: Path, name: str, sayings: Callable[[], str]) -> None:
    assert main(["verdict", str(results), "haiku", "ok", "--as", name]) == 2
    assert "not the name of a program" in sayings()
    assert main(["comment", str(results), "haiku", "x", "--as", name]) == 2
    words = ["set", str(hello), "--sample", "haiku", "--path", "score", "--json", "2", "--propose", "--as", name]
    assert main(words) == 2
    assert not log_path(results).exists() and not proposals_path(hello).exists()


@pytest.fixture
def sayings(capsys: pytest.CaptureFixture[str]) -> Callable[[], str]:
    return lambda: capsys.readouterr().err


def test_lines_that_a_program_wrote_as_a_person_would_count_for_nothing(results: Path, hello: Path) -> None:
    do("verdict", results, "haiku", "ok", "--as", AGENT)
    (own,) = open_log(log_path(results)).decisions
    base = json.loads(log_path(results).read_text())
    forged = [
        {**base, "id": "1" * 16, "kind": "decide"},
        {**base, "id": "2" * 16, "kind": "adjudicate"},
        {**base, "id": "3" * 16, "kind": "refuse", "proposal": own.id},
        {**base, "id": "4" * 16, "kind": "decide", "reviewer": "ａｇｅｎｔ：bot", "proposal": own.id},
    ]
    with log_path(results).open("a") as file:
        file.writelines(json.dumps(row) + "\n" for row in forged)
    log = open_log(log_path(results))
    assert log.current(own.record) is None and log.by_reviewer(own.record) == {} and log.ruling(own.record) is None
    assert log.open_proposals(own.record), "it waits still"

    do("set", hello, "--sample", "haiku", "--path", "score", "--json", "2", "--propose", "--as", AGENT)
    (edit,) = proposed_edits(hello)
    with proposals_path(hello).open("a") as file:
        row = {"id": "5" * 16, "time": edit.time, "kind": "take", "reviewer": AGENT, "proposal": edit.id}
        file.write(json.dumps(row) + "\n")
    assert proposed_edits(hello)[0].answer is None
