"""From a session to what the author screen says about it: marks beside turns, the title line."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from sampleui.deck import edit
from sampleui.formats.data import DataPath, shown
from sampleui.formats.document import SharedValue
from sampleui.sample.dialects.older import today_called
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of
from sampleui.text.diagnostic import PROBLEMS, Diagnostic, Severity
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.author.widgets import BESIDE
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.cards import Flags, severity_mark
from sampleui.tui.drawing.items import Item, find
from sampleui.tui.widgets.bars import Title
from sampleui.workspace.deck import Deck

if TYPE_CHECKING:
    from sampleui.tui.author.session import Session

RANK = {severity: rank for rank, severity in enumerate(Severity)}
"""How far a severity is from the worst."""


def flags_of(
    session: Session,
    sample: Sample | None,
    items: tuple[Item, ...],
    marked: Set[DataPath] = frozenset(),
    changed: Set[int] = frozenset(),
) -> dict[int, Flags]:
    """Return the notes beside the items of a sample: problems, why a message is not sent, marks, changes.

    There are no notes beside an item whose text is being typed: that is not final.
    """
    flags = _flags_of_findings(session, sample, items) if sample is not None and sample.index >= 0 else {}
    for index, item in enumerate(items):
        older = (
            sample is not None
            and sample.index >= 0
            and bool(today_called(item.path, sample.data, dialect_of(sample)))
        )
        if item.path in marked or index in changed or older:
            known = flags.get(index, Flags())
            flags[index] = known._replace(marked=item.path in marked, changed=index in changed, older=older)
    for shared in edit.shared_values(session.deck.files, sample.index) if sample is not None else ():
        index = find(items, shared.path)[0]
        flags[index] = flags.get(index, Flags())._replace(shared=len(shared.users))
    return flags


def shared_in_words(deck: Deck, shared: SharedValue) -> str:
    """Return how many samples have a shared value, and where it is written."""
    where = "beside the samples" if shared.home < 0 else f"in {one_line(deck.samples[shared.home].id)}"
    count = counted(len(shared.users), "sample")
    return (
        f"{shown(shared.path)} is shared by {count}: &{shared.name}, written {where} at {shown(shared.home_path)}"
    )


def _flags_of_findings(session: Session, sample: Sample, items: tuple[Item, ...]) -> dict[int, Flags]:
    flags: dict[int, Flags] = {}
    for finding in session.problems.of(sample.index):
        if finding.node and not finding.beside and finding.severity in PROBLEMS:
            index = find(items, finding.node)[0]
            flags[index] = Flags(finding.severity, flags.get(index, Flags()).dropped)
    for item in session.deck.render(sample).dropped:
        index = find(items, item.node)[0]
        flags[index] = Flags(flags.get(index, Flags()).severity, item.reason)
    if session.open_edit is not None:
        flags.pop(find(items, session.open_edit.focus.path)[0], None)
    return flags


def status_of(session: Session, sample: Sample | None, items: tuple[Item, ...], index: int) -> tuple[str, str]:
    """Return a text and its style: the worst problem of an item, and how many more it has; else its new name.

    What is wrong with a sample as a whole, or beside it, is told at its first item.

    While a text is typed, its problems are shown as what they are: not final.
    """
    findings = [
        item
        for item in (session.problems.of(sample.index) if sample is not None else ())
        if find(items, () if item.beside else item.node)[0] == index
    ]
    if not findings and sample is not None and items and items[index].path:
        shared = edit.shared_at(session.deck.files, sample.index, items[index].path)
        if shared is not None:
            return shared_in_words(session.deck, shared), "muted"
    if not findings:
        return _older_name(sample, items[index].path) if sample is not None and items else "", "muted"
    worst = min(findings, key=lambda item: RANK[item.severity])
    more = f"  (+{len(findings) - 1} more)" if len(findings) > 1 else ""
    if session.open_edit is not None:
        return f"… {one_line(worst.message)} so far{more}", "muted"
    return f"{severity_mark(worst.severity)} {one_line(worst.message)}{more}", str(worst.severity)


def _older_name(sample: Sample, path: DataPath) -> str:
    """Return what is known of a key that no new sample should have; empty for any other."""
    name = today_called(path, sample.data, dialect_of(sample)) if sample.index >= 0 else ""
    if not name:
        return ""
    return f"{path[0]} is an older name of {name}" + ("" if name in sample.data else "; M renames it")


def title_of(session: Session, sample: Sample | None, *, checked: bool = True) -> Title:
    """Return the title line of the author screen, with nothing of problems if none were looked for."""
    deck = session.deck
    inside = f"{sample.path.name} › " if sample and sample.path != deck.path else ""
    name = f"{deck.path.name} › {inside}{sample.id if sample.index >= 0 else BESIDE}" if sample else deck.path.name
    is_beside = sample is not None and sample.index < 0
    position = "beside" if is_beside else f"{sample.index + 1 if sample else 0}/{len(deck.samples)}"
    state = "unsaved" if session.unsaved else "saved"
    problems = _problem_count(session) if checked else ("muted", "")
    return Title(name, f"{deck.kind.title} · {deck.format.upper()}", position, state, problems)


def _problem_count(session: Session) -> tuple[str, str]:
    counts = session.problems.counts()
    errors, warnings = counts[Severity.ERROR], counts[Severity.WARNING]
    words = [counted(count, word) for count, word in ((errors, "error"), (warnings, "warning")) if count]
    if words:
        so_far = "" if session.problems.complete else " so far"
        style, sign = ("error-bold", "✖") if errors else ("warning-bold", "▲")
        return style, f"{sign} {', '.join(words)}{so_far}"
    if session.problems.complete:
        return "added", "✓ no problems"
    looked, total = session.problems.progress
    return "muted", f"checking {looked:,}/{total:,}"


def hint_for(sample: Sample | None, words: str, notes: Sequence[Diagnostic] = ()) -> str:
    """Return what an empty conversation says: `notes` are the problems of the deck that are of no sample."""
    if sample is not None and sample.index < 0:
        return f"There is nothing beside the samples yet.\n\n{key_named('field.add', '+')} adds a value."
    if sample is None and words:
        return "No sample contains these words.\n\nEscape in the filter shows all."
    if sample is None:
        missing = next(
            (note.message for note in notes if note.rule == "samples-missing"), "This deck has no samples yet"
        )
        return f"{missing}.\n\n{key_named('sample.new', 'n')} writes the first one."
    return f"This sample has no messages yet.\n\n{key_named('turn.add-below', 'o')} writes the first one."
