"""What two writers made of one text, as one text: sample by sample, and inside a sample value by value.

A sample is known again by its id, by its text, or by its place, there only if it has no other id or says the same
but for that: another may have been put in its place. One that a single side changed, moved, added or
deleted is as that side has it. One that both changed has the values of both: its text is merged word by word, and
where that does not read back so, what theirs has changed is edited into mine. Values that do not go together stay
as mine, and the places where that is so are counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from sampleui.errors import EditError, PathError
from sampleui.formats.data import DataPath, Table, lookup, same, without_value_at
from sampleui.formats.document import Document, Splice
from sampleui.formats.operations import Delete, Insert, Operation, Rename, Set
from sampleui.text.aligning import by_piece, changed_regions, increasing
from sampleui.text.limits import MAX_MERGED_PARTS

_BLANKS = " \t\r\n"

_WORD = re.compile(r"\w+|\s|[^\w\s]")

_MISSING: Any = object()
"""Stands for the value of a key that is not there."""


class Merged(NamedTuple):
    """One text of two.

    Attributes:
        pieces: those of the text.
        clashes: how many places both sides have changed in ways that do not go together; there it has mine.
    """

    pieces: tuple[str, ...]
    clashes: int


@dataclass(frozen=True, slots=True)
class _Side:
    """What a writer made of the pieces of a base.

    Attributes:
        document: the text as it is now.
        facing: by the place of a piece in the base, its place now; pieces that are gone are missing.
        moved: the places in the base of those that come in another order now.
        new: the places now of those that the base has not.
    """

    document: Document
    facing: Mapping[int, int]
    moved: frozenset[int]
    new: frozenset[int]

    def text(self, piece: int) -> str:
        """Return the text of a piece of the base as it is now."""
        return self.document.pieces[self.facing[piece]]


def merged(base: Document, mine: Document, theirs: Document, id_paths: Sequence[DataPath] = ()) -> Merged:
    """Return what two writers made of a base as one text.

    Args:
        base: what both began with.
        mine: what one of them made of it; its text stays where the two do not go together.
        theirs: what the other made of it.
        id_paths: where the id of a sample may be.
    """
    if theirs.pieces in (base.pieces, mine.pieces):
        return Merged(mine.pieces, 0)
    parted = [document.parted() for document in (base, mine, theirs)]
    found = _merged(parted, id_paths)
    is_bare = [after is not document for after, document in zip(parted, (base, mine, theirs), strict=True)]
    end = theirs if is_bare[0] == is_bare[1] else mine
    return found._replace(pieces=end.joined(found.pieces))


def _merged(parted: Sequence[Document], id_paths: Sequence[DataPath]) -> Merged:
    """Return what two writers made of a base, all three with their last sample parted from what may follow it."""
    base, mine, theirs = parted
    own, other = (_side(base, document, id_paths) for document in (mine, theirs))
    texts = dict(enumerate(mine.pieces))
    clashes = 0
    for piece in range(len(base.pieces)):
        if piece not in own.facing:
            clashes += piece in other.facing and not _is_as_before(base, piece, other)
        elif piece in other.facing:
            texts[own.facing[piece]], clash = _merged_piece(base, piece, own, other)
            clashes += clash or (piece in own.moved and piece in other.moved)
        elif _is_as_before(base, piece, own):
            del texts[own.facing[piece]]
        else:
            clashes += 1
    behind, unplaced = _placed(own, other, texts, id_paths)
    pieces = (
        text for index in range(len(mine.pieces)) for text in (texts.get(index), *behind[index]) if text is not None
    )
    return Merged(tuple(pieces), clashes + unplaced)


def _is_as_before(base: Document, piece: int, side: _Side) -> bool:
    """Tell whether a side left a piece as it was, but for blanks around it, which come and go with neighbours."""
    before, after = base.pieces[piece], side.text(piece)
    if before == after:
        return True
    old, new = base.samples_in(piece), side.document.samples_in(side.facing[piece])
    return (
        before.strip(_BLANKS) == after.strip(_BLANKS)
        and len(old) == len(new)
        and all(same(base.reading(one), side.document.reading(other)) for one, other in zip(old, new, strict=True))
    )


def _side(base: Document, document: Document, id_paths: Sequence[DataPath]) -> _Side:
    regions = [*by_piece(changed_regions(base.pieces, document.pieces))]
    gone = {piece for region in regions for piece in region.before}
    come = {piece for region in regions for piece in region.after}
    kept = (piece for piece in range(len(document.pieces)) if piece not in come)
    facing = dict(zip((piece for piece in range(len(base.pieces)) if piece not in gone), kept, strict=True))

    def pair(pairs: Iterable[tuple[int, int]]) -> None:
        for piece, index in pairs:
            if piece in gone and index in come:
                facing[piece] = index
                gone.remove(piece)
                come.remove(index)

    pair([(0, 0), (len(base.pieces) - 1, len(document.pieces) - 1)])
    for key in (lambda of, piece: _name(of, piece, id_paths), _text):
        left, right = _once(base, gone, key), _once(document, come, key)
        pair((piece, right[name]) for name, piece in left.items() if name in right)
    pair(
        (region.before.start, region.after.start)
        for region in regions
        if len(region.before) == len(region.after) == 1
        and _may_be_one(base, region.before.start, document, region.after.start, id_paths)
    )
    in_order = {piece for piece, _ in increasing(sorted(facing.items()))}
    return _Side(document, facing, frozenset(facing.keys() - in_order), frozenset(come))


def _once(
    document: Document, pieces: Iterable[int], key: Callable[[Document, int], str | None]
) -> Mapping[str, int]:
    """Return pieces by their keys, those whose key no other of them has."""
    found = {piece: name for piece in pieces if (name := key(document, piece)) is not None}
    counts = Counter(found.values())
    return {name: piece for piece, name in found.items() if counts[name] == 1}


def _text(document: Document, piece: int) -> str:
    return document.pieces[piece]


def _name(document: Document, piece: int, id_paths: Sequence[DataPath]) -> str | None:
    """Return the id of the sample that a piece is, None for a piece that is not one sample with an id."""
    if not 0 < piece < len(document.pieces) - 1 or len(samples := document.samples_in(piece)) != 1:
        return None
    if (name := document.name(samples[0])) is not None:
        return name
    data = document.reading(samples[0])
    for path in id_paths if data is not None else ():
        try:
            value = lookup(data, path)
        except PathError:
            continue
        if isinstance(value, str | int):
            return str(value)
    return None


def _may_be_one(
    base: Document, piece: int, document: Document, other_piece: int, id_paths: Sequence[DataPath]
) -> bool:
    """Tell whether a piece in the place of another may be the same sample, and no other that was put there.

    It is if it has the same id, or if it says the same under another id.
    """
    if _name(base, piece, id_paths) == _name(document, other_piece, id_paths):
        return True
    before, after = (
        [_nameless(held, index, id_paths) for index in held.samples_in(at)]
        for held, at in ((base, piece), (document, other_piece))
    )
    return len(before) == len(after) == 1 and before[0] is not None and same(before[0], after[0])


def _nameless(document: Document, index: int, id_paths: Sequence[DataPath]) -> Table | None:
    """Return what a sample says but for its id."""
    data = document.reading(index)
    if data is None or document.keyed:
        return data
    for path in id_paths:
        with suppress(PathError):
            lookup(data, path)
            return without_value_at(data, path)
    return data


def _placed(
    own: _Side, other: _Side, texts: dict[int, str], id_paths: Sequence[DataPath]
) -> tuple[list[list[str]], int]:
    """Find places in mine for what is new in theirs or moved there; what moves is taken out of the texts.

    Returns:
        By each place of mine the texts that come behind it; and how many found none: mine has another of that id.
    """
    mine, theirs = own.document, other.document
    behind: list[list[str]] = [[] for _ in mine.pieces]
    pieces = {index: piece for piece, index in other.facing.items()}
    names = {_name(mine, index, id_paths) for index in own.new} - {None}
    new = Counter(mine.pieces[index] for index in own.new)
    unplaced, last = 0, 0
    for index, text in enumerate(theirs.pieces):
        piece = pieces.get(index)
        if piece is None:
            if new[text]:
                new[text] -= 1  # both have added it
            elif _name(theirs, index, id_paths) in names:
                unplaced += 1
            else:
                behind[last].append(text)
        elif piece in own.facing and piece not in own.moved:
            if piece in other.moved:
                behind[last].append(texts.pop(own.facing[piece]))
                continue
            last = _behind_new(own, own.facing[piece])
        elif piece not in own.facing:
            stays = (own.facing[one] for one in range(piece, -1, -1) if one in own.facing and one not in own.moved)
            last = max(last, _behind_new(own, next(stays, 0)))  # what mine has in its place comes first
    return behind, unplaced


def _behind_new(own: _Side, index: int) -> int:
    """Return the index of the last of the pieces that are new behind one, or its own."""
    while index + 1 in own.new:
        index += 1
    return index


def _merged_piece(base: Document, piece: int, own: _Side, other: _Side) -> tuple[str, bool]:
    """Return what both made of a piece as one text, and whether some of it does not go together."""
    before, mine, theirs = base.pieces[piece], own.text(piece), other.text(piece)
    if theirs in (before, mine):
        return mine, False
    if mine == before:
        return theirs, False
    sides = ((base, piece), (own.document, own.facing[piece]), (other.document, other.facing[piece]))
    samples = [document.samples_in(in_side) for document, in_side in sides]
    if not samples[0] or len({*map(len, samples)}) > 1:
        return mine, True
    rows = [
        [document.reading(index) for index in indexes]
        for (document, _), indexes in zip(sides, samples, strict=True)
    ]
    if any(data is None for row in rows for data in row):
        return mine, True
    operations = [[*_operations(*values)] for values in zip(*rows, strict=True)]
    clash = any(operation is None for asked in operations for operation in asked)
    by_words = _by_words(own.document, own.facing[piece], before, theirs, rows)
    if by_words is not None:
        return by_words, clash
    document = own.document
    try:
        for index, asked in zip(samples[1], operations, strict=True):
            for operation in asked:
                if operation is not None:
                    document = document.apply(document.edit(index, operation))
    except EditError:
        return mine, True
    around = (_around(*sides[0]), _around(*sides[2]))
    return _surrounded(document, own.facing[piece], *around), clash


def _around(document: Document, piece: int) -> tuple[str, str]:
    """Return what a piece has before its first sample and behind its last: what separates them, comments."""
    samples, text = document.samples_in(piece), document.pieces[piece]
    return text[: document.span(samples[0], ()).start], text[document.span(samples[-1], ()).end :]


def _surrounded(document: Document, piece: int, before: Sequence[str], theirs: Sequence[str]) -> str:
    """Return a piece of mine with what theirs alone has changed of what is around its samples."""
    mine, text = _around(document, piece), document.pieces[piece]
    head, tail = (new if old == own else own for old, own, new in zip(before, mine, theirs, strict=True))
    return head + text[len(mine[0]) : len(text) - len(mine[1])] + tail


def _by_words(
    document: Document, piece: int, before: str, theirs: str, rows: Sequence[Sequence[Any]]
) -> str | None:
    """Return a piece of mine with the words that theirs alone has changed, if that reads as the values of both."""
    mine = document.pieces[piece]
    texts = (before, mine, theirs)
    words = [_WORD.findall(text) for text in texts]
    if max(map(len, words)) > MAX_MERGED_PARTS:
        words = [text.splitlines(keepends=True) for text in texts]
    text = "".join(_with(words[1], _taken(*words)[0]))
    after = document.apply(Splice(piece, (mine,), (text,)))
    if len(after) != len(document):
        return None
    found = [after.reading(index) for index in after.samples_in(piece)]
    is_both = len(found) == len(rows[0]) and all(_is_both(*values) for values in zip(*rows, found, strict=True))
    return text if is_both else None


def _is_both(before: Any, mine: Any, theirs: Any, after: Any) -> bool:
    """Tell whether a value is what two sides made of one before, and mine where these do not go together."""
    if same(theirs, before):
        return same(after, mine)
    if same(mine, before) or same(mine, theirs):
        return same(after, theirs)
    values = (before, mine, theirs, after)
    if all(isinstance(value, dict) for value in values):
        keys = {key for value in values for key in value}
        return all(_is_both(*(value.get(key, _MISSING) for value in values)) for key in keys)
    if all(isinstance(value, list) for value in values):
        items = [[*map(repr, value)] for value in values]
        splices, clashes = _taken(*items[:3])
        if not clashes:
            return _with(items[1], splices) == items[3]
        if len({*map(len, values)}) == 1:
            return all(_is_both(*item) for item in zip(*values, strict=True))
    return same(after, mine)


def _operations(before: Any, mine: Any, theirs: Any, path: DataPath = ()) -> Iterator[Operation | None]:
    """Yield what makes of my value that of both, and None for each part in which they do not go together."""
    if same(theirs, before) or same(mine, theirs):
        return
    values = (before, mine, theirs)
    if all(isinstance(value, dict) for value in values):
        renamed = _renamed(*values)
        for key in {**before, **theirs}:
            if key in renamed:
                yield Rename((*path, key), renamed[key])
            elif key not in renamed.values():
                was, own, other = (value.get(key, _MISSING) for value in values)
                yield from _operations(was, own, other, (*path, key))
        return
    if all(isinstance(value, list) for value in values):
        splices, clashes = _taken(*[[*map(repr, value)] for value in values])
        if clashes and len({*map(len, values)}) == 1:
            for index, (was, own, other) in enumerate(zip(*values, strict=True)):
                yield from _operations(was, own, other, (*path, index))
            return
        if not clashes:
            yield from _of_items(mine, theirs, splices, path)
            return
    if not same(mine, before):
        yield None
    else:
        yield Delete(path) if theirs is _MISSING else Set(path, theirs)


def _renamed(before: Table, mine: Table, theirs: Table) -> dict[str, str]:
    """Return the new names of keys that theirs alone has renamed: only so do they keep the comments beside them."""
    gone = [key for key, value in before.items() if key not in theirs and same(mine.get(key, _MISSING), value)]
    come = [key for key in theirs if key not in before and key not in mine]
    pairs = [(old, new) for old in gone for new in come if same(before[old], theirs[new])]
    olds, news = Counter(old for old, _ in pairs), Counter(new for _, new in pairs)
    return {old: new for old, new in pairs if olds[old] == news[new] == 1}


def _of_items(mine: Any, theirs: Any, splices: Iterable[Splice], path: DataPath) -> Iterator[Operation | None]:
    """Yield what makes splices of the items of a list of mine, as `repr` writes those of theirs."""
    values = {repr(value): value for value in theirs}
    for start, removed, added in splices:
        kept = min(len(removed), len(added))
        for index, item in enumerate(added[:kept], start):
            yield from _operations(mine[index], mine[index], values[item], (*path, index))
        for _ in removed[kept:]:
            yield Delete((*path, start + kept))
        for index, item in enumerate(added[kept:], start + kept):
            yield Insert((*path, index), values[item])


def _with(items: Sequence[str], splices: Iterable[Splice]) -> list[str]:
    """Return items with splices made, of which the last place comes first."""
    made = [*items]
    for start, removed, added in splices:
        made[start : start + len(removed)] = added
    return made


def _taken(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> tuple[list[Splice], int]:
    """Return the splices that take what only theirs has changed into mine, last place first, and the clashes."""
    if max(map(len, (base, mine, theirs))) > MAX_MERGED_PARTS:
        return [], 1
    own = changed_regions(base, mine)
    taken: list[Splice] = []
    clashes = 0
    for region in reversed(changed_regions(base, theirs)):
        new = theirs[region.after.start : region.after.stop]
        near = [item for item in own if _touch(item.before, region.before)]
        if any(mine[each.after.start : each.after.stop] != new for each in near):
            clashes += 1
        elif not near:
            shift = sum(
                len(change.after) - len(change.before)
                for change in own
                if change.before.stop <= region.before.start
            )
            old = base[region.before.start : region.before.stop]
            taken.append(Splice(region.before.start + shift, tuple(old), tuple(new)))
    return taken, clashes


def _touch(changed: range, other: range) -> bool:
    """Tell whether two stretches have an item in common, or something comes in at the same place."""
    if not changed or not other:
        return changed.start <= other.stop and other.start <= changed.stop
    return changed.start < other.stop and other.start < changed.stop
