"""Adapters, which read rows as each tool spells them.

An adapter is one function, `parse`, from a row to a `ParsedRow`: the facts that every list needs, and functions for
what only a record that is shown needs. For most tools it reads by a table, the result dialect (`dialect.py`). The
adapters are in `sampleui.integrations`, found by the keys of a row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import takewhile
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_table, is_number, tables_in, time_of
from sampleui.integrations import index
from sampleui.integrations.integration import ReadingResults
from sampleui.review.record import (
    REMARK,
    Assertion,
    Details,
    Entry,
    EvaluatorScore,
    Grade,
    ParsedRow,
    SampleDigests,
    Usage,
    digest_of,
    join_key,
    mean_of,
    overall_verdict,
    value_digest,
)
from sampleui.review.results import fields
from sampleui.review.results.dialect import STEP_NAMES, Graders, Paths, ResultDialect, Spent
from sampleui.review.results.requests import request_messages
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.dialects.marks import bears, may_bear
from sampleui.sample.message import is_thinking, thought_of
from sampleui.sample.message_shapes import chat
from sampleui.sample.talk import talk_in


def always(_: Table) -> bool:
    """Return True, whatever the row."""
    return True


class Adapter(NamedTuple):
    """One tool's spelling. `claims` tells whether a row is written in it.

    Attributes:
        repeats: whether two rows of one sample and one target are two tries, and neither the rerun of the other.
        dialect: the table that it reads by, if it does.
        self_evident: tells whether a row that it claims is a result, though it may repeat all of the sample.
        signed: tells whether a row that it claims has a sign that only the rows of its tool have.
        has_outcome: tells whether a row that it claims says how it came out in a way that it understands.
        evaluation: returns the tool's own id of the evaluation, as the first row of a file says it; empty if it
            does not.
    """

    name: str
    claims: Callable[[Table], bool]
    parse: Callable[[Table], ParsedRow]
    repeats: bool = False
    dialect: ResultDialect | None = None
    self_evident: Callable[[Table], bool] = lambda _: False
    signed: Callable[[Table], bool] = always
    has_outcome: Callable[[Table], bool] = always
    evaluation: Callable[[Table], str] = lambda _: ""


def adapter_by(dialect: ResultDialect) -> Adapter:
    """Return the adapter that reads by a table."""
    return Adapter(
        dialect.name,
        partial(claims, dialect),
        partial(parse_row, dialect),
        repeats=True,
        dialect=dialect,
        self_evident=always,
        evaluation=lambda row: str(_first_value(row, dialect.evaluations) or ""),
    )


def adapter_of(row: Table, user_adapters: Iterable[Adapter] = ()) -> Adapter | None:
    """Return the adapter of a row, None when no tool writes such rows.

    Args:
        row: the row.
        user_adapters: those that go before those that are shipped.
    """
    for adapter in user_adapters:  # a loop, because it runs for every row of a file
        if adapter.claims(row):
            return adapter
    for adapter in _claimants(tuple(row)):
        if adapter.claims(row):
            return adapter
    return None


@lru_cache(maxsize=256)
def adapters_for(keys: tuple[str, ...]) -> tuple[Adapter, ...]:
    """Return the adapters that may read rows with some keys; the rows of a file have much the same."""
    return tuple(adapter for name in index.readers(keys) for adapter in index.integration(name).results().adapters)


@lru_cache(maxsize=256)
def _claimants(keys: tuple[str, ...]) -> tuple[Adapter, ...]:
    """Return the adapters that may claim a row with just these keys."""
    present = frozenset(keys)
    return tuple(
        adapter
        for adapter in adapters_for(keys)
        if adapter.dialect is None or any(may_bear(present, mark) for mark in adapter.dialect.marks)
    )


def reader_of(row: Table) -> ReadingResults | None:
    """Return how the tool of a row is read, None when no tool writes such rows."""
    owner = owner_of(row)
    return None if owner is None else index.integration(owner).results()


def owner_of(row: Table) -> str | None:
    """Return the name of the integration that reads a row, None when no tool writes such rows."""
    owners = ((name, index.integration(name).results().adapters) for name in index.readers(row))
    return next((name for name, adapters in owners if any(adapter.claims(row) for adapter in adapters)), None)


def tables_for(keys: Iterable[str]) -> Iterator[ResultDialect]:
    """Yield the shipped tables by which rows may be read that have some of these keys."""
    return (adapter.dialect for adapter in adapters_for(tuple(keys)) if adapter.dialect is not None)


def is_tabled(row: Table, user_dialects: Iterable[ResultDialect] = ()) -> bool:
    """Tell whether a row bears a mark of a table, one of the user's or one that is shipped."""
    return any(claims(dialect, row) for dialect in (*user_dialects, *tables_for(row)))


