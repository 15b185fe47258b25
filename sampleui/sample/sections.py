"""What is shown of a record or a sample: sections of blocks, which the app, the page and Markdown reports draw.

A view says which fields and how. Where none does, the values say it: Markdown is read, JSON in a text is laid out,
a list of like tables is a table, a moment is a time, and what is long is folded with its size.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias, cast

from sampleui.errors import PathError
from sampleui.formats.data import Plain, Table, as_list, as_table, tables_in, time_of, typed_json
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.dialects.table_paths import words_in
from sampleui.sample.media import medium_of
from sampleui.sample.message import is_thinking
from sampleui.sample.message_shapes import chat, is_chat, is_message, role_of
from sampleui.sample.tool_calls import call_line, name_of
from sampleui.settings.views import Shape, View, ViewField
from sampleui.settings.vocabulary import step, steps
from sampleui.text.limits import (
    MAX_PROSE,
    MAX_SHOWN_FIELDS,
    MAX_SHOWN_MESSAGES,
    MAX_SHOWN_VALUE,
    MAX_TABLE_CELL,
    MAX_TABLE_COLUMNS,
    MAX_TABLE_ROWS,
)
from sampleui.text.prose import (
    Code,
    Grid,
    Heading,
    InlineSpan,
    ListItem,
    Paragraph,
    Prose,
    Quote,
    is_markdown,
    plain,
    prose_of,
)
from sampleui.text.wording import ELLIPSIS, counted, one_spaced

LONG = 2_000
"""Characters from which on a field is folded unasked; JSON from `LONG_JSON` lines."""

LONG_JSON = 12

_SHORT, _FEW_WORDS, _FEW = 40, 4, 5
"""Characters and words of a text that is a badge, and values of a table that are badges together."""


class Verbatim(NamedTuple):
    """Text as it is."""

    text: str


class Badge(NamedTuple):
    """A short value, such as a label, a number or a time, or what stands for a file, with the address of that."""

    text: str
    url: str = ""


class MailHeader(NamedTuple):
    """A line of an e-mail above its text."""

    name: str
    text: str


class More(NamedTuple):
    """How much is left out here, in words."""

    text: str


class Speech(NamedTuple):
    """A message: who speaks, a name or the like beside that, and what is said."""

    role: str
    note: str
    blocks: tuple[Block, ...]


Block: TypeAlias = Prose | Verbatim | Badge | MailHeader | More | Speech


class Section(NamedTuple):
    """A field as it is shown.

    Attributes:
        heading: what stands above it.
        name: the last key of its path, by which a number may be a moment.
        kind: how it is shown.
        value: its value.
        hidden: whether it is shown only when asked for.
        whole: whether it is shown as a whole, however long it is.
    """

    heading: str
    name: str
    kind: Shape
    value: Plain
    hidden: bool = False
    whole: bool = False

    @property
    def size(self) -> str:
        """How long it is, in words: the characters of a text or of JSON, or the items of a list."""
        if isinstance(self.value, list) and self.kind in (Shape.TABLE, Shape.CHAT):
            return counted(len(self.value), "row" if self.kind is Shape.TABLE else "message")
        return counted(_length(self.value), "character")

    @property
    def folded(self) -> bool:
        """Whether it is so long that its beginning is enough unasked."""
        if self.whole:
            return False
        if _length(self.value) > LONG:
            return True
        return self.kind is Shape.JSON and laid_out(text_of(self.value)).count("\n") >= LONG_JSON

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What it shows."""
        return tuple(_blocks(self.value, self.kind, self.name))

    @property
    def beginning(self) -> tuple[Block, ...]:
        """What the beginning of it shows, where it is folded."""
        if self.kind is Shape.JSON:
            return (Code(laid_out(text_of(self.value, LONG))[:LONG], "json"),)
        if isinstance(self.value, str):
            return tuple(_blocks(self.value[:LONG], self.kind, self.name))
        if isinstance(self.value, list) and self.kind is Shape.CHAT:
            return tuple(_blocks(self.value[:LONG_JSON], self.kind, self.name))
        return self.blocks


def section_of(heading: str, value: Plain, *, whole: bool = False) -> Section:
    """Return a value under a heading, shown as it looks."""
    return Section(heading, heading, shape_of(value, heading), value, whole=whole)


def sections_by(view: View, data: Table) -> tuple[tuple[ViewField, Section], ...]:
    """Return the fields of a view that a record or a sample has, each with how it is shown."""
    values = ((field, value_at(data, steps(field.path))) for field in view)
    return tuple((field, _section_by(field, value)) for field, value in values if not _is_nothing(value))


