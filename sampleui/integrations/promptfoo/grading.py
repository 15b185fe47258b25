"""The assertions of a promptfoo test, evaluated on an answer as promptfoo evaluates them (its `src/assertions`).

Whatever is uncertain stays open: templates that need more than the test's own texts, files, schemas, other
programs.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, is_number, leaves, tables_in, texts_in
from sampleui.formats.timestamps import Moment, holds_moments
from sampleui.integrations.integration import Grading
from sampleui.integrations.javascript import InvalidPatternError, parsed, stringify
from sampleui.integrations.promptfoo.assertion_text import assertion, fields
from sampleui.integrations.promptfoo.failing import COMPARING, made_fail
from sampleui.integrations.promptfoo.followed import followed
from sampleui.integrations.promptfoo.repeated_variables import alike
from sampleui.integrations.promptfoo.rows import as_number, expected_cells
from sampleui.integrations.promptfoo.variables import options_of
from sampleui.review.record import value_digest
from sampleui.runs.checks import IN_JAVASCRIPT
from sampleui.runs.regrading import NO_ANSWER, Graded, paired, shown_value
from sampleui.sample.parse import REF, is_reference
from sampleui.text.confined import SCHEME
from sampleui.text.patterns import PatternError

_OF_TRACE = frozenset(
    f"trajectory:{asked}" for asked in ("tool-used", "tool-sequence", "tool-args-match", "step-count")
)
"""The types of assertions about the tools that were called."""

_SCORING = "assertScoringFunction"
_OF_ALL = "__config:"
_TRANSFORMS = ("transform", "postprocess")
"""The options of a test that make another answer of the answer; the second is the older name."""

_DEFAULTS = ("defaultTest", "default_test")
_OF_ENVIRONMENT = re.compile(r"\{\{(?:(?!\{\{|\benv\b)[^}]|)*+\benv\b")
"""A variable of the environment in a text: promptfoo fills it in while it reads a config."""

_TEMPLATE = re.compile(r"\{[{%#]")
_NAMED = re.compile(r"\{\{ *([A-Za-z_]\w*) *\}\}")


def graded(data: Table, context: Table, answer: str | None) -> tuple[Graded, ...]:
    """Return the outcomes of the assertions of a test, those of `defaultTest` before its own.

    Args:
        data: the test as the file gives it.
        context: the values of the file beside its tests, `defaultTest` among them.
        answer: what was answered, None if there is no answer.
    """
    default, shared = _default(context), _shared(context)
    data = followed(data, context)
    variables = {**as_table(shared.get("vars")), **(as_table(data.get("vars")) or _of_row(data))}
    options = options_of(data, shared)
    graded_all = (
        [] if isinstance(default, dict) else [Graded("defaultTest", "defaultTest", None, "it is another file")]
    )
    alone = options.get("disableDefaultAsserts") is True
    program = next((key for key in _TRANSFORMS if key in options), "")
    open_for = f"its {program} is a program" if program else ""
    for entry in sorted([*([] if alone else _asserted(shared)), *_asserted(data)], key=_judging_order):
        graded_all += _graded(entry, variables, answer, open_for)
    is_certain = not any(name.startswith(_OF_ALL) for name in data)
    for column, entry in _in_cells(data):
        if is_certain and str(entry["type"]).removeprefix("not-") in IN_JAVASCRIPT:
            graded_all += _graded(entry, variables, answer, open_for)
        else:
            graded_all.append(Graded(column, f"{column} {data[column]}", None, "it is not judged here"))
    if any(item.get(_SCORING) is not None for item in (data, shared)):
        return tuple(_by_program(graded_all))
    threshold = data.get("threshold", data.get("__threshold", shared.get("threshold")))
    return (
        *_weighed(graded_all, threshold),
        *_score([*_asserted(shared), *_asserted(data)], graded_all, threshold),
    )


def _judging_order(entry: Plain) -> int:
    """Return a number to sort assertions by: those that compare the answers to a test are judged last."""
    kind = entry.get("type") if isinstance(entry, dict) else None
    return COMPARING.index(kind) if kind in COMPARING else -1


def recorded_outcomes(row: Table, data: Table, context: Table) -> dict[DataPath, bool | None]:
    """Return which assertions of a test held in a run, by their paths; None where that is not certain.

    A row repeats each of them beside its outcome, those of `defaultTest` first, and a set before its members.
    """
    components = _components(row)
    passed = ((_of_component(item), item.get("pass")) for item in components)
    return paired(
        _asked(data, context), [(key, value if isinstance(value, bool) else None) for key, value in passed]
    )


def failed_by(row: Table, data: Table, context: Table) -> tuple[DataPath, ...] | None:
    """Return the paths of the assertions of a test that made a row fail; None if it did not fail, or does not say.

    Where none is known to have, those are returned that may have: the row does not repeat them as they are now. A
    set is left out beside those of its members that made it fail.
    """
    failing = made_fail(row)
    if not failing:
        return None
    ran = [(_of_component(item), index in failing) for index, item in enumerate(_components(row))]
    outcomes = paired(_asked(data, context), ran)
    found = [path for path, failed in outcomes.items() if failed]
    if not found:
        return tuple(path for path, failed in outcomes.items() if failed is None)
    return tuple(path for path in found if not any(path == other[: len(path)] != other for other in found))


def expects_otherwise(row: Table, data: Table, context: Table) -> bool | None:
    """Tell whether a row was judged by other assertions than its test has now; None if it does not repeat them.

    Where they stand, among those of the test, of `defaultTest` or of a template, makes no difference. What only a
    run fills in may have been what the row has.
    """
    case = as_table(row.get("testCase"))
    if not case:
        return None
    ran = Counter(key for entry in as_list(case.get("assert")) for _, key in _keyed((), entry))
    asked = Counter(key for _, key in _asked(data, context))
    gone, come = ran - asked, asked - ran
    entries = [*_asserted(_shared(context)), *_asserted(followed(data, context))]
    filled_in = Counter(key for entry in entries if _is_filled_in(entry) for _, key in _keyed((), entry))
    if come - filled_in or _threshold_changed(case, data, context):
        return True
    elsewhere = not isinstance(_default(context), dict) or any(name.startswith(_OF_ALL) for name in data)
    return bool(gone) and not come and not elsewhere


def _threshold_changed(case: Table, data: Table, context: Table) -> bool:
    """Tell whether a test must reach another score than in a run, whose row has that of the default too."""
    if not isinstance(_default(context), dict) or is_reference(data):
        return False
    threshold = data["threshold"] if "threshold" in data else as_number(data.get("__threshold"))
    asked, ran = _shared(context).get("threshold") if threshold is None else threshold, case.get("threshold")
    return asked != ran and all(value is None or is_number(value) for value in (asked, ran))


def _is_filled_in(entry: Plain) -> bool:
    """Tell whether a run fills something into an assertion that its results have in place of what the deck says."""
    return (
        holds_moments(entry)
        or any(path and path[-1] == REF for path, _ in leaves(entry))
        or any(_OF_ENVIRONMENT.search(text) for text in texts_in(entry))
    )


def _components(row: Table) -> list[Table]:
    return [*tables_in(as_table(row.get("gradingResult")).get("componentResults"))]


def _asked(data: Table, context: Table) -> list[tuple[DataPath, str]]:
    """Return the assertions of a test in the order of a run, each with what tells it from others."""
    shared = _shared(context)
    options = options_of(data, shared)
    default = [] if options.get("disableDefaultAsserts") is True else _asserted(shared)
    of_test = enumerate(_asserted(followed(data, context)))
    asked = [key for entry in default for key in _keyed((), entry)]
    asked += [key for index, entry in of_test for key in _keyed(("assert", index), entry)]
    return [*asked, *(((column,), _key(entry)) for column, entry in _in_cells(data))]


def _keyed(path: DataPath, entry: Plain) -> Iterator[tuple[DataPath, str]]:
    """Yield an assertion and the members of a set, each with what tells it from others."""
    members = as_list(entry.get("assert")) if isinstance(entry, dict) and entry.get("type") == "assert-set" else []
    inner = [key for index, member in enumerate(members) for key in _keyed((*path, "assert", index), member)]
    yield path, _key(entry, [key for _, key in inner])
    yield from ((path_inside if path else (), key) for path_inside, key in inner)


def _in_cells(data: Table) -> Iterator[tuple[str, Table]]:
    """Yield the assertion of each cell of a row that expects something, by its column."""
    metric = data.get("__metric")
    named: Table = {"metric": metric} if isinstance(metric, str) and metric else {}
    yield from ((column, {**assertion(text), **named}) for column, text in expected_cells(data).items())


def _of_component(component: Table) -> str:
    asked = component.get("assertion")
    if isinstance(asked, dict):
        return _key(asked)
    members = [_of_component(item) for item in as_list(component.get("componentResults")) if isinstance(item, dict)]
    return _key(as_table(component.get("metadata")).get("assertionSet"), members)


def _key(entry: Plain, members: Sequence[str] = ()) -> str:
    """Return what tells an assertion from others: all of it, or of a set its members, metric and threshold."""
    table = as_table(entry)
    metric = table.get("metric") or None  # a cell that is empty is an empty text in the results
    if members:
        return value_digest([*members, metric, table.get("threshold")])
    return value_digest(alike({**table, "metric": metric} if table else entry))


def _shared(context: Table) -> Table:
    """Return what a config says for all its tests; nothing where that is in another file."""
    default = _default(context)
    return followed(default, context) if isinstance(default, dict) else {}


def _default(context: Table) -> Plain:
    return next((context[key] for key in _DEFAULTS if context.get(key) is not None), {})


def _by_program(graded_entries: Iterable[Graded]) -> Iterator[Graded]:
    """Yield outcomes; where a function makes the score of a test, it alone decides, whatever its assertions say."""
    for item in graded_entries:
        reason = (
            item.reason if item.passed is None else f"{'holds' if item.passed else 'fails'}; {_SCORING} decides"
        )
        yield item._replace(passed=None, reason=reason)


def _of_row(data: Table) -> Table:
    return {} if "vars" in data else {key: value for key, value in data.items() if not key.startswith("__")}


def _asserted(data: Table) -> list[Plain]:
    assertions = data.get("assert")
    return [assertions] if is_reference(assertions) else as_list(assertions)


def _weighed(graded_entries: Sequence[Graded], threshold: Plain) -> Iterator[Graded]:
    """Yield outcomes; under a threshold one that fails does not fail its test, so that it stays open."""
    for item in graded_entries:
        if threshold is None or not (item.passed is False or item.of_trace):
            yield item
        else:
            message = f"a threshold of {threshold} decides"
            yield item._replace(
                passed=None, reason=message if item.of_trace else f"fails; {message}", under_threshold=True
            )


def _score(entries: Sequence[Plain], outcomes: Sequence[Graded], threshold: Plain) -> Iterator[Graded]:
    """Yield what the score of a test under a threshold says of it, where nothing of it is open."""
    least = as_number(threshold)
    in_sets = any(isinstance(entry, dict) and entry.get("type") == "assert-set" for entry in entries)
    if (
        not is_number(least)
        or in_sets
        or not outcomes
        or any(item.passed is None or item.of_trace for item in outcomes)
    ):
        return
    weights = sum(item.weight for item in outcomes)
    score = sum(item.weight for item in outcomes if item.passed) / weights if weights else 0
    text = f"a score of {score:.2f} where {least:g} is wanted"
    yield Graded("score", text, score >= least, decides=True)


def _graded(entry: Plain, variables: Table, answer: str | None, open_for: str = "") -> Iterator[Graded]:
    if not isinstance(entry, dict):
        yield Graded("?", "?", None, "it is not an assertion")
        return
    if is_reference(entry):
        yield Graded("$ref", f"$ref {entry['$ref']}", None, "where it leads is not read")
        return
    kind = str(entry.get("type"))
    if kind == "assert-set":
        inner = as_list(entry.get("assert"))
        members = [item for member in inner for item in _graded(member, variables, answer, open_for)]
        yield from _weighed(members, entry.get("threshold"))
        return
    plain = kind.removeprefix("not-")
    metric = entry.get("metric")
    text = f"{plain}{shown_value(plain, entry.get('value'))}"
    if plain != kind:
        text = f"not {text}"
    called = metric if isinstance(metric, str) and metric else text
    if plain in _OF_TRACE and entry.get("weight") != 0:
        called = called if called is metric else kind
        yield Graded(called, text, None, "it is not known which tools were called", of_trace=True)
        return
    reason = _unsure(plain, entry, answer) or open_for
    if reason or answer is None:
        yield Graded(called, text, None, reason or NO_ANSWER)
        return
    raw_weight = entry.get("weight")
    weight = float(raw_weight) if is_number(raw_weight) else 1.0
    try:
        passed = _passes(plain, answer, _filled(entry.get("value"), variables))
        yield Graded(called, text, passed != (plain != kind), weight=weight)
    except InvalidPatternError as error:
        yield Graded(called, text, False, str(error), weight=weight)
    except PatternError as error:
        yield Graded(called, text, None, str(error))


def _unsure(plain: str, entry: Table, answer: str | None) -> str:
    """Return why an assertion cannot be judged, "" if it can."""
    if plain not in IN_JAVASCRIPT:
        return "needs its grader"
    if "transform" in entry:
        return "its transform is a program"
    if entry.get("weight") == 0:
        return "it weighs nothing"
    return "" if answer is not None else NO_ANSWER


def _filled(value: Plain, variables: Table) -> Plain:
    if holds_moments(value):
        raise PatternError("it holds a date without quotes, which is no text to promptfoo")
    if isinstance(value, list):
        return [_text(item, variables) if isinstance(item, str) else item for item in value]
    return _text(value, variables) if isinstance(value, str) else value


def _text(value: str, variables: Table) -> str:
    """Return a text with `{{ name }}` filled in by the test's own texts.

    Raises:
        PatternError: when it needs more than these.
    """
    if value.startswith((SCHEME, "package:")):
        raise PatternError("its value is another file")

    def known(match: re.Match[str]) -> str:
        filled = variables.get(match[1])
        if (
            not isinstance(filled, str)
            or isinstance(filled, Moment)
            or _TEMPLATE.search(filled)
            or filled.startswith((SCHEME, "package:"))
        ):
            raise PatternError(f"{match[0]} is not known here")
        return filled

    if _TEMPLATE.search(_NAMED.sub("", value)):
        raise PatternError("its value is a template")
    return _NAMED.sub(known, value)


def _equals(answer: str, value: Plain) -> bool:
    if isinstance(value, str):
        return value == answer
    if isinstance(value, int | float):  # true and false as well
        return stringify(value) == answer
    if value is None:
        raise PatternError("it has no value")
    try:
        return _same(value, parsed(answer))
    except ValueError:
        return False


def _same(value: Plain, other: Plain) -> bool:
    """Tell whether two values are equal as JavaScript's are: 1 is 1.0, true is not 1.

    Raises:
        PatternError: when 0 meets -0, which a copy of the configuration may have lost.
    """
    if isinstance(value, bool) or isinstance(other, bool):
        return value is other
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(_same(value, other[key]) for key, value in value.items())
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(_same, value, other))
    if isinstance(value, int | float) and isinstance(other, int | float):
        if value == other == 0 and math.copysign(1, value) != math.copysign(1, other):
            raise PatternError("0 and -0 are the same to some")
        return _double(value) == _double(other)
    return type(value) is type(other) and value == other


def _double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _passes(plain: str, answer: str, value: Plain) -> bool:
    """Tell whether an assertion holds, by how promptfoo reads its value.

    Raises:
        PatternError: when promptfoo refuses the value, or what it makes of it is not known.
    """
    check = IN_JAVASCRIPT[plain]
    if plain == "equals":
        return _equals(answer, value)
    if plain == "is-json":
        holds = check.passes(answer, [""])
        if holds and value:
            raise PatternError("its value is a schema")
        return holds
    if plain.endswith(("-any", "-all")):
        return check.passes(answer, _many(value))
    if plain in ("starts-with", "regex") and not isinstance(value, str):
        raise PatternError("promptfoo refuses a value that is not text")
    return check.passes(answer, [_text_of(value)])


def _text_of(value: Plain) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        raise PatternError("promptfoo refuses a value that is neither a text nor a number")
    return value if isinstance(value, str) else stringify(value)


def _many(value: Plain) -> list[str]:
    if isinstance(value, str) and value:
        try:
            return fields(value)
        except ValueError as error:
            raise PatternError(f"promptfoo refuses its value: {error}") from error
    if not isinstance(value, list):
        raise PatternError("promptfoo refuses a value that is not a list")
    if any(isinstance(item, bool | dict | list) or item is None for item in value):
        raise PatternError("its list holds more than texts and numbers")
    return [item if isinstance(item, str) else stringify(item) for item in value]


GRADING = Grading(
    lambda _record, sample, answer, _enough: graded(sample.data, sample.context, answer),
    nests_members=True,
    # The values of assertions tell, which the run repeats, so that a change of the sample misleads nobody.
    recorded_outcomes=lambda record, sample, _changed: recorded_outcomes(record.data, sample.data, sample.context),
    expects_otherwise=lambda record, sample: expects_otherwise(record.data, sample.data, sample.context),
    failed_by=lambda record, sample: failed_by(record.data, sample.data, sample.context),
)
