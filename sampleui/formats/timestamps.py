"""Dates: those of TOML, and texts of YAML that some readers take for dates.

The latter are plain scalars that are timestamps of YAML 1.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

from sampleui.formats.data import Plain, Table, leaves, shown, typed_json

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_TIME = re.compile(
    r"(\d{4})-(\d\d?)-(\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?"
    r"(?:[ \t]*(?:Z|([-+])(\d\d?)(?::(\d\d))?))?",
    re.ASCII,
)
_PLAIN_LIST = re.compile(r"\[[^\[\]{}\"'\n]+\]")


class Moment(str):
    """A text without quotes that is a date to readers of YAML 1.1 (js-yaml), and a text to everyone else."""

    __slots__ = ()

    @property
    def iso(self) -> str:
        """The moment as JavaScript writes it in JSON, in UTC and with milliseconds."""
        moment = _moment(self)
        return str(self) if moment is None else f"{moment.isoformat(timespec='milliseconds')}Z"


def text_or_moment(text: str) -> str:
    """Return the value of a plain scalar that is a text by the core schema of YAML 1.2."""
    return Moment(text) if _moment(text) is not None else text


def holds_moments(value: Plain) -> bool:
    """Tell whether there is a moment in a value."""
    return any(isinstance(item, Moment) for _, item in leaves(value))


def with_moments(value: Plain, change: Callable[[Moment], Plain]) -> Plain:
    """Return a value in which each moment is replaced by what a function makes of it."""
    return _replaced(value, (Moment,), change)


def _replaced(value: Plain, kinds: tuple[type, ...], change: Callable[[Any], Plain]) -> Plain:
    """Return a value with each value of some kinds in it replaced by what a function makes of it."""
    if isinstance(value, dict):
        return {key: _replaced(item, kinds, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, kinds, change) for item in value]
    return change(value) if isinstance(value, kinds) else value


def read_typed(text: str, *, has_dates: bool) -> Plain:
    """Return the value that is typed without a type: what it says in JSON, a list, a date or time, or the text.

    Args:
        text: what is typed; one in quotes is a text whatever it says, and `[math, easy]` is a list of what each of
            its items says, as in YAML.
        has_dates: whether the format that it is for has dates.

    Raises:
        PathError: when a table has a key twice.
    """
    try:
        value = typed_json(text)
    except (ValueError, RecursionError):
        value = text
    if not isinstance(value, str) or text.startswith('"'):
        return value
    items = [item.strip() for item in text.strip()[1:-1].split(",")]
    if _PLAIN_LIST.fullmatch(text.strip()) and all(items):
        return [read_typed(item, has_dates=has_dates) for item in items]
    return (has_dates and moment_of(text)) or text


def moment_of(text: str) -> date | time | None:
    """Return the date or time that a text is in TOML, None if it is none."""
    import tomli  # most decks that are read here are no TOML

    try:
        moment: Plain = tomli.loads(f"value = {text}")["value"] if "\n" not in text else None
    except tomli.TOMLDecodeError:
        return None
    return moment if isinstance(moment, date | time) else None


def dates_as_texts(data: Table, *, has_dates: bool = False) -> tuple[Table, tuple[str, ...]]:
    """Return a table with texts in the place of dates and times, and a line for each key that had some.

    Args:
        data: the table.
        has_dates: whether what it is for can hold dates; those of YAML 1.1, which are read as texts, become texts
            all the same.
    """
    kinds = (Moment,) if has_dates else (Moment, date, time)
    # Of a date in a list, the keys that lead to the list.
    paths = (path for path, item in leaves(data) if isinstance(item, kinds))
    keys = dict.fromkeys(shown(tuple(step for step in path if isinstance(step, str))) for path in paths)
    if not keys:
        return data, ()
    texts = {key: _replaced(value, kinds, _as_text) for key, value in data.items()}
    return texts, tuple(f"{key}: a date or time is written as text" for key in keys)


def _as_text(value: Moment | date | time) -> str:
    return str(value) if isinstance(value, Moment) else value.isoformat()


def in_json(date: Moment) -> Plain:
    """Return what JavaScript's JSON has in the place of a date."""
    return date.iso


def emptied(_: Moment) -> Plain:
    """Return what is left of a date whose keys are copied as those of a table."""
    return {}


def _moment(text: str) -> datetime | None:
    """Return the time that a text stands for, in UTC; None if it is no timestamp, or its day does not exist."""
    match = _DATE.fullmatch(text) or _TIME.fullmatch(text)
    if match is None:
        return None
    numbers = [int(group) for group in match.groups()[:6]]
    fraction, sign, hours, minutes = match.groups()[6:] or ("", "", "", "")
    apart = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    if apart >= timedelta(days=1) or int(minutes or 0) > 59:
        return None
    try:
        moment = datetime(*numbers, microsecond=int((fraction or "").ljust(3, "0")[:3]) * 1000)  # type: ignore[arg-type, misc]
        return moment + apart if sign == "-" else moment - apart
    except (ValueError, OverflowError):
        return None
