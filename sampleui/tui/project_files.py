"""The files that may be attached: those of the project, by the path a deck would write."""

from __future__ import annotations

import os
from pathlib import Path

from sampleui.text.confined import project_root

_MOST = 5000
_SKIPPED = frozenset({"node_modules", "__pycache__", "dist", "build", "target", "venv"})


def project_files(folder: Path) -> list[str]:
    """Return the files under the project's root, nearest to the folder first, at most 5,000."""
    folder = folder.resolve()
    found: list[str] = []
    for base, folders, files in os.walk(project_root(folder)):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        found += [os.path.relpath(Path(base) / name, folder) for name in sorted(files) if not name.startswith(".")]
        if len(found) >= _MOST:
            break
    return sorted(found[:_MOST], key=lambda name: (name.count(os.sep), name.startswith(".."), name))
