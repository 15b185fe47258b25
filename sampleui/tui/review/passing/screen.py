"""The screen of a pass: the definitions of codes, a record as it is read and what it did, and no more of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.geometry import Size
from textual.strip import Strip

from sampleui.review.verdict import LabelValue
from sampleui.settings.options import Settings
from sampleui.text.confined import packaged_text
from sampleui.text.visible import one_line
from sampleui.tui.commands import ScreenKind
from sampleui.tui.review.commenting import CommentInput
from sampleui.tui.review.passing.rows import code_rows, codes_words, label_rows, progress_words
from sampleui.tui.review.passing.session import blind_shown, known_now, label, last_made
from sampleui.tui.review.passing.state import PassState
from sampleui.tui.review.rows.noted import by_event, placed_notes
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.review.shown import Shown
from sampleui.tui.review.widgets import AnswerPane
from sampleui.tui.screens import asking
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.screens.panes import Pane, PaneFrame, PaneRow, put_away
from sampleui.tui.trace.trace_view import TraceView
from sampleui.tui.widgets.bars import Painted, Title
from sampleui.tui.widgets.filter_input import FilterInput
from sampleui.tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from sampleui.review.verdict import Decision


class CodesPane(TextView):
    """The definitions of the codes."""

    scope: ClassVar[str] = "codes"


class LabelBar(Painted):
    """What the record is to be labelled, and by which keys, on as many lines as it takes."""

    DEFAULT_CSS = """
    LabelBar { height: auto; width: 1fr; background: $panel; }
    """
    state: PassState | None = None

    def show(self, state: PassState) -> None:
        """Show the labels of another record, or others of this one."""
        self.state = state
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines it takes."""
        return 1 if self.state is None else len(label_rows(self.state, self.room(width)))

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        rows = [] if self.state is None else label_rows(self.state, self.room(self.size.width))
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
        self.label_bar = LabelBar()
        self.search_input = FilterInput("a text of this record", id="pass-search")
        self.comment_input = CommentInput(blind=True)
        self.touched: set[str] = set()
        self._sought = ""
        self._index_shown: int | None = None

    def compose(self) -> ComposeResult:
        """Yield the panes."""
        yield self.title_bar
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
        yield self.message_line
        yield self.key_bar

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
        self.title_bar.show(
            Title(
                self.review.results.name,
                codes_words(state.codes),
                progress_words(state),
                problems=problem,
                subject=one_line(entry.id, 80),
            )
        )
        self.show_keys()

    def go(self, state: PassState) -> None:
        """Show another state of the pass."""
        self.state = state
        self.show_all()

    # What keys do

    def step(self, by: int) -> None:
        """Go to the next or the previous record."""
        place = self.state.place + by
        if 0 <= place < len(self.state.order):
            self.go(self.state.at(place))
        else:
            self.refuse(f"this is the {'last' if by > 0 else 'first'} record of the pass")

    def answer_one(self, value: LabelValue) -> None:
        """Label the record for the one code of the pass, and go on."""
        self._take({self.state.codes[0]: value})

    def turn(self, number: int) -> None:
        """Turn the label of a code by its number, from 1."""
        self.state = self.state.turn(self.state.codes[number - 1])
        self.show_labels()

    def take(self) -> None:
        """Label the record as it stands, and go on."""
        self._take(dict(self.state.shown))

    def _take(self, labels: dict[str, LabelValue]) -> None:
        index = self.state.index
        made = label(self.review, self.state, labels)
        self._note(made)
        state = known_now(self.review, self.state.turned_to(index, {}), [index])
        more = state.at_open()
        self.go(more or state)
        words = ", ".join(f"{code} {value}" for code, value in labels.items() if value is not LabelValue.NO)
        said = (
            f"labelled {made[0].record_id}: {one_line(words, 120) or 'no' if len(labels) == 1 else words or 'none'}"
        )
        self.say(said if more else f"{said}; every record of the pass is labelled")

    def _note(self, made: tuple[Decision, ...]) -> None:
        self.touched |= {item.record for item in made}

    def undo(self) -> None:
        """Take back the labels or the note that were written last in this pass, and go to their record."""
        if last_made(self.review, self.state) is None:
            self.refuse("nothing of this pass to undo")
            return
        undone = self.review.log.undo(self.review.options.reviewer)
        self._note(undone)
        index = next(
            (one for one in self.state.order if self.review.results.entries[one].digest == undone[0].record),
            self.state.index,
        )
        answers = self.state.known.of.get(index, {}) if undone[0].label is not None and not self.state.alone else {}
        state = known_now(self.review, self.state.turned_to(index, answers), [index])
        self.go(state.at(state.order.index(index)))
        what = "the note on" if undone[0].label is None else "the labels of" if len(undone) > 1 else "the label of"
        self.say(f"took back {what} {undone[0].record_id}")

    async def leave_pass(self) -> None:
        """Go back to the review; of labels that were turned and not taken it is asked what becomes of them."""
        if self.state.turned.get(self.state.index):
            answers = {"t": "Take them first", "l": "Leave them out"}
            answer = await asking.confirm(self, "The labels of this record are not taken yet.", answers)
            if not answer:
                return
            if answer == "t":
                self._note(label(self.review, self.state, dict(self.state.shown)))
        self.leave()

    def copied(self) -> dict[str, tuple[str, str]]:
        """Return what can be copied, by keys: the answer and the id."""
        record = self.shown.record
        texts = {"i": ("the id", self.review.results.entries[self.state.index].id)}
        return {"a": ("the answer", record.actual), **texts} if record is not None and record.actual else texts

    # Typing

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
