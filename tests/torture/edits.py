"""Sequences of edits of hostile decks: what an edit accepts a save must write, and every reader must read.

    python -m tests.torture.edits [EDITS [SEED [FORM ...]]]

Each deck is edited some times over, every edit on what the last one left. What an edit accepts is proved as a save
proves it, held against the values that pure functions say it must have, taken back, and read by other readers as
long as they read the deck at first: tomllib, ruamel.yaml, PyYAML and csv; and `yaml`, `js-yaml`, `smol-toml` and
`papaparse` where node has them (`npm install --prefix tests/torture`). Prints what was done, what was refused and
why, and every fault with its deck.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sampleui.deck.model import DeckFile, Disk
from sampleui.deck.save import prove
from sampleui.errors import EditError, FormatError, SaveRefusedError
from sampleui.formats.csv import CsvDocument
from sampleui.formats.data import same
from sampleui.formats.document import Document, Splice
from sampleui.formats.registry import BY_NAME
from tests.formats.invariants import MARKER, Deed, samples_of
from tests.torture.decks import FORMS, deck_of
from tests.torture.deeds import deed_of
from tests.torture.readers import Readers

LONGEST = 8


@dataclass
class Counts:
    """What came of a run."""

    decks: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def told(self) -> str:
        """Return the counts as lines."""
        rows = [
            f"{form}: {self.decks[form]:,} decks, {self.done[form]:,} edits kept, {self.refused[form]:,} refused"
            for form in self.decks
        ]
        rows += [f"read back by {name}: {count:,}" for name, count in sorted(self.read.items())]
        rows += [f"  {count:6,} {reason}" for reason, count in self.reasons.most_common(40)]
        rows += self.faults[:50]
        rows.append(
            f"{self.done.total():,} edits kept, {self.refused.total():,} refused, {len(self.faults)} faults"
        )
        return "\n".join(rows)


def run(edits: int, seed: int, forms: list[str], readers: Readers, show: bool = False) -> Counts:
    """Make so many edits, and as many more as it takes to end the last sequence."""
    counts, turn = Counts(), 0
    while counts.done.total() + counts.refused.total() < edits:
        form = forms[turn % len(forms)]
        before = len(counts.faults)
        _sequence(form, f"{seed}/{turn}", readers, counts)
        if show and len(counts.faults) > before:
            print("\n".join(counts.faults[before:]), flush=True)
        turn += 1
    return counts


def _sequence(form: str, name: str, readers: Readers, counts: Counts) -> None:
    chance = Random(name)
    text = deck_of(form, chance)
    try:
        document = BY_NAME[form].parse(text)
        held = samples_of(document)
    except FormatError:
        return
    counts.decks[form] += 1
    trail: list[str] = []
    first, history = document, []
    fit = readers.fit(text, document)
    for _ in range(LONGEST):
        deed = deed_of(chance, document, held)
        trail.append(deed.name)
        try:
            splice = deed.make(document)
            after = document.apply(splice)
        except EditError as error:
            counts.refused[form] += 1
            counts.reasons[f"{form} {deed.name.split()[0]}: {_short(error)}"] += 1
            continue
        except Exception as error:  # noqa: BLE001
            counts.faults.append(f"{form} {name} {deed.name}: {type(error).__name__}: {error}\n{document.text!r}")
            return
        counts.done[form] += 1
        fault = _fault(first, document, after, splice, deed) or readers.fault(fit, after, counts.read)
        if fault:
            counts.faults.append(f"{form} {name} {' > '.join(trail)}: {fault}\n{document.text!r}\n{after.text!r}")
            return
        history.append((document, splice))
        document, held = after, deed.wanted
    for before, splice in reversed(history):
        document = document.apply(splice.inverse())
        if document.pieces != before.pieces:
            counts.faults.append(f"{form} {name}: undo does not restore the text\n{text!r}")
            return


def _short(error: EditError) -> str:
    words = str(error)
    for mark in ("[", "'", "&", "*", ":"):
        words = words.split(mark, 1)[0] if words.find(mark) > 12 else words
    return words


def _fault(first: Document, before: Document, after: Document, splice: Splice, deed: Deed) -> str | None:
    end = splice.start + len(splice.removed)
    if after.pieces[: splice.start] != before.pieces[: splice.start]:
        return "text before the edit changed"
    if after.pieces[splice.start + len(splice.added) :] != before.pieces[end:]:
        return "text behind the edit changed"
    try:
        found = samples_of(after)
    except FormatError as error:
        return f"a sample of the edited deck cannot be read: {error}"
    if len(found) != len(deed.wanted) or not all(map(same, found, deed.wanted)):
        return f"the edited deck reads {found} and not {deed.wanted}"
    for saved in (first,) if first is before else (first, before):
        try:
            prove(DeckFile(Path("deck"), after, Disk(saved, None)))
        except SaveRefusedError as error:
            return f"a save refuses what the edit accepted: {error}"
    again = samples_of(type(after).parse(after.text))
    if not all(map(same, again, deed.wanted)):
        return f"the saved deck reads {again} and not {deed.wanted}"
    was, now = ends_of(before), ends_of(after)
    if "\r\n" in was and was.count("\n") == was.count("\r\n") and now.count("\n") != now.count("\r\n"):
        return "the ends of lines are mixed"
    if before.text.startswith("\ufeff") != after.text.startswith("\ufeff"):
        return "the byte order mark is gone"
    if deed.keeps_comments:
        texts = set(MARKER.findall(repr((samples_of(before), before.context))))
        lost = set(MARKER.findall(before.text)) - set(MARKER.findall(after.text)) - texts
        if lost:
            return f"lost the comments {sorted(lost)}"
    return None


def ends_of(document: Document) -> str:
    """Return the text of a deck; of a table what ends its rows, for what its cells hold is their own."""
    if not isinstance(document, CsvDocument):
        return document.text
    return "".join(piece[len(piece.rstrip("\r\n")) :] for piece in document.pieces)


def main(edits: str = "100000", seed: str = "1", *forms: str) -> int:
    """Run and print. Returns 1 when there were faults."""
    with Readers() as readers:
        counts = run(int(edits), int(seed), list(forms) or list(FORMS), readers, show=True)
    print(counts.told())
    return int(bool(counts.faults))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
