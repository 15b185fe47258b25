"""The codes of a pass as rows: their definitions, and what the record is to be labelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from sampleui.review.codes import Codebook
from sampleui.review.verdict import LabelValue
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.rows import Row, fitted, text_rows
from sampleui.tui.review.passing.state import PassState

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


def progress_words(state: PassState) -> str:
    """Return where a pass is, and how much of it is done."""
    return f"{state.place + 1:,}/{len(state.order):,} · {state.done:,} labelled"


def codes_words(codes: Sequence[str]) -> str:
    """Return the names of codes in few words."""
    first = ", ".join(one_line(code, 30) for code in codes[:3])
    return f"{first} and {len(codes) - 3:,} more" if len(codes) > 3 else first
