"""Calls of traces as a search asks for them: `call:search result:paris call-failed:`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from sampleui.text.terms import NOTHING, SOMETHING, Term, terms_of
from sampleui.trace.events import EventType
from sampleui.trace.preview import full_text
from sampleui.trace.timeline import TimelineRow

_FIELDS: Mapping[str, Callable[[TimelineRow], str]] = {
    "call": lambda row: row.event.name or "",
    "arguments": lambda row: full_text(row.event.input),
    "result": lambda row: full_text(row.output),
    "call-failed": lambda row: (row.event.name or "a call") if row.failed else "",
    "agent": lambda row: row.agent,
}
"""What is known of a call, by the fields that ask for it."""

MARKED = ("result", "arguments")
"""Those whose texts are marked where they are shown."""

_ANY_FAILED = re.compile(r"(?<!\S)(-?)call-failed:(?=\s|$)")


def asked_terms(words: str) -> tuple[Term, ...]:
    """Return the terms of a search. `call-failed:` alone asks for any call that failed, `call:none` for no call."""
    return tuple(map(_of_some, terms_of(_ANY_FAILED.sub(rf"\1call-failed:{SOMETHING}", words))))


def _of_some(term: Term) -> Term:
    none = of_calls(term) and (term.sign, term.value) == (":", NOTHING)
    return term._replace(value=SOMETHING, negated=not term.negated) if none else term


def of_calls(term: Term) -> bool:
    """Tell whether a term asks for a call."""
    return term.key in _FIELDS


def calls_with(rows: Sequence[TimelineRow], terms: Iterable[Term]) -> list[int]:
    """Return the calls, as indexes of rows, for which all terms hold that ask for a call and have no minus."""
    wanted = [term for term in terms if of_calls(term) and not term.negated]
    if not wanted:
        return []
    return [
        index
        for index, row in enumerate(rows)
        if row.event.type is EventType.TOOL_CALL and all(term.holds(_FIELDS[term.key](row)) for term in wanted)
    ]
