"""A file that nobody knows: the table that is guessed for it, and what any table would read of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from sampleui.deck.load import load
from sampleui.deck.model import DeckFiles
from sampleui.dialecttables import BY_NAME
from sampleui.errors import DeckError, ResultsError, SettingsError
from sampleui.folders.telling import is_result
from sampleui.formats.csv.cells import structure
from sampleui.formats.data import Plain, Table
from sampleui.formats.document import Document
from sampleui.reading import PromptOptions, detected
from sampleui.resulttables import RowTable
from sampleui.review.record import failed
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.adapters.owntables import own_results
from sampleui.review.results.adapters.parsed import ParsedEntry, ParsedRecord
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.guessing import is_of_a_run
from sampleui.review.samples.expected import expectation
from sampleui.sample.dialects import WEIGHED, Dialect, is_shown
from sampleui.sample.guessing import guessed, is_likely, likely_places, name_of, written
from sampleui.sample.message import TextSegment
from sampleui.sample.model import Sample
from sampleui.sample.parse import turns
from sampleui.sample.userdialects import user_dialect
from sampleui.samples import Samples, readable, refuse_other_tables
from sampleui.takingtables import DIALECTS, RESULTS, Named, settings_file, table_in

LOOKED_AT = 50
"""How many samples or rows are guessed from, and read to try a table."""

SHOWN = 5
"""How many of those are shown as they are read."""

_MOST = 1 << 20
"""Characters of samples that are looked at, but for one."""

KINDS = {DIALECTS: "a deck", RESULTS: "results"}
"""What a file is that a table is for, by the setting that holds the table."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a table reads of one sample or row, each part empty where it reads none.

    Attributes:
        id: what it is called.
        roles: who speaks in its messages, in order.
        asked: the first text of the user.
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
        failed: how many of those did not pass; of a deck none.
        first: the first of those that it reads.
        why: why the file would not open by it, empty where it would.
    """

    named: Named
    looked: int
    read: int
    failed: int
    first: tuple[Read, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A file that no dialect knows.

    Attributes:
        path: the file.
        setting: what it is taken for, by the setting that a table for it stands under: `dialects` or `results`.
        text: the guessed table, as it stands in a settings file.
        try_table: reads it by a table.
    """

    path: Path
    setting: str
    text: str
    try_table: Callable[[Named], Trial]

    def tried(self, text: str) -> Trial:
        """Return what a table reads of the file.

        Raises:
            SettingsError: when it is no table that the settings take; its place is one in the text.
        """
        file = settings_file(self.path.parent)
        named = table_in(text, file)
        if named.setting != self.setting:
            said = f"the file is taken for {KINDS[self.setting]} here, [{self.setting}.NAME]"
            raise SettingsError(said, file, 1, 1)
        return self.try_table(named)


def unknown_deck(files: DeckFiles, prompts: PromptOptions) -> Unknown | None:
    """Return what is guessed for a file opened as a deck; None if it is known, or nothing can be guessed.

    It is known when a dialect finds messages in a sample, or several of its own keys. Where only what stands under
    keys of the dialect could be guessed from, nothing is: the author has just begun. A file with answers and how
    they came out is taken for results.

    Raises:
        SettingsError: when the settings cannot be used.
    """
    if len(files.sources) > 1:
        return None  # an index names decks, a suite says what its cases are asked
    files = with_samples(files)
    document = files.sources[0].document
    some = [*_first(document)]
    kind = detected(files, prompts).dialect
    ran = kind in WEIGHED and any(map(is_result, some))  # a question and an answer is read as a deck by several
    known = bool(some) and _is_known(files, kind, some, prompts)
    if known and not ran:
        return None
    results = _as_results(files.path)
    if results is not None and results.guess is None and results.tool:
        return None
    if results is not None and results.guess is not None and is_of_a_run(results.guess.table):
        return unknown_results(results)
    if known:
        return None
    table = guessed(some, under_in(document))
    if table is None or str(table.get("messages", table.get("prompt"))).partition(".")[0] in kind.known:
        return None
    text = written(name_of(files.path.stem), table)
    return Unknown(files.path, DIALECTS, text, partial(_deck_trial, files, prompts))


def is_offered(files: DeckFiles, prompts: PromptOptions) -> bool:
    """Tell whether the table that is guessed for a file in a folder is likely enough to show the file for it.

    Raises:
        SettingsError: when the settings cannot be used.
    """
    unknown = unknown_deck(files, prompts)
    if unknown is None or unknown.setting == RESULTS:
        return unknown is not None
    return is_likely(table_in(unknown.text, settings_file(files.path.parent)).of_deck)


