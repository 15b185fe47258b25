"""What must hold of an integration, as checks for its tests: files that its tool wrote beside a table of truth.

The table is a TOML file beside the files. What it says of them comes from somewhere else than sampleui: from the
tool's own interface, or from reading the files. `docs/integrations.md` describes it. A test runs each check:

    CHECKS = checks(Path(__file__).with_name("truth.toml"))

    @pytest.mark.parametrize("check", CHECKS, ids=str)
    def test_contract(check, tmp_path):
        check.run(tmp_path)

A check raises AssertionError, with what was found and what the table says.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import unittest
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import tomli
import yaml

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table, as_list, leaves, lookup, shown, with_set
from sampleui.integrations import index
from sampleui.integrations.entry import IndexEntry
from sampleui.prompt.providers import calls
from sampleui.review.record import Record, outcome_of
from sampleui.review.results.file import Results, open_results
from sampleui.review.samples.expectation import expectation
from sampleui.runs.decks import decks_of_run, index_of
from sampleui.runs.regrading import regraded
from sampleui.sample.convert import convert
from sampleui.sample.dialects.marks import dialect_by_marks
from sampleui.sample.dialects.shipped import DIALECTS, keys_of
from sampleui.sample.model import Sample
from sampleui.sample.parse import conversation
from sampleui.settings.options import Settings
from sampleui.trace.reading.extract import read_trace
from sampleui.workspace.deck import Deck, open_deck
from sampleui.workspace.reading import PromptOptions

EDITED_SAMPLES, EDITED_TEXTS, CONVERTED_SAMPLES = 4, 6, 3
"""How many samples of a deck are edited, in how many of their texts, and how many are converted."""

NEW_TEXT = 'Über "die Brücke", #1: {so} it\'s said'
"""A text that none of the formats can hold as carelessly as a plain word."""

SPOKEN = frozenset({"role", "type", "from", "who"})
"""Keys of messages whose values every dialect has words of its own for."""


class Check(NamedTuple):
    """Something that must hold: what it is called, and what finds out in an empty folder whether it does."""

    name: str
    run: Callable[[Path], None]

    def __str__(self) -> str:
        """Return its name."""
        return self.name


class Truth(NamedTuple):
    """A table of truth.

    Attributes:
        integration: the name of the integration.
        folder: the folder that its files are in.
        decks: for each deck, what is true of it.
        runs: the same for each file of results.
        places: folders that a table names by words, such as one of files that are not part of a project.
    """

    integration: str
    folder: Path
    decks: Sequence[Table]
    runs: Sequence[Table]
    places: Mapping[str, Path]

    def path_of(self, row: Table, key: str = "file") -> Path:
        """Return a file that a row names; skip the check if it is in a place that is not there."""
        named = str(row[key])
        if not named.startswith("$"):
            return self.folder / named
        path, _, rest = named.removeprefix("$").partition("/")
        if not self.places[path].is_dir():
            raise unittest.SkipTest(f"{self.places[path]} is not there")
        return self.places[path] / rest

    def copied(self, row: Table, folder: Path) -> Path:
        """Return a copy of that file, with the folder that it is in, in a project of its own."""
        path = self.path_of(row)
        (folder / ".git").mkdir()
        shutil.copytree(path.parent, folder, dirs_exist_ok=True)
        return folder / path.name

    def copied_with_deck(self, row: Table, folder: Path) -> Path:
        """Return a copy of a run in a project of its own, with its deck where that is from there, and no other."""
        path = self.path_of(row)
        deck = (path.parent / str(row["deck"])).resolve()
        top = Path(os.path.commonpath([path.parent.resolve(), deck.parent]))
        copy, deck_copy = folder / path.resolve().relative_to(top), folder / deck.relative_to(top)
        (folder / ".git").mkdir()
        if copy.parent == deck_copy.parent:
            shutil.copy(path, copy)
        else:
            shutil.copytree(path.parent, copy.parent)
        deck_copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(deck, deck_copy)
        return copy


def read_truth(path: Path, places: Mapping[str, Path] | None = None) -> Truth:
    """Read a table of truth."""
    table: dict[str, Any] = tomli.loads(path.read_text(encoding="utf-8"))
    return Truth(table["integration"], path.parent, table.get("deck", ()), table.get("run", ()), places or {})


def checks(path: Path, places: Mapping[str, Path] | None = None) -> list[Check]:
    """Return all that must hold by a table of truth.

    Args:
        path: the table.
        places: the folders that stand for `$WORD` at the beginning of the files it names.
    """
    truth = read_truth(path, places)
    listed = [Check(f"{truth.integration}: the table shows all that is brought", partial(_whole, truth))]
    for kind, rows, every in (("deck", truth.decks, DECK_CHECKS), ("run", truth.runs, RUN_CHECKS)):
        for row in rows:
            listed += [
                Check(f"{truth.integration}: {kind} {row['file']}: {name}", partial(check, truth, row))
                for name, check in every.items()
            ]
    return listed


def must_be(actual: object, wanted: object, what: str) -> None:
    """Raise AssertionError if something is not as the table says."""
    if actual != wanted:
        raise AssertionError(f"{what}: found {actual!r}, and the table says {wanted!r}")


def must(holds: object, what: str) -> None:
    """Raise AssertionError if something does not hold."""
    if not holds:
        raise AssertionError(what)


def _whole(truth: Truth, _: Path) -> None:
    integration = index.integration(truth.integration)
    shown_dialects = {row["dialect"] for row in truth.decks}
    must_be(
        shown_dialects,
        {dialect.name for dialect in integration.dialects().dialects},
        "the dialects that decks show",
    )
    must(
        bool(truth.runs) == bool(integration.results().adapters),
        "the table has runs if and only if the integration reads some",
    )


# Decks


def _deck_is_recognized(truth: Truth, row: Table, _: Path) -> None:
    deck = open_deck(truth.path_of(row))
    document = deck.files.sources[0].document
    samples = [sample.data for sample in deck.samples]
    at_hand = {*document.container, *document.context, *keys_of(samples)}
    others = _signed_for_others(truth, at_hand, lambda entry: entry.signs)
    must_be(deck.dialect, row["dialect"], f"the dialect, since {deck.reason or 'nothing tells another'}{others}")
    for other in DIALECTS.values():
        if other.name != deck.dialect:
            borne = dialect_by_marks((other,), document.container, document.context, samples)
            must(borne is None or index.of_dialect(other) is index.of_dialect(deck.kind), f"{other.name} claims it")


def _signed_for_others(truth: Truth, keys: Collection[str], signs_of: Callable[[IndexEntry], Sequence[str]]) -> str:
    """Say which other integrations have a sign among some keys: they are asked as well, and may be asked first."""
    others = (entry for entry in index.entries() if entry.name != truth.integration)
    signs = {other.name: [sign for sign in signs_of(other) if {*sign.split()} <= {*keys}] for other in others}
    told = [f"{name} (by {', '.join(found)})" for name, found in signs.items() if found]
    return f"; {' and '.join(told)} may be asked first: its signs are there too" if told else ""


def _deck_is_read(truth: Truth, row: Table, _: Path) -> None:
    deck = open_deck(truth.path_of(row))
    must_be(len(deck.samples), row["samples"], "the number of samples")
    must_be(
        sorted({finding.rule for finding in deck.diagnostics}),
        sorted(map(str, as_list(row.get("findings")))),
        "the findings",
    )
    for column, tell in DECK_COLUMNS.items():
        if column in row:
            must_be([tell(deck, sample) for sample in deck.samples], row[column], column)


def _roles(deck: Deck, sample: Sample) -> Plain:
    return " ".join(str(message["role"]) for message in conversation(sample) if isinstance(message, dict))


def _asked(deck: Deck, sample: Sample) -> Plain:
    """Return the last thing that the user says: its text, or the text of its segments."""
    questions = [
        message for message in conversation(sample) if isinstance(message, dict) and message.get("role") == "user"
    ]
    content = questions[-1].get("content") if questions else ""
    if not isinstance(content, list):
        return content
    texts = (part.get("text", part.get("value")) for part in content if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


def _expected(deck: Deck, sample: Sample) -> Plain:
    expected = expectation(sample)
    return "" if expected is None else expected.text


DECK_COLUMNS: dict[str, Callable[[Deck, Sample], Plain]] = {
    "id": lambda deck, sample: deck.own_id(sample) or "",
    "roles": _roles,
    "asked": _asked,
    "expected": _expected,
}
"""What a row of the table may say of a deck: a list, with an item for each sample."""


def _prompts_are_as_sent(truth: Truth, row: Table, _: Path) -> None:
    if "sent" not in row:
        return
    path = truth.path_of(row)
    wanted = json.loads((truth.folder / str(row["sent"])).read_text(encoding="utf-8"))
    deck = open_deck(path)
    style = PromptOptions(style=str(row["style"])) if "style" in row else deck.prompts
    deck = Deck(deck.files, deck.kind, style)
    requests = [call for sample in deck.samples for call in calls(deck.render(sample))]
    asked = row.get("sent_as") == "question"
    sent = [call.question if asked else _plainly(call.chat_prompt) for call in requests]
    must_be(sent, [_plainly(prompt) for prompt in wanted], "the prompts that were sent")


def _plainly(prompt: str | Sequence[Table]) -> str:
    """Return the text of what is nothing but one message of the user, other messages as JSON."""
    match prompt:
        case str():
            return prompt
        case [{"role": "user", "content": str(text)}]:
            return text
    return json.dumps([*prompt], separators=(",", ":"), ensure_ascii=False)


def _edits_keep_the_rest(truth: Truth, row: Table, folder: Path) -> None:
    path = truth.copied(row, folder)
    deck = open_deck(path)
    must_be(deck.text.encode(), path.read_bytes(), "the text of a deck that is not edited")
    edited = None
    for sample in [*deck.samples][:EDITED_SAMPLES]:
        texts = [text_path for text_path, value in leaves(sample.data) if isinstance(value, str)]
        for text_path in texts[:EDITED_TEXTS]:
            edited = _edit_keeps_the_rest(deck, sample, text_path) or edited
    if edited is None:
        raise AssertionError("no text can be edited")
    edited.save()
    must_be(_data(open_deck(path, deck.dialect)), _data(edited), "the samples, saved and read again")


def _edit_keeps_the_rest(deck: Deck, sample: Sample, path: DataPath) -> Deck | None:
    """Set a text and take it back, looking at the file with another reader; return the edited deck, if possible."""
    where, source = f"{sample.id} {shown(path)}", [item.path for item in deck.files.sources].index(sample.path)
    try:
        edited = deck.set(sample.index, path, NEW_TEXT)
    except EditRefusedError:
        return None
    data = _data(deck)
    wanted = with_set(sample.data, path, NEW_TEXT)
    must_be(_data(edited), [*data[: sample.index], wanted, *data[sample.index + 1 :]], f"{where}, edited")
    before, after = (version.files.sources[source].document.text.encode() for version in (deck, edited))
    _is_one_place(before, after, sample.path.suffix, where)
    undone = edited.set(sample.index, path, lookup(sample.data, path))
    must_be(_data(undone), _data(deck), f"{where}, taken back")
    return edited


def _data(deck: Deck) -> list[Table]:
    return [sample.data for sample in deck.samples]


def _is_one_place(before: bytes, after: bytes, suffix: str, where: str) -> None:
    """Check that two versions of a file differ in one value, by a reader that is not sampleui's."""
    old, new = [*leaves(second_reading(before, suffix))], [*leaves(second_reading(after, suffix))]
    changed = [value for (_, value), other in zip(old, new, strict=True) if (_, value) != other]
    must_be(len(changed), 1, f"{where}: the number of values that another reader finds changed")
    start, end = _differing(before, after)
    room = 3 * len(str(changed[0]).encode()) + 80  # escapes, quotes, the indentation of lines
    must(end - start <= room, f"{where}: {end - start} bytes were replaced for {changed[0]!r}")


