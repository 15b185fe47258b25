"""Files that no dialect or tool claims: the table guessed for one, and what a table would read of it."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from sampleui.deck.load import load
from sampleui.deck.model import DeckFiles
from sampleui.errors import DeckError, OtherFileError, ResultsError, SettingsError
from sampleui.formats.data import Plain, Table, items_of
from sampleui.formats.document import Document
from sampleui.formats.json.spans import structure
from sampleui.review.record import Details, Entry, Outcome, outcome_of
from sampleui.review.results.adapter_selection import is_signed, user_result_dialects
from sampleui.review.results.adapter_selection import name_of as name_of_rows
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import user_result_dialect
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.guessing import guessed_records, guessed_rows, is_of_a_run, written_rows
from sampleui.review.samples.expectation import expectation
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.dialects.guessing import guessed, is_likely, likely_places, name_of, written_dialect
from sampleui.sample.dialects.shipped import DIALECTS as SHIPPED
from sampleui.sample.dialects.shipped import Dialect, is_shown
from sampleui.sample.dialects.user import user_dialect
from sampleui.sample.message import TextSegment
from sampleui.sample.message_shapes import is_chat, is_talk
from sampleui.sample.model import Sample
from sampleui.sample.parse import turns
from sampleui.sample.sections import words_of
from sampleui.settings.options import load_settings
from sampleui.settings.vocabulary import BY_NAME, UserTable, steps
from sampleui.settings.writing import DIALECTS, RESULTS, NamedTable, settings_file, table_in
from sampleui.text.limits import MAX_GUESSED_BYTES
from sampleui.workspace.deck import Deck
from sampleui.workspace.file_questions import FileQuestion, answered
from sampleui.workspace.folders import is_result
from sampleui.workspace.head import Broken, Head, OpeningRule, RunFile
from sampleui.workspace.reading import PromptOptions, detected
from sampleui.workspace.samples import Samples, other_file_of, readable, why_other_table

LOOKED_AT = 50
"""How many samples or rows are guessed from, and read to try a table."""

SHOWN = 5
"""How many of those are shown as they are read."""

_TALKS = (".json", ".jsonl", ".ndjson")
"""Endings of files that may be lists of conversations, which no deck is."""


@dataclass(frozen=True, slots=True)
class FieldsRead:
    """What a table reads of one sample or row, each part empty where it reads none.

    Attributes:
        id: what it is called.
        roles: who speaks in its messages, in order.
        asked: what the user says last.
        expected, answered: what should be answered, and what was.
        outcome: how a row came out, in words.
    """

    id: str
    roles: tuple[str, ...] = ()
    asked: str = ""
    expected: str = ""
    answered: str = ""
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of reading a file by a table.

    Attributes:
        named: the table.
        looked: how many samples or rows were tried.
        read: how many of them it reads.
        first: the first of those that it reads.
        why: why the file would not open by it, empty where it would.
        outcomes: how many of the rows that it reads came out how; of a deck none.
    """

    named: NamedTable
    looked: int
    read: int
    first: tuple[FieldsRead, ...]
    why: str
    outcomes: tuple[tuple[Outcome, int], ...] = ()


def deck_trial(files: DeckFiles, prompts: PromptOptions, named: NamedTable) -> Trial:
    """Return what a table reads of the samples of a deck."""
    own = user_dialect(named.name, named.table)
    document = files.sources[0].document
    if document.columns is not None or document.container not in own.containers:
        files = load(files.path, [named.table])
    before = (dialect for dialect in prompts.dialects if dialect.name != own.name)
    with_own = prompts._replace(dialects=(*before, own))
    looked = [*islice(Samples(files, own), LOOKED_AT)]
    read = [sample for sample in looked if turns(sample)]
    why = "" if read else "no sample has messages or a prompt where it says"
    other = why_other_table(files.sources[0], with_own.dialects)
    if not why and (other or detected(files, with_own).dialect.name != own.name):
        why = "one sample must have all that its marks name, and the others what is asked, where its container says"
    return Trial(named, len(looked), len(read), tuple(map(_sample_read, read[:SHOWN])), why)


def _sample_read(sample: Sample) -> FieldsRead:
    wanted, spoken = expectation(sample), turns(sample)
    asked = (
        part.text
        for turn in spoken
        if turn.role == "user"
        for part in turn.segments
        if isinstance(part, TextSegment)
    )
    roles = tuple(turn.role for turn in spoken)
    return FieldsRead(sample.id, roles, "".join([*asked][-1:]), wanted.text if wanted is not None else "")


