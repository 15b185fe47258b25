"""The turns of a run as a sample of a dialect that its table describes, as the samples beside it are built."""

from __future__ import annotations

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.convert.answers import Case
from sampleui.sample.convert.tabled import placed, to_table
from sampleui.sample.dialect import Dialect
from sampleui.sample.spoken import as_pairs


def spelled(data: Table, near: DataPath, dialect: Dialect) -> Table:
    """Return a sample of turns as a dialect spells it.

    Args:
        data: its `id`, and its turns under `messages`, spelled as OpenAI spells them.
        near: where the samples beside it have their messages; turns that do not fit there go to the usual place.
        dialect: the dialect.
    """
    held = data["messages"]
    turns = [one for one in held if isinstance(one, dict)] if isinstance(held, list) else []
    made = _beside(turns, near, dialect) or to_table(Case([*turns], None, None, {}), {}, dialect).data
    return placed({}, dialect.id_paths[0], data["id"]) | made if dialect.id_paths else made


def _beside(turns: list[Table], near: DataPath, dialect: Dialect) -> Table | None:
    """Return turns where no list of messages stands: as texts of the user, or as pairs before the one that asks."""
    if near == dialect.message_paths[0] or any(turn.keys() - {"role", "content"} for turn in turns):
        return None
    system = [turn.get("content") for turn in turns[:1] if turn.get("role") == "system"]
    rest = turns[len(system) :]
    answer: Plain = rest[-1].get("content") if rest and rest[-1].get("role") == "assistant" else None
    rest = rest[:-1] if answer is not None else rest
    listed = dialect.plain_turns and dialect.fields.get(str(near[0])) == "texts"
    texts = [turn.get("content") for turn in rest]
    if listed and all(turn.get("role") == "user" for turn in rest) and not system and answer is None:
        return placed({}, near, texts)
    earlier = as_pairs(rest[:-1])
    if listed or not rest or rest[-1].get("role") != "user" or earlier is None or not dialect.earlier_paths:
        return None
    made = placed({}, near, texts[-1])
    made = placed(made, dialect.expected_paths[0], answer) if answer is not None else made
    made = placed(made, dialect.system_paths[0], system[0]) if system and dialect.system_paths else made
    return placed(made, dialect.earlier_paths[0], earlier) if earlier else made
