"""What a table reads of an unknown file, as rows."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.errors import SettingsError
from sampleui.guessing.trials import LOOKED_AT, Read, Trial
from sampleui.guessing.unknown import Unknown
from sampleui.settings.tables import RESULTS
from sampleui.text.counting import counted
from sampleui.text.visible import one_line
from sampleui.tui.drawing.rows import Row, fitted, text_rows

_NAMES = 9
_LONGEST = 400


def trial_rows(unknown: Unknown, trial: Trial | SettingsError, width: int) -> list[Row]:
    """Return what came of a table, wrapped to a width: what is wrong with it, else how much and what it reads."""
    if isinstance(trial, SettingsError):
        return text_rows(f"✖ {place_of(trial)}{trial.message}", "error-bold", width)
    rows = text_rows(_count(unknown, trial), "added" if trial.read == trial.looked else "warning", width)
    rows += text_rows(f"▲ {trial.why}", "warning-bold", width) if trial.why else []
    for read in trial.first:
        rows += [(("text", ""),), *_read_rows(read, width)]
    return rows


def place_of(error: SettingsError) -> str:
    """Return the line and the column of an error in the text, in words; empty where they are not known."""
    if error.line is None:
        return ""
    return f"line {error.line}, column {error.column}: " if error.column else f"line {error.line}: "


def _count(unknown: Unknown, trial: Trial) -> str:
    what = "row" if unknown.setting == RESULTS else "sample"
    first = "the first " if trial.looked == LOOKED_AT else ""
    all_looked = f"{first}{counted(trial.looked, what)}"
    said = f"{trial.read:,} of {all_looked} {'is' if trial.read == 1 else 'are'} read with it"
    said += f": {trial.read - trial.failed:,} passed, {trial.failed:,} failed" if unknown.setting == RESULTS else ""
    return f"{'✓' if trial.read == trial.looked else '▲'} {said}"


def _read_rows(read: Read, width: int) -> Iterator[Row]:
    outcome = (("text", f"  {read.outcome}"),) if read.outcome else ()
    yield (("accent-bold", fitted(one_line(read.id), max(width - 24, 8))), *outcome)
    parts = (("turns", ", ".join(read.roles)), ("asked", read.asked), ("expected", read.expected))
    for name, text in (*parts, ("answered", read.answered)):
        if text:
            yield ("muted", f"{name:<{_NAMES}}"), ("text", fitted(one_line(text, _LONGEST), max(width - _NAMES, 8)))
