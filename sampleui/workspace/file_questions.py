"""What a person is asked of a file that nobody knows: where its rows have what was asked, the answer, and so on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from sampleui.formats.data import Plain, Table
from sampleui.review.results.guessing import marked
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.dialects.guessing import spelled_at
from sampleui.sample.dialects.table_paths import paths_in
from sampleui.sample.sections import text_of, words_of
from sampleui.sample.talk import talk_in
from sampleui.settings.vocabulary import UserTable, steps
from sampleui.settings.writing import RESULTS, NamedTable
from sampleui.text.limits import MAX_GUESSED_DEPTH

NOWHERE = ""
"""The path of what a file does not say."""


class FileQuestion(NamedTuple):
    """One thing that is asked about a file.

    Attributes:
        title: the question, as a person reads it.
        keys: the keys of a table that answer it, that of a conversation first.
        role: whose words of a conversation are the value.
    """

    title: str
    keys: tuple[str, ...]
    role: str = ""

    def path(self, table: UserTable) -> str:
        """Return where a table says it is: the last thing that was said is in the conversation."""
        words = (table.get(key) for key in ((*self.keys, "messages") if self.role else self.keys))
        paths = (word if isinstance(word, tuple) else (word,) for word in words)
        return next((str(path) for listed in paths for path in listed if path), NOWHERE)

    def value(self, value: Plain) -> str:
        """Return what is there as a person reads it: of a conversation what its role says last."""
        talk = talk_in(value, loosely=True) if self.role else ()
        said = (words_of(message) for message in reversed(talk) if message["role"] == self.role)
        return next(filter(None, said), "") if talk else "" if value is None else text_of(value)


class Choice(NamedTuple):
    """One place that may answer a question, and what the first row that has something there has."""

    path: str
    value: str


NO_CHOICE = Choice(NOWHERE, "not in the file")

OF_RESULTS = (
    FileQuestion("What was asked", ("messages", "prompt"), "user"),
    FileQuestion("What was answered", ("actual",), "assistant"),
    FileQuestion("The id", ("id",)),
    FileQuestion("The steps", ("steps",)),
    FileQuestion("A person's label", ("label",)),
)
OF_DECKS = (
    FileQuestion("What is asked", ("messages", "prompt"), "user"),
    FileQuestion("What should be answered", ("response",)),
    FileQuestion("The id", ("id",)),
)


def questions_of(setting: str) -> tuple[FileQuestion, ...]:
    """Return what is asked about a file, by the setting that its table stands under."""
    return OF_RESULTS if setting == RESULTS else OF_DECKS


def choices(question: FileQuestion, rows: Sequence[Table]) -> tuple[Choice, ...]:
    """Return where in rows the answer to a question may be, and last that it is nowhere."""
    return (*_choices(question, rows), NO_CHOICE)


def _choices(question: FileQuestion, rows: Sequence[Table]) -> Iterator[Choice]:
    for path in paths_in(rows, MAX_GUESSED_DEPTH):
        values = (value_at(row, steps(path)) for row in rows)
        value = next((question.value(value) for value in values if value is not None), "")
        if value:
            yield Choice(path, value)


def answered(question: FileQuestion, path: str, named: NamedTable, rows: Sequence[Table]) -> NamedTable:
    """Return a table with another answer to a question, without the view that shows what was there before."""
    table = {key: value for key, value in named.table.items() if key not in question.keys}
    holds_talk = bool(path and question.role) and any(
        talk_in(value_at(row, steps(path)), loosely=True) for row in rows
    )
    if path and not (question.role == "assistant" and path == table.get("messages")):
        key = question.keys[0] if holds_talk else question.keys[-1]
        table = {key: path, **table} if key == "id" else {**table, key: path}
    if named.setting == RESULTS:
        return named._replace(table=marked(table, rows), view=None)
    spelling = spelled_at(rows, path) if holds_talk else {}
    return named._replace(table=cast("UserTable", {**table, **spelling}), view=None)
