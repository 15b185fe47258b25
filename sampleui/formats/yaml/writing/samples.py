"""Texts that may insert, delete or move whole samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats import banners
from sampleui.formats.data import Plain, Table
from sampleui.formats.document import Splice
from sampleui.formats.yaml import layout
from sampleui.formats.yaml.nodes import YamlNode
from sampleui.formats.yaml.pieces import BOM, YAML_CONTAINERS, PieceFrame, rejoined, tree
from sampleui.formats.yaml.writing.edits import EditedPiece, ended, item_edits, refuse_if_used
from sampleui.formats.yaml.writing.habits import Manner
from sampleui.formats.yaml.writing.spelling import behind_dash, behind_key, flow, key_text
from sampleui.text.position import TextEdit

_KEEPS_BLANKS = re.compile(r"[|>][1-9]?\+")

NEW_CONTAINERS = {True: "samples", False: "tests"}
"""The key that a file without any gets for its first sample, by whether that has its messages under `messages`."""


@dataclass(frozen=True)
class SampleTexts:
    """The pieces of a file and what its edits must know of them.

    Attributes:
        pieces: the head, the chunks, the tail.
        frame: what the head says of the chunks.
        keyed: whether the samples are named.
        manner: how most of them are written.
        apart: how many blank lines are between most of them, None if no two show it.
        used_elsewhere: tells, for a piece, whether another one has an alias of a name.
    """

    pieces: tuple[str, ...]
    frame: PieceFrame
    keyed: bool
    manner: Manner
    apart: int | None
    used_elsewhere: Callable[[int], Callable[[str], bool]]

    def stretch(self, low: int, high: int) -> EditedPiece:
        """Return the samples from one index to another, both included, as one place to edit."""
        text = "".join(self.pieces[low + 1 : high + 2])
        try:
            root = tree(text, self.frame.before, self.frame.after)
        except FormatError as error:
            raise EditRefusedError(f"the samples cannot be read together: {error.message}") from error
        if root is None:
            raise EditRefusedError("the samples cannot be read together")
        return EditedPiece(text, root, self.frame, self.manner, lambda _: False)

    def splices(self, low: int, high: int, edited: EditedPiece, edits: Iterable[TextEdit]) -> Iterator[Splice]:
        """Return the splices that make edits of a stretch."""
        last = high == len(self.pieces) - 3
        removed = self.pieces[low + 1 : high + (3 if last else 2)]
        for edit in edits:
            try:
                *added, rest = rejoined(edit.apply(edited.text), self.frame, last)
            except FormatError:
                continue
            behind = (rest + removed[-1],) if last else ()
            yield _headed(self.pieces, self.frame, Splice(low + 1, removed, (*added, *behind)))

    def refuse_if_named(self, index: int, deed: str) -> None:
        """Refuse an operation on a sample with an anchor that other text has an alias of."""
        edited = self.stretch(index, index)
        alone = replace(edited, used_elsewhere=self.used_elsewhere(index + 1))
        outer = alone.root.items[0]
        for node in outer.walk():
            if node.anchor and alone.used_elsewhere(node.anchor):
                refuse_if_used(alone, [node], deed)


def with_sample(samples: SampleTexts, index: int, data: Table) -> Iterator[Splice]:
    """Return the splices that may put a sample among others."""
    count = len(samples.pieces) - 2
    low, high = max(index - 1, 0), min(index, count - 1)
    edited = samples.stretch(low, high)
    apart = 1 if samples.apart is None else samples.apart
    if samples.keyed:
        _refuse_unless_named(samples, data)

    def edits(here: EditedPiece) -> Iterator[TextEdit]:
        new = _named_edits if samples.keyed else _listed_edits
        for edit in new(here, index - low, data, apart):
            yield from ended(here, edit)

    if not index and not samples.frame.flow:
        splices = samples.splices(low, high, edited, edited.attempts(edits))
        yield from _inserted_above_banner(samples.pieces, splices, samples.manner.newline, apart)
    yield from samples.splices(low, high, edited, edited.attempts(edits))


def _listed_edits(edited: EditedPiece, index: int, data: Table, apart: int) -> Iterator[TextEdit]:
    return item_edits(edited, edited.root, index, data, in_flow=edited.frame.flow, apart=apart)


def _named_edits(edited: EditedPiece, index: int, data: Table, apart: int) -> Iterator[TextEdit]:
    rest: Plain = {key: value for key, value in data.items() if key != "id"}
    column = layout.column(edited.text, edited.root.start)
    entries = layout.entries(edited.text, edited.root)
    for blocks in (True, False):
        manner = replace(edited.manner, blocks=blocks)
        body = key_text(str(data["id"])) + ":" + behind_key(rest, column, manner)
        yield from layout.inserted(edited.text, entries, index, body, manner.newline, apart=apart)


def _refuse_unless_named(samples: SampleTexts, data: Table) -> None:
    name = data.get("id")
    if not isinstance(name, str) or not name:
        raise EditRefusedError("a sample of this deck needs an id, which becomes its key")
    for piece in samples.pieces[1:-1]:
        if name in piece:
            root = tree(piece, samples.frame.before, samples.frame.after)
            if root is not None and any(key.value == name for key in root.keys):
                raise EditRefusedError(f"there is a sample {name!r} already")


def with_sample_moved(samples: SampleTexts, index: int, to: int) -> Iterator[Splice]:
    """Return the splices that may move a sample."""
    samples.refuse_if_named(index, "cannot move the sample")
    low, high = min(index, to), max(index, to)
    if not samples.frame.flow:
        for splice in _moved_with_banner(samples.pieces, index + 1, to + 1):
            yield _resplit(samples.pieces, samples.frame, splice)
    yield from _exchanged(samples, index, to)
    edited = samples.stretch(low, high)

    def edits(here: EditedPiece) -> Iterator[TextEdit]:
        entries = layout.entries(here.text, here.root)
        return ended(here, layout.moved_entry(here.text, entries, index - low, to - low, here.manner.newline))

    yield from samples.splices(low, high, edited, edited.attempts(edits))


def _exchanged(samples: SampleTexts, index: int, to: int) -> Iterator[Splice]:
    """Return the splice that moves a sample by its text alone, where the blank lines between samples allow it.

    They keep their places. Samples are not read, so a move past ten thousand of them is as quick as one past two.
    """
    low, high = min(index, to), max(index, to)
    pieces = samples.pieces[low + 1 : high + 2]
    ends = [_last_line_end(piece) for piece in pieces]
    bodies = [piece[:end] for piece, end in zip(pieces, ends, strict=True)]
    gaps = [piece[end:] for piece, end in zip(pieces, ends, strict=True)]
    if samples.frame.flow or any(body[body.rfind("\n") + 1 :].lstrip().startswith("#") for body in bodies):
        return
    if len(set(gaps)) > 1 and (any(map(_KEEPS_BLANKS.search, pieces)) or "".join(gaps).strip("\r\n")):
        return
    bodies.insert(to - low, bodies.pop(index - low))
    moved = tuple(body + gap for body, gap in zip(bodies, gaps, strict=True))
    yield _headed(samples.pieces, samples.frame, Splice(low + 1, pieces, moved))


def blank_lines(piece: str) -> int:
    """Return how many blank lines end a piece: those below its last line of text or comment."""
    lines = piece[_last_line_end(piece) :].split("\n")[1:-1]
    return len(lines)


def _last_line_end(piece: str) -> int:
    """Return where the last line of a piece that is not blank ends, its break left out."""
    shown = len(piece.rstrip(" \t\r\n"))
    end = piece.find("\n", shown)
    if end < 0:
        return len(piece)
    return end - 1 if piece[end - 1] == "\r" else end


def without_sample(samples: SampleTexts, index: int, *, heading: bool = True) -> Iterator[Splice]:
    """Return the splices that may delete a sample, with or without the `heading` that is about it alone.

    The last one leaves `[]`, in a deck of named samples too: the next sample is put into a list.
    """
    samples.refuse_if_named(index, "cannot delete the sample")
    count = len(samples.pieces) - 2
    if count == 1:
        yield from _without_any(samples)
        return
    if heading and not samples.frame.flow:
        yield from _deleted_with_banner(samples.pieces, index + 1)
    low, high = max(index - 1, 0), min(index + 1, count - 1)
    edited = samples.stretch(low, high)
    edit = layout.deleted(edited.text, layout.entries(edited.text, edited.root), index - low)
    yield from samples.splices(low, high, edited, ended(edited, edit))


def _without_any(samples: SampleTexts) -> Iterator[Splice]:
    head, chunk, tail = samples.pieces
    if samples.frame.flow:
        edited = samples.stretch(0, 0)
        entry = layout.entries(edited.text, edited.root)[0]
        rest = chunk[entry.stop :] + tail
        margin = "" if not entry.own_line or rest[:1] in {"\r", "\n"} else chunk[entry.start : entry.mark]
        margin = margin[margin.rfind("\n") + 1 :]  # a bracket that stood after the sample stays as far to the right
        yield from _whole(samples, head + chunk[: entry.start] + margin + rest.lstrip(" \t"), 0)
        yield from _whole(samples, head + chunk[: entry.start] + rest, 0)
        return
    if not samples.frame.container:
        line_end = chunk[len(chunk.rstrip("\r\n")) :]
        yield from _whole(samples, head + "[]" + line_end + tail, 0)
        return
    root = tree(head.removeprefix(BOM), "", "")
    assert root is not None
    text = head.removeprefix(BOM)
    colon = layout.skip(text, samples.frame.around(root).keys[-1].end) + 1
    bom = head[: len(head) - len(text)]
    emptied = f"{bom}{text[:colon]} []{text[colon:]}{tail}"
    if not (chunk + tail).endswith("\n"):
        emptied = emptied.rstrip("\r\n")
    yield from _whole(samples, emptied, 0)


def first_sample(samples: SampleTexts, data: Table) -> Iterator[Splice]:
    """Return the splices that may put the first sample into a file: into empty brackets, or under a key."""
    head, tail = samples.pieces
    frame = samples.frame
    if frame.head_after == "\n]}":
        yield from _whole(samples, head + flow(data, quoted=True) + tail, 1)
        return
    for blocks in (True, False):
        manner = replace(samples.manner, blocks=blocks)
        if frame.flow:
            text = _in_place_of_brackets(head, tail, frame, data, manner)
        else:
            text = _under_key(head, tail, frame, data, manner)
        yield from _whole(samples, text, 1)
        yield from _whole(samples, text + samples.manner.newline, 1)


def _item(data: Table, column: int, manner: Manner) -> str:
    return " " * column + "- " + behind_dash(data, column, column + 2, manner)


def _in_place_of_brackets(head: str, tail: str, frame: PieceFrame, data: Table, manner: Manner) -> str:
    contained = bool(frame.container)
    close = layout.skip(tail, 0) + 1
    if "#" in tail[:close] or (head.startswith(BOM) and head[1:-1].strip(" ") == "" and not contained):
        # A comment has its place here; and npm's `yaml` reads no list without brackets after a byte order mark.
        inside, _, margin = tail[: close - 1].rpartition("\n")
        item = " " * len(margin) + "  " + flow(data, manner.quoted)
        return head + inside.rstrip() + manner.newline + item + manner.newline + margin + tail[close - 1 :]
    if not contained:
        return head.removesuffix("[") + _item(data, 0, manner) + tail[close:]
    rest = layout.REST_OF_LINE.match(tail, close)
    end = rest.end() if rest else close
    lead = head.removesuffix("[").rstrip(" ")
    return lead + tail[close:end] + manner.newline + _item(data, frame.column + 2, manner) + tail[end:]


def _under_key(head: str, tail: str, frame: PieceFrame, data: Table, manner: Manner) -> str:
    text = head.removeprefix(BOM)
    bom = head[: len(head) - len(text)]
    root = tree(text, "", "")
    if not frame.vacant:
        _refuse_unless_open(root)
    line_end = manner.newline if text.endswith("\n") or not text else ""
    if frame.container and root is not None:
        null = frame.around(root).items[-1]
        text = text[: null.start].rstrip(" ") + text[null.end :] if not null.empty else text
    if not frame.container:
        text += (
            (manner.newline if text and not line_end else "")
            + NEW_CONTAINERS["messages" in data]
            + ":"
            + manner.newline
        )
    elif not line_end:
        text += manner.newline
    return bom + text + _item(data, frame.column + 2, manner) + line_end + tail


def _refuse_unless_open(root: YamlNode | None) -> None:
    if root is None or root.kind != "table" or root.flow:
        raise EditRefusedError("the file is neither a list nor a table that samples could be put into")
    taken = [key.value for key in root.keys if key.value in YAML_CONTAINERS]
    if taken:
        raise EditRefusedError(f"the key {taken[0]!r} holds something other than samples")


def _whole(samples: SampleTexts, text: str, count: int) -> Iterator[Splice]:
    """Return the splice that makes a file of no or one sample into a text, if that text has so many."""
    try:
        pieces = samples.frame.split(text)
    except FormatError:
        return
    if len(pieces) == count + 2:
        yield Splice(0, samples.pieces, pieces)


# Samples with the banners above them


def _inserted_above_banner(
    pieces: Sequence[str], splices: Iterator[Splice], newline: str, apart: int
) -> Iterator[Splice]:
    """Yield splices that put a new first sample above the banner of the one that was first, if it has one."""
    head, banner = pieces[0], _own_banner(pieces, 1)
    for splice in splices if banner else ():
        core, _ = parts(splice.added[0])
        yield Splice(0, (head,), (head.removesuffix(banner), core + newline * (1 + apart) + banner))


def _deleted_with_banner(pieces: Sequence[str], removed: int) -> Iterator[Splice]:
    """Yield the splice that deletes the sample of a piece with the banner that is about it alone, if it has one."""
    banner = _own_banner(pieces, removed)
    if not banner or len(pieces) == 3:
        return
    following = banner_above(pieces, removed + 1) if removed + 1 < len(pieces) - 1 else ""
    before, piece = pieces[removed - 1], pieces[removed]
    rest = banners.deleted(pieces, removed, before.removesuffix(banner), parts(piece)[1], following)
    yield Splice(removed - 1, (before, piece), (rest,))


def _moved_with_banner(pieces: Sequence[str], piece: int, to: int) -> Iterator[Splice]:
    """Yield the splice that moves the sample of a piece among banners; none if there are no banners."""
    low, high, last = min(piece, to), max(piece, to), len(pieces) - 2
    if not any(banner_above(pieces, number) for number in range(low, min(high + 1, last) + 1)):
        return
    added = banners.moved(
        pieces, piece, to, lambda number: banner_above(pieces, number), lambda number: parts(pieces[number])
    )
    core, gap = parts(added[-1])
    if high == last and gap.strip():  # a banner left after the last sample does not belong to it
        begin = gap.rindex("\n", 0, gap.index("#")) + 1
        yield Splice(low - 1, tuple(pieces[low - 1 :]), (*added[:-1], core + gap[:begin], gap[begin:] + pieces[-1]))
        return
    yield Splice(low - 1, tuple(pieces[low - 1 : high + 1]), added)


def parts(piece: str) -> tuple[str, str]:
    """Return the text of the sample in a piece, and what is after its last line.

    Comments after it that stand in no further than it does are not its own: text inside it stands in further.
    """
    lines = piece.splitlines(keepends=True)
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    column = len(first) - len(first.lstrip(" "))
    end = len(piece)
    for line in reversed(lines):
        bare = line.lstrip(" ")
        if bare.strip() and not (bare.startswith("#") and len(line) - len(bare) <= column):
            end -= len(line) - len(line.rstrip("\r\n"))
            break
        end -= len(line)
    return piece[:end], piece[end:]


def banner_above(pieces: Sequence[str], piece: int) -> str:
    """Return the banner that ends the piece before another; the first may stand right below the samples' key."""
    if "#" not in pieces[piece - 1]:
        return ""
    before = pieces[0] if piece == 1 else parts(pieces[piece - 1])[1]
    return banners.banner_ending(before, opens_file=piece == 1, under_key=piece == 1)


