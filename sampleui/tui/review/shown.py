"""What a review shows of its current record: the record alone, then what is beside it (`record_context.py`)."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import DataPath, Table
from sampleui.review.filters import QueueItem
from sampleui.review.record import Record
from sampleui.review.results.file import Results
from sampleui.review.results.requests import UNKNOWN_PROMPT, SentPrompt
from sampleui.review.verdict import Decision
from sampleui.text.limits import MAX_SIDES
from sampleui.tui.review.session import ReviewSession

if TYPE_CHECKING:  # nothing of these is known of a record alone
    from sampleui.review.attempts import Attempts
    from sampleui.review.baseline import Compared
    from sampleui.review.results.adapters import Adapter
    from sampleui.review.samples.comparing import Criteria
    from sampleui.runs.sample_as_run import AsRun
    from sampleui.sample.model import Sample
    from sampleui.settings.views import View
    from sampleui.workspace.proposed_edits import ProposedEdit


class AnswerSide(NamedTuple):
    """One answer.

    Attributes:
        name: who answered, and in which try.
        here: whether it is of the record that is shown.
    """

    name: str
    here: bool
    record: Record


class Sides(NamedTuple):
    """The answers to one sample, read when they are looked at.

    Attributes:
        results: where the records are.
        indexes: those of the records that answer the sample.
        here: the index of the one that is shown.
        attempts: of each target, how many of its attempts passed.
    """

    results: Results
    indexes: tuple[int, ...]
    here: int
    attempts: tuple[Attempts, ...] = ()
    fail_under: float | None = None

    @property
    def several(self) -> bool:
        """Whether there is more than one answer."""
        return len(self.indexes) > 1 or any(attempt.total > 1 for attempt in self.attempts)

    def read(self) -> list[AnswerSide]:
        """Return the answers, at most `MAX_SIDES`; those of records that cannot be read are left out."""
        read: list[Record] = []
        for index in self.indexes[:MAX_SIDES]:
            with contextlib.suppress(ResultsError):
                read += self.results.tries(index)
        times, seen = Counter(answer.target for answer in read), Counter[str | None]()
        answers = []
        for item in read[:MAX_SIDES]:
            seen[item.target] += 1
            name = item.target or item.id
            tried = f" · {seen[item.target]}" if times[item.target] > 1 and item.target else ""
            answers.append(AnswerSide(name + tried, item.index == self.here, item))
        return answers


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


class Shown(NamedTuple):
    """Everything about one place of the queue.

    Attributes:
        item: None for what has no record; then only `sample` or `old` is known.
        expected: the text to compare the answer with, None if nobody says what was expected.
        any_of: the answers that are right, where there are several; `expected` names them all then.
        criteria: what the answer is judged by where nothing is there to compare it with, and what that is called.
        decisions: what each reviewer decided; those of others once one's own is made.
        refusals: which proposals of programs were refused, as far as that may be seen.
        edits: the edits of the sample that programs propose.
        offered: what was decided on an earlier run about the same answer, in words, where it does not count here.
        changed: whether the sample was changed since the run, or since the verdict.
        compared: how it fares against the baseline.
        comparison: how the run fares against the baseline, in words; empty without one.
        old: the baseline's record.
        has_baseline: whether there is a baseline.
        flaky: whether an earlier run was found flaky about the sample.
        attempts: how the attempts at the sample by this target came out, if there are several.
        asked: what was sent to the model, beside what the deck renders today.
        talk: what was said before the answer, with what was called and what came back; empty where nobody says it.
        repeated: texts of a system in it that other records have too.
        as_run: the sample as it was run, where the run keeps a copy of it.
        sides: the answers to the sample by other targets and in other tries.
        beside: the answer that one made of files is shown beside; None where there is no other.
        assertions: which assertions of the sample held in the run, by their paths; None where that is not known.
        problem: why the record cannot be read; empty when it can. Then nothing else of it is known.
        adapter: what reads its row; None where nobody does.
        view: the view of the settings that shows it; None for what is best shown of any record.
        alone: whether only the record was looked at so far: what its sample, what was sent and what it did say is
            not known yet, and nobody may be told that there is none of it.
    """

    item: QueueItem | None = None
    record: Record | None = None
    sample: Sample | None = None
    expected: str | None = None
    any_of: tuple[str, ...] = ()
    criteria: Criteria | None = None
    decisions: tuple[Decision, ...] = ()
    refusals: tuple[Decision, ...] = ()
    edits: tuple[ProposedEdit, ...] = ()
    offered: tuple[str, ...] = ()
    changed: bool = False
    compared: Compared | None = None
    comparison: str = ""
    old: Record | None = None
    has_baseline: bool = False
    fail_under: float | None = None
    flaky: bool = False
    attempts: Attempts | None = None
    asked: SentPrompt = UNKNOWN_PROMPT
    talk: tuple[Table, ...] = ()
    repeated: frozenset[str] = frozenset()
    as_run: AsRun | None = None
    sides: Sides | None = None
    beside: Beside | None = None
    assertions: Mapping[DataPath, bool | None] = MappingProxyType({})
    problem: str = ""
    adapter: Adapter | None = None
    view: View | None = None
    alone: bool = False

    @property
    def answer_to_take(self) -> str:
        """What of the answer takes the place of the expected one; empty for nothing."""
        record = self.record
        return "" if record is None or record.unanswered or record.doubtful else record.compared

    @property
    def first_failed(self) -> DataPath | None:
        """Where the first assertion is that failed, of a set that failed the first of its members that did."""
        failed = [path for path, passed in self.assertions.items() if passed is False]
        first = min(failed, key=len, default=())
        inside = (path for path in failed if path[: len(first)] == first != path)
        return next(inside, first) or None


def record_alone(review: ReviewSession) -> Shown:
    """Return what is known of the current place without a look at its sample; nothing where it is no record."""
    alone = Shown(alone=True, has_baseline=review.baseline is not None)
    if not isinstance(review.current, int):
        return alone
    try:
        record = review.record(review.current)
    except ResultsError as error:
        return alone._replace(problem=str(error))
    item = review.item
    return alone._replace(
        item=item,
        record=record,
        asked=SentPrompt(record.asked),
        decisions=review.log.seen_by(review.options.reviewer, item.entry.digest),
        fail_under=review.options.fail_under,
        adapter=(adapter := review.results.read_by(record.data)),
        view=None if adapter is None else review.views.get(adapter.name),
    )
