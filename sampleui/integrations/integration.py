"""The contract of an integration: what the core asks of the knowledge about one outside tool or format of data.

An integration is an entry in the index (`index.py`), which says when to ask it, and modules of fixed names, each
with one constant (`PARTS`): a small value of functions and tables for one aspect of a tool. Every default means
"nothing of the kind", so a tool that only writes results need not mention decks. A module is imported when its part
is asked for, so naming an integration costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sampleui.errors import PromptStyleError

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import DataPath, Plain, Table
    from sampleui.formats.document import Document
    from sampleui.prompt.library import Library
    from sampleui.prompt.messages import Example
    from sampleui.prompt.render import Rendered, Sent
    from sampleui.prompt.templates import Templated
    from sampleui.review.handing_back import HandsBack
    from sampleui.review.record import Record
    from sampleui.review.results.adapters import Adapter
    from sampleui.review.results.sources import ResultSource
    from sampleui.review.samples.expectation import Setting
    from sampleui.review.samples.lookup import Lookup
    from sampleui.review.verdict import Decision
    from sampleui.runs.regrading import Graded
    from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused
    from sampleui.runs.sample_as_run import AsRun
    from sampleui.sample.convert.tabled import Case, WrittenSample
    from sampleui.sample.dialects.dialect import Dialect, Rows, Updated
    from sampleui.sample.fields import Starts
    from sampleui.sample.model import Sample
    from sampleui.sample.models.base import Shapes
    from sampleui.sample.models.typed import ValueTest
    from sampleui.sample.parse import ValuePlace
    from sampleui.sample.rules.every_dialect import Rule
    from sampleui.text.diagnostic import Finding
    from sampleui.trace.reading.extract import RecordTrace
    from sampleui.trace.timeline import TimelineRow
    from sampleui.trace.trajectory_checks import TrajectoryResult

_T = TypeVar("_T")


def nothing(*_: object) -> None:
    """Return nothing, whatever is asked."""


def _no(*_: object) -> bool:
    return False


def none(*_: object) -> tuple[()]:
    """Return none, whatever is asked."""
    return ()


def _no_words(*_: object) -> str:
    return ""


def _same(value: _T, *_: object) -> _T:
    return value


def _unknown_style(style: str, *_: object) -> Rendered:
    raise PromptStyleError(f"unknown prompt style {style}")


class Spellings(NamedTuple):
    """The spellings of samples that it brings.

    Attributes:
        dialects: their tables; the earlier ones take precedence.
        uncounted: returns the keys of a sample that do not count as signs of its dialect, because of others beside
            them.
        rows: how samples become rows of a table and back; None if the dialect's cells say all of it.
        updated: returns an older sample as its program writes it today; None for any other sample.
    """

    dialects: Sequence[Dialect] = ()
    uncounted: Callable[[Table], frozenset[str]] = lambda _: frozenset()
    rows: Rows | None = None
    updated: Callable[[Table], Updated | None] = nothing


class Checks(NamedTuple):
    """What its samples are checked by.

    Attributes:
        rules: its own rules by name, which its dialects switch on beside the shared ones.
        plain: for words of its own in the dialect's tables of fields, a quick test that accepts common values, so
            that the shapes need not be loaded.
        shapes: returns what these words stand for, which is slow to import; None if the dialect has no such words.
        skeletons: returns what a new item of a list starts as, for lists whose items are of several kinds.
        of_file: yields what is wrong with a file as a whole, and with what belongs to it in its folder, each with
            its path in the values beside the samples; it is given the document and the path. A finding
            `samples-missing` or `samples-elsewhere` says why a file without samples has none.
        as_read: returns a finding as what it is to its program, which may read on; it is given the values beside
            the samples, and whether the finding is about these.
    """

    rules: Mapping[str, Rule] = MappingProxyType({})
    plain: Mapping[str, ValueTest] = MappingProxyType({})
    shapes: Callable[[], Shapes | None] = nothing
    skeletons: Callable[[], Starts] = dict
    of_file: Callable[[Document, Path], Iterable[Finding]] = none
    as_read: Callable[[Finding, Table, bool], Finding] = _same


class Converting(NamedTuple):
    """How its samples are converted, and what is expected in them set, beyond what the table of their dialect says.

    Several functions also return notes, or are given a dict to put notes into: lines of the report that say what
    was changed or lost.

    Attributes:
        read_case: reads a sample into a neutral case; None if the dialect's table is enough.
        write_case: writes a case whose messages and id are already in place; None if the dialect's table is enough.
        finish_sample: completes a sample that the table has written; returns it with notes.
        convert_fields: converts a sample's other fields to those of another dialect; returns it with notes.
        to_openai: turns messages into OpenAI's form, given them as authored too; returns them with a note.
        write_turns: turns OpenAI's messages into the turns that its program reads.
        write_message: turns a message, whose segments are of the dialect's types, into the form that its program
            takes.
        is_for: tells which of its dialects this is for.
        expected_paths: returns the paths at which a sample may have its expected answer, the most important first;
            None if the dialect's paths tell.
        accept_answer: returns the edits that make an actual answer the expected one; None as well.
    """

    read_case: Callable[[Table, Dialect], Case] | None = None
    write_case: Callable[[Case, Table, Dialect], WrittenSample] | None = None
    finish_sample: Callable[[Table, Case], tuple[Table, Sequence[str]]] = lambda data, _: (data, ())
    convert_fields: Callable[[Table, Dialect], tuple[Table, Sequence[str]]] = lambda data, _: (data, ())
    to_openai: Callable[[list[Plain], list[Plain]], tuple[list[Plain], str]] = lambda messages, _: (messages, "")
    write_turns: Callable[[list[Plain], dict[str, None]], list[Plain]] = _same
    write_message: Callable[[Table, dict[str, None]], Table] = _same
    is_for: Callable[[Dialect], bool] = lambda _: True
    expected_paths: Callable[[Sample], tuple[DataPath, ...]] | None = None
    accept_answer: Callable[[Sample, str], tuple[Setting, ...]] | None = None


class References(NamedTuple):
    """How its samples refer to values elsewhere in their file.

    Attributes:
        resolve: returns a sample with the values that it refers to in place of the references.
        source_of: returns where in the file a value is written, given its path in a resolved sample; None if
            unknown.
        detach: returns a sample that can stand in a file of another folder, given the values that this file has for
            all its samples, and notes about what was left as it was; None if the file has nothing to take along.
        with_made_samples: returns a file with the samples that its program makes of other values in it; None if
            there are none.
        meant: returns a sample with what files say in the place of their paths, as its program reads them.
    """

    resolve: Callable[[Sample], Sample] = _same
    source_of: Callable[[Sample, DataPath], ValuePlace | None] = nothing
    detach: Callable[[Sample, Path, Table], tuple[Sample, tuple[str, ...]] | None] = nothing
    with_made_samples: Callable[[Document], Document | None] = nothing
    meant: Callable[[Sample], Sample] = _same


class Attaching(NamedTuple):
    """Where a sample lists the files that it gives, and the folder that their paths are counted from."""

    path: DataPath
    folder: Path


class Prompts(NamedTuple):
    """What its program sends to a model for a sample.

    Attributes:
        templated: returns a sample once for each prompt template of its file, filled in; empty if only
            the sample's own messages are sent.
        examples: yields the examples that a model is shown before the messages of a sample.
        attaching: returns where a sample lists the files that it gives; None where its messages attach them.
        media: yields the path and the place of each medium of a sample that is a file beside the deck.
        render_as: renders a sample of any dialect in the style that the index names for this integration: byte for
            byte what its program sends. It is given a system prompt for samples without one, and raises
            `PromptStyleError` for any other style.
        request: returns the messages of a request to a provider, for one call rendered in that style.
        as_recorded: returns what its results keep of a text that was sent. Texts that come out equal count as
            equal.
        default_test: returns the defaults that a config has for its samples in a file of their own; None if that
            file is not read.
    """

    templated: Callable[[Sample, Library], Sequence[Templated]] = none
    examples: Callable[[Sample], Iterable[Example]] = none
    attaching: Callable[[Sample], Attaching | None] = nothing
    media: Callable[[Sample], Iterable[tuple[DataPath, str]]] = none
    render_as: Callable[[str, Sample, Library, str | None], Rendered] = _unknown_style
    request: Callable[[Sent, str], list[Table]] = lambda sent, _: [*sent.chat]
    as_recorded: Callable[[str], Plain] = _same
    default_test: Callable[[str, Library], Table | None] = nothing


class Grading(NamedTuple):
    """How its program judges an answer.

    Attributes:
        grade: returns the outcome of each assertion of a sample, in order; what needs a model or a program stays
            open. It is given the record as it was run, the sample as the deck has it now, the answer (None if there
            is none to judge), and the score from which an answer passes.
        nests_members: whether these outcomes contain the members of grouped assertions, each in its group.
        score: returns the score of a record, with open assertions scored as in the run; None if unknown.
        grades_record: tells whether its rules judge a record, whatever deck the sample is in, because its program
            judged the run.
        recorded_outcomes: returns which assertions of a sample held in a run, by path and in the sample's order;
            None where the record does not say for certain. It is told whether the sample may have changed since.
        failed_by: returns the paths of the assertions of a sample that made a record fail, by its program's rule;
            None where it did not fail, or does not say.
        expects_otherwise: tells whether a record was judged by something else than its sample says now, false where
            nobody can know; None if what it was expected to be tells.
    """

    grade: Callable[[Record, Sample, str | None, float], tuple[Graded, ...]] = none
    nests_members: bool = False
    score: Callable[[Record, RecordTrace, Sequence[Graded]], float | None] = nothing
    grades_record: Callable[[Record], bool] = _no
    recorded_outcomes: Callable[[Record, Sample, bool], Mapping[DataPath, bool | None]] = lambda *_: {}
    failed_by: Callable[[Record, Sample], Sequence[DataPath] | None] = nothing
    expects_otherwise: Callable[[Record, Sample], bool | None] = nothing


class ReadingResults(NamedTuple):
    """How the results of its runs are read.

    Attributes:
        adapters: the readers of rows, in the order in which to try them.
        find_rows: yields the rows of a document that the index assigns to it, each with the keys that lead to its
            list.
        open_folder: returns the records in a folder that lists them nowhere; None if it holds none.
        describe_folder: says of a folder that holds no results what it is, behind "the folder "; else "".
        open_log: returns the records of a log that the index assigns to it, by its path and its first bytes; None
            if it is no log after all. Raises `ResultsError` if it is one and cannot be read.
        evaluation: returns the id that its program gave to the evaluation of a log, by the path and the first bytes
            of that; empty if it says none.
        describe_summary: says of a document at a path what it sums up, if its records are in other files; else "".
        repeated_sample: returns the whole sample that a row repeats, and its dialect; None if it repeats none.
        hands_back: returns how its program keeps what people said of a run; None if it does not.
        score_edits: yields a decision as edits of the scores of its record; None if the tool takes no such edits.
        edited_copy: how its own program puts such edits into a copy of a run; None if it does not.
    """

    adapters: Sequence[Adapter] = ()
    find_rows: Callable[[Table], Iterable[tuple[tuple[str, ...], Table]]] = none
    open_log: Callable[[Path, bytes], ResultSource | None] = nothing
    open_folder: Callable[[Path], ResultSource | None] = nothing
    describe_folder: Callable[[Path], str] = _no_words
    evaluation: Callable[[Path, bytes], str] = _no_words
    describe_summary: Callable[[Table, Path], str] = _no_words
    repeated_sample: Callable[[Table], tuple[Table, str] | None] = nothing
    hands_back: Callable[[], HandsBack] | None = None
    score_edits: Callable[[Record, Decision], Iterator[Table]] | None = None
    edited_copy: Callable[[], EditedCopy] | None = None


class Joining(NamedTuple):
    """How records find their samples, where rows do not repeat values at known paths.

    Attributes:
        lookup: returns the samples of a deck by what rows repeat of them; None if they repeat such values.
    """

    lookup: Callable[[Sequence[Sample]], Lookup] | None = None


class EditedCopy(NamedTuple):
    """How a tool's own program writes a copy of a run with edits of scores in it.

    Attributes:
        call: returns the call, given the run, the edits, and a new folder to write into.
        written: returns where the copy is then, given the run and the folder.
        missing: returns how many of the edits the records of the copy have not.
    """

    call: Callable[[Path, Sequence[Table], Path], ProgramCall]
    written: Callable[[Path, Path], Path]
    missing: Callable[[Iterable[Record], Sequence[Table]], int]


class Sharing(Enum):
    """With whose records a record shares its files: none, those of other targets, or those of its own target."""

    NOBODY = auto()
    OTHERS = auto()
    TARGET = auto()


class Hydrated(NamedTuple):
    """A row with its files in it, and what could not be read.

    Attributes:
        lost: whether its files are those of another record, or that of its answer cannot be read, so that it is not
            kept.
        doubtful: whether its files may be those of another record, so that its answer may be the other's.
    """

    row: Table
    problems: tuple[str, ...] = ()
    lost: bool = False
    doubtful: bool = False


class RunFiles(NamedTuple):
    """How the files are read in which its runs keep parts of a record. Functions are given a row and its folder.

    What the row itself says is never replaced, and a path may only lead to a file inside the folder of the run. Two
    rows may name the same file, which then holds what the last of them wrote and nothing of the others.

    Attributes:
        add_grading: returns a row with the grading from the file that it names.
        hydrate: returns a row with the content of all files that it names, which other records may share; None if
            it names none.
        split_attempts: returns one row for each attempt that a row stands for; none if it stands for itself.
        artifact_path: returns the path that identifies the files of a row; rows with the same path share them.
        sample_as_run: returns the sample that a run kept with a record, beside the deck's own; None if it kept
            none.
    """

    add_grading: Callable[[Table, Path], Table] = _same
    hydrate: Callable[[Table, Path, Sharing], Hydrated | None] = nothing
    split_attempts: Callable[[Table, Path], tuple[Table, ...]] = none
    artifact_path: Callable[[Table], str | None] = nothing
    sample_as_run: Callable[[Record, Path, Sample | None], AsRun | None] = nothing


class Transcripts(NamedTuple):
    """How transcripts are read that its program writes to files of their own.

    Attributes:
        read_record: returns a transcript as a record; None if it is no transcript.
        record_of_line: returns what the lines of one record have in common, for a row that is a message of a
            transcript in JSON Lines; None for a record of results.
    """

    read_record: Callable[[Plain], Table | None] = nothing
    record_of_line: Callable[[Table], tuple[Plain, ...] | None] = nothing


class Trajectories(NamedTuple):
    """How its program judges the tool calls of a run.

    Attributes:
        judged_run: tells whether its program wrote a record and judged the calls in it.
        why_ungraded: returns why its program did not grade a record that it ran; empty if it did.
        declared_checks: yields the assertions of a sample and of its file as its program reads them from the files
            of a run; None if it follows the specification.
        calls: returns the tool calls of a record that its program ran, with what is known of each.
        check: returns the result of a check of one of its own types, given the calls of a run in order and whether
            its program ran it; None where the specification's rules hold.
    """

    judged_run: Callable[[Table, RecordTrace], bool] = _no
    why_ungraded: Callable[[Table], str] = _no_words
    declared_checks: Callable[[Table, Table], Iterator[Plain]] | None = None
    calls: Callable[[RecordTrace], Sequence[TimelineRow]] = none
    check: Callable[[Table, Sequence[TimelineRow], bool], TrajectoryResult | None] = nothing


class Reruns(NamedTuple):
    """How its program runs samples of a run again. These functions start nothing.

    Attributes:
        plan: returns the calls that run what is asked, or why some of it cannot be run, and raises `ResultsError`
            where nothing of it can; None if its runs are not run again.
        answers: returns the files of results that a call wrote, given the folder it wrote into.
        key: returns what a record and each of its reruns have in common, and no record of another sample or target.
        finished: returns how many answers there are so far by a line that a call printed; None where that does not
            say it.
        along: returns the files that are kept along with the answers, given the folder a call wrote into: those
            without which they could not be run again themselves.
        grade: the same of calls that grade recorded answers, each of an attempt of its own; None if its program has
            no way to.
        graded_key: returns what a record and the same answer graded again have in common; None if that is its key
            and its attempt.
    """

    plan: Callable[[Request], Iterable[ProgramCall | RerunRefused]] | None = None
    answers: Callable[[Path], Sequence[Path]] = none
    key: Callable[[Record], str] = _no_words
    finished: Callable[[str], int | None] = nothing
    along: Callable[[Path], Sequence[Path]] = none
    grade: Callable[[Request], Iterable[ProgramCall | RerunRefused]] | None = None
    graded_key: Callable[[Record], str] | None = None


class Integration:
    """One outside tool: its parts, each the constant of a module (`PARTS`), and the usual where it has none.

    Args:
        constant: returns a constant by its name, imported now if it was not before; None where the tool has none.
    """

    def __init__(self, constant: Callable[[str], Any] = nothing) -> None:
        self._constant = constant

    def _part(self, usual: _T, name: str) -> _T:
        found: _T | None = self._constant(name)
        return usual if found is None else found

    def dialects(self) -> Spellings:
        """Return the spellings of samples that it brings."""
        return self._part(Spellings(), "DIALECTS")

    def checks(self) -> Checks:
        """Return what its samples are checked by, beside the tables of its dialects."""
        return self._part(Checks(), "CHECKS")

    def conversion(self, dialect: Dialect) -> Converting:
        """Return how samples of one of its dialects are converted, beyond what the dialect's table says."""
        found = self._part(Converting(), "CONVERSION")
        return found if found.is_for(dialect) else Converting()

    def references(self) -> References:
        """Return how its samples refer to values elsewhere in their file."""
        return self._part(References(), "REFERENCES")

    def prompts(self) -> Prompts:
        """Return what its program sends for a sample, beside the sample's own messages."""
        return self._part(Prompts(), "PROMPTS")

    def grading(self) -> Grading:
        """Return how its program judges an answer."""
        return self._part(Grading(), "GRADING")

    def results(self) -> ReadingResults:
        """Return how the results of its runs are read."""
        return self._part(ReadingResults(), "RESULTS")

    def joining(self) -> Joining:
        """Return how records find their samples."""
        return self._part(Joining(), "JOINING")

    def run_files(self) -> RunFiles:
        """Return how the files are read in which its runs keep parts of a record."""
        return self._part(RunFiles(), "RUN_FILES")

    def reruns(self) -> Reruns:
        """Return how its program runs samples of a run again."""
        return self._part(Reruns(), "RERUNS")

    def transcripts(self) -> Transcripts:
        """Return how transcripts are read that its program writes to files of their own."""
        return self._part(Transcripts(), "TRANSCRIPTS")

    def trajectories(self) -> Trajectories:
        """Return how its program judges the tool calls of a run."""
        return self._part(Trajectories(), "TRAJECTORIES")


PARTS: Mapping[str, tuple[str, type[tuple[object, ...]]]] = {
    "DIALECTS": ("dialect", Spellings),
    "CHECKS": ("rules", Checks),
    "CONVERSION": ("conversion", Converting),
    "REFERENCES": ("references", References),
    "PROMPTS": ("prompts", Prompts),
    "GRADING": ("grading", Grading),
    "RESULTS": ("results", ReadingResults),
    "JOINING": ("joining", Joining),
    "RUN_FILES": ("run_files", RunFiles),
    "RERUNS": ("rerun", Reruns),
    "TRANSCRIPTS": ("transcripts", Transcripts),
    "TRAJECTORIES": ("trajectories", Trajectories),
}
"""The constants of an integration, each with the name of its module and the type of its value."""
