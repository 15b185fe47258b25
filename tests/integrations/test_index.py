"""The index of integrations: what is shipped, what is added by packages, and what a broken one costs."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
import tomli

import sampleui.integrations
from sampleui.integrations import index
from sampleui.integrations.integration import Integration

OWN = Integration()


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """Entry points of packages that are not installed."""
    added: list[EntryPoint] = []
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: EntryPoints(added))
    index.plugins.cache_clear()
    index.integration.cache_clear()
    yield added
    index.plugins.cache_clear()
    index.integration.cache_clear()


def test_each_folder_is_in_the_index_and_exports_an_integration() -> None:
    folders = {path.parent.name for path in Path(sampleui.integrations.__path__[0]).glob("*/__init__.py")}

    assert {entry.name for entry in index.SHIPPED} == folders
    assert all(isinstance(index.integration(name), Integration) for name in folders)


def test_import_contracts_name_every_integration() -> None:
    contracts = tomli.loads(Path("pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rooms = {f"sampleui.integrations.{entry.name}" for entry in index.SHIPPED}

    (forbidden,) = (one for one in contracts if one["name"].startswith("The core knows no outside tool"))
    (apart,) = (one for one in contracts if one["name"] == "Integrations do not import each other")
    assert set(forbidden["forbidden_modules"]) == set(apart["modules"]) == rooms


def test_an_integration_of_another_package_is_found(points: list[EntryPoint]) -> None:
    points.append(EntryPoint("own", f"{__name__}:OWN", index.GROUP))

    assert index.integration("own") is OWN
    assert [*index.integrations()][-1] is OWN


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("gone", "no_such_package:X", "ModuleNotFoundError"),
        ("nothing", f"{__name__}:points", "is no Integration"),
        ("gage", f"{__name__}:OWN", "an integration of that name is shipped"),
    ],
)
def test_a_broken_plug_in_costs_one_line(
    points: list[EntryPoint], capsys: pytest.CaptureFixture[str], name: str, value: str, reason: str
) -> None:
    points += [EntryPoint(name, value, index.GROUP), EntryPoint("own", f"{__name__}:OWN", index.GROUP)]

    assert [*index.plugins()] == ["own"]
    (line,) = capsys.readouterr().err.splitlines()
    assert name in line
    assert reason in line


def test_every_mark_of_a_row_is_a_sign_by_which_its_reader_is_found() -> None:
    for entry in index.SHIPPED:
        for adapter in index.integration(entry.name).adapters():
            for mark in adapter.dialect.marks if adapter.dialect is not None else ():
                assert entry.name in index.readers({str(path[0]) for path in mark.has}), (entry.name, mark.has)
