"""The widths of a screen's panes, kept from session to session with the user's other state."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path

_MAX_BYTES = 1 << 16
_LEAST, _MOST = 5, 90


def widths_of(screen: str) -> dict[str, int]:
    """Return the widths of a screen's columns that were chosen, in percent, by their names."""
    held = _held().get(screen)
    if not isinstance(held, dict):
        return {}
    return {str(name): one for name, one in held.items() if isinstance(one, int) and _LEAST <= one <= _MOST}


def remember_widths(screen: str, widths: Mapping[str, int]) -> None:
    """Write the widths of a screen's columns down; where that cannot be done they last as long as the session."""
    path = _path()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps({**_held(), screen: dict(widths)}), encoding="utf-8")
        draft.replace(path)


def _held() -> dict[str, object]:
    from sampleui.text.confined import read_whole

    try:
        held = json.loads(read_whole(_path(), _MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def _path() -> Path:
    from platformdirs import user_state_path

    return user_state_path("sampleui") / "panes.json"
