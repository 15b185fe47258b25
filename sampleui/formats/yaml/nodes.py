"""The nodes of YAML texts with their places, built from libyaml's events and never from its composer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, TypeAlias

import yaml
from yaml.reader import Reader

from sampleui.text.limits import MAX_YAML_DEPTH, MAX_YAML_EXPANDED, MAX_YAML_FILE_NODES, MAX_YAML_PIECE_NODES
from sampleui.text.position import error_at

HEADER = re.compile(r"[|>](?P<signs>[-+0-9]*)(?P<rest>[^\r\n]*)(?:\r?\n)?")
"""The line that a block scalar begins with."""

TOO_DEEP = "nested too deeply"

Kind: TypeAlias = Literal["scalar", "list", "table", "alias"]


@dataclass(frozen=True, slots=True)
class YamlNode:
    """One value in a text. Offsets count code points; a line break that ends a block is outside of it.

    Attributes:
        kind: what it is.
        whole: where it starts, its anchor and tag included.
        start: where it starts after them.
        end: where it ends.
        style: the quote or indicator of a scalar, empty for a plain one; `[` for a flow collection.
        value: the text of a scalar, the name of an alias.
        anchor: the name it is given, if any.
        tag: its tag in full, if any.
        keys: the keys of a table, in the order of `items`.
        items: the values of a list or of a table.
        aliased: the text of the scalar that an alias stands for; None where that is none, or in another text.
    """

    kind: Kind
    whole: int
    start: int
    end: int
    style: str = ""
    value: str = ""
    anchor: str | None = None
    tag: str | None = None
    keys: tuple[YamlNode, ...] = ()
    items: tuple[YamlNode, ...] = ()
    aliased: str | None = None

    @property
    def flow(self) -> bool:
        """Whether it is a collection in brackets."""
        return self.style == "["

    @property
    def empty(self) -> bool:
        """Whether nothing is written where a value could be."""
        return self.kind == "scalar" and self.start == self.end

    def walk(self) -> Iterator[YamlNode]:
        """Return the node and all inside it, in the order of the text."""
        yield self
        for index, item in enumerate(self.items):
            if self.keys:
                yield from self.keys[index].walk()
            yield from item.walk()


try:
    from yaml._yaml import CParser as EventParser
except ImportError:  # a PyYAML built without libyaml
    from yaml.parser import Parser
    from yaml.scanner import Scanner

    class EventParser(Reader, Scanner, Parser):  # type: ignore[no-redef]
        """The pure parser behind the interface of the C one."""

        def __init__(self, stream: str) -> None:
            Reader.__init__(self, stream)
            Scanner.__init__(self)
            Parser.__init__(self)


PROPERTIES = re.compile(
    r"(?:(?:&[^\s,\[\]{}]+|!<[^>\s]*>|![^\s,\[\]{}]*)"
    r"(?:(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n))+[ \t]*|[ \t]+|$|(?=[,\]}])))+"
)


@dataclass(slots=True)
class _OpenCollection:
    """A collection that is still open.

    Attributes:
        event: what opened it.
        kept: whether the nodes in it are.
        children: those.
        end: where what is known to be in it ends.
        last: the last text in it that is not kept; where the others end need not be found.
        weight: how many values it stands for.
    """

    event: yaml.CollectionStartEvent
    kept: bool
    children: list[YamlNode] = field(default_factory=list)
    end: int = 0
    last: yaml.ScalarEvent | None = None
    weight: int = 1


def compose(text: str, deepest_kept: int = MAX_YAML_DEPTH) -> YamlNode | None:
    """Return the nodes of the first document, those inside so many collections. The whole text is checked.

    `text` has no BOM.

    Raises:
        FormatError: when the text is not YAML, an alias has no anchor before it, or it is too deep or too large
            once its aliases are expanded.
    """
    builder = first = _Builder(text, deepest_kept)
    with _faults_placed(text):
        for event in _events(text, MAX_YAML_FILE_NODES):
            if (take := builder.takes.get(type(event))) is not None:
                take(event)
            elif isinstance(event, yaml.DocumentEndEvent):
                builder = _Builder(text, 0)
    return first.root


def compose_piece(text: str) -> YamlNode | None:
    """Return the nodes of a text that is one document, its aliases unchecked since anchors may be outside.

    Raises:
        FormatError: when the text is not YAML, holds several documents or too many nodes.
    """
    builder = _Builder(text, MAX_YAML_DEPTH, alone=False)
    documents = 0
    with _faults_placed(text):
        for event in _events(text, MAX_YAML_PIECE_NODES):
            if (take := builder.takes.get(type(event))) is not None:
                take(event)
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise error_at(text, _start(event), "a document starts here")
    return builder.root


def are_documents(texts: Sequence[str], opening: str) -> bool:
    """Tell whether each of some texts, below an opening, is YAML: one document, with aliases and depth unchecked.

    libyaml takes a fifth of the time for it that it takes to tell Python of each event. A text that ends inside
    quotes or brackets is none, and neither are texts with too many values in all.

    Args:
        texts: they end in line breaks, and none of them has the marks of a document.
        opening: lines in front of each.
    """
    count = getattr(EventParser, "raw_parse", None)
    if count is None:
        return False
    start = f"---\n{opening}"
    try:
        return bool(count(EventParser(start + start.join(texts))) <= MAX_YAML_FILE_NODES)
    except (yaml.YAMLError, UnicodeEncodeError):
        return False


def events_of(text: str) -> Iterator[yaml.Event]:
    """Return the events of a text. Raises as libyaml does."""
    return iter(EventParser(text).get_event, None)


def is_too_deep(error: yaml.MarkedYAMLError) -> bool:
    """Tell whether libyaml refuses a text for its depth, as it does since 0.2.6 for more than 1,000 levels."""
    return "nesting depth" in (error.problem or "")


def span_of(event: yaml.Event) -> tuple[int, int]:
    """Return where an event begins and ends."""
    return _start(event), _end(event)


def _events(text: str, most: int) -> Iterator[yaml.Event]:
    """Return the events of a text; the one after so many is an error."""
    events = events_of(text)
    yield from islice(events, most)
    for event in events:
        raise error_at(text, _start(event), f"more than {most:,} values")


@contextmanager
def _faults_placed(text: str) -> Iterator[None]:
    """Say of what libyaml refuses where it stands in the text."""
    try:
        yield
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = TOO_DEEP if is_too_deep(error) else error.problem or error.context or "not YAML"
        raise error_at(text, mark.index if mark else 0, problem) from None
    except yaml.YAMLError:  # the reader's own complaint, whose position counts bytes
        match = Reader.NON_PRINTABLE.search(text)
        offset = match.start() if match else 0
        raise error_at(text, offset, f"the character {text[offset : offset + 1]!a} is not allowed") from None
    except UnicodeEncodeError as error:
        raise error_at(text, error.start, "a lone surrogate is not text") from None


def _start(event: yaml.Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.index


def _end(event: yaml.Event) -> int:
    assert event.end_mark is not None
    return event.end_mark.index


class _Builder:
    """Builds the nodes of one document without recursion, and counts what its aliases stand for.

    Attributes:
        takes: what takes an event, by its type.
        root: the outermost node, once all events are taken.
    """

    def __init__(self, text: str, deepest_kept: int, alone: bool = True) -> None:
        self.text = text
        self.deepest_kept = deepest_kept
        self.alone = alone
        self.root: YamlNode | None = None
        self.open: list[_OpenCollection] = []
        self.weights: dict[str, int] = {}
        self.scalars: dict[str, str] = {}
        self.expanded = 0
        self.takes: dict[type[yaml.Event], Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._begin,
            yaml.SequenceStartEvent: self._begin,
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
            yaml.AliasEvent: self._alias,
        }

    def _begin(self, event: yaml.CollectionStartEvent) -> None:
        if len(self.open) >= MAX_YAML_DEPTH:
            raise error_at(self.text, _start(event), TOO_DEEP)
        self.open.append(_OpenCollection(event, len(self.open) < self.deepest_kept))

    def _close(self, event: yaml.CollectionEndEvent) -> None:
        done = self.open.pop()
        opening = done.event
        if opening.flow_style:
            end = _end(event)
        else:
            end = max(done.end, self._scalar_end(done.last) if done.last else 0) or _end(opening)
        if opening.anchor:
            self.weights[opening.anchor] = done.weight
            self.scalars.pop(opening.anchor, None)
        node: YamlNode | None = None
        if not self.open or self.open[-1].kept:
            whole = _start(opening)
            table = isinstance(opening, yaml.MappingStartEvent)
            node = YamlNode(
                kind="table" if table else "list",
                whole=whole,
                start=self._content(opening, end),
                end=end,
                style="[" if opening.flow_style else "",
                anchor=opening.anchor,
                tag=opening.tag,
                keys=tuple(done.children[::2]) if table else (),
                items=tuple(done.children[1::2] if table else done.children),
            )
        self._add(node, end, done.weight)

    def _alias(self, event: yaml.AliasEvent) -> None:
        start, end = _start(event), _end(event)
        weight = 1
        if self.alone:
            if event.anchor is None or event.anchor not in self.weights:
                raise error_at(self.text, start, f"the alias *{event.anchor} has no anchor before it")
            weight = self.weights[event.anchor]
            self.expanded += weight
            if self.expanded > MAX_YAML_EXPANDED:
                raise error_at(self.text, start, "the aliases stand for too many values")
        name = event.anchor or ""
        self._add(YamlNode("alias", start, start, end, value=name, aliased=self.scalars.get(name)), end, weight)

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        weight = 1 + len(event.value) // 256
        if event.anchor:
            self.weights[event.anchor] = weight
            self.scalars[event.anchor] = event.value
        if self.open and not (parent := self.open[-1]).kept:
            parent.weight += weight
            if event.value:
                parent.last = event
            else:  # it may end before the one above it
                parent.end = max(parent.end, self._scalar_end(event))
            return
        end = self._scalar_end(event)
        whole = min(_start(event), end)
        start = self._content(event, end) if whole < end else end
        node = YamlNode("scalar", whole, start, end, event.style or "", event.value, event.anchor, event.tag)
        self._add(node, end, weight)

    def _scalar_end(self, event: yaml.ScalarEvent) -> int:
        """Return the end of what is written of a scalar; of one that is not written, of what is before it."""
        end = _end(event)
        if event.style in {"|", ">"}:
            return self._block_end(event)
        return _written_end(self.text, end) if _start(event) == end else end

    def _add(self, node: YamlNode | None, end: int, weight: int) -> None:
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        parent.end = max(parent.end, end)
        parent.weight += weight
        if parent.kept and node is not None:
            parent.children.append(node)

    def _content(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, end: int) -> int:
        start = _start(event)
        if event.anchor or event.tag:
            match = PROPERTIES.match(self.text, start)
            return min(match.end(), max(end, start)) if match else start
        return start

    def _block_end(self, event: yaml.ScalarEvent) -> int:
        """Return the end of a block scalar without the lines and breaks that are not its value."""
        text, start, end = self.text, _start(event), _end(event)
        header = text[start : max(text.find("\n", start), start)]
        if "+" in header.partition("#")[0]:
            return _before_break(text, start, end)
        last = event.value.rstrip("\n").rpartition("\n")[2]
        ignored = " \t" if last.strip(" \t") else ""
        while (line := text.rfind("\n", start, end)) > start and not text[line:end].strip(ignored + "\r\n"):
            end = line - 1 if text[line - 1] == "\r" else line
        return end


def _before_break(text: str, start: int, end: int) -> int:
    """Return where the text between two offsets ends, the break at its end left out."""
    if text.endswith("\r\n", start, end):
        return end - 2
    return end - 1 if text.endswith("\n", start, end) else end


def _written_end(text: str, offset: int) -> int:
    """Return where the text before an offset ends, blanks left out."""
    while offset > 0 and text[offset - 1].isspace():
        offset -= 1
    return offset
