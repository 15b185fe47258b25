"""What the scorers of a log say of an answer, as those of Inspect 0.3.285 that look for texts judge it.

Numbers are read as `match(numeric=True)` reads plain ones (`scorer/_common.py`); one that may be written otherwise
there (`½`, `五`, `1 000`) is uncertain here. What other scorers say of an answer Inspect itself can tell.
"""

from __future__ import annotations

import math
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.integrations.inspect_ai.dialect import MARK
from sampleui.integrations.integration import Grading
from sampleui.review.record import Record
from sampleui.review.results import fields
from sampleui.runs.checks import TextCheck, contains, ends, equals, starts
from sampleui.runs.regrading import NO_ANSWER, Graded, shown_value
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of
from sampleui.text.patterns import PatternError, groups_in

_ABOUT = "!?:;()[]{}'\"`"
_PRECISION = ".5g"
_ESCAPED = re.compile(r"\\([$,£€*_])")
_SIGNS = re.compile(r"[$,£€*_]")
_STOPS = re.compile(r"\.(?=\s|$|\D)")
_PERHAPS = re.compile(r"(?=\D*+\d)[-+\d.\s'eE]++")


def bare(text: str) -> str:
    """Return a text without signs of currencies, commas, marks of emphasis, and stops behind which no digit is."""
    return _STOPS.sub("", _SIGNS.sub("", _ESCAPED.sub(r"\1", text)))


def normal(text: str, *, trimmed: bool = True) -> str | None:
    """Return a number in Inspect's form of it, with five digits; None for what is no number.

    Args:
        text: the text, without the signs that `bare` drops.
        trimmed: whether brackets, quotes and marks at its ends are not part of it.

    Raises:
        PatternError: when it may be a number in a way that is not read here.
    """
    cleaned = text.strip(_ABOUT) if trimmed else text
    try:
        figure = float(cleaned)
    except ValueError:
        odd = not cleaned.isascii() and any(unicodedata.numeric(sign, None) is not None for sign in cleaned)
        if odd or _PERHAPS.fullmatch(cleaned):
            raise PatternError(f"whether {text[:40]!r} is a number is not certain") from None
        return None
    return format(figure, _PRECISION) if math.isfinite(figure) else None


def numbers(words: Sequence[str]) -> Iterator[str]:
    """Yield those of some words that are numbers, in Inspect's form. Raises PatternError as `normal` does."""
    return (figure for word in words if (figure := normal(word)) is not None)


DIALECT = "inspect"
_OTHERWISE = "the task may make its target of the row in a way of its own"
_OTHERS = "needs its scorer"
_APART = string.whitespace + string.punctuation
_VALUES = {"C": True, "I": False, "N": False, 1: True, 0: False}
_OPTIONS = {
    "answer": frozenset({"pattern"}),
    "includes": frozenset({"ignore_case"}),
    "match": frozenset({"ignore_case", "location", "numeric"}),
    "pattern": frozenset({"ignore_case", "match_all", "pattern"}),
}
"""The scorers that are known, with their options."""
_ANSWERS = {
    "letter": r"(?is)ANSWER\s*:\s*([A-Za-z])(?:[^\w]|\n|$)(?!.*ANSWER\s*:)",
    "word": r"(?is)ANSWER\s*:\s*(\S+?)(?=[.,;:!?]?\s*(?:\n|$))(?!.*ANSWER\s*:)",
    "line": r"(?i)ANSWER\s*:\s*([^\n]+)\s*\Z",
}
_LOCATIONS = {"begin": starts, "end": ends, "exact": equals, "any": contains}
_NUMBERS: dict[str, Callable[[str], Iterable[str | None]]] = {
    "begin": lambda answer: islice(numbers(answer.split()), 1),
    "end": lambda answer: islice(numbers(answer.split()[::-1]), 1),
    "exact": lambda answer: [normal(answer, trimmed=False)],
    "any": lambda answer: numbers(answer.split()),
}
"""The numbers of an answer that may be the target."""


def graded(run: Table, target: Plain, answer: str | None) -> Iterator[Graded]:
    """Yield what the scorers of a run say of an answer.

    Args:
        run: what the log says: `scorers`, each with its `name` and `options`; the `scores` by their names, and the
            `target` that they had.
        target: what is expected now: a text or a list of texts, any of which is enough.
        answer: what was answered, None if there is no answer.
    """
    scores, seen = as_table(run.get("scores")), Counter[str]()
    for scorer in as_list(run.get("scorers")):
        name = scorer.get("name") if isinstance(scorer, dict) else None
        if not isinstance(scorer, dict) or not isinstance(name, str):
            continue
        called, options = f"{name}{seen[name] or ''}", as_table(scorer.get("options"))
        seen[name] += 1
        message = "".join(f" {key}={value}" for key, value in options.items())
        text = f"{name}{message}{shown_value(name, target)}"
        if answer is None:
            yield Graded(called, text, None, NO_ANSWER)
            continue
        try:
            passed = _outcome_of(name, options, answer, _texts(target))
            before = _outcome_of(name, options, answer, _texts(run.get("target")))
        except PatternError as error:
            yield Graded(called, text, None, str(error))
            continue
        value = as_table(scores.get(called)).get("value")
        if passed is None:
            yield Graded(called, text, None, _OTHERS)
        elif not isinstance(value, str | int | float) or _VALUES.get(value) is not before:
            yield Graded(called, text, None, "it gave another value in the run")
        else:
            yield Graded(called, text, passed)


