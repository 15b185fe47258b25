"""The assertions of a sample, evaluated on an answer as AgentV 4 does (its `graders/assertions.ts`).

Version 5, whose files have prompts, fills those of a test from its variables first (`interpolateRawEvalCase`), and
not those of the suite. Those that need a model or a program are not guessed at: their outcome is open, and it says
why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, is_number
from sampleui.integrations.agentv.filling import filled, filling_of
from sampleui.integrations.integration import Grading
from sampleui.integrations.javascript import InvalidPatternError, trim
from sampleui.integrations.nunjucks import Filling
from sampleui.review.record import Record
from sampleui.runs.checks import IN_JAVASCRIPT, TextCheck, ends, equals, starts
from sampleui.runs.regrading import NO_ANSWER, Graded, paired, shown_value
from sampleui.sample.parse import skips_defaults, value_at
from sampleui.text.patterns import PatternError
from sampleui.trace.reading.extract import RecordTrace, TraceSource
from sampleui.trace.trajectory_checks import kind_of

PASSES = 0.8
"""The score from which AgentV takes a test, and an assertion of several, for passed, if none is named."""

_TRAJECTORIES = ("tool-trajectory", "trajectory:")
_LEFT = "is left as written"


def graded(data: Table, context: Table, answer: str | None) -> tuple[Graded, ...]:
    """Return the outcomes of the assertions of a sample, those of its file after its own.

    Args:
        data: the sample as the file gives it.
        context: the values of the file beside its samples.
        answer: what was answered, None if there is no answer.
    """
    counted = (
        _graded(item.entry, answer, item.unknown)._replace(weight=_weight(item.entry), least=_least(item.entry))
        for item in _asserted(data, context)
    )
    return (*counted, *_of_turns(data))


def score(record: Record, outcomes: Sequence[Graded]) -> float | None:
    """Return the score of a record, what is open scored as in the run; None if it was not."""
    known = {evaluator.name: evaluator.score for evaluator in record.evaluators}
    counted = [outcome for outcome in outcomes if outcome.weight and not outcome.left_out]
    shares = [known.get(item.name) if item.share is None else item.share for item in counted]
    known_shares = [(item, share) for item, share in zip(counted, shares, strict=True) if share is not None]
    if len(known_shares) < len(counted) or not known_shares:
        return None
    if any(item.least is not None and share < item.least for item, share in known_shares):
        return 0.0
    return sum(share * item.weight for item, share in known_shares) / sum(item.weight for item, _ in known_shares)


def _weight(entry: Table) -> float:
    weight = entry.get("weight")
    return weight if is_number(weight) and weight >= 0 else 1.0


def _least(entry: Table) -> float | None:
    """Return the score that a required assertion must reach (`hasRequiredFailure` of AgentV's orchestrator)."""
    required = entry.get("required")
    if not required or not isinstance(required, bool | int | float):
        return None
    least = entry.get("min_score", required)
    return PASSES if isinstance(least, bool) or not isinstance(least, int | float) else least


def _of_turns(data: Table) -> Iterator[Graded]:
    """Yield what is asked of each turn of a conversation: the answers between are not what is graded here."""
    turns = data.get("turns")
    for index, turn in enumerate(as_list(turns), 1):
        if isinstance(turn, dict):
            yield Graded(f"turn-{index}", f"turn {index}", None, "what was answered in a turn is not evaluated")


def _graded(entry: Table, answer: str | None, unknown: str = "") -> Graded:
    """Return the outcome of an assertion; `unknown` says what of it is not known, so that it stays open."""
    kind = kind_of(entry)
    plain = kind.removeprefix("not-")
    negated = (entry.get("negate") is True) != (plain != kind)
    value = entry.get("value")
    name = entry.get("name")
    text = f"{'not ' if negated else ''}{plain}{shown_value(plain, value, entry.get('flags'))}"
    called = name if isinstance(name, str) and name else _auto_name(plain, value)
    if plain.startswith(_TRAJECTORIES):
        name = name if isinstance(name, str) and name else plain
        text = f"{'not ' * negated}{plain} {name!r}"
        return Graded(name, text, None, "it is not known which tools were called", of_trace=True)
    if plain not in _CHECKS:
        return Graded(called, text, None, "needs its grader")
    if unknown:
        return Graded(called, text, None, unknown)
    if "${{" in str(value):
        return Graded(called, text, None, "it holds a variable of the environment")
    if plain != "is-json" and value in (None, "", []):
        return Graded(called, text, None, "it has no value, and AgentV leaves it out", left_out=True)
    if plain != kind:
        return Graded(called, text, False, f"AgentV has no {kind}; `negate: true` negates")
    if answer is None:
        return Graded(called, text, None, NO_ANSWER)
    try:
        return Graded(called, text, _passes(plain, answer, entry) != negated)
    except InvalidPatternError as error:
        return Graded(called, text, negated, str(error))
    except PatternError as error:
        return Graded(called, text, None, str(error))


def _auto_name(kind: str, value: Plain) -> str:
    if kind == "is-json":
        return kind
    if isinstance(value, list):
        return f"{kind}-{len(value)}"
    return f"{kind}-{value[:30] if kind == 'regex' else value}" if isinstance(value, str) and value else kind


_CHECKS: Mapping[str, TextCheck] = {
    **IN_JAVASCRIPT,
    "equals": TextCheck(equals, form=trim),
    "starts-with": TextCheck(starts, form=trim),
    "ends-with": TextCheck(ends, form=trim),
}


def _passes(plain: str, answer: str, entry: Table) -> bool:
    """Tell whether an assertion holds, by how AgentV reads its value.

    Raises:
        PatternError: when its value is of another kind than its type wants.
    """
    value, flags = entry.get("value"), entry.get("flags")
    if plain == "is-json":
        values = [""]
    elif plain.endswith(("-any", "-all")):
        values = [item for item in as_list(value) if isinstance(item, str)]
        if not isinstance(value, list) or len(values) < len(value):
            raise PatternError("its value is not a list of texts")
    elif isinstance(value, str):
        values = [value]
    else:
        raise PatternError("its value is not text")
    return _CHECKS[plain].passes(answer, values, flags if isinstance(flags, str) else "")


_OWN: Sequence[DataPath] = (("assertions",), ("assert",), ("execution", "evaluators"), ("evaluators",))
_SHARED: Sequence[DataPath] = (
    *(("assertions",), ("assert",)),
    *(("execution", "assertions"), ("execution", "assert"), ("execution", "evaluators")),
    ("evaluators",),
)
"""Where a test and a suite may have assertions; of these places the first alone counts."""


def asserted(data: Table, context: Table) -> Iterator[Table]:
    """Yield the assertions of a test, those of its suite after its own; a plain text is a rubric.

    Of the keys that may hold them the first one counts alone.

    Args:
        data: the test as the file gives it.
        context: the values of the file beside its tests.
    """
    yield from (item.entry for item in _asserted(data, context))


class _Asserted(NamedTuple):
    """An assertion with its path in the test, none for one of the suite, and what is not known of it."""

    path: DataPath
    entry: Table
    unknown: str = ""


def _asserted(data: Table, context: Table) -> Iterator[_Asserted]:
    filling = filling_of(data, context)
    for path, entry in _listed(data, _OWN):
        if filling is None or path[0] != "assert":
            yield _Asserted(path, entry)
            continue
        filling.notes.clear()
        by_metric = _by_metric(_filled(entry, filling))
        yield _Asserted(path, by_metric, next((note for note in filling.notes if _LEFT in note), ""))
    if not skips_defaults(data):
        for _, entry in _listed(context, _SHARED):
            yield _Asserted((), entry if filling is None else _by_metric(entry))


def _by_metric(entry: Table) -> Table:
    """Return an assertion as version 5 calls it: by its metric, and by no name."""
    rest = {key: value for key, value in entry.items() if key != "name"}
    return {**rest, "name": entry["metric"]} if "metric" in entry else rest


def _filled(entry: Table, filling: Filling) -> Table:
    """Return an assertion with its texts filled; one that is nothing but a variable becomes its value."""

    def whole(text: str, variable: Plain) -> Plain:
        if isinstance(variable, list) and all(isinstance(item, str) for item in variable):
            filling.notes.append(f"{text} {_LEFT}: each of its values is a test of its own")
            return text
        return variable

    return as_table(filled(entry, filling, whole))


def recorded_outcomes(record: Record, data: Table, context: Table, changed: bool) -> dict[DataPath, bool | None]:
    """Return which assertions of a test held in a run, by their paths; None where that is not certain.

    A run lists them by their names, which others may have too. Where it lists all of them in the order of the test,
    each is known by its place, and else by a name that no other has. Neither tells anything of a test that has
    changed.
    """
    every = [*_asserted(data, context)]
    of_test = [(item.path, item.entry) for item in every if item.path]
    asked = [named for item in every for named in _named(item.path, item.entry)]
    ran = [(item.name, {"pass": True, "fail": False}.get(item.verdict or "")) for item in record.evaluators]
    counts = Counter(name for _, name in asked)
    if changed:
        ran = []
    elif [name for _, name in asked] != [name for name, _ in ran]:
        ran = [(name, passed) for name, passed in ran if counts[name] == 1]
    return dict(sorted(({path: None for path, _ in of_test} | paired(asked, ran)).items()))


def _named(path: DataPath, entry: Table, around: str = "") -> Iterator[tuple[DataPath, str]]:
    """Yield what a run lists an assertion and its members as; nothing for one that AgentV leaves out."""
    outcome = _graded(entry, None)
    if not outcome.left_out:
        yield path, around + outcome.name
        for inner, member in _listed(entry, (("assertions",), ("evaluators",))):
            yield from _named((*path, *inner) if path else (), member, f"{around}{outcome.name}/")


def _listed(table: Table, paths: Sequence[DataPath]) -> Iterator[tuple[DataPath, Table]]:
    path = next((path for path in paths if value_at(table, path) is not None), ())
    listed = value_at(table, path) if path else None
    for index, entry in enumerate(as_list(listed)):
        if isinstance(entry, dict):
            yield (*path, index), entry
        elif isinstance(entry, str):
            yield (*path, index), {"type": "rubrics", "value": entry}


_SIGNS = ("projection_identity", "execution_status", "executionStatus")
"""Keys of the rows that AgentV writes from version 4 on."""


def ran(record: Table, trace: RecordTrace) -> bool:
    """Tell whether AgentV 4 or later wrote a record: its row says so, or its trace is a transcript of AgentV's."""
    has_signs = any(record.get(key) is not None for key in _SIGNS)
    return (
        has_signs
        or trace.source is TraceSource.TRANSCRIPT
        or str(record.get("schema_version")).startswith("agentv.")
    )


GRADING = Grading(
    lambda _record, sample, answer, _enough: graded(sample.data, sample.context, answer),
    # The weighted mean of the scores, 0 where a required one is too low, for a record that AgentV ran.
    score=lambda record, trace, outcomes: score(record, outcomes) if ran(record.data, trace) else None,
    recorded_outcomes=lambda record, sample, changed: recorded_outcomes(
        record, sample.data, sample.context, changed
    ),
)