def _section_by(field: ViewField, value: Plain) -> Section:
    name = steps(field.path)[-1]
    return Section(field.heading or field.path, name, field.kind or shape_of(value, name), value, field.hidden)


def sections_beside(data: Table, shown: Iterable[tuple[str | int, ...]], *, hidden: bool) -> tuple[Section, ...]:
    """Return the fields of which nothing is shown yet, in their order, at most `MAX_SHOWN_FIELDS`.

    Args:
        data: the record or the sample.
        shown: the paths of what is shown.
        hidden: whether they are shown only when asked for.
    """
    fields = islice(_beside(data, (), frozenset(shown)), MAX_SHOWN_FIELDS)
    return tuple(
        Section(view_path(path), path[-1], shape_of(value, path[-1]), value, hidden) for path, value in fields
    )


def view_path(path: Sequence[str | int]) -> str:
    """Return keys as a view names them."""
    return ".".join(step(str(key)) or str(key) for key in path)


def _beside(
    data: Table, above: tuple[str, ...], shown: frozenset[tuple[str | int, ...]]
) -> Iterator[tuple[tuple[str, ...], Plain]]:
    for key, value in data.items():
        path = (*above, key)
        if path in shown or _is_nothing(value):
            continue
        is_read_in = any(other[: len(path)] == path for other in shown)
        if isinstance(value, dict) and (is_read_in or (not above and _holds_rows(value))):
            yield from _beside(value, path, shown)
        else:
            yield path, value


def _holds_rows(table: Table) -> bool:
    """Tell whether a list of messages or of like tables stands in a table, such as what was retrieved."""
    if is_mail(table):
        return False
    return any(isinstance(item, list) and shape_of(item) in (Shape.CHAT, Shape.TABLE) for item in table.values())


def _is_nothing(value: Plain) -> bool:
    return value is None or value in ("", [], {})


# What a value is

_DIFF = re.compile(r"(?:diff --git |Index: |--- [^\n]*\n\+\+\+ |@@ -\d)")
_HUNK = re.compile(r"^@@ -\d", re.MULTILINE)
_HEADER = re.compile(r"(From|To|Cc|Bcc|Subject|Date|Sent|Reply-To)[ \t]*:[ \t]*(.*+)$", re.IGNORECASE)
_CODE = re.compile(
    r"(?:#!|<\?xml |<!DOCTYPE |\s*(?:(?:def|class) \w+\s*[(:]|import \w|from [\w.]+ import |package \w"
    r"|(?:public|private|export|const|let|func|fn) \w|#include ))"
)
_SQL = re.compile(r"\s*(?:SELECT|WITH|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:TABLE|VIEW|INDEX)|ALTER TABLE)\s")
_MOMENT = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)(?:[T ](?P<minute>\d\d:\d\d)(?P<second>:\d\d)?(?:(?<=:\d\d:\d\d)[.,]\d{1,9})?"
    r"(?P<zone>Z|[+-]\d\d:?\d\d)?)?$",
    re.ASCII,
)
_MOMENTS = frozenset(
    """
    at completed created date datetime ended epoch finished modified on received sent started t time timestamp ts
    updated when
    """.split()  # noqa: SIM905
)
"""Last words of names under which a number may be a moment."""

_UNITS_OF_TIME = frozenset("ms s sec secs seconds millis milliseconds us ns utc".split())  # noqa: SIM905
"""Words that may stand behind them."""

_MAIL_BODY = ("body", "text", "content", "plain", "body_text", "message", "html")
_MAIL_HEADERS = (
    "from",
    "sender",
    "to",
    "recipient",
    "recipients",
    "cc",
    "bcc",
    "reply_to",
    "subject",
    "date",
    "sent",
)


def is_diff(text: str) -> bool:
    """Tell whether a text is a diff, or a hunk of one."""
    return bool(_DIFF.match(text) and _HUNK.search(text))


def shape_of(value: Plain, name: str = "") -> Shape:
    """Return how a value is best shown; its name tells whether a number is a moment."""
    if isinstance(value, str):
        return _shape_of_text(value)
    if isinstance(value, list):
        return _shape_of_list(value)
    if isinstance(value, dict):
        if is_mail(value):
            return Shape.EMAIL
        if "role" in value and is_message(value):
            return Shape.CHAT
        return Shape.BADGE if len(value) < _FEW and all(map(_is_short, value.values())) else Shape.JSON
    return Shape.BADGE


