"""How a TOML file is split into pieces, and the proof that changed pieces still read as the same samples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import tomli

from sampleui.errors import FormatError
from sampleui.formats.data import CONTAINERS, Plain, Table, items_of, same, shown, without_value_at
from sampleui.formats.document import Splice
from sampleui.formats.toml import scan, writing
from sampleui.formats.toml.scan import BOM, Holder, TableBlock
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.position import Position, key_offset, position_at


class Split(NamedTuple):
    """A file in pieces: its head, its samples, its tail; under which keys they stand and how."""

    pieces: tuple[str, ...]
    holder: Holder
    keyed: bool
    mixed: bool


@dataclass(slots=True)
class _Region:
    """A stretch of text that holds samples, and the names of keyed ones."""

    start: int
    stop: int
    names: set[str] = field(default_factory=set)


def load(text: str) -> Table:
    """Return the values of a TOML text.

    Raises:
        FormatError: where it is not TOML or too much of it, with line and column.
    """
    data = _values(text)
    scan.guard_depth(text, data)
    return data


def _values(text: str) -> Table:
    scan.guard_file(text)
    try:
        data: Table = tomli.loads(text.removeprefix(BOM))
    except tomli.TOMLDecodeError as error:
        raise FormatError(error.msg, line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise scan.too_deep(text) from error
    except ValueError as error:
        raise scan.too_long(text) from error
    return data


@lru_cache(maxsize=1 << 14)
def samples_by_name(piece: str, holder: Holder, keyed: bool) -> dict[str | int, Table]:
    """Return the samples in a piece by their name or index. Shared: never to be changed. Raises as `load` does."""
    scan.guard_piece(piece)
    return samples_of(load(piece), holder, keyed)[0]


@lru_cache(maxsize=32)
def samples_in_order(piece: str, holder: Holder, keyed: bool) -> tuple[tuple[str | int, Table], ...]:
    """Return the samples in a piece in their order, each with its name or index. Raises as `load` does."""
    return tuple(samples_by_name(piece, holder, keyed).items())


def samples_of(data: Table, holder: Holder, keyed: bool) -> tuple[dict[str | int, Table], Table]:
    """Return the samples among values by their name or index, and the values beside them."""
    container = at_keys(data, holder)
    if keyed:
        named: Iterable[tuple[str | int, Plain]] = container.items() if isinstance(container, dict) else ()
    else:
        named = enumerate(container) if isinstance(container, list) else ()
    return {name: value for name, value in named if isinstance(value, dict)}, without_samples(data, holder)


def at_keys(data: Plain, holder: Holder) -> Plain:
    """Return the value that keys lead to, None if there is none."""
    for key in holder:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def without_samples(data: Table, holder: Holder) -> Table:
    """Return values without the samples that keys lead to; nothing where each key is the name of a sample."""
    return without_value_at(data, holder) if holder else {}


def split(text: str, under: Holder | None = None) -> tuple[Split, Table]:
    """Return a TOML text in pieces, and its values.

    Args:
        text: the file.
        under: the keys that lead to the samples, none for samples by name at the root; None for the usual ones.

    Raises:
        FormatError: as `load` does.
    """
    data = _values(text)
    holder = (_holder(data),) if under is None else under
    container = at_keys(data, holder)
    leads: list[int] = []
    if isinstance(container, list) and len(container) > 1:
        leads = scan.plain_leads(text, holder, len(container))
    chunks = [text[start:stop] for start, stop in pairwise(leads)]
    first = leads[-1] if leads else 0
    rest = text[first:]
    scan.guard_depth(text, _doubtful(data, holder, [*chunks, rest]) if leads else data)
    if not isinstance(container, list | dict):
        return Split((text, ""), holder, keyed=False, mixed=False), data
    keyed = isinstance(container, dict)
    blocks = [*scan.blocks(rest)]
    regions, mixed = _regions(rest, blocks, holder, container)
    if not regions:
        return Split((text, ""), holder, keyed, mixed=False), data
    last_block = max(number for number, block in enumerate(blocks) if block.lead < regions[-1].stop)
    end = blocks[last_block + 1].lead if last_block + 1 < len(blocks) else len(rest)
    starts = [*(region.start for region in regions), end]
    chunks += [rest[start:stop] for start, stop in pairwise(starts)]
    head = text[: leads[0] if leads else starts[0]]
    return Split((head, *chunks, rest[end:]), holder, keyed, mixed), data


def _doubtful(data: Table, holder: Holder, chunks: Sequence[str]) -> Table:
    """Return those values of a file that may be nested too deep, as far as the texts of its samples tell.

    However they are spelled, values are at most twice as deep as there are brackets and dots in one chunk.
    """
    container = at_keys(data, holder)
    if len(holder) > 1 or not isinstance(container, list):
        return data
    samples = [sample for sample, chunk in zip(container, chunks, strict=True) if scan.may_be_deep(chunk)]
    return {**data, holder[0]: samples}


def _holder(data: Table) -> str:
    def holds(value: Plain) -> bool:
        tables = [isinstance(item, dict) for item in items_of(value)]
        return all(tables) if isinstance(value, list) else any(tables)

    filled = (name for name in CONTAINERS if data.get(name) and holds(data[name]))
    empty = (name for name in CONTAINERS if data.get(name) in ([], {}))
    return next(filled, None) or next(empty, CONTAINERS[0])


def _regions(
    text: str, blocks: list[TableBlock], holder: Holder, container: list[Plain] | dict[str, Plain]
) -> tuple[list[_Region], bool]:
    """Return the stretches that hold samples, in order, and whether one may hold none or several."""
    regions = _above_headers(text, blocks[0], holder)
    mixed = bool(regions)
    owners = {name: 0 for region in regions for name in region.names}
    depth = len(holder)
    for block in blocks[1:]:
        if block.path[:depth] != holder:
            continue
        if isinstance(container, list):
            if len(block.path) == depth:
                regions.append(_Region(block.lead, block.stop))
            regions[-1].stop = block.stop
            continue
        if len(block.path) > depth and regions and block.path[depth] in regions[-1].names:
            regions[-1].stop = block.stop
            continue
        if len(block.path) == depth:
            names = _names(text[block.lead : block.stop], holder)
            mixed = mixed or bool(names)
        else:
            name = block.path[depth]
            names = {name} if isinstance(container[name], dict) else set()
        if not names:
            continue
        first = min((owners[name] for name in names if name in owners), default=len(regions))
        regions.append(_Region(block.lead, block.stop, names))
        if first < len(regions) - 1:
            merged = regions[first:]
            regions[first:] = [_Region(merged[0].start, block.stop, set().union(*(item.names for item in merged)))]
            mixed = mixed or len(regions[first].names) > 1
            owners.update(dict.fromkeys(regions[first].names, first))
        else:
            owners.update(dict.fromkeys(names, first))
    return regions, mixed


def _above_headers(text: str, block: TableBlock, holder: Holder) -> list[_Region]:
    """Return the stretch above the first header that holds samples: an inline array or table, or dotted keys."""
    if not block.filled or len(holder) > 1:
        return []
    root = writing.tree.tree_of(text[: block.stop])
    entry = root.entries.get(holder[0]) if holder else root
    if entry is None:
        return []
    statements = [entry.statement] if isinstance(entry, writing.tree.Pair) else entry.statements
    return [_Region(statements[0].lead, statements[-1].tail, _names(text[: block.stop], holder))]


def _names(text: str, holder: Holder) -> set[str]:
    """Return the names of the keyed samples in a text."""
    return {str(name) for name in samples_by_name(text.removeprefix(BOM), holder, keyed=True)}


def strays_and_beside(data: Table, holder: Holder) -> tuple[tuple[str | int, ...], Table]:
    """Return what is among the samples of a file and is not a table (by name or place), and what is beside them.

    A holder without a single sample, but with something else, holds none: it is beside them.
    """
    container = at_keys(data, holder)
    if container is None:
        container = []
    if not isinstance(container, list | dict):
        return (), data
    items = container.items() if isinstance(container, dict) else enumerate(container)
    strays = tuple(key for key, item in items if not isinstance(item, dict))
    if strays and len(strays) == len(container):
        return (), data
    return strays, without_samples(data, holder)


def stray_notes(text: str, holder: Holder, strays: tuple[str | int, ...]) -> tuple[tuple[Finding, Position], ...]:
    """Return a `parse-error` for each value among the samples that is not a table, at its key."""
    return tuple(
        (
            Finding("parse-error", Severity.ERROR, f"{shown((*holder, key))} is not a sample: it is not a table"),
            position_at(text, key_offset(text, str(key)) or key_offset(text, holder[-1]) or 0),
        )
        for key in strays
    )


# The proof that changed pieces mean the same among the others as they do by themselves


def ends_lines(pieces: Sequence[str], splice: Splice) -> bool:
    """Tell whether every piece of a splice, and the one before it, ends its last line where another follows."""
    stretch = pieces[max(splice.start - 1, 0) : splice.start + len(splice.added)]
    return all(piece.endswith("\n") or not piece.strip(BOM) for piece in stretch[:-1])


def has_others(pieces: Iterable[str], holder: Holder) -> bool:
    """Tell whether pieces may hold tables that are not under the keys of the samples."""
    if not holder:
        return False
    keys = r"[\"']?[ \t]*\.[ \t]*[\"']?".join(map(re.escape, holder))
    header = re.compile(rf"^[ \t]*+\[(?!\[?[ \t]*[\"']?{keys}\b)", re.MULTILINE)
    return any(map(header.search, pieces))


def may_move_others(pieces: Sequence[str], splice: Splice, holder: Holder) -> bool:
    """Tell whether a splice may change what a file holds beside its samples, as far as a look at them tells."""
    ends = not splice.start or splice.start + len(splice.removed) == len(pieces)
    return ends or has_others((*splice.removed, *splice.added), holder)


def moves_others(splice: Splice, holder: Holder) -> bool:
    """Tell whether the pieces of a splice change what a file holds beside its samples."""
    old, new = (without_samples(load("".join(some)), holder) for some in (splice.removed, splice.added))
    return not same(old, new)


def reads_among(
    before: Sequence[str],
    after: Sequence[str],
    splice: Splice,
    spelled: tuple[Holder, bool],
    wanted: Sequence[Table],
) -> bool:
    """Tell whether changed pieces read as wanted between the head and the tail, and leave what is beside them.

    `spelled` is the keys of the samples and whether they are named.
    """

    def around(pieces: Sequence[str], changed: Sequence[str]) -> tuple[list[Table], Table]:
        head = pieces[0] if splice.start else ""
        tail = pieces[-1] if splice.start + len(changed) < len(pieces) else ""
        samples, beside = samples_of(load("".join((head, *changed, tail))), *spelled)
        return list(samples.values()), beside

    try:
        samples, beside = around(after, splice.added)
        was_beside = around(before, splice.removed)[1]
    except FormatError:
        return False
    return len(samples) == len(wanted) and all(map(same, samples, wanted)) and same(beside, was_beside)
