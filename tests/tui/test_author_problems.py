"""Problems: said as one types, gone to by key, told where they are."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial

import pytest

from sampleui import open_deck
from sampleui.deck import edit
from sampleui.formats.operations import Set
from sampleui.tui.author.problems import Problems
from sampleui.tui.author.session import Session
from sampleui.tui.author.showing import title_of
from sampleui.tui.drawing.rows import row_text
from sampleui.workspace.filtering import Filtering

from .driver import DECKS, opened, said


async def test_the_panel_lists_every_problem_with_its_place():
    deck = open_deck(DECKS / "problems.toml")
    async with opened(DECKS / "problems.toml") as app:
        await app.until(lambda: app.screen.session.problems.complete)
        shown = app.screen.problem_list.items
        assert sorted(map(str, shown)) == sorted(map(str, deck.diagnostics))
        rows = [row_text(app.screen.problem_list.row(at, 118)) for at in range(len(shown))]
        for one, row in zip(shown, rows, strict=True):
            assert row.endswith(f" {one.line}:{one.column}") and one.message[:20] in row
        assert app.screen.status() == ("✖ Sample must have messages array", "error"), "of a sample as a whole"
        errors = sum(one.severity == "error" for one in deck.diagnostics)
        assert f"{errors} errors" in app.title


async def test_g_goes_to_every_sample_with_a_problem_in_order_and_begins_anew():
    deck = open_deck(DECKS / "problems.toml")
    wanted = sorted({one.sample_index for one in deck.diagnostics})
    async with opened(DECKS / "problems.toml") as app:
        await app.until(lambda: app.screen.session.problems.complete)
        seen = []
        for _ in range(len(deck.diagnostics) + 1):
            await app.press("g")
            seen.append(app.screen.index)
        assert sorted(set(seen)) == wanted
        assert seen[-1] == seen[0] or seen[0] in seen[1:]
        assert app.screen.conversation.has_focus


async def test_g_goes_to_the_value_the_problem_is_about():
    async with opened(DECKS / "problems.toml") as app:
        await app.until(lambda: app.screen.session.problems.complete)
        for _ in range(4):
            await app.press("g")
        sample = app.screen.sample
        assert sample is not None and sample.id == "no-role"
        assert "✖" in app.cards[0]


async def test_enter_in_the_panel_goes_there():
    async with opened(DECKS / "problems.toml") as app:
        await app.until(lambda: app.screen.session.problems.complete)
        await app.press("tab", "tab", "j", "j", "j", "enter")
        target = app.screen.problem_list.items[3]
        assert app.screen.index == target.sample_index
        assert app.screen.conversation.has_focus


async def test_the_screen_is_not_laid_out_again_where_no_problem_is_new(hello, monkeypatch):
    async with opened(hello) as app:
        laid_out = []
        monkeypatch.setattr(app.screen, "_refresh_layout", lambda *_, **__: laid_out.append(1))
        app.screen.problem_marks.show()
        await app.press()
        assert not laid_out
        app.screen.refresh(layout=True)
        await app.press()
        assert laid_out


async def test_a_letter_that_is_typed_does_not_paint_the_whole_conversation_again(hello, monkeypatch):
    async with opened(hello) as app:
        await app.press("enter")
        await app.type("a")
        painted = []
        monkeypatch.setattr(app.screen.conversation, "refresh", lambda *_, **__: painted.append(1))
        await app.type("b")
        assert not painted


async def test_g_says_so_where_there_are_none(hello):
    async with opened(hello) as app:
        await app.press("g")
        assert "no problems" in app.bar
        assert "no problems" in app.title


async def test_a_problem_of_no_sample_is_told_whole(tmp_path):
    (tmp_path / "odd.json").write_text('{"foo": [1, 2]}')
    async with opened(tmp_path / "odd.json", size=(80, 24)) as app:
        told = "odd.json:1:1, of no sample: No samples were found; they are expected in a list under samples,"
        assert "No samples were found; they are expected" in app.dialog_text
        await app.press("g")
        assert told in app.bar
        await app.press("escape", "4", "enter")
        assert told in app.bar and app.screen.scope == "problems"


async def test_a_problem_comes_and_goes_as_one_types(hello):
    async with opened(hello) as app:
        await app.press("j", "j", "enter")
        await app.write("haiku")
        await app.until(lambda: "duplicate-id" in [one.rule for one in app.screen.problem_list.items])
        assert app.screen.conversation.editing
        # The panes keep their sizes while one types; the title counts the problems.
        assert not app.screen.problem_list.display and "1 error" in app.title
        await app.type("x")
        await app.until(lambda: not app.screen.problem_list.items)
        await app.press("escape")


async def test_the_sample_list_marks_those_with_problems():
    async with opened(DECKS / "problems.toml") as app:
        await app.until(lambda: app.screen.session.problems.complete)
        rows = [row_text(app.screen.samples.row(at, 40)) for at in range(app.screen.samples.count())]
        marked = [row.split()[1] for row in rows if row.startswith(("✖", "▲"))]
        assert "no-messages" in marked and "typo" not in marked


async def test_what_is_found_while_one_works_is_shown_as_it_is_found(tmp_path, monkeypatch):
    look, allowed = Problems.look, [0]

    def look_at_allowed(problems, _samples):
        samples, allowed[0] = allowed[0], 0
        look(problems, samples)

    monkeypatch.setattr(Problems, "look", look_at_allowed)
    path = tmp_path / "deck.jsonl"
    path.write_text("".join(f'{{"id": "s{n}", "messages": [{{"content": "x"}}]}}\n' for n in range(100)))
    async with opened(path) as app:
        pane = app.screen.problem_list
        assert "1 error" in app.title and pane.count() == 1
        for looked, listed, passing in ((50, 50, 50), (20, 50, 70)):
            allowed[0] = looked
            await app.until(lambda passing=passing: f"{passing} errors" in app.title)
            assert pane.count() == listed
        await app.press("/", *"problem", "enter")
        assert len(app.screen.sample_filter.shown) == 70
        allowed[0] = 30
        await app.until(lambda: "100 errors" in app.title)
        assert len(app.screen.sample_filter.shown) == pane.count() == 100 and "100 errors" in app.title


async def test_problems_are_of_the_samples_that_they_were_of_when_a_new_one_is_left_empty(tmp_path):
    path = tmp_path / "deck.jsonl"
    good, bad = ({"role": role, "content": "x"} for role in ("user", ""))
    path.write_text(
        "".join(json.dumps({"id": str(at), "messages": [one]}) + "\n" for at, one in enumerate((good, good, bad)))
    )
    async with opened(path) as app:
        await app.until(lambda: app.screen.session.problems.complete)
        before = app.screen.session.problems.placed()
        await app.press("n", "escape")
        await app.until(lambda: app.screen.session.problems.complete)
        assert app.screen.session.problems.placed() == before and before
        await app.press("g")
        assert app.screen.index == 2


SAME = [{"id": name, "messages": [{"role": "user", "content": "Hi"}], "tags": ["x"]} for name in "abc"]
OLD = [{"sample_id": f"q{at}", "question": "Why?", "choices": ["So.", "No."], "answer": "A"} for at in range(18)]


def told(app) -> tuple[str, list[str], list[int]]:
    """Return what the header, the list and the filter say of problems."""
    app.screen.problem_marks.show()
    drawn = [row_text(app.screen.samples.row(at, 40)) for at in range(app.screen.samples.count())]
    rows = [text.removeprefix("* ")[0] for text in drawn]
    found = Filtering(app.screen.session.deck, "problem", app.screen.session.problems.found_in).passing()
    return app.title.split("  ")[-1].strip(), rows, found


def due(app) -> tuple[str, list[str], list[int]]:
    """Return what `check` says of the deck as it would be saved."""
    copied = app.path.with_name(f"copy-{app.path.name}")
    copied.write_text(app.text)
    deck = open_deck(copied, app.screen.session.deck.dialect)
    counts = Counter(str(one.severity) for one in deck.diagnostics)
    words = [f"{counts[kind]} {kind}{'s' * (counts[kind] > 1)}" for kind in ("error", "warning") if counts[kind]]
    worst = [
        {str(one.severity) for one in deck.diagnostics if one.sample_index == at} for at in range(len(deck.samples))
    ]
    marks = ["✖" if "error" in kinds else "▲" if "warning" in kinds else " " for kinds in worst]
    found = [at for at, mark in enumerate(marks) if mark != " "]
    return f"✖ {', '.join(words)}" if words else "✓ no problems", marks, found


@pytest.mark.parametrize(
    ("samples", "deeds"),
    [
        (
            SAME,
            [
                ["*", "S", *'tags = "z"', "enter"],
                ["u"],
                ["ctrl+r"],
                ["u", "S", *"id = a", "enter"],
                ["u", "S", *"messages =", "enter"],
            ],
        ),
        (OLD, [["*", "M"], ["u"]]),
    ],
)
async def test_every_sample_that_an_edit_touches_is_judged_again(tmp_path, samples, deeds):
    path = tmp_path / "deck.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in samples))
    async with opened(path, dialect="gage" if samples is OLD else None) as app:
        await app.until(lambda: app.screen.session.problems.complete)
        await app.press("1")
        for keys in deeds:
            text = app.text
            await app.press(*keys)
            await app.until(lambda: app.screen.session.problems.complete)
            assert app.text != text and told(app) == due(app), keys


async def test_what_is_replaced_or_pasted_is_judged_again(tmp_path, system):
    path = tmp_path / "deck.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in SAME))
    async with opened(path) as app:
        await app.until(lambda: app.screen.session.problems.complete)
        await app.press("ctrl+f", *"Hi", "enter")
        await app.until(lambda: app.screen.seeking.complete)
        await app.press("r")
        await app.dialog("enter")
        await app.press("enter")
        await app.rested()
        assert told(app) == due(app)
        await app.press("escape", "1", "*", "ctrl+c", "ctrl+c", "ctrl+v")
        await app.dialog("enter")
        await app.until(lambda: app.screen.session.problems.complete)
        assert told(app) == due(app)


async def test_a_new_sample_is_written_under_a_filter_of_problems(tmp_path):
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text("prompts: ['{{a}}']\nproviders: [echo]\ntests:\n  - vars: {a: one}\n")
    async with opened(path) as app:
        await app.press("/", *"problem", "enter", "n", *"two", "escape")
        assert len(app.ids) == 2 and "two" in app.text


def test_counts_of_what_is_not_judged_yet_are_said_to_be_so_far(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "same", "messages": []}\n' * 40)
    session = Session(open_deck(path))
    session.problems.look(20)
    assert title_of(session, session.deck.samples[0]).problems[1].endswith(" so far")
    session.problems.look(20)
    assert title_of(session, session.deck.samples[0]).problems[1].endswith(" errors")


def _rules(app) -> list[str]:
    return [one.rule for one in app.screen.problem_list.items]


_GAGE = {"schema_version": "v1", "sample_id": "a", "messages": [{"role": "user", "content": "x"}]}


@pytest.mark.parametrize(
    ("samples", "keys"),
    [
        (
            [{"messages": [{"role": "user", "content": "x"}]}] * 2,
            ("1", "*", "S", *'schema_version = "v1"', "enter"),
        ),
        ([_GAGE, {"id": 1, "input": "First", "target": "a"}], ("1", "d")),
        ([_GAGE, {"messages": [{"role": "user", "content": "x"}]}], ("1", "d")),
        ([_GAGE], ("1", "S", *"schema_version =", "enter")),
    ],
)
async def test_a_deck_is_judged_in_the_dialect_that_its_file_then_is_in(tmp_path, samples, keys):
    path = tmp_path / "deck.jsonl"
    path.write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    before = open_deck(path)
    async with opened(path) as app:
        await app.press(*keys)
        assert "from now on" in said(app.screen)
        await app.press("ctrl+s")
        await app.until(lambda: app.screen.session.problems.complete)
        saved = open_deck(path)
        assert saved.dialect != before.dialect and app.screen.session.deck.dialect == saved.dialect
        assert sorted(map(str, app.screen.problem_list.items)) == sorted(map(str, saved.diagnostics))
        await app.press("u")
        assert app.screen.session.deck.dialect == before.dialect


async def test_a_deck_stays_in_the_dialect_that_was_asked_for_and_an_empty_one_in_its_own(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps(_GAGE) + "\n")
    session = Session(open_deck(path, "calibrate"))
    session.perform("set", partial(edit.apply, index=0, operation=Set(("label",), "A")))
    assert session.deck.dialect == "calibrate"
    session = Session(open_deck(path))
    session.perform("delete", partial(edit.delete_sample, index=0))
    assert session.deck.dialect == "gage"


async def test_a_file_of_an_index_is_told_as_empty_once_its_samples_are_deleted(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(f'[[samples]]\nid = "{name}"\n[[samples.messages]]\nrole = "user"\n')
    path = tmp_path / "deck.md"
    path.write_text("![a](./a.toml)\n\n![b](./b.toml)\n")
    async with opened(path) as app:
        await app.press("1", "j", "d", "ctrl+s")
        assert _rules(app) == [one.rule for one in open_deck(path).diagnostics]
        assert "reference-empty" in _rules(app)
        await app.press("u")
        assert "reference-empty" not in _rules(app)


async def test_a_turn_that_is_emptied_is_an_error_while_it_is_typed_and_a_new_one_is_not(hello):
    async with opened(hello) as app:
        await app.until(lambda: app.screen.session.problems.complete)
        await app.press("enter", "f7", "backspace")
        await app.until(lambda: "1 error" in app.title)
        assert app.screen.typing
        await app.press("x")
        await app.until(lambda: "error" not in app.title)
        await app.press("escape", "o")
        assert app.screen.typing
        assert "error" not in app.title
        await app.press("y", "backspace")
        assert "error" not in app.title


async def test_a_turn_of_segments_that_is_emptied_is_an_error_while_it_is_typed_too(tmp_path):
    path = tmp_path / "deck.jsonl"
    said = {"role": "user", "content": [{"type": "text", "text": "Hi"}]}
    path.write_text(json.dumps({"id": "a", "messages": [said, {"role": "assistant", "content": "Yo"}]}) + "\n")
    async with opened(path) as app:
        await app.press("enter", "f7", "backspace")
        await app.until(lambda: "1 error" in app.title)
        assert app.screen.typing


async def test_a_problem_that_tests_share_is_one_at_its_place_and_on_no_field(tmp_path):
    path = tmp_path / "promptfooconfig.yaml"
    tests = "".join(f"  - vars: {{q: {name}}}\n" for name in "abc")
    path.write_text(f"prompts: [file://gone.txt]\nproviders: [echo]\ntests:\n{tests}")
    async with opened(path) as app:
        await app.until(lambda: app.screen.session.problems.complete)
        assert "✖ 1 error" in app.title
        (shown,) = app.screen.problem_list.items
        assert (shown.line, shown.sample) == (1, None)
        assert not [card for card in app.cards if "✖" in card]
        assert app.screen.status()[0].startswith("✖ gone.txt does not exist beside the config")
