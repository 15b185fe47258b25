"""Verdicts that hold for a later run too: what was decided about the same answer of the same target to a sample of
the same values, as it was run.

A decision refers to a record by its digest, which changes with every time and cost. Beside that it notes one digest
of what makes a record of a later run the same. It is carried over where both are known and agree, and never to an
earlier run. Where a part of either is not known it is offered, and does not count; so is one about the same answer
of another target.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.review.log.store import SUFFIX, Earlier, Log, Seat, log_path, open_log, results_of, seat_of
from sampleui.review.record import Entry, Record, hashed, outcome_of
from sampleui.review.results.evaluations import Relation, made_before, relation
from sampleui.review.results.file import Keeps, Results
from sampleui.review.results.record_names import stem_of
from sampleui.review.results.requests import sent
from sampleui.review.results.sources import canonical
from sampleui.review.verdict import Decision, LogAction, Verdict, is_stale, travelling_digest
from sampleui.text.confined import listed
from sampleui.text.limits import MAX_EARLIER_LOGS


def answer_digest(record: Record) -> str:
    """Return a digest of an answer to a sample: 16 hex digits."""
    return _digest(record.sample_id, record.actual, record.error)


def sameness(record: Record) -> str:
    """Return a digest of an answer, whatever was asked, or of an error; empty if there is neither."""
    if record.error is not None:
        return _digest("error", record.error)
    return _digest("answer", record.actual.strip()) if answer_known(record) else ""


def values_digest(record: Record, kept: object = None) -> str:
    """Return a digest of what a record says of its sample; empty if it says nothing.

    Args:
        record: the record.
        kept: what the run keeps of the sample beside its records, None for nothing.
    """
    values = (record.asked or sent(record.data), record.expected, record.wanted, record.join_keys, kept)
    return _digest(*values) if any(values) else ""


def answer_known(record: Record) -> bool:
    """Tell whether a record has an answer of its own: not missing, failed, or overwritten by another record's."""
    return bool(record.actual.strip()) and record.error is None and not record.lost and not record.doubtful


class RunSamples(NamedTuple):
    """What is known of the samples of records.

    Attributes:
        values: the digest of the values a record was run with, empty if that is not known.
        digest: the digest of its sample as the deck has it now, None if no deck has it.
        decks: the decks that were found.
    """

    values: Callable[[Record], str] = values_digest
    digest: Callable[[Entry], str | None] = lambda _: None
    decks: tuple[Path, ...] = ()


NO_DECKS = RunSamples()


def carry_over(results: Results, log: Log, samples: RunSamples = NO_DECKS) -> bool:
    """Carry decisions about other records over to the records of results, and tell whether there were any.

    The log is told: decisions of its own about records that are no more, and those of the logs beside it, count as
    made on an earlier run; as made here where that log is of another file of the same evaluation. Decisions of its
    own that count for nothing are its orphans.

    Raises:
        ResultsError: when the results cannot be read.
    """
    log.decks = samples.decks
    known = {entry.digest for entry in results.entries}
    unknown = [item for item in log.said if item.record not in known]
    runs = _RunsBeside(results, log.path)
    about = _by_sample((*runs.decisions(), *((decision, log.path) for decision in unknown)))
    found: dict[str, Earlier] = {}
    matched, flaky = set[str](), set[str]()
    for entry in results.counted if about else ():
        if entry.sample_id not in about:
            continue
        record, decisions = results.record(entry.index), about[entry.sample_id]
        facts = _Facts(record, samples.values(record), samples.digest(entry))
        unstable = (made for made in decisions if made.decision.verdict is Verdict.FLAKY)
        if any(facts.is_meant_by(made.decision) and runs.came_first(made) for made in unstable):
            flaky.add(entry.digest)
        answer = answer_digest(record) if answer_known(record) else None
        same = (made for made in decisions if answer and made.decision.answer == answer)
        if alike := [made for made in same if runs.may_count(made, record)]:
            known_here = [made for made in alike if facts.is_meant_by(made.decision) and runs.came_first(made)]
            found[entry.digest] = _earlier(alike, known_here, facts, runs)
            lasting = (made.decision for made in known_here if _lasts(made.decision))
            matched.update(decision.id for decision in lasting if not is_stale(decision, facts.sample))
    log.earlier, log.flaky = found, frozenset(flaky)
    log.orphans = tuple(decision for decision in unknown if decision.id not in matched)
    return bool(found or log.orphans or log.flaky)