LABEL = 80
"""Characters of what a row without an id is called by."""

_PART = 40


def claims(dialect: ResultDialect, row: Table) -> bool:
    """Tell whether a row bears a mark of a dialect."""
    return any(mark.has[0][0] in row and bears(row, mark) for mark in dialect.marks)


def parse_row(dialect: ResultDialect, row: Table) -> ParsedRow:
    """Read a row by a table."""
    row = dialect.prepare(row) if dialect.prepare else row
    graded = (*_evaluators(dialect, row),)
    return ParsedRow(
        _entry(dialect, row, graded),
        lambda: _usage(dialect.spent, row),
        lambda: _details(dialect, row, graded),
        lambda: SampleDigests(
            digest_of(_first_value(row, dialect.prompts)), digest_of(_first_value(row, dialect.expected))
        ),
        lambda: tuple(_join_keys(dialect, row)),
    )


def _entry(dialect: ResultDialect, row: Table, graded: Sequence[EvaluatorScore]) -> Entry | None:
    position = fields.whole(_first_value(row, dialect.positions))
    labels = (label_of(value_at(row, path)) for path in dialect.labels)
    sample_id = fields.text(_first_value(row, dialect.ids)) or next(filter(None, labels), None)
    if sample_id is None and position is not None:
        sample_id = f"#{position + 1}"
    if sample_id is None:
        return None
    setups = _setups(dialect, row)
    grades = tuple(
        Grade(item.name, item.score, item.verdict, item.bounded, item.by_person, setup=setups.get(item.name))
        for item in graded
    )
    scores = _first_value(row, dialect.outcomes.scores)
    own, outcome = _scaled(dialect, scores), _outcome(dialect, row)
    averaged = own is None and dialect.outcomes.mean and not fields.infinite(scores)
    score = mean_of(graded) if averaged else own
    return Entry(
        sample_id=sample_id,
        score=score,
        error=fields.error_line(_first_value(row, dialect.errors)),
        verdict=overall_verdict(None, grades) if outcome is None else None,
        grades=grades,
        tags=tuple(dict.fromkeys(fields.texts(_first_value(row, dialect.tags)))),
        target=_target(dialect, row),
        attempt=fields.whole(_first_value(row, dialect.attempts)),
        source=_source(_first_value(row, dialect.sources)),
        suite=fields.text(_first_value(row, dialect.suites)),
        outcome=_by_threshold(dialect, row, score) if outcome is None else outcome,
        position=position,
        averaged=averaged,
        bounded=not fields.infinite(scores),
    )


def _setups(dialect: ResultDialect, row: Table) -> Mapping[str, str]:
    """Return a digest of each evaluator's settings, by name, where its tool says them."""
    return {
        fields.text(_first_value(item, graders.names)) or key: value_digest(
            [value_at(item, path) for path in graders.setups]
        )
        for graders in dialect.graders
        if graders.setups
        for key, item in _items(value_at(row, graders.path))
        if isinstance(item, dict)
    }


def _join_keys(dialect: ResultDialect, row: Table) -> Iterator[str]:
    """Yield the join keys of the values of its sample that a row repeats."""
    for path, sample_path in dialect.join_paths:
        if (value := value_at(row, path)) is not None:
            yield join_key(sample_path, value)


def _usage(spent: Spent, row: Table) -> Usage:
    seconds = fields.number(_first_value(row, spent.seconds))
    milliseconds = fields.number(_first_value(row, spent.milliseconds))
    return Usage(
        cost_usd=fields.number(_first_value(row, spent.cost)),
        latency_ms=seconds * 1000 if milliseconds is None and seconds is not None else milliseconds,
        tokens=fields.tokens(as_table(_first_value(row, spent.tokens))),
        timestamp=_written_time(_first_value(row, spent.timestamps)),
    )


def _written_time(value: Plain) -> str | None:
    """Return a time as its row has it; one that is a number in ISO 8601."""
    moment = time_of(value)
    return fields.text(value) if moment is None else moment.isoformat(timespec="seconds")


