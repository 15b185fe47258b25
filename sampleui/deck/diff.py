"""The unified diff of a deck against the disk, quick for large decks: only the changed pieces are compared."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal

from sampleui.deck.model import DeckFiles, Source
from sampleui.deck.regions import Region, changed_regions, outer_region

CONTEXT = 3
"""The unchanged lines shown around a change."""


def diff(files: DeckFiles) -> str:
    """Return how the files differ from what is on disk, as `diff -u` writes it; empty when they do not.

    Lines end at LF as `git` counts them, and a CR before it is a part of its line.
    """
    return "".join(line for source in files.sources if source.changed for line in _file_diff(source))


def _file_diff(source: Source) -> Iterator[str]:
    yield "--- /dev/null\n" if source.disk.stamp is None else f"--- {source.path}\n"
    yield f"+++ {source.path}\n"
    old, new = source.disk.saved, source.document
    for window in _windows(old.pieces, new.pieces):
        old_lines = _lines(old.pieces, window.before)
        new_lines = _lines(new.pieces, window.after)
        yield from _hunks(
            old_lines, new_lines, old.breaks_before[window.before.start], new.breaks_before[window.after.start]
        )


def _windows(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[Region]:
    """Yield the changed regions, widened by pieces to whole lines and their context; those that meet are one."""
    joined: list[Region] = []
    for region in changed_regions(old, new):
        if joined and _meet(old, joined[-1].before, region.before):
            last = joined.pop()
            region = Region(
                range(last.before.start, region.before.stop), range(last.after.start, region.after.stop)
            )
        joined.append(region)
    for region in joined:
        above = _reach(old, range(region.before.start - 1, -1, -1), upward=True)
        below = _reach(old, range(region.before.stop, len(old)), upward=False)
        yield Region(
            range(region.before.start - above, region.before.stop + below),
            range(region.after.start - above, region.after.stop + below),
        )


def _meet(old: tuple[str, ...], one: range, other: range) -> bool:
    """Tell whether the context of two regions takes up all that lies between them."""
    below = _reach(old, range(one.stop, other.start), upward=False)
    above = _reach(old, range(other.start - 1, one.stop - 1, -1), upward=True)
    return below + above >= other.start - one.stop


def _reach(pieces: tuple[str, ...], order: range, *, upward: bool) -> int:
    """Return how many unchanged pieces hold the context, ending where a line does."""
    breaks = 0
    for count, at in enumerate(order):
        # Going up, a window may start behind a piece that ends its line; going down, it may end with such a piece.
        whole = pieces[at].endswith("\n") if upward else count > 0 and pieces[at - 1].endswith("\n")
        if whole and breaks > CONTEXT:
            return count
        breaks += pieces[at].count("\n")
    return len(order)


def _lines(pieces: tuple[str, ...], window: range) -> list[str]:
    text = "".join(pieces[window.start : window.stop])
    lines = [line + "\n" for line in text.split("\n")]
    if lines[-1] == "\n":
        return lines[:-1]
    lines[-1] = lines[-1][:-1]
    return lines


def _hunks(old: list[str], new: list[str], old_start: int, new_start: int) -> Iterator[str]:
    for group in _Anchored(old, new).get_grouped_opcodes(CONTEXT):
        first, last = group[0], group[-1]
        old_range = _range(old_start + first[1], last[2] - first[1])
        new_range = _range(new_start + first[3], last[4] - first[3])
        yield f"@@ -{old_range} +{new_range} @@\n"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from (_shown(" ", line) for line in old[i1:i2])
            else:
                yield from (_shown("-", line) for line in old[i1:i2])
                yield from (_shown("+", line) for line in new[j1:j2])


class _Anchored(SequenceMatcher[str]):
    """A matcher that takes equal lines at both ends as unchanged, so that every hunk keeps its context."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        super().__init__()
        self._old = old
        self._new = new

    def get_opcodes(self) -> list[tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]]:
        old, new = self._old, self._new
        region = outer_region(old, new)
        i, j = region.before, region.after
        inner = SequenceMatcher(None, old[i.start : i.stop], new[j.start : j.stop]).get_opcodes()
        return [
            ("equal", 0, i.start, 0, j.start),
            *((tag, i.start + i1, i.start + i2, j.start + j1, j.start + j2) for tag, i1, i2, j1, j2 in inner),
            ("equal", i.stop, len(old), j.stop, len(new)),
        ]


def _range(start: int, count: int) -> str:
    if count == 1:
        return str(start + 1)
    return f"{start if not count else start + 1},{count}"


def _shown(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"
