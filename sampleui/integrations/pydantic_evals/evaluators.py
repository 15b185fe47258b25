"""The built-in evaluators of pydantic-evals: their arguments, what a new one starts as, and what loading refuses.

Source: pydantic-evals 2.62, `evaluators/common.py`, `evaluators/agentic.py`, `dataset.py`. An evaluator is made of
its arguments when a data set is loaded, which checks their names and no types; a value of a wrong type fails, or
makes a wrong result, when it is judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, as_list, is_number
from sampleui.formats.document import Document
from sampleui.sample.dialects.field import keys
from sampleui.sample.fields import Start, Starts
from sampleui.sample.model import Sample
from sampleui.sample.models.typed import TYPES, is_of_type
from sampleui.sample.parse import dialect_of
from sampleui.sample.rules.every_dialect import Rule, nearest
from sampleui.text.diagnostic import Finding, Severity


class Evaluator(NamedTuple):
    """What an evaluator takes.

    Attributes:
        required, optional: the arguments that it must have and those that are offered, with what they start as.
        others: further arguments that it may have.
    """

    required: Table
    optional: Table
    others: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all its arguments, the one that may be given without a name first."""
        return (*self.required, *self.optional, *sorted(self.others))


_NAMED: Table = {"evaluation_name": ""}
_CALLED: Table = {"include_failed": False, **_NAMED}
_JUDGE: Table = {"model": "", "include_input": False}

EVALUATORS: Mapping[str, Evaluator] = {
    "EqualsExpected": Evaluator({}, _NAMED),
    "Equals": Evaluator({"value": ""}, _NAMED),
    "Contains": Evaluator({"value": ""}, {"case_sensitive": True, "as_strings": False, **_NAMED}),
    "IsInstance": Evaluator({"type_name": ""}, _NAMED),
    "LLMJudge": Evaluator(
        {"rubric": ""}, {**_JUDGE, "include_expected_output": False}, keys("model_settings score assertion")
    ),
    "MaxDuration": Evaluator({"seconds": 1}, {}),
    "HasMatchingSpan": Evaluator({"query": {"name_contains": ""}}, _NAMED),
    "ToolCorrectness": Evaluator({"expected_tools": [""]}, {"allow_extra": False, **_CALLED}),
    "TrajectoryMatch": Evaluator({"expected_trajectory": [""]}, {"order": "in_order", **_CALLED}),
    "ArgumentCorrectness": Evaluator(
        {"tool_name": "", "expected_arguments": {}}, {"match_mode": "subset", **_CALLED}, keys("occurrence")
    ),
    "MaxToolCalls": Evaluator({"max_calls": 1}, {"include_failed": True, **_NAMED}),
    "MaxModelRequests": Evaluator({"max_requests": 1}, _NAMED),
    "GEval": Evaluator(
        {"criteria": "", "evaluation_steps": [""]}, {**_JUDGE, **_NAMED}, keys("score_range model_settings")
    ),
}

_TEXTS = keys("evaluation_name type_name rubric model criteria order tool_name match_mode")
_TRUTHS = keys("case_sensitive as_strings include_input include_expected_output allow_extra include_failed")
_ARGUMENTS: Mapping[str, str] = {
    **dict.fromkeys(_TEXTS, "text"),
    **dict.fromkeys(_TRUTHS, "truth"),
    **dict.fromkeys(keys("seconds max_calls max_requests"), "number"),
    **dict.fromkeys(keys("query expected_arguments model_settings"), "table"),
    **dict.fromkeys(keys("expected_tools expected_trajectory evaluation_steps"), "texts"),
    **dict.fromkeys(keys("score assertion"), "table|truth"),
    "score_range": "list",
    "occurrence": "text|number",
}
"""The types of arguments in words; an argument has the same in each evaluator, and any where it has none here."""

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "order": ("exact", "in_order", "any_order"),
    "match_mode": ("exact", "subset"),
    "occurrence": ("first", "last"),
}
_NULL = keys("evaluation_name model model_settings")
"""The arguments that may be null."""

