"""Tokens, as files of runs count them: in OpenAI's, Anthropic's and runners' own spelling."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from sampleui.formats.data import Plain, Table

_INPUT = ("input", "input_tokens", "prompt_tokens", "inputTokens", "promptTokens", "prompt")
_OUTPUT = ("output", "output_tokens", "completion_tokens", "outputTokens", "completionTokens", "completion")
_TOTAL = ("total", "total_tokens", "totalTokens")


class Tokens(NamedTuple):
    """Tokens that models read and wrote, each None if nobody counted it. A total that is not given is the sum."""

    input: int | None = None
    output: int | None = None
    total: int | None = None

    def to_data(self) -> Table:
        """Return the wire form: what is known, and the total only where it is not the sum."""
        known: Table = {"input": self.input, "output": self.output}
        if self.total != _sum((self.input, self.output)):
            known["total"] = self.total
        return {key: value for key, value in known.items() if value is not None}


def tokens_of(usage: Table) -> Tokens | None:
    """Return what a table counts, None if it counts nothing.

    Runners write zeros where nobody counted (beside each row, or in a `timing.json`): a model that was
    asked has read something, so that 0 read and 0 written are no counts, whatever the total.
    """
    if not usage:
        return None
    read, written, total = (_count(usage, keys) for keys in (_INPUT, _OUTPUT, _TOTAL))
    if read == written == 0:
        return Tokens(total=total) if total else None
    if read is None and written is None:
        return None if total is None else Tokens(total=total)
    known = None if read is None or written is None else read + written
    return Tokens(read, written, known if total is None else total)


def is_unfilled(usage: Table) -> bool:
    """Tell whether a table has places for counts and none that anybody made."""
    return tokens_of(usage) is None and any(_count(usage, keys) is not None for keys in (_INPUT, _OUTPUT, _TOTAL))


def added(counts: Iterable[Tokens]) -> Tokens | None:
    """Return the sum of counts, None without any.

    Of what is read, and of what is written, it is the sum of those that say it; a total is known if each says one.
    """
    listed = list(counts)
    if not listed:
        return None
    totals = [count.total for count in listed]
    return Tokens(
        _sum(count.input for count in listed),
        _sum(count.output for count in listed),
        None if None in totals else _sum(totals),
    )


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _count(usage: Table, keys: Iterable[str]) -> int | None:
    for key in keys:  # a loop, because it runs for every event of a trace
        if key in usage and (count := _whole(usage[key])) is not None:
            return count
    return None


def _whole(value: Plain) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if isinstance(value, int) or math.isfinite(value) else None
