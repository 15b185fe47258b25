"""The variables of promptfoo's tests as rows repeat them, so that a row and its test are known by the same."""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections.abc import Iterator

from sampleui.formats.data import Plain, Table
from sampleui.formats.timestamps import emptied, holds_moments, in_json, with_moments
from sampleui.review.record import value_digest
from sampleui.text.confined import SCHEME

REDACTED = "[REDACTED]"
"""What promptfoo writes in the place of secrets and of long data."""

NARROWS = "&"
"""Before what stands for a value that does not tell a test, but which of several."""

PARTS = "~"
"""Before what stands for the variables of a row to which a run may have added others."""

_BETWEEN = "\0"

UNKNOWN, ADDED = "-", "+"
"""Before the name of a variable whose value a row does not have, and of one that a program may have added."""

_KEEPS = re.compile(r"\.\.\.\s*vars\b|\bObject\.assign\(\s*\{\s*\}\s*,\s*vars\s*,")
"""How a program begins that adds to the variables and keeps those there are."""

_NAME = re.compile(r"\w+", re.ASCII)
_KEY = re.compile(r"(?:(?<!\$)\{|,)\s*([A-Za-z_]\w*)\s*(?=[:,}])", re.ASCII)


def alike(value: Plain) -> Plain:
    """Return a value so that all spellings of it are the same which promptfoo writes for it.

    Its results have texts that are JSON without their blanks and paths without `./`.
    """
    if isinstance(value, str):
        if value.startswith(SCHEME):
            return SCHEME + posixpath.normpath(value.removeprefix(SCHEME))
        if value.lstrip()[:1] in ("[", "{") and value:
            try:
                return {"\0json": json.loads(value)}
            except (ValueError, RecursionError):
                return value
        return value
    if isinstance(value, list):
        return [alike(item) for item in value]
    if isinstance(value, dict):
        return {key: alike(item) for key, item in value.items()}
    return value


def spelled(variables: Table) -> Iterator[Table]:
    """Yield values as promptfoo's results may spell them, in two ways if a date without quotes is among them.

    Of a date in a config or a file of tests an empty table is left, since its keys are copied; in a file of
    scenarios, or of what holds for all tests, it stays one.
    """
    for spelling in (emptied, in_json) if holds_moments(variables) else ():
        yield {key: with_moments(value, spelling) for key, value in variables.items()}
    if not holds_moments(variables):
        yield variables


def known(variables: Table) -> Table:
    """Return variables as a row and its test have them alike: without empty texts, which empty cells are there."""
    return {name: alike(value) for name, value in variables.items() if value != ""}


def uncertain(variables: Table, transform: Plain) -> tuple[str, ...] | None:
    """Return the variables of a row that do not tell its test, each behind its sign; None if nothing does.

    Args:
        variables: those of the row.
        transform: the program by which they were changed before the run, if there was one.
    """
    names = [f"{UNKNOWN}{name}" for name, value in variables.items() if value == REDACTED]
    if transform is not None:
        if not isinstance(transform, str) or not _KEEPS.search(transform):
            return None
        written = {*_KEY.findall(transform)}
        names += [f"{ADDED}{name}" for name in variables if name in written and f"{UNKNOWN}{name}" not in names]
    return tuple(sorted(names)) if all(_NAME.fullmatch(name[1:]) for name in names) else None


def without(variables: Table, signs: tuple[str, ...]) -> Table | None:
    """Return variables without those of some names; None if one is missing that must be there."""
    missing = any(sign.startswith(UNKNOWN) and sign[1:] not in variables for sign in signs)
    names = {sign[1:] for sign in signs}
    return None if missing else {name: value for name, value in variables.items() if name not in names}


def parts_key(value: Table) -> str:
    """Return the join key of the parts of a value to which a run may have added others."""
    return PARTS + _BETWEEN.join(f"{name}:{part}" for name, part in parts_of(value).items())


def parts_of(value: Table) -> dict[str, str]:
    """Return a digest of each value of a table, by its key."""
    return {name: _of_text(part) if isinstance(part, str) else value_digest(part) for name, part in value.items()}


def parts_in(key: str) -> dict[str, str]:
    """Return the parts that a join key with `PARTS` before it stands for, in the order of the row."""
    listed = key.removeprefix(PARTS).split(_BETWEEN)
    return {name: part for name, colon, part in (item.rpartition(":") for item in listed) if colon}


def _of_text(text: str) -> str:
    """Return a short digest of a text, quick to make; nothing else has as few digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7).hexdigest()
