"""Decks as hostile as people and programs may leave them, by chance alone: the same chance, the same deck."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.torture.csv_decks import Table
from tests.torture.json_decks import Json
from tests.torture.toml_decks import Toml
from tests.torture.yaml_decks import Yaml

BOM = "\ufeff"


FORMS: dict[str, Callable[[Random], str]] = {
    "yaml": lambda chance: Yaml(chance).deck(),
    "toml": lambda chance: Toml(chance).deck(),
    "json": lambda chance: Json(chance).deck(),
    "jsonl": lambda chance: Json(chance).lines(),
    "csv": lambda chance: Table(chance).deck(),
    "tsv": lambda chance: Table(chance, "\t").deck(),
}


def deck_of(form: str, chance: Random) -> str:
    """Return a text that may be a deck of a form."""
    text = FORMS[form](chance)
    if form not in ("json", "csv", "tsv") and chance.random() < 0.3:
        text = scarred(chance, text)
    return varied(chance, text)


def varied(chance: Random, text: str) -> str:
    """Return a text with other line ends, a byte order mark, blanks at its end, or without its last break."""
    if chance.random() < 0.15:
        text = text.rstrip("\n")
    if chance.random() < 0.15:
        text += chance.choice(("  ", "\n   ", "\n\n", " \n \n", "\t", "\n# end", "# end\n", "\n    # deep"))
    if chance.random() < 0.15:
        text = text.replace("\n", "\r\n")
    return BOM + text if chance.random() < 0.1 else text


def scarred(chance: Random, text: str) -> str:
    """Return a text with some of its lines gone, twice, elsewhere, commented or moved to the side."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 3)):
        at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
        comment = " " * chance.randrange(10) + "# #~scar"
        match chance.randrange(7):
            case 0:
                del lines[at : at + chance.randint(1, 2)]
            case 1:
                lines.insert(to, lines[at])
            case 2:
                lines[at] = " " * chance.randrange(3) + lines[at]
            case 3:
                lines[at] += chance.choice((" ", "  # #~scar", "\t", " #"))
            case _:
                lines.insert(to, chance.choice((comment, comment, "", "   ", lines[to])))
        lines = lines or [""]
    return "\n".join(lines)
