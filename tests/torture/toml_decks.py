"""TOML decks of every layout, hostile by chance."""

from __future__ import annotations

import json
from random import Random

from tests.torture.texts import text_of


class Toml:
    """Writes TOML decks of every layout."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.count = 0

    def deck(self) -> str:
        """Return a deck."""
        chance, key = self.chance, self.chance.choice(("samples", "samples", "tests", '"cases"'))
        match chance.randrange(9):
            case 0 | 1:
                parts = [self.listed(key, at) for at in range(chance.randint(0, 4))]
            case 2 | 3:
                parts = [part for at in range(chance.randint(1, 4)) for part in self.keyed(key, f"n{at}")]
            case 4:
                parts = [part for at in range(chance.randint(2, 4)) for part in self.keyed(key, f"n{at}")]
                chance.shuffle(parts)
            case 5:
                prefix = chance.choice((f"[{key}]\n", "")) if chance.random() < 0.7 else ""
                path = "" if prefix else f"{key}."
                pairs = [f"{path}{name}.{pair}" for name in "abc" for pair in self.pairs()]
                return self.head() + prefix + "".join(self.comment() + pair for pair in pairs) + self.tail()
            case 6:
                items = [
                    self.inline({"id": f"s{at}", "messages": [{"role": "user", "content": text_of(chance)}]})
                    for at in range(chance.randint(0, 3))
                ]
                return f"{key} = {self.array(items)}\n" + self.tail()
            case 7:
                inner = ", ".join(
                    f"n{at} = {self.inline({'score': at, 'messages': []})}" for at in range(chance.randint(0, 3))
                )
                return f"{key} = {{ {inner} }}\n" + self.tail()
            case _:
                parts = [
                    self.listed(key, at) + f"[{key}.sub]\n{self.lines()}" for at in range(chance.randint(1, 3))
                ]
        beside = [f"[other.t{at}]\nx = {at}\n" for at in range(2)] + ["[[list]]\na = 1\n"]
        for part in chance.sample(beside, chance.choice((0, 0, 1, 2))):
            parts.insert(chance.randint(0, len(parts)), part)
        return self.head() + "".join(part + self.gap() for part in parts) + self.tail()

    def head(self) -> str:
        return self.chance.choice(
            ("", "", "# #~head\n", "# #~head\n\n", "title = 'x'\n\n", "[meta]\na = 1\n\n", "x.y = 1\n")
        )

    def tail(self) -> str:
        return self.chance.choice(("", "", "", "# #~end\n", "\n# #~end", "[after]\nx = 1\n", "\n\n  \n"))

    def gap(self) -> str:
        self.count += 1
        return "".join(
            self.chance.choice(("\n", "\n", f"# #~g{self.count}\n", "  \n", ""))
            for _ in range(self.chance.randrange(4))
        )

    def comment(self) -> str:
        self.count += 1
        return f"# #~c{self.count}\n" if self.chance.random() < 0.15 else ""

    def note(self) -> str:
        self.count += 1
        return self.chance.choice(("", "", "", "", " ", f" # #~n{self.count}"))

    def listed(self, key: str, at: int) -> str:
        own = f"{self.comment()}[[{key}]]{self.note()}\nid = 's{at}'\n{self.lines()}"
        if self.chance.random() < 0.5:
            return own + self.messages()
        return own + "".join(
            f"{self.gap()}[[{key}.messages]]\n{self.turn()}" for _ in range(self.chance.randrange(4))
        )

    def keyed(self, key: str, name: str) -> list[str]:
        name = self.chance.choice((name, f'"{name} x"', f"'{name}.y'"))
        own = f"{self.comment()}[{key}.{name}]{self.note()}\n{self.lines()}"
        blocks = [
            f"{self.comment()}[[{key}.{name}.messages]]\n{self.turn()}" for _ in range(self.chance.randrange(3))
        ]
        if not blocks:
            own += self.messages()
        sub = [f"[{key}.{name}.deep.er]\n{self.lines()}"] if self.chance.random() < 0.2 else []
        return [own, *blocks, *sub] if self.chance.random() < 0.7 else [*blocks, own, *sub]

    def turn(self) -> str:
        role, content = self.string("user"), self.string(text_of(self.chance))
        return f"role = {role}{self.note()}\n{self.comment()}content = {content}{self.note()}\n"

    def lines(self) -> str:
        return "".join(self.comment() + self.pad() + pair for pair in self.pairs())

    def pad(self) -> str:
        return self.chance.choice(("", "", "", "  ", "\t"))

    def pairs(self) -> list[str]:
        values = (
            lambda: "3",
            lambda: "1.5",
            lambda: "true",
            lambda: "2024-01-01T00:00:00Z",
            lambda: "07:32:00",
            lambda: "0x1F",
            lambda: "1_000",
            lambda: "nan",
            lambda: self.array([self.string("a"), "1", self.inline({"a": 1})][: self.chance.randrange(4)]),
            lambda: self.inline({"score": 1, "reason": "r"}),
            lambda: self.string(text_of(self.chance)),
            lambda: self.string(text_of(self.chance)),
        )
        names = self.chance.sample(
            ("score", "tags", "expected", '"q k"', "a.b", "a.c", "d.e.f", "g"), self.chance.randrange(4)
        )
        return [
            f"{name}{self.chance.choice((' = ', '=', '  =  '))}{self.chance.choice(values)()}{self.note()}\n"
            for name in names
        ]

    def messages(self) -> str:
        turns = [
            self.inline({"role": "user", "content": text_of(self.chance)}) for _ in range(self.chance.randrange(4))
        ]
        return f"messages = {self.array(turns)}{self.note()}\n"

    def string(self, text: str) -> str:
        escaped = json.dumps(text, ensure_ascii=True).replace("\x7f", "\\u007F")
        if "\\u" in escaped:
            escaped = (
                '"'
                + "".join(
                    f"\\U{ord(one):08X}" if ord(one) > 126 or ord(one) < 32 or one in '"\\' else one for one in text
                )
                + '"'
            )
        match self.chance.randrange(5):
            case 0 if "'" not in text and text.isprintable() and text.isascii():
                return f"'{text}'"
            case 1 if (
                text.isascii()
                and text.replace("\n", "").isprintable()
                and "'''" not in text
                and not text.endswith("'")
            ):
                opened = "\n" if text.startswith("\n") else self.chance.choice(("", "\n"))
                return f"'''{opened}{text}'''"
            case 2:
                return f'"""\\\n   {escaped[1:-1]}"""' if not escaped[1:2].isspace() else f'"""{escaped[1:-1]}"""'
            case 3:
                return '"""\n' + escaped[1:-1].replace("\\n", "\n") + '"""' if "\\\\" not in escaped else escaped
            case _:
                return escaped

    def inline(self, value: object) -> str:
        if isinstance(value, dict):
            between = self.chance.choice((", ", ",", " , "))
            return (
                "{"
                + self.chance.choice(("", " "))
                + between.join(f"{key} = {self.inline(item)}" for key, item in value.items())
                + self.chance.choice(("", " "))
                + "}"
            )
        if isinstance(value, list):
            return self.array([self.inline(item) for item in value])
        return self.string(value) if isinstance(value, str) else json.dumps(value)

    def array(self, items: list[str]) -> str:
        chance = self.chance
        if chance.random() < 0.4 or not items:
            return f"[{', '.join(items)}{chance.choice(('', '', ',')) if items else ''}]"
        text = "[" + chance.choice(("\n  ", "\n  ", " # #~open\n  ", ""))
        for at, item in enumerate(items):
            self.count += 1
            comma = "," if at < len(items) - 1 or chance.random() < 0.5 else ""
            text += item + chance.choice(("", "", " ", f" # #~b{self.count}\n  ")) + comma
            text += chance.choice(
                (" ", "\n  ", "\n  ", f" # #~i{self.count}\n  ", f"\n  # #~i{self.count}\n  ", "\n\n")
            )
        return text + "]"
