"""Edits of a document by their names, as tables of tests give them."""

from __future__ import annotations

from typing import Any

from sampleui.formats.document import Document, Splice
from sampleui.formats.operations import Delete, Insert, Move, Rename, Set

OPERATIONS: dict[str, Any] = {"set": Set, "insert": Insert, "delete": Delete, "move": Move, "rename": Rename}


def splice_of(document: Document, deed: str, *args: Any) -> Splice:
    """Return the splice of an operation (`set`, a sample, a path, a value), or of an edit of samples."""
    if deed in OPERATIONS:
        return document.edit(args[0], OPERATIONS[deed](*args[1:]))
    splice: Splice = getattr(document, deed)(*args)
    return splice
