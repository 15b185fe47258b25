"""Those evaluators of a pydantic-evals case that need no model or program (its `evaluators/common.py`).

Whatever is uncertain stays open: custom evaluators, models, durations, spans.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, tables_in
from sampleui.integrations.integration import Grading
from sampleui.integrations.pydantic_evals.rules import spec_of
from sampleui.runs.checks import TextCheck, contains
from sampleui.runs.regrading import NO_ANSWER, Graded, paired, shown_value

_EXPECTED = "EqualsExpected"


def graded(
    data: Table, context: Table, output: Plain, *, answered: bool, row: Table | None = None
) -> tuple[Graded, ...]:
    """Return the outcomes of the evaluators of a case, those of its dataset before its own.

    Args:
        data: the case as the file gives it.
        context: the values of the file beside its cases.
        output: what was answered: any value, as the report has it.
        answered: whether anything was.
        row: the case as the report has it, None if there is none.
    """
    unknown = "" if answered else NO_ANSWER
    if answered and row is not None and not _is_as_shown(row, output):
        unknown = "its output may have been of another type in the run"
    listed = [*as_list(context.get("evaluators")), *as_list(data.get("evaluators"))]
    return tuple(entry for item in listed for entry in _graded(item, data, output, unknown))


def recorded_outcomes(row: Table, data: Table, context: Table) -> dict[DataPath, bool | None]:
    """Return which evaluators of a case held, by their paths; None where one gave a score, a label or nothing."""
    of_case = [
        (("evaluators", index), _identity(item)) for index, item in enumerate(as_list(data.get("evaluators")))
    ]
    shared = [((), _identity(item)) for item in as_list(context.get("evaluators"))]
    outcomes = [(_identity(spec), passed) for spec, passed in _ran(row)]
    outcomes += [(_identity(item.get("source")), None) for item in tables_in(row.get("evaluator_failures"))]
    return paired([*of_case, *shared], outcomes)


def _ran(row: Table) -> Iterator[tuple[Plain, bool | None]]:
    """Yield each evaluator that asserted something of a case, as the report repeats it, and whether it held."""
    for result in tables_in([*as_table(row.get("assertions")).values()]):
        passed = result.get("value")
        yield result.get("source"), passed if isinstance(passed, bool) else None


def _is_as_shown(row: Table, output: Plain) -> bool:
    """Tell whether an output was the value that a report shows, by what evaluators said of it in the run.

    A report shows a tuple as a list and a model as a table: these are so only where one was equal to them.
    """
    told = []
    for item, passed in _ran(row):
        kind, arguments = _spec(item)
        wanted = row.get("expected_output") if kind == _EXPECTED else arguments.get("value")
        judged = _passed_by(kind, arguments, wanted, output)
        if passed is not None and judged is not None:
            told.append((passed, judged))
    held = any(passed for passed, _ in told)
    return all(passed is judged for passed, judged in told) and (held or not isinstance(output, list | dict))


def _identity(item: Plain) -> str:
    return json.dumps(_spec(item), sort_keys=True, default=str)


def _graded(item: Plain, data: Table, output: Plain, unknown: str) -> Iterator[Graded]:
    kind, arguments = _spec(item)
    wanted = data.get("expected_output") if kind == _EXPECTED else arguments.get("value")
    text = f"{kind}{shown_value(kind, wanted)}"
    name = arguments.get("evaluation_name")
    called = name if isinstance(name, str) and name else kind
    if kind == _EXPECTED and wanted is None:
        return  # it gives no result then
    passed = None if unknown else _passed_by(kind, arguments, wanted, output)
    yield Graded(called, text, passed, (unknown or "needs its evaluator") if passed is None else "")


def _passed_by(kind: str, arguments: Table, wanted: Plain, output: Plain) -> bool | None:
    """Return whether an evaluator holds, None if that cannot be judged here."""
    if kind in (_EXPECTED, "Equals"):
        return wanted == output  # as Python has it: 1 is 1.0 and True
    if kind == "Contains" and isinstance(output, str) and isinstance(wanted, str):
        form = str if arguments.get("case_sensitive", True) is not False else str.lower
        return TextCheck(contains, form=form).passes(output, [wanted])
    return None


def _spec(item: Plain) -> tuple[str, Table]:
    """Return the name and the arguments of an evaluator; one without its name is the value to compare with."""
    spec = spec_of(item)
    if isinstance(spec, str):
        return "?", {}
    return spec.name, {key or "value": value for key, value in spec.arguments.items()}


GRADING = Grading(
    lambda record, sample, answer, _enough: graded(
        sample.data, sample.context, record.data.get("output", answer), answered=answer is not None, row=record.data
    ),
    # Names and arguments tell evaluators, which a report repeats as the source of a result.
    recorded_outcomes=lambda record, sample, _changed: recorded_outcomes(record.data, sample.data, sample.context),
)
