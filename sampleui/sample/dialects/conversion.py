"""What only a conversion asks of a dialect: how its own program takes samples that are written for it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain


class Cells(NamedTuple):
    """How the program of a dialect reads the cells of a table.

    Attributes:
        structured: the keys whose cells it reads as JSON; under any other a list or table is a text to it.
        lists: for keys whose cells are lists to it, what stands between their items.
        filled: for keys whose cells must not be empty, what one without a value is given; None if nothing serves.
        guessed: whether it takes words such as `None` for an empty cell, and a column of numbers for numbers.
        variables: the key of the values that are columns of their own; empty if there is none.
    """

    structured: frozenset[str] = frozenset()
    lists: Mapping[str, str] = MappingProxyType({})
    filled: Mapping[str, Plain] = MappingProxyType({})
    guessed: bool = False
    variables: str = ""


class Asserted(NamedTuple):
    """What the program of a dialect makes of assertions in a list.

    Attributes:
        types: the types that it knows, each with that of its value in words (`models/typed.py`), empty for none.
        keys: the keys that it reads of one.
    """

    types: Mapping[str, str]
    keys: frozenset[str]


class Conversion(NamedTuple):
    """What the samples of a dialect are converted by, besides the rest of its table.

    Attributes:
        asked_path: where a conversation is written that has an answer beside it; None for the usual place.
        ids_beside: for a place of messages where samples of one kind have them, where those have their id.
        uuids: whether its program takes no other ids than UUIDs.
        titled_by: for such a place, the key of a line about the conversation, which must be there.
        turn_roles: the roles that its own program takes turns of; none for all.
        refused_roles: those that its runs take and its own check of a file refuses.
        unsent_calls: whether it sends no tool calls, and wants no null as the content of a message that has some.
        text_only: whether a conversation can be nothing but one text.
        text_content: whether the content of a message can be nothing but a text.
        plain_tools: whether the tools it declares are functions as such, usually as a JSON text.
        call_role: the role of a turn whose text is the JSON of the tools it calls; empty where calls are a key.
        flat_calls: whether a tool call names its function flatly and has its arguments as a table, and a message
            with calls has content.
        media_formats: for a type of media of its own that must say its format, the formats by the ends of URLs.
        alternates: the program that leaves conversations out unless each turn of the user, or of a tool, is
            answered; empty for none.
        answer_is_turn: whether what is expected is written as the last turn of the conversation.
        answer_item: what an item of a list of answers has besides its value, where `expected_paths` lead into one.
        taken_back: keys that a conversion takes out of `metadata` again; None for all that are known.
        written_first: what a converted sample begins with.
        own: known keys that mean something else in other dialects, or are older names here.
        asserted: for a known key of assertions, those that its program takes; others fail in it.
        one_kind: whether its program takes conversations and other samples from separate files alone.
        cells: how its program reads the cells of a table; None if it reads no tables, or as they are read here.
    """

    asked_path: DataPath | None = None
    ids_beside: Mapping[DataPath, DataPath] = MappingProxyType({})
    uuids: bool = False
    titled_by: Mapping[DataPath, str] = MappingProxyType({})
    turn_roles: tuple[str, ...] = ()
    refused_roles: tuple[str, ...] = ()
    unsent_calls: bool = False
    text_only: bool = False
    text_content: bool = False
    plain_tools: bool = False
    call_role: str = ""
    flat_calls: bool = False
    media_formats: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    alternates: str = ""
    answer_is_turn: bool = False
    answer_item: Mapping[str, str] = MappingProxyType({})
    taken_back: frozenset[str] | None = None
    written_first: Mapping[str, Plain] = MappingProxyType({})
    own: frozenset[str] = frozenset()
    asserted: Mapping[str, Asserted] = MappingProxyType({})
    one_kind: bool = False
    cells: Cells | None = None


PLAIN = Conversion()
"""A program that takes whatever its dialect's table can say."""
