"""Runs a command line in this process: one of its own takes half a second to begin."""

from __future__ import annotations

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from sampleui.cli.main import run


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


def ran(*args: str | Path, folder: Path = Path()) -> Ran:
    """Run a command line in a folder."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        code = run([str(arg) for arg in args])
    for stream in (out, err):
        stream.seek(0)
    return Ran(code, out.read(), err.read())
