"""Commands on what is changed: what it is compared with, and taking a change back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.deck.history import Focus
from sampleui.deck.model import Base
from sampleui.errors import EditRefusedError
from sampleui.text.edit import shared_start
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.author.actions.needs import AUTHOR

if TYPE_CHECKING:
    from sampleui.deck.comparing import Hunk
    from sampleui.tui.author.screen import AuthorScreen

_SHOWN, _BEFORE = 26, 8
"""Characters that are shown of a side of a change, and of what is before the first one that differs."""


@AUTHOR.command("diff.against", "c", "Compare with", group="Changes")
async def against(screen: AuthorScreen) -> None:
    """Compare the deck with the file on disk, git's index or the last commit: marks ~ and the diff follow."""
    bases = {str(base): base for base in Base}
    picked = await screen.pick("Compare with", [*bases])
    if picked:
        await screen.comparing.choose(bases[picked])
        screen.refresh_all()
        count = len(screen.comparing.changed)
        screen.say(f"{counted(count, 'sample')} changed since {picked}")


@AUTHOR.command("diff.take-back", "U", "Take back", group="Changes")
async def take_back(screen: AuthorScreen) -> None:
    """Take back one change since what the deck is compared with; those of this sample come first."""
    from sampleui.deck.comparing import hunks, taken_back  # the start must not wait for it
    from sampleui.tui.author.boxes import HunkPick

    files = screen.session.deck.files
    changes = hunks(files, screen.comparing.olds)
    if not changes:
        raise EditRefusedError(f"nothing differs from {screen.comparing.base}")
    changes.sort(key=lambda item: screen.index not in item.samples)
    named = {f"{number}  {_hunk_label(screen, item)}": item for number, item in enumerate(changes, 1)}
    picked = await screen.asked(HunkPick(f"Take back a change since {screen.comparing.base}", [*named]))
    if not picked:
        return
    hunk = named[picked]
    change = taken_back(files, hunk)
    count = len(screen.session.deck.samples)
    there = Focus(hunk.samples[0] if hunk.samples else min(screen.index, count - 1))
    screen.restructure("take a change back", lambda _: change, before=screen.here, after=there)


def _hunk_label(screen: AuthorScreen, hunk: Hunk) -> str:
    """Return a change as a line: where it is, what was there and what is."""
    source = screen.session.deck.files.sources[hunk.back.source]
    start = max(shared_start(hunk.old, hunk.new) - _BEFORE, 0)
    dots = "…" if start else ""
    old, new = (f"{dots}{one_line(text[start:], _SHOWN)}" if text else "" for text in (hunk.old, hunk.new))
    lines = " ".join((*([f"- {old}"] if old else []), *([f"+ {new}"] if new else [])))
    return f"{source.path.name}:{hunk.line}  {lines or 'blank lines'}"
