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

from sampleui.formats.data import Plain, Table, as_list, as_table, texts_in
from sampleui.integrations.agentv import ENTRY
from sampleui.review.record import Record
from sampleui.review.results.run_paths import own_index
from sampleui.runs.rerun.calls import Program, ProgramCall, Request, RerunRefused, RerunRequest, Varying
from sampleui.runs.rerun.program import files_of_deck
from sampleui.sample.parse import as_followed
from sampleui.text.confined import Refusal, below, exists, is_file, is_folder, is_inside, read_confined
from sampleui.text.limits import MAX_OWNER_BYTES

RUN = "run"
SETTINGS = ENTRY.settings_folder

_SIGN = re.compile(r"[^\w\s-]")
_LINE = re.compile(r"(\d+)/\d+\s+(?!🔄)\S")
"""A line that says how many tests are done."""

_PLAIN = frozenset(
    (
        *("contains", "contains-any", "contains-all", "icontains", "icontains-any", "icontains-all", "equals"),
        *(
            "starts-with",
            "ends-with",
            "regex",
            "is-json",
            "latency",
            "cost",
            "token-usage",
            "llm-grader",
            "rubrics",
        ),
    )
)
"""Types of assertions that run nothing of a deck's author by their value, unless that is a template or a file."""

_ASKED = frozenset({"id", "criteria", "input", "expected_output", "description", "assertions", "tags"})
_MAX_FILES = 200


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
            *("eval", "run", f"./{deck.relative_to(folder)}", *map(Varying, ids), Varying(f"--target={target}")),
            *("--no-cache", "--workers=1", "--max-retries=0", "--no-results-push"),
        ),
        folder=folder,
        out=request.out,
        keys=[item.key for item in items],
        environment={"AGENTV_NO_UPDATE_CHECK": "1"},
        programs=tuple(_programs(deck, items, request.project)),
        notes=(
            f"it notes its last run in {SETTINGS}/cache.json of that folder",
            "what the deck and its targets call runs too, and it may read and write whatever you may",
        ),
    )


def _home(deck: Path, project: Path) -> Path:
    """Return the folder of the call: the nearest upward with settings of AgentV's, or the project's root."""
    above = [folder for folder in deck.parents if is_inside(folder, project)]
    return next((folder for folder in above if is_folder(folder / SETTINGS)), above[-1] if above else deck.parent)


def _programs(deck: Path, items: Sequence[RerunRequest], project: Path) -> Iterator[Program]:
    """Yield what is run or loaded: deck, settings, targets, graders, and files that commands name."""
    assert items[0].deck is not None
    around = items[0].deck.around
    tests = [_running(as_followed(item.sample).data) for item in items if item.sample is not None]
    parts = {json.dumps(test, sort_keys=True, default=str) for test in tests if test}
    config = json.dumps(around, sort_keys=True, default=str)
    yield Program(deck, "deck", "\n".join([config, *sorted(parts)]).encode("utf-8", "backslashreplace"))
    above = [folder for folder in deck.parents if is_inside(folder, project)]
    files: dict[Path, str] = {}
    for folder in above:
        files[folder / ".env"] = "variables"
        for base, inner, names in below(folder / SETTINGS):
            inner[:] = sorted(name for name in inner if name != "results")
            files |= {base / name: "settings" for name in sorted(names) if name != "cache.json"}
        files |= {folder / name: "targets" for name in ("targets.yaml", "targets.yml") if exists(folder / name)}
    settings = [line for file in files for line in _lines(file, project)]
    folders = (deck.parent, *above, *(folder / SETTINGS for folder in above))
    for path in files_of_deck(items[0].deck, [*tests, *settings], folders, project):
        files.setdefault(path, "called")
    for path, why in [*files.items()][:_MAX_FILES]:
        yield Program(path, why)


def _lines(file: Path, project: Path) -> Sequence[str]:
    read = read_confined(str(file), (project,), project, MAX_OWNER_BYTES) if is_file(file) else None
    return () if read is None or isinstance(read, Refusal) else read.data.decode("utf-8", "replace").splitlines()


def _running(test: Table) -> Table:
    """Return what of a test may run something: all that is not known to be asked or compared alone."""
    kept: Table = {name: value for name, value in test.items() if name not in _ASKED}
    kept["assertions"] = [item for item in as_list(test.get("assertions")) if not _is_plain(item)]
    asked = [test.get(name) for name in ("id", "criteria", "input", "expected_output", "description")]
    kept["texts"] = [text for text in texts_in(asked) if "{{" in text or "{%" in text]
    return {name: value for name, value in kept.items() if value}


def _is_plain(assertion: Plain) -> bool:
    if isinstance(assertion, str):
        return True  # a criterion for a judge
    table = as_table(assertion)
    known = table.keys() <= {"type", "value", "name", "weight", "required", "threshold", "criteria", "max"}
    return known and table.get("type") in _PLAIN and not any("{{" in text for text in texts_in([*table.values()]))