def rows_trial(path: Path, rows: Sequence[Table], guess: UserTable, named: NamedTable) -> Trial:
    """Return what a table reads of the rows of results; `guess` is the one by which these rows were found."""
    dialect = user_result_dialect(named.name, named.table)
    if named.table.get("container") != guess.get("container"):
        try:
            rows = open_results(path, (dialect,)).first_rows
        except (ResultsError, OSError):
            rows = ()
    adapter = adapter_by(dialect)
    parsed = [adapter.parse(row) for row in rows if adapter.claims(row)]
    facts = [(entry, item.details) for item in parsed if (entry := item.entry) is not None]
    counts = Counter(outcome_of(entry) for entry, _ in facts)
    outcomes = tuple((outcome, counts[outcome]) for outcome in Outcome if counts[outcome])
    first = tuple(_row_read(entry, details()) for entry, details in facts[:SHOWN])
    why = "" if facts else "no row has all that its marks name, and an id or a prompt, where it says"
    return Trial(named, len(rows), len(facts), first, why, outcomes)


def _row_read(facts: Entry, details: Details) -> FieldsRead:
    said = [words_of(message) for message in (*details.asked, *details.done) if message["role"] == "user"]
    score = f", score {facts.score:.2f}" if facts.score is not None else ""
    outcome = f"{outcome_of(facts)}{score}"
    return FieldsRead(facts.sample_id, (), "".join(said[-1:]), details.expected or "", details.actual, outcome)


KINDS = {DIALECTS: "a deck", RESULTS: "results"}
"""What a file is that a table is for, by the setting that holds the table."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A file that no dialect knows.

    Attributes:
        path: the file.
        setting: what it is taken for, by the setting that a table for it stands under: `dialects` or `results`.
        text: the guessed table, as it stands in a settings file.
        rows: its first samples or rows.
        try_table: reads it by a table.
        guess_other: returns what is guessed if the file is taken for the other of the two; None for nothing.
    """

    path: Path
    setting: str
    text: str
    rows: Sequence[Table]
    try_table: Callable[[NamedTable], Trial]
    guess_other: Callable[[], Unknown | None]

    def answered(self, question: FileQuestion, path: str, text: str) -> str:
        """Return the text of a table with another answer to a question. Raises as `tried` does."""
        named = answered(question, path, self._named(text), self.rows)
        if named.setting == RESULTS:
            return written_rows(named.name, named.table, self.rows)
        return written_dialect(named.name, named.table)

    def tried(self, text: str) -> Trial:
        """Return what a table reads of the file.

        Raises:
            SettingsError: when it is no table that the settings take; its place is one in the text.
        """
        return self.try_table(self._named(text))

    def _named(self, text: str) -> NamedTable:
        file = settings_file(self.path.parent)
        named = table_in(text, file)
        if named.setting != self.setting:
            message = f"the file is taken for {KINDS[self.setting]} here, [{self.setting}.NAME]"
            raise SettingsError(message, file, 1, 1)
        return named


def unknown_at(head: Head) -> Unknown | RunFile | None:
    """Return what a file is that no dialect tells for a deck that asks something; None for a deck all the same.

    Raises:
        DeckError: when it sums up results that are in other files.
        SettingsError: when the settings cannot be used.
    """
    opened = next(found for rule in UNUSUAL if (found := rule.opened(head)) is not None)
    if isinstance(opened, Broken) and opened.error is not head.deck:
        raise opened.error
    return opened if isinstance(opened, Unknown | RunFile) else None


def _parts(head: Head) -> Deck | Broken | None:
    files = head.files
    return _deck(head) if isinstance(files, DeckFiles) and len(files.sources) > 1 else None


def _log(head: Head) -> RunFile | Broken | None:
    if not head.is_log:
        return None
    if isinstance(head.files, DeckError):
        return RunFile(head.path)
    results = head.results
    if isinstance(results, Results):
        return RunFile(head.path, results) if results.of_one_tool else None
    return _refused(head, results)


def _conversations(head: Head) -> RunFile | None:
    return _talks(head) if isinstance(head.files, DeckError) and head.path.suffix in _TALKS else None


def _unreadable(head: Head) -> Broken | None:
    return Broken(head.path, head.files) if isinstance(head.files, DeckError) else None


def _other_tools(head: Head) -> Deck | Broken | None:
    files = _files(head)
    is_other = detected(files, head.prompts).dialect.weighed and other_file_of(files) is not None
    return _deck(head) if is_other and not head.is_log else None


def _not_run(head: Head) -> Deck | Broken | None:
    look = _look(head)
    ran = look.kind.weighed and any(map(is_result, look.some))  # a question and an answer is a deck to several
    return _deck(head) if look.known and not (ran or head.is_log) else None


