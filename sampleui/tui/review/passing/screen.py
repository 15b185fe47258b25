"""The screen of a pass: the definitions of codes, a record as it is read and what it did, no more; its commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.geometry import Size
from textual.strip import Strip

from sampleui.review.codes import Codebook
from sampleui.review.verdict import LabelValue
from sampleui.settings.options import Settings
from sampleui.text.confined import packaged_text
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.actions import APP, FIELDS, moving
from sampleui.tui.commands import Registry, ScreenKind, key_named
from sampleui.tui.drawing.rows import Row, fitted, text_rows
from sampleui.tui.review.commenting import COMMENTS, CommentInput
from sampleui.tui.review.passing.session import (
    MAX_CODES,
    PassState,
    blind_shown,
    codes_words,
    is_last_done,
    known_now,
    label,
)
from sampleui.tui.review.rows.noted import by_event, placed_notes
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.review.session_verdicts import undo_words
from sampleui.tui.review.shown import Shown
from sampleui.tui.review.widgets import AnswerPane
from sampleui.tui.screens import asking
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.screens.panes import Pane, PaneFrame, PaneRow, put_away
from sampleui.tui.trace.actions import EVENT_PANES, EVENTS
from sampleui.tui.trace.trace_view import TraceView
from sampleui.tui.widgets.bars import Painted, Title
from sampleui.tui.widgets.filter_input import FilterInput
from sampleui.tui.widgets.text_view import TextView

_WORDS: Mapping[LabelValue | None, tuple[str, str]] = {
    LabelValue.YES: ("accent-bold", "yes"),
    LabelValue.NO: ("muted", "no"),
    LabelValue.UNSURE: ("accent", "cannot say"),
    None: ("faint", "–"),
}

ANSWERS = {
    LabelValue.YES: ("label.yes", "1", "it fails so"),
    LabelValue.NO: ("label.no", "5", "it does not"),
    LabelValue.UNSURE: ("label.unsure", "6", "cannot say"),
}
"""What is answered of one code, with the id of the command, its usual key, and words."""


def code_rows(state: PassState, book: Codebook, width: int) -> list[Row]:
    """Return the codes with their definitions, and how many records each has a label of."""
    rows: list[Row] = []
    for number, name in enumerate(state.codes, 1):
        sign = "" if state.alone else f"{number} "
        known = book.find(name)
        style, word = _WORDS[state.shown.get(name)]
        rows += text_rows(f"{sign}{one_line(name, 120)}", "text-bold", width)
        text = known.text if known is not None and known.text else "It has no definition."
        rows += text_rows(text, "text" if known is not None and known.text else "muted", width, "  ")
        count = f"{state.labelled(name):,} of {counted(len(state.order), 'record')}"
        rows += [((style, f"  {word}"), ("faint", f" · {count} labelled")), (("text", ""),)]
    return rows[:-1]


def label_rows(state: PassState, width: int) -> list[Row]:
    """Return what the record is to be labelled, by the keys for that, on as many lines as it takes."""
    if state.alone:
        parts = [_answer(state, value) for value in ANSWERS]
    else:
        parts = [_turned(state, number, name) for number, name in enumerate(state.codes, 1)]
        parts.append((("accent-bold", key_named("pass.take", "enter")), ("text", " takes them")))
    rows: list[Row] = []
    row, room = list[tuple[str, str]](), width - 1
    for part in parts:
        cells = sum(cell_len(text) for _, text in part) + 2
        if row and cells > room:
            rows.append((("text", " "), *row))
            row, room = [], width - 1
        row += [*part, ("text", "  ")]
        room -= cells
    return [*rows, (("text", " "), *row)]


def _answer(state: PassState, value: LabelValue) -> Row:
    command, usual, words = ANSWERS[value]
    key = key_named(command, usual)
    if state.shown.get(state.codes[0]) is value:
        return (("accent-bold", f"[{key} {words}]"),)
    return (("accent-bold", f" {key}"), ("text", f" {words} "))


def _turned(state: PassState, number: int, name: str) -> Row:
    style, word = _WORDS[state.shown.get(name)]
    is_no = state.shown.get(name) is LabelValue.NO
    key = key_named(f"label.code-{number}", str(number))
    shown = fitted(one_line(name, 60), _LONGEST)
    return (("accent-bold", key), ("text" if is_no else "text-bold", f" {shown} "), (style, word))


_LONGEST = 24
"""Cells of the name of a code in the line of its labels."""


class CodesPane(TextView):
    """The definitions of the codes."""

    scope: ClassVar[str] = "codes"


class LabelBar(Painted):
    """What the record is to be labelled, and by which keys, on as many lines as it takes."""

    DEFAULT_CSS = """
    LabelBar { height: auto; width: 1fr; background: $panel; }
    """

    def __init__(self, state: PassState) -> None:
        super().__init__()
        self._state = state

    def show(self, state: PassState) -> None:
        """Show the labels of another record, or others of this one."""
        self._state = state
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines it takes."""
        return len(label_rows(self._state, self.room(width)))

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        rows = label_rows(self._state, self.room(self.size.width))
        return self.painted(rows[y] if y < len(rows) else (), self.size.width)


