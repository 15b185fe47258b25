"""The names of those who decide and propose: what a name is, and whether it is that of a program.

A name is one line, every sign of which is seen, so that nobody passes for another by what is not. That is asked
before anything else of it.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import normalize

from sampleui.errors import SettingsError
from sampleui.text.visible import visible

PROGRAM = "agent:"
"""How the name of a reviewer begins that is a program: `agent:NAME`."""

_BRAILLE_BLANK = "\u2800"


@lru_cache(maxsize=256)
def wrong_with(name: str) -> str:
    """Return why a text is nobody's name; empty if it may be one."""
    if not all(map(_is_seen, name)):
        return "has signs that are not seen, which a reviewer's name may not"
    if name != " ".join(name.split()):
        return "has blanks at its ends, or two together, which a reviewer's name may not"
    if not name:
        return "is no name"
    if is_program(name) and not name[len(PROGRAM) :].strip():
        return "is the name of no program, which is agent:NAME"
    return ""


def _is_seen(sign: str) -> bool:
    return sign.isprintable() and visible(sign) == sign and sign != _BRAILLE_BLANK


def reviewer_named(name: str) -> str:
    """Return the name of a person or a program who says something.

    Raises:
        SettingsError: where it is nobody's.
    """
    if why := wrong_with(name):
        shown = "".join(sign if _is_seen(sign) else f"⟨{ord(sign):04X}⟩" for sign in name)
        raise SettingsError(f"the reviewer “{shown}” {why}")
    return name


def is_program(reviewer: str) -> bool:
    """Tell whether a reviewer is a program, which proposes verdicts and decides nothing."""
    plain = reviewer if reviewer.isascii() else normalize("NFKC", reviewer)  # full-width letters are letters too
    return plain.strip().casefold().startswith(PROGRAM)
