"""A pass over codes as a value: which record is shown, and what its labels are to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sampleui.review.sampling import Draw
from sampleui.review.verdict import LabelValue

MAX_CODES = 9
"""How many codes one reading is about at most: a digit for each."""

_TURNS = {LabelValue.NO: LabelValue.YES, LabelValue.YES: LabelValue.UNSURE, LabelValue.UNSURE: LabelValue.NO}


@dataclass(frozen=True)
class PassState:
    """Where a pass is.

    Attributes:
        drawn: the pass as the log has it.
        order: the records, by index, in the order in which they are shown.
        known: by index of a record and by code, the labels that it has.
        before: likewise, those of the same definitions that earlier passes have.
        turned: likewise, those that were turned and are not taken yet.
        place: which of the records is shown, from 0.
    """

    drawn: Draw
    order: tuple[int, ...]
    known: Mapping[int, Mapping[str, LabelValue]] = field(default_factory=dict)
    before: Mapping[int, Mapping[str, LabelValue]] = field(default_factory=dict)
    turned: Mapping[int, Mapping[str, LabelValue]] = field(default_factory=dict)
    place: int = 0

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that it is about."""
        return self.drawn.codes

    @property
    def alone(self) -> bool:
        """Whether it is about one code."""
        return len(self.codes) == 1

    @property
    def index(self) -> int:
        """The record that is shown."""
        return self.order[self.place]

    @property
    def shown(self) -> Mapping[str, LabelValue]:
        """The labels that the record has or is to have: of several codes, *no* for those nothing was said of."""
        begun = {} if self.alone else dict.fromkeys(self.codes, LabelValue.NO)
        said = (self.before, self.known, self.turned)
        return {**begun, **{code: label for labels in said for code, label in labels.get(self.index, {}).items()}}

    def is_done(self, index: int) -> bool:
        """Tell whether a record has a label of each code."""
        return len(self.known.get(index, ())) == len(self.codes)

    @property
    def done(self) -> int:
        """How many records have a label of each code."""
        return sum(len(labels) == len(self.codes) for labels in self.known.values())

    def labelled(self, code: str) -> int:
        """Return how many records have a label of a code."""
        return sum(code in labels for labels in self.known.values())

    # Steps

    def at(self, place: int) -> PassState:
        """Go to a record by its place."""
        return replace(self, place=place)

    def at_open(self) -> PassState | None:
        """Go to the next record that lacks a label, after the last one to the first; None where none does."""
        count = len(self.order)
        places = (place % count for place in range(self.place + 1, self.place + count + 1))
        place = next((place for place in places if not self.is_done(self.order[place])), None)
        return None if place is None else self.at(place)

    def turn(self, code: str) -> PassState:
        """Turn the label of a code from no to yes, to cannot say, and to no."""
        turned = {**self.turned.get(self.index, {}), code: _TURNS[self.shown[code]]}
        return replace(self, turned={**self.turned, self.index: turned})

    def turned_to(self, index: int, labels: Mapping[str, LabelValue]) -> PassState:
        """Have labels of a record turned and not taken yet; none if there are none."""
        turned = {**self.turned, index: labels}
        return replace(self, turned={index: labels for index, labels in turned.items() if labels})
