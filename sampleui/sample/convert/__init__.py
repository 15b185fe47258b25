"""A sample in another dialect, with a report of every field that could not simply be moved.

Each dialect reads its samples into one neutral `Case` and writes a `Case`. A field that is neither messages nor an
expectation goes to the key of the same name, or else under `metadata` if the target has that, or else into the
report. Nothing is dropped without a line.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, without_value_at
from sampleui.integrations.index import of_dialect
from sampleui.sample.convert.contents import conversation_for, is_taken
from sampleui.sample.convert.tabled import Case, from_table, single_answer, to_table
from sampleui.sample.convert.tabled import with_value_at as placed_at
from sampleui.sample.dialects.dialect import Asserted, Dialect, value_at
from sampleui.sample.dialects.older import new_messages, todays, update_report, updated
from sampleui.sample.message_shapes import is_message
from sampleui.sample.models import models_of
from sampleui.sample.models.typed import ANY, fits, is_of_type
from sampleui.sample.parse import as_messages, messages_path
from sampleui.sample.rules.models import errors_of
from sampleui.text.wording import enumerated


class MovedField(NamedTuple):
    """A field that is to be placed: its key, its value, and what the sample calls it."""

    key: str
    value: Plain
    spelled: str


def with_fields(
    data: Table, fields: list[MovedField], source: Dialect, target: Dialect, *, newest: bool = False
) -> tuple[Table, list[str]]:
    """Return a sample with fields of another dialect, and a line for each that did not keep its place.

    A field goes to the key of the same name where that means the same and takes the value, or else under `metadata`
    if the target has that, or else into the lines.

    Args:
        data: what is said of the sample already.
        fields: the fields.
        source: the dialect that they are of.
        target: the dialect of the sample.
        newest: whether it is for the newest version of the dialect's program, which takes any assertion.
    """
    asserted = {} if newest else target.conversion.asserted
    kept = next((field for field in fields if field.key == "metadata" and isinstance(field.value, dict)), None)
    metadata: Table = dict(kept.value) if kept and isinstance(kept.value, dict) else {}
    returned = _returned(metadata, data, target, asserted)
    placed = {**data, **{key: metadata.pop(key) for key in returned}}
    notes: list[str] = []
    for field in (field for field in fields if field is not kept):
        placed, left = _beside(placed, field, source, target, asserted)
        if left is None:
            continue
        if target.metadata:
            name = next(name for name in _names(field.key, source) if name not in metadata)
            metadata[name] = left.value
            notes.append(f"{left.spelled}: kept as {target.metadata}.{name}")
        else:
            notes += (f"{part}: {_no_place(target)}" for part in _parts(left, source))
    if kept and not target.metadata:
        return placed, [*notes, *(f"{kept.spelled}.{key}: {_no_place(target)}" for key in metadata)]
    return {**placed, target.metadata: metadata} if metadata else placed, notes


def _returned(metadata: Table, data: Table, target: Dialect, asserted: Mapping[str, Asserted]) -> list[str]:
    """Return the keys of metadata that are fields of the target, which were kept there for want of a place."""
    written = () if target.modelled else data  # what is there only because a model asks for it gives way
    returning = {key for key, item in target.fields.items() if item.returns} - {target.metadata, *written}
    return [key for key in metadata if key in returning and _takes(target, key, metadata[key], asserted)]


def _beside(
    placed: Table, field: MovedField, source: Dialect, target: Dialect, asserted: Mapping[str, Asserted]
) -> tuple[Table, MovedField | None]:
    """Return a sample with what it takes of a field as it is, and what is left of the field."""
    key, value = field.key, field.value
    shared = key in target.known and key in source.known and key not in placed and key != target.metadata
    known = asserted.get(key)
    if not shared or key in source.conversion.own | target.conversion.own:
        return placed, field
    if known is None and _is_said(key, value, target):
        return placed, field
    if _takes(target, key, value, asserted):
        return {**placed, key: value}, None
    if known is None or not isinstance(value, list):
        return placed, field
    others = [index for index, item in enumerate(value) if not _is_known(item, known)]
    if len(others) == len(value):
        return placed, field
    left_items = ", ".join(f"{field.spelled}[{index}]" for index in others)
    mine: list[Plain] = [item for index, item in enumerate(value) if index not in others]
    return {**placed, key: mine}, MovedField(key, [value[index] for index in others], left_items)


def _takes(target: Dialect, key: str, value: Plain, asserted: Mapping[str, Asserted]) -> bool:
    """Tell whether a value may stand under a key as it is."""
    known = asserted.get(key)
    if known is not None and not (isinstance(value, list) and all(_is_known(item, known) for item in value)):
        return False
    if not target.modelled:
        return fits(target, key, value)
    return not any(path[:1] == (key,) for path, _ in errors_of(models_of(target).keyed, {key: value}))


def _is_known(item: Plain, known: Asserted) -> bool:
    """Tell whether a program takes an assertion: its type, its value, and all that it says besides."""
    if not isinstance(item, dict) or not item.keys() <= known.keys:
        return False
    words = known.types.get(str(item.get("type")))
    return words == ANY or (words is not None and is_of_type(words, item.get("value")))


def _is_said(key: str, value: Plain, target: Dialect) -> bool:
    """Tell whether a field of another dialect would be read as messages, or as what is expected."""
    paths = (*target.message_paths, *target.expected.paths)
    return any(value_at({key: value}, path) is not None for path in paths)


def _parts(field: MovedField, source: Dialect) -> list[str]:
    """Return the paths of the items of a list whose items the source has keys for; of anything else its own."""
    if field.key in source.nested and isinstance(field.value, list) and field.spelled == field.key and field.value:
        return [f"{field.spelled}[{index}]" for index in range(len(field.value))]
    return field.spelled.split(", ")


def _no_place(target: Dialect) -> str:
    return f"dropped, {target.title} has no place for it"


def _names(key: str, source: Dialect) -> Iterator[str]:
    """Return names to keep a field under, the plainest first, without end."""
    yield key
    name = f"{source.name}_{key}"
    while True:
        yield name
        name += "_"


__all__ = ["Case", "Converted", "case_of", "convert", "sample_of_case", "unasked"]


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
        target: the dialect to write. Equal dialects leave it as it is, but for an older record, and for messages of
            a provider that the dialect does not take.
        near: where the samples that it is to stand among have their messages, if there are some; it is written as
            they are where that says no less.
    """
    spelling = target.today
    is_todays = spelling is not None and near == spelling.messages
    within = spelling is not None and near in target.expected.beside
    if source is target:
        older = updated(data, source)
        today = older.data if older else data
        spelled, notes = _with_taken_messages(today, target)
        if within:
            spelled = spelled_within(spelled, near, target)
        elif is_todays:
            spelled = spelled_today(spelled, target)
        return Converted(spelled, (*(update_report(older) if older else ()), *notes))
    case = case_of(data, source)
    others, tool_notes = of_dialect(source).conversion(source).convert_fields(case.rest, target)
    case = dataclasses.replace(case, rest=others, notes=(*case.notes, *tool_notes))
    rest = [_field(key, value, case, data) for key, value in case.rest.items() if key != "id"]
    converted = sample_of_case(case, target, near, rest, source)
    judged = spelling.judged_by if spelling is not None and is_todays else ()
    if not judged or any(converted.data.get(key) for key in judged):
        return converted
    note = f"{target.title} leaves a sample out that has none of {enumerated(judged, 'and')}"
    return Converted(converted.data, (*converted.report, note))


