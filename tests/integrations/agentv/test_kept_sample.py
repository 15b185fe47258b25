"""The sample as it was run beside the deck's of today."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.review.results.file import open_results
from sampleui.runs.decks import decks_of_run
from sampleui.runs.sample_as_run import AsRun, as_run
from sampleui.settings.options import Settings

SUITE = """\
name: desk
assertions:
  - { type: regex, value: ".+" }
tests:
  - id: refund   # money
    criteria: >-
      Offers
      credit
    input:
      - role: user
        content: [{ type: file, value: ./files/policy.md }, { type: text, value: "Money back?" }]
    expected_output: |
      Store credit.
    assertions:
      - { type: contains, value: credit }
"""
KEPT = """\
execution: { target: m }
tests:
  - id: refund
    criteria: Offers credit
    input:
      - role: user
        content: [{ type: file, value: files/evals/files/policy.md }, { type: text, value: "Money back?" }]
    expected_output: Store credit.
    assertions:
      - { name: contains-credit, type: contains, value: credit }
      - { name: regex-.+, type: regex, value: ".+" }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A deck, and the run of it that kept a copy."""
    (tmp_path / ".git").mkdir()
    for folder, text in (("evals/files", "14 days"), ("runs/one/desk/refund/task/files/evals/files", "14 days")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "policy.md").write_text(text)
    (tmp_path / "evals" / "desk.eval.yaml").write_text(SUITE)
    (tmp_path / "runs/one/desk/refund/task/EVAL.yaml").write_text(KEPT)
    row = {
        "test_id": "refund", "suite": "desk", "target": "m", "score": 0, "task_dir": "desk/refund/task",
        "projection_identity": {"dimensions": {"eval_path": "evals/desk.eval.yaml"}},
    }  # fmt: skip
    (tmp_path / "runs/one/index.jsonl").write_text(json.dumps(row) + "\n")
    return tmp_path


def kept(project: Path) -> AsRun:
    results = open_results(project / "runs" / "one").indexed()
    sample = decks_of_run(results, (), Settings()).sample(results.entries[0])
    found = as_run(results.record(0), results.base_dir, sample)
    assert found is not None
    return found


def test_what_agentv_adds_and_writes_otherwise_is_no_difference(project: Path) -> None:
    assert kept(project).changed == ()
    assert kept(project).compared


GRADED = """\
    rubrics: [is kind]
    assertions:
      - names the fee
      - { type: contains-any, value: [a, b], required: 0.6 }
      - type: rubrics
        criteria: [short, { outcome: clear }, { id: x, outcome: right, weight: 2, required: false }]
      - type: llm-grader
      - names the window
"""
GRADED_AS_KEPT = """\
    rubrics: [is kind]
    assertions:
      - name: rubrics
        type: llm-grader
        rubrics: [{ id: rubric-1, outcome: is kind, weight: 1, required: true }]
      - name: rubrics
        type: llm-grader
        rubrics:
          - { id: rubric-1, outcome: names the fee, weight: 1, required: true }
          - { id: rubric-2, outcome: names the window, weight: 1, required: true }
        weight: 2
      - { name: contains-any-2, type: contains-any, value: [a, b], required: 0.6, min_score: 0.6 }
      - name: rubrics
        type: llm-grader
        rubrics:
          - { id: rubric-1, outcome: short, weight: 1, required: true }
          - { id: rubric-2, outcome: clear, weight: 1, required: true }
          - { id: x, outcome: right, weight: 2, required: false }
      - { name: llm-grader, type: llm-grader, prompt: undefined }
      - { name: regex-.+, type: regex, value: ".+" }
"""


@pytest.mark.parametrize(("text", "changed"), [("names the fee", ()), ("names a fee", ("assertions",))])
def test_rubrics_in_every_spelling_are_those_that_agentv_keeps(
    project: Path, text: str, changed: tuple[str, ...]
) -> None:
    for path, whole, graded in (
        (project / "evals/desk.eval.yaml", SUITE, GRADED.replace("names the fee", text)),
        (project / "runs/one/desk/refund/task/EVAL.yaml", KEPT, GRADED_AS_KEPT),
    ):
        path.write_text(whole[: whole.rindex("    assertions:")] + graded)
    assert kept(project).changed == changed


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("Store credit.", "Cash.", ("expected_output",)),
        ("value: credit", "value: cash", ("assertions",)),
        ('value: ".+"', 'value: ".*"', ("assertions",)),
        ("Money back?", "Money, please", ("input",)),
        ("    criteria: >-\n      Offers\n      credit\n", "", ("criteria",)),
        ("  - id: refund", "  - vars: { a: 1 }\n    id: refund", ("vars",)),
        ("# money", "# cash", ()),
    ],
)
def test_what_changed_in_the_deck_is_told(project: Path, old: str, new: str, changed: tuple[str, ...]) -> None:
    deck = project / "evals" / "desk.eval.yaml"
    assert old in SUITE
    deck.write_text(SUITE.replace(old, new))
    found = kept(project)
    assert found.changed == changed
    assert found.expects_otherwise == (bool(changed) and changed != ("input",))


@pytest.mark.parametrize(("now", "changed"), [("14 days", ()), ("30 days", ("vars", "input"))])
def test_a_file_that_vars_name_counts_by_what_is_in_it(project: Path, now: str, changed: tuple[str, ...]) -> None:
    for path, whole, named in (
        (project / "evals/desk.eval.yaml", SUITE, "./files/policy.md"),
        (project / "runs/one/desk/refund/task/EVAL.yaml", KEPT, "files/evals/files/policy.md"),
    ):
        path.write_text(whole.replace("    criteria:", f"    vars: {{ file: {named}, rate: 3/4 }}\n    criteria:"))
    (project / "evals" / "files" / "policy.md").write_text(now)
    assert kept(project).changed == changed


def test_an_attached_file_counts_by_what_is_in_it(project: Path) -> None:
    (project / "evals" / "files" / "policy.md").write_text("30 days")
    assert kept(project).changed == ("input",)


def test_without_a_deck_the_sample_is_shown_as_it_was(project: Path) -> None:
    (project / "evals" / "desk.eval.yaml").unlink()
    found = kept(project)
    assert not found.compared
    assert [one.name for one in found.fields] == ["criteria", "input", "expected_output", "assertions"]


@pytest.mark.parametrize("folder", ["../../evals", "/etc", "gone", "desk\0"])
def test_no_file_outside_of_the_run_is_read(project: Path, folder: str) -> None:
    index = project / "runs/one/index.jsonl"
    index.write_text(json.dumps({**json.loads(index.read_text()), "task_dir": folder}) + "\n")
    (project / "evals" / "EVAL.yaml").write_text(KEPT)
    results = open_results(index).indexed()
    assert as_run(results.record(0), results.base_dir, None) is None


def test_values_that_agentv_writes_in_its_own_way_have_not_changed(project: Path) -> None:
    deck, copy = project / "evals" / "desk.eval.yaml", project / "runs/one/desk/refund/task/EVAL.yaml"
    said = "{ credit: 1.0, of: 12345678901234567890, on: 2024-01-02 }"
    deck.write_text(
        SUITE.replace("|\n      Store credit.", said).replace("value: credit }", "value: credit, negate: false }")
    )
    written = '{ "credit": 1, "of": 12345678901234567000, "on": "2024-01-02" }'
    copy.write_text(KEPT.replace("expected_output: Store credit.", f"expected_output: {written}"))
    assert kept(project).changed == ()
    deck.write_text(deck.read_text().replace("1.0", "true"))
    assert kept(project).changed == ("expected_output",)