class PassScreen(CommandScreen):
    """Goes through the records of a pass. What is decided is on the disk when the next record is shown."""

    kind = ScreenKind.PASS
    home = "answer"
    quotes = True
    AUTO_FOCUS: ClassVar[str | None] = "#answer-text"
    DEFAULT_CSS = packaged_text(Path(__file__).with_suffix(".tcss"))

    def __init__(self, review: ReviewSession, state: PassState, settings: Settings) -> None:
        super().__init__(settings)
        self.review = review
        self.state = state
        self.shown = Shown()
        self._left, self._right = PaneFrame(id="left"), PaneFrame(id="right")
        self.answer = AnswerPane(id="answer")
        self.codes = CodesPane(id="codes")
        self.trace_view = TraceView(id="trace")
        self.label_bar = LabelBar(state)
        self.search_input = FilterInput("a text of this record", id="pass-search")
        self.comment_input = CommentInput(blind=True)
        self._sought = ""
        self._index_shown: int | None = None

    def body(self) -> ComposeResult:
        """Yield the panes."""
        yield self.tabs
        with PaneRow(id="panes"):
            with self._left:
                yield self.search_input
                yield self.answer
            with self._right:
                yield self.codes
                yield self.trace_view
        yield self.comment_input
        yield self.label_bar

    def panes(self) -> list[Pane]:
        """Return the panes."""
        return [
            Pane("answer", "Record", self.answer, self.answer.view),
            Pane("codes", "Codes", self.codes, self.codes),
            *self.trace_view.panes(),
        ]

    def shown_panes(self) -> list[Pane]:
        """Return the panes that say something: a record may have done nothing but answer."""
        silent = set() if self.trace_view.tells_more else {"timeline", "detail"}
        return [pane for pane in self.panes() if pane.scope not in silent]

    def fit(self) -> None:
        """Fit the panes; the trace goes with its panes, and the column where neither is shown."""
        super().fit()
        narrow, scope = self.has_class("narrow"), self._current().scope
        put_away(
            self.trace_view, not self.trace_view.tells_more or (narrow and scope not in ("timeline", "detail"))
        )
        put_away(self._right, narrow and scope == "answer")
        put_away(self._left, narrow and scope != "answer")

    def on_mount(self) -> None:
        """Show the first record."""
        self.name_panes()
        self.show_all()

    # Showing

    def show_all(self) -> None:
        """Show the record and its labels as they are now."""
        self.shown, traced = blind_shown(self.review, self.state.index)
        is_other = self._index_shown != self.state.index
        self._index_shown = self.state.index
        self.answer.show(self.shown, sought=self._sought, keep=not is_other)
        if traced is not None and is_other:
            self.trace_view.show(traced, self.review.results.base_dir)
            self.trace_view.seek(self._sought)
        self.trace_view.annotate(by_event(placed_notes(self.shown.decisions)))
        self.show_labels()
        if self._current() not in self.shown_panes():
            self.set_focus(self.answer.view)
        self.fit()

    def show_labels(self) -> None:
        """Show what the record is to be labelled, and how far the pass is."""
        state = self.state
        self.label_bar.show(state)
        self.codes.show(lambda width: code_rows(self.state, self.review.log.codebook, width))
        entry = self.review.results.entries[state.index]
        problem = ("error-bold", "✖ cannot be read") if self.shown.problem else ("muted", "")
        name, codes, subject = self.review.results.name, codes_words(state.codes), one_line(entry.id, 80)
        position = f"{state.place + 1:,}/{len(state.order):,} · {state.done:,} labelled"
        self.title_bar.show(Title(name, codes, position, problems=problem, subject=subject))
        self.show_keys()

    def go(self, state: PassState) -> None:
        """Show another state of the pass."""
        self.state = state
        self.show_all()

    # What else happens

    def keep_typed(self) -> None:
        """Write down the note that is being typed."""
        self.comment_input.keep_typed()

    def on_text_selected(self) -> None:
        """Ask what is said of the words that were selected with the mouse."""
        self.comment_input.quote_selected(self.state.index)

    def on_filter_input_narrowed(self, message: FilterInput.Narrowed) -> None:
        """Show where the record has a text."""
        if message.words != self._sought:
            self._sought = message.words
            self.answer.show(self.shown, sought=message.words)
            self.trace_view.seek(message.words)

    def on_filter_input_done(self) -> None:
        """Go back to the record; the field stays while it has words."""
        self.set_focus(self.search_input.next_focus(self.answer.view))
        if not self.search_input.value:
            self.search_input.shut()


