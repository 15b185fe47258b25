"""Records drawn at random to be reviewed, each with a known chance, so that figures can be weighted afterwards.

A draw is stratified: records that are alike in some fields are a stratum, and in each stratum every set of as many
records is as likely. Which records these are depends on the seed and on the digests of the records alone: in each
stratum they are those with the least SHA-256 of `SEED:DIGEST`. So the same seed draws the same records of the same
file, and a larger draw has all records of a smaller one.

By the same order the labels of a code are split into parts, so that a judge is tuned on some records and measured
on others.
"""

from __future__ import annotations

import hashlib
import heapq
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import Table
from sampleui.review.grouping import field_values, paths_of
from sampleui.review.record import Entry, outcome_of, passed
from sampleui.review.verdict import new_id, now
from sampleui.text.wording import counted


class Population(StrEnum):
    """The records among which some are drawn. Errors are among those that failed."""

    PASSED = "passed"
    FAILED = "failed"
    UNGRADED = "ungraded"
    ALL = "all"

    @property
    def among(self) -> str:
        """What its records are called after their number."""
        return "records" if self is Population.ALL else str(self)


class Design(NamedTuple):
    """What is to be drawn.

    Attributes:
        size: how many records; all of them where there are fewer.
        source: among which.
        by: the fields in which records of one stratum are alike; empty for one stratum.
        seed: what the draw depends on beside the records.
    """

    size: int
    source: Population = Population.ALL
    by: tuple[str, ...] = ()
    seed: str = "1"


