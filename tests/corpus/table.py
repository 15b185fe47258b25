"""Seven edits of every sample of every real deck, as a table: `python -m tests.corpus.table [FOLDER]`.

The decks are not part of the project. They are looked for in the folder that SAMPLEUI_CORPUS names, else in
`../shared/corpus` beside the checkout.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sampleui.deck.save import prove
from sampleui.errors import EditRefusedError, SaveRefusedError
from sampleui.formats.data import (
    Plain,
    Table,
    lookup,
    same,
    with_delete,
    with_insert,
    with_move,
    with_set,
)
from sampleui.formats.document import Document
from sampleui.sample.model import Sample
from sampleui.text.diagnostic import Severity
from sampleui.workspace.deck import Deck, open_deck

PATTERNS = ("calibrate/*.toml", "calibrate/*.md", "agentv/**/evals/**/*.yaml", "gage/*.jsonl")
TURN: Table = {"role": "user", "content": 'And a "new" turn:\nwith # two lines.'}
TEXT = 'Changed, with "quotes", a \\ and:\n\n- a list\n'

# What is truly wrong in the real decks: gage samples without a field that the format requires, and AgentV messages
# that attach a file outside their project.
TRUE_ERRORS = frozenset({"field-missing", "file-outside-root"})

TRUE_MESSAGES = {"label must be a string"}
"""Errors that real decks have: gage-eval keeps a label as a text, and some of its own decks number it (§1.3.3)."""


@dataclass(frozen=True)
class Edit:
    """One edit of a sample: what it is called, how to make it, and the samples of the deck afterwards."""

    name: str
    make: Callable[[Deck, Sample], Deck]
    wanted: Callable[[list[Plain], Sample], list[Plain]]
    inside: bool = True


@dataclass
class Row:
    """What came of one deck."""

    name: str
    deck: Deck
    false_errors: list[str]
    same: bool
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    damaged: Counter[str] = field(default_factory=Counter)
    reasons: list[str] = field(default_factory=list)


def corpus() -> Path | None:
    """Return the folder of the real decks, None where there is none."""
    named = os.environ.get("SAMPLEUI_CORPUS")
    folder = Path(named) if named else Path(__file__).parents[3] / "shared" / "corpus"
    return folder if folder.is_dir() else None


def decks(folder: Path) -> list[Path]:
    return sorted({path for pattern in PATTERNS for path in folder.glob(pattern)})


def tried(path: Path, name: str) -> Row:
    """Open a deck and make every edit of every sample, each on the deck as it is on disk."""
    deck = open_deck(path)
    errors = [
        str(one)
        for one in deck.diagnostics
        if one.severity is Severity.ERROR and one.rule not in TRUE_ERRORS and one.message not in TRUE_MESSAGES
    ]
    untouched = all(source.path.read_bytes() == source.document.text.encode() for source in deck.files.sources)
    row = Row(name, deck, errors, untouched)
    held = values(deck)
    for sample in deck.samples:
        for edit in edits(deck, sample):
            try:
                after = edit.make(deck, sample)
            except EditRefusedError as reason:
                row.refused[edit.name] += 1
                row.reasons.append(f"{name} {sample.id} {edit.name}: {reason}")
                continue
            damage = damaged(deck, after, edit, sample, edit.wanted(held, sample))
            (row.damaged if damage else row.done)[edit.name] += 1
            if damage:
                row.reasons.append(f"{name} {sample.id} {edit.name}: DAMAGED: {damage}")
    return row


def values(deck: Deck) -> list[Plain]:
    """Return every sample, a keyed one with its name as `id`, each with the file it stands in."""
    return [value for source in deck.files.sources for value in values_of(source.document)]


def values_of(document: Document) -> list[Plain]:
    names = [document.name(index) for index in range(len(document))]
    return [{**({} if name is None else {"id": name}), **document.read(index)} for index, name in enumerate(names)]


def damaged(before: Deck, after: Deck, edit: Edit, sample: Sample, wanted: list[Plain]) -> str | None:
    """Return what an edit broke, None when nothing: values, the text around the sample, the way back."""
    again = [type(source.document).parse(source.document.text) for source in after.files.sources]
    found = [value for document in again for value in values_of(document)]
    if len(found) != len(wanted) or not all(map(same, found, wanted)):
        return "the deck reads otherwise than wanted"
    at, inner = before.files.locate(sample.index)
    old, new = before.files.sources[at].document, after.files.sources[at].document
    if edit.inside:
        piece = old.piece_of(inner)
        head, tail = "".join(old.pieces[:piece]), "".join(old.pieces[piece + 1 :])
        if not (new.text.startswith(head) and new.text.endswith(tail)):
            return "text outside the sample changed"
    changed = [source for source in after.files.sources if source.changed]
    if len(changed) > 1:
        return "more than one file changed"
    try:
        for source in changed:
            prove(source)
    except SaveRefusedError as error:
        return f"it could not be saved: {error}"
    return None


def edits(deck: Deck, sample: Sample) -> Iterator[Edit]:
    """Yield the edits that make sense of a sample."""
    path, index = sample.messages_path, sample.index

    def inside(change: Callable[[Plain], Plain]) -> Callable[[list[Plain], Sample], list[Plain]]:
        return lambda held, _: [change(value) if at == index else value for at, value in enumerate(held)]

    turns = sample.messages
    if turns and len(turns) == len(lookup(sample.data, path)):  # type: ignore[arg-type]
        last = len(turns) - 1
        first, middle = (*path, 0), (*path, len(turns) // 2)
        content = (*path, last, "content")
        yield Edit(
            "set content", lambda d, s: d.set(index, content, TEXT), inside(lambda v: with_set(v, content, TEXT))
        )
        yield Edit(
            "insert turn",
            lambda d, s: d.insert(index, middle, TURN),
            inside(lambda v: with_insert(v, middle, TURN)),
        )
        yield Edit("delete turn", lambda d, s: d.delete(index, middle), inside(lambda v: with_delete(v, middle)))
        if last:
            yield Edit(
                "move turn", lambda d, s: d.move(index, first, last), inside(lambda v: with_move(v, first, last))
            )
    new: Table = {**sample.data, "id": f"{sample.id} copy"}
    yield Edit(
        "insert sample",
        lambda d, s: d.insert_sample(index, new),
        lambda held, _: [*held[:index], new, *held[index:]],
        inside=False,
    )
    yield Edit(
        "delete sample",
        lambda d, s: d.delete_sample(index),
        lambda held, _: held[:index] + held[index + 1 :],
        inside=False,
    )
    if (to := place_to_move_to(deck, index)) != index:
        yield Edit(
            "move sample",
            lambda d, s: d.move_sample(index, to),
            lambda held, _: moved(held, index, to),
            inside=False,
        )


def place_to_move_to(deck: Deck, index: int) -> int:
    """Return the far end of the file that a sample stands in."""
    at, inner = deck.files.locate(index)
    last = len(deck.files.sources[at].document) - 1
    return index - inner + (0 if inner > last // 2 else last)


def moved(held: list[Plain], index: int, to: int) -> list[Plain]:
    rest = held[:index] + held[index + 1 :]
    return [*rest[:to], held[index], *rest[to:]]


NAMES = ("set content", "insert turn", "delete turn", "move turn", "insert sample", "delete sample", "move sample")


def table(rows: list[Row]) -> str:
    """Return the rows as text; each edit as done/refused/damaged."""
    head = ["deck", "format", "dialect", "samples", "false errors", "no-op", *NAMES]
    lines = [
        [
            row.name,
            row.deck.format,
            row.deck.dialect,
            str(len(row.deck.samples)),
            str(len(row.false_errors)),
            "same" if row.same else "CHANGED",
            *(f"{row.done[name]}/{row.refused[name]}/{row.damaged[name]}" for name in NAMES),
        ]
        for row in rows
    ]
    done, refused, damaged_ = (total(rows, which) for which in ("done", "refused", "damaged"))
    sums = [f"{done[name]}/{refused[name]}/{damaged_[name]}" for name in NAMES]
    samples = sum(len(row.deck.samples) for row in rows)
    errors = sum(len(row.false_errors) for row in rows)
    all_same = "same" if all(row.same for row in rows) else "CHANGED"
    grid = [head, *lines, ["total", "", "", str(samples), str(errors), all_same, *sums]]
    widths = [max(len(line[at]) for line in grid) for at in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in grid
    )


def total(rows: list[Row], which: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for row in rows:
        counted.update(getattr(row, which))
    return counted


def refused_share(rows: list[Row]) -> float:
    """Return the share of edits that were refused, from 0 to 1."""
    done, refused = total(rows, "done").total(), total(rows, "refused").total()
    return refused / max(done + refused, 1)


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else corpus()
    if folder is None:
        print("there is no corpus: set SAMPLEUI_CORPUS to a folder of decks")
        return 2
    rows = [tried(path, str(path.relative_to(folder))) for path in decks(folder)]
    print(table(rows))
    print(f"\nrefused: {refused_share(rows):.1%} of {total(rows, 'done').total():,} edits (done/refused/damaged)")
    for line in [error for row in rows for error in row.false_errors] + [
        why for row in rows for why in row.reasons
    ]:
        print(line)
    return int(any(row.false_errors or not row.same or row.damaged for row in rows))


if __name__ == "__main__":
    sys.exit(main())
