"""What the models of a dialect say about a sample, so that schema and rules always agree.

A model says more than a rule can, and in its own words, so what a rule has already said of a message, a segment or
an id is not repeated. pydantic is imported with the first sample that is not ordinary; most are, so the app can
start without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from sampleui.formats.data import DataPath, Plain, Table, shown
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.dialect import Dialect, value_at
from sampleui.sample.dialects.field import Field
from sampleui.sample.model import Sample
from sampleui.sample.models import models_of
from sampleui.sample.models.typed import ANY, TYPES, ValueTest, type_errors
from sampleui.sample.parse import dialect_of, is_reference, is_row, own_id, read
from sampleui.sample.rules.every_dialect import existing_part, may_be_supplied, segment_types
from sampleui.text.diagnostic import Finding, Severity

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from sampleui.sample.models.base import Open

_SEGMENT_TYPE = "segment_type"
"""What the models call a segment of another type than those that they know."""

_WANTED = {
    "string_type": "must be a string",
    "float_type": "must be a number",
    "list_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "string_too_short": "must not be empty",
    "too_short": "must not be empty",
    "string_pattern_mismatch": "must not be blank",
}


def model_errors(sample: Sample, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield an error for each value that has another shape than its dialect's model, and for each that is missing.

    Args:
        sample: the sample. An older record is judged as the sample it maps to.
        findings: what the rules say of it.
    """
    data, dialect = read(sample), dialect_of(sample)
    if not dialect.modelled:
        yield from _by_table(sample, data, findings)
        return
    if is_ordinary(dialect, data):
        return
    models = models_of(dialect)
    errors = {finding.node for finding in findings if finding.severity is Severity.ERROR}
    around = {node[:depth] for node in errors for depth in range(len(node) + 1)}
    for path, detail in errors_of(models.keyed if _named(sample) else models.sample, data):
        node = existing_part(sample, path)
        is_variable = path[:1] == ("vars",) and path != ("vars",) and may_be_supplied(sample)
        if is_variable:  # variables of a prompt may be anything
            continue
        if not (_shared(sample, path) and _on_one_path(node, errors, around)):
            yield _finding(path, node, detail, dialect)


def model_errors_beside(dialect: Dialect, context: Table) -> Iterator[Finding]:
    """Yield an error for each value beside the samples of a deck that has another shape than its model."""
    if not dialect.modelled:
        for path, rule, words in type_errors(dialect.beside, context):
            yield Finding(rule, Severity.ERROR, f"{shown(path)} {words}", path)
    elif not _are_plain(dialect, dialect.beside, context):
        for path, detail in errors_of(models_of(dialect).beside, context):
            yield _finding(path, path, detail, dialect)


def _by_table(sample: Sample, data: Table, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield what the table of a dialect says of values of wrong types, if no rule has said it."""
    errors = {finding.node for finding in findings if finding.severity is Severity.ERROR}
    if is_row(data, dialect_of(sample), sample.columns):
        return
    for path, rule, words in type_errors(dialect_of(sample).fields, data):
        if path not in errors and not is_reference(value_at(data, path)):
            yield Finding(rule, Severity.ERROR, f"{shown(path)} {words}", existing_part(sample, path))


def is_ordinary(dialect: Dialect, data: Table) -> bool:
    """Tell whether it is plain, as for most samples, that a model would find nothing that the rules do not."""
    conversations = [path for path in dialect.message_paths if len(path) == 1 and path[0] in data]
    if len(conversations) > 1:  # of several the rules read one
        return False
    if dialect.required - data.keys() - {"id"}:  # the key of a sample may be its id
        return False
    return _are_plain(dialect, dialect.fields, data)


def _are_plain(dialect: Dialect, fields: Mapping[str, Field], data: Table) -> bool:
    """Tell whether the values of a table are right at first sight; what is under other keys may be anything."""
    plain_tests = of_dialect(dialect).checks().plain
    return all(_is_plain(fields[key].type, value, plain_tests) for key, value in data.items() if key in fields)


def _is_plain(words: str, value: Plain, plain_tests: Mapping[str, ValueTest]) -> bool:
    each = words.split("|")
    tests = (
        plain_tests[word] if word in plain_tests else TYPES[word].test
        for word in each
        if word in plain_tests or word in TYPES
    )
    return ANY in each or any(test(value) for test in tests)


def errors_of(model: type[Open], data: Table) -> Iterator[tuple[DataPath, ErrorDetails]]:
    """Yield the path of each value that a model rejects, with what pydantic says of it."""
    from pydantic import ValidationError

    try:
        model.model_validate(data)
    except ValidationError as error:
        for detail in error.errors(include_url=False, include_context=False):
            # Without the tags of unions; the name of a missing key is the last step.
            yield tuple(step for step in detail["loc"] if not str(step).startswith("<")), detail


def _finding(path: DataPath, node: DataPath, detail: ErrorDetails, dialect: Dialect) -> Finding:
    if detail["type"] in ("lacks", "missing"):
        words = detail["msg"] if detail["type"] == "lacks" else "is required"
        return Finding("field-missing", Severity.ERROR, f"{shown(path)} {words}", node)
    words = _WANTED.get(detail["type"], detail["msg"])
    if detail["type"] == _SEGMENT_TYPE:
        words = f"must have a type: {segment_types(dialect)}"
    return Finding("field-type", Severity.ERROR, f"{shown(path)} {words}", node)


def _named(sample: Sample) -> bool:
    """Tell whether a sample is called by its key in a keyed deck."""
    return sample.id not in (f"#{sample.index + 1}", own_id(sample.data, dialect_of(sample)))


def _shared(sample: Sample, path: DataPath) -> bool:
    """Tell whether the rules of all dialects cover a value: the id, the messages, their roles and contents."""
    depth = len(sample.messages_path)
    rest = path[depth:]
    if path[:depth] != sample.messages_path:
        return path == ("id",)
    return len(rest) < 2 or rest[1] in ("role", "content")


def _on_one_path(node: DataPath, errors: set[DataPath], around: set[DataPath]) -> bool:
    """Tell whether a value is one that has an error, is in one, or around one."""
    return node in around or any(node[:depth] in errors for depth in range(len(node)))
