"""Dialects: how a deck spells its samples, as data.

A dialect is one table (`dialect.py`). Everything that differs between the samples of two programs is looked up in
it, so a new dialect is a new entry and not a new branch: `tables.py` has those with programs of their own behind
them, `chatdata.py` and `foreign.py` those of other tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.dialects.chatdata import RAN
from sampleui.sample.dialects.dialect import Dialect, keys, value_at
from sampleui.sample.dialects.foreign import FOREIGN
from sampleui.sample.dialects.marks import bears, marked
from sampleui.sample.dialects.marks import reason as reason_of
from sampleui.sample.dialects.tables import AGENTV, CALIBRATE, GAGE

LOOKED_AT = 20
"""How many samples are looked at in any case to tell a dialect; more of them while no key settles it."""

_LOOKED_AT_MOST = 40

_ASKING = frozenset({"messages", "question", "prompt", "text"})
_OF_QUIZZES = keys("choices options label")
_KINDS = ("image", "audio", "video", "file")
_OF_OLDER = GAGE.known | {"visual", *(f"{kind}{end}" for kind in _KINDS for end in ("", "_url", "s", "_urls"))}
_OLDEST = keys("question answer")
_INPUT = keys("input")
_ANSWERED = RAN | keys("response prediction")
_OF_GAGE = GAGE.telling | keys("messages question_type")
_BESIDE_LABELS = keys("messages options references schema_version task_type choices")

__all__ = [
    "AGENTV",
    "CALIBRATE",
    "DIALECTS",
    "GAGE",
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

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (CALIBRATE, AGENTV, GAGE, *FOREIGN)}
"""The dialects that are shipped, by their names."""

NOTHING_TELLS = "no key tells another dialect"

LEAST = CALIBRATE
"""The dialect that asks least of a sample: that of a deck which shows nothing, and of messages without a deck."""

WEIGHED = (CALIBRATE, AGENTV, GAGE)
"""Those that the keys of samples are weighed for; the others are recognized by their marks."""

MARKED = (AGENTV, *FOREIGN)
"""Those that have marks, in the order to try them: AgentV 5 spells most of a deck as promptfoo does."""


def usual_first(form: str) -> list[Dialect]:
    """Return the dialects, those whose decks are usually in a format first."""
    return sorted(DIALECTS.values(), key=lambda dialect: form not in dialect.formats)


class Detected(NamedTuple):
    """The dialect of a deck and, in words, why it is taken for that."""

    dialect: Dialect
    reason: str


class _Evidence(NamedTuple):
    """The evidence for a dialect, the strongest first. How often a key is found never counts, only that it is."""

    dialect: Dialect
    reads: bool
    telling: tuple[str, ...]
    alone: str
    signs: tuple[str, ...]
    home: bool
    beside: tuple[str, ...]

    @property
    def weight(self) -> tuple[int, ...]:
        """The evidence as numbers to compare."""
        return (
            int(self.reads),
            len(self.telling),
            int(bool(self.alone)),
            len(self.signs),
            int(self.home),
            len(self.beside),
        )

    @property
    def reason(self) -> str:
        """The evidence in words."""
        said = [f"samples have {', '.join(self.signs)}"] * bool(self.signs)
        said += [f"they are under {self.alone}"] * bool(self.alone)
        said += [f"{', '.join(self.beside)} beside them"] * bool(self.beside)
        return "; ".join(said) or NOTHING_TELLS


def detect(
    container: tuple[str, ...],
    context: Mapping[str, Plain],
    samples: Iterable[Table],
    others: Sequence[Dialect] = MARKED,
) -> Detected:
    """Return the dialect of a deck, judged by the keys of its samples, and by where they are.

    What bears the marks of a dialect is in that. Of the others a dialect that finds messages in the samples goes
    before one that does not; then the keys that only one dialect has decide. Keys are counted once, so that
    a deck is read the same with one sample as with a thousand.

    Args:
        container: the keys the samples are under; empty when the file itself is the list.
        context: the values beside the samples; only their keys count.
        samples: the samples; the first few are looked at.
        others: the dialects that have marks, the first of which goes before the next.

    A deck that shows nothing is calibrate, which asks least of a sample.
    """
    found: set[str] = set()
    readers: set[str] = set()
    seen: list[Table] = []
    for count, sample in enumerate(islice(samples, _LOOKED_AT_MOST)):
        if count >= LOOKED_AT and any(dialect.telling & found for dialect in WEIGHED):
            break
        seen.append(sample)
        found |= _own_keys(sample)
        readers.update(one.name for one in WEIGHED if _reads(one, sample) and _is_likely(one, sample))
    if told := marked(others, container, context, seen):
        return Detected(told[0], reason_of(told[1]))
    if seen and all(map(_is_oldest, seen)):
        return Detected(GAGE, f"samples have a question and an answer alone, the oldest form of {GAGE.title}")
    weighed = (_evidence(one, one.name in readers, found, container, context) for one in WEIGHED)
    best = max(weighed, key=lambda one: one.weight)
    return Detected(best.dialect, best.reason)


def is_shown(container: tuple[str, ...], samples: Iterable[Table]) -> bool:
    """Tell whether samples are some: a dialect finds messages in one, or several of its own keys.

    Any list of tables can be read as a deck, so a file that nobody called one has to show it.

    Args:
        container: the keys the samples are under; empty when the file itself is the list.
        samples: the samples to look at.
    """
    found: set[str] = set()
    for sample in samples:
        if any(_reads(dialect, sample) and _is_likely(dialect, sample) for dialect in WEIGHED) or bears_any(sample):
            return True
        found |= sample.keys()
    return any(
        len(dialect.signs & found) > 1
        and (dialect.telling & found or (container and container in dialect.containers))
        for dialect in WEIGHED
    )


def bears_any(sample: Table) -> bool:
    """Tell whether a sample bears a mark of a dialect by itself, wherever it is."""
    return any(bears(sample, mark) for dialect in MARKED for mark in dialect.marks if mark.on_samples)


def readers(columns: Iterable[str], others: Sequence[Dialect] = ()) -> list[Dialect]:
    """Return the dialects that would find messages in the rows of a table with these columns."""
    row: Table = dict.fromkeys(columns, "a text")
    header: Table = dict.fromkeys(columns)
    own = [one for one in WEIGHED if _reads(one, row) or (one is GAGE and _is_oldest(row))]
    begun = (
        (one, mark._replace(has=tuple(path[:1] for path in mark.has)))
        for one in (*others, *FOREIGN)
        for mark in one.marks
    )
    return [*own, *dict.fromkeys(one for one, mark in begun if mark.has and bears(header, mark))]


def _evidence(
    dialect: Dialect, reads: bool, found: set[str], container: tuple[str, ...], context: Mapping[str, Plain]
) -> _Evidence:
    home = container in dialect.containers
    shared = any(container in other.containers for other in WEIGHED if other is not dialect)
    return _Evidence(
        dialect,
        reads,
        tuple(sorted(dialect.telling & found)),
        ".".join(container) if home and not shared else "",
        tuple(sorted(dialect.signs & found, key=lambda key: (key not in dialect.telling, key))),
        home,
        tuple(sorted(dialect.context_signs & context.keys())),
    )


def _reads(dialect: Dialect, sample: Table) -> bool:
    """Tell whether a dialect finds messages in a sample, or an older record that has something of its own in it."""
    own = _own_keys(sample)
    if any(path[0] in own and _holds(sample, path) for path in dialect.message_paths):
        return True
    signed = bool(dialect.signs & own)  # a question and an answer may be anyone's
    return signed and dialect.mapped(sample) is not None


def _is_oldest(sample: Table) -> bool:
    """Tell whether a sample is a question and its answer, and nothing else (gage-eval standardized sample, §1.5).

    In a folder such a file is any data set; one that is named is known by it.
    """
    return sample.keys() == _OLDEST


def _is_likely(dialect: Dialect, sample: Table) -> bool:
    """Tell whether a text that is read as messages is likely one: by another sign of the dialect, or most keys."""
    held = (value_at(sample, path) for path in dialect.message_paths)
    listed = isinstance(next((one for one in held if one is not None), []), list)
    signs = len(sample.keys() & dialect.signs)
    return listed or signs > 1 or 2 * len(sample.keys() & dialect.known) >= len(sample)


def _own_keys(sample: Table) -> set[str]:
    """Return the keys of a sample that may show its dialect.

    A label alone, beside a text, is of any data set, and choices without a question are a model's. A question with
    choices is of any quiz if something is beside it that gage-eval does not know, as in the rows of MMLU and ARC.
    An input with an answer, and nothing else of AgentV, is a row of results.
    """
    others = {"label"} if not sample.keys() & _BESIDE_LABELS else set[str]()
    if sample.keys() - _OF_OLDER and not sample.keys() & _OF_GAGE:
        others |= _OF_QUIZZES
    if sample.keys() & _ANSWERED and sample.keys() & AGENTV.signs == _INPUT:
        others |= _INPUT
    return sample.keys() - others - ({"choices"} if not sample.keys() & _ASKING else set())


def _holds(sample: Table, path: DataPath) -> bool:
    value: Plain = sample
    for key in path:
        value = value.get(str(key)) if isinstance(value, dict) else None
    return value is not None
