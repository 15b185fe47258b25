"""Edits around values of a few files; the program takes the folder of a whole suite."""

from __future__ import annotations

from tests.torture.readers import Readers
from tests.torture.suites import run

TOML = 'a.b = 1 # one\n"k k" = [1, [2], { c = "x" }]\n[t]\nd = """\nlong\n"""\n[[t.l]]\n[[t.l]]\ne = 1979-05-27\n'
YAML = "a: &x [1, 'two', {b: ~}] # one\nc: |2+\n   kept\n\n? k k\n: - *x\n  - >-\n    folded\n    text\n"


def test_no_value_differs_after_an_edit_beside_it(tmp_path):
    (tmp_path / "one.toml").write_text(TOML)
    (tmp_path / "two.yaml").write_text(YAML)
    with Readers() as readers:
        counts = run(sorted(tmp_path.iterdir()), readers)
    assert not counts.faults, counts.faults
    assert counts.decks == 6
    assert counts.done > 150
    assert min(counts.read["tomllib"], counts.read["PyYAML"]) > 50
