"""The piece of text that an edit is made in: where its values are, and which of them must be left alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.data import DataPath, shown
from sampleui.formats.yaml.nodes import HEADER, Node
from sampleui.formats.yaml.pieces import Frame, tree
from sampleui.formats.yaml.values import CORE_TAGS, Step, Way, repeated, way_to
from sampleui.formats.yaml.writing.habits import Laid
from sampleui.formats.yaml.writing.spelling import Manner, chomping
from sampleui.text.position import TextEdit

_TAG = re.compile(r"(?<!\S)!(?:<[^>\s]*>|[^\s,\[\]{}]*)[ \t]*")
_NO_PLAIN_COLLECTION = frozenset(f"tag:yaml.org,2002:{name}" for name in ("set", "omap", "pairs"))


@dataclass(frozen=True)
class EditedPiece:
    """The piece of text that an edit is made in.

    Attributes:
        text: the piece.
        root: the collection that holds the sample: a list or a table of one item.
        frame: what is around the piece.
        manner: how new text is laid out here.
        used_elsewhere: tells whether another piece has an alias of a name.
    """

    text: str
    root: Node
    frame: Frame
    manner: Manner
    used_elsewhere: Callable[[str], bool]

    @property
    def sample(self) -> Node:
        """The sample itself."""
        return self.root.items[0]

    def way(self, path: DataPath) -> Way:
        """Return the way to a path, the sample's own place in its container as the first step."""
        way = way_to(self.sample, path, self.text)
        return replace(way, steps=(Step(self.root, 0), *way.steps), path=("", *way.path))

    def in_flow(self, way: Way) -> bool:
        """Tell whether the end of a way is in brackets."""
        return self.frame.flow or any(step.parent.flow for step in way.steps)

    def sealed(self) -> EditedPiece | None:
        """Return the place with its block scalars closed off, None if none is open.

        One that ends the file without a break holds none, and must say so with a `-` once text follows it; one that
        keeps the breaks after it with a `+` must not once other blank lines follow it.
        """
        text = self.text
        for node in sorted(self.root.walk(), key=lambda node: -node.start):
            header = HEADER.match(self.text, node.start, node.end) if node.style in {"|", ">"} else None
            if header is None or "-" in header["signs"]:
                continue
            needed = chomping(node.value)
            if node.end == len(self.text) or ("+" in header["signs"] and needed != "+"):
                signs = header["signs"].strip("+") + needed
                text = text[: header.start("signs")] + signs + text[header.end("signs") :]
        root = tree(text, self.frame.before, self.frame.after) if text != self.text else None
        return replace(self, text=text, root=root) if root else None

    def untagged(self, node: Node) -> EditedPiece:
        """Return the place with the tag of a node gone, its anchor left.

        Raises:
            EditRefusedError: when it is not a text without the tag.
        """
        before, after = self.text[: node.whole], self.text[node.start :]
        kept = _TAG.sub("", self.text[node.whole : node.start], count=1)
        text = (before.rstrip(" \t") if node.empty and not kept else before) + kept + after
        try:
            root = tree(text, self.frame.before, self.frame.after)
        except FormatError as error:
            raise EditRefusedError(f"its tag {node.tag} cannot go: {error.message}") from None
        assert root is not None
        return replace(self, text=text, root=root)

    def attempts(self, edits: Callable[[EditedPiece], Iterator[TextEdit]]) -> Iterator[TextEdit]:
        """Return edits of the text as it stands, then those that close off its blocks as well."""
        yield from edits(self)
        if (sealed := self.sealed()) is not None:
            for edit in edits(sealed):
                yield TextEdit(0, len(self.text), edit.apply(sealed.text))


def manner_of(laid: Laid, newline: str) -> Manner:
    """Return how new text is laid out: as most of it is."""
    step = laid.step or laid.dash or 2
    return Manner(
        newline, step, step if laid.dash is None else laid.dash, laid.quoted, blocks=True, habits=laid.habits
    )


# Refusals


def guard(place: EditedPiece, way: Way, path: DataPath, replaced: bool) -> None:
    """Refuse an edit at the end of a way that text elsewhere depends on, or whose value is elsewhere.

    Raises:
        EditRefusedError: with the reason.
    """
    names = way.path[1 : len(way.steps)]
    end = way.steps[-1].node
    if way.merged:
        raise EditRefusedError(f"cannot edit {shown(path)}: it is merged in with <<")
    if end.kind == "alias":
        raise EditRefusedError(f"cannot edit {shown(path)}: {shown(names)} is an alias of *{end.value}")
    for depth, step in enumerate(way.steps[1:]):
        name = way.path[depth + 1]
        if isinstance(name, str) and repeated(step.parent, name, place.text):
            raise EditRefusedError(f"cannot edit {shown(path)}: the key {name!r} is given more than once")
    if replaced and end.tag and end.tag not in CORE_TAGS:
        raise EditRefusedError(f"cannot edit {shown(path)}: it has the tag {end.tag}")
    for step in way.steps:
        if step.node.tag in _NO_PLAIN_COLLECTION:
            raise EditRefusedError(f"cannot edit {shown(path)}: it is inside a value with the tag {step.node.tag}")
    named = [step.node for step in way.steps] + (list(end.walk()) if replaced else [])
    refuse_if_used(place, named, f"cannot edit {shown(path)}")


def refuse_if_used(place: EditedPiece, named: list[Node], deed: str) -> None:
    """Refuse a deed when an anchor on one of the nodes has an alias outside of that node.

    Raises:
        EditRefusedError: with the anchor's name.
    """
    for node in named:
        if not node.anchor:
            continue
        aliases = (other for other in place.root.walk() if other.kind == "alias" and other.value == node.anchor)
        near = any(not node.start <= other.start < node.end for other in aliases)
        if near or place.used_elsewhere(node.anchor):
            raise EditRefusedError(f"{deed}: its anchor &{node.anchor} is used elsewhere")
