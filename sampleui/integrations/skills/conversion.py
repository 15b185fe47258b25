"""What evals of skills say, read into neutral cases and written from them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from sampleui.formats.data import Plain, Table, as_list
from sampleui.integrations.integration import Converting
from sampleui.integrations.skills.statements import statement
from sampleui.sample.convert.tabled import Case, WrittenSample, from_table, to_table
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.value_lines import STATEMENTS

EXPECTED = "expected_output"
_WHOLE = re.compile(r"0|[1-9]\d{0,14}", re.ASCII)
_LISTED = {"agentv": "assertions"}
"""For dialects whose programs judge by statements, the key that these have there."""


def read(data: Table, dialect: Dialect) -> Case:
    """Read an eval, with a note that what it expects is described."""
    case = from_table(data, dialect)
    if case.answer is None:
        return case
    note = f"{EXPECTED}: it describes a good result, and is written as what is expected"
    return dataclasses.replace(case, notes=(*case.notes, note))


def fields(data: Table, target: Dialect) -> tuple[Table, Sequence[str]]:
    """Return the other fields with statements as the program of another dialect has them, and notes."""
    key = _LISTED.get(target.name)
    if key is None or not any(data.get(name) for name in STATEMENTS):
        return data, ()
    written: list[Plain] = []
    notes: dict[str, None] = {}
    for name in STATEMENTS:
        for index, item in enumerate(as_list(data.get(name))):
            said = statement(item)
            kept = {said.key, "name", "id"} if said.name else {said.key}
            dropped = [other for other in item if other not in kept] if isinstance(item, dict) else []
            notes.update(
                {f"{name}[{index}].{other}: dropped, for a statement is one text there": None for other in dropped}
            )
            if isinstance(item, dict) and said.name:
                notes[f"{name}[{index}]: its name is written before its text"] = None
            if said.line:
                written.append(said.line)
            else:
                notes[f"{name}[{index}]: dropped, for it says nothing"] = None
        if name != key and data.get(name):
            notes[f"{name}: written as {key}"] = None
    rest = {other: value for other, value in data.items() if other not in STATEMENTS}
    return {**rest, key: written}, [*notes]


def write(case: Case, head: Table, dialect: Dialect) -> WrittenSample:
    """Write a case: criteria in words are the expected output, or a statement beside an answer."""
    messages = head.get(str(dialect.message_paths[0][0]))
    written_case = dataclasses.replace(case, messages=[*as_list(messages)] if messages is not None else None)
    name, notes = head.get("id"), list[str]()
    if isinstance(name, str) and _WHOLE.fullmatch(name):
        notes.append(f"{case.spelled.get('id', 'id')}: the text is written as a number")
        name = int(name)
    names: Table = {"id": name} if name is not None else {}
    left: Table = {}
    if case.criteria is not None and case.answer is None:
        written_case = dataclasses.replace(written_case, answer=case.criteria, criteria=None)
    elif case.criteria is not None:
        written_case, left = dataclasses.replace(written_case, criteria=None), {"expectations": [case.criteria]}
    body = to_table(written_case, names, dialect, ())
    notes += body.notes
    if left:
        notes.append(f"{case.spelled.get('criteria', 'criteria')}: written as an expectation")
    judged = [name for name in STATEMENTS for item in as_list(case.rest.get(name)) if not statement(item).text]
    notes += [
        f"{name}: kept as they are; graders of skills read statements in words" for name in dict.fromkeys(judged)
    ]
    return dataclasses.replace(body, data={**body.data, **left}, notes=tuple(dict.fromkeys(notes)))


CONVERSION = Converting(read, write, convert_fields=fields, is_for=lambda dialect: dialect.name == "skills")
