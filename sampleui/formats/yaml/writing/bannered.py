"""Samples that are added, deleted and moved together with the banners above them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sampleui.formats import banners
from sampleui.formats.banners import Placed
from sampleui.formats.document import Splice


def inserted_first(pieces: Sequence[str], made: Iterator[Splice], newline: str, apart: int) -> Iterator[Splice]:
    """Yield splices that put a new first sample above the banner of the one that was first, if it has one."""
    head, own = pieces[0], _own(pieces, 1)
    for splice in made if own else ():
        core, _ = parts(splice.added[0])
        yield Splice(0, (head,), (head.removesuffix(own), core + newline * (1 + apart) + own))


def deleted(pieces: Sequence[str], at: int) -> Iterator[Splice]:
    """Yield the splice that deletes the sample of a piece with the banner that is about it alone, if it has one."""
    own = _own(pieces, at)
    if not own or len(pieces) == 3:
        return
    before, piece = pieces[at - 1], pieces[at]
    _, gap = parts(piece)
    follows = at + 1 < len(pieces) - 1
    following = above(pieces, at + 1) if follows else ""
    rest, gap = before.removesuffix(own), gap.removesuffix(following)
    if gap.strip():
        kept = gap[gap.rindex("\n", 0, len(gap) - len(gap.lstrip())) + 1 :]
        yield Splice(at - 1, (before, piece), (rest + kept + following,))
    elif follows or pieces[-1].strip():
        yield Splice(at - 1, (before, piece), (rest + following,))
    else:
        yield Splice(at - 1, (before, piece), (rest.rstrip(" \t\r\n") + gap,))


def moved(pieces: Sequence[str], at: int, to: int) -> Iterator[Splice]:
    """Yield the splice that moves the sample of a piece among banners; none if there are no banners."""
    low, high, last = min(at, to), max(at, to), len(pieces) - 2
    headings = {place: above(pieces, place) for place in range(low, min(high + 1, last) + 1)}
    if not any(headings.values()):
        return
    own = [bool(banners.owned(headings.__getitem__, place, last)) for place in range(low, high + 1)]
    placed = [
        Placed(*parts(pieces[place]), headings[place], is_own)
        for place, is_own in zip(range(low, high + 1), own, strict=True)
    ]
    followed = high < last and not headings[high + 1]
    added = banners.moved(pieces[low - 1], placed, at - low, to - low, followed)
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


def above(pieces: Sequence[str], at: int) -> str:
    """Return the banner that ends the piece before another; the first may stand right below the samples' key."""
    if "#" not in pieces[at - 1]:
        return ""
    before = pieces[0] if at == 1 else parts(pieces[at - 1])[1]
    return banners.set_off(before, opens_file=at == 1, under_key=at == 1)


def _own(pieces: Sequence[str], at: int) -> str:
    last = len(pieces) - 2
    return banners.owned(lambda place: above(pieces, place), at, last) if last else ""
