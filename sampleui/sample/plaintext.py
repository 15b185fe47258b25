"""A value as the text that a model is shown."""

from __future__ import annotations

import datetime as dt
import json

from sampleui.formats.data import Plain


def json_text(value: Plain) -> str:
    """Return a value as indented JSON, which is how AgentV shows structured content to a model."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=_iso)


def _iso(value: object) -> str:
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)
