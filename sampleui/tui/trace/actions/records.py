"""Every command of the trace screen: importing this fills its registry, in the order of the help."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError
from sampleui.folders.deck_detection import FOREIGN
from sampleui.formats.registry import BY_SUFFIX
from sampleui.review.results.run_paths import run_of
from sampleui.runs.decks import SKIPPED
from sampleui.text.confined import project_root
from sampleui.text.visible import visible
from sampleui.tui.actions.app import APP, FIELDS
from sampleui.tui.actions.moving import moving
from sampleui.tui.trace.actions.events import EVENTS
from sampleui.tui.trace.actions.needs import EVENT_PANES, TRACE

if TYPE_CHECKING:
    from sampleui.tui.trace.screen import TraceScreen

__all__ = ["TRACE"]

_GROUP = "Records"
_PANES = f"records {EVENT_PANES}"


TRACE.include(EVENTS)
TRACE.include(FIELDS)


@TRACE.command("record.next", "]", "Next record", group=_GROUP, bar=8)
def following(screen: TraceScreen) -> None:
    """Go to the next record."""
    if not screen.records.step(1):
        screen.refuse("this is the last record")


@TRACE.command("record.previous", "[", "Previous record", group=_GROUP)
def previous(screen: TraceScreen) -> None:
    """Go to the previous record."""
    if not screen.records.step(-1):
        screen.refuse("this is the first record")


@TRACE.command("record.open", "enter", "Open", group=_GROUP, scopes="records", bar=1)
def open_record(screen: TraceScreen) -> None:
    """Go to the timeline of the record under the cursor."""
    screen.trace_view.timeline.focus()


@TRACE.command("record.promote", "n", "New sample", group=_GROUP, bar=14)
async def promote(screen: TraceScreen) -> None:
    """Make a new sample of the turns up to the event under the cursor; it is shown before it is written."""
    from sampleui.runs.transcript_to_sample import target_deck, turns_until
    from sampleui.tui.trace.promote import Promote

    subject, event = screen.subject, screen.trace_view.event
    turns = subject.turns()
    if not turns:
        raise EditRefusedError("this record says nothing that a sample could be made of")
    folder = _home(screen.run.path)
    title = f"New sample: into which deck, seen from {visible(folder.resolve().name)}/"
    picked = await screen.pick(title, await asyncio.to_thread(_decks, screen), free=True)
    if not picked:
        return
    deck = target_deck(folder / Path(picked).expanduser(), results=screen.run.path)
    count = turns_until(subject, event.number - 1) if event is not None else len(turns)
    promotion = await screen.app.push_screen_wait(Promote(turns, count, subject.record.id, deck))
    if promotion is not None:
        lost = promotion.save()
        screen.say(
            "; ".join(
                (
                    f"{promotion.sample_id} is written to {deck.path.name}",
                    *lost,
                    *filter(None, [promotion.note]),
                )
            )
        )


def _decks(screen: TraceScreen) -> list[str]:
    from sampleui.tui.screens.dialogs import project_files

    path, home = screen.run.path, _home(screen.run.path)
    files = [name for name in project_files(home) if run_of(path) is None or not SKIPPED & {*Path(name).parts}]
    first = [os.path.relpath(known.path, home) for known in screen.run.decks]
    named = [name for name in files if _may_be_deck(Path(name).name) and name != path.name]
    return list(dict.fromkeys([*first, *sorted(named, key=lambda name: name.endswith(".json"))]))


def _home(path: Path) -> Path:
    """Return where decks are looked for: beside a results file, and around the folder of a run, never in it."""
    run = run_of(path)
    return path.parent if run is None else project_root(run.resolve().parent)


def _may_be_deck(name: str) -> bool:
    form = BY_SUFFIX.get(Path(name).suffix.lower())
    named = form is not None and (form.name != "markdown" or name.endswith(".deck.md"))
    return named and ".results." not in name and name not in FOREIGN


TRACE.include(item for item in moving(_PANES) if not item.id.startswith("preview."))
TRACE.include(APP)


@TRACE.command("app.quit", "ctrl+q q", "Quit", group="App", bar=32, anywhere=True)
def leave(screen: TraceScreen) -> None:
    """Leave."""
    screen.leave()
