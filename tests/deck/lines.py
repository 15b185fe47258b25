"""A form of deck made for tests: every line is a sample whose one value is the line's text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from sampleui.deck.load import stamp_of
from sampleui.deck.model import Change, DeckFile, DeckFiles, Disk
from sampleui.errors import FormatError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.formats.document import Document, Splice
from sampleui.text.position import Span, TextEdit


@dataclass(frozen=True)
class Lines(Document):
    format = "lines"
    surrogates = True

    declared: int = 0
    """What the file says beside its samples, as it was when it was read as a whole."""

    @classmethod
    def parse(cls, text: str) -> Self:
        if "BROKEN" in text:
            raise FormatError("this line is broken", line=text[: text.index("BROKEN")].count("\n") + 1, column=1)
        lines = [line + "\n" for line in text.split("\n")]
        lines[-1] = lines[-1][:-1]
        return cls(("", *(line for line in lines if line), ""), text.count("DECLARE"))

    def read(self, index: int) -> Table:
        chunk = self.chunk(index)
        if "UNREADABLE" in chunk:
            raise FormatError("this sample cannot be read")
        return {"text": chunk.rstrip("\n")}

    def span(self, index: int, path: DataPath) -> Span:
        return Span(0, len(self.chunk(index).rstrip("\n")))

    @property
    def container(self) -> tuple[str, ...]:
        return ()

    @property
    def context(self) -> Table:
        return {"declared": self.declared}

    def _set(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        assert isinstance(value, str)
        yield TextEdit(0, len(self.chunk(index).rstrip("\n")), value)

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        yield Splice(index + 1, (), (f"{data['text']}\n",))

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        yield Splice(index + 1, (self.pieces[index + 1],), ())

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        low, high = min(index, to), max(index, to) + 1
        pieces = list(self.pieces[1:-1])
        pieces.insert(to, pieces.pop(index))
        yield Splice(low + 1, self.pieces[low + 1 : high + 1], tuple(pieces[low:high]))

    def _insert(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        raise NotImplementedError

    def _delete(self, index: int, path: DataPath) -> Iterator[TextEdit]:
        raise NotImplementedError

    def _move(self, index: int, path: DataPath, to: int) -> Iterator[TextEdit]:
        raise NotImplementedError

    def _rename(self, index: int, path: DataPath, name: str) -> Iterator[TextEdit]:
        raise NotImplementedError


def files_of(*paths: Path) -> DeckFiles:
    """Return files on disk as a deck of this form."""
    sources = []
    for path in paths:
        data = path.read_bytes()
        document = Lines.parse(data.decode())
        sources.append(DeckFile(path, document, Disk(document, stamp_of(path, len(data)))))
    return DeckFiles(paths[0], tuple(sources))


def rewritten(files: DeckFiles, index: int, line: str, source: int = 0) -> DeckFiles:
    """Return the deck with the text of a line replaced, line feed kept, whatever it then reads as."""
    piece = files.sources[source].document.pieces[index + 1]
    end = "\n" if piece.endswith("\n") else ""
    return files.apply(Change(source, Splice(index + 1, (piece,), (line + end,))))
