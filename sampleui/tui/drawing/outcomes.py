"""How a record came out, told apart without colour."""

from __future__ import annotations

from collections.abc import Mapping

from sampleui.review.record import Outcome

MARKS: Mapping[Outcome, tuple[str, str]] = {
    Outcome.PASSED: ("added", "✓"),
    Outcome.FAILED: ("error", "✖"),
    Outcome.ERROR: ("error-bold", "!"),
    Outcome.UNGRADED: ("muted", "–"),
}
"""The style and the glyph of each outcome."""
