"""Edits of decks by chance: of any value, to any value."""

from __future__ import annotations

from random import Random

from sampleui.errors import EditError, FormatError
from sampleui.formats.data import (
    DataPath,
    Plain,
    Table,
    lookup,
    with_delete,
    with_insert,
    with_move,
    with_rename,
    with_set,
)
from sampleui.formats.document import Document, SharedValue
from sampleui.formats.operations import Delete, Insert, Move, Rename, Set
from tests.formats.invariants import NAME, Deed, paths_in
from tests.torture.texts import text_of


def _value(chance: Random, depth: int = 0) -> Plain:
    kind = chance.random()
    if kind < 0.5 or depth > 2:
        return text_of(chance)
    if kind < 0.7:
        return chance.choice(
            (
                0,
                -1,
                12,
                2**63 - 1,
                -(2**63),
                2**64,
                10**30,
                1.5,
                -0.0,
                1e300,
                float("inf"),
                float("nan"),
                5e-324,
                True,
                False,
            )
        )
    if kind < 0.74:
        return None
    if kind < 0.86:
        return [_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {_key(chance): _value(chance, depth + 1) for _ in range(chance.randrange(4))}


def _key(chance: Random) -> str:
    return chance.choice(
        (
            "role",
            "content",
            "id",
            "new",
            "a",
            "k0",
            "two words",
            "",
            "é",
            "<<",
            "yes",
            "12",
            "a.b",
            "#x",
            "'",
            '"',
            "- a",
            "a: b",
            "\n",
            "=",
            "_",
        )
    )


def _turn(chance: Random) -> Plain:
    return {"role": "user", "content": text_of(chance)} if chance.random() < 0.8 else _value(chance)


def deed_of(chance: Random, document: Document, held: list[Plain]) -> Deed:
    names = ["insert sample"] + [
        "delete sample",
        "move sample",
        *["set"] * 4,
        *["new"] * 2,
        *["insert"] * 2,
        *["delete"] * 2,
        *["move"] * 2,
        "rename",
        "rename sample",
        "copy sample",
    ] * bool(held)
    shared = [(index, item) for index in range(len(held)) for item in _shared(document, index)]
    name = chance.choice([*names, *["own", "own", "all", "all"] * bool(shared)])
    if name in ("own", "all"):
        return _shared_deed(chance, document, name, held, *chance.choice(shared))
    if name.endswith("sample"):
        return _sample_deed(chance, document, name, held)
    index = chance.randrange(len(held))
    try:
        sample = document.read(index)
    except FormatError:
        return Deed("set in a broken sample", lambda doc: doc.edit(index, Set(("id",), "x")), held)
    row = {NAME: document.name(index)}
    paths = [path for path in paths_in(sample) if path]
    lists = [path for path in paths if isinstance(lookup(sample, path), list)]
    tables = [path for path in ((), *paths) if isinstance(lookup(sample, path), dict)]
    filled = [path for path in lists if lookup(sample, path)]

    def deed(name: str, make: object, changed: Plain, **more: object) -> Deed:
        assert isinstance(changed, dict)
        wanted = [*held[:index], {**row, **changed}, *held[index + 1 :]]
        return Deed(name, make, wanted, index, **more)  # type: ignore[arg-type]

    if name == "insert" and lists:
        path: DataPath = chance.choice(lists)
        at, turn = (*path, chance.randint(0, len(lookup(sample, path)))), _turn(chance)  # type: ignore[arg-type]
        return deed(
            f"insert {at} {turn!r}", lambda doc: doc.edit(index, Insert(at, turn)), with_insert(sample, at, turn)
        )
    if name == "move" and filled:
        path = chance.choice(filled)
        count = len(lookup(sample, path))  # type: ignore[arg-type]
        at, to = (*path, chance.randrange(count)), chance.randrange(count)
        return deed(f"move {at} to {to}", lambda doc: doc.edit(index, Move(at, to)), with_move(sample, at, to))
    keyed = [path for path in paths if isinstance(path[-1], str)]
    if name == "rename" and keyed:
        path, key = chance.choice(keyed), _key(chance)
        try:
            renamed = with_rename(sample, path, key)
        except EditError:
            return Deed(f"rename {path} {key!r}", lambda doc: doc.edit(index, Rename(path, key)), held)
        return deed(f"rename {path} {key!r}", lambda doc: doc.edit(index, Rename(path, key)), renamed)
    if name == "delete" and paths:
        path = chance.choice(paths)
        return deed(
            f"delete {path}",
            lambda doc: doc.edit(index, Delete(path)),
            with_delete(sample, path),
            keeps_comments=False,
        )
    if name == "set" and paths:
        path, value = chance.choice(paths), _value(chance)
        plain = not isinstance(lookup(sample, path), dict | list)
        return deed(
            f"set {index} {path} {value!r}",
            lambda doc: doc.edit(index, Set(path, value)),
            with_set(sample, path, value),
            keeps_comments=plain,
        )
    path, value = (*chance.choice(tables), _key(chance)), _value(chance)
    try:
        old = lookup(sample, path)
    except EditError:
        old = None
    return deed(
        f"new {index} {path} {value!r}",
        lambda doc: doc.edit(index, Set(path, value)),
        with_set(sample, path, value),
        keeps_comments=not isinstance(old, dict | list),
    )


def _shared(document: Document, index: int) -> tuple[SharedValue, ...]:
    try:
        return document.shared_values(index)
    except FormatError:
        return ()


def _shared_deed(
    chance: Random, document: Document, name: str, held: list[Plain], index: int, shared: SharedValue
) -> Deed:
    """Return an edit of a value that samples share: a copy of one's own changes none, one of all changes each."""
    if name == "own":
        path = chance.choice((shared.path, shared.path, ()))
        return Deed(f"own {index} {path}", lambda doc: doc.own_copy(index, path), held, keeps_comments=False)
    value, wanted = _value(chance), list[Plain](held)
    written = (shared.name, shared.home, shared.home_path)
    for user in shared.users:
        for item in _shared(document, user):
            if (item.name, item.home, item.home_path) == written:
                wanted[user] = with_set(wanted[user], item.path, value)  # type: ignore[arg-type]
    return Deed(
        f"all {index} {shared.path} {value!r}",
        lambda doc: doc.edit_of_all(shared, Set(shared.path, value)),
        wanted,
        keeps_comments=False,
    )


def _sample_deed(chance: Random, document: Document, name: str, held: list[Plain]) -> Deed:
    if name == "insert sample":
        at, taken = chance.randint(0, len(held)), [row.get(NAME) for row in held if isinstance(row, dict)]
        sample: Table = (
            {"messages": [_turn(chance) for _ in range(chance.randrange(3))]} if chance.random() < 0.8 else {}
        )
        sample |= {_key(chance): _value(chance) for _ in range(chance.randrange(3))}
        fresh = next(key for key in (text_of(chance) or "x" for _ in range(99)) if key not in taken)
        sample["id"] = fresh
        rest = {key: value for key, value in sample.items() if key != "id"}
        row: Plain = {NAME: fresh, **rest} if document.keyed else {NAME: None, **sample}
        return Deed(
            f"{name} {at} {sample!r}", lambda doc: doc.insert_sample(at, sample), [*held[:at], row, *held[at:]]
        )
    if name == "rename sample":
        index, fresh = chance.randrange(len(held)), _key(chance)
        row = held[index]
        assert isinstance(row, dict)
        wanted = [*held[:index], {**row, NAME: fresh}, *held[index + 1 :]]
        return Deed(f"{name} {index} {fresh!r}", lambda doc: doc.rename_sample(index, fresh), wanted)
    index, to = chance.randrange(len(held)), chance.randrange(len(held))
    if name == "copy sample":
        row, fresh = held[index], f"copy {chance.randrange(10**9)}"
        assert isinstance(row, dict)
        data = {key: fresh if key == "id" else value for key, value in row.items() if key != NAME}
        if document.keyed:  # the name is the id there
            data.pop("id", None)
        copy: Plain = {NAME: fresh if document.keyed else None, **data}
        given = {"id": fresh, **data} if document.keyed else data
        copied = [*held[:to], copy, *held[to:]]
        return Deed(f"{name} {index} to {to}", lambda doc: doc.duplicate_sample(index, to, given), copied)
    if name == "delete sample":
        wanted = held[:index] + held[index + 1 :]
        return Deed(f"{name} {index}", lambda doc: doc.delete_sample(index), wanted, keeps_comments=False)
    moved = with_move(held, (index,), to)
    assert isinstance(moved, list)
    return Deed(f"{name} {index} to {to}", lambda doc: doc.move_sample(index, to), moved)
