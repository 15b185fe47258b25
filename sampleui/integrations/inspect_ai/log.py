"""The records of a log: an `.eval` archive, of which the queue is read from its summaries, or a `.json` file."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from sampleui.errors import OtherFileError, ResultsError
from sampleui.formats.data import Plain, Table, as_list, as_table, deeper, json_or_text, tables_in
from sampleui.garbage import collector_off
from sampleui.integrations.index import logs
from sampleui.integrations.inspect_ai.archive import Archive
from sampleui.integrations.inspect_ai.dialect import MARK
from sampleui.integrations.inspect_ai.events import EventTranscript, LogAttachments, model_input, text_of
from sampleui.integrations.inspect_ai.header import LogHeader, head_words, is_header
from sampleui.integrations.inspect_ai.json_items import ListError, items_of
from sampleui.integrations.inspect_ai.parts import SampleParts
from sampleui.integrations.inspect_ai.records import INTERRUPTED, ScorersSeen
from sampleui.review.results import fields
from sampleui.review.results.scoring import Scoring
from sampleui.review.results.sources import (
    TOO_DEEP,
    Malformed,
    ResultRow,
    ResultSource,
    canonical,
    table_digest,
    whole_text,
)
from sampleui.sample.tokens import added, tokens_of
from sampleui.text.limits import MAX_ARCHIVE_MEMBER, MAX_GIVEN_MESSAGES, MAX_JSON_DEPTH, MAX_LOG_HEADER

SIGNS = dict(logs())["inspect_ai"]

NO_SAMPLES = "the log keeps no samples: scores are all there is"


def reduced(listed: Plain) -> list[Table]:
    """Return a sample for each that scores are kept of: its id, and the first reduction of each scorer."""
    by_sample: dict[str, Table] = {}
    for table in tables_in(listed):
        scorer = fields.text(table.get("scorer")) or "scorer"
        for score in tables_in(table.get("samples")):
            named = fields.text(score.get("sample_id"))
            if named is not None:
                scores = as_table(by_sample.setdefault(named, {"id": named, "scores": {}})["scores"])
                scores.setdefault(scorer, score)
    return [*by_sample.values()]


_ALIKE = ("id", "epoch", "input", "target", "choices", "metadata", "error", "limit", "scores", "invalidation")


def brief(summary: Table, header: LogHeader) -> Table:
    """Return what a summary says, or a whole sample, of what lists and filters need."""
    needed: Table = {key: summary[key] for key in _ALIKE if summary.get(key) is not None}
    if scores := scores_of(summary):
        needed["scores"] = scores
    if header.interrupted(summary):
        needed[INTERRUPTED] = needed.pop("error")
    return {MARK: header.shared(), **needed, **_took(summary)}


def _took(sample: Table) -> Table:
    """Return what a sample took, as far as it or its summary says that."""
    usage = tables_in([*as_table(sample.get("model_usage")).values()])
    counted = added(filter(None, map(tokens_of, usage)))
    costs = [cost for table in usage if (cost := fields.number(table.get("total_cost"))) is not None]
    seconds = fields.number(sample.get("total_time"))
    took: Table = {
        "token_usage": None if counted is None else counted.to_data(),
        "cost_usd": sum(costs) if costs else None,
        "duration_ms": None if seconds is None else round(seconds * 1000, 3),
        "timestamp": sample.get("started_at"),
    }
    return {key: value for key, value in took.items() if value is not None}


def scores_of(sample: Table) -> Table:
    """Return the scores of a sample by the names of their scorers; before 0.3.20 there was one without a name."""
    if "score" in sample and "scores" not in sample:
        return {"score": sample["score"]}
    return as_table(sample.get("scores"))


@collector_off()
def whole(sample: SampleParts, header: LogHeader) -> Table:
    """Return all of a sample that the review and the trace viewer show."""
    attached = LogAttachments(as_table(sample.table.get("attachments")))
    resolved = {key: attached.resolved(value) for key, value in sample.table.items() if key != "attachments"}
    transcript = EventTranscript(sample._replace(table=resolved), attached)
    output = as_table(resolved.get("output"))
    shown: dict[str, Plain] = {
        "uuid": resolved.get("uuid"),  # by which other programs call its transcript
        "input": resolved.get("input"),
        "input_messages": [_sent(item) for item in transcript.first_given()],
        "text": _answer(resolved, output),
        "trace": transcript.trace(),
    }
    return {**brief(resolved, header), **{key: value for key, value in shown.items() if value not in (None, [])}}


def _answer(sample: Table, output: Table) -> str | None:
    """Return the answer: what scorers were given, even if that says nothing, or else what the model said last."""
    completion = output.get("completion")
    if isinstance(completion, str):
        return completion
    choice = next(iter(tables_in(output.get("choices"))), {})
    answers = (item for item in reversed(tables_in(sample.get("messages"))) if item.get("role") == "assistant")
    contents = (item.get("content") for item in (as_table(choice.get("message")), *answers))
    return fields.spoken(next(filter(None, contents), None))


def _sent(message: Table) -> Plain:
    """Return a message as it is shown: in words where it has more than text, without the ids of the log."""
    sent: Table = {"role": message.get("role"), "content": text_of(message.get("content"))}
    return {**sent, **{key: message[key] for key in ("tool_calls", "tool_call_id") if message.get(key)}}


SUMMARIES, HEADER, REDUCTIONS, BEGUN = "summaries.json", "header.json", "reductions.json", "_journal/start.json"
_JOURNAL = re.compile(r"_journal/summaries/(\d{1,9})\.json", re.ASCII)
_SAMPLE = re.compile(r"samples/(.*)_epoch_(\d{1,9})(?:\.json|/sample\.json)", re.ASCII | re.DOTALL)
_PIECE = re.compile(
    r"(samples/.*_epoch_\d{1,9}/)(messages|events|attachments)/(\d{1,12})\.json", re.ASCII | re.DOTALL
)
_SHELL = "sample.json"
_CHUNKED = f"/{_SHELL}"
SampleKey = tuple[str, int]
"""The id of a sample and its epoch."""


class _Log(ResultSource):
    """What both kinds of logs say of their run.

    Attributes:
        notes: what the header says of the whole run, and once it is read how much ran of what was to run.
    """

    known = True

    def __init__(self, path: Path, written: Table) -> None:
        """Take the path of a log and its header as it is written."""
        self.path, self.written = path, written
        self._header = LogHeader.of(written)
        self.notes, self.chosen = self._header.notes, self._header.chosen
        self.planned, self.metrics = self._header.planned, self._header.metrics
        self.time, self.evaluation = self._header.created, self._header.evaluation
        self._scorers = ScorersSeen(self._header.scorers)

    @property
    def scoring(self) -> Scoring:
        """What its scorers gave, as far as the samples are read."""
        return self._scorers.scoring


class EvalLog(_Log):
    """A log whose records are read one at a time. Made by its path."""

    def __init__(self, path: Path) -> None:
        """Read the table of contents and the header.

        Raises:
            ResultsError: when the file is not a log of Inspect, or is cut off.
        """
        self._archive = Archive(path)
        members = self._archive.members
        self._samples: dict[SampleKey, str] = {}
        self._pieces: dict[str, list[tuple[str, int, str]]] = {}
        self._listed = False
        if members.whole:
            self._list()
        named = next((name for name in (HEADER, BEGUN) if name in members), None)
        if named is None:
            raise ResultsError("not an Inspect log: the archive has no header.json", path)
        super().__init__(path, self._object(named, MAX_LOG_HEADER))
        self._held: list[SampleKey | Table] = []
        self.size = len(self._samples) if self._listed else members.count
        self._interrupted = 0

    def scan(self) -> Iterator[ResultRow | Malformed]:
        """Return all records: those of the summaries, then samples without one."""
        summarized: set[SampleKey] = set()
        for name in self._summaries():
            try:
                for summary in items_of(self._archive.pieces(name)):
                    key = _key(summary)
                    if key is None or not isinstance(summary, dict):
                        yield Malformed(len(self._held) + 1, 1, f"{name}: a summary without an id", len(self._held))
                        continue
                    summarized.add(key)
                    yield self._row(key if self._named(key) else summary, summary)
            except ListError as error:
                yield Malformed(1, 1, f"{name}: {error}", len(self._held))
            except ResultsError as error:
                yield Malformed(1, 1, error.message, len(self._held))
        self._list()
        again = {key for name in self._archive.members.again if (key := _key_of(name)) in summarized}
        for key in [key for key in self._samples if key not in summarized or key in again]:
            try:
                yield self._row(key, self._sample(key).table)
            except ResultsError as error:
                yield Malformed(len(self._held) + 1, 1, error.message, len(self._held))
        if (problem := self._archive.members.problem) is not None:
            yield Malformed(1, 1, problem.message, len(self._held))
        self.notes = self._header.all_notes(len(self._held), self._interrupted)
        if not summarized and not self._samples and REDUCTIONS in self._archive.members:
            yield from self._reduced()

    def raw(self, index: int) -> bytes:
        """Return the text of a record."""
        key_or_row = self._held[index]
        if isinstance(key_or_row, dict):
            return canonical(key_or_row)
        return b"\n".join(self._archive.read(name) for name in self._members(key_or_row))

    def row(self, index: int, digest: str) -> Table:
        """Return a record with its transcript."""
        key_or_row = self._held[index]
        try:
            if isinstance(key_or_row, dict):
                return whole(SampleParts(key_or_row), self._header)
            return whole(self._sample(key_or_row), self._header)
        except (ValueError, RecursionError) as error:  # of an event that is read here
            reason = "nested too deeply" if isinstance(error, RecursionError) else f"not JSON: {error}"
            raise ResultsError(f"sample {index + 1}: {reason}", self.path) from error

    def samples(self) -> Iterator[Table]:
        """Yield samples as they are written, but for those in pieces. Raises `ResultsError` for a broken one."""
        self._list()
        yield from (self._object(name) for name in self._samples.values() if not name.endswith(_CHUNKED))

    def _list(self) -> None:
        """Go through all members for those that hold samples, and pieces of them."""
        if self._listed:
            return
        for name in self._archive.members:
            if (key := _key_of(name)) is not None:
                if key not in self._samples or not name.endswith(_CHUNKED):
                    self._samples[key] = name
            elif match := _PIECE.fullmatch(name):
                self._pieces.setdefault(match[1], []).append((match[2], int(match[3]), name))
        self._listed = True

    def _named(self, key: SampleKey) -> bool:
        """Tell whether a sample has a member, and know it from now on."""
        name = f"samples/{key[0]}_epoch_{key[1]}.json"
        if not self._listed and name in self._archive.members:
            self._samples[key] = name
            return True
        self._list()
        return key in self._samples

    def _summaries(self) -> list[str]:
        if SUMMARIES in self._archive.members:
            return [SUMMARIES]
        journals = (
            (int(number[1]), name) for name in self._archive.members if (number := _JOURNAL.fullmatch(name))
        )
        return [name for _, name in sorted(journals)]

    def _row(self, key_or_row: SampleKey | Table, summary: Table) -> ResultRow:
        index = len(self._held)
        self._held.append(key_or_row)
        self._interrupted += self._header.interrupted(summary)
        self._scorers.add(scores_of(summary))
        digest = table_digest(key_or_row) if isinstance(key_or_row, dict) else self._digest(key_or_row)
        return ResultRow(index, index + 1, digest, brief(summary, self._header), index + 1)

    def _digest(self, key: SampleKey) -> str:
        """Return a digest of a sample: of the checksums of its members, its id and its epoch."""
        members = (self._archive.members[name] for name in self._members(key))
        identity = "\0".join((key[0], str(key[1]), *(f"{member.crc:x} {member.size:x}" for member in members)))
        return hashlib.blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    def _members(self, key: SampleKey) -> list[str]:
        name = self._samples[key]
        pieces = sorted(self._pieces.get(name.removesuffix(_SHELL), []))
        return [name, *(item for _, _, item in pieces)]

    def _sample(self, key: SampleKey) -> SampleParts:
        name = self._samples[key]
        if not name.endswith(_CHUNKED):
            return self._parts(name)
        sample = self._object(name)
        lists: dict[str, list[Plain]] = {"messages": [], "events": [], "attachments": []}
        left = MAX_ARCHIVE_MEMBER - self._archive.members[name].size
        for part, _, piece in sorted(self._pieces.get(name.removesuffix(_SHELL), [])):
            items = self._parsed(piece, max(left, 0))
            left -= self._archive.members[piece].size
            lists[part] += as_list(items)
        metadata_name = name.removesuffix(_SHELL) + "metadata.json"
        metadata = self._object(metadata_name, max(left, 0)) if metadata_name in self._archive.members else {}
        return _assembled({"metadata": metadata, **sample}, lists)

    def _parts(self, name: str) -> SampleParts:
        try:
            return SampleParts.read(self._archive.read(name))
        except (ValueError, RecursionError):
            return SampleParts.of(self._object(name))  # which says what is wrong, and where

    def _reduced(self) -> Iterator[ResultRow | Malformed]:
        self.notes = (*self._header.notes, NO_SAMPLES)
        try:
            for row in reduced(self._parsed(REDUCTIONS, MAX_LOG_HEADER)):
                yield self._row(row, row)
        except ResultsError as error:
            yield Malformed(1, 1, error.message, 0)

    def _object(self, name: str, most: int = MAX_ARCHIVE_MEMBER) -> Table:
        parsed = self._parsed(name, most)
        if not isinstance(parsed, dict):
            raise ResultsError(f"{name}: not a JSON object", self.path)
        return parsed

    def _parsed(self, name: str, most: int) -> Plain:
        data = self._archive.read(name, most)
        try:
            parsed: Plain = json.loads(data)
        except json.JSONDecodeError as error:
            raise ResultsError(f"{name}:{error.lineno}:{error.colno}: not JSON: {error.msg}", self.path) from error
        except (ValueError, RecursionError) as error:  # not UTF-8, numbers without end, nested too deeply
            raise ResultsError(f"{name}: cannot be read: {error}", self.path) from error
        return parsed


def _key_of(name: str) -> SampleKey | None:
    """Return of which sample and epoch a member is, None when it is of none."""
    match = _SAMPLE.fullmatch(name)
    return None if match is None else (match[1], int(match[2]))


def _key(summary: Plain) -> SampleKey | None:
    sample = as_table(summary)
    named, epoch = fields.text(sample.get("id")), fields.whole(sample.get("epoch"))
    return None if named is None or epoch is None else (named, epoch)


def _assembled(shell: Table, lists: dict[str, list[Plain]]) -> SampleParts:
    """Return a chunked sample as one: its messages are ranges of the list that its events name theirs in."""
    pool = lists["messages"]
    event: Table = {"input_refs": shell.get("message_refs")}
    table: Table = {
        **shell,
        "messages": [item for _, item in model_input(event, pool, MAX_GIVEN_MESSAGES)],
        "attachments": {str(index): text for index, text in enumerate(lists["attachments"])},
    }
    return SampleParts(table, lists["events"], pool)


def log_at(path: Path) -> EvalLog | JsonLog:
    """Return the log in a file that is known for one. Raises `ResultsError` when it cannot be read."""
    log = EvalLog(path) if path.suffix == SIGNS.suffix else read_json_log(path)
    if log is None or not is_header(log.written):
        raise ResultsError("the file is not an Inspect log", path)
    return log


_EVALUATION = re.compile(rb'"eval_id"\s*:\s*"([^"\\]+)"')


def evaluation(path: Path, head: bytes) -> str:
    """Return the id of the evaluation of a log, by its path and first bytes; empty for none."""
    if path.suffix != SIGNS.suffix:
        found = _EVALUATION.search(head)
        return "" if found is None else found[1].decode("utf-8", "replace")
    try:
        return log_at(path).evaluation
    except ResultsError:
        return ""


def read_json_log(path: Path) -> JsonLog | None:
    """Read a log, None when the file is not a log or has more than one line of JSON.

    Raises:
        OtherFileError: when it is the head of one.
        ResultsError: when it is larger than 256 MiB, or not UTF-8.
    """
    log = as_table(json_or_text(whole_text(path)))
    if not is_header(log):
        return None  # whoever reads any JSON says what is wrong with it, and where
    if "samples" not in log and not log.get("reductions"):
        raise OtherFileError(head_words(log, path), path)
    return JsonLog(log, path)


class JsonLog(_Log):
    """A log that is held in memory."""

    whole = True
    container = ("samples",)

    def __init__(self, log: Table, path: Path) -> None:
        super().__init__(path, {key: value for key, value in log.items() if key != "samples"})
        self._samples: list[Plain] = as_list(log.get("samples"))
        interrupted = sum(map(self._header.interrupted, self.samples()))
        self.notes = self._header.all_notes(len(self._samples), interrupted)
        if not self._samples and (rows := reduced(log.get("reductions"))):
            self._samples = [*rows]
            self.notes = (*self._header.notes, NO_SAMPLES)
        self.size = len(self._samples)
        for sample in self.samples():
            self._scorers.add(scores_of(sample))

    def samples(self) -> Iterator[Table]:
        """Yield the samples as they are written."""
        yield from tables_in(self._samples)

    def scan(self) -> Iterator[ResultRow | Malformed]:
        """Return all records. Their line is the number of the sample in the log."""
        for index, sample in enumerate(self._samples):
            if deeper(sample, MAX_JSON_DEPTH):
                yield Malformed(index + 1, 1, TOO_DEEP, index + 1)
            elif isinstance(sample, dict):
                yield ResultRow(index, index + 1, table_digest(sample), brief(sample, self._header), index + 1)
            else:
                yield Malformed(index + 1, 1, "not a JSON object", index + 1)

    def raw(self, index: int) -> bytes:
        """Return the text of a record."""
        return canonical(as_table(self._samples[index]))

    def row(self, index: int, digest: str) -> Table:
        """Return a record with its transcript."""
        try:
            return whole(SampleParts.of(as_table(self._samples[index])), self._header)
        except RecursionError as error:
            raise ResultsError(f"sample {index + 1}: nested too deeply", self.path) from error


def log_source(path: Path, head: bytes) -> EvalLog | JsonLog | None:
    """Return the records of a log, None when the file is not one.

    Args:
        path: the file.
        head: its first 64 KiB.

    Raises:
        ResultsError: when it is one and cannot be read.
    """
    return EvalLog(path) if SIGNS.is_named_or_begins(path, head) else read_json_log(path)
