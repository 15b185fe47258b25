"""The assertions in the columns of a table of promptfoo's tests (its `assertionFromString`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sampleui.formats.data import Table
from sampleui.integrations.javascript import trim
from sampleui.sample.assertion_text import assertion

PREFIX = "__expected"
_OF_ALL = "__config:"


def asserted_in(data: Table, known: Collection[str]) -> Iterator[tuple[str, Table | None]]:
    """Yield what each column of a test asserts, as text; None in the place of one that is not certain.

    Args:
        data: the row.
        known: the types of assertions that can be judged.
    """
    metric = data.get("__metric")
    for key, value in data.items():
        if not key.startswith(PREFIX) or value in (None, ""):
            continue
        entry = _entry(trim(value), known) if isinstance(value, str) else None
        certain = entry is not None and not any(name.startswith(_OF_ALL) for name in data)
        named: Table = {"metric": metric} if isinstance(metric, str) and metric else {}
        yield f"{key} {value}", {**entry, **named} if entry is not None and certain else None


def _entry(text: str, known: Collection[str]) -> Table | None:
    """Return a text as an assertion; None if it is not judged."""
    entry = assertion(text)
    return entry if str(entry["type"]).removeprefix("not-") in known else None
