"""Typed reading of rows that may hold anything: a value that is absent or of another type is None or empty."""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import isfinite, isnan

from sampleui.formats.data import Plain, Table, as_list, as_table, is_number, tables_in
from sampleui.formats.registry import BY_SUFFIX
from sampleui.review.record import Assertion, EvaluatorScore, Grade, Usage
from sampleui.review.results.dialect import FAILS, PASSES, indented
from sampleui.sample.message import TEXT_TYPES, is_thinking
from sampleui.sample.message_shapes import chat, role_of
from sampleui.sample.tokens import Tokens, tokens_of
from sampleui.text.wording import ELLIPSIS, one_spaced

Keys = Sequence[str]
GIVEN = ("input", "raw_request", "rawRequest", "evaluator_raw_request", "evaluatorRawRequest", "request", "prompt")
DETAILS = ("details", "raw_response", "rawResponse", "response", "output")


def first(row: Table, keys: Keys) -> Plain:
    """Return the first value that is there and not null."""
    for key in keys:  # a loop, because it runs some ten times for every row of a file
        if (value := row.get(key)) is not None:
            return value
    return None


def number(value: Plain) -> float | None:
    """Return a finite number. True and false are not numbers."""
    if type(value) is float:  # the most of the values in a file of records
        return value if isfinite(value) else None
    if value is None or isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value) if isfinite(value) else None
    except OverflowError:
        return None


def infinite(value: Plain) -> bool:
    """Tell whether a value is a number beyond all finite ones, and so outside any scale. NaN is no number."""
    return number(value) is None and is_number(value) and not (isinstance(value, float) and isnan(value))


def whole(value: Plain) -> int | None:
    """Return a whole number."""
    figure = number(value)
    return None if figure is None else int(figure)


def text(value: Plain) -> str | None:
    """Return a text that is not empty; numbers as text, for ids are often numbers."""
    if isinstance(value, str):
        return value or None
    if is_number(value):
        return str(value)
    return None


def figures_beside(row: Table, known: Container[str]) -> list[str]:
    """Return the keys of a row that have numbers or truths, but for those that are known to mean something else."""
    return [key for key, value in row.items() if key not in known and isinstance(value, bool | int | float)]


def texts(value: Plain) -> tuple[str, ...]:
    """Return the texts of a list, or the keys and values of a table as `key: value`."""
    if isinstance(value, dict):
        return tuple(f"{key}: {item}" for key, item in value.items() if text(item))
    items = value if isinstance(value, list) else [value]
    return tuple([content for item in items if (content := text(item))])


def spoken(value: Plain) -> str | None:
    """Return what a value says: a string, a message, segments, the last message that speaks, or else JSON.

    What a model thought is no part of it, and beside segments of text other ones (calls, images) are none.
    """
    if value is None or isinstance(value, str):
        return value or None
    if is_thinking(value):
        return None
    if isinstance(value, dict):
        for key in ("content", "text", "message", "answer", "output", "value"):
            if value.get(key) is not None:
                return spoken(value[key])
        inside = _in_response(value)
        if inside is not None:
            return spoken(inside)
        return None if "role" in value else indented(value)
    if isinstance(value, list):
        if any(isinstance(item, dict) and ("role" in item or role_of(item) is not None) for item in value):
            return _last_spoken([*chat(value)])
        if any(_is_text(item) for item in value):
            value = [item for item in value if _is_text(item) or not (isinstance(item, dict) and "type" in item)]
        parts = [words for item in value if (words := spoken(item))]
        return "\n".join(parts) or None
    return str(value)


def _in_response(value: Table) -> Plain:
    """Return where a provider's whole response, or its message, has what it says; None for any other table."""
    if "role" in value and "parts" in value:  # Gemini's message
        return value["parts"]
    for key in ("choices", "candidates"):  # OpenAI's, Gemini's
        if several := tables_in(value.get(key)):
            return several[0]
    if "lc" in value:  # a message that LangChain has dumped
        return value.get("kwargs")
    return value.get("response") if "thinking" in value else None  # Ollama's


def _is_text(part: Plain) -> bool:
    return isinstance(part, dict) and part.get("type") in TEXT_TYPES and not is_thinking(part)


def verdict(value: Plain) -> str | None:
    """Return a verdict as `pass`, `fail` or `borderline`; None for a word that is none (`completed`)."""
    if not isinstance(value, str):
        return None
    word = value.strip().lower()
    if word in FAILS:
        return "fail"
    if word in PASSES:
        return "pass"
    return word if word == "borderline" else None


def verdict_of(passed: Plain) -> str | None:
    """Return `pass` or `fail` for a truth; None for anything else."""
    if not isinstance(passed, bool):
        return None
    return "pass" if passed else "fail"


MAX_ERROR = 300
"""Characters of an error that are kept of each record."""


def error_line(value: Plain) -> str | None:
    """Return an error as one line, of at most `MAX_ERROR` characters: a longer one ends in an ellipsis."""
    if value is None:
        return None
    message = as_table(value).get("message") or value
    words = spoken(message) if message else None
    return cut_error(one_spaced(words)) if words else None


