"""What becomes of each case in the test suites of other makers: `python -m tests.peers.table [FOLDER]`.

The suites are not part of the project. They are looked for in the folder that SAMPLEUI_PEERS names, each a
checkout under its own name: `toml-test`, `yaml-test-suite`, `JSONTestSuite`, `csv-spectrum`, `nunjucks`.
READERS_FROM names a file beside the `node_modules` that strict readers are taken from.

A case becomes a value of a deck's sample. It comes out

- *right*: read as the suite reads it; or refused, where the suite calls it invalid;
- *told*: not read, or read in another way, and said so; or read, with a finding, though the suite refuses it or a
  reader that a deck's own tool may use (JavaScript's `JSON.parse`, Python's `tomllib`, js-yaml, yaml, PyYAML);
- *silent*: read without a word, though one of these refuses it;
- *wrong*: read as another value, without a word.

Those of the last two that are known are in `NAMED`, with the reason. The exit status is 1 if there are others.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from sampleui.deck.load import read_text
from sampleui.errors import DeckError, FormatError
from sampleui.formats.document import Document
from sampleui.formats.registry import BY_NAME
from sampleui.text.diagnostic import Finding, Severity
from tests.torture import nunjucks
from tests.torture.readers import Readers, alike

TURN = '{"role": "user", "content": "hi"}'
BOM = "\ufeff"


class Outcome(StrEnum):
    """How a case comes out."""

    RIGHT = "right"
    TOLD = "told"
    SILENT = "silent"
    WRONG = "wrong"


class Case(NamedTuple):
    """A case of a suite as a deck.

    Attributes:
        name: what the suite calls it, and how it became a deck.
        form: the format of the deck.
        data: the file.
        value: the value of the case, `INVALID` where the suite calls it so, `ANY` where it leaves that to readers.
        found: finds the value in the document of the deck.
    """

    name: str
    form: str
    data: bytes
    value: Any
    found: Callable[[Document], Any]


INVALID, ANY = object(), object()

NO_TOOLS = frozenset({"ruamel.yaml"})
"""Readers at hand that no tool is known to read its decks by."""

# What comes out silent or wrong: how the name of the case begins, and why that is as it should be.
NAMED: Mapping[str, Mapping[str, str]] = {
    "yaml-test-suite": {
        "HMQ5/00": "js-yaml 5 alone refuses a tag and an anchor before a key in quotes, which YAML allows",
        "JEF9/02": "js-yaml 5 alone refuses an empty block above a shallower line, which YAML allows",
        "WZ62/00": "PyYAML without libyaml alone refuses a key that is a tag without a text",
    },
    "csv-spectrum": {"location_coordinates": "the JSON of this case has another telephone number than its CSV"},
}

REFUSALS = frozenset({"python-refuses", "bracket-shallow"})
"""Rules that tell what some readers refuse, though for an info where the deck's own program reads by others."""


def peers() -> Path | None:
    """Return the folder of the suites, None where there is none."""
    folder = Path(os.environ.get("SAMPLEUI_PEERS", "/nowhere"))
    return folder if folder.is_dir() else None


# The cases


def toml_cases(folder: Path) -> Iterator[Case]:
    """Yield the cases of toml-test; what TOML 1.0 or 1.1 allows is valid, and readers of 1.0 may refuse it."""
    lists = (folder / f"tests/files-toml-{version}" for version in ("1.0.0", "1.1.0"))
    allowed = {name for each in lists for name in each.read_text("utf-8").split()}
    for path in sorted((folder / "tests").rglob("*.toml")):
        name = path.relative_to(folder / "tests").as_posix()
        data = path.read_bytes()
        mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
        lead = mark + b"messages = [{ role = 'user', content = 'hi' }]\n"
        valid = name.startswith("valid/") and name in allowed
        value = _toml_value(json.loads(path.with_suffix(".json").read_text("utf-8"))) if valid else INVALID
        yield Case(name, "toml", lead + data.removeprefix(mark), value, _sample_without_messages)


def _toml_value(said: Any) -> Any:
    if isinstance(said, list):
        return [_toml_value(item) for item in said]
    if said.keys() != {"type", "value"} or not isinstance(said["type"], str):
        return {key: _toml_value(item) for key, item in said.items()}
    kind, text = said["type"], said["value"]
    readers: dict[str, Callable[[str], Any]] = {
        "string": str,
        "integer": int,
        "float": float,
        "bool": lambda word: word == "true",
        "datetime": dt.datetime.fromisoformat,
        "datetime-local": dt.datetime.fromisoformat,
        "date-local": dt.date.fromisoformat,
        "time-local": dt.time.fromisoformat,
    }
    return readers[kind](text)


