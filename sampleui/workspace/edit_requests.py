"""Edits of a deck as values: asked for by name on the command line or by a program, and made all or none.

A request says what is to be done to which sample, as JSON: `{"op": "set", "sample": "capital", "path":
"messages[0].content", "value": "Hi"}`. Samples are named by id or as `#N`, the N-th; values by their paths, as
the app shows them. Each request is made of the deck that the ones before it have left, by the engine of the app.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import reduce
from pathlib import Path
from typing import NamedTuple

from sampleui.deck import edit
from sampleui.deck.model import Change, DeckFiles
from sampleui.errors import EditError, EditRefusedError, PathError
from sampleui.formats.data import END, DataPath, Plain, Table, lookup, same, shown, typed_json
from sampleui.formats.document import SharedValue
from sampleui.formats.operations import Delete, Insert, Move, Operation, Rename, Set
from sampleui.sample.parse import value_at
from sampleui.sample.value_names import path_of, placing
from sampleui.text.wording import counted
from sampleui.workspace.deck import Deck
from sampleui.workspace.samples import as_columns, as_its_file_spells, misplaced

BESIDE = ""
"""The name of a sample that stands for the values which the deck's own file holds beside its samples."""

_MAX_LISTED = 12
_WHOLE = re.compile(r"-?\d{1,15}", re.ASCII)


class EditOp(StrEnum):
    """What can be done: to a value of a sample, each an operation of `formats/operations.py`, or to a sample."""

    SET = "set"
    INSERT = "insert"
    DELETE = "delete"
    MOVE = "move"
    RENAME = "rename"
    ADD_SAMPLE = "add-sample"
    DELETE_SAMPLE = "delete-sample"
    MOVE_SAMPLE = "move-sample"
    RENAME_SAMPLE = "rename-sample"


class Shared(StrEnum):
    """What an edit of a shared value is about: all samples that have it, or this one alone."""

    ALL = "all"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class EditRequest:
    """One edit that is asked for.

    Attributes:
        op: what is to be done.
        sample: the id of the sample, or `#N`; `BESIDE` for the values beside the samples.
        path: where in the sample, for the first five.
        value: what is set or inserted; the data of a sample that is added.
        to: where something goes: the index of an item in its list, counted from 0 as in paths; for a sample the
            number that it will have, counted from 1 as in `#N`; None for the end.
        name: the new name of a key or a sample.
        shared: what becomes of a value that other samples share: it changes for all, or the sample gets a copy of
            its own; None to refuse the edit.
        line: the line of a file of requests that it stands on, from 1; 0 for one that stands alone.
    """

    op: EditOp
    sample: str = BESIDE
    path: DataPath = ()
    value: Plain = None
    to: int | None = None
    name: str = ""
    shared: Shared | None = None
    line: int = field(default=0, compare=False)


class RequestError(EditError):
    """A request was refused, and with it all that were asked for together.

    Attributes:
        broken: what refused it: `request`, `sample-missing`, `sample-ambiguous`, `path`, `shared-value` or
            `edit-refused`.
        request: the request; None for one that cannot be read.
        allowed: what would be allowed, in words; empty where nothing can be said.
        line: the line of a file of requests, from 1; 0 for a request that stands alone.
    """

    def __init__(self, rule: str, message: str, request: EditRequest | None = None, allowed: str = "") -> None:
        super().__init__(message)
        self.broken, self.request, self.allowed = rule, request, allowed
        self.line = 0 if request is None else request.line

    def on_line(self, number: int) -> RequestError:
        """Return it as one of a line that says no request."""
        error = RequestError(self.broken, f"line {number}: {self.args[0]}", self.request, self.allowed)
        error.line = number
        return error

    def as_data(self) -> Table:
        """Return it as JSON, with the `sample`, the `path` and the `line` of the request, and what is `allowed`."""
        data: Table = {"rule": self.broken, "message": str(self.args[0]), "allowed": self.allowed}
        if (request := self.request) is not None:
            data |= {"sample": request.sample, "path": _as_plain(request.path)}
        return {**data, "line": self.line} if self.line else data

    @property
    def reason(self) -> str:
        """The reason, and what would be allowed."""
        return f"{self.args[0]}{f'; {self.allowed}' if self.allowed else ''}"

    def __str__(self) -> str:
        """Return the place, the reason, and what would be allowed."""
        request = self.request
        name = "" if request is None else request.sample or "beside the samples"
        path = f" {shown(request.path)}" if request is not None and request.path else ""
        name = f"line {request.line}: {name}" if request is not None and request.line else name
        return f"{name}{path}{': ' if name else ''}{self.reason}"


