"""Older records brought up to date, in each format: what `check` says then, and that nothing is lost."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import tomlkit
import yaml

from sampleui.formats.data import Plain, Table
from sampleui.text.diagnostic import Severity
from sampleui.workspace.deck import Deck, open_deck
from sampleui.workspace.older_records import brought_up_to_date


def as_csv(records: Sequence[Table]) -> str:
    columns = list(dict.fromkeys(key for record in records for key in record))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    for record in records:
        cells = {key: value if isinstance(value, str) else json.dumps(value) for key, value in record.items()}
        writer.writerow(cells)
    return text.getvalue()


WRITERS: dict[str, Callable[[Sequence[Table]], str]] = {
    "jsonl": lambda records: "".join(json.dumps(record) + "\n" for record in records),
    "json": lambda records: json.dumps(records, indent=2) + "\n",
    "yaml": lambda records: yaml.safe_dump([*records], sort_keys=False),
    "toml": lambda records: tomlkit.dumps({"samples": [*records]}),
    "csv": as_csv,
}

QUIZ: Table = {
    "id": "q1",
    "question": "Which one is a mammal?",
    "choices": [{"label": "A", "text": "Shark", "why": "gills"}, {"label": "B", "text": "Dolphin"}],
    "answer": "B",
    "question_type": "multiple-choice",
    "metadata": {"split": "dev", "option_map": {"A": "Whale"}},
}
SEGMENTS: Table = {
    "id": "q2",
    "question": [{"type": "text", "text": "What is this?"}, {"type": "text", "text": "One word."}],
    "text": "context",
    "answer": "Apple",
    "label": "fruit",
    "model_prompt_tmpl": "{question}",
}
PAIRS: list[Table] = [
    {"question": "What is the capital of France?", "answer": "Paris"},
    {"question": "2 + 2?", "answer": "4"},
]
OLD: list[Table] = [
    {"userMessage": "What is 2+2?", "assistantResponse": "The answer is 4", "score": 1.0},
    {"userMessage": "Hi:\n- there", "description": "no answer yet"},
]


def problems(deck: Deck) -> list[str]:
    said = (Severity.ERROR, Severity.WARNING)
    return [f"{one.sample}: {one.message}" for one in deck.diagnostics if one.severity in said]


def up_to_date(deck: Deck) -> Deck:
    for change in brought_up_to_date(deck, range(len(deck.samples))).edits:
        deck = deck.apply(change(deck.files))
    return deck


@pytest.mark.parametrize("form", [*WRITERS])
@pytest.mark.parametrize(
    ("dialect", "records"),
    [("gage", [QUIZ, SEGMENTS]), ("gage", PAIRS), ("calibrate", OLD)],
    ids=["quizzes", "pairs", "calibrate"],
)
def test_what_is_brought_up_to_date_passes_check(
    tmp_path: Path, dialect: str, records: list[Table], form: str
) -> None:
    path = tmp_path / f"old.{form}"
    path.write_text(WRITERS[form](records), "utf-8")
    deck = open_deck(path, dialect)
    assert problems(deck)
    made = up_to_date(deck)
    made.save()
    again = open_deck(path)
    assert (again.dialect, problems(again)) == (dialect, [])
    assert [sample.data for sample in again.samples] == [sample.data for sample in made.samples]
    assert brought_up_to_date(again, range(len(again.samples))).edits == ()


def test_what_the_new_fields_cannot_hold_is_under_metadata(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(WRITERS["jsonl"]([QUIZ, SEGMENTS]), "utf-8")
    quiz, segments = (sample.data for sample in up_to_date(open_deck(path)).samples)
    assert quiz["metadata"] == {
        "split": "dev",
        "option_map": {"A": "Shark", "B": "Dolphin"},
        "_option_map": {"A": "Whale"},
        "choices": QUIZ["choices"],
    }
    assert segments["metadata"] == {"text": "context", "model_prompt_tmpl": "{question}", "label": "fruit"}
    assert segments["messages"] == [{"role": "user", "content": SEGMENTS["question"]}]


def test_old_pairs_of_calibrate_become_messages(tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_text(
        '# mine\n[[samples]]\nuserMessage = "What is 2+2?"\nassistantResponse = "4"\nscore = 1\n', "utf-8"
    )
    deck = open_deck(path)
    said = [(one.rule, one.message) for one in deck.diagnostics]
    cure = "M in the app, or sampleui convert --from calibrate --to calibrate, rewrites it"
    assert said == [
        ("messages-missing", "Sample must have messages array"),
        (
            "legacy-record",
            f"Older record (userMessage, assistantResponse), which calibrate no longer reads; {cure}",
        ),
    ]
    messages: list[Plain] = [{"role": "user", "content": "What is 2+2?"}, {"role": "assistant", "content": "4"}]
    made = up_to_date(deck)
    assert made.samples[0].data == {"messages": messages, "score": 1}
    assert made.text.startswith("# mine\n[[samples]]\n")


def test_an_id_that_is_made_is_nobody_elses(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(WRITERS["jsonl"]([*PAIRS, {"id": "sample-1", "question": "?", "answer": "x"}]), "utf-8")
    made = up_to_date(open_deck(path, "gage"))
    assert [sample.id for sample in made.samples] == ["sample-1-2", "sample-2", "sample-1"]
