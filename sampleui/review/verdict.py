"""What a reviewer decides about a record."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sampleui.errors import ResultsError
from sampleui.settings.reviewers import is_program
from sampleui.text.visible import one_line

if TYPE_CHECKING:  # the log is imported by small processes that must start at once
    from sampleui.formats.data import Table


class Verdict(StrEnum):
    """The verdicts, in the order of their keys, which count from 1."""

    MODEL_WRONG = "model-wrong"
    EXPECTED_WRONG = "expected-wrong"
    GRADER_WRONG = "grader-wrong"
    FLAKY = "flaky"
    OK = "ok"
    SKIP = "skip"

    @property
    def key(self) -> str:
        """The key that gives this verdict: `1` for the first."""
        return str(list(Verdict).index(self) + 1)

    @property
    def meaning(self) -> str:
        """What the verdict says, in words."""
        return _FACTS[self].meaning

    @property
    def route(self) -> str:
        """What is to be done now, in words."""
        return _FACTS[self].route

    @property
    def decides(self) -> bool:
        """Whether it says something of the record: to skip one is not to decide it."""
        return _FACTS[self].decides

    @property
    def lasts(self) -> bool:
        """Whether it holds for the same answer in a later run as well."""
        return _FACTS[self].lasts


class _Facts(NamedTuple):
    """What a verdict means, where its record goes, and what else it says.

    Attributes:
        meaning: what it says, in words.
        route: what is to be done now, in words.
        is_right: whether the answer is right; None if it does not say.
        passes: whether a record passes that nobody graded; None if it says neither.
        decides: whether it says something of the record.
        lasts: whether it holds for the same answer in a later run.
    """

    meaning: str
    route: str
    is_right: bool | None = None
    passes: bool | None = None
    decides: bool = True
    lasts: bool = True


_FACTS = {
    Verdict.MODEL_WRONG: _Facts(
        "the answer is wrong", "goes to whoever works on the model or its prompt", is_right=False, passes=False
    ),
    Verdict.EXPECTED_WRONG: _Facts(
        "the answer is right, the sample expects the wrong thing", "fix the sample in its deck", is_right=True
    ),
    Verdict.GRADER_WRONG: _Facts("the grader scored it wrongly", "goes to whoever works on the grader"),
    Verdict.FLAKY: _Facts(
        "it passes on one run and fails on the next", "run it again before it counts", lasts=False
    ),
    Verdict.OK: _Facts("the answer is fine", "nothing to do", is_right=True, passes=True),
    Verdict.SKIP: _Facts("not decided", "set aside, left to another reviewer", decides=False, lasts=False),
}


def answer_right(outcome: bool | None, verdict: Verdict) -> bool | None:
    """Tell whether a verdict says that the answer is right; None if it does not say.

    A grader that was wrong says the contrary of what it said, where that is known.
    """
    if verdict is Verdict.GRADER_WRONG:
        return None if outcome is None else not outcome
    return _FACTS[verdict].is_right


def passes_by(verdict: Verdict | None) -> bool | None:
    """Return whether a verdict on a record that nobody graded passes it; None where it says neither."""
    return None if verdict is None else _FACTS[verdict].passes


class LogAction(StrEnum):
    """What a line of the log does: decide, settle, note, label, define a code, propose, refuse, or take back.

    What a program proposes is no decision of anyone: it is shown and counts nowhere until a person takes it. What
    defines a code is about no record: it keeps the words of a definition.
    """

    DECIDE = "decide"
    ADJUDICATE = "adjudicate"
    NOTE = "note"
    LABEL = "label"
    DEFINE = "define"
    PROPOSE = "propose"
    REFUSE = "refuse"
    UNDO = "undo"


class LabelValue(StrEnum):
    """Whether a record fails in the way of a code."""

    YES = "yes"
    NO = "no"
    UNSURE = "cannot say"


def person(reviewer: str, results: Path) -> str:
    """Return the name of a reviewer who decides about results.

    Raises:
        ResultsError: if it is that of a program.
    """
    if is_program(reviewer):
        raise ResultsError(
            f"{reviewer} is a program, which proposes by `sampleui verdict`: a person reviews", results
        )
    return reviewer


def now() -> str:
    """Return the time as decisions note it."""
    return time_of(datetime.now(UTC))


def time_of(moment: datetime) -> str:
    """Return a moment in UTC as decisions note it: always as long, so that times sort as texts."""
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def new_id() -> str:
    """Return an id that no other decision has."""
    return os.urandom(8).hex()


class NotePlace(NamedTuple):
    """What in a record a note is about.

    Attributes:
        part: `answer`, `turn` or `event`.
        number: which turn of what was asked, or which event of the trace, from 0; None for the answer.
        quote: the words that it is about; empty for all of it.
        start, end: where these are in the answer or in the text of the turn; None where they are not.
    """

    part: str
    number: int | None = None
    quote: str = ""
    start: int | None = None
    end: int | None = None

    def __str__(self) -> str:
        """Return it in words: `turn 2: “no”`."""
        where = self.part if self.number is None else f"{self.part} {self.number + 1}"
        return f"{where}: “{one_line(self.quote, 200)}”" if self.quote else where

    @property
    def data(self) -> Table:
        """It as the JSON object that logs and commands have."""
        return {key: value for key, value in self._asdict().items() if value not in (None, "")}


PARTS = frozenset({"answer", "turn", "event"})

_WHAT = {LogAction.NOTE: "a note", LogAction.REFUSE: "a proposal"}
_MANNERS = {LogAction.ADJUDICATE: "adjudicated ", LogAction.PROPOSE: "proposed "}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One line of the log.

    Attributes:
        id: unique over all logs: 16 hex digits.
        time: UTC, ISO 8601 with microseconds.
        record: the digest of the record it is about.
        record_id: the record's id, for people.
        sample: the id of the sample.
        sample_hash: `sample_digest` of the sample at that time, None when no deck was at hand.
        answer: `answer_digest` of the record, None in logs that were written before there was one.
        target: who answered, empty where the file does not say; likewise.
        same: the digest by which it holds for a later run (`travelling_digest`); None where that is not known.
        verdict: None when it undoes or refuses, in a note, and where a program proposes a comment alone.
        place: what in the record a note or a label is about; None for the record.
        tags: kinds of failure, in lines of earlier versions: each is a label.
        code: the kind of failure that a label or a definition is about; None for neither.
        label: whether the record fails so; None where it is no label.
        definition: the version of the code's definition that it is of, as `Code.digest` has it.
        drawn: the id of the pass in which a label was given, whose records are drawn at random; None for a record
            that was searched for, or was suggested by a program (`proposal`).
        note: the id of the note that a label puts under its code; None for none.
        formerly: the code that a proposed one is to stand for; None for a new one.
        undoes: the id of the decision it takes back, or of the note that it stands for; None for neither.
        proposal: the id of the proposal of a program that it takes or refuses; None for none.
        proposed_by: the program whose proposal that is.
        step: the id of the first of several decisions that were made as one and are taken back as one; None for one
            that was made alone, and for the first.
        carried: whether it was made on an earlier run; no line of a log says so.
    """

    reviewer: str
    record: str
    record_id: str
    sample: str
    sample_hash: str | None = None
    answer: str | None = None
    target: str | None = None
    same: str | None = None
    verdict: Verdict | None = None
    comment: str = ""
    place: NotePlace | None = None
    tags: tuple[str, ...] = ()
    code: str | None = None
    label: LabelValue | None = None
    definition: str | None = None
    drawn: str | None = None
    note: str | None = None
    formerly: str | None = None
    kind: LogAction = LogAction.DECIDE
    undoes: str | None = None
    proposal: str | None = None
    proposed_by: str | None = None
    step: str | None = None
    carried: bool = False
    time: str = field(default_factory=now)
    id: str = field(default_factory=new_id)

    @property
    def decides(self) -> bool:
        """Whether it says something of the record: what sets it aside, undoes or refuses does not."""
        return self.verdict is not None and self.verdict.decides

    @property
    def verdict_words(self) -> str:
        """The verdict, and how it was given where that was not as one reviewer's own: `adjudicated ok`."""
        by = f", proposed by {one_line(self.proposed_by, 40)}" if self.proposed_by is not None else ""
        what = _WHAT.get(self.kind, "a comment")
        if self.code is not None:
            shown = one_line(self.code, 80)
            what = f"the code {shown}" if self.label is None else f"{self.label} for {shown}"
            what += f" in place of {one_line(self.formerly, 80)}" if self.formerly is not None else ""
        about = f" on {self.place}" if self.place is not None else ""
        return f"{_MANNERS.get(self.kind, '')}{self.verdict or what}{about}{by}"

    @property
    def tag_labels(self) -> Iterator[Decision]:
        """The labels that its tags are, as logs of earlier versions have them: of no definition."""
        for tag in self.tags:
            label = replace(self, id=f"{self.id}:{tag}", kind=LogAction.LABEL, verdict=None, tags=(), comment="")
            yield replace(label, code=tag, label=LabelValue.YES, definition="", step=self.step or self.id)


