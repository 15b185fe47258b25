"""The files that a row of AgentV's points to, read into the row.

Its runs keep gradings, answers, timings and transcripts in files of their own and name them by path. What the
row itself says is never replaced. A path may only lead to a file inside the run's folder. Two rows may name the
same file, as those of two targets do in AgentV 4.42; it then holds what the last of them wrote and nothing of the
others. A row of AgentV 5 may stand for several samples (`samples[].sample_path` below `result_dir`), each with its
own files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.integrations.integration import RunFiles

if TYPE_CHECKING:
    from sampleui.review.record import Record
    from sampleui.runs.sample_as_run import AsRun
    from sampleui.sample.model import Sample


import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from posixpath import dirname
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.agentv import results as rows
from sampleui.integrations.integration import Hydrated, Sharing
from sampleui.review.results import fields
from sampleui.text.confined import Refusal, is_file, is_inside, read_confined
from sampleui.text.limits import MAX_RUN_FILE

ROLE_LINE = re.compile(r"^@\[([a-z]+)\]:\n", re.MULTILINE)


class Pointer(NamedTuple):
    """Keys of which the first one set names a file, the keys that make the file needless, and how it is read.

    Attributes:
        beside: where such a file lies, seen from another that the row names, when the row does not name it.
    """

    keys: tuple[str, ...]
    unless: tuple[str, ...]
    read: Callable[[str], Table]
    beside: tuple[tuple[str, str], ...] = ()

    def written(self, row: Table) -> tuple[str | None, bool]:
        """Return the path of the file and whether the row itself names it."""
        named = fields.text(fields.first(row, self.keys))
        if named is not None:
            return named, True
        for key, name in self.beside:
            other = fields.text(row.get(key))
            if other is not None:
                return f"{dirname(other)}/{name}".lstrip("/"), False
        return None, False


def with_grading(row: Table, folder: Path) -> Table:
    """Return a row with its grading alone, which decides whether the record failed.

    An answer that could not be had is not graded: a grading that such a row names is that of another target.
    """
    if row.get("execution_status") == "execution_error":
        return row
    return _read(row, folder, POINTERS[:1]).row


def hydrated(row: Table, folder: Path, sharing: Sharing = Sharing.NOBODY) -> Hydrated:
    """Read every file a row points to.

    Args:
        row: the row.
        folder: the folder of the run.
        sharing: whether another row names the same files, so that they may be about that one.
    """
    pointed = _read(_of_its_sample(row, folder), folder, POINTERS)
    owner = _owner(pointed.row)
    targets = (row.get("target"), fields.dimensions(row).get("source_target"))
    is_owner = owner is None or row.get("target") is None or owner in targets
    if is_owner and sharing is Sharing.NOBODY:
        return pointed
    written = next((path for item in POINTERS if (path := item.written(row)[0])), "files")
    home = fields.text(row.get("artifact_dir")) or dirname(written) or written
    if is_owner:
        message = f"several records name {home}; its files are those of the last one written"
        return pointed._replace(
            problems=(*pointed.problems, message), doubtful=owner is None or sharing is Sharing.TARGET
        )
    message = f"{home} was overwritten by the run of {owner}: this record's answer is not kept"
    asked = _read(row, folder, POINTERS[-1:])  # what was asked is the same for every target
    return Hydrated(asked.row, (*pointed.problems, message), lost=True)


def tries_of(row: Table, folder: Path) -> tuple[Table, ...]:
    """Return a row for each of several samples that a row stands for; none if it stands for itself."""
    listed = [sample for sample in tables_in(row.get("samples")) if fields.text(sample.get("sample_path"))]
    around = {key: value for key, value in row.items() if key not in ("samples", "aggregation", *_OF_A_SAMPLE)}
    return tuple({**around, **item, **_paths(row, item, folder)} for item in listed) if len(listed) > 1 else ()


def _of_its_sample(row: Table, folder: Path) -> Table:
    """Return a row with the paths of that of its samples whose outcome it has."""
    for item in tries_of(row, folder):
        if all(item.get(key) == row.get(key) for key in ("execution_status", "score")):
            return {key: item[key] for key in _IN_A_SAMPLE if key in item} | row
    return row


def _paths(row: Table, sample: Table, folder: Path) -> Table:
    """Return the paths of those files of a sample that exist."""
    home = "/".join(str(part) for part in (row.get("result_dir"), sample["sample_path"]) if part)
    paths = ((key, f"{home}/{name}") for key, name in _IN_A_SAMPLE.items())
    return {key: path for key, path in paths if is_file(folder / path) and is_inside(folder / path, folder)}


def artifact_of(row: Table) -> str | None:
    """Return the path that stands for the files of a row; rows with the same one share them."""
    return fields.text(
        fields.first(row, ("artifact_dir", "output_path", "answer_path", "transcript_path", "grading_path"))
    )


def _owner(row: Table) -> str | None:
    """Return the target that a transcript says it is of."""
    transcript = row.get("transcript")
    first = transcript[0] if isinstance(transcript, list) and transcript else transcript
    return fields.text(as_table(first).get("target"))


def _read(row: Table, folder: Path, pointers: tuple[Pointer, ...]) -> Hydrated:
    problems: list[str] = []
    lost = False
    for pointer in pointers:
        written, named = pointer.written(row)
        if written is None or fields.first(row, pointer.unless) is not None:
            continue
        file = read_confined(written, [folder], folder, MAX_RUN_FILE)
        if isinstance(file, Refusal):
            if named:
                problems.append(file.reason)
                lost = lost or pointer is ANSWER
            continue
        try:
            row = pointer.read(file.data.decode("utf-8-sig")) | row
        except (ValueError, RecursionError):
            problems.append(f"{written} cannot be read as {pointer.keys[0].removesuffix('_path')}")
            lost = lost or pointer is ANSWER
    return Hydrated(row, tuple(problems), lost)


def _grading(text: str) -> Table:
    grading = as_table(json.loads(text))
    listed = fields.first(grading, rows.SCORE_LISTS)
    verdict = {"pass": grading.get("pass"), "reason": grading.get("reason")}
    return _present(scores=listed, assertions=grading.get("assertions"), grading=grading, **verdict)


def _answer(text: str) -> Table:
    return {"output": text.rstrip(), rows.WHOLE: text}


def _timing(text: str) -> Table:
    timing = as_table(json.loads(text))
    return _present(
        duration_ms=fields.first(timing, ("duration_ms",)) or as_table(timing.get("duration")).get("total_ms"),
        token_usage=fields.first(timing, ("token_usage", "tokens")),
        cost_usd=fields.first(timing, ("cost_usd",)) or as_table(timing.get("cost")).get("usd"),
    )


def _transcript(text: str) -> Table:
    """Read a transcript: JSON lines of messages, or one JSON document; what it means is the trace's matter."""
    try:
        parsed: Plain = json.loads(text)
    except ValueError:
        return {"transcript": [json.loads(line) for line in text.splitlines() if line.strip()]}
    if isinstance(parsed, dict) and tables_in(parsed.get("messages")):
        return {"output_messages": tables_in(parsed["messages"])}  # type: ignore[dict-item]
    if isinstance(parsed, dict) and "message_index" in parsed:
        return {"transcript": [parsed]}
    return {"transcript": parsed} if parsed else {}


