"""Some commands on a few files of odd values; `python -m tests.torture.oddities` takes all of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import oddities


@pytest.mark.parametrize(("kind", "name"), [("author", "yaml"), ("review", "rows"), ("trace", "agentv")])
async def test_commands_on_odd_values_end_in_messages(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in oddities.HOMES:
        monkeypatch.setenv(variable, str(tmp_path))
    tried = oddities.Tried()
    await oddities.try_file(kind, name, "escape", "1", 1, tried, most=35)
    assert tried.commands > 5 and tried.faults == []
