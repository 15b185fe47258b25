"""What a recorded case of this room is: the files of a run, and what is looked at of it."""

from __future__ import annotations

import json
import os
from enum import Enum
from pathlib import Path
from typing import Any

from sampleui.errors import SampleUIError
from sampleui.formats.data import Plain
from sampleui.review.samples.diffwords import diff_words, likeness
from tests.recorded import fields_of, folder_of_a_case
from tests.review.views import VIEWS, Case
from tests.review.zipped import Zipped, archive


def play(given: dict[str, Any]) -> Plain:
    """Open results, and look at them.

    Args:
        given: the `files` of a folder, each as its text or as the members of an archive; which of them to `open`,
            the folder itself if it is empty; what to `show` (`tests/review/views.py`), with more that it asks for.
            Or two texts to `diff`.

    Returns:
        What there is to see, values that are not set left out.
    """
    if "diff" in given:
        found = diff_words(*given["diff"])
        both: Plain = _plain([found, likeness(found)])
        return both
    with folder_of_a_case() as home:
        name = f"{home}/here"
        for path, content in given["files"].items():
            write(Path(name, path), content)
        try:
            shown = _plain(VIEWS[given["show"]](Case(Path(name), given)))
        except SampleUIError as error:
            shown = {"error": str(error)}
    there: Plain = json.loads(json.dumps(shown).replace(name, "."))
    return there


def write(path: Path, content: Any) -> None:
    """Write a file of a case."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        path.write_bytes(content.encode("utf-8", "surrogateescape"))
    else:
        members = [Zipped(**{**one, "data": one["data"].encode("utf-8", "surrogateescape")}) for one in content]
        archive(path, members)
    os.utime(path, (0, 0))  # the time of a run whose name does not say it


def _plain(value: Any) -> Any:
    """Return a value as plain data; of one with fields what is set."""
    if (fields := fields_of(value)) is not None:
        return {name: _plain(held) for name, held in fields.items() if held not in (None, "", (), {})}
    if isinstance(value, Enum | Path):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _plain(held) for key, held in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(_plain, value))
    return [*map(_plain, value)] if isinstance(value, list | tuple) else value
