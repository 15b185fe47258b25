"""A change proved among its neighbours alone: what that proof accepts, the proof of the whole accepts."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.deck.load import load
from sampleui.deck.model import Change, DeckFiles
from sampleui.deck.save import prove, proved_nearby, save
from sampleui.errors import FormatError, SaveRefusedError
from sampleui.formats.document import Splice
from sampleui.formats.operations import Set

DECKS = {
    "deck.toml": '# head\n[meta]\nby = "a"\n'
    + "".join(f'\n# {name}\n[[samples]]\nid = "{name}"\nquestion = "q {name}"\n' for name in "abcdefg"),
    "keyed.toml": "".join(f'[samples.{name}]\nquestion = "q {name}"\n\n' for name in "abcdefg"),
    "deck.yaml": "by: a\nsamples:\n"
    + "".join(f"  # {name}\n  - id: {name}\n    question: q {name}\n\n" for name in "abcdefg")
    + "after: b\n",
    "list.yaml": "".join(f"- id: {name}\n  question: |\n    q {name}\n" for name in "abcdefg"),
    "anchors.yaml": "- id: a\n  question: &x q\n- id: b\n  question: *x\n- id: c\n  question: q\n",
    "deck.json": '{"by": "a", "tests": [\n'
    + ",\n".join(f'  {{"id": "{name}", "question": "q {name}"}}' for name in "abcdefg")
    + "\n]}\n",
    "keyed.json": '{"samples": {\n' + ",\n".join(f'  "{name}": {{"question": "q"}}' for name in "abcdefg") + "}}\n",
    "deck.jsonl": "".join(f'{{"id": "{name}", "question": "q {name}"}}\n' for name in "abcdefg"),
}
PROVED_NEARBY = {"deck.toml", "keyed.toml", "deck.yaml", "list.yaml", "deck.json", "deck.jsonl"}
FAULTS = {
    "nothing": lambda piece: "",
    "twice": lambda piece: piece + piece,
    "half": lambda piece: piece[: len(piece) // 2],
    "without its end": lambda piece: piece.rstrip().removesuffix(","),
    "a quote more": lambda piece: piece.replace("q", 'q"', 1),
    "three quotes more": lambda piece: piece.replace("q", '"""q', 1),
    "a bracket more": lambda piece: piece.rstrip("\n") + "]\n",
    "a comma more": lambda piece: piece.rstrip("\n") + ",\n",
    "a table beside": lambda piece: piece + '[meta]\nby = "a"\n',
    "another table beside": lambda piece: piece + "[meta.more]\nx = 1\n",
    "a likely table beside": lambda piece: piece + "[samples-x]\nx = 1\n",
    "a key above": lambda piece: "x = 1\n" + piece,
    "a name again": lambda piece: piece.replace("d", "a").replace('"c"', '"a"').replace(".c]", ".a]"),
    "a root key": lambda piece: piece + "more: 1\n",
    "a document": lambda piece: piece + "---\n",
    "a comment that a block takes in": lambda piece: "      # deep\n" + piece,
    "an anchor": lambda piece: piece.replace(": q", ": &x q"),
    "an alias": lambda piece: piece.replace(": q", ": *x #"),
    "a tab": lambda piece: "\t" + piece,
}


def opened(folder: Path, name: str) -> DeckFiles:
    path = folder / name
    path.write_text(DECKS[name])
    return load(path)


@pytest.mark.parametrize("name", DECKS)
def test_what_is_proved_nearby_the_proof_of_the_whole_accepts(name, tmp_path):
    files = opened(tmp_path, name)
    pieces = files.sources[0].document.pieces
    for number in range(1, len(pieces) - 1):
        for fault, change in FAULTS.items():
            piece = pieces[number]
            if change(piece) == piece:
                continue
            try:
                source = files.apply(Change(0, Splice(number, (piece,), (change(piece),)))).sources[0]
                proved = proved_nearby(source)
            except FormatError:
                continue
            try:
                prove(source)
            except (SaveRefusedError, FormatError):
                assert not proved, f"{fault} in piece {number} passes for what reads back"


@pytest.mark.parametrize("name", ["keyed.json", *sorted(PROVED_NEARBY)])
@pytest.mark.parametrize("index", [0, 2, -1])
def test_an_edit_of_one_value_is_proved_nearby_where_samples_stand_apart(name, index, tmp_path):
    files = opened(tmp_path, name)
    document = files.sources[0].document
    index %= len(document)
    edited = files.apply(Change(0, document.edit(index, Set(("question",), "another"))))
    assert proved_nearby(edited.sources[0]) == (name in PROVED_NEARBY)
    save(edited, whole=False)
    assert load(files.path).sources[0].document.read(index)["question"].strip() == "another"


@pytest.mark.parametrize("name", sorted(PROVED_NEARBY - {"deck.jsonl"}))  # in which a broken line is a sample
def test_a_fault_of_what_writes_is_refused_without_reading_the_whole(name, tmp_path):
    files = opened(tmp_path, name)
    piece = files.sources[0].document.pieces[3]
    faulty = files.apply(Change(0, Splice(3, (piece,), (piece.replace("q", '"""q', 1).replace(": ", ":", 1),))))
    with pytest.raises((SaveRefusedError, FormatError)):
        save(faulty, whole=False)
    assert files.path.read_text() == DECKS[name]


def test_a_file_that_was_never_read_as_a_whole_is(tmp_path):
    files = opened(tmp_path, "deck.toml")
    edited = files.apply(Change(0, files.sources[0].document.edit(2, Set(("question",), "another"))))
    edited.sources[0].disk.read = False
    assert not proved_nearby(edited.sources[0])
    save(edited, whole=False)
    again = edited.apply(Change(0, edited.sources[0].document.edit(3, Set(("question",), "another"))))
    assert proved_nearby(again.sources[0]), "the save has proved all of it"
