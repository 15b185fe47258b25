"""A banner goes where its sample goes, and never stands over another: every edit of `examples/decks/hello.toml`."""

from __future__ import annotations

import itertools
import re
import tomllib
from pathlib import Path

import pytest

from sampleui.formats.data import Table
from sampleui.formats.toml import TomlDocument

from .by_name import splice_of

HELLO = (Path(__file__).parents[2] / "examples" / "decks" / "hello.toml").read_text(encoding="utf-8")
DECK = TomlDocument.parse(HELLO)
BANNERS = {
    "arithmetic": "Arithmetic",
    "algebra-tutor": "Tutoring",
    "capital-of-france": "Facts",
    "refund-policy": "Policy",
    "haiku": "Style",
    "unit-conversion": "Units",
}
IDS = [*BANNERS]
NEW: Table = {"id": "new", "messages": [{"role": "user", "content": "Hi"}]}


def outline(text: str) -> list[tuple[str, str]]:
    """Return each sample's id with the banner that stands right above it, a lone banner with no id."""
    found: list[tuple[str, str]] = []
    banner = ""
    for line in text.split("\n"):
        if started := re.match(r"# --- (\w+)", line):
            if banner:
                found.append(("", banner))
            banner = started[1]
        elif named := re.match(r'id = "(.*)"', line):
            found.append((named[1], banner))
            banner = ""
    return [*found, ("", banner)] if banner else found


def expected(ids: list[str]) -> list[tuple[str, str]]:
    return [(name, BANNERS.get(name, "")) for name in ids]


def check(after: TomlDocument, ids: list[str]) -> None:
    text = after.text
    assert outline(text) == expected(ids)
    assert [one["id"] for one in tomllib.loads(text)["samples"]] == ids
    assert tomllib.loads(text)["meta"] == tomllib.loads(HELLO)["meta"]
    assert text.startswith("# A first deck")
    assert "\n\n\n" not in text
    assert text.endswith("\n") and not text.endswith("\n\n")
    for line in text.split("\n"):
        assert not line.startswith("# --- ") or f"\n\n{line}\n\n" in text


@pytest.mark.parametrize(("index", "to"), [*itertools.permutations(range(6), 2)])
def test_a_sample_moves_with_its_banner(index: int, to: int) -> None:
    splice = DECK.move_sample(index, to)
    ids = [name for at, name in enumerate(IDS) if at != index]
    ids.insert(to, IDS[index])
    after = DECK.apply(splice)
    check(after, ids)
    assert after.apply(splice.inverse()).text == HELLO
    assert sorted(after.text.split("\n")) == sorted(HELLO.split("\n"))


@pytest.mark.parametrize("index", range(6))
def test_a_banner_goes_with_its_sample(index: int) -> None:
    splice = DECK.delete_sample(index)
    after = DECK.apply(splice)
    check(after, IDS[:index] + IDS[index + 1 :])
    assert after.apply(splice.inverse()).text == HELLO


@pytest.mark.parametrize("index", range(7))
def test_a_new_sample_takes_no_ones_banner(index: int) -> None:
    splice = DECK.insert_sample(index, NEW)
    after = DECK.apply(splice)
    check(after, [*IDS[:index], "new", *IDS[index:]])
    assert after.apply(splice.inverse()).text == HELLO


def sectioned(*names: str) -> TomlDocument:
    """Return a deck of samples, and of sections where a name is in capitals."""
    blocks = [f"# --- {name} ---" if name.isupper() else f'[[samples]]\nid = "{name}"' for name in names]
    return TomlDocument.parse("# A deck\n\n" + "\n\n".join(blocks) + "\n")


@pytest.mark.parametrize(
    ("names", "edit", "wanted"),
    [
        (("A", "a", "b", "B", "c", "d"), ("delete_sample", 0), ("A", "b", "B", "c", "d")),
        (("A", "a", "b", "B", "c", "d"), ("move_sample", 0, 1), ("A", "b", "a", "B", "c", "d")),
        (("A", "a", "b", "B", "c", "d"), ("delete_sample", 2), ("A", "a", "b", "B", "d")),
        (("A", "a", "b", "B", "c"), ("delete_sample", 2), ("A", "a", "b")),
        (("A", "a"), ("delete_sample", 0), ("A",)),
        # From one section to another: those that stay have the names above them that they had.
        (("A", "a", "b", "B", "c", "d"), ("move_sample", 0, 2), ("A", "b", "B", "c", "a", "d")),
        (("A", "a", "b", "B", "c", "d"), ("move_sample", 0, 3), ("A", "b", "B", "c", "d", "a")),
        (("A", "a", "b", "B", "c", "d"), ("move_sample", 3, 0), ("A", "d", "a", "b", "B", "c")),
        (("A", "a", "b", "B", "c", "d"), ("move_sample", 2, 1), ("A", "a", "c", "b", "B", "d")),
        (("A", "a", "b", "B", "c", "d"), ("move_sample", 1, 2), ("A", "a", "B", "c", "b", "d")),
        # With a banner of its own it goes above the section, and without that into its midst.
        (("A", "a", "b", "B", "c"), ("move_sample", 2, 0), ("B", "c", "A", "a", "b")),
        (("A", "a", "b", "B", "c"), ("move_sample", 2, 1), ("A", "a", "c", "b", "B")),
        (("A", "a", "B", "b", "c"), ("move_sample", 0, 1), ("A", "B", "b", "a", "c")),
        (("A", "a", "B", "b", "c"), ("move_sample", 0, 2), ("B", "b", "c", "A", "a")),
        (("A", "a", "B", "b", "c", "C", "d"), ("move_sample", 3, 1), ("A", "a", "C", "d", "B", "b", "c")),
        (("A", "a", "B", "b", "c", "C", "d"), ("move_sample", 0, 2), ("B", "b", "c", "A", "a", "C", "d")),
    ],
)
def test_a_banner_over_several_samples_stays_in_its_place(names, edit, wanted) -> None:
    document = sectioned(*names)
    method, *arguments = edit
    after = document.apply(splice_of(document, method, *arguments))
    assert after.text == sectioned(*wanted).text


def test_the_banner_of_the_last_of_two_is_its_own() -> None:
    block = "[[samples]]\nid = '{}'\n"
    deck = TomlDocument.parse(f"{block.format('a')}\n# --- B ---\n\n{block.format('b')}")
    assert deck.apply(deck.delete_sample(1)).text == block.format("a")


@pytest.mark.parametrize(("index", "to"), [(0, 1), (0, 2)])
def test_a_heading_at_the_beginning_of_a_file_needs_no_blank_line_above(index: int, to: int) -> None:
    deck = TomlDocument.parse("[samples.a]\n\n# heading\n\n[samples.b]\n\n[samples.c]\n")
    text = deck.apply(deck.move_sample(index, to)).text
    assert text.startswith("# heading\n\n[samples.b]\n\n[samples.")
