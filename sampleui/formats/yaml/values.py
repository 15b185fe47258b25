"""What the nodes of a YAML text mean as plain values, by the core schema of YAML 1.2, and paths to nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from yaml.reader import Reader
from yaml.resolver import Resolver

from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.data import DataPath, Plain, Scalar, shown
from sampleui.formats.timestamps import text_or_moment
from sampleui.formats.yaml import layout
from sampleui.formats.yaml.nodes import HEADER, YamlNode
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.limits import MAX_YAML_DIGITS
from sampleui.text.position import Span

NULL = frozenset({"", "~", "null", "Null", "NULL"})
BOOL = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
SPECIAL = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

_KINDS: dict[str, type] = {
    "null": type(None),
    "bool": bool,
    "int": int,
    "float": float,
    "str": str,
    "seq": list,
    "map": dict,
}
CORE_TAGS = {f"tag:yaml.org,2002:{name}": kind for name, kind in _KINDS.items()}
"""The tags of the core schema and the kinds of values they are for."""

BREAKS = re.compile("[\r\n\x85\u2028\u2029]")
"""What libyaml takes for the end of a line."""


def plain_scalar_value(text: str) -> Scalar:
    """Return what a plain scalar means (YAML 1.2.2, core schema, §10.3.2): `yes` is a string, `0o14` is 12."""
    if text in NULL:
        return None
    if text in BOOL:
        return BOOL[text]
    if INT.fullmatch(text):
        if len(text) > MAX_YAML_DIGITS:
            return text
        return int(text, 0) if text[:2] in {"0o", "0x"} else int(text)
    if FLOAT.fullmatch(text):
        return float(text)
    if SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    return text_or_moment(text) if text[0].isdecimal() else text


def scalar_value(text: str, plain: bool, tag: str | None) -> Scalar:
    """Return what a scalar means. A tag of the core schema decides if it can; any other leaves a string."""
    if tag is None:
        return plain_scalar_value(text) if plain else text
    value = plain_scalar_value(text)
    kind = CORE_TAGS.get(tag)
    if kind is float and type(value) is int:
        return float(value)
    return value if type(value) is kind else text


def is_of_kind(tag: str, value: Plain) -> bool:
    """Tell whether a value is of the kind that a tag of the core schema is for."""
    return type(value) is CORE_TAGS.get(tag)


def is_ambiguous(text: str) -> bool:
    """Tell whether YAML 1.1 or 1.2 would read a plain scalar as anything but the string it is."""
    if not isinstance(plain_scalar_value(text), str) or INT.fullmatch(text) or text in {"y", "Y", "n", "N"}:
        return True
    patterns = Resolver.yaml_implicit_resolvers.get(text[0], [])
    return any(pattern.match(text) for _, pattern in patterns)


_UNSAFE_START = re.compile(r"[-?:](?:\s|$)|[,\[\]{}#&*!|>'\"%@`]|---|\.\.\.")
_UNSAFE = re.compile(r":(?:\s|$)|\s#|\t")
_UNSAFE_IN_FLOW = re.compile(r"[,\[\]{}?]|^[-:]|:[,\[\]{}]")  # PyYAML ends a plain scalar at any `?` there


def may_be_plain(text: str, flow: bool) -> bool:
    """Tell whether a text may stand without quotes, on one line, and be read as itself by any reader."""
    if not text or text != text.strip() or BREAKS.search(text) or not printable(text):
        return False
    if _UNSAFE_START.match(text) or _UNSAFE.search(text) or (flow and _UNSAFE_IN_FLOW.search(text)):
        return False
    return not is_ambiguous(text)


def printable(text: str) -> bool:
    """Tell whether a text holds nothing that YAML must escape."""
    return not Reader.NON_PRINTABLE.search(text) and "\ufeff" not in text


MERGE = "<<"


def is_merge(key: YamlNode) -> bool:
    """Tell whether a key merges other tables in: a plain `<<`."""
    return key.kind == "scalar" and key.value == MERGE and not key.style and key.tag is None


def key_name(key: YamlNode, text: str) -> str:
    """Return a key as a string: a scalar's text, of an alias too, and the text of the file for anything else."""
    if key.aliased is not None:
        return key.aliased
    return key.value if key.kind == "scalar" else text[key.whole : key.end]


