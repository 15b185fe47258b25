"""The command that writes samples to another deck, one that exists or a new one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.errors import EditRefusedError
from sampleui.formats.data import Table
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.text.wording import counted
from sampleui.tui.author.actions.needs import AUTHOR, chosen_samples
from sampleui.tui.author.actions.samples import told_samples
from sampleui.tui.author.naming import Naming
from sampleui.tui.commands import key_named
from sampleui.workspace.deck import Deck, new_deck, open_with
from sampleui.workspace.reading import PromptOptions, usual_dialects

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen


@AUTHOR.command("sample.export", "X", "Export", group="Samples", scopes="samples", bar=19, needs=chosen_samples)
async def export(screen: AuthorScreen) -> None:
    """Write the sample, or all marked, to another or a new deck, in its dialect; losses are shown first."""
    from sampleui.sample.pasting import Pasted
    from sampleui.workspace.sample_transfer import carried, some  # the start must not wait for it

    deck, chosen = screen.session.deck, screen.marks.chosen_samples()
    decks = screen.other_decks()
    name = await screen.pick(f"Export {told_samples(chosen)} to a deck, or a new file", [*decks], free=True)
    if not name:
        return
    path = decks[name] if name in decks else deck.path.parent / Path(name).expanduser()
    if path.resolve() in {source.path.resolve() for source in deck.files.sources}:
        raise EditRefusedError(f"that is this deck; {key_named('sample.duplicate', 'D')} duplicates samples in it")
    target = await _target(screen, path)
    if target is None:
        return
    tables: list[Table] = []
    report: dict[str, list[str]] = {}
    naming = Naming(target)
    for index in chosen:
        item = carried(deck, deck.samples[index], target)
        tables.append(naming.with_own_id(item.data))
        for line in item.report:
            report.setdefault(line, []).append(deck.samples[index].id)
    notes = tuple(f"{line} ({some(ids, len(chosen))})" for line, ids in report.items())
    leaving = Pasted(samples=tuple(tables), how=f"written as {target.kind.title}", notes=notes)
    if await screen.agree_to_export(f"Export {told_samples(chosen)} to {path.name}", leaving):
        _write(screen, target, tables)


async def _target(screen: AuthorScreen, path: Path) -> Deck | None:
    """Return the deck that samples go to, a new one in a dialect that is asked for; None for no answer."""
    session = screen.session_of(path, None)
    if session is not None:
        return session.deck
    if path.exists():
        return open_with(screen.settings, path)
    prompts = PromptOptions.of(screen.settings)
    usual = (screen.session.deck.kind, *usual_dialects(path), *prompts.dialects)
    named = {*DIALECTS, *(dialect.name for dialect in prompts.dialects)}
    offered = {item.title: item.name for item in usual if item.name in named}
    title = await screen.pick(f"{path.name} is new: its dialect", [*offered])
    return new_deck(path, offered[title], prompts) if title else None


def _write(screen: AuthorScreen, target: Deck, tables: list[Table]) -> None:
    """Append samples to a deck: as one step of undo if the workspace can open it, else straight to the file."""
    there = len(target.samples)
    edits = [partial(edit.insert_sample, index=there + index, data=data) for index, data in enumerate(tables)]
    count = counted(len(tables), "sample")
    session = screen.session_of(target.path, target) if target.path.exists() else None
    if session is not None:
        session.perform(f"take {count} from {screen.session.deck.path.name}", *edits, after=Focus(there))
        screen.say(
            f"{count} in {target.path.name}, which is not saved yet; "
            f"{key_named('workspace.open', 'ctrl+o')} goes there"
        )
        return
    for item in edits:
        target = target.apply(item(target.files))
    lost = target.save()
    (screen.warn if lost else screen.say)("; ".join((f"wrote {count} to {target.path.name}", *lost)))
