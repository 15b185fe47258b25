"""How most of a YAML deck is written: quotes, brackets and braces, indentation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sampleui.formats.yaml.layout import column
from sampleui.formats.yaml.nodes import YamlNode
from sampleui.formats.yaml.values import scalar_value

_QUOTES = ("", "'", '"')
_T = TypeVar("_T", bound=Hashable)
_Votes = defaultdict[str, Counter[_T]]


@dataclass(frozen=True, slots=True)
class YamlHabits:
    """What most texts, lists and tables are like, each under its key; under the empty key, of those under any.

    Attributes:
        quotes: the quote of a text on one line, empty for none.
        inside: the same of texts inside braces.
        folds: whether a text of several lines is folded (`>`), and not literal (`|`).
        spare: the quote of a text that cannot do without.
        brackets: whether a list of texts or numbers is in brackets.
        braces: whether a table is in braces, as the value of a key or as an item of the list under it.
        pads: what is inside brackets, and inside braces: a blank or nothing.
    """

    quotes: dict[str, str] = field(default_factory=dict)
    inside: dict[str, str] = field(default_factory=dict)
    folds: dict[str, bool] = field(default_factory=dict)
    spare: str = '"'
    brackets: dict[str, bool] = field(default_factory=dict)
    braces: dict[str, bool] = field(default_factory=dict)
    pads: tuple[str, str] = ("", "")

    def quote(self, key: str, in_flow: bool = False) -> str:
        """Return the quote of a new text under a key."""
        quotes = self.inside if in_flow and self.inside else self.quotes
        return quotes.get(key, quotes.get("", ""))


def most_are(votes: Mapping[str, bool], key: str) -> bool:
    """Return what most values under a key are like; where there are none, most values under any."""
    return votes.get(key, votes.get("", False))


NO_HABITS = YamlHabits()


@dataclass(frozen=True, slots=True)
class Manner:
    """How new text is laid out.

    Attributes:
        newline: the break of lines.
        step: the columns that a table stands in from the one around it.
        dash: the columns that a list stands in from the key it belongs to.
        quoted: whether keys and strings in brackets are quoted, as in JSON.
        blocks: whether strings of several lines are written as blocks.
        habits: the quotes and brackets of the text around.
    """

    newline: str
    step: int
    dash: int
    quoted: bool
    blocks: bool
    habits: YamlHabits


def manner_of(pieces: Iterable[tuple[str, YamlNode]], newline: str) -> Manner:
    """Return how most of some pieces are written: of each its text, and the collection that it is."""
    votes = _Ballot()
    for text, root in pieces:
        for key, node in _valued(root):
            for name in {key, ""}:
                votes.count_value(name, node)
        for node in root.walk():
            if node.items:
                votes.count_form(text, node)
    everywhere = votes.quotes[""] + votes.inside[""]
    habits = YamlHabits(
        _most(votes.quotes),
        _most(votes.inside),
        _most(votes.folds),
        "'" if everywhere["'"] > everywhere['"'] else '"',
        _most(votes.brackets),
        _most(votes.braces),
        (_first(votes.pads["list"], ""), _first(votes.pads["table"], "")),
    )
    lists = votes.steps["list"]
    step = _first(votes.steps["table"], 0) or _first(lists, 0) or 2
    return Manner(newline, step, _first(lists, step), _first(votes.keys, False), blocks=True, habits=habits)


def _counters() -> defaultdict[str, Counter[Any]]:
    return defaultdict(Counter)


@dataclass(frozen=True, slots=True)
class _Ballot:
    """What is counted, under names that `YamlHabits` and `Manner` explain."""

    quotes: _Votes[str] = field(default_factory=_counters)
    inside: _Votes[str] = field(default_factory=_counters)
    folds: _Votes[bool] = field(default_factory=_counters)
    brackets: _Votes[bool] = field(default_factory=_counters)
    braces: _Votes[bool] = field(default_factory=_counters)
    pads: _Votes[str] = field(default_factory=_counters)
    steps: _Votes[int] = field(default_factory=_counters)
    keys: Counter[bool] = field(default_factory=Counter)

    def count_value(self, name: str, node: YamlNode) -> None:
        """Count how a value under a key is written."""
        if node.kind == "scalar" and _is_line(node):
            self.quotes[name][node.style] += 1
        elif node.kind == "scalar" and node.style in ("|", ">"):
            self.folds[name][node.style == ">"] += 1
        elif node.kind == "list" and node.items and all(item.kind == "scalar" for item in node.items):
            self.brackets[name][node.flow] += 1
        elif node.kind == "table" and node.items and (node.flow or _is_small(node)):
            self.braces[name][node.flow] += 1

    def count_form(self, text: str, node: YamlNode) -> None:
        """Count how a collection that has items is laid out."""
        if node.flow:
            self.pads[node.kind][" " if text.startswith(" ", node.start + 1) else ""] += 1
        elif node.kind == "table":
            for kind, inset in _insets(text, node):
                self.steps[kind][inset] += 1
        if node.flow and node.kind == "table":
            self.keys[node.keys[0].style == '"'] += 1
            for key, item in zip(node.keys, node.items, strict=True):
                if item.kind == "scalar" and _is_line(item):
                    self.inside[key.value][item.style] += 1
                    self.inside[""][item.style] += 1


def _most(votes: _Votes[_T]) -> dict[str, _T]:
    return {key: counted.most_common(1)[0][0] for key, counted in votes.items() if counted}


def _first(counted: Counter[_T], default: _T) -> _T:
    return counted.most_common(1)[0][0] if counted else default


def _insets(text: str, table: YamlNode) -> Iterator[tuple[str, int]]:
    """Yield how far the collections in a table that are on lines of their own are from its keys."""
    for item in table.items:
        if not item.flow and item.items and item.start > table.start:
            yield item.kind, column(text, item.start) - column(text, table.start)


def _valued(root: YamlNode) -> Iterator[tuple[str, YamlNode]]:
    """Yield each value with its key, the items of a list with the key of that; what is in braces left out."""
    stack = [("", item) for item in root.items]
    while stack:
        key, node = stack.pop()
        if node.kind == "table" and not node.flow:
            named = [(name.value, item) for name, item in zip(node.keys, node.items, strict=True)]
            yield from named
            stack += named
        elif node.kind == "list":
            yield from ((key, item) for item in node.items if item.kind != "list")
            stack += [(key, item) for item in node.items]


def _is_small(table: YamlNode) -> bool:
    """Tell whether a table might as well be in braces: short texts and numbers are all it has."""
    return all(item.kind == "scalar" and item.style not in ("|", ">") for item in table.items)


def _is_line(node: YamlNode) -> bool:
    """Tell whether a scalar is a text on one line, which might have had other quotes."""
    if node.style not in _QUOTES or "\n" in node.value or not node.value:
        return False
    return isinstance(scalar_value(node.value, not node.style, node.tag), str)
