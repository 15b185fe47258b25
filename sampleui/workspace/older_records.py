"""Older records of a deck brought up to date in their files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from sampleui.deck import edit
from sampleui.deck.model import Change, DeckFiles
from sampleui.formats.data import Table
from sampleui.formats.operations import Rename, Set
from sampleui.sample.convert import made_ids
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.dialects.older import fix, superseded, updated
from sampleui.workspace.deck import Deck


class Renewed(NamedTuple):
    """What brings samples up to date.

    Attributes:
        edits: the edits, in order.
        kept: the older keys of which the value is kept as it was, under `metadata`.
        ids: the ids made for samples that must have one and have none.
    """

    edits: tuple[Callable[[DeckFiles], Change], ...]
    kept: tuple[str, ...]
    ids: tuple[str, ...]


def brought_up_to_date(deck: Deck, indexes: Iterable[int]) -> Renewed:
    """Return the edits that rewrite those samples that are older records as the samples they stand for."""
    older = {index: update for index in indexes if (update := updated(deck.samples[index].data, deck.kind))}
    ids = _ids(deck, older)
    edits = (
        partial(edit.apply, index=index, operation=step)
        for index in older
        for step in fix(deck.samples[index].data, deck.kind)
    )
    named = (partial(edit.apply, index=index, operation=Set(("id",), name)) for index, name in ids.items())
    kept = dict.fromkeys(key for update in older.values() for key in update.kept)
    return Renewed((*named, *edits), tuple(kept), tuple(ids.values()))


def renamed_keys(deck: Deck, indexes: Iterable[int]) -> tuple[Callable[[DeckFiles], Change], ...]:
    """Return the edits that give superseded keys of samples the names that took their place and are free."""
    return tuple(
        partial(edit.apply, index=index, operation=Rename((key,), name))
        for index in indexes
        for key, name in _older_keys(deck.samples[index].data, deck.kind)
    )


def _older_keys(data: Table, kind: Dialect) -> Iterator[tuple[str, str]]:
    used = {*data}
    for key, name in superseded(data, kind).items():
        if key in data and name not in used:
            used.add(name)
            yield key, name


def _ids(deck: Deck, indexes: Iterable[int]) -> dict[int, str]:
    """Return ids for those samples that have none and must have one, as a conversion makes them."""
    wanted = [*indexes] if "id-missing" in deck.kind.rules else []
    if all(deck.own_id(deck.samples[index]) for index in wanted):
        return {}
    names = made_ids([deck.own_id(sample) for sample in deck.samples], deck.kind, deck.kind)
    return {index: names[index].name for index in wanted if index in names}
