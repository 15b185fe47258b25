"""One sample with thousands of values is looked at and edited by work in proportion to them."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from sampleui.formats.data import DataPath
from sampleui.formats.operations import Set
from sampleui.formats.registry import BY_NAME

FOLDED = "- text: >\n" + "\n\n".join(f"    some words that fold\n    over two lines {at}" for at in range(400))


def calls(work: Callable[[], object]) -> int:
    """Return how many Python functions a piece of work calls."""
    count = 0

    def called(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_a_folded_text_is_edited_by_the_paragraphs_that_changed() -> None:
    deck = BY_NAME["yaml"].parse(FOLDED + "\n")
    text = deck.read(0)["text"]
    assert isinstance(text, str)
    new = text.replace("lines 200", "lines, of which this one is new,\nand another one")
    splices = []
    assert calls(lambda: splices.append(deck.edit(0, Set(("text",), new)))) < 60_000
    after = deck.apply(splices[0])
    assert after.read(0)["text"] == new
    assert after.text.count("    some words that fold\n    over two lines") == 400


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("json", '[{"a": 1, ' + ", ".join(f'"k{at}": {at}' for at in range(1000)) + "}]"),
        ("yaml", "- a: 1\n" + "".join(f"  k{at}: {at}\n" for at in range(1000))),
    ],
)
def test_the_values_of_a_wide_table_are_found_by_their_keys(form: str, text: str) -> None:
    deck = BY_NAME[form].parse(text)
    paths: list[DataPath] = [(f"k{at}",) for at in range(1000)]
    assert calls(lambda: [(deck.read(0), deck.span(0, path)) for path in paths]) < 100_000