class RecordView(NamedTuple):
    """What is said of a record beside the decision that counts in a queue.

    Attributes:
        said: the decisions, notes, labels and proposals that the reviewer may see, or all where nobody looks.
        waiting: what programs proposed that waits for the reviewer, be it a comment alone.
        disputed: whether reviewers decided it differently and nobody has settled it: then it is not decided yet,
            whether one decided about it oneself or not.
        codes: the codes by which it fails, as far as that may be seen.
        noted: whether the reviewer wrote a note on it or labelled it, or anyone did where nobody looks.
    """

    said: tuple[Decision, ...] = ()
    waiting: tuple[Decision, ...] = ()
    disputed: bool = False
    codes: tuple[str, ...] = ()
    noted: bool = False

    @property
    def comments(self) -> tuple[str, ...]:
        """What was said of it in words."""
        return tuple(decision.comment for decision in self.said if decision.comment)

    @property
    def proposed(self) -> Verdict | None:
        """The verdict that a program proposed and that waits for the reviewer; None for none."""
        return next((item.verdict for item in reversed(self.waiting) if item.verdict is not None), None)


class ProposalState(StrEnum):
    """What became of a proposal.

    It waits (`open`), a person took or refused it, its program took it back or proposed something else instead
    (`withdrawn`), or a person decided about the record without a word of it (`passed over`).
    """

    OPEN = "open"
    TAKEN = "taken"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    PASSED_OVER = "passed over"


