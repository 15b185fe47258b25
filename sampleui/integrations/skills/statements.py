"""What must be true of the outputs of a skill: `expectations` and `assertions`, in all forms that are in use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_list
from sampleui.sample.value_lines import STATEMENTS, STATING

_NAMED = ("name", "id")


class SkillStatement(NamedTuple):
    """One statement about the outputs.

    Attributes:
        text: what it says; empty if it says nothing.
        name: what it is called besides; empty if it has no name.
        key: the key of a table that the text stands under; empty for a text.
    """

    text: str
    name: str = ""
    key: str = ""

    @property
    def line(self) -> str:
        """Return it as one line, behind its name."""
        return f"{self.name}: {self.text}" if self.name else self.text


def statement(item: Plain) -> SkillStatement:
    """Read a statement: a text, or a table with the text under one of several keys."""
    if isinstance(item, str):
        return SkillStatement(item)
    if not isinstance(item, dict):
        return SkillStatement("")
    key = next((key for key in STATING if isinstance(item.get(key), str)), "")
    named = next((str(item[name]) for name in _NAMED if isinstance(item.get(name), str | int)), "")
    return SkillStatement(str(item[key]) if key else "", named, key)


def statements(data: Table) -> Iterator[tuple[str, int, SkillStatement]]:
    """Yield the statements of an eval, each with its key and its place in the list there."""
    for key in STATEMENTS:
        for index, item in enumerate(as_list(data.get(key))):
            yield key, index, statement(item)
