"""How a piece of YAML is written by majority: the quotes of texts, and which lists stand in brackets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from sampleui.formats.yaml.nodes import Node
from sampleui.formats.yaml.scalars import tagged

_QUOTES = ("", "'", '"')


@dataclass(frozen=True, slots=True)
class Habits:
    """What most texts and lists are like, each under its key; under the empty key, of those under any.

    Attributes:
        quotes: the quote of a text on one line, empty for none.
        spare: the quote of a text that cannot do without.
        brackets: whether a list of texts or numbers stands in brackets.
    """

    quotes: dict[str, str] = field(default_factory=dict)
    spare: str = '"'
    brackets: dict[str, bool] = field(default_factory=dict)

    def quote(self, key: str) -> str:
        """Return the quote of a new text under a key."""
        return self.quotes.get(key, self.quotes.get("", ""))

    def in_brackets(self, key: str) -> bool:
        """Return whether a new list under a key stands in brackets."""
        return self.brackets.get(key, self.brackets.get("", False))


NO_HABITS = Habits()


def habits_of(root: Node) -> Habits:
    """Return the habits of a piece."""
    quotes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    brackets: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for key, node in _valued(root):
        if node.kind == "scalar" and _is_line(node):
            quotes[key][node.style] += 1
            quotes[""][node.style] += 1
        elif node.kind == "list" and node.items and all(item.kind == "scalar" for item in node.items):
            brackets[key][node.flow] += 1
            brackets[""][node.flow] += 1
    everywhere = quotes[""]
    return Habits(
        {key: counted.most_common(1)[0][0] for key, counted in quotes.items() if counted},
        "'" if everywhere["'"] > everywhere['"'] else '"',
        {key: counted.most_common(1)[0][0] for key, counted in brackets.items() if counted},
    )


def _valued(root: Node) -> Iterator[tuple[str, Node]]:
    """Yield each value with its key, the items of a list with the key of that; what stands in braces left out."""
    stack = [("", root)]
    while stack:
        key, node = stack.pop()
        if node.kind == "table" and not node.flow:
            named = [(name.value, item) for name, item in zip(node.keys, node.items, strict=True)]
            yield from named
            stack += named
        elif node.kind == "list":
            yield from ((key, item) for item in node.items if item.kind == "scalar")
            stack += [(key, item) for item in node.items]


def _is_line(node: Node) -> bool:
    """Tell whether a scalar is a text on one line, which might have had other quotes."""
    if node.style not in _QUOTES or "\n" in node.value or not node.value:
        return False
    return isinstance(tagged(node.value, not node.style, node.tag), str)
