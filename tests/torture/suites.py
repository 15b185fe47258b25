"""Files of a test suite of TOML or YAML as decks, edited around each of their values.

    python -m tests.torture.suites FOLDER [--every N]

Each valid file below the folder, such as those of toml-test or the YAML test suite, is made part of a deck: as the
keys of a file that is one sample, as what stands beside samples, and in YAML as a value between two samples. Around
each value it is set to others, deleted, renamed, moved, and gets neighbours; every edit is made of the file as it
was, proved as a save proves it, and read by the readers of `tests.torture.edits`. The last line has the counts; the
exit status is 1 when a value differed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from sampleui.deck.model import DeckFile, Disk
from sampleui.deck.save import prove
from sampleui.errors import EditError, FormatError, SaveRefusedError
from sampleui.formats import whole_file
from sampleui.formats.data import (
    Plain,
    Table,
    lookup,
    same,
)
from sampleui.formats.document import Document
from sampleui.formats.operations import Delete, Insert, Move, Operation, Rename, Set, applied
from sampleui.formats.registry import BY_NAME
from tests.formats.invariants import paths_in, samples_of
from tests.torture.readers import Readers

VALUES: list[Plain] = [
    *("plain", "two\nlines\n", "# 'x' \"y\": [z]", "", "yes", 12, -0.5, True),
    [1, "a", {"b": []}],
    {"k": {"l": "m"}, "two words": [0]},
    [],
    {},
]


@dataclass(frozen=True, slots=True)
class Deed:
    """An edit: the operation, and what the values it is about must be then."""

    name: str
    operation: Operation
    wanted: Plain


@dataclass
class Counts:
    """What came of a run."""

    decks: int = 0
    done: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def decks_of(path: Path) -> Iterator[tuple[str, str, int]]:
    """Yield decks that a file of a suite is part of: how, the text, and the sample it is in, -1 for beside."""
    text = path.read_bytes().decode("utf-8", "replace")
    if path.suffix == ".toml":
        yield "one sample", 'messages = [{ role = "user", content = "hi" }]\n' + text, 0
        yield "beside", text + '\n[[samples]]\nid = "a"\n\n[[samples]]\nid = "b"\n', -1
        return
    yield "one sample", "messages:\n- role: user\n  content: hi\n" + text, 0
    yield "one sample, turned", text + "\nmessages:\n- role: user\n  content: hi\n", 0
    yield "beside", text + "\nsamples:\n- id: a\n- id: b\n", -1
    for lead in ("  value:\n", "  value: "):
        body = text.removeprefix("--- ").removeprefix("---\n").rstrip("\n").replace("\n", "\n    ")
        body = "\n".join(line.rstrip(" ") if not line.strip(" ") else line for line in body.split("\n"))
        yield "inside", f"samples:\n- id: a\n- id: b\n{lead}{'    ' * (lead[-1] == chr(10))}{body}\n- id: c\n", 1


def deeds_of(value: Table, chance: Iterator[Plain]) -> Iterator[Deed]:
    """Yield edits around each value of a sample."""
    for path in paths_in(value):
        if path == () or path[0] in ("messages", "samples", "id"):
            continue
        held = lookup(value, path)
        for new in (next(chance), next(chance)):
            yield _deed(f"set {path} {new!r}", value, Set(path, new))
        yield _deed(f"delete {path}", value, Delete(path))
        if isinstance(path[-1], str):
            yield _deed(f"rename {path}", value, Rename(path, "another key"))
        if isinstance(held, dict):
            yield _deed(f"new in {path}", value, Set((*path, "new key"), next(chance)))
        if isinstance(held, list):
            for at in {0, len(held)}:
                yield _deed(f"insert {path} {at}", value, Insert((*path, at), next(chance)))
            if len(held) > 1:
                yield _deed(f"move {path}", value, Move((*path, 0), len(held) - 1))


def _deed(name: str, value: Table, operation: Operation) -> Deed:
    return Deed(name, operation, applied(operation, value))


def tried(document: Document, index: int, deed: Deed, readers: Readers, fit: frozenset[str], counts: Counts) -> str:
    """Make an edit; return what is wrong with what came of it."""
    splice = whole_file.edited(document, deed.operation) if index < 0 else document.edit(index, deed.operation)
    after = document.apply(splice)
    rows, context = samples_of(document), document.context
    found = after.context if index < 0 else after.read(index)
    if not same(found, deed.wanted):
        return f"reads {found!r} and not {deed.wanted!r}"
    if index >= 0 and not same(after.context, context):
        return "what is beside the samples changed"
    others = [at for at in range(len(rows)) if at != index]
    if len(after) != len(rows) or not all(same(samples_of(after)[at], rows[at]) for at in others):
        return "another sample changed"
    try:
        prove(DeckFile(Path("deck"), after, Disk(document, None)))
    except SaveRefusedError as error:
        return f"a save refuses what the edit accepted: {error}"
    if "".join(document.apply(splice).apply(splice.inverse()).pieces) != document.text:
        return "undo does not restore the text"
    return readers.fault(fit, after, counts.read) or ""


def run(files: Sequence[Path], readers: Readers) -> Counts:
    """Make all edits around the values of some files."""
    counts, chance = Counts(), cycle(VALUES)
    for path in files:
        for how, text, index in decks_of(path):
            form = "toml" if path.suffix == ".toml" else "yaml"
            try:
                document = BY_NAME[form].parse(text)
                value = document.context if index < 0 else document.read(index)
                if len(document) != {-1: 2, 0: 1, 1: 3}[index]:
                    continue
                fit = readers.fit(text, document)
                deeds = [*deeds_of(value, chance)]
            except (FormatError, EditError, IndexError):
                continue  # the file is none that a deck could be made of in this way
            if not fit:
                continue
            counts.decks += 1
            for deed in deeds:
                try:
                    wrong = tried(document, index, deed, readers, fit, counts)
                except EditError as error:
                    counts.refused[f"{form} {how}: {str(error).partition(': ')[2] or error}"] += 1
                    continue
                except FormatError as error:
                    wrong = f"raised {error!r}"
                counts.done += 1
                if wrong:
                    counts.faults.append(f"{path}, {how}, {deed.name}: {wrong}\n{text!r}")
                    print(counts.faults[-1], flush=True)
    return counts


def main(arguments: Sequence[str] = ()) -> int:
    """Run over a folder, and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.suites", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the suite lies")
    parser.add_argument("--every", type=int, default=1, help="take every N-th file only")
    given = parser.parse_args(arguments or sys.argv[1:])
    found = sorted(path for path in given.folder.rglob("*") if path.suffix in (".toml", ".yaml", ".yml"))
    files = [path for path in found if "invalid" not in path.parts and not path.with_name("error").exists()]
    with Readers() as readers:
        counts = run(files[:: given.every], readers)
    for reason, many in counts.refused.most_common(30):
        print(f"  {many:6,} {reason}")
    print(", ".join(f"read back by {name}: {many:,}" for name, many in sorted(counts.read.items())))
    made = f"{counts.done:,} edits kept, {counts.refused.total():,} refused, {len(counts.faults):,} differ"
    print(f"{len(files[:: given.every]):,} files, {counts.decks:,} decks: {made}")
    return int(bool(counts.faults))


if __name__ == "__main__":
    sys.exit(main())
