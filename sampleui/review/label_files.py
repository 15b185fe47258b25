"""Labels in files that others read and write: validation sets, annotations, a column a code, taxonomies.

A validation set has `id`, `target` (whether the record fails so) and sometimes `split`, for one code; the
columns `target_NAME` or `label_NAME`, or an object `labels`, are for several. Annotations have `trace_id`,
`status` (`pass`, `fail` or `defer`), `notes` and `failure_modes`. Lines of one label have `id`, `code`,
`label` and `quote`. Any other table has an id, and a column for each code.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import FormatError, ResultsError, results_errors
from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.formats.document import Document
from sampleui.formats.registry import BY_SUFFIX, TABLES, parse_document
from sampleui.review.codes import FailureCode, codes_in
from sampleui.review.verdict import LabelValue, Verdict
from sampleui.text.visible import one_line

IDS = ("id", "trace_id", "transcript_id", "record_id", "record", "sample_id", "uuid")
"""The names of columns that hold ids, those that count first."""

ANNOTATIONS = "annotations.jsonl"
_MODES = "failure_modes"
_BESIDE = frozenset({*IDS, "split", "predicate", "task_id", "task_repeat", "timestamp", "time", "quote", "comment"})
_PREFIXES = ("target_", "label_")
_VALUES = {
    **dict.fromkeys(("true", "yes", "y", "1", "fail", "failed"), LabelValue.YES),
    **dict.fromkeys(("false", "no", "n", "0", "pass", "passed"), LabelValue.NO),
    **dict.fromkeys(("cannot say", "unsure", "unclear", "defer", "?"), LabelValue.UNSURE),
}
_OUTCOMES = frozenset({"fail", "failed", "pass", "passed"})
_STATUSES = {"pass": Verdict.OK, "fail": Verdict.MODEL_WRONG, "defer": Verdict.SKIP}
_WORDS = {verdict: status for status, verdict in _STATUSES.items()}


class LabelRow(NamedTuple):
    """What a row says of a record.

    Attributes:
        id: the record's id, its number in the run (`#3`), or what its tool calls its transcript.
        labels: by the names of codes; those that it leaves empty are not there.
        quote: the words of the record that they are about; empty for none.
        comment: a note on the record, or several; empty for none.
        verdict: what is decided of the record; None for nothing.
        split: the part of the set that it is in; empty for none.
        time: when it was labelled last, as decisions note it; empty where that is not known.
        where: which row it is, in words; empty for one that is yet to be written.
    """

    id: str
    labels: Mapping[str, LabelValue] = {}
    quote: str = ""
    comment: str = ""
    verdict: Verdict | None = None
    split: str = ""
    time: str = ""
    where: str = ""


class LabelFile(NamedTuple):
    """What a file says of records, and how that was read, in words, where it was guessed."""

    rows: tuple[LabelRow, ...]
    guess: str = ""


def read_label_file(
    data: bytes, path: Path, code: str | None = None, column: str | None = None, ids: Container[str] = ()
) -> LabelFile:
    """Return the labels of a file.

    Args:
        data: what is in it.
        path: its name, which says in which format.
        code: for which code it has labels, where it does not say.
        column: the column with the labels, where its name says nothing.
        ids: the ids of records, by which the column of ids is found, where its name says nothing.

    Raises:
        ResultsError: if it cannot be read, with the line and the reason.
    """
    if path.suffix.lower() not in BY_SUFFIX:
        raise ResultsError(f"labels are read from {', '.join(BY_SUFFIX)}", path)
    with results_errors(path):
        document = parse_document(data.decode("utf-8-sig"), path)
    rows = [*_flat(_tables(document, path))]
    if not rows:
        raise ResultsError("there are no rows in it", path)
    try:
        read = _Reading.of([row for _, row in rows], code, column, ids)
        return LabelFile(tuple(read.row(where, row) for where, row in rows), read.guess)
    except ResultsError as error:
        raise ResultsError(error.message, path) from None


def is_label_file(data: bytes, path: Path, codes: Sequence[str]) -> bool:
    """Tell whether a file has labels alone, as `label_file` writes them, so that it may be written anew."""
    try:
        document = parse_document(data.decode("utf-8-sig"), path)
    except (FormatError, UnicodeDecodeError):
        return False
    known = {"id", "target", "split", "trace_id", "status", "notes", _MODES, "timestamp", *codes}
    return all(document.read(index).keys() <= known for index in range(len(document)))


def _tables(document: Document, path: Path) -> Iterator[tuple[str, Table]]:
    """Yield the rows of a file, each with its line."""
    for index in range(len(document)):
        line = document.position(index).line
        try:
            yield f"line {line}", document.read(index)
        except FormatError as error:
            raise ResultsError(error.message, path, line + (error.line or 1) - 1, error.column) from error


def _flat(tables: Iterable[tuple[str, Table]]) -> Iterator[tuple[str, Table]]:
    """Yield rows, those under a part of a set (`split` and `cases`) with that, objects of labels as columns."""
    for where, row in tables:
        if isinstance(row.get("cases"), list) and not any(name in row for name in IDS):
            for number, case in enumerate(as_list(row["cases"]), 1):
                yield from _flat([(f"{where}, case {number}", {**as_table(case), "split": row.get("split")})])
            continue
        flat = dict(row)
        for key, prefix in (("labels", "label_"), ("target", "target_")):
            if isinstance(row.get(key), dict):
                flat |= {f"{prefix}{name}": value for name, value in as_table(flat.pop(key)).items()}
        yield where, flat


class _Reading(NamedTuple):
    """How the rows of a file are read: in which column are the ids, and in which the labels of which codes."""

    id: str
    codes: Mapping[str, str]
    long: bool = False
    guess: str = ""

    @classmethod
    def of(cls, rows: Sequence[Table], code: str | None, column: str | None, ids: Container[str]) -> _Reading:
        names = dict.fromkeys(name for row in rows for name in row)
        where, guessed = _id_column(rows, names, ids)
        if column is not None and column not in names:
            raise ResultsError(f"there is no column {one_line(column, 60)}; there are {', '.join(names)}")
        if column is None and ("code" in names or _MODES in names):
            return cls(where, {}, long=True)
        prefixed = {name: name.split("_", 1)[1] for name in names if name.startswith(_PREFIXES)}
        if column is not None or "target" in names:
            codes = {column or "target": code or ("" if column is None else column)}
        elif prefixed:
            codes = prefixed
        else:
            others = [name for name in names if _folded(name) not in _BESIDE and name != where]
            labelled = [name for name in others if _is_labels(row.get(name) for row in rows)]
            codes, guessed = {name: name for name in labelled}, True
            if code is not None and len(labelled) == 1:
                codes = {labelled[0]: code}
            elif code is not None:
                codes = {name: name for name in labelled if name == code}
                if labelled and not codes:
                    raise ResultsError(f"several columns have labels: {', '.join(labelled)}; name one")
        if not codes:
            raise ResultsError("no column has labels, such as true and false, yes and no, or 1 and 0; name it")
        if "" in codes.values():
            raise ResultsError("it does not say of which code its labels are; name the code")
        words = [f"the ids are in {one_line(where, 60)}"] if guessed else []
        words += [f"labels of {one_line(to, 60)} in {one_line(name, 60)}" for name, to in codes.items() if guessed]
        if any(str(row.get(name)).strip().casefold() in _OUTCOMES for row in rows for name in codes):
            words += ["fail is read as yes, it fails so, and pass as no"]
        return cls(where, codes, guess="; ".join(words))

    def row(self, where: str, row: Table) -> LabelRow:
        name = row.get(self.id)
        text = str(name) if isinstance(name, str | int) and not isinstance(name, bool) else ""
        if not text:
            raise ResultsError(f"{where}: there is no id in {self.id}")
        given: Mapping[str, Plain] = {code: row.get(key) for key, code in self.codes.items()}
        status = _text(row, "status") if self.long and "code" not in row else ""
        if self.long and "code" in row:
            if "label" not in row:
                raise ResultsError(f"{where}: there is no label: yes, no or cannot say")
            given = {_text(row, "code"): row["label"]}
        elif self.long:
            modes = row.get(_MODES)
            given = as_table(modes) if isinstance(modes, dict) else {str(mode): True for mode in as_list(modes)}
        if status and status not in _STATUSES:
            raise ResultsError(f"{where}: no status is {one_line(status, 40)}; there are {', '.join(_STATUSES)}")
        labels = {code: found for code, value in given.items() if (found := _label(value, where))}
        comment = _text(row, "comment") or (_text(row, "notes") if self.long else "")
        quote, split = _text(row, "quote"), _text(row, "split")
        return LabelRow(text, labels, quote, comment, _STATUSES.get(status), split, where=where)


def _id_column(rows: Sequence[Table], names: Iterable[str], ids: Container[str]) -> tuple[str, bool]:
    """Return the column of ids, and whether it was guessed by what it holds."""
    by_name = {_folded(name): name for name in names}
    where = next((by_name[name] for name in IDS if name in by_name), None)
    if where is not None:
        return where, False
    hits = {name: sum(str(row.get(name)) in ids for row in rows) for name in names}
    where = max(hits, key=lambda name: hits[name])
    if not hits[where]:
        raise ResultsError("no column has ids of these records; name it id")
    return where, True


def _folded(name: str) -> str:
    """Return the name of a column as it is spelled in the tables of above: `Trace ID` is `trace_id`."""
    return "_".join(name.casefold().replace("-", " ").split())


def _text(row: Table, key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def _is_labels(values: Iterable[Plain]) -> bool:
    words = {str(value).strip().casefold() for value in values if value not in (None, "")}
    return bool(words) and words <= _VALUES.keys()


def _label(value: Plain, where: str) -> LabelValue | None:
    """Return a value as a label; None for nothing. Raises ResultsError for anything else."""
    word = "" if value is None else str(value).strip().casefold()
    word = word.removesuffix(".0") if isinstance(value, float) else word
    if word and word not in _VALUES:
        raise ResultsError(f"{where}: {one_line(str(value), 60)} is no label: yes, no or cannot say")
    return _VALUES.get(word)


def taxonomy_in(text: str) -> tuple[FailureCode, ...]:
    """Return the codes of a text in Markdown, whoever wrote it: those of the level of heading that most have.

    One heading of the first level is the title. Numbers before a heading, and the word "Definition" before a
    definition, are left out; a heading without a definition is a code without one.
    """
    levels = [codes_in(text, level) for level in (2, 3, 1, 4)]
    levels[2] = levels[2] if len(levels[2]) > 1 else ()
    found = max(levels, key=lambda codes: sum(bool(code.text) for code in codes))
    return tuple(
        code._replace(name=_NUMBER.sub("", code.name), text=_DEFINITION.sub("", code.text)) for code in found
    )


_NUMBER = re.compile(r"^\d+[.)]\s+")
_DEFINITION = re.compile(r"^[*_]*(?:Definition|Description)[*_]*:[*_]*\s*", re.IGNORECASE)


def label_file(path: Path, codes: Sequence[str], records: Sequence[LabelRow]) -> bytes:
    """Return a file of labels: annotations if it is called so, of one code a validation set, else a table.

    Raises:
        ResultsError: if others would not read it as it is meant: the reason, with the ids that are at fault.
    """
    suffix = path.suffix.lower()
    if path.name.endswith(ANNOTATIONS):
        return _written([*map(_annotation, records)], suffix).encode("utf-8", "backslashreplace")
    if BY_SUFFIX.get(suffix) is None or suffix == ".toml":
        raise ResultsError("labels are written as .jsonl, .csv, .yaml or .json", path)
    if len(codes) != 1 and suffix not in TABLES:
        raise ResultsError(f"name one code, or a table (.csv), or {ANNOTATIONS} for several", path)
    _refuse_ids(path, records, tables=suffix in TABLES)
    known = [item for item in records if any(item.labels.get(code) in _TARGETS for code in codes)]
    splits = any(item.split for item in known)
    rows: list[Table] = [
        _case(item, codes[0], splits)
        if len(codes) == 1
        else {"id": item.id, **{code: _cell(item.labels.get(code)) for code in codes}}
        for item in known
    ]
    return _written(rows, suffix).encode("utf-8", "backslashreplace")


_TARGETS = {LabelValue.YES: True, LabelValue.NO: False}


def _case(item: LabelRow, code: str, splits: bool) -> Table:
    split: Table = {"split": item.split or None} if splits else {}
    return {"id": item.id, "target": _TARGETS[item.labels[code]], **split}


def _cell(label: LabelValue | None) -> Plain:
    return None if label is None else int(_TARGETS[label]) if label in _TARGETS else str(label)


def _annotation(item: LabelRow) -> Table:
    modes: Table = {code: int(_TARGETS[label]) for code, label in item.labels.items() if label in _TARGETS}
    status = "" if item.verdict is None else _WORDS.get(item.verdict, "fail")
    row: Table = {"trace_id": item.id, **({"status": status} if status else {}), "notes": item.comment}
    return {**row, _MODES: modes, "timestamp": item.time}


def _refuse_ids(path: Path, records: Iterable[LabelRow], *, tables: bool) -> None:
    """Refuse ids that readers of validation sets take for something else: several ids, a number, or nothing."""
    ids = [item.id for item in records]
    several = [name for name in ids if "," in name or (name.strip()[:1] == "[" and name.strip()[-1:] == "]")]
    twice = sorted({name for name in ids if ids.count(name) > 1}) if len({*ids}) < len(ids) else []
    changed = [name for name in ids if tables and _is_changed(name)]
    for wrong, why in (
        (several, "would be read as several ids"),
        (twice, "are those of several records"),
        (changed, "would be read as other values from a table: write .jsonl"),
    ):
        if wrong:
            named = ", ".join(one_line(name, 60) for name in wrong[:5])
            raise ResultsError(f"{len(wrong):,} ids {why}: {named}{' …' if len(wrong) > 5 else ''}", path)


_NOTHING = frozenset("nan null none na n/a <na> #n/a #na -nan 1.#ind 1.#qnan -1.#ind -1.#qnan".split())  # noqa: SIM905


def _is_changed(name: str) -> bool:
    text = name.strip()
    if text.casefold() in _NOTHING or text != name or text.casefold() in ("true", "false"):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return not text.isdecimal() or str(int(text)) != text


def _written(rows: Sequence[Table], suffix: str) -> str:
    """Return rows as the text of a file; in YAML as flow mappings, so that no id is read as a number."""
    if suffix in TABLES:
        return _table(rows, "\t" if suffix == ".tsv" else ",")
    if suffix == ".json":
        return json.dumps([*rows], indent=2, ensure_ascii=False) + "\n"
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    if suffix in (".yaml", ".yml"):
        return "".join(f"- {line}" for line in lines) or "[]\n"
    return "".join(lines)


def _table(rows: Sequence[Table], delimiter: str) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, [*rows[0]] if rows else ["id"], delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    words = {True: "true", False: "false", None: ""}
    for row in rows:
        writer.writerow(
            {key: words[value] if value is None or isinstance(value, bool) else value for key, value in row.items()}
        )
    return out.getvalue()
