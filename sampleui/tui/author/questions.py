"""What the author screen asks for in boxes over it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from sampleui.formats.registry import BY_SUFFIX
from sampleui.sample.parse import tags
from sampleui.tui.author.search import Seeking
from sampleui.tui.author.steps import AuthorSteps

if TYPE_CHECKING:
    from sampleui.sample.pasting import Pasted
    from sampleui.tui.author.offers import Offer
    from sampleui.tui.author.session import Session
    from sampleui.workspace.deck import Deck
    from sampleui.workspace.text_search import Query, Replacement

_TAGS_LOOKED_FOR = 2000
DECK_SUFFIXES = frozenset(BY_SUFFIX) - {".md", ".markdown"}


class AuthorQuestions(AuthorSteps):
    """The questions of the author screen."""

    seeking: Seeking
    _ways: frozenset[str] = frozenset()

    async def asked(self, dialog: Screen[Any]) -> Any:
        """Ask a question; while an edit is repeated it is answered as before."""
        return await self.repeating.answer(dialog)

    async def pick_field(self, offered: list[Offer], around: str) -> str:
        """Let a field be picked, or any other name be typed, of the sample or a table in it; empty for none."""
        from sampleui.tui.author.boxes import FieldPick

        return await self.asked(FieldPick(offered, around)) or ""

    async def pick_tag(self, title: str) -> str:
        """Let a tag of the deck be picked, or any other be typed; empty for none."""
        samples = islice(self.session.deck.samples, _TAGS_LOOKED_FOR)
        return await self.pick(
            title, [*dict.fromkeys(tag for sample in samples for tag in tags(sample))], free=True
        )

    async def agree_to_paste(self, title: str, pasted: Pasted) -> bool:
        """Show what is about to be pasted and return whether it is to be."""
        from sampleui.tui.author.boxes import PasteView

        told = dataclasses.replace(pasted, how=f"read as {pasted.how}")
        return await self.asked(PasteView(title, told)) or False

    async def agree_to_export(self, title: str, leaving: Pasted) -> bool:
        """Show what is about to be written to another deck and return whether it is to be."""
        from sampleui.tui.author.boxes import PasteView

        return await self.asked(PasteView(title, leaving, "Export")) or False

    def other_decks(self) -> Mapping[str, Path]:
        """Return the decks that samples may go to, by their names: those of the folder."""
        own = self.session.deck.path
        beside = sorted(own.parent.iterdir()) if own.parent.is_dir() else []
        return {one.name: one for one in beside if one.suffix.lower() in DECK_SUFFIXES and one != own}

    def moved_to(self, path: Path) -> None:
        """Take note that the deck is another file from now on."""

    def session_of(self, path: Path, deck: Deck | None) -> Session | None:
        """Return the session that edits of another deck go to; None if it is written at once."""
        return None

    async def open_other(self) -> None:
        """Let another deck be found and go there; there is none if the deck was opened by itself."""

    async def show_difference(self) -> None:
        """Show how the files on disk and the edits differ."""
        from sampleui.tui.author.boxes import Difference

        await self.app.push_screen_wait(Difference(self.session.deck.files))

    async def ask_to_find(self) -> None:
        """Ask what to look for, look for it, and give the keys to the line that steps through it."""
        from sampleui.tui.screens.find_box import FindBox

        before = self.seeking.query
        box = FindBox(before.text if before is not None else "", self._ways, self.ways_offered())
        text = await self.app.push_screen_wait(box)
        if text:
            self._ways = box.ways
            if box.everywhere:
                self.find_everywhere(box.query_of(text))
            else:
                self.begin_search(box.query_of(text), self.index if box.only_here else None)

    def ways_offered(self) -> Mapping[str, str]:
        """Return how a text may be looked for, by keys."""
        from sampleui.tui.screens.find_box import IN_DECK

        return IN_DECK

    def find_everywhere(self, query: Query) -> None:
        """Look for something in all decks; there are no others where the deck was opened by itself."""

    def begin_search(self, query: Query, only: int | None = None) -> None:
        """Look for something, in one sample or in all that are shown, and give the keys to its line."""
        self.find_bar.display = True
        self.seeking.start(query, only)
        self.set_focus(self.find_bar)

    def end_search(self) -> None:
        """Stop the search, and go back to the conversation."""
        self.seeking.stop()
        self.set_focus(self.conversation)
        self.find_bar.display = False

    def told_search(self) -> tuple[str, str, str]:
        """Return what is looked for, how, and how much of it was found so far."""
        seeking, query = self.seeking, self.seeking.query
        if query is None:
            return "", "", ""
        ways = {
            "Aa": not query.ignore_case,
            "word": query.word,
            ".*": query.regex,
            "here": seeking.only is not None,
        }
        count = len(seeking.hits)
        nothing = "nothing found in the samples shown" if self.narrowing.words else "nothing found"
        found = f"{seeking.at + 1:,} of {count:,}" if count else nothing if seeking.complete else "0"
        more = seeking.failure or ("" if seeking.complete else "…")
        return query.text, " ".join(way for way, on in ways.items() if on), f"{found} {more}".rstrip()

    async def ask_replacement(self, old: str) -> str | None:
        """Ask what replaces a text; None for no answer."""
        from sampleui.tui.screens.find_box import ReplaceBox

        answer: str | None = await self.asked(ReplaceBox(f"Replace {old} by"))
        return answer

    async def agree_to_replace(self, title: str, changes: list[Replacement]) -> list[Replacement]:
        """Show changes and return those that are to be made."""
        from sampleui.tui.screens.replace_list import ReplaceList

        box = ReplaceList(title, changes, [self.session.deck.at(one.index).id for one in changes])
        return box.chosen if await self.asked(box) else []