def _shape_of_text(text: str) -> Shape:
    if json_in(text) is not None:
        return Shape.JSON
    if moment_in(text) or (_is_short(text) and not is_markdown(text)):
        return Shape.BADGE
    if len(text) > MAX_PROSE:
        return Shape.TEXT
    if is_diff(text):
        return Shape.DIFF
    if len(_mail_in(text)[0]) > 1:
        return Shape.EMAIL
    if _SQL.match(text) or (_CODE.match(text) and "```" not in text):
        return Shape.CODE
    return Shape.MARKDOWN if is_markdown(text) else Shape.TEXT


def _shape_of_list(value: list[Plain]) -> Shape:
    if is_chat(value) and any(role_of(as_table(item)) is not None for item in value):
        return Shape.CHAT
    if _are_like(value):
        return Shape.TABLE
    if all(map(_is_short, value)) and len(value) <= 2 * _FEW:
        return Shape.BADGE
    return Shape.TEXT if all(isinstance(item, str) for item in value) else Shape.JSON


def _are_like(value: list[Plain]) -> bool:
    """Tell whether a list is one of tables with much the same keys, whose values are no lists and no tables."""
    tables = [item for item in value if isinstance(item, dict) and item]
    if not tables or len(tables) != len(value) or len(tables[0]) > MAX_TABLE_COLUMNS:
        return False
    every = {key for table in tables for key in table}
    flat = not any(isinstance(item, dict | list) for table in tables for item in table.values())
    return flat and len(every) <= MAX_TABLE_COLUMNS and sum(map(len, tables)) * 2 > len(every) * len(tables)


def _is_short(value: Plain) -> bool:
    if isinstance(value, str):
        is_sentence = value.endswith((".", "?", "!", ":"))
        return len(value) <= _SHORT and "\n" not in value and len(value.split()) <= _FEW_WORDS and not is_sentence
    return not isinstance(value, dict | list)


def json_in(text: str) -> Plain:
    """Return the table or the list that a text is as JSON; None where it is none."""
    stripped = text.strip()
    if not stripped or stripped[0] + stripped[-1] not in ("{}", "[]") or len(text) > MAX_PROSE:
        return None
    try:
        value = typed_json(stripped)
    except (ValueError, RecursionError, PathError):
        return None
    return value if isinstance(value, dict | list) else None


def moment_in(value: Plain, name: str = "") -> str:
    """Return a moment as people read it; empty where a value is none.

    A number, or a text of digits, is one by its name.
    """
    if isinstance(value, dt.datetime | dt.date):
        return value.isoformat(" ")[:19] if isinstance(value, dt.datetime) else value.isoformat()
    if isinstance(value, str):
        found = _MOMENT.match(value)
        if found is not None and found["minute"] is not None:
            zone = "UTC" if found["zone"] == "Z" else found["zone"]
            return " ".join(filter(None, (found["day"], f"{found['minute']}{found['second'] or ''}", zone)))
    moment = time_of(value) if is_name_of_moment(name) else None
    return "" if moment is None else f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def is_name_of_moment(name: str) -> bool:
    """Tell whether a number under a name may be a moment, such as `startedAt` or `epoch_ms`."""
    words = words_in(name)
    while len(words) > 1 and words[-1] in _UNITS_OF_TIME:
        words.pop()
    return bool(words) and words[-1] in _MOMENTS


def is_mail(table: Table) -> bool:
    """Tell whether a table is an e-mail: it has a subject and a text."""
    names = {key.lower().replace("-", "_") for key in table}
    return "subject" in names and not names.isdisjoint(_MAIL_BODY)


def _mail_in(text: str) -> tuple[list[tuple[str, str]], str]:
    """Return the headers that a text begins with, and what is below them."""
    headers, lines = list[tuple[str, str]](), text.split("\n", 20)
    for index, line in enumerate(lines):
        if (found := _HEADER.match(line.rstrip("\r"))) is None:
            is_over = not line.strip() and headers
            return (headers, "\n".join(lines[index + 1 :])) if is_over else ([], text)
        headers.append((found[1], found[2]))
    return [], text


# Blocks


