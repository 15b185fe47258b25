"""HTML that is safe by its type: whatever is not `Markup` is text, and is escaped where it is put in."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from sampleui.text.visible import visible_lines

_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;"))
"""What stands for the signs of HTML; the ampersand first, for it is in the others."""


class Markup(str):
    """A text that is HTML, made here or of escaped parts."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    """Return a text as HTML that shows it: what is not seen, such as control and direction signs, as symbols."""
    shown = text if text.isascii() and text.isprintable() else visible_lines(text)
    if not shown.isalnum():
        for sign, stand_in in _ESCAPES:  # most texts have none of them, which `replace` sees quickly
            shown = shown.replace(sign, stand_in)
    return Markup(shown)


def tag(name: str, /, *children: str, **attributes: str | float | bool | None) -> Markup:
    """Return an element.

    Args:
        name: its name.
        children: texts, and elements inside it.
        attributes: by their names; an underscore at the end is left off, another is a hyphen. True is an attribute
            without a value; one that is None or False is left out.
    """
    start = _start(name, tuple(attributes), *attributes.values()) if attributes else f"<{name}"
    if name in _EMPTY:
        return Markup(start + "/>")
    return Markup(f"{start}>{joined(children)}</{name}>")


def joined(parts: Iterable[str]) -> Markup:
    """Return texts and elements as one."""
    return Markup("".join([part if type(part) is Markup else escaped(part) for part in parts]))


@lru_cache(maxsize=1024, typed=True)  # by type as well: what is Markup is not escaped, and 1 is not True
def _start(name: str, keys: tuple[str, ...], *values: str | float | bool | None) -> str:
    """Return the opening tag of an element without its `>`."""
    start = f"<{name}"
    for key, value in zip(keys, values, strict=True):
        named = key.rstrip("_").replace("_", "-")
        if value is True:
            start += f" {named}"
        elif value is not None and value is not False:
            start += f' {named}="{escaped(value) if type(value) is str else value}"'
    return start


_EMPTY = frozenset({"hr", "input", "meta", "line", "path"})
"""Elements that have nothing inside; the slash ends those of SVG."""