def _differing(before: bytes, after: bytes) -> tuple[int, int]:
    """Return from where to where, in the first of two texts, they differ."""
    short = min(len(before), len(after))
    start = next((index for index in range(short) if before[index] != after[index]), short)
    tail = next((index for index in range(short - start) if before[-1 - index] != after[-1 - index]), short - start)
    return start, len(before) - tail


def second_reading(data: bytes, suffix: str) -> Plain:
    """Return what a file says, read by the reader that most programs use for its format."""
    text = data.decode("utf-8-sig")
    read = _READERS.get(suffix.lower())
    value: Plain = text if read is None else read(text)
    return value


def _yaml(text: str) -> Any:
    return yaml.load(text, yaml.BaseLoader)


_READERS: dict[str, Callable[[str], Any]] = {
    ".json": json.loads,
    ".jsonl": lambda text: [json.loads(line) for line in text.splitlines() if line.strip()],
    ".toml": tomli.loads,
    ".yaml": _yaml,
    ".yml": _yaml,
    ".csv": lambda text: [*csv.reader(io.StringIO(text, newline=""))],
    ".tsv": lambda text: [*csv.reader(io.StringIO(text, newline=""), delimiter="\t")],
}


def _samples_come_and_go_in_one_place(truth: Truth, row: Table, folder: Path) -> None:
    deck = open_deck(truth.copied(row, folder))
    data = [sample.data for sample in deck.samples]
    for position in range(min(len(data), EDITED_SAMPLES)):
        try:
            shorter = deck.delete_sample(position)
        except EditRefusedError:
            continue
        must_be(
            [sample.data for sample in shorter.samples],
            data[:position] + data[position + 1 :],
            f"sample {position + 1} deleted",
        )
        whole, left = deck.text.encode(), shorter.text.encode()
        start, end = _differing(whole, left)
        written = 2 if len(shorter.samples) else len(" []\n")  # what stands for a list that has none
        must(
            end - start <= len(whole) - len(left) + written,
            f"sample {position + 1} deleted: bytes elsewhere changed",
        )


