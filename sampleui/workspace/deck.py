"""Open, read, check, render and edit a deck: the one door that every face goes through."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sampleui.deck import edit
from sampleui.deck.load import create, load, unreferred
from sampleui.deck.model import Change, DeckFiles
from sampleui.errors import DeckError, FormatError, UnknownDialectError
from sampleui.formats.call_arguments import as_path, shown_name
from sampleui.formats.data import DataPath, Plain, Table, copied
from sampleui.formats.document import Document
from sampleui.formats.made_samples import MadeSamples
from sampleui.formats.operations import Delete, Insert, Move, Rename, Set
from sampleui.formats.registry import has_room
from sampleui.sample import parse
from sampleui.sample.dialects.older import new_container
from sampleui.sample.dialects.shipped import DIALECTS, NOTHING_TELLS, Dialect
from sampleui.sample.model import Sample
from sampleui.settings.options import Settings
from sampleui.text.confined import named
from sampleui.text.diagnostic import Diagnostic, Finding, Severity, placed_finding
from sampleui.workspace.reading import (
    USUAL,
    PromptOptions,
    detected,
    dialects_for,
    shows_the_same,
    usual_dialects,
)
from sampleui.workspace.samples import (
    Samples,
    as_its_file_spells,
    located,
    other_file_of,
    why_other_table,
)

if TYPE_CHECKING:
    from sampleui.prompt.render import Rendered
    from sampleui.workspace.near_miss import NearMiss

_ASKED = "it was asked for"
_OF_RESULTS = "its results are of that tool"


class SampleFindings(NamedTuple):
    """What was found in a sample.

    Attributes:
        findings: the findings, by node.
        by_files: whether the sample names files that are attached to it, whose coming and going changes them.
    """

    findings: tuple[Finding, ...]
    by_files: bool = False


@dataclass(frozen=True, repr=False)
class Deck:
    """An open deck. Immutable: an edit returns a new deck.

    Attributes:
        files: its files as text.
        kind: the dialect its samples are read in.
        prompts: the settings its samples are rendered with.
        reason: why it is read in that dialect, in words.
        refused: why its files, as edited, would not be opened as a deck any longer; empty if they would.
    """

    files: DeckFiles
    kind: Dialect
    prompts: PromptOptions = USUAL
    reason: str = ""
    refused: str = ""

    def __repr__(self) -> str:
        """Return what it is, and not all that it holds."""
        return f"Deck({str(self.path)!r}, {self.format}, {self.dialect}, {len(self.samples)} samples)"

    @property
    def path(self) -> Path:
        """The deck's own file."""
        return self.files.path

    @property
    def format(self) -> str:
        """The format of the deck's own file: toml, yaml, json, jsonl, csv, tsv or markdown."""
        return self.files.sources[0].document.format

    @property
    def dialect(self) -> str:
        """The name of the dialect, as on the command line."""
        return self.kind.name

    @property
    def text(self) -> str:
        """The text of the deck's own file, edits included."""
        return self.files.sources[0].document.text

    @property
    def around(self) -> Table:
        """What the deck's own file says beside its samples; not to be changed."""
        return self.files.sources[0].document.context

    @property
    def changed(self) -> bool:
        """Whether there is anything to save."""
        return self.files.changed

    @cached_property
    def samples(self) -> Samples:
        """Its samples in order, those of referenced files included."""
        return Samples(self.files, self.kind)

    @cached_property
    def near_miss(self) -> NearMiss | None:
        """What the deck's file nearly is, where it was not said in which dialect to read it."""
        from sampleui.workspace.near_miss import near_miss

        if self.reason in (_ASKED, _OF_RESULTS) or len(self.files.sources) > 1:
            return None
        return near_miss(self.files.sources[0].document, self.kind)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that the rules, the formats and the loading say, in file order."""
        from sampleui.sample import rules

        problems = list(self.notes)
        ids: list[str | None] = []
        for sample in self.samples:
            problems.extend(self._placed(sample, self.findings(sample)))
            ids.append(self.unique_id(sample))
        for index, finding in rules.duplicates(ids):
            problems.append(self.place(index, finding))
        order = {source.path: number for number, source in enumerate(self.files.sources)}
        return tuple(
            sorted(
                dict.fromkeys(problems),
                key=lambda problem: (order.get(problem.path, -1), problem.line, problem.column),
            )
        )

    def read_again(self) -> Deck:
        """Return the deck as its files are on the disk now. Raises DeckError when they are no longer a deck."""
        files = dataclasses.replace(load(self.path), named=self.files.named)
        return dataclasses.replace(self, files=files).redetected()

    def as_found(self) -> Deck:
        """Return the deck as one that nobody named, which is not written through links."""
        return dataclasses.replace(self, files=dataclasses.replace(self.files, named=False))

    def redetected(self, before: Deck | None = None) -> Deck:
        """Return the deck with its dialect detected anew, from its files as they are now.

        The dialect stays where it was asked for, where there are no samples to detect another by, and where
        nothing that it is detected by differs from an earlier state `before`.
        """
        if self.reason in (_ASKED, _OF_RESULTS) or not len(self.files):
            return self
        if before is not None:
            is_read_alike = before.kind is self.kind and before.prompts is self.prompts
            if is_read_alike and before.refused == self.refused and shows_the_same(before.files, self.files):
                return self
        detection = detected(self.files, self.prompts)
        refused = _refusal(self.files, detection.dialect, self.prompts)
        deck = self if refused == self.refused else dataclasses.replace(self, refused=refused)
        if detection.dialect.name == self.dialect:
            return deck
        return dataclasses.replace(deck, kind=detection.dialect, reason=detection.reason)

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """The findings about the files and not about a sample."""
        from sampleui.sample import rules

        remarks = [
            Diagnostic(note.rule, note.severity, note.message, source.path, position.line, position.column)
            for number, source in enumerate(self.files.sources)
            for said, position in (
                *source.document.notes(),
                *rules.of_file(source.document, self.kind, source.path),
            )
            for note in (self._as_refused(said),)
            if not (number and note.rule == "samples-missing")  # told at the reference to it
        ]
        empty = [
            source.unless_samples
            for source in self.files.sources
            if source.unless_samples and not len(source.document) and _holds_samples(source.document)
        ]
        missing = [
            Diagnostic("samples-missing", Severity.WARNING, message, source.path, position.line, position.column)
            for source in self.files.sources
            if not (self.files.notes or empty or len(self.files))
            for position, message in unreferred(source)
        ]
        near = self.near_miss
        why = near.message if near is not None and near.row is None else self.refused
        refused = [Diagnostic("not-a-deck", Severity.ERROR, why, self.path, 1, 1)] if why else []
        if near is not None:
            remarks = [note for note in remarks if note.rule != "samples-missing"]
        return (*self.files.notes, *refused, *empty, *missing, *remarks)

    def _as_refused(self, finding: Finding) -> Finding:
        """Return a finding of a format as an error where the program of the deck refuses what it finds."""
        return finding._replace(severity=Severity.ERROR) if finding.rule in self.kind.refuses else finding

    def check(self, index: int) -> tuple[Diagnostic, ...]:
        """Return all findings about one sample, except duplicate ids."""
        sample = self.samples[index]
        return tuple(self._placed(sample, self.findings(sample)))

    def findings(self, sample: Sample) -> tuple[Finding, ...]:
        """Return what the format, the rules and the rendering say about one sample, by node and not by line."""
        return self.judged(sample).findings

    def judged(self, sample: Sample) -> SampleFindings:
        """Return the findings about one sample, and whether they depend on files beside the deck."""
        from sampleui.prompt.library import media_of
        from sampleui.sample import rules

        number, inner = self.files.locate(sample.index)
        document = self.files.sources[number].document
        near = self.near_miss
        if near is not None and near.row in (None, sample.index):
            is_row = near.row is not None
            return SampleFindings((Finding("not-a-deck", Severity.ERROR, near.message),) if is_row else ())
        try:
            document.read(inner)
        except FormatError as error:
            return SampleFindings((Finding("parse-error", Severity.ERROR, error.message),))
        rendered = self.render(sample)
        broken = rules.check(sample)
        known = {finding for finding in rendered.unread if rules.is_error_at(broken, finding.node)}
        problems = (
            *(self._as_refused(finding) for finding in document.findings(inner)),
            *broken,
            *(finding for finding in rendered.findings if finding not in known),
        )
        return SampleFindings(problems, bool(rendered.attachments) or any(True for _ in media_of(sample)))

    def render(self, sample: Sample, *, environment: bool = False) -> Rendered:
        """Return a sample as it would be sent, with the deck's settings.

        Args:
            sample: the sample.
            environment: whether variables of the environment are filled in, for somebody who looks at the prompt.
        """
        from sampleui.prompt.render import render

        return render(
            sample,
            self.prompts.system_prompt,
            self.prompts.guideline_patterns,
            style=self.prompts.style,
            environment=environment,
        )

    def own_id(self, sample: Sample) -> str | None:
        """Return the id that the file gives a sample, None for one that it does not name."""
        number, inner = self.files.locate(sample.index)
        name = self.files.sources[number].name(inner, or_made=self.kind.unique_ids)
        return parse.own_id(sample.data, self.kind, name)

    def is_keyed(self, index: int) -> bool:
        """Tell whether a sample is named by its key in its file."""
        return self.files.sources[self.files.locate(index)[0]].document.keyed

    def unique_id(self, sample: Sample) -> str | None:
        """Return the id of a sample that no other may have; None if there is none."""
        number, inner = self.files.locate(sample.index)
        document = self.files.sources[number].document
        shared = isinstance(document, MadeSamples) and document.shares_id(inner)
        return self.own_id(sample) if self.kind.unique_ids and not shared else None

    def place(self, index: int, finding: Finding) -> Diagnostic:
        """Return a finding with its file, line and column: those of its node, or of the nearest one that exists."""
        return next(self._placed(self.samples[index], (finding,)))

    def _placed(self, sample: Sample, findings: Iterable[Finding]) -> Iterator[Diagnostic]:
        from sampleui.sample import rules

        number, inner = self.files.locate(sample.index)
        source = self.files.sources[number]
        for finding in findings:
            if finding.beside:
                suite = source if source.suite is None else self.files.sources[source.suite]
                yield rules.placed_beside(finding, suite.document, suite.path)
            else:
                located_at = located(source.document, inner, finding.node)
                yield placed_finding(finding, source.path, located_at, sample.id, sample.index)

    def sample_at(self, index: int) -> Sample:
        """Return a sample, or for an index of `deck.edit.context_index` what a file holds beside its samples.

        It looks like a sample without messages, and the name of the file is its id.
        """
        if index >= 0:
            return self.samples[index]
        source = self.files.sources[edit.context_index(index)]
        data = {key: copied(value) for key, value in source.document.context.items()}
        return Sample(source.path.name, index, data, self.dialect, (), source.path, kind=self.kind)

    @property
    def beside(self) -> list[int]:
        """The indexes of `sample_at` and of edits for each file that holds values beside its samples."""
        sources = enumerate(self.files.sources)
        return [
            edit.context_index(number)
            for number, source in sources
            if source.document.context and has_room(source.document)
        ]

    def search(self, words: str) -> list[int]:
        """Return the samples whose text in the file, or whose id, holds every one of the words, in any case."""
        return self.search_all(words.split())

    def search_all(self, texts: Iterable[str]) -> list[int]:
        """Return the samples whose text in the file, or whose id, holds every one of some texts, in any case."""
        wanted = [text.casefold() for text in texts]
        indexes = []
        for index in range(len(self.files)):
            number, inner = self.files.locate(index)
            document = self.files.sources[number].document
            alone = len(document.samples_in(document.piece_of(inner))) == 1
            text = document.chunk(inner) if alone else f"{document.name(inner)} {document.read(inner)}"
            folded = text.casefold()
            if all(word in folded for word in wanted):
                indexes.append(index)
        return indexes

    def set(self, index: int, path: DataPath, value: Plain) -> Deck:
        """Set the value at a path of a sample, as the file spells it; a missing last key is created."""
        return self.apply(edit.apply(self.files, _sample_index(index), Set(path, value)))

    def set_beside(self, path: DataPath, value: Plain, file: int = 0) -> Deck:
        """Set a value that a file holds beside its samples, such as `meta`: the deck's own, or one it refers to."""
        return self.apply(
            edit.apply(self.files, edit.context_index(edit.counted_from_0(file, "file")), Set(path, value))
        )

    def insert(self, index: int, path: DataPath, value: Plain) -> Deck:
        """Insert an item into a list of a sample, before the index that ends the path."""
        return self.apply(edit.apply(self.files, _sample_index(index), Insert(path, value)))

    def delete(self, index: int, path: DataPath) -> Deck:
        """Delete a key or a list item of a sample."""
        return self.apply(edit.apply(self.files, _sample_index(index), Delete(path)))

    def move(self, index: int, path: DataPath, to: int) -> Deck:
        """Move a list item of a sample so that its index becomes `to`."""
        return self.apply(edit.apply(self.files, _sample_index(index), Move(path, to)))

    def rename(self, index: int, path: DataPath, name: str) -> Deck:
        """Give the key that ends a path of a sample another name."""
        return self.apply(edit.apply(self.files, _sample_index(index), Rename(path, name)))

    def rename_sample(self, index: int, name: str) -> Deck:
        """Give a sample of a keyed deck another name, everywhere its file repeats it."""
        return self.apply(edit.rename_sample(self.files, index, name))

    def insert_sample(self, index: int, data: Table) -> Deck:
        """Insert a sample so that its index becomes `index`; a keyed deck takes the name from `id`."""
        return self.apply(
            edit.insert_sample(self.files, index, as_its_file_spells(self.files, self.kind, index, data))
        )

    def delete_sample(self, index: int) -> Deck:
        """Delete a sample."""
        return self.apply(edit.delete_sample(self.files, index))

    def move_sample(self, index: int, to: int) -> Deck:
        """Move a sample so that its index becomes `to`."""
        return self.apply(edit.move_sample(self.files, index, to))

    def apply(self, change: Change) -> Deck:
        """Return the deck with a change of its files made."""
        return dataclasses.replace(self, files=self.files.apply(change))

    def save(self, *, whole: bool = True, exact: bool = False) -> tuple[str, ...]:
        """Write the changed files, each atomically, and return what could not be kept of those replaced, in words.

        Args:
            whole: whether each text is proved by reading all of it again, also where reading the changed samples
                among their neighbours is proof enough, which takes a fraction of the time in a large file.
            exact: whether a file that another program has given the very text that would be written has changed.

        Raises:
            StaleFileError: when a file changed on disk since it was read.
            SaveRefusedError: when a text does not read back as the deck's values.
            SaveError: when the system does not let a file be written.
        """
        from sampleui.deck.save import save

        return save(self.files, whole=whole, exact=exact).lost


