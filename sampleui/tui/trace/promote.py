"""A new sample from the first turns of a transcript: shown before it is written."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path

from textual import events
from textual.content import Content

from sampleui.errors import EditRefusedError, SampleUIError
from sampleui.formats.registry import BY_SUFFIX
from sampleui.review.results.run_paths import run_of
from sampleui.runs.decks import is_skipped
from sampleui.runs.records import TracedRecord
from sampleui.runs.transcript_to_sample import Promotion, promote, target_deck
from sampleui.text.confined import project_root, real_path, size_of, typed_path
from sampleui.text.visible import one_line, visible
from sampleui.text.wording import counted
from sampleui.trace.transcript import Transcript
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.cards import severity_mark
from sampleui.tui.drawing.code import diff_rows
from sampleui.tui.drawing.message_rows import message_rows
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.screens import asking
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.screens.dialogs import Scrolled, project_files
from sampleui.tui.widgets.text_view import READING
from sampleui.workspace.deck import Deck
from sampleui.workspace.folders import NOT_DECKS, deck_check, holds_results

_TOLD = 300
"""Characters of a line that says what is lost, or wrong."""

_CHECK_TIMEOUT_S = 1.0
"""Seconds for which files are read to tell decks from others; after that their names alone count."""

_LARGE = 1 << 20
"""Bytes of a file that is not read as a whole for that."""


class Promote(Scrolled[Promotion | None]):
    """The sample as messages and as the change of its deck. Answers with it on Enter, with nothing on Escape."""

    DEFAULT_CSS = """
    Promote TextView { scrollbar-background: $surface; scrollbar-color: $text-edge; }
    """
    hints = (
        Hint("enter", "Write it"),
        Hint("+", "More turns"),
        Hint("-", "Fewer turns"),
        *READING,
        Hint("escape", "Cancel"),
    )

    def __init__(self, transcript: Transcript, count: int, stem: str, deck: Deck) -> None:
        super().__init__("", self._rows, self.answers)
        self._transcript = transcript
        self._count = count
        self._stem = stem
        self._deck = deck
        self._promote()

    def _promote(self) -> None:
        """Make the sample of as many turns as are wanted."""
        self._made: Promotion | SampleUIError
        try:
            self._made = promote(self._transcript, self._count, self._stem, self._deck)
        except SampleUIError as error:
            self._made = error
        title = f"New sample from turns 1 to {self._count} of {len(self._transcript.messages)}"
        self.frame.border_title = Content(title)

    def _rows(self, width: int) -> list[Row]:
        promotion = self._made
        if isinstance(promotion, SampleUIError):
            return text_rows(str(promotion), "error", width)
        head: Row = (
            ("muted", "sample "),
            ("accent-bold", one_line(promotion.sample_id, 60)),
            ("muted", f" into {visible(self._deck.path.name)}, as {self._deck.kind.title}"),
        )
        blank: Row = (("text", ""),)
        rule: Row = (("edge", "── "), ("muted-bold", "what is written "), ("edge", "─" * max(width - 19, 0)))
        shown = message_rows(list(self._transcript.messages[: self._count]), width, briefly=True)
        remarks = (
            *(
                (f"{severity_mark(problem.severity)} {problem.message}", str(problem.severity))
                for problem in promotion.problems
            ),
            *((line, "muted") for line in (*promotion.lost, promotion.note) if line),
        )
        rows = [row for words, style in remarks for row in text_rows(one_line(words, _TOLD), style, width)]
        return [head, *rows, blank, *shown, blank, rule, *diff_rows(promotion.diff, width)]

    def take_key(self, event: events.Key) -> bool:
        """Take more or fewer turns, scroll, or answer."""
        more = {"plus": 1, "equals_sign": 1, "right": 1, "l": 1, "minus": -1, "left": -1, "h": -1}
        if event.key in more:
            self._count = max(1, min(self._count + more[event.key], len(self._transcript.messages)))
            self._promote()
            self.view.show(self._rows, keep=False)
        elif event.key == "enter" and isinstance(self._made, Promotion):
            self.dismiss(self._made)
        else:
            return super().take_key(event)
        return True


async def promote_from(
    screen: CommandScreen, run: Path, known: Sequence[Path], subject: TracedRecord, event: int | None
) -> Path | None:
    """Make a new sample of a record in a deck that is picked, shown before it is written; return the deck's file.

    Args:
        screen: the screen.
        run: the results.
        known: the decks that were run, which are offered first.
        subject: the record.
        event: the event to stop at, from 0; None for all turns.

    Raises:
        EditRefusedError: when the record says nothing.
        DeckError: when what is picked cannot be written to.
    """
    transcript = subject.transcript()
    if not transcript.messages:
        raise EditRefusedError("this record says nothing that a sample could be made of")
    # Beside a results file, and around the folder of a run, never in it.
    index = run_of(run)
    folder = run.parent if index is None else project_root(real_path(index).parent)
    title = f"New sample: into which deck, seen from {visible(real_path(folder).name)}/"
    picked = await asking.pick(screen, title, await asyncio.to_thread(_decks, run, folder, known), texts=True)
    if not picked:
        return None
    deck = target_deck(typed_path(picked, folder), results=run)
    count = len(transcript.messages) if event is None else transcript.until(event)
    promotion = await screen.app.push_screen_wait(Promote(transcript, count, subject.record.id, deck))
    if promotion is None:
        return None
    lost = promotion.save()
    problems = promotion.problems
    wrong = [f"{counted(len(problems), 'problem')}, first: {problems[0].message}"] if problems else []
    sentences = (
        f"{promotion.sample_id} is written to {deck.path.name}",
        *lost,
        *wrong,
        *promotion.lost,
        promotion.note,
    )
    (screen.warn if wrong else screen.say)("; ".join(filter(None, sentences)))
    return deck.path


def _decks(run: Path, folder: Path, known: Sequence[Path]) -> list[str]:
    files = [name for name in project_files(folder) if run_of(run) is None or not is_skipped(Path(name).parts)]
    first = [os.path.relpath(path, folder) for path in known]
    named = [name for name in files if _may_be_deck(Path(name).name) and name != run.name]
    until = time.monotonic() + _CHECK_TIMEOUT_S
    named = [name for name in named if time.monotonic() > until or _is_deck(folder / name)]
    return list(dict.fromkeys([*first, *sorted(named, key=lambda name: name.endswith(".json"))]))


def _is_deck(path: Path) -> bool:
    """Tell whether a file is a deck by what it says; a large one is, unless it has results."""
    return not (holds_results(path) if size_of(path) > _LARGE else deck_check(path).reason)


def _may_be_deck(name: str) -> bool:
    form = BY_SUFFIX.get(Path(name).suffix.lower())
    named = form is not None and (form.name != "markdown" or name.endswith(".deck.md"))
    return named and ".results." not in name and name not in NOT_DECKS
