"""One piece of work, timed in a process of its own, with whichever sampleui is on its path; see `__main__.py`.

It is a script and not a module of the tests, and uses the public API only, so that it measures other states too.
"""

from __future__ import annotations

import gc
import inspect
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path


def _parse(path: Path) -> Callable[[], object]:
    import tomli

    return lambda: tomli.loads(path.read_text())


def _open(path: Path) -> Callable[[], object]:
    from sampleui import open_deck

    small = path.with_stem("small")
    if not small.exists():
        small.write_text(path.read_text()[:5000].rpartition("# about")[0].rstrip(" ") + "\n")
    len(open_deck(small).samples)  # what reading loads is no part of it
    return lambda: open_deck(path)


def _write(path: Path) -> Callable[[], object]:
    data = path.read_bytes()

    def write() -> None:
        """Write a new file beside the old one and put it in its place: what any save must do."""
        draft = path.with_suffix(".draft")
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)

    return write


def _save(path: Path) -> Callable[[], object]:
    from sampleui import open_deck

    deck = open_deck(path)
    place = ("messages", 1, "content")
    open_deck(path).set(len(deck.samples) // 2, place, "the first edit learns the deck's habits").save()
    edited = open_deck(path).set(len(deck.samples) // 2, place, f"edited at {time.time()}")
    as_the_app_does = {"whole": False} if "whole" in inspect.signature(edited.save).parameters else {}
    return lambda: edited.save(**as_the_app_does)


_WORKS = {"parse": _parse, "open": _open, "write": _write, "save": _save}

if __name__ == "__main__":
    work = _WORKS[sys.argv[1]](Path(sys.argv[2]))
    gc.collect()
    wall, processor = time.perf_counter(), time.process_time()
    work()
    print(json.dumps([(time.perf_counter() - wall) * 1000, (time.process_time() - processor) * 1000]))
