"""Run a script until it writes a text to the terminal, and end the process there.

python until.py TEXT SCRIPT ARGUMENT…
"""

from __future__ import annotations

import os
import runpy
import sys
from typing import Any, TextIO

_text = sys.argv[1]
del sys.argv[:2]


class _Watched:
    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        written = self._file.write(text)
        if _text in text:
            self._file.flush()
            os._exit(0)
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


sys.__stderr__ = _Watched(sys.__stderr__)  # type: ignore[misc,assignment,arg-type]
runpy.run_path(sys.argv[0], run_name="__main__")
