"""Commands that find text in turns and fields, and replace it."""

from __future__ import annotations

from functools import partial

from sampleui.deck.history import Focus
from sampleui.tui.author.actions.needs import AUTHOR, a_sample
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.commands import key_named
from sampleui.tui.screens.finding import EVERYWHERE, HERE, IN_DECK, IN_MEMBER, FindBox, replacements_agreed
from sampleui.workspace.text_search import replacing

_GROUP = "Finding"


def a_hit(screen: AuthorScreen) -> str:
    """Need a search that found something."""
    return (
        ""
        if screen.seeking.hits
        else f"nothing is found; {key_named('find.open', 'ctrl+f')} looks for something else"
    )


@AUTHOR.command("find.open", "ctrl+f", "Find", group=_GROUP, bar=11, needs=a_sample)
async def find(screen: AuthorScreen) -> None:
    """Find text in the turns and fields of all samples shown, or of this one: case, whole words, patterns."""
    seeking, before = screen.seeking, screen.seeking.query
    ways = IN_MEMBER if screen.stays_open else IN_DECK
    box = FindBox(before.text if before is not None else "", seeking.options, screen.hits_counted, ways)
    text = await screen.app.push_screen_wait(box)
    if not text:
        return
    seeking.options = box.options
    if EVERYWHERE in box.options:
        screen.find_everywhere(box.query_of(text))
    else:
        seeking.start(box.query_of(text), screen.index if HERE in box.options else None)


@AUTHOR.command("find.next", ";", "Next", group=_GROUP, scopes="found", bar=1, needs=a_hit)
def following(screen: AuthorScreen) -> None:
    """Go to the next hit; after the last one comes the first."""
    screen.seeking.step(1)


@AUTHOR.command("find.previous", ",", "Previous", group=_GROUP, scopes="found", bar=2, needs=a_hit)
def previous(screen: AuthorScreen) -> None:
    """Go to the previous hit."""
    screen.seeking.step(-1)


@AUTHOR.command("find.go", "enter", "Go there", group=_GROUP, scopes="found", bar=3, needs=a_hit)
def go_there(screen: AuthorScreen) -> None:
    """Go to the turn or field of the hit; Find comes back."""
    screen.set_focus(screen.conversation)


@AUTHOR.command("find.close", "escape", "End", group=_GROUP, scopes="found", bar=5)
def close(screen: AuthorScreen) -> None:
    """End the search."""
    screen.seeking.stop()


@AUTHOR.command("find.replace", "r", "Replace", group=_GROUP, scopes="found", bar=4, needs=a_hit)
async def replace(screen: AuthorScreen) -> None:
    """Replace what is found: every change is shown and can be taken out; all of them are one step of undo."""
    seeking = screen.seeking
    agreed = [item for *_, item in await replacements_agreed(screen, seeking)]
    if not agreed or seeking.query is None:
        return
    text, here = seeking.query.text, Focus(agreed[0].index, agreed[0].path)
    seeking.stop()
    edits = [partial(replacing, item=item) for item in agreed]
    screen.change_samples(f"replace {text} in {len(agreed)} values", *edits, focus=here)
    screen.say(f"{len(agreed):,} values replaced; {key_named('deck.undo', 'u')} takes it back")
