"""The vocabulary of `[view.NAME]` in the settings: which fields of a record or a sample are shown, and how."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from sampleui.settings.vocabulary import PATH, TRUTH, Fault, Wanted, read_named, read_table, unless
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

_VIEW: Mapping[str, Wanted] = {
    "fields": unless(
        f"a list of at least one and at most {MAX_VIEW_FIELDS} fields",
        lambda value: isinstance(value, list) and 0 < len(value) <= MAX_VIEW_FIELDS,
    )
}
_FIELD: Mapping[str, Wanted] = {
    "path": unless(
        "a path of keys, with dots between", lambda value: isinstance(value, str) and bool(PATH.fullmatch(value))
    ),
    "kind": unless(f"one of {', '.join(Shape)}", lambda value: value in [*Shape]),
    "heading": unless("a text", lambda value: isinstance(value, str)),
    "hidden": TRUTH,
}


def read_views(raw: object) -> Views | Fault:
    """Return the views of the settings, or the first thing that is wrong with them."""
    return read_named(raw, "view", "view", frozenset(), _read_view)


def _read_view(_: str, table: dict[str, object]) -> View | Fault:
    words = read_table({**table, "fields": table.get("fields")}, "view", _VIEW)
    if isinstance(words, Fault):
        return words
    fields = list[ViewField]()
    for index, item in enumerate(words["fields"]):
        field = _read_field(item)
        if isinstance(field, ViewField) and any(field.path == other.path for other in fields):
            field = f"{field.path} is in the view already"
        if isinstance(field, str):
            return Fault(("fields", index), f"field {index + 1}: {field}")
        fields.append(field)
    return tuple(fields)


def _read_field(item: object) -> ViewField | str:
    """Return a field, or what is wrong with it."""
    if not isinstance(item, str | dict):
        return 'must be a path, or a table such as { path = "answer", kind = "markdown" }'
    table = {"path": item} if isinstance(item, str) else {**item, "path": item.get("path")}
    words = read_table(table, "field", _FIELD)
    if isinstance(words, Fault):
        return words.message
    kind = words.get("kind")
    return ViewField(**{**words, "kind": kind and Shape(kind)})
