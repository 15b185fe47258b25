"""Commands and keys: each default of the contract, no two commands for one key, rebinding, and what is refused."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from sampleui.errors import SettingsError
from sampleui.settings.options import Settings, load_settings, user_file
from sampleui.tui.app import check_bound_keys
from sampleui.tui.author.actions import AUTHOR
from sampleui.tui.commands import EDITOR, Keymap, Registry, ScreenKind, key_label, key_named, use_keys
from sampleui.tui.screens.dialogs import Overlay

from .driver import drawn_lines, opened, said


def write_user(text: str) -> None:
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(text)


DEEDS = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "make_keys.py"))["DEEDS"]
PANES = ("samples", "turns", "preview", "problems")
EVERYWHERE = (*PANES, "")

CONTRACT = {
    "tab": ("pane.next", PANES),
    "shift+tab": ("pane.previous", PANES),
    "f6": ("pane.next", (*PANES, EDITOR)),
    "[": ("sample.previous", PANES),
    "]": ("sample.next", PANES),
    "j": ("cursor.down", PANES),
    "k": ("cursor.up", PANES),
    "down": ("cursor.down", PANES),
    "up": ("cursor.up", PANES),
    "enter": ("turn.edit", ("turns",)),
    "escape": ("edit.leave", (EDITOR,)),
    "o": ("turn.add-below", ("turns",)),
    "O": ("turn.add-above", ("turns",)),
    "d": ("turn.delete", ("turns",)),
    "D": ("turn.duplicate", ("turns",)),
    "J": ("turn.move-down", ("turns",)),
    "K": ("turn.move-up", ("turns",)),
    "r": ("turn.next-role", ("turns",)),
    "R": ("turn.choose-role", ("turns",)),
    "m": ("turn.merge", ("turns",)),
    "ctrl+t": ("edit.split", (EDITOR,)),
    "a": ("turn.attach", ("turns",)),
    "u": ("deck.undo", PANES),
    "ctrl+r": ("deck.redo", PANES),
    "p": ("preview.next", PANES),
    "/": ("sample.filter", PANES),
    "n": ("sample.new", PANES),
    "g": ("problem.next", PANES),
    "!": ("problem.next", PANES),
    "e": ("turn.edit", ("turns",)),
    "y": ("turn.copy", PANES),
    "ctrl+s": ("deck.save", (*PANES, EDITOR)),
    "ctrl+p": ("app.palette", (*PANES, EDITOR)),
    "?": ("app.help", PANES),
    "ctrl+q": ("app.quit", (*PANES, EDITOR)),
}


@pytest.mark.parametrize("key", CONTRACT)
def test_every_default_key_runs_what_it_should(key):
    keymap = Keymap(AUTHOR, {})
    command, scopes = CONTRACT[key]
    for scope in scopes:
        found = keymap.find(scope, key, key if len(key) == 1 else None)
        assert found is not None and found.id == command


@pytest.mark.parametrize("scope", (*EVERYWHERE, EDITOR))
def test_no_key_is_that_of_two_commands_of_a_pane(scope):
    seen = {}
    for command in AUTHOR:
        for key in command.keys:
            if scope in command.scopes or (command.anywhere if scope == EDITOR else not command.scopes):
                rank = (key, scope in command.scopes)
                assert rank not in seen, (command.id, seen.get(rank))
                seen[rank] = command.id


def test_a_key_of_a_pane_hides_no_command_of_all_panes():
    everywhere = {key: one.id for one in AUTHOR if not one.scopes for key in one.keys}
    for one in AUTHOR:
        for key in one.keys:
            assert not one.scopes or one.scopes in ({EDITOR}, {"found"}) or key not in everywhere, (
                one.id,
                everywhere.get(key),
            )


def test_no_printable_key_runs_anything_in_a_text():
    keymap = Keymap(AUTHOR, {})
    for character in map(chr, range(32, 127)):
        assert keymap.find(EDITOR, character, character) is None


def test_every_command_can_be_found_and_is_explained():
    for command in AUTHOR:
        assert command.help.endswith(".") and len(command.help) <= 100
        assert command.title and command.group


def test_rebound_keys_replace_the_default_ones():
    keymap = Keymap(AUTHOR, {"turn.delete": ("x", "delete"), "turn.merge": ()})
    assert keymap.find("turns", "d", "d") is None
    assert keymap.find("turns", "delete", None) == AUTHOR["turn.delete"]
    assert keymap.find("turns", "m", "m") is None
    assert AUTHOR["turn.merge"] not in keymap.offered("turns")


def test_a_key_may_be_written_as_the_character_or_by_name():
    keymap = Keymap(AUTHOR, {"app.help": ("question_mark",), "sample.next": ("]",)})
    assert keymap.find("turns", "question_mark", "?") == AUTHOR["app.help"]
    assert keymap.find("turns", "right_square_bracket", "]") == AUTHOR["sample.next"]


def test_a_command_of_the_pane_comes_before_one_of_all_panes():
    registry: Registry[None] = Registry()
    registry.command("all", "x", "All", group="g", bar=2)(lambda _: None)
    registry.command("one", "x", "One", group="g", scopes="turns", bar=1)(lambda _: None)
    keymap = Keymap(registry, {})
    assert keymap.find("turns", "x", "x") == registry["one"]
    assert keymap.find("samples", "x", "x") == registry["all"]
    assert [one.id for one in keymap.offered("turns")] == ["one", "all"]


@pytest.mark.parametrize(
    ("line", "at", "said"),
    [
        ('"turn.dele" = "f7"', "3:1", "there is no command 'turn.dele'; did you mean 'turn.delete'?"),
        ('"zzz" = "f7"', "3:1", "there is no command 'zzz'"),
        ('"turn.delete" = "ctlr+n"', "3:17", "there is no key 'ctlr+n'; did you mean 'ctrl+n'?"),
        ('"turn.delete" = ["f5", "pagedwn"]', "3:24", "there is no key 'pagedwn'; did you mean 'pagedown'?"),
        ('"turn.delete" = ["f5", "x"]\n"turn.merge" = "x"', "3:24", "is already that of turn.merge (Merge)"),
        ('"sample.next" = "f9"\n"app.help" = "f9"', "3:17", "is already that of app.help (Help)"),
        ('"preview.copy" = "]c"\n"sample.new" = "]"', "3:18", "is already that of sample.new (New sample)"),
    ],
)
def test_keys_that_cannot_be_used_are_refused_with_their_place(tmp_path, line, at, said):
    write_user(f'theme = "sampleui-dark"\n[keys]\n{line}\n')
    with pytest.raises(SettingsError, match=re.escape(said)) as refused:
        check_bound_keys(load_settings(tmp_path))
    assert f"config.toml:{at}: " in str(refused.value)


@pytest.mark.parametrize("key", ["j", "down", "]", "tab", "l", "space", "pagedown", "end", "G", "N"])
@pytest.mark.parametrize("name", ["verdict.ok", "verdict.same", "proposal.take", "verdict.adjudicate"])
def test_a_key_that_moves_cannot_be_made_to_decide(name, key):
    write_user(f'[keys]\n"{name}" = "{key}"\n')
    with pytest.raises(SettingsError, match="a key that moves never decides"):
        check_bound_keys(load_settings(Path()))


def test_a_key_that_a_person_makes_move_in_one_pane_decides_in_none():
    write_user('[keys]\n"part.next" = ["5", "right"]\n')
    settings = load_settings(Path())
    check_bound_keys(settings)
    review = Keymap(ScreenKind.REVIEW.registry, settings.keys)
    found = {scope: review.find(scope, "5", "5") for scope in ("turns", "queue", "answer", "scores", "timeline")}
    assert {scope: command and command.id for scope, command in found.items()} == {
        **dict.fromkeys(found), "turns": "part.next"
    }  # fmt: skip


def test_no_default_key_both_moves_and_decides():
    registry = ScreenKind.REVIEW.registry
    moving = {key for command in registry if command.moves for key in command.keys}
    assert {"j", "down", "]", "tab", "space"} <= moving
    assert not moving & {key for command in registry if command.decides for key in command.keys}


def test_keys_may_be_exchanged_added_taken_and_named_as_characters(tmp_path):
    lines = ['"turn.delete" = "o"', '"turn.add-below" = ["d", "f7", "+", "ctrl++"]', '"field.add" = []']
    write_user("\n".join(["[keys]", *lines, '"sample.next" = ["]", "ctrl+n"]']))
    check_bound_keys(load_settings(tmp_path))


def test_a_key_of_the_user_wins_over_a_default_one(tmp_path):
    own = ['"sample.new" = ";"', '"turn.merge" = "d"', '"fix.take" = "]"', '"problem.next" = "[p"']
    write_user("\n".join(["[keys]", *own]))
    settings = load_settings(tmp_path)
    check_bound_keys(settings)
    author = Keymap(AUTHOR, settings.keys)
    assert author.find("turns", "d", "d") == AUTHOR["turn.merge"]
    assert author.find("samples", "d", "d") == AUTHOR["sample.delete"]
    assert author.keys_in("turns", AUTHOR["turn.delete"]) == []
    assert author.find("found", "semicolon", ";") == AUTHOR["sample.new"]
    assert author.find("turns", "left_square_bracket", "[") is None, "the first of two keys of the user"
    assert author.keys_in("turns", AUTHOR["sample.previous"]) == [], "the first of two keys of the user"
    assert author.find("turns", "p", "p", "[") == AUTHOR["problem.next"]
    assert author.find("turns", "right_square_bracket", "]") == AUTHOR["sample.next"]


def test_settings_that_spell_out_former_keys_and_ids_are_taken(tmp_path):
    former = {
        "trace.error": "e", "fix.edit": "e", "turn.external": "e", "review.next": "n", "sample.new": "n",
        "find.next": "n", "trace.match": "n", "review.previous": "p", "trace.tab": "p", "preview.next": "p",
        "preview.copy": "Y", "preview.copy-here": "y", "turn.copy": "y", "answer.next-difference": "]c",
        "deck.beside": "v", "problem.next": "g", "record.promote": "P",
    }  # fmt: skip
    write_user("[keys]\n" + "".join(f'"{name}" = "{key}"\n' for name, key in former.items()))
    settings = load_settings(tmp_path)
    check_bound_keys(settings)
    author, review = Keymap(AUTHOR, settings.keys), Keymap(ScreenKind.REVIEW.registry, settings.keys)
    assert author.find("turns", "e", "e") == AUTHOR["turn.external"]
    assert author.find("turns", "Y", "Y") == author.find("preview", "y", "y") == AUTHOR["turn.copy"]
    assert review.find("queue", "n", "n").id == "review.next"
    assert review.find("queue", "c", "c", "]").id == "answer.next-difference"


def test_a_key_does_one_deed_on_every_screen():
    listed = set()
    for kind in ScreenKind:
        for command in kind.registry:
            for key in command.keys:
                deed, commands = DEEDS.get(key, ("", command.id))
                assert command.id in commands.split(), f"{key} is to {deed}, which {command.id} of {kind} does not"
                listed.add((key, command.id))
    assert {(key, name) for key, (_, names) in DEEDS.items() for name in names.split()} <= listed


BOXES = (
    *("author.boxes", "review.boxes", "review.figure_tables", "review.matrix", "trace.promote"),
    *("screens.command_boxes", "screens.finding", "screens.guessed_table"),
)
IN_BOXES = {"f": {"Filter"}, "/": {"Search"}, "space": {"Page down", "In or out", "Mark"}, "e": {"Edit definition"}}
"""What boxes call the deeds of keys that do one deed on every screen."""


def boxes(kind: type[Overlay[Any]] = Overlay) -> Iterator[type[Overlay[Any]]]:
    for box in kind.__subclasses__():
        yield box
        yield from boxes(box)


def test_a_key_does_its_one_deed_in_boxes_too():
    for name in BOXES:
        import_module(f"sampleui.tui.{name}")
    hints = {(hint.key, hint.title) for box in boxes() for hint in box.hints}
    assert {"f", "space"} <= {key for key, _ in hints}
    assert {(key, title) for key, title in hints if key in DEEDS and title not in IN_BOXES.get(key, ())} == set()


def test_keys_are_labelled_by_short_names():
    labels = {"ctrl+s": "^s", "shift+tab": "⇧tab", "escape": "esc", "a": "a", "f7": "f7"}
    assert {key: key_label(key) for key in labels} == labels


@pytest.fixture
def usual_keys():
    yield
    use_keys({})


_NAMED = re.compile(r"key_named\(['\"](.+?)['\"], ['\"](.+?)['\"]\)")


def test_keys_that_texts_name_are_those_of_the_commands_or_of_the_user(usual_keys):
    root = Path(__file__).parents[2] / "sampleui" / "tui"
    named = {match for path in root.rglob("*.py") for match in _NAMED.findall(path.read_text(encoding="utf-8"))}
    commands = {command.id: command for kind in ScreenKind for command in kind.registry}
    assert len(named) > 12
    for name, usual in named:
        assert usual in commands[name].keys, name
    use_keys({"sample.new": ("f7", "n"), "turn.add-below": (), "clip.copy": ("f8",)})
    assert key_named("sample.new", "n") == "f7" and key_named("turn.delete", "d") == "d"
    assert key_named("turn.add-below", "o") == "the palette" and key_named("turn.copy", "y") == "f8"


OWN = {
    "sample.new": ("f7",),
    "app.help": ("f1",),
    "app.quit": ("ctrl+x",),
    "deck.save": ("f2",),
    "turn.add-below": (),
}


async def test_what_is_said_shown_and_listed_has_the_keys_of_the_user(tmp_path, usual_keys):
    path = tmp_path / "deck.jsonl"
    path.write_text("")
    async with opened(path, settings=Settings(keys=OWN), size=(80, 24)) as app:
        assert "f7 writes the first one." in "\n".join(drawn_lines(app.app.screen))
        await app.press("f9")
        assert "f1 lists the keys" in said(app.screen)
        for key in ("f7 New sample", "f2 Save", "f1 Help", "^x Quit"):
            assert key in app.keys
        await app.press("f7", *"What?", "escape")
        assert "f2 Save" in app.keys and "o Add" not in app.keys
        await app.press("f1")
        lines = "\n".join(drawn_lines(app.app.screen))
        assert "f2  Save" in lines and "^s" not in lines
