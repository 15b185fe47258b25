"""Where the samples of a plain YAML list are, by its lines: the same as by its nodes, or not told."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.errors import FormatError
from sampleui.formats.yaml import nodes, pieces
from sampleui.formats.yaml.pieces import plain_starts, split
from tests.bench.decks import yaml_deck

HEADS = ["samples:\n", "tests: # of all\n\n# the first\n", "", "# a list\n---\n", "a: 1\n---\nsamples:\n"]
HEADS += ["x: |\n  samples:\nsamples:\n", 'x: "\nsamples:\n', "samples: []\ncases:\n", "%YAML 1.2\n---\nsamples:\n"]
ITEMS = ["- id: a", "- k: |", "- k: |+", '- k: "x', "- k: [a,", "- text", "-", "- >-", "- ? a", "- &x y", "- - q"]
LINES = ["x: 1", "y:", "z: |", "text # c", "# note", "  # deep", "# it's", 'w: "x', 'q"', "", "  ", "l: [a,", "b]"]
LINES += ["{k: v}", "? e", ": v", "*ref", "y: &ref 1", "- q", "'", '# "y"', "---", "...", "\tq", "<<: {a: 1}"]
TAILS = ["", "# end\n", "\n\n", "other:\n  - x\n", "other:\n- x\n", "...\n", "tests:\n  - id: q\n", "    # deep\n"]


@st.composite
def lists(draw: st.DrawFn) -> str:
    column = draw(st.sampled_from([0, 2, 4]))
    lines: list[str] = []
    for item in draw(st.lists(st.sampled_from(ITEMS[:6] + ITEMS), min_size=2, max_size=4)):
        lines.append(" " * column + item)
        below = st.tuples(st.sampled_from([2, 2, 2, 0, 4, -2]), st.sampled_from(LINES))
        lines += [" " * max(0, column + more) + line for more, line in draw(st.lists(below, max_size=2))]
    text = draw(st.sampled_from(HEADS[:3] + HEADS)) + "\n".join(lines) + "\n" + draw(st.sampled_from(TAILS))
    return draw(st.sampled_from([text, text.replace("\n", "\r\n")]))


def by_nodes(text: str) -> tuple[str, ...] | str:
    """Return the pieces of a short text, which are always found by its nodes."""
    try:
        return split(text)
    except FormatError as error:
        return str(error)


@given(lists())
def test_samples_found_by_lines_are_those_found_by_nodes(text):
    starts = plain_starts(text)
    if starts:
        ends = [*starts[1:], None]
        assert (text[: starts[0]], *(text[a:b] for a, b in zip(starts, ends, strict=True))) == by_nodes(text)


def test_samples_of_a_plain_deck_are_found_without_its_nodes(monkeypatch):
    text = yaml_deck(100)
    wanted = split(text + "other: &a 1\nmore: *a\n")[:-2]
    composed = []
    compose = nodes.compose
    monkeypatch.setattr(pieces, "compose", lambda part, *depth: composed.append(len(part)) or compose(part, *depth))
    assert split(text)[: len(wanted)] == wanted
    assert sum(composed) < len(text) // 20
    for changed in (text.replace("\n", "\r\n"), text.replace("samples:\n", "samples:\n\n# the first\n")):
        composed.clear()
        assert "".join(split(changed)) == changed
        assert sum(composed) < len(text) // 20


@pytest.mark.parametrize(
    "text",
    [
        'samples:\n- a: "x\n- b: 1"\n- c: 1\n',
        "samples:\n- a: [x,\n- b]\n- c: 1\n",
        "samples:\n- a: &x 1\n- b: *x\n",
        "samples:\n- a: 1\n- b: 1\n---\nc: 1\n",
        "samples:\n---\n- a: 1\n- b: 1\n",
        "samples:\n- a: 1\n- b: 1\nsamples: []\n",
        "samples:\n  - a: |\n      x\n    # whose?\n  - b: 1\n",
        "samples:\n - ? a\n # whose?\n - ? b\n",
        "samples:\n- a: 1\u2028- b: 1\n- c: 1\n",
        "samples:\n- - " * 2 + "a\n",
        "samples:\n- a: " + "[" * 200 + "]" * 200 + "\n- b: 1\n",
        "samples:\n- a:\n" + "".join(" " * depth + "a:\n" for depth in range(1, 200)) + "- b: 1\n",
        "samples:\n- a: \x07\n- b: 1\n",
        "samples:\n- a: \ud800\n- b: 1\n",
        "samples:\n- ./a.yaml\n- ./b.yaml\n",
    ],
)
def test_lines_that_are_in_doubt_are_not_trusted(text):
    assert plain_starts(text) == []


def test_too_many_values_are_told_as_by_nodes(monkeypatch):
    text = yaml_deck(100)
    monkeypatch.setattr(nodes, "MAX_YAML_FILE_NODES", 1000)
    with pytest.raises(FormatError, match="more than 1,000 values"):
        split(text)


def test_a_parser_that_counts_no_events_leaves_the_samples_to_their_nodes(monkeypatch):
    text = "samples:\n- a: 1\n- b: 1\n"
    assert plain_starts(text) == [9, 16, 23]
    parser = nodes.EventParser
    monkeypatch.setattr(nodes, "EventParser", lambda part: SimpleNamespace(get_event=parser(part).get_event))
    assert plain_starts(text) == []
