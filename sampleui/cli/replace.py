"""`sampleui replace`: replace a text in the samples of decks and leave everything else as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import (
    answer_option,
    dialect_option,
    dry_run_option,
    program_named,
    sample_option,
    shared_option,
)
from sampleui.cli.check_reports import complain_of_problems, findings_data, new_findings
from sampleui.cli.deck_arguments import FoundDeck, decks_argument, decks_of
from sampleui.cli.output import FAILED
from sampleui.deck.diff import diff, in_brief
from sampleui.errors import EditRefusedError, FormatError, SampleUIError
from sampleui.formats.data import DataPath, shown
from sampleui.sample.model import Sample
from sampleui.text.confined import real_path
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.limits import TookTooLongError
from sampleui.text.wording import counted
from sampleui.workspace.deck import Deck, read_deck
from sampleui.workspace.edit_requests import EditOp, EditRequest, RequestError, Shared, make_edits, sample_names
from sampleui.workspace.proposed_edits import propose
from sampleui.workspace.text_search import (
    SEARCH_TIMEOUT_S,
    Query,
    Replacement,
    SearchPatternError,
    may_hold,
    replacements_in,
    texts_of,
)


@dataclass(frozen=True, slots=True)
class Replaced:
    """A deck with all its replacements made.

    Attributes:
        deck: the deck.
        looked_at: how many samples had to be looked at.
        refused: what was not replaced, each with its place and reason.
        requests: the edits that were made, one for each value.
    """

    deck: Deck
    looked_at: int
    refused: tuple[str, ...]
    requests: tuple[EditRequest, ...]

    @property
    def samples(self) -> int:
        """In how many samples values were replaced."""
        return len({request.sample for request in self.requests})


@click.command("replace")
@click.argument("old")
@click.argument("new")
@decks_argument
@click.option("--regex", "-e", is_flag=True, help="OLD is a regular expression, and NEW may name its groups.")
@click.option("--ignore-case", "-i", is_flag=True, help="Ignore upper and lower case.")
@click.option("--word", "-w", is_flag=True, help="Find whole words only.")
@sample_option("sample_id", "Only in this sample; #N is the N-th.")
@dialect_option
@dry_run_option
@shared_option
@answer_option()
def command(
    *,
    old: str,
    new: str,
    decks: tuple[Path, ...],
    regex: bool,
    ignore_case: bool,
    word: bool,
    sample_id: str | None,
    dialect: str | None,
    dry_run: bool,
    shared: str | None,
) -> int:
    """Replace OLD by NEW in the texts of samples.

    DECK is a file, a folder, or a glob in quotes; `sampleui check --help` says which files of a folder are decks.
    Keys, comments, and values beside the samples are left alone. What cannot be replaced is listed with its place
    and the reason; all else is.

    Exit codes: 0 all that was found is replaced, or would be; 1 nothing was found, or `sampleui check` finds
    problems that were not there before; 2 something could not be replaced, or a deck could not be read.

    --format json prints an object for each deck in which anything was found, a line each: "file", "values" and
    "samples" with how many were replaced, "diff", "refused" and "new_findings"; of one that cannot be read "file"
    and "error".
    """
    query = Query(old, regex, ignore_case, word)
    query.check(new)
    done: set[Path] = set()
    replaced_count, looked_at, failed, poor = 0, 0, False, False
    for item in decks_of(decks).found:
        try:
            if not isinstance(item, FoundDeck):
                raise item
            deck = read_deck(item.path, dialect)
            deck = deck if item.named else deck.as_found()
            replaced = replaced_in(deck, query, new, sample_id, done, shared=shared)
            done.update(real_path(source.path) for source in replaced.deck.files.sources)
            replaced_count, looked_at = replaced_count + len(replaced.requests), looked_at + replaced.looked_at
            failed = failed or bool(replaced.refused)
            text = diff(replaced.deck.files)
            words = _finish(deck, replaced, text, dry_run=dry_run)
            found = [*new_findings(deck, replaced.deck)] if replaced.requests else []
            poor = complain_of_problems(found, deck.path) or poor
            if replaced.requests or replaced.refused:
                output.answer(
                    *words,
                    file=str(deck.path),
                    values=len(replaced.requests),
                    samples=replaced.samples,
                    diff=in_brief(text),
                    refused=[*replaced.refused],
                    new_findings=findings_data(found),
                )
        except (SampleUIError, OSError) as error:
            path = item.path if isinstance(item, FoundDeck) else item.path or Path()
            failed = bool(output.failed(error, file=str(path)))
    if sample_id is not None and not looked_at and not failed:
        raise SearchPatternError(f"no deck has a sample {sample_id}")
    if failed:
        return FAILED
    if not replaced_count:
        output.complain(f"nothing holds {old}")
    return 1 if poor or not replaced_count else 0


def replaced_in(
    deck: Deck, query: Query, new: str, sample_id: str | None, done: set[Path], *, shared: str | None = None
) -> Replaced:
    """Return a deck with the replacements made in its samples, except those in files that are already done."""
    way = Shared(shared) if shared else None
    refused: list[str] = []
    made: list[EditRequest] = []
    looked_at, changed = 0, deck
    elsewhere = {source.path for source in deck.files.sources if real_path(source.path) in done}
    may_be = (
        deck.samples[index]
        for index in range(len(deck.samples))
        if sample_id is not None or may_hold(deck.files, index, query)  # so that no other sample is read
    )
    for sample in may_be:
        if sample_id not in (None, sample.id, f"#{sample.index + 1}") or sample.path in elsewhere:
            continue
        looked_at += 1
        refused += _unread(deck, sample)
        for replacement in _replacements(deck, sample, query, new):
            if isinstance(replacement, str):
                refused.append(replacement)
                continue
            name, path = f"#{sample.index + 1}", replacement.path
            try:
                request = EditRequest(EditOp.SET, name, path, replacement.new, shared=way)
                changed = make_edits(changed, [request])
                made.append(request)
            except RequestError as error:
                refused.append(_refusal(deck, sample.index, path, error.reason))
    return Replaced(changed, looked_at, tuple(refused), tuple(made))


def _replacements(deck: Deck, sample: Sample, query: Query, new: str) -> Iterator[Replacement | str]:
    """Yield the replacements in a sample; a message instead for a value on which the pattern takes too long."""
    try:
        yield from replacements_in(sample.index, sample.data, query, new)
    except EditRefusedError as error:
        yield _refusal(deck, sample.index, (), str(error))
    except TookTooLongError:
        yield from _one_by_one(deck, sample, query, new)


def _one_by_one(deck: Deck, sample: Sample, query: Query, new: str) -> Iterator[Replacement | str]:
    for path, text in texts_of(sample.data):
        try:
            yield from (replace(item, path=path) for item in replacements_in(sample.index, text, query, new))
        except TookTooLongError:
            yield _refusal(deck, sample.index, path, f"the pattern takes longer than {SEARCH_TIMEOUT_S:g} s")


def _unread(deck: Deck, sample: Sample) -> Iterator[str]:
    source_index, inner = deck.files.locate(sample.index)
    try:
        deck.files.sources[source_index].document.read(inner)
    except FormatError as error:
        yield _refusal(deck, sample.index, (), f"the sample cannot be read: {error.message}")


def _refusal(deck: Deck, index: int, path: DataPath, why: str) -> str:
    return str(
        deck.place(
            index, Finding("replace-refused", Severity.ERROR, f"{shown(path)}: {why}" if path else why, path)
        )
    )


def _finish(before: Deck, replaced: Replaced, text: str, *, dry_run: bool) -> list[str]:
    """Write the deck, or print its diff, say what could not be replaced, and return what was done in words."""
    words: list[str] = []
    deck = replaced.deck
    for refusal in replaced.refused:
        output.complain(refusal)
    if dry_run and deck.changed:
        output.diff_value(text)
    elif deck.changed and (program := program_named()) is not None:
        names = sample_names(before)
        named = [replace(item, sample=names[int(item.sample[1:]) - 1]) for item in replaced.requests]
        propose(before, named, program)
        output.line(f"{deck.path}: kept as a proposal of {program}; the deck is as it was")
    elif deck.changed:
        for lost in deck.save():
            output.line(lost)
        values, samples = counted(len(replaced.requests), "value"), counted(replaced.samples, "sample")
        words = [f"{deck.path}: {values} replaced in {samples}"]
    if replaced.refused:
        output.complain(f"{deck.path}: {counted(len(replaced.refused), 'value')} could not be replaced")
    return words
