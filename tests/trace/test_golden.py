import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.trace.argument_comparison import ArgumentDiff, differences, equal_in_json, holds
from sampleui.trace.events import ABSENT, parse_event
from sampleui.trace.golden import PairKind, align, closest, golden_trajectories
from sampleui.trace.timeline import calls_of
from tests.quick import within
from tests.trace.strategies import plain

SAMPLE = {
    "id": "agent",
    "golden_trajectories": [
        [
            {"role": "assistant", "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Paris"}'}}
            ]},
            {"role": "tool", "tool_call_id": "1", "content": "Sunny"},
            {"role": "assistant", "content": "It is sunny."},
        ],
        {"messages": [{"role": "assistant", "tool_calls": [{"tool": "search", "input": {"q": "weather"}}]}]},
        17,
    ],
}  # fmt: skip


def made(*calls):
    return [parse_event({"type": "tool_call", "name": name, "input": data}) for name, data in calls]


def aligned(actual, golden):
    return align(calls_of(made(*actual)), calls_of(made(*golden)))


def shape(alignment):
    return [
        (pair.kind.value, pair.actual and pair.actual.event.name, pair.golden and pair.golden.event.name)
        for pair in alignment.rows
    ]


def test_golden_trajectories_are_read_in_both_shapes():
    first, second = golden_trajectories(SAMPLE)
    assert [(row.event.name, row.event.input, row.output) for row in calls_of(first)] == [
        ("weather", {"city": "Paris"}, "Sunny")
    ]
    assert [row.event.name for row in calls_of(second)] == ["search"]
    assert golden_trajectories({}) == ()


def test_the_closest_comes_first_and_equals_keep_their_order():
    found = closest(made(("search", {"q": "weather"})), golden_trajectories(SAMPLE))
    assert [(alignment.golden_index, alignment.distance) for alignment in found] == [(1, 0), (0, 2)]
    same = closest(made(("other", {})), [made(("a", 1)), made(("b", 1))])
    assert [alignment.golden_index for alignment in same] == [0, 1]


def test_missing_extra_and_changed_calls():
    actual = [("login", {}), ("find", {"q": "x", "n": 5}), ("ads", {}), ("buy", {"id": 1})]
    golden = [("login", None), ("find", {"q": "y", "page": 1}), ("check", {}), ("buy", {"id": 1})]
    found = aligned(actual, golden)
    assert shape(found) == [
        ("same", "login", "login"),
        ("changed", "find", "find"),
        ("missing", None, "check"),
        ("extra", "ads", None),
        ("same", "buy", "buy"),
    ]
    assert found.distance == 2.5
    assert found.count(PairKind.MISSING) == 1
    assert [str(difference) for difference in found.rows[1].differences] == [
        'q = "x", "y" expected',
        "page missing, 1 expected",
        "n = 5, not expected",
    ]


def test_equal_calls_face_each_other_rather_than_changed_ones():
    found = aligned([("a", 1), ("a", 2)], [("a", 2)])
    assert [pair.kind for pair in found.rows] == [PairKind.EXTRA, PairKind.SAME]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 1)), max_size=6), st.data())
def test_an_alignment_keeps_both_sides_in_order_and_is_no_worse_than_any_other(left, data):
    right = data.draw(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 1)), max_size=6))
    found = aligned(left, right)
    assert [(p.actual.event.name, p.actual.event.input) for p in found.rows if p.actual] == left
    assert [(p.golden.event.name, p.golden.event.input) for p in found.rows if p.golden] == right
    assert found.distance == best(tuple(left), tuple(right))
    assert (found.distance == 0) == (left == right)


def best(left, right):
    """The least distance, by trying everything."""
    if not left or not right:
        return len(left) + len(right)
    ways = [1 + best(left[1:], right), 1 + best(left, right[1:])]
    if left[0][0] == right[0][0]:
        ways.append((0 if left[0] == right[0] else 0.5) + best(left[1:], right[1:]))
    return min(ways)


def test_long_traces_are_bounded():
    actual, golden = [("a", n) for n in range(20_000)], [("a", -n) for n in range(5000)]
    with within(3):
        found = aligned(actual, golden)
    assert len(found.rows) == 20_000


@pytest.mark.parametrize(("cells", "distance"), [(9, 2), (8, 4)])
def test_too_many_calls_are_held_against_each_other_by_their_position(monkeypatch, cells, distance):
    monkeypatch.setattr("sampleui.text.aligning.MAX_ALIGNED_CALLS", cells)
    found = aligned([("a", 1), ("b", 1)], [("b", 1), ("c", 1)])
    assert (found.distance, found.golden_index) == (distance, 0)


def test_calls_without_a_counterpart_at_their_position_are_missing_or_extra(monkeypatch):
    monkeypatch.setattr("sampleui.text.aligning.MAX_ALIGNED_CALLS", 1)
    longer, shorter = [("a", 1), ("b", 1), ("c", 1), ("z", 1)], [("a", 2), ("z", 2), ("z", 1)]
    for actual, golden, kinds in (
        (longer, shorter, "changed missing extra extra same"),
        (shorter, longer, "changed missing extra missing same"),
    ):
        assert [kind for kind, *_ in shape(aligned(actual, golden))] == kinds.split()


def test_differences_have_one_item_a_path():
    actual, expected = {"a": [1, {"x": 1}], "b": True, "c": 1}, {"a": [1, {"x": 2}, 3], "b": 1, "d": None}
    assert list(differences(actual, expected)) == [
        ArgumentDiff(("a", 1, "x"), 2, 1),
        ArgumentDiff(("a", 2), 3, ABSENT),
        ArgumentDiff(("b",), 1, True),
        ArgumentDiff(("d",), None, ABSENT),
        ArgumentDiff(("c",), ABSENT, 1),
    ]


@given(plain, plain)
def test_no_difference_means_same_and_same_holds(one, other):
    assert not list(differences(one, one))
    assert holds(one, one)
    assert bool(list(differences(one, other))) is not equal_in_json(one, other)
    if not any(found.expected is not ABSENT for found in differences(one, other)):
        assert holds(one, other)