def _sample_without_messages(document: Document) -> Any:
    return {key: value for key, value in document.read(0).items() if key != "messages"}


def json_cases(folder: Path) -> Iterator[Case]:
    """Yield the cases of JSONTestSuite, each a value of a file's one sample, or of a line."""
    for path in sorted((folder / "test_parsing").glob("*.json")):
        data = path.read_bytes()
        value: Any = {"n": INVALID, "i": ANY}.get(path.name[0])
        if path.name[0] == "y":
            value = json.loads(data)
        whole = b'{"messages": [' + TURN.encode() + b'], "value": ' + data + b"}"
        yield Case(path.name, "json", whole, value, lambda document: document.read(0)["value"])
        if b"\n" not in data and b"\r" not in data:
            yield Case(
                f"{path.name}, a line", "jsonl", whole + b"\n", value, lambda document: document.read(0)["value"]
            )


def csv_cases(folder: Path) -> Iterator[Case]:
    """Yield the cases of csv-spectrum; an empty cell is no value here."""
    for path in sorted((folder / "csvs").glob("*.csv")):
        value = json.loads((folder / "json" / f"{path.stem}.json").read_text("utf-8"))
        yield Case(
            path.name, "csv", path.read_bytes(), value, lambda document: [*map(document.read, range(len(document)))]
        )


_SIGNS = str.maketrans({"␣": " ", "↵": None, "∎": None, "←": "\r", "⇔": BOM, "»": "\t", "—": None})


def yaml_cases(folder: Path, readers: Readers) -> Iterator[Case]:
    """Yield the cases of the YAML test suite that have one document, in each of the ways in which they fit a deck.

    A way fits if the reader `yaml` has of the deck what the suite has of the case: its value, or an error.
    """
    for path in sorted((folder / "src").glob("*.yaml")):
        before: dict[str, Any] = {}
        for number, said in enumerate(yaml.safe_load(path.read_text("utf-8"))):
            case = before = {**{key: value for key, value in before.items() if key != "fail"}, **said}
            if "yaml" not in case or (case.get("skip") and not case["yaml"]):
                continue
            text = case["yaml"].translate(_SIGNS)
            if case["yaml"].rstrip("\n").endswith("∎"):
                text = text.rstrip("\n")
            if case.get("fail"):
                value: Any = INVALID
            elif case.get("json") is None or case["tree"].count("+DOC") != 1:
                continue  # what is no value of JSON has none here either; further documents are no part of a deck
            else:
                value = json.loads(case["json"]) if case["json"].strip() else None
            for how, deck, found in _yaml_decks(text):
                read = readers.read("yaml", deck).get("yaml")
                if isinstance(read, Exception) if value is INVALID else _fits(found, read, value):
                    yield Case(f"{path.stem}/{number:02} {how}", "yaml", deck.encode(), value, _of_document(found))


def _fits(found: Callable[[Any], Any], read: Any, value: Any) -> bool:
    try:
        return alike(found(read), value)
    except (KeyError, TypeError, IndexError, AttributeError):
        return False


def _of_document(found: Callable[[Any], Any]) -> Callable[[Document], Any]:
    def of_document(document: Document) -> Any:
        rows = [document.read(index) for index in range(len(document))]
        return found({**document.context, "samples": rows} if document.container else rows[0])

    return of_document


def _yaml_decks(text: str) -> Iterator[tuple[str, str, Callable[[Any], Any]]]:
    """Yield the decks that a text may be part of: how, the deck, and what of its value is the text's."""

    def rest(read: Any) -> Any:
        return {key: value for key, value in read.items() if key not in ("messages", "samples")}

    yield "before", f"{text}\nmessages: [{TURN}]\n", rest
    yield "behind", f"messages: [{TURN}]\n{text}", rest
    yield "beside", f"{text}\nsamples:\n- id: a\n", rest
    body = text.removeprefix("--- ").removeprefix("---\n")
    indented = "\n".join(f"    {line}" if line.strip(" ") else line for line in body.split("\n"))
    for lead in ("  value:\n", "  value: "):
        value = indented if lead[-1] == "\n" else indented.removeprefix("    ")
        yield "inside", f"samples:\n- id: a\n{lead}{value}\n- id: c\n", lambda read: read["samples"][0]["value"]


# What becomes of them