class Reading:
    """Makes plain values of the nodes of one text. Values behind aliases are shared, not copied.

    `elsewhere` gives the value of an anchor that this text does not define.
    """

    def __init__(self, text: str, elsewhere: Callable[[str], Plain]) -> None:
        self.text = text
        self.elsewhere = elsewhere
        self.named: dict[str, Plain] = {}

    def value(self, node: YamlNode) -> Plain:
        """Return the value of a node."""
        if node.kind == "alias":
            return self.named[node.value] if node.value in self.named else self.elsewhere(node.value)
        plain: Plain
        if node.kind == "scalar":
            plain = scalar_value(node.value, not node.style, node.tag)
        elif node.kind == "list":
            plain = [self.value(item) for item in node.items]
        else:
            plain = self._table(node)
        if node.anchor:
            self.named[node.anchor] = plain
        return plain

    def _table(self, node: YamlNode) -> Plain:
        table_keys: dict[str, Plain] = {}
        merged: dict[str, Plain] = {}
        for key, item in zip(node.keys, node.items, strict=True):
            if key.anchor:
                self.value(key)
            value = self.value(item)
            sources = _merged_tables(value) if is_merge(key) else None
            if sources is None:
                table_keys[key_name(key, self.text)] = value
                continue
            for source in sources:
                merged = {**source, **merged}
        return {**merged, **table_keys} if merged else table_keys


def _merged_tables(value: Plain) -> list[dict[str, Plain]] | None:
    """Return the tables that a merge key names, None when it names anything else and is an ordinary key."""
    values = value if isinstance(value, list) else [value]
    tables = [item for item in values if isinstance(item, dict)]
    return tables if len(tables) == len(values) else None


@dataclass(frozen=True, slots=True)
class NodeStep:
    """One step of a node path: a collection, and the index of the child that the path leads through."""

    parent: YamlNode
    index: int

    @property
    def node(self) -> YamlNode:
        """The child that the step leads to."""
        return self.parent.items[self.index]

    @property
    def key(self) -> YamlNode | None:
        """The key of the child, None in a list."""
        return self.parent.keys[self.index] if self.parent.keys else None


@dataclass(frozen=True, slots=True)
class NodePath:
    """The steps along a path as far as the text spells it out, and how many of the path's keys they cover.

    A path ends early at an alias and at a value that was merged in by one: what follows is elsewhere. It leads by
    the key `<<` through a table that is written where it is merged in.
    """

    steps: tuple[NodeStep, ...]
    path: DataPath
    text: str

    @property
    def complete(self) -> bool:
        """Whether the whole path is spelled out."""
        return len(self.steps) == len(self.path)

    @property
    def merged(self) -> bool:
        """Whether the path ends at the value of a merge key."""
        key = self.steps[-1].key if self.steps else None
        return key is not None and not self.complete and is_merge(key)


def node_path(sample: YamlNode, path: DataPath, text: str) -> NodePath:
    """Return the nodes along a path inside a sample.

    Raises:
        PathError: when the path does not exist.
    """
    steps: list[NodeStep] = []
    spelled: DataPath = ()
    node = sample
    for depth, step in enumerate(path):
        if node.kind == "alias":
            break
        index = _child(node, step, text)
        if index is None:
            merged = next((number for number, key in enumerate(node.keys) if is_merge(key)), None)
            if merged is None or not isinstance(step, str):
                raise PathError(f"there is no {shown(path[: depth + 1])}")
            steps.append(NodeStep(node, merged))
            node = node.items[merged]
            index = _child(node, step, text)
            if index is None:
                return NodePath(tuple(steps), (*spelled, *path[depth:], ""), text)
            spelled = (*spelled, MERGE)
        spelled = (*spelled, step)
        steps.append(NodeStep(node, index))
        node = node.items[index]
    return NodePath(tuple(steps), (*spelled, *path[len(spelled) - spelled.count(MERGE) :]), text)


def has_repeated(node: YamlNode, name: str, text: str) -> bool:
    """Tell whether a table gives a key more than once."""
    return sum(key_name(key, text) == name for key in node.keys) > 1


def with_paths(
    node: YamlNode, text: str, path: DataPath = (), *, read_alone: bool = False
) -> Iterator[tuple[DataPath, YamlNode]]:
    """Yield a node and all inside it, with the paths of their values; `read_alone` what no later key hides."""
    yield path, node
    names = [key_name(key, text) for key in node.keys]
    counts = {name: index for index, name in enumerate(names)} if read_alone else {}
    for index, item in enumerate(node.items):
        step = names[index] if names else index
        if step == MERGE or counts.get(str(step), index) == index:
            yield from with_paths(item, text, (*path, step), read_alone=read_alone)


