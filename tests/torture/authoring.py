"""Sequences of author commands over any selection, typed into the app: what it says is what `check` says.

    python -m tests.torture.authoring [SEQUENCES [SEED]]

So many sequences of the edits of commands are made in sessions without an app, and a fifth as many are typed.

After every command the header, the list of samples, the list of problems and the filter `problem` are held against
what `check` finds in the file as it would be saved, and `~` against the file on disk; at the end of a sequence the
deck is saved, and the file itself is checked. Prints what was typed, and every fault with the keys that led to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from textual.worker import WorkerFailed

import sampleui.tui.author.actions  # noqa: F401 (before `many`: help lists commands as they are imported)
from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.deck.load import load
from sampleui.errors import DeckError, EditError
from sampleui.formats.data import Plain
from sampleui.formats.operations import Delete, Insert
from sampleui.sample.dialects.dialect import Older
from sampleui.sample.parse import value_at
from sampleui.sample.value_names import path_of
from sampleui.text.diagnostic import PROBLEMS, Diagnostic, Severity
from sampleui.tui.author.actions.samples import tagging
from sampleui.tui.author.nodes import set_or_place
from sampleui.tui.author.session import Edit, Session, edits_in
from sampleui.workspace.deck import Deck, deck_of
from sampleui.workspace.filtering import Filtering
from sampleui.workspace.older_records import brought_up_to_date
from tests.tui.driver import Driver, keys_of, opened

from .author_decks import DECKS

_SIGNS = {"error": "✖", "warning": "▲"}
HOMES = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
_TEXTS = ("short", "", "{}", "[]", '"z"', "same", "9", "# x", "tool", "a: 1", "é 漢")
_FIELDS = ("tags", "score", "id", "metadata.source", "note", "messages", "expected", "input", "tool_calls", "tools")
_FIRST_KEYS = {"samples": "1", "turns": "2"}

Deed = tuple[str, ...]


@dataclass
class Counts:
    """What came of a run."""

    sequences: int = 0
    deeds: Counter[str] = field(default_factory=Counter)
    edits: int = 0
    faults: list[str] = field(default_factory=list)

    def told(self) -> str:
        """Return the counts as lines."""
        rows = [f"  {count:6,} {deed}" for deed, count in self.deeds.most_common()]
        done = f"{self.sequences:,} sequences, {self.deeds.total():,} commands, {self.edits:,} edits"
        return "\n".join([*rows, *self.faults[:40], f"{done}, {len(self.faults)} faults"])


def _typed(chance: Random) -> Deed:
    return (*keys_of(chance.choice(_TEXTS)),)


def _filled(chance: Random) -> Deed:
    """Return keys that write a value, go on to others from it, and leave them."""
    on = (
        chance.choice(("tab", "tab", "shift+tab", "ctrl+t", "ctrl+n", "enter")) for _ in range(chance.randint(1, 4))
    )
    return (*_typed(chance), *(key for step in on for key in (step, *_typed(chance))), *("escape",) * 3)


def _set(chance: Random) -> Deed:
    value = chance.choice(('"z"', "3", "", "same", "{}", "[]", '["a", 1]', '[{"role": "user", "content": "x"}]'))
    return ("S", *keys_of(f"{chance.choice(_FIELDS)} = {value}"), "enter")


def _in_list(chance: Random) -> Iterator[tuple[str, Deed]]:
    yield "mark", (chance.choice(("*", "space", "V", "space", "j")),)
    yield "delete", ("d",)
    yield "duplicate", ("D",)
    yield "move", (chance.choice("JK"),)
    yield "tag", ("#", *keys_of(chance.choice(("new", "-new", "-math"))), "enter")
    yield "set", _set(chance)
    yield "set", _set(chance)
    yield "bring up to date", ("M",)
    yield (
        "copy and paste",
        (*chance.choice((("ctrl+c", "o"), ("ctrl+x",))), *("j",) * chance.randrange(3), "ctrl+v", "enter"),
    )
    yield "rename", ("N", "backspace", *keys_of(chance.choice(("same", "b", "one"))), "enter")
    yield "new", ("n", *keys_of(chance.choice(("fresh", ""))), "enter", *_typed(chance), "escape")
    yield "new, filled in", ("n", *_filled(chance))


def _in_turns(chance: Random) -> Iterator[tuple[str, Deed]]:
    yield "write", ("enter", *_typed(chance), "escape", "escape")
    yield "fill in", (chance.choice(("enter", "o", "O")), *_filled(chance))
    yield "call", ("i", *keys_of(chance.choice(("f", "lookup"))), "enter", *_filled(chance))
    yield "pair up", ("F",)
    yield "fold", ("Z",)
    yield "empty", ("enter", "ctrl+a", "backspace", "escape", "escape")
    yield "add turn", (chance.choice("oO"), *_typed(chance), "escape", "escape")
    yield "delete", ("d",)
    yield "duplicate", ("D", "enter")
    yield "move", (chance.choice("JK"),)
    yield "role", (chance.choice("rr"),)
    yield "part", (chance.choice(("x", "X", "<", ">", "l", "h")),)
    yield "add field", ("+", *keys_of(chance.choice(_FIELDS)), "enter", *_typed(chance), "escape", "escape")
    yield "type", ("t", *("down",) * chance.randrange(5), "enter")
    yield "rename key", ("N", *keys_of("x"), "enter")
    yield "merge", ("m",)
    yield "mark", (chance.choice(("*", "space")),)
    yield "copy and paste", (*chance.choice((("ctrl+c", "o"), ("ctrl+x",))), "ctrl+v", "enter")


def _anywhere(chance: Random) -> Iterator[tuple[str, Deed]]:
    yield "undo", ("u",) * chance.randint(1, 3)
    yield "redo", ("ctrl+r",) * chance.randint(1, 3)
    yield "repeat", (".",)
    yield "go", (chance.choice(("]", "[", "g", "b", "end", "home")),)
    yield "filter", ("/", *keys_of(chance.choice(("problem", "changed", "-problem", "a", "tag:math"))), "enter")
    yield "show all", ("1", "escape", "escape")
    yield "replace", ("ctrl+f", *keys_of(chance.choice("ae1")), "enter", "r", *_typed(chance), "enter", "enter")
    yield "save", ("ctrl+s",)
    yield "beside", ("v", "enter", *_typed(chance), "escape", "escape", "v")
    yield "take back", ("U", "enter")


def deeds(chance: Random) -> Iterator[tuple[str, Deed]]:
    """Yield what an author does, without end."""
    while True:
        pane = chance.choice(("samples", "samples", "turns", ""))
        made = {"samples": _in_list, "turns": _in_turns}.get(pane, _anywhere)
        name, keys = chance.choice([*made(chance)])
        moves = ("j",) * chance.randrange(3) if pane else ()
        yield f"{pane}: {name}".removeprefix(": "), (*((_FIRST_KEYS[pane], *moves) if pane else ()), *keys)


async def sequence(name: str, length: int, counts: Counts) -> None:
    """Type one sequence of commands into the app, and note what it says falsely."""
    chance = Random(name)
    deck = chance.choice(sorted(DECKS))
    played: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = _laid_out(Path(folder), deck)
        try:
            async with opened(path, size=chance.choice(((80, 24), (140, 40)))) as app:
                faults = await _play(app, chance, length, played, counts)
                app.screen.session.journal.discard()
        except (WorkerFailed, AssertionError) as error:
            faults = [f"it ended: {error}"]
    if faults:
        counts.faults.append(f"{name} {deck}: {'; '.join(faults)}\n    {' | '.join(played)}")
    counts.sequences += 1


async def _play(app: Driver, chance: Random, length: int, played: list[str], counts: Counts) -> list[str]:
    made = deeds(chance)
    for _ in range(length):
        what, keys = next(made)
        changes = chance.random() < 0.06
        what, keys = ("file changes on disk", ()) if changes else (what, keys)
        played.append(f"{what} [{' '.join(keys)}]")
        steps = app.steps
        await (_changed_on_disk(app, chance) if changes else app.press(*keys))
        await _at_rest(app)
        counts.deeds[what] += 1
        counts.edits += app.steps != steps
        if faults := _faults(app):
            return faults
    return []


def _laid_out(folder: Path, name: str) -> Path:
    for file, text in DECKS[name].items():
        (folder / file).write_text(text, encoding="utf-8", newline="")
    return folder / next(iter(DECKS[name]))


async def _at_rest(app: Driver) -> None:
    """Leave whatever is open over the screen, and a text that is being edited."""
    for _ in range(6):
        if app.app.screen is not app.screen:
            await app.press("escape")
        elif app.screen.typing or app.screen.scope in ("found", "filter"):
            await app.press("escape")
        else:
            break
    await app.settled()
    await app.until(lambda: app.screen.session.problems.complete)
    await app.rested()


async def _changed_on_disk(app: Driver, chance: Random) -> None:
    path = chance.choice(app.screen.session.deck.files.sources).path
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(chance.choice(("one", "a", "user")), "other", 1), encoding="utf-8", newline="")
    await app.screen.file_watch.look()
    await app.rested()


def _faults(app: Driver) -> list[str]:
    screen, deck = app.screen, app.screen.session.deck
    wanted = _checked(deck)
    return [
        *_of_header(app.title, wanted),
        *_of_problems([*screen.problem_list.items], wanted),
        *_of_list(app, wanted),
        *_of_filter(app, wanted),
        *_of_changes(app),
    ]


def _checked(deck: Deck) -> list[Diagnostic]:
    """Return what `check` finds in the files of a deck once they are saved, in the dialect that they show then."""
    folder = deck.path.parent
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(folder, Path(name) / "copy", dirs_exist_ok=True)
        for source in deck.files.sources:
            there = Path(name) / "copy" / source.path.relative_to(folder)
            there.write_text(source.document.text, encoding="utf-8", newline="")
        saved = load(Path(name) / "copy" / deck.path.relative_to(folder))
        shows = len(saved) or saved.sources[0].document.columns
        try:
            return [*deck_of(saved, None if shows else deck.dialect, deck.prompts).diagnostics]
        except DeckError as error:
            refused = Diagnostic("not-a-deck", Severity.ERROR, error.message, error.path or deck.path, 1, 1)
            return [refused, *deck_of(saved, deck.dialect, deck.prompts).diagnostics]


def _signs(found: Sequence[Diagnostic]) -> Counter[tuple[object, ...]]:
    return Counter(
        (one.path.name, one.line, one.column, one.rule, one.severity, one.message, one.sample_index)
        for one in found
    )


def _of_header(title: str, wanted: Sequence[Diagnostic]) -> Iterator[str]:
    counts = Counter(one.severity for one in wanted)
    words = [
        f"{counts[kind]:,} {kind.value}{'s' if counts[kind] != 1 else ''}" for kind in PROBLEMS if counts[kind]
    ]
    sign = "✖" if counts[Severity.ERROR] else "▲"
    told = f"{sign} {', '.join(words)}" if words else "✓ no problems"
    if not title.rstrip().endswith(told):
        yield f"the header says {title.rsplit('  ', maxsplit=1)[-1]!r} and not {told!r}"


def _of_problems(shown: Sequence[Diagnostic], wanted: Sequence[Diagnostic]) -> Iterator[str]:
    more, less = _signs(shown) - _signs(wanted), _signs(wanted) - _signs(shown)
    if more or less:
        yield f"the problems have {[*more]} too much and lack {[*less]}"


def _of_list(app: Driver, wanted: Sequence[Diagnostic]) -> Iterator[str]:
    worst = {kind: {one.sample_index for one in wanted if one.severity == kind} for kind in _SIGNS}
    for index, signs in _rows(app):
        told = next((kind for kind, sign in _SIGNS.items() if sign in signs), "")
        due = next((kind for kind in _SIGNS if index in worst[kind]), "")
        if told != due:
            yield f"row {index + 1} says {told or 'nothing'} and not {due or 'nothing'}"


def _rows(app: Driver) -> Iterator[tuple[int, str]]:
    """Yield the index of each sample in the list, and the signs before its name."""
    screen = app.screen
    for row, index in enumerate(screen.sample_filter.shown):
        if index >= 0:
            texts = [text for _, text in screen.samples.row(row, 60)]
            yield index, "".join(texts[:2] if texts[0] != "* " else texts[1:3])[:2]


def _of_filter(app: Driver, wanted: Sequence[Diagnostic]) -> Iterator[str]:
    screen = app.screen
    due = {one.sample_index for one in wanted if one.severity in PROBLEMS and one.sample_index is not None}
    found = {*Filtering(screen.session.deck, "problem", screen.session.problems.found_in).passing()}
    if found != due:
        yield f"the filter finds {sorted(found)} and not {sorted(due)}"
    if screen.filter.words == "problem" and ({*screen.sample_filter.shown} ^ due) - {screen.index, -1, -2, -3}:
        yield f"the list is narrowed to {[*screen.sample_filter.shown]} and not {sorted(due)}"


def _of_changes(app: Driver) -> Iterator[str]:
    """Yield what `~` says falsely: the least that has to be marked is marked, and nothing of a saved deck."""
    files = app.screen.session.deck.files
    changed = app.screen.comparing.changed
    shown = {index for index, _ in _rows(app)}
    marked = {index for index, signs in _rows(app) if "~" in signs}
    if marked != changed & shown:
        yield f"~ is at {sorted(marked)} and not at {sorted(changed & shown)}"
    before = 0
    for source in files.sources:
        new, old = source.document, source.disk.saved
        own = [new.own_text(index) for index in range(len(new))]
        was = [old.own_text(index) for index in range(len(old))]
        same = [text for index, text in enumerate(own) if before + index not in changed]
        if len(same) != _in_common(own, was) or _in_common(same, was) != len(same):
            yield f"~ leaves {len(same)} as they are of {_in_common(own, was)}"
        before += len(own)


def _in_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest list that both have in its order."""
    row = [0] * (len(other) + 1)
    for text in one:
        last = row
        row = [0]
        for at, held in enumerate(other):
            row.append(last[at] + 1 if text == held else max(row[-1], last[at + 1]))
    return row[-1]


