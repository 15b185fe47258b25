"""What the scorers of a log say of an answer, as those of Inspect 0.3.285 that need no model judge it.

Numbers are read as `match(numeric=True)` reads them (`scorer/_common.py`, `_unicode.py`). One may be written in any
script there (`½`, `五`). Those are uncertain here, and so is what may be one.
"""

from __future__ import annotations

import math
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.integrations.inspect_ai.hooks import MARK
from sampleui.review.record import Record
from sampleui.review.results import fields
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
_MINUS = str.maketrans("−﹣－", "---")
_LEADING = re.compile(r"(?:[-+]\s*)*")
_DIGITS = re.compile(r"[\d.\s']+(?:[eE][-+]?[\d.\s']*)?")
_GROUPED = re.compile(r"[\s']+")
_BESIDE_DIGITS = frozenset("eE.,+-'＋﹢٫．，﹐、٬’ʼ＇⁻⁺正负負○两点點")
"""What a number may have beside digits, and beside blanks."""


class UncertainNumberError(Exception):
    """A text may be a number in a way that is not known here. The message names it."""


def bare(text: str) -> str:
    """Return a text without signs of currencies, commas, marks of emphasis, and stops behind which no digit is."""
    return _STOPS.sub("", _SIGNS.sub("", _ESCAPED.sub(r"\1", text)))


def normal(text: str, *, trimmed: bool = True) -> str | None:
    """Return a number in Inspect's form of it, with five digits; None for what is no number.

    Args:
        text: the text, without the signs that `bare` drops.
        trimmed: whether brackets, quotes and marks at its ends are not part of it.

    Raises:
        UncertainNumberError: when it may be a number or not.
    """
    cleaned = text.strip(_ABOUT) if trimmed else text
    figure = finite(cleaned)
    if figure is None and not (cleaned := cleaned.translate(_MINUS)).isascii():
        _rule_out(cleaned)
    elif figure is None:
        figure = _grouped(cleaned)
    return None if figure is None else format(figure, _PRECISION)


def numbers(words: Sequence[str]) -> Iterator[str]:
    """Yield those of some words that are numbers, in Inspect's form.

    Raises:
        UncertainNumberError: when it gets to a word that may be one.
    """
    return (figure for word in words if (figure := normal(word)) is not None)


def finite(text: str) -> float | None:
    """Return what Python's `float` reads in a text, None if that is no number or without end."""
    try:
        figure = float(text)
    except ValueError:
        return None
    return figure if math.isfinite(figure) else None


def _grouped(text: str) -> float | None:
    """Return a number with several signs, or with blanks or apostrophes among its digits."""
    stripped = text.strip()
    lead = _LEADING.match(stripped)
    signs = lead[0] if lead else ""
    digits = stripped[len(signs) :]
    figure = finite(_GROUPED.sub("", digits)) if _DIGITS.fullmatch(digits) else None
    return -figure if figure is not None and signs.count("-") % 2 else figure


def _rule_out(text: str) -> None:
    """Make sure that a text with more than ASCII is no number: it has a sign that no number has."""
    if all(
        item in _BESIDE_DIGITS or item.isspace() or unicodedata.numeric(item, None) is not None for item in text
    ):
        raise UncertainNumberError(f"whether {text[:40]!r} is a number is not certain")


_LETTERS = string.ascii_uppercase


def takes(score: Plain, targets: Sequence[str], choices: Plain, today: Plain) -> bool:
    """Tell whether the choices that were taken are those of a target.

    Args:
        score: the value of a score.
        targets: the target: letters, and numbers from the 27th choice on.
        choices: the choices that the run had.
        today: the choices of the sample as it is now.

    Raises:
        UncertainNumberError: when the choices are other ones, or it is not known which are meant.
    """
    had = _listed(choices)
    if not had or had != _listed(today):
        raise UncertainNumberError("the choices are not those that the run had")
    if not isinstance(score, str):
        raise UncertainNumberError("the score does not say which choices were taken")
    chosen = [_option_index(item, len(had)) for item in score.split(", ") if score]
    return chosen == sorted(_option_index(item, len(had)) for target in targets for item in _named(target))


def _listed(choices: Plain) -> list[str]:
    """Return choices as Inspect reads them: those that are not blank, of a text what stands between its commas."""
    if isinstance(choices, str):
        parted = choices.split(",")
        return [item.strip() for item in (parted if len(parted) > 1 else choices.split()) if item.strip()]
    return [str(choice) for choice in as_list(choices) if str(choice).strip()]