def outcome(case: Case, readers: Readers, folder: Path) -> Outcome:
    """Return how a case comes out."""
    path = folder / f"deck.{case.form}"
    path.write_bytes(case.data)
    try:
        text, _ = read_text(path)
        document = BY_NAME[case.form].parse(text)
        read = case.found(document)
    except (DeckError, FormatError, IndexError):
        return Outcome.RIGHT if case.value is INVALID else Outcome.TOLD
    findings = found_in(document)
    told = {finding.severity for finding in findings}
    if case.value is INVALID or any(isinstance(theirs, Exception) for theirs in _others(case.form, text, readers)):
        heard = told & {Severity.ERROR, Severity.WARNING} or any(one.rule in REFUSALS for one in findings)
        return Outcome.TOLD if heard else Outcome.SILENT
    if Severity.ERROR in told:
        return Outcome.TOLD
    if case.value is ANY or same_value(read, case.value):
        return Outcome.RIGHT
    return Outcome.TOLD if told else Outcome.WRONG


def _others(form: str, text: str, readers: Readers) -> list[Any]:
    """Return what readers that a deck's own tool may use make of it: values, or the errors they refuse it with."""
    read = readers.read("json" if form == "jsonl" else form, text)
    return [value for name, value in read.items() if name not in NO_TOOLS]


def same_value(mine: Any, theirs: Any) -> bool:
    """Tell whether two readers mean the same, dates included; a cell without a text is no value."""
    if isinstance(mine, dt.date | dt.time):
        return type(mine) is type(theirs) and mine == theirs
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return all(same_value(mine.get(key, ""), theirs.get(key, "")) for key in mine.keys() | theirs.keys())
    if isinstance(mine, list) and isinstance(theirs, list):
        return len(mine) == len(theirs) and all(map(same_value, mine, theirs))
    return alike(mine, theirs)


def found_in(document: Document) -> list[Finding]:
    """Return what a format finds in a deck."""
    inside = [finding for index in range(len(document)) for finding in document.findings(index)]
    return [*(finding for finding, _ in document.notes()), *inside]


def template_outcomes(folder: Path) -> Iterator[tuple[str, Outcome]]:
    """Yield how each template of Nunjucks' tests comes out."""
    for template in nunjucks.templates(folder / "tests"):
        yield template.text, Outcome(nunjucks.outcome(template))


class Row(NamedTuple):
    """What became of a suite: the counts, and what came out silent or wrong without being in `NAMED`."""

    suite: str
    counts: Counter[Outcome]
    named: Counter[str]
    unnamed: list[str]


SUITES: Mapping[str, Callable[[Path, Readers], Iterator[Case]]] = {
    "toml-test": lambda folder, _: toml_cases(folder),
    "yaml-test-suite": yaml_cases,
    "JSONTestSuite": lambda folder, _: json_cases(folder),
    "csv-spectrum": lambda folder, _: csv_cases(folder),
}


def row(suite: str, folder: Path) -> Row:
    """Return what becomes of a suite in a folder."""
    if suite == "nunjucks":
        return _counted(suite, template_outcomes(folder))
    with Readers() as readers, tempfile.TemporaryDirectory() as scratch:
        cases = SUITES[suite](folder, readers)
        return _counted(suite, ((case.name, outcome(case, readers, Path(scratch))) for case in cases))


def _counted(suite: str, outcomes: Iterator[tuple[str, Outcome]]) -> Row:
    found = Row(suite, Counter(), Counter(), [])
    for name, came in outcomes:
        found.counts[came] += 1
        if came in (Outcome.SILENT, Outcome.WRONG):
            reason = next((why for start, why in NAMED.get(suite, {}).items() if name.startswith(start)), None)
            if reason is None:
                found.unnamed.append(f"{came}: {name}")
            else:
                found.named[reason] += 1
    return found


def table(rows: Sequence[Row]) -> str:
    """Return the counts of suites, one a line, with what is named below."""
    lines = [f"{'suite':16}{'cases':>8}" + "".join(f"{one:>8}" for one in Outcome)]
    for each in rows:
        counts = "".join(f"{each.counts[one]:8,}" for one in Outcome)
        lines.append(f"{each.suite:16}{each.counts.total():8,}{counts}")
        lines += [f"  {many:,} named: {reason}" for reason, many in each.named.items()]
        lines += [f"  {name}" for name in each.unnamed]
    return "\n".join(lines)


def main(arguments: Sequence[str] = ()) -> int:
    """Print the table of the suites that are there."""
    given = [*arguments, *sys.argv[1:]]
    folder = Path(given[0]) if given else peers()
    if folder is None:
        print("there are no suites: set SAMPLEUI_PEERS to a folder of checkouts")
        return 2
    rows = [row(suite, folder / suite) for suite in (*SUITES, "nunjucks") if (folder / suite).is_dir()]
    print(table(rows))
    return int(any(each.unnamed for each in rows))


if __name__ == "__main__":
    sys.exit(main())
