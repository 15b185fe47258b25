"""The built-in evaluators of pydantic-evals: their arguments, what a new one starts as, and what loading refuses.

Source: pydantic-evals 2.62, `evaluators/common.py`, `evaluators/agentic.py`, `dataset.py`. An evaluator is made of
its arguments when a data set is loaded, which checks their names and no types; a value of a wrong type fails, or
makes a wrong result, when it is judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, as_list, is_number
from sampleui.formats.document import Document
from sampleui.integrations.integration import Checks
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
        purpose: what it tells of an output.
        required, optional: the arguments that it must have and those that are offered, with what they start as.
        others: further arguments that it may have.
    """

    purpose: str
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
    "EqualsExpected": Evaluator("the output is what is expected", {}, _NAMED),
    "Equals": Evaluator("the output is this value", {"value": ""}, _NAMED),
    "Contains": Evaluator(
        "the output has a value in it", {"value": ""}, {"case_sensitive": True, "as_strings": False, **_NAMED}
    ),
    "IsInstance": Evaluator("the output is of a type", {"type_name": ""}, _NAMED),
    "LLMJudge": Evaluator(
        "a model says whether a criterion is met",
        {"rubric": ""},
        {**_JUDGE, "include_expected_output": False},
        keys("model_settings score assertion"),
    ),
    "MaxDuration": Evaluator("the task took no more than so many seconds", {"seconds": 1}, {}),
    "HasMatchingSpan": Evaluator("a span of the trace is as described", {"query": {"name_contains": ""}}, _NAMED),
    "ToolCorrectness": Evaluator(
        "these tools were called", {"expected_tools": [""]}, {"allow_extra": False, **_CALLED}
    ),
    "TrajectoryMatch": Evaluator(
        "tools were called in this order", {"expected_trajectory": [""]}, {"order": "in_order", **_CALLED}
    ),
    "ArgumentCorrectness": Evaluator(
        "a tool was called with these arguments",
        {"tool_name": "", "expected_arguments": {}},
        {"match_mode": "subset", **_CALLED},
        keys("occurrence"),
    ),
    "MaxToolCalls": Evaluator(
        "no more than so many tools were called", {"max_calls": 1}, {"include_failed": True, **_NAMED}
    ),
    "MaxModelRequests": Evaluator("no more than so many requests went to a model", {"max_requests": 1}, _NAMED),
    "GEval": Evaluator(
        "a model gives a score by criteria and steps",
        {"criteria": "", "evaluation_steps": [""]},
        {**_JUDGE, **_NAMED},
        keys("score_range model_settings"),
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


def starts() -> Starts:
    """Return what each evaluator starts as: its name, around its arguments."""
    return {
        "evaluators": {
            name: Start({name: item.required}, item.optional, purpose=item.purpose)
            for name, item in EVALUATORS.items()
        }
    }


def keys_refused(sample: Sample) -> Iterator[Finding]:
    """A key that a case has not: loading refuses each of them."""
    yield from _unknown(sample.data, dialect_of(sample).known)


def refused_beside(document: Document, _: Path) -> Iterator[Finding]:
    """Yield what is wrong with the evaluators of all cases, and the keys that a data set has not."""
    context = document.context
    yield from _unknown(context, _OF_A_SET)
    if not isinstance(context.get("name", ""), str | None):
        yield _refused("the name of a data set must be a text", ("name",))
    yield from evaluators_refused(context)


def _unknown(table: Table, known: frozenset[str]) -> Iterator[Finding]:
    for key in (key for key in table if key not in known):
        near = nearest(key, known)
        hint = f'; did you mean "{near}"?' if near and near not in table else ""
        yield Finding("key-refused", Severity.ERROR, f'pydantic-evals does not load the key "{key}"{hint}', (key,))


_OF_A_SET = keys("$schema name cases evaluators report_evaluators")
RULES: Mapping[str, Rule] = {
    "evaluators-refused": lambda sample: evaluators_refused(sample.data),
    "keys-refused": keys_refused,
}


def evaluators_refused(holder: Table) -> Iterator[Finding]:
    """Yield what is wrong with evaluators that loading refuses, or that get what they cannot use."""
    if not isinstance(holder.get("evaluators"), list | None):
        yield _refused("evaluators must be a list", ("evaluators",))
    for index, item in enumerate(as_list(holder.get("evaluators"))):
        yield from _wrong_with(item, ("evaluators", index))


class Spec(NamedTuple):
    """An evaluator of a case: its name, and its arguments with where they are.

    Attributes:
        arguments: by their names; an argument that is given without its name is the first, under "".
    """

    name: str
    arguments: Table
    path: DataPath


def spec_of(item: Plain, path: DataPath = ()) -> Spec | str:
    """Return what an evaluator says: `Name`, `{Name: argument}`, `{Name: {…}}`, `{name: …, arguments: …}`.

    Args:
        item: the evaluator.
        path: where it is.

    Returns:
        That, or in words why loading refuses it.
    """
    if isinstance(item, str):
        return Spec(item, {}, path)
    if not isinstance(item, dict) or not item:
        return "an evaluator is a name, or a table of a name and its arguments"
    if item.keys() == {"name", "arguments"} and isinstance(name := item["name"], str):
        given, inside = {} if item["arguments"] is None else item["arguments"], (*path, "arguments")
        if isinstance(given, list) and len(given) == 1:
            return Spec(name, {"": given[0]}, (*inside, 0))
        if not isinstance(given, dict):
            return "arguments are a table, or a list of one"
        return Spec(name, given, inside if given else path)
    if len(item) > 1:
        return f"one evaluator is one key with its arguments, and not {', '.join(item)}"
    name, value = next(iter(item.items()))
    return Spec(name, value if isinstance(value, dict) else {"": value}, (*path, name))


def _wrong_with(item: Plain, path: DataPath) -> Iterator[Finding]:
    """Yield what is wrong with an evaluator."""
    spec = spec_of(item, path)
    if isinstance(spec, str):
        inside = isinstance(item, dict) and item.keys() == {"name", "arguments"}
        yield _refused(spec, (*path, "arguments") if inside else path)
        return
    if spec.name not in EVALUATORS:
        yield from _not_built_in(spec.name, spec.path)
        return
    known = EVALUATORS[spec.name].names
    arguments = {key or known[0]: value for key, value in spec.arguments.items()}
    for key, value in arguments.items():
        place = spec.path if "" in spec.arguments else (*spec.path, key)
        if key not in known:
            near = nearest(key, frozenset(known))
            hint = f'did you mean "{near}"?' if near else f"it takes {', '.join(known)}"
            yield _refused(f'{spec.name} has no argument "{key}"; {hint}', place)
        else:
            yield from _wrong_value(spec.name, key, value, place)
    if lacking := [key for key in EVALUATORS[spec.name].required if key not in arguments]:
        yield _refused(f"{spec.name} lacks {' and '.join(lacking)}", spec.path)


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


CHECKS = Checks(RULES, skeletons=starts, of_file=refused_beside)
