"""Every command of a pass, and what each needs; importing this fills its registry. There are no others in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sampleui.review.verdict import LabelValue
from sampleui.tui.actions import APP, FIELDS, moving
from sampleui.tui.commands import Registry
from sampleui.tui.review.commenting import COMMENTS
from sampleui.tui.review.passing.rows import ANSWERS
from sampleui.tui.review.passing.state import MAX_CODES
from sampleui.tui.screens import asking
from sampleui.tui.trace.actions import EVENT_PANES, EVENTS

if TYPE_CHECKING:
    from sampleui.tui.review.passing.screen import PassScreen

PASS: Registry[PassScreen] = Registry()
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


def _answering(value: LabelValue) -> Callable[[PassScreen], None]:
    def answer(screen: PassScreen) -> None:
        screen.answer_one(value)

    answer.__doc__ = f"Say of the one code of the pass: {ANSWERS[value][2]}; and go on to the next record."
    return answer


for _value, (_name, _key, _words) in ANSWERS.items():
    _title = _words.capitalize()
    PASS.command(_name, _key, _title, group=_LABELS, needs=of_one_code, decides=True)(_answering(_value))


def _turning(number: int) -> Callable[[PassScreen], None]:
    def turn(screen: PassScreen) -> None:
        screen.turn(number)

    turn.__doc__ = f"Of several codes, turn number {number} from no to yes, to cannot say, and to no."
    return turn


def _numbered(number: int) -> Callable[[PassScreen], str]:
    def needs(screen: PassScreen) -> str:
        count = len(screen.state.codes)
        return of_several_codes(screen) or ("" if number <= count else f"the pass is over {count} codes")

    return needs


for _number in range(1, MAX_CODES + 1):
    PASS.command(
        f"label.code-{_number}",
        str(_number),
        f"Turn code {_number}",
        group=_LABELS,
        needs=_numbered(_number),
        decides=True,
    )(_turning(_number))


@PASS.command("pass.take", "enter", "Take them", group=_LABELS, bar=1, needs=of_several_codes, decides=True)
def take(screen: PassScreen) -> None:
    """Label the record for all codes as they stand, and go on to the next that lacks a label."""
    screen.take()


def several(screen: PassScreen) -> str:
    """Need another record."""
    return "" if len(screen.state.order) > 1 else "the pass has one record"


@PASS.command("review.next", "]", "Next", group=_LABELS, bar=2, needs=several)
def following(screen: PassScreen) -> None:
    """Go to the next record of the pass; labels that were turned and not taken are there when one comes back."""
    screen.step(1)


@PASS.command("review.previous", "[", "Previous", group=_LABELS, bar=3, needs=several)
def previous(screen: PassScreen) -> None:
    """Go to the previous record of the pass."""
    screen.step(-1)


@PASS.command("verdict.comment", "c", "Note", group=_LABELS, bar=4)
def comment(screen: PassScreen) -> None:
    """Write a note on the record: in its trace, on the event under the cursor; a line that begins with > quotes."""
    screen.comment_input.open(screen.state.index)


PASS.include(COMMENTS)


def a_change(screen: PassScreen) -> str:
    """Need labels or a note that were written in this pass."""
    return "" if screen.review.log.can_undo(screen.review.options.reviewer) else "nothing of this pass to undo"


@PASS.command("verdict.undo", "u", "Undo", group=_LABELS, bar=5, needs=a_change)
def undo(screen: PassScreen) -> None:
    """Take back the labels or the note that you wrote last in this pass, and go to their record."""
    screen.undo()


@PASS.command("review.search", "/", "Find", group=_LOOKING, bar=6)
def search(screen: PassScreen) -> None:
    """Mark a text in the record and its trace as you type it; Escape removes the marks."""
    screen.search_input.open()


@PASS.command("record.unfold", "Z", "Show all", group=_LOOKING, scopes="answer codes", bar=7, needs=a_record)
def unfold(screen: PassScreen) -> None:
    """Show what is hidden or folded of the record, or hide it again."""
    screen.say("all of the record is shown" if screen.answer.unfold() else "long and hidden fields are folded")


def a_value(screen: PassScreen) -> str:
    """Need an event with a value that can be folded."""
    return "" if screen.trace_view.values else "this event has no values to fold"


@PASS.command("trace.fold", "Z", "Fold", group=_LOOKING, scopes=EVENT_PANES, bar=7, needs=a_value)
def fold_event(screen: PassScreen) -> None:
    """Fold the large values of the event, or show all of them."""
    screen.trace_view.fold()


@PASS.command("review.copy", "y ctrl+c", "Copy", group=_LOOKING, bar=19, needs=a_record)
async def copy(screen: PassScreen) -> None:
    """Copy the answer or the id of the record."""
    await asking.copy_one_of(screen, "review.copy", "Copy from the record", screen.copied())


PASS.include(item for item in EVENTS if item.id in ("trace.unfold", "trace.fold-up"))
PASS.include(FIELDS)
PASS.include(item for item in moving(_PANES) if item.id not in _UNNEEDED)
PASS.include(item for item in APP if item.id in ("app.help", "app.suspend"))


@PASS.command("app.quit", "escape ctrl+q", "Back", group="App", bar=32, anywhere=True)
async def leave(screen: PassScreen) -> None:
    """Go back to the review. Every label and note is on the disk already; the pass can be gone on with."""
    screen.keep_typed()
    await screen.leave_pass()
