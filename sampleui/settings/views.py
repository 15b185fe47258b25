"""The vocabulary of `[view.NAME]` in the settings: which fields of a record or a sample are shown, and how."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from sampleui.settings.vocabulary import PATH, Fault, read_named, unknown_key_message
from sampleui.text.limits import MAX_VIEW_FIELDS


class Shape(StrEnum):
    """How a field is shown."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CHAT = "chat"
    EMAIL = "email"
    TABLE = "table"
    JSON = "json"
    CODE = "code"
    DIFF = "diff"
    BADGE = "badge"


class ViewField(NamedTuple):
    """A field of a view.

    Attributes:
        path: keys with dots between.
        kind: how it is shown; None for what its value looks like.
        heading: what stands above it; empty for its path.
        hidden: whether it is shown only when asked for.
    """

    path: str
    kind: Shape | None = None
    heading: str = ""
    hidden: bool = False


View: TypeAlias = tuple[ViewField, ...]
Views: TypeAlias = Mapping[str, View]
"""Views by the name of the dialect, of results or of decks, whose records or samples they show."""

_KEYS = ("path", "kind", "heading", "hidden")


def read_views(raw: object) -> Views | Fault:
    """Return the views of the settings, or the first thing that is wrong with them."""
    return read_named(raw, "view", "view", frozenset(), _read_view)


def _read_view(name: str, table: dict[str, object]) -> View | Fault:
    other = next((key for key in table if key != "fields"), None)
    if other is not None:
        return Fault((name, other), f"there is no {other} in a view; {unknown_key_message(other, ['fields'])}")
    listed = table.get("fields")
    if not isinstance(listed, list) or not listed or len(listed) > MAX_VIEW_FIELDS:
        return Fault(
            (name, "fields"), f"fields must be a list of at least one and at most {MAX_VIEW_FIELDS} fields"
        )
    fields = list[ViewField]()
    for index, item in enumerate(listed):
        field = _read_field(item)
        if isinstance(field, ViewField) and any(field.path == other.path for other in fields):
            field = f"{field.path} is in the view already"
        if isinstance(field, str):
            return Fault((name, "fields"), f"field {index + 1}: {field}", item=index)
        fields.append(field)
    return tuple(fields)


def _read_field(item: object) -> ViewField | str:
    """Return a field, or what is wrong with it."""
    if isinstance(item, str):
        item = {"path": item}
    if not isinstance(item, dict):
        return 'must be a path, or a table such as { path = "answer", kind = "markdown" }'
    other = next((key for key in item if key not in _KEYS), None)
    if other is not None:
        return f"there is no {other} in it; {unknown_key_message(str(other), _KEYS)}"
    path, kind, heading = item.get("path"), item.get("kind"), item.get("heading", "")
    if not isinstance(path, str) or not PATH.fullmatch(path):
        return "path must be a path of keys, with dots between"
    if kind is not None and kind not in [*Shape]:
        return f"kind must be one of {', '.join(Shape)}"
    if not isinstance(heading, str):
        return "heading must be a text"
    if not isinstance(hidden := item.get("hidden", False), bool):
        return "hidden must be true or false"
    return ViewField(path, None if kind is None else Shape(kind), heading, hidden)
