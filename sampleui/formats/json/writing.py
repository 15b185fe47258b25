"""JSON written as the text around it is: spacing, indentation, escapes, and edits of one value's text.

An edit is one replacement. Its `start` is the offset of the value in the text; its path leads into the value and
exists, which the document checks first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, same, shown
from sampleui.formats.json.spans import Container, Member, container_at, decode, walk
from sampleui.text.position import Span, TextEdit, indent_at

# Some readers end a line at U+0085, U+2028 and U+2029, and a lone surrogate has no UTF-8.
_ALWAYS_ESCAPED = re.compile("[\x85\u2028\u2029\ud800-\udfff]")
_ESCAPED = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")
_NON_ASCII_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*+\\u(?!00[0-7])")
_FIRST_COLON = re.compile(r'(?:\[\s*)?\{\s*"[^"\\]*+(?:\\.[^"\\]*+|)*+"([ \t]*:[ \t]*)')
_LIST_ON_LINE = re.compile(r"\[[ \t]*[^\s\[\]{}][^\[\]{}\n]*\]")
_LIST_ON_LINES = re.compile(r"\[[ \t]*\r?\n\s*[^\s\[\]{}][^\[\]{}]*\]")
_FIRST_BREAK = re.compile(r"[\[{][ \t]*(\r?\n)([ \t]*)")


@dataclass(frozen=True, slots=True)
class Style:
    """The habits of a text, for where no neighbour shows them.

    Attributes:
        ascii: whether characters outside ASCII are written as escapes.
        comma: what divides values on one line.
        colon: what divides a key from its value.
        unit: the indentation of one level.
        eol: the end of a line.
        short: whether a list of texts and numbers is on one line, where tables are on several.
    """

    ascii: bool = False
    comma: str = ", "
    colon: str = ": "
    unit: str = "  "
    eol: str = "\n"
    short: bool = False


PLAIN = Style()


def style_of(text: str, default: Style) -> Style:
    """Return the habits of one value's text (no whitespace around it), from the default if it shows none."""
    colon = _FIRST_COLON.match(text)
    opening = _FIRST_BREAK.match(text)
    unit = opening[2].removeprefix(indent_at(text, len(text) - 1)) if opening else ""
    spaced = colon[1] if colon else default.colon
    comma = ", " if spaced.endswith(" ") else ","
    return Style(
        escapes(text, default.ascii),
        comma if colon else default.comma,
        spaced,
        unit or default.unit,
        opening[1] if opening else default.eol,
        default.short,
    )


def are_short(texts: Iterable[str]) -> bool:
    """Tell whether there are lists of texts and numbers in some texts, and most of them are on one line each."""
    lines = several = 0
    for text in texts:
        lines += len(_LIST_ON_LINE.findall(text))
        several += len(_LIST_ON_LINES.findall(text))
    return lines > several


def escapes(text: str, default: bool) -> bool:
    """Tell whether a text writes characters outside ASCII as escapes; the default if it has none of them."""
    if not text.isascii():
        return False
    return default or ("\\u" in text and _NON_ASCII_ESCAPE.search(text) is not None)


@dataclass(frozen=True, slots=True)
class Gaps:
    """The whitespace of one list or object: after its bracket, after its commas, before its end; and its colon."""

    opening: str
    between: str
    closing: str
    colon: str

    @property
    def indent(self) -> str | None:
        """The indentation of its members; None when they are on one line."""
        gap = self.between if "\n" in self.between else self.opening
        return gap[gap.rfind("\n") + 1 :] if "\n" in gap else None


def gaps_of(text: str, container: Container, style: Style) -> Gaps:
    """Return the whitespace that a list or object with members has."""
    first, last = container.members[0], container.members[-1]
    opening = text[container.span.start + 1 : first.start]
    between = opening if "\n" in opening else style.comma[1:]
    if len(container.members) > 1:
        stop = container.members[1].start
        gap = text[first.end : stop]
        between = gap[gap.index(",") + 1 :]
    keyed = first.key is not None
    colon = text[first.key_span.end : first.span.start] if keyed else style.colon
    return Gaps(opening, between, text[last.end : container.span.end - 1], colon)


def new_gaps(style: Style, indent: str | None) -> Gaps:
    """Return the whitespace of a new list or object, on lines of its own if given an indentation."""
    if indent is None:
        return Gaps("", style.comma[1:], "", style.colon)
    inner = style.eol + indent + style.unit
    return Gaps(inner, inner, style.eol + indent, style.colon)