def _conversions_tell_their_losses(truth: Truth, row: Table, _: Path) -> None:
    deck = open_deck(truth.path_of(row))
    for target in DIALECTS.values():
        for sample in [*deck.samples][:CONVERTED_SAMPLES]:
            converted = convert(sample.data, deck.kind, target)
            returned = convert(converted.data, target, deck.kind)
            for data, report in (
                (converted.data, converted.report),
                (returned.data, (*converted.report, *returned.report)),
            ):
                lost = [shown(path) for path in losses(sample.data, data, report)]
                must(
                    not lost, f"{sample.id} to {target.name}: {lost} lost silently; told: {report}; written: {data}"
                )


def losses(data: Table, converted: Table, report: Sequence[str]) -> Iterator[DataPath]:
    """Yield the places of the texts and numbers of a sample that are neither in what was made of it nor told."""
    written = json.dumps(converted, ensure_ascii=False, default=str)
    for path, value in leaves(data):
        if value in (None, "") or isinstance(value, bool) or path[-1] in SPOKEN:
            continue
        once = json.dumps(str(value), ensure_ascii=False)[1:-1]
        spellings = (once, json.dumps(once, ensure_ascii=False)[1:-1], str(value).strip())
        is_kept = any(spelling in written for spelling in spellings) or _as_data(value) in _as_data(written)
        if not is_kept and not tells(report, path):
            yield path


