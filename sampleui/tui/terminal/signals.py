"""Handles signals in another way for a while."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeAlias

Handler: TypeAlias = Callable[[int, FrameType | None], Any] | signal.Handlers


@contextmanager
def handled(names: Sequence[str], handler: Handler) -> Iterator[None]:
    """Handle those of some signals that this system has; to be used on the main thread."""
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = [(number, signal.signal(number, handler)) for number in numbers]
    try:
        yield
    finally:
        for number, held in before:
            signal.signal(number, held)