def _timed_transcript(text: str) -> Table:
    """Read what AgentV 5 keeps beside a transcript: the same with times, where it is in AgentV's own form."""
    transcript = _transcript(text)
    lines = tables_in(transcript.get("transcript"))
    return transcript if lines and "message_index" in lines[0] else {}


def _trace(text: str) -> Table:
    return {"transcript": json.loads(text)}


def _asked(text: str) -> Table:
    parts = ROLE_LINE.split(text.removesuffix("\n"))
    if len(parts) == 1:
        return {"input": text.rstrip()}
    return {"input": list(_messages(parts[1:]))}


def _messages(parts: list[str]) -> Iterator[Plain]:
    """Read messages below `@[role]:` lines, a blank line between them; a marker inside one has a capital letter."""
    for role, content in zip(parts[::2], parts[1::2], strict=True):
        yield {"role": role, "content": content.removesuffix("\n\n")}


def _present(**values: Plain) -> Table:
    return {key: value for key, value in values.items() if value is not None}


_OF_A_SAMPLE = frozenset({"score", "scores", "named_scores", "execution_status", "error", "duration_ms"})
_IN_A_SAMPLE = {
    "grading_path": "grading.json",
    "output_path": "outputs/answer.md",
    "metrics_path": "metrics.json",
    "transcript_raw_path": "transcript-raw.jsonl",
    "transcript_path": "transcript.json",
}
"""Where the files of a sample of AgentV 5 lie in its folder."""

_TRACED: tuple[str, ...] = ("output_messages", "outputMessages", "trace", "trace_ref", "traceRef", "transcript")
ANSWER = Pointer(("output_path", "answer_path", "response_path"), rows.ANSWERS, _answer)
POINTERS = (
    Pointer(("grading_path",), rows.SCORE_LISTS, _grading),
    ANSWER,
    Pointer(("metrics_path", "timing_path"), ("duration_ms", "token_usage"), _timing),
    Pointer(("transcript_raw_path",), _TRACED, _timed_transcript),
    Pointer(("transcript_path",), _TRACED, _transcript),
    Pointer(("trace_path",), _TRACED, _trace, (("transcript_path", "trace.json"), ("output_path", "trace.json"))),
    Pointer(("input_path",), ("input", "input_messages"), _asked),
)


def _as_run(record: Record, base_dir: Path, sample: Sample | None) -> AsRun | None:
    from sampleui.integrations.agentv.kept_sample import as_run  # reads decks, which few records need

    return as_run(record, base_dir, sample)


RUN_FILES = RunFiles(with_grading, hydrated, tries_of, artifact_of, _as_run)
