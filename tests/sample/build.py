"""Samples for tests, built the way the workspace builds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sampleui.formats.data import Plain, Table
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.model import Sample
from sampleui.sample.parse import messages_path, sample_id
from sampleui.sample.rules import check
from sampleui.text.diagnostic import Finding

EXAMPLES = Path(__file__).parents[2] / "examples" / "decks"


def sample_of(dialect: str, data: Table, name: str | None = None, context: Table | None = None) -> Sample:
    held = DIALECTS[dialect]
    path = messages_path(data, held)
    return Sample(sample_id(data, held, name, 0), 0, data, dialect, path, Path("deck"), 1, context or {})


def found(dialect: str, data: Table, rule: str | None = None, context: Table | None = None) -> list[Finding]:
    """Return the findings of one rule, or of all."""
    findings = check(sample_of(dialect, data, context=context))
    return [finding for finding in findings if rule in (None, finding.rule)]


def said(dialect: str, data: Table, rule: str | None = None) -> list[tuple[str, str, tuple[str | int, ...]]]:
    """Return findings as severity, message and node."""
    return [(str(finding.severity), finding.message, finding.node) for finding in found(dialect, data, rule)]


def turn(role: str = "user", content: Plain = "Hello") -> dict[str, Plain]:
    return {"role": role, "content": content}


def gage(**fields: Any) -> Table:
    """Return a valid gage sample with some fields changed; a field given as `...` is left out."""
    base: dict[str, Any] = {"schema_version": "v1", "id": "s1", "messages": [turn()], "references": ["Paris"]}
    return {key: value for key, value in {**base, **fields}.items() if value is not ...}
