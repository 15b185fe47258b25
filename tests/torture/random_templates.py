"""Random templates in Nunjucks' grammar, of which many are broken in one place or two."""

from __future__ import annotations

import random

from sampleui.formats.data import Table

_ATOMS = "name q n obj list missing obj.k list[0] 'x' 5 true none yes zero empty obj.o not".split()  # noqa: SIM905
_OPERATORS = ["not in", "is not", *"+ - * / // ** % ~ == != === < <= and or in is if".split()]  # noqa: SIM905
_FILTERS = """
upper lower default join first last length sum list dictsort trim indent title capitalize nl2br wordcount string
batch slice urlize select groupby truncate striptags replace nope
""".split()  # noqa: SIM905
_GIVEN = ["", "", "()", "(1)", "(',')", "(1, 2)", "('a', 'b')"]
_TESTS = "defined odd lower upper string nope none null true iterable".split()  # noqa: SIM905
_CALLED = "name f obj.k range name.upper obj.nope list.join missing.x n.toFixed loop caller".split()  # noqa: SIM905
_SIGNS = [*"()[]{},:.|+-*/%~=!<># '\"\\", "==", "}}", "{%", "%}", "{#", "#}", "r/a/"]
_TARGETS = ["x", "x, y", "x, y, z", "in", "5", "x.y", "'x'", "not", "x y", "x,", "true", ""]


class RandomTemplates:
    """Templates by chance, from a seed.

    Attributes:
        variables: the variables that they ask for; `missing` is none of them.
    """

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.variables: Table = {
            **{"name": "Al", "q": "hi", "n": 3, "obj": {"k": "v", "o": {"p": [1, 2]}}, "list": ["a", "b"]},
            **{"yes": True, "nothing": None, "zero": 0, "empty": ""},
        }

    def template(self) -> str:
        """Return one template."""
        ways = [
            lambda: f"{{{{ {self.expression()} }}}}",
            lambda: f"{{{{{self.broken(self.expression())}{self._one('}}', ' }}', '-}}', '}}x')}",
            lambda: self.block() + self._one("", "", self.block()),
            lambda: self.broken(self.block()),
        ]
        return self._chance.choice(ways)()

    def expression(self, depth: int = 0) -> str:
        """Return an expression."""
        if depth > 3 or self._chance.random() < 0.3:
            return self._chance.choice(_ATOMS)
        inner = [self.expression(depth + 1) for _ in range(2)]
        return self._one(
            f"{inner[0]} {self._chance.choice(_OPERATORS)} {inner[1]}",
            f"{inner[0]} | {self._chance.choice(_FILTERS)}{self._chance.choice(_GIVEN)}",
            f"{inner[0]} is {self._one('', 'not ')}{self._chance.choice(_TESTS)}",
            f"({inner[0]})",
            f"[{inner[0]}, {inner[1]}]",
            f"{{{self._one('a', '5', chr(39) + 'k' + chr(39), 'true', 'a.b')}: {inner[0]}}}",
            f"{inner[0]}[{inner[1]}]",
            f"{self._chance.choice(_CALLED)}({self._one('', '1', inner[0])})",
            f"{inner[0]} if {inner[1]}{self._one('', ' else n')}",
            f"{self._one('not ', '-', '+', '--')}{inner[0]}",
        )

    def block(self, depth: int = 0) -> str:
        """Return a block with what is in it."""
        value = self.expression(2)
        body, more = (
            self._one("x", "", f"{{{{ {value} }}}}", self.block(depth + 1) if depth < 2 else "y") for _ in range(2)
        )
        target = self._chance.choice(_TARGETS)
        parts = self._one("", f"{{% else %}}{more}", f"{{% elif {value} %}}{more}", f"{{% else if q %}}{more}")
        return self._one(
            f"{{% if {value} %}}{body}{parts}{{% endif %}}",
            f"{{% for {target} in {value} %}}{body}{self._one('', '{% else %}w')}{{% endfor %}}",
            f"{{% set {target} {self._one('=', '==', '+=', '')} {value} %}}",
            f"{{% set {target} %}}{body}{{% endset %}}",
            f"{{% macro f{self._one('(', '(a', '(a, b=1', '(a b', '(a,', '')}) %}}{body}{{% endmacro %}}",
            f"{{% block {target} %}}{body}{{% endblock{self._one('', ' x')} %}}",
            f"{{% filter {self._chance.choice(_FILTERS)}{self._one('', '()', '|lower')} %}}{body}{{% endfilter %}}",
            f"{{% switch {value} %}}{body}{{% case 1 %}}{more}{self._one('', '{% default %}')}{{% endswitch %}}",
            f"{{% raw %}}{self._one('{{ a b }}', '{% if %}', '{% raw %}y{% endraw %}')}{{% endraw %}}{body}",
            f"{{# {self._one('c', '{% foo %}', '{{ a b')} #}}{body}",
            self._one("{% call f() %}a{% endcall %}", "{% else %}", "{{ '{% foo %}' }}", "{% set s = '%}' %}"),
        )

    def broken(self, text: str) -> str:
        """Return a text with a few characters taken out or put in."""
        letters = [*text]
        for _ in range(self._chance.randint(0, 2)):
            index = self._chance.randrange(len(letters) + 1)
            letters[index : index + self._chance.randint(0, 1)] = [self._chance.choice([*_SIGNS, *_ATOMS, ""])]
        return "".join(letters)

    def _one(self, *ways: str) -> str:
        return self._chance.choice(ways)
