"""What the list of a workspace shows: the files that the words of its filter let through, and its title."""

from __future__ import annotations

from sampleui.text.counting import counted
from sampleui.tui.widgets.title_bar import Title
from sampleui.tui.workspace.listing import Entry
from sampleui.tui.workspace.state import Workspace


def let_through(workspace: Workspace, words: str) -> list[int]:
    """Return the places of the files whose names and ids hold all words."""
    wanted = words.casefold().split()

    def holds(one: Entry) -> bool:
        text = "\n".join((workspace.named(one.path), *one.ids)).casefold()
        return all(word in text for word in wanted)

    return [at for at, one in enumerate(workspace.entries) if not wanted or holds(one)]


def title_of(workspace: Workspace, complete: bool) -> Title:
    """Return the title: the folders, how many files are listed, and how many errors they have."""
    entries = workspace.entries
    errors = sum(max(one.errors, 0) + bool(one.failure) for one in entries)
    left = sum(one.errors < 0 for one in entries)
    well = ("muted", f"{left:,} to check") if left or not complete else ("added", "✓ no errors")
    return Title(
        ", ".join(map(str, workspace.paths[:3])),
        "Workspace",
        f"{counted(len(entries), 'file')}{'' if complete else ' …'}",
        "unsaved" if workspace.unsaved else "saved",
        ("error-bold", f"✖ {counted(errors, 'error')}") if errors else well,
    )
