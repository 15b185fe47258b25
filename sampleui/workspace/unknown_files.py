"""Files that no dialect or tool claims: the table guessed for one, and what a table would read of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

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
from sampleui.review.results.run_paths import is_log
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
from sampleui.settings.vocabulary import BY_NAME, RowTable, UserTable, steps
from sampleui.settings.writing import DIALECTS, RESULTS, NamedTable, settings_file, table_in
from sampleui.text.limits import MAX_GUESSED_BYTES
from sampleui.workspace.file_questions import FileQuestion, answered
from sampleui.workspace.folders import is_result
from sampleui.workspace.openable import RunFile
from sampleui.workspace.reading import PromptOptions, detected
from sampleui.workspace.samples import Samples, other_file_of, readable, refuse_other_tables

LOOKED_AT = 50
"""How many samples or rows are guessed from, and read to try a table."""

SHOWN = 5
"""How many of those are shown as they are read."""


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


def is_other_table(files: DeckFiles, prompts: PromptOptions) -> bool:
    """Tell whether a table is no deck: no dialect finds messages in it."""
    try:
        refuse_other_tables(files.sources[0], prompts.dialects)
    except DeckError:
        return True
    return False


def deck_trial(files: DeckFiles, prompts: PromptOptions, named: NamedTable) -> Trial:
    """Return what a table reads of the samples of a deck."""
    own = user_dialect(named.name, named.of_deck)
    document = files.sources[0].document
    if document.columns is not None or document.container not in own.containers:
        files = load(files.path, [named.of_deck])
    before = (dialect for dialect in prompts.dialects if dialect.name != own.name)
    with_own = prompts._replace(dialects=(*before, own))
    looked = [*islice(Samples(files, own), LOOKED_AT)]
    read = [sample for sample in looked if turns(sample)]
    why = "" if read else "no sample has messages or a prompt where it says"
    is_recognized = not is_other_table(files, with_own) and detected(files, with_own).dialect.name == own.name
    if not (why or is_recognized):
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


def rows_trial(path: Path, rows: Sequence[Table], guess: RowTable, named: NamedTable) -> Trial:
    """Return what a table reads of the rows of results; `guess` is the one by which these rows were found."""
    dialect = user_result_dialect(named.name, named.of_rows)
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
            return written_rows(named.name, named.of_rows, self.rows)
        return written_dialect(named.name, named.of_deck)

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


def unknown_deck(files: DeckFiles, prompts: PromptOptions) -> Unknown | RunFile | None:
    """Return what is guessed for a file opened as a deck; None if it is known, or nothing can be guessed.

    It is known when a dialect finds messages in a sample, or several of its own keys. Where only what stands under
    keys of the dialect could be guessed from, nothing is: the author has just begun. A file with answers and how
    they came out is taken for results.

    Raises:
        DeckError: when the file sums up results that are in other files.
        SettingsError: when the settings cannot be used.
    """
    if len(files.sources) > 1:
        return None  # an index names decks, a suite says what its cases are asked
    logged = is_log(files.path)
    if not logged and detected(files, prompts).dialect.weighed and other_file_of(files) is not None:
        return None
    with_lists = with_samples(files)
    document = with_lists.sources[0].document
    elsewhere = with_lists is not files and document.columns is None
    files = with_lists
    some = [*_first(document)]
    kind = detected(files, prompts).dialect
    ran = kind.weighed and any(map(is_result, some))  # a question and an answer is read as a deck by several
    known = bool(some) and not elsewhere and _is_known(files, kind, some, prompts)
    if known and not ran and not logged:
        return None
    if (ran_file := _told_results(files.path, logged=logged)) is not None or known:
        return ran_file
    if is_talk(some) and (run_file := of_conversations(files.path)) is not None:
        return run_file
    table = guessed(some, under_in(document))
    asked = steps(str(table.get("messages", table.get("prompt"))))[0] if table else ""
    if table is None or (asked in kind.known and not elsewhere):
        return None
    return _unknown_samples(files, prompts, table)


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
    return None if table is None else _unknown_rows(path, rows, table)


def _unknown_rows(path: Path, rows: Sequence[Table], table: RowTable) -> Unknown:
    text = written_rows(name_of_rows(path.stem), table, rows)
    trial, other = partial(rows_trial, path, rows, table), partial(_taken_for_deck, path)
    return Unknown(path, RESULTS, text, rows, trial, other)


def _told_results(path: Path, *, logged: bool) -> Unknown | RunFile | None:
    """Return a file as results, where a log, the signs of a tool or a guessed table of a run tell it for some."""
    results = _as_results(path)
    if results is None:
        return None
    if logged and results.of_one_tool:
        return RunFile(path)
    if results.guess is None:
        return _ran(results) if results.tool else None
    return unknown_results(results) if is_of_a_run(results.guess.table) else None


def is_offered(files: DeckFiles, prompts: PromptOptions) -> bool:
    """Tell whether the table that is guessed for a file in a folder is likely enough to show the file for it.

    Raises:
        SettingsError: when the settings cannot be used.
    """
    unknown = unknown_deck(files, prompts)
    if not isinstance(unknown, Unknown) or unknown.setting == RESULTS:
        return isinstance(unknown, Unknown)
    return is_likely(table_in(unknown.text, settings_file(files.path.parent)).of_deck)


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


def of_conversations(path: Path) -> RunFile | None:
    """Return a file that is no deck as a run, if it is a list of conversations, or one a line; None for others."""
    try:
        rows = open_results(path).first_rows
    except (ResultsError, SettingsError, OSError):
        return None
    return RunFile(path) if rows and all(is_chat(row.get("messages")) for row in rows) else None


def unknown_rows(path: Path) -> Unknown | None:
    """Return what is guessed for the rows of a results file, as `unknown_results` does.

    Raises:
        ResultsError: when it cannot be read.
        SettingsError: when the settings cannot be used.
    """
    return unknown_results(open_results(path, asked=True))


def unknown_results(results: Results) -> Unknown | None:
    """Return what was guessed for the rows of results; None if they are known, or nothing can be guessed."""
    if results.guess is None:
        return None
    return _unknown_rows(results.path, results.first_rows, results.guess.table)


def _ran(results: Results) -> Unknown | RunFile | None:
    """Return results by what shows that they are some: the signs of a tool, or else names to guess a table from."""
    rows = results.first_rows
    if not rows or is_signed(rows, user_result_dialects(results.path.parent)):
        return RunFile(results.path)
    table = guessed_rows(rows, results.source.container)
    if table is None or not is_of_a_run(table):
        return None
    return _unknown_rows(results.path, rows, table)


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
        return not is_other_table(files, prompts)
    return not kind.weighed or is_shown(document.container, some)


def _as_results(path: Path) -> Results | None:
    try:
        return open_results(path)
    except OtherFileError as error:
        raise DeckError(error.message, path, 1, 1) from error
    except (ResultsError, OSError):
        return None
