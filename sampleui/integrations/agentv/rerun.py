"""Tests of AgentV run again: `agentv eval run` of the deck, once for each time, with ids whose signs are escaped.

It has no option for how often, and its ids are patterns. A folder of results is written over, so each call has a
new one; two targets in one folder share the files of their answers, so each target has calls of its own.

Source: AgentV 4.42.4, `agentv eval run --help`, and what it does with such ids.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sampleui.integrations.agentv import ENTRY
from sampleui.review.record import Record
from sampleui.review.results.run_paths import own_index
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.text.confined import is_folder, is_inside

RUN = "run"
SETTINGS = ENTRY.settings_folder

_SETTINGS_FILES = (
    *("config.yaml", "config.yml", "targets.yaml", "targets.yml"),
    *("providers", "graders", "judges", "assertions"),
)

_SIGN = re.compile(r"[^\w\s-]")
_LINE = re.compile(r"(\d+)/\d+\s+(?!🔄)\S")
"""A line that says how many tests are done."""


def key(record: Record) -> str:
    """Return the suite, the test and the target of a record."""
    return json.dumps([record.suite, record.sample_id, record.target])


def answers(out: Path) -> Sequence[Path]:
    """Return the folder of the run that a call wrote."""
    return () if own_index(out / RUN) is None else (out / RUN,)


def finished(line: str) -> int | None:
    """Return how many tests are done by a line such as `1/3   ✅ sum | good | 100% PASS`."""
    match = _LINE.match(line)
    return None if match is None else int(match[1])


def plan(request: Request) -> Iterator[ProgramCall | RerunRefused]:
    """Yield for each deck and target as many calls as the tests are to be run."""
    groups: dict[tuple[Path, str], list[RerunRequest]] = {}
    for item in request.asked:
        if item.deck is None or item.sample is None:
            yield RerunRefused((item.key,), "no deck has its test as it is now; name the deck with --deck")
        elif item.record.target is None:
            yield RerunRefused((item.key,), "its record does not say which target answered")
        elif not item.record.sample_id.strip() or item.sample.id != item.record.sample_id:
            yield RerunRefused((item.key,), "its id is not that of its test in the deck")
        else:
            groups.setdefault((item.deck.path.absolute(), item.record.target), []).append(item)
    for number, ((deck, target), items) in enumerate(groups.items(), 1):
        call = _call(deck, target, items, request)
        for time in range(1, request.times + 1):
            out = request.out / f"{number}-{time}"
            yield call._replace(out=out, arguments=(*call.arguments, "--output", str(out / RUN)))


def _call(deck: Path, target: str, items: Sequence[RerunRequest], request: Request) -> ProgramCall:
    """Return a call that has no folder of results as yet."""
    folder = _home(deck, request.project)
    ids = (f"--test-id={_SIGN.sub(lambda sign: chr(92) + sign[0], item.record.sample_id)}" for item in items)
    return ProgramCall(
        program="agentv",
        arguments=(
            *("eval", "run", f"./{deck.relative_to(folder)}", *ids, f"--target={target}"),
            *("--no-cache", "--workers=1", "--max-retries=0", "--no-results-push"),
        ),
        folder=folder,
        out=request.out,
        keys=[item.key for item in items],
        environment={"AGENTV_NO_UPDATE_CHECK": "1"},
        named=(deck, *(path for above in deck.parents for path in _loaded(above) if above.is_relative_to(folder))),
        notes=(f"it notes its last run in {SETTINGS}/cache.json of that folder",),
    )


def _home(deck: Path, project: Path) -> Path:
    """Return the folder of the call: the nearest upward with settings of AgentV's, or the project's root."""
    above = [folder for folder in deck.parents if is_inside(folder, project)]
    return next((folder for folder in above if is_folder(folder / SETTINGS)), above[-1] if above else deck.parent)


def _loaded(folder: Path) -> Iterator[Path]:
    """Yield what of a folder is loaded by its name."""
    yield from (folder / SETTINGS / name for name in ("", *_SETTINGS_FILES))
    yield from (folder / name for name in ("targets.yaml", "targets.yml"))