def _details(dialect: ResultDialect, row: Table, graded: tuple[EvaluatorScore, ...]) -> Details:
    answered = _first_value(row, dialect.actual)
    spoken = () if dialect.writes else talk_in(answered)
    answer: Plain = [*spoken] if spoken else answered
    compared, thinks = _answer(dialect, answer) or "", _thinks(answer)
    talk = talk_in(_first_value(row, dialect.messages), loosely=True)
    said = _words_of(answer) if thinks else compared or _words_of([*talk])
    asked = _before_answer(spoken) if any(message["role"] == "user" for message in spoken) else ()
    return Details(
        hits=tuple(score.name for score in graded if score.verdict == "pass"),
        misses=tuple(score.name for score in graded if score.verdict == "fail"),
        reasoning=fields.spoken(_first_value(row, dialect.reasons)),
        actual=said or "",
        whole=compared if thinks else "",
        expected=_answer(dialect, _first_value(row, dialect.expected)),
        evaluators=graded,
        asked=asked or _asked(_first_value(row, dialect.prompts)) or _before_answer(talk),
        done=_done(talk_in(_first_value(row, dialect.done), loosely=True))
        or (*_steps(_first_value(row, dialect.steps)),)
        or _done(spoken or chat(answered)),
    )


def says_passed(value: Plain, dialect: ResultDialect) -> bool | None:
    """Return whether a value says that something passed: a truth, 1 or 0, a word for it. None for anything else."""
    if isinstance(value, int | float):  # true and false as well
        return bool(value) if value in (0, 1) else None
    if not isinstance(value, str):
        return None
    word = value.strip().lower()
    if word in dialect.outcomes.passes:
        return True
    return False if word in dialect.outcomes.fails else None


def _first_value(row: Table, paths: Paths) -> Plain:
    for path in paths:
        if (value := value_at(row, path)) is not None:
            return value
    return None


def label_of(value: Plain) -> str | None:
    """Return a text by which to call a row: a value itself, the texts of a table, or what a chat asks."""
    asked = next((message.get("content") for message in talk_in(value) if message["role"] == "user"), None)
    if asked is not None:
        value = asked
    if isinstance(value, dict):
        parts = (_one_line(words, _PART) for item in value.values() if (words := _words_of(item)))
        return _one_line(" · ".join(parts), LABEL) or None
    words = _words_of(value)
    return _one_line(words, LABEL) if words else None


