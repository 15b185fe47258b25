"""A short walk of the monkey; `make torture` lets it run for long."""

from __future__ import annotations

from . import monkey


def test_random_hands_neither_crash_nor_stall_the_app():
    tally = monkey.session(1, 60, runs=1)
    assert not tally.faults, tally.faults
    assert sum(tally.events.values()) > 20