class SampledStratum(NamedTuple):
    """Records that are alike, and those of them that were drawn.

    Attributes:
        values: what they have in the fields of the design, as text, empty where a record has nothing.
        population: how many there are.
        records: the ids of those that were drawn by their digests, in the order of the draw.
    """

    values: tuple[str, ...]
    population: int
    records: dict[str, str]

    @property
    def chance(self) -> float:
        """The probability of each of its records to be drawn."""
        return len(self.records) / self.population


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A random sample of the records of a run, as the log has it.

    Attributes:
        population_digest: of all records that counted then, whether they could be drawn or not.
        fail_under: the threshold by which they passed or failed, None where their runner said so.
        scorer: the scorer that decided, None for the one that the run itself names.
        codes: the codes for which its records are gone through; empty for a draw that is no pass.
    """

    reviewer: str
    design: Design
    population_digest: str
    strata: tuple[SampledStratum, ...]
    fail_under: float | None = None
    scorer: str | None = None
    codes: tuple[str, ...] = ()
    time: str = field(default_factory=now)
    id: str = field(default_factory=new_id)

    @property
    def population(self) -> int:
        """Among how many records it was drawn."""
        return sum(stratum.population for stratum in self.strata)

    @property
    def records(self) -> dict[str, str]:
        """The ids of the records by their digests, in the order of the draw.

        Those that come first are a smaller draw: whoever decides in this order may stop anywhere.
        """
        if len(self.strata) == 1:
            return self.strata[0].records
        left = [iter(stratum.records.items()) for stratum in self.strata]
        turns = _turns([stratum.population for stratum in self.strata])
        sampled = sum(len(stratum.records) for stratum in self.strata)
        return dict(next(left[stratum]) for stratum, _ in zip(turns, range(sampled), strict=False))

    def checked(self) -> Draw:
        """Return the draw, checked: its strata are possible.

        Raises:
            ValueError: if its strata cannot be: more was drawn than there was, or what they have in common is
                missing.
        """
        for stratum in self.strata:
            if not 0 < len(stratum.records) <= stratum.population or len(stratum.values) != len(self.design.by):
                raise ValueError(f"a stratum with {len(stratum.records):,} of {stratum.population:,} records")
        return self

    def is_of(self, entries: Iterable[Entry]) -> bool:
        """Tell whether these are all the records that counted at the draw, so that its chances hold for them."""
        return self.population_digest == population_digest(entries)

    def same_as(self, other: Draw) -> bool:
        """Tell whether another draw, at whatever time, is by the same reviewer and has the same records."""
        return replace(self, id=other.id, time=other.time) == other

    def supplanted_by(self, other: Draw) -> bool:
        """Tell whether another draw by the same reviewer is of the same design and was made of other records."""
        asked = attrgetter("reviewer", "design", "fail_under", "scorer")
        return self.population_digest != other.population_digest and asked(self) == asked(other)


Values = Callable[[Entry], tuple[str, ...]]
"""Returns what a record has in the fields of a design."""


def draw_records(
    entries: Sequence[Entry],
    design: Design,
    values_of: Values,
    reviewer: str,
    *,
    fail_under: float | None = None,
    scorer: str | None = None,
) -> Draw:
    """Draw records at random, as many of each stratum as its part of all, at least two where there are.

    Args:
        entries: the records that count.
        design: what is drawn.
        values_of: what a record has in the fields of the design.
        reviewer: who is to decide about them.
        fail_under: the threshold that was asked for.
        scorer: the scorer that was asked for.

    Raises:
        ResultsError: if there is nothing to draw from, or there are more strata than records to be drawn, so that
            some records would have no chance.
    """
    every = design.source is Population.ALL
    among = [entry for entry in entries if every or passed(entry, fail_under) is _PASSED[design.source]]
    if not among:
        of = "there are no records" if every else f"no record {_WORDS[design.source]}"
        raise ResultsError(f"{of}: nothing can be drawn")
    groups: dict[tuple[str, ...], list[Entry]] = {}
    for entry in among:
        groups.setdefault(values_of(entry), []).append(entry)
    for index, name in enumerate(design.by):
        if not any(values[index] for values in groups):
            raise ResultsError(f"no record has {name}: there are no strata by it")
    if len(groups) > design.size:
        raise ResultsError(
            f"{counted(design.size, 'record')} cannot stand for {len(groups):,} groups by {', '.join(design.by)}: "
            f"draw {len(groups):,} or more"
        )
    groups = dict(sorted(groups.items()))
    sizes = [len(group) for group in groups.values()]
    sampled = [0] * len(sizes)
    for stratum, _ in zip(_turns(sizes), range(design.size), strict=False):
        sampled[stratum] += 1
    strata = tuple(
        SampledStratum(values, len(group), {entry.digest: entry.id for entry in _least(group, design.seed, number)})
        for (values, group), number in zip(groups.items(), sampled, strict=True)
    )
    return Draw(
        reviewer=reviewer,
        design=design,
        population_digest=population_digest(entries),
        strata=strata,
        fail_under=fail_under,
        scorer=scorer,
    )


def population_digest(entries: Iterable[Entry]) -> str:
    """Return a digest of records, whatever their order: 16 hex digits."""
    return population_digest_of_sorted(sorted(entry.digest for entry in entries))


def population_digest_of_sorted(digests: Iterable[str]) -> str:
    """Return what `population_digest` does, of digests in their order, which are taken one by one."""
    hashed = hashlib.sha256()
    for index, digest in enumerate(digests):
        hashed.update(f"\n{digest}".encode() if index else digest.encode())
    return hashed.hexdigest()[:16]


def values_by(by: Sequence[str], tables: Callable[[Entry], Sequence[Table]]) -> Values:
    """Return what reads the fields of a design from records, as groups of a report do; a list is one value.

    Args:
        by: `outcome`, or what a report groups by: `target`, `tag`, `suite`, `deck` or a field such as
            `metadata.topic`.
        tables: the values of a record's sample, and those of the record; the first that has a field counts.

    Raises:
        PathError: if a name cannot be the name of a field.
    """
    paths = paths_of(name for name in by if name != _OUTCOME)

    def values(entry: Entry) -> tuple[str, ...]:
        found = {
            name: ", ".join(sorted(texts))
            for name, texts in field_values(paths, entry, partial(tables, entry)).items()
        }
        return tuple(str(outcome_of(entry)) if name == _OUTCOME else found[name] for name in by)

    return values


_OUTCOME = "outcome"
_PASSED = {Population.PASSED: True, Population.FAILED: False, Population.UNGRADED: None}
_WORDS = {Population.PASSED: "passed", Population.FAILED: "failed", Population.UNGRADED: "is ungraded"}


def order_key(seed: str, digest: str) -> bytes:
    """Return what puts the digests of records in an order by chance: the SHA-256 of `SEED:DIGEST`."""
    return hashlib.sha256(f"{seed}:{digest}".encode("utf-8", "surrogatepass")).digest()


def _least(entries: Iterable[Entry], seed: str, number: int) -> list[Entry]:
    return heapq.nsmallest(number, entries, key=lambda entry: order_key(seed, entry.digest))


def _turns(sizes: Sequence[int]) -> Iterable[int]:
    """Yield whose record is drawn next, by the sizes of strata, until none has any left.

    After two of each, since one alone does not show how much records vary, it is the stratum that by Webster's
    method has the best claim to another. Unlike quotas this never takes one away when more are drawn.
    """

    def claim(stratum: int, sampled: int) -> tuple[float, int, int]:
        share = sizes[stratum] / (2 * sampled + 1)
        return (-math.inf if sampled < 2 else -share, sampled, stratum)

    heap = [claim(stratum, 0) for stratum in range(len(sizes))]
    heapq.heapify(heap)
    while heap:
        _, sampled, stratum = heapq.heappop(heap)
        yield stratum
        if sampled + 1 < sizes[stratum]:
            heapq.heappush(heap, claim(stratum, sampled + 1))


class LabelPart(StrEnum):
    """What the labels of a part are for: examples in the judge's prompt, its tuning, or its measure in the end."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"


