"""The list of mutants that mean the same: a row about code that is gone explains nothing."""

from __future__ import annotations

from tests.mutants import ROOT, known, mutants_of


def test_every_mutant_that_is_said_to_mean_the_same_can_be_made():
    rows = known()
    made = {(file, one.code, one.done) for file in {row[0] for row in rows} for one in mutants_of(ROOT / file)}
    assert not [row for row in rows if row not in made]
