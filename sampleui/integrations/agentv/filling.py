"""How AgentV 5 fills what a test says from its variables (5.3.1-next, `interpolateRawEvalCase`).

A text that is nothing but a plain variable becomes the variable's value; any other is filled as Nunjucks fills it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sampleui.formats.data import DataPath, Plain, Table, as_table
from sampleui.integrations.nunjucks import Filling
from sampleui.sample.parse import value_at

_WHOLE = re.compile(r"\s*\{\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}\s*", re.ASCII)


def filling_of(data: Table, context: Table) -> Filling | None:
    """Return what a test is filled by: its id, its assertions; None in a file without prompts, an older one."""
    if not context.get("prompts"):
        return None
    default = context.get("default_test")
    variables: Table = {**as_table(as_table(default).get("vars")), **as_table(data.get("vars"))}
    elsewhere = "default_test is kept in another file" if isinstance(default, str) else ""
    return filling_by(variables, context, [], elsewhere)


def filling_by(variables: Table, context: Table, notes: list[str], elsewhere: str = "") -> Filling:
    """Return what a test is filled by, given its variables, and where notes go and further variables may be."""
    own_filters = frozenset(as_table(context.get("nunjucks_filters")))
    return Filling({**variables, "vars": variables}, {}, notes, own_filters, elsewhere=elsewhere)


def only_variable(text: str) -> DataPath | None:
    """Return the path of the variable that a text is and nothing else; None for any other."""
    match = _WHOLE.fullmatch(text)
    return tuple(match[1].split(".")) if match else None


def filled(value: Plain, filling: Filling, whole: Callable[[str, Plain], Plain]) -> Plain:
    """Return a value with its texts filled.

    Args:
        value: the value.
        filling: what it is filled by.
        whole: returns what becomes of a text that is nothing but a variable, given both.
    """
    if isinstance(value, list):
        return [filled(item, filling, whole) for item in value]
    if isinstance(value, dict):
        return {key: filled(item, filling, whole) for key, item in value.items()}
    if not isinstance(value, str):
        return value
    path = only_variable(value)
    variable = value_at(filling.variables, path) if path else None
    return filling.text(value) if variable is None else whole(value, variable)