def _with_taken_messages(data: Table, dialect: Dialect) -> tuple[Table, list[str]]:
    """Return a sample with messages that its dialect takes, and a line for each change."""
    path = messages_path(data, dialect)
    listed = value_at(data, path)
    messages = as_messages(listed, data, dialect)
    if not isinstance(listed, list) or messages is None or len(messages) != len(listed):
        return data, []
    if all(is_taken(message, dialect) or not is_message(message) for message in messages):
        return data, []
    spelled = conversation_for(messages, dialect, [(*path, index) for index in range(len(listed))])
    written: list[Plain] = [
        dialect.turns.spelling.written(turn) if isinstance(turn, dict) else turn for turn in spelled.messages or ()
    ]
    return {**placed_at(data, path, written), **spelled.beside}, spelled.notes


def sample_of_case(
    case: Case, target: Dialect, near: DataPath = (), rest: Sequence[MovedField] = (), source: Dialect | None = None
) -> Converted:
    """Return a case as a sample of a dialect, with a line for everything that is not written as it was.

    Args:
        case: the case.
        target: the dialect.
        near: as of `convert`.
        rest: the fields of the case besides its id.
        source: the dialect that these are of.
    """
    spelling = target.today
    within = spelling is not None and near in target.expected.beside
    messages, beside, content_notes = conversation_for(case.messages, target, case.paths)
    head, id_notes = _head(case, target)
    hooks = of_dialect(target).conversion(target)
    if hooks.write_case is not None:
        if messages is not None:
            head[str(target.message_paths[0][0])] = messages
        body = hooks.write_case(case, head, target)
    else:
        body = to_table(dataclasses.replace(case, messages=messages), head, target, near)
        finished, own_notes = hooks.finish_sample(body.data, case)
        body = dataclasses.replace(body, data=finished, notes=(*body.notes, *own_notes))
    left = [MovedField(key, value, case.spelled.get(key, key)) for key, value in body.left.items()]
    placed, rest_notes = with_fields(
        {**body.data, **beside}, [*left, *rest], source or target, target, newest=within
    )
    notes = (*case.notes, *id_notes, *content_notes, *body.notes, *rest_notes)
    if within:
        return Converted(spelled_within(placed, near, target), notes)
    return Converted(spelled_today(placed, target) if spelling and near == spelling.messages else placed, notes)