_CONDITIONS: Mapping[str, str] = {
    **dict.fromkeys(keys("name_equals name_contains name_matches_regex has_status"), "text"),
    "has_attributes": "table",
    "has_attribute_keys": "texts",
    **dict.fromkeys(keys("min_duration max_duration"), "number"),
    **dict.fromkeys(
        keys("min_child_count max_child_count min_descendant_count max_descendant_count min_depth max_depth"),
        "number",
    ),
    **dict.fromkeys(keys("and_ or_"), "tables"),
    **dict.fromkeys(
        keys(
            """
            not_ some_child_has all_children_have no_child_has stop_recursing_when some_descendant_has
            all_descendants_have no_descendant_has some_ancestor_has all_ancestors_have no_ancestor_has
            """
        ),
        "table",
    ),
}
"""The conditions of a query for spans with their types (`SpanQuery`); others are never asked for."""


_PURPOSES: Mapping[str, str] = {
    "EqualsExpected": "the output is what is expected",
    "Equals": "the output is this value",
    "Contains": "the output has a value in it",
    "IsInstance": "the output is of a type",
    "LLMJudge": "a model says whether a criterion is met",
    "MaxDuration": "the task took no more than so many seconds",
    "HasMatchingSpan": "a span of the trace is as described",
    "ToolCorrectness": "these tools were called",
    "TrajectoryMatch": "tools were called in this order",
    "ArgumentCorrectness": "a tool was called with these arguments",
    "MaxToolCalls": "no more than so many tools were called",
    "MaxModelRequests": "no more than so many requests went to a model",
    "GEval": "a model gives a score by criteria and steps",
}


def starts() -> Starts:
    """Return what each evaluator starts as: its name, around its arguments."""
    return {
        "evaluators": {
            name: Start({name: item.required}, item.optional, purpose=_PURPOSES[name])
            for name, item in EVALUATORS.items()
        }
    }


def evaluators_refused(sample: Sample) -> Iterator[Finding]:
    """An evaluator of a case that loading refuses, or that gets what it cannot use."""
    yield from _wrong_in(sample.data)


def keys_refused(sample: Sample) -> Iterator[Finding]:
    """A key that a case has not: loading refuses each of them."""
    yield from _unknown(sample.data, dialect_of(sample).known)


def refused_beside(document: Document, _: Path) -> Iterator[Finding]:
    """Yield what is wrong with the evaluators of all cases, and the keys that a data set has not."""
    context = document.context
    yield from _unknown(context, _OF_A_SET)
    if not isinstance(context.get("name", ""), str | None):
        yield _refused("the name of a data set must be a text", ("name",))
    yield from _wrong_in(context)


def _unknown(table: Table, known: frozenset[str]) -> Iterator[Finding]:
    for key in (key for key in table if key not in known):
        near = nearest(key, known)
        hint = f'; did you mean "{near}"?' if near and near not in table else ""
        yield Finding("key-refused", Severity.ERROR, f'pydantic-evals does not load the key "{key}"{hint}', (key,))


_OF_A_SET = keys("$schema name cases evaluators report_evaluators")
RULES: Mapping[str, Rule] = {"evaluators-refused": evaluators_refused, "keys-refused": keys_refused}


def _wrong_in(holder: Table) -> Iterator[Finding]:
    if not isinstance(holder.get("evaluators"), list | None):
        yield _refused("evaluators must be a list", ("evaluators",))
    for index, item in enumerate(as_list(holder.get("evaluators"))):
        yield from _wrong_with(item, ("evaluators", index))


def _wrong_with(item: Plain, path: DataPath) -> Iterator[Finding]:
    """Yield what is wrong with an evaluator: `Name`, `{Name: argument}`, `{name: …, arguments: …}`."""
    if isinstance(item, str):
        yield from _wrong_arguments(item, {}, path)
    elif not isinstance(item, dict) or not item:
        yield _refused("an evaluator is a name, or a table of a name and its arguments", path)
    elif item.keys() == {"name", "arguments"} and isinstance(item["name"], str):
        name, arguments, inside = item["name"], item["arguments"], (*path, "arguments")
        if arguments is None or isinstance(arguments, dict):
            yield from _wrong_arguments(name, arguments or {}, inside if arguments else path)
        elif isinstance(arguments, list) and len(arguments) == 1:
            yield from _wrong_alone(name, arguments[0], (*inside, 0))
        else:
            yield _refused("arguments are a table, or a list of one", inside)
    elif len(item) > 1:
        yield _refused(f"one evaluator is one key with its arguments, and not {', '.join(item)}", path)
    else:
        name, arguments = next(iter(item.items()))
        if isinstance(arguments, dict):
            yield from _wrong_arguments(name, arguments, (*path, name))
        else:
            yield from _wrong_alone(name, arguments, (*path, name))


