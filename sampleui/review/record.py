"""What a run answered to one sample: the facts that a queue needs, and the whole record."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import fsum
from typing import NamedTuple, TypeAlias

from sampleui.formats.data import DataPath, Plain, Table, texts_in
from sampleui.sample.message import thinking_answer
from sampleui.sample.tokens import Tokens
from sampleui.text.diagnostic import Diagnostic
from sampleui.text.wording import ELLIPSIS, counted, dollars, shown_ms, text_begun_by

try:
    from _blake2 import blake2b  # the one that hashlib has, without the OpenSSL that hashlib loads
except ImportError:
    from hashlib import blake2b

MAX_SCORE = 1 + 1e-9
"""The best score on the scale that `FAIL_UNDER` is of, with what adding up of parts may lose."""

FAIL_UNDER = 0.8
"""The score under which a record fails where its file and its reviewer name none."""

REMARK = "person"
"""The type of what a person said of a record, without a score or a verdict."""

CaseKey: TypeAlias = tuple[str | None, str | None, str]
"""A deck, a suite, and the id of a sample."""

Identity: TypeAlias = tuple[str | None, str | None, str, str | None, int | None]
"""A case, who answered it, and in which attempt."""


def hashed(data: bytes | memoryview) -> str:
    """Return a digest of bytes: 16 hex digits."""
    return blake2b(data, digest_size=8).hexdigest()


def value_digest(value: Plain) -> str:
    """Return a digest of a value."""
    text = json.dumps(_whole_numbers(value), sort_keys=True, separators=(",", ":"), default=str)
    return hashed(text.encode())


def digest_of(value: Plain) -> str | None:
    """Return a digest of a value that a row may lack, None for one that it lacks; most are texts, and quick."""
    if isinstance(value, str):
        return hashed(value.encode("utf-8", "surrogatepass"))
    return None if value is None else value_digest(value)


def _whole_numbers(value: Plain) -> Plain:
    """Return a value with 1.0 as 1, since JavaScript writes both alike."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    return [_whole_numbers(item) for item in value] if isinstance(value, list) else value


def join_key(path: DataPath, value: Plain) -> str:
    """Return the key of a value at a path of a sample; a row that repeats the value is about that sample."""
    return f"{'.'.join(map(str, path))}:{value_digest(value)}"


class Grade(NamedTuple):
    """What one evaluator gave, in short.

    Attributes:
        verdict: `pass`, `borderline` or `fail`; None if it does not say.
        bounded: whether its score is from 0, the worst, to 1, the best, so that a threshold applies to it.
        by_person: whether a person gave it afterwards: it may decide, and is no figure of an evaluator.
        excused: whether the record would have come out the same without it, though it says `fail`: it is one of
            several of which its tool asks for fewer.
        setup: a digest of its settings, a threshold or arguments; None if the row does not say them.
    """

    name: str
    score: float | None
    verdict: str | None
    bounded: bool = True
    by_person: bool = False
    excused: bool = False
    setup: str | None = None


class Assertion(NamedTuple):
    """One thing an evaluator looked for. `passed` is None if the file does not say."""

    text: str
    passed: bool | None
    evidence: str | None


class EvaluatorScore(NamedTuple):
    """What one evaluator gave, in full.

    Attributes:
        grader_input: what it was given to grade, as the file says it: a request, a text or a table.
        details: what it answered beside its score.
        bounded: as of a `Grade`.
        by_person: likewise.
    """

    name: str
    type: str | None
    score: float | None
    verdict: str | None
    reasoning: str | None
    assertions: tuple[Assertion, ...]
    grader_input: Plain = None
    details: Plain = None
    bounded: bool = True
    by_person: bool = False


class AnswerFile(NamedTuple):
    """A file of an answer that consists of files.

    Attributes:
        name: its path below the folder of the answer, by which the same file of another answer is found.
        size: its bytes.
        path: its path from the folder that the paths of the run are counted from; empty where that is not known.
        text: what it says; None where that is not shown.
        note: why not, where there is something to be said of it.
    """

    name: str
    size: int
    path: str = ""
    text: str | None = None
    note: str = ""

    @property
    def suffix(self) -> str:
        """How its name ends, in small letters, without the dot."""
        return self.name.rpartition("/")[2].rpartition(".")[2].lower() if "." in self.name else ""

    @property
    def told(self) -> str:
        """Its name, size and kind in a line."""
        kind = _FILE_KINDS.get(self.suffix, self.suffix or "a file")
        return f"{self.name} · {counted(self.size, 'byte')} · {kind}" + (f" · {self.note}" if self.note else "")