def _as_data(value: Plain) -> str:
    """Return a text as it is where JSON in it, such as the arguments of a call, may be spaced and escaped anew."""
    return re.sub(r"[\s\\]", "", str(value))


def tells(report: Sequence[str], path: DataPath) -> bool:
    """Tell whether a line of a report is about a value: it, all that it is in, or a key on its way."""
    around = {shown(path[: depth + 1]): path[depth + 1 :] for depth in range(len(path))}
    for line in report:
        head, _, rest = line.partition(": ")
        for name in head.split(", "):
            inside = path if name == "messages" else around.get(name, ("",))
            names = [step for step in inside if isinstance(step, str)]
            if name in around and (not names or rest.startswith(("dropped", "kept as", "read as"))):
                return True
            if any(step and re.search(rf"\b{re.escape(step)}\b", rest) for step in names):
                return True
    return False


DECK_CHECKS: dict[str, Callable[[Truth, Table, Path], None]] = {
    "it alone claims it": _deck_is_recognized,
    "it reads what is there": _deck_is_read,
    "prompts are as they were sent": _prompts_are_as_sent,
    "an edit keeps all other bytes": _edits_keep_the_rest,
    "a sample goes without touching others": _samples_come_and_go_in_one_place,
    "a conversion tells what it loses": _conversions_tell_their_losses,
}
"""What must hold of each deck."""


