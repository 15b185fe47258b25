"""Banners: comments with blank lines on both sides, and which sample each is about.

A banner over a single sample moves with it and is deleted with it. One over several is about them all, just as the
comment at the top of a file is about the file: it stays where it is, and so do the samples below it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

_BLANK_LINE = re.compile(r"\n[ \t\r]*\n\Z")


def banner_ending(before: str, opens_file: bool, under_key: bool = False) -> str:
    """Return the banner, with the blank lines below it, that ends what is before a sample; empty for none.

    Args:
        before: what is before the sample.
        opens_file: whether that is all that is before it; a comment at its very start is about the file.
        under_key: whether the line above a banner may be the key of the samples, and not blank.
    """
    start = _start_of_set_off(before)
    if start is None or not (
        under_key or _BLANK_LINE.search(before, max(0, before.rfind("\n", 0, start - 1)), start)
    ):
        return ""
    return "" if opens_file and not before[:start].strip("\ufeff \t\r\n") else before[start:]


def _start_of_set_off(before: str) -> int | None:
    """Return where the comments begin that a text ends with, blank lines below them; None if it ends otherwise."""
    end = before.find("\n", len(before.rstrip(" \t\r\n"))) + 1
    if not end or end == len(before) or not before.endswith("\n"):
        return None
    start = end
    while start and before[(above := before.rfind("\n", 0, start - 1) + 1) : start].lstrip(" \t").startswith("#"):
        start = above
    return start if start < end else None


def without_heading(text: str, heading: str) -> str | None:
    """Return a text without a heading that another heading, or nothing, follows; None if it has no such heading.

    Args:
        text: the text of the file.
        heading: the lines of the heading, without what surrounds them.
    """
    lines = r"[ \t\r]*\n[ \t]*".join(re.escape(line.strip(" \t\r")) for line in heading.split("\n"))
    for banner in re.finditer(rf"(?:\A|(?<=\n))[ \t]*{lines}[ \t\r]*(?:\n(?:[ \t\r]*\n)+|\n?\Z)", text):
        above, below = text[: banner.start()], text[banner.end() :]
        if below.lstrip(" \t").startswith("#"):
            return above + below
        if not below.strip():
            return above.rstrip(" \t\r\n") + text[len(text.rstrip(" \t\r\n")) :]
    return None


def banner_of_one(banners: Callable[[int], str], index: int, last: int) -> str:
    """Return the banner of a sample if it is about that sample alone: another banner, or nothing, comes after it.

    Args:
        banners: from the place of a sample to the banner above it.
        index: the place of the sample, from 1.
        last: the place of the last one.
    """
    banner = banners(index)
    alone = index > 1 if index == last else banners(index + 1) != ""
    return banner if banner and alone else ""


def deleted(pieces: Sequence[str], piece: int, rest: str, gap: str, following: str) -> str:
    """Return what takes the place of a sample and the piece before it when it is deleted: banners behind it stay.

    Args:
        pieces: the pieces of the file.
        piece: the piece of the sample.
        rest: what is to be left of the piece before it.
        gap: what stands behind the sample in its piece.
        following: the banner, at the end of the gap, that is about the next sample; empty for none.
    """
    gap = gap.removesuffix(following)
    if gap.strip():
        kept = gap[gap.rindex("\n", 0, len(gap) - len(gap.lstrip())) + 1 :]
        return rest + kept + following
    if piece < len(pieces) - 2 or pieces[-1].strip():
        return rest + following
    above = rest.rstrip(" \t\r\n")
    return above + gap if above.strip("\ufeff") else above


class _Placed(NamedTuple):
    """A sample with what is around it.

    Attributes:
        core: its text.
        behind: what follows it, up to the next one.
        banner: the banner above it, which ends what is before it.
        own: whether that is about this sample alone.
    """

    core: str
    behind: str
    banner: str
    own: bool


class _BannerBlock(NamedTuple):
    """What moves as one: a sample with a banner of its own, or without one, or a banner over several: no core."""

    above: str
    core: str


def moved(
    pieces: Sequence[str], piece: int, to: int, above: Callable[[int], str], parts: Callable[[int], tuple[str, str]]
) -> tuple[str, ...]:
    """Return pieces with one sample moved among others: what is before them all, then each of them.

    A sample that has a banner of its own is put above the banner of a section, not below; in the midst of a section
    it goes without, because what follows would come under that name. Blanks between samples keep their places,
    those above banners apart, so that a banner stays set off.

    Args:
        pieces: the pieces of the file.
        piece: the piece of the sample that moves.
        to: the piece in whose place it is after.
        above: from the place of a sample to the banner above it.
        parts: from the place of a sample to its text, and to what follows it up to the next one.
    """
    low, high, last = min(piece, to), max(piece, to), len(pieces) - 2
    banners = {number: above(number) for number in range(low, min(high + 1, last) + 1)}
    samples = [
        _Placed(*parts(number), banners[number], bool(banner_of_one(banners.__getitem__, number, last)))
        for number in range(low, high + 1)
    ]
    followed = high < last and not banners[high + 1]
    return _moved(pieces[low - 1], samples, piece - low, to - low, followed)


def _moved(before: str, samples: Sequence[_Placed], index: int, to: int, followed: bool) -> tuple[str, ...]:
    """Return the same of the samples from the one place to the other, the one at an index moved to another.

    `followed` tells whether a sample without a banner follows the last of them.
    """
    blocks, seams = _blocks(before, samples)
    ends = [index for index, block in enumerate(blocks) if block.core]
    source = blocks[ends[index]]
    target = ends[to] if to > index or not source.above else _above_section(blocks, ends[to])
    others = blocks[: ends[index]] + blocks[ends[index] + 1 :]
    after = others[target] if target < len(others) else None
    covers = (after is not None and after.core and not after.above) or (after is None and followed)
    upto = ends[index]
    if source.above and covers:
        blocks[upto : upto + 1] = [_BannerBlock(source.above, ""), _BannerBlock("", source.core)]
        if target >= upto:
            target += 1
        upto += 1
    blocks.insert(target, blocks.pop(upto))
    start = before.removesuffix(samples[0].banner)
    end = len(start.rstrip(" \t\r\n"))
    blank = not start.strip("\ufeff \t\r\n") or _BLANK_LINE.search(start)
    if blocks[0].above and not samples[0].banner and seams.headed and not blank:
        seams.plain.insert(0, start[end:])
        start = start[:end] + seams.headed.pop(0)
    return _pieces(start, blocks, seams, samples[-1].behind, followed)


def _above_section(blocks: Sequence[_BannerBlock], index: int) -> int:
    return index - 1 if index and not blocks[index - 1].core else index


class _Seams(NamedTuple):
    """What is between samples, in order: where a banner follows, which needs a blank line above, and elsewhere."""

    headed: list[str]
    plain: list[str]

    def taken(self, headed: bool) -> str:
        """Take the next blank for such a place, or one of the other kind of place if none is left."""
        left = (self.headed or self.plain) if headed else (self.plain or self.headed)
        return left.pop(0) if left else ""


def _blocks(before: str, samples: Sequence[_Placed]) -> tuple[list[_BannerBlock], _Seams]:
    """Return the blocks of some samples, and what is between them."""
    blocks: list[_BannerBlock] = []
    seams = _Seams([], [])
    gap = before
    for index, sample in enumerate(samples):
        if index:
            (seams.headed if sample.banner else seams.plain).append(gap.removesuffix(sample.banner))
        blocks += [_BannerBlock(sample.banner, "")] if sample.banner and not sample.own else []
        blocks.append(_BannerBlock(sample.banner if sample.own else "", sample.core))
        gap = sample.behind
    return blocks, seams


def _pieces(
    start: str, blocks: Sequence[_BannerBlock], seams: _Seams, behind: str, followed: bool
) -> tuple[str, ...]:
    """Return blocks as pieces: what is between two samples follows the first of them."""
    last = blocks[-1]
    if followed and not last.core:
        seams.plain.append(behind)
    pieces = [start]
    for block, following in pairwise(blocks):
        pieces[-1] += block.above
        pieces += [block.core + seams.taken(bool(following.above))] if block.core else []
    if last.core:
        pieces[-1] += last.above
        return (*pieces, last.core + behind)
    if followed:
        pieces[-1] += last.above
        return tuple(pieces)
    banner = last.above.rstrip(" \t\r\n")
    pieces[-1] += last.above[len(banner) :] + banner + behind
    return tuple(pieces)
