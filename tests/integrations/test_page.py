"""The package that the page on integrations writes works as an installed one, and its contract test passes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.driver import opened

from .riddles_page import PAGE, installed, written
from .test_index import forget

ROOT = PAGE.parents[1]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return installed(tmp_path / "riddles")


def ran(package: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a Python module as a user of the package does."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(package), str(ROOT)))}
    env |= {"XDG_CONFIG_HOME": str(package), "XDG_STATE_HOME": str(package), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=package, env=env, capture_output=True, text=True, check=False
    )


def test_its_deck_and_its_run_are_read_by_the_command(package: Path) -> None:
    checked = ran(package, "sampleui", "check", "--verbose", "tests/written/riddles.jsonl")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "riddles" in checked.stdout
    asked = ran(package, "sampleui", "render", "tests/written/riddles.jsonl", "--as", "question")
    assert "What is round and bounces?" in asked.stdout
    reported = ran(package, "sampleui", "report", "tests/written/run.jsonl")
    assert "2 records: 1 passed, 1 failed, 0 errors" in reported.stdout


def test_its_rule_is_one_of_check(package: Path) -> None:
    (package / "told.jsonl").write_text('{"riddle": "What is a ball?", "solution": "A ball"}\n', "utf-8")
    checked = ran(package, "sampleui", "check", "told.jsonl")
    assert checked.returncode == 1
    assert "The riddle tells its solution [solution-told]" in checked.stdout


def test_its_contract_test_passes_and_fails_where_the_truth_is_another(package: Path) -> None:
    passes = ran(package, "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert passes.returncode == 0, passes.stdout
    table = package / "tests" / "truth.toml"
    table.write_text(table.read_text("utf-8").replace('["passed", "failed"]', '["passed", "passed"]'), "utf-8")
    fails = ran(package, "pytest", "-q", "-p", "no:cacheprovider", "tests", "-k", "run and reads")
    assert "outcome: found ['passed', 'failed'], and the table says ['passed', 'passed']" in fails.stdout


async def test_a_fault_of_it_is_told_in_the_app_and_the_deck_opens(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = package / "sampleui_riddles" / "riddles.py"
    module.write_text(module.read_text("utf-8").replace("if solution.lower()", "if solution.louder()"), "utf-8")
    monkeypatch.syspath_prepend(package)
    forget()
    async with opened(package / "tests" / "written" / "riddles.jsonl") as app:
        await app.until(lambda: "a fault in the integration riddles: AttributeError" in app.bar)
        assert any("What is round and bounces?" in line for line in app.cards)
    for name in ("sampleui_riddles.riddles", "sampleui_riddles"):
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.undo()
    forget()


def test_its_code_is_about_a_hundred_lines(tmp_path: Path) -> None:
    folder = written(tmp_path)
    code = [path for path in folder.rglob("*.py") if path.parent.name != "tests"]
    assert len([line for path in code for line in path.read_text("utf-8").splitlines() if line]) < 100
