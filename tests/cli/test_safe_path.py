"""No program that is started beside a run takes modules of Python from the folder that one works in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

START = "import os, sys; from sampleui.__main__ import main; code = main(); print(os.environ.get('PYTHONSAFEPATH'))"


def started(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"} | more
    command = [sys.executable, "-P", "-c", START, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for module in ("typing", "json", "tool"):
        (tmp_path / f"{module}.py").write_text("open('imported', 'w')\n")
    for number in range(12):
        (tmp_path / f"{number}.toml").write_text('[[samples]]\nid = "a"\nmessages = []\n')
    return tmp_path


def test_what_a_command_starts_gets_a_safe_path(folder):
    ran = started(folder, "check", ".")
    assert ran.stdout.splitlines()[-1] == "1", ran.stderr
    assert not (folder / "imported").exists()


def test_what_a_safe_path_keeps_out_is_a_module_of_the_folder(folder):
    for safe, imported in (("1", False), ("", True)):
        environment = {**os.environ, "PYTHONSAFEPATH": safe}
        subprocess.run(
            [sys.executable, "-m", "tool"], cwd=folder, env=environment, check=False, capture_output=True
        )
        assert (folder / "imported").exists() is imported