def bare(sequences: int, seed: int, length: int = 12) -> Counts:
    """Make so many sequences of the edits of author commands in sessions without an app."""
    counts = Counts()
    for at in range(sequences):
        chance = Random(f"{seed}/bare/{at}")
        deck = chance.choice(sorted(DECKS))
        with tempfile.TemporaryDirectory() as folder:
            session = Session(deck_of(load(_laid_out(Path(folder), deck))))
            session.problems.look(100)
            played: list[str] = []
            for _ in range(length):
                what, edits = _edits(session, chance)
                counts.deeds[what] += 1
                played.append(what)
                before = session.deck.files
                with contextlib.suppress(EditError):
                    _make(session, what, edits, chance)
                counts.edits += session.deck.files is not before
                if faults := _of_session(session):
                    counts.faults.append(f"{seed}/bare/{at} {deck}: {'; '.join(faults)}\n    {' | '.join(played)}")
                    break
            session.journal.discard()
        counts.sequences += 1
    return counts


def _edits(session: Session, chance: Random) -> tuple[str, list[Edit]]:
    """Return what is done to a chosen selection, and its edits."""
    samples, kind = session.deck.samples, session.deck.kind
    count = len(samples)
    chosen = sorted(chance.sample(range(count), chance.choice((1, 1, min(3, count), count)))) if count else []
    path = path_of(chance.choice(_FIELDS))
    items: list[Plain] = ["z", 1]
    values: tuple[Plain, ...] = (*_TEXTS, 3, None, [], {}, items)
    value = chance.choice(values)
    held = [(at, samples[at].data) for at in chosen]
    lists = [(at, samples[at]) for at in chosen]
    turns = [(at, one) for at, one in lists if isinstance(value_at(one.data, one.messages_path), list)]
    match chance.randrange(11):
        case 0 | 1:
            return "set", edits_in({at: set_or_place(data, path, value) for at, data in held})
        case 2:
            return "unset", [
                partial(edit.apply, index=at, operation=Delete(path)) for at, one in held if path[0] in one
            ]
        case 3 if kind.tag_paths:
            tagged = {at: tagging(data, kind.tag_paths[0], "new") for at, data in held}
            return "tag", edits_in({at: made for at, made in tagged.items() if made is not None})
        case 4:
            return "delete", [partial(edit.delete_sample, index=at) for at in reversed(chosen)]
        case 5:
            return "copy", [partial(edit.insert_sample, index=count, data=dict(data)) for _, data in held]
        case 6 if count:
            return "move", [partial(edit.move_sample, index=chosen[0], to=chance.randrange(count))]
        case 7:
            return "bring up to date", [
                *brought_up_to_date(session.deck, chosen).edits
            ] if kind.older is not Older.NONE and chosen else []
        case 8:
            new: Plain = {"role": "user", "content": chance.choice(_TEXTS)}
            return "add turn", [
                partial(edit.apply, index=at, operation=Insert((*one.messages_path, 0), new)) for at, one in turns
            ]
        case 9:
            return "undo", []
        case _:
            return chance.choice(("redo", "save", "write")), []


