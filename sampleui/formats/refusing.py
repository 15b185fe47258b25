"""Files whose samples no text of their own makes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from sampleui.errors import EditError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.formats.document import Document, Splice
from sampleui.text.edit import TextEdit


class Refusing(Document):
    """A document that offers no texts for edits of samples."""

    @abstractmethod
    def _refusal(self, index: int) -> EditError:
        """Return why there is none for a sample."""

    def _set(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        raise self._refusal(index)

    def _insert(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        raise self._refusal(index)

    def _delete(self, index: int, path: DataPath) -> Iterator[TextEdit]:
        raise self._refusal(index)

    def _move(self, index: int, path: DataPath, to: int) -> Iterator[TextEdit]:
        raise self._refusal(index)

    def _rename(self, index: int, path: DataPath, name: str) -> Iterator[TextEdit]:
        raise self._refusal(index)

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        raise self._refusal(index)

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        raise self._refusal(index)

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        raise self._refusal(index)
