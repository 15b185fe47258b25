"""What no path leads to in the rows of verifiers, function by function."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.integrations.verifiers import results as verifiers


def test_other_numbers_of_a_rollout_are_metrics() -> None:
    row: Table = {
        "reward": 1,
        "id": "a",
        "exact": 1.0,
        "short": True,
        "words": 3,
        "note": "x",
        "metrics": {"words": 3},
    }
    assert verifiers.prepare(row)[verifiers.METRICS] == ["exact", "short"]


def trace(*nodes: Table, **more: Plain) -> Table:
    return verifiers.flat({"nodes": [*nodes], **more})


def node(content: str, parent: int | None = None, role: str = "user", **more: Plain) -> Table:
    return {"parent": parent, "message": {"role": role, "content": content}, **more}


def test_of_a_graph_of_messages_the_way_to_the_last_one_counts() -> None:
    row = trace(
        node("ask"),
        node("first", 0, "assistant", sampled=True, timestamp=0.5),
        node("second", 0, "assistant", sampled=True),
        node("seen", 1, "tool"),
        node("last", 3, "assistant", sampled=True),
    )
    assert row["prompt"] == [{"role": "user", "content": "ask"}]
    assert [one["content"] for one in row["completion"]] == ["first", "seen", "last"]  # type: ignore[union-attr,index,call-overload]
    assert row["completion"][0]["timestamp"] == "1970-01-01T00:00:00.500+00:00"  # type: ignore[index,call-overload]
    again = trace(node("a"), node("b", 1), node("c", 1))
    assert [one["content"] for one in again["prompt"]] == ["b", "c"]  # type: ignore[union-attr,index,call-overload]
    unsampled = trace(node("a", timestamp=1.0))
    assert (unsampled["prompt"], unsampled["completion"]) == ([{"role": "user", "content": "a"}], [])


def test_without_messages_what_the_task_asks_was_asked() -> None:
    task: Table = {"data": {"prompt": "q", "system_prompt": "s", "idx": 0, "name": "n", "answer": "a"}}
    row = trace(task=task)
    assert row["prompt"] == [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]
    assert (row["id"], row["example_id"], row["answer"], row["completion"]) == ("n", 0, "a", [])
    assert trace(task={"data": {"prompt": [{"role": "user"}, 5]}})["prompt"] == [{"role": "user"}]


def test_rewards_are_weighed_and_those_of_other_agents_stand_beside() -> None:
    judge: Table = {"agent": {"name": "judge", "trainable": False}, "rewards": {"fair": 0.5}}
    main: Table = {
        "agent": {"model": "m"},
        "rewards": {"exact": {"score": 1, "weight": 2}, "late": None, "short": 0.5},
    }
    row = verifiers.flat({"traces": [judge, main], "env": {"id": "e"}})
    assert (row["reward"], row["model"], row["task"]) == (2.5, "m", "e")
    assert row["metrics"] == {"judge/fair": 0.5, "exact": 1.0, "late": None, "short": 0.5}
    only = verifiers.flat({"traces": [judge]})
    assert (only["reward"], only["metrics"]) == (0.5, {"fair": 0.5})
    assert trace(rewards={"late": None})["reward"] is None
    assert verifiers.flat({"traces": []})["metrics"] == {}


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"errors": [{"type": "A", "message": "a"}, {"type": "B", "message": "b"}]}, "B: b"),
        ({"ok": True, "errors": [{"type": "A", "message": "a"}]}, None),
        ({"ok": False}, "the episode did not end well"),
        ({}, None),
    ],
)
def test_why_a_rollout_has_no_whole_answer(row: Table, error: str | None) -> None:
    assert trace(**row)["error"] == error


def test_what_a_rollout_used_and_how_long_it_took() -> None:
    calls: Plain = [
        {"usage": {"prompt_tokens": 3, "cached_input_tokens": 2, "completion_tokens": 1}},
        {"usage": {"prompt_tokens": 1}},
        {},
    ]
    assert trace(calls=calls)["token_usage"] == {"input_tokens": 6, "output_tokens": 1}
    assert trace(calls=[{}])["token_usage"] is None

    def took(start: Plain, end: Plain) -> Plain:
        timing = trace(timing={"generation": {"start": start, "end": end}})["timing"]
        return timing["total"]  # type: ignore[index,call-overload]

    assert (took(0, 2), took(1, 1), took(2, 1), took(None, 1), took(1, None)) == (2.0, 0.0, None, None, None)