def _blocks(value: Plain, kind: Shape, name: str = "") -> Iterator[Block]:
    match kind:
        case Shape.CHAT:
            messages = chat(value if isinstance(value, list) else [value])
            yield from speeches(messages) if messages else [Verbatim(_lines(value))]
        case Shape.EMAIL:
            yield from _mail(value)
        case Shape.TABLE:
            yield from _table(value)
        case Shape.BADGE:
            yield Badge(_in_short(value, name))
        case Shape.JSON:
            yield from _cut(laid_out(text_of(value)), "json")
        case Shape.CODE | Shape.DIFF:
            text = text_of(value)
            yield from _cut(text, "diff" if kind is Shape.DIFF else "sql" if _SQL.match(text) else "")
        case Shape.MARKDOWN if isinstance(value, str) and len(value) <= MAX_PROSE:
            yield from prose_of(value)
        case _:
            text = _lines(value)
            yield Verbatim(text)
            if not isinstance(value, str):
                yield from _rest(text)


def _cut(text: str, form: str) -> Iterator[Block]:
    yield Code(text[:MAX_SHOWN_VALUE], form)
    yield from _rest(text)


def _rest(text: str) -> Iterator[Block]:
    if len(text) > MAX_SHOWN_VALUE:
        yield More(f"cut after {MAX_SHOWN_VALUE:,} characters")


def text_blocks(text: str) -> tuple[Block, ...]:
    """Return a text as it is best shown."""
    kind = _shape_of_text(text)
    plain = kind in (Shape.BADGE, Shape.TEXT, Shape.EMAIL)
    return (Verbatim(text),) if plain else tuple(_blocks(text, kind))


def _lines(value: Plain) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(map(str, value))
    return text_of(value)


