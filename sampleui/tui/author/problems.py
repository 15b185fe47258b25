"""The problems of an open deck: how they are looked for between frames, and what is shown of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from textual.timer import Timer

from sampleui.deck.diff import touched_samples
from sampleui.deck.history import Focus
from sampleui.sample import rules
from sampleui.text.diagnostic import Diagnostic, Finding, Severity
from sampleui.text.limits import MAX_JUDGED_AT_ONCE
from sampleui.tui.author.nodes import waits
from sampleui.tui.author.showing import RANK, title_of
from sampleui.tui.author.widgets import problem_row
from sampleui.tui.drawing.items import find
from sampleui.tui.screens.panes import resize
from sampleui.workspace.deck import Deck

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen

_NOWHERE = Focus(-1)


class Problems:
    """The findings about a deck, kept by sample, so that an edit has only the samples judged again that it touched.

    A new deck is looked through in small portions, so that a large one can be used at once.
    """

    def __init__(self, deck: Deck) -> None:
        self._begin(deck)

    def _begin(self, deck: Deck) -> None:
        self._deck = deck
        self._findings: dict[int, tuple[Finding, ...]] = {}
        self._counts = Counter[Severity]()
        self._shared = Counter[Finding]()
        self._ids = rules.Ids()
        self._looked_at = 0
        self._again: set[int] = set()
        self._unfinished = _NOWHERE
        self._by_files: dict[int, None] = {}
        # Made when they are asked for, and forgotten when they no longer hold.
        self._placed: dict[int, list[Diagnostic]] = {}

    @property
    def complete(self) -> bool:
        """Whether every sample has been looked at as it is."""
        return self._looked_at >= len(self._deck.samples) and not self._again

    @property
    def progress(self) -> tuple[int, int]:
        """How many samples have been looked at, of how many."""
        return self._looked_at - len(self._again), len(self._deck.samples)

    def look(self, samples: int) -> None:
        """Look at some more samples."""
        again = sorted(self._again)[:samples]
        for index in again:
            self._see(index)
        end = min(self._looked_at + samples - len(again), len(self._deck.samples))
        for index in range(self._looked_at, end):
            self._see(index)
        self._looked_at = end

    def look_at_files(self) -> bool:
        """Look again at some samples with files beside the deck, others each time; tell whether they differ now."""
        differs = False
        for index in [*islice(self._by_files, MAX_JUDGED_AT_ONCE)]:
            if index not in self._again:
                before = self.found_in(index)
                self._see(index)
                differs |= self.found_in(index) != before
        return differs

    def follow(self, deck: Deck, unfinished: Focus = _NOWHERE) -> None:
        """Take the deck as it is now; what was said of samples that differ holds no longer.

        An unfinished value, such as an empty text that is being written, is not a problem yet.
        """
        before, self._deck, self._placed = self._deck, deck, {}
        known = before.kind is deck.kind and before.prompts is deck.prompts
        changed = touched_samples(before.files, deck.files) if known else None
        if changed is None:
            self._begin(deck)
            self._unfinished = unfinished
            self._see_if_there(unfinished.sample)
            return
        last, self._unfinished = self._unfinished, unfinished
        self._again |= {index for index in changed if index in self._ids}
        for index in self._again:
            self._forget(index)
        if len(self._again) <= MAX_JUDGED_AT_ONCE:
            self.look(len(self._again))
        for index in {last.sample, unfinished.sample}:
            self._see_if_there(index)

    def of(self, index: int) -> tuple[Finding, ...]:
        """Return the findings about one sample, looking at it if need be."""
        if index < 0:  # what is beside the samples
            return ()
        if index not in self._ids or index in self._again:
            self._see(index)
        return self.found_in(index)

    def severity(self, index: int) -> str:
        """Return the worst severity among what is known of a sample so far; empty for none."""
        return min((item.severity for item in self.found_in(index)), key=RANK.__getitem__, default="")

    def counts(self) -> Counter[Severity]:
        """Return how many findings of each severity are known so far."""
        shared = Counter(finding.severity for finding in (*(+self._shared), *self._ids.findings().values()))
        return self._counts + shared + Counter(note.severity for note in self._deck.notes)

    def placed(self, limit: int = 1000) -> list[Diagnostic]:
        """Return what is known so far with lines and columns, in deck order, at most `limit` of it."""
        if limit not in self._placed:
            diagnostics = dict.fromkeys(self._deck.notes)
            for index, finding in self._all():
                if len(diagnostics) >= limit:
                    break
                diagnostics[self._deck.place(index, finding)] = None
            self._placed[limit] = [*diagnostics]
        return self._placed[limit]

    def found_in(self, index: int) -> tuple[Finding, ...]:
        """Return what is known so far of one sample."""
        findings, double = self._findings.get(index, ()), self._ids.findings().get(index)
        return findings if double is None else (*findings, double)

    def _all(self) -> Iterator[tuple[int, Finding]]:
        for index in sorted(self._findings.keys() | self._ids.findings().keys()):
            for finding in self.found_in(index):
                yield index, finding

    def _see_if_there(self, index: int) -> None:
        if 0 <= index < len(self._deck.samples):
            self._see(index)

    def _see(self, index: int) -> None:
        self._placed = {}
        self._again.discard(index)
        self._forget(index)
        sample = self._deck.samples[index]
        unfinished = self._unfinished.path if index == self._unfinished.sample else ()
        judged = self._deck.judged(sample)
        self._by_files.pop(index, None)
        if judged.by_files:
            self._by_files[index] = None  # behind all others
        findings = tuple(finding for finding in judged.findings if not waits(finding.node, unfinished))
        if findings:
            self._findings[index] = findings
            self._count(findings, 1)
        self._ids.put(index, self._deck.unique_id(sample))

    def _forget(self, index: int) -> None:
        self._count(self._findings.pop(index, ()), -1)

    def _count(self, findings: tuple[Finding, ...], by: int) -> None:
        """Count findings, or no longer; those about what samples share are one each."""
        for finding in findings:
            if finding.beside:
                self._shared[finding] += by
            else:
                self._counts[finding.severity] += by


_SLICE = 0.006
_IDLE_SLICE = 0.025
"""Seconds of looking between two frames, while keys come and while none do."""

_IDLE_AFTER = 1.0
"""Seconds without a key after which nobody is waiting for one to be answered."""

_FOLLOW = 0.05
"""Seconds after a key in which the screen follows it, and nothing is looked at."""

_AT_ONCE = 8

_REPORT_INTERVAL_S = 0.5
"""Seconds between two reports of how far it is: drawing one takes as long as looking at a hundred samples."""


class ProblemMarks:
    """The problems of a deck on an author screen, as they are found.

    Attributes:
        in_pane: whether there is a pane of them: not in a deck without any.
    """

    def __init__(self, screen: AuthorScreen) -> None:
        self._screen = screen
        self.in_pane = False
        self._problems: Problems | None = None
        self._timer: Timer | None = None
        self._reported = 0.0

    def watch(self) -> None:
        """Look for the problems of the deck as it is now, in slices, if that is not done or going on."""
        problems = self._screen.session.problems
        if problems is self._problems and (problems.complete or self._timer is not None):
            return
        self._problems = problems
        self._reported = 0.0
        if self._timer is None:
            self._timer = self._screen.set_interval(1 / 30, self._tick)
        self._look(problems)

    def _tick(self) -> None:
        if self._problems is not None and time.monotonic() - self._screen.last_key > _FOLLOW:
            self._look(self._problems)

    def _look(self, problems: Problems) -> None:
        idle = time.monotonic() - self._screen.last_key > _IDLE_AFTER
        until = time.perf_counter() + (_IDLE_SLICE if idle else _SLICE)
        while not problems.complete and time.perf_counter() < until:
            problems.look(_AT_ONCE)
        if problems.complete and self._timer is not None:
            self._timer.stop()
            self._timer = None
        now = time.monotonic()
        if problems.complete or now - self._reported >= _REPORT_INTERVAL_S:
            self._reported = now
            self._show_progress(problems.complete)

    def show(self) -> None:
        """Show what is known of problems, and the title line."""
        screen = self._screen
        pane = screen.problem_list
        if (problems := screen.session.problems.placed()) != pane.items:
            several = len({problem.path for problem in problems}) > 1
            pane.show(problems, partial(problem_row, several), None)
        if not screen.typing:  # the panes keep their sizes while one types
            self.in_pane = bool(pane.count())
            resize(pane, "height", None)
            screen.fit()
        elif not screen.has_class("narrow") and pane.size:
            resize(pane, "height", pane.outer_size.height)
        self.show_status()
        screen.samples.refresh()
        screen.title_bar.show(title_of(screen.session, screen.sample))

    def show_status(self) -> None:
        """Show the worst problem of the turn or field with the cursor."""
        self._screen.message_line.show_status(*self._screen.status())

    def go_next(self, back: bool = False) -> None:
        """Go to the first problem after the cursor, from the end to the first one; `back` is the other way.

        There is one.
        """
        screen = self._screen
        placed = screen.session.problems.placed()
        of_samples = [item for item in placed if item.sample_index is not None]
        if not of_samples:
            screen.refuse(_of_deck(placed[0]))
            return
        items = screen.conversation.items
        here = (screen.index, screen.conversation.cursor[0])
        positions = [(item, (item.sample_index, find(items, item.node)[0])) for item in of_samples]
        if back:
            target = next((item for item, position in reversed(positions) if position < here), of_samples[-1])
        else:
            target = next((item for item, position in positions if position > here), of_samples[0])
        screen.go(Focus(target.sample_index or 0, target.node))
        screen.problem_list.cursor = screen.problem_list.items.index(target)

    def go_chosen(self) -> None:
        """Go to the value of the problem with the cursor."""
        pane = self._screen.problem_list
        if pane.items:
            problem = pane.items[pane.cursor]
            if problem.sample_index is not None:
                self._screen.go(Focus(problem.sample_index, problem.node))
            else:
                self._screen.refuse(_of_deck(problem))

    def _show_progress(self, complete: bool) -> None:
        screen = self._screen
        if complete:
            screen.samples.refresh()
            screen.show_flags()
            screen.sample_filter.note_checked()
        if complete or len(screen.problem_list.items) < screen.size.height:
            self.show()
        else:
            screen.title_bar.show(title_of(screen.session, screen.sample))


def _of_deck(problem: Diagnostic) -> str:
    return f"{problem.path.name}:{problem.line}:{problem.column}, of no sample: {problem.message}"
