"""Patterns mean the same in every Python that runs the program.

Before 3.11.5 a group that is repeated possessively, `(?:…)*+`, ends where its last attempt gave up, and not where
that began: a long string of TOML was not read, or never to its end. With an empty branch, `(?:…|)*+`, it is.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sampleui.formats.toml.scan import STRING

ROOT = Path(__file__).parents[2]
_GIVES_UP = re.compile(r"(?<![\\|])\)[*?+]\+")


def test_a_group_that_is_repeated_possessively_ends_in_an_empty_branch():
    found = {
        f"{path.relative_to(ROOT)}:{number}"
        for path in (ROOT / "sampleui").rglob("*.py")
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if _GIVES_UP.search(line)
    }
    assert found == set()


@pytest.mark.parametrize("text", ['"""\na "q" b\n"""', '"""a"""', '"""a\\""""', "'''a''b'''", '"a\\"b"', "'a'"])
def test_strings_of_toml_are_found_whole(text):
    found = re.match(STRING, f"{text} = 1")
    assert found is not None
    assert found[0] == text
