"""The lines of a session as the conversation that they are: of a tree the branch that ends last, in its order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sampleui.formats.data import Table, as_table, tables_in

_ROOT = -1


class Branch(NamedTuple):
    """The lines that are the conversation, and how many messages of the tree are not in it."""

    lines: Sequence[Table]
    left_out: int = 0


def conversation(lines: Sequence[Table]) -> Branch:
    """Return the branch that ends last of lines that are a tree, each with its parent.

    What stands beside the branch and is no other one is in it: what calls returned that ran at once, and parts of
    its messages. Another branch begins where somebody typed, or a model answered, something else in its place.

    Args:
        lines: the lines that have an id, each id once, in the order of the file.
    """
    if not lines:
        return Branch(lines)
    parents = _parents(lines)
    if parents == [*range(-1, len(lines) - 1)]:  # as most are: nothing was rewound
        return Branch(lines)
    order = _parents_first(parents)
    last = next((n for n in reversed(range(len(lines))) if _is_said(lines[n])), len(lines) - 1)
    branch = {*_upwards(last, parents)}
    messages = {of for number in branch if (of := message_id(lines[number])) is not None}
    kept: set[int] = set()
    ranks = [0] * len(lines)
    for number in order:
        parent = parents[number]
        ranks[number] = number if parent == _ROOT else max(number, ranks[parent])
        beside = parent == _ROOT or parent in kept
        if number in branch or (beside and not _begins_another(lines, number, parent, messages)):
            kept.add(number)
    places = {number: place for place, number in enumerate(order)}
    listed = sorted(kept, key=lambda number: (ranks[number], places[number]))
    left_out = sum(_is_said(lines[number]) for number in range(len(lines)) if number not in kept)
    return Branch([lines[number] for number in listed], left_out)


def message_id(line: Table) -> str | None:
    """Return the id of the message of a model that a line is a part of."""
    if line.get("type") != "assistant":
        return None
    value = as_table(line.get("message")).get("id")
    return value if isinstance(value, str) else None


def is_typed(line: Table) -> bool:
    """Tell whether a line is what a person asked: not what a tool returned, nor what the program put in."""
    if line.get("type") != "user" or line.get("isMeta") is True or line.get("isCompactSummary") is True:
        return False
    blocks = tables_in(as_table(line.get("message")).get("content"))
    return not any(str(block.get("type")).endswith("tool_result") for block in blocks)


def _is_said(line: Table) -> bool:
    return line.get("type") in ("user", "assistant")


def _begins_another(lines: Sequence[Table], number: int, parent: int, messages: set[str]) -> bool:
    line = lines[number]
    if line.get("type") != "assistant":
        return is_typed(line)
    # A model goes on beside what its calls returned; another answer to the same words is one of another branch.
    return message_id(line) not in messages and (parent == _ROOT or lines[parent].get("type") != "assistant")


def _parents(lines: Sequence[Table]) -> list[int]:
    """Return the place of the parent of each line.

    A parent that is not there, since its line is damaged or was left behind as the session was compacted, is the
    line before.
    """
    places = {str(line.get("uuid")): number for number, line in enumerate(lines)}
    parents = []
    for number, line in enumerate(lines):
        named = line.get("parentUuid")
        if named is None and (line.get("subtype") == "compact_boundary" or line.get("isCompactSummary") is True):
            named = line.get("logicalParentUuid") or ""
        parents.append(places.get(named, number - 1) if isinstance(named, str) else _ROOT)
    return parents


def _parents_first(parents: list[int]) -> list[int]:
    """Return the places of all lines, each behind its parent; a line in a circle of parents becomes a root."""
    order: list[int] = []
    state = bytearray(len(parents))
    for start in range(len(parents)):
        path = []
        number = start
        while number != _ROOT and not state[number]:
            state[number] = 1
            path.append(number)
            number = parents[number]
        if number != _ROOT and state[number] == 1:
            parents[path[-1]] = _ROOT
        for above in reversed(path):
            state[above] = 2
            order.append(above)
    return order


def _upwards(number: int, parents: Sequence[int]) -> Iterator[int]:
    while number != _ROOT:
        yield number
        number = parents[number]
