"""Decisions, and records drawn to be decided about, as lines of JSON, and back.

A line is an object of texts: `id`, `time`, `kind` (`decide`, `adjudicate`, `note`, `label`, `define`, `propose`,
`refuse` or `undo`), `reviewer`, `sample`, `sample_hash`, `record` (the record's digest), `record_id`, then
`verdict`, `comment` and `tags` (a list of texts) of a decision, or `undoes` (the id it takes back) of an undo. What
a program said is a proposal, whatever its line calls it; `proposal` is the id of one that a person takes by a line
of that kind, or refuses, and `proposed_by` whose that is. `sample_hash`, what stands for the record in later runs
(`answer`, `target`, `same`), `step`, `comment` and `tags` may be absent. Unknown keys are ignored, and so are lines
of an unknown kind. Lines of earlier versions have `values` and `outcome`, of which `same` is made. A note has a
`comment`. It may have `undoes`, the id of the note that it stands for, and a `place`, an object of `part`
(`answer`, `turn` or `event`), `number`, `quote`, `start` and `end`.

A label has a `code`, a `label` (`yes`, `no` or `cannot say`) and the `definition` that it is of, by its digest. It
may have a `place`, the `note` that it puts under the code, and `drawn`, the pass that asked for it. `define` keeps
the words of a definition, as its `comment`; it is about no record, which is empty then, and so is a code that a
program proposes, `formerly` another where that is to be renamed or merged. The tags of a decision are read as
labels *yes* of no definition.

A line of the kind `draw` says which records were drawn at random and with which chances; see docs/reviewing.md. One
of the kind `pass` is the same, with the `codes` for which the records are gone through in that order. `split` lists
the records of each part of a code's labels, by their digests, and `open` says that somebody looked at the test one.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from bisect import insort
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta
from itertools import chain, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sampleui.errors import ResultsError
from sampleui.formats.data import as_list
from sampleui.review.codes import Codebook, FailureCode, codebook_of
from sampleui.review.results.run_paths import run_of
from sampleui.review.verdict import (
    PARTS,
    Decision,
    LabelValue,
    LogAction,
    NotePlace,
    ProposalSubject,
    RecordView,
    Verdict,
    is_stale,
    new_id,
    now,
    proposed_content,
    subject_of,
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
from sampleui.text.visible import one_line

if TYPE_CHECKING:  # few logs have a draw, or a split
    from sampleui.review.sampling import Draw, LabelSplit, SplitOpening

    LogEntry: TypeAlias = Decision | Draw | LabelSplit | SplitOpening

REQUIRED = ("id", "time", "reviewer", "record", "record_id", "sample")
_OF_RECORD = ("answer", "target", "same")
_KEYS = (
    *("id", "time", "kind", "reviewer", "sample", "sample_hash", "record", "record_id"),
    *(*_OF_RECORD, "verdict", "undoes", "proposal", "proposed_by", "step", "comment", "tags"),
    *("code", "label", "definition", "drawn", "note", "formerly"),
)
"""The keys of a line, in their order."""


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
    row |= {"kind": _PASS, "codes": [*draw.codes]} if draw.codes else {}
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


def line_of_split(entry: LabelSplit | SplitOpening) -> bytes:
    """Return a split of labels, or a look at its test part, as one line, its line feed included."""
    return _line(entry.row)


def _line(row: dict[str, Any]) -> bytes:
    # A lone surrogate has no UTF-8; as the escape that backslashreplace writes it is the same text in JSON.
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def entries_of(line: bytes) -> Iterator[LogEntry | None]:
    """Return the decisions, draws and splits of a line, None for a part that is none.

    A merge of a log that lacked its final line feed may leave two on a line; both are read.
    """
    text, position = line.decode("utf-8", "replace"), 0
    while position < len(text):
        if text[position] in " \t\r\n\ufeff":
            position += 1
            continue
        try:
            row, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            yield None
            return
        yield _entry(row)


def _entry(row: object) -> LogEntry | None:
    if not isinstance(row, dict):
        return None
    if row.get("kind") in _OF_SPLITS:
        from sampleui.review.sampling import split_line_of

        return split_line_of(row)
    return _draw(row) if row.get("kind") in (_DRAW, _PASS) else _decision(row)


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
            codes=tuple(map(str, row["codes"])) if row["kind"] == _PASS else (),
        ).checked()
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return None


def _decision(row: dict[str, Any]) -> Decision | None:
    texts = {key: value for key, value in row.items() if isinstance(value, str)}
    kind, verdict = texts.get("kind"), texts.get("verdict")
    decides = kind in _DECIDING and verdict in _VERDICTS
    undoes = kind == LogAction.UNDO and "undoes" in texts
    if not all(key in texts for key in REQUIRED) or wrong_with(texts["reviewer"]):
        return None
    by_program = is_program(texts["reviewer"])
    comments = kind == LogAction.PROPOSE and by_program and verdict is None and bool(texts.get("comment"))
    refuses = kind == LogAction.REFUSE and not by_program and "proposal" in texts
    notes = kind == LogAction.NOTE and not by_program and bool(texts.get("comment"))
    says_code = kind in _OF_CODES and verdict is None and bool(texts.get("code"))
    labels = says_code and kind != LogAction.DEFINE and texts.get("label") in _LABELS
    defines = says_code and not labels and not texts["record"] and (by_program or kind == LogAction.DEFINE)
    if not (decides or undoes or comments or refuses or notes or labels or defines):
        return None
    optional = (*_OF_RECORD, "sample_hash", "step", "proposal", "proposed_by")
    known: dict[str, Any] = {key: texts.get(key) for key in (*REQUIRED, *optional)}
    if labels or defines:
        known.update({key: texts.get(key) for key in ("code", "definition", "formerly")})
    if labels:
        known |= {"label": _LABELS[texts["label"]], "drawn": texts.get("drawn"), "note": texts.get("note")}
    proposes = by_program and not undoes
    decided = _VERDICTS[str(verdict)] if decides else None
    if not known["same"] and "values" in texts:  # a line of an earlier version
        values = texts["values"] or texts.get("sample_hash")
        known["same"] = travelling_digest(known["answer"], values, known["target"], texts.get("outcome"), decided)
    return Decision(
        **known,
        kind=LogAction.PROPOSE if proposes else LogAction(str(kind)),
        verdict=decided,
        undoes=texts.get("undoes") if undoes or notes else None,
        comment=texts.get("comment", ""),
        place=_place(row.get("place")) if notes or comments or labels else None,
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


_DECODER = json.JSONDecoder()
_VERDICTS = {str(verdict): verdict for verdict in Verdict}
_LABELS = {str(label): label for label in LabelValue}
_DECIDING = frozenset({LogAction.DECIDE, LogAction.ADJUDICATE, LogAction.PROPOSE})
_DRAW, _PASS = "draw", "pass"
_OF_VERDICTS: ProposalSubject = ("verdict", None, None)
_OF_SPLITS = ("split", "open")
_VERDICT_KINDS = (LogAction.DECIDE, LogAction.ADJUDICATE)
_ANSWERING = (*_VERDICT_KINDS, LogAction.NOTE, LogAction.LABEL, LogAction.DEFINE, LogAction.REFUSE)
_OF_CODES = frozenset({LogAction.LABEL, LogAction.DEFINE, LogAction.PROPOSE})
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
    """What was decided elsewhere about the answer of a record.

    Attributes:
        carried: decisions that count for the record, where their reviewer decided nothing about that one.
        offered: decisions about the same answer that are shown and do not count, such as those of another target.
        sample: the digest of its sample as the deck has it now, where that is known: a decision about other values
            of it counts no longer.
        said: notes and labels that hold for the record.
    """

    carried: Mapping[Seat, Decision] = {}
    offered: Mapping[Seat, Decision] = {}
    sample: str | None = None
    said: Sequence[Decision] = ()


_NOTHING_EARLIER = Earlier()


class LabelKey(NamedTuple):
    """What labels have in common.

    Attributes:
        code: the code, as it is called now.
        reviewer: whose they are.
        definition: the definition that they are of, by its digest; empty or None for none.
        drawn: the pass of this run that asked for them; None if none did.
    """

    code: str
    reviewer: str
    definition: str | None
    drawn: str | None


class Log:
    """The decisions about one results file. Made by `open_log`; the file is made by the first decision.

    Attributes:
        path: the file.
        unreadable: how many lines hold neither a decision nor a draw; they are left where they are.
        orphans: decisions about records that no longer exist; known when `carry_over` has looked.
        flaky: the digests of records whose sample was found flaky on an earlier run; likewise.
        earlier: what earlier runs say about records of this one, by the digests of these; likewise.
        decks: the decks that were run, as far as they are known, beside which the codes may be.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        # Where the log lies is settled when it is opened: no link that is put in the way later is passed.
        self._real_path = real_path(path.parent) / path.name
        self._root = Path(self._real_path.anchor) if self._real_path.is_absolute() else None
        self.orphans: tuple[Decision, ...] = ()
        self.flaky: frozenset[str] = frozenset()
        self.earlier: dict[str, Earlier] = {}
        self.decks: tuple[Path, ...] = ()
        self._codebook: tuple[tuple[Path, ...], Codebook] | None = None
        self._names: Mapping[str, Sequence[str]] = {}
        self._forget()

    def _forget(self) -> None:
        self.unreadable = 0
        self._read = ReadPosition()
        self._all: dict[str, Decision] = {}
        self._draws: dict[str, Draw] = {}
        self._splits: dict[str, LabelSplit] = {}
        self._openings: dict[str, SplitOpening] = {}
        self._undone: set[str] = set()
        self._by_record: dict[str, list[Decision]] = {}
        self._own: dict[str, list[tuple[str, str]]] = {}
        self._given: dict[LabelKey, dict[str, LabelValue]] = {}
        self._keys: dict[str, list[LabelKey]] = {}
        self._given_earlier: Mapping[str, Earlier] = {}
        self._unlisted: set[str] = set()  # the records whose labels are to be listed anew
        self._asking: set[str] = set()
        self._under: dict[str, set[str]] = {}

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions, those taken back and those that take back included, by time."""
        return tuple(sorted(self._all.values(), key=_order))

    def read_since(self, count: int) -> tuple[int, Set[str]]:
        """Return how many lines are read, and the records that those behind the first ones are about, by digest."""
        lines = [*self._all.values()]
        return len(lines), {line.record for line in lines[count if count <= len(lines) else 0 :]}

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The random samples that were drawn to be decided about, by time."""
        return tuple(draw for draw in self._all_draws() if not draw.codes)

    @property
    def passes(self) -> tuple[Draw, ...]:
        """The passes over codes, by time: the records of each in the order in which it shows them."""
        return tuple(draw for draw in self._all_draws() if draw.codes)

    def _all_draws(self) -> list[Draw]:
        return sorted(self._draws.values(), key=lambda draw: (draw.time, draw.id))

    @property
    def codebook(self) -> Codebook:
        """The codes that labels are of, as their file had them when the log was last read."""
        if self._codebook is None or self._codebook[0] != self.decks:
            self._codebook = self.decks, codebook_of(self.path.parent, self.decks, results_of(self.path))
            names = {code.name: code.formerly for code in self._codebook[1].codes}
            if names != self._names:
                self._names = names
                self._unlisted.update(self._by_record, self._keys)
        return self._codebook[1]

    @property
    def records(self) -> Set[str]:
        """The digests of the records that anything was decided about."""
        return self._about(*_VERDICT_KINDS)

    @property
    def proposed(self) -> Set[str]:
        """The digests of the records that programs proposed anything about."""
        return self._about(LogAction.PROPOSE)

    def _about(self, *kinds: LogAction) -> Set[str]:
        return {record for record, lines in self._by_record.items() if any(line.kind in kinds for line in lines)}

    def _lines(self, record: str, *kinds: LogAction) -> list[Decision]:
        """Return the lines of some kinds about a record digest that nobody took back, by time."""
        lines = self._by_record.get(record, ())
        return [line for line in lines if line.kind in kinds and line.id not in self._undone]

    def notes(self, record: str, reviewer: str | None = None) -> tuple[Decision, ...]:
        """Return the notes on a record digest that stand, of one reviewer or of all, by time."""
        carried = (item for item in self._earlier(record).said if item.kind is LogAction.NOTE)
        noted = self._standing_notes((*self._lines(record, LogAction.NOTE), *carried))
        return tuple(sorted((item for item in noted if reviewer in (None, item.reviewer)), key=_order))

    def _standing_notes(self, notes: Iterable[Decision]) -> list[Decision]:
        """Return notes without those that were taken back, or that another one stands for."""
        left = [note for note in notes if note.id not in self._undone]
        replaced = {note.undoes for note in left}
        return [note for note in left if note.id not in replaced]

    def has_word_of(self, record: str) -> bool:
        """Tell whether anything may have been said of a record digest, by a person or a program."""
        return record in self._by_record or record in self.earlier

    def is_read_by(self, record: str, reviewer: str) -> bool:
        """Tell whether a reviewer has decided about a record digest, labelled it, or written a note on it."""
        said = self.notes(record, reviewer) or self.labels(record, reviewer)
        return bool(said or self.own_decision(record, reviewer) or self.ruling(record))

    @property
    def labelled(self) -> Set[str]:
        """The digests of the records that may have labels."""
        made = {item.record for item in self._all.values() if item.tags or item.kind is LogAction.LABEL}
        return made.union(self.earlier)

    @property
    def given(self) -> Mapping[LabelKey, Mapping[str, LabelValue]]:
        """The labels of all records that stand, by what they have in common and by the digests of their records.

        Of each history it is the label for which a pass asked, or else the last one.
        """
        _ = self.codebook
        for record in self._to_list().copy():
            self._list_labels(record)
        return self._given

    def _to_list(self) -> set[str]:
        if self.earlier is not self._given_earlier:
            self._unlisted.update(self.earlier, self._given_earlier)
            self._given_earlier = self.earlier
        return self._unlisted

    def _list_labels(self, record: str) -> None:
        """List the labels of a record among those of all."""
        self._unlisted.discard(record)
        for key in self._keys.pop(record, ()):
            self._given[key].pop(record, None)
            if not self._given[key]:
                del self._given[key]
        for history in self.label_histories(record):
            asked = self.drawn_label(history)
            label = asked or history[-1]
            assert label.label is not None  # as of `_labels_of`
            key = LabelKey(
                str(label.code), label.reviewer, label.definition, None if asked is None else asked.drawn
            )
            self._given.setdefault(key, {})[record] = label.label
            self._keys.setdefault(record, []).append(key)

    def _labels_of(self, record: str, *, tags: bool = True) -> list[Decision]:
        seats = self._seats(record).values() if tags else ()
        tagged = (label for item in seats if item.tags for label in item.tag_labels)
        made = chain(self._lines(record, LogAction.LABEL), self._earlier(record).said, tagged)
        return [item for item in made if item.label is not None and self._stands(item)]

    def labels(self, record: str, reviewer: str | None = None, *, tags: bool = True) -> tuple[Decision, ...]:
        """Return the labels of a record digest that stand, of one reviewer or of all, by time.

        Of each reviewer it is the last one for each code, as it is called now, and each definition of it; without
        those that are tags of decisions if that is asked for.
        """
        histories = self.label_histories(record, reviewer, tags=tags)
        return tuple(sorted((history[-1] for history in histories), key=_order))

    def drawn_label(self, history: Sequence[Decision]) -> Decision | None:
        """Return the label of a history for which a pass of this run asked; None if none did.

        What a reviewer says later of what a pass had asked corrects that, unless a program suggested it.
        """
        asked = [item.drawn for item in history if item.drawn in self._draws and not item.carried]
        own = [item for item in history if item.proposal is None]
        if not (asked and own):
            return None
        return own[-1] if own[-1].drawn == asked[-1] else dataclasses.replace(own[-1], drawn=asked[-1])

    def label_histories(
        self, record: str, reviewer: str | None = None, *, tags: bool = True
    ) -> Collection[Sequence[Decision]]:
        """Return the labels of a record digest that stand: of each reviewer, code and definition those by time."""
        histories: dict[tuple[str, str, str | None], list[Decision]] = {}
        for item in sorted(self._labels_of(record, tags=tags), key=_order):
            if reviewer in (None, item.reviewer):
                code = self.codebook.now(str(item.code))
                label = item if code == item.code else dataclasses.replace(item, code=code)
                histories.setdefault((code, item.reviewer, item.definition), []).append(label)
        return histories.values()

    def _stands(self, label: Decision) -> bool:
        """Tell whether neither a label was taken back nor the note that it puts under its code."""
        return label.id not in self._undone and label.note not in self._undone

    def is_about(self, record: str) -> bool:
        """Tell whether anything was decided about a record digest, here or on an earlier run, counting or not."""
        made = self._by_record.get(record, ())
        return record in self.earlier or any(line.kind in _VERDICT_KINDS for line in made)

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
            proposed = [item for item in self._lines(record, LogAction.PROPOSE) if item.reviewer == reviewer]
            return seats.get((reviewer, False)) or _latest(item for item in proposed if item.verdict is not None)
        return None if differ(seats.values()) else _latest(_deciding(seats.values())) or _latest(seats.values())

    def by_reviewer(self, record: str) -> dict[str, Decision]:
        """Return what each reviewer decided last about a record digest and did not take back, except rulings."""
        return {who: decision for (who, settles), decision in self._seats(record).items() if not settles}

    def before(self, decision: Decision) -> tuple[Decision, ...]:
        """Return what the reviewer of a decision had decided about its record earlier, taken back or not."""
        lines = (line for line in self._by_record.get(decision.record, ()) if line.kind in _VERDICT_KINDS)
        own = (line for line in lines if line.reviewer == decision.reviewer)
        return tuple(line for line in own if _order(line) < _order(decision))

    def ruling(self, record: str) -> Decision | None:
        """Return the adjudication of a record digest that stands, None if there is none."""
        return _latest(decision for (_, settles), decision in self._seats(record).items() if settles)

    def seen_by(self, reviewer: str, record: str) -> tuple[Decision, ...]:
        """Return the decisions, notes and labels that a reviewer may see: one's own, and an adjudication.

        Those of others are seen once one has decided, labelled, or written a note; what programs proposed comes
        last, and can be seen at any time.
        """
        ruling, by_reviewer = self.ruling(record), self.by_reviewer(record)
        said = (*self.notes(record), *self.labels(record, tags=False))
        own_decision = by_reviewer.pop(reviewer, None)
        first = [decision for decision in (ruling, own_decision) if decision is not None]
        mine = [item for item in said if item.reviewer == reviewer]
        if not (first or mine):
            return self.proposals(record)
        others = (item for item in said if item.reviewer != reviewer)
        return (*first, *mine, *by_reviewer.values(), *others, *self.proposals(record))

    def proposals(self, record: str) -> tuple[Decision, ...]:
        """Return what programs proposed last of each thing about a record digest and did not take back, by name."""
        last = {(item.reviewer, subject_of(item)): item for item in self._lines(record, LogAction.PROPOSE)}
        return tuple(sorted(last.values(), key=lambda decision: (decision.reviewer, *_order(decision))))

    def open_proposals(self, record: str, reviewer: str | None = None) -> tuple[Decision, ...]:
        """Return what programs proposed about a record digest and a reviewer has neither taken nor refused.

        Who has decided about the record has taken or passed over the verdicts. None: what nobody has.
        """
        proposals = self.proposals(record)
        if not proposals:
            return ()
        answered = {item.proposal for item in self._answers(record, reviewer)}
        labelled = {(item.code, item.definition) for item in self.labels(record, reviewer)}
        decided = self.ruling(record) is not None or (
            bool(self.by_reviewer(record)) if reviewer is None else self.own_decision(record, reviewer) is not None
        )
        return tuple(
            item
            for item in proposals
            if item.id not in answered
            and not (decided and item.verdict is not None)
            and (item.code, item.definition) not in labelled
        )

    def refusals(self, record: str) -> tuple[Decision, ...]:
        """Return the refusals of proposals about a record digest that stand, in the order they were made."""
        return tuple(self._lines(record, LogAction.REFUSE))

    def _answers(self, record: str, reviewer: str | None) -> Iterator[Decision]:
        """Yield the decisions and refusals of a reviewer, or of anyone, that took or refused something."""
        for item in self._lines(record, *_ANSWERING):
            if item.proposal is not None and reviewer in (None, item.reviewer):
                yield item

    def everything(self, record: str) -> tuple[Decision, ...]:
        """Return all that stands about a record digest: a ruling, decisions by name, notes, labels, proposals."""
        if not self.has_word_of(record):
            return ()
        ruling, by_reviewer = self.ruling(record), sorted(self.by_reviewer(record).items())
        decisions = (decision for _, decision in by_reviewer)
        said = (*self.notes(record), *self.labels(record, tags=False), *self.proposals(record))
        return (*(() if ruling is None else (ruling,)), *decisions, *said)

    def own_decision(self, record: str, reviewer: str, *, settles: bool = False) -> Decision | None:
        """Return a reviewer's own decision (or ruling, or proposal) about a record digest; None if none stands."""
        if is_program(reviewer):
            proposed = (item for item in self.proposals(record) if item.reviewer == reviewer)
            return next((item for item in proposed if subject_of(item) == _OF_VERDICTS), None)
        return self._seats(record).get((reviewer, settles))

    def codes(self, record: str, reviewer: str | None = None) -> tuple[str, ...]:
        """Return the codes by which a record digest fails, as someone says whose label the reviewer may see."""
        sees_all = reviewer is None or self.is_read_by(record, reviewer)
        return failing_codes(self.labels(record, None if sees_all else reviewer))

    def view(self, record: str, reviewer: str | None = None) -> RecordView:
        """Return what a queue tells of a record digest beside the decision that counts in it."""
        if not self.has_word_of(record):
            return RecordView()
        if record in self._to_list():
            self._list_labels(record)  # while a review opens, not at a key
        return RecordView(
            said=self.everything(record) if reviewer is None else self.seen_by(reviewer, record),
            waiting=self.open_proposals(record, reviewer),
            disputed=self.disputed(record),
            codes=self.codes(record, reviewer),
            noted=bool(self.notes(record, reviewer) or self.labels(record, reviewer)),
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
        offers = self._earlier(record).offered.items()
        return tuple(decision for (who, settles), decision in offers if settles or who == reviewer)

    def resampled(self, record: str, sample_hash: str | None) -> None:
        """Note the digest that a record's sample has now, since decisions about other values do not count."""
        if record in self.earlier:
            self.earlier[record] = self.earlier[record]._replace(sample=sample_hash)
            self._unlisted.add(record)

    def _earlier(self, record: str) -> Earlier:
        return self.earlier.get(record, _NOTHING_EARLIER)

    def _seats(self, record: str) -> dict[Seat, Decision]:
        standing = {seat_of(line): line for line in self._lines(record, *_VERDICT_KINDS)}
        carried, _, sample, _ = self._earlier(record)
        counting = {
            seat: decision
            for seat, decision in carried.items()
            if decision.id not in self._undone and not is_stale(decision, sample) and not (standing and seat[1])
        }
        return {**counting, **standing}  # what is decided here is no longer settled by what was ruled elsewhere

    @property
    def standing_notes(self) -> tuple[Decision, ...]:
        """The notes on any record that nobody took back."""
        return tuple(self._standing_notes(item for item in self._all.values() if item.kind is LogAction.NOTE))

    @property
    def standing_labels(self) -> tuple[Decision, ...]:
        """The labels of any record that nobody took back."""
        labels = (item for item in self._all.values() if item.kind is LogAction.LABEL)
        return tuple(item for item in labels if self._stands(item))

    @property
    def said(self) -> tuple[Decision, ...]:
        """What people decided last about any record, noted and labelled, and did not take back."""
        return (*self.standing, *self.standing_notes, *self.standing_labels)

    @property
    def standing(self) -> tuple[Decision, ...]:
        """What each reviewer decided last about each record and did not take back."""
        decided = (self._lines(record, *_VERDICT_KINDS) for record in self._by_record)
        return tuple(line for lines in decided for line in {seat_of(line): line for line in lines}.values())

    def append(self, decision: Decision) -> Decision:
        """Record a decision and return it as recorded, when it is on the disk. Raises as `append_all` does."""
        return self.append_all((decision,))[0]

    def append_all(self, decisions: Iterable[Decision]) -> tuple[Decision, ...]:
        """Record decisions, a line each, and return them as recorded, when they are on the disk.

        The words of definitions that labels are of come before them, unless the log has them already. Their times
        are moved behind the reviewer's last one if the clock went backwards, so that the last one wins. What a
        program proposes again, as it stands or as somebody answered it, is returned as it was then.

        Raises:
            ResultsError: when the log cannot be written, a program settles a disagreement, or a proposal is refused
                that was taken. Nothing is recorded then, or the message says that it may.
        """
        kept = [self._as_kept(decision) for decision in decisions]
        wordings = [*self._wordings(kept)]
        kept = [*wordings, *kept]
        stamped: list[Decision] = []

        def lines() -> bytes:
            new: list[Decision] = []
            for decision in kept:
                self._check_refusal(decision)
                said = self._proposed_before(decision, new)
                if said is None:
                    last = self._own.get(decision.reviewer) or [("", "")]
                    said = _later(decision, new[-1].time if new else last[-1][0])
                    new.append(said)
                stamped.append(said)
            return b"".join(map(line_of, new))

        self._write(lines, "the decision", stamped)
        return tuple(stamped[len(wordings) :])

    def _check_refusal(self, decision: Decision) -> None:
        """Raise ResultsError for a refusal of what its reviewer took meanwhile, or of codes anybody."""
        if decision.kind is LogAction.REFUSE:
            answers = self._answers(decision.record, decision.reviewer if decision.record else None)
            for item in answers:
                if item.proposal == decision.proposal and item.kind is not LogAction.REFUSE:
                    who = f"{one_line(item.reviewer, 60)} took on {item.time[:10]}"
                    raise ResultsError(f"nothing is refused, since {who}: {item.verdict_words}", self.path)

    def _proposed_before(self, decision: Decision, new: Iterable[Decision]) -> Decision | None:
        """Return the same proposal of the same program, if there is one that stands or that somebody answered."""
        if decision.kind is not LogAction.PROPOSE:
            return None
        whose = decision.reviewer, subject_of(decision)
        lines = (line for line in self._by_record.get(decision.record, ()) if line.kind is LogAction.PROPOSE)
        made = [line for line in lines if (line.reviewer, subject_of(line)) == whose]
        answered = {item.proposal for item in self._answers(decision.record, None)}
        last = next((line for line in reversed(made) if line.id not in self._undone), None)
        counting = (item for item in made if item is last or item.id in answered)
        alike = (item for item in (*counting, *new) if proposed_content(item) == proposed_content(decision))
        return next(alike, None)

    def _wordings(self, decisions: Iterable[Decision]) -> Iterator[Decision]:
        """Yield the definitions that people's labels are of and that the log has not."""
        known = {item.definition for item in self._by_record.get("", ()) if item.kind is LogAction.DEFINE}
        for item in decisions:
            code = None if item.code is None or item.definition in known else self.codebook.find(item.code)
            if item.kind is LogAction.LABEL and code is not None and code.text and code.digest == item.definition:
                known.add(code.digest)
                yield definition_line(code, item.reviewer)

    def _as_kept(self, decision: Decision) -> Decision:
        """Return a decision as the log keeps it: one of a program as a proposal, of a person without its words."""
        if decision.kind is LogAction.UNDO:
            return decision
        if not is_program(decision.reviewer):
            return self._with_tags(self._without_words_of_programs(decision))
        if decision.kind is LogAction.ADJUDICATE:
            raise ResultsError(f"{decision.reviewer} is a program, which settles no disagreement", self.path)
        if decision.proposal is not None:
            raise ResultsError(f"{decision.reviewer} is a program, which takes and refuses no proposal", self.path)
        return dataclasses.replace(decision, kind=LogAction.PROPOSE)

    def _with_tags(self, decision: Decision) -> Decision:
        """Return a person's decision with the tags of the one before, which are labels that stand until they go."""
        settles = decision.kind is LogAction.ADJUDICATE
        before = self.own_decision(decision.record, decision.reviewer, settles=settles)
        if decision.verdict is None or decision.tags or before is None or not before.tags:
            return decision
        last = {label.code: label.label for label in self.labels(decision.record, decision.reviewer)}
        tags = (tag for tag in before.tags if last.get(self.codebook.now(tag)) is LabelValue.YES)
        return dataclasses.replace(decision, tags=tuple(tags))

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
        before = next((draw_before for draw_before in self._draws.values() if draw_before.same_as(draw)), None)
        if before is None:
            self._write(lambda: line_of_draw(draw), "the draw", [draw])
        return before or draw

    def split_of(self, code: str) -> LabelSplit | None:
        """Return how the labels of a code, as its definition is now, are split: the first time that it was done."""
        name, definition = self.codebook.now(code), self.codebook.digest(code)
        splits = sorted(self._splits.values(), key=lambda split: (split.time, split.id))
        wanted = (split for split in splits if split.definition == definition)
        return next((split for split in wanted if self.codebook.now(split.code) == name), None)

    def openings(self, split: LabelSplit) -> tuple[SplitOpening, ...]:
        """Return who looked at the test part of a split, by time."""
        looks = (opening for opening in self._openings.values() if opening.split == split.id)
        return tuple(sorted(looks, key=lambda opening: (opening.time, opening.id)))

    def keep_split(self, entry: LabelSplit | SplitOpening) -> None:
        """Record how labels are split, or that somebody looked at the test part. Raises as `append_all` does."""
        self._write(lambda: line_of_split(entry), "the split", [entry])

    def _write(self, lines: Callable[[], bytes], what: str, entries: Sequence[LogEntry]) -> None:
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
        return next(self._left_of(reviewer), None)

    def _left_of(self, reviewer: str) -> Iterator[Decision]:
        """Yield what a reviewer wrote and did not take back, the last first."""
        for _, name in reversed(self._own.get(reviewer, [])):
            item = self._all[name]
            if item.kind not in (LogAction.UNDO, LogAction.DEFINE) and name not in self._undone:
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
        begun = self._all[step].time if step in self._all else ""
        since = takewhile(lambda item: item.time >= begun, self._left_of(reviewer))
        undone = tuple(reversed([item for item in since if step in (item.step, item.id)]))
        self.append_all(map(undoing, undone))
        return undone

    def refresh(self) -> None:
        """Read what others have written since.

        Raises:
            ResultsError: when the log cannot be read.
        """
        self._codebook = None
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

    def _add_other(self, entry: Draw | LabelSplit | SplitOpening) -> None:
        from sampleui.review.sampling import Draw, LabelSplit

        if isinstance(entry, Draw):
            self._draws.setdefault(entry.id, entry)
            if entry.id in self._asking:  # a merge brought labels before their pass
                self._unlisted.update(self._keys)
        elif isinstance(entry, LabelSplit):
            self._splits.setdefault(entry.id, entry)
        else:
            self._openings.setdefault(entry.id, entry)

    def _add(self, decision: LogEntry | None) -> None:
        if decision is None:
            self.unreadable += 1
        elif not isinstance(decision, Decision):
            self._add_other(decision)
        elif decision.id not in self._all:
            self._all[decision.id] = decision
            insort(self._own.setdefault(decision.reviewer, []), _order(decision))
            insort(self._by_record.setdefault(decision.record, []), decision, key=_order)
            self._unlisted.add(decision.record)
            if decision.drawn is not None:
                self._asking.add(decision.drawn)
            if decision.note is not None:
                self._under.setdefault(decision.note, set()).add(decision.record)
            if decision.kind is LogAction.UNDO:
                undone = str(decision.undoes)
                self._undone.add(undone)
                self._unlisted.update(self._under.get(undone, ()))
                if undone in self._all:
                    self._unlisted.add(self._all[undone].record)


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


def failing_codes(labels: Iterable[Decision]) -> tuple[str, ...]:
    """Return the codes by which a record fails, as its labels say, by time; of each person the last one counts."""
    last = {(item.code, item.reviewer): item for item in labels}
    return tuple(dict.fromkeys(str(item.code) for item in last.values() if item.label is LabelValue.YES))


def definition_line(code: FailureCode, reviewer: str) -> Decision:
    """Return the line that keeps the words of a code's definition; of a program it proposes the code."""
    about = Decision(reviewer=reviewer, record="", record_id="", sample="", kind=LogAction.DEFINE)
    return dataclasses.replace(about, code=code.name, definition=code.digest, comment=code.text)


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
        code=None,
        label=None,
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
