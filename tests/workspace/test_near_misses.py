"""Files that are nearly what a tool writes: one finding, whose way on makes decks of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sampleui import open_deck
from sampleui.text.diagnostic import Severity

EVALS = [
    {"id": at, "prompt": f"Do {at}", "expected_output": "x", "expectations": ["It has 3 lines"]} for at in (1, 2)
]
QUERIES = [{"query": f"q{at}", "should_trigger": at == 1} for at in (1, 2)]
TESTS = [
    {"description": f"d{at}", "vars": {"q": "x"}, "assert": [{"type": "contains", "value": "y"}]} for at in (1, 2)
]
CHATS = [{"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yo"}]}] * 2
ASKED = [{"id": f"i{at}", "input": f"q{at}", "target": "t"} for at in (1, 2)]
CONFIG = {"prompts": ["{{q}}"], "providers": ["echo"]}


def told(path: Path) -> list[str]:
    return [found.message for found in open_deck(path).diagnostics if found.severity is Severity.ERROR]


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, indent=1), "utf-8")
    return path


@pytest.mark.parametrize(
    ("before", "message", "after"),
    [
        ({"cases": EVALS}, "read as Agent Skills under the key evals, and not under cases", {"evals": EVALS}),
        ({"version": "1", "test_cases": EVALS}, "under the key evals, and not under test_cases", {"evals": EVALS}),
        ({"data": {"evals": EVALS}}, "under the key evals, and not under data.evals", {"evals": EVALS}),
        (EVALS, "under the key evals, and not alone", {"evals": EVALS}),
        ({"queries": QUERIES}, "if it is all there is in the file, and not under queries", QUERIES),
        ([{"queries": QUERIES}], "if it is all there is in the file, and not under queries", QUERIES),
        ({**CONFIG, "cases": TESTS}, "read as promptfoo under the key tests, and not", {**CONFIG, "tests": TESTS}),
        ({**CONFIG, "test_cases": TESTS}, "read as promptfoo under the key tests", {**CONFIG, "tests": TESTS}),
        ({"examples": CHATS}, "read as OpenAI if it is all there is in the file", CHATS),
        ({"data": ASKED}, "read as Inspect if it is all there is in the file", ASKED),
    ],
)
def test_a_list_under_another_key_is_one_finding_whose_way_on_works(
    tmp_path: Path, before: Any, message: str, after: Any
) -> None:
    (found,) = open_deck(written(tmp_path / "a.json", before)).diagnostics
    assert (found.rule, found.severity, found.sample) == ("not-a-deck", Severity.ERROR, None)
    assert message in found.message
    deck = open_deck(written(tmp_path / "a.json", after))
    assert len(deck.samples) == 2 and not told(deck.path)
    assert deck.kind.title in message or "read as" not in message


@pytest.mark.parametrize("rows", [TESTS, CHATS, ASKED, QUERIES])
def test_a_first_line_of_metadata_is_the_only_finding_and_goes(tmp_path: Path, rows: list[Any]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ({"version": "1", "source": "us"}, *rows)))
    deck = open_deck(path)
    (message,) = told(path)
    assert message == f"This line is no sample, as those below it are, which are of {deck.kind.title}; delete it"
    after = deck.delete_sample(0)
    assert len(after.samples) == 2 and not [item for item in after.diagnostics if item.severity is Severity.ERROR]


@pytest.mark.parametrize(
    "value",
    [
        {"samples": [{"id": "a", "prompt": "x"}]},
        {"samples": [{"id": "a", "messages": []}]},
        {"evals": EVALS},
        {"tests": TESTS},
        TESTS,
        QUERIES,
        {"samples": ASKED},
    ],
)
def test_what_is_no_near_miss_is_called_none(tmp_path: Path, value: Any) -> None:
    assert open_deck(written(tmp_path / "a.json", value)).near_miss is None


def test_in_a_dialect_that_was_asked_for_all_is_told(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", {"cases": EVALS})
    assert len([found for found in open_deck(path, "agentv").diagnostics if found.sample]) > 1


@pytest.mark.parametrize("beside", [{}, {"evaluateOptions": {"maxConcurrency": 2}}, {"description": "shared"}])
def test_a_config_of_defaults_alone_is_one_of_promptfoo(tmp_path: Path, beside: dict[str, Any]) -> None:
    deck = open_deck(written(tmp_path / "promptfooconfig.json", {**beside, "defaultTest": {"vars": {"a": "b"}}}))
    assert deck.dialect == "promptfoo"
    (found,) = deck.diagnostics
    assert (found.severity, found.message) == (
        Severity.INFO,
        "there are no tests: what it has is for other configs",
    )
