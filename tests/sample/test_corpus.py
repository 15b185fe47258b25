"""Real decks: the right dialect, and no error that the specification does not demand."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from sampleui.sample.dialects.shipped import DIALECTS, Dialect, detect
from sampleui.sample.rules import duplicates
from sampleui.text.diagnostic import Finding, Severity

from .build import found

CORPUS = Path(os.environ.get("SAMPLEUI_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the checkout")


def rows_of(path: Path) -> tuple[tuple[str, ...], dict[str, Any], list[dict[str, Any]]]:
    """Return the container, the context and the samples of a deck."""
    text = path.read_text("utf-8")
    if path.suffix == ".jsonl":
        return (), {}, [json.loads(line) for line in text.splitlines() if line.strip()]
    deck = tomllib.loads(text) if path.suffix == ".toml" else yaml.safe_load(text)
    key = "samples" if path.suffix == ".toml" else "evalcases"
    held = deck.pop(key)
    samples = [{"id": name, **data} for name, data in held.items()] if isinstance(held, dict) else held
    return (key,), deck, samples


def decks() -> list[Any]:
    found = [
        *CORPUS.glob("calibrate/*.toml"),
        *CORPUS.glob("gage/*.jsonl"),
        *CORPUS.glob("agentv/**/evals/**/*.yaml"),
    ]
    return [pytest.param(path, id=path.name) for path in sorted(found)]


def findings(path: Path) -> tuple[Dialect, list[Finding]]:
    container, context, samples = rows_of(path)
    dialect = detect(container, context, samples).dialect
    said = [finding for data in samples for finding in found(dialect.name, data, context=context)]
    return dialect, [*said, *(finding for _, finding in duplicates(data.get("id") for data in samples))]


@pytest.mark.parametrize("path", decks())
def test_the_dialect_is_right_and_nothing_is_said_that_is_not_so(path: Path) -> None:
    dialect, said = findings(path)
    assert dialect is DIALECTS[path.relative_to(CORPUS).parts[0]]
    errors = {finding.message for finding in said if finding.severity is Severity.ERROR}
    others = {finding.message for finding in said if finding.severity is not Severity.ERROR}
    wanted = {"references is required", "label must be a string"}
    assert errors <= wanted, (
        "§1.2 requires references and makes label a string; some samples have none, or a number"
    )
    assert not others
