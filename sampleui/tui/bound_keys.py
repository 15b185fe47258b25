"""The keys of the settings, checked before they are used: commands and keys that exist, a key for one command."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from textual.keys import KEY_NAME_REPLACEMENTS, Keys

from sampleui.errors import SettingsError
from sampleui.settings.options import Settings, user_file
from sampleui.text.confined import read_whole
from sampleui.text.limits import MAX_SETTINGS_BYTES
from sampleui.text.position import position_at
from sampleui.tui.commands import TYPING, Command, Registry, is_sequence, keys_by_present_id
from sampleui.tui.textual_internals import key_name

_MODIFIERS = ("ctrl", "shift", "alt", "meta", "super", "hyper")
_FORMER_KEYS = {
    ("trace.error", "e"),
    ("trace.match", "n"),
    ("trace.match-before", "N"),
    ("trace.tab", "p"),
    ("turn.external", "e"),
    ("find.next", "n"),
    ("find.previous", "N"),
    ("record.promote", "P"),
    ("review.next", "n"),
    ("review.previous", "p"),
}
"""Default keys that commands had. Settings that spell them out worked beside each other and still do."""

_NAMED = {key.value for key in Keys if re.fullmatch(r"[a-z]+[0-9]*", key.value)}
_CHARACTERS = {new: old for old, new in KEY_NAME_REPLACEMENTS.items()}


def check_keys(settings: Settings, registries: Sequence[Registry[Any]]) -> None:
    """Check the keys of the settings against the commands of all screens.

    A key of the settings takes a default one from whatever command has it, so that a new default key is never an
    error for those who gave the key to another command.

    Raises:
        SettingsError: for a command that no screen has, for what is no key, for a key that moves and is to decide,
            and for one that the settings give to another command too where both would work; with file, line and
            column.
    """
    ids = [command.id for registry in registries for command in registry]
    usual = {
        (command.id, _key_name(key)) for registry in registries for command in registry for key in command.keys
    }
    for name, keys in settings.keys.items():
        present = next(iter(keys_by_present_id({name: keys})))
        if present not in ids:
            raise _wrong(settings, name, "", f"there is no command {name!r}{_near(name, ids)}")
        for key in keys:
            if not is_key(key):
                raise _wrong(settings, name, key, f"there is no key {key!r}{_near_key(key)}")
            if (mover := _mover(registries, settings, present, key)) is not None:
                message = f"the key {key!r} of {name} moves ({mover.id}), and a key that moves never decides"
                raise _wrong(settings, name, key, message)
            takers = (_taker(registry, settings, present, key) for registry in registries)
            other = next((taker for taker in takers if taker is not None), None)
            if other is not None and (present, _key_name(key)) not in usual | _FORMER_KEYS:
                message = f"the key {key!r} of {name} is already that of {other.id} ({other.title})"
                raise _wrong(settings, name, key, message)


def check_own_commands(settings: Settings, registry: Registry[Any]) -> None:
    """Check the keys of a user's own commands against those of the screen that has them.

    Raises:
        SettingsError: for what is no key, and for a key that another command has.
    """
    user_keys = keys_by_present_id(settings.keys)
    for key in settings.commands:
        path = Path(settings.origins["commands"])
        if not is_key(key):
            raise SettingsError(f"commands: there is no key {key!r}{_near_key(key)}", path)
        for command in registry:
            if any(_clash(key, taken) for taken in user_keys.get(command.id, command.keys)):
                raise SettingsError(
                    f"commands: the key {key!r} is already that of {command.id} ({command.title})", path
                )


def is_key(key: str) -> bool:
    """Tell whether a terminal could send a key of this name, or the two keys of a sequence."""
    if is_sequence(key):
        return True
    if len(key) == 1:
        return key.isprintable() and key != " "
    *modifiers, base = (f"{key[:-1]}plus" if key.endswith("++") else key).split("+")
    if len(set(modifiers)) < len(modifiers) or not set(modifiers) <= set(_MODIFIERS):
        return False
    if len(base) == 1:
        return base.isprintable() and not (modifiers and base.isupper())
    return base in _NAMED or _character(base) != ""


def _character(name: str) -> str:
    """Return the character that Textual gives a name such as `question_mark`, empty for none."""
    try:
        return unicodedata.lookup(_CHARACTERS.get(name, name).replace("_", " "))
    except KeyError:
        return ""


def _key_name(key: str) -> str:
    return key_name(key) if len(key) == 1 else key


def _taker(registry: Registry[Any], settings: Settings, name: str, key: str) -> Command[Any] | None:
    """Return another command of a screen that the settings give a key where the named one works too."""
    user_keys = keys_by_present_id(settings.keys)
    mine = next((command for command in registry if command.id == name), None)
    scopes = {scope for command in registry for scope in command.scopes} | TYPING
    if mine is None:
        return None
    for other in registry:
        shared = any(mine.works_in(scope) and other.works_in(scope) for scope in scopes)
        if other is not mine and shared and any(_clash(key, taken) for taken in user_keys.get(other.id, ())):
            return other
    return None


def _mover(registries: Sequence[Registry[Any]], settings: Settings, name: str, key: str) -> Command[Any] | None:
    """Return a command that a key moves by on a screen where the named one decides."""
    user_keys = keys_by_present_id(settings.keys)
    for registry in registries:
        if any(command.id == name and command.decides for command in registry):
            for other in registry:
                if other.moves and any(_clash(key, taken) for taken in user_keys.get(other.id, other.keys)):
                    return other
    return None


def _clash(text: str, other: str) -> bool:
    """Tell whether two keys cannot both work: they are the same, or one is the first of the other's two."""
    begun = (is_sequence(text) and _key_name(text[0]) == _key_name(other)) or (
        is_sequence(other) and _key_name(other[0]) == _key_name(text)
    )
    return begun or _key_name(text) == _key_name(other)


def _near(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, list(names), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _near_key(key: str) -> str:
    *modifiers, base = key.lower().split("+")
    parts = [*(get_close_matches(modifier, _MODIFIERS, 1, 0.4) or [modifier] for modifier in modifiers)]
    named = [base] if len(base) == 1 else get_close_matches(base, sorted(_NAMED), 1) or [base]
    near = "+".join([*(part[0] for part in parts), named[0]])
    return f"; did you mean {near!r}?" if near != key and is_key(near) else ""


def _wrong(settings: Settings, name: str, key: str, message: str) -> SettingsError:
    for path in dict.fromkeys((settings.origins.get("keys", ""), str(user_file()))):
        position = _line_and_column(Path(path), name, key) if path else None
        if position is not None:
            return SettingsError(message, Path(path), *position)
    return SettingsError(f"[keys] {message}")


def _line_and_column(path: Path, name: str, key: str) -> tuple[int, int] | None:
    try:
        text = read_whole(path, MAX_SETTINGS_BYTES).decode("utf-8")
    except (OSError, ValueError):
        return None
    match = re.search(rf"""["']{re.escape(name)}["']\s*=\s*""", text)
    if match is None:
        return None
    value = re.compile(rf"""["']{re.escape(key)}["']""").search(text, match.end()) if key else None
    position = position_at(text, value.start() if value is not None else match.start())
    return position.line, position.column