def judged_log(results: Results, samples: RunSamples) -> Log:
    """Return the log of results that are indexed, with what was decided elsewhere about the same answers.

    Raises:
        ResultsError: when the log or the results cannot be read.
    """
    log = open_log(log_path(results.path))
    log.decks = samples.decks
    if has_earlier(log):
        carry_over(results, log, samples)
    return log


class _Made(NamedTuple):
    """A decision, and the log that it stands in."""

    decision: Decision
    log: Path


def _by_sample(made: Iterable[tuple[Decision, Path]]) -> dict[str, list[_Made]]:
    """Return decisions by the sample that they are about, in the order they were made."""
    about: dict[str, list[_Made]] = {}
    for item in sorted(made, key=lambda item: (item[0].time, item[0].id)):
        about.setdefault(item[0].sample, []).append(_Made(*item))
    return about


class _RunsBeside:
    """The runs of the logs beside one: what they are to its run, each looked at when a decision of it may count."""

    def __init__(self, results: Results, log: Path) -> None:
        self._results = results
        self._log = log
        self._relations: dict[Path, Relation] = {log: Relation.EARLIER}

    def decisions(self) -> Iterator[tuple[Decision, Path]]:
        """Yield what stands in the other logs."""
        for other in _sibling_logs(self._log):
            yield from ((made, other.path) for made in other.said)

    def relation(self, made: _Made) -> Relation:
        """Return what the run is that a decision was made on; one that is gone was there before the decision."""
        if made.log not in self._relations:
            self._relations[made.log] = relation(results_of(made.log), self._results)
        known = self._relations[made.log]
        before = known is Relation.UNKNOWN and made_before(made.decision.time, self._results)
        return Relation.EARLIER if before else known

    def came_first(self, made: _Made) -> bool:
        """Tell whether a decision is known to be of this evaluation or of an earlier one."""
        return self.relation(made) in (Relation.SAME, Relation.EARLIER)

    def may_count(self, made: _Made, record: Record) -> bool:
        """Tell whether a decision may be about a record: of no later run, and in one evaluation of that record."""
        known = self.relation(made)
        return made.decision.record_id == record.id if known is Relation.SAME else known is not Relation.LATER


class _Facts(NamedTuple):
    """A record, the digest of the values that it was run with, and of its sample as the deck has it now."""

    record: Record
    values: str
    sample: str | None

    def digest(self, verdict: Verdict | None, target: str | None = None) -> str | None:
        """Return the digest by which a verdict holds for it, or would if another target had answered."""
        record, answer = self.record, answer_digest(self.record)
        named = (record.target or "") if target is None else target
        return travelling_digest(answer, self.values or self.sample, named, outcome_of(record), verdict)

    def is_meant_by(self, decision: Decision) -> bool:
        """Tell whether a decision is known to be about the same sample, target and answer."""
        return decision.same is not None and decision.same == self.digest(decision.verdict)

    def may_be_meant_by(self, decision: Decision) -> bool:
        """Tell whether a decision may be about the same sample: that is not known, or another target answered."""
        if decision.same is None or self.digest(decision.verdict) is None:
            return True
        return decision.same == self.digest(decision.verdict, decision.target)


