"""The text of a `[view.NAME]`: where its fields are, and the fields changed with all other text kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from sampleui.formats.toml.scan import STRING
from sampleui.formats.toml.writing.emit import key
from sampleui.formats.toml.writing.strings import basic
from sampleui.settings.views import ViewField, Views

_PART = re.compile(
    rf"""
    (?P<comment>\#[^\n]*+) | {STRING}
    | (?P<open>[\[{{]) | (?P<close>[\]}}]) | (?P<comma>,) | (?P<blank>\s++) | [^\s,\[\]{{}}"'#]++
    """,
    re.VERBOSE | re.DOTALL,
)
_DEPTH = {"open": 1, "close": -1}


class _Item(NamedTuple):
    """An item of a list: the comments above it, its own text, and the comment after it on its line."""

    above: str
    text: str
    after: str
    start: int


class _List(NamedTuple):
    """A list in a text: from its bracket to the end of the other one, its items, and the comments at its end."""

    start: int
    end: int
    items: tuple[_Item, ...]
    last: str


def field_offset(text: str, name: str, index: int) -> int | None:
    """Return where a field of a view is in the text of a settings file; None if it is not found."""
    found = _fields(text, name)
    if found is not None:
        return found.items[index].start if index < len(found.items) else None
    headers = [*_header(name, "fields", of_list=True).finditer(text)]
    return headers[index].start() if index < len(headers) else None


def with_view(text: str, name: str, view: Sequence[ViewField], before: Views) -> str:
    """Return the text of a settings file with a view changed or added.

    Fields that stay keep their text and their comments, wherever they are moved; so does all else.

    Args:
        text: the text.
        name: the name of the view.
        view: what it is from now on.
        before: the views that the text has.

    Raises:
        ValueError: where the fields of the view are neither a list in brackets nor tables below each other.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    if name not in before:
        gap = "" if not text else newline if text.endswith("\n") else newline * 2
        return text + gap + written_view(name, view).replace("\n", newline)
    found = _fields(text, name)
    if found is None and (tables := _tables(text, name)):
        return _with_tables(text, tables, view, before[name], newline)
    if found is None or len(found.items) != len(before[name]):
        raise ValueError(
            f"the fields of view.{name} are no list in brackets, nor tables below each other; write it into the"
            " file yourself"
        )
    items = dict(zip((field.path for field in before[name]), found.items, strict=True))
    old = {field.path: field for field in before[name]}
    lines = list[str]()
    for field in view:
        item = items.get(field.path, _Item("", "", "", 0))
        kept = item.text if old.get(field.path) == field else _written_field(field)
        lines += [*item.above.splitlines(), f"{kept},{'  ' if item.after else ''}{item.after}"]
    lines += found.last.splitlines()
    written = newline.join(("[", *(f"  {line.strip()}" for line in lines), "]"))
    return text[: found.start] + written + text[found.end :]


def _written_field(field: ViewField) -> str:
    """Return a field as it is written in the list of a view."""
    if field == ViewField(field.path):
        return basic(field.path)
    return f"{{ {', '.join(_written_pairs(field))} }}"


def _written_pairs(field: ViewField) -> list[str]:
    """Return a field as pairs of a table."""
    parts = [f"path = {basic(field.path)}"]
    parts += [f'kind = "{field.kind}"'] if field.kind is not None else []
    parts += [f"heading = {basic(field.heading)}"] if field.heading else []
    parts += ["hidden = true"] if field.hidden else []
    return parts


def written_view(name: str, view: Sequence[ViewField]) -> str:
    """Return a view as the text of a settings file."""
    fields = "".join(f"  {_written_field(field)},\n" for field in view)
    return f"[view.{key(name)}]\nfields = [\n{fields}]\n"


class _Table(NamedTuple):
    """A field as a table: the blank lines and comments above it, its header, its text, and where that is."""

    above: str
    header: str
    text: str
    start: int
    end: int


_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def _tables(text: str, name: str) -> list[_Table]:
    """Return the fields of a view that are tables below each other, with nothing else between; else none."""
    tables, above, end = list[_Table](), "", -1
    for header in _header(name, "fields", of_list=True).finditer(text):
        if end < 0:
            upwards = reversed(text[: header.start()].splitlines(keepends=True))
            above = "".join([*takewhile(lambda line: line.lstrip().startswith("#"), upwards)][::-1])
        elif header.start() != end:
            return []
        following = _HEADER.search(text, header.end())
        end = following.start() if following is not None else len(text)
        lines = text[header.start() : end].splitlines(keepends=True)
        own = max(index for index, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#"))
        tables.append(_Table(above, header[0], "".join(lines[: own + 1]), header.start() - len(above), end))
        above = "".join(lines[own + 1 :])
    return [*tables, _Table(above, "", "", end - len(above), end)] if tables else []


def _with_tables(
    text: str, tables: Sequence[_Table], view: Sequence[ViewField], before: Sequence[ViewField], newline: str
) -> str:
    """Return a text with the fields of a view changed that are tables; the last table is what follows them."""
    *fields, last = tables
    kept = {field.path: (field, table) for field, table in zip(before, fields, strict=True)}
    usual = newline if len(fields) < 2 else _blanks(fields[1].above)
    pieces = list[str]()
    for field in view:
        old, table = kept.get(field.path, (None, None))
        above = "" if table is None else table.above
        blank = usual if table in (None, fields[0]) else _blanks(above)
        own = "" if table is None else table.text
        if old != field:
            notes = [line.strip() for line in own.splitlines() if line.lstrip().startswith("#")]
            own = newline.join((fields[0].header, *notes, *_written_pairs(field), ""))
        end = "" if own.endswith("\n") else newline
        pieces.append((blank if pieces else "") + above[len(_blanks(above)) :] + own + end)
    return text[: fields[0].start] + "".join(pieces) + last.above + text[last.end :]


def _blanks(text: str) -> str:
    """Return the line ends that a text begins with."""
    return text[: len(text) - len(text.lstrip("\r\n"))]


def _header(name: str, *keys: str, of_list: bool = False) -> re.Pattern[str]:
    dotted = r"[ \t]*\.[ \t]*".join(rf"[\"']?{re.escape(key)}[\"']?" for key in ("view", name, *keys))
    begins, ends = (r"\[\[", r"\]\]") if of_list else (r"\[", r"\]")
    return re.compile(rf"^[ \t]*{begins}[ \t]*{dotted}[ \t]*{ends}", re.MULTILINE)


def _fields(text: str, name: str) -> _List | None:
    header = _header(name).search(text)
    if header is None:
        return None
    following = re.compile(r"^[ \t]*\[[^\n]*+$", re.MULTILINE)
    key = re.compile(r"^[ \t]*([\"']?)fields\1[ \t]*=[ \t]*(?=\[)", re.MULTILINE).search(text, header.end())
    other = following.search(text, header.end())
    if key is None or (other is not None and other.start() < key.start()):
        return None
    return _list_at(text, key.end())


def _list_at(text: str, start: int) -> _List | None:
    """Return the list that begins at a bracket."""
    items, above = list[_Item](), list[str]()
    depth, begin, stop, note, is_after, below = 0, -1, -1, "", False, list[str]()
    place = start
    while (part := _PART.match(text, place)) is not None:
        place, kind = part.end(), part.lastgroup
        depth += _DEPTH.get(kind or "", 0)
        if begin >= 0 and (depth == 0 or (depth == 1 and kind == "comma")):
            items.append(_Item("\n".join(above), text[begin:stop], note, begin))
            above, below, begin, note, is_after = below, [], -1, "", True
        if depth == 0:
            return _List(start, place, tuple(items), "\n".join(above))
        if kind == "blank":
            is_after = is_after and "\n" not in part[0]
        elif kind == "comment":
            if begin >= 0 and "\n" not in text[stop : part.start()]:
                note = part[0]
            elif begin >= 0:
                below.append(part[0])
            elif is_after:
                items[-1] = items[-1]._replace(after=part[0])
            else:
                above.append(part[0])
        elif kind != "comma" and place > start + 1:
            begin, stop, is_after = begin if begin >= 0 else part.start(), place, False
    return None
