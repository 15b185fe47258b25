"""Codes as a screen asks for them: one that is picked or new, another name, and passes over some."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from textual import events
from textual.app import ComposeResult

from sampleui.errors import EditRefusedError
from sampleui.review.codes import FailureCode, add_codes, define_code, merge_codes, rename_code
from sampleui.review.labels import codes_of, labelled_by, renamed_by_hand
from sampleui.review.sampling import Draw
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import Hint, key_named
from sampleui.tui.drawing.rows import Row, fitted, spread
from sampleui.tui.review.draws import SAMPLED
from sampleui.tui.review.passing.session import MAX_CODES, begun, codes_words, opened, unfinished
from sampleui.tui.screens import asking
from sampleui.tui.screens.dialogs import STEPS, Overlay
from sampleui.tui.widgets.virtual_list import Marked, RowList

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen
    from sampleui.tui.review.session import ReviewSession
    from sampleui.tui.screens.base import CommandScreen


async def pick_code(screen: CommandScreen, review: ReviewSession, title: str, given: Collection[str] = ()) -> str:
    """Ask for a code, or the name of a new one and then its definition; empty for none.

    Args:
        screen: who asks.
        review: the review.
        title: what is asked.
        given: the codes that what is asked about has already.

    Raises:
        EditRefusedError: if it cannot be the name of one.
        ResultsError: when the file of the codes cannot be read or written.
    """
    await offer_renamed(screen, review)
    names = {f"{'✓' if name in given else ' '} {name}": name for name in codes_of(review.log)}
    if names:
        typed = await asking.pick(screen, title, list(names), free=True)
    else:
        typed = await asking.ask(screen, f"{title}: the name of a new code")
    picked = names.get(typed, " ".join(typed.split()))
    if not picked or picked in names.values():
        return picked
    text = await asking.ask(screen, f"{picked}: a sentence that says what is one and what is none")
    if not text:
        screen.refuse(f"{picked} was not added: a code has a definition")
        return ""
    add_codes(review.log.codebook, [FailureCode(picked, " ".join(text.split()))])
    review.log.refresh()
    return picked


async def pick_known(screen: CommandScreen, review: ReviewSession, title: str, likely: Sequence[str] | None) -> str:
    """Ask for a code that there is, the likely ones first; empty for none.

    Raises:
        EditRefusedError: if there is none.
    """
    await offer_renamed(screen, review)
    if not (names := codes_of(review.log)):
        raise EditRefusedError(f"{review.log.codebook.path.name} has no codes yet")
    return await asking.pick(screen, title, sorted(names, key=lambda name: name not in (likely or ())))


async def define_code_of(screen: CommandScreen, review: ReviewSession, name: str) -> str:
    """Ask for another definition of a code, and return its name.

    Raises:
        EditRefusedError: if it cannot be defined so.
        ResultsError: when the file of the codes cannot be read or written.
    """
    known = review.log.codebook.checked().find(name)
    before = "" if known is None else known.text
    said = await asking.ask(screen, f"{name}: a sentence that says what is one and what is none", before)
    text = " ".join(said.split())
    if not text or text == before:
        return name
    if known is None:
        add_codes(review.log.codebook, [FailureCode(name, text)])
    else:
        define_code(review.log.codebook, name, text)
    review.log.refresh()
    older = labelled_by(review.log)[1].get(name, 0)
    apart = f"; {counted(older, 'label')} of older ones are counted apart, and a pass asks for these first"
    screen.say(f"{name} has another definition{apart if older else ''}")
    return name


async def rename_code_of(screen: CommandScreen, review: ReviewSession, old: str) -> str:
    """Ask for another name of a code, that of another one to merge both, and return what it is called then.

    Raises:
        EditRefusedError: if it cannot be called so.
        ResultsError: when the file of the codes cannot be read or written.
    """
    book = review.log.codebook.checked()
    typed = await asking.ask(screen, f"{old}: its new name, or that of another code", old)
    new = " ".join(typed.split())
    if not new or new == old:
        return old
    names = [code.name for code in book.codes]
    if new in names:
        answers = {"m": f"Merge {one_line(old, 40)} into {one_line(new, 40)}"}
        if not await asking.confirm(screen, f"{one_line(new, 80)} is a code already.", answers):
            return old
    (merge_codes if {old, new} <= {*names} else rename_code)(book, old, new)
    _take_in_codes(review, old)
    screen.say(f"{old} is {new} now; what was said of it goes on to count")
    return new


async def offer_renamed(screen: CommandScreen, review: ReviewSession) -> None:
    """Offer that codes which the file no longer has are those that have their definitions now."""
    for old, new in [*renamed_by_hand(review.log)]:
        question = (
            f"{one_line(old, 60)} is no longer in {review.log.codebook.path.name},"
            f" and {one_line(new, 60)} has its definition."
        )
        if await asking.confirm(screen, question, {"s": "It is the same code"}, cancel="It is another one"):
            rename_code(review.log.codebook, old, new)
            _take_in_codes(review, old)


def _take_in_codes(review: ReviewSession, old: str) -> None:
    """Read the codes again, of which one has another name, and show that of records with labels for it."""
    review.log.refresh()
    views = ((item.entry.digest, item.view) for item in review.queue.items)
    review.revise({digest for digest, view in views if old in (*view.codes, *(line.code for line in view.said))})


# Passes


class PassChoice(NamedTuple):
    """What a pass may be over.

    Attributes:
        codes: the codes.
        going_on: the pass that goes on; None for a new one.
        left: how many of its records lack labels.
    """

    codes: tuple[str, ...]
    going_on: Draw | None = None
    left: int = 0


class PassBox(Overlay[tuple[str, tuple[PassChoice, ...]]]):
    """Asks over which codes a pass goes: those that are marked, in one reading, or the one under the cursor.

    The passes that can be gone on with come first, then the codes, with how many records each person has labelled.
    Answers with the key and what it is about; that of a change of a code with the code.
    """

    DEFAULT_CSS = """
    PassBox > .box { width: 100; padding: 0 1; }
    PassBox RowList { height: auto; max-height: 20; }
    """
    hints = (
        *(Hint("enter", "Begin"), Hint("space", "Mark"), Hint("*", "Mark all")),
        *(Hint("e", "Edit definition"), Hint("r", "Rename or merge"), Hint("escape", "Cancel")),
    )

    def __init__(self, review: ReviewSession, over: str, code: str = "") -> None:
        """Take the review, what a pass would be over, and the code on which the cursor begins."""
        super().__init__(f"A pass over {over}, for which codes: one or several")
        self._code = code
        self._new = [PassChoice((name,)) for name in codes_of(review.log)]
        self._choices = [*(PassChoice(drawn.codes, drawn, left) for drawn, left in unfinished(review)), *self._new]
        self._marks: Marked[PassChoice] = Marked()
        self._now, self._older = labelled_by(review.log)
        self._book = review.log.codebook
        self._list: RowList[PassChoice] = RowList("passes")

    def body(self) -> ComposeResult:
        """Yield the list."""
        yield self._list

    def on_mount(self) -> None:
        """Give the list the keys."""
        self._list.focus()
        choice = PassChoice((self._code,))
        self._list.show(self._choices, self._row, self._choices.index(choice) if choice in self._choices else 0)

    def _row(self, choice: PassChoice, width: int) -> Row:
        codes, going_on, left = choice
        if going_on is not None:
            return spread(
                [("text-bold", f" go on: {codes_words(codes)}")], [("muted", f"{left:,} records left")], width
            )
        (name,) = codes
        sign = ("accent-bold", " ✓ ") if choice in self._marks.places else ("text", "   ")
        code = self._book.find(name)
        people = [f"{one_line(who, 20)} {count:,}" for who, count in sorted(self._now.get(name, {}).items())]
        if older := self._older.get(name):
            people.append(f"{older:,} by an older definition")
        text = "" if code is None else one_line(code.text, 200)
        shown = fitted(one_line(name, 60), max(width // 3, 12))
        right = [("faint", f" {' · '.join(people)}")] if people else []
        return spread([sign, ("text-bold", f"{shown}  "), ("muted", text)], right, width)

    def take_key(self, event: events.Key) -> bool:
        """Begin, mark, move, or change a code."""
        choice = self._choices[self._list.cursor]
        if event.key == "enter":
            self._begin()
        elif event.key == "space" and choice.going_on is None:
            self._marks = self._marks.toggled(self._list.cursor, self._choices)
            self._list.step(1)
        elif event.character == "*":
            self._marks = self._marks.all_toggled(0, self._new)
        elif event.key in STEPS:
            self._list.step(STEPS[event.key])
        elif event.key in _CHANGES and choice.going_on is None:
            self.dismiss((event.key, (choice,)))
        else:
            return False
        self._list.refresh()
        return True

    def _begin(self) -> None:
        marked = tuple(choice for choice in self._new if choice in self._marks.places)
        if len(marked) > MAX_CODES:
            self.footer.message_line.say(f"– at most {MAX_CODES} codes have a digit each in one reading", "muted")
        else:
            self.dismiss(("enter", marked or (self._choices[self._list.cursor],)))

    def on_virtual_list_chosen(self) -> None:
        """Begin with what was clicked."""
        self._begin()


_CHANGES = {"e": define_code_of, "r": rename_code_of}
"""The keys that change a code, in the box too."""


async def begin_pass(screen: ReviewScreen) -> None:
    """Ask over which codes a pass goes, begin it or go on with it, and show the review again when it is left.

    Raises:
        EditRefusedError: if there are no codes, or one cannot be changed so.
        ResultsError: when the log, or the file of the codes, cannot be read or written.
    """
    from sampleui.tui.review.passing.screen import PassScreen  # with the screen's own style sheet

    review = screen.review
    await offer_renamed(screen, review)
    if not codes_of(review.log):
        keys = key_named("review.notes", "m"), key_named("verdict.code", "#")
        raise EditRefusedError(f"there are no codes yet; {keys[1]} in the notes ({keys[0]}) makes one")
    drawn = review.state.draw if review.queue.filters.named == SAMPLED else None
    count = len(review.results.counted if drawn is None else drawn.records)
    every = "all " if count > 1 else ""
    over = f"{every}{counted(count, 'record')}" if drawn is None else f"the {counted(count, 'drawn record')}"
    answered = await screen.answer_to(PassBox(review, over))
    while answered and (change := _CHANGES.get(answered[0])) is not None:
        code = await change(screen, review, *answered[1][0].codes)
        answered = await screen.answer_to(PassBox(review, over, code))
    if answered:
        _, chosen = answered
        going_on = chosen[0].going_on or begun(review, [*chain(*(item.codes for item in chosen))], drawn)
        state = opened(review, going_on)
        await screen.answer_to(PassScreen(review, state, screen.settings))
        review.revise()
        screen.show_all()
