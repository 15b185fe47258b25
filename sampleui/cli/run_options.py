"""What the commands on results share: who reviews, which deck was run, the options."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sampleui.cli import output
from sampleui.cli.arguments import FILE, SHELL, program_named, yes_of_a_person
from sampleui.cli.completion import record_ids
from sampleui.review.queue import CHOSEN_ORDERS

if TYPE_CHECKING:
    from sampleui.runs.rerun.engine import RanAgain
    from sampleui.runs.rerun.trust import ShownCall

_Function = TypeVar("_Function", bound=Callable[..., object])

_SHOWN_LINES = 12
"""Lines of a program's output that are shown."""


class Share(click.FloatRange):
    """A number from 0 to 1."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number. `nan` is refused, although click finds it within any range."""
        share: float = super().convert(value, param, ctx)
        if math.isnan(share):
            self.fail(f"{value!r} is not a number from 0 to 1", param, ctx)
        return share


results_argument = click.argument("results", type=FILE)
deck_option = click.option(
    "--deck",
    "decks",
    type=FILE,
    multiple=True,
    help="A deck that was run, or a folder of decks; may be repeated. Looked for if not given.",
)
given_deck_option = click.option(
    "--deck", "decks", type=FILE, multiple=True, help="A deck that was run, or a folder of decks; may be repeated."
)
reviewer_option = click.option("--reviewer", metavar="NAME", help="The reviewer; your login name if not given.")
program_option = click.option(
    "--as", "agent", metavar="agent:NAME", help="Propose it as a program, for a person to take or to refuse."
)
lines_option = click.option(
    "--lines", metavar="FILE", type=FILE, help="What to record, a line of JSON each; - is standard input."
)
threshold_option = click.option("--fail-under", type=Share(), help="Scores under this fail, whatever the run says.")
scorer_option = click.option(
    "--scorer",
    metavar="NAME",
    help="The scorer that decides what passed; the first of a run whose tool does not say so.",
)
inside_option = click.option(
    "--inside",
    metavar="EVENT",
    type=click.IntRange(min=1),
    help="Only what happened in the call or span of this number, such as what a sub-agent did.",
)
yes_option = click.option(
    "--yes", is_flag=True, callback=yes_of_a_person, help="Agree to what would be run, for this command alone."
)
order_option = click.option(
    "--order",
    type=click.Choice([str(order) for order in CHOSEN_ORDERS]),
    default="score",
    help="Worst first, as in the file, by target, or the most unstable over attempts first.",
)


def id_option(help: str, name: str = "record_id", **more: Any) -> Callable[[_Function], _Function]:
    """Return the option that names a record of a run."""
    return click.option("--id", name, metavar="ID", shell_complete=record_ids, help=help, **more)


def reviewer_of(reviewer: str | None, agent: str | None) -> str | None:
    """Return who says something: a person who is named, a program, or None for whoever is at the machine.

    Whom SAMPLEUI_AS names is the program of a shell: it says nothing in a person's name.
    """
    program = program_named(agent)
    if program is None or reviewer in (None, program):
        return program or reviewer
    if agent is not None:
        raise click.UsageError("say who it is once: by --reviewer, or for a program by --as")
    raise click.UsageError(f"{SHELL} says that it is {program}: it says nothing in the name of {reviewer}")


def is_agreed_to(calls: Sequence[ShownCall], *, yes: bool, answered: bool = False) -> bool:
    """Show calls of programs on standard error where their folder is not trusted; tell whether they are agreed to.

    Args:
        calls: the calls.
        yes: whether that was said beforehand, of this command alone.
        answered: whether the command's own answer has the calls, for a program that cannot be asked.
    """
    from sampleui.runs.rerun.trust import TRUSTED, question

    project = calls[0].project
    if project in TRUSTED:
        return True
    for line in () if answered and not output.interactive() else question(calls):
        output.complain(line)
    if yes:
        return True
    if not output.interactive():
        output.complain("nothing was started: the folder is not trusted, and no one can be asked; --yes agrees")
        return False
    answers = click.Choice(["y", "n", "always"])
    answer = click.prompt(
        "Run this? y for once, always for this folder", default="n", type=answers, err=True, show_default=False
    )
    if answer == "always":
        TRUSTED.add(project, always=True)
    return bool(answer != "n")


def tell_ends(ran: RanAgain) -> None:
    """Say how the programs of a rerun ended, with their last lines, where something of it is missing."""
    for end in ran.ends if any(item.why for item in ran.reruns) else ():
        output.complain(f"  the program: {end.words}")
        for line in end.lines[-_SHOWN_LINES:]:
            output.complain(f"  | {line}")