def _own_banner(pieces: Sequence[str], piece: int) -> str:
    last = len(pieces) - 2
    return banners.banner_of_one(lambda piece: banner_above(pieces, piece), piece, last) if last else ""


# Splices cut where a reader of the whole file would cut


def _headed(pieces: Sequence[str], frame: PieceFrame, splice: Splice) -> Splice:
    """Return a splice with the comments that are now above all samples in the head."""
    head, first = pieces[0], splice.added[0]
    if splice.start != 1 or frame.flow or not layout.line_start(first, layout.skip(first, 0)):
        return splice
    try:
        above, chunk, *rest = frame.split(head + first)
    except FormatError:
        return splice
    added = (above, "".join((chunk, *rest)), *splice.added[1:])
    return splice if above == head else Splice(0, (head, *splice.removed), added)


def _resplit(pieces: Sequence[str], frame: PieceFrame, splice: Splice) -> Splice:
    """Return a splice with the sample after it, which may get comments of what it moved."""
    end = splice.start + len(splice.removed)
    more = tuple(pieces[end : end + 1]) if end < len(pieces) - 1 else ()
    last = end == len(pieces)
    body, tail = (splice.added[:-1], splice.added[-1]) if last else ((*splice.added, *more), "")
    text = "".join(body)
    try:
        *cut, behind = rejoined(text, frame, last) if splice.start else frame.split(text)
    except FormatError:
        return splice
    if len(cut) != len(body):
        return splice
    added = (*cut, behind + tail) if last else (*cut[:-1], cut[-1] + behind)
    return splice if added == (*splice.added, *more) else Splice(splice.start, (*splice.removed, *more), added)