_FILE_KINDS = {"md": "Markdown", "markdown": "Markdown", "csv": "CSV", "tsv": "TSV", "json": "JSON", "txt": "text"}


def _interned(grade: Grade) -> Grade:
    return grade._replace(name=sys.intern(grade.name), verdict=grade.verdict and sys.intern(grade.verdict))


class SampleDigests(NamedTuple):
    """The digests of what a row repeats of its sample; None for what it does not.

    Attributes:
        asked: for what the sample asked.
        expected: for what the answer was judged by: other assertions or another answer make another digest.
    """

    asked: str | None = None
    expected: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The facts of a record that lists, filters and counts need; kept for every record of a file.

    An adapter reads it from a row; what only the file knows (`index`, `id`, `line`, `digest`) is added by `placed`.

    Attributes:
        index: its place in the file, from 0, malformed rows not counted.
        id: unique in the file: the sample's id, with `#2`, `#3`, … if several records answer the same sample.
        sample_id: the id of the sample it answers.
        line: the 1-based line it starts on.
        digest: 16 hex digits, made of the record's content; a verdict is about this content.
        score: as the file gives it: from 0 to 1, or on the grader's own scale where that is under test.
        truth_score: what a person had scored before the run, on the scale of `score`.
        error: why there is no answer, in one line.
        verdict: `fail` when the record or one of its evaluators says so, or else what the record itself says.
        grades: what each evaluator gave, in short.
        target: the model, agent or grader that answered.
        attempt: which of several attempts at a sample by one target it is, as the file counts them; None if it does
            not say.
        source: the deck that was run, as the file names it; None if it does not say.
        suite: the name of the suite, if the file gives one.
        outcome: whether it passed, as its runner says; None if the runner leaves it to the reader.
        trials: how many of its attempts passed, and of how many, of a row that stands for several.
        join_keys: the keys of values that it repeats of its sample, to find a sample that no id identifies.
        position: which of the deck's samples it answers, from 0, if the file counts them.
        decider: the name of the evaluator that alone decides whether it passed, whatever the others gave: the one
            that was asked for, or the first where a runner has several and says nothing itself. None if there is
            none.
        outcome_unclear: whether what it says contradicts itself, or is a grade of a scale that nobody named, so
            that it neither passed nor failed.
        averaged: whether its score is the mean of those of its evaluators.
        bounded: whether its score is from 0 to 1, as of a `Grade`.
        judged: whether its outcome is what people found, since its run does not say it; see `people.py`.
        asked_digest: of what the sample asked, as the row repeats it; None if it does not.
        expected_digest: of what the answer was judged by, likewise: other assertions or another answer
            are another expectation.
        told: what is told of it in a few words where it has no score, the most important first.
    """

    sample_id: str
    score: float | None
    index: int = -1
    id: str = ""
    line: int = 0
    digest: str = ""
    truth_score: float | None = None
    error: str | None = None
    verdict: str | None = None
    grades: tuple[Grade, ...] = ()
    tags: tuple[str, ...] = ()
    target: str | None = None
    attempt: int | None = None
    source: str | None = None
    suite: str | None = None
    outcome: bool | None = None
    trials: tuple[int, int] | None = None
    join_keys: tuple[str, ...] = ()
    position: int | None = None
    decider: str | None = None
    outcome_unclear: bool = False
    averaged: bool = False
    bounded: bool = True
    judged: bool = False
    asked_digest: str | None = None
    expected_digest: str | None = None
    told: tuple[str, ...] = ()

    def placed(self, index: int, record_id: str, line: int, digest: str, digests: SampleDigests) -> Entry:
        """Return the entry at its place in a file; strings that recur there are held once for all entries."""
        return replace(
            self,
            index=index,
            id=record_id,
            line=line,
            digest=digest,
            asked_digest=digests.asked,
            expected_digest=digests.expected,
            verdict=self.verdict and sys.intern(self.verdict),
            grades=tuple([_interned(grade) for grade in self.grades]),
            tags=tuple([sys.intern(tag) for tag in self.tags]),
            target=self.target and sys.intern(self.target),
            source=self.source and sys.intern(self.source),
            suite=self.suite and sys.intern(self.suite),
        )

    @property
    def case(self) -> CaseKey:
        """What was run: the sample, of which deck and suite."""
        return self.source, self.suite, self.sample_id

    @property
    def identity(self) -> Identity | None:
        """What tells records apart that answer one sample; None if the file does not say who answered.

        Two records of one identity are one: the later one is the rerun of the earlier.
        """
        if self.target is None and self.attempt is None:
            return None
        return *self.case, self.target, self.attempt


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What an answer took, and when it was given.

    Attributes:
        cost_usd: US dollars.
        latency_ms: milliseconds.
        timestamp: as the file writes it; a number as ISO 8601.
    """

    cost_usd: float | None = None
    latency_ms: float | None = None
    tokens: Tokens | None = None
    timestamp: str | None = None


