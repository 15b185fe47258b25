"""The contract of an integration: what the core asks of the knowledge about one outside tool or format of data.

An integration is a package or module with one object, `INTEGRATION`, and an entry in the index (`index.py`), which
says when it is asked. Each hook of `Integration` is about one thing that a tool may have, and returns a small value
whose functions and tables say what it has. The defaults mean "it has none": a tool that only writes results says
nothing of decks. A hook imports what it needs when it is called, so that naming an integration costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from sampleui.errors import PromptStyleError
from sampleui.values import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import DataPath, Plain, Table
    from sampleui.formats.document import Document
    from sampleui.prompt.library import Library
    from sampleui.prompt.messages import Example
    from sampleui.prompt.render import Rendered, Sent
    from sampleui.prompt.templates import Templated
    from sampleui.review.record import Record
    from sampleui.review.results.adapters import Adapter
    from sampleui.review.results.row_files import Hydrated, Sharing
    from sampleui.review.results.sources import Source
    from sampleui.review.samples.answers import Setting
    from sampleui.review.samples.index import Lookup
    from sampleui.review.verdict import Decision
    from sampleui.runs.regrading import Graded
    from sampleui.runs.sample_as_run import AsRun
    from sampleui.sample.convert.tabled import Case, Written
    from sampleui.sample.dialects.dialect import Dialect, Rows, Today, Updated
    from sampleui.sample.fields import Starts
    from sampleui.sample.model import Sample
    from sampleui.sample.models.base import Models
    from sampleui.sample.models.ordinary import Ordinary
    from sampleui.sample.parse import Place
    from sampleui.sample.rules.every_dialect import Rule
    from sampleui.trace.reading.extract import Trace
    from sampleui.trace.timeline import Row
    from sampleui.trace.trajectory_checks import TrajectoryResult


def _nothing(*_: object) -> None:
    return None


def _no(*_: object) -> bool:
    return False


def _none(*_: object) -> tuple[()]:
    return ()


def _no_keys(_: Table) -> frozenset[str]:
    return frozenset()


def _nowhere(*_: object) -> Mapping[DataPath, bool | None]:
    return {}


def _no_starts() -> Starts:
    return {}


def _no_words(*_: object) -> str:
    return ""


def _itself(sample: Sample) -> Sample:
    return sample


def _text_itself(text: str) -> Plain:
    return text


def _as_it_is(data: Table, _: object) -> tuple[Table, tuple[()]]:
    return data, ()


def _as_authored(messages: list[Plain], _: object) -> tuple[list[Plain], str]:
    return messages, ""


def _same_turns(messages: list[Plain], _: object) -> list[Plain]:
    return messages


def _same_table(table: Table, _: object) -> Table:
    return table


def _same_value(value: Plain) -> Plain:
    return value


def _row_itself(row: Table, _: Path) -> Table:
    return row


def _always(*_: object) -> bool:
    return True


def _no_style(style: str, *_: object) -> Rendered:
    raise PromptStyleError(f"unknown prompt style {style}")


def _chat(sent: Sent, _: str) -> list[Table]:
    return [*sent.chat]


class Recognition(NamedTuple):
    """How its dialect is told where keys alone do not tell it.

    Attributes:
        uncounted: returns the keys of a sample that are no signs of the dialect because of what is beside them.
        claims: returns, in words, what shows that samples are of the dialect though no key does; empty if nothing.
    """

    uncounted: Callable[[Table], frozenset[str]] = _no_keys
    claims: Callable[[Sequence[Table]], str] = _no_words


class Checks(NamedTuple):
    """What is right in its samples.

    Attributes:
        rules: the rules, by name, that its dialects switch on besides those that several tools share.
        ordinary: tests of values that need no model to be found right; None if every value needs one.
        models: returns the full shape of its samples, which takes long to load; None where the table of fields
            of the dialect says what there is.
        unshown: returns the keys beside the samples of a file under which a run finds more of them.
        empty: returns what it means that a file with some values has no samples; "" if samples are missing.
        starts: returns what the items of lists start as that are of several kinds.
    """

    rules: Mapping[str, Rule] = MappingProxyType({})
    ordinary: Ordinary | None = None
    models: Callable[[], Models | None] = _nothing
    unshown: Callable[[Document], Sequence[str]] = _none
    empty: Callable[[Table], str] = _no_words
    starts: Callable[[], Starts] = _no_starts


class Updates(NamedTuple):
    """What older forms of its samples become.

    Attributes:
        updated: returns an older record as its program writes samples today; None for any other sample.
        today: how its program spells samples today, where its dialect is named by an older spelling.
    """

    updated: Callable[[Table], Updated | None] = _nothing
    today: Today | None = None


class Converting(NamedTuple):
    """What its samples are converted by, besides the tables of their dialect. Lines of a report are put into notes.

    Attributes:
        case_of: reads a sample into a neutral case; None where the table of its dialect says how.
        written: writes a case with its messages and id in place; None where the table says how.
        finished: returns a sample that was written by the table as its program takes it, and lines about that.
        fields: returns the other fields of a sample as those of another dialect, and lines about that.
        understood: returns messages as OpenAI's, given them as authored too, and a line about that.
        turns: returns OpenAI's messages as the turns that its program reads.
        message: returns one such message as its program takes it.
        call: returns a tool call as its program spells it.
        medium: returns a segment of a medium of its own as its program takes it.
        closed: returns messages with an answer as the last turn; None where the answer has another place.
        asks: tells whether a sample without messages says otherwise what is asked.
        keeps_last: the places of conversations whose last turn is no answer.
        one_kind: whether its program takes conversations and other samples from separate files alone.
    """

    case_of: Callable[[Table, Dialect], Case] | None = None
    written: Callable[[Case, Table, Dialect], Written] | None = None
    finished: Callable[[Table, Case], tuple[Table, Sequence[str]]] = _as_it_is
    fields: Callable[[Table, Dialect], tuple[Table, Sequence[str]]] = _as_it_is
    understood: Callable[[list[Plain], list[Plain]], tuple[list[Plain], str]] = _as_authored
    turns: Callable[[list[Plain], dict[str, None]], list[Plain]] = _same_turns
    message: Callable[[Table, dict[str, None]], Table] = _same_table
    call: Callable[[Plain], Plain] = _same_value
    medium: Callable[[Table, dict[str, None]], Table] = _same_table
    closed: Callable[[list[Plain], Plain, list[str]], list[Plain]] | None = None
    asks: Callable[[Table], bool] = _no
    keeps_last: frozenset[DataPath] = frozenset()
    one_kind: bool = False


class References(NamedTuple):
    """How its samples use values that stand elsewhere in their file.

    Attributes:
        followed: returns a sample with what it names in place.
        place: returns where a value is written that is at a path of what `followed` returns; None if not known.
        detached: returns a sample as it may be in a file of another folder, which has some values for all of its
            samples, with what did not move as it was; None where nothing that a file says goes along with a sample.
        made: returns a file with the samples that are made of values in it; None if none are.
    """

    followed: Callable[[Sample], Sample] = _itself
    place: Callable[[Sample, DataPath], Place | None] = _nothing
    detached: Callable[[Sample, Path, Table], tuple[Sample, tuple[str, ...]] | None] = _nothing
    made: Callable[[Document], Document | None] = _nothing


class Prompts(NamedTuple):
    """What its program sends for a sample.

    Attributes:
        asked: returns a sample as each prompt beside it asks it; nothing where its own messages alone ask it.
        examples: yields what is shown to a model before the messages of a sample.
        media: yields the media of a sample that are files, found as attached files are, each with its place.
        render_as: returns a sample of any dialect in the style that the index has for it, which is what its program
            sends byte for byte, given a system prompt for samples without one. Raises `PromptStyleError` for any
            other style.
        request: returns the messages of the request to a provider for one call, as rendered in that style.
        as_kept: returns what its results keep of a text that was sent; texts of which they keep the same are alike.
        default_test: returns what a config says for all its samples in a file that it names; None if that is not
            read.
    """

    asked: Callable[[Sample, Library], Sequence[Templated]] = _none
    examples: Callable[[Sample], Iterable[Example]] = _none
    media: Callable[[Sample], Iterable[tuple[DataPath, str]]] = _none
    render_as: Callable[[str, Sample, Library, str | None], Rendered] = _no_style
    request: Callable[[Sent, str], list[Table]] = _chat
    as_kept: Callable[[str], Plain] = _text_itself
    default_test: Callable[[str, Library], Table | None] = _nothing


class Answers(NamedTuple):
    """How its samples say what is expected, where the paths of the dialect do not say it.

    Attributes:
        paths: returns where a sample may have what it expects, the places that count first at the beginning.
        taking: returns the edits that make an actual answer the expected one.
        criteria: the keys of those places that have no answer but words that one is judged by.
        types: the types of items in a list, or words before a `:` in a text, whose value is an answer to compare
            with, the first of them the one to write; empty where every value is.
        choices: where the choices stand of which a number may be expected; empty for none.
    """

    paths: Callable[[Sample], tuple[DataPath, ...]] | None = None
    taking: Callable[[Sample, str], tuple[Setting, ...]] | None = None
    criteria: Sequence[str] = ()
    types: tuple[str, ...] = ()
    choices: DataPath = ()


class Grading(NamedTuple):
    """How its program judges an answer.

    Attributes:
        graded: returns the outcomes of what judges a sample, in order; what needs a model or a program stays open.
            It is given the record as it was run, the sample as the deck has it now, the answer (None if there is
            none that can be judged), and the score from which an answer passes where a number is given.
        nests_members: whether these have the members of other assertions among them, each in its place.
        score: returns the score of a record, what is open scored as in the run; None if that is not known.
        grades: tells whether its rules judge a record, whatever deck the sample is in, for its program judged
            the run.
        held: returns which assertions of a sample held in a run, by their paths in the order of the sample; None
            where the record does not say it for certain. It is told whether the sample may have changed since.
        target_is_open: tells whether it is not known what a run of its program makes of a sample's answer as it is
            now.
    """

    graded: Callable[[Record, Sample, str | None, float], tuple[Graded, ...]] = _none
    nests_members: bool = False
    score: Callable[[Record, Trace, Sequence[Graded]], float | None] = _nothing
    grades: Callable[[Record], bool] = _no
    held: Callable[[Record, Sample, bool], Mapping[DataPath, bool | None]] = _nowhere
    target_is_open: Callable[[Record, Sample], bool] = _no


class Results(NamedTuple):
    """How its runs are read.

    Attributes:
        adapters: the readers of the rows of its results, in the order to try them.
        rows_in: yields the rows of a document that the index gives to it, each with the keys that lead to its list.
        log: returns the records of a log that the index gives to it, by its path and its first bytes; None if it is
            none after all. Raises `ResultsError` when it is one and cannot be read.
        summary: returns what a document is, at a path, that sums up results whose records are in other files; ""
            for any other.
        repeated_sample: returns the sample that one of its rows repeats as a whole, and its dialect; None if it
            repeats none.
        score_edits: yields a decision as edits of the scores of its record; None where its tool takes no edits.
    """

    adapters: Sequence[Adapter] = ()
    rows_in: Callable[[Table], Iterable[tuple[tuple[str, ...], Table]]] = _none
    log: Callable[[Path, bytes], Source | None] = _nothing
    summary: Callable[[Table, Path], str] = _no_words
    repeated_sample: Callable[[Table], tuple[Table, str] | None] = _nothing
    score_edits: Callable[[Record, Decision], Iterator[Table]] | None = None


class RunFiles(NamedTuple):
    """How the files are read in which its runs keep parts of a record, each by its row and the folder of the run.

    Attributes:
        with_grading: returns a row with the grading that it names a file of.
        hydrated: returns a row with all files that it names, which another record may share; None if it names none.
        tries: returns a row for each of several attempts that a row stands for; none if it stands for itself.
        artifact: returns the path that stands for the files of a row; rows with the same one share them.
        sample_as_run: returns the sample that a run kept with a record, beside that of the deck; None if it kept
            none.
    """

    with_grading: Callable[[Table, Path], Table] = _row_itself
    hydrated: Callable[[Table, Path, Sharing], Hydrated | None] = _nothing
    tries: Callable[[Table, Path], tuple[Table, ...]] = _none
    artifact: Callable[[Table], str | None] = _nothing
    sample_as_run: Callable[[Record, Path, Sample | None], AsRun | None] = _nothing


class Transcripts(NamedTuple):
    """How transcripts are read that its program writes to files of their own.

    Attributes:
        record_of: returns the record that a transcript stands for, None for what is no transcript.
        is_line: tells whether a row is one message of a transcript in JSON lines, and no record of results.
        is_same_run: tells whether two such lines are of one record.
    """

    record_of: Callable[[Plain], Table | None] = _nothing
    is_line: Callable[[Table], bool] = _no
    is_same_run: Callable[[Table, Table], bool] = _always


class Trajectories(NamedTuple):
    """How its program judges what was called in a run.

    Attributes:
        ran: tells whether its program wrote a record and judged what was called in it.
        ungraded: returns why its program did not grade a record that it ran; empty if it did.
        declared: yields the assertions of a sample and of its file as its program takes them from the files of its
            runs; None where it takes them as the specification does.
        calls: returns the tool calls of a record that its program ran, with what is known of each.
        checked: returns what its program says of a check of its own types, given the calls of a run in order and
            whether its program ran it; None where the specification's rules hold.
    """

    ran: Callable[[Table, Trace], bool] = _no
    ungraded: Callable[[Table], str] = _no_words
    declared: Callable[[Table, Table], Iterator[Plain]] | None = None
    calls: Callable[[Trace], Sequence[Row]] = _none
    checked: Callable[[Table, Sequence[Row], bool], TrajectoryResult | None] = _nothing


class Integration:
    """Everything that is known of one outside tool. A subclass says what it has; what it leaves out, it has not."""

    def dialects(self) -> Sequence[Dialect]:
        """Return the spellings of samples that it brings, those first that go before others."""
        return ()

    def recognition(self) -> Recognition:
        """Return how its dialect is told where keys alone do not tell it."""
        return Recognition()

    def checks(self) -> Checks:
        """Return what is right in its samples, besides what the tables of its dialects say."""
        return Checks()

    def rows(self) -> Rows | None:
        """Return how samples become rows of a table and back; None if the dialect's cells say all of it."""
        return None

    def updates(self) -> Updates:
        """Return what older forms of its samples become."""
        return Updates()

    def conversion(self, dialect: Dialect) -> Converting:
        """Return what samples of one of its dialects are converted by, besides the tables of the dialect."""
        return Converting()

    def references(self) -> References:
        """Return how its samples use values that stand elsewhere in their file."""
        return References()

    def prompts(self) -> Prompts:
        """Return what its program sends for a sample, besides the sample's own messages."""
        return Prompts()

    def lookup(self, samples: Sequence[Sample]) -> Lookup | None:
        """Return the samples of a deck by what rows repeat of them; None where these repeat values at paths."""
        return None

    def answers(self) -> Answers:
        """Return how its samples say what is expected, where the paths of the dialect do not say it."""
        return Answers()

    def grading(self) -> Grading:
        """Return how its program judges an answer."""
        return Grading()

    def results(self) -> Results:
        """Return how its runs are read."""
        return Results()

    def run_files(self) -> RunFiles:
        """Return how the files are read in which its runs keep parts of a record."""
        return RunFiles()

    def transcripts(self) -> Transcripts:
        """Return how transcripts are read that its program writes to files of their own."""
        return Transcripts()

    def trajectories(self) -> Trajectories:
        """Return how its program judges what was called in a run."""
        return Trajectories()
