"""The fields of a dialect: what a key of its samples is, and what it tells of a deck.

Entries of integrations are made of them, and every start reads those, so this imports nothing but what is always
there.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple


def keys(names: str) -> frozenset[str]:
    """Return names written one after the other as a set."""
    return frozenset(names.split())


MESSAGE = keys("role content name tool_calls tool_call_id")
"""The keys of a message as OpenAI spells it."""


class Tells(Enum):
    """What it tells of a deck that a key is in it."""

    NOTHING = auto()
    """Other dialects have it too, or any sample may."""
    MUCH = auto()
    """Only this dialect has it, though someone may write it for another reason."""
    ALL = auto()
    """Only this dialect has it, and hardly anyone writes it for another reason."""


class Edited(Enum):
    """How a text is edited. Lists are edited item by item and tables key by key, as their types say."""

    LINE = auto()
    BOX = auto()


class Field(NamedTuple):
    """What a key of a sample, or one beside the samples, is. All that is said of it anywhere comes from here.

    Attributes:
        type: its type in words of `models/typed.py`, or of the shapes of the dialect's integration
            (`Checks.shapes`), with `|` between several.
        required: whether a sample must have it.
        holds: the keys of the table that it is, or of each table in its list; none where any may be there.
        purpose: what it is for, in a line; "" where its place in the dialect says that.
        tells: what it tells of a deck that it is there.
        edited: how its texts are edited; None for a name as one line (`NAMES`), and for any other in a box.
        offered: whether it is offered to be added, and is in the JSON Schema. Others, such as older keys, are known
            and may be anything.
        returns: whether a conversion takes it out of `metadata` again; else what is found there of that name stays.
    """

    type: str
    required: bool = False
    purpose: str = ""
    tells: Tells = Tells.NOTHING
    edited: Edited | None = None
    offered: bool = True
    returns: bool = True
    holds: frozenset[str] = frozenset()


def unoffered(names: str, tells: Tells = Tells.NOTHING, *, returns: bool = False) -> dict[str, Field]:
    """Return keys written one after the other as fields that are known, and not offered."""
    return {key: Field("any", tells=tells, offered=False, returns=returns) for key in names.split()}


def fields(names: str) -> dict[str, Field]:
    """Return keys written one after the other, each with a colon before its type, as a table of fields.

    A type with `!` behind it is that of a key which a sample must have: `inputs:table!`.
    """
    parts = (name.partition(":") for name in names.split())
    return {key: Field(kind.removesuffix("!"), kind.endswith("!")) for key, _, kind in parts}


def telling(table: Mapping[str, Field], *, all_of_it: bool = False) -> tuple[str, ...]:
    """Return the keys of a table of fields that tell something of a deck, or all, as signs of its entry."""
    wanted = (Tells.ALL,) if all_of_it else (Tells.MUCH, Tells.ALL)
    return tuple(key for key, item in table.items() if item.tells in wanted)