def _graded(head: Head) -> Unknown | RunFile | Broken | None:
    results = head.results
    if isinstance(results, ResultsError):
        return _refused(head, results)
    if results.guess is None:
        return _ran(results) if results.tool else None
    return _unknown_rows(results, results.guess.table) if is_of_a_run(results.guess.table) else None


def _known(head: Head) -> Deck | Broken | None:
    return _deck(head) if _look(head).known else None


def _one_talk(head: Head) -> RunFile | None:
    return _talks(head) if is_talk(_look(head).some) else None


def _likely(head: Head) -> Unknown | None:
    look = _look(head)
    table = guessed(look.some, under_in(look.files.sources[0].document))
    asked = steps(str(table.get("messages", table.get("prompt"))))[0] if table else ""
    if table is None or (asked in look.kind.known and not look.elsewhere):  # the author has just begun
        return None
    return _unknown_samples(look.files, head.prompts, table)


class _Look(NamedTuple):
    """What is seen in a file as a deck.

    Attributes:
        files: the file, with what may be samples where none are found.
        elsewhere: whether these stand where no dialect has them.
        some: the first samples.
        kind: the dialect that they are taken for.
        known: whether it finds messages in one, or several of its own keys.
    """

    files: DeckFiles
    elsewhere: bool
    some: Sequence[Table]
    kind: Dialect
    known: bool


_LOOKS = WeakKeyDictionary[Head, _Look]()
"""What was seen of each path that is being told, no longer than its head is at hand."""


def _look(head: Head) -> _Look:
    if head not in _LOOKS:
        _LOOKS[head] = _looked_at(head)
    return _LOOKS[head]


def _looked_at(head: Head) -> _Look:
    found = _files(head)
    files = with_samples(found)
    document = files.sources[0].document
    elsewhere = files is not found and document.columns is None
    some, kind = [*_first(document)], detected(files, head.prompts).dialect
    known = bool(some) and not elsewhere and _is_known(files, kind, some, head.prompts)
    return _Look(files, elsewhere, some, kind, known)


def _files(head: Head) -> DeckFiles:
    assert isinstance(head.files, DeckFiles), "no rule before this one let a file pass that cannot be read"
    return head.files


def _deck(head: Head) -> Deck | Broken:
    return Broken(head.path, head.deck) if isinstance(head.deck, DeckError) else head.deck


def _refused(head: Head, error: ResultsError) -> Broken | None:
    """Return why a file is not opened that is told for another tool's; None where its rows alone are none."""
    if not isinstance(error, OtherFileError):
        return None
    refusal = DeckError(error.message, head.path, 1, 1)
    refusal.__cause__ = error
    return Broken(head.path, refusal)


UNUSUAL = (
    OpeningRule("its samples stand in several files", "a deck", _parts),
    OpeningRule("the name or the first bytes of a tool's log, and rows of that tool alone", "results", _log),
    OpeningRule("no text of a deck; JSON of nothing but conversations", "results", _conversations),
    OpeningRule("no text of a deck", "an error with its place", _unreadable),
    OpeningRule("keys that only a file of another tool has", "a deck, or an error", _other_tools),
    OpeningRule("messages where a dialect has them, and nothing that a run adds", "a deck", _not_run),
    OpeningRule("signs of a tool's rows, or names of how they came out", "results, or a table to confirm", _graded),
    OpeningRule("messages where a dialect has them", "a deck", _known),
    OpeningRule("one message a line", "results of one record", _one_talk),
    OpeningRule("names and shapes of a question", "a table to confirm", _likely),
    OpeningRule("none of these", "a deck, or an error", _deck),
)
"""What a path is that is no usual deck: the first of these that tells it, in this order."""


def _unknown_samples(files: DeckFiles, prompts: PromptOptions, table: UserTable) -> Unknown:
    text = written_dialect(name_of(files.path.stem), table)
    some = [*_first(files.sources[0].document)]
    trial, other = partial(deck_trial, files, prompts), partial(_taken_for_results, files.path)
    return Unknown(files.path, DIALECTS, text, some, trial, other)


def _taken_for_deck(path: Path) -> Unknown | None:
    """Return what is guessed for a file if it is a deck, whatever else it may be; None if nothing can be."""
    try:
        files = with_samples(load(path))
        prompts = PromptOptions.of(load_settings(path.parent))
    except (DeckError, SettingsError):
        return None
    document = files.sources[0].document
    table = guessed([*_first(document)], under_in(document))
    return None if table is None else _unknown_samples(files, prompts, table)