def cut_error(line: str) -> str:
    """Return a line of at most `MAX_ERROR` characters, with an ellipsis at its end where there is more."""
    return line if len(line) <= MAX_ERROR else line[: MAX_ERROR - 1] + ELLIPSIS


def assertions(value: Plain) -> tuple[Assertion, ...]:
    """Read `[{text, passed, evidence}]`; plain strings say only what was looked for."""
    items = as_list(value)
    return tuple(assertion for item in items if (assertion := _assertion(item)))


def grades_in(scores: Plain) -> tuple[Grade, ...]:
    """Read evaluators in short. Nested ones (`scores` of a composite) are part of their parent here."""
    return tuple([_grade(item) for item in tables_in(scores)])


def _grade(item: Table) -> Grade:
    written = item.get("score")
    score = number(written)
    return Grade(_name(item), score, _verdict(item), score is not None or not infinite(written))


def evaluators(scores: Plain) -> tuple[EvaluatorScore, ...]:
    """Read evaluators in full, those of a composite after it, their names joined by `/`."""
    listed: list[EvaluatorScore] = []
    for item in tables_in(scores):
        mine = _evaluator(item)
        inside = evaluators(first(item, ("scores", "evaluator_results", "component_results")))
        listed += (mine, *(inner._replace(name=f"{mine.name}/{inner.name}") for inner in inside))
    return tuple(listed)


def tokens(usage: Table) -> Tokens | None:
    """Read token counts that say how many were read or how many were written; a total alone says neither."""
    counts = tokens_of(usage)
    return None if counts is None or counts[:2] == (None, None) else counts


def usage(row: Table) -> Usage:
    """Read what an answer took, by the names that several tools have for it."""
    return Usage(
        cost_usd=number(first(row, ("cost_usd", "cost"))),
        latency_ms=number(first(row, ("latency_ms", "duration_ms", "latencyInMs"))),
        tokens=tokens(as_table(first(row, ("usage", "token_usage")))),
        timestamp=text(row.get("timestamp")),
    )


def _assertion(item: Plain) -> Assertion | None:
    if isinstance(item, str):
        return Assertion(item, None, None) if item else None
    row = as_table(item)
    words = text(first(row, ("text", "name", "description", "value", "type")))
    passed = first(row, ("passed", "pass", "success"))
    evidence = spoken(first(row, ("evidence", "reason", "reasoning")))
    return Assertion(words, passed if isinstance(passed, bool) else None, evidence) if words else None


def _evaluator(item: Table) -> EvaluatorScore:
    listed = assertions(item.get("assertions"))
    return EvaluatorScore(
        name=_name(item),
        type=text(item.get("type")),
        score=number(item.get("score")),
        verdict=_verdict(item),
        reasoning=spoken(first(item, ("reasoning", "reason", "rationale", "explanation"))),
        assertions=listed or _hits_and_misses(item),
        grader_input=first(item, GIVEN),
        details=first(item, DETAILS),
        bounded=not infinite(item.get("score")),
    )


def _hits_and_misses(item: Table) -> tuple[Assertion, ...]:
    hits = (Assertion(text_hit, True, None) for text_hit in texts(item.get("hits")))
    misses = (Assertion(text_missed, False, None) for text_missed in texts(item.get("misses")))
    return (*hits, *misses)


def _name(item: Table) -> str:
    if isinstance(name := item.get("name"), str) and name:
        return name
    return (
        text(first(item, ("name", "id", "evaluator")))
        or text(first(as_table(item.get("assertion")), ("name", "id", "type")))
        or text(item.get("type"))
        or "evaluator"
    )


def _verdict(item: Table) -> str | None:
    said = item.get("verdict")
    word = None if said is None else verdict(said)
    return verdict_of(first(item, ("pass", "passed", "success"))) if word is None else word


def _last_spoken(messages: list[Plain]) -> str | None:
    for message in reversed(messages):
        role = as_table(message).get("role")
        if role in ("assistant", "model", "ai", None) and (words := spoken(message)):
            return words
    return None


def named_deck(row: Table) -> str | None:
    """Return the deck that a row names: its identity's, else one named beside it; never the copy the run kept."""
    path = dimensions(row).get("eval_path")
    if isinstance(path, str) and path:
        return path
    for key in DECKS:
        named = row.get(key)
        if not isinstance(named, str) or "\0" in named or not named.lower().endswith(_DECK_ENDS):
            continue
        archive = text(first(row, ("task_dir", "test_dir")))
        if archive is None or not named.startswith(archive):
            return named
    return None


def dimensions(row: Table) -> Table:
    """Return what a row says of its identity (`projection_identity.dimensions`)."""
    return as_table(as_table(row.get("projection_identity")).get("dimensions"))


DECKS = ("eval_file", "evalFile", "eval_path", "evalPath", "deck", "dataset_path", "source_file", "dataset")
_DECK_ENDS = tuple(BY_SUFFIX)
