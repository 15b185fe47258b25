"""Judges whose words are in another table than the run: columns of it, joined to the run's records by their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.formats.registry import TABLES
from sampleui.review.record import FAIL_UNDER, Entry, on_scale
from sampleui.review.reports.graders import Grader, graders_in
from sampleui.review.results.documents import read_cells
from sampleui.review.results.fields import verdict
from sampleui.review.results.file import open_results
from sampleui.review.results.sources import ResultRow
from sampleui.sample.dialects.dialect import value_at
from sampleui.text.confined import exists, named
from sampleui.text.visible import one_line

WHOLE = "all together"
"""What the run as a whole is called among its evaluators."""

_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def same_name(first: str, second: str) -> bool:
    """Tell whether two names are alike but for their case and for what is between their words."""
    return _folded(first) == _folded(second)


def _folded(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").casefold().split())


def graders_named(
    name: str,
    entries: Sequence[Entry],
    codes: Sequence[str],
    fail_under: float | None,
    other_id: Callable[[Entry], str] = lambda entry: entry.id,
) -> Sequence[Grader]:
    """Return what codes are to be held against: an evaluator of the run, or columns of another table.

    Args:
        name: that of an evaluator, or of a file, after which `:COLUMN` may stand.
        entries: the records of the run.
        codes: the names of the codes. A truth in a column of that of a code says that the record fails so; in any
            other it is a pass, as an outcome or a score is everywhere.
        fail_under: the threshold that was asked for.
        other_id: returns what other tools call a record.

    Raises:
        ResultsError: if there is no such evaluator, file or column, or none of its ids is that of a record.
    """
    own = graders_in(entries, fail_under)
    if found := [grader for grader in own if (grader.name or WHOLE) == name]:
        return found
    file, _, column = (name, "", "") if exists(name) else name.rpartition(":")
    if not exists(file):
        known = ", ".join(one_line(grader.name or WHOLE, 80) for grader in own)
        raise ResultsError(f"neither an evaluator nor a file is called {name}; the evaluators are {known}")
    records = {other_id(entry): entry.digest for entry in entries} | _records_by_id(entries)
    return _joined(named(file), column, records, codes, fail_under)


def _joined(
    path: Path, column: str, records: Mapping[str, str], codes: Sequence[str], fail_under: float | None
) -> Sequence[Grader]:
    is_table = path.suffix.lower() in TABLES
    source = read_cells(path) if is_table else open_results(path, anyones=True, asked=True).source
    rows = [row.data for row in source.scan() if isinstance(row, ResultRow)]
    matches = Counter(key for row in rows for key, value in row.items() if str(value) in records)
    if not matches:
        raise ResultsError("no column has ids of the run's records", path)
    id_key = matches.most_common(1)[0][0]
    placed = [(records[key], row) for row in rows if (key := str(row.get(id_key))) in records]
    names = [column] if column else [*dict.fromkeys(key for row in rows for key in row if key != id_key)]
    of_codes = [name for name in names if any(same_name(name, code) for code in codes)]
    judges = [
        Grader(name, lambda entry, judged=judged: judged.get(entry.digest), lambda _: None)  # type: ignore[misc]
        for name in of_codes or names
        if (judged := _judged(name, placed, fail_under, fails_so=name in of_codes))
    ]
    if not judges:
        which = f"the column {one_line(column, 80)} does not hold" if column else "no column holds"
        raise ResultsError(f"{which} verdicts, truths or scores from 0 to 1", path)
    if len(judges) > 1 and not of_codes:
        raise ResultsError(f"several columns may be a judge's: name one, as in {path.name}:{judges[0].name}", path)
    return judges


def _records_by_id(entries: Sequence[Entry]) -> dict[str, str]:
    """Return the digests of records by their ids, and by those of their samples where these have one each."""
    samples = Counter(entry.sample_id for entry in entries)
    by_sample = {entry.sample_id: entry.digest for entry in entries if samples[entry.sample_id] == 1}
    return by_sample | {entry.id: entry.digest for entry in entries}


def _judged(
    column: str, placed: Iterable[tuple[str, Table]], fail_under: float | None, *, fails_so: bool
) -> Mapping[str, bool]:
    """Return by the digests of records whether a column passes them; nothing of a column of anything else."""
    judged: dict[str, bool] = {}
    for digest, row in placed:
        value = row[column] if column in row else value_at(row, tuple(column.split(".")))
        if value in (None, ""):
            continue
        truth, outcome = _truth(value, fail_under), verdict(value)
        if truth is None and outcome not in ("pass", "fail"):
            return {}
        judged[digest] = outcome == "pass" if truth is None else truth is not fails_so
    return judged


def _truth(value: Plain, fail_under: float | None) -> bool | None:
    """Return what a word, a truth or a score from 0 to 1 says; None if it is none of these."""
    if isinstance(value, str):
        return _TRUTHS.get(value.strip().casefold())
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and on_scale(value):
        return value >= (FAIL_UNDER if fail_under is None else fail_under)
    return None
