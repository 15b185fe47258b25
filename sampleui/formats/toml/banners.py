"""Banners: comments that blank lines part from both sides, and which sample each is about.

A banner over one sample alone goes where that goes, and goes with it. One over several is about them all, as the
comment that opens a file is about the file: those stay in their place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_SET_OFF = re.compile(r"(?:\A|(?<=\n))(?:[ \t]*#[^\n]*\n)+(?:[ \t\r]*\n)+\Z")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n\Z")


def set_off(before: str, opens_file: bool) -> str:
    """Return the banner, with the blank lines below it, that ends what stands before a sample; empty for none."""
    found = _SET_OFF.search(before)
    if found is None or not _BLANK_LINE.search(before[: found.start()]):
        return ""
    return "" if opens_file and not before[: found.start()].strip("\ufeff \t\r\n") else found.group()


def owned(banners: Callable[[int], str], at: int, last: int) -> str:
    """Return the banner of a sample if it is about that sample alone: another banner, or nothing, comes after it.

    Args:
        banners: from the place of a sample to the banner above it.
        at: the place of the sample, from 1.
        last: the place of the last one.
    """
    banner = banners(at)
    alone = at > 1 if at == last else banners(at + 1) != ""
    return banner if banner and alone else ""


def moved(
    before: str, parts: Sequence[tuple[str, str]], own: Sequence[str], order: Sequence[int]
) -> tuple[str, ...]:
    """Return pieces in another order, each banner with its sample: the one before them all, then each of them.

    Args:
        before: the piece before them.
        parts: of each piece, the sample and what stands behind it.
        own: of each piece, the banner above it that goes with it, which ends what stands before the piece.
        order: which piece comes to stand in each place.
    """
    gaps = [before, *(gap for _, gap in parts[:-1])]
    places = [gap.removesuffix(banner) + own[core] for gap, banner, core in zip(gaps, own, order, strict=True)]
    behind = [*places[1:], parts[-1][1]]
    return (places[0], *(parts[core][0] + gap for core, gap in zip(order, behind, strict=True)))
