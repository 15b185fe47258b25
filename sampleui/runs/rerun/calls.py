"""What is asked of an integration that runs samples again, and the calls of its program that it answers with.

An integration's `rerun.py` has plain functions (`Reruns` in `integrations/integration.py`): it says what would have
to be called and which files were written, and starts nothing. Here are the values between it and the engine
(`engine.py`), which shows a call, starts it, and joins what it wrote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from sampleui.review.record import Record
from sampleui.sample.model import Sample
from sampleui.workspace.deck import Deck

TIMEOUT_S = 3600.0
"""Seconds after which a call is ended that does not end by itself."""


class RerunRequest(NamedTuple):
    """A record whose sample is to be run again.

    Attributes:
        record: the record, read with its row (`record.data`).
        key: the key of its sample and target (`Reruns.key`); records of one key are run as one.
        deck: the deck that has its sample; None if none is known.
        sample: the sample as that deck has it now; None if it has it no more.
    """

    record: Record
    key: str
    deck: Deck | None = None
    sample: Sample | None = None


class Request(NamedTuple):
    """What is asked of an integration.

    Attributes:
        asked: the records, each of another key.
        results: the file or folder of their run.
        times: how often each is run.
        out: a new folder that nobody else may enter. What calls write goes below it.
        project: the folder that a person trusts, outside of which nothing runs.
    """

    asked: Sequence[RerunRequest]
    results: Path
    times: int
    out: Path
    project: Path


class ProgramCall(NamedTuple):
    """One call of a program. There is no shell: arguments are given as they are.

    Attributes:
        program: the name of the executable; the engine finds it as the project has it.
        arguments: what follows it.
        folder: the folder that it is called in.
        out: the folder that its results are written into, at or below that of the request; made before the start.
        keys: of the records that it runs.
        times: how many answers it gives for each of them.
        also: the keys of records whose answers it gives unasked, as often; these are kept, and beside no record.
        environment: the variables that are set beside the usual few (`program.py`).
        files: what is written into `out` before the start, by name.
        named: what of the project it is told to run or load by name: a config, a task, a deck. What is none of the
            project's refuses the call.
        notes: what else is to be known before it is agreed to, in words.
        seconds: after how long it is ended.
    """

    program: str
    arguments: Sequence[str]
    folder: Path
    out: Path
    keys: Sequence[str]
    times: int = 1
    also: Sequence[str] = ()
    environment: Mapping[str, str] = MappingProxyType({})
    files: Mapping[str, bytes] = MappingProxyType({})
    named: Sequence[Path] = ()
    notes: Sequence[str] = ()
    seconds: float = TIMEOUT_S


class RerunRefused(NamedTuple):
    """Why some records cannot be run again, in words."""

    keys: Sequence[str]
    why: str
