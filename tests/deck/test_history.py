"""One undo history: every sequence of edits can be taken back and made again."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sampleui.deck.history import Focus, History, UndoStep, folded, joined
from sampleui.deck.model import Change, DeckFile, DeckFiles, Disk
from sampleui.formats.document import Splice
from sampleui.formats.operations import Set

from .lines import Lines


def deck(*texts: str) -> DeckFiles:
    documents = [Lines.parse(text) for text in texts]
    sources = tuple(DeckFile(None, document, Disk(document, None)) for document in documents)  # type: ignore[arg-type]
    return DeckFiles(None, sources)  # type: ignore[arg-type]


def texts(files: DeckFiles) -> list[str]:
    return [source.document.text for source in files.sources]


@st.composite
def changes(draw, files: DeckFiles) -> Change:
    at = draw(st.integers(0, len(files.sources) - 1))
    document = files.sources[at].document
    deeds = ["insert"] + (["set", "delete", "move"] if len(document) else [])
    index = st.integers(0, max(len(document) - 1, 0))
    match draw(st.sampled_from(deeds)):
        case "insert":
            place = draw(st.integers(0, len(document)))
            return Change(at, document.insert_sample(place, {"text": draw(st.text("ab", max_size=3))}))
        case "set":
            return Change(at, document.edit(draw(index), Set(("text",), draw(st.text("ab", max_size=3)))))
        case "delete":
            return Change(at, document.delete_sample(draw(index)))
        case _:
            return Change(at, document.move_sample(draw(index), draw(index)))


@given(st.data())
def test_undo_all_restores_the_text_and_redo_all_the_edits(data):
    files = deck("one\ntwo\nthree\n", "four\n")
    before = texts(files)
    history = History()
    for _ in range(data.draw(st.integers(1, 6))):
        made = []
        for _ in range(data.draw(st.integers(1, 3))):
            change = data.draw(changes(files))
            files = files.apply(change)
            made.append(change)
        history.push(UndoStep("edit", tuple(made)))
    after = texts(files)
    while (undone := history.undo(files)) is not None:
        files = undone[0]
    assert texts(files) == before
    while (redone := history.redo(files)) is not None:
        files = redone[0]
    assert texts(files) == after


@given(st.data())
def test_a_step_and_its_inverse_leave_nothing(data):
    files = deck("one\ntwo\n")
    made = []
    changed = files
    for _ in range(3):
        change = data.draw(changes(changed))
        changed = changed.apply(change)
        made.append(change)
    step = UndoStep("edit", tuple(made))
    assert texts(step.apply(files)) == texts(changed)
    assert texts(step.inverse().apply(changed)) == texts(files)
    assert step.inverse().inverse() == step


def typed(*lines: str) -> tuple[Change, ...]:
    return tuple(Change(0, Splice(1, (f"{one}\n",), (f"{other}\n",))) for one, other in pairwise(lines))


def test_typing_is_kept_as_its_first_and_last_text_alone():
    assert folded(typed("", "h", "he", "hey")) == (Change(0, Splice(1, ("\n",), ("hey\n",))),)


def test_typing_that_ends_where_it_began_is_no_step():
    history = History()
    history.push(UndoStep("typing", typed("a", "ab", "a")))
    assert history.undo(deck("a\n")) is None


def test_changes_of_other_pieces_are_not_folded_together():
    apart = (
        Change(0, Splice(1, ("a\n",), ("b\n",))),
        Change(0, Splice(2, ("b\n",), ("c\n",))),
        Change(1, Splice(2, ("c\n",), ("d\n",))),
    )
    assert folded(apart) == apart


def test_a_new_step_ends_what_could_be_redone():
    files = deck("a\n")
    history = History()
    for text in ("b", "c"):
        change = Change(0, files.sources[0].document.edit(0, Set(("text",), text)))
        files = files.apply(change)
        history.push(UndoStep(f"write {text}", (change,)))
    files, undone = history.undo(files)
    assert undone.label == "write c"
    history.push(UndoStep("write d", (Change(0, files.sources[0].document.edit(0, Set(("text",), "d"))),)))
    assert history.redo(files) is None


def test_undo_leads_back_to_where_the_author_was():
    files = deck("a\n")
    change = Change(0, files.sources[0].document.edit(0, Set(("text",), "b")))
    history = History()
    history.push(UndoStep("write", (change,), Focus(0, ("messages", 1)), Focus(0, ("messages", 2))))
    _, undone = history.undo(files.apply(change))
    assert undone.after == Focus(0, ("messages", 1))
    _, redone = history.redo(files)
    assert redone.after == Focus(0, ("messages", 2))


def test_steps_of_one_label_that_go_on_with_each_other_are_joined():
    first, second, other = typed("", "h", "he", "hey")
    steps = [UndoStep("type", (first,)), UndoStep("type", (second,)), UndoStep("delete", (other,))]
    together = Change(0, Splice(1, ("\n",), ("he\n",)))
    assert joined(steps) == (UndoStep("type", (together,)), UndoStep("delete", (other,)))
    back = Change(0, Splice(1, ("h\n",), ("\n",)))
    assert joined([UndoStep("type", (first,)), UndoStep("type", (back,))]) == ()


def test_the_last_step_is_the_one_that_is_taken_back_next():
    history, files = History(), deck("a\nb\n")
    assert history.last is None
    for line in ("x", "y"):
        step = UndoStep(line, (Change(0, files.sources[0].document.edit(0, Set(("text",), line))),))
        files = step.apply(files)
        history.push(step)
    assert history.last is not None and history.last.label == "y"
