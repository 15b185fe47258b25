"""Two agents and a person at once, for a few rounds; `python -m tests.torture.agents` does a thousand."""

from __future__ import annotations

from pathlib import Path

import pytest

from .agents import attack


def test_two_agents_and_a_person_at_once_lose_nothing_and_say_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    attack(tmp_path, 10)