def spelled(value: Plain, like: str, indent: str | None, style: Style) -> str:
    """Return a value as text, laid out as another value's text (may be empty) if that is of its kind.

    Without such a model it is on one line, or, given the indentation of its line, on lines of its own. What the
    model says the same way is copied, so that numbers and escapes stay as they were written.

    Raises:
        EditRefusedError: when JSON has no such value: a date, NaN, an infinity.
    """
    if isinstance(value, str) and like.startswith('"'):
        return respelled(like, value, style)
    if not isinstance(value, (dict, list)):
        return _scalar(value, style)
    brackets = "{}" if isinstance(value, dict) else "[]"
    if not value:
        return brackets
    model = container_at(like, 0) if like[:1] == brackets[0] else None
    in_line = style.short and isinstance(value, list) and not any(isinstance(item, dict | list) for item in value)
    gaps = gaps_of(like, model, style) if model and model.members else new_gaps(style, None if in_line else indent)
    members = model.members if model else ()
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    parts = []
    for step, item in steps:
        raw = _model_of(like, members, step, item)
        part = raw if raw and same(decode(raw, 0)[0], item) else spelled(item, raw, gaps.indent, style)
        parts.append(f"{_scalar(step, style)}{gaps.colon}{part}" if isinstance(step, str) else part)
    return brackets[0] + gaps.opening + f",{gaps.between}".join(parts) + gaps.closing + brackets[1]


def _opener(value: Plain) -> str:
    """Return the bracket that a value begins with; empty if it is a scalar."""
    if isinstance(value, dict):
        return "{"
    return "[" if isinstance(value, list) else ""


def _model_of(text: str, members: tuple[Member, ...], step: str | int, item: Plain) -> str:
    """Return the text to lay an item out by: what has its place in the model, or else the first of its kind."""
    opener = _opener(item)
    if isinstance(step, int):
        chosen = members[step] if step < len(members) else None
    else:
        chosen = next((member for member in members if member.key == step), None)
    if opener and not (chosen and text.startswith(opener, chosen.span.start)):
        chosen = next((member for member in members if text.startswith(opener, member.span.start)), None)
    return text[chosen.span.start : chosen.span.end] if chosen else ""


def respelled(raw: str, value: str, style: Style) -> str:
    """Return a new string's text in the place of an old one's, with the escapes of what both share kept."""
    old, _ = decode(raw, 0)
    assert isinstance(old, str)
    style = replace(style, ascii=escapes(raw, style.ascii))
    if _scalar(old, style) == raw:
        return _scalar(value, style)
    written = units(raw[1:-1])
    if len(written) != len(old):
        return _scalar(value, style)
    shortest = min(len(old), len(value))
    head = next((index for index in range(shortest) if old[index] != value[index]), shortest)
    room = shortest - head
    tail = next((number for number in range(room) if old[-1 - number] != value[-1 - number]), room)
    middle = _scalar(value[head : len(value) - tail], style)[1:-1]
    return '"' + "".join(written[:head]) + middle + "".join(written[len(written) - tail :]) + '"'


def units(body: str) -> list[str]:
    """Return what each character of a string is written as."""
    parts: list[str] = []
    position = 0
    for escape in _ESCAPED.finditer(body):
        parts += body[position : escape.start()]
        parts.append(escape.group())
        position = escape.end()
    return parts + list(body[position:])


_ENCODERS = {escaped: json.JSONEncoder(ensure_ascii=escaped, allow_nan=False) for escaped in (False, True)}


def _scalar(value: Plain, style: Style) -> str:
    try:
        text = _ENCODERS[style.ascii].encode(value)
    except (TypeError, ValueError):
        what = f"the number {value}" if isinstance(value, float) else f"this {type(value).__name__}"
        raise EditRefusedError(f"JSON has no way to write {what}") from None
    return text if style.ascii else _ALWAYS_ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def file_style(text: str, start: int) -> Style:
    """Return the habits of a whole file. Its first object shows them; any part of it may show escapes."""
    return style_of(text[start:], Style(eol="\r\n" if "\r\n" in text else "\n"))


Among = Callable[[Sequence[str]], int]
"""Where a new key goes among the others of its table."""


def set_value(
    text: str, start: int, path: DataPath, value: Plain, default: Style, *, among: Among = len
) -> TextEdit:
    """Replace the value at a path, or add the key that ends it to its object."""
    style = _style(text, start, default)
    if not path:
        return _replaced(text, Span(start, decode(text, start)[1]), value, None, style)
    target = _target(text, start, path)
    member = target.container.member(path[-1])
    if not member:
        index = among([str(member.key) for member in target.container.members])
        return _inserted(text, target, index, value, style, key=str(path[-1]))
    indent = gaps_of(text, target.container, style).indent
    return _replaced(text, member.span, value, indent, style)


