"""Texts of YAML files that some readers take for dates: plain scalars that are timestamps of YAML 1.1."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta

from sampleui.formats.data import Plain

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_TIME = re.compile(
    r"(\d{4})-(\d\d?)-(\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?"
    r"(?:[ \t]*(?:Z|([-+])(\d\d?)(?::(\d\d))?))?",
    re.ASCII,
)


class Moment(str):
    """A text without quotes that is a date to readers of YAML 1.1 (js-yaml), and a text to everyone else."""

    __slots__ = ()

    @property
    def iso(self) -> str:
        """The moment as JavaScript writes it in JSON, in UTC and with milliseconds."""
        found = _moment(self)
        return str(self) if found is None else f"{found.isoformat(timespec='milliseconds')}Z"


def text_or_moment(text: str) -> str:
    """Return what a plain scalar is that is a text by the core schema of YAML 1.2."""
    return Moment(text) if _moment(text) is not None else text


def holds_moments(value: Plain) -> bool:
    """Tell whether there is a moment in a value."""
    if isinstance(value, list | dict):
        return any(map(holds_moments, value.values() if isinstance(value, dict) else value))
    return isinstance(value, Moment)


def with_moments(value: Plain, made: Callable[[Moment], Plain]) -> Plain:
    """Return a value with what is made of each moment in the place of it."""
    if isinstance(value, Moment):
        return made(value)
    if isinstance(value, list):
        return [with_moments(item, made) for item in value]
    return {key: with_moments(item, made) for key, item in value.items()} if isinstance(value, dict) else value


def in_json(date: Moment) -> Plain:
    """Return what JavaScript's JSON has in the place of a date."""
    return date.iso


def emptied(_: Moment) -> Plain:
    """Return what is left of a date whose keys are copied as those of a table."""
    return {}


def _moment(text: str) -> datetime | None:
    """Return when a text is, in UTC; None if it is no timestamp, or of a day that there is not."""
    found = _DATE.fullmatch(text) or _TIME.fullmatch(text)
    if found is None:
        return None
    numbers = [int(one) for one in found.groups()[:6]]
    fraction, sign, hours, minutes = found.groups()[6:] or ("", "", "", "")
    apart = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    if apart >= timedelta(days=1) or int(minutes or 0) > 59:
        return None
    try:
        at = datetime(*numbers, microsecond=int((fraction or "").ljust(3, "0")[:3]) * 1000)  # type: ignore[arg-type, misc]
        return at + apart if sign == "-" else at - apart
    except (ValueError, OverflowError):
        return None
