"""Labels of a code split into parts, so that a judge is tuned on some records and measured on others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any

from sampleui.errors import ResultsError
from sampleui.review.sampling import order_key
from sampleui.review.verdict import new_id, now


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
