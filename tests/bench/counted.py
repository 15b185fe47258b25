"""Run `sampleui` and note which of its own modules run; at a signal the note is written, and begun again.

    python counted.py NOTE ARGUMENT…

A module runs when a function of it is called or a class of it defined. What is imported is noted beside it.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

note = Path(sys.argv.pop(1))
called: set[CodeType] = set()


def _profile(frame: FrameType, event: str, _: Any) -> None:
    if event == "call":
        called.add(frame.f_code)


def _write(*_: object) -> None:
    own = str(Path(sys.modules["sampleui"].__file__ or "").parent)
    codes = [code for code in list(called) if code.co_filename.startswith(own) and code.co_name != "<module>"]
    modules = {code.co_filename for code in codes}
    imported = [name for name in sys.modules if name.split(".")[0] == "sampleui"]
    called.clear()
    draft = note.with_suffix(".draft")
    draft.write_text(json.dumps({"run": sorted(modules), "imported": sorted(imported), "functions": len(codes)}))
    draft.replace(note)


signal.signal(signal.SIGUSR1, _write)
from sampleui.__main__ import main  # noqa: E402

threading.setprofile(_profile)
sys.setprofile(_profile)
sys.exit(main())