def _named(target: str) -> Iterator[str]:
    for token in target.replace(",", " ").split():
        if token.isnumeric():
            yield token
        else:
            yield from token


def _option_index(name: str, count: int) -> int:
    """Return which choice a letter or a number names, from 0."""
    letter = _LETTERS.find(name.upper()) if name.isascii() and len(name) == 1 else -1
    number = int(name) if name.isascii() and name.isdecimal() and len(name) < len(_LETTERS) else 0
    index = count
    if letter >= 0:
        index = letter
    elif number:
        index = len(_LETTERS) - 1 + number
    if index >= count:
        raise UncertainNumberError(f"{name[:40]!r} is none of the {count:,} choices")
    return index


DIALECT = "inspect"
_OTHERWISE = "the task may make its target of the row in a way of its own"
_OTHERS = "needs its scorer"
_OPEN = {"math": "compares mathematics, which is not read here"}
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_APART = string.whitespace + string.punctuation
_VALUES = {"C": True, "I": False, "N": False, 1: True, 0: False}
_OPTIONS = {
    "answer": frozenset({"pattern"}),
    "choice": frozenset[str](),
    "exact": frozenset[str](),
    "f1": frozenset({"stop_words"}),
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
_LOCATIONS: dict[str, Callable[[str, str], bool]] = {
    "begin": str.startswith,
    "end": str.endswith,
    "exact": str.__eq__,
    "any": str.__contains__,
}
_NUMBERS: dict[str, Callable[[str], Iterable[str | None]]] = {
    "begin": lambda answer: islice(numbers(answer.split()), 1),
    "end": lambda answer: islice(numbers(answer.split()[::-1]), 1),
    "exact": lambda answer: [normal(answer, trimmed=False)],
    "any": lambda answer: numbers(answer.split()),
}
"""The numbers of an answer that may be the target."""


def graded(
    run: Table, target: Plain, answer: str | None, choices: Plain = None, enough: float = 1.0
) -> tuple[Graded, ...]:
    """Return what the scorers of a run say of an answer.

    Args:
        run: what the log says: `scorers`, each with its `name` and `options`; the `scores` by their names, and the
            `target` and the `choices` that they had.
        target: what is expected now: a text or a list of texts, any of which is enough.
        answer: what was answered, None if there is no answer.
        choices: the choices of the sample as it is now.
        enough: the score from which an answer passes where a scorer gives a number.
    """
    return tuple(_all(run, target, answer, choices, enough))


def _all(run: Table, target: Plain, answer: str | None, choices: Plain, enough: float) -> Iterator[Graded]:
    listed, scores = run.get("scorers"), run.get("scores")
    seen = Counter[str]()
    for scorer in as_list(listed):
        name = scorer.get("name") if isinstance(scorer, dict) else None
        if not isinstance(scorer, dict) or not isinstance(name, str):
            continue
        called, options = f"{name}{seen[name] or ''}", scorer.get("options")
        seen[name] += 1
        options_given = as_table(options)
        message = "".join(f" {key}={value}" for key, value in options_given.items())
        text = f"{name}{message}{shown_value(name, target)}"
        if answer is None:
            yield Graded(called, text, None, NO_ANSWER)
            continue
        score = scores.get(called) if isinstance(scores, dict) else None
        taken = score.get("answer") if isinstance(score, dict) else None
        asked = _ScorerInput(name, options_given, answer, taken, run.get("choices"))
        try:
            passed = _outcome_of(asked, _texts(target), choices)
            alike = passed is not None and _as_before(
                score, _outcome_of(asked, _texts(run.get("target")), asked.choices)
            )
        except (UncertainNumberError, PatternError) as error:
            yield Graded(called, text, None, str(error))
            continue
        if not alike:
            reason = _OPEN.get(name, _OTHERS) if passed is None else "it gave another value in the run"
            yield Graded(called, text, None, reason)
        elif isinstance(passed, bool):
            yield Graded(called, text, passed)
        else:
            yield Graded(called, f"{text}: {passed:g}", passed is not None and passed >= enough, score=passed)


class _ScorerInput(NamedTuple):
    """What a scorer is asked about: its name and options, the answer, and what it took out of that in the run."""

    name: str
    options: Table
    answer: str
    taken: Plain
    choices: Plain


def _as_before(score: Plain, passed: bool | float | None) -> bool:
    """Tell whether a score is the one that a scorer gives here."""
    value = score.get("value") if isinstance(score, dict) else None
    if not isinstance(value, str | int | float):
        return False
    return _VALUES.get(value) is passed if isinstance(passed, bool) else passed is not None and value == passed


def _texts(target: Plain) -> list[str]:
    if target is None:
        return []
    return [str(item) for item in (target if isinstance(target, list) else [target])]


def _outcome_of(asked: _ScorerInput, targets: Sequence[str], choices: Plain) -> bool | float | None:
    """Return whether an answer is one of the targets by a scorer, or how near it is; None if that is not known.

    Raises:
        UncertainNumberError: when it may have a number in it that is not known here, or choices that are not.
        PatternError: when its pattern cannot be matched here.
    """
    name, options, answer = asked[:3]
    folds = options.get("ignore_case", True)
    known = options.keys() <= _OPTIONS.get(name, frozenset())
    if name not in _OPTIONS or not known or not isinstance(folds, bool):
        return None
    match name:
        case "exact":
            plain = _plain(answer)
            return any(wanted and wanted == plain for wanted in map(_plain, targets))
        case "includes":
            return any(_folded(target, folds) in _folded(answer, folds) for target in targets)
        case "match":
            return _matches(options, targets, answer, folds)
        case "choice":
            return takes(asked.taken, targets, asked.choices, choices)
        case "f1":
            return _shared(options.get("stop_words"), targets, answer)
        case "answer":
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


def _matches(options: Table, targets: Sequence[str], answer: str, folds: bool) -> bool | None:
    location, numeric = str(options.get("location", "end")), options.get("numeric", False)
    if location not in _LOCATIONS or not isinstance(numeric, bool):
        return None
    folded = _folded(answer.strip(), folds)
    return any(_match(location, numeric, folded, _folded(target.strip(), folds)) for target in targets)


def _match(location: str, numeric: bool, answer: str, wanted: str) -> bool:
    if numeric:
        wanted = bare(wanted)
        number = normal(wanted)
        if number is not None:
            return number in _NUMBERS[location](bare(answer))
    return _LOCATIONS[location](answer.strip(_APART), wanted.strip(_APART))


def _folded(text: str, folds: bool) -> str:
    return text.casefold() if folds else text


def _shared(stops: Plain, targets: Sequence[str], answer: str) -> float | None:
    """Return the F1 of the words of an answer and of the target nearest to it, with two digits."""
    if not isinstance(stops, list | None) or not all(isinstance(stop, str) for stop in stops or ()):
        return None
    left_out = frozenset(_word(str(stop)) for stop in stops or ())
    wording = Counter(_plain(answer, left_out).split())
    wanted = (Counter(_plain(target, left_out).split()) for target in targets)
    return round(max((_f1(wording, words) for words in wanted if words), default=0.0), 2)


def _f1(answer: Counter[str], wanted: Counter[str]) -> float:
    common = (answer & wanted).total()
    precision = common / answer.total() if answer else 1.0
    recall = common / wanted.total()
    return 2 * precision * recall / (precision + recall) if precision or recall else 0.0


def _plain(text: str, left_out: frozenset[str] = frozenset()) -> str:
    """Return a text without what `exact` looks past: case, articles, punctuation, blanks, how numbers look."""
    words = map(_word, re.split(" |-", text))
    return " ".join(word for word in words if word and word not in left_out)


def _word(token: str) -> str:
    bare = token.casefold()
    if finite(bare) is None:
        stripped = bare.strip(_APART)
        dropped = "".join(sign for sign in bare if sign not in string.punctuation)
        bare = dropped if finite(stripped) is None else stripped
    number = finite(bare)
    return " ".join(_ARTICLES.sub(" ", bare if number is None else str(number)).split())


def is_of_log(record: Record) -> bool:
    """Tell whether a record was read from a log, which has the scorers of its run."""
    return isinstance(record.data.get(MARK), dict)


def by_log(record: Record, sample: Sample, answer: str | None, enough: float) -> tuple[Graded, ...]:
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
        "choices": record.data.get("choices"),
    }
    if target_is_open(record, sample):
        outcome = graded(run, ran, answer, run["choices"], enough)
        return tuple(item._replace(passed=None, score=None, reason=_OTHERWISE) for item in outcome)
    if dialect_of(sample).name == DIALECT:
        choices = sample.data.get("choices")
        return graded(run, sample.data.get("target"), answer, choices, enough)
    return graded(run, ran, answer, run["choices"], enough)


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
    return letters or (_is_number(target) and not all(map(_reads_as_number, ran)))


def _is_number(target: Plain) -> bool:
    return isinstance(target, int | float)


def _reads_as_number(text: str) -> bool:
    return finite(text.strip()) is not None
