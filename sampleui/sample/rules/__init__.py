"""Rules: what each dialect says about a sample, as findings with the path of the value they are about.

A rule is a generator over one sample, called by its name, which a dialect switches on by naming it. The rules of
several integrations are here, those of one are beside its dialect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sampleui.formats.data import DataPath
from sampleui.integrations.index import of_dialect
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of
from sampleui.sample.rules import common
from sampleui.sample.rules.common import Rule, id_missing, segment_invalid
from sampleui.sample.rules.deck import Ids, duplicates, of_file
from sampleui.sample.rules.models import model_errors
from sampleui.text.diagnostic import Finding, Severity

__all__ = ["RULES", "Ids", "Rule", "check", "duplicates", "is_error_at", "of_file"]

RULES: Mapping[str, Rule] = {
    "id-missing": id_missing,
    "segment-invalid": segment_invalid,
    "legacy-record": common.legacy_record,
}
"""The rules of several integrations, which a dialect switches on by naming them."""


def check(sample: Sample) -> tuple[Finding, ...]:
    """Return what the rules of its dialect say of a sample, in the order of the rules, then what its shape says."""
    dialect = dialect_of(sample)
    known = {**RULES, **of_dialect(dialect).checks().rules} if dialect.rules else RULES
    own = (known[name] for name in dialect.rules if name in known)
    findings = tuple(finding for rule in (*common.RULES, *own) for finding in rule(sample))
    return (*findings, *model_errors(sample, findings))


def is_error_at(findings: Iterable[Finding], node: DataPath) -> bool:
    """Tell whether one of some findings is an error about a value, or about one in it or around it."""
    errors = (finding.node for finding in findings if finding.severity is Severity.ERROR and finding.node)
    return any(node[: len(error)] == error[: len(node)] for error in errors)