# Results


def _opened(path: Path) -> Results:
    return open_results(path, ()).indexed()


def _run_is_recognized(truth: Truth, row: Table, _: Path) -> None:
    results = _opened(truth.path_of(row))
    integration = index.integration(truth.integration)
    rows = [results.record(index).data for index in range(min(len(results), 20))]
    for data in rows:
        others = _signed_for_others(truth, data, lambda entry: entry.row_signs)
        must(
            any(adapter.claims(data) for adapter in integration.results().adapters),
            f"a record is not claimed{others}",
        )
        for name in index.readers(data):
            adapters = () if index.integration(name) is integration else index.integration(name).results().adapters
            sure = [adapter.name for adapter in adapters if adapter.claims(data) and adapter.signed(data)]
            must(not sure, f"{', '.join(sure)} claims a record too{others}")


def _run_is_read(truth: Truth, row: Table, _: Path) -> None:
    results = _opened(truth.path_of(row))
    must_be(results.skipped, 0, "the rows that could not be read")
    must_be(len(results), row["records"], "the number of records")
    records = [results.record(index) for index in range(len(results))]
    must_be(len({record.id for record in records}), len(records), "the number of ids")
    for column, tell in RUN_COLUMNS.items():
        if column in row:
            must_be([tell(record, results) for record in records], row[column], column)


def _called(record: Record, results: Results) -> Plain:
    events = read_trace(record.data, results.base_dir).events
    return [event.name or "" for event in events if str(event.type) == "tool_call"]


RUN_COLUMNS: dict[str, Callable[[Record, Results], Plain]] = {
    "sample": lambda record, _: record.sample_id,
    "outcome": lambda record, _: str(outcome_of(record)),
    "score": lambda record, _: "" if record.score is None else record.score,
    "scores": lambda record, _: {grade.name: grade.score for grade in record.grades if grade.score is not None},
    "answer": lambda record, _: record.actual,
    "expected": lambda record, _: record.expected or "",
    "called": _called,
}
"""What a row of the table may say of a run: a list, with an item for each record in the order of the file."""


def _records_join_their_samples(truth: Truth, row: Table, folder: Path) -> None:
    if "deck" not in row:
        return
    results = _opened(truth.copied_with_deck(row, folder))
    decks = decks_of_run(results, (), Settings()).decks
    must_be([deck.path.name for deck in decks], [Path(str(row["deck"])).name], "the deck that was run")
    samples = index_of(decks[0].samples)
    joined = [samples.find(entry) for entry in results.entries]
    must_be([-1 if path is None else path for path in joined], row["joins"], "the samples that records answer")
    for entry, path in zip(results.entries, joined, strict=True):
        if path is None:
            continue
        record = results.record(entry.index)
        passes = regraded(results, record, decks[0].samples[path]).passes
        ran = {"passed": True, "failed": False}.get(str(outcome_of(record)))
        must(None in (passes, ran) or passes is ran, f"{entry.id} is graded again as {passes}, and it ran as {ran}")


RUN_CHECKS: dict[str, Callable[[Truth, Table, Path], None]] = {
    "it alone claims it": _run_is_recognized,
    "it reads what is there": _run_is_read,
    "records join their samples, graded again as they ran": _records_join_their_samples,
}
"""What must hold of each file of results."""
