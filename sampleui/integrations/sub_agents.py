"""The events of a session and of its sub-agents put together, each of these behind the call that began it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sampleui.formats.data import Table
from sampleui.text.wording import counted


class SubAgent(NamedTuple):
    """A sub-agent.

    Attributes:
        id: what its program calls it.
        name: what people call it, or what kind of agent it is.
        events: what it did, without what its own sub-agents did.
        asked: what it was asked first.
        call: the id of the call that began it, which is among the events of the session or of another sub-agent;
            empty where none is known.
    """

    id: str
    name: str
    events: Sequence[Table]
    asked: str = ""
    call: str = ""


def with_sub_agents(events: Sequence[Table], agents: Sequence[SubAgent], notes: list[str]) -> Iterator[Table]:
    """Yield all events, those of a sub-agent behind the call that began it, and last what no call began.

    Args:
        events: what the session's own agent did.
        agents: its sub-agents and theirs, of any depth.
        notes: takes a line about those that no call began.
    """
    if not agents:
        yield from events
        return
    begun: dict[str, list[SubAgent]] = {}
    for agent in agents:
        if agent.call:
            begun.setdefault(agent.call, []).append(agent)
    left = {agent.id: agent for agent in agents}
    yield from _below(events, {}, begun, left)
    apart = 0
    holder: Table = {"type": "model_step", "span": "agents", "id": "agents", "name": "begun by no call here"}
    for agent in sorted(left.values(), key=lambda agent: bool(agent.call)):  # last those that began each other
        if left.pop(agent.id, None) is None:
            continue
        if not apart:
            yield holder
        apart += 1
        span: Table = {"type": "model_step", "span": "agent", "id": f"agent-{agent.id}", "name": agent.name}
        first = next((event["timestamp"] for event in agent.events if "timestamp" in event), None)
        when: Table = {"timestamp": first} if first else {}
        yield {**span, "parent": holder["id"], "input": agent.asked, **when}
        yield from _below(agent.events, {"parent": span["id"], "agent": agent.name}, begun, left)
    if apart:
        began = f"{counted(apart, 'sub-agent')} {'was' if apart == 1 else 'were'} begun by no call that is here"
        notes.append(f"{began}; what {'it' if apart == 1 else 'they'} did stands at the end")


def _below(
    events: Sequence[Table], whose: Table, begun: dict[str, list[SubAgent]], left: dict[str, SubAgent]
) -> Iterator[Table]:
    """Yield events and those of the sub-agents that they began, of any depth; without calling itself."""
    stack: list[tuple[Iterator[Table], Table]] = [(iter(events), whose)]
    while stack:
        rest, about = stack[-1]
        event = next(rest, None)
        if event is None:
            stack.pop()
            continue
        agents = begun.get(str(event.get("id")), ()) if event["type"] == "tool_call" else ()
        if agents and "token_usage" in event:  # tokens of an event in which others spent some do not count
            step: Table = {key: event[key] for key in ("timestamp", "token_usage") if key in event}
            yield {"type": "model_step", **step, **about}
            event = {key: value for key, value in event.items() if key != "token_usage"}
        yield {**event, **about} if about else event
        inside = [agent for agent in reversed(agents) if left.pop(agent.id, None) is not None]
        stack += ((iter(agent.events), {"parent": event["id"], "agent": agent.name}) for agent in inside)
