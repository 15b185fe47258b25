"""The calls of a run beside those of the golden trajectories of its sample.

`golden_trajectories` is a list of reference traces, each a list of messages with `tool_calls` and `tool` messages
(gage-eval standardized sample, §1.3.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_list
from sampleui.text.aligning import facing
from sampleui.trace.argument_comparison import ArgumentDiff, differences
from sampleui.trace.events import Absent, TraceEvent
from sampleui.trace.preview import to_json
from sampleui.trace.reading.messages import events_of, parse_messages
from sampleui.trace.timeline import TimelineRow, calls_of

_CHANGED = 0.5
"""What a call of the same tool with other arguments costs, where one that only one side has costs 1."""


class PairKind(StrEnum):
    """How a golden call compares with the actual one."""

    SAME = "same"
    CHANGED = "changed"
    MISSING = "missing"
    EXTRA = "extra"


class ComparedPair(NamedTuple):
    """One line of a two-column diff: an actual call, a golden one, or both."""

    actual: TimelineRow | None
    golden: TimelineRow | None
    kind: PairKind
    differences: tuple[ArgumentDiff, ...] = ()


class Alignment(NamedTuple):
    """The calls of a run beside those of one golden trajectory.

    Attributes:
        golden_index: which of the sample's trajectories this is, from 0.
        rows: the pairs, in the order of both sides.
        distance: 0 when they are the same; 1 for each missing or extra call, a half for each changed one.
    """

    golden_index: int
    rows: tuple[ComparedPair, ...]
    distance: float

    def count(self, kind: PairKind) -> int:
        """Return how many pairs are of a kind."""
        return sum(pair.kind is kind for pair in self.rows)


def golden_trajectories(data: Table) -> tuple[tuple[TraceEvent, ...], ...]:
    """Return the golden trajectories of a sample as events. What is not a list of messages is left out."""
    listed = map(_messages, as_list(data.get("golden_trajectories")))
    return tuple(tuple(events_of(parse_messages(messages, (), []))) for messages in listed if messages)


def closest(actual: Sequence[TraceEvent], goldens: Sequence[Sequence[TraceEvent]]) -> tuple[Alignment, ...]:
    """Return the alignment with each golden trajectory, the closest first, equals in the order of the sample."""
    calls = calls_of(actual) if goldens else ()
    alignments = [align(calls, calls_of(golden), index) for index, golden in enumerate(goldens)]
    return tuple(sorted(alignments, key=lambda alignment: alignment.distance))


def align(actual: Sequence[TimelineRow], golden: Sequence[TimelineRow], golden_index: int = 0) -> Alignment:
    """Put two lists of calls side by side so that as little as possible is missing, extra or changed.

    Only calls of the same tool face each other. Beyond `MAX_ALIGNED_CALLS` pairs of calls that differ at all, calls
    are put side by side by their position.
    """
    rows = tuple(_pairs(actual, golden))
    cost = sum({PairKind.SAME: 0.0, PairKind.CHANGED: _CHANGED}.get(pair.kind, 1.0) for pair in rows)
    return Alignment(golden_index, rows, cost)


def _messages(entry: Plain) -> list[Plain] | None:
    messages = entry.get("messages") if isinstance(entry, dict) else entry
    return messages if isinstance(messages, list) else None


def _pairs(actual: Sequence[TimelineRow], golden: Sequence[TimelineRow]) -> Iterator[ComparedPair]:
    left, right = [_key(row) for row in actual], [_key(row) for row in golden]
    for mine, other in facing(left, right, lambda call, wanted: call[0] == wanted[0]):
        yield from _side_by_side(None if mine is None else actual[mine], None if other is None else golden[other])


def _side_by_side(actual: TimelineRow | None, golden: TimelineRow | None) -> Iterator[ComparedPair]:
    if actual is not None and golden is not None and actual.event.name == golden.event.name:
        yield _pair(actual, golden)
        return
    if golden is not None:
        yield ComparedPair(None, golden, PairKind.MISSING)
    if actual is not None:
        yield ComparedPair(actual, None, PairKind.EXTRA)


def _pair(actual: TimelineRow, golden: TimelineRow) -> ComparedPair:
    changes = tuple(differences(_arguments(actual), _arguments(golden)))
    return ComparedPair(actual, golden, PairKind.CHANGED if changes else PairKind.SAME, changes)


def _arguments(row: TimelineRow) -> Plain:
    # A call without arguments and one with none are the same call.
    arguments = row.event.input
    return {} if arguments is None or isinstance(arguments, Absent) else arguments


def _key(row: TimelineRow) -> tuple[str | None, str]:
    return row.event.name, to_json(_arguments(row), sort_keys=True)
