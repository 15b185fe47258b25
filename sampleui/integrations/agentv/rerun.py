"""Tests of AgentV run again: `agentv eval run` of the deck, once for each time, with ids whose signs are escaped.

It has no option for how often, and its ids are patterns. A folder of results is written over, so each call has a
new one; two targets in one folder share the files of their answers, so each target has calls of its own.

Source: AgentV 4.42.4, `agentv eval run --help`, and what it does with such ids.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from sampleui.errors import FormatError
from sampleui.formats.data import Table, leaves
from sampleui.formats.yaml.nodes import compose
from sampleui.formats.yaml.values import with_paths
from sampleui.integrations.agentv import ENTRY
from sampleui.integrations.agentv.grading import asserted
from sampleui.integrations.integration import Reruns
from sampleui.review.record import Record
from sampleui.review.results.run_paths import own_index
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.runs.rerun.program import programs_named
from sampleui.sample.parse import as_followed
from sampleui.text.confined import belongs, is_folder, is_inside, read_whole
from sampleui.text.limits import MAX_CONFIG_BYTES
from sampleui.trace.trajectory_checks import TRAJECTORY, kind_of

RUN, TARGETS, FIXTURES = "run", "targets.yaml", "answers.jsonl"

_COMMANDS = frozenset({"command", "script"})
"""The keys of what is run."""
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
    for number, call in enumerate(_calls(request, _why_not), 1):
        if isinstance(call, RerunRefused):
            yield call
            continue
        for time in range(1, request.times + 1):
            out = request.out / f"{number}-{time}"
            yield call._replace(out=out, arguments=(*call.arguments, "--output", str(out / RUN)))


def grade(request: Request) -> Iterator[ProgramCall | RerunRefused]:
    """Yield a call for each deck and target, of a target of its name that replays what was answered."""
    answered = {item.key: item.record for item in request.asked}
    several = {name for name, count in Counter(key(item.record) for item in request.asked).items() if count > 1}

    def why_not(item: RerunRequest) -> str:
        tells = "its run tried it several times; choose one" if key(item.record) in several else ""
        return _why_not_graded(item) or tells

    for number, call in enumerate(_calls(request, why_not), 1):
        if isinstance(call, RerunRefused):
            yield call
            continue
        out = request.out / str(number)
        records = [answered[name] for name in call.keys]
        target: Table = {"name": records[0].target, "provider": "replay", "fixtures": str(out / FIXTURES)}
        targets: Table = {"targets": [{**target, "source_target": records[0].target}]}
        yield call._replace(
            out=out,
            arguments=(*call.arguments, "--targets", str(out / TARGETS), "--output", str(out / RUN)),
            files={TARGETS: json.dumps(targets).encode(), FIXTURES: b"".join(map(_fixture, records))},
            notes=(*call.notes, "graders that ask a model by a target of the project do not find it"),
        )


def _fixture(record: Record) -> bytes:
    line: Table = {
        "schema_version": "agentv.replay_fixture.v1",
        "suite": record.suite,
        "test_id": record.sample_id,
        "source_target": record.target,
        "output": [{"role": "assistant", "content": record.whole or record.actual}],
    }
    return json.dumps(line).encode("utf-8", "backslashreplace") + b"\n"


def _why_not(item: RerunRequest) -> str:
    """Return why a record cannot be run again; empty if it can."""
    if item.deck is None or item.sample is None:
        return "no deck has its test as it is now; name the deck with --deck"
    if item.record.target is None:
        return "its record does not say which target answered"
    own = item.record.sample_id.strip() and item.sample.id == item.record.sample_id
    return "" if own else "its id is not that of its test in the deck"


def _why_not_graded(item: RerunRequest) -> str:
    """Return why the answer of a record cannot be graded by AgentV; empty if it can."""
    if why := _why_not(item):
        return why
    if item.record.error is not None or not item.record.actual or item.record.lost or item.record.doubtful:
        return "there is no answer, or none that is surely its own"
    if not item.record.suite:
        return "its record names no suite, by which AgentV finds an answer"
    if item.sample is not None and any(
        TRAJECTORY in kind_of(entry) for entry in asserted(as_followed(item.sample).data, item.sample.context)
    ):
        return "it asserts which tools were called, and the answer alone does not say that"
    return ""


def _calls(request: Request, why_not: Callable[[RerunRequest], str]) -> Iterator[ProgramCall | RerunRefused]:
    """Yield a call for each deck and target, without a folder of results as yet."""
    groups: dict[tuple[Path, str], list[RerunRequest]] = {}
    for item in request.asked:
        if why := why_not(item):
            yield RerunRefused((item.key,), why)
        elif item.deck is not None and item.record.target is not None:
            groups.setdefault((item.deck.path.absolute(), item.record.target), []).append(item)
    for (deck, target), items in groups.items():
        yield _call(deck, target, items, request)


def _call(deck: Path, target: str, items: Sequence[RerunRequest], request: Request) -> ProgramCall:
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
        named=(
            deck,
            *(path for above in deck.parents if above.is_relative_to(folder) for path in _loaded(above)),
            *(path for item in items for path in _commanded(item)),
        ),
        notes=(f"it notes its last run in {SETTINGS}/cache.json of that folder",),
    )


def _home(deck: Path, project: Path) -> Path:
    """Return the folder of the call: the nearest upward with settings of AgentV's, or the project's root."""
    above = [folder for folder in deck.parents if is_inside(folder, project)]
    return next((folder for folder in above if is_folder(folder / SETTINGS)), above[-1] if above else deck.parent)


def _loaded(folder: Path) -> Iterator[Path]:
    """Yield what of a folder is loaded by its name, and what the commands in it name by paths."""
    files = [
        *(folder / SETTINGS / name for name in _SETTINGS_FILES),
        folder / "targets.yaml",
        folder / "targets.yml",
    ]
    yield from (folder / SETTINGS, *files)
    for file in filter(belongs, files):
        try:
            text = read_whole(file, MAX_CONFIG_BYTES).decode("utf-8", "replace")
            root = compose(text)
        except (OSError, FormatError, RecursionError):
            continue
        for path, node in () if root is None else with_paths(root, text):
            if node.kind == "scalar" and not _COMMANDS.isdisjoint(path[-2:]):
                yield from programs_named(node.value, folder)


def _commanded(item: RerunRequest) -> Iterator[Path]:
    """Yield the files that commands of a test and of its deck name by paths."""
    if item.deck is not None and item.sample is not None:
        for path, text in leaves([item.deck.around, as_followed(item.sample).data]):
            if not _COMMANDS.isdisjoint(path[-2:]):
                yield from programs_named(text, item.deck.path.parent)


RERUNS = Reruns(plan, answers, key, finished, grade=grade)
