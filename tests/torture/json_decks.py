"""JSON and JSON Lines decks of every layout, hostile by chance."""

from __future__ import annotations

import json
from random import Random

from tests.torture.texts import text_of


class Json:
    """Writes JSON decks of every layout."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def deck(self) -> str:
        """Return a deck."""
        rows = [self.sample(at) for at in range(self.chance.randint(0, 4))]
        match self.chance.randrange(6):
            case 0:
                value: object = self.sample(0)
            case 1:
                value = {"meta": {"a": 1}, "samples": rows, "z": [1]}
            case 2:
                value = {"samples": {f"n{at}": row for at, row in enumerate(rows)}}
            case 3:
                value = {"tests": rows}
            case _:
                value = rows
        return self.spelled(value)

    def lines(self) -> str:
        """Return a deck of lines."""
        rows = []
        for at in range(self.chance.randint(0, 4)):
            row = self.chance.choice(("", "  ")) + json.dumps(
                self.sample(at), ensure_ascii=self.chance.random() < 0.5
            )
            rows.append(
                row if self.chance.random() < 0.93 else self.chance.choice(("{broken", '{"id": 1}}', "[1]", "5"))
            )
            rows += [""] * self.chance.choice((0, 0, 0, 1, 2))
        return "".join(row + "\n" for row in rows)

    def sample(self, at: int) -> dict[str, object]:
        turns = [{"role": "user", "content": text_of(self.chance)} for _ in range(self.chance.randrange(3))]
        more: dict[str, object] = {
            "tags": ["a", 1, None],
            "score": 1.5,
            "meta": {"k": {"l": []}},
            "é": "ü",
            "n": -0.0,
            "big": 10**20,
        }
        picked = self.chance.sample(sorted(more), self.chance.randrange(3))
        return {"id": f"s{at}", "messages": turns, **{key: more[key] for key in picked}}

    def spelled(self, value: object) -> str:
        chance = self.chance
        if chance.random() < 0.4:
            text = json.dumps(value, indent=chance.choice((1, 2, 4, "\t")), ensure_ascii=chance.random() < 0.5)
        elif chance.random() < 0.5:
            text = json.dumps(value, separators=chance.choice(((",", ":"), (" , ", " : "), (", ", ": "))))
        else:
            text = self.loose(value)
        return text + chance.choice(("", "\n", "\n\n"))

    def loose(self, value: object) -> str:
        blank = lambda: self.chance.choice(("", "", " ", "\n", "\n    ", "\t", " \n"))  # noqa: E731
        if isinstance(value, dict):
            pairs = [
                f"{blank()}{json.dumps(key)}{blank()}:{blank()}{self.loose(item)}{blank()}"
                for key, item in value.items()
            ]
            if pairs and self.chance.random() < 0.04:
                pairs.append(pairs[0])
            return "{" + (",".join(pairs) or blank()) + "}"
        if isinstance(value, list):
            return "[" + (",".join(blank() + self.loose(item) + blank() for item in value) or blank()) + "]"
        return json.dumps(value)
