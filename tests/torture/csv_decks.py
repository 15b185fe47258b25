"""Tables of every delimiter and habit of quotes, hostile by chance."""

from __future__ import annotations

import json
from random import Random

from tests.torture.texts import text_of

NAMES = ("id", "messages", "input", "score", "tags", "note", "é", "two words", "a,b", 'a"b', "", "id ", "1", "#x")


class Table:
    """Writes tables that may be decks, and some that nearly are."""

    def __init__(self, chance: Random, delimiter: str | None = None) -> None:
        self.chance = chance
        self.delimiter = delimiter or chance.choice((",", ",", ";", "\t", "|"))
        self.always = chance.random() < 0.2
        """Whether all cells are in quotes."""

    def deck(self) -> str:
        """Return a table."""
        chance = self.chance
        names = ["id", "messages", *chance.sample(NAMES[2:], chance.randrange(5))]
        if chance.random() < 0.05:
            names.append(chance.choice(names))
        if chance.random() < 0.3:
            chance.shuffle(names)
        rows = [[self.cell(name) for name in names]]
        for at in range(chance.randint(0, 4)):
            row = [self.value(name, at) for name in names]
            rows.append(row[: chance.randint(1, len(row))] if chance.random() < 0.15 else row)
            if chance.random() < 0.05:
                rows[-1] = [*row, *[""] * chance.randint(1, 2)]
        lines = (self.delimiter.join(row) for row in rows)
        return "".join(f"{line}\n" + "\n" * chance.choice((0, 0, 0, 0, 1, 2)) for line in lines)

    def value(self, name: str, at: int) -> str:
        """Return a cell of a column."""
        chance = self.chance
        if name == "id":
            return self.cell(f"s{at}")
        if chance.random() < 0.12:
            return chance.choice(("", "", '""', " "))
        if name in ("messages", "input") and chance.random() < 0.8:
            turns = [{"role": "user", "content": text_of(chance)} for _ in range(chance.randrange(3))]
            return self.cell(json.dumps(turns, separators=chance.choice(((",", ":"), (", ", ": ")))))
        if name == "score":
            return self.cell(chance.choice(("0.5", "12", "-0", "1e9", "07", "1.", "nan", "1e400")))
        if name == "tags":
            return self.cell(chance.choice(('["a", "b"]', "[]", "a;b", "{}", "[1", ' ["x"] ', '[{"a": 1}]')))
        return self.cell(text_of(chance).replace("\0", ""))

    def cell(self, text: str) -> str:
        """Return a text as a cell: in quotes where it has to be, or where it need not."""
        if text[:1] == '"' or any(one in text for one in (self.delimiter, "\n", "\r")):
            return '"' + text.replace('"', '""') + '"'
        if self.always or self.chance.random() < 0.1:
            return '"' + text.replace('"', '""') + '"'
        if '"' in text and self.chance.random() < 0.7:
            return '"' + text.replace('"', '""') + '"'
        return text
