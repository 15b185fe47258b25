"""The proof that changed pieces of a TOML file mean the same among the others as they do by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sampleui.errors import FormatError
from sampleui.formats.data import Table, same
from sampleui.formats.document import Splice
from sampleui.formats.toml.pieces import BOM, Holder, load, samples_of, without


def ends_lines(pieces: Sequence[str], splice: Splice) -> bool:
    """Tell whether every piece of a splice, and the one before it, ends its last line where another follows."""
    stretch = pieces[max(splice.at - 1, 0) : splice.at + len(splice.added)]
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
    ends = not splice.at or splice.at + len(splice.removed) == len(pieces)
    return ends or has_others((*splice.removed, *splice.added), holder)


def moves_others(splice: Splice, holder: Holder) -> bool:
    """Tell whether the pieces of a splice change what a file holds beside its samples."""
    old, new = (without(load("".join(some)), holder) for some in (splice.removed, splice.added))
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
        head = pieces[0] if splice.at else ""
        tail = pieces[-1] if splice.at + len(changed) < len(pieces) else ""
        found, beside = samples_of(load("".join((head, *changed, tail))), *spelled)
        return list(found.values()), beside

    try:
        found, beside = around(after, splice.added)
        was_beside = around(before, splice.removed)[1]
    except FormatError:
        return False
    return len(found) == len(wanted) and all(map(same, found, wanted)) and same(beside, was_beside)
