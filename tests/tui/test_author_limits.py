"""What the author screen does at its limits: as time goes by, as room runs out, as the process ends."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.formats.data import Plain, Table
from sampleui.tui.author import disk
from sampleui.tui.author.preview import Subject, as_written, request
from sampleui.tui.author.problems import Problems
from sampleui.tui.author.widgets import problem_row
from sampleui.tui.drawing.rows import row_text

from .driver import DECKS, drawn_lines, opened, said


async def test_the_file_is_looked_at_again_and_again(hello: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "POLL_S", 0.01)
    async with opened(hello) as app:
        for said in ("What is 3+3?", "What is 4+4?"):
            hello.write_text(hello.read_text().replace(app.turns[0], said))
            await app.until(lambda: app.turns[0] == said)  # noqa: B023 - awaited before the next one


async def test_what_is_typed_when_the_process_ends_is_offered_at_the_next_start(hello: Path) -> None:
    async with opened(hello) as app:
        await app.press("enter", "x")
        app.screen.keep_typed()
        journal = app.screen.session.journal
        assert journal.path is not None and journal.file is not None
        written = journal.path.read_bytes()
    journal.file.close()
    journal.path.write_bytes(written)  # as if it had been killed
    async with opened(hello) as app:
        await app.dialog("r")
        await app.until(lambda: "x" in app.turns[0] and app.screen.session.unsaved)


def test_of_many_problems_the_first_ones_are_placed(tmp_path: Path) -> None:
    path = tmp_path / "deck.jsonl"
    path.write_text("".join(json.dumps({"id": str(at), "messages": []}) + "\n" for at in range(4)))
    problems = Problems(open_deck(path))
    problems.look(10)
    every = problems.placed()
    assert len(every) > 3
    for limit in (1, 2, 3):
        assert problems.placed(limit) == every[:limit]


def test_the_provider_stands_beside_the_style_where_there_is_room() -> None:
    deck = open_deck(DECKS / "hello.toml")
    subject = Subject(deck, deck.samples[0], deck.render(deck.samples[0]))
    whole = row_text(request(subject, 200)[0])
    assert whole == "prompt style sampleui  provider openai"
    assert row_text(request(subject, len(whole))[0]) == whole
    assert [*map(row_text, request(subject, len(whole) - 1)[:2])] == ["prompt style sampleui", "provider openai"]


def test_a_message_that_is_sent_twice_is_written_once() -> None:
    one: Table = {"role": "user", "content": "a"}
    other: Table = {"role": "user", "content": "b"}
    assert as_written([one, one], [one]) == [True, False]
    assert as_written([one, other], [other, one]).count(True) == 1


def test_a_message_is_as_written_where_its_segments_are_all_texts() -> None:
    sent: Table = {"role": "user", "content": "a"}
    text: Table = {"type": "text", "value": "a"}
    file: Table = {"type": "file", "value": "a"}
    assert as_written([sent], [{"role": "user", "content": [text]}]) == [True]
    others: list[Plain] = [[file], None]
    for content in others:
        assert as_written([sent], [{"role": "user", "content": content}]) == [False]


SCENARIOS = """\
prompts: ["{{a}} {{c}}"]
scenarios:
  - config:
      - vars: {a: one}
    tests:
      - vars: {c: three}
      - vars: {c: four}
"""


async def test_an_edit_of_a_sample_that_scenarios_make_is_refused_with_the_key_that_edits_its_text(
    tmp_path: Path,
) -> None:
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(SCENARIOS)
    async with opened(path) as app:
        app.screen.go_to(("vars", "a"))
        await app.press("enter", "!", "escape")
        assert "made of scenarios[0].config[0] and scenarios[0].tests[0]: press E" in said(app.screen)
    assert path.read_text() == SCENARIOS


def test_a_list_of_problems_names_the_rules_where_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "deck.jsonl"
    path.write_text("{}\n")
    problem = open_deck(path).diagnostics[0]
    wide, narrow = (row_text(problem_row(False, problem, width)) for width in (100, 99))
    assert problem.rule in wide and problem.rule not in narrow


@pytest.mark.parametrize(("height", "tall"), [(43, True), (42, False)])
async def test_a_tall_terminal_shows_a_second_tab(hello: Path, height: int, tall: bool) -> None:
    async with opened(hello, size=(120, height)) as app:
        assert app.screen.preview.has_class("-tall") is tall


async def test_a_text_with_a_very_long_line_is_edited_outside_once_that_is_agreed_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "x" * 20_001}]}) + "\n")
    monkeypatch.setenv("EDITOR", "no-such-editor")
    async with opened(path) as app:
        monkeypatch.setattr(app.app, "suspend", nullcontext)
        await app.press("enter")
        assert "20,001 characters are too many to be edited here" in app.dialog_text
        assert "Open the text in $EDITOR" in app.dialog_text
        await app.press("escape")
        assert not app.screen.typing and "no-such-editor" not in app.bar
        await app.press("enter", "enter")
        assert not app.screen.typing and "no-such-editor" in app.bar


async def test_what_is_beside_the_samples_has_no_prompt(hello: Path) -> None:
    async with opened(hello) as app:
        await app.press("0", "y")
        assert "the preview" not in "\n".join(drawn_lines(app.app.screen))
