"""A deck that a run names and no dialect knows: read by the table that is guessed from the names of its keys.

The run shows that the file is a deck, so that nobody need be asked: rows of a question and an answer under names of
their own, which a task of Inspect maps itself.
"""

from __future__ import annotations

from sampleui.deck.model import DeckFiles
from sampleui.reading import PromptOptions, told_by
from sampleui.sample.dialects.guessing import guessed, is_likely, name_of, written
from sampleui.sample.dialects.shipped import is_shown
from sampleui.sample.dialects.user import user_dialect
from sampleui.samples import readable
from sampleui.settings.tables import settings_file, table_in
from sampleui.workspace import Deck, deck_of

_LOOKED_AT = 50


def ran_deck(files: DeckFiles, dialect: str | None, prompts: PromptOptions, otherwise: str) -> Deck:
    """Return loaded files as a deck, as `deck_of` does; one that shows no dialect by the table guessed for it.

    Raises:
        DeckError: when it is a table in which no dialect finds messages and for which nothing is guessed.
    """
    known = dialect is not None or otherwise != "" or len(files.sources) > 1 or told_by(files, prompts) is not None
    document = files.sources[0].document
    some = [one for at in range(min(len(document), _LOOKED_AT)) if (one := readable(document, at))]
    if known or is_shown(document.container, some):
        return deck_of(files, dialect, prompts, otherwise)
    table = guessed(some, document.container)
    if table is None or not is_likely(table):
        return deck_of(files, dialect, prompts, otherwise)
    named = table_in(written(name_of(files.path.stem), table), settings_file(files.path.parent))
    kind = user_dialect(named.name, named.of_deck)
    return Deck(files, kind, prompts._replace(dialects=(*prompts.dialects, kind)), "its table is guessed")
