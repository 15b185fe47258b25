"""What a broken integration of another package costs, whenever it breaks: one line of warning and nothing else."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sampleui.errors import ResultsError
from sampleui.integrations.entry import IndexEntry
from sampleui.integrations.guarding import guarded
from sampleui.integrations.integration import (
    PARTS,
    Checks,
    Integration,
    Joining,
    Prompts,
    ReadingResults,
    Spellings,
)
from sampleui.review.handing_back import HandsBack
from sampleui.review.record import Details, Entry, ParsedRow
from sampleui.review.results.adapters import Adapter
from sampleui.sample.dialects.dialect import Dialect

ENTRY = IndexEntry("own", dialects=("riddles",))
RIDDLES = Dialect("riddles", "Riddles", ((),), ("jsonl",), (("riddle",),), integration="own")
FACTS = Entry(sample_id="a", score=1.0)
SOUND = Adapter("riddles", lambda row: "riddle" in row, lambda row: ParsedRow(FACTS))


def fails(*_: object) -> Any:
    raise RuntimeError("boom\nin two lines")


def exits(*_: object) -> Any:
    raise SystemExit(3)


def fails_later(*_: object) -> Iterator[Any]:
    yield from ()
    raise RuntimeError("later")


def with_part(name: str, value: object) -> tuple[Integration, list[str]]:
    """Return an integration with one constant, guarded, and what is told of it; a function is called for it."""
    told: list[str] = []

    def constant(asked: str) -> object:
        if asked != name:
            return None
        return value() if inspect.isfunction(value) else value

    return guarded(constant, ENTRY if name == "DIALECTS" else replace_dialects(ENTRY), told.append), told


def replace_dialects(entry: IndexEntry) -> IndexEntry:
    return entry._replace(dialects=())


def part(own: Integration, name: str) -> object:
    method = {"DIALECTS": "dialects", "RESULTS": "results", "RUN_FILES": "run_files"}.get(name, name.lower())
    return own.conversion(RIDDLES) if method == "conversion" else getattr(own, method)()


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("value", [fails, exits], ids=["raises", "exits"])
def test_a_module_that_fails_gives_what_is_usual_and_is_told_once(name: str, value: Callable[..., Any]) -> None:
    own, told = with_part(name, value)

    assert part(own, name) == part(Integration(), name)
    part(own, name)
    assert len(told) == 1


def test_a_constant_that_the_entry_names_and_no_module_has_is_told() -> None:
    own, told = with_part("DIALECTS", None)

    assert own.dialects() == Spellings()
    assert "its entry names it, but no module has it (DIALECTS is left out)" in told[0]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (replace(RIDDLES, name="puzzles"), "the dialect puzzles is not of own"),
        (replace(RIDDLES, integration=""), "the dialect riddles is not of own"),
        ("riddles", "str is no Dialect"),
    ],
)
def test_a_dialect_that_is_not_of_its_entry_is_left_out(table: Dialect, reason: str) -> None:
    own, warnings = with_part("DIALECTS", Spellings((table,)))

    assert own.dialects() == Spellings()
    (told,) = warnings
    assert reason in told


def test_a_constant_of_another_type_is_left_out() -> None:
    own, told = with_part("RESULTS", [SOUND])

    assert own.results() == ReadingResults()
    assert "it is a list, and not ReadingResults (RESULTS is left out)" in told[0]


def test_what_is_sound_stays_as_it_is() -> None:
    own, told = with_part("DIALECTS", Spellings([RIDDLES]))
    assert [*own.dialects().dialects] == [RIDDLES]
    own, told = with_part("RESULTS", ReadingResults((SOUND,)))
    (adapter,) = own.results().adapters
    assert adapter.claims({"riddle": 1})
    assert adapter.parse({}).entry == FACTS
    assert told == []


def test_an_adapter_that_fails_later_claims_and_reads_nothing() -> None:
    adapter = SOUND._replace(claims=fails, parse=fails)
    own, told = with_part("RESULTS", ReadingResults((adapter,)))
    (found,) = own.results().adapters

    assert not found.claims({})
    assert found.parse({}) == ParsedRow()
    assert len(told) == 1


def test_a_row_whose_details_fail_when_they_are_asked_for_has_none() -> None:
    adapter = SOUND._replace(parse=lambda _: ParsedRow(FACTS, details=fails))
    own, told = with_part("RESULTS", ReadingResults((adapter,)))
    parsed = own.results().adapters[0].parse({})

    assert parsed.entry == FACTS
    assert parsed.details() == Details()
    assert len(told) == 1


@pytest.mark.parametrize("rule", [fails, fails_later], ids=["raises", "raises later"])
def test_a_rule_that_fails_finds_nothing(rule: Callable[..., Any]) -> None:
    own, told = with_part("CHECKS", Checks({"short": rule}))

    assert [*own.checks().rules["short"](None)] == []  # type: ignore[arg-type]
    assert len(told) == 1


def test_what_sampleui_itself_raises_goes_through() -> None:
    def refuse(*_: object) -> Any:
        raise ResultsError("this log is broken")

    own, told = with_part("RESULTS", ReadingResults(open_log=refuse))
    with pytest.raises(ResultsError, match="this log is broken"):
        own.results().open_log(None, b"")  # type: ignore[arg-type]
    assert told == []


def test_a_lookup_that_fails_finds_nothing() -> None:
    class Finding:
        find = fails

    own, told = with_part("JOINING", Joining(lambda samples: Finding()))
    assert own.joining().lookup([]).find(None) is None  # type: ignore[misc,arg-type]
    assert len(told) == 1


def test_what_cannot_be_done_without_a_function_is_an_error_of_the_file() -> None:
    own, told = with_part("RESULTS", ReadingResults(hands_back=lambda: HandsBack(fails)))
    tool = own.results().hands_back()  # type: ignore[misc]
    with pytest.raises(ResultsError, match="merged of an integration fails: RuntimeError"):
        tool.merged({}, Path("run.jsonl"), [], True)
    assert len(told) == 1


def test_a_style_that_fails_is_no_style() -> None:
    own, told = with_part("PROMPTS", Prompts(request=fails))
    sent = type("Sent", (), {"chat": [{"role": "user"}]})()

    assert own.prompts().request(sent, "openai") == [{"role": "user"}]
    assert len(told) == 1
