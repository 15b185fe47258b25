"""Readers of other makers that hold the texts of edited decks against theirs."""

from __future__ import annotations

import csv
import datetime as dt
import json
import math
import re
import shutil
import subprocess
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, Self

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.error import ReusedAnchorWarning

from sampleui.formats.csv import CsvDocument
from sampleui.formats.csv_cells import NUMBERS, STRUCTURED
from sampleui.formats.document import Document
from tests.formats.invariants import NAME, samples_of

HERE = Path(__file__).parent
SELDOM = 20
"""ruamel.yaml is slow: it reads one text of so many."""


def whole(document: Document) -> tuple[object, object]:
    """Return all that a deck says: its samples in their container, and what stands beside them."""
    rows = samples_of(document)
    bare = [{key: value for key, value in row.items() if key != NAME} for row in rows if isinstance(row, dict)]
    if isinstance(document, CsvDocument):
        filled = [{key: value for key, value in row.items() if value != ""} for row in bare]
        return [row for row in filled if row], {}
    names = [row.get(NAME) for row in rows if isinstance(row, dict)]
    held: object = dict(zip(names, bare, strict=True)) if document.keyed else bare
    # Anchors may be kept under `_` in YAML, which is nobody's value.
    return held, {key: value for key, value in document.context.items() if key != "_"} if document.container else {}


def alike(mine: object, theirs: object) -> bool:
    """Tell whether two readers mean the same; dates, and the kinds of numbers, are each one's own affair."""
    if isinstance(theirs, dict) and theirs.keys() == {"$"}:
        said = str(theirs["$"])
        return said == "date" or (isinstance(mine, int | float) and _number(said, mine))
    if isinstance(mine, dt.date | dt.time):
        return True
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return mine.keys() == {str(key) for key in theirs} and all(
            alike(mine[str(key)], value) for key, value in theirs.items()
        )
    if isinstance(mine, list | tuple) and isinstance(theirs, list | tuple):
        return len(mine) == len(theirs) and all(map(alike, mine, theirs))
    if isinstance(mine, bool) or isinstance(theirs, bool) or mine is None or theirs is None:
        return mine is theirs
    if isinstance(mine, int | float) and isinstance(theirs, int | float):
        return _number(repr(theirs), mine)
    if isinstance(mine, str) and isinstance(theirs, str):
        return mine == theirs or re.sub("\r*\n", "\n", mine) == re.sub("\r*\n", "\n", theirs)
    return mine == theirs


def _number(said: str, mine: float) -> bool:
    other = float(said.replace("Infinity", "inf"))
    try:
        own = float(mine)
    except OverflowError:
        own = math.inf if mine > 0 else -math.inf
    return own == other or (math.isnan(own) and math.isnan(other))


