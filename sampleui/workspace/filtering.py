"""The samples of a deck that match a filter.

A filter consists of terms (`text/terms.py`), all of which must hold: words of the sample's text; `role:tool`,
`tag:math`, `id:x`, `expected:none`; `problem`, `problem:error`, `changed`; and any field by its name, `score<0`,
`metadata.source:web`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import chain

from sampleui.deck.diff import changed_samples
from sampleui.errors import PathError
from sampleui.formats.data import Plain, Table, as_table, lookup
from sampleui.sample.model import Sample
from sampleui.sample.parse import conversation, expected, tags, value_at
from sampleui.sample.value_names import path_of
from sampleui.text.diagnostic import PROBLEMS, Finding
from sampleui.text.terms import NOTHING, SOMETHING, Term, terms_of
from sampleui.workspace.deck import Deck

PROBLEM, CHANGED = "problem", "changed"
_NAMED = frozenset({"role", "tag", "tags", "id", "expected"})
FIRST = 50
"""Samples, or records, whose fields are offered."""
_OFFERED = 8
_STEP = re.compile(r"[.\[]")


@dataclass
class Filtering:
    """A filter on a deck.

    Attributes:
        deck: the deck.
        words: the filter.
        findings: says what is known to be wrong with a sample.
        changed: the samples that count as changed; None for those that differ from the file on disk.
    """

    deck: Deck
    words: str
    findings: Callable[[int], Iterable[Finding]]
    changed: Callable[[], frozenset[int]] | None = None

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """What is to hold."""
        return terms_of(self.words)

    @property
    def on_problems(self) -> bool:
        """Whether what passes depends on the problems that are known."""
        return any(term.key == PROBLEM or _is_flag(term, PROBLEM) for term in self.terms)

    @cached_property
    def _changed(self) -> frozenset[int]:
        return self.changed() if self.changed is not None else changed_samples(self.deck.files)

    def passing(self) -> list[int]:
        """Return the samples that pass. Texts are searched first, so that few samples have to be read."""
        words = [term for term in self.terms if not term.key and not _is_flag(term, PROBLEM, CHANGED)]
        fields = [term for term in self.terms if term not in words]
        sought = [term.value for term in words if not term.negated]
        sought += [term.value for term in fields if _is_in_text(term)]
        unwanted = [self.deck.search_all([term.value]) for term in words if term.negated]
        matching = set(self.deck.search_all(sought)).difference(*unwanted)
        return [index for index in sorted(matching) if all(self._holds(term, index) for term in fields)]

    @property
    def complaint(self) -> str:
        """Which fields asked for no sample has, and which there are; empty if there is nothing to complain of."""
        keys = dict.fromkeys(term.key for term in self.terms if term.key and term.key != PROBLEM)
        unknown = [key for key in keys if not self._is_field(key)]
        if not unknown:
            return ""
        known = [name for sample in self.deck.samples[:FIRST] for name in fields_of(sample.data)]
        return no_field(unknown, "no sample", known)

    def _is_field(self, key: str) -> bool:
        """Tell whether a sample has a field: the first one shows what a table has, else the text holds the key."""
        samples = self.deck.samples
        likely = chain(range(min(len(samples), 1)), self.deck.search_all([_STEP.split(key)[0]]))
        return any(has_field(key, samples[index]) for index in likely)

    def _holds(self, term: Term, index: int) -> bool:
        if _is_flag(term, CHANGED):
            holds = index in self._changed
        elif _is_flag(term, PROBLEM):
            holds = any(finding.severity in PROBLEMS for finding in self.findings(index))
        elif term.key == PROBLEM:
            holds = term.holds([f"{finding.severity} {finding.rule}" for finding in self.findings(index)])
        else:
            holds = field_holds(term, self.deck.samples[index])
        return holds is not term.negated


def _is_flag(term: Term, *names: str) -> bool:
    return not term.key and not term.quoted and term.value in names


def _is_in_text(term: Term) -> bool:
    """Tell whether a sample's text must hold a field's value, for a sample in which the term holds."""
    plain = term.value.isascii() and term.value.isalpha() and term.value not in (NOTHING, SOMETHING)
    return plain and term.sign == ":" and not term.negated and term.key not in (PROBLEM, "id")


def has_field(key: str, sample: Sample) -> bool:
    """Tell whether a sample has a field of a name, itself or in its metadata, or a filter knows of it."""
    return key in _NAMED or is_key_of(key, sample.data) or is_key_of(key, sample.data.get("metadata"))


def is_key_of(key: str, data: Plain) -> bool:
    """Tell whether data has a value at the path that a name stands for, be it null."""
    try:
        lookup(data, path_of(key))
    except PathError:
        return False
    return True


def no_field(unknown: Iterable[str], whose: str, known: Iterable[str]) -> str:
    """Say which fields of a filter there are not, one at least, and which there are, the likeliest first."""
    names, names_known = tuple(unknown), tuple(dict.fromkeys(known))
    near = chain.from_iterable(get_close_matches(name, names_known, _OFFERED) for name in names)
    offered = tuple(dict.fromkeys((*near, *names_known)))
    more = "…" if len(offered) > _OFFERED else ""
    there_are = f", but {', '.join(offered[:_OFFERED])}{more}" if offered else ""
    return f"{whose} has a field {', '.join(names)}{there_are}"


def fields_of(data: Table) -> tuple[str, ...]:
    """Return the names of the fields of a sample or a record, and of what is in its metadata."""
    return (*data, *as_table(data.get("metadata")))


def field_holds(term: Term, sample: Sample) -> bool:
    """Tell whether a sample's field is as a term wants it, the minus left aside."""
    if term.key == "role":
        roles = [turn.get("role") for turn in conversation(sample) if isinstance(turn, dict)]
        return any(str(role).casefold() == term.value for role in roles)
    if term.key in ("tag", "tags"):
        return term.holds(tags(sample))
    if term.key == "id":
        return term.holds(sample.id)
    if term.key == "expected":
        return term.holds(_flat(expected(sample)))
    try:
        path = path_of(term.key)
    except PathError:
        return False
    value = value_at(sample.data, path)
    return term.holds(_flat(value if value is not None else value_at(sample.data, ("metadata", *path))))


def _flat(value: Plain) -> object:
    """Return a value as what a term looks into: tables as their values."""
    if isinstance(value, dict):
        return [_flat(item) for item in value.values()]
    return [_flat(item) for item in value] if isinstance(value, list) else value
