"""What AgentV 4 leaves out of a sample's assertions, and what no answer passes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.formats.data import Plain


def found(folder: Path, *assertions: Plain, **beside: Plain) -> list[tuple[str, str, tuple[str | int, ...]]]:
    """Return the rule, the severity and the place of each finding about the assertions of a sample."""
    case: Plain = {"id": "a", "criteria": "ok", "input": "hi", "assertions": [*assertions]}
    path = folder / "a.eval.json"
    path.write_text(json.dumps({"name": "a", "execution": {"target": "mock"}, **beside, "tests": [case]}))
    deck = open_deck(path)
    assert deck.dialect == "agentv"
    return [(item.rule, item.severity.value, item.node[1:]) for item in deck.diagnostics]


@pytest.mark.parametrize(
    ("assertion", "rule", "place"),
    [
        ({"type": "regex", "value": "([a-z"}, "assertion-invalid", (0, "value")),
        ({"type": "regex", "value": "a", "flags": "zz"}, "assertion-invalid", (0, "value")),
        ({"type": "containz", "value": "hi"}, "assertion-invalid", (0, "type")),
        ({"type": "contains"}, "assertion-left-out", (0,)),
        ({"type": "contains", "value": 5}, "assertion-left-out", (0, "value")),
        ({"type": "contains_any", "value": "hi"}, "assertion-left-out", (0, "value")),
        ({"type": "contains-any", "value": []}, "assertion-left-out", (0, "value")),
        ({"type": "llm_judge", "prompt": "x"}, "assertion-left-out", (0, "type")),
        ({"value": "hi"}, "assertion-left-out", (0,)),
        ({"type": "is-json", "schema": {"type": "object"}}, "assertion-nested", (0, "schema")),
        (
            {"type": "contains", "value": "hi", "assertions": [{"type": "equals", "value": "z"}]},
            "assertion-nested",
            (0, "assertions"),
        ),
        (
            {"type": "composite", "assertions": [{"name": "a", "type": "regex", "value": "a("}]},
            "assertion-invalid",
            (0, "assertions", 0, "value"),
        ),
        (
            {"type": "composite", "assertions": [{"type": "regex", "value": "a"}]},
            "assertion-left-out",
            (0, "assertions", 0),
        ),
    ],
)
def test_an_assertion_that_judges_nothing_is_told_at_its_place(
    tmp_path: Path, assertion: Plain, rule: str, place: tuple[str | int, ...]
) -> None:
    """AgentV 4.42.4 left out each of these in a run, or no answer passed it, as its log and its scores say."""
    severity = "error" if rule == "assertion-invalid" else "warning"
    assert found(tmp_path, assertion) == [(rule, severity, place)]


def test_assertions_that_agentv_judges_by_are_none_of_these(tmp_path: Path) -> None:
    taken: list[Plain] = [
        {"type": "regex", "value": "(?<=a+)b", "flags": "i"},
        {"type": "contains_all", "value": ["a", "b"]},
        {"type": "is_json"},
        {"type": "composite", "assertions": [{"name": "a", "type": "contains", "value": "a"}]},
        {"include": "shared"},
        "a criterion in words",
    ]
    assert found(tmp_path, *taken) == []


def test_a_type_that_the_project_adds_is_known(tmp_path: Path) -> None:
    (tmp_path / ".agentv" / "assertions").mkdir(parents=True)
    assert found(tmp_path, {"type": "containz", "value": "hi"}) == []


def test_files_with_prompts_are_left_to_the_rules_of_version_5(tmp_path: Path) -> None:
    told = found(tmp_path, {"type": "containz", "value": "hi"}, prompts=["{{ input }}"])
    assert not [rule for rule, _, _ in told if rule in ("assertion-left-out", "assertion-invalid")]