def _taken_for_results(path: Path) -> Unknown | None:
    """Return what is guessed for a file if it holds results, whatever else it may be; None if nothing can be."""
    try:
        results = open_results(path, anyones=True, asked=True)
        rows = results.first_rows
    except (ResultsError, SettingsError, OSError):
        return None
    container = results.source.container
    table = guessed_rows(rows, container) or guessed_records(rows, container)
    return None if table is None else _unknown_rows(results, table)


def _unknown_rows(results: Results, table: UserTable) -> Unknown:
    path, rows = results.path, results.first_rows
    text = written_rows(name_of_rows(path.stem), table, rows)
    trial, other = partial(rows_trial, path, rows, table), partial(_taken_for_deck, path)
    return Unknown(path, RESULTS, text, rows, trial, other)


def is_offered(files: DeckFiles, prompts: PromptOptions) -> bool:
    """Tell whether the table that is guessed for a file in a folder is likely enough to show the file for it.

    Raises:
        SettingsError: when the settings cannot be used.
    """
    unknown = unknown_at(Head(files.path, prompts, loaded=files))
    if not isinstance(unknown, Unknown) or unknown.setting == RESULTS:
        return isinstance(unknown, Unknown)
    return is_likely(table_in(unknown.text, settings_file(files.path.parent)).table)


def with_samples(files: DeckFiles) -> DeckFiles:
    """Return files as they are, but with what may be samples where none are found, and with the JSON in cells."""
    document = files.sources[0].document
    if document.columns is not None:
        some = ([*_first(document)] if document.columns else []) or [{}]
        names = [name for name in document.columns if _is_json([row.get(name) for row in some])]
        if not names:
            return files
        source = files.sources[0]._replace(document=document.with_kinds(frozenset(names), frozenset()))
        return replace(files, sources=(source,))
    if document.refers or any(len(source.document) for source in files.sources):
        return files
    if any(kind.signs_beside & document.context.keys() for kind in SHIPPED.values()):
        return files  # a suite of a known program, whose samples are elsewhere
    likely = sorted(likely_places(document.context), key=lambda keys: not _is_named_likely(document.context, keys))
    return load(files.path, [{"container": ".".join(keys) or BY_NAME} for keys in likely])


def _is_named_likely(value: Plain, keys: tuple[str, ...]) -> bool:
    """Tell whether names say that what stands under some keys of a value are samples."""
    some = items_of(value_at(value, keys))[:LOOKED_AT]
    table = guessed([item for item in some if isinstance(item, dict)], keys)
    return table is not None and is_likely(table)


def _is_json(cells: Sequence[Plain]) -> bool:
    """Tell whether the cells of a column that are not empty are JSON lists or tables, all of them."""
    filled = [cell for cell in cells if cell is not None]
    return bool(filled) and all(isinstance(cell, str) and structure(cell) is not None for cell in filled)


def under_in(document: Document) -> tuple[str, ...]:
    """Return what a table says of where the samples of a document are."""
    return document.container or (BY_NAME,) * document.keyed


def _talks(head: Head) -> RunFile | None:
    """Return a file as a run if each of its rows is a conversation; None for others."""
    with contextlib.suppress(ResultsError, SettingsError, OSError):
        if isinstance(results := head.results, Results):
            rows = results.first_rows
            return (
                RunFile(head.path, results) if rows and all(is_chat(row.get("messages")) for row in rows) else None
            )
    return None


def unknown_results(results: Results) -> Unknown | None:
    """Return what was guessed for the rows of results; None if they are known, or nothing can be guessed."""
    return None if results.guess is None else _unknown_rows(results, results.guess.table)


def _ran(results: Results) -> Unknown | RunFile | None:
    """Return results by what shows that they are some: the signs of a tool, or else names to guess a table from."""
    rows = results.first_rows
    if not rows or is_signed(rows, user_result_dialects(results.path.parent)):
        return RunFile(results.path, results)
    table = guessed_rows(rows, results.source.container)
    if table is None or not is_of_a_run(table):
        return None
    return _unknown_rows(results, table)


def _first(document: Document) -> Iterator[Table]:
    """Yield the first samples of a document that can be read."""
    size = 0
    for index in range(min(len(document), LOOKED_AT)):
        size += len(document.chunk(index))
        if index and size > MAX_GUESSED_BYTES:
            return
        if sample := readable(document, index):
            yield sample


def _is_known(files: DeckFiles, kind: Dialect, some: Sequence[Table], prompts: PromptOptions) -> bool:
    document = files.sources[0].document
    if document.columns:
        return not why_other_table(files.sources[0], prompts.dialects)
    return not kind.weighed or is_shown(document.container, some)