def spelled_today(data: Table, dialect: Dialect) -> Table:
    """Return a sample with its keys called as its program calls them today, and its answer as that reads it."""
    today, spelled = dialect.today, todays(data, dialect)
    if today is None or today.answer not in spelled:
        return spelled
    return {**spelled, today.answer: single_answer(spelled[today.answer])}


def spelled_within(data: Table, near: DataPath, dialect: Dialect) -> Table:
    """Return a sample as its program's newest version spells it: messages and answer among the variables."""
    spelled, today = spelled_today(data, dialect), dialect.today
    moves = ((today.messages, near), ((today.answer,), dialect.expected.beside[near])) if today else ()
    for old, new in moves:
        value = value_at(spelled, old)
        if value is not None and value_at(spelled, new) is None:
            spelled = placed_at(without_value_at(spelled, old), new, value)
    return spelled


def unasked(data: Table, target: Dialect) -> str:
    """Return the key of the messages that a sample lacks; nothing where it has some, or others supply them."""
    elsewhere = target.asked_by_prompts or target.conversion.asking & data.keys()
    if elsewhere or any(value_at(data, path) is not None for path in target.message_paths):
        return ""
    asked = (str(path[0]) for path in target.message_paths if path[0] in target.required)
    return next(asked, str((target.turns.text_path or new_messages(target))[0]))


def _head(case: Case, target: Dialect) -> tuple[Table, list[str]]:
    """Return the id that a sample is given, a number as a text where the target has no numbers for it."""
    if "id" not in case.rest:
        return {}, []
    sample_id, called = case.rest["id"], case.spelled.get("id", "id")
    number = isinstance(sample_id, int) and not isinstance(sample_id, bool)
    key = str(target.id_paths[0][0]) if target.id_paths else ""
    if not number or (not target.modelled and (not key or fits(target, key, sample_id))):
        return {"id": sample_id}, []
    return {"id": str(sample_id)}, [f"{called}: the number is written as text"]


def _field(key: str, value: Plain, case: Case, data: Table) -> MovedField:
    """Return a field, named by the keys that are left of it where others were read as something else."""
    spelled = case.renamed.get(key, key)
    before = data.get(spelled)
    if key != "metadata" and isinstance(before, dict) and isinstance(value, dict) and len(value) < len(before):
        spelled = ", ".join(f"{spelled}.{inner}" for inner in value)
    return MovedField(key, value, spelled)


def case_of(data: Table, source: Dialect) -> Case:
    """Return what a sample of a dialect says, in the neutral form."""
    older = updated(data, source)
    if older is None:
        return (of_dialect(source).conversion(source).read_case or from_table)(data, source)
    case = case_of({key: value for key, value in older.data.items() if key not in older.added}, source)
    note = f"{', '.join(older.old)}: read as an older record"
    return dataclasses.replace(case, notes=(note, *case.notes))


class MadeId(NamedTuple):
    """An id that is made for a sample, and why, in words that are the same for all samples."""

    name: str
    why: str


def made_ids(own_ids: Sequence[str | None], source: Dialect, target: Dialect) -> dict[int, MadeId]:
    """Return new ids by the index of the samples that need one; none is the id of another sample.

    A sample without an id is given one by its number where the target wants ids, so that converting the same deck
    again makes the same. Ids of which several are alike are told apart where the target does not allow that and the
    source does; where the source does not either, it is a fault of the deck, which only its author can mend.

    Args:
        own_ids: the ids that the samples have, None for those without.
        source: the dialect they come from.
        target: the dialect they are written in.
    """
    wanted = "id-missing" in target.rules and bool(target.id_paths)
    apart = target.unique_ids and not source.unique_ids
    taken_ids, seen = {*own_ids}, set[str]()
    ids: dict[int, MadeId] = {}
    names: Iterator[str]
    for index, name in enumerate(own_ids):
        if name is None and wanted:
            stem = f"sample-{index + 1}"
            names, why = chain((stem,), _numbered(stem)), "made from the number of the sample, which has none"
        elif name is not None and apart and name in seen:
            names, why = _numbered(name), f"a number is put behind it, for {target.title} allows no two alike"
        else:
            if name is not None:
                seen.add(name)
            continue
        ids[index] = MadeId(next(name for name in names if name not in taken_ids), why)
        taken_ids.add(ids[index].name)
    return ids


def _numbered(stem: str) -> Iterator[str]:
    return (f"{stem}-{number}" for number in count(2))
