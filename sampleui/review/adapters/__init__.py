"""How each tool spells a result: rows in, facts and whole records out.

An adapter is two functions. `facts` is cheap and runs for every row of a file; `details` runs for the record shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sampleui.formats.data import Table
from sampleui.review.adapters import agentv, calibrate, gage, gage_run
from sampleui.review.adapters.shape import Details, Facts


@dataclass(frozen=True, slots=True)
class Adapter:
    """One tool's spelling. `claims` tells whether a row is written in it."""

    name: str
    claims: Callable[[Table], bool]
    facts: Callable[[Table], Facts | None]
    details: Callable[[Table], Details]


ADAPTERS = (
    Adapter("calibrate", calibrate.claims, calibrate.facts, calibrate.details),
    Adapter("gage run", gage_run.claims, gage_run.facts, gage_run.details),
    Adapter("gage", gage.claims, gage.facts, gage.details),
    Adapter("agentv", agentv.claims, agentv.facts, agentv.details),
)


def adapter_of(row: Table) -> Adapter | None:
    """Return the adapter of a row, None when no tool writes such rows."""
    return next((adapter for adapter in ADAPTERS if adapter.claims(row)), None)