ProposalSubject: TypeAlias = tuple[str, str | NotePlace | None, str | None]
"""What a line says something of beside its record: `verdict`, `label` or `code` with a code's name, or `place`.

The last is the code that another is to stand in place of.
"""


def subject_of(decision: Decision) -> ProposalSubject:
    """Return what a line is about, of which a later one of the same program takes the place of an earlier one."""
    if decision.formerly is not None:
        return "code", None, decision.formerly
    if decision.code is not None:
        return "code" if decision.label is None else "label", decision.code, None
    about_all = decision.verdict is not None or decision.place is None
    return ("verdict", None, None) if about_all else ("place", decision.place, None)


def proposed_content(decision: Decision) -> tuple[object, ...]:
    """Return what a line says, and by whom: two proposals are one if that is the same."""
    about = (decision.reviewer, decision.record, decision.verdict, decision.comment, decision.place, decision.tags)
    return (*about, decision.code, decision.label, decision.definition, decision.formerly)


def travelling_digest(
    answer: str | None, values: str | None, target: str | None, outcome: str | None, verdict: Verdict | None
) -> str | None:
    """Return the digest by which a decision holds for the same answer of a later run; None where a part is unknown.

    Args:
        answer: the digest of the sample's id and of the answer to it.
        values: that of the values that the sample was run with, or else had in its deck; empty for neither.
        target: who answered, empty in a file that names no target.
        outcome: how the record came out, which counts where the verdict is about the grader.
        verdict: what was decided; that a sample is flaky is said of any answer to it.
    """
    if not (answer and values) or target is None:
        return None
    import hashlib

    said = None if verdict is Verdict.FLAKY else answer
    parts = (said, values, target, outcome if verdict is Verdict.GRADER_WRONG else None)
    return hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def sample_digest(data: Table) -> str:
    """Return a digest of a sample's values, however its file formats them: 16 hex digits."""
    import hashlib

    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def is_stale(decision: Decision, sample_hash_now: str | None) -> bool:
    """Tell whether the sample has changed since the decision. Unknown where either hash is."""
    return None not in (decision.sample_hash, sample_hash_now) and decision.sample_hash != sample_hash_now
