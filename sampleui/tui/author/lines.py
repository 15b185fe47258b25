"""Which values are a single line, so that Enter ends them, and which are texts of several lines."""

from __future__ import annotations

from sampleui.tui.drawing.items import Part, PartKind

_NAMES = frozenset(
    {
        *("id", "name", "role", "type", "label", "task_type", "schema_version", "tool_call_id", "tool_choice"),
        *("score", "tag", "tags", "url", "path", "file", "model", "provider", "target", "dataset", "version"),
        *(
            "author",
            "reviewer",
            "language",
            "category",
            "difficulty",
            "conversation_id",
            "thread_id",
            "answer_type",
        ),
    }
)
"""Keys whose texts are names: what they mean has no second line."""


def one_line(part: Part) -> bool:
    """Tell whether a value is edited as one line: a number, a path, a name, as long as it has no second one yet."""
    if part.kind is PartKind.TEXT:
        key = next((step for step in reversed(part.path) if isinstance(step, str)), "")
        return key in _NAMES and "\n" not in part.text
    if part.kind is PartKind.JSON:
        return not isinstance(part.value, dict | list)
    return "\n" not in part.text
