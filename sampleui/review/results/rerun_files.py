"""The folder in which answers of a rerun are kept, and what it says of the records that they repeat.

Beside a run `NAME.json` there is `NAME.reruns/`, in which each call of a program has a folder of its own: the
results as the program wrote them, and `rerun.json`. That is an object with `version`, `run` (what the repeated run
is called), `time`, `answers` (the files of results, by their names in the folder), `arguments` (of the call),
`problem` (why its answers are beside no record; "" if they are), and `records`: a list of objects with `id` and
`digest` of a repeated record, `answers` (the ids of the records that repeat it) and `changes` (how its sample
differed by then).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from sampleui.text.confined import belongs, read_whole
from sampleui.text.limits import MAX_KEPT_RERUN_BYTES

VERSION = 1
RERUN = "rerun.json"
SUFFIX = ".reruns"


@dataclass(frozen=True, slots=True)
class Repeated:
    """A record that was run again.

    Attributes:
        id: its id.
        digest: its digest.
        answers: the ids of the records that repeat it.
        changes: how its sample differed by then, in words.
    """

    id: str = ""
    digest: str = ""
    answers: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptRerun:
    """What a folder says of the rerun that is in it.

    Attributes:
        version: of the form of the file.
        run: what the repeated run is called.
        time: when it was run again, in UTC as decisions note it.
        answers: the files of results in the folder; one at least.
        arguments: the arguments of the call.
        problem: why its answers are beside no record; empty if they are.
        records: the repeated records.
    """

    version: int = VERSION
    run: str = ""
    time: str = ""
    answers: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    problem: str = ""
    records: tuple[Repeated, ...] = ()

    @property
    def words(self) -> str:
        """What it repeats, in one line."""
        named = ", ".join(f"{self.run}#{record.id}" for record in self.records[:3])
        more = f" and {len(self.records) - 3:,} more" if len(self.records) > 3 else ""
        problem = f"; its answers are beside no record: {self.problem}" if self.problem else ""
        return f"rerun of {named or self.run}{more}{problem}"


def rerun_in(folder: Path) -> KeptRerun | None:
    """Return the rerun that is kept in a folder; None for any other folder."""
    if not belongs(folder / RERUN):
        return None
    import msgspec  # few folders are those of a rerun

    try:
        rerun = msgspec.convert(json.loads(read_whole(folder / RERUN, MAX_KEPT_RERUN_BYTES)), KeptRerun)
    except (OSError, ValueError, RecursionError, msgspec.ValidationError):
        return None
    answers = tuple(name for name in rerun.answers if PurePath(name).name == name)
    return replace(rerun, answers=answers) if answers and belongs(folder / answers[0]) else None