def repeated_keys(node: YamlNode, text: str) -> Iterator[Finding]:
    """Return a finding for each key that a table gives more than once."""
    for path, table in with_paths(node, text):
        seen: set[str] = set()
        for name in (key_name(key, text) for key in table.keys):
            if name in seen:
                message = f"the key {name!r} is given more than once; the last one counts"
                yield Finding("duplicate-key", Severity.ERROR, message, (*path, name))
            seen.add(name)


def own_tags(node: YamlNode, text: str) -> Iterator[tuple[DataPath, str]]:
    """Return the tags that the core schema does not have, with the paths of their values."""
    usual = {None, "!", *CORE_TAGS}
    return ((path, str(inner.tag)) for path, inner in with_paths(node, text) if inner.tag not in usual)


def own_anchors(node: YamlNode, text: str) -> Iterator[tuple[DataPath, str]]:
    """Return the anchors of single values, with the paths of these."""
    scalars = ((path, inner.anchor) for path, inner in with_paths(node, text) if inner.kind == "scalar")
    return ((path, anchor) for path, anchor in scalars if anchor)


def _child(node: YamlNode, step: str | int, text: str) -> int | None:
    if isinstance(step, int):
        return step if node.kind == "list" and 0 <= step < len(node.items) else None
    if len(node.keys) > _MANY:
        return _indexed(_Same(node), text).get(step)
    return next(
        (index for index in range(len(node.keys) - 1, -1, -1) if key_name(node.keys[index], text) == step), None
    )


_MANY = 16


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """A node as a key by which the same one is found again, without a look at all that it holds."""

    node: YamlNode

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.node is self.node

    def __hash__(self) -> int:
        return id(self.node)


@lru_cache(maxsize=64)
def _indexed(table: _Same, text: str) -> dict[str, int]:
    """Return the place of each key of a table, the last one of those given again."""
    return {key_name(key, text): number for number, key in enumerate(table.node.keys)}


# Where the text of a value begins and ends


def lead(text: str, step: NodeStep) -> int:
    """Return where the place of a value begins: after its colon, its dash, or at itself inside brackets.

    Raises:
        EditRefusedError: when a key has no colon.
    """
    if step.key is not None:
        if not _has_colon(text, step.key):
            raise EditRefusedError(f"the key {key_name(step.key, text)!r} has no place for a value")
        return layout.skip(text, step.key.end) + 1
    if step.parent.flow:
        return step.node.whole
    return layout.entries(text, step.parent)[step.index].mark + 1


def _has_colon(text: str, key: YamlNode) -> bool:
    """Tell whether a colon is behind a key: one in brackets, or after a `?`, may do without."""
    return text.startswith(":", layout.skip(text, key.end))


def value_span(text: str, step: NodeStep) -> Span:
    """Return where a value is. One on lines of its own begins after its key, and so does an empty one."""
    node = step.node
    if node.kind == "alias" or (step.key is not None and not _has_colon(text, step.key)):
        return Span(node.start, node.end)
    begin = value_place(text, step)
    below = "\n" in text[begin : node.start]
    return Span(begin if below or node.empty else node.start, node.end)


_PROPERTY = re.compile(r"(?:\s+|#[^\n]*+|)*+(?:!<[^>\s]*>|[&!][^\s,\[\]{}]*)")
"""An anchor or a tag, behind blanks and comments."""


def value_place(text: str, step: NodeStep) -> int:
    """Return where the text of a value may begin: after its colon or dash and its anchor and tag."""
    node = step.node
    if node.whole < node.start or (node.empty and (node.anchor or node.tag)):
        end = node.whole
        while found := _PROPERTY.match(text, end, node.start):
            end = found.end()
        return end
    return lead(text, step)


def lacks_break(text: str, node: YamlNode) -> bool:
    """Tell whether a node is a block that its text ends in the middle of a line, though it would hold the break."""
    header = HEADER.match(text, node.start, node.end) if node.style in {"|", ">"} else None
    return header is not None and "-" not in header["signs"] and bool(node.value) and not node.value.endswith("\n")