def _earlier(alike: Sequence[_Made], known: Sequence[_Made], facts: _Facts, runs: _RunsBeside) -> Earlier:
    """Return what decisions about the same answer, in the order they were made, say of a record.

    `known` are those that are known to be about its sample and target, and to have come first.
    """
    said = [made for made in known if made.decision.kind in _WORDS]
    same = [made for made in known if made.decision.kind not in _WORDS]
    others = [made.decision for made in alike if made not in known and facts.may_be_meant_by(made.decision)]
    ended = [made for made in alike if made in same or _ends(made.decision, facts.record)]
    return Earlier(
        _counting([made for made in ended if runs.came_first(made)], facts, runs),
        {seat_of(decision): decision for decision in others if _lasts(decision) and decision.kind not in _WORDS},
        facts.sample,
        tuple(_held(made, facts, runs) for made in said),
    )


_WORDS = frozenset({LogAction.NOTE, LogAction.LABEL})


def _held(made: _Made, facts: _Facts, runs: _RunsBeside) -> Decision:
    """Return a decision as one about a record, made on an earlier run unless that is of the same evaluation."""
    carried = runs.relation(made) is not Relation.SAME
    return dataclasses.replace(made.decision, record=facts.record.digest, carried=carried)


def _ends(decision: Decision, record: Record) -> bool:
    """Tell whether a decision ends what its reviewer had decided, though it does not hold for another outcome."""
    return decision.verdict is Verdict.GRADER_WRONG and decision.target == (record.target or "")


def _lasts(decision: Decision) -> bool:
    """Tell whether a verdict holds for a later run."""
    return decision.verdict is None or decision.verdict.lasts


def _counting(made: Iterable[_Made], facts: _Facts, runs: _RunsBeside) -> dict[Seat, Decision]:
    """Return the last decision of each seat that counts for a record; none below a ruling that does not count."""
    last = {seat_of(item.decision): item for item in made}
    counts = {seat: facts.is_meant_by(item.decision) and _lasts(item.decision) for seat, item in last.items()}
    if any(settles and not counts[seat] for seat in last for settles in seat[1:]):
        return {}
    return {seat: _held(item, facts, runs) for seat, item in last.items() if counts[seat]}


def offer_words(decision: Decision, record: Record) -> str:
    """Say what was decided about the same answer without counting for a record, and why it does not count."""
    if decision.target is None:
        why = "of whom, the log does not say"
    elif decision.target != (record.target or ""):
        why = f"of {decision.target or 'no named target'}"
    elif decision.same is None:
        why = "whether to the same values of the sample is not known"
    else:
        why = "whether to the same values of the sample, and before this run, is not known"
    return f"an earlier verdict on this answer, {why}: {decision.verdict}; it does not count here"


def named_by_logs(log: Log) -> Keeps | None:
    """Return a test of whether a record may have decisions in a log or those beside it; None if they have none.

    Records that were drawn by fields pass it too, for they stay in the stratum that they were drawn from.
    """
    logs = (log, *_sibling_logs(log.path))
    decisions = [made for other in logs for made in other.said]
    stems = {stem_of(decision.sample) for decision in decisions}
    if not stems:
        return None
    strata = [stratum.records for draw in log.draws if draw.design.by for stratum in draw.strata]
    stems.update(stem_of(name) for stratum in strata for name in stratum.values())
    records = (
        log.records | {item.record for item in log.said} | {digest for stratum in strata for digest in stratum}
    )
    return lambda record, sample: stem_of(sample) in stems or record in records


def has_earlier(log: Log) -> bool:
    """Tell whether there are decisions that could hold for other records than those they are about."""
    return bool(log.said) or any(path != log.path for path in _logs_in(log.path.parent))


def _logs_in(folder: Path) -> list[Path]:
    return [path for path in listed(folder).paths if path.name.endswith(SUFFIX)]


def _sibling_logs(path: Path) -> Iterable[Log]:
    """Yield the logs of other runs beside one. Those that cannot be read are left out: they are not of this run."""
    for other in _logs_in(path.parent)[:MAX_EARLIER_LOGS]:
        if other != path:
            try:
                yield open_log(other)
            except ResultsError:
                continue


def _digest(*parts: object) -> str:
    return hashed(canonical(parts))
