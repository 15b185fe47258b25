"""Real decks open without a false error, and no edit of any of them does damage."""

from __future__ import annotations

from pathlib import Path

import pytest

from .table import NAMES, Row, corpus, decks, refused_share, table, total, tried

FOLDER = corpus()
DECKS = decks(FOLDER) if FOLDER else []
USUAL = {"calibrate": {"toml", "markdown"}, "agentv": {"yaml"}, "gage": {"jsonl"}}

pytestmark = pytest.mark.skipif(not DECKS, reason="no corpus of real decks beside the checkout")


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    assert FOLDER is not None
    return [tried(path, str(path.relative_to(FOLDER))) for path in DECKS]


def test_every_deck_opens_in_its_dialect_with_all_its_samples(rows):
    for row in rows:
        assert row.deck.dialect == Path(row.name).parts[0], row.name
        assert row.deck.format in USUAL[row.deck.dialect], row.name
        assert len(row.deck.samples) > 0, row.name


def test_no_deck_has_a_false_error(rows):
    assert [error for row in rows for error in row.false_errors] == []


def test_a_deck_that_was_not_edited_is_its_file(rows):
    assert [row.name for row in rows if not row.same] == []


def test_no_edit_does_damage(rows):
    assert [reason for row in rows if row.damaged for reason in row.reasons] == []
    done = total(rows, "done")
    assert all(done[name] for name in NAMES), "an edit was never tried"


def test_few_edits_are_refused_and_each_with_a_reason(rows):
    assert refused_share(rows) < 0.05
    assert len([reason for row in rows for reason in row.reasons]) == total(rows, "refused").total()


def test_the_table_has_a_row_for_every_deck(rows):
    lines = table(rows).split("\n")
    assert len(lines) == len(rows) + 2
    assert lines[-1].startswith("total")
