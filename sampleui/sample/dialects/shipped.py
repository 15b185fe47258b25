"""The dialects that are shipped, and which of them a deck is in.

A dialect is one table (`dialect.py`) of the integration that brings it. Everything that differs between the samples
of two programs is looked up in it, so a new dialect is a new entry and not a new branch. Only those are imported of
which a sign is among the keys of a deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from sampleui.formats.data import Plain, Table
from sampleui.integrations import index
from sampleui.integrations.entry import TOP
from sampleui.sample.dialects.dialect import Dialect, value_at
from sampleui.sample.dialects.field import keys
from sampleui.sample.dialects.marks import bears, dialect_by_marks
from sampleui.sample.dialects.marks import mark_in_words as reason_of
from sampleui.sample.dialects.older import mapped

LOOKED_AT = 20
"""How many samples are looked at in any case to tell a dialect; more of them while no key settles it."""

MAX_SAMPLES_LOOKED_AT = 40
"""How many are looked at to tell a dialect by."""

__all__ = [
    "DIALECTS",
    "LEAST",
    "NOTHING_TELLS",
    "Detected",
    "Dialect",
    "bears_any",
    "detect",
    "is_shown",
    "keys",
    "readers",
]


class _Dialects(Mapping[str, Dialect]):
    """The dialects of all integrations by name; one is imported when it is looked up."""

    def __getitem__(self, name: str) -> Dialect:
        brought = (dialect for own in index.bringing(name) for dialect in own.dialects().dialects)
        for dialect in brought:
            if dialect.name == name:
                return dialect
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return index.dialects()

    def __len__(self) -> int:
        return sum(1 for _ in self)


DIALECTS: Mapping[str, Dialect] = _Dialects()
"""The dialects that are shipped, and those of other packages, by their names."""

NOTHING_TELLS = "no key tells another dialect"

LEAST = next(iter(DIALECTS))
"""The dialect that asks least of a sample: that of a deck which shows nothing, and of messages without a deck."""


def marked_dialects() -> list[Dialect]:
    """Return those that have marks, in the order to try them."""
    return [dialect for dialect in DIALECTS.values() if dialect.marks]


def usual_first(form: str) -> list[Dialect]:
    """Return the dialects, those whose decks are usually in a format first."""
    return sorted(DIALECTS.values(), key=lambda dialect: form not in dialect.formats)


class Detected(NamedTuple):
    """The dialect of a deck and, in words, why it is taken for that."""

    dialect: Dialect
    reason: str


def detect(
    container: tuple[str, ...],
    context: Mapping[str, Plain],
    samples: Iterable[Table],
    own_dialects: Sequence[Dialect] = (),
    *,
    by_marks: bool = True,
) -> Detected:
    """Return the dialect of a deck, judged by the keys of its samples, and by where they are.

    What bears the marks of a dialect is in that. Of the others a dialect that finds messages in the samples goes
    before one that does not; then the keys that only one dialect has decide. Keys are counted once, so that
    a deck is read the same with one sample as with a thousand.

    Args:
        container: the keys the samples are under; empty when the file itself is the list.
        context: the values beside the samples; only their keys count.
        samples: the samples; the first few are looked at.
        own_dialects: the user's dialects, which go before the others that have marks.
        by_marks: whether marks count at all.

    A deck that shows nothing is in the dialect that asks least of a sample.
    """
    seen: list[Table] = []
    is_certain = False
    for sample in islice(samples, MAX_SAMPLES_LOOKED_AT):
        if is_certain and len(seen) >= LOOKED_AT:
            break
        seen.append(sample)
        is_certain = is_certain or any(
            dialect.telling & _own_keys(dialect, sample) for dialect in _weighed(keys_of([sample]))
        )
    at_hand = keys_of(seen) | frozenset(context) | frozenset(container or (TOP,))
    shipped = (dialect for dialect in _signed(at_hand) if dialect.marks)
    if by_marks and (by_mark := dialect_by_marks((*own_dialects, *shipped), container, context, seen)):
        return Detected(by_mark[0], reason_of(by_mark[1]))
    weighed = _weighed(at_hand)
    if weak := dialect_by_marks(weighed, container, context, seen, weak=True):
        return Detected(weak[0], reason_of(weak[1]))
    return max((_weight(dialect, seen, container, context) for dialect in weighed), key=lambda found: found[0])[1]


def is_shown(container: tuple[str, ...], samples: Iterable[Table]) -> bool:
    """Tell whether tables are samples of some dialect: it finds messages in one, or several keys of its own.

    Any list of tables can be read as a deck, so a file that nobody called one has to show it.

    Args:
        container: the keys the samples are under; empty when the file itself is the list.
        samples: the samples to look at.
    """
    keys: set[str] = set()
    for sample in samples:
        if any(_reads(dialect, sample) and _is_likely(dialect, sample) for dialect in _weighed(keys_of([sample]))):
            return True
        if bears_any(sample):
            return True
        keys |= sample.keys()
    return any(
        len(dialect.signs & keys) > 1
        and (dialect.telling & keys or (container and container in dialect.containers))
        for dialect in _weighed(frozenset(keys))
    )


def bears_any(sample: Table) -> bool:
    """Tell whether a sample bears a mark of a dialect by itself, wherever it is."""
    signed = _signed(keys_of([sample]) | {TOP})
    return any(bears(sample, mark) for dialect in signed for mark in dialect.marks if mark.on_samples)


def readers(columns: Iterable[str], own_dialects: Sequence[Dialect] = ()) -> list[Dialect]:
    """Return the dialects that would find messages in the rows of a table with these columns.

    Args:
        columns: the names of the columns.
        own_dialects: the user's dialects.
    """
    row: Table = dict.fromkeys(columns, "a text")
    header: Table = dict.fromkeys(columns)
    shipped = [*DIALECTS.values()]
    weighed = [dialect for dialect in shipped if dialect.weighed]
    readers_found = [
        dialect
        for dialect in weighed
        if _reads(dialect, row) or any(mark.weak and bears(row, mark) for mark in dialect.marks)
    ]
    begun = (
        (dialect, mark._replace(has=tuple(path[:1] for path in mark.has)))
        for dialect in (*own_dialects, *(dialect for dialect in shipped if not dialect.weighed))
        for mark in dialect.marks
    )
    return [*readers_found, *dict.fromkeys(dialect for dialect, mark in begun if mark.has and bears(header, mark))]


def keys_of(samples: Sequence[Table]) -> frozenset[str]:
    """Return the keys of samples, and those of the tables in their lists, with a dot between."""
    keys: set[str] = set()
    for sample in samples:
        keys |= sample.keys()
        for key, value in sample.items():
            if isinstance(value, list):
                keys.update(f"{key}.{inner}" for item in value if isinstance(item, dict) for inner in item)
    return frozenset(keys)


def _signed(at_hand: frozenset[str]) -> list[Dialect]:
    """Return the dialects that show a sign among some keys."""
    return [dialect for integration in index.signed(at_hand) for dialect in integration.dialects().dialects]


def _weighed(at_hand: frozenset[str]) -> list[Dialect]:
    """Return the least demanding dialect, then those that keys are weighed for and that show a sign among them."""
    return [*dict.fromkeys((DIALECTS[LEAST], *(dialect for dialect in _signed(at_hand) if dialect.weighed)))]


def _weight(
    dialect: Dialect, samples: Sequence[Table], container: tuple[str, ...], context: Mapping[str, Plain]
) -> tuple[tuple[int, ...], Detected]:
    """Return the evidence for a dialect as numbers to compare, the strongest first, and in words.

    How often a key is found never counts, only that it is.
    """
    keys = frozenset[str]().union(*(_own_keys(dialect, sample) for sample in samples))
    home = container in dialect.containers
    least = DIALECTS[LEAST]
    alone = (
        home and dialect is not least and container not in least.containers
    )  # those of no two others are the same
    signs = sorted(dialect.signs & keys, key=lambda key: (key not in dialect.telling, key))
    beside = sorted(dialect.signs_beside & context.keys())
    reads = any(_reads(dialect, sample) and _is_likely(dialect, sample) for sample in samples)
    reasons = []
    if signs:
        reasons.append(f"samples have {', '.join(signs)}")
    if alone:
        reasons.append(f"they are under {'.'.join(container)}")
    if beside:
        reasons.append(f"{', '.join(beside)} beside them")
    weight = (int(reads), len(dialect.telling & keys), int(alone), len(signs), int(home), len(beside))
    return weight, Detected(dialect, "; ".join(reasons) or NOTHING_TELLS)


def _reads(dialect: Dialect, sample: Table) -> bool:
    """Tell whether a dialect finds messages in a sample, or an older record with something of the dialect's own."""
    own_keys = _own_keys(dialect, sample)
    if any(path[0] in own_keys and value_at(sample, path) is not None for path in dialect.message_paths):
        return True
    signed = bool(dialect.signs & own_keys)  # a question and an answer may be anyone's
    return signed and mapped(sample, dialect) is not None


def _is_likely(dialect: Dialect, sample: Table) -> bool:
    """Tell whether a text that is read as messages is likely one: by another sign of the dialect, or most keys."""
    values = (value_at(sample, path) for path in dialect.message_paths)
    listed = isinstance(next((value for value in values if value is not None), []), list)
    signs = len(sample.keys() & dialect.signs)
    return listed or signs > 1 or 2 * len(sample.keys() & dialect.known) >= len(sample)


def _own_keys(dialect: Dialect, sample: Table) -> frozenset[str]:
    """Return the keys of a sample that may show a dialect."""
    return frozenset(sample) - index.of_dialect(dialect).dialects().uncounted(sample)