def _one_line(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _words_of(value: Plain) -> str | None:
    """Return what an answer says: a truth and a number as JSON writes them."""
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return fields.spoken(value)


def _answer(dialect: ResultDialect, value: Plain) -> str | None:
    """Return what an answer says, where its tool compares tables as such as their JSON."""
    if dialect.writes and isinstance(value, dict | list):
        return dialect.writes(value)
    return _words_of(value)


def _thinks(value: Plain) -> bool:
    """Tell whether an answer has parts that its model thought."""
    if isinstance(value, list):
        return any(map(_thinks, value))
    if not isinstance(value, dict):
        return False
    return (
        ("role" in value and bool(thought_of(value)))
        or is_thinking(value)
        or any(_thinks(value.get(key)) for key in ("content", "choices", "message"))
    )


def _source(value: Plain) -> str | None:
    return value if isinstance(value, str) and value and "\0" not in value else None


def _target(dialect: ResultDialect, row: Table) -> str | None:
    parts = (_first_text(row, paths) for paths in dialect.targets)
    return " · ".join(_one_line(part, LABEL) for part in parts if part) or None


def _first_text(row: Table, paths: Paths) -> str | None:
    return next((text for path in paths if (text := fields.text(value_at(row, path)))), None)


def _scaled(dialect: ResultDialect, value: Plain) -> float | None:
    """Return a score on a scale from 0, the worst, to 1, the best; one beyond its own scale lies beyond 0 or 1."""
    worst, best = dialect.outcomes.scale
    number = float(value) if isinstance(value, bool) else fields.number(value)
    return None if number is None else (number - worst) / (best - worst)


def _outcome(dialect: ResultDialect, row: Table) -> bool | None:
    outcomes = (says_passed(value_at(row, path), dialect) for path in dialect.outcomes.paths)
    return next((outcome for outcome in outcomes if outcome is not None), None)


def _by_threshold(dialect: ResultDialect, row: Table, score: float | None) -> bool | None:
    least = _scaled(dialect, _first_value(row, dialect.outcomes.thresholds))
    return None if least is None or score is None else score >= least


def _asked(value: Plain) -> tuple[Table, ...]:
    """Return what was asked as messages; a text that is a chat as JSON is that chat."""
    if isinstance(value, dict):
        return request_messages(value) or talk_in(value) or request_messages(_words_of(value))
    return request_messages([*talk_in(value)]) or request_messages(value)


def _before_answer(talk: Sequence[Table]) -> tuple[Table, ...]:
    """Return how a conversation begins, up to the first answer in it."""
    return request_messages([*takewhile(lambda message: message["role"] != "assistant", talk)])


def _done(messages: tuple[Table, ...]) -> tuple[Table, ...]:
    """Return the messages of what was done; nothing if only an answer was given."""
    return messages if len(messages) > 1 or any(message.get("tool_calls") for message in messages) else ()


_STEP_OUTPUTS = ("output", "result", "response", "observation", "returned")
_STEP_INPUTS = ("input", "inputs", "arguments", "args", "parameters", "params")


def _steps(value: Plain) -> Iterator[Table]:
    """Yield a message for each step of what was done, which a product's log spells as it likes: a call, or a text.

    A step that names something is a call of it, given what stands under a usual name, or else all the rest.
    """
    for step in tables_in(value):
        called = next((key for key in STEP_NAMES if isinstance(step.get(key), str) and step[key]), None)
        if called is None or "role" in step:
            yield step if "role" in step else {"role": "assistant", "content": step}
            continue
        output = next((key for key in _STEP_OUTPUTS if key in step), None)
        input_key = next((key for key in _STEP_INPUTS if key in step), None)
        rest = {key: item for key, item in step.items() if key not in (called, output)}
        call: Table = {**rest, "tool": step[called], "input": rest if input_key is None else step[input_key]}
        yield {"role": "assistant", "tool_calls": [call if output is None else {**call, "output": step[output]}]}


def _evaluators(dialect: ResultDialect, row: Table) -> Iterator[EvaluatorScore]:
    for graders in dialect.graders:
        yield from _graded(dialect, graders, value_at(row, graders.path))
    for path in dialect.people:
        if (value := value_at(row, path)) not in (None, "", [], {}):
            yield _by_person(dialect, str(path[-1]), value)
    if dialect.metrics:
        for name in fields.texts(value_at(row, dialect.metrics)):
            yield _plain(dialect, name, row.get(name))


def _by_person(dialect: ResultDialect, name: str, value: Plain) -> EvaluatorScore:
    """Return what a person said of a row: whether it passes, a number, or a remark in words."""
    score = _plain(dialect, name, value)._replace(by_person=True)
    is_remark = isinstance(value, str) and score.verdict is None
    return score._replace(type=REMARK, reasoning=str(value)) if is_remark else score


def _graded(dialect: ResultDialect, graders: Graders, value: Plain) -> Iterator[EvaluatorScore]:
    for key, item in _items(value):
        if isinstance(item, dict):
            yield _score_of(dialect, graders, item, key)
        elif isinstance(item, bool | int | float | str) and key:
            yield _plain(dialect, key, item)


def _items(value: Plain) -> Iterator[tuple[str, Plain]]:
    """Yield what evaluators gave, by their names where it stands in a table."""
    if isinstance(value, dict):
        yield from ((key, item) for key, item in value.items() if item is not None)
    elif isinstance(value, list):
        yield from (("", item) for item in value)


def _score_of(dialect: ResultDialect, graders: Graders, item: Table, key: str) -> EvaluatorScore:
    name = fields.text(_first_value(item, graders.names)) or key or "evaluator"
    score = _first_value(item, graders.scores)
    outcomes = (says_passed(value_at(item, path), dialect) for path in graders.outcomes)
    passed = next((outcome for outcome in outcomes if outcome is not None), None)
    details = {path[-1]: value_at(item, path) for path in graders.details if value_at(item, path) is not None}
    return EvaluatorScore(
        name=name,
        type=fields.text(_first_value(item, graders.kinds)),
        score=_scaled(dialect, score),
        verdict=None if _is_figure(item, graders) else fields.verdict_of(passed),
        reasoning=fields.spoken(_first_value(item, graders.reasons)),
        assertions=_parts(score, dialect),
        details={str(name): value for name, value in details.items()} or None,
        bounded=not fields.infinite(score),
    )


def _is_figure(item: Table, graders: Graders) -> bool:
    """Tell whether an item has a number alone: 0 and 1 are scores then, and no outcomes."""
    values = [value_at(item, path) for path in graders.outcomes]
    return all(is_number(value) for value in values if value is not None)


def _parts(score: Plain, dialect: ResultDialect) -> tuple[Assertion, ...]:
    """Return the parts of a score that is a table: its numbers, truths and words by their names."""
    if not isinstance(score, dict):
        return ()
    return tuple(
        Assertion(f"{key}: {_words_of(part)}", says_passed(part, dialect), None) for key, part in score.items()
    )


def _plain(dialect: ResultDialect, name: str, value: Plain) -> EvaluatorScore:
    """Return a score that is a number, a truth or a word by itself; anything else is told as its JSON."""
    passed = says_passed(value, dialect) if isinstance(value, bool | str) else None
    verdict = fields.verdict_of(passed)
    text = json.dumps(value, default=str) if isinstance(value, list | dict) else None
    within = not fields.infinite(value)
    return EvaluatorScore(name, None, _scaled(dialect, value), verdict, text, (), bounded=within)
