"""A new sample from the transcript of a run, as it would be in a deck: shown first, then written."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sampleui.deck.diff import diff
from sampleui.deck.load import load
from sampleui.errors import DeckError
from sampleui.formats.data import Table
from sampleui.review.results.run_paths import run_of
from sampleui.runs.records import Subject
from sampleui.sample.convert.tabled import placed, spelled
from sampleui.sample.dialects.dialect import Today
from sampleui.sample.dialects.older import today_of
from sampleui.text.diagnostic import Diagnostic
from sampleui.trace.promote import new_sample, transcript
from sampleui.trace.reading.extract import Source
from sampleui.trace.reading.messages import events_of
from sampleui.workspace.deck import Deck, deck_of, new_deck
from sampleui.workspace.reading import usual_dialects


@dataclass(frozen=True, slots=True)
class Promotion:
    """A deck with the new sample at its end, not yet saved; `note` says what it still lacks."""

    deck: Deck
    sample_id: str
    note: str = ""

    @property
    def diff(self) -> str:
        """What saving would change on disk, as `diff -u` writes it."""
        return diff(self.deck.files)

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """What `check` says of the new sample."""
        last = len(self.deck.samples) - 1
        return tuple(diagnostic for diagnostic in self.deck.diagnostics if diagnostic.sample_index == last)

    def save(self) -> tuple[str, ...]:
        """Write it and return what could not be kept of the file replaced, in words.

        Raises:
            SaveError: when it was not written; the deck on disk is as it was.
        """
        return self.deck.save()


def target_deck(path: Path, dialect: str | None = None, *, results: Path | None = None) -> Deck:
    """Return the deck to put samples into; a file that does not exist starts as an empty one.

    Args:
        path: the file.
        dialect: the dialect to read or to begin it in.
        results: the results that the samples come from; nothing is written into the folder of their run.

    Raises:
        DeckError: when the file is not a deck, its name does not say in which format to write it, or it lies in the
            folder of the run.
    """
    run = None if results is None else run_of(results)
    if run is not None and path.resolve().is_relative_to(run.resolve()):
        raise DeckError("it lies in the folder of the run, where nothing is written", path)
    if path.exists() or path.is_symlink():
        return deck_of(load(path), dialect)
    name = dialect or usual_dialects(path)[0].name
    return new_deck(path, name)


def is_todays(deck: Deck) -> bool:
    """Tell whether a deck has its samples where its program has them today, and so the keys of today."""
    return _today(deck) is not None


def _today(deck: Deck) -> Today | None:
    today = today_of(deck.kind)
    return today if today and deck.files.sources[0].document.container == today.container else None


def promote(turns: Sequence[Table], count: int, stem: str, deck: Deck) -> Promotion:
    """Return the deck with a sample of the first turns of a transcript at its end.

    In a deck whose samples have the keys of today, an answer that the turns end with is what the sample expects:
    without anything to judge by its program leaves a sample out, and that is reported.

    Args:
        turns: the transcript.
        count: how many of its turns to take, from 1.
        stem: the id of the sample, given a number if the deck has it already.
        deck: the deck.

    Raises:
        PathError: when there are not that many turns.
        EditError: when the deck cannot take the sample.
    """
    sample_id = _free_id(deck, stem)
    today = _today(deck)
    usual = today.messages if today else deck.kind.message_paths[0]
    path = deck.samples[0].messages_path if len(deck.samples) else usual
    places = {today.messages: (today.answer,), **deck.kind.expected.beside} if today else {}
    answer = _answer(turns[:count]) if path in places else None
    if deck.kind.modelled:
        data = new_sample(turns, count if answer is None else count - 1, sample_id, path)
    else:
        known = new_sample(turns, count, sample_id, ("messages",))  # which tells of too few turns
        data = spelled(known, path, deck.kind)
    note = ""
    if answer is not None:
        data = placed(data, places[path], answer)
    if today and path in deck.kind.expected.beside:  # where an answer is a variable, nothing is compared with it
        note = f"{deck.kind.title} leaves {sample_id} out until it has {today.judged_by[0]} or something to assert"
    elif today and answer is None:
        *others, last = today.judged_by
        note = f"{deck.kind.title} leaves {sample_id} out until it has {', '.join(others)} or {last}"
    return Promotion(deck.insert_sample(len(deck.samples), data), sample_id, note)


def _answer(turns: Sequence[Table]) -> str | None:
    """Return the answer that turns end with, None if they end otherwise or nothing is asked before it."""
    last = turns[-1] if len(turns) > 1 else {}
    content = last.get("content")
    answers = last.keys() <= {"role", "content"} and last.get("role") == "assistant"
    return content if answers and isinstance(content, str) and content else None


def turns_until(subject: Subject, event: int) -> int:
    """Return how many turns of the transcript lead up to an event, the one that it belongs to included."""
    turns, trace = subject.turns(), subject.trace
    messages = trace.response.output_messages
    if messages is None:
        before = dataclasses.replace(trace, events=trace.events[: event + 1])
        prompt = subject.sample.messages if subject.sample else ()
        return max(len(transcript(subject.record.data, before, prompt)), 1)
    if trace.source is not Source.OUTPUT_MESSAGES:
        return len(turns)
    asked, last = len(turns) - len(messages), -1
    for index, message in enumerate(messages):
        last += sum(1 for _ in events_of((message,)))
        if last >= event:
            return min(asked + index + 1, len(turns))
    return len(turns)


def _free_id(deck: Deck, stem: str) -> str:
    ids = {deck.own_id(sample) for sample in deck.samples}
    names = (stem, *(f"{stem}-{number}" for number in range(2, len(ids) + 3)))
    return next(name for name in names if name not in ids)
