"""`sampleui trust`: the folders whose code may always run, and taking that back."""

from __future__ import annotations

from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import FILE
from sampleui.runs.rerun.trust import TRUSTED


@click.command("trust")
@click.option("--remove", "folder", metavar="FOLDER", type=FILE, help="Trust this folder no more.")
def command(folder: Path | None) -> int:
    """Print the folders that you always trust to run again, or take one back.

    A folder gets there by the answer "always" when you are asked whether its code may run. The list is kept in your
    own state folder.

    Example: sampleui trust --remove ~/evals

    Exit codes: 0 done, 1 the folder was not in the list.
    """
    if folder is None:
        for path in TRUSTED.kept():
            output.line(str(path))
        return 0
    if TRUSTED.remove(folder):
        return 0
    output.complain(f"{folder} was not trusted")
    return 1
