"""What a table of settings would read of an unknown file: the preview in which it is tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from sampleui.deck.load import load
from sampleui.deck.model import DeckFiles
from sampleui.errors import DeckError, ResultsError
from sampleui.formats.data import Table
from sampleui.review.record import Entry, ParsedRecord, failed
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.file import open_results
from sampleui.review.results.user_tables import own_results
from sampleui.review.samples.accept_answer import expectation
from sampleui.sample.dialects.user import user_dialect
from sampleui.sample.message import TextSegment
from sampleui.sample.model import Sample
from sampleui.sample.parse import turns
from sampleui.settings.vocabulary import RowTable
from sampleui.settings.writing import Named
from sampleui.workspace.reading import PromptOptions, detected
from sampleui.workspace.samples import Samples, refuse_other_tables

LOOKED_AT = 50
"""How many samples or rows are guessed from, and read to try a table."""

SHOWN = 5
"""How many of those are shown as they are read."""


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


def is_other_table(files: DeckFiles, prompts: PromptOptions) -> bool:
    """Tell whether a table is no deck: no dialect finds messages in it."""
    try:
        refuse_other_tables(files.sources[0], prompts.dialects)
    except DeckError:
        return True
    return False


def deck_trial(files: DeckFiles, prompts: PromptOptions, named: Named) -> Trial:
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
    told = not is_other_table(files, with_own) and detected(files, with_own).dialect.name == own.name
    if not (why or told):
        why = "one sample must have all that its marks name, and the others what is asked, where its container says"
    return Trial(named, len(looked), len(read), 0, tuple(map(_sample_read, read[:SHOWN])), why)


def _sample_read(sample: Sample) -> Read:
    wanted, spoken = expectation(sample), turns(sample)
    asked = (
        part.text
        for turn in spoken
        if turn.role == "user"
        for part in turn.segments
        if isinstance(part, TextSegment)
    )
    roles = tuple(turn.role for turn in spoken)
    return Read(sample.id, roles, next(asked, ""), wanted.text if wanted is not None else "")


def rows_trial(path: Path, rows: Sequence[Table], guess: RowTable, named: Named) -> Trial:
    """Return what a table reads of the rows of results; `guess` is the one by which these rows were found."""
    own = own_results(named.name, named.of_rows)
    if named.table.get("container") != guess.get("container"):
        try:
            rows = open_results(path, (own,)).first_rows
        except (ResultsError, OSError):
            rows = ()
    adapter = adapter_by(own)
    facts = [
        (parsed, row) for row in rows if adapter.claims(row) and (parsed := adapter.parse_entry(row)) is not None
    ]
    missed = sum(failed(parsed.placed(0, parsed.sample_id, 0, "")) for parsed, _ in facts)
    first = tuple(_row_read(parsed, adapter.parse_record(row)) for parsed, row in facts[:SHOWN])
    why = "" if facts else "no row has all that its marks name, and an id or a prompt, where it says"
    return Trial(named, len(rows), len(facts), missed, first, why)


def _row_read(facts: Entry, details: ParsedRecord) -> Read:
    texts = (text for message in details.asked if isinstance(text := message.get("content"), str))
    score = f", score {facts.score:.2f}" if facts.score is not None else ""
    outcome = "failed" if failed(facts.placed(0, facts.sample_id, 0, "")) else "passed"
    return Read(facts.sample_id, (), next(texts, ""), details.expected or "", details.actual, outcome + score)
