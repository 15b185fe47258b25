"""Files of other tools that hold neither samples nor results, told by the keys that each kind has.

Traces and transcripts of agents, exports of platforms, outputs of benchmarks, and what tools write beside their
results. Most have keys that samples and records have as well (`id`, `input`, `messages`, `status`), so without a
name of their own they would be taken for decks, or their fields for outcomes. Which kinds there are is said beside
the integrations (`integrations/other_files.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_list, json_or_text

_WRAPPERS = ("data", "events", "spans", "calls", "runs", "traces", "observations", "results", "items", "rows")
_LOOKED_AT = 20
_MISSING = object()


class Sign(NamedTuple):
    """Keys that stand together in files of one kind alone.

    Attributes:
        has: paths of keys, dots between, all of which are there; null counts. A table may have a path as one key.
        says: for paths a pattern that the whole text there matches.
        lacks: keys that are not there.
    """

    has: tuple[str, ...]
    says: tuple[tuple[str, str], ...] = ()
    lacks: frozenset[str] = frozenset()


class OtherFile(NamedTuple):
    """One kind of file.

    Attributes:
        what: what it is, for people.
        signs: what it is told by, any one of these.
        instead: what to do with it here, for people; empty if there is nothing.
        traced: whether what was done in it can be read as messages all the same.
        whole: whether the file as a whole has the keys, and no row of it.
        graded: whether it says how something came out, so that a table of the user's could read it as results.
    """

    what: str
    signs: tuple[Sign, ...]
    instead: str = ""
    traced: bool = False
    graded: bool = False
    whole: bool = False

    @property
    def reason(self) -> str:
        """What it is and why it is not opened, for people."""
        table = "a table [results.NAME] in .sampleui.toml can say where they stand" if self.graded else ""
        outcome = "how they came out is not read" if self.graded else "nothing in it is a sample or a graded record"
        outcome = "" if self.instead else outcome
        return "; ".join(filter(None, (f"another tool's file: {self.what}", outcome, self.instead or table)))


def sign(has: str, lacks: str = "", **says: str) -> Sign:
    """Return a sign written in short: keys with blanks between, and patterns by key, `__` standing for a dot."""
    patterns = tuple((key.replace("__", "."), text) for key, text in says.items())
    return Sign((*has.split(), *(key for key, _ in patterns)), patterns, frozenset(lacks.split()))


def other_file(rows: Iterable[Plain], document: Mapping[str, Plain] | None = None) -> OtherFile | None:
    """Return the kind of a file, None for one that is none of these.

    Args:
        rows: its lines, or the items of its list; the first few are looked at.
        document: what it is as a whole, if that is one object.
    """
    from sampleui.integrations.other_files import KINDS  # the table is made of what is defined here

    looked = [*_tables([row for row, _ in zip(rows, range(_LOOKED_AT), strict=False)], document or {})]
    others = (
        kind
        for kind in KINDS
        if any(_bears(table, sign) for table in (looked[:1] if kind.whole else looked) for sign in kind.signs)
    )
    return next(others, None)


def other_document(document: Plain) -> OtherFile | None:
    """Return the kind of a JSON value, as `other_file` does. One that is a text is read once more."""
    if isinstance(document, str):
        document = json_or_text(document)
    if isinstance(document, dict):
        return other_file((), document)
    return other_file(as_list(document))


def _tables(rows: Sequence[Plain], document: Mapping[str, Plain]) -> Iterator[Table]:
    """Yield what may bear a sign: an object, its rows, those in an envelope, those under their ids."""
    yield {**document}
    for wrapper in _WRAPPERS:
        wrapped = document.get(wrapper)
        if isinstance(wrapped, list):
            yield from (row for row in wrapped[:_LOOKED_AT] if isinstance(row, dict))
    if document and all(isinstance(row, dict) for row in document.values()):
        yield from (row for row in [*document.values()][:_LOOKED_AT] if isinstance(row, dict))
    yield from (row for row in rows if isinstance(row, dict))


def _bears(table: Table, sign: Sign) -> bool:
    for path in sign.has:  # most tables lack the first: a loop is quicker than a generator for each sign
        if _value_at(table, path) is _MISSING:
            return False
    return (
        bool(table)
        and not sign.lacks & table.keys()
        and all(
            isinstance(value := _value_at(table, path), str) and re.fullmatch(pattern, value)
            for path, pattern in sign.says
        )
    )


def _value_at(table: Table, path: str) -> object:
    """Return what is at a path; of a list what its first item has there."""
    if path in table:
        return table[path]
    if "." not in path:
        return _MISSING
    value: object = table
    for key in path.split("."):
        if isinstance(value, list) and value:
            value = value[0]
        if not isinstance(value, dict) or key not in value:
            return _MISSING
        value = value[key]
    return value
