"""YAML decks of every layout, hostile by chance."""

from __future__ import annotations

import json
from random import Random

from tests.torture.texts import WORDS, text_of

PLAIN = ("plain", "12", "null", "two words", "on", "~", "0x1F", "1e3", ".nan", "-")


class Yaml:
    """Writes YAML decks of every layout."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.anchors: list[str] = []
        self.count = 0

    def deck(self) -> str:
        """Return a deck."""
        match self.chance.randrange(10):
            case 8 | 9:
                return self.shared()
            case 0:
                return self.trivia(0) + self.items(0) + self.tail(bare=True)
            case 1:
                return (
                    self.head()
                    + f"{self.key()}:{self.note()}\n"
                    + self.named(self.chance.choice((1, 2, 4)))
                    + self.tail()
                )
            case 2:
                return (
                    self.head()
                    + f"{self.key()}: {self.brackets(self.samples_in_flow(), 2)}{self.note()}\n"
                    + self.tail()
                )
            case 3:
                return self.brackets(self.samples_in_flow(), 0) + self.chance.choice(("", "\n", "\n# end\n"))
            case 4:
                return (
                    "{"
                    + f'"x": 1, "{self.key()}": {self.brackets(self.samples_in_flow(), 2)}'
                    + "}"
                    + self.chance.choice(("", "\n"))
                )
            case _:
                column = self.chance.choice((0, 2, 2, 4))
                return self.head() + f"{self.key()}:{self.note()}\n" + self.items(column) + self.tail()

    def shared(self) -> str:
        """Return a deck whose samples share values: anchors beside and in them, aliases in brackets, merges."""
        chance, names, merged = self.chance, ["policy"], "base"
        rows = [f"x-policy: &policy{self.scalar(0)}" if chance.random() < 0.5 else "x-policy: &policy Ask first.\n"]
        rows.append(
            "x-base: &base" + chance.choice((" {score: 1, note: n}\n", "\n  score: 1\n  note: n  # #~base\n"))
        )
        rows.append(f"tests:{self.note()}\n")
        for at in range(chance.randint(2, 4)):
            rows += [self.trivia(2), f"  - id: s{at}{self.note()}\n"]
            if at == 0 and chance.random() < 0.3:
                rows += ["    <<: &in\n      threshold: 1  # #~in\n      opts: {a: 1}\n"]
                merged = "in"
            else:
                rows += [f"    <<: *{merged}\n"] * (chance.random() < 0.4)
            rows.append("    messages:\n")
            for role in chance.choice((("system", "user"), ("user",))):
                said = f"*{chance.choice(names)}" if chance.random() < 0.6 else json.dumps(text_of(chance))
                rows.append(f"      - {{role: {role}, content: {said}}}{self.note()}\n")
            if chance.random() < 0.4:
                names.append(f"q{at}")
                rows.append(f"      - role: user\n        content: &q{at}{self.scalar(8)}")
            if at == 0 or chance.random() < 0.3:
                rows += [f"    assertions: &all{at}\n", "      - type: contains  # #~why\n", "        value: x\n"]
                last = at
            else:
                rows.append(f"    assertions: *all{last}\n")
        return "".join(rows) + self.tail()

    def key(self) -> str:
        return self.chance.choice(("tests", "evalcases", "cases", "samples"))

    def head(self) -> str:
        return self.chance.choice(
            (
                "",
                "",
                "# #~head\n",
                "---\n",
                "%YAML 1.2\n---\n",
                "name: demo\n",
                "name: x\n\n# #~banner\n\n",
                "base: &base\n  model: m\n",
            )
        )

    def tail(self, bare: bool = False) -> str:
        tails: tuple[str, ...] = (
            "",
            "",
            "",
            "\n",
            "# #~tail\n",
            "\n\n# #~tail\n",
            "   # #~deep\n",
            "...\n",
            "---\nother: 1\n",
            "   \n",
        )
        if not bare:
            tails += (
                "after: 1\n",
                "\nafter: |\n  text\n",
                "# #~tail\nafter:\n  - x\n",
                "    # #~deep\n\nafter: 1\n",
            )
        return self.chance.choice(tails)

    def note(self) -> str:
        self.count += 1
        return f"  # #~n{self.count}" if self.chance.random() < 0.15 else ""

    def trivia(self, column: int) -> str:
        self.count += 1
        lines = []
        while self.chance.random() < 0.25:
            at = self.chance.choice((column, column, 0, column + 2, column + 6))
            lines.append(self.chance.choice(("", "", "   ", " " * at + f"# #~t{self.count}")) + "\n")
        return "".join(lines)

    def items(self, column: int) -> str:
        pad = " " * column
        rows = [f"{self.trivia(column)}{pad}- {self.sample(column + 2)}" for _ in range(self.chance.randint(1, 4))]
        return "".join(rows)

    def named(self, column: int) -> str:
        pad, names = " " * column, ("one", "'two'", '"th ree"', "four", "? five\n" + " " * column)
        rows = []
        for name in self.chance.sample(names, self.chance.randint(1, 4)):
            inner = column + self.chance.choice((1, 2, 4))
            rows.append(f"{self.trivia(column)}{pad}{name}:{self.note()}\n{' ' * inner}{self.sample(inner)}")
        return "".join(rows)

    def sample(self, column: int) -> str:
        """Return a sample as the lines of a table at a column, the first without its indentation, all ended."""
        if self.chance.random() < 0.1:
            return (
                self.flow({"id": "f", "messages": [{"role": "user", "content": text_of(self.chance)}]})
                + self.note()
                + "\n"
            )
        pad = " " * column
        pairs = [f"id: s{self.chance.randrange(9)}{self.note()}\n"]
        names = self.chance.sample(
            ("note", "score", "tags", "expected", "vars", "d\\e", "'q k'"), self.chance.randint(0, 3)
        )
        pairs += [f"{name}:{self.behind(column)}" for name in names]
        if self.chance.random() < 0.85:
            pairs.append("messages:" + self.messages(column))
        self.chance.shuffle(pairs)
        properties = self.chance.choice(("", "", "", "&s1 ", "!x ", "!!map ")) if self.chance.random() < 0.1 else ""
        return properties + pad.join(self.spread(pairs, column))

    def spread(self, pairs: list[str], column: int) -> list[str]:
        """Return pairs with trivia behind them, which ends where the next line begins."""
        return [pair + self.trivia(column) if at < len(pairs) - 1 else pair for at, pair in enumerate(pairs)]

    def messages(self, column: int) -> str:
        inner = column + self.chance.choice((0, 2, 2, 4))
        if self.chance.random() < 0.2:
            turns = [
                self.flow({"role": "user", "content": text_of(self.chance)})
                for _ in range(self.chance.randint(0, 3))
            ]
            return " " + self.brackets(turns, column + 2) + self.note() + "\n"
        rows = []
        for _ in range(self.chance.randint(1, 3)):
            role = self.chance.choice(("user", "'tool'", '"assistant"', "&r user", "!!str user"))
            rows.append(f"{self.trivia(inner)}{' ' * inner}- role: {role}\n{self.trivia(inner + 2)}")
            rows.append(f"{' ' * (inner + 2)}content:{self.scalar(inner + 2)}")
        return self.note() + "\n" + "".join(rows)

    def behind(self, column: int) -> str:
        """Return a value as it stands behind a colon, its last line ended."""
        match self.chance.randrange(6):
            case 0:
                items = [
                    self.flow(value)
                    for value in self.chance.choices(
                        (1, "x", "y z", None, 1.5, [2], {"a": 1}), k=self.chance.randint(0, 4)
                    )
                ]
                return " " + self.brackets(items, column + 2) + self.note() + "\n"
            case 1:
                inner = column + self.chance.choice((0, 2, 4))
                rows = [
                    f"{self.trivia(inner)}{' ' * inner}- {self.scalar(inner).lstrip(' ')}"
                    for _ in range(self.chance.randint(1, 3))
                ]
                return self.note() + "\n" + "".join(rows)
            case 2:
                inner = column + self.chance.choice((1, 2, 4))
                rows = [
                    f"{self.trivia(inner)}{' ' * inner}k{at}:{self.scalar(inner)}"
                    for at in range(self.chance.randint(1, 3))
                ]
                return self.note() + "\n" + "".join(rows)
            case 3 if self.anchors:
                return f" *{self.chance.choice(self.anchors)}\n"
            case _:
                return self.scalar(column)

    def scalar(self, column: int) -> str:
        """Return a scalar behind a colon or dash at a column, its last line ended."""
        chance = self.chance
        properties = ""
        if chance.random() < 0.12:
            properties = chance.choice(
                ("!!str ", "!!int ", "!!float ", "!!null ", "!!bool ", "!x ", "! ", "!!seq ")
            )
        if chance.random() < 0.06:
            self.anchors.append(f"a{len(self.anchors)}")
            properties += f"&{self.anchors[-1]} "
        if properties in {"!!int ", "!!float ", "!!null ", "!!bool "} and chance.random() < 0.8:
            word = {"!!int ": "12", "!!float ": "1.5", "!!null ": "null", "!!bool ": "true"}[properties]
            return f" {properties}{word}{self.note()}\n"
        pad = " " * (column + chance.choice((1, 2, 2, 4)))
        match chance.randrange(8):
            case 0:
                return f" {properties}{chance.choice(PLAIN)}{self.note()}\n"
            case 1:
                return f" {properties}{json.dumps(text_of(chance))}{self.note()}\n"
            case 2:
                return f" {properties}'{chance.choice(WORDS).replace(chr(39), chr(39) * 2)}'{self.note()}\n"
            case 3 if chance.random() < 0.6:
                return f" {properties}first\n{pad}second\n{chance.choice(('', chr(10)))}{pad}third{self.note()}\n"
            case 3:
                return f' {properties}"first\n{pad}second\\\n{pad}third"\n'
            case 4:
                return f"{' ' + properties.rstrip() if properties else ''}{self.note()}\n"
            case _:
                return self.block(properties, pad)

    def block(self, properties: str, pad: str) -> str:
        chance = self.chance
        mark, sign = chance.choice("||>"), chance.choice(("", "-", "-", "+"))
        lines = chance.choices(
            ("text", "more text", "", "# no comment", "- x", "k: v", "  deep", "end  "), k=chance.randint(1, 5)
        )
        body = "".join(
            f"{pad}{line}\n" if line else chance.choice(("\n", "\n", pad + "\n", "  \n"))
            for line in ["first", *lines]
        )
        return f" {properties}{mark}{sign}{self.note()}\n{body}" + chance.choice(("", "", "\n", "\n\n", "   \n"))

    # Brackets

    def flow(self, value: object) -> str:
        if isinstance(value, dict):
            quote = '"' if self.chance.random() < 0.5 else ""
            return "{" + ", ".join(f"{quote}{key}{quote}: {self.flow(item)}" for key, item in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(self.flow, value)) + "]"
        if isinstance(value, str) and self.chance.random() < 0.4 and value.isalpha():
            return value
        return json.dumps(value)

    def samples_in_flow(self) -> list[str]:
        turn = {"role": "user", "content": text_of(self.chance)}
        return [
            self.flow({"id": f"s{at}", "messages": [turn] * self.chance.randrange(3)})
            for at in range(self.chance.randint(0, 4))
        ]

    def brackets(self, items: list[str], column: int) -> str:
        chance, pad = self.chance, " " * column
        if chance.random() < 0.4 or not items:
            return f"[{', '.join(items)}{chance.choice(('', '', ',')) if items else ''}]"
        text = "[" + chance.choice(("", "", "  # #~open\n" + pad, "\n" + pad))
        for at, item in enumerate(items):
            last = at == len(items) - 1
            comma = "," if not last or chance.random() < 0.5 else ""
            self.count += 1
            text += item + chance.choice(("", "", " ")) + comma
            text += chance.choice(
                (
                    " ",
                    " ",
                    "\n" + pad,
                    f"  # #~i{self.count}\n{pad}",
                    f"\n{pad}# #~i{self.count}\n{pad}",
                    f"\n\n{pad}",
                )
            )
        return text + "]"
