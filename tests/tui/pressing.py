"""Types keys into a running app as a terminal does, and waits until all that they cause has happened.

The pilot's own `press` waits some 40 ms for each key whatever it does, and on a busy machine not long enough.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from textual.app import App
from textual.events import Key
from textual.keys import REPLACED_KEYS, _character_to_key, _get_unicode_name_from_key

from sampleui.tui.app import SampleUI
from sampleui.tui.textual_internals import wait_until_idle


def key_event(key: str) -> Key:
    """Return the event of a key, spelled as Textual does or as the character typed."""
    name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
    try:
        character: str | None = unicodedata.lookup(_get_unicode_name_from_key(REPLACED_KEYS.get(name, name)))
    except KeyError:
        character = name if len(name) == 1 else None
    return Key(name, character)


async def press(app: App[Any], *keys: str) -> None:
    """Press keys, all at once, and wait until what they cause has happened."""
    for key in keys:
        app.post_message(key_event(key))
    await rested(app)


async def rested(app: App[Any]) -> None:
    """Wait until no key waits and nothing is under way, and have what is to be drawn drawn."""
    await wait_until_idle(app)
    while app.is_running and isinstance(app, SampleUI) and app.input.busy:
        await wait_until_idle(app)
    await wait_until_idle(app)  # what was handed over last
    if app.is_running and app.screen_stack:
        app.screen._on_timer_update()