_NEEDED: Mapping[EditOp, tuple[frozenset[str], frozenset[str]]] = {
    EditOp.SET: (frozenset({"path", "value"}), frozenset({"sample", "beside"})),
    EditOp.INSERT: (frozenset({"path", "value"}), frozenset({"sample", "beside"})),
    EditOp.DELETE: (frozenset({"path"}), frozenset({"sample", "beside"})),
    EditOp.MOVE: (frozenset({"path", "to"}), frozenset({"sample", "beside"})),
    EditOp.RENAME: (frozenset({"path", "name"}), frozenset({"sample", "beside"})),
    EditOp.ADD_SAMPLE: (frozenset({"value"}), frozenset({"to"})),
    EditOp.DELETE_SAMPLE: (frozenset({"sample"}), frozenset()),
    EditOp.MOVE_SAMPLE: (frozenset({"sample", "to"}), frozenset()),
    EditOp.RENAME_SAMPLE: (frozenset({"sample", "name"}), frozenset()),
}
"""The keys that a request of each kind must have, and those that it may have."""


def request_from(data: Plain) -> EditRequest:
    """Return the request that a JSON object is.

    Raises:
        RequestError: when it is none: an unknown operation or key, a missing key, a value of the wrong type.
    """
    if not isinstance(data, dict) or data.get("op") not in list(EditOp):
        raise RequestError("request", f'a request is an object whose "op" is one of {", ".join(EditOp)}')
    op = EditOp(str(data["op"]))
    needed, optional = _NEEDED[op]
    if "name" in needed and "name" not in data and "to" in data:  # as the commands call it
        data = {("name" if key == "to" else key): value for key, value in data.items()}
    if data.get("shared", "all") not in list(Shared):
        raise RequestError("request", f"shared is one of {', '.join(Shared)}")
    keys = data.keys() - {"op", "shared"}
    if missing := sorted(needed - keys):
        raise RequestError("request", f"{op} needs {', '.join(missing)}")
    if unknown := sorted(keys - needed - optional):
        raise RequestError("request", f"{op} does not take {', '.join(unknown)}")
    if "beside" in optional and ("sample" in data) == (data.get("beside") is True):
        raise RequestError("request", f'{op} needs either a "sample" or "beside": true')
    for key in ("sample", "name"):
        if isinstance(data.get(key), int) and not isinstance(data[key], bool):  # ids may be numbers
            data = {**data, key: str(data[key])}
        if not isinstance(data.get(key, "x"), str) or data.get(key) == "":
            raise RequestError("request", f"{key} must be a text that is not empty")
    return EditRequest(
        op,
        str(data.get("sample", BESIDE)),
        _path(data.get("path")),
        data.get("value"),
        _to_index(op, data.get("to")),
        str(data.get("name", "")),
        Shared(str(data["shared"])) if "shared" in data else None,
    )


def requests_in(lines: str) -> list[EditRequest]:
    """Return the requests of a text of JSON Lines; empty lines are passed over.

    Raises:
        RequestError: when a line is no request, with its number.
    """
    requests = []
    for number, line in enumerate(lines.split("\n"), 1):
        try:
            if line.strip():
                requests.append(replace(request_from(typed_json(line)), line=number))
        except (ValueError, RecursionError) as error:
            raise RequestError("request", f"it is not JSON: {error}").on_line(number) from None
        except PathError as error:
            raise RequestError("request", str(error)).on_line(number) from None
        except RequestError as error:
            raise error.on_line(number) from None
    return requests


def as_data(request: EditRequest) -> Table:
    """Return a request as the JSON object that `request_from` reads."""
    needed, optional = _NEEDED[request.op]
    data: Table = {"op": str(request.op)}
    if "sample" in needed | optional:
        data |= {"sample": request.sample} if request.sample else {"beside": True}
    if "path" in needed:
        data["path"] = _as_plain(request.path)
    if "value" in needed:
        data["value"] = request.value
    if request.to is not None:
        data["to"] = f"#{request.to}" if request.op in _OF_SAMPLES else request.to
    if request.shared is not None:
        data["shared"] = str(request.shared)
    return {**data, "name": request.name} if "name" in needed else data


def _as_plain(path: DataPath) -> Plain:
    """Return a path as `_path` reads it: a list of steps, or a text where it ends behind the last item."""
    return shown(path) if END in path else list(path)


_OF_SAMPLES = frozenset({EditOp.ADD_SAMPLE, EditOp.MOVE_SAMPLE})


def _path(value: Plain) -> DataPath:
    """Return a path that is written as a name, or as the list of its steps."""
    if value is None:
        return ()
    if isinstance(value, str):
        return path_of(value)
    items = value if isinstance(value, list) else []
    steps = [step for step in items if isinstance(step, str | int) and not isinstance(step, bool)]
    if not steps or len(steps) != len(items):
        raise RequestError("request", "a path is a text such as messages[1].content, or a list of keys and indexes")
    return tuple(steps)