def _in_short(value: Plain, name: str = "") -> str:
    if isinstance(value, dict):
        return " · ".join(f"{key} {_in_short(item, key)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(_in_short(item) for item in value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return moment_in(value, name) or str(value)


def text_of(value: Plain, most: float = MAX_SHOWN_VALUE) -> str:
    """Return a value as text: JSON for what is none, not much more of that than so many characters."""
    if isinstance(value, str):
        return value
    pieces, size = list[str](), 0
    try:
        for piece in json.JSONEncoder(ensure_ascii=False, indent=2, default=str).iterencode(value):
            pieces.append(piece)
            size += len(piece)
            if size > most:
                break
    except (RecursionError, ValueError):
        return "(nested too deeply to be shown)"
    return "".join(pieces)


def _length(value: Plain) -> int:
    """Return how many characters a text has, or a value as JSON on a line."""
    if isinstance(value, str):
        return len(value)
    try:
        return len(json.dumps(value, ensure_ascii=False, default=str))
    except (RecursionError, ValueError):
        return 0


_JSON_PART = re.compile(r'"(?:[^"\\]|\\.|)*+"|[{}\[\],:]|[^\s"{}\[\],:]++')


def laid_out(text: str) -> str:
    """Return JSON with an item a line, its numbers and texts as they are written; any other text as it is."""
    if json_in(text) is None:
        return text
    out, depth, before = list[str](), 0, ""
    for part in _JSON_PART.findall(text):
        if part in "}]":
            depth -= 1
        begins = before in ("{", "[") and part not in "}]"
        if begins or before == "," or (part in "}]" and before not in ("{", "[")):
            out.append("\n" + "  " * depth)
        out.append(": " if part == ":" else part)
        if part in "{[":
            depth += 1
        before = part
    return "".join(out)


def _table(value: Plain) -> Iterator[Block]:
    rows = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    if not rows and isinstance(value, dict):
        rows = [{"": key, "value": item} for key, item in value.items()]
    if not rows:
        yield Verbatim(_lines(value))
        return
    columns = [*islice(dict.fromkeys(key for row in rows[:MAX_TABLE_ROWS] for key in row), MAX_TABLE_COLUMNS)]
    yield Grid(
        tuple(_cell(column) for column in columns),
        tuple(tuple(_cell(row.get(column), column) for column in columns) for row in rows[:MAX_TABLE_ROWS]),
    )
    wide = len({key for row in rows[:MAX_TABLE_ROWS] for key in row}) - len(columns)
    if len(rows) > MAX_TABLE_ROWS or wide:
        more = [f"{len(rows) - MAX_TABLE_ROWS:,} rows"] if len(rows) > MAX_TABLE_ROWS else []
        more += [f"{wide:,} columns"] if wide else []
        yield More(f"{' and '.join(more)} more")


def _cell(value: Plain, name: str = "") -> tuple[InlineSpan, ...]:
    if value is None:
        return ()
    text = _in_short(value, name) if not isinstance(value, dict | list) else text_of(value)
    shown = one_spaced(text[: 4 * MAX_TABLE_CELL])
    return (InlineSpan(shown if len(shown) <= MAX_TABLE_CELL else shown[: MAX_TABLE_CELL - 1] + ELLIPSIS),)


def _mail(value: Plain) -> Iterator[Block]:
    if isinstance(value, str):
        headers, body = _mail_in(value)
    else:
        table = as_table(value)
        names: Mapping[str, str] = {key.lower().replace("-", "_"): key for key in table}
        headers = [(names[name], _in_short(table[names[name]])) for name in _MAIL_HEADERS if name in names]
        key = next((names[name] for name in _MAIL_BODY if isinstance(table.get(names.get(name, "")), str)), None)
        body = str(table[key]) if key is not None else ""
        used = {name for name, _ in headers} | {key}
        headers += [(key, _in_short(item)) for key, item in table.items() if key not in used and _is_short(item)]
    if not (headers or body):
        yield Verbatim(_lines(value))
        return
    for name, said in headers:
        yield MailHeader(name, one_spaced(said[: 4 * MAX_TABLE_CELL]))
    yield from text_blocks(body) if body else ()


def speeches(messages: Sequence[Table]) -> Iterator[Block]:
    """Yield messages of the usual form, at most `MAX_SHOWN_MESSAGES`, and what their calls returned below them."""
    for message in messages[:MAX_SHOWN_MESSAGES]:
        calls = as_list(message.get("tool_calls"))
        called = [Verbatim(f"→ {call_line(call)}") for call in calls]
        note = message.get("name") or message.get("tool_call_id") or ""
        said = tuple(_said(message.get("content")))
        yield Speech(str(message.get("role", "")), str(note), (*said, *called))
        for call in tables_in(calls):
            returned = next((call[key] for key in ("output", "error") if call.get(key) is not None), None)
            if returned is not None:
                yield Speech("tool", str(call.get("id") or name_of(call)), tuple(_said(returned)))
    if len(messages) > MAX_SHOWN_MESSAGES:
        yield More(f"{len(messages) - MAX_SHOWN_MESSAGES:,} messages more")


def words_of(message: Table) -> str:
    """Return the texts of a message of the usual form."""
    return "\n".join(texts_of(_said(message.get("content"))))


def _said(content: Plain) -> Iterator[Block]:
    if isinstance(content, str):
        yield from text_blocks(content) if content else ()
    elif isinstance(content, list):
        for part in content:
            text = part if isinstance(part, str) else as_table(part).get("text")
            if is_thinking(part):
                thought = text or as_table(part).get("thinking") or ""
                yield Quote((Paragraph((InlineSpan(str(thought), "emphasis"),)),))
            elif isinstance(text, str):
                yield from text_blocks(text)
            elif (medium := medium_of(part)) is not None:
                yield Badge(medium.label, medium.url)
            else:
                yield from _cut(text_of(part), "json")
    elif content is not None:
        yield from _cut(text_of(content), "json")


# Texts of blocks


def texts_of(blocks: Iterable[Block]) -> list[str]:
    """Return the texts that blocks show, each whole, whatever styles are in it."""
    texts = list[str]()

    def kept(text: str) -> str:
        texts.append(text)
        return text

    with_texts(blocks, kept)
    return texts


def with_texts(blocks: Iterable[Block], change: Callable[[str], str]) -> tuple[Block, ...]:
    """Return blocks with their texts changed; a text that is another then has no styles."""
    return tuple(_with_texts(block, change) for block in blocks)


def _with_texts(block: Block, change: Callable[[str], str]) -> Block:
    def other(spans: tuple[InlineSpan, ...]) -> tuple[InlineSpan, ...]:
        text = plain(spans)
        changed = change(text)
        return spans if changed == text else (InlineSpan(changed),)

    match block:
        case Heading(spans) | Paragraph(spans) | ListItem(spans):
            return block._replace(spans=other(spans))
        case Grid(header, rows):
            return Grid(tuple(map(other, header)), tuple(tuple(map(other, row)) for row in rows))
        case Quote(inner):
            return Quote(cast("tuple[Prose, ...]", with_texts(inner, change)))
        case Speech(role, note, inner):
            return Speech(change(role), change(note), with_texts(inner, change))
        case MailHeader(name, text):
            return MailHeader(change(name), change(text))
        case Code(text) | Verbatim(text) | Badge(text):
            return block._replace(text=change(text))
        case _:
            return block
