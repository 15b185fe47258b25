from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from sampleui.text.temporary import MARK, temporary_folder


def test_a_folder_is_gone_afterwards_and_so_are_those_that_killed_processes_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, new, other = tmp_path / "x-left", tmp_path / "x-new", tmp_path / "other"
    theirs = tmp_path / "x-theirs"
    with temporary_folder("x-") as used:
        for folder in (left, new, other, theirs, used):
            folder.mkdir(exist_ok=True)
            (folder / "file").write_text("text")
            if folder is not theirs:
                (folder / MARK).touch()
            os.utime(folder, (0, 0) if folder is not new else None)
        (tmp_path / "x-link").symlink_to(other)
        with temporary_folder("x-") as mine:
            assert {*tmp_path.iterdir()} == {new, other, theirs, tmp_path / "x-link", used, mine}
    assert {*tmp_path.iterdir()} == {new, other, theirs, tmp_path / "x-link"}
    assert (other / "file").exists() and (theirs / "file").exists()
