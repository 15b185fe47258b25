"""How a record came out, as it is drawn."""

from __future__ import annotations

from collections.abc import Mapping

from sampleui.review.record import SIGNS, Outcome

_STYLES = ("added", "error", "error-bold", "muted")

MARKS: Mapping[Outcome, tuple[str, str]] = {
    outcome: (style, sign) for (outcome, sign), style in zip(SIGNS.items(), _STYLES, strict=True)
}
"""The style and the sign of each outcome."""