class Readers:
    """The readers at hand. Use as a context: node runs beside."""

    def __init__(self) -> None:
        self.node: subprocess.Popen[str] | None = None
        self.turn = 0

    def __enter__(self) -> Self:
        """Start node, if it has the readers."""
        if node := shutil.which("node"):
            began = subprocess.Popen(
                [node, str(HERE / "readers.mjs")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
            self.node = began
            if not self._answer(self._ask("json", "1")):
                self.__exit__()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop node."""
        if self.node is not None:
            self.node.kill()
            self.node.communicate()
            self.node = None

    def fit(self, text: str, document: Document) -> frozenset[str]:
        """Return who reads a text as the document does: names, and `beside NAME` for what is beside the samples."""
        findings = [note for note, _ in document.notes()]
        findings += [finding for index in range(len(document)) for finding in document.findings(index)]
        if any(finding.rule == "duplicate-key" for finding in findings):
            return frozenset()  # which of them counts is each reader's own affair
        rows, beside = whole(document)
        found: set[str] = set()
        for name, read in self._read(document, text, None).items():
            if not isinstance(read, Exception):
                theirs, rest = _inside(document, read)
                if alike(rows, theirs):
                    found |= {name, f"beside {name}"} if alike(beside, rest) else {name}
        return frozenset(found)

    def fault(self, fit: frozenset[str], document: Document, read: Counter[str]) -> str | None:
        """Return what is wrong when a reader reads otherwise than the document does."""
        self.turn += 1
        if not fit:
            return None
        rows, beside = whole(document)
        for name, theirs in self._read(document, document.text, fit).items():
            read[name] += 1
            if isinstance(theirs, Exception):
                return f"{name} cannot read it: {theirs}"
            found, rest = _inside(document, theirs)
            if not alike(rows, found):
                return f"{name} reads {found!r} and not {rows!r}"
            if f"beside {name}" in fit and not alike(beside, rest):
                return f"{name} reads {rest!r} beside the samples and not {beside!r}"
        return None

    def read(self, form: str, text: str) -> dict[str, Any]:
        """Return what each reader of a format makes of a text: a value, or the error that it refuses it with."""
        return self._by_all(form, text, _OWN.get(form, {}), None)

    def _read(self, document: Document, text: str, only: frozenset[str] | None) -> dict[str, Any]:
        if document.format == "jsonl":
            return {}
        form, how = document.format, dict[str, str]()
        own = _OWN.get(form, {})
        if isinstance(document, CsvDocument):
            form, own = "csv", {"csv": partial(_by_csv, delimiter=document.delimiter)}
            how = {"delimiter": document.delimiter, "newline": document.line_end}
        return self._by_all(form, text, own, only, **how)

    def _by_all(
        self,
        form: str,
        text: str,
        own: Mapping[str, Callable[[str], Any]],
        only: frozenset[str] | None,
        **how: str,
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        asked = self._ask(form, text, **how)  # node reads while those of Python do
        for name, reader in own.items():
            if (only is None or name in only) and (name != "ruamel.yaml" or only is None or not self.turn % SELDOM):
                try:
                    found[name] = reader(text)
                except Exception as error:  # noqa: BLE001 - whatever another reader stumbles over, it has not read the text
                    found[name] = ValueError(str(error).replace("\n", " "))
        for name, answer in self._answer(asked).items():
            if only is None or name in only:
                found[name] = answer["value"] if "value" in answer else ValueError(answer["error"])
        return found

    def _ask(self, form: str, text: str, **how: str) -> bool:
        if self.node is None or self.node.stdin is None:
            return False
        try:
            self.node.stdin.write(json.dumps({"form": form, "text": text, **how}) + "\n")
            self.node.stdin.flush()
        except BrokenPipeError:
            return False
        return True

    def _answer(self, asked: bool) -> dict[str, Any]:
        if not asked or self.node is None or self.node.stdout is None:
            return {}
        answer = self.node.stdout.readline()
        return json.loads(answer) if answer else {}


def _inside(document: Document, read: Any) -> tuple[object, object]:
    """Return what another reader has read of a deck as `whole` returns it."""
    if isinstance(document, CsvDocument):
        return _valued(read), {}
    beside: object = {}
    if document.container and isinstance(read, dict):
        beside = {str(key): value for key, value in read.items() if str(key) not in (*document.container[:1], "_")}
    for key in document.container:
        read = read.get(key) if isinstance(read, dict) else None
    if not len(document) and read in (None, {}, []):
        return whole(document)[0], beside if document.container else whole(document)[1]
    if isinstance(read, dict) and not document.container and not document.keyed:
        read = [read]  # the file is one sample
    return read, beside


def _by_pyyaml(text: str) -> object:
    return next(yaml.load_all(text.removeprefix("\ufeff"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)), None)


def _by_ruamel(text: str) -> object:
    reader = YAML(typ="safe", pure=True)
    reader.allow_duplicate_keys = True
    warnings.simplefilter("ignore", ReusedAnchorWarning)
    return next(iter(reader.load_all(StringIO(text.removeprefix("\ufeff")))), None)


def _by_python(text: str) -> object:
    return next(yaml.load_all(text.removeprefix("\ufeff"), yaml.SafeLoader), None)


def _by_csv(text: str, delimiter: str) -> list[list[str]]:
    lines = csv.reader(StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter, strict=True)
    return [row for row in lines if row]


def _valued(rows: list[list[str]]) -> object:
    """Return what the rows of a table say by docs/formats.md; an empty text, no value and no row look the same."""
    header, *rest = rows or [[]]
    filled = ({name: _cell(name, cell) for name, cell in zip(header, row, strict=False) if cell} for row in rest)
    return [row for row in filled if row]


def _cell(name: str, text: str) -> object:
    try:
        value = json.loads(text, parse_constant=str)
    except ValueError:
        return text
    if isinstance(value, list | dict):
        return value if name in STRUCTURED else text
    number = name in NUMBERS and text == text.strip() and isinstance(value, int | float)
    return value if number and not isinstance(value, bool) else text


_YAML = {"PyYAML": _by_pyyaml, "PyYAML without libyaml": _by_python, "ruamel.yaml": _by_ruamel}
_TOML = {"tomllib": lambda text: tomllib.loads(text.removeprefix("\ufeff"))}
_OWN: Mapping[str, Mapping[str, Callable[[str], Any]]] = {"yaml": _YAML, "toml": _TOML}
