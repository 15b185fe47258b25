"""A new sample from the transcript of a run, as it would be in a deck: shown first, then written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from sampleui.deck.diff import diff
from sampleui.errors import DeckError, PathError
from sampleui.formats.data import Plain, Table, texts_in
from sampleui.review.results.run_paths import run_of
from sampleui.sample.convert import MovedField, sample_of_case, with_fields
from sampleui.sample.convert.tabled import Case
from sampleui.sample.dialects.dialect import Today
from sampleui.sample.tool_calls import answered_call, calls_in
from sampleui.settings.options import load_settings
from sampleui.text.confined import exists, is_link, real_path
from sampleui.text.diagnostic import Diagnostic
from sampleui.text.secrets import warned_of_secrets
from sampleui.text.wording import enumerated, first_words
from sampleui.trace.transcript import Transcript
from sampleui.workspace.deck import Deck, new_deck, open_with
from sampleui.workspace.reading import PromptOptions
from sampleui.workspace.sample_transfer import as_format_writes, messages_near

_TOOLS = "tools"
_NUMBERED = re.compile(r"#\d+")
_LOOKED_AT = 50
"""Samples of a deck that are looked at for what it calls tools."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """A deck with the new sample at its end, not yet saved.

    Attributes:
        deck: the deck.
        sample_id: the id of the sample.
        note: what it still lacks.
        lost: a line for everything that is not written as the run has it.
    """

    deck: Deck
    sample_id: str
    note: str = ""
    lost: tuple[str, ...] = ()

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
        SettingsError: when its settings cannot be used.
    """
    run = None if results is None else run_of(results)
    if run is not None and real_path(path).is_relative_to(real_path(run)):
        raise DeckError("it lies in the folder of the run, where nothing is written", path)
    settings = load_settings(path.parent)
    if is_link(path):
        raise DeckError("it is a link, through which no sample is written; name the file that it leads to", path)
    if exists(path):
        return open_with(settings, path, dialect)
    return new_deck(path, dialect, PromptOptions.of(settings))


def is_todays(deck: Deck) -> bool:
    """Tell whether a deck has its samples where its program has them today, and so the keys of today."""
    return _today(deck) is not None


def _today(deck: Deck) -> Today | None:
    today = deck.kind.today
    return today if today and deck.files.sources[0].document.container == today.container else None


def promote(transcript: Transcript, count: int, stem: str, deck: Deck) -> Promotion:
    """Return the deck with a sample of the first turns of a transcript at its end, in the deck's spelling.

    In a deck whose samples have the keys of today, an answer that the turns end with is what the sample expects:
    without anything to judge by its program leaves a sample out, and that is reported.

    Args:
        transcript: the transcript.
        count: how many of its turns to take, from 1.
        stem: the id of the sample, given a number if the deck has it already; for the place of a record that has no
            id the first words of the first question.
        deck: the deck.

    Raises:
        PathError: when there are not that many turns.
        EditError: when the deck cannot take the sample.
    """
    if not 1 <= count <= len(transcript.messages):
        raise PathError(f"there is no turn {count}: the transcript has {len(transcript.messages)}")
    turns = transcript.messages[:count]
    sample_id = _free_id(deck, _words_of(turns) if _NUMBERED.fullmatch(stem) else stem)
    today, near = _today(deck), messages_near(deck) or deck.kind.message_paths[0]
    answer = _answer(turns) if today and (near == today.messages or near in deck.kind.expected.beside) else None
    asked = [*(turns if answer is None else turns[:-1])]
    case = Case([*asked], answer, None, {"id": sample_id})
    converted = as_format_writes(sample_of_case(case, deck.kind, near), deck)
    note = ""
    if today and near in deck.kind.expected.beside:  # where an answer is a variable, nothing is compared with it
        note = f"{deck.kind.title} leaves {sample_id} out until it has {today.judged_by[0]} or something to assert"
    elif today and answer is None:
        note = f"{deck.kind.title} leaves {sample_id} out until it has {enumerated(today.judged_by, 'or')}"
    data, left = _with_tools(converted.data, transcript, deck)
    lost = (*warned_of_secrets(texts_in(data)), *_untold(transcript, turns), *converted.report, *left)
    return Promotion(deck.insert_sample(len(deck.samples), data), sample_id, note, lost)


def _with_tools(data: Table, transcript: Transcript, deck: Deck) -> tuple[Table, list[str]]:
    """Return a sample with the run's tools if its deck has a place for them; otherwise a line that says so."""
    if not transcript.tools:
        return data, []
    tools: list[Plain] = [*transcript.tools]
    if any(_TOOLS in sample.data for sample in islice(deck.samples, _LOOKED_AT)):
        return {**data, _TOOLS: tools}, []
    return with_fields(data, [MovedField(_TOOLS, tools, _TOOLS)], deck.kind, deck.kind)


def _untold(transcript: Transcript, turns: Sequence[Table]) -> Iterator[str]:
    """Yield a line for what is missing: from the sample, though the run has it, or from the run itself."""
    if transcript.left_out:
        yield f"messages: {', '.join(transcript.left_out)} left out"
    results = {answered_call(turn) for turn in turns} - {""}
    open_calls = {call.name: None for turn in turns[:-1] for call in calls_in(turn) if call.id not in results}
    if open_calls:
        yield f"messages: what {', '.join(open_calls)} returned is not in the run"


def _answer(turns: Sequence[Table]) -> str | None:
    """Return the answer that turns end with, None if they end otherwise or nothing is asked before it."""
    last = turns[-1] if len(turns) > 1 else {}
    content = last.get("content")
    answers = last.keys() <= {"role", "content"} and last.get("role") == "assistant"
    return content if answers and isinstance(content, str) and content else None


def _words_of(turns: Sequence[Table]) -> str:
    asked = next((turn.get("content") for turn in turns if turn.get("role") == "user"), "")
    return first_words(asked if isinstance(asked, str) else "") or "sample"


def _free_id(deck: Deck, stem: str) -> str:
    ids = {deck.own_id(sample) for sample in deck.samples}
    names = (stem, *(f"{stem}-{number}" for number in range(2, len(ids) + 3)))
    return next(name for name in names if name not in ids)
