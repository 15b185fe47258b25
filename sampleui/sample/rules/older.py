"""The rule about older records, which their dialect has another spelling for today."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.sample.dialects.dialect import Dialect, Older
from sampleui.sample.dialects.older import updated
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of
from sampleui.text.diagnostic import Finding, Severity


def legacy_record(sample: Sample) -> Iterator[Finding]:
    """The record is in an older form, and can be rewritten.

    A key that a rule of its own tells of is none of it (gage-eval standardized sample, §1.5; sample format
    migration, "Current Format").
    """
    dialect = dialect_of(sample)
    update = updated(sample.data, dialect)
    old = [key for key in update.old if key not in update.told_apart] if update else []
    if update and old:
        shown = (
            "shown as it is spelled today"
            if dialect.older is Older.READ
            else f"which {dialect.title} no longer reads"
        )
        besides = f", and keeps {', '.join(update.kept)} under {dialect.metadata}" if update.kept else ""
        message = f"Older record ({', '.join(old)}), {shown}; {cure(dialect)} rewrites it{besides}"
        yield Finding("legacy-record", Severity.WARNING, message, (old[0],))


def cure(dialect: Dialect) -> str:
    """Return what brings an older record up to date, with a screen and without."""
    return f"M in the app, or sampleui convert --from {dialect.name} --to {dialect.name},"
