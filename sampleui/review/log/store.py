"""Decisions, and records drawn to be decided about, as lines of JSON, and back.

A line is an object of texts: `id`, `time`, `kind` (`decide`, `adjudicate`, `note`, `propose`, `refuse` or `undo`),
`reviewer`, `sample`, `sample_hash`, `record` (the record's digest), `record_id`, then `verdict`, `comment` and
`tags` (a list of texts) of a decision, or `undoes` (the id it takes back) of an undo. What a program said is a
proposal, whatever its line calls it; `proposal` is the id of one that a person takes by a decision, or refuses, and
`proposed_by` whose that is. `sample_hash`, what stands for the record in later runs (`answer`, `target`, `same`),
`step`, `comment` and `tags` may be absent. Unknown keys are ignored, and so are lines of an unknown kind. Lines of
earlier versions have `values` and `outcome`, of which `same` is made. A note has a `comment`. It may have `undoes`,
the id of the note that it stands for, and a `place`, an object of `part` (`answer`, `turn` or `event`), `number`,
`quote`, `start` and `end`.

A line of the kind `draw` says which records were drawn at random and with which chances; see docs/reviewing.md.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sampleui.errors import ResultsError
from sampleui.formats.data import as_list
from sampleui.review.results.run_paths import run_of
from sampleui.review.verdict import (
    PARTS,
    Decision,
    LogAction,
    NotePlace,
    RecordView,
    Verdict,
    is_stale,
    new_id,
    now,
    time_of,
    travelling_digest,
)
from sampleui.settings.reviewers import is_program, wrong_with
from sampleui.text.appending import (
    HalfWrittenError,
    MissingError,
    ReadPosition,
    locked,
    read_from,
    repaired,
    whole_end,
    write_line,
)
from sampleui.text.confined import exists, is_root, real_path

if TYPE_CHECKING:  # few logs have a draw
    from sampleui.review.sampling import Draw

REQUIRED = ("id", "time", "reviewer", "record", "record_id", "sample")
_OF_RECORD = ("answer", "target", "same")
_KEYS = (
    *("id", "time", "kind", "reviewer", "sample", "sample_hash", "record", "record_id"),
    *(*_OF_RECORD, "verdict", "undoes", "proposal", "proposed_by", "step", "comment", "tags"),
)
"""The keys of a line about a decision, in their order."""


def line_of(decision: Decision) -> bytes:
    """Return a decision as one line, its line feed included. Absent values are left out."""
    row: dict[str, Any] = {key: getattr(decision, key) for key in _KEYS}
    if decision.place is not None:
        row["place"] = decision.place.data
    absent = {key for key, value in row.items() if value is None or (key in ("comment", "tags") and not value)}
    return _line({key: value for key, value in row.items() if key not in absent})


def line_of_draw(draw: Draw) -> bytes:
    """Return a draw as one line, its line feed included."""
    design = draw.design
    row: dict[str, Any] = {"id": draw.id, "time": draw.time, "kind": _DRAW, "reviewer": draw.reviewer}
    row |= {"from": design.source, "by": [*design.by], "seed": design.seed, "size": design.size}
    row |= {"population": draw.population, "frame": draw.population_digest}
    row |= {"fail_under": draw.fail_under} if draw.fail_under is not None else {}
    row |= {"scorer": draw.scorer} if draw.scorer is not None else {}
    row["strata"] = [
        {
            "values": [*stratum.values],
            "population": stratum.population,
            "drawn": len(stratum.records),
            "chance": stratum.chance,
            "records": stratum.records,
        }
        for stratum in draw.strata
    ]
    return _line(row)


def _line(row: dict[str, Any]) -> bytes:
    # A lone surrogate has no UTF-8; as the escape that backslashreplace writes it is the same text in JSON.
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def entries_of(line: bytes) -> Iterator[Decision | Draw | None]:
    """Return the decisions and draws of a line, None for a part that is neither.

    A merge of a log that lacked its final line feed may leave two on a line; both are read.
    """
    text, position, decoder = line.decode("utf-8", "replace"), 0, json.JSONDecoder()
    while position < len(text):
        if text[position] in " \t\r\n\ufeff":
            position += 1
            continue
        try:
            row, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            yield None
            return
        yield _entry(row)


def _entry(row: object) -> Decision | Draw | None:
    if not isinstance(row, dict):
        return None
    return _draw(row) if row.get("kind") == _DRAW else _decision(row)


def _draw(row: dict[str, Any]) -> Draw | None:
    """Return a draw; None if a value is missing or of another type, or a stratum has more than its population."""
    from sampleui.review.sampling import Design, Draw, Population, SampledStratum

    try:
        strata = tuple(
            SampledStratum(
                tuple(map(str, stratum["values"])),
                int(stratum["population"]),
                {str(digest): str(record_id) for digest, record_id in stratum["records"].items()},
            )
            for stratum in row["strata"]
        )
        design = Design(int(row["size"]), Population(row["from"]), tuple(map(str, row["by"])), str(row["seed"]))
        fail_under, scorer = row.get("fail_under"), row.get("scorer")
        return Draw(
            id=str(row["id"]),
            time=str(row["time"]),
            reviewer=str(row["reviewer"]),
            design=design,
            population_digest=str(row["frame"]),
            strata=strata,
            fail_under=None if fail_under is None else float(fail_under),
            scorer=None if scorer is None else str(scorer),
        ).checked()
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return None


def _decision(row: dict[str, Any]) -> Decision | None:
    texts = {key: value for key, value in row.items() if isinstance(value, str)}
    kind, verdict = texts.get("kind"), texts.get("verdict")
    decides = kind in (LogAction.DECIDE, LogAction.ADJUDICATE, LogAction.PROPOSE) and verdict in set(Verdict)
    undoes = kind == LogAction.UNDO and "undoes" in texts
    if not all(key in texts for key in REQUIRED) or wrong_with(texts["reviewer"]):
        return None
    by_program = is_program(texts["reviewer"])
    comments = kind == LogAction.PROPOSE and by_program and verdict is None and bool(texts.get("comment"))
    refuses = kind == LogAction.REFUSE and not by_program and "proposal" in texts
    notes = kind == LogAction.NOTE and not by_program and bool(texts.get("comment"))
    if not (decides or undoes or comments or refuses or notes):
        return None
    optional = (*_OF_RECORD, "sample_hash", "step", "proposal", "proposed_by")
    known: dict[str, Any] = {key: texts.get(key) for key in (*REQUIRED, *optional)}
    proposes = decides and by_program
    decided = Verdict(str(verdict)) if decides else None
    values = texts.get("values", "") or texts.get("sample_hash")
    older = travelling_digest(known["answer"], values, known["target"], texts.get("outcome"), decided)
    known["same"] = known["same"] or (older if "values" in texts else None)
    return Decision(
        **known,
        kind=LogAction.PROPOSE if proposes else LogAction(str(kind)),
        verdict=decided,
        undoes=texts.get("undoes") if undoes or notes else None,
        comment=texts.get("comment", ""),
        place=_place(row.get("place")) if notes or comments else None,
        tags=tuple(tag for tag in as_list(row.get("tags")) if isinstance(tag, str)) if decides else (),
    )


def _place(value: object) -> NotePlace | None:
    """Return a place; None where it is none, or one of a part that this version does not know."""
    if not isinstance(value, dict) or value.get("part") not in PARTS:
        return None
    whole = {
        key: value[key] for key in ("number", "start", "end") if type(value.get(key)) is int and value[key] >= 0
    }
    quote = value.get("quote")
    return NotePlace(value["part"], quote=quote if isinstance(quote, str) else "", **whole)


_DRAW = "draw"
SUFFIX = ".reviews.jsonl"
Seat: TypeAlias = tuple[str, bool]
"""Who decides, and whether that settles a disagreement: a reviewer who adjudicates keeps the own verdict."""

RESULT_SUFFIXES = frozenset({".jsonl", ".json", ".ndjson", ".toml"})


def log_path(results: Path) -> Path:
    """Return where the decisions about a results file are kept: `run.jsonl` -> `run.reviews.jsonl`.

    Nothing is written into the folder of a run: its log lies beside the folder, `runs/one/` -> `one.reviews.jsonl`.
    A log that lies in the folder already, of an earlier version, goes on to be used. Where the folder is the root
    of a project, outside of which nothing is written, the log lies in it too.
    """
    run = run_of(results)
    if run is not None:
        inside = results.with_name(results.stem + SUFFIX)
        is_kept_inside = is_root(run) or exists(inside)
        return inside if is_kept_inside else run.absolute().with_name(run.absolute().name + SUFFIX)
    name = results.stem if results.suffix.lower() in RESULT_SUFFIXES else results.name
    return results.with_name(name + SUFFIX)


def results_of(log: Path) -> Path | None:
    """Return the results that a log is about, by its name, as `log_path` has it; None if they are not there."""
    named = log.with_name(log.name.removesuffix(SUFFIX))
    files = (named, *(named.with_name(named.name + suffix) for suffix in sorted(RESULT_SUFFIXES)))
    return next(filter(exists, files), None)


class Earlier(NamedTuple):
    """What was decided elsewhere about the answers of records, each by the digest of its record.

    Attributes:
        carried: decisions that count for a record, where its reviewer decided nothing about that one.
        offered: decisions about the same answer that are shown and do not count, such as those of another target.
        samples: the digest of a record's sample as its deck has it now, where that is known: a decision
            about other values of it counts no longer.
        notes: notes that hold for a record.
    """

    carried: Mapping[str, Mapping[Seat, Decision]] = {}
    offered: Mapping[str, Mapping[Seat, Decision]] = {}
    samples: Mapping[str, str | None] = {}
    notes: Mapping[str, Sequence[Decision]] = {}


class Log:
    """The decisions about one results file. Made by `open_log`; the file is made by the first decision.

    Attributes:
        path: the file.
        unreadable: how many lines hold neither a decision nor a draw; they are left where they are.
        orphans: decisions about records that no longer exist; known when `carry_over` has looked.
        flaky: the digests of records whose sample was found flaky on an earlier run; likewise.
        earlier: what earlier runs say about the records of this one; likewise.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        # Where the log lies is settled when it is opened: no link that is put in the way later is passed.
        self._real_path = real_path(path.parent) / path.name
        self._root = Path(self._real_path.anchor) if self._real_path.is_absolute() else None
        self.orphans: tuple[Decision, ...] = ()
        self.flaky: frozenset[str] = frozenset()
        self.earlier = Earlier()
        self._forget()

    def _forget(self) -> None:
        self.unreadable = 0
        self._read = ReadPosition()
        self._all: dict[str, Decision] = {}
        self._draws: dict[str, Draw] = {}
        self._undone: set[str] = set()
        self._made: dict[str, dict[Seat, list[Decision]]] = {}
        self._proposed: dict[str, dict[str, list[Decision]]] = {}
        self._refused: dict[str, dict[str, list[Decision]]] = {}
        self._notes: dict[str, dict[str, list[Decision]]] = {}
        self._last: dict[str, str] = {}

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions, those taken back and those that take back included, by time."""
        return tuple(sorted(self._all.values(), key=_order))

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The random samples that were drawn to be decided about, by time."""
        return tuple(sorted(self._draws.values(), key=lambda draw: (draw.time, draw.id)))

    @property
    def reviewers(self) -> tuple[str, ...]:
        """Who has decided anything that stands, by name."""
        seats = (
            seat for by_seat in self._made.values() for seat, history in by_seat.items() if self._standing(history)
        )
        return tuple(sorted({who for who, settles in seats if not settles}))

    @property
    def records(self) -> Set[str]:
        """The digests of the records that anything was decided about."""
        return self._made.keys()

    @property
    def proposed(self) -> Set[str]:
        """The digests of the records that programs proposed anything about."""
        return self._proposed.keys()

    def notes(self, record: str, reviewer: str | None = None) -> tuple[Decision, ...]:
        """Return the notes on a record digest that stand, of one reviewer or of all, by time."""
        made = chain.from_iterable(self._notes.get(record, {}).values())
        noted = self._standing_notes((*made, *self.earlier.notes.get(record, ())))
        return tuple(sorted((item for item in noted if reviewer in (None, item.reviewer)), key=_order))

    def _standing_notes(self, notes: Iterable[Decision]) -> list[Decision]:
        """Return notes without those that were taken back, or that another one stands for."""
        left = [note for note in notes if note.id not in self._undone]
        replaced = {note.undoes for note in left}
        return [note for note in left if note.id not in replaced]

    def has_word_of(self, record: str) -> bool:
        """Tell whether anything was said of a record digest, by a person or a program."""
        said = record in self._proposed or record in self._notes or record in self.earlier.notes
        return said or self.is_about(record)

    def is_read_by(self, record: str, reviewer: str) -> bool:
        """Tell whether a reviewer has decided about a record digest, or written a note on it."""
        return bool(self.own_decision(record, reviewer) or self.ruling(record) or self.notes(record, reviewer))

    def is_about(self, record: str) -> bool:
        """Tell whether anything was decided about a record digest, here or on an earlier run, counting or not."""
        return record in self._made or record in self.earlier.carried

    def current(self, record: str, reviewer: str | None = None) -> Decision | None:
        """Return the latest decision about a record digest that stands, of one reviewer or of anyone.

        An adjudication counts for all reviewers. Where they disagree and nobody has settled it, none of theirs is
        the decision of all, and one that skips leaves the record to the others. What a program proposed is its own
        alone, and no one's decision else.
        """
        seats = self._seats(record)
        ruling = _latest(decision for (_, settles), decision in seats.items() if settles)
        if ruling is not None:
            return ruling
        if reviewer is not None:
            proposed = self._proposed.get(record, {}).get(reviewer, []) if is_program(reviewer) else []
            verdicts = [item for item in proposed if item.verdict is not None]
            return seats.get((reviewer, False)) or self._standing(verdicts)
        return None if differ(seats.values()) else _latest(_deciding(seats.values())) or _latest(seats.values())

    def by_reviewer(self, record: str) -> dict[str, Decision]:
        """Return what each reviewer decided last about a record digest and did not take back, except rulings."""
        return {who: decision for (who, settles), decision in self._seats(record).items() if not settles}

    def before(self, decision: Decision) -> tuple[Decision, ...]:
        """Return what the reviewer of a decision had decided about its record earlier, taken back or not."""
        histories = (
            history
            for (reviewer, _), history in self._made.get(decision.record, {}).items()
            if reviewer == decision.reviewer
        )
        made = (item for history in histories for item in history)
        return tuple(sorted((item for item in made if _order(item) < _order(decision)), key=_order))

    def ruling(self, record: str) -> Decision | None:
        """Return the adjudication of a record digest that stands, None if there is none."""
        return _latest(decision for (_, settles), decision in self._seats(record).items() if settles)

    def seen_by(self, reviewer: str, record: str) -> tuple[Decision, ...]:
        """Return the decisions and notes that a reviewer may see: one's own, and an adjudication.

        Those of others are seen once one has decided, or written a note; what programs proposed comes last, and can
        be seen at any time.
        """
        ruling, by_reviewer, notes = self.ruling(record), self.by_reviewer(record), self.notes(record)
        own_decision = by_reviewer.pop(reviewer, None)
        first = [decision for decision in (ruling, own_decision) if decision is not None]
        mine = [note for note in notes if note.reviewer == reviewer]
        if not (first or mine):
            return self.proposals(record)
        others = (note for note in notes if note.reviewer != reviewer)
        return (*first, *mine, *by_reviewer.values(), *others, *self.proposals(record))

    def proposals(self, record: str) -> tuple[Decision, ...]:
        """Return what each program proposed last about a record digest and did not take back, by its name."""
        by_program = sorted(self._proposed.get(record, {}).items())
        return tuple(decision for _, history in by_program if (decision := self._standing(history)))

    def open_proposals(self, record: str, reviewer: str | None = None) -> tuple[Decision, ...]:
        """Return what programs proposed about a record digest and a reviewer has neither taken nor refused.

        Who has decided about the record has taken or passed over the verdicts. None: what nobody has.
        """
        if record not in self._proposed:
            return ()
        answered = {item.proposal for item in self._answers(record, reviewer)}
        decided = self.ruling(record) is not None or (
            bool(self.by_reviewer(record)) if reviewer is None else self.own_decision(record, reviewer) is not None
        )
        return tuple(
            item
            for item in self.proposals(record)
            if item.id not in answered and not (decided and item.verdict is not None)
        )

    def refusals(self, record: str) -> tuple[Decision, ...]:
        """Return the refusals of proposals about a record digest that stand, in the order they were made."""
        refused = (item for history in self._refused.get(record, {}).values() for item in history)
        return tuple(sorted((item for item in refused if item.id not in self._undone), key=_order))

    def _answers(self, record: str, reviewer: str | None) -> Iterator[Decision]:
        """Yield the decisions and refusals of a reviewer, or of anyone, that took or refused something."""
        made = (
            item for by_seat in (self._made.get(record, {}),) for history in by_seat.values() for item in history
        )
        notes = chain.from_iterable(self._notes.get(record, {}).values())
        for item in (*made, *notes, *self.refusals(record)):
            if item.proposal is not None and item.id not in self._undone and reviewer in (None, item.reviewer):
                yield item

    def everything(self, record: str) -> tuple[Decision, ...]:
        """Return all that stands about a record digest: a ruling, decisions by name, notes, then proposals."""
        if not self.has_word_of(record):
            return ()
        ruling, by_reviewer = self.ruling(record), sorted(self.by_reviewer(record).items())
        decisions = (decision for _, decision in by_reviewer)
        return (*(() if ruling is None else (ruling,)), *decisions, *self.notes(record), *self.proposals(record))

    def own_decision(self, record: str, reviewer: str, *, settles: bool = False) -> Decision | None:
        """Return a reviewer's own decision (or ruling, or proposal) about a record digest; None if none stands."""
        if is_program(reviewer):
            return self._standing(self._proposed.get(record, {}).get(reviewer, []))
        return self._seats(record).get((reviewer, settles))

    def kinds(self, record: str, reviewer: str | None = None) -> tuple[str, ...]:
        """Return the kinds of failure of a record digest: those of all whose verdict is the one that stands.

        `reviewer` is whose view of it that is, as in `current`.
        """
        standing = self.current(record, reviewer)
        if standing is None:
            return ()
        alike = (item for item in self._seats(record).values() if item.verdict is standing.verdict)
        return tuple(dict.fromkeys(tag for decision in (standing, *alike) for tag in decision.tags))

    def view(self, record: str, reviewer: str | None = None) -> RecordView:
        """Return what a queue tells of a record digest beside the decision that counts in it."""
        if not self.has_word_of(record):
            return RecordView()
        proposals = self.open_proposals(record, reviewer)
        verdicts = [item.verdict for item in proposals if item.verdict is not None]
        seen = self.everything(record) if reviewer is None else self.seen_by(reviewer, record)
        return RecordView(
            disputed=self.disputed(record),
            kinds=self.kinds(record, reviewer),
            proposed=verdicts[-1] if verdicts else None,
            offered=bool(proposals),
            comments=tuple(decision.comment for decision in seen if decision.comment),
            noted=bool(self.notes(record, reviewer)),
        )

    def disputed(self, record: str) -> bool:
        """Tell whether reviewers decided a record differently and nobody has settled it."""
        return self.ruling(record) is None and differ(self.by_reviewer(record).values())

    def offered(self, record: str, reviewer: str) -> tuple[Decision, ...]:
        """Return a reviewer's decisions, and rulings, about the same answer elsewhere that do not count here.

        It is nothing to be told of any more where something counts.
        """
        if self.current(record, reviewer) is not None:
            return ()
        offers = self.earlier.offered.get(record, {})
        return tuple(decision for (who, settles), decision in offers.items() if settles or who == reviewer)

    def resampled(self, record: str, sample_hash: str | None) -> None:
        """Note the digest that a record's sample has now, since decisions about other values do not count."""
        samples = {**self.earlier.samples, record: sample_hash}
        self.earlier = self.earlier._replace(samples=samples)

    def _seats(self, record: str) -> dict[Seat, Decision]:
        if record not in self._made and record not in self.earlier.carried:
            return {}
        by_seat = self._made.get(record, {})
        standing = {seat: decision for seat, history in by_seat.items() if (decision := self._standing(history))}
        carried = self.earlier.carried.get(record)
        if carried is None:
            return standing
        sample = self.earlier.samples.get(record)
        counting = {
            seat: decision
            for seat, decision in carried.items()
            if decision.id not in self._undone and not is_stale(decision, sample) and not (standing and seat[1])
        }
        return {**counting, **standing}  # what is decided here is no longer settled by what was ruled elsewhere

    @property
    def standing_notes(self) -> tuple[Decision, ...]:
        """The notes on any record that nobody took back."""
        made = (note for by_reviewer in self._notes.values() for notes in by_reviewer.values() for note in notes)
        return tuple(self._standing_notes(made))

    @property
    def standing(self) -> tuple[Decision, ...]:
        """What each reviewer decided last about each record and did not take back."""
        histories = (history for by_seat in self._made.values() for history in by_seat.values())
        return tuple(decision for history in histories if (decision := self._standing(history)))

    def append(self, decision: Decision) -> Decision:
        """Record a decision and return it as recorded, when it is on the disk. Raises as `append_all` does."""
        return self.append_all((decision,))[0]

    def append_all(self, decisions: Iterable[Decision]) -> tuple[Decision, ...]:
        """Record decisions, a line each, and return them as recorded, when they are on the disk.

        Their times are moved behind the reviewer's last one if the clock went backwards, so that the last one wins.

        Raises:
            ResultsError: when the log cannot be written, or a program settles a disagreement. Nothing is recorded
                then, or the message says that it may.
        """
        kept = [self._as_kept(decision) for decision in decisions]
        stamped: list[Decision] = []

        def lines() -> bytes:
            for decision in kept:
                before = stamped[-1].time if stamped else self._last.get(decision.reviewer, "")
                stamped.append(_later(decision, before))
            return b"".join(map(line_of, stamped))

        self._write(lines, "the decision", stamped)
        return tuple(stamped)

    def _as_kept(self, decision: Decision) -> Decision:
        """Return a decision as the log keeps it: one of a program as a proposal, of a person without its words."""
        if decision.kind is LogAction.UNDO:
            return decision
        if not is_program(decision.reviewer):
            return self._without_words_of_programs(decision)
        if decision.kind is LogAction.ADJUDICATE:
            raise ResultsError(f"{decision.reviewer} is a program, which settles no disagreement", self.path)
        if decision.proposal is not None:
            raise ResultsError(f"{decision.reviewer} is a program, which takes and refuses no proposal", self.path)
        return dataclasses.replace(decision, kind=LogAction.PROPOSE)

    def _without_words_of_programs(self, decision: Decision) -> Decision:
        """Return a person's decision in which no words of a program's pass for the person's.

        A comment that was taken with a proposal, and is given again with the same verdict, stays the program's;
        with another verdict it is left out.
        """
        before = self.own_decision(
            decision.record, decision.reviewer, settles=decision.kind is LogAction.ADJUDICATE
        )
        taken = None if before is None or before.proposal is None else self._all.get(before.proposal)
        if before is None or taken is None or decision.proposal is not None or decision.kind is LogAction.REFUSE:
            return decision
        if not taken.comment or decision.comment != taken.comment:
            return decision
        if decision.verdict is not before.verdict:
            return dataclasses.replace(decision, comment="")
        return dataclasses.replace(decision, proposal=before.proposal, proposed_by=before.proposed_by)

    def keep_draw(self, draw: Draw) -> Draw:
        """Record a draw and return it, when it is on the disk; if it is recorded already, return it as it was then.

        Raises:
            ResultsError: as `append_all` does.
        """
        self.refresh()
        before = next((draw_before for draw_before in self.draws if draw_before.same_as(draw)), None)
        if before is None:
            self._write(lambda: line_of_draw(draw), "the draw", [draw])
        return before or draw

    def _write(self, lines: Callable[[], bytes], what: str, entries: Sequence[Decision | Draw]) -> None:
        """Append lines, made when all that others wrote is known; then `entries` has what they say."""
        try:
            with locked(self._real_path, create=True, trusted=self._root) as descriptor:
                self._take(descriptor, self._repaired(descriptor))
                write_line(descriptor, lines())
                for entry in entries:
                    self._add(entry)
                with contextlib.suppress(OSError):  # it is recorded; what else is new is read the next time
                    self._take(descriptor, whole_end(descriptor))
        except HalfWrittenError as error:
            raise ResultsError(
                f"{what} may or may not be recorded: {error.strerror or error}", self.path
            ) from error
        except OSError as error:
            raise ResultsError(f"{what} was not recorded: {error.strerror or error}", self.path) from error

    def can_undo(self, reviewer: str) -> bool:
        """Tell whether a decision of the reviewer stands that has been read."""
        return any(True for _ in self._left_of(reviewer))

    def last(self, reviewer: str) -> Decision | None:
        """Return the reviewer's last decision that stands and has been read; None if there is none."""
        return _latest(self._left_of(reviewer))

    def _left_of(self, reviewer: str) -> Iterator[Decision]:
        """Yield what a reviewer wrote and did not take back, as it was read."""
        for item in self._all.values():
            if item.reviewer == reviewer and item.kind is not LogAction.UNDO and item.id not in self._undone:
                yield item

    def undo(self, reviewer: str) -> tuple[Decision, ...]:
        """Take back the reviewer's last step that stands, and return its decisions; none if there is none.

        Raises:
            ResultsError: when the log cannot be written.
        """
        self.refresh()
        last = self.last(reviewer)
        if last is None:
            return ()
        step = last.step or last.id
        undone = tuple(
            sorted((item for item in self._left_of(reviewer) if step in (item.step, item.id)), key=_order)
        )
        self.append_all(map(undoing, undone))
        return undone

    def refresh(self) -> None:
        """Read what others have written since.

        Raises:
            ResultsError: when the log cannot be read.
        """
        try:
            with locked(self._real_path, create=False, trusted=self._root) as descriptor:
                try:
                    end = self._repaired(descriptor)
                except OSError:  # a full disk must not keep anyone from reading
                    end = whole_end(descriptor)
                self._take(descriptor, end)
        except MissingError:
            self._forget()
        except OSError as error:
            raise ResultsError(error.strerror or str(error), self.path) from error

    def _repaired(self, descriptor: int) -> ReadPosition:
        return repaired(descriptor, self._real_path, lambda tail: None not in [*entries_of(tail)], self._root)

    def _take(self, descriptor: int, end: ReadPosition) -> None:
        """Read the lines that are new. The lock must be held."""
        if not self._read.leads_to(end):  # another file lies there now, as after a merge
            self._forget()
        for line in read_from(descriptor, self._read.offset, end.offset).split(b"\n"):
            for entry in entries_of(line):
                self._add(entry)
        self._read = end

    def _add(self, decision: Decision | Draw | None) -> None:
        if decision is None:
            self.unreadable += 1
        elif not isinstance(decision, Decision):
            self._draws.setdefault(decision.id, decision)
        elif decision.id not in self._all:
            self._all[decision.id] = decision
            self._last[decision.reviewer] = max(decision.time, self._last.get(decision.reviewer, ""))
            if decision.kind is LogAction.UNDO:
                self._undone.add(str(decision.undoes))
            elif decision.kind is LogAction.REFUSE:
                self._refused.setdefault(decision.record, {}).setdefault(decision.reviewer, []).append(decision)
            elif decision.kind is LogAction.NOTE:
                self._notes.setdefault(decision.record, {}).setdefault(decision.reviewer, []).append(decision)
            elif decision.kind is LogAction.PROPOSE:
                self._proposed.setdefault(decision.record, {}).setdefault(decision.reviewer, []).append(decision)
            else:
                self._made.setdefault(decision.record, {}).setdefault(seat_of(decision), []).append(decision)

    def _standing(self, history: list[Decision]) -> Decision | None:
        return _latest(decision for decision in history if decision.id not in self._undone)


