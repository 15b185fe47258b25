"""The file of codes: what is read of it, and edits that leave all other text as it is."""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.errors import EditRefusedError
from sampleui.review.codes import (
    Codebook,
    FailureCode,
    add_codes,
    codebook_of,
    codes_in,
    define_code,
    definition_digest,
    merge_codes,
    read_codes,
    rename_code,
)

names = st.sampled_from(["wrong date", "tone", "C#", "né", "1. price", "`code`", "a — b"])
words = st.sampled_from(["Rude, or curt.", "It is *not* that.", "Two\nlines of it.", "1) one", "é ü ß"])
quotes = st.lists(st.sampled_from(['- "no"', "* yes\n  and more", "+ “one”"]), max_size=2)
beside = st.sampled_from(
    ["", "\nMore is said of it.\n", "\n### Below\n\nText.\n", "\n```\n## no code\n```\n", "\n> cited\n"]
)


@st.composite
def sections(draw: st.DrawFn) -> str:
    name = draw(names)
    gap = draw(st.sampled_from(["", "\n"]))
    former = draw(st.sampled_from(["", "Formerly: older\n"]))
    text = draw(st.one_of(st.just(""), words))
    items = "".join(f"{item}\n" for item in draw(quotes))
    return f"## {name}\n{former}{gap}{text + chr(10) if text else ''}{gap}{items}{draw(beside)}"


@st.composite
def files(draw: st.DrawFn) -> str:
    begun = draw(st.sampled_from(["", "# What goes wrong\n\nBy us.\n\n", "\ufeff"]))
    text = begun + draw(st.sampled_from(["", "\n"])).join(draw(st.lists(sections(), max_size=4)))
    text = text.removesuffix("\n") if draw(st.booleans()) else text
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


def edited(text: str, edit: Callable[[Codebook], Codebook]) -> str | None:
    """Return a file after an edit, None where that is refused; then it is as it was."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "failures.md"
        path.write_bytes(text.encode())
        try:
            book = edit(read_codes(path))
        except EditRefusedError:
            assert path.read_bytes().decode() == text
            return None
        assert read_codes(path) == book
        return path.read_bytes().decode()


def hunks(before: str, after: str) -> int:
    """Return how many stretches of lines differ, the end of the last line aside."""
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return sum(tag != "equal" for tag, *_ in matcher.get_opcodes())


@given(files(), words)
def test_a_new_code_is_one_hunk_and_the_others_stay(text: str, definition: str) -> None:
    after = edited(text, lambda book: add_codes(book, [FailureCode("brand new", definition, ("a quote",))]))
    assert after is not None
    assert hunks(text, after) == 1 and codes_in(after)[:-1] == codes_in(text)
    assert codes_in(after)[-1] == FailureCode("brand new", " ".join(definition.split()), ("a quote",))
    assert text.endswith("\n") or not text or after.startswith(text)


@given(files(), names)
def test_another_name_is_one_hunk_with_the_old_one_below(text: str, name: str) -> None:
    after = edited(text, lambda book: rename_code(book, name, "brand new"))
    there = {code.name: code for code in codes_in(text)}
    assert (after is None) is (name not in there)
    if after is not None:
        assert hunks(text, after) <= 2, "one, but where names are below a blank line"
        now = {code.name: code for code in codes_in(after)}
        assert now["brand new"].formerly == (*there[name].formerly, name)
        assert now["brand new"].digest == there[name].digest


@given(files(), names)
def test_another_definition_is_one_hunk_and_another_version(text: str, name: str) -> None:
    after = edited(text, lambda book: define_code(book, name, "Something else."))
    if after is not None:
        assert hunks(text, after) == 1
        assert {code.name: code.text for code in codes_in(after)}[name] == "Something else."


@given(files(), names, names)
def test_merged_codes_lose_no_text(text: str, source: str, target: str) -> None:
    after = edited(text, lambda book: merge_codes(book, source, target))
    if after is not None:
        kept = set(map(str.strip, text.splitlines())) - {f"## {source}"}
        assert kept <= set(map(str.strip, after.splitlines()))
        (code,) = [code for code in codes_in(after) if code.name == target]
        assert source in code.formerly and source not in {code.name for code in codes_in(after)}


def test_how_a_definition_is_wrapped_makes_no_other_version() -> None:
    assert definition_digest("a  b\n c") == definition_digest("a b c") != definition_digest("a b")
    assert definition_digest(" \n") == ""


def test_the_nearest_file_counts_up_to_the_root_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "failures.md").write_text("## outside\n")
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / "runs" / "may").mkdir(parents=True)
    (root / "decks").mkdir()
    deck = root / "decks" / "deck.toml"
    assert codebook_of(root / "runs" / "may", [deck]).path == root / "decks" / "failures.md"
    assert codebook_of(root / "runs" / "may").path == root / "runs" / "may" / "failures.md"
    (root / "decks" / "failures.md").write_text("## of the deck\n")
    assert [code.name for code in codebook_of(root / "runs" / "may", [deck]).codes] == ["of the deck"]
    (root / "failures.md").write_text("## of all\n")
    assert [code.name for code in codebook_of(root / "runs" / "may", [deck]).codes] == ["of all"]
    (root / "runs" / "failures.md").write_text("## of the runs\n")
    assert [code.name for code in codebook_of(root / "runs" / "may", [deck]).codes] == ["of the runs"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## a\n## a\nTwo.\n", [FailureCode("a")]),
        ("# a\n### b\n", []),
        ("##\n## \n", []),
        ("## closed ##\nIt.\n", [FailureCode("closed", "It.")]),
        (
            "## a\nFormerly: b\n\nFormerly: c\nText\nof it.\n\nMore.\n- x\n",
            [FailureCode("a", "Text of it.", ("x",), ("b", "c"))],
        ),
        ("    ## indented\n", []),
        ("<!--\n## a\n-->\n## b\n<!-- todo\n\nlater -->\nIt.\n<!-- - no -->\n", [FailureCode("b", "It.")]),
        ("~~~~ py\n## a\n~~~\n## b\n~~~~\n## c\n```x\n- no\n```\nIt.\n- x\n", [FailureCode("c", "", ("x",))]),
        ("- a list\n\n  ## a\n> ## b\n\n<details>\n## c\n</details>\n", []),
        ("---\ntitle: x\n---\n## a\nIt.\n---\n", [FailureCode("a", "It.")]),
    ],
)
def test_what_is_a_code(text: str, found: list[FailureCode]) -> None:
    assert [*codes_in(text)] == found


def test_a_heading_that_is_there_twice_is_told_with_its_line_and_not_edited(tmp_path: Path) -> None:
    path = tmp_path / "failures.md"
    path.write_text("## a\nOne.\n\n## b\n\n## a\nTwo.\n")
    book = read_codes(path)
    assert [(code.name, code.text) for code in book.codes] == [("a", "One."), ("b", "")]
    assert [line for line, _ in book.warnings] == [6]
    with pytest.raises(EditRefusedError, match="lines 1 and 6"):
        rename_code(book, "a", "c")
    assert read_codes(path) == book
