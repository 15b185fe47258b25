"""Every form of deck through the same keys: only what was typed changes, in the file it belongs to."""

from __future__ import annotations

import pytest

from sampleui import open_deck
from sampleui.settings.options import load_settings

from .decks import DECKS_BY_FORM, KEYED, TOML, YAML
from .driver import changed_lines, opened


@pytest.mark.parametrize("form", [*DECKS_BY_FORM, "keyed"])
async def test_a_turn_is_edited_and_nothing_else(tmp_path, form):
    path = tmp_path / ("deck.toml" if form == "keyed" else f"deck.{form}")
    before = (KEYED if form == "keyed" else DECKS_BY_FORM[form]).encode()
    path.write_bytes(before)
    async with opened(path) as app:
        await app.press("enter")
        await app.type(" of all")
        await app.press("ctrl+s")
        await app.until(lambda: app.disk != before)
    removed, added = changed_lines(before, path.read_bytes())
    assert len(removed) == 1
    assert added == [removed[0].replace(b"First", b"First of all")]


@pytest.mark.parametrize("form", [*DECKS_BY_FORM, "keyed"])
async def test_every_key_that_edits_works_and_is_undone(tmp_path, form):
    path = tmp_path / ("deck.toml" if form == "keyed" else f"deck.{form}")
    before = KEYED if form == "keyed" else DECKS_BY_FORM[form]
    path.write_text(before, newline="")
    async with opened(path) as app:
        await app.press("D", "r", "J", "K", "o", *"Hi", "escape", "O", *"Ho", "escape", "m", "d", "n")
        if form == "keyed":
            await app.dialog("enter")
        await app.until(lambda: app.screen.conversation.editing)
        await app.press(*"New", "escape")
        assert "✖" not in app.bar
        assert app.turns == ["New"] and len(app.ids) == 3
        await app.press("[", "shift+tab", "D", "d")
        assert len(app.ids) == 3
        await app.press("ctrl+s")
        await app.until(lambda: app.disk != before.encode())
        again = open_deck(path)
        assert [one.messages for one in again.samples] == [one.messages for one in app.screen.session.deck.samples]
        while app.steps:
            await app.press("u")
        assert app.text == before
        await app.press("ctrl+s")
        await app.until(lambda: app.disk == before.encode())


async def test_a_keyed_deck_names_its_samples_and_keeps_them_named(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(KEYED)
    async with opened(path) as app:
        assert app.ids == ["one", "two"]
        await app.press("shift+tab", "D")
        assert app.ids == ["one", "one-2", "two"]
        assert "[samples.one-2]" in app.text
        await app.press("u", "J")
        assert app.ids == ["two", "one"] or "✖" in app.bar


async def test_what_an_alias_holds_is_refused_with_the_reason(tmp_path):
    path = tmp_path / "deck.yaml"
    path.write_text(
        "evalcases:\n"
        "  - id: one\n    input_messages: &shared\n      - role: user\n        content: Shared\n"
        "  - id: two\n    input_messages: *shared\n"
    )
    before = path.read_bytes()
    async with opened(path) as app:
        await app.press("]")
        assert app.turns == ["Shared"]
        await app.press("enter")
        assert "shared by 2 samples: &shared" in " ".join(app.dialog_text.split())
        await app.press("escape")
        assert not app.screen.conversation.editing and app.text.encode() == before
        await app.press("d")
        assert "✖" in app.bar and "alias" in app.bar
        assert app.text.encode() == before and app.steps == 0


async def test_a_markdown_deck_writes_to_the_file_a_sample_stands_in(tmp_path):
    (tmp_path / "parts").mkdir()
    one, two = tmp_path / "parts" / "one.toml", tmp_path / "two.yaml"
    one.write_text(TOML)
    two.write_text(YAML.replace("id: one", "id: three").replace("id: two", "id: four"))
    deck = tmp_path / "all.deck.md"
    deck.write_text("# All\n\n![first](./parts/one.toml)\n\nText.\n\n![second](./two.yaml)\n")
    held = {path: path.read_bytes() for path in (one, two, deck)}
    async with opened(deck) as app:
        assert app.ids == ["one", "two", "three", "four"]
        await app.press("]", "]", "enter")
        await app.type("!")
        await app.press("escape", "ctrl+s")
        await app.until(lambda: two.read_bytes() != held[two])
        assert (one.read_bytes(), deck.read_bytes()) == (held[one], held[deck])
        assert len(changed_lines(held[two], two.read_bytes())[1]) == 1
        assert "saved two.yaml" in app.bar
        await app.press("[", "enter")
        await app.type("!")
        await app.press("escape", "u")
        assert "unsaved" not in app.title
        await app.press("ctrl+r", "ctrl+s")
        await app.until(lambda: one.read_bytes() != held[one])
        assert deck.read_bytes() == held[deck]


async def test_a_record_of_an_older_form_is_brought_up_to_date_as_one_step(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "old", "question": "What is 2+2?", "choices": ["3", "4"], "answer": "B"}\n')
    before = path.read_bytes()
    async with opened(path, dialect="gage") as app:
        assert "What is 2+2?" in "\n".join(app.cards)
        await app.press("M")
        assert app.steps == 1 and "question" not in app.screen.sample.data
        assert "brought up to date" in app.bar
        await app.press("u")
        assert app.text.encode() == before


async def test_what_is_said_of_older_spellings_that_are_not_rewritten_in_the_file_is_true(tmp_path):
    path = tmp_path / "deck.yaml"
    older = "  - {id: a, input_messages: [{role: user, content: x}], expected_outcome: y}\n"
    path.write_text(f"tests:\n{older}  - {{id: b, input: x, criteria: y}}\n")
    async with opened(path) as app:
        await app.press("M")
        assert "renamed 1 older key" in app.bar and "criteria: y}\n  - {id: b" in app.text
        await app.press("M")
        assert "convert --from agentv --to agentv writes today's" in app.bar
        await app.press("]", "M")
        assert "in today's form already" in app.bar


@pytest.mark.parametrize("name", ["deck.toml", "new.csv"])
async def test_a_deck_of_ones_own_dialect_is_begun_and_goes_on_as_it_is_spelled(tmp_path, name):
    (tmp_path / ".sampleui.toml").write_text('[dialects.mine]\ncontainer = "."\nprompt = "q"\nid = "uid"\n')
    (tmp_path / "deck.toml").write_text('[a]\nq = "2?"\n')
    async with opened(tmp_path / name, settings=load_settings(tmp_path), dialect="mine") as app:
        await app.press(*"cn" if name == "new.csv" else "n")
        if name == "deck.toml":
            await app.dialog("b", "enter")
        await app.until(lambda: app.screen.conversation.editing)
        await app.press(*"3?", "escape", "ctrl+s")
        await app.until(lambda: b"3?" in app.disk)
    wanted = {"deck.toml": '[a]\nq = "2?"\n\n[b]\nq = "3?"\n', "new.csv": 'uid,q\nsample,"3?"\n'}
    assert (tmp_path / name).read_text() == wanted[name]


async def test_a_new_agentv_deck_has_the_names_that_agentv_reads_today(tmp_path):
    async with opened(tmp_path / "new.yaml", dialect="agentv") as app:
        await app.press(*"cn")
        await app.until(lambda: app.screen.conversation.editing)
        await app.press(*"Hi", "escape", "ctrl+s")
        await app.until(lambda: b"Hi" in app.disk)
    data = open_deck(tmp_path / "new.yaml").files.sources[0].document
    assert data.container == ("tests",)
    assert data.read(0) == {"id": "hi", "input": [{"role": "user", "content": "Hi"}]}