def open_log(path: Path) -> Log:
    """Open a log, repaired if its last writer was killed. A log that does not exist yet is empty.

    Raises:
        ResultsError: when it cannot be read.
    """
    log = Log(path)
    log.refresh()
    return log


def differ(decisions: Iterable[Decision]) -> bool:
    """Tell whether decisions of several reviewers contradict each other; to skip a record is not to decide it."""
    return len({decision.verdict for decision in _deciding(decisions)}) > 1


def disagreement(decided: Mapping[str, Decision]) -> str:
    """Say who decided what: `ann ok, bob model-wrong`."""
    return ", ".join(f"{who} {decision.verdict}" for who, decision in sorted(decided.items()))


def seat_of(decision: Decision) -> Seat:
    """Return who made a decision, and whether it settles a disagreement."""
    return decision.reviewer, decision.kind is LogAction.ADJUDICATE


def undoing(decision: Decision) -> Decision:
    """Return what takes a decision back."""
    return dataclasses.replace(
        decision,
        id=new_id(),
        time=now(),
        kind=LogAction.UNDO,
        undoes=decision.id,
        verdict=None,
        proposal=None,
        proposed_by=None,
        comment="",
        place=None,
        tags=(),
        step=None,
    )


def _later(decision: Decision, last: str) -> Decision:
    """Return a decision whose time is later than the last one of its reviewer."""
    if decision.time > last:
        return decision
    try:
        behind = datetime.fromisoformat(last).astimezone(UTC) + timedelta(microseconds=1)
    except (ValueError, OverflowError):  # a time written by hand
        return decision
    return dataclasses.replace(decision, time=time_of(behind))


def _deciding(decisions: Iterable[Decision]) -> Iterator[Decision]:
    return (decision for decision in decisions if decision.decides)


def _latest(decisions: Iterable[Decision]) -> Decision | None:
    return max(decisions, key=_order, default=None)


def _order(decision: Decision) -> tuple[str, str]:
    return decision.time, decision.id
