"""How a JSON text is written, and values written the same way: spacing, indentation, escapes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, same
from sampleui.formats.json.spans import Container, Member, container_at, decode

# Some readers end a line at U+0085, U+2028 and U+2029, and a lone surrogate has no UTF-8.
_ALWAYS_ESCAPED = re.compile("[\x85\u2028\u2029\ud800-\udfff]")
_ESCAPED = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")
_NON_ASCII_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*+\\u(?!00[0-7])")
_FIRST_COLON = re.compile(r'(?:\[\s*)?\{\s*"[^"\\]*+(?:\\.[^"\\]*+)*+"([ \t]*:[ \t]*)')
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
    return Style(
        escapes(text, default.ascii),
        (", " if spaced.endswith(" ") else ",") if colon else default.comma,
        spaced,
        unit or default.unit,
        opening[1] if opening else default.eol,
        default.short,
    )


def are_short(texts: Iterable[str]) -> bool:
    """Tell whether most lists of texts and numbers in some texts are on one line each, and some are there."""
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


def indent_at(text: str, offset: int) -> str:
    """Return the indentation of the line that an offset is on."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


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


def _model_of(text: str, members: tuple[Member, ...], step: str | int, item: Plain) -> str:
    """Return the text to lay an item out by: what has its place in the model, or else the first of its kind."""
    opener = "{" if isinstance(item, dict) else "[" if isinstance(item, list) else ""
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
    found: list[str] = []
    at = 0
    for escape in _ESCAPED.finditer(body):
        found += body[at : escape.start()]
        found.append(escape.group())
        at = escape.end()
    return found + list(body[at:])


_ENCODERS = {escaped: json.JSONEncoder(ensure_ascii=escaped, allow_nan=False) for escaped in (False, True)}


def _scalar(value: Plain, style: Style) -> str:
    try:
        text = _ENCODERS[style.ascii].encode(value)
    except (TypeError, ValueError):
        what = f"the number {value}" if isinstance(value, float) else f"this {type(value).__name__}"
        raise EditRefusedError(f"JSON has no way to write {what}") from None
    return text if style.ascii else _ALWAYS_ESCAPED.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def file_style(text: str, start: int) -> Style:
    """Return the habits of a whole file. Its first object shows them; any part of it may show escapes."""
    return style_of(text[start:], Style(eol="\r\n" if "\r\n" in text else "\n"))
