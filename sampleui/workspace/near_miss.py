"""Files that are nearly what a tool writes: their list is under another key, or a first line is no sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import CONTAINERS, Plain, Table, as_table, items_of, tables_in
from sampleui.formats.document import Document
from sampleui.formats.registry import TREES
from sampleui.sample import parse
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.dialects.guessing import likely_places
from sampleui.sample.dialects.shipped import Dialect, detect
from sampleui.sample.model import Sample
from sampleui.workspace.samples import first_is_no_sample, readable

_LOOKED_AT = 20
_KEYED: Sequence[tuple[str, ...]] = [(key,) for key in CONTAINERS]


class NearMiss(NamedTuple):
    """What a file nearly is, and what would make it that, in words; and the row that is no sample, if it is one."""

    message: str
    row: int | None = None


def near_miss(document: Document, kind: Dialect) -> NearMiss | None:
    """Return what a file nearly is; None if it is what it seems to be, or nobody knows.

    Args:
        document: the file.
        kind: the dialect that it is read in.
    """
    if first_is_no_sample(document):
        first, second = readable(document, 0), readable(document, 1)
        if _asks(first, kind) or not (kind.elsewhere or _asks(second, kind)):
            return None
        return NearMiss(f"This line is no sample, as those below it are, which are of {kind.title}; delete it", 0)
    if document.format not in TREES or document.keyed or _is_read(document, kind):
        return None
    samples: list[Plain] = [readable(document, index) for index in range(min(len(document), _LOOKED_AT))]
    around: dict[str, Plain] = {**document.context}
    if len(samples) == 1 and not (document.container or around):
        around, samples = as_table(samples[0]), []
    within = likely_places(around) or [(key,) for key, value in around.items() if tables_in(value)]
    places = [document.container] if samples else within
    for keys in places:
        listed = tables_in(samples or items_of(value_at(around, keys)))
        suite = any(key in around for key in kind.context_messages)
        ways = _KEYED if suite or document.format == "toml" else [(), *_KEYED]
        for found, wanted in _elsewhere([way for way in ways if way != keys], around, listed):
            begins = f"Such a list is read as {found.title}"
            here = f"not under {'.'.join(keys)}" if keys else "not alone"
            where = f"under the key {wanted[0]}" if wanted else "if it is all there is in the file"
            return NearMiss(f"{begins} {where}, and {here}")
    return None


def _is_read(document: Document, kind: Dialect) -> bool:
    """Tell whether the dialect of a file finds what is asked in it, or beside it, or may do so elsewhere."""
    if not len(document):
        return document.refers
    if kind.elsewhere and document.container in kind.containers:
        is_suite = any(document.context.get(key) for key in kind.context_messages)
        return is_suite or not document.container or not kind.weighed
    return any(_asks(readable(document, index), kind) for index in range(min(len(document), _LOOKED_AT)))


def _elsewhere(
    ways: Sequence[tuple[str, ...]], around: Mapping[str, Plain], listed: Sequence[Table]
) -> Iterator[tuple[Dialect, tuple[str, ...]]]:
    """Yield the dialects that would read tables under other keys than they are, and these."""
    for wanted in ways if listed else ():
        found = detect(wanted, around, listed).dialect
        known = all(table.keys() <= found.known for table in islice(listed, _LOOKED_AT))
        telling = len(listed[0].keys() - {"id"}) > 1 or isinstance(
            value_at(listed[0], found.message_paths[0]), list
        )
        if wanted in found.containers and known and telling and (found.elsewhere or _asks(listed[0], found)):
            yield found, wanted


def _asks(data: Table, kind: Dialect) -> bool:
    """Tell whether a dialect finds messages in a sample."""
    path = parse.messages_path(data, kind)
    return bool(parse.conversation(Sample("", 0, data, kind.name, path, Path(), kind=kind)))
