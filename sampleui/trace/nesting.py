"""How the events of a trace nest: in which call or span each happened, and who did it.

The events of a trace are a list; what nests is said by keys of theirs:

* `parent`: the `id` of the call or span that an event happened in, which stands before it in the list. What names
  another, or is empty, says that it happened in none. Where there is no `parent`, a `depth` above 0 stands for the
  last call or span that is less deep.
* `agent`: the name of who did it, left out for the agent that the run is about.
* `span`: of a `model_step` that others happened in what it is: `agent`, `task`, `step`, or another word.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from sampleui.trace.events import EventType, TraceEvent

T = TypeVar("T", bound=Hashable)

NESTING = frozenset({"parent", "depth", "agent", "span"})
"""The keys that say how an event nests."""
_AGENT = "agent"


class Nesting(NamedTuple):
    """What the events of a trace say of how they nest; all lists are empty where none says anything.

    Attributes:
        parents: for each event the index of the one it happened in, which is smaller; -1 for none.
        depths: for each event how many are around it.
        agents: for each event who did it, empty for the agent that the run is about.
        unknown: how many events name a parent that is not before them.
    """

    parents: Sequence[int] = ()
    depths: Sequence[int] = ()
    agents: Sequence[str] = ()
    unknown: int = 0


def nesting(events: Sequence[TraceEvent]) -> Nesting:
    """Return how the events of a trace nest."""
    if not any(event.extra and not NESTING.isdisjoint(event.extra) for event in events):
        return Nesting()
    parents, depths, unknown = _parents(events)
    return Nesting(parents, depths, _agents(events, parents), unknown)


def circles(parents: Mapping[T, T]) -> list[T]:
    """Return of each circle among parents, in which each is its own ancestor, one: the first that is met.

    Args:
        parents: what each is in; what is in nothing is left out, or in what is not there.
    """
    found: list[T] = []
    settled: set[T] = set()
    for item in parents:
        path: dict[T, None] = {}
        while item in parents and item not in settled and item not in path:
            path[item] = None
            item = parents[item]
        if item in path:
            found.append(item)
        settled.update(path)
    return found


def span_of(event: TraceEvent) -> str:
    """Return what a span is, such as `agent` or `task`; empty for what is none."""
    span = event.extra.get("span") if event.type is EventType.MODEL_STEP else None
    return span if isinstance(span, str) else ""


def of_the_run(events: Sequence[TraceEvent]) -> list[bool]:
    """Tell of each event whether the agent that the run is about did it, and not an agent or a tool below it."""
    nest = nesting(events)
    if not nest.parents:
        return [True] * len(events)
    own: list[bool] = []
    for parent, agent in zip(nest.parents, nest.agents, strict=True):
        around = parent < 0 or (own[parent] and events[parent].type is not EventType.TOOL_CALL)
        own.append(around and not agent)
    return own


def _parents(events: Sequence[TraceEvent]) -> tuple[list[int], list[int], int]:
    """Return the parent and the depth of each event, and how many name a parent that is not before them."""
    named: dict[object, int] = {}  # calls and spans by their ids, and by these with their depths
    levels, holders = list[int](), list[int]()  # how deep the calls and spans are that others may be in, and these
    parents: list[int] = []
    depths: list[int] = []
    unknown = 0
    for index, event in enumerate(events):
        name, told = event.extra.get("parent"), _depth(event)
        if isinstance(name, str | int):
            # Agents may give their calls the same ids as others.
            parent = named.get((name, told - 1), named.get(name, -1))
            unknown += parent < 0 and name != ""
        else:
            less = bisect_left(levels, told)
            parent = holders[less - 1] if less else -1
        depth = 0 if parent < 0 else depths[parent] + 1
        parents.append(parent)
        depths.append(depth)
        if event.type is EventType.TOOL_CALL or span_of(event):
            place = bisect_left(levels, told or depth)
            levels[place:], holders[place:] = [told or depth], [index]
            if event.id is not None:
                named[event.id] = named[event.id, depth] = index
    return parents, depths, unknown


def _depth(event: TraceEvent) -> int:
    depth = event.extra.get("depth")
    return depth if isinstance(depth, int) and not isinstance(depth, bool) and depth > 0 else 0


def _agents(events: Sequence[TraceEvent], parents: Sequence[int]) -> list[str]:
    """Return who did each event, empty for the run's own agent, but not for one of its name in another's span."""
    own = _own(event for event, parent in zip(events, parents, strict=True) if parent < 0)
    inside: list[str] = []  # who does what happens in each
    in_agent: list[bool] = []  # whether that is in the span of an agent
    agents: list[str] = []
    for event, parent in zip(events, parents, strict=True):
        around, is_below = ("", False) if parent < 0 else (inside[parent], in_agent[parent])
        name = _agent_of(event) or around
        if span_of(event) == _AGENT:
            agents.append(around)
            inside.append("" if name == own and not is_below else name)
        else:
            agents.append("" if name == own != around else name)
            inside.append(agents[-1])
        in_agent.append(is_below or span_of(event) == _AGENT)
    return agents


def _own(roots: Iterable[TraceEvent]) -> str:
    """Return the agent that the run is about; empty where none is named, or spans of several are side by side."""
    named = [(_agent_of(event), span_of(event)) for event in roots]
    several = len({name for name, span in named if span == _AGENT}) > 1
    return "" if several else next((name for name, _ in named if name), "")


def _agent_of(event: TraceEvent) -> str:
    """Return which agent an event names as the one that did it, or as the one whose span it is."""
    named = event.extra.get("agent")
    name = named if isinstance(named, str) else ""
    return name or (event.name or "" if span_of(event) == _AGENT else "")