def _make(session: Session, what: str, edits: list[Edit], chance: Random) -> None:
    match what:
        case "undo":
            session.undo()
        case "redo":
            session.redo()
        case "save":
            session.save()
        case "write" if len(session.deck.samples):
            index = chance.randrange(len(session.deck.samples))
            path = (*session.deck.samples[index].messages_path, 0, "content")
            session.begin("write", Focus(index, path))
            with contextlib.suppress(EditError):
                session.draft(chance.choice(_TEXTS))
            session.finish()
        case _ if edits:
            session.perform(what, *edits, before=Focus(0), after=Focus(0))


def _of_session(session: Session) -> list[str]:
    deck, problems = session.deck, session.problems
    problems.look(len(deck.samples))
    wanted = _checked(deck)
    counts = Counter(one.severity for one in wanted)
    due = {one.sample_index for one in wanted if one.severity in PROBLEMS and one.sample_index is not None}
    found = {*Filtering(deck, "problem", problems.found_in).passing()}
    kinds = [{one.severity for one in wanted if one.sample_index == at} for at in range(len(deck.samples))]
    worst = [next((kind for kind in Severity if kind in held), "") for held in kinds]
    shown = [problems.severity(at) for at in range(len(deck.samples))]
    return [
        *_of_problems(problems.placed(), wanted),
        *([f"{+problems.counts()} are counted and not {counts}"] if +problems.counts() != counts else []),
        *([f"the filter finds {sorted(found)} and not {sorted(due)}"] if found != due else []),
        *([f"the samples are {shown} and not {worst}"] if shown != worst else []),
    ]


def run(sequences: int, seed: int, length: int = 8) -> Counts:
    """Type so many sequences into apps without a terminal."""
    counts = Counts()
    for at in range(sequences):
        before = len(counts.faults)
        asyncio.run(sequence(f"{seed}/{at}", length, counts))
        for fault in counts.faults[before:]:
            print(fault, flush=True)
    return counts


def main() -> int:
    """Run the program and return its exit code."""
    given = [int(one) for one in sys.argv[1:3]]
    count, seed = (*given, *(200, 1)[len(given) :])
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(dict.fromkeys(HOMES, home))
        session = bare(count, seed)
        print(f"in sessions alone\n{session.told()}\n", flush=True)
        typed = run(max(count // 5, 1), seed)
    print(f"typed into the app\n{typed.told()}")
    return int(bool(session.faults or typed.faults))


if __name__ == "__main__":
    sys.exit(main())
