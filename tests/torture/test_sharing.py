"""Some rounds of the app and two commands on one deck; `python -m tests.torture.sharing` makes 1,000."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import sharing


async def test_nothing_is_lost_of_what_the_app_and_two_commands_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in sharing.HOMES:
        monkeypatch.setenv(variable, str(tmp_path))
    counts = sharing.Counts()
    await sharing.shared("toml", range(6), 100, "1", counts)
    assert not counts.faults, counts.told()
    assert counts.done["rounds"] == 6
