"""Verdicts put into a copy of a log by Inspect's own `edit_score`, in the environment of whoever runs it.

Source: inspect-ai 0.3.285, `inspect_ai.log.edit_score` and `ScoreEdit`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.review.record import Record
from sampleui.runs.rerun.calls import ProgramCall

_PROGRAM = """\
import json
import sys

from inspect_ai.log import ProvenanceData, edit_score, read_eval_log, write_eval_log
from inspect_ai.scorer import ScoreEdit

source, edits, target = sys.argv[1:]
log = read_eval_log(source)
with open(edits, encoding="utf-8") as file:
    items = json.load(file)
for number, item in enumerate(items, 1):
    edit = item["edit"]
    edit["provenance"] = ProvenanceData(**edit["provenance"])
    last = number == len(items)
    edit_score(log, item["sample_id"], item["score_name"], ScoreEdit(**edit), last, epoch=item["epoch"])
write_eval_log(log, target)
"""


def call(log: Path, edits: Sequence[Table], out: Path) -> ProgramCall:
    """Return the call that writes a copy of a log with edits of scores in it, into `out`."""
    program, listed, new = out / "edit_scores.py", out / "edits.json", written(log, out)
    text = json.dumps([*edits], ensure_ascii=False).encode("utf-8", "backslashreplace")
    return ProgramCall(
        "python",
        (str(program), str(log.absolute()), str(listed), str(new)),
        log.absolute().parent,
        out,
        (),
        files={program.name: _PROGRAM.encode(), listed.name: text},
        notes=("Inspect reads the log, edits its scores and writes a copy; no task of the project is loaded",),
    )


def written(log: Path, out: Path) -> Path:
    """Return where the copy is."""
    return out / f"edited{log.suffix}"


def missing(records: Iterable[Record], edits: Sequence[Table]) -> int:
    """Return how many of the edits the records of a copy have not as the last of their scores."""
    made = Counter(_edit_key(key, history) for record in records for key, history in _histories(record))
    wanted = Counter(
        _edit_key((edit["sample_id"], edit["epoch"], edit["score_name"]), as_table(edit["edit"])) for edit in edits
    )
    return (wanted - made).total()


def _histories(record: Record) -> Iterator[tuple[tuple[Plain, ...], Table]]:
    """Yield the last edit of each score of a record, with what names it."""
    for name, score in as_table(record.data.get("scores")).items():
        if history := as_list(as_table(score).get("history")):
            yield (record.data.get("id"), record.attempt, name), as_table(history[-1])


def _edit_key(written_at: tuple[Plain, ...], edit: Table) -> tuple[str, ...]:
    provenance = as_table(edit.get("provenance"))
    return (*map(str, written_at), str(provenance.get("author")), str(provenance.get("reason")))
