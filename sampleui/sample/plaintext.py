"""A value as the text that a model is shown."""

from __future__ import annotations

import datetime as dt
import json

from sampleui.formats.data import Plain


def json_text(value: Plain) -> str:
    """Return a value as indented JSON, which is how structured content is shown to a model."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=iso)


def iso(value: object) -> str:
    """Return what JSON has no way to write as text, dates and times in ISO form: a `default` of `json.dumps`."""
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)
