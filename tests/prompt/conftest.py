from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sampleui.formats.data import Plain
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.model import Sample
from sampleui.sample.parse import messages_path

Make = Callable[..., Sample]
Write = Callable[[dict[str, str]], Path]


def sample(folder: Path, data: dict[str, Plain], dialect: str = "agentv", **context: Any) -> Sample:
    path = messages_path(data, DIALECTS[dialect])
    return Sample("case", 3, data, dialect, path, folder / "deck.yaml", line=7, context=dict(context))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project root with a folder for decks in it."""
    root = tmp_path / "project"
    (root / "decks").mkdir(parents=True)
    (root / ".git").mkdir()
    return root


@pytest.fixture
def make(project: Path) -> Make:
    """Make a sample of a deck in the project's folder for decks."""

    def made(*messages: dict[str, Plain], dialect: str = "agentv", **rest: Plain) -> Sample:
        key = "input_messages" if dialect == "agentv" else "messages"
        return sample(project / "decks", {key: list(messages), **rest}, dialect)

    return made


@pytest.fixture
def write(project: Path) -> Write:
    """Write files beside the deck; return the folder."""

    def written(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = project / "decks" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return project / "decks"

    return written
