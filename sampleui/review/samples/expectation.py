"""What a sample expects: where that stands, as which text, and how an actual answer takes its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase
from types import MappingProxyType
from typing import NamedTuple

from sampleui.errors import PathError
from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, json_or_text, lookup
from sampleui.formats.timestamps import Moment
from sampleui.integrations.javascript import stringify
from sampleui.review.record import all_of_words, any_of_words
from sampleui.review.results.fields import spoken
from sampleui.review.samples.diffwords import DiffOp, diff_words
from sampleui.sample.dialects.dialect import ALL, value_at
from sampleui.sample.model import Sample
from sampleui.sample.parse import ValuePlace, as_followed, dialect_of, integration_of, variables_of_row, written_at
from sampleui.sample.variables import Environment, Piece, pieces, variables_of, with_variables
from sampleui.text.confined import project_root

PART_TYPES = frozenset({"contains", "icontains", "starts-with"})
"""The types of assertions whose value is a part of an answer."""

LONG_PART = 200
"""Characters from which a text is hardly meant as a part of an answer."""

NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


class Expectation(NamedTuple):
    """What an answer is compared with.

    Attributes:
        text: the text, variables filled in.
        path: where it comes from, references followed: `written_at` says where its text stands.
        template: the text part by part, with those marked that stand for variables; empty if there are none.
        any_of: the answers that are right, where the sample has several; `text` names them all then.
        all_of: the answers that are right together; `text` names them all then.
    """

    text: str
    path: DataPath
    template: tuple[Piece, ...] = ()
    any_of: tuple[str, ...] = ()
    all_of: tuple[str, ...] = ()


def expectation(sample: Sample, within: Collection[DataPath] | None = None) -> Expectation | None:
    """Return the answer a sample wants, None when it says nothing of the kind.

    Where it is depends on the dialect: a text, or else the answer of the assistant that ends the conversation; the
    last expected message, or else words that an answer is judged by; the first reference, or else its label.

    Args:
        sample: the sample.
        within: the places of which one has what is asked for; None for all there are.
    """
    sample = as_followed(sample)
    paths = (path for path in answer_paths(sample) if within is None or _is_within(path, within))
    path = next((path for path in paths if said_at(sample.data, path)), None)
    if path is None:
        return None
    any_of = _alternatives(sample, path)
    if any_of and _are_chosen_together(sample, any_of):
        return Expectation(all_of_words(any_of), path, all_of=any_of)
    if any_of:
        return Expectation(any_of_words(any_of), path, any_of=any_of)
    template = _template(sample, path) if dialect_of(sample).expected.fills else ()
    text = "".join(piece.text for piece in template) or _chosen(sample, path) or said_at(sample.data, path)
    return Expectation(text, path, template)


def _is_within(path: DataPath, holders: Collection[DataPath]) -> bool:
    return any(path[: len(holder)] == holder for holder in holders)


def criteria_in(sample: Sample) -> str:
    """Return what a sample calls what it expects, where that is no answer but words that one is judged by."""
    wanted = expectation(sample)
    return "" if wanted is None else judged_by(as_followed(sample), wanted.path)


def _alternatives(sample: Sample, path: DataPath) -> tuple[str, ...]:
    """Return the answers of which the one at a path is the first, where any of them is right."""
    if not dialect_of(sample).expected.any_of or not path or path[-1] != 0:
        return ()
    listed = found_at(sample.data, path[:-1])
    answers = [item for item in as_list(listed) if isinstance(item, str)]
    return tuple(answers) if len(answers) > 1 else ()


def _are_chosen_together(sample: Sample, answers: Sequence[str]) -> bool:
    """Tell whether answers are letters of options, all of which the program of a sample wants."""
    options = dialect_of(sample).options_path
    letters = ascii_uppercase[: len(as_list(value_at(sample.data, options)))] if options else ""
    return all(len(answer) == 1 and answer in letters for answer in answers)


def _chosen(sample: Sample, path: DataPath) -> str:
    """Return the choice that a number stands for, where a dialect has choices."""
    listed, value = as_list(_options(sample)), found_at(sample.data, path)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < len(listed):
        return ""
    return spoken(listed[value]) or ""


def _options(sample: Sample) -> Plain:
    """Return the options for which numbers may stand; None where numbers are answers."""
    dialect = dialect_of(sample)
    return value_at(sample.data, dialect.options_path) if dialect.expected.numbered else None


def taking(sample: Sample, actual: str) -> tuple[Setting, ...]:
    """Return the edits that make an actual answer the expected one, in the shape the sample already has.

    Variables stay where the answer says what they stand for, and so does a line break at the end, except where an
    assertion compares every character.
    """
    sample, wanted = as_followed(sample), expectation(sample)
    own = integration_of(sample).conversion(dialect_of(sample)).accept_answer
    settings = (own or _take_by_table)(sample, actual)
    if wanted is None:
        return settings
    # The environment is read to keep its names in the deck where the answer has their values.
    environment = Environment(sample.folder, project_root(sample.folder))
    fills = dialect_of(sample).expected.fills
    text = with_tags(_template(sample, wanted.path, environment) if fills else (), actual)
    exact = bool(dialect_of(sample).expected.types)
    if wanted.text.endswith("\n") and not text.endswith("\n") and not exact:
        text += "\n"
    return tuple(
        Setting(setting.path, text) if setting == Setting(wanted.path, actual) else setting for setting in settings
    )


def no_place_for_answer(sample: Sample) -> str:
    """Return why an answer cannot become what a sample expects: all that it may expect is words about one."""
    expected = dialect_of(sample).expected
    described = bool(expected.paths) and all(path[0] in expected.criteria for path in expected.paths)
    return f"{expected.paths[0][0]} says in words what a good answer is, and is none" if described else ""


def expects(sample: Sample, actual: str, settings: Sequence[Setting]) -> bool:
    """Tell whether a sample expects an answer already, so that the edits which take it would change nothing.

    A line break at the end is no difference, except where an assertion compares every character.
    """
    if dialect_of(sample).expected.types:
        data = as_followed(sample).data
        return all(found_at(data, setting.path) == setting.value for setting in settings)
    wanted = expectation(sample)
    answers = () if wanted is None else wanted.any_of or (wanted.text,)
    return actual.rstrip("\n") in [answer.rstrip("\n") for answer in answers]


def overlong(sample: Sample, settings: Sequence[Setting]) -> str:
    """Say where edits would make a long text what an answer only has to hold or to begin with; else nothing."""
    data = as_followed(sample).data
    for setting in settings:
        kind = type_at(data, setting.path)
        if kind in PART_TYPES and isinstance(setting.value, str) and len(setting.value) > LONG_PART:
            size, before = len(setting.value), len(said_at(data, setting.path))
            return f"{size:,} characters would be the value of a {kind} of {before:,}"
    return ""


def places_behind(sample: Sample) -> frozenset[ValuePlace]:
    """Return where the texts stand that answers to a sample are compared with, those for all samples too."""
    shared = sample.context.get("defaultTest")
    several = [sample, replace(sample, data=shared)] if isinstance(shared, dict) else [sample]
    paths = (written_at(sample, path) for sample in several for path in answer_paths(as_followed(sample)))
    return frozenset(path for path in paths if path is not None)


def with_tags(template: Sequence[Piece], actual: str) -> str:
    """Return an answer with the variables of a template in the places where it says the same as the template."""
    equal = _equal_parts("".join(piece.text for piece in template), actual)
    text, done, position = "", 0, 0
    for piece in template:
        start, position = position, position + len(piece.text)
        shift = next(
            (
                begin - in_first
                for in_first, begin, size in equal
                if in_first <= start and position <= in_first + size
            ),
            None,
        )
        if piece.tag and piece.text and shift is not None:
            text += actual[done : start + shift] + piece.tag
            done = position + shift
    return text + actual[done:]


def _equal_parts(text: str, other: str) -> list[tuple[int, int, int]]:
    """Return what two texts share: where it begins in the one and in the other, and how long it is."""
    position, other_position = 0, 0
    equal: list[tuple[int, int, int]] = []
    for segment in diff_words(text, other):
        size = len(segment.text)
        if segment.op is DiffOp.EQUAL:
            equal.append((position, other_position, size))
        position += 0 if segment.op is DiffOp.INSERT else size
        other_position += 0 if segment.op is DiffOp.DELETE else size
    return equal


def _template(sample: Sample, path: DataPath, environment: Mapping[str, str] = NO_VARIABLES) -> tuple[Piece, ...]:
    """Return a text part by part, variables filled in; nothing if it has no variables that have a value.

    What is told of a sample leaves the names of the environment as they are written.
    """
    value, variables = found_at(sample.data, path), _variables(sample)
    if not isinstance(value, str):
        # As one piece: in a list or a table there is no text in which a variable could be kept.
        filled = with_variables(value, variables)
        return () if filled == value else (Piece(spoken(filled) or ""),)
    if isinstance(whole := with_variables(value, variables), list | dict):
        return (Piece(spoken(whole) or stringify(whole), value),)
    parts = pieces(value, variables, environment) if "{{" in value else ()
    return parts if any(piece.tag for piece in parts) else ()


def _variables(sample: Sample) -> Table | None:
    """Return the variables of a sample, over those of all tests where its dialect has such."""
    dialect, own = dialect_of(sample), variables_of(sample)
    if not dialect.asked_by_prompts:
        return own
    shared = sample.context.get("defaultTest")
    below = as_followed(replace(sample, data=shared)).data.get("vars") if isinstance(shared, dict) else None
    variables = {
        **as_table(below),
        **variables_of_row(sample.data, dialect, sample.columns),
    }
    return {
        name: value for name, value in variables.items() if not isinstance(value, Moment)
    }  # a date is no text to the program


def _take_by_table(sample: Sample, actual: str) -> tuple[Setting, ...]:
    paths, dialect = table_paths(sample), dialect_of(sample)
    path = next((candidate for candidate in paths if _fails(sample, candidate, actual)), None)
    path = (
        path
        or next((candidate for candidate in paths if said_at(sample.data, candidate)), None)
        or next(iter(paths), None)
    )
    usual = next(iter(dialect.expected.paths), (ALL,))
    if path is None and ALL not in usual:
        path = usual
    before = None if path is None else kept_before(sample.data, path, dialect_of(sample).expected.types)
    if path is None or before is None:
        return ()
    value = _in_kind(found_at(sample.data, path), actual, _options(sample))
    return () if value is None else (Setting(path, before + value if isinstance(value, str) else value),)


def _fails(sample: Sample, path: DataPath, actual: str) -> bool:
    """Tell whether an assertion that compares with a value does not hold for an answer."""
    types = dialect_of(sample).expected.types
    kind = type_at(sample.data, path)
    if kind not in types:
        return False
    before, value = kept_before(sample.data, path, types), said_at(sample.data, path)
    value = value.removeprefix(before or "")
    if dialect_of(sample).expected.fills and "{{" in value:
        filled = with_variables(value, _variables(sample))
        if not isinstance(filled, str) or "{{" in filled:
            return False
        value = filled
    if kind.startswith("i"):
        value, actual = value.lower(), actual.lower()
    if kind.endswith("equals"):
        return value != actual
    return not actual.startswith(value) if kind == "starts-with" else value not in actual


def _in_kind(before: Plain, actual: str, choices: Plain) -> Plain:
    """Return an answer as a value of the kind it replaces: a choice by its number, JSON as its value.

    None if it is not a value of that kind.
    """
    if before is None or isinstance(before, str):
        return actual
    if isinstance(choices, list) and isinstance(before, int) and not isinstance(before, bool):
        wanted = actual.strip()
        return next(
            (index for index, choice in enumerate(choices) if isinstance(choice, str) and choice.strip() == wanted),
            None,
        )
    return json_or_text(actual)


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
    own = integration_of(sample).conversion(dialect_of(sample)).expected_paths
    return (own or table_paths)(sample)


def judged_by(sample: Sample, path: DataPath) -> str:
    """Return what the value at a path is, where it is no answer but words that one is judged by; else nothing.

    These are the criteria of a sample, and the values of assertions that do not compare with an answer.
    """
    if len(path) == 1 and path[0] in dialect_of(sample).expected.criteria:
        return str(path[0])
    if kept_before(sample.data, path, dialect_of(sample).expected.types) is None:
        return type_at(sample.data, path) or "assertion"
    return ""


def table_paths(sample: Sample) -> tuple[DataPath, ...]:
    """Return where the table of a dialect has what is expected, a path of several values as that of each."""
    wanted, types = dialect_of(sample).expected.paths, dialect_of(sample).expected.types
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
