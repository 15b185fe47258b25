"""Which other answer an answer made of files is shown beside: another target's, or the previous run's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sampleui.errors import ResultsError
from sampleui.review.record import Entry, Record
from sampleui.review.results.evaluations import is_of_same_evaluation
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import runs_around
from sampleui.text.limits import MAX_EARLIER_RECORDS
from sampleui.text.visible import one_line
from sampleui.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sampleui.tui.review.session import ReviewSession

ALONE = ""
"""What is chosen where an answer is shown beside no other."""


class Beside(NamedTuple):
    """Another answer, beside which one made of files is shown.

    Attributes:
        name: whose it is; empty where the answer is shown alone.
        record: None where it is shown alone, or where the other cannot be read.
        following: the name of the next one to be shown beside; empty for none.
    """

    name: str
    record: Record | None
    following: str


class _Counterpart(NamedTuple):
    """Another answer to the same sample: whose it is, whether of the run before, and how it is read."""

    name: str
    earlier: bool
    read: Callable[[], Record]


class Counterparts:
    """The other answers that one may be shown beside, and which kind of them was chosen last.

    Attributes:
        left_out: why there are none of the run before, though there is one; empty if there are.
    """

    def __init__(self, review: ReviewSession) -> None:
        self._review = review
        self.left_out = ""
        self._earlier: Results | None = None
        self._chosen: tuple[str, bool] | None = None

    def prepare(self) -> bool:
        """Read the run before, where it is small; tell whether there is one. Raises ResultsError."""
        review = self._review
        if not review.results.baselines:
            return False
        path = review.results.path.absolute()
        runs = [run.absolute() for run in runs_around(path)]
        before = reversed(runs[: runs.index(path)] if path in runs else [])
        opened = (open_results(run, first=review.options.dialects, asked=True) for run in before)
        others = (run for run in opened if not is_of_same_evaluation(run, review.results))
        if (results := next(others, None)) is None:
            return False
        if results.source.whole and results.source.size <= MAX_EARLIER_RECORDS:
            self._earlier = results.indexed()
        elif results.source.whole:
            self.left_out = (
                f"{one_line(results.path.name)} has {counted(results.source.size, 'record')} and is not read, to "
                f"be shown beside: at most {MAX_EARLIER_RECORDS:,} of the run before are"
            )
        return self._earlier is not None

    def beside(self, entry: Entry) -> Beside | None:
        """Return the answer that one is shown beside; None where there is no other."""
        others = [*self._others(entry)]
        if not others:
            return None
        index = self._index(others)
        names = (*(other.name for other in others), ALONE)
        following = names[(index + 1) % len(names)]
        if index == len(others):
            return Beside(ALONE, None, following)
        try:
            return Beside(others[index].name, others[index].read(), following)
        except ResultsError:
            return Beside(others[index].name, None, following)

    def turn(self, entry: Entry) -> None:
        """Choose the next answer, and after the last one none."""
        others = [*self._others(entry)]
        index = (self._index(others) + 1) % (len(others) + 1)
        self._chosen = (others[index].name, others[index].earlier) if index < len(others) else (ALONE, False)

    def _index(self, others: Sequence[_Counterpart]) -> int:
        """Return the index of the chosen answer, by its name or else its kind; their number for none."""
        if self._chosen is None:
            return 0
        name, earlier = self._chosen
        if name == ALONE:
            return len(others)
        named = (index for index, other in enumerate(others) if other.name == name)
        like = (index for index, other in enumerate(others) if other.earlier is earlier)
        return next(named, next(like, 0))

    def _others(self, entry: Entry) -> Iterator[_Counterpart]:
        results = self._review.results
        among = [results.entries[index] for index in self._review.cases.get(entry.case, ())]
        targets = [*dict.fromkeys(other.target for other in among if other.target and other.target != entry.target)]
        first = [name for name in results.baselines if name in targets]
        for target in dict.fromkeys((*first, *targets)):
            found = _like(entry, [other for other in among if other.target == target])
            yield _Counterpart(target, False, partial(results.record, found.index))
        if (earlier := self._earlier) is not None:
            same = [
                other
                for other in earlier.counted
                if other.sample_id == entry.sample_id and other.target == entry.target
            ]
            if same:
                yield _Counterpart(earlier.path.name, True, partial(earlier.record, _like(entry, same).index))


def _like(entry: Entry, others: Sequence[Entry]) -> Entry:
    """Return the record of the same attempt, or else the first."""
    return next((other for other in others if other.attempt == entry.attempt), others[0])
