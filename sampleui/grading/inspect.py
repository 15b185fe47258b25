"""Those scorers of Inspect that compare texts alone (its `scorer/_common.py`, `_match.py`, `_classification.py`).

Whatever is uncertain stays open: scorers that ask a model or extract an answer, numeric matches, and a scorer that
gave another value in the run than it would here, since a task may have one of its own by the same name.
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Iterator, Sequence

from sampleui.formats.data import Plain, Table
from sampleui.grading.graded import Graded, shown_value

_OTHERS = "needs its scorer"
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_APART = string.whitespace + string.punctuation
_VALUES = {"C": True, "I": False, 1: True, 0: False}


def graded(run: Table, target: Plain, answer: str | None) -> tuple[Graded, ...]:
    """Return what the scorers of a run say of an answer.

    Args:
        run: what the log says: `scorers`, each with its `name` and `options`; the `scores` by their names, and the
            `target` that they had.
        target: what is expected now: a text or a list of texts, any of which is enough.
        answer: what was answered, None if there is no answer.
    """
    return tuple(_all(run, target, answer))


def _all(run: Table, target: Plain, answer: str | None) -> Iterator[Graded]:
    listed, scores = run.get("scorers"), run.get("scores")
    seen = Counter[str]()
    for scorer in listed if isinstance(listed, list) else []:
        name = scorer.get("name") if isinstance(scorer, dict) else None
        if not isinstance(scorer, dict) or not isinstance(name, str):
            continue
        called, options = f"{name}{seen[name] or ''}", scorer.get("options")
        seen[name] += 1
        given = options if isinstance(options, dict) else {}
        said = "".join(f" {key}={value}" for key, value in given.items())
        text = f"{name}{said}{shown_value(name, target)}"
        held = None if answer is None else _held(name, given, _texts(target), answer)
        if held is None:
            yield Graded(called, text, None, "there is no answer" if answer is None else _OTHERS)
            continue
        score = scores.get(called) if isinstance(scores, dict) else None
        value = score.get("value") if isinstance(score, dict) else None
        before = _VALUES.get(value) if isinstance(value, str | int | float) else None
        if answer is not None and before is not _held(name, given, _texts(run.get("target")), answer):
            yield Graded(called, text, None, "it gave another value in the run")
        else:
            yield Graded(called, text, held)


def _texts(target: Plain) -> list[str]:
    listed = target if isinstance(target, list) else [] if target is None else [target]
    return [str(one) for one in listed]


def _held(name: str, options: Table, targets: Sequence[str], answer: str) -> bool | None:
    """Tell whether an answer is one of the targets by a scorer, None where that cannot be judged here."""
    if name == "exact" and not options:
        said = _plain(answer)
        return any(wanted and wanted == said for wanted in map(_plain, targets))
    folds = options.get("ignore_case", True)
    if not isinstance(folds, bool):
        return None
    if name == "includes" and options.keys() <= {"ignore_case"}:
        return any(_folded(one, folds) in _folded(answer, folds) for one in targets)
    if name == "match" and options.keys() <= {"ignore_case", "location", "numeric"} and not options.get("numeric"):
        return _matches(str(options.get("location", "end")), targets, answer, folds)
    return None


def _matches(location: str, targets: Sequence[str], answer: str, folds: bool) -> bool | None:
    said = _folded(answer.strip(), folds).strip(_APART)
    wanted = [_folded(one.strip(), folds).strip(_APART) for one in targets]
    match location:
        case "begin":
            return any(map(said.startswith, wanted))
        case "end":
            return any(map(said.endswith, wanted))
        case "exact":
            return said in wanted
        case "any":
            return any(one in said for one in wanted)
    return None


def _folded(text: str, folds: bool) -> str:
    return text.casefold() if folds else text


def _plain(text: str) -> str:
    """Return a text without what `exact` looks past: case, articles, punctuation, blanks, how numbers look."""
    return " ".join(filter(None, map(_word, re.split(" |-", text))))


def _word(token: str) -> str:
    bare = token.casefold()
    if _number(bare) is None:
        stripped = bare.strip(_APART)
        dropped = "".join(sign for sign in bare if sign not in string.punctuation)
        bare = dropped if _number(stripped) is None else stripped
    number = _number(bare)
    return " ".join(_ARTICLES.sub(" ", bare if number is None else str(number)).split())


def _number(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if math.isfinite(found) else None
