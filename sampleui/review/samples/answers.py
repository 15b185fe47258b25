"""Where the samples of a dialect keep the answers that they expect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sampleui.errors import PathError
from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, lookup
from sampleui.review.results.fields import spoken
from sampleui.sample.dialects.dialect import ALL
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, integration_of
from sampleui.values import NamedTuple

if TYPE_CHECKING:
    from sampleui.integrations.integration import Answers

_THRESHOLD = re.compile(r"\(\d+(?:\.\d+)?\)\Z")
"""What may stand behind the type of an assertion in a column: `similar(0.9): text`."""

_BARE = re.compile(r"(?:not-)?(?:(?:is|contains)(?:-[a-z]+)+|latency|cost|perplexity|moderation|guardrails)")
"""The types of assertions that a column may hold without a value."""

SPOKEN_BY = ("assistant", "model", "ai")


class Setting(NamedTuple):
    """A value to set at a path of a sample, references followed."""

    path: DataPath
    value: Plain


def answer_paths(sample: Sample) -> tuple[DataPath, ...]:
    """Return where a sample may have what it expects, the places that count first at the beginning."""
    return (answers_of(sample).expected_paths or table_paths)(sample)


def answers_of(sample: Sample) -> Answers:
    """Return how the samples of its dialect say what is expected."""
    return integration_of(sample).answers()


def judged_by(sample: Sample, path: DataPath) -> str:
    """Return what the value at a path is, where it is no answer but words that one is judged by; else nothing.

    These are the criteria of a sample, and the values of assertions that do not compare with an answer.
    """
    if len(path) == 1 and path[0] in answers_of(sample).criteria_keys:
        return str(path[0])
    if kept_before(sample.data, path, answers_of(sample).answer_types) is None:
        return type_at(sample.data, path) or "assertion"
    return ""


def table_paths(sample: Sample) -> tuple[DataPath, ...]:
    """Return where the table of a dialect has what is expected, a path of several values as that of each."""
    wanted, types = dialect_of(sample).expected.paths, answers_of(sample).answer_types
    paths = [path for each in wanted for path in _each(sample.data, each, ())]
    ranks = {path: rank for path in paths if (rank := _rank(sample.data, path, types)) is not None}
    answers = sorted(ranks, key=lambda path: ranks[path])
    return (*answers, *(path for path in paths if path not in ranks))


def _rank(data: Table, path: DataPath, types: tuple[str, ...]) -> int | None:
    """Return how near a value is to an answer, 0 the nearest, by the order of the types; None if it is not one."""
    if kept_before(data, path, types) is None:
        return None
    kind = type_at(data, path)
    return types.index(kind) if kind in types else 0


def _each(data: Plain, path: DataPath, done: DataPath) -> Iterator[DataPath]:
    if not path:
        yield from _texts_of(data, done)
    elif path[0] == ALL:
        for index, item in enumerate(as_list(data)):
            yield from _each(item, path[1:], (*done, index))
    elif isinstance(data, dict) and path[0] in data:
        yield from _each(data[str(path[0])], path[1:], (*done, path[0]))


def _texts_of(value: Plain, path: DataPath) -> Iterator[DataPath]:
    """Yield the path of an expected value: of several answers that of the first, of messages that of the last."""
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        yield (*path, 0)
    elif answers := last_answer({"": value}, ("",)):
        yield (*path, *answers[0][1:])
    else:
        yield path


def type_at(data: Table, path: DataPath) -> str:
    """Return the type of the assertion that a value stands in, or the word before the `:` of its text."""
    kind = _item(data, path).get("type")
    return kind if isinstance(kind, str) else _THRESHOLD.sub("", said_at(data, path).partition(":")[0])


def kept_before(data: Table, path: DataPath, types: tuple[str, ...]) -> str | None:
    """Return what stays before an answer, such as `equals: `; None if the value there is no answer."""
    if not types:
        return ""
    item = _item(data, path)
    if "type" in item:
        return "" if item["type"] in types else None
    word, sign, rest = said_at(data, path).partition(":")
    kind = _THRESHOLD.sub("", word)
    if not sign and _BARE.fullmatch(kind):
        return None
    if not sign or not kind.replace("-", "").isalpha():
        return ""
    return word + sign + rest[: len(rest) - len(rest.lstrip())] if kind in types else None


def _item(data: Table, path: DataPath) -> Table:
    """Return the nearest table in a list that a value stands in, empty if it is in none."""
    depths = (depth for depth in range(len(path), 0, -1) if isinstance(path[depth - 1], int))
    return next((item for depth in depths if (item := as_table(found_at(data, path[:depth])))), {})


def last_answer(data: Table, path: DataPath) -> tuple[DataPath, ...]:
    """Return the path of the content of the last message when an assistant says it, or else nothing."""
    messages = found_at(data, path)
    last = as_table(messages[-1]) if isinstance(messages, list) and messages else {}
    if last.get("role") not in SPOKEN_BY or "content" not in last:
        return ()
    assert isinstance(messages, list)
    return ((*path, len(messages) - 1, "content"),)


def found_at(data: Table, path: DataPath) -> Plain:
    """Return the value at a path, None if there is none."""
    try:
        return lookup(data, path)
    except PathError:
        return None


def said_at(data: Table, path: DataPath) -> str:
    """Return what the value at a path says as text, empty if there is none."""
    return spoken(found_at(data, path)) or ""
