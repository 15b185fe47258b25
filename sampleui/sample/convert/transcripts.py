"""The turns of a run as a sample of a dialect that its table describes, as the samples beside it are built."""

from __future__ import annotations

from sampleui.formats.data import DataPath, Table
from sampleui.sample.convert.answers import Case, placed
from sampleui.sample.convert.tabled import to_table
from sampleui.sample.dialects.dialect import Dialect


def spelled(data: Table, near: DataPath, dialect: Dialect) -> Table:
    """Return a sample of turns as a dialect spells it.

    Args:
        data: its `id`, and its turns under `messages`, spelled as OpenAI spells them.
        near: where the samples beside it have their messages; turns that do not fit there go to the usual place.
        dialect: the dialect.
    """
    held = data["messages"]
    turns = [one for one in held if isinstance(one, dict)] if isinstance(held, list) else []
    made = to_table(Case([*turns], None, None, {}), {}, dialect, near).data
    return placed({}, dialect.id_paths[0], data["id"]) | made if dialect.id_paths else made
