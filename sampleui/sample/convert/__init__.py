"""A sample in another dialect, with a report of every field that could not simply be moved.

Each dialect reads its samples into one neutral `Case` and writes a `Case`. A field that is neither messages nor an
expectation goes to the key of the same name, or else under `metadata` if the target has that, or else into the
report. Nothing is dropped without a line.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.integrations.index import of_dialect
from sampleui.sample.convert.answers import Case, single_answer, without
from sampleui.sample.convert.answers import placed as placed_at
from sampleui.sample.convert.contents import conversation_for
from sampleui.sample.convert.placing import Field, with_fields
from sampleui.sample.convert.tabled import from_table, to_table
from sampleui.sample.dialects.dialect import Dialect, value_at
from sampleui.sample.dialects.older import new_messages, today_of, told, updated
from sampleui.sample.models.typed import fits

__all__ = ["Case", "Converted", "case_of", "convert", "unasked"]


@dataclass(frozen=True, slots=True)
class Converted:
    """A converted sample, and a line for every field that did not move as it was."""

    data: Table
    report: tuple[str, ...]


def convert(data: Table, source: Dialect, target: Dialect, near: DataPath = ()) -> Converted:
    """Return a sample of one dialect as a sample of another.

    Args:
        data: the sample. One of a keyed deck is given its name as `id` first.
        source: the dialect it is in.
        target: the dialect to write. Equal dialects leave it as it is, but for an older record.
        near: where the samples that it is to stand among have their messages, if there are some; it is written as
            they are where that says no less.
    """
    spelling = today_of(target)
    todays = spelling is not None and near == spelling.messages
    within = spelling is not None and near in target.expected.beside
    if source is target:
        older = updated(data, source)
        today = older.data if older else data
        spelled = today
        if within:
            spelled = spelled_within(today, near, target)
        elif todays:
            spelled = spelled_today(today, target)
        return Converted(spelled, told(older) if older else ())
    case = case_of(data, source)
    fields, tool_notes = of_dialect(source).conversion(source).fields(case.rest, target)
    case = dataclasses.replace(case, rest=fields)
    messages, beside, content_notes = conversation_for(case.messages, target)
    head, id_notes = _head(case, target)
    hooks = of_dialect(target).conversion(target)
    if hooks.written is not None:
        if messages is not None:
            head[str(target.message_paths[0][0])] = messages
        body = hooks.written(case, head, target)
    else:
        body = to_table(dataclasses.replace(case, messages=messages), head, target, near)
        finished, own_notes = hooks.finished(body.data, case)
        body = dataclasses.replace(body, data=finished, notes=(*body.notes, *own_notes))
    left = [Field(key, value, case.spelled.get(key, key)) for key, value in body.left.items()]
    rest = [_field(key, value, case, data) for key, value in case.rest.items() if key != "id"]
    placed, rest_notes = with_fields({**body.data, **beside}, [*left, *rest], source, target, newest=within)
    notes = (*case.notes, *tool_notes, *id_notes, *content_notes, *body.notes, *rest_notes)
    if within:
        return Converted(spelled_within(placed, near, target), notes)
    if not todays:
        return Converted(placed, notes)
    today = spelled_today(placed, target)
    return Converted(today, (*notes, *_not_judged(today, target)))


def _not_judged(data: Table, dialect: Dialect) -> Iterator[str]:
    """Yield a line for a sample that its program would leave out."""
    today = today_of(dialect)
    judged = today.judged_by if today else ()
    if judged and not any(data.get(key) for key in judged):
        *others, last = judged
        yield f"{dialect.title} leaves a sample out that has none of {', '.join(others)} and {last}"


def spelled_today(data: Table, dialect: Dialect) -> Table:
    """Return a sample with its keys called as its program calls them today, unless a name is another one's."""
    today = today_of(dialect)
    if today is None:
        return data
    spelled: Table = {}
    for key, value in data.items():
        name = today.renamed.get(key, key)
        free = name == key or name not in {*data, *spelled}
        spelled[name if free else key] = single_answer(value) if name == today.answer else value
    return spelled


def spelled_within(data: Table, near: DataPath, dialect: Dialect) -> Table:
    """Return a sample as its program's newest version spells it: messages and answer among the variables."""
    spelled, today = spelled_today(data, dialect), today_of(dialect)
    moves = ((today.messages, near), ((today.answer,), dialect.expected.beside[near])) if today else ()
    for old, new in moves:
        value = value_at(spelled, old)
        if value is not None and value_at(spelled, new) is None:
            spelled = placed_at(without(spelled, old), new, value)
    return spelled


def unasked(data: Table, target: Dialect) -> str:
    """Return the key of the messages that a sample lacks; nothing where it has some, or others supply them."""
    elsewhere = target.asked_by_prompts or of_dialect(target).conversion(target).asks(data)
    if elsewhere or any(value_at(data, path) is not None for path in target.message_paths):
        return ""
    return str(next(iter(target.required or target.turns.text_path or new_messages(target))))


def _head(case: Case, target: Dialect) -> tuple[Table, list[str]]:
    """Return the id that a sample is given, a number as a text where the target has no numbers for it."""
    if "id" not in case.rest:
        return {}, []
    sample_id, called = case.rest["id"], case.spelled.get("id", "id")
    number = isinstance(sample_id, int) and not isinstance(sample_id, bool)
    key = str(target.id_paths[0][0]) if target.id_paths else ""
    if not number or (target.fields and (not key or fits(target, key, sample_id))):
        return {"id": sample_id}, []
    return {"id": str(sample_id)}, [f"{called}: the number is written as text"]


def _field(key: str, value: Plain, case: Case, data: Table) -> Field:
    """Return a field, named by the keys that are left of it where others were read as something else."""
    spelled = case.renamed.get(key, key)
    before = data.get(spelled)
    if key != "metadata" and isinstance(before, dict) and isinstance(value, dict) and len(value) < len(before):
        spelled = ", ".join(f"{spelled}.{inner}" for inner in value)
    return Field(key, value, spelled)


def case_of(data: Table, source: Dialect) -> Case:
    """Return what a sample of a dialect says, in the neutral form."""
    older = updated(data, source)
    if older is None:
        return (of_dialect(source).conversion(source).case_of or from_table)(data, source)
    case = case_of({key: value for key, value in older.data.items() if key not in older.added}, source)
    note = f"{', '.join(older.old)}: read as an older record"
    return dataclasses.replace(case, notes=(note, *case.notes))