def _wrong_alone(name: str, value: Plain, path: DataPath) -> Iterator[Finding]:
    """Yield what is wrong with an argument that is given without its name: it is the first."""
    if name in EVALUATORS:
        first = EVALUATORS[name].names[0]
        yield from _missing(name, {first}, path)
        yield from _wrong_value(name, first, value, path)
    else:
        yield from _not_built_in(name, path)


def _wrong_arguments(name: str, arguments: Table, path: DataPath) -> Iterator[Finding]:
    if name not in EVALUATORS:
        yield from _not_built_in(name, path)
        return
    known = EVALUATORS[name].names
    for key, value in arguments.items():
        if key not in known:
            near = nearest(key, frozenset(known))
            hint = f'did you mean "{near}"?' if near else f"it takes {', '.join(known)}"
            yield _refused(f'{name} has no argument "{key}"; {hint}', (*path, key))
        else:
            yield from _wrong_value(name, key, value, (*path, key))
    yield from _missing(name, arguments.keys(), path)


def _missing(name: str, arguments: Collection[str], path: DataPath) -> Iterator[Finding]:
    lacking = [key for key in EVALUATORS[name].required if key not in arguments]
    if lacking:
        yield _refused(f"{name} lacks {' and '.join(lacking)}", path)


def _wrong_value(name: str, key: str, value: Plain, path: DataPath) -> Iterator[Finding]:
    words = _ARGUMENTS.get(key, "any")
    if value is None and key in _NULL:
        return
    if key == "evaluation_steps" and value == []:
        yield _refused(f"{key} of {name} must have a step", path)
    elif key == "score_range" and not _is_range(value):
        yield _refused(f"{key} of {name} must be two numbers, the lower first", path)
    elif not is_of_type(words, value):
        wanted = " or ".join(TYPES[word].words for word in words.split("|"))
        yield _unfit(f"{key} of {name} must be {wanted}", path)
    elif key in _CHOICES and isinstance(value, str) and value not in _CHOICES[key]:
        yield _unfit(f"{key} of {name} must be {' or '.join(_CHOICES[key])}", path)
    elif key == "query" and isinstance(value, dict):
        yield from _wrong_query(value, path)


def _wrong_query(query: Table, path: DataPath) -> Iterator[Finding]:
    for key, value in query.items():
        words = _CONDITIONS.get(key)
        if words is None:
            near = nearest(key, frozenset(_CONDITIONS))
            hint = f'; did you mean "{near}"?' if near else ""
            yield _unfit(f'a query for spans has no condition "{key}", which is passed over{hint}', (*path, key))
        elif not is_of_type(words, value):
            yield _unfit(f"{key} must be {TYPES[words].words}", (*path, key))
        elif isinstance(value, dict) and key != "has_attributes":
            yield from _wrong_query(value, (*path, key))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, dict):
                    yield from _wrong_query(item, (*path, key, index))


def _is_range(value: Plain) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    low, high = value
    return is_number(low) and is_number(high) and low < high


def _not_built_in(name: str, path: DataPath) -> Iterator[Finding]:
    near = nearest(name, frozenset(EVALUATORS))
    if near:
        message = f'"{name}" is no evaluator of pydantic-evals, only one of your own could be called so'
        yield Finding("evaluator-unknown", Severity.WARNING, f'{message}; did you mean "{near}"?', path)


def _refused(message: str, path: DataPath) -> Finding:
    return Finding("evaluator-refused", Severity.ERROR, f"pydantic-evals does not load it: {message}", path)


def _unfit(message: str, path: DataPath) -> Finding:
    return Finding("evaluator-argument", Severity.WARNING, message, path)
