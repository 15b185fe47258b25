"""Ids for converted samples that need one and have none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import NamedTuple

from sampleui.sample.dialects.dialect import Dialect


class MadeId(NamedTuple):
    """An id that is made for a sample, and why, in words that are the same for all samples."""

    name: str
    why: str


def made_ids(given: Sequence[str | None], source: Dialect, target: Dialect) -> dict[int, MadeId]:
    """Return the ids to be made, by the index of their samples, none of which is that of another sample.

    A sample without an id is given one by its number where the target wants ids, so that converting the same deck
    again makes the same. Ids of which several are alike are told apart where the target does not allow that and the
    source does; where the source does not either, it is a fault of the deck, which only its author can mend.

    Args:
        given: the ids that the samples have, None for those without.
        source: the dialect they come from.
        target: the dialect they are written in.
    """
    wanted = "id-missing" in target.rules and bool(target.id_paths)
    apart = target.unique_ids and not source.unique_ids
    taken, seen = {*given}, set[str]()
    ids: dict[int, MadeId] = {}
    names: Iterator[str]
    for index, name in enumerate(given):
        if name is None and wanted:
            stem = f"sample-{index + 1}"
            names, why = chain((stem,), _numbered(stem)), "made from the number of the sample, which has none"
        elif name is not None and apart and name in seen:
            names, why = _numbered(name), f"a number is put behind it, for {target.title} allows no two alike"
        else:
            if name is not None:
                seen.add(name)
            continue
        ids[index] = MadeId(next(name for name in names if name not in taken), why)
        taken.add(ids[index].name)
    return ids


def _numbered(stem: str) -> Iterator[str]:
    return (f"{stem}-{number}" for number in count(2))