def _holds_samples(document: Document) -> bool:
    """Tell whether a file is one of samples, and not one that only refers to such files."""
    return document.format != "markdown" and not document.refers


def _sample_index(index: int) -> int:
    """Return an index of a sample; edits take those below 0 for what files hold beside them."""
    return edit.counted_from_0(index, "sample")


def open_deck(path: str | Path, dialect: str | None = None) -> Deck:
    """Open a deck. The dialect is detected from the data unless it is given.

    Raises:
        DeckError: when the file cannot be read as a deck, with path, line and column if they are known.
        ArgumentError: when the path is none.
        UnknownDialectError: when the dialect is not one.
    """
    return read_deck(named(as_path(path, "path")), dialect)


def read_deck(path: Path, dialect: str | None = None) -> Deck:
    """Open a deck as `open_deck` does, at a path that may have been found and that no person named."""
    return deck_of(load(path), dialect, PromptOptions(dialects=dialects_for(path.parent)))


def open_with(settings: Settings, path: Path, dialect: str | None = None) -> Deck:
    """Open a deck, read and rendered as settings say. Raises as `open_deck` does."""
    return deck_of(load(path, [*settings.dialects.values()] or None), dialect, PromptOptions.of(settings))


def deck_of(
    files: DeckFiles, dialect: str | None = None, prompts: PromptOptions = USUAL, otherwise: str = ""
) -> Deck:
    """Return loaded files as a deck. Raises as `open_deck` does for an unknown dialect and an invalid table.

    A file of another tool that is no deck is refused, unless a dialect is asked for.

    Args:
        files: the files.
        dialect: the dialect to read them in; None for the one that they show.
        prompts: the settings that it depends on.
        otherwise: the dialect where they show none.
    """
    if dialect is not None:
        return Deck(files, _dialect(dialect, prompts), prompts, _ASKED)
    detection = detected(files, prompts)
    if why := _refusal(files, detection.dialect, prompts):
        raise DeckError(why, files.path, 1, 1)
    known = (*DIALECTS, *(dialect.name for dialect in prompts.dialects))
    if detection.reason == NOTHING_TELLS and otherwise in known:
        return Deck(files, _dialect(otherwise, prompts), prompts, _OF_RESULTS)
    return Deck(files, detection.dialect, prompts, detection.reason)