@dataclass(frozen=True, kw_only=True)
class Details:
    """What a record says beside the facts of its entry: the answer, and how it was judged.

    Attributes:
        hits: what was found, in words; of the assertions that passed, if the file lists no hits.
        misses: what was not, and made it fail by the rule of its tool.
        actual: the answer; empty if there is none.
        files: the files that the answer consists of; `actual` is what they say then, below each other.
        more_files: whether there are more files than these, so that one that is not among them may be there.
        whole: the answer as graders see it, where `actual` is without what that has more: blanks at its end, or
            what the model thought.
        extracted: the part of the answer that the graders who failed it compared; empty if that was all of it.
        expected: what should have been answered, where the record itself says so.
        wanted: all that the record says the answer was compared with, where that is several things.
        any_of: the answers that it says were expected, where any of several would do.
        failed_by: of what the answer was compared with, that by which it failed; None if it did not fail, or does
            not say.
        asked: the messages that were sent, where its file says so in a place of its own.
        sample_messages: the messages of its sample alone, where the run says them and what it added to them.
        done: the messages of what was done, where they stand elsewhere than the trace looks for them.
    """

    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    reasoning: str | None = None
    actual: str = ""
    files: tuple[AnswerFile, ...] = ()
    more_files: bool = False
    whole: str = ""
    extracted: str = ""
    expected: str | None = None
    wanted: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    failed_by: tuple[str, ...] | None = None
    evaluators: tuple[EvaluatorScore, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    asked: tuple[Table, ...] = ()
    sample_messages: tuple[Table, ...] = ()
    done: tuple[Table, ...] = ()


class ParsedRow(NamedTuple):
    """A row as its tool means it. What a list of records can do without is read when it is asked for.

    Attributes:
        entry: its facts, not yet placed in the file; None if it is no result, such as a row without an id.
        usage: returns what the answer took.
        details: returns everything else.
        digests: returns the digests of what it repeats of its sample, by which two runs are compared.
        repeated: returns the keys of values that it repeats of its sample, beside those that the entry has.
    """

    entry: Entry | None = None
    usage: Callable[[], Usage] = Usage
    details: Callable[[], Details] = Details
    digests: Callable[[], SampleDigests] = SampleDigests
    repeated: Callable[[], tuple[str, ...]] = tuple

    @property
    def joined(self) -> Entry | None:
        """The facts by which a sample is found as well: with the keys of all values that it repeats of that."""
        entry = self.entry
        repeated = () if entry is None else self.repeated()
        return entry if entry is None or not repeated else replace(entry, join_keys=entry.join_keys + repeated)

    @property
    def listed(self) -> Entry | None:
        """The facts that lists have; of an error without the scores that its runner wrote all the same.

        There was no answer that could have been scored. What lists need of `usage` is added here, of all tools.
        """
        entry = self.joined
        return entry if entry is None or entry.error is None else replace(entry, score=None, grades=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Entry, Usage, Details):
    """A whole record.

    Attributes:
        data: the row as the file gives it, files it points to included, for the trace; not to be changed.
        notes: what could not be read for it.
        lost: whether its answer is not kept: another record's run wrote over its file, or that cannot be read.
        doubtful: whether its answer may be that of another record, since several name the same files.
    """

    data: Table
    notes: tuple[Diagnostic, ...] = ()
    lost: bool = False
    doubtful: bool = False

    @property
    def expects(self) -> str | None:
        """What should have been answered: where it failed, by that; in words where there are several answers."""
        if self.any_of:
            return any_of_words(self.any_of)
        return self.expected if self.failed_by is None else next(iter(self.failed_by), None)

    @property
    def thinking_answer(self) -> Table:
        """Its answer as a message with what its model thought before; empty where nothing is known of that."""
        row, beside = self.data, self.data.get("reasoning")
        reasons = [words for words in (self.reasoning, *(item.reasoning for item in self.evaluators)) if words]
        if beside is not None and (not isinstance(beside, str) or any(beside in words for words in reasons)):
            row = {**row, "reasoning": None}  # a grader's
        return thinking_answer(row, self.whole or self.actual)

    @property
    def rated(self) -> bool | None:
        """Whether it passes as a person rated it in the tool that ran it; None if nobody did."""
        ratings = [item for item in self.evaluators if item.by_person and self.decider in (None, item.name)]
        contents = (was_content(rating, None) for rating in reversed(ratings))
        return next((content for content in contents if content is not None), None)

    @property
    def remarks(self) -> tuple[EvaluatorScore, ...]:
        """What people said of it in words alone, as its run keeps that."""
        return tuple(item for item in self.evaluators if item.type == REMARK)

    @property
    def compared(self) -> str:
        """The part of the answer that would have to be expected for it to be right."""
        return self.extracted or self.actual

    @property
    def unanswered(self) -> str:
        """Why there is no answer that could be compared or taken, in words; empty if there is one.

        Whatever a file puts in the place of an answer where there was an error is none.
        """
        if self.lost:
            return "; ".join(("its answer is not kept", *(note.message for note in self.notes)))
        if self.error is not None:
            return f"no answer: {self.error}"
        return "" if self.actual else "no answer"

    @property
    def whole_error(self) -> str:
        """The text of its error as the file has it, where `error` is cut; else empty."""
        is_cut = self.error is not None and self.error.endswith(ELLIPSIS)
        return text_begun_by(self.error, texts_in(self.data)) if self.error is not None and is_cut else ""


def mean_of(grades: Iterable[Grade | EvaluatorScore]) -> float | None:
    """Return the mean of the scores that are from 0 to 1; None if there are none."""
    scores = [grade.score for grade in grades if grade.bounded and grade.score is not None]
    return fsum(scores) / len(scores) if scores else None


def any_of_words(answers: Sequence[str]) -> str:
    """Return in words that any of several answers is right."""
    return f"any of: {' · '.join(answer.strip() for answer in answers)}"


def all_of_words(answers: Sequence[str]) -> str:
    """Return in words that only several answers together are right."""
    return f"all of: {' · '.join(answer.strip() for answer in answers)}"


def passed(entry: Entry, fail_under: float | None = None) -> bool | None:
    """Tell whether a record passed; None where nothing says how it came out.

    An error fails. Then the evaluator decides that is asked to (`Entry.decider`): by its verdict, or by its score
    where that is on the scale from 0 to 1. Else a record passes or fails as its runner says. Where that leaves it
    open: a score that differs from the truth if there is one, a verdict `fail` of the record or of one of its
    evaluators, a score from 0 to 1 that is under `FAIL_UNDER`, or else an evaluator that was not content. A score
    on a scale that is not known leaves it to verdicts: a number beside it need not be good at 1.

    Args:
        entry: the record.
        fail_under: the threshold that a reader asked for. It rules over what the runner says of a score; an error
            and a missed truth stay what they are.
    """
    if entry.error is not None:
        return False
    if entry.outcome_unclear:
        return None
    if entry.decider is not None:
        grade = deciding_grade(entry)
        return None if grade is None else grade.verdict != "fail" and was_content(grade, fail_under)
    if entry.truth_score is not None:
        return entry.score == entry.truth_score
    if entry.outcome is not None:
        if fail_under is None or entry.score is None:
            return entry.outcome
        return entry.score >= fail_under
    if entry.verdict == "fail":
        return False
    if entry.score is not None and (fail_under is not None or (entry.bounded and on_scale(entry.score))):
        return entry.score >= (FAIL_UNDER if fail_under is None else fail_under)
    if entry.verdict is not None:
        return True
    grades = [grade for grade in entry.grades if grade.verdict is not None or entry.score is None]
    contents = [content for grade in grades if (content := content_of(entry, grade, fail_under)) is not None]
    return all(contents) if contents else None


def passed_by_score(entry: Entry) -> bool:
    """Tell whether, of all that `passed` asks, only a score from 0 to 1 says how a record came out."""
    silent = entry.error is None and entry.truth_score is None and entry.outcome is None and entry.verdict is None
    return silent and entry.score is not None and entry.bounded and on_scale(entry.score)


def line_words(fail_under: float | None) -> str:
    """Return the threshold in words that say whose it is: this program's own where nobody asked for one."""
    return f"sampleui's {FAIL_UNDER:g}" if fail_under is None else f"{fail_under:g}"


def on_scale(score: float) -> bool:
    """Tell whether a score may be on the scale from 0, the worst, to 1, the best."""
    return 0 <= score <= MAX_SCORE


def failed(entry: Entry, fail_under: float | None = None) -> bool:
    """Tell whether a record failed, as `passed` has it."""
    return passed(entry, fail_under) is False


def ungraded(entry: Entry, fail_under: float | None = None) -> bool:
    """Tell whether nothing says how a record came out: it neither passed nor failed, as `passed` has it."""
    return passed(entry, fail_under) is None


def deciding_grade(entry: Entry) -> Grade | None:
    """Return what the evaluator gave that decides about a record, None if there is none or it gave nothing."""
    return next((grade for grade in entry.grades if grade.name == entry.decider), None)


def telling_names(entries: Iterable[Entry]) -> dict[int, str]:
    """Return what records are called for people, by index: several of one sample by what tells them apart.

    That is the target and the attempt, behind the id by which commands know them.
    """
    by_case: dict[CaseKey, list[Entry]] = {}
    for entry in entries:
        by_case.setdefault(entry.case, []).append(entry)
    return {entry.index: _telling_name(entry, among) for among in by_case.values() for entry in among}


def _telling_name(entry: Entry, among: Sequence[Entry]) -> str:
    several_targets = len({other.target for other in among}) > 1
    several_attempts = len({other.attempt for other in among}) > 1
    target = entry.target if several_targets else None
    attempt = f"attempt {entry.attempt}" if several_attempts and entry.attempt is not None else None
    facts = ", ".join(filter(None, (target, attempt)))
    return f"{entry.id} ({facts})" if facts else entry.id


class Outcome(StrEnum):
    """How a record came out."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    UNGRADED = "ungraded"


SIGNS: Mapping[Outcome, str] = {
    Outcome.PASSED: "✓",
    Outcome.FAILED: "✖",
    Outcome.ERROR: "!",
    Outcome.UNGRADED: "–",
}
"""A sign for each outcome."""


def outcome_of(entry: Entry | None, fail_under: float | None = None) -> Outcome:
    """Return how a record came out. It is ungraded if nothing is known that says so."""
    passes = None if entry is None else passed(entry, fail_under)
    if entry is None or passes is None:
        return Outcome.UNGRADED
    if entry.error is not None:
        return Outcome.ERROR
    return Outcome.PASSED if passes else Outcome.FAILED


def failing_evaluators(entry: Entry, fail_under: float | None = None) -> tuple[str, ...]:
    """Return the names of the evaluators that said `fail` or gave a score under the threshold.

    Where a truth is known, an evaluator fails that missed it: its scale is its own and no threshold applies.
    """
    return tuple(grade.name for grade in entry.grades if content_of(entry, grade, fail_under) is False)


def content_of(entry: Entry, grade: Grade | EvaluatorScore, fail_under: float | None) -> bool | None:
    """Tell whether an evaluator was content with a record; None if it did not say.

    One that is tested was, if it is right. A score without a verdict is held against `FAIL_UNDER` only where
    nothing else says how the record came out: beside a runner's word, a verdict or a scorer that decides it is a
    number.
    """
    if entry.truth_score is not None:
        return grade.score == entry.truth_score
    if fail_under is None and grade.verdict not in _VERDICTS and grade.name != entry.decider and _is_told(entry):
        return None
    return was_content(grade, fail_under)


_VERDICTS = ("pass", "fail")


def _is_told(entry: Entry) -> bool:
    """Tell whether anything but scores says how a record came out."""
    said = (entry.outcome, entry.verdict, entry.decider) != (None, None, None)
    return said or any(grade.verdict in _VERDICTS and not grade.by_person for grade in entry.grades)


def missed(grade: Grade | EvaluatorScore, fail_under: float | None = None) -> bool:
    """Tell whether an evaluator was not content: by the threshold asked for, else by its verdict, else by 0.8."""
    return was_content(grade, fail_under) is False


def was_content(grade: Grade | EvaluatorScore, fail_under: float | None) -> bool | None:
    """Tell whether an evaluator was content; None if it did not say, or its scale is not known."""
    score = grade.score if grade.bounded and grade.score is not None and on_scale(grade.score) else None
    if score is not None and fail_under is not None:
        return score >= fail_under
    if grade.verdict in ("pass", "fail"):
        return grade.verdict == "pass"
    return None if score is None else score >= FAIL_UNDER


def by_default(entry: Entry) -> bool:
    """Tell whether an evaluator's score was held against `FAIL_UNDER`, where nobody asked for a threshold."""
    if entry.error is not None or entry.truth_score is not None:
        return False
    silent = (grade for grade in entry.grades if grade.verdict not in _VERDICTS and not grade.by_person)
    return any(content_of(entry, grade, None) is not None for grade in silent)


def contentment(evaluator: EvaluatorScore, record: Record, fail_under: float | None = None) -> bool | None:
    """Tell whether an evaluator was content with a record; None if nothing says it, which is not a pass."""
    return content_of(record, evaluator, fail_under)


def measures(record: Record) -> str:
    """Return cost, latency and tokens in few words; empty if nothing is known."""
    parts = []
    if record.tokens is not None:
        each = (record.tokens.input, record.tokens.output)
        known = (record.tokens.total,) if each == (None, None) else each
        parts.append(f"{' → '.join('?' if count is None else f'{count:,}' for count in known)} tokens")
    if record.latency_ms is not None:
        parts.append(shown_ms(record.latency_ms))
    if record.cost_usd is not None:
        parts.append(dollars(record.cost_usd))
    return " · ".join(parts)


def why_failed(entry: Entry, fail_under: float | None = None) -> tuple[str, ...]:
    """Return the reasons why a record failed, in words, the gravest first; empty when it did not fail."""
    if not failed(entry, fail_under):
        return ()
    if entry.error is not None:
        return (f"error: {entry.error}",)
    if entry.truth_score is not None:
        if entry.score is None:
            return (f"no score, the truth is {entry.truth_score:g}",)
        return (f"score {entry.score:g} differs from the truth {entry.truth_score:g}",)
    return tuple(_reasons(entry, fail_under)) or ("its runner says so",)


def none_failed(entries: Sequence[Entry], fail_under: float | None = None) -> str:
    """Say what is known of records of which none failed. Those that nobody graded have not passed."""
    unknown = sum(ungraded(entry, fail_under) for entry in entries)
    if not entries:
        return "there are no records"
    if unknown == len(entries):
        return f"none of {counted(unknown, 'record')} is graded"
    return "no record failed" + (f"; {counted(unknown, 'record')} ungraded" if unknown else "")


def in_short(entry: Entry, fail_under: float | None = None) -> str:
    """Return why a record failed in few words, for a row; empty when it did not, or its score says it."""
    if not failed(entry, fail_under) or entry.truth_score is not None:
        return ""
    if entry.error is not None:
        return entry.error
    failing = (
        grade.name for grade in entry.grades if not grade.excused and content_of(entry, grade, fail_under) is False
    )
    named = entry.decider or ", ".join(failing)
    if fail_under is not None and entry.score is not None:
        too_low = f"{entry.score:g} < {fail_under:g}"
        return f"{too_low} by {named}" if named else too_low
    return named


def _reasons(entry: Entry, fail_under: float | None) -> Iterator[str]:
    """Yield what of the scorer that decides, or else of the record and all its evaluators, says that it failed."""
    grades, score, bounded = entry.grades, entry.score, fail_under is not None or entry.bounded
    if (grade := deciding_grade(entry)) is not None:
        grades, score, bounded = (grade,), grade.score, grade.bounded
    if named := [item.name for item in grades if item.verdict == "fail" and not item.excused]:
        yield f"verdict fail by {', '.join(named)}"
    elif entry.verdict == "fail":
        yield "verdict fail"
    if score is None:
        return
    if fail_under is None and entry.outcome is False and grade is None:
        yield f"score {score:g}, failed by its runner"
    elif bounded and score < (FAIL_UNDER if fail_under is None else fail_under):
        yield f"score {score:g} is under {line_words(fail_under)}"


def overall_verdict(verdict: str | None, grades: tuple[Grade, ...]) -> str | None:
    """Return `fail` when the record or an evaluator says so, or else what the record itself says."""
    return "fail" if any(grade.verdict == "fail" for grade in grades) else verdict