def with_samples(files: DeckFiles) -> DeckFiles:
    """Return files as they are; without samples with what may be some, and tables with the JSON in their cells."""
    document = files.sources[0].document
    if document.columns is not None:
        some = ([*_first(document)] if document.columns else []) or [{}]
        found = [name for name in document.columns if _is_json([row.get(name) for row in some])]
        return load(files.path, [{"fields": dict.fromkeys(found, "list")}]) if found else files
    if document.refers or any(len(source.document) for source in files.sources):
        return files
    if any(kind.context_signs & document.context.keys() for kind in WEIGHED):
        return files  # a suite of a known program, whose samples are elsewhere
    places = likely_places(document.context)
    return load(files.path, [{"container": ".".join(keys) or BY_NAME} for keys in places])


def _is_json(cells: Sequence[Plain]) -> bool:
    """Tell whether the cells of a column that are not empty are JSON lists or tables, all of them."""
    held = [cell for cell in cells if cell is not None]
    return bool(held) and all(isinstance(cell, str) and structure(cell) is not None for cell in held)


def under_in(document: Document) -> tuple[str, ...]:
    """Return what a table says of where the samples of a document are."""
    return document.container or (BY_NAME,) * document.keyed


def unknown_rows(path: Path) -> Unknown | None:
    """Return what is guessed for the rows of a results file, as `unknown_results` does.

    Raises:
        ResultsError: when it cannot be read.
        SettingsError: when the settings cannot be used.
    """
    return unknown_results(open_results(path))


def unknown_results(results: Results) -> Unknown | None:
    """Return what was guessed for the rows of results; None if they are known, or nothing can be guessed."""
    if results.guess is None:
        return None
    rows, table = results.first_rows, results.guess.table
    return Unknown(results.path, RESULTS, results.guess.text, partial(_rows_trial, results.path, rows, table))


def _first(document: Document) -> Iterator[Table]:
    """Yield the first samples of a document that can be read."""
    size = 0
    for index in range(min(len(document), LOOKED_AT)):
        size += len(document.chunk(index))
        if index and size > _MOST:
            return
        if one := readable(document, index):
            yield one


def _is_known(files: DeckFiles, kind: Dialect, some: Sequence[Table], prompts: PromptOptions) -> bool:
    document = files.sources[0].document
    if document.columns:
        return not _is_other_table(files, prompts)
    return kind not in WEIGHED or is_shown(document.container, some)


def _is_other_table(files: DeckFiles, prompts: PromptOptions) -> bool:
    try:
        refuse_other_tables(files.sources[0], prompts.dialects)
    except DeckError:
        return True
    return False


def _as_results(path: Path) -> Results | None:
    try:
        return open_results(path)
    except (ResultsError, OSError):
        return None


def _deck_trial(files: DeckFiles, prompts: PromptOptions, named: Named) -> Trial:
    own = user_dialect(named.name, named.of_deck)
    document = files.sources[0].document
    if document.columns is not None or document.container not in own.containers:
        files = load(files.path, [named.of_deck])
    before = (one for one in prompts.dialects if one.name != own.name)
    with_own = dataclasses.replace(prompts, dialects=(*before, own))
    looked = [*islice(Samples(files, own), LOOKED_AT)]
    read = [sample for sample in looked if turns(sample)]
    why = "" if read else "no sample has messages or a prompt where it says"
    told = not _is_other_table(files, with_own) and detected(files, with_own).dialect.name == own.name
    if not (why or told):
        why = "one sample must have all that its marks name, and the others what is asked, where its container says"
    return Trial(named, len(looked), len(read), 0, tuple(map(_sample_read, read[:SHOWN])), why)


def _sample_read(sample: Sample) -> Read:
    wanted, said = expectation(sample), turns(sample)
    asked = (
        part.text for one in said if one.role == "user" for part in one.segments if isinstance(part, TextSegment)
    )
    roles = tuple(one.role for one in said)
    return Read(sample.id, roles, next(asked, ""), wanted.text if wanted is not None else "")


def _rows_trial(path: Path, rows: Sequence[Table], guess: RowTable, named: Named) -> Trial:
    own = own_results(named.name, named.of_rows)
    if named.table.get("container") != guess.get("container"):
        try:
            rows = open_results(path, (own,)).first_rows
        except (ResultsError, OSError):
            rows = ()
    adapter = adapter_by(own)
    facts = [(one, row) for row in rows if adapter.claims(row) and (one := adapter.parse_entry(row)) is not None]
    missed = sum(failed(one.entry(0, one.sample_id, 0, "")) for one, _ in facts)
    first = tuple(_row_read(one, adapter.parse_record(row)) for one, row in facts[:SHOWN])
    why = "" if facts else "no row has all that its marks name, and an id or a prompt, where it says"
    return Trial(named, len(rows), len(facts), missed, first, why)


def _row_read(facts: ParsedEntry, details: ParsedRecord) -> Read:
    texts = (text for one in details.asked if isinstance(text := one.get("content"), str))
    score = f", score {facts.score:.2f}" if facts.score is not None else ""
    outcome = "failed" if failed(facts.entry(0, facts.sample_id, 0, "")) else "passed"
    return Read(facts.sample_id, (), next(texts, ""), details.expected or "", details.actual, outcome + score)
