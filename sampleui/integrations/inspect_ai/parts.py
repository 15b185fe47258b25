"""A sample of a log in parts: its fields, its events and the messages that these share.

A sample may have 100,000 events, many of them snapshots of which nothing is told. So its text is cut into events
without reading them, and an event is read when it is asked for. What msgspec does not take as the standard library
does, such as NaN or half of a surrogate pair, is read by the standard library as a whole.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload

import msgspec

from sampleui.formats.data import Plain, Table, as_list, as_table

_EVENTS, _SHARED, _MESSAGES = "events", "events_data", "messages"
_UNUSED = frozenset({_EVENTS, _SHARED, "store"})
"""Keys of a sample whose values are never read as one."""

_STEP = 1 << 20


class EventHead(msgspec.Struct):
    """What tells the part of a run that an event belongs to; each as the log has it, None where it does not say."""

    event: object = None
    id: object = None
    span_id: object = None
    type: object = None
    parent_id: object = None
    action: object = None
    name: object = None
    function: object = None


_members = msgspec.json.Decoder(dict[str, msgspec.Raw])
_list = msgspec.json.Decoder(list[msgspec.Raw])
_head = msgspec.json.Decoder(EventHead)
_quick = msgspec.json.Decoder()


class JsonList(Sequence[Plain]):
    """The items of a list of JSON, each read anew whenever it is asked for."""

    def __init__(self, items: Iterable[msgspec.Raw]) -> None:
        self._items = [*items]

    @overload
    def __getitem__(self, index: int) -> Plain: ...

    @overload
    def __getitem__(self, index: slice) -> JsonList: ...

    def __getitem__(self, index: int | slice) -> Plain | JsonList:
        """Return an item, or some of them. Raises `ValueError` for one that is not JSON after all."""
        return JsonList(self._items[index]) if isinstance(index, slice) else _value(self._items[index])

    def __len__(self) -> int:
        """Return how many items there are."""
        return len(self._items)

    def heads(self) -> Iterator[EventHead | None]:
        """Yield what little of each item tells what it is; None for one that is no table."""
        for item in self._items:
            try:
                yield _head.decode(item)
            except msgspec.ValidationError:
                yield None


class SampleParts(NamedTuple):
    """A sample of a log.

    Attributes:
        table: its fields, but for the two below.
        events: its events.
        pool: the messages that its events name as their input.
    """

    table: Table
    events: Sequence[Plain] = ()
    pool: Sequence[Plain] = ()

    @classmethod
    def of(cls, sample: Table) -> SampleParts:
        """Return the parts of a sample that is read already."""
        pool = as_list(as_table(sample.get(_SHARED)).get(_MESSAGES))
        return cls(sample, as_list(sample.get(_EVENTS)), pool)

    @classmethod
    def read(cls, data: bytes) -> SampleParts:
        """Return the parts of the JSON text of a sample.

        Raises:
            ValueError: when it is not JSON, or no table.
            RecursionError: when it is nested too deeply.
        """
        try:
            _prove_utf8(data)
            members = _members.decode(data)
            shared = _members.decode(members[_SHARED]) if _SHARED in members else {}
            return cls(
                {key: _value(raw) for key, raw in members.items() if key not in _UNUSED},
                read_list(members.get(_EVENTS)),
                read_list(shared.get(_MESSAGES)),
            )
        except (msgspec.MsgspecError, UnicodeError):
            parsed: Plain = json.loads(data)
            if not isinstance(parsed, dict):
                raise ValueError("not a JSON object") from None
            return cls.of(parsed)


def read_list(data: bytes | msgspec.Raw | None) -> Sequence[Plain]:
    """Return the items of the JSON text of a list. Raises `msgspec.MsgspecError` when msgspec cannot read it."""
    return () if data is None else JsonList(_list.decode(data))


def heads_of(events: Sequence[Plain]) -> Iterator[EventHead | None]:
    """Yield what little of each event tells what it is; None for one that is no table."""
    if isinstance(events, JsonList):
        yield from events.heads()
        return
    for event in events:
        yield msgspec.convert(event, EventHead) if isinstance(event, dict) else None


def _prove_utf8(data: bytes) -> None:
    """Raise `UnicodeError` for bytes that are not UTF-8, which what is never read may be."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogatepass")
    for start in range(0, 0 if data.isascii() else len(data), _STEP):
        decoder.decode(data[start : start + _STEP])


def _value(raw: msgspec.Raw) -> Plain:
    try:
        value: Plain = _quick.decode(raw)
    except msgspec.MsgspecError:
        value = json.loads(str(raw, "utf-8", "surrogatepass"))
    return value
