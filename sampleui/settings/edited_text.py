"""The text of a settings file, changed by the edits that decks have too: a setting, or the fields of a view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from sampleui.errors import EditError, FormatError, PathError
from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table
from sampleui.formats.operations import Delete, Insert, Move, Operation, Set
from sampleui.formats.toml.scan import BOM
from sampleui.formats.toml.single_sample import TomlSample
from sampleui.formats.toml.writing.emit import key
from sampleui.formats.toml.writing.strings import basic
from sampleui.settings.views import ViewField, Views
from sampleui.text.position import Position, position_at


def with_setting(text: str, name: str, value: Plain) -> str:
    """Return the text of a settings file with one setting changed or added; all else stays.

    Raises:
        ValueError: when the text is not TOML, or cannot be changed without changing more.
    """
    try:
        document = TomlSample.whole(text)
        return document.apply(document.edit(0, Set((name,), value))).text
    except FormatError as error:
        raise ValueError(str(error)) from error
    except EditError as error:
        raise ValueError(f"{error}; write it into the file yourself") from error


def place_in(text: str, path: DataPath) -> Position:
    """Return where a key, or an item of a list, is in the text of settings, or the nearest around it.

    What a header names is told at its beginning.
    """
    text = text.removeprefix(BOM)
    with suppress(FormatError):  # no places are known in what is larger than any file of settings may be
        document = TomlSample.whole(text)
        for depth in range(len(path), 0, -1):
            with suppress(PathError):
                offset = document.key_span(0, path[:depth]).start
                line = text[text.rfind("\n", 0, offset) + 1 : offset]
                is_header = line.lstrip().startswith("[")
                return position_at(text, offset - len(line.lstrip("[ \t")) if is_header else offset)
    return Position(1, 1)


def with_below(text: str, added: str) -> str:
    """Return the text of a settings file with another one below it, behind an empty line."""
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return text + gap + added.replace("\n", newline)


def with_view(text: str, name: str, view: Sequence[ViewField], before: Views) -> str:
    """Return the text of a settings file with a view changed or added.

    Fields that stay keep their text and their comments, wherever they are moved; so does all else.

    Args:
        text: the text.
        name: the name of the view.
        view: what it is from now on.
        before: the views that the text has.

    Raises:
        ValueError: where the fields of the view are written so that an edit would change more than them.
    """
    if name not in before:
        return with_below(text, written_view(name, view))
    document, fields_path = TomlSample.whole(text), ("view", name, "fields")
    items = as_list(as_table(as_table(document.read(0)["view"])[name])["fields"])
    try:
        for operation in _operations(fields_path, items, view):
            document = document.apply(document.edit(0, operation))
    except EditError as error:
        raise ValueError(f"view.{name} cannot be changed: {error}; write it into the file yourself") from error
    return document.text


def _operations(fields_path: DataPath, items: Sequence[Plain], view: Sequence[ViewField]) -> Iterator[Operation]:
    """Yield the edits that make a view of the items of its list."""
    old = {str(item["path"] if isinstance(item, dict) else item): item for item in items}
    order, wanted = [*old], {field.path for field in view}
    are_tables = all(isinstance(item, dict) for item in items)
    for index, path in reversed([*enumerate(order)]):
        if path not in wanted:
            yield Delete((*fields_path, index))
            del order[index]
    for index, field in enumerate(view):
        if field.path not in old:
            yield Insert((*fields_path, index), _table(field) if are_tables else _value(field))
            order.insert(index, field.path)
            continue
        current = order.index(field.path)
        if current != index:
            yield Move((*fields_path, current), index)
            order.insert(index, order.pop(current))
        yield from _changes((*fields_path, index), old[field.path], field)


def _changes(item_path: DataPath, item: Plain, field: ViewField) -> Iterator[Operation]:
    """Yield the edits that make an item of a list say a field."""
    table = _table(field)
    if not isinstance(item, dict):
        if len(table) > 1:
            yield Set(item_path, table)
        return
    yield from (Delete((*item_path, key)) for key in item if key not in table)
    yield from (Set((*item_path, key), value) for key, value in table.items() if item.get(key) != value)


def _table(field: ViewField) -> Table:
    """Return a field as a table: what is as usual is left out."""
    rest: Table = {"kind": field.kind and str(field.kind), "heading": field.heading, "hidden": field.hidden}
    return {"path": field.path, **{key: value for key, value in rest.items() if value}}


def _value(field: ViewField) -> Plain:
    """Return a field as it is written in a list: as its path, or as a table."""
    table = _table(field)
    return table if len(table) > 1 else field.path


def written_view(name: str, view: Sequence[ViewField]) -> str:
    """Return a view as the text of a settings file."""
    fields = "".join(f"  {_written(field)},\n" for field in view)
    return f"[view.{key(name)}]\nfields = [\n{fields}]\n"


def _written(field: ViewField) -> str:
    table = _table(field)
    if len(table) == 1:
        return basic(field.path)
    pairs = (f"{key} = {'true' if value is True else basic(str(value))}" for key, value in table.items())
    return f"{{ {', '.join(pairs)} }}"