PASS: Registry[PassScreen] = Registry()
"""Every command of a pass. There are no others in it."""

_LABELS, _LOOKING = "Labels", "Looking"
_PANES = f"answer codes {EVENT_PANES}"
_UNNEEDED = {"pane.widen", "pane.narrow", "preview.page-down"}


def a_record(screen: PassScreen) -> str:
    """Need a record that can be read."""
    return "what cannot be read cannot be labelled" if screen.shown.problem else ""


def of_one_code(screen: PassScreen) -> str:
    """Need a pass over one code."""
    several = "" if screen.state.alone else "the pass is over several codes, each with its number"
    return a_record(screen) or several


def of_several_codes(screen: PassScreen) -> str:
    """Need a pass over several codes."""
    return a_record(screen) or ("the pass is over one code" if screen.state.alone else "")


def _labelled(screen: PassScreen, labels: Mapping[str, LabelValue]) -> None:
    """Label the record, and go on to the next that lacks a label."""
    index = screen.state.index
    made = label(screen.review, screen.state, labels)
    state = known_now(screen.review, screen.state.turned_to(index, {}), index)
    more = state.at_open()
    screen.go(more or state)
    words = ", ".join(f"{code} {value}" for code, value in labels.items() if value is not LabelValue.NO)
    said = f"labelled {made[0].record_id}: {one_line(words, 120) or ('no' if len(labels) == 1 else 'none')}"
    screen.say(said if more else f"{said}; every record of the pass is labelled")


def _answering(value: LabelValue) -> Callable[[PassScreen], None]:
    def answer(screen: PassScreen) -> None:
        _labelled(screen, {screen.state.codes[0]: value})

    answer.__doc__ = f"Say of the one code of the pass: {ANSWERS[value][2]}; and go on to the next record."
    return answer


for _value, (_name, _key, _words) in ANSWERS.items():
    _title = _words.capitalize()
    PASS.command(_name, _key, _title, group=_LABELS, needs=of_one_code, decides=True)(_answering(_value))


def _turning(number: int) -> Callable[[PassScreen], None]:
    def turn(screen: PassScreen) -> None:
        screen.state = screen.state.turn(screen.state.codes[number - 1])
        screen.show_labels()

    turn.__doc__ = f"Of several codes, turn number {number} from no to yes, to cannot say, and to no."
    return turn


def _numbered(number: int) -> Callable[[PassScreen], str]:
    def needs(screen: PassScreen) -> str:
        count = len(screen.state.codes)
        return of_several_codes(screen) or ("" if number <= count else f"the pass is over {count} codes")

    return needs


for _number in range(1, MAX_CODES + 1):
    _name, _title = f"label.code-{_number}", f"Turn code {_number}"
    PASS.command(_name, str(_number), _title, group=_LABELS, needs=_numbered(_number), decides=True)(
        _turning(_number)
    )


@PASS.command("pass.take", "enter", "Take them", group=_LABELS, bar=1, needs=of_several_codes, decides=True)
def take(screen: PassScreen) -> None:
    """Label the record for all codes as they stand, and go on to the next that lacks a label."""
    _labelled(screen, screen.state.shown)


