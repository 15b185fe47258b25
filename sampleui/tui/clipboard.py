"""The clipboard, and who took what was copied: the system, tmux, or the terminal, which does not say if it did."""

from __future__ import annotations

import os
import subprocess
from enum import StrEnum

_TMUX_TIMEOUT_S = 2.0
"""Seconds that tmux may take."""


class Taker(StrEnum):
    """Who took a text, in words that say of `{}` what is known of it."""

    SYSTEM = "copied {}"
    TMUX = "copied {} to tmux, which passes it on to the terminal"
    TERMINAL = "handed {} to the terminal, which does not say whether it took it"


def taken_by(text: str) -> Taker:
    """Put a text on the system's clipboard, or else into tmux's; the terminal is left where neither takes it."""
    if _copied_to_system(text):
        return Taker.SYSTEM
    return Taker.TMUX if os.environ.get("TMUX") and _copied_to_tmux(text) else Taker.TERMINAL


def pasted() -> str | None:
    """Return what the system's clipboard holds, None if there is no clipboard or no text on it."""
    import pyperclip

    try:
        return str(pyperclip.paste()) or None
    except (pyperclip.PyperclipException, OSError, UnicodeError):
        return None


def _copied_to_system(text: str) -> bool:
    import pyperclip

    try:
        pyperclip.copy(text)
    except (pyperclip.PyperclipException, OSError, UnicodeError):
        return False
    # A program that serves a clipboard may be there without one: it fails, and says so to no one.
    return pasted() == text


def _copied_to_tmux(text: str) -> bool:
    """Load tmux's buffer. Tmux reaches the terminal's clipboard, and by default lets no program in it do so."""
    data = text.encode()
    try:
        for command in (["tmux", "load-buffer", "-w", "-"], ["tmux", "load-buffer", "-"]):  # -w is of 3.2
            ran = subprocess.run(command, input=data, capture_output=True, check=False, timeout=_TMUX_TIMEOUT_S)
            if ran.returncode == 0:
                return True
    except (OSError, subprocess.SubprocessError):
        return False
    return False
