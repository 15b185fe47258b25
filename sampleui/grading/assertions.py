"""The assertions of a sample, evaluated on an answer (AgentV `graders/assertions.ts`; promptfoo's `not-` negates).

Those that need a model or a program are not guessed at: their outcome is open, and says why.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from sampleui.formats.data import Plain, Table
from sampleui.grading.javascript import InvalidPatternError
from sampleui.grading.patterns import PatternError, found_in
from sampleui.grading.trajectories import PASSES, Call, LeftOutError, trajectory_score

TRAJECTORY = "tool-trajectory"
_SPACE = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
_KEYS = ("assertions", "assert", "evaluators")


@dataclass(frozen=True, slots=True)
class Graded:
    """What became of one assertion.

    Attributes:
        name: its name, or the one that AgentV gives it.
        text: its type and value in one line: `contains 'assistant'`, `not regex /a+/i`.
        passed: whether it holds; None where it cannot be told without a model, a program or a trace.
        reason: why it cannot be told; empty where it can.
    """

    name: str
    text: str
    passed: bool | None
    reason: str = ""


def graded(
    data: Table, context: Table, answer: str | None, calls: Sequence[Call] | None = None
) -> tuple[Graded, ...]:
    """Return what becomes of the assertions of a sample, those of its file after its own.

    Those whose type begins with `trajectory:` are left out: they are no assertions of AgentV 4.

    Args:
        data: the sample as the file gives it.
        context: the values of the file beside its samples.
        answer: what was answered, None where there is no answer.
        calls: the tools that were called, None where nobody can tell.
    """
    entries = [entry for entry in _entries(data, context) if not _kind(entry).startswith("trajectory:")]
    return tuple(
        _trajectory(entry, calls) if _kind(entry) == TRAJECTORY else _graded(entry, answer) for entry in entries
    )


def _entries(data: Table, context: Table) -> Iterator[Table]:
    execution = _table(data.get("execution"))
    holders = [data, execution]
    if execution.get("skip_defaults") is not True:
        holders += [context, _table(context.get("execution"))]
    for holder in holders:
        listed = next((holder[key] for key in _KEYS if isinstance(holder.get(key), list)), [])
        for entry in listed if isinstance(listed, list) else []:
            if isinstance(entry, dict):
                yield entry
            elif isinstance(entry, str):
                yield {"type": "rubrics", "value": entry}


def _kind(entry: Table) -> str:
    return str(entry.get("type")).lower().replace("_", "-")


def _graded(entry: Table, answer: str | None) -> Graded:
    kind = _kind(entry)
    plain = kind.removeprefix("not-")
    negated = (entry.get("negate") is True) != (plain != kind)
    value = entry.get("value")
    name = entry.get("name")
    text = f"{'not ' if negated else ''}{plain}{_shown(plain, value, entry.get('flags'))}"
    called = name if isinstance(name, str) and name else _auto_name(plain, value)
    if (check := _CHECKS.get(plain)) is None:
        return Graded(called, text, None, "needs its grader")
    if plain != "is-json" and value in (None, "", []):
        return Graded(called, text, None, "it has no value, and AgentV leaves it out")
    if plain != kind:
        return Graded(called, text, False, f"AgentV has no {kind}; `negate: true` negates")
    if answer is None:
        return Graded(called, text, None, "there is no answer")
    try:
        return Graded(called, text, check(answer, entry) != negated)
    except InvalidPatternError as error:
        return Graded(called, text, negated, str(error))
    except PatternError as error:
        return Graded(called, text, None, str(error))


def _trajectory(entry: Table, calls: Sequence[Call] | None) -> Graded:
    name, negated = entry.get("name"), entry.get("negate") is True
    called = name if isinstance(name, str) and name else TRAJECTORY
    text = f"{'not ' * negated}{TRAJECTORY} {called!r}"
    if calls is None:
        return Graded(called, text, None, "nobody can tell which tools were called")
    try:
        return Graded(called, text, (trajectory_score(entry, calls) >= PASSES) != negated)
    except LeftOutError as error:
        return Graded(called, text, None, f"{error}, and AgentV leaves it out")


def _auto_name(kind: str, value: Plain) -> str:
    if kind == "is-json":
        return kind
    if isinstance(value, list):
        return f"{kind}-{len(value)}"
    return f"{kind}-{value[:30] if kind == 'regex' else value}" if isinstance(value, str) and value else kind


def _shown(kind: str, value: Plain, flags: Plain) -> str:
    if kind == "regex" and isinstance(value, str):
        return f" /{value}/{flags if isinstance(flags, str) else ''}"
    if isinstance(value, list):
        return " " + ", ".join(repr(item) if isinstance(item, str) else str(item) for item in value)
    return f" {value!r}" if isinstance(value, str) else ""


def _text(entry: Table) -> str:
    value = entry.get("value")
    if not isinstance(value, str):
        raise PatternError("its value is no text")
    return value


def _texts(entry: Table) -> list[str]:
    value = entry.get("value")
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise PatternError("its value is no list of texts")
    return [item for item in value if isinstance(item, str)]


def _is_json(answer: str, _entry: Table) -> bool:
    def refuse(_name: str) -> NoReturn:
        raise ValueError

    try:
        json.loads(answer, parse_constant=refuse)
    except ValueError:
        return False
    except RecursionError:
        raise PatternError("the answer is nested too deeply") from None
    return True


def _regex(answer: str, entry: Table) -> bool:
    flags = entry.get("flags")
    return found_in(answer, _text(entry), flags if isinstance(flags, str) else "")


_CHECKS: Mapping[str, Callable[[str, Table], bool]] = {
    "equals": lambda answer, entry: answer.strip(_SPACE) == _text(entry).strip(_SPACE),
    "contains": lambda answer, entry: _text(entry) in answer,
    "contains-any": lambda answer, entry: any(one in answer for one in _texts(entry)),
    "contains-all": lambda answer, entry: all(one in answer for one in _texts(entry)),
    "icontains": lambda answer, entry: _text(entry).lower() in answer.lower(),
    "icontains-any": lambda answer, entry: any(one.lower() in answer.lower() for one in _texts(entry)),
    "icontains-all": lambda answer, entry: all(one.lower() in answer.lower() for one in _texts(entry)),
    "starts-with": lambda answer, entry: answer.strip(_SPACE).startswith(_text(entry).strip(_SPACE)),
    "ends-with": lambda answer, entry: answer.strip(_SPACE).endswith(_text(entry).strip(_SPACE)),
    "regex": _regex,
    "is-json": _is_json,
}


def _table(value: Plain) -> Table:
    return value if isinstance(value, dict) else {}
