"""Verdicts written into the file that a tool keeps what people said in, with what others said in it left as it is.

The log beside the results stays the truth: the file can be written anew from it at any time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import EditRefusedError, FormatError, ResultsError, results_errors
from sampleui.formats.data import Plain, Table
from sampleui.formats.operations import Set
from sampleui.formats.registry import BY_NAME
from sampleui.review.log.store import Log, disagreement, failing_codes
from sampleui.review.record import Record, failed, passed, ungraded
from sampleui.review.results.file import Results
from sampleui.review.verdict import Decision, Verdict, answer_right
from sampleui.text.confined import exists, is_there, read_whole
from sampleui.text.limits import MAX_FEEDBACK_BYTES, MAX_RESULTS_BYTES
from sampleui.text.replacing import drafted, folders_held, put_in_place
from sampleui.text.wording import counted


class Decided(NamedTuple):
    """A record with the decision that counts, or else a note on it.

    Attributes:
        record: the record.
        decision: the decision or the note.
        name: what the record is called.
        earlier: what the same reviewer had decided of it before.
        notes: the notes of the same reviewer beside it.
        codes: the codes by which the same reviewer says that it fails, in the order of saying so.
    """

    record: Record
    decision: Decision
    name: str
    earlier: tuple[Decision, ...] = ()
    notes: tuple[Decision, ...] = ()
    codes: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool | None:
        """Whether a person says that the answer is right; None where the verdict does not say."""
        verdict = self.decision.verdict
        return None if verdict is None else answer_right(passed(self.record), verdict)

    @property
    def words(self) -> str:
        """What is said of it."""
        said = (words_of(self.decision, self.codes), *map(words_of, self.notes))
        return "\n".join(filter(None, said))

    @property
    def all_words(self) -> tuple[str, ...]:
        """What the reviewer says and said of it, each by itself."""
        before = [self.codes[:number] for number in range(len(self.codes) + 1)]
        said = (words_of(item, codes) for item in (*self.earlier, self.decision) for codes in (*before, item.tags))
        return tuple(filter(None, (self.words, *said, *map(words_of, self.notes))))


def words_of(decision: Decision, codes: Sequence[str] = ()) -> str:
    """Return what a decision says: the comment, behind what the verdict means where that is not of the answer.

    `codes` are those by which its reviewer says that the record fails.
    """
    quote = "" if decision.place is None else decision.place.quote
    verdict, comment = decision.verdict, f"{f'“{quote}”: ' if quote else ''}{decision.comment.strip()}"
    kinds = f" ({', '.join(codes)})" if codes else ""
    if verdict in (Verdict.OK, None):
        return f"{comment}{kinds}".strip()
    if verdict is Verdict.MODEL_WRONG and comment:
        return f"{comment}{kinds}"
    return f"{verdict.meaning}{kinds}" + (f": {comment}" if comment else "")


def text_with(there: str, decided: Sequence[tuple[str, Decided]], fine: str) -> tuple[str, bool]:
    """Return a text that several people write in with decisions in it, and whether others said something in it.

    What the same reviewers had said of the same records before gives way; other lines stay as they are.

    Args:
        there: the text.
        decided: the decisions, each with what the record is called in the text; one alone goes without the name.
        fine: what stands for a decision without words, where that is not all there is.
    """
    several = len(decided) > 1
    new = [f"{name}: {item.words or fine}" if several and name else item.words or fine for name, item in decided]
    for name, item in decided:
        for words in (*item.all_words, fine):
            for line in {words, f"{name}: {words}"}.difference(new):
                there = _without_line(there, line)
    if not there and not any(item.words for _, item in decided):
        return "", False
    added = [line for line in dict.fromkeys(new) if f"\n{line}\n" not in f"\n{there}\n"]
    of_others = reduce(_without_line, new, there)
    return "\n".join(filter(None, (there, *added))), bool(of_others and added)


def _without_line(text: str, line: str) -> str:
    """Return a text without a line, or without lines that follow each other."""
    return f"\n{text}\n".replace(f"\n{line}\n", "\n")[1:-1]


class Handed(NamedTuple):
    """What a tool is to have.

    Attributes:
        data: its file with the decisions in it.
        notes: a line for each thing that is told of it.
        left_out: a line for each decision that it does not have, with the reason.
    """

    data: Table
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


class HandsBack(NamedTuple):
    """How a tool keeps what people said.

    Attributes:
        merged: returns what the file is to hold, given what it holds, the results' path, the decisions in file
            order, and whether all records that are to be looked at are decided.
        path: returns the file, given the file or folder of results; None for a tool that keeps it in the results
            themselves, of which a copy is made then.
    """

    merged: Callable[[Table, Path, Sequence[Decided], bool], Handed]
    path: Callable[[Path], Path] | None = None


class WrittenDecisions(NamedTuple):
    """What was written.

    Attributes:
        path: the file.
        decided: how many decisions it has, and notes on records without one.
        noted: whether there are such notes.
        changed: whether it was not so before.
        notes: what is told of it, a line each.
        left_out: what it does not have and why, a line each.
    """

    path: Path
    decided: int
    changed: bool
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    noted: bool = False

    @property
    def words(self) -> str:
        """How many decisions the file has, and how many it has not."""
        done = "written" if self.changed else "in it already"
        missing = f", {len(self.left_out):,} left out" if self.left_out else ""
        what = f"{self.decided:,} verdicts and notes" if self.noted else counted(self.decided, "verdict")
        return f"{what} {done}{missing}"


def disputed_words(results: Results, log: Log) -> Iterator[str]:
    """Yield which records count for nobody, since reviewers disagree about them."""
    for entry in results.counted:
        if log.disputed(entry.digest):
            name = results.telling_name(entry)
            yield f"{name}: left out, reviewers disagree ({disagreement(log.by_reviewer(entry.digest))})"


def decided_in(results: Results, log: Log) -> list[Decided]:
    """Return the records of results with a decision that counts, those set aside left out, or with notes."""
    return [
        Decided(
            results.record(entry.index),
            said[0],
            results.telling_name(entry),
            log.before(said[0]),
            said[1:],
            failing_codes(log.labels(entry.digest, said[0].reviewer)),
        )
        for entry in results.indexed().counted
        for said in _said_by_each(log, entry.digest)
    ]


def _said_by_each(log: Log, record: str) -> Iterator[tuple[Decision, ...]]:
    """Yield the decision about a record that counts, with its reviewer's notes, then the notes of each other."""
    decision = log.current(record)
    counting = (decision,) if decision is not None and decision.decides else ()
    notes = log.notes(record)
    for who in dict.fromkeys(item.reviewer for item in (*counting, *notes)):
        yield (
            *(item for item in counting if item.reviewer == who),
            *(item for item in notes if item.reviewer == who),
        )


