"""The package that the page on integrations writes, made from the page."""

from __future__ import annotations

import re
from pathlib import Path

import tomli

PAGE = Path(__file__).parents[2] / "docs" / "integrations.md"
_FILE = re.compile(r"^\*\*`(?P<name>[\w./]+)`\*\*.*?^```\w+\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)


def written(folder: Path) -> Path:
    """Write the files of the page into a folder, which is returned."""
    for found in _FILE.finditer(PAGE.read_text(encoding="utf-8")):
        path = folder / found["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found["text"], encoding="utf-8")
    return folder


def installed(folder: Path) -> Path:
    """Write the files, and beside them what an installer would write, so that the folder can be on `sys.path`."""
    project = tomli.loads((written(folder) / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    points = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in named.items())
        for group, named in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(points))
    return folder
