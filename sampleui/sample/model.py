"""What every dialect's sample has in common: an id and messages.

Plain dataclasses and not pydantic models, because they are made for every sample that is shown and a start must not
wait for pydantic. The full models of a dialect are in a module of their own that is imported when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.parse import conversation
from sampleui.text.position import Position


@dataclass(frozen=True, slots=True)
class Sample:
    """One case of a deck.

    Attributes:
        id: the sample's id, the name of a keyed sample, or `#N` (1-based) where it has neither.
        index: its place in the deck, from 0.
        data: its value as the file gives it, unknown keys included.
        dialect: the name of the dialect it is read in.
        messages_path: the keys that lead to its list of messages, as the file spells them.
        path: the file it is in.
        line: the 1-based line it starts on.
        context: the values of the file beside its samples (`prompts`, `execution`).
        base: the folder its files are counted from, None for that of its own file.
        from_base: whether files of variables are counted from that folder too, and not from that of its own file.
        columns: the columns of its table, none for a sample that is not a row.
        kind: the dialect if it is not one of those shipped, None for the shipped one of that name.
        locate: tells where the value at a path of it is in its file, or the nearest one around it; None for a
            sample of no file.
    """

    id: str
    index: int
    data: Table
    dialect: str
    messages_path: DataPath
    path: Path
    line: int = 1
    context: Table = field(default_factory=dict)
    base: Path | None = None
    from_base: bool = False
    columns: tuple[str, ...] = ()
    kind: Dialect | None = field(default=None, repr=False, compare=False)
    locate: Callable[[DataPath], Position] | None = field(default=None, repr=False, compare=False)

    @property
    def folder(self) -> Path:
        """The folder that the files it names are counted from."""
        return self.path.parent if self.base is None else self.base

    @property
    def home(self) -> Path:
        """The folder that files of its variables are counted from."""
        return self.folder if self.from_base else self.path.parent

    @property
    def messages(self) -> list[dict[str, Plain]]:
        """The sample's messages as they render; entries that are not tables are left out.

        They are those of the file, in the list at `messages_path`; those that short forms and older
        records stand for are written out.
        """
        return [item for item in conversation(self) if isinstance(item, dict)]

    def position(self, node: DataPath) -> Position:
        """Return where the value at a path of the sample is in its file."""
        return self.locate(node) if self.locate else Position(self.line, 1)
