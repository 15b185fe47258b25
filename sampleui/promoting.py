"""A new sample from what a run said, as it would stand in a deck: shown first, then written."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sampleui.deck.diff import diff
from sampleui.deck.load import load
from sampleui.errors import DeckError
from sampleui.formats.data import Table
from sampleui.reading import usual_dialects
from sampleui.review.runfolder import run_of
from sampleui.runs import Subject
from sampleui.trace.extract import Source
from sampleui.trace.messages import events_of
from sampleui.trace.promote import new_sample, transcript
from sampleui.workspace import Deck, deck_of, new_deck

_TESTS = ("tests",)


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

    def save(self) -> tuple[str, ...]:
        """Write it and return what could not be kept of the file replaced, in words.

        Raises:
            SaveError: when it was not written; the deck on disk is as it was.
        """
        return self.deck.save()


def target_deck(path: Path, dialect: str | None = None, *, results: Path | None = None) -> Deck:
    """Return the deck to put samples into; a file that does not exist begins as an empty one.

    Args:
        path: the file.
        dialect: the dialect to read or to begin it in.
        results: the results that the samples come from; nothing is written into the folder of their run.

    Raises:
        DeckError: when the file is no deck, its name does not say in which form to write it, or it lies in the
            folder of the run.
    """
    run = None if results is None else run_of(results)
    if run is not None and path.resolve().is_relative_to(run.resolve()):
        raise DeckError("it lies in the folder of the run, where nothing is written", path)
    if path.exists() or path.is_symlink():
        return deck_of(load(path), dialect)
    name = dialect or usual_dialects(path)[0].name
    # AgentV reads `tests` today and refuses the older key that its dialect is named by here.
    return new_deck(path, name, container=_TESTS if name == "agentv" else None)


def is_todays(deck: Deck) -> bool:
    """Tell whether a deck is one that AgentV 4 reads, with the keys of today."""
    return deck.dialect == "agentv" and deck.files.sources[0].document.container == _TESTS


def promote(turns: Sequence[Table], count: int, stem: str, deck: Deck) -> Promotion:
    """Return the deck with a sample of the first turns of a transcript at its end.

    In a deck of AgentV 4 an answer that the turns end with is what the sample expects: without anything to judge by
    AgentV leaves a sample out, which is said where there is none.

    Args:
        turns: the transcript.
        count: how many of its turns to take, from 1.
        stem: the id of the sample, given a number where the deck has it already.
        deck: the deck.

    Raises:
        PathError: when there are not that many turns.
        EditError: when the deck cannot take the sample.
    """
    sample_id = _free_id(deck, stem)
    usual = ("input",) if is_todays(deck) else deck.kind.message_paths[0]
    path = deck.samples[0].messages_path if len(deck.samples) else usual
    answer = _answer(turns[:count]) if is_todays(deck) and path == ("input",) else None
    data = new_sample(turns, count - (answer is not None), sample_id, path)
    if answer is not None:
        data["expected_output"] = answer
    lacks = is_todays(deck) and answer is None
    note = f"AgentV leaves {sample_id} out until it has criteria, expected_output or assertions" if lacks else ""
    return Promotion(deck.insert_sample(len(deck.samples), data), sample_id, note)


def _answer(turns: Sequence[Table]) -> str | None:
    """Return the answer that turns end with, None where they end otherwise or nothing is asked before it."""
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
    for at, message in enumerate(messages):
        last += sum(1 for _ in events_of((message,)))
        if last >= event:
            return min(asked + at + 1, len(turns))
    return len(turns)


def _free_id(deck: Deck, stem: str) -> str:
    ids = {deck.own_id(sample) for sample in deck.samples}
    names = (stem, *(f"{stem}-{number}" for number in range(2, len(ids) + 3)))
    return next(name for name in names if name not in ids)
