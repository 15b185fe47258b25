"""What is said of the evals of a skill, of the skill beside them, and of the queries that should trigger it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sampleui.workspace.deck import Deck, open_deck

SKILL = "---\nname: reader\ndescription: Reads.\n---\n\n# Reader\n"


def skill(folder: Path, *evals: dict[str, Any], name: str = "reader", text: str = SKILL) -> Deck:
    """Write a skill with evals and open them."""
    (folder / "evals").mkdir()
    (folder / ".git").mkdir()
    (folder / "SKILL.md").write_text(text)
    (folder / "evals" / "evals.json").write_text(json.dumps({"skill_name": name, "evals": [*evals]}, indent=2))
    return open_deck(folder / "evals" / "evals.json")


def told(deck: Deck) -> list[str]:
    return [finding.rule for finding in deck.diagnostics]


GOOD = {"id": 1, "prompt": "Read it.", "expectations": ["The total is 3"]}


def test_a_good_eval_is_told_nothing_of(tmp_path: Path) -> None:
    deck = skill(tmp_path, GOOD)

    assert deck.dialect == "skills"
    assert told(deck) == []


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"id": "one"}, "skill-id-text"),
        ({"id": None}, "id-missing"),
        ({"prompt": " "}, "skill-prompt-empty"),
        ({"files": ["gone.txt"]}, "skill-file-missing"),
        ({"files": ["../../out.txt"]}, "skill-file-missing"),
        ({"expectations": ["is good"]}, "expectation-vague"),
        ({"expectations": [""]}, "expectation-empty"),
        ({"expectations": [{"name": "only"}]}, "expectation-empty"),
        ({"expectations": []}, "expectations-none"),
        ({"assertions": ["The total is 3"]}, "expectations-twice"),
    ],
)
def test_each_fault_of_an_eval_is_told(change: dict[str, Any], rule: str, tmp_path: Path) -> None:
    assert rule in told(skill(tmp_path, {**GOOD, **change}))


@pytest.mark.parametrize(
    "form", ["{}", {"text": "{}"}, {"name": "n", "description": "{}"}, {"id": "a", "text": "{}"}]
)
def test_all_forms_of_expectations_are_read(form: Any, tmp_path: Path) -> None:
    item = json.loads(json.dumps(form).replace("{}", "The total is 3"))

    assert told(skill(tmp_path, {"id": 1, "prompt": "Read it.", "assertions": [item]})) == []


@pytest.mark.parametrize("folder", ["", "evals", "evals/files"])
def test_files_are_looked_for_below_the_skill_and_in_evals(folder: str, tmp_path: Path) -> None:
    deck = skill(tmp_path, {**GOOD, "files": ["files/a.txt" if folder == "evals/files" else "a.txt"]})
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "a.txt").write_text("a")

    assert told(deck) == []


@pytest.mark.parametrize(
    ("name", "text", "rule"),
    [
        ("other", SKILL, "skill-name-differs"),
        ("reader", SKILL.replace("Reads.", "x" * 1025), "skill-description-long"),
        ("reader", SKILL.replace("description: Reads.\n", ""), "skill-description-missing"),
        ("reader", "# Reader\n", "skill-invalid"),
        ("reader", "---\n[\n---\n", "skill-invalid"),
    ],
)
def test_each_fault_of_the_skill_beside_is_told(name: str, text: str, rule: str, tmp_path: Path) -> None:
    assert told(skill(tmp_path, GOOD, name=name, text=text)) == [rule]


def test_evals_without_a_skill_beside_them_are_told_of(tmp_path: Path) -> None:
    deck = skill(tmp_path, GOOD)
    (tmp_path / "SKILL.md").unlink()

    assert told(deck) == ["skill-missing"]


def queries(folder: Path, *rows: tuple[str, bool]) -> Deck:
    path = folder / "queries.json"
    path.write_text(json.dumps([{"query": query, "should_trigger": should} for query, should in rows]))
    return open_deck(path)


def test_queries_are_counted_by_what_they_should_do(tmp_path: Path) -> None:
    deck = queries(tmp_path, ("a bill", True), ("a song", False), ("a poem", False))

    assert deck.dialect == "skill-triggers"
    assert [finding.message for finding in deck.diagnostics] == ["1 query should trigger the skill, 2 should not"]


def test_queries_that_say_nearly_the_same_are_told(tmp_path: Path) -> None:
    deck = queries(tmp_path, ("please read my bill", True), ("a song", False), ("Read this bill!", True))

    assert "Queries 1 and 3 say nearly the same" in [finding.message for finding in deck.diagnostics]


def test_a_link_out_of_the_project_is_no_skill(tmp_path: Path) -> None:
    (tmp_path / "out.md").write_text(SKILL)
    (tmp_path / "in").mkdir()
    deck = skill(tmp_path / "in", GOOD)
    (tmp_path / "in" / "SKILL.md").unlink()
    (tmp_path / "in" / "SKILL.md").symlink_to(tmp_path / "out.md")

    assert told(deck) == ["skill-invalid"]
