"""Sequences of a terminal that come in pieces are no keys; `make torture` sends more of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from . import split_keys


@pytest.mark.parametrize("kitty", [False, True])
def test_a_sequence_that_is_cut_and_held_back_becomes_no_keys(kitty: bool) -> None:
    assert not split_keys.faults(4_000, 1, kitty)


def test_no_report_is_a_key() -> None:
    for template in split_keys.REPORTS:
        report = split_keys.filled(template, random.Random(1))
        assert set(split_keys.whole(report, kitty=False)) <= {"Resize"}, report


@pytest.mark.parametrize("kitty", [False, True])
def test_only_digits_that_were_typed_are_verdicts(kitty: bool, tmp_path: Path) -> None:
    assert not split_keys.review(tmp_path, 12, 1, kitty)