def insert_item(text: str, start: int, path: DataPath, value: Plain, default: Style) -> TextEdit:
    """Insert an item before the index that ends a path, with the layout of its neighbours."""
    index = path[-1]
    assert isinstance(index, int)
    return _inserted(text, _target(text, start, path), index, value, _style(text, start, default))


def delete_member(text: str, start: int, path: DataPath) -> TextEdit:
    """Take out the member at a path, and one comma."""
    container = _target(text, start, path).container
    member = container.member(path[-1])
    assert member is not None
    members, index = container.members, container.members.index(member)
    if len(members) == 1:
        return TextEdit(container.span.start + 1, container.span.end - 1, "")
    if index == len(members) - 1:
        return TextEdit(members[index - 1].end, member.end, "")
    return TextEdit(member.start, members[index + 1].start, "")


def rename_member(text: str, start: int, path: DataPath, name: str, default: Style) -> TextEdit:
    """Write another key for the member at a path."""
    member = _target(text, start, path).container.member(path[-1])
    assert member is not None
    return TextEdit(*member.key_span, spelled(name, "", None, _style(text, start, default)))


def move_item(text: str, start: int, path: DataPath, to: int) -> TextEdit:
    """Move an item among the places of its list. The whitespace between the places stays where it is."""
    members = _target(text, start, path).container.members
    index = path[-1]
    assert isinstance(index, int)
    low, high = min(index, to), max(index, to)
    bodies = [text[member.start : member.end] for member in members[low : high + 1]]
    bodies.insert(to - low, bodies.pop(index - low))
    gaps = [text[members[number].end : members[number + 1].start] for number in range(low, high)]
    moved = "".join(body + gap for body, gap in zip(bodies, [*gaps, ""], strict=True))
    return TextEdit(members[low].start, members[high].end, moved)


@dataclass(frozen=True, slots=True)
class _EditTarget:
    """The container an edit acts on, and the indentation of its line; None if it shares a line with others."""

    container: Container
    indent: str | None


def _target(text: str, start: int, path: DataPath) -> _EditTarget:
    """Return where the step that ends a path is taken.

    Raises:
        EditRefusedError: when a key on the way is given more than once.
    """
    value_start, indent = start, None
    for depth, (container, member) in enumerate(walk(text, start, path[:-1])):
        _refuse_doubled(container, path[: depth + 1])
        value_start, indent = member.span.start, gaps_of(text, container, PLAIN).indent
    target = _EditTarget(container_at(text, value_start), indent)
    _refuse_doubled(target.container, path)
    return target


def _refuse_doubled(container: Container, path: DataPath) -> None:
    if container.doubled(path[-1]):
        raise EditRefusedError(f"the key {shown(path)} is given more than once")


def _style(text: str, start: int, default: Style) -> Style:
    return style_of(text[start : decode(text, start)[1]], default)


def _replaced(text: str, span: Span, value: Plain, indent: str | None, style: Style) -> TextEdit:
    return TextEdit(*span, spelled(value, text[span.start : span.end], indent, style))


def _inserted(
    text: str, target: _EditTarget, index: int, value: Plain, style: Style, *, key: str | None = None
) -> TextEdit:
    members, span = target.container.members, target.container.span
    gaps = gaps_of(text, target.container, style) if members else new_gaps(style, target.indent)
    body = spelled(value, _nearest(text, members, index, value), gaps.indent, style)
    if key is not None:
        body = spelled(key, "", None, style) + gaps.colon + body
    if not members:
        return TextEdit(span.start + 1, span.end - 1, gaps.opening + body + gaps.closing)
    if index == 0:
        return TextEdit(members[0].start, members[0].start, f"{body},{gaps.between}")
    end = members[index - 1].end
    return TextEdit(end, end, f",{gaps.between}{body}")


def _nearest(text: str, members: tuple[Member, ...], index: int, value: Plain) -> str:
    """Return the text of the neighbour to lay a value out by, the one before first; empty if none is alike."""
    opener = _opener(value) or None
    if opener is None:
        return ""
    near = (*members[max(index - 1, 0) : index + 1], *members)
    chosen = next((member for member in near if text.startswith(opener, member.span.start)), None)
    return text[chosen.span.start : chosen.span.end] if chosen else ""
