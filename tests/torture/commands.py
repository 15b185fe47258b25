"""Edits by command beside the edits of the app: the same bytes, or refused by both.

    python -m tests.torture.commands [EDITS [SEED]]

Decks by chance in every format are edited by chance; each edit is made by a request, as the commands and `edit`
make it of JSON, and by what the app makes edits with. Prints the counts, and every deck of which they made two.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

from sampleui.deck import edit
from sampleui.errors import EditError, SampleUIError
from sampleui.formats.data import Plain, Table, lookup, typed_json
from sampleui.formats.operations import Delete, Insert, Move, Rename, Set
from sampleui.tui.author.session import Edit, changes_of
from sampleui.workspace.deck import Deck, open_deck
from sampleui.workspace.edit_requests import EditOp, EditRequest, as_data, make_edits, request_from
from tests.formats.invariants import paths_in
from tests.torture.decks import FORMS, deck_of
from tests.torture.texts import text_of

LONGEST = 8


def run(edits: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Make so many edits, and return what came of them with the faults."""
    counts, faults, turn = Counter[str](), list[str](), 0
    with tempfile.TemporaryDirectory() as folder:
        while counts.total() < edits:
            form = [*FORMS][turn % len(FORMS)]
            path = Path(folder) / f"deck.{form}"
            path.write_text(deck_of(form, Random(f"{seed}/{turn}")), "utf-8", "surrogatepass", "")
            try:
                deck = open_deck(path)
            except SampleUIError:
                deck = None
            if deck is not None and deck.samples:
                _sequence(deck, Random(f"{seed}/{turn}/edits"), counts, faults)
            turn += 1
    return counts, faults


def _sequence(deck: Deck, chance: Random, counts: Counter[str], faults: list[str]) -> None:
    for _ in range(LONGEST):
        if not deck.samples:
            return
        request, by_app = _edit(deck, chance)
        asked = request_from(typed_json(json.dumps(as_data(request))))
        try:
            mine: Deck | None = make_edits(deck, [asked])
        except EditError:
            mine = None
        try:
            [change] = changes_of(deck.files, [by_app])
            theirs: Deck | None = deck.apply(change)
        except EditError:
            theirs = None
        texts = [None if each is None else each.text for each in (mine, theirs)]
        if texts[0] != texts[1]:
            faults.append(f"{deck.format} {request}: {texts[0]!r} by command, {texts[1]!r} in the app")
            return
        counts["refused by both" if mine is None else "the same bytes"] += 1
        deck = mine or deck


def _edit(deck: Deck, chance: Random) -> tuple[EditRequest, Edit]:
    index = chance.randrange(len(deck.samples))
    name, data = f"#{index + 1}", deck.samples[index].data
    paths = [path for path in paths_in(data) if path]
    lists = [path for path in paths if isinstance(lookup(data, path), list)]
    op = chance.choice([*EditOp] if paths else [EditOp.ADD_SAMPLE, EditOp.DELETE_SAMPLE])
    if op in (EditOp.INSERT, EditOp.MOVE) and not lists:
        op = EditOp.SET
    turn: Plain = {"role": "user", "content": text_of(chance)}
    values: list[Plain] = [text_of(chance), turn, 3, True, None, []]
    value = chance.choice(values)
    path = chance.choice(paths) if paths else ()
    to = chance.randrange(len(deck.samples))
    match op:
        case EditOp.SET:
            return EditRequest(op, name, path, value), partial(edit.apply, index=index, operation=Set(path, value))
        case EditOp.INSERT:
            items = chance.choice(lists)
            path = (*items, chance.randint(0, len(lookup(data, items))))  # type: ignore[arg-type]
            return EditRequest(op, name, path, value), partial(
                edit.apply, index=index, operation=Insert(path, value)
            )
        case EditOp.DELETE:
            return EditRequest(op, name, path), partial(edit.apply, index=index, operation=Delete(path))
        case EditOp.MOVE:
            items = chance.choice(lists)
            path, to = (*items, chance.randint(0, 3)), chance.randint(0, 3)
            return EditRequest(op, name, path, to=to), partial(edit.apply, index=index, operation=Move(path, to))
        case EditOp.RENAME:
            key = text_of(chance) or "key"
            return EditRequest(op, name, path, name=key), partial(
                edit.apply, index=index, operation=Rename(path, key)
            )
        case EditOp.ADD_SAMPLE:
            sample: Table = {
                "id": text_of(chance) or "x",
                "messages": [{"role": "user", "content": text_of(chance)}],
            }
            added = partial(edit.insert_sample, index=to, data=sample)
            return EditRequest(op, value=sample, to=to + 1), added
        case EditOp.DELETE_SAMPLE:
            return EditRequest(op, name), partial(edit.delete_sample, index=index)
        case EditOp.MOVE_SAMPLE:
            return EditRequest(op, name, to=to + 1), partial(edit.move_sample, index=index, to=to)
        case _:
            new = text_of(chance) or "x"
            source, _ = deck.files.locate(index)
            by_name = deck.files.sources[source].document.keyed
            ids = [path for path in deck.kind.id_paths if path[0] in data] or [*deck.kind.id_paths]
            change: Edit = (
                partial(edit.rename_sample, index=index, name=new)
                if by_name
                else partial(edit.apply, index=index, operation=Set(ids[0] if ids else ("no id",) * 9, new))
            )
            return EditRequest(op, name, name=new), change


def main() -> int:
    """Run as the command line says; 1 if there are faults."""
    edits, seed = (*map(int, sys.argv[1:3]), *(100_000, 0)[len(sys.argv) - 1 :])[:2]
    counts, faults = run(edits, seed)
    print("\n".join([*faults[:20], *(f"{count:,} {what}" for what, count in counts.items())]))
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