def _refusal(files: DeckFiles, kind: Dialect, prompts: PromptOptions) -> str:
    """Return why files that show a dialect are no deck all the same; empty for a deck."""
    other = other_file_of(files) if kind.weighed else None
    return other.reason if other is not None else why_other_table(files.sources[0], prompts.dialects)


def _dialect(name: str, prompts: PromptOptions) -> Dialect:
    own_dialects = {dialect.name: dialect for dialect in prompts.dialects}
    if isinstance(name, str) and name in own_dialects:
        return own_dialects[name]
    if not isinstance(name, str) or name not in DIALECTS:
        raise UnknownDialectError(
            f"unknown dialect {shown_name(name)}; the dialects are {', '.join((*DIALECTS, *own_dialects))}"
        )
    return DIALECTS[name]


def new_deck(
    path: str | Path,
    dialect: str | None = None,
    prompts: PromptOptions = USUAL,
) -> Deck:
    """Return a deck without samples for a file that does not exist yet; saving it writes the file.

    The dialect is the usual one of the file's format unless it is given; one of the user's has to be.
    Samples are under the key that the dialect's program reads today.

    Raises:
        DeckError: when the file's name does not say in which format to write it.
        ArgumentError: when the path is none.
        UnknownDialectError: when the dialect is not one.
    """
    path = as_path(path, "path")
    name = usual_dialects(path)[0].name if dialect is None else dialect
    kind = _dialect(name, prompts)
    marked = (str(path[0]) for mark in kind.marks for path in mark.has)
    return deck_of(create(path, new_container(kind), {*kind.known, *marked}), name, prompts)
