"""The contract of an integration: what the core asks of the knowledge about one outside tool or format of data.

An integration is a folder `integrations/NAME/` whose `__init__.py` has one object, `INTEGRATION`. Every hook has a
default that means "this tool has none", so a tool that only writes results says nothing of decks. A hook imports
what it needs when it is called: naming an integration must cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sampleui.errors import PromptStyleError

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import DataPath, Plain, Table
    from sampleui.grading.graded import Graded
    from sampleui.prompt.library import Library
    from sampleui.prompt.render import Rendered, Sent
    from sampleui.prompt.templates import Templated
    from sampleui.review.record import Record
    from sampleui.review.results.adapters import Adapter
    from sampleui.review.results.artifacts import Hydrated, Sharing
    from sampleui.review.results.sources import Source
    from sampleui.review.samples.added_variables import Given
    from sampleui.review.verdict import Decision
    from sampleui.runs.archive import AsRun
    from sampleui.sample.dialects.dialect import Dialect, Rows, Updated
    from sampleui.sample.model import Sample
    from sampleui.sample.models.base import Models
    from sampleui.sample.models.ordinary import Ordinary
    from sampleui.sample.references import Place
    from sampleui.sample.rules.common import Rule
    from sampleui.trace.checks.found import TrajectoryResult
    from sampleui.trace.reading.extract import Trace
    from sampleui.trace.timeline import Row


class Integration:
    """Everything that is known of one outside tool. A subclass says what it has; what it leaves out, it has not."""

    # Decks: how samples are spelled, what is right in them, and what older forms of them were.

    def dialects(self) -> Sequence[Dialect]:
        """Return the spellings of samples that it brings, those first that go before others."""
        return ()

    def uncounted(self, sample: Table) -> frozenset[str]:
        """Return the keys of a sample that do not count as signs of its dialect because of what is beside them."""
        return frozenset()

    def claims(self, samples: Sequence[Table]) -> str:
        """Return, in words, what shows that samples are of its dialect though no key does; empty if nothing."""
        return ""

    def models(self) -> Models | None:
        """Return the full shape of its samples; None where the dialect's table of fields says what there is."""
        return None

    def ordinary(self) -> Ordinary | None:
        """Return tests of values that need none of its models to be found right; None if every one needs them."""
        return None

    def rules(self) -> Mapping[str, Rule]:
        """Return the rules, by name, that its dialects switch on besides those that several tools share."""
        return {}

    def rows(self) -> Rows | None:
        """Return how samples become rows of a table and back; None if the dialect's cells say all of it."""
        return None

    def updated(self, sample: Table) -> Updated | None:
        """Return an older record as its program writes samples today; None for any other sample."""
        return None

    def followed(self, sample: Sample) -> Sample:
        """Return a sample with the values that stand elsewhere in its file and are only named in it."""
        return sample

    def place(self, sample: Sample, path: DataPath) -> Place | None:
        """Return where a value is written that is at a path of what `followed` returns; None if not known."""
        return None

    # Prompts: what its program sends for a sample.

    def prompts(self, sample: Sample, library: Library) -> Sequence[Templated]:
        """Return a sample as each prompt beside it asks it; nothing where its own messages alone ask it."""
        return ()

    style = ""
    """The style of prompts that is what its program sends, byte for byte; its runs are looked for in it first."""

    def render_as(self, style: str, sample: Sample, library: Library, system_prompt: str | None) -> Rendered:
        """Return a sample of any dialect in a style of prompts that its program has of its own.

        Raises:
            PromptStyleError: it has no such style.
        """
        raise PromptStyleError(f"unknown prompt style {style}")

    def request(self, sent: Sent, provider: str) -> list[Table]:
        """Return the messages of a provider's request for one call, as rendered in a style of its own."""
        return [*sent.chat]

    def default_test(self, named: str, library: Library) -> Table | None:
        """Return what a config says for all its samples in a file that it names; None if that is not read."""
        return None

    def tests(self, sample: Sample) -> Iterator[Given]:
        """Yield the variables of each test that its program makes of a sample, as the rows of a run repeat them."""
        yield from ()

    # Grading: how its program judges an answer.

    nests_members = False
    """Whether the outcomes of `graded` have the members of other assertions among them, each in its place."""

    def grades(self, record: Record) -> bool:
        """Tell whether its rules judge a record, whatever deck the sample is in, for its program judged the run."""
        return False

    def graded(self, record: Record, sample: Sample, answer: str | None, enough: float) -> tuple[Graded, ...]:
        """Return the outcomes of what judges a sample, in order; what needs a model or a program stays open.

        Args:
            record: the record as it was run.
            sample: its sample, as the deck has it now.
            answer: what was answered, None if there is no answer that can be judged.
            enough: the score from which an answer passes where a number is given.
        """
        return ()

    def score(self, record: Record, trace: Trace, outcomes: Sequence[Graded]) -> float | None:
        """Return the score of a record, what is open scored as in the run; None if that is not known."""
        return None

    def target_is_open(self, record: Record, sample: Sample) -> bool:
        """Tell whether it is not known what a run of its program makes of a sample's answer as it is now."""
        return False

    # Results: how its runs are read.

    def adapters(self) -> Sequence[Adapter]:
        """Return the readers of the rows of its results, in the order to try them."""
        return ()

    def log(self, path: Path, head: bytes) -> Source | None:
        """Return the records of a log that the index gives to it by its first bytes; None if it is none after all.

        Raises:
            ResultsError: when it is one and cannot be read.
        """
        return None

    def repeated_sample(self, row: Table) -> tuple[Table, str] | None:
        """Return the sample that one of its rows repeats as a whole, and its dialect; None if it repeats none."""
        return None

    def score_edits(self, record: Record, decision: Decision) -> Iterator[Table] | None:
        """Return a decision as edits of the scores of its record; None where its tool takes no edits."""
        return None

    def with_grading(self, row: Table, folder: Path) -> Table:
        """Return a row with the grading that it names a file of, in the folder of its run."""
        return row

    def hydrated(self, row: Table, folder: Path, sharing: Sharing) -> Hydrated | None:
        """Return a row with all files that it names, which another record may share; None if it names none."""
        return None

    def tries(self, row: Table, folder: Path) -> tuple[Table, ...]:
        """Return a row for each of several attempts that a row stands for; none if it stands for itself."""
        return ()

    def artifact(self, row: Table) -> str | None:
        """Return the path that stands for the files of a row; rows with the same one share them."""
        return None

    def sample_as_run(self, record: Record, base_dir: Path, sample: Sample | None) -> AsRun | None:
        """Return the sample that a run kept with a record, beside that of the deck; None if it kept none."""
        return None

    def summary(self, document: Table, path: Path) -> str:
        """Return what a document is that sums up results whose records are in other files; "" for any other."""
        return ""

    def rows_in(self, document: Table) -> Iterator[tuple[tuple[str, ...], Table]]:
        """Yield the rows of a document that the index gives to it, each with the keys that lead to its list."""
        return iter(())

    # Traces: how what was done in a run is read.

    def transcript(self, data: Plain) -> Table | None:
        """Return the record that a transcript in a file of its own stands for, None when it is no transcript."""
        return None

    def is_transcript_line(self, row: Table) -> bool:
        """Tell whether a row is one message of a transcript in JSON lines, and no record of results."""
        return False

    def is_of_same_run(self, line: Table, other: Table) -> bool:
        """Tell whether two lines of a transcript are of one record."""
        return True

    def ran(self, record: Table, trace: Trace) -> bool:
        """Tell whether its program wrote a record and judged what was called in it."""
        return False

    def ungraded(self, record: Table) -> str:
        """Return why its program did not grade a record that it ran; empty if it did."""
        return ""

    def declared(self, data: Table, context: Table) -> Iterator[Plain]:
        """Yield the assertions of a sample and of its file as its program takes them from the files of its runs."""
        yield from ()

    def calls(self, trace: Trace) -> Sequence[Row]:
        """Return the tool calls of a record that its program ran, with what is known of each."""
        return ()

    def checked(self, entry: Table, calls: Sequence[Row], *, ran: bool) -> TrajectoryResult | None:
        """Return what its program says of a check of its own types; None where the specification's rules hold.

        Args:
            entry: the check as the sample gives it.
            calls: the tool calls of the run, in order.
            ran: whether its program ran the record.
        """
        return None
