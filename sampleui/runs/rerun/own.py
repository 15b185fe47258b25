"""A program of the user's own that runs samples again, as their settings name it in `[runners.NAME]`.

It is called for each sample, as often as asked for unless its command says how often (`{n}`), and writes files
of results into the folder that it is given (`{out}`): of any kind that can be opened, with the ids of the samples
and the targets that the records have.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from sampleui.errors import EditRefusedError
from sampleui.integrations.integration import Reruns
from sampleui.review.record import Record
from sampleui.review.results.run_paths import own_index
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.settings.options import PLACEHOLDER, OwnRunner
from sampleui.text.confined import is_file, is_folder, is_link, listed


def own_reruns(runner: OwnRunner) -> Reruns:
    """Return how a program of the user's own runs samples again."""
    return Reruns(partial(_plan, runner), _answers, _key)


def filled(argument: str, values: Mapping[str, str]) -> str:
    """Return an argument with its values filled in; what looks like a name in a value is left as it is.

    Raises:
        EditRefusedError: where a value is not known, or could be no argument, or would be taken for an option.
    """
    for name in PLACEHOLDER.findall(argument):
        if name not in values:
            raise EditRefusedError(f"the {name} of this record is not known")
        if "\0" in values[name]:
            raise EditRefusedError(f"the {name} of this record has a character that no argument can have")
    text = PLACEHOLDER.sub(lambda match: values[match[1]], argument)
    if text.startswith("-") and not argument.startswith("-"):
        raise EditRefusedError(f"{text} begins with a dash, and would be taken for an option")
    return text


def _key(record: Record) -> str:
    """Return the id of the sample and the target of a record."""
    return json.dumps([record.sample_id, record.target])


def _answers(out: Path) -> Sequence[Path]:
    """Return what a call wrote: files of results, and folders of runs."""
    files = (path for path in listed(out).paths if not is_link(path))
    return tuple(path for path in files if is_file(path) or (is_folder(path) and own_index(path) is not None))


def _plan(runner: OwnRunner, request: Request) -> Sequence[ProgramCall | RerunRefused]:
    at_once = any("n" in PLACEHOLDER.findall(argument) for argument in runner.arguments)
    numbers = range(1, 2 if at_once else request.times + 1)
    times = request.times if at_once else 1
    planned: list[ProgramCall | RerunRefused] = []
    for number, item in enumerate(request.asked, 1):
        try:
            planned += [_call(runner, request, item, request.out / f"{number}-{again}", times) for again in numbers]
        except EditRefusedError as error:
            planned.append(RerunRefused((item.key,), str(error)))
    return planned


def _call(runner: OwnRunner, request: Request, item: RerunRequest, out: Path, times: int) -> ProgramCall:
    deck = None if item.deck is None else item.deck.path.absolute()
    results = request.results.absolute()
    folder = results.parent if deck is None else deck.parent
    program, *arguments = runner.arguments
    values = {"id": item.record.sample_id, "results": str(results), "out": str(out), "n": str(times)}
    values |= {"target": item.record.target} if item.record.target is not None else {}
    values |= {"deck": str(deck)} if deck is not None else {}
    return ProgramCall(
        program=program,
        arguments=[filled(argument, values) for argument in arguments],
        folder=folder,
        out=out,
        keys=(item.key,),
        times=times,
        environment=runner.environment,
        named=() if deck is None else (deck,),
        notes=(f"as your settings say: {json.dumps([program, *arguments], ensure_ascii=False)}",),
        seconds=runner.seconds,
    )
