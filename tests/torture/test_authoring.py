"""A few sequences of author commands; `python -m tests.torture.authoring` types as many as are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import authoring


def test_what_the_author_screen_says_is_what_check_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in authoring.HOMES:
        monkeypatch.setenv(name, str(tmp_path))
    bare, typed = authoring.bare(8, 1), authoring.run(1, 1, length=10)
    assert not [*bare.faults, *typed.faults], f"{bare.told()}\n{typed.told()}"
    assert bare.edits > 30 and typed.edits > 2, f"{bare.told()}\n{typed.told()}"