def _to_index(op: EditOp, value: Plain) -> int | None:
    if value is None and op not in (EditOp.MOVE, EditOp.MOVE_SAMPLE):
        return None
    if op in _OF_SAMPLES:
        return sample_number(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise RequestError("request", "the index of an item is a whole number from 0 on")
    return value


def sample_number(value: Plain) -> int:
    """Return the N of `#N`. Raises RequestError for anything else."""
    text = value.removeprefix("#") if isinstance(value, str) and value.startswith("#") else ""
    if not (text.isascii() and text.isdigit() and 0 < len(text) <= 9 and int(text)):
        raise RequestError("request", "the place of a sample is written as #N; #1 is the first")
    return int(text)


def make_edits(deck: Deck, requests: Sequence[EditRequest]) -> Deck:
    """Return a deck with all requests made, one after the other.

    Raises:
        RequestError: when one cannot be made, with what would be allowed; none is made then.
    """
    return reduce(_made, requests, deck)


def _made(deck: Deck, request: EditRequest) -> Deck:
    index = -1 if request.op is EditOp.ADD_SAMPLE else sample_index(deck, request)
    try:
        if request.shared is Shared.OWN and index >= 0:
            deck = deck.apply(edit.own_copy(deck.files, index, request.path))
        return deck.apply(_change(deck, index, request))
    except PathError as error:
        raise RequestError("path", str(error), request, _allowed(deck, index, request)) from None
    except EditRefusedError as error:
        shared = None if request.shared else edit.shared_at(deck.files, index, request.path)
        if shared is None:
            raise RequestError("edit-refused", str(error), request) from None
        raise RequestError("shared-value", str(error), request, _ways_on(shared, request)) from None


def _ways_on(shared: SharedValue, request: EditRequest) -> str:
    """Return what may be done about a value that other samples share."""
    own = '--shared own (in lines "shared": "own")'
    if not request.path:
        return f"{own} moves &{shared.name} to the next sample that has it"
    count = counted(len(shared.users), "sample")
    return f"{count} share it: --shared all changes it for all, {own} gives this one a copy"


def _change(deck: Deck, index: int, request: EditRequest) -> Change:
    files, path, value = deck.files, request.path, request.value
    apply = edit.apply_to_all if request.shared is Shared.ALL and index >= 0 else edit.apply
    match request.op:
        case EditOp.SET:
            return apply(files, index, _setting(deck, index, request))
        case EditOp.INSERT:
            return apply(files, index, _inserting(deck, index, request))
        case EditOp.DELETE:
            return apply(files, index, Delete(path))
        case EditOp.MOVE:
            return apply(files, index, Move(path, request.to or 0))
        case EditOp.RENAME:
            return apply(files, index, Rename(path, request.name))
        case EditOp.ADD_SAMPLE:
            if not isinstance(value, dict):
                raise EditRefusedError("a sample must be a table")
            to = len(files) if request.to is None else request.to - 1
            return edit.insert_sample(files, to, as_its_file_spells(files, deck.kind, to, value))
        case EditOp.DELETE_SAMPLE:
            return edit.delete_sample(files, index)
        case EditOp.MOVE_SAMPLE:
            return edit.move_sample(files, index, (request.to or 1) - 1)
        case EditOp.RENAME_SAMPLE:
            return sample_renamed(deck, index, request.name)


def _setting(deck: Deck, index: int, request: EditRequest) -> Operation:
    """Return the operation that sets a value, with the tables on the way to it that are missing."""
    data, path, value = deck.sample_at(index).data, request.path, request.value
    if index >= 0 and (why := misplaced(deck.files, deck.kind, index, path)):
        columns = as_columns(deck.files, deck.kind, index, path, value)
        ways = " and ".join(f"{shown((name,))} to {cell}" for name, cell in columns.items())
        raise RequestError("edit-refused", why, request, f"set {ways}" if ways else "name a column that it reads")
    try:
        lookup(data, path if path[-1:] == (END,) else path[:-1])
    except PathError:
        try:
            return placing(data, path, value)
        except PathError as error:  # which says already what would be allowed
            raise RequestError("path", str(error), request) from None
    return Set(path, value)


def _inserting(deck: Deck, index: int, request: EditRequest) -> Insert:
    """Return the operation that inserts an item, behind the last one where the path says so."""
    *around, last = request.path or ("",)
    if last == END:
        listed = lookup(deck.sample_at(index).data, tuple(around))
        last = len(listed) if isinstance(listed, list) else 0
    return Insert((*around, last), request.value)


def sample_renamed(deck: Deck, index: int, name: str) -> Change:
    """Return the change that gives a sample another name, or another id, which stays a number where it is one.

    Raises:
        EditError: when it cannot be made.
    """
    files = deck.files
    if deck.is_keyed(index):
        return edit.rename_sample(files, index, name)
    paths, data = deck.kind.id_paths, deck.samples[index].data
    if not paths:
        raise EditRefusedError(f"samples of {deck.kind.title} have no ids; they go by their number")
    path = next((path for path in paths if value_at(data, path) is not None), paths[0])
    like = (value_at(near, path) for near in (data, deck.samples[0].data))
    is_number = isinstance(next((value for value in like if value is not None), None), int)
    return edit.apply(files, index, Set(path, int(name) if is_number and _WHOLE.fullmatch(name) else name))


def sample_index(deck: Deck, request: EditRequest) -> int:
    """Return the index of the sample that a request names.

    Raises:
        RequestError: when there is none, or several have that id.
    """
    name = request.sample
    if name == BESIDE:
        return edit.context_index(0)
    found = [sample.index for sample in deck.samples if sample.id == name and deck.own_id(sample) == name]
    if len(found) == 1:
        return found[0]
    if found:
        numbers = ", ".join(f"#{index + 1}" for index in found[:_MAX_LISTED])
        message = f"{len(found)} samples have this id"
        raise RequestError("sample-ambiguous", message, request, f"name one by its place: {numbers}")
    number = name.removeprefix("#")
    is_place = name.startswith("#") and number.isascii() and number.isdigit() and len(number) <= 9
    if is_place and 1 <= int(number) <= len(deck.samples):
        return int(number) - 1
    raise RequestError("sample-missing", "the deck has no such sample", request, _nearest(deck, name))


def sample_names(deck: Deck) -> tuple[str, ...]:
    """Return the name by which a request finds each sample: its id, or `#N` where it has none or shares it."""
    names = [sample.id if deck.own_id(sample) == sample.id else None for sample in deck.samples]
    counts = Counter(names)
    return tuple(
        name if name is not None and counts[name] == 1 else f"#{index}" for index, name in enumerate(names, 1)
    )


class SampleAddress(NamedTuple):
    """A sample as commands take it: the file of its deck, and its name in that."""

    deck: Path
    name: str


def _nearest(deck: Deck, name: str) -> str:
    ids = [sample.id for sample in deck.samples]
    near = get_close_matches(name, ids[:1000], n=3)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"it has {counted(len(ids), 'sample')}" + (f", #1 to #{len(ids)}" if ids else "")


def _allowed(deck: Deck, index: int, request: EditRequest) -> str:
    """Return what there is where a path stops making sense, in words."""
    if request.op in _OF_SAMPLES:
        last = len(deck.samples) + 1 if request.op is EditOp.ADD_SAMPLE else len(deck.samples)
        return f"places are #1 to #{last}"
    holder: Plain = deck.sample_at(index).data
    depth = 0
    for part in request.path[:-1]:
        try:
            holder = lookup(holder, (part,))
        except PathError:
            break
        depth += 1
    where = shown(request.path[:depth])
    if isinstance(holder, dict):
        names = [*map(str, holder)]
        more = f" and {len(names) - _MAX_LISTED} more" if len(names) > _MAX_LISTED else ""
        return f"{where} has {', '.join(names[:_MAX_LISTED])}{more}" if names else f"{where} has no keys"
    if isinstance(holder, list):
        return f"{where} has {counted(len(holder), 'item')}" + (f", [0] to [{len(holder) - 1}]" if holder else "")
    return ""


def addresses_by_place(requests: Sequence[EditRequest]) -> bool:
    """Tell whether a request names a sample or a place by its number, which another program's edit may change."""
    return any(request.sample.startswith("#") or request.to is not None for request in requests)


def mean_the_same(requests: Sequence[EditRequest], old: Deck, new: Deck) -> bool:
    """Tell whether what requests name by its number is the same in a deck that another program has changed.

    The number of a sample may be another one's then, and so may that of an item, unless its sample is as it was.
    """
    if any(item.sample.startswith("#") or (item.op in _OF_SAMPLES and item.to is not None) for item in requests):
        return False
    names = {
        item.sample for item in requests if item.to is not None or any(isinstance(key, int) for key in item.path)
    }
    return all(same(_data_named(old, name), _data_named(new, name)) for name in names)


def _data_named(deck: Deck, name: str) -> Plain:
    try:
        return deck.sample_at(sample_index(deck, EditRequest(EditOp.SET, name))).data
    except RequestError:
        return None


def deck_hash(files: DeckFiles) -> str:
    """Return the SHA-256 of the texts of a deck's files in their order, edits included, in hexadecimal."""
    digest = hashlib.sha256()
    for source in files.sources:
        data = b"".join(source.document.encoded("surrogatepass"))
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


def json_text(value: Plain) -> str:
    """Return a value as `get` prints it: a text as it is, any other as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, default=str)
