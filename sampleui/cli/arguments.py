"""The types of the arguments that commands share: files, and names of dialects."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from sampleui.cli.completion import sample_ids
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.settings.options import load_settings
from sampleui.settings.reviewers import is_program, reviewer_named
from sampleui.text.confined import named

_Function = TypeVar("_Function", bound=Callable[..., object])


def with_options(*options: Callable[[_Function], _Function]) -> Callable[[_Function], _Function]:
    """Return what gives a command options, which its help lists in this order."""

    def decorated(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorated


class FileArgument(click.Path):
    """A path that a person named.

    What reads it says what is wrong with it, everywhere in the same words; of several, the others are still read.
    """

    def __init__(self) -> None:
        super().__init__(path_type=Path, readable=False)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the path."""
        return named(str(super().convert(value, param, ctx)))


FILE = FileArgument()

plain_option = click.option(
    "--plain", is_flag=True, default=None, help="Fit the app to a screen reader: one pane, words for signs."
)


def answer_option(name: str = "--format") -> Callable[[_Function], _Function]:
    """Return the option by which a command answers in JSON, of which `output.in_json` tells."""
    forms = click.Choice(["text", "json"])
    return click.option(name, type=forms, default="text", expose_value=False, help="For people or for programs.")


def sample_option(name: str, help: str, **more: Any) -> Callable[[_Function], _Function]:
    """Return the option that names a sample of a deck."""
    return click.option("--sample", name, metavar="ID", shell_complete=sample_ids, help=help, **more)


dry_run_option = click.option("--dry-run", "-n", is_flag=True, help="Print the diff and write nothing.")


class DialectName(click.Choice):  # type: ignore[type-arg]
    """The name of a dialect: a shipped one, or one that the settings of the working folder define."""

    def __init__(self) -> None:
        super().__init__(list(DIALECTS))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name. Raises BadParameter when there is no such dialect."""
        if isinstance(value, str) and value not in DIALECTS and value in load_settings(Path.cwd()).dialects:
            return value
        return str(super().convert(value, param, ctx))


dialect_option = click.option("--dialect", type=DialectName(), help="Read decks in this dialect.")
shared_option = click.option(
    "--shared",
    type=click.Choice(["all", "own"]),
    help="Of a value that samples of YAML share: change it for all, or give this sample a copy of its own.",
)


def program_named(agent: str | None = None) -> str | None:
    """Return the program that an option names, or else SAMPLEUI_AS of this process; None for neither."""
    named, where = (agent, "--as") if agent is not None else (os.environ.get(SHELL) or None, SHELL)
    if named is not None and not is_program(reviewer_named(named)):
        raise click.BadParameter(f"{named} is not the name of a program, which is agent:NAME", param_hint=where)
    return named


SHELL = "SAMPLEUI_AS"
"""The variable that makes all that a shell says a proposal of the program that it names."""


def a_person_s(what: str) -> None:
    """Refuse to a program's shell what is a person's. Raises UsageError."""
    if (program := program_named()) is not None:
        raise click.UsageError(f"{SHELL} says that it is {program}, which proposes alone: {what}")


def yes_of_a_person(_context: click.Context, _option: click.Parameter, value: int) -> int:
    """Return how often --yes was given. Raises UsageError if a program gives it."""
    if value:
        a_person_s("to agree with --yes is a person's")
    return value
