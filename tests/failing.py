"""Functions that fail, in the place of the system's."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NoReturn


def failing(number: int, words: str = "", name: str | None = None) -> Callable[..., NoReturn]:
    """Return a function that fails with an error of the system: its number, its words if not the usual, a file."""

    def fail(*_: object, **__: object) -> NoReturn:
        raise OSError(number, words or os.strerror(number), name)

    return fail
