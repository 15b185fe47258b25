"""What the room says of one case: a deck and what it is converted to, or what an author does to a sample of one."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from sampleui.errors import EditRefusedError, PathError, SampleUIError
from sampleui.formats.data import DataPath
from sampleui.formats.document import Document
from sampleui.formats.registry import parse_document
from sampleui.sample import rules
from sampleui.sample.agentv_assertions import asserted, kind_of
from sampleui.sample.conversation import as_pairs, as_texts, place_of_pairs, spoken, variables_of_row, whole_pair
from sampleui.sample.convert import convert
from sampleui.sample.convert.transcripts import spelled
from sampleui.sample.dialects import legacy
from sampleui.sample.dialects.foreign import FOREIGN
from sampleui.sample.dialects.guessing import guessed, is_likely, likely_places, name_of, written
from sampleui.sample.dialects.segments import segment_for, text_segment
from sampleui.sample.dialects.shipped import DIALECTS, Dialect, detect, is_shown, readers
from sampleui.sample.dialects.user import user_dialect
from sampleui.sample.fields import FieldType, kinds_at, new_sample, new_value, shape_at
from sampleui.sample.kinds import CHOICES, as_kind, blank_like
from sampleui.sample.merging import merged
from sampleui.sample.model import Sample
from sampleui.sample.models.schema import sample_schema, schema
from sampleui.sample.models.typed import fits
from sampleui.sample.names import nested, path_of
from sampleui.sample.parse import (
    dialect_of,
    expected,
    messages_path,
    own_id,
    place_of,
    reference_text,
    sample_id,
    tags,
    title,
    turns,
    unreadable,
)
from sampleui.sample.pasting import fitted, read_pasted, spoken_in
from sampleui.sample.tags import tag_path
from sampleui.sample.variables import interpolation
from sampleui.sample.variables.environment import Environment
from sampleui.sample.variables.javascript import stringify, trim
from sampleui.sample.variables.references import referred
from sampleui.samples import located, readable, telling
from sampleui.settings.dialects import Fault, UserTable, read_tables
from sampleui.text.diagnostic import Finding
from tests.recorded import folder_of_a_case, write

Given = dict[str, Any]


def play(given: Given) -> object:
    """Return what comes of a case, of a refusal its words.

    Args:
        given: what is asked is told by the first of these keys that it has; `own` has the text of a table of
            dialects beside those that are shipped, and `dialect` names the one to read in.

            - `file` and `text`: the deck, read; its samples converted to the dialect `to`, if that is given, where
              samples have their messages `near`
            - `pasted`: a text pasted into the deck, `among` its samples or not, which have their messages `near`
            - `merged`: two messages
            - `guess`: samples that no dialect knows, which are `under` keys
            - `places`: a value with samples somewhere in it
            - `name`: that of a field of the sample `data`, as typed, and a `value` to put there; `near` are other
              samples of its deck
            - `kinds`: a value, to be had as each type
            - `filled`: a value with variables, `vars` and those of the `.env` files in `files`
            - `said`: a value as JavaScript writes it
            - `schema`: the JSON Schema of a dialect, or what is at these keys of it
            - `turns`: those of a run, to be written `near` others
            - `pairs`: the messages of the sample `data`, and where others go beside them
            - `target`: a file or an address to attach, and where a tag goes in the sample `data`
            - `asserts`: a sample and its context
            - `referred`: a value with references into the `context`
    """
    play_it = next(made for key, made in _CASES.items() if key in given)
    try:
        return play_it(given, _dialects(given))
    except SampleUIError as error:
        return f"refused: {error}"


def _dialects(given: Given) -> Mapping[str, Dialect]:
    held = tomllib.loads(given.get("own", "")).get("dialects", {})
    tables: Mapping[str, UserTable] | Fault = read_tables(held)
    assert not isinstance(tables, Fault), tables
    return {**{name: user_dialect(name, table) for name, table in tables.items()}, **DIALECTS}


def _deck(given: Given, dialects: Mapping[str, Dialect]) -> object:
    document = parse_document(given["text"], Path(given["file"]))
    own = [one for name, one in dialects.items() if name not in DIALECTS]
    found = detect(document.container, document.context, telling(document), (*own, *FOREIGN))
    kind = dialects[given["dialect"]] if "dialect" in given else found.dialect
    samples = [_sample(document, at, kind, Path(given["file"])) for at in range(len(document))]
    if "to" in given:
        near = tuple(given.get("near", ()))
        return [_converted(one, dialects[given["to"]], near) for one in samples]
    return {
        "dialect": [found.dialect.name, found.reason, is_shown(document.container, [one.data for one in samples])],
        "readers": [one.name for one in readers(document.columns, own)] if document.columns else [],
        "file": [[*_said(one), str(at)] for one, at in rules.of_file(document, kind)],
        "twice": [[at, one.message] for at, one in rules.duplicates(own_id(one.data, kind) for one in samples)],
        "samples": [_read(one) for one in samples],
    }


def _sample(document: Document, at: int, kind: Dialect, path: Path) -> Sample:
    data = readable(document, at)
    return Sample(
        sample_id(data, kind, document.name(at), at), at, data, kind.name, messages_path(data, kind), path,
        context=document.context, kind=kind, locate=partial(located, document, at),
    )  # fmt: skip


def _said(one: Finding) -> list[str]:
    return [one.rule, str(one.severity), one.message]


def _read(sample: Sample) -> object:
    kind, data = dialect_of(sample), sample.data
    said: dict[str, object] = {
        "id": sample.id,
        "title": title(sample),
        "tags": [*tags(sample)],
        "expected": expected(sample),
        "said": [[one.message, [*one.path], [*map(list, one.texts)]] for one in spoken(sample)],
        "places": [[*place_of(sample, at, "content", 0)] for at in range(len(spoken(sample)) + 1)],
        "turns": [[one.role, *map(str, one.segments), one.extra] for one in turns(sample)],
        "unread": [[*one] for one in unreadable(sample)],
        "findings": [[*_said(one), str(sample.position(one.node))] for one in rules.check(sample)],
        "variables": variables_of_row(data, kind),
        "vars": interpolation.variables_of(sample),
        "reference": reference_text(
            next(iter(held), None) if isinstance(held := data.get("references"), list) else held
        ),
        "older": legacy.mapped(data) if kind.mapped else None,
        "fixes": [[one.op, [*one.path], one.value] for one in legacy.fix(data)] if kind.mapped else None,
        "wrong": [key for key, value in data.items() if not fits(kind, key, value)],
    }
    return {key: value for key, value in said.items() if value not in (None, [], {}, "")}


def _converted(sample: Sample, target: Dialect, near: DataPath) -> object:
    made = convert(sample.data, dialect_of(sample), target, near)
    return [made.data, *made.report]


def _pasted(given: Given, dialects: Mapping[str, Dialect]) -> object:
    target = dialects[given["dialect"]]
    found = read_pasted(given["pasted"], among_samples=given.get("among", False))
    own = [one for name, one in dialects.items() if name not in DIALECTS]
    fit = fitted(found, target, tuple(given.get("near", ())), own)
    kinds = [spoken_in(data, target, own).name for data in found.samples]
    return [
        found.how,
        [*found.samples],
        [*found.turns],
        found.fields,
        kinds,
        [*fit.samples],
        [*fit.turns],
        [*fit.notes],
    ]


def _merged(given: Given, dialects: Mapping[str, Dialect]) -> object:
    one, other = given["merged"]
    return merged(one, other, dialects[given["dialect"]])


def _guessed(given: Given, _: Mapping[str, Dialect]) -> object:
    under = tuple(given.get("under", ()))
    table = guessed(given["guess"], under)
    if table is None:
        return None
    text = written(name_of(given.get("stem", "deck")), table)
    ((name, own),) = _dialects({"own": text}).items() - DIALECTS.items()
    found = detect(under, {}, given["guess"], (own, *FOREIGN))
    return [is_likely(table), text, name, found.dialect.name, found.reason]


def _places(given: Given, _: Mapping[str, Dialect]) -> object:
    return [[*place] for place in likely_places(given["places"])]


def _named(given: Given, dialects: Mapping[str, Dialect]) -> object:
    kind, data = dialects[given["dialect"]], given["data"]
    path = path_of(given["name"])
    shape = shape_at(kind, path)
    kinds = kinds_at(kind, path, given.get("near", [data]))
    try:
        put: list[object] = [*nested(data, path, given.get("value"))]
    except PathError as error:
        put = [str(error)]
    new = [str(new_value(kind, path, one)) for one in kinds]
    return [[*path], put, [*kinds], new, _shape(shape) if shape else None]


def _shape(shape: FieldType) -> object:
    inner = {name: one.words for name, one in shape.fields().items()}
    return [shape.words, shape.help, [*shape.kinds], shape.is_message, inner, shape.blank()]


def _kinds(given: Given, _: Mapping[str, Dialect]) -> object:
    made: list[object] = [blank_like(given["kinds"])]
    for kind in CHOICES:
        try:
            made.append(as_kind(given["kinds"], kind))
        except EditRefusedError as error:
            made.append({"refused": str(error)})
    return made


def _filled(given: Given, _: Mapping[str, Dialect]) -> object:
    value, held = given["filled"], given.get("vars")
    with folder_of_a_case() as made:
        root = made.resolve()
        write(root, given.get("files", {}))
        (root / "a" / "b").mkdir(parents=True, exist_ok=True)
        there = Environment(root / "a" / "b", root, given.get("process", {}))
        parts = interpolation.pieces(value, held, there) if isinstance(value, str) else ()
        return [
            [*there.items()],
            len(there),
            [[one.text, one.tag] for one in parts],
            interpolation.with_environment(value, there),
            interpolation.with_variables(value, held),
        ]


def _written(given: Given, _: Mapping[str, Dialect]) -> object:
    value = given["said"]
    return [stringify(value, given.get("indent", 0)), trim(value) if isinstance(value, str) else None]


def _schema(given: Given, dialects: Mapping[str, Dialect]) -> object:
    kind = dialects[given["dialect"]]
    held: Any = {"deck": schema(kind), "sample": sample_schema(kind), "new": new_sample(kind)}
    for key in given["schema"]:
        held = held[key]
    return {key: value for key, value in held.items() if key != "$defs"} if isinstance(held, dict) else held


def _turns(given: Given, dialects: Mapping[str, Dialect]) -> object:
    said = {"id": "new", "messages": given["turns"]}
    return spelled(said, tuple(given["near"]), dialects[given["dialect"]])


def _pairs(given: Given, dialects: Mapping[str, Dialect]) -> object:
    kind, data = dialects[given["dialect"]], given["data"]
    path = messages_path(data, kind)
    sample = Sample("s", 0, data, kind.name, path, Path("deck"), kind=kind)
    places = [one.path for one in spoken(sample)]
    return [
        [[*whole_pair(one, kind)] for one in places],
        [[place_of_pairs(data, one, kind, below=below) for below in (False, True)] for one in places],
        as_pairs(given["pairs"]),
        [*as_texts(given["pairs"], data.get(str(path[0])), kind)],
    ]


def _attached(given: Given, dialects: Mapping[str, Dialect]) -> object:
    kind = dialects[given["dialect"]]
    tagged = [*tag_path(kind, given["data"], given.get("near", []))] if kind.tag_paths else []
    return [segment_for(given["target"], kind), text_segment("said", kind), tagged]


def _referred(given: Given, _: Mapping[str, Dialect]) -> object:
    return referred(given["referred"], given["context"])


def _asserted(given: Given, _: Mapping[str, Dialect]) -> object:
    return [[kind_of(one), one] for one in asserted(*given["asserts"])]


_CASES: Mapping[str, Callable[[Given, Mapping[str, Dialect]], object]] = {
    "file": _deck,
    "pasted": _pasted,
    "merged": _merged,
    "guess": _guessed,
    "places": _places,
    "name": _named,
    "kinds": _kinds,
    "filled": _filled,
    "said": _written,
    "schema": _schema,
    "turns": _turns,
    "pairs": _pairs,
    "target": _attached,
    "asserts": _asserted,
    "referred": _referred,
}