_ENDS = {LabelPart.TRAIN: 0.2, LabelPart.DEV: 0.6, LabelPart.TEST: 1.0}
"""Up to which share of the records, in their order by chance, a part reaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSplit:
    """A split of the labels of a code, as the log has it.

    Attributes:
        code: the code.
        definition: the version of its definition that the labels are of.
        seed: what the order depends on beside the records; empty for parts that a file had.
        parts: the digests of the records of each part. A record that was labelled later is in none of them, and
            counts as of `dev`.
    """

    reviewer: str
    code: str
    definition: str
    seed: str
    parts: Mapping[LabelPart, frozenset[str]]
    time: str = field(default_factory=now)
    id: str = field(default_factory=new_id)

    def part_of(self, record: str) -> LabelPart:
        """Return the part that the record of a digest is in."""
        return next((part for part, records in self.parts.items() if record in records), LabelPart.DEV)

    @property
    def row(self) -> dict[str, Any]:
        """It as the object of its line; records are in the order of their digests."""
        about = {"code": self.code, "definition": self.definition, "seed": self.seed}
        parts = {str(part): sorted(self.parts[part]) for part in LabelPart}
        return {"id": self.id, "time": self.time, "kind": SPLIT, "reviewer": self.reviewer, **about, **parts}


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitOpening:
    """That somebody looked at how an evaluator does on the test part of a split, which then is no test any more.

    Attributes:
        split: the id of the split.
        evaluator: what was measured.
    """

    reviewer: str
    split: str
    evaluator: str
    time: str = field(default_factory=now)
    id: str = field(default_factory=new_id)

    @property
    def row(self) -> dict[str, Any]:
        """It as the object of its line."""
        about = {"split": self.split, "evaluator": self.evaluator}
        return {"id": self.id, "time": self.time, "kind": OPEN, "reviewer": self.reviewer, **about}


SPLIT, OPEN = "split", "open"
_ALWAYS = ("id", "time", "reviewer")


def split_line_of(row: Mapping[str, Any]) -> LabelSplit | SplitOpening | None:
    """Return what the object of a line says of a split; None if a value is missing or of another type."""
    texts = {key: value for key, value in row.items() if isinstance(value, str)}
    try:
        if texts["kind"] == OPEN:
            return SplitOpening(**{name: texts[name] for name in ("split", "evaluator", *_ALWAYS)})
        parts = {part: frozenset(map(str, row[part])) for part in LabelPart}
        return LabelSplit(parts=parts, **{name: texts[name] for name in ("code", "definition", "seed", *_ALWAYS)})
    except (KeyError, TypeError):
        return None


def split_labels(labels: Mapping[str, bool], code: str, definition: str, reviewer: str, seed: str) -> LabelSplit:
    """Return a split of labelled records, not kept yet: the yes and the no each by chance in the same shares.

    In each of the two, records are in the order of the SHA-256 of `SEED:DIGEST`: the same labels and seed are split
    in the same way, whoever does it.

    Args:
        labels: by the digests of the records, whether they fail in the way of the code.
        code: the code.
        definition: the version of its definition.
        reviewer: who splits them.
        seed: what the order depends on beside the records.

    Raises:
        ResultsError: if there are too few of one of both for each part to have some.
    """
    parts: dict[LabelPart, set[str]] = {part: set() for part in LabelPart}
    for value, word in ((True, "yes"), (False, "no")):
        records = sorted(
            (record for record, is_so in labels.items() if is_so is value), key=partial(order_key, seed)
        )
        if len(records) < len(LabelPart):
            raise ResultsError(
                f"{len(records)} records are labelled {word} for {code}: a split takes {len(LabelPart)} or more"
            )
        start = 0
        for index, (part, share) in enumerate(_ENDS.items(), 1):
            left = len(LabelPart) - index  # each of the others has one at least
            end = min(max(round(share * len(records)), start + 1), len(records) - left)
            parts[part].update(records[start:end])
            start = end
    kept = {part: frozenset(records) for part, records in parts.items()}
    return LabelSplit(reviewer=reviewer, code=code, definition=definition, seed=seed, parts=kept)
