"""Schemas of what commands print as JSON, as tests take them."""

from __future__ import annotations

from typing import Any


def closed(schema: Any) -> Any:
    """Return a schema that takes no names but those that it lists."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(part) for name, part in schema.items()}
    return {**parts, "additionalProperties": False} if "required" in schema else parts