several = PASS.need(lambda screen: len(screen.state.order) > 1, "the pass has one record")


def _step(screen: PassScreen, by: int) -> None:
    place = screen.state.place + by
    if 0 <= place < len(screen.state.order):
        screen.go(screen.state.at(place))
    else:
        screen.refuse(f"this is the {'last' if by > 0 else 'first'} record of the pass")


@PASS.command("review.next", "]", "Next", group=_LABELS, bar=2, needs=several)
def following(screen: PassScreen) -> None:
    """Go to the next record of the pass; labels that were turned and not taken are there when one comes back."""
    _step(screen, 1)


@PASS.command("review.previous", "[", "Previous", group=_LABELS, bar=3, needs=several)
def previous(screen: PassScreen) -> None:
    """Go to the previous record of the pass."""
    _step(screen, -1)


@PASS.command("verdict.comment", "c", "Note", group=_LABELS, bar=4)
def comment(screen: PassScreen) -> None:
    """Write a note on the record: in its trace, on the event under the cursor; a line that begins with > quotes."""
    screen.comment_input.open(screen.state.index)


PASS.include(COMMENTS)


_NOTHING_DONE = "nothing of this pass to undo"
a_change = PASS.need(lambda screen: screen.review.log.can_undo(screen.review.options.reviewer), _NOTHING_DONE)


@PASS.command("verdict.undo", "u", "Undo", group=_LABELS, bar=5, needs=a_change)
def undo(screen: PassScreen) -> None:
    """Take back the labels or the note that you wrote last in this pass, and go to their record."""
    review, state = screen.review, screen.state
    if not is_last_done(review, state):
        screen.refuse(_NOTHING_DONE)
        return
    undone = review.log.undo(review.options.reviewer)
    of_label = undone[0].label is not None
    same = (index for index in state.order if review.results.entries[index].digest == undone[0].record)
    index = next(same, state.index)
    answers = state.known.get(index, {}) if of_label and not state.alone else {}
    state = known_now(review, state.turned_to(index, answers), index)
    screen.go(state.at(state.order.index(index)))
    screen.say(undo_words(review, undone))


@PASS.command("review.search", "/", "Find", group=_LOOKING, bar=6)
def search(screen: PassScreen) -> None:
    """Mark a text in the record and its trace as you type it; Escape removes the marks."""
    screen.search_input.open()


@PASS.command("record.unfold", "Z", "Show all", group=_LOOKING, scopes="answer codes", bar=7, needs=a_record)
def unfold(screen: PassScreen) -> None:
    """Show what is hidden or folded of the record, or hide it again."""
    screen.say("all of the record is shown" if screen.answer.unfold() else "long and hidden fields are folded")


@PASS.command("review.copy", "y ctrl+c", "Copy", group=_LOOKING, bar=19, needs=a_record)
async def copy(screen: PassScreen) -> None:
    """Copy the answer or the id of the record."""
    record = screen.shown.record
    texts = {"a": ("the answer", record.actual)} if record is not None and record.actual else {}
    texts["i"] = ("the id", screen.review.results.entries[screen.state.index].id)
    await asking.copy_one_of(screen, "review.copy", "Copy from the record", texts)


PASS.include(item for item in EVENTS if item.id in ("trace.fold", "trace.unfold", "trace.fold-up"))
PASS.include(FIELDS)
PASS.include(item for item in moving(_PANES) if item.id not in _UNNEEDED)
PASS.include(item for item in APP if item.id in ("app.help", "app.suspend"))


@PASS.command("app.quit", "escape ctrl+q", "Back", group="App", bar=32, anywhere=True)
async def leave(screen: PassScreen) -> None:
    """Go back to the review. Every label and note is on the disk already; the pass can be gone on with."""
    screen.keep_typed()
    state = screen.state
    if turned := [place for place, index in enumerate(state.order) if index in state.turned]:
        question = f"The labels of {counted(len(turned), 'record')} are turned and not taken yet."
        answer = await asking.confirm(screen, question, {"t": "Take them first", "l": "Leave them out"})
        if not answer:
            return
        for place in turned if answer == "t" else ():
            label(screen.review, state.at(place), state.at(place).shown)
    screen.leave()
