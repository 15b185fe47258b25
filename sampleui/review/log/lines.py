"""A decision as a line of JSON, and back.

A line is an object of texts: `id`, `time`, `kind` (`decide`, `adjudicate` or `undo`), `reviewer`, `sample`,
`sample_hash`, `record` (the record's digest), `record_id`, then `verdict`, `comment` and `tags` (a list of texts)
of a decision, or `undoes` (the id it takes back) of an undo. `sample_hash`, what stands for the record (`content`,
`answer`, `values`, `target`, `outcome`), `comment` and `tags` may be absent. Unknown keys are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from sampleui.review.verdict import Decision, Kind, Verdict

REQUIRED = ("id", "time", "reviewer", "record", "record_id", "sample")
_OF_RECORD = ("content", "answer", "values", "target", "outcome")


def line_of(decision: Decision) -> bytes:
    """Return a decision as one line, its line feed included. Absent values are left out."""
    row: dict[str, str | list[str]] = {"id": decision.id, "time": decision.time, "kind": decision.kind}
    row |= {"reviewer": decision.reviewer, "sample": decision.sample}
    if decision.sample_hash is not None:
        row["sample_hash"] = decision.sample_hash
    row |= {"record": decision.record, "record_id": decision.record_id}
    row |= {key: value for key in _OF_RECORD if (value := getattr(decision, key)) is not None}
    if decision.verdict is not None:
        row["verdict"] = decision.verdict
    if decision.undoes is not None:
        row["undoes"] = decision.undoes
    if decision.comment:
        row["comment"] = decision.comment
    if decision.tags:
        row["tags"] = list(decision.tags)
    # A lone surrogate has no UTF-8; as the escape that backslashreplace writes it is the same text in JSON.
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def decisions_of(line: bytes) -> Iterator[Decision | None]:
    """Return the decisions of a line, None for a part that is not one.

    A merge of a log that lacked its final line feed may leave two decisions on a line; both are read.
    """
    text, at, decoder = line.decode("utf-8", "replace"), 0, json.JSONDecoder()
    while at < len(text):
        if text[at] in " \t\r\n\ufeff":
            at += 1
            continue
        try:
            row, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield None
            return
        yield _decision(row)


def _decision(row: object) -> Decision | None:
    if not isinstance(row, dict):
        return None
    said = {key: value for key, value in row.items() if isinstance(value, str)}
    if not all(key in said for key in REQUIRED):
        return None
    kind, undoes, verdict = said.get("kind"), said.get("undoes"), said.get("verdict")
    if kind == Kind.UNDO and undoes is not None:
        return _made(said, Kind.UNDO, None, undoes)
    if kind in (Kind.DECIDE, Kind.ADJUDICATE) and verdict in set(Verdict):
        listed = row.get("tags")
        tags = tuple(one for one in listed if isinstance(one, str)) if isinstance(listed, list) else ()
        return _made(said, Kind(kind), Verdict(verdict), None, tags)
    return None


def _made(
    said: dict[str, str], kind: Kind, verdict: Verdict | None, undoes: str | None, tags: tuple[str, ...] = ()
) -> Decision:
    return Decision(
        id=said["id"],
        time=said["time"],
        kind=kind,
        reviewer=said["reviewer"],
        sample=said["sample"],
        sample_hash=said.get("sample_hash"),
        record=said["record"],
        record_id=said["record_id"],
        **{key: said.get(key) for key in _OF_RECORD},  # type: ignore[arg-type]
        verdict=verdict,
        undoes=undoes,
        comment=said.get("comment", ""),
        tags=tags,
    )
