"""Every rule of rendering as exact input and output, one file each."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from sampleui.prompt.render import Rendered, render
from sampleui.sample.model import Sample

VECTORS = sorted((Path(__file__).parent / "vectors").glob("*.yaml"))
KEYS = {"calibrate": "messages", "agentv": "input_messages", "gage": "messages"}


def load(path: Path, folder: Path) -> dict:
    vector = yaml.safe_load(path.read_text(encoding="utf-8"))
    for name, text in vector.get("files", {}).items():
        (folder / name).write_text(text, encoding="utf-8")
    return vector


def compare(rendered: Rendered, wants: dict) -> None:
    assert {key: getattr(rendered, key) for key in wants} == wants


def test_there_are_vectors() -> None:
    assert len(VECTORS) >= 19


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_vector_as_plain_data(path: Path, tmp_path: Path) -> None:
    vector = load(path, tmp_path)
    settings = vector.get("system_prompt"), vector.get("guideline_patterns")
    compare(render(vector["sample"], *settings, root=tmp_path), vector["wants"])


@pytest.mark.parametrize("dialect", KEYS)
@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_vector_in_every_dialect(path: Path, dialect: str, tmp_path: Path) -> None:
    vector = load(path, tmp_path)
    data = {KEYS[dialect]: vector["sample"]["input_messages"]}
    sample = Sample("case", 0, data, dialect, (KEYS[dialect],), tmp_path / "deck")
    rendered = render(sample, vector.get("system_prompt"), vector.get("guideline_patterns"))
    compare(rendered, vector["wants"])
    assert rendered.grading_context["fullConversation"] == vector["sample"]["input_messages"]
