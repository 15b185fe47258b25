"""The system's clipboard, if there is one."""

from __future__ import annotations


def copy(text: str) -> bool:
    """Put a text on the system's clipboard; tell whether it is there now."""
    import pyperclip

    try:
        pyperclip.copy(text)
        # A program that serves a clipboard may be there without one: it fails, and says so to no one.
        return paste() == text
    except (pyperclip.PyperclipException, OSError, UnicodeError):
        return False


def paste() -> str | None:
    """Return what the system's clipboard holds, None if there is no clipboard or no text on it."""
    import pyperclip

    try:
        return str(pyperclip.paste()) or None
    except (pyperclip.PyperclipException, OSError, UnicodeError):
        return None