def _texts(target: Plain) -> list[str]:
    if target is None:
        return []
    return [str(item) for item in (target if isinstance(target, list) else [target])]


def _outcome_of(name: str, options: Table, answer: str, targets: Sequence[str]) -> bool | None:
    """Return whether an answer is one of the targets by a scorer; None if that is not known.

    Raises:
        PatternError: when its pattern cannot be matched here, or a number may be in it that is not read here.
    """
    folds = options.get("ignore_case", True)
    if name not in _OPTIONS or not options.keys() <= _OPTIONS[name] or not isinstance(folds, bool):
        return None
    form = str.casefold if folds else str
    if name == "includes":
        return TextCheck(contains, any, form).passes(answer, targets)
    if name == "match":
        return _matches(options, targets, answer, form)
    if name == "answer":
        pattern = _ANSWERS.get(str(options.get("pattern")))
        return None if pattern is None else _extracts({"pattern": pattern}, targets, answer, folds=True)
    return _extracts(options, targets, answer, folds)


def _extracts(options: Table, targets: Sequence[str], answer: str, folds: bool) -> bool | None:
    """Tell whether what a pattern finds is a target: all of it without groups, or else one group, or each."""
    pattern, every = options.get("pattern"), options.get("match_all", False)
    if not isinstance(pattern, str) or not isinstance(every, bool):
        return None
    groups = groups_in(answer, pattern, folds)
    wanted = [target.lower() for target in targets] if folds else targets
    hits = [(item.lower() if folds else item) in wanted for item in groups]
    if every:
        return bool(hits) and all(hits) and any(targets)
    return bool(next((item for item, is_one in zip(groups, hits, strict=True) if is_one), ""))


def _matches(options: Table, targets: Sequence[str], answer: str, form: Callable[[str], str]) -> bool | None:
    location, numeric = str(options.get("location", "end")), options.get("numeric", False)
    if location not in _LOCATIONS or not isinstance(numeric, bool):
        return None
    check = TextCheck(_LOCATIONS[location], any, lambda text: form(text.strip()).strip(_APART))
    if not numeric:
        return check.passes(answer, targets)
    for wanted in (bare(form(target.strip())) for target in targets):
        number = normal(wanted)
        if check.passes(answer, [wanted]) if number is None else number in _NUMBERS[location](bare(answer.strip())):
            return True
    return False


def is_of_log(record: Record) -> bool:
    """Tell whether a record was read from a log, which has the scorers of its run."""
    return isinstance(record.data.get(MARK), dict)


def by_log(record: Record, sample: Sample, answer: str | None, _enough: float) -> tuple[Graded, ...]:
    """Return what the scorers of a log say; of a record of anything else nothing.

    Of other rows than Inspect's own a task makes targets as it likes.
    """
    shared, ran = record.data.get(MARK), record.data.get("target")
    if not isinstance(shared, dict):
        return ()
    run: Table = {
        "scorers": shared.get("scorers"),
        "scores": record.data.get("scores"),
        "target": ran,
    }
    if target_is_open(record, sample):
        outcome = graded(run, ran, answer)
        return tuple(item._replace(passed=None, score=None, reason=_OTHERWISE) for item in outcome)
    return (*graded(run, sample.data.get("target") if dialect_of(sample).name == DIALECT else ran, answer),)


def expects_otherwise(record: Record, sample: Sample) -> bool | None:
    """Tell that nobody knows of a sample to expect something else, where its target is open; else None."""
    return False if target_is_open(record, sample) else None


def target_is_open(record: Record, sample: Sample) -> bool:
    """Tell whether it is not known which target the task of a log makes of a row as it is now.

    Inspect takes `target` as it is; a task may map it from other keys, or make a letter of a number or of a choice.
    """
    if not is_of_log(record):
        return False
    ran = fields.texts(record.data.get("target"))
    wanted = (value_at(sample.data, path) for path in dialect_of(sample).expected.paths)
    target = next((item for item in wanted if item is not None), None)
    today = fields.texts(target)
    if today == ran:
        return False
    if dialect_of(sample).name != DIALECT or not today:
        return True
    choices = {text.strip() for text in fields.texts(sample.data.get("choices"))}
    letters = any(len(item.strip()) > 1 and item.strip() in choices for item in today)
    return letters or (isinstance(target, int | float) and not all(map(_reads_as_number, ran)))


def _reads_as_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


GRADING = Grading(by_log, grades_record=is_of_log, expects_otherwise=expects_otherwise)