def hand_back(
    results: Results, log: Log, tool: HandsBack, fail_under: float | None = None, copy: Path | None = None
) -> WrittenDecisions:
    """Write the decisions of a log into the file of a tool, as one replacement of the file, or into a new copy.

    Args:
        results: the run.
        log: the decisions.
        tool: how the tool keeps them.
        fail_under: the score under which a record fails.
        copy: where a tool that keeps them in its results gets a copy of those.

    Raises:
        ResultsError: when the file is there and cannot be read as that of the tool, changed meanwhile, or cannot be
            written, or when there is something in the place of the copy. It is as it was then.
    """
    decided = decided_in(results, log)
    asked = [entry for entry in results.counted if failed(entry, fail_under) or ungraded(entry, fail_under)]
    complete = bool(asked) and all(log.current(entry.digest) is not None for entry in asked)
    path = copy if tool.path is None else tool.path(results.path)
    if path is None:
        raise ResultsError("the verdicts go into a copy of the results, which needs a name", results.path)
    before = _bytes_of(path)
    if tool.path is None and before is not None:
        raise ResultsError("there is something already; it stays as it is", path)
    source = results.path if tool.path is None else path
    on_disk = _read(source, _bytes_of(source, MAX_RESULTS_BYTES) if tool.path is None else before)
    handed = tool.merged(on_disk, results.path, decided, complete)
    left_out = (*handed.left_out, *disputed_words(results, log))
    written = WrittenDecisions(path, len(decided) - len(handed.left_out), False, handed.notes, left_out)
    written = written._replace(noted=any(item.decision.verdict is None for item in decided))
    if not written.decided or (before is not None and _read(path, before) == handed.data):
        return written
    after = _written(path, before, handed.data)
    trusted = None if copy else results.path.absolute().parent
    told = results_errors(path, "it cannot be written: ")
    with told, folders_held([path]), drafted(path, after, trusted=trusted) as draft:
        if _bytes_of(path) != before:
            raise ResultsError("the file changed meanwhile; nothing was written", path)
        put_in_place(draft)
        return written._replace(changed=True, notes=(*handed.notes, *draft.lost))


def _written(path: Path, before: bytes | None, data: Table) -> bytes:
    """Return what a file is to hold: what it has already stays as it is written there."""
    if before is None or not before.strip():
        text = json.dumps(data, indent=2, ensure_ascii=False)
        return text.encode("utf-8", "backslashreplace") + b"\n"  # half a character is escaped as JSON has it
    try:
        document = BY_NAME["json"].whole(before.decode("utf-8"))
        if document.findings(0):
            raise EditRefusedError("a key is given more than once, or a number is none")
        return document.apply(document.edit(0, Set((), data))).text.encode("utf-8")
    except (FormatError, EditRefusedError) as error:
        raise ResultsError(f"it cannot be edited, and stays as it is: {error}", path) from error


def _bytes_of(path: Path, most: int = MAX_FEEDBACK_BYTES) -> bytes | None:
    if not is_there(path) and not exists(path):
        return None
    with results_errors(path, "it cannot be read: "):
        return read_whole(path, most)


def _read(path: Path, data: bytes | None) -> Table:
    if data is None or not data.strip():
        return {}
    try:
        value: Plain = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"it is not JSON, and stays as it is: {error}", path) from error
    if not isinstance(value, dict):
        raise ResultsError("it is not a table, and stays as it is", path)
    return value
